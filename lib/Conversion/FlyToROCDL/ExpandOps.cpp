// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-rocdl-expand-ops: the constructors of tensor copies as copy
// atoms and coordinate tensors of the core dialect.

#include "Fly/Conversion/FlyToROCDL/Passes.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "Fly/Dialect/FlyROCDL/IR/TiledTensorCopies.h"
#include "Fly/Layout/Algebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly;
using namespace fly::rocdl;

namespace fly {
#define GEN_PASS_DEF_FLYROCDLEXPANDOPSPASS
#include "Fly/Conversion/FlyToROCDL/Passes.h.inc"
} // namespace fly

/// An int tuple of one level whose leaves are numbers or run-time i32 values.
static Value makeFlatTuple(OpBuilder &builder, Location loc,
                           ArrayRef<OpFoldResult> leaves) {
  MLIRContext *context = builder.getContext();
  SmallVector<IntTupleAttr> attrs;
  SmallVector<Value> values;
  for (OpFoldResult leaf : leaves) {
    if (auto number = dyn_cast<Attribute>(leaf)) {
      attrs.push_back(
          IntTupleAttr::getStatic(context, cast<IntegerAttr>(number).getInt()));
      continue;
    }
    attrs.push_back(IntTupleAttr::get(IntAttr::getDynamic(context)));
    values.push_back(cast<Value>(leaf));
  }
  auto type =
      IntTupleType::get(IntTupleAttr::get(ArrayRef<IntTupleAttr>(attrs)));
  return MakeIntTupleOp::create(builder, loc, type, values);
}

//===----------------------------------------------------------------------===//
// boundary_check
//===----------------------------------------------------------------------===//

/// For each dimension of a descriptor, the mode of the tensor whose bound is
/// that of the dimension: the outermost on it, that with the largest step. -1
/// where no mode moves.
static SmallVector<int> getBoundOwners(IntTupleAttr tensor2tdm, int32_t rank) {
  SmallVector<int> owners(rank, -1);
  SmallVector<int64_t> steps(rank, 0);
  int mode = 0;
  tensor2tdm.walkLeaves([&](Attribute leaf) {
    if (auto basis = dyn_cast<BasisAttr>(leaf)) {
      int32_t dim = basis.getModes().front();
      int64_t step = basis.getValue().getValue();
      if (owners[dim] < 0 || step > steps[dim]) {
        owners[dim] = mode;
        steps[dim] = step;
      }
    }
    ++mode;
  });
  return owners;
}

/// Emits the flags by dimension of `set`, which names the tensor's modes.
static LogicalResult translateCheck(AtomSetValueOp set, IntTupleAttr tensor2tdm,
                                    int32_t rank) {
  auto tuple = dyn_cast<IntTupleType>(set.getValue().getType());
  if (!tuple)
    return set.emitOpError("\"boundary_check\" must be an int_tuple shaped "
                           "like the global tensor, got ")
           << set.getValue().getType();
  if (!tuple.getAttr().isCongruent(tensor2tdm))
    return set.emitOpError("\"boundary_check\" is ")
           << bodyToString(tuple.getAttr())
           << ", which is not congruent with the global tensor's "
           << bodyToString(tensor2tdm);
  SmallVector<int> owners = getBoundOwners(tensor2tdm, rank);
  OpBuilder builder(set);
  Location loc = set.getLoc();
  SmallVector<Attribute> leaves;
  tuple.getAttr().walkLeaves([&](Attribute leaf) { leaves.push_back(leaf); });
  Operation *read = nullptr;
  SmallVector<OpFoldResult> flags(rank, builder.getI32IntegerAttr(0));
  for (auto [mode, leaf] : llvm::enumerate(leaves)) {
    auto integer = dyn_cast<IntAttr>(leaf);
    if (!integer)
      return set.emitOpError("\"boundary_check\" is ")
             << bodyToString(tuple.getAttr()) << ", whose leaves must be flags";
    if (integer.isStatic() && integer.getValue() == 0)
      continue;
    auto *owner = llvm::find(owners, int(mode));
    if (owner == owners.end())
      return set.emitOpError("\"boundary_check\" asks to clamp tensor mode ")
             << mode
             << ", which has no bound of its own — it is size-1 or stride-0, "
                "or it shares a descriptor dim whose single bound would not "
                "say what a per-mode one says";
    OpFoldResult &flag = flags[owner - owners.begin()];
    if (integer.isStatic()) {
      flag = builder.getI32IntegerAttr(1);
      continue;
    }
    if (!read)
      read = GetLeavesOp::create(builder, loc, set.getValue());
    Value number = read->getResult(mode);
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(number.getType()));
    Value isSet = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        number, zero);
    flag = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isSet)
               .getResult();
  }
  set.getValueMutable().assign(makeFlatTuple(builder, loc, flags));
  set.setField("boundary_check_axes");
  return success();
}

