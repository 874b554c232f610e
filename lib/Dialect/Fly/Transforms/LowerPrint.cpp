// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-lower-print`: `fly.print` as pieces of text and single arguments, and
// those as one `gpu.printf` in a kernel or a row of `vector.print` on the host.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fly {
#define GEN_PASS_DEF_FLYLOWERPRINTPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

/// A piece of the line: text, or one scalar argument.
struct Piece {
  std::string text;
  Value argument;
};

/// Splits the operands of one `fly.print` into pieces.
class PieceBuilder {
public:
  PieceBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  void addText(StringRef text);
  void addValue(Value value);
  ArrayRef<Piece> getPieces() const { return pieces; }

private:
  void addArgument(Value value) { pieces.push_back({"", value}); }
  void addTuple(Value tuple);
  void addLeaves(Value tuple);
  void addTupleText(IntTupleAttr tuple, ValueRange &leaves);

  OpBuilder &builder;
  Location loc;
  SmallVector<Piece> pieces;
};

} // namespace

void PieceBuilder::addText(StringRef text) {
  if (text.empty())
    return;
  if (pieces.empty() || pieces.back().argument)
    pieces.push_back({});
  pieces.back().text += text;
}

/// Text and arguments of `tuple`; `leaves` are its leaves, which are taken from
/// the front.
void PieceBuilder::addTupleText(IntTupleAttr tuple, ValueRange &leaves) {
  if (!tuple.isLeaf()) {
    for (int32_t i = 0, e = tuple.rank(); i < e; ++i) {
      addText(i == 0 ? "(" : ",");
      addTupleText(tuple.at(i), leaves);
    }
    return addText(")");
  }
  Value leaf = leaves.front();
  leaves = leaves.drop_front();
  auto integer = dyn_cast<IntAttr>(tuple.getValue());
  if (integer && integer.isNone())
    return addText("*");
  addArgument(leaf);
  if (auto basis = dyn_cast<BasisAttr>(tuple.getValue()))
    for (int32_t mode : basis.getModes())
      addText("E" + std::to_string(mode));
}

void PieceBuilder::addTuple(Value tuple) {
  IntTupleAttr attr = cast<IntTupleType>(tuple.getType()).getAttr();
  if (attr.isStatic())
    return addText(bodyToString(attr));
  addLeaves(tuple);
}

/// One argument for each leaf, static ones too.
void PieceBuilder::addLeaves(Value tuple) {
  IntTupleAttr attr = cast<IntTupleType>(tuple.getType()).getAttr();
  SmallVector<Type> types;
  attr.walkLeaves([&](Attribute leaf) {
    auto integer = isa<BasisAttr>(leaf) ? cast<BasisAttr>(leaf).getValue()
                                        : cast<IntAttr>(leaf);
    types.push_back(builder.getIntegerType(integer.getWidth() == 64 ? 64 : 32));
  });
  ValueRange leaves =
      GetLeavesOp::create(builder, loc, types, tuple, /*dynamicOnly=*/false)
          .getLeaves();
  addTupleText(attr, leaves);
}

void PieceBuilder::addValue(Value value) {
  Type type = value.getType();
  if (isa<IntTupleType>(type))
    return addTuple(value);
  if (auto layout = dyn_cast<LayoutType>(type)) {
    LayoutAttr attr = layout.getAttr();
    if (attr.isStatic())
      return addText(bodyToString(attr));
    addLeaves(GetShapeOp::create(builder, loc,
                                 IntTupleType::get(attr.getShape()), value));
    addText(":");
    return addLeaves(GetStrideOp::create(
        builder, loc, IntTupleType::get(attr.getStride()), value));
  }
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return;
    for (int64_t i = 0, e = vector.getNumElements(); i < e; ++i) {
      addText(i == 0 ? "[" : ", ");
      addArgument(vector::ExtractOp::create(builder, loc, value, i));
    }
    return addText("]");
  }
  if (type.isIntOrIndexOrFloat())
    addArgument(value);
}

/// True if values of `type` have a text.
static bool isPrintable(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable();
  return isa<IntTupleType, LayoutType>(type) || type.isIntOrIndexOrFloat();
}

/// Warns of what the line leaves out.
static void warnOfOmissions(PrintOp op) {
  StringRef format = op.getFormat();
  size_t count = op.getArgs().size(), holes = format.count("{}");
  if (!format.empty() && holes > count)
    op.emitWarning("'fly.print' has ")
        << holes << " placeholders for " << count
        << " operands; the surplus ones print nothing";
  if (!format.empty() && holes < count)
    op.emitWarning("'fly.print' has ")
        << holes << " placeholders for " << count << " operands; the last "
        << count - holes << " are not printed";
  for (auto [index, arg] : llvm::enumerate(op.getArgs()))
    if ((format.empty() || index < holes) && !isPrintable(arg.getType()))
      op.emitWarning("'fly.print' prints nothing for operand #")
          << index << " of type " << arg.getType()
          << "; expected a number, a vector of one dimension, an int tuple or "
             "a layout";
}

