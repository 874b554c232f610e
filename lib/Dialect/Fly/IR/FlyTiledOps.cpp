// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiled operations: the types of atoms and tiled atoms, and what a thread sees
// of a tensor through one. Calls are in FlyAtomOps.cpp.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Layout/Tiled.h"
#include "OpSupport.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Making and taking apart
//===----------------------------------------------------------------------===//

LogicalResult AtomSetValueOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location>,
                                               AtomSetValueOp::Adaptor adaptor,
                                               SmallVectorImpl<Type> &results) {
  results.push_back(adaptor.getAtom().getType());
  return success();
}

/// The type of operand `index` as a T; null, with an error that names the
/// operand, if it is none.
template <typename T>
static T castOperand(std::optional<Location> location, StringRef opClass,
                     unsigned index, StringRef expected, Value operand) {
  auto type = dyn_cast<T>(operand.getType());
  if (!type)
    (void)emitOptionalError(location, opClass, ": expected ", expected,
                            " for operand #", index, ", got ",
                            operand.getType());
  return type;
}

LogicalResult MakeTiledCopyOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location,
    MakeTiledCopyOp::Adaptor adaptor, SmallVectorImpl<Type> &results) {
  StringRef name = opClassName<MakeTiledCopyOp>();
  auto atom = castOperand<CopyAtomType>(location, name, 0, "copy atom",
                                        adaptor.getCopyAtom());
  if (!atom)
    return failure();
  auto layout = castOperand<LayoutType>(location, name, 1, "LayoutType",
                                        adaptor.getLayout());
  if (!layout)
    return failure();
  auto tile =
      castOperand<TileType>(location, name, 2, "tile", adaptor.getTile());
  if (!tile)
    return failure();
  // make_tiled_copy_c1
  if (!layout.isStatic())
    return emitOptionalError(location, name, ": LayoutType is not static, got ",
                             layout, " [make_tiled_copy_c1]");
  // make_tiled_copy_c2: the type's own verifier.
  auto emitError = [&] {
    return mlir::emitError(
               location.value_or(UnknownLoc::get(atom.getContext())))
           << name << ": ";
  };
  if (failed(TiledCopyType::verify(emitError, atom, layout, tile)))
    return failure();
  results.push_back(TiledCopyType::get(atom, layout, tile));
  return success();
}

LogicalResult MakeTiledMmaOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location> location,
                                               MakeTiledMmaOp::Adaptor adaptor,
                                               SmallVectorImpl<Type> &results) {
  StringRef name = opClassName<MakeTiledMmaOp>();
  auto atom = castOperand<MmaAtomType>(location, name, 0, "mma atom",
                                       adaptor.getMmaAtom());
  if (!atom)
    return failure();
  auto layout = castOperand<LayoutType>(location, name, 1, "LayoutType",
                                        adaptor.getLayout());
  if (!layout)
    return failure();
  auto tile = adaptor.getPermutation()
                  ? castOperand<TileType>(location, name, 2, "tile",
                                          adaptor.getPermutation())
                  : TileType::get(TileAttr::getIdentity3(context));
  if (!tile)
    return failure();
  // make_tiled_mma_c1
  if (!layout.isStatic())
    return emitOptionalError(location, name, ": LayoutType is not static, got ",
                             layout, " [make_tiled_mma_c1]");
  // make_tiled_mma_c2: the type's own verifier.
  auto emitError = [&] {
    return mlir::emitError(location.value_or(UnknownLoc::get(context)))
           << name << ": ";
  };
  if (failed(TiledMmaType::verify(emitError, atom, layout, tile)))
    return failure();
  results.push_back(TiledMmaType::get(atom, layout, tile));
  return success();
}

LogicalResult GetCopyAtomOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> location,
                                              GetCopyAtomOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &results) {
  auto tiled = dyn_cast<TiledCopyType>(adaptor.getTiledCopy().getType());
  if (!tiled)
    return emitOptionalError(location, opClassName<GetCopyAtomOp>(),
                             ": expected tiled copy, got ",
                             adaptor.getTiledCopy().getType());
  results.push_back(tiled.getAtom());
  return success();
}