static LogicalResult translateCheck(AtomSetValueOp set) {
  if (set.getField() != "boundary_check")
    return success();
  auto atom = dyn_cast<CopyAtomType>(set.getAtom().getType());
  if (!atom)
    return success();
  if (auto load = dyn_cast<TensorLoadType>(atom.getCopyOp()))
    return translateCheck(set, load.getTensor2tdm(), load.getRank());
  if (auto store = dyn_cast<TensorStoreType>(atom.getCopyOp()))
    return translateCheck(set, store.getTensor2tdm(), store.getRank());
  return success();
}

//===----------------------------------------------------------------------===//
// make_tiled_tdm_{load,store}_atom
//===----------------------------------------------------------------------===//

namespace {
/// The expansion of one constructor.
struct Expansion {
  Operation *op;
  Value tensor;
  const TiledTensorCopy &copy;
  OpBuilder builder{op};
  Location loc{op->getLoc()};
  /// Leaves of the tensor's shape and stride, once asked for.
  Operation *shapes = nullptr, *strides = nullptr;

  Value getShape(unsigned mode) {
    if (!shapes) {
      Value layout = GetLayoutOp::create(builder, loc, tensor);
      Value shape = GetShapeOp::create(builder, loc, layout);
      shapes = GetLeavesOp::create(builder, loc, shape);
    }
    return shapes->getResult(mode);
  }

  Value getStride(const DescriptorAxis &axis) {
    if (axis.stride)
      return arith::ConstantOp::create(builder, loc,
                                       builder.getI64IntegerAttr(*axis.stride));
    if (!strides) {
      Value layout = GetLayoutOp::create(builder, loc, tensor);
      Value stride = GetStrideOp::create(builder, loc, layout);
      strides = GetLeavesOp::create(builder, loc, stride);
    }
    Value stride = strides->getResult(axis.strideMode);
    if (stride.getType().isInteger(64))
      return stride;
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), stride);
  }

  FailureOr<Value> getExtent(const DescriptorAxis &axis,
                             const layout::IntTuple &shape);
};
} // namespace

/// 1 + the sum of (extent - 1) * scale of the modes on the axis, as i32.
FailureOr<Value> Expansion::getExtent(const DescriptorAxis &axis,
                                      const layout::IntTuple &shape) {
  SmallVector<layout::Leaf> leaves = shape.leaves();
  int64_t known = 1;
  SmallVector<TensorModeOnAxis> dynamic;
  for (const TensorModeOnAxis &on : axis.modes) {
    const layout::Leaf &leaf = leaves[on.mode];
    if (!leaf.isStatic()) {
      dynamic.push_back(on);
      continue;
    }
    auto reach = layout::mulChecked(leaf.getInt().getValue() - 1, on.scale);
    if (!reach || *reach >= (int64_t(1) << 31) - known) {
      op->emitOpError("a descriptor dim reaches over 2^31 - 1 elements of the "
                      "tensor ")
          << tensor.getType();
      return failure();
    }
    known += *reach;
  }
  if (dynamic.empty())
    return Value(arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(int32_t(known))));
  // One mode as it is needs no arithmetic.
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  if (dynamic.size() == 1 && known == 1 && dynamic.front().scale == 1) {
    Value extent = getShape(dynamic.front().mode);
    if (extent.getType() == i32)
      return extent;
  }
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  Value sum = constant(known);
  for (const TensorModeOnAxis &on : dynamic) {
    Value extent = getShape(on.mode);
    if (extent.getType() != i64)
      extent = arith::ExtSIOp::create(builder, loc, i64, extent);
    Value reach = arith::SubIOp::create(builder, loc, extent, constant(1));
    reach = arith::MulIOp::create(builder, loc, reach, constant(on.scale));
    sum = arith::AddIOp::create(builder, loc, sum, reach);
  }
  // What lies beyond 32 bits cannot be told from the largest number.
  sum = arith::MinSIOp::create(builder, loc, sum,
                               constant(std::numeric_limits<int32_t>::max()));
  return Value(arith::TruncIOp::create(builder, loc, i32, sum));
}

