// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-lower-algebra`: one walk in program order that replaces every algebra op
// by the value reading of its own `evaluate`. Operands are lowered before their
// users, so each op is visited once. Which ops stay is decided here; what an op
// means is not.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "AlgebraEmitter.h"
#include "Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

namespace fly {
#define GEN_PASS_DEF_FLYLOWERALGEBRAPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

//===----------------------------------------------------------------------===//
// Values that need no computation
//===----------------------------------------------------------------------===//

/// True if `value` is of a type that has no constructor, or is made by it. The
/// operands of a constructor that the walk has passed are constructed, too.
static bool isConstructed(Value value) {
  Type type = value.getType();
  if (isa<IntTupleType>(type))
    return value.getDefiningOp<MakeIntTupleOp>() != nullptr;
  if (isa<LayoutType>(type))
    return value.getDefiningOp<MakeLayoutOp>() != nullptr;
  if (isa<ComposedLayoutType>(type))
    return value.getDefiningOp<MakeComposedLayoutOp>() != nullptr;
  if (isa<fly::MemRefType, CoordTensorType>(type))
    return value.getDefiningOp<MakeViewOp>() != nullptr;
  return true;
}

static bool hasPlainLayout(Type tensor) {
  if (auto memref = dyn_cast<fly::MemRefType>(tensor))
    return isa<LayoutAttr>(memref.getLayout());
  return isa<LayoutAttr>(cast<CoordTensorType>(tensor).getLayout());
}

/// True for an op of the output form.
static bool isLowered(Operation *op) {
  if (isa<MakeIntTupleOp>(op))
    return true;
  if (auto offset = dyn_cast<AddOffsetOp>(op))
    return isa<PointerType>(offset.getIter().getType()) &&
           isConstructed(offset.getOffset());
  return isa<MakeLayoutOp, MakeComposedLayoutOp, MakeViewOp>(op) &&
         llvm::all_of(op->getOperands(), isConstructed);
}

/// The operand of a constructor that an extractor gives back, or null.
static Value getExtracted(Operation *op) {
  if (op->getNumOperands() != 1)
    return {};
  Operation *source = op->getOperand(0).getDefiningOp();
  if (!source)
    return {};
  if (auto view = dyn_cast<MakeViewOp>(source)) {
    if (isa<GetIterOp>(op))
      return view.getIter();
    if (isa<GetLayoutOp>(op))
      return view.getLayout();
  } else if (auto layout = dyn_cast<MakeLayoutOp>(source)) {
    if (isa<GetShapeOp>(op))
      return layout.getShape();
    if (isa<GetStrideOp>(op))
      return layout.getStride();
  } else if (auto composed = dyn_cast<MakeComposedLayoutOp>(source)) {
    if (isa<ComposedGetInnerOp>(op))
      return composed.getInner();
    if (isa<ComposedGetOffsetOp>(op))
      return composed.getOffset();
    if (isa<ComposedGetOuterOp>(op))
      return composed.getOuter();
  } else if (auto copy = dyn_cast<MakeTiledCopyOp>(source)) {
    if (isa<GetCopyAtomOp>(op))
      return copy.getCopyAtom();
  } else if (auto mma = dyn_cast<MakeTiledMmaOp>(source)) {
    if (isa<GetMmaAtomOp>(op))
      return mma.getMmaAtom();
  }
  return {};
}

/// The constructors of the one value of a static type.
static Value rebuildStatic(Operation *op) {
  Value value = op->getResult(0);
  auto type = dyn_cast<MayBeStaticTypeInterface>(value.getType());
  if (!type || !type.isStatic())
    return {};
  OpBuilder builder(op);
  Value rebuilt = type.rebuildStaticValue(builder, op->getLoc(), value);
  // The description of an atom op rebuilds as the atom, another type.
  return rebuilt && rebuilt.getType() == type ? rebuilt : Value();
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {

class AlgebraLowering {
public:
  LogicalResult lowerRegion(Region &region);

private:
  LogicalResult lowerOp(Operation *op);
  LogicalResult evaluate(AlgebraOpInterface op);
  LogicalResult lowerAssume(AssumeOp op);
  LogicalResult replace(Operation *op, ArrayRef<Value> values);

  AlgebraEmitter emitter;
};

} // namespace

LogicalResult AlgebraLowering::replace(Operation *op, ArrayRef<Value> values) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    if (value.getType() != result.getType())
      return op->emitOpError("has type ")
             << result.getType() << " but its value is of type "
             << value.getType();
  op->replaceAllUsesWith(ValueRange(values));
  op->erase();
  return success();
}

LogicalResult AlgebraLowering::evaluate(AlgebraOpInterface op) {
  emitter.begin();
  SmallVector<AlgebraValue> operands;
  for (Value operand : op->getOperands())
    operands.push_back(emitter.read(operand));
  AlgebraResult results = op.evaluateAlgebra(operands);
  if (results.hasError())
    return op->emitOpError() << results.error().str();
  OpBuilder builder(op);
  emitter.emit(builder, op->getLoc(), *results);
  SmallVector<Value> values;
  for (const AlgebraValue &result : *results) {
    Value value = emitter.materialize(builder, op->getLoc(), result);
    if (!value)
      return op->emitOpError("gives a value that has no constructor");
    values.push_back(value);
  }
  return replace(op, values);
}

/// The source, its leaves in the type of the result.
LogicalResult AlgebraLowering::lowerAssume(AssumeOp op) {
  Value src = op.getSrc();
  if (src.getType() == op.getType())
    return replace(op, src);
  auto getInt = [](Attribute leaf) {
    auto basis = dyn_cast<BasisAttr>(leaf);
    return basis ? basis.getValue() : cast<IntAttr>(leaf);
  };
  OpBuilder builder(op);
  SmallVector<Type> types;
  SmallVector<IntAttr> from, to;
  cast<IntTupleType>(src.getType()).getAttr().walkLeaves([&](Attribute leaf) {
    from.push_back(getInt(leaf));
    if (from.back().isDynamic())
      types.push_back(builder.getIntegerType(from.back().getWidth()));
  });
  cast<IntTupleType>(op.getType()).getAttr().walkLeaves([&](Attribute leaf) {
    to.push_back(getInt(leaf));
  });
  auto leaves = GetLeavesOp::create(builder, op.getLoc(), types, src,
                                    /*dynamicOnly=*/true);
  SmallVector<Value> operands;
  size_t next = 0;
  for (auto [old, stated] : llvm::zip_equal(from, to)) {
    Value value;
    if (old.isDynamic())
      value = leaves.getLeaves()[next++];
    if (!stated.isDynamic())
      continue;
    if (!value)
      value = arith::ConstantOp::create(
          builder, op.getLoc(),
          builder.getIntegerAttr(builder.getIntegerType(stated.getWidth()),
                                 old.getValue()));
    operands.push_back(value);
  }
  Value tuple =
      MakeIntTupleOp::create(builder, op.getLoc(), op.getType(), operands);
  if (failed(replace(op, tuple)))
    return failure();
  if (types.empty()) {
    leaves.erase();
    return success();
  }
  return evaluate(cast<AlgebraOpInterface>(leaves.getOperation()));
}

LogicalResult AlgebraLowering::lowerOp(Operation *op) {
  if (isLowered(op))
    return success();
  if (auto assume = dyn_cast<AssumeOp>(op))
    return lowerAssume(assume);
  if (isa<MakeShapeOp, MakeStrideOp, MakeCoordOp>(op)) {
    OpBuilder builder(op);
    Value tuple =
        MakeIntTupleOp::create(builder, op->getLoc(), op->getResultTypes(),
                               op->getOperands(), op->getAttrs());
    return replace(op, tuple);
  }
  if (Value value = getExtracted(op))
    return replace(op, value);
  // A plain tensor is its own decomposition.
  if (auto decomposition = dyn_cast<DecompositionOp>(op))
    if (op->getOperand(0).getType() == op->getResult(0).getType() &&
        hasPlainLayout(op->getOperand(0).getType()))
      return replace(op, decomposition.getInput());
  if (isa<StaticOp, GetCopyAtomOp, GetMmaAtomOp>(op)) {
    if (Value value = rebuildStatic(op))
      return replace(op, value);
    return success();
  }
  if (auto load = dyn_cast<PtrLoadOp>(op)) {
    // An int tuple is its own content.
    if (isa<IntTupleType>(load.getIter().getType()))
      return replace(op, load.getIter());
    return success();
  }
  if (auto algebra = dyn_cast<AlgebraOpInterface>(op))
    return evaluate(algebra);
  return success();
}

LogicalResult AlgebraLowering::lowerRegion(Region &region) {
  if (region.empty())
    return success();
  // Dominators first; blocks that cannot be reached come last, in any order.
  llvm::SetVector<Block *> blocks;
  if (region.hasOneBlock()) {
    blocks.insert(&region.front());
  } else {
    llvm::ReversePostOrderTraversal<Region *> order(&region);
    blocks.insert(order.begin(), order.end());
    for (Block &block : region)
      blocks.insert(&block);
  }
  for (Block *block : blocks)
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      for (Region &inner : op.getRegions())
        if (failed(lowerRegion(inner)))
          return failure();
      if (failed(lowerOp(&op)))
        return failure();
    }
  return success();
}

namespace {

struct LowerAlgebraPass : fly::impl::FlyLowerAlgebraPassBase<LowerAlgebraPass> {
  void runOnOperation() override {
    Operation *root = getOperation();
    // What nobody uses need not be computed.
    eraseDeadOps(root);
    AlgebraLowering lowering;
    for (Region &region : root->getRegions())
      if (failed(lowering.lowerRegion(region)))
        return signalPassFailure();
    eraseDeadOps(root);
  }
};

} // namespace
