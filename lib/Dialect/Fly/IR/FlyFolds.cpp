// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders, canonicalisation and the constant materialiser. Ops are not folded
// one by one: a static result type says its value, and for all other results
// the op's own `evaluate` tells whether one is a constant or a value that is
// there already.

#include "Fly/Dialect/Fly/IR/FlyNormalForm.h"
#include "OpSupport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace fly;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

OpFoldResult StaticOp::fold(FoldAdaptor) { return TypeAttr::get(getType()); }

/// A static type is its own constant: the attribute is the type.
Operation *FlyDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location loc) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getType() == type
               ? arith::ConstantOp::create(builder, loc, integer)
               : nullptr;
  auto typeAttr = dyn_cast<TypeAttr>(value);
  if (!typeAttr || typeAttr.getValue() != type || !isStaticType(type))
    return nullptr;
  return StaticOp::create(builder, loc, type);
}

//===----------------------------------------------------------------------===//
// What the operands are known to be
//===----------------------------------------------------------------------===//

namespace {

/// A run-time integer: leaf `index` of `owner`, or the integer `owner` itself.
struct Leaf {
  Value owner;
  unsigned index;

  bool operator==(const Leaf &other) const {
    return owner == other.owner && index == other.index;
  }
};

/// True for an op that gives a part of its one operand as it is.
bool isExtractor(Operation *op) {
  return isa_and_nonnull<GetShapeOp, GetStrideOp, GetLayoutOp, GetIterOp,
                         ComposedGetInnerOp, ComposedGetOffsetOp,
                         ComposedGetOuterOp>(op);
}

/// True for an op whose operands, in order, are the parts of its result.
bool isAssembler(Operation *op) {
  return isa_and_nonnull<MakeLayoutOp, MakeComposedLayoutOp, MakeViewOp>(op);
}

/// Reads SSA values for `evaluate` and remembers which run-time integer each
/// symbol stands for. Two values of one type are the same if their leaves are.
class ValueReader {
public:
  /// Through so many extractors it is seen where a leaf comes from. Types bound
  /// all other recursion.
  static constexpr unsigned maxExtractors = 4;

  explicit ValueReader(unsigned budget = maxExtractors) : budget(budget) {}

  AlgebraValue read(Value value) {
    unsigned next = leaves.size();
    AlgebraValue result = readType(value.getType(), next);
    appendLeaves(value, next - leaves.size());
    if (auto *pointer = result.getIf<Pointer>())
      return Pointer{pointer->type, getOrigin(value), std::nullopt};
    auto *tensor = result.getIf<Tensor>();
    if (!tensor || tensor->isCoord())
      return result;
    return Tensor{
        Pointer{tensor->pointer().type, getOrigin(value), std::nullopt},
        tensor->layout};
  }

  /// The integer behind `value`, if it is one that was read.
  std::optional<Leaf> getLeaf(const layout::Int &value) const {
    if (value.isStatic() ||
        value.getExpr()->getKind() != layout::ExprKind::Symbol)
      return std::nullopt;
    return leaves[value.getExpr()->getSymbolId()];
  }

  /// The integers behind the run-time leaves of `value`, if all are such.
  std::optional<SmallVector<Leaf>> getLeaves(const AlgebraValue &value) const {
    SmallVector<Leaf> result;
    for (const layout::Int &integer : getDynamicLeaves(value)) {
      std::optional<Leaf> leaf = getLeaf(integer);
      if (!leaf)
        return std::nullopt;
      result.push_back(*leaf);
    }
    return result;
  }

private:
  void appendLeaves(Value value, unsigned count) {
    if (count == 0)
      return;
    Operation *op = value.getDefiningOp();
    if (isTupleConstructor(op)) {
      for (Value operand : op->getOperands())
        leaves.push_back({operand, 0});
    } else if (isAssembler(op)) {
      for (Value operand : op->getOperands()) {
        unsigned part = 0;
        readType(operand.getType(), part);
        appendLeaves(operand, part);
      }
    } else if (!appendExtracted(op)) {
      for (unsigned index = 0; index < count; ++index)
        leaves.push_back({value, index});
    }
  }

  /// The leaves of what an extractor gives, as those of its operand.
  bool appendExtracted(Operation *op) {
    if (!isExtractor(op) || budget == 0)
      return false;
    ValueReader inner(budget - 1);
    AlgebraValue source = inner.read(op->getOperand(0));
    AlgebraResult results =
        cast<AlgebraOpInterface>(op).evaluateAlgebra(source);
    if (results.hasError())
      return false;
    std::optional<SmallVector<Leaf>> extracted =
        inner.getLeaves(results->front());
    if (!extracted)
      return false;
    llvm::append_range(leaves, *extracted);
    return true;
  }

  /// A value that stands for the pointer of the pointer or memref `value`.
  static Value getOrigin(Value value) {
    for (unsigned step = 0; step < maxExtractors; ++step) {
      if (auto view = value.getDefiningOp<MakeViewOp>())
        value = view.getIter();
      else if (auto iter = value.getDefiningOp<GetIterOp>())
        value = iter.getTensor();
      else
        break;
    }
    return value;
  }

  unsigned budget;
  SmallVector<Leaf> leaves;
};

/// Folds one algebra op by what `evaluate` makes of the values of its operands.
class AlgebraFolder {
public:
  explicit AlgebraFolder(AlgebraOpInterface op) : op(op) {}