/// The pieces of `op`: its format with each `{}` replaced by an operand.
static SmallVector<Piece> getPieces(PrintOp op, OpBuilder &builder) {
  PieceBuilder pieces(builder, op.getLoc());
  StringRef format = op.getFormat();
  OperandRange args = op.getArgs();
  if (format.empty()) {
    for (auto [index, arg] : llvm::enumerate(args)) {
      if (index != 0)
        pieces.addText(" ");
      pieces.addValue(arg);
    }
    return SmallVector<Piece>(pieces.getPieces());
  }
  size_t next = 0;
  while (!format.empty()) {
    size_t hole = format.find("{}");
    pieces.addText(format.take_front(hole));
    if (hole == StringRef::npos)
      break;
    if (next < args.size())
      pieces.addValue(args[next++]);
    format = format.drop_front(hole + 2);
  }
  return SmallVector<Piece>(pieces.getPieces());
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// `value` in a type that printf takes, and its specifier.
static std::pair<Value, StringRef> convertForPrintf(OpBuilder &builder,
                                                    Location loc, Value value) {
  Type type = value.getType();
  if (isa<IndexType>(type))
    return {
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value),
        "%ld"};
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type)) {
    if (bits < 32)
      value = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    if (bits > 64)
      value =
          arith::TruncFOp::create(builder, loc, builder.getF64Type(), value);
    return {value, bits <= 32 ? "%.2f" : "%.2lf"};
  }
  Type target = builder.getIntegerType(bits <= 32 ? 32 : 64);
  // True is 1, as in a host function.
  if (bits == 1)
    value = arith::ExtUIOp::create(builder, loc, target, value);
  else if (bits < target.getIntOrFloatBitWidth())
    value = arith::ExtSIOp::create(builder, loc, target, value);
  if (bits > 64)
    value = arith::TruncIOp::create(builder, loc, target, value);
  return {value, bits <= 32 ? "%d" : "%ld"};
}

static void lowerInKernel(PrintOp op, OpBuilder &builder) {
  std::string format;
  SmallVector<Value> arguments;
  for (const Piece &piece : getPieces(op, builder)) {
    if (piece.argument) {
      auto [value, specifier] =
          convertForPrintf(builder, op.getLoc(), piece.argument);
      arguments.push_back(value);
      format += specifier;
      continue;
    }
    for (char c : piece.text) {
      format += c;
      if (c == '%')
        format += c;
    }
  }
  format += '\n';
  gpu::PrintfOp::create(builder, op.getLoc(), format, arguments);
}

static void lowerOnHost(PrintOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  SmallVector<Piece> pieces = getPieces(op, builder);
  for (auto [index, piece] : llvm::enumerate(pieces)) {
    if (!piece.argument) {
      vector::PrintOp::create(builder, loc, StringRef(piece.text));
      continue;
    }
    Value value = piece.argument;
    auto floatType = dyn_cast<FloatType>(value.getType());
    if (floatType && floatType.getWidth() < 32)
      value = arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    // vector.print takes an index for unsigned.
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                         value);
    vector::PrintOp::create(builder, loc, value,
                            index + 1 == pieces.size()
                                ? vector::PrintPunctuation::NewLine
                                : vector::PrintPunctuation::NoPunctuation);
  }
  if (pieces.empty() || !pieces.back().argument)
    vector::PrintOp::create(builder, loc, vector::PrintPunctuation::NewLine);
}

/// The most elements of a vector that one op prints.
static constexpr int64_t kMaxElements = int64_t(1) << 16;

/// Each element becomes operations of its own, so their number is bounded.
static LogicalResult verifyLengths(PrintOp op) {
  for (Value arg : op.getArgs())
    if (auto vector = dyn_cast<VectorType>(arg.getType()))
      if (vector.getRank() == 1 && vector.getNumElements() > kMaxElements)
        return op.emitOpError("prints ") << vector << ", which has more than "
                                         << kMaxElements << " elements";
  return success();
}

namespace {

struct LowerPrintPass : fly::impl::FlyLowerPrintPassBase<LowerPrintPass> {
  void runOnOperation() override {
    SmallVector<PrintOp> ops;
    getOperation()->walk([&](PrintOp op) { ops.push_back(op); });
    if (ops.empty())
      return markAllAnalysesPreserved();
    for (PrintOp op : ops) {
      if (failed(verifyLengths(op)))
        return signalPassFailure();
      warnOfOmissions(op);
      OpBuilder builder(op);
      if (op->getParentOfType<gpu::GPUFuncOp>())
        lowerInKernel(op, builder);
      else
        lowerOnHost(op, builder);
      op.erase();
    }
  }
};

} // namespace