LogicalResult GetMmaAtomOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> location,
                                             GetMmaAtomOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &results) {
  auto tiled = dyn_cast<TiledMmaType>(adaptor.getTiledMma().getType());
  if (!tiled)
    return emitOptionalError(location, opClassName<GetMmaAtomOp>(),
                             ": expected tiled mma, got ",
                             adaptor.getTiledMma().getType());
  results.push_back(tiled.getAtom());
  return success();
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

layout::Result<layout::TiledCopyDesc> fly::describe(TiledCopyType type) {
  CopyAtomType atom = type.getAtom();
  layout::TiledCopyDesc desc;
  FLY_TRY_SET(desc.ref, atom.getThrValLayoutRef());
  FLY_TRY_SET(desc.src, atom.getThrValLayoutSrc());
  FLY_TRY_SET(desc.dst, atom.getThrValLayoutDst());
  desc.tv = toStaticValue(type.getLayoutThrVal().getAttr());
  unsigned nextSymbol = 0;
  desc.tile = toValue(type.getTileMN().getAttr(), nextSymbol);
  return desc;
}

layout::Result<layout::TiledMmaDesc> fly::describe(TiledMmaType type) {
  MmaAtomTypeInterface atom = type.getAtom().getMmaOpInterface();
  layout::TiledMmaDesc desc;
  layout::IntTuple shape = atom.getShapeMNK();
  if (shape.rank() != 3 || !shape.isStatic() || shape.numLeaves() != 3)
    return layout::fail("tiled_mma_c1",
                        "atom must have the extents (M,N,K), got " +
                            shape.str());
  for (size_t i = 0; i < 3; ++i)
    desc.extent[i] = shape[i].getInt().getValue();
  desc.thread = atom.getThrLayout();
  desc.valueA = atom.getThrValLayoutA();
  desc.valueB = atom.getThrValLayoutB();
  desc.valueC = atom.getThrValLayoutC();
  desc.atoms = toStaticValue(type.getAtomLayout().getAttr());
  unsigned nextSymbol = 0;
  desc.permutation = toValue(type.getPermutation().getAttr(), nextSymbol);
  return desc;
}

static layout::MmaOperandKind toKind(MmaOperand operand) {
  switch (operand) {
  case MmaOperand::A:
    return layout::MmaOperandKind::A;
  case MmaOperand::B:
    return layout::MmaOperandKind::B;
  case MmaOperand::C:
    return layout::MmaOperandKind::C;
  case MmaOperand::D:
    return layout::MmaOperandKind::D;
  }
  llvm_unreachable("unknown mma operand");
}

Type fly::detail::getMmaValueType(MmaAtomTypeInterface atom, MmaOperand kind) {
  switch (kind) {
  case MmaOperand::A:
    return atom.getValTypeA();
  case MmaOperand::B:
    return atom.getValTypeB();
  case MmaOperand::C:
    return atom.getValTypeC();
  case MmaOperand::D:
    return atom.getValTypeD();
  }
  llvm_unreachable("unknown mma operand");
}

//===----------------------------------------------------------------------===//
// Partitioning
//===----------------------------------------------------------------------===//

/// A layout with `delta` added where its linear part ends.
static layout::AnyLayout addToOffset(const layout::AnyLayout &layout,
                                     const layout::IntTuple &offset) {
  const layout::ComposedLayout &composed = layout.getComposed();
  if (composed.getOuter().isComposed())
    return layout::ComposedLayout(composed.getInner(), composed.getOffset(),
                                  addToOffset(composed.getOuter(), offset));
  return layout::ComposedLayout(composed.getInner(), offset,
                                composed.getOuter());
}

/// The offset next to the linear part of a composed layout.
static const layout::IntTuple &
getLinearOffset(const layout::AnyLayout &layout) {
  const layout::ComposedLayout &composed = layout.getComposed();
  if (composed.getOuter().isComposed())
    return getLinearOffset(composed.getOuter());
  return composed.getOffset();
}

/// A thread's part of `tensor`: a plain layout moves the iterator, a composed
/// one takes the offset up next to its linear part.
static AlgebraResult applyPartition(const Tensor &tensor,
                                    const layout::Partition &part) {
  if (tensor.layout.isPlain()) {
    FLY_TRY(moved, moveIterator(tensor, part.offset));
    moved.layout = part.layout;
    return single(moved);
  }
  FLY_TRY(offset, layout::add(getLinearOffset(tensor.layout), part.offset));
  return single(Tensor{
      tensor.iter, addToOffset(tensor.layout.withLinear(part.layout), offset)});
}

/// `tiled_copy.partition_src` and `_dst`.
static AlgebraResult evaluateCopyPartition(const Operands &in, bool isSource) {
  FLY_TRY(type, in.type<TiledCopyType>(0, "tiled copy"));
  FLY_TRY(tensor, in.tensor(1));
  FLY_TRY(coord, in.tuple(2, "coord"));
  FLY_TRY(desc, describe(type));
  FLY_TRY(part, layout::partitionCopy(desc, isSource ? desc.src : desc.dst,
                                      tensor.layout.getLinear(), coord));
  return applyPartition(tensor, part);
}

AlgebraResult
TiledCopyPartitionSrcOp::evaluate(Adaptor adaptor,
                                  ArrayRef<AlgebraValue> operands) {
  return evaluateCopyPartition({adaptor.getOperands(), operands},
                               /*isSource=*/true);
}

AlgebraResult
TiledCopyPartitionDstOp::evaluate(Adaptor adaptor,
                                  ArrayRef<AlgebraValue> operands) {
  return evaluateCopyPartition({adaptor.getOperands(), operands},
                               /*isSource=*/false);
}

AlgebraResult TiledCopyRetileOp::evaluate(Adaptor adaptor,
                                          ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(type, in.type<TiledCopyType>(0, "tiled copy"));
  FLY_TRY(tensor, in.tensor(1));
  // tiled_copy_retile_c1
  if (tensor.layout.isComposed())
    return layout::fail("tiled_copy_retile_c1",
                        "MemRefType with ComposedLayout is not supported");
  FLY_TRY(desc, describe(type));
  FLY_TRY(layout, layout::retileCopy(desc, tensor.layout.getPlain()));
  return single(Tensor{tensor.iter, layout});
}

AlgebraResult TiledMmaPartitionOp::evaluate(Adaptor adaptor,
                                            ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(type, in.type<TiledMmaType>(0, "tiled mma"));
  FLY_TRY(tensor, in.tensor(1));
  FLY_TRY(coord, in.tuple(2, "coord"));
  FLY_TRY(desc, describe(type));
  // Memory past the end of a matrix would be read; coordinates past it are
  // what a predicate compares.
  FLY_TRY(part, layout::partitionMma(desc, toKind(adaptor.getOperandId()),
                                     tensor.layout.getLinear(), coord,
                                     /*exact=*/!tensor.isCoord()));
  return applyPartition(tensor, part);
}

AlgebraResult
TiledMmaPartitionShapeOp::evaluate(Adaptor adaptor,
                                   ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(type, in.type<TiledMmaType>(0, "tiled mma"));
  FLY_TRY(shape, in.tuple(1, "shape"));
  FLY_TRY(desc, describe(type));
  return single(
      layout::partitionShapeMma(desc, toKind(adaptor.getOperandId()), shape));
}

LogicalResult MmaMakeFragmentOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location,
    MmaMakeFragmentOp::Adaptor adaptor, SmallVectorImpl<Type> &results) {
  StringRef name = opClassName<MmaMakeFragmentOp>();
  auto type = dyn_cast<TiledMmaType>(adaptor.getTiledMma().getType());
  auto input = dyn_cast<fly::MemRefType>(adaptor.getInput().getType());
  if (!type || !input)
    return emitOptionalError(location, name, ": expected tiled mma and memref");
  std::optional<int64_t> stages;
  if (std::optional<uint32_t> given = adaptor.getStages())
    stages = static_cast<int32_t>(*given);
  layout::Result<layout::TiledMmaDesc> desc = describe(type);
  if (!desc)
    return emitOptionalError(location, name, ": ", desc.error().str());
  unsigned nextSymbol = 0;
  layout::Layout linear = toValue(input.getLinearLayout(), nextSymbol);
  layout::Result<layout::Layout> fragment = layout::makeFragmentMma(
      *desc, toKind(adaptor.getOperandId()), linear, stages);
  if (!fragment)
    return emitOptionalError(location, name, ": ", fragment.error().str());
  results.push_back(
      fly::MemRefType::get(getMmaValueType(type.getAtom().getMmaOpInterface(),
                                           adaptor.getOperandId()),
                           AddressSpace::Register, toAttr(context, *fragment)));
  return success();
}