template <typename OpT>
static LogicalResult expand(OpT op, bool isLoad) {
  if (op->use_empty()) {
    op->erase();
    return success();
  }
  auto copy = deriveTiledCopyOf(op->getOperandTypes(), op.getNumWarps(),
                                op.getInternalType().value_or(Type()), isLoad);
  if (!copy)
    return op.emitOpError() << copy.error().str();
  auto tensorType = cast<fly::MemRefType>(op.getTensor().getType());
  unsigned symbols = 0;
  layout::Layout tensor = toValue(tensorType.getLinearLayout(), symbols);
  Expansion expansion{op, op.getTensor(), *copy};
  OpBuilder &builder = expansion.builder;
  Location loc = op.getLoc();

  SmallVector<Value> args{GetIterOp::create(builder, loc, op.getTensor())};
  for (const DescriptorAxis &axis : ArrayRef(copy->axes).drop_back())
    args.push_back(expansion.getStride(axis));
  for (const DescriptorAxis &axis : copy->axes) {
    FailureOr<Value> extent = expansion.getExtent(axis, tensor.getShape());
    if (failed(extent))
      return failure();
    args.push_back(*extent);
  }
  auto atomType = cast<CopyAtomType>(op.getAtom().getType());
  Value atom = MakeCopyAtomOp::create(builder, loc, atomType, args,
                                      uint32_t(atomType.getValBits()));
  SmallVector<OpFoldResult> flags;
  for (const DescriptorAxis &axis : copy->axes) {
    bool isClipped =
        op.getInitBoundaryCheck() && copy->hasBound[axis.modes.back().mode];
    flags.push_back(builder.getI32IntegerAttr(isClipped));
  }
  atom = AtomSetValueOp::create(builder, loc, atomType, atom,
                                "boundary_check_axes",
                                makeFlatTuple(builder, loc, flags));

  auto coords = cast<CoordTensorType>(op.getCoordTensor().getType());
  Value base = MakeIntTupleOp::create(
      builder, loc, IntTupleType::get(coords.getBase()), ValueRange());
  // Run-time extents of the shape come from the tensor itself.
  LayoutAttr layout = coords.getLinearLayout();
  Value shape;
  if (layout.getShape().isStatic()) {
    shape = MakeIntTupleOp::create(
        builder, loc, IntTupleType::get(layout.getShape()), ValueRange());
  } else {
    Value whole = GetLayoutOp::create(builder, loc, op.getTensor());
    shape = GetShapeOp::create(builder, loc, whole);
  }
  Value stride = MakeIntTupleOp::create(
      builder, loc, IntTupleType::get(layout.getStride()), ValueRange());
  Value view = MakeViewOp::create(
      builder, loc, base,
      MakeLayoutOp::create(builder, loc, ValueRange{shape, stride})
          .getResult());
  op->replaceAllUsesWith(ValueRange{atom, view});
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Views of buffers
//===----------------------------------------------------------------------===//

/// Refuses a view from the start of a buffer whose layout has known indices
/// below 0: the hardware adds offsets without a sign to the buffer's base.
static LogicalResult checkBufferView(MakeViewOp view) {
  auto tensor = dyn_cast<fly::MemRefType>(view.getType());
  auto buffer = view.getIter().getDefiningOp<MakePtrOp>();
  if (!tensor || !buffer || !isBufferSpace(tensor.getAddressSpace()))
    return success();
  unsigned symbols = 0;
  if (!layout::reachesBelowZero(toLayoutValue(tensor.getLayout(), symbols)))
    return success();
  return view.emitOpError("has elements before the base of its buffer, which "
                          "no offset reaches: layout ")
         << bodyToString(tensor.getLayout())
         << "; make the buffer of the element with the lowest address";
}

namespace {
struct ExpandOps : fly::impl::FlyROCDLExpandOpsPassBase<ExpandOps> {
  void runOnOperation() override {
    SmallVector<Operation *> constructors;
    SmallVector<AtomSetValueOp> sets;
    bool good = true;
    getOperation()->walk([&](Operation *op) {
      if (auto view = dyn_cast<MakeViewOp>(op))
        good &= succeeded(checkBufferView(view));
      if (isa<MakeTiledTdmLoadAtomOp, MakeTiledTdmStoreAtomOp>(op))
        constructors.push_back(op);
      else if (auto set = dyn_cast<AtomSetValueOp>(op))
        sets.push_back(set);
    });
    for (AtomSetValueOp set : sets)
      good &= succeeded(translateCheck(set));
    // Users first, so that an unused one is seen as such.
    for (Operation *op : llvm::reverse(constructors)) {
      if (auto load = dyn_cast<MakeTiledTdmLoadAtomOp>(op))
        good &= succeeded(expand(load, /*isLoad=*/true));
      else
        good &= succeeded(
            expand(cast<MakeTiledTdmStoreAtomOp>(op), /*isLoad=*/false));
    }
    if (!good)
      signalPassFailure();
  }
};
} // namespace
