// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-expand-copy-gemm`: tiled copies and multiplications as calls of one atom
// each. What a part of a tensor is, `fly.slice` says; the order of the calls is
// in GemmTraversal. Every extent is checked before it is walked, so no call
// reads past the end of an operand.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "InferredOp.h"

#include "Fly/Dialect/Fly/Analysis/Runs.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/Transforms/GemmTraversal.h"

namespace fly {
#define GEN_PASS_DEF_FLYEXPANDCOPYGEMMPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// The most calls that one op may expand into.
static constexpr int64_t kMaxCalls = int64_t(1) << 16;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static LayoutAttr getLinear(Value tensor) {
  if (auto memref = dyn_cast<fly::MemRefType>(tensor.getType()))
    return memref.getLinearLayout();
  return cast<CoordTensorType>(tensor.getType()).getLinearLayout();
}

static int32_t getRank(Value tensor) { return getLinear(tensor).rank(); }

/// The number of elements of `shape`'s modes from `begin` to `end`, or nothing
/// if it is known at run time only, negative or beyond 64 bits.
static std::optional<int64_t> getExtent(IntTupleAttr shape, int32_t begin,
                                        int32_t end) {
  int64_t extent = 1;
  for (int32_t mode = begin; mode < end; ++mode) {
    IntTupleAttr part = shape.at(mode);
    if (!part.isStatic())
      return std::nullopt;
    layout::Result<layout::Int> size = layout::size(toStaticValue(part));
    if (size.hasError() || size->getValue() < 0 ||
        llvm::MulOverflow(extent, size->getValue(), extent))
      return std::nullopt;
  }
  return extent;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// `tensor` at a coordinate whose leaf i is `*` for nothing, else the number.
static FailureOr<Value> slice(OpBuilder &builder, Location loc, Value tensor,
                              ArrayRef<std::optional<int64_t>> coord) {
  MLIRContext *context = builder.getContext();
  SmallVector<IntTupleAttr> leaves;
  for (std::optional<int64_t> leaf : coord)
    leaves.push_back(leaf ? IntTupleAttr::getStatic(context, *leaf)
                          : IntTupleAttr::get(IntAttr::getNone(context)));
  Value tuple = MakeIntTupleOp::create(
      builder, loc, IntTupleType::get(IntTupleAttr::get(leaves)), ValueRange());
  return createInferred<SliceOp>(builder, loc, {tensor, tuple});
}

/// `tensor` with modes 1... as one mode.
static FailureOr<Value> groupRest(OpBuilder &builder, Location loc,
                                  Value tensor) {
  return createInferred<GroupOp>(
      builder, loc, tensor, [&](OperationState &state) {
        auto &properties = state.getOrAddProperties<GroupOp::Properties>();
        properties.begin = builder.getI32IntegerAttr(1);
        properties.end = builder.getI32IntegerAttr(-1);
      });
}

/// Mode 0 of a tensor of rank 1.
static FailureOr<Value> unwrap(OpBuilder &builder, Location loc, Value tensor) {
  return createInferred<GetOp>(
      builder, loc, tensor, [&](OperationState &state) {
        state.getOrAddProperties<GetOp::Properties>().mode =
            builder.getDenseI32ArrayAttr({0});
      });
}

//===----------------------------------------------------------------------===//
// Copy
//===----------------------------------------------------------------------===//

namespace {

/// One `fly.copy` under expansion.
struct CopyExpansion {
  CopyOp op;
  OpBuilder builder;
  Value atom;
  int64_t calls = 0;

  LogicalResult expand(Value src, Value dst, Value pred);
  LogicalResult call(Value src, Value dst, Value pred);
  LogicalResult checkValues(Value tensor);
  bool isCoordinateCall(Value src, Value dst);
  FailureOr<Value> prependMode(Value pred);
};

} // namespace

/// The elements of `tensor`, one atom's values, must be where the atom looks
/// for them.
LogicalResult CopyExpansion::checkValues(Value tensor) {
  auto memref = dyn_cast<fly::MemRefType>(tensor.getType());
  Attribute layout = memref
                         ? memref.getLayout()
                         : cast<CoordTensorType>(tensor.getType()).getLayout();
  // copy_c8: the composed layout keeps the values of an atom in order.
  if (!isLinearAtOrigin(layout))
    return op.emitOpError("the values of one atom are not known to stay in "
                          "order behind the inner map of ")
           << tensor.getType() << " [copy_c8]";
  auto universal = dyn_cast<UniversalCopyType>(
      cast<CopyAtomType>(atom.getType()).getCopyOp());
  if (!memref || !universal)
    return success();
  // copy_c9: a universal copy moves consecutive elements.
  LayoutAttr linear = memref.getLinearLayout();
  std::optional<int64_t> count = getExtent(linear.getShape(), 0, 1);
  if (count == 1)
    return success();
  if (linear.getStride().getStaticLeaf() != 1)
    return op.emitOpError("a universal copy of ")
           << universal.getBitSize() << " bits moves consecutive elements, got "
           << tensor.getType()
           << ", whose longest known run is 1 element [copy_c9]";
  if (!swizzleKeepsRun(memref, count.value_or(0)))
    return op.emitOpError("the values of one atom are not known to lie in one "
                          "block of the swizzle of ")
           << tensor.getType() << " [copy_c8]";
  return success();
}

LogicalResult CopyExpansion::call(Value src, Value dst, Value pred) {
  if (failed(checkValues(src)) || failed(checkValues(dst)))
    return failure();
  if (++calls > kMaxCalls)
    return op.emitOpError("expands into more than ")
           << kMaxCalls << " atom calls [copy_c6]";
  Location loc = op.getLoc();
  FailureOr<Value> from = createInferred<DecompositionOp>(builder, loc, src);
  FailureOr<Value> to = createInferred<DecompositionOp>(builder, loc, dst);
  FailureOr<Value> by = pred;
  if (pred)
    by = createInferred<DecompositionOp>(builder, loc, pred);
  if (failed(from) || failed(to) || failed(by))
    return failure();
  CopyAtomCallOp::create(builder, loc, atom, *from, *to, *by);
  return success();
}

/// The predicate with a mode `1:0` before its own, for the values of an atom.
FailureOr<Value> CopyExpansion::prependMode(Value pred) {
  Location loc = op.getLoc();
  MLIRContext *context = builder.getContext();
  FailureOr<Value> iter = createInferred<GetIterOp>(builder, loc, pred);
  FailureOr<Value> layout = createInferred<GetLayoutOp>(builder, loc, pred);
  if (failed(iter) || failed(layout))
    return failure();
  Value mode = StaticOp::create(
      builder, loc,
      LayoutType::get(LayoutAttr::get(IntTupleAttr::getStatic(context, 1),
                                      IntTupleAttr::getStatic(context, 0))));
  FailureOr<Value> extended =
      createInferred<PrependOp>(builder, loc, {*layout, mode});
  if (failed(extended))
    return failure();
  return createInferred<MakeViewOp>(builder, loc, {*iter, *extended});
}

/// True if one side is a coordinate tensor and both sides hold the values of
/// one call: an atom that is driven by coordinates takes them in any profile.
bool CopyExpansion::isCoordinateCall(Value src, Value dst) {
  if (!isa<CoordTensorType>(src.getType()) &&
      !isa<CoordTensorType>(dst.getType()))
    return false;
  auto type = cast<CopyAtomType>(atom.getType());
  auto bits = layout::size(type.getCopyOpInterface().getThrBitLayoutSrc()[1]);
  if (!bits || !bits->isStatic())
    return false;
  int64_t values = bits->getValue() / type.getValBits();
  auto holds = [&](Value tensor) {
    IntTupleAttr shape = getLinear(tensor).getShape();
    return getExtent(shape, 0, shape.rank()) == values;
  };
  return holds(src) && holds(dst);
}

LogicalResult CopyExpansion::expand(Value src, Value dst, Value pred) {
  Location loc = op.getLoc();
  int32_t rank = getRank(src);
  if (isCoordinateCall(src, dst)) {
    // copy_c7: one predicate for one atom.
    if (pred && getExtent(getLinear(pred).getShape(), 0, getRank(pred)) != 1)
      return op.emitOpError("needs one predicate element for an atom, got ")
             << pred.getType() << " [copy_c7]";
    return call(src, dst, pred);
  }
  // copy_c1: equal ranks, on every level.
  if (getRank(dst) != rank)
    return op.emitOpError("src/dst ranks mismatch: ")
           << src.getType() << " and " << dst.getType() << " [copy_c1]";
  // copy_c5: the predicate has the rank of the source, or one less.
  if (pred && rank > 1 && getRank(pred) == rank - 1) {
    FailureOr<Value> extended = prependMode(pred);
    if (failed(extended))
      return failure();
    pred = *extended;
  }
  if (pred && getRank(pred) != rank)
    return op.emitOpError("needs a predicate of rank ")
           << rank << " or " << rank - 1 << ", got " << pred.getType()
           << " [copy_c5]";

  if (rank == 1) {
    if (getLinear(src).isLeaf() && getLinear(dst).isLeaf()) {
      // copy_c7: one predicate for one atom.
      if (pred && getExtent(getLinear(pred).getShape(), 0, 1) != 1)
        return op.emitOpError("needs one predicate element for an atom, got ")
               << pred.getType() << " [copy_c7]";
      return call(src, dst, pred);
    }
    for (Value *part : {&src, &dst, &pred}) {
      if (!*part || getLinear(*part).isLeaf())
        continue;
      FailureOr<Value> inner = unwrap(builder, loc, *part);
      if (failed(inner))
        return failure();
      *part = *inner;
    }
    return expand(src, dst, pred);
  }

  // copy_c3: the rest has one static size in all operands. A predicate of
  // extent 1 counts for all of it.
  std::optional<int64_t> count = getExtent(getLinear(src).getShape(), 1, rank);
  if (!count || getExtent(getLinear(dst).getShape(), 1, rank) != count)
    return op.emitOpError(
               "needs equal static extents of at least 0 behind mode 0, got ")
           << src.getType() << " and " << dst.getType() << " [copy_c3]";
  bool uniform = false;
  if (pred) {
    std::optional<int64_t> predicates =
        getExtent(getLinear(pred).getShape(), 1, rank);
    uniform = predicates == 1;
    if (!uniform && predicates != count)
      return op.emitOpError("needs ")
             << *count << " predicates behind mode 0, got " << pred.getType()
             << " [copy_c3]";
  }
  if (*count > kMaxCalls)
    return op.emitOpError("expands into more than ")
           << kMaxCalls << " atom calls [copy_c6]";
  FailureOr<Value> from = groupRest(builder, loc, src);
  FailureOr<Value> to = groupRest(builder, loc, dst);
  FailureOr<Value> by = pred ? groupRest(builder, loc, pred) : pred;
  if (failed(from) || failed(to) || failed(by))
    return failure();
  for (int64_t i = 0; i < *count; ++i) {
    FailureOr<Value> srcPart = slice(builder, loc, *from, {std::nullopt, i});
    FailureOr<Value> dstPart = slice(builder, loc, *to, {std::nullopt, i});
    FailureOr<Value> predPart = pred;
    if (pred)
      predPart = slice(builder, loc, *by, {std::nullopt, uniform ? 0 : i});
    if (failed(srcPart) || failed(dstPart) || failed(predPart) ||
        failed(expand(*srcPart, *dstPart, *predPart)))
      return failure();
  }
  return success();
}

static LogicalResult expandCopy(CopyOp op) {
  CopyExpansion expansion{op, OpBuilder(op), op.getCopyAtom()};
  if (auto tiled = dyn_cast<TiledCopyType>(expansion.atom.getType()))
    expansion.atom = GetCopyAtomOp::create(expansion.builder, op.getLoc(),
                                           tiled.getAtom(), expansion.atom);
  auto atom = cast<CopyAtomType>(expansion.atom.getType());
  if (atom.getCopyOpInterface().isWholeTileCopy())
    CopyAtomCallOp::create(expansion.builder, op.getLoc(), expansion.atom,
                           op.getSrc(), op.getDst(), op.getPred());
  else if (failed(expansion.expand(op.getSrc(), op.getDst(), op.getPred())))
    return failure();
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Gemm
//===----------------------------------------------------------------------===//

namespace {

/// One `fly.gemm` under expansion; each part of an operand is sliced once.
struct GemmExpansion {
  GemmOp op;
  OpBuilder builder;
  Value atom;
  bool hasK = false;
  /// By operand and coordinates; the second is -1 if there is none.
  llvm::DenseMap<std::pair<Value, std::pair<int64_t, int64_t>>, Value> parts;

  explicit GemmExpansion(GemmOp op)
      : op(op), builder(op), atom(op.getMmaAtom()) {}

  FailureOr<GemmExtents> getExtents();
  FailureOr<Value> getPart(Value operand, int64_t outer,
                           std::optional<int64_t> inner);
  LogicalResult call(const GemmStep &step, Value accumulator);
  LogicalResult expand();
};

} // namespace

/// The extents of the op, which all operands agree on.
FailureOr<GemmExtents> GemmExpansion::getExtents() {
  GemmExtents extents;
  std::optional<int64_t> m, n, k;
  // gemm_c3: where two operands share an extent, it is static and equal.
  auto agree = [&](Value operand, int32_t mode, std::optional<int64_t> &extent,
                   StringRef name) -> LogicalResult {
    std::optional<int64_t> found =
        getExtent(getLinear(operand).getShape(), mode, mode + 1);
    if (!found)
      return op.emitOpError("needs a static extent ")
             << name << " of at least 0, got " << operand.getType()
             << " [gemm_c3]";
    if (extent && *extent != *found)
      return op.emitOpError("needs one extent ")
             << name << ", got " << *extent << " and " << *found << " in "
             << operand.getType() << " [gemm_c3]";
    extent = found;
    return success();
  };
  for (Value operand : {op.getD(), op.getC()})
    if (failed(agree(operand, 1, m, "M")) || failed(agree(operand, 2, n, "N")))
      return failure();
  for (Value operand : op.getA())
    if (failed(agree(operand, 1, m, "M")) ||
        (hasK && failed(agree(operand, 2, k, "K"))))
      return failure();
  for (Value operand : op.getB())
    if (failed(agree(operand, 1, n, "N")) ||
        (hasK && failed(agree(operand, 2, k, "K"))))
      return failure();
  extents.m = *m;
  extents.n = *n;
  if (hasK)
    extents.k = *k;
  return extents;
}

FailureOr<Value> GemmExpansion::getPart(Value operand, int64_t outer,
                                        std::optional<int64_t> inner) {
  Value &part = parts[{operand, {outer, inner.value_or(-1)}}];
  if (part)
    return part;
  SmallVector<std::optional<int64_t>> coord = {std::nullopt, outer};
  if (inner)
    coord.push_back(inner);
  FailureOr<Value> made = slice(builder, op.getLoc(), operand, coord);
  if (succeeded(made))
    part = *made;
  return made;
}

LogicalResult GemmExpansion::call(const GemmStep &step, Value accumulator) {
  std::optional<int64_t> k;
  if (hasK)
    k = step.k;
  SmallVector<Value> a, b;
  for (Value operand : op.getA()) {
    FailureOr<Value> part = getPart(operand, step.m, k);
    if (failed(part))
      return failure();
    a.push_back(*part);
  }
  for (Value operand : op.getB()) {
    FailureOr<Value> part = getPart(operand, step.n, k);
    if (failed(part))
      return failure();
    b.push_back(*part);
  }
  FailureOr<Value> c = getPart(accumulator, step.m, step.n);
  FailureOr<Value> d = getPart(op.getD(), step.m, step.n);
  if (failed(c) || failed(d))
    return failure();
  MmaAtomCallOp::create(builder, op.getLoc(), atom, *d, a, b, *c);
  return success();
}

LogicalResult GemmExpansion::expand() {
  SmallVector<Value> operands = {op.getD(), op.getC()};
  llvm::append_range(operands, op.getA());
  llvm::append_range(operands, op.getB());
  // gemm_c5: all layouts are plain.
  for (Value operand : operands)
    if (!isa<LayoutAttr>(cast<fly::MemRefType>(operand.getType()).getLayout()))
      return op.emitOpError("needs plain layouts, got ")
             << operand.getType() << " [gemm_c5]";
  if (llvm::all_of(operands, [](Value v) { return getRank(v) == 1; })) {
    MmaAtomCallOp::create(builder, op.getLoc(), atom, op.getD(), op.getA(),
                          op.getB(), op.getC());
    return success();
  }

  // gemm_c2: the ranks.
  hasK = !op.getA().empty() && getRank(op.getA().front()) == 3;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    int32_t expected = index < 2 || hasK ? 3 : 2;
    if (getRank(operand) != expected)
      return op.emitOpError("needs an operand of rank ")
             << expected << ", got " << operand.getType() << " [gemm_c2]";
  }
  FailureOr<GemmExtents> extents = getExtents();
  if (failed(extents))
    return failure();
  std::optional<int64_t> count = extents->getCount();
  if (!count || *count > kMaxCalls)
    return op.emitOpError("expands into more than ")
           << kMaxCalls << " atom calls [gemm_c6]";

  SmallVector<GemmStep> steps;
  if (Value traversal = op.getTraversalLayout()) {
    LayoutAttr layout = cast<LayoutType>(traversal.getType()).getAttr();
    layout::Result<SmallVector<GemmStep>> listed = traverse(*extents, layout);
    if (listed.hasError())
      return op.emitOpError() << listed.error().str();
    steps = *listed;
  } else {
    steps = traverse(*extents, hasK, op.getTraversalOrder());
  }
  // The first call for an element of D takes C, all further ones what D holds.
  llvm::DenseSet<std::pair<int64_t, int64_t>> visited;
  for (const GemmStep &step : steps) {
    bool first = visited.insert({step.m, step.n}).second;
    if (failed(call(step, first ? op.getC() : op.getD())))
      return failure();
  }
  return success();
}

static LogicalResult expandGemm(GemmOp op) {
  GemmExpansion expansion(op);
  if (auto tiled = dyn_cast<TiledMmaType>(expansion.atom.getType()))
    expansion.atom = GetMmaAtomOp::create(expansion.builder, op.getLoc(),
                                          tiled.getAtom(), expansion.atom);
  if (failed(expansion.expand()))
    return failure();
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ExpandCopyGemmPass
    : fly::impl::FlyExpandCopyGemmPassBase<ExpandCopyGemmPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<CopyOp, GemmOp>(op))
        ops.push_back(op);
    });
    if (ops.empty())
      return markAllAnalysesPreserved();
    for (Operation *op : ops) {
      auto copy = dyn_cast<CopyOp>(op);
      if (failed(copy ? expandCopy(copy) : expandGemm(cast<GemmOp>(op))))
        return signalPassFailure();
    }
  }
};

} // namespace