  LogicalResult fold(SmallVectorImpl<OpFoldResult> &folded) {
    bool isScalar = llvm::all_of(op->getResultTypes(), [](Type type) {
      return type.isSignlessInteger();
    });
    if (!isScalar && !findCandidates())
      return failure();
    SmallVector<AlgebraValue> operands;
    for (Value operand : op->getOperands())
      operands.push_back(reader.read(operand));
    AlgebraResult results = op.evaluateAlgebra(operands);
    if (results.hasError())
      return failure();
    SmallVector<OpFoldResult> values;
    for (auto [result, value] : llvm::zip_equal(op->getResults(), *results)) {
      OpFoldResult single = isScalar ? foldScalar(result.getType(), value)
                                     : foldToCandidate(value);
      if (!single)
        return failure();
      values.push_back(single);
    }
    llvm::append_range(folded, values);
    return success();
  }

private:
  /// The values of the result's type that the operands are, are made of, or are
  /// parts of. False if there are none.
  bool findCandidates() {
    if (op->getNumResults() != 1)
      return false;
    Type type = op->getResult(0).getType();
    auto visit = [&](auto &&self, Value value, unsigned budget) -> void {
      if (value.getType() == type && value != op->getResult(0) &&
          !llvm::is_contained(candidates, value))
        candidates.push_back(value);
      Operation *source = value.getDefiningOp();
      if (budget == 0 || !(isAssembler(source) || isExtractor(source)))
        return;
      for (Value operand : source->getOperands())
        self(self, operand, budget - 1);
    };
    for (Value operand : op->getOperands())
      visit(visit, operand, ValueReader::maxExtractors);
    return !candidates.empty();
  }

  /// The constant or the integer that an integer result is.
  OpFoldResult foldScalar(Type type, const AlgebraValue &value) const {
    auto *scalar = value.getIf<Scalar>();
    if (!scalar)
      return {};
    if (scalar->value.isStatic()) {
      int64_t number = scalar->value.getValue();
      return scalar->width == 1
                 ? Attribute(BoolAttr::get(op->getContext(), number != 0))
                 : Attribute(IntegerAttr::get(type, number));
    }
    std::optional<Leaf> leaf = reader.getLeaf(scalar->value);
    if (leaf && leaf->owner.getType() == type)
      return leaf->owner;
    return {};
  }

  /// The candidate that the result is.
  OpFoldResult foldToCandidate(const AlgebraValue &value) {
    // A pointer that is still to be moved by a static offset is another one.
    const Pointer *pointer = getPointer(value);
    if (pointer && pointer->offset && !pointer->offset->isStatic(0))
      return {};
    std::optional<SmallVector<Leaf>> leaves = reader.getLeaves(value);
    if (!leaves)
      return {};
    for (Value candidate : candidates) {
      ValueReader other;
      AlgebraValue known = other.read(candidate);
      const Pointer *knownPointer = getPointer(known);
      if ((!pointer || pointer->base == knownPointer->base) &&
          other.getLeaves(known) == leaves)
        return candidate;
    }
    return {};
  }

  static const Pointer *getPointer(const AlgebraValue &value) {
    if (auto *pointer = value.getIf<Pointer>())
      return pointer;
    auto *tensor = value.getIf<Tensor>();
    return tensor && !tensor->isCoord() ? &tensor->pointer() : nullptr;
  }

  AlgebraOpInterface op;
  ValueReader reader;
  SmallVector<Value, 4> candidates;
};

} // namespace

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

LogicalResult
fly::detail::foldWithoutEffects(Operation *op,
                                SmallVectorImpl<OpFoldResult> &results) {
  if (op->getNumResults() == 1) {
    Type type = op->getResult(0).getType();
    if (isStaticType(type)) {
      results.push_back(TypeAttr::get(type));
      return success();
    }
  }
  auto algebra = dyn_cast<AlgebraOpInterface>(op);
  if (!algebra || op->getNumResults() == 0)
    return failure();
  return AlgebraFolder(algebra).fold(results);
}

/// The atom that a tiled operation was made from, state and all.
OpFoldResult GetCopyAtomOp::fold(FoldAdaptor) {
  auto make = getTiledCopy().getDefiningOp<MakeTiledCopyOp>();
  return make ? make.getCopyAtom() : OpFoldResult();
}

OpFoldResult GetMmaAtomOp::fold(FoldAdaptor) {
  auto make = getTiledMma().getDefiningOp<MakeTiledMmaOp>();
  return make ? make.getMmaAtom() : OpFoldResult();
}

/// An int tuple is its own content.
OpFoldResult PtrLoadOp::fold(FoldAdaptor) {
  return isa<IntTupleType>(getIter().getType()) ? getIter() : OpFoldResult();
}

OpFoldResult RecastIterOp::fold(FoldAdaptor) {
  return getPtr().getType() == getType() ? getPtr() : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult replaceSynonym(OpT op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<MakeIntTupleOp>(
      op, op->getResultTypes(), op->getOperands(), op->getAttrs());
  return success();
}

LogicalResult MakeShapeOp::canonicalize(MakeShapeOp op,
                                        PatternRewriter &rewriter) {
  return replaceSynonym(op, rewriter);
}

LogicalResult MakeStrideOp::canonicalize(MakeStrideOp op,
                                         PatternRewriter &rewriter) {
  return replaceSynonym(op, rewriter);
}

LogicalResult MakeCoordOp::canonicalize(MakeCoordOp op,
                                        PatternRewriter &rewriter) {
  return replaceSynonym(op, rewriter);
}
