// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, queries and verifiers of the dialect's types.  Text is in
// FlyTypeParser.cpp, the universal atom operations in FlyUniversalAtoms.cpp.

#include "Fly/Dialect/Fly/IR/FlyTypes.h"

#include "Fly/Layout/Recast.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "Fly/Dialect/Fly/IR/FlyTypeInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "Fly/Dialect/Fly/IR/FlyTypes.cpp.inc"

namespace fly {

void FlyDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Fly/Dialect/Fly/IR/FlyTypes.cpp.inc"
      >();
}

std::optional<int64_t> getElementBits(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth();
  if (auto real = dyn_cast<FloatType>(type))
    return real.getWidth();
  return std::nullopt;
}

bool isStaticType(Type type) {
  auto mayBeStatic = dyn_cast<MayBeStaticTypeInterface>(type);
  return mayBeStatic && mayBeStatic.isStatic();
}

//===----------------------------------------------------------------------===//
// Values of the algebra
//===----------------------------------------------------------------------===//

bool BasisType::isStatic() const { return getAttr().isStatic(); }

Value BasisType::rebuildStaticValue(OpBuilder &, Location, Value) const {
  // No op makes a basis element; it only occurs as a leaf of tuples.
  return {};
}

bool IntTupleType::isStatic() const { return getAttr().isStatic(); }
bool LayoutType::isStatic() const { return getAttr().isStatic(); }
bool ComposedLayoutType::isStatic() const { return getAttr().isStatic(); }

//===----------------------------------------------------------------------===//
// Pointers and tensors
//===----------------------------------------------------------------------===//

/// What pointers and memrefs have in common.
static LogicalResult verifyPointee(function_ref<InFlightDiagnostic()> emitError,
                                   Type elementType, Attribute addressSpace,
                                   AlignAttr alignment, SwizzleAttr swizzle) {
  std::optional<int64_t> bits =
      elementType ? getElementBits(elementType) : std::nullopt;
  if (!bits)
    return emitError() << "element type must be an integer or float type, got "
                       << elementType;
  if (*bits == 0)
    return emitError() << "element type must have at least one bit, got "
                       << elementType;
  if (!addressSpace)
    return emitError() << "pointer must have an address space";
  // A builtin attribute that starts with a word would be read back as a
  // misspelt address space.
  if (isa<BuiltinDialect>(addressSpace.getDialect()))
    return emitError() << "address space must be generic, global, shared, "
                          "register or another dialect's attribute, got "
                       << addressSpace;
  if (!alignment || !swizzle)
    return emitError() << "pointer must have an alignment and a swizzle";
  int64_t bytes = (*bits + 7) / 8;
  if (alignment.getAlignment() % bytes != 0)
    return emitError() << "alignment must be a positive multiple of element "
                          "byte size ("
                       << bytes << "), got " << alignment.getAlignment();
  return success();
}

static int64_t getDivisibility(Type elementType, AlignAttr alignment) {
  return layout::alignmentDivisibility(*getElementBits(elementType),
                                       alignment.getAlignment());
}

static bool isSpace(Attribute addressSpace, AddressSpace space) {
  auto own = dyn_cast<AddressSpaceAttr>(addressSpace);
  return own && own.getValue() == space;
}

/// The trivial ones in place of null. A bad element type has no trivial
/// alignment; it stays null for the verifier to report.
static AlignAttr orTrivial(AlignAttr alignment, Type elementType) {
  if (alignment || !elementType || !getElementBits(elementType))
    return alignment;
  return AlignAttr::getTrivial(elementType);
}

static SwizzleAttr orTrivial(SwizzleAttr swizzle, MLIRContext *context) {
  return swizzle ? swizzle : SwizzleAttr::getTrivial(context);
}

PointerType PointerType::get(Type elementType, Attribute addressSpace,
                             AlignAttr alignment, SwizzleAttr swizzle) {
  MLIRContext *context = elementType.getContext();
  return Base::get(context, elementType, addressSpace,
                   orTrivial(alignment, elementType),
                   orTrivial(swizzle, context));
}

PointerType
PointerType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                        Type elementType, Attribute addressSpace,
                        AlignAttr alignment, SwizzleAttr swizzle) {
  MLIRContext *context = elementType.getContext();
  return Base::getChecked(emitError, context, elementType, addressSpace,
                          orTrivial(alignment, elementType),
                          orTrivial(swizzle, context));
}

PointerType PointerType::get(Type elementType, AddressSpace addressSpace,
                             AlignAttr alignment, SwizzleAttr swizzle) {
  return get(elementType,
             AddressSpaceAttr::get(elementType.getContext(), addressSpace),
             alignment, swizzle);
}

PointerType
PointerType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                        Type elementType, AddressSpace addressSpace,
                        AlignAttr alignment, SwizzleAttr swizzle) {
  return getChecked(
      emitError, elementType,
      AddressSpaceAttr::get(elementType.getContext(), addressSpace), alignment,
      swizzle);
}

LogicalResult PointerType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type elementType, Attribute addressSpace,
                                  AlignAttr alignment, SwizzleAttr swizzle) {
  return verifyPointee(emitError, elementType, addressSpace, alignment,
                       swizzle);
}

int64_t PointerType::getValueDivisibility() const {
  return getDivisibility(getElementType(), getAlignment());
}

bool PointerType::isIn(AddressSpace space) const {
  return isSpace(getAddressSpace(), space);
}

MemRefType MemRefType::get(Type elementType, Attribute addressSpace,
                           Attribute layout, AlignAttr alignment,
                           SwizzleAttr swizzle) {
  MLIRContext *context = elementType.getContext();
  return Base::get(context, elementType, addressSpace, layout,
                   orTrivial(alignment, elementType),
                   orTrivial(swizzle, context));
}

MemRefType MemRefType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                                  Type elementType, Attribute addressSpace,
                                  Attribute layout, AlignAttr alignment,
                                  SwizzleAttr swizzle) {
  MLIRContext *context = elementType.getContext();
  return Base::getChecked(emitError, context, elementType, addressSpace, layout,
                          orTrivial(alignment, elementType),
                          orTrivial(swizzle, context));
}

MemRefType MemRefType::get(Type elementType, AddressSpace addressSpace,
                           Attribute layout, AlignAttr alignment,
                           SwizzleAttr swizzle) {
  return get(elementType,
             AddressSpaceAttr::get(elementType.getContext(), addressSpace),
             layout, alignment, swizzle);
}

MemRefType MemRefType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                                  Type elementType, AddressSpace addressSpace,
                                  Attribute layout, AlignAttr alignment,
                                  SwizzleAttr swizzle) {
  return getChecked(
      emitError, elementType,
      AddressSpaceAttr::get(elementType.getContext(), addressSpace), layout,
      alignment, swizzle);
}

MemRefType MemRefType::get(PointerType pointer, Attribute layout) {
  return get(pointer.getElementType(), pointer.getAddressSpace(), layout,
             pointer.getAlignment(), pointer.getSwizzle());
}

MemRefType MemRefType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                                  PointerType pointer, Attribute layout) {
  return getChecked(emitError, pointer.getElementType(),
                    pointer.getAddressSpace(), layout, pointer.getAlignment(),
                    pointer.getSwizzle());
}

static LogicalResult
verifyTensorLayout(function_ref<InFlightDiagnostic()> emitError,
                   Attribute layout) {
  if (!isNarrowLayout(layout))
    return emitError() << "expected a layout or a composed layout, got "
                       << layout;
  return success();
}

/// False if the last map of the layout is one with basis strides, or a swizzle
/// of what has basis strides.
static bool givesIntegers(Attribute layout) {
  if (auto composed = dyn_cast<ComposedLayoutAttr>(layout)) {
    if (isNarrowLayout(composed.getInner()))
      return givesIntegers(composed.getInner());
    return isa<CoordSwizzleAttr>(composed.getInner()) ||
           givesIntegers(composed.getOuter());
  }
  bool hasBasis = false;
  cast<LayoutAttr>(layout).getStride().walkLeaves(
      [&](Attribute leaf) { hasBasis |= isa<BasisAttr>(leaf); });
  return !hasBasis;
}

LogicalResult MemRefType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Type elementType, Attribute addressSpace,
                                 Attribute layout, AlignAttr alignment,
                                 SwizzleAttr swizzle) {
  if (failed(verifyTensorLayout(emitError, layout)))
    return failure();
  if (!givesIntegers(layout))
    return emitError() << "layout of a memref must give integers, got "
                       << bodyToString(layout) << " with basis strides";
  return verifyPointee(emitError, elementType, addressSpace, alignment,
                       swizzle);
}

PointerType MemRefType::getPointerType() const {
  return PointerType::get(getElementType(), getAddressSpace(), getAlignment(),
                          getSwizzle());
}

int64_t MemRefType::getValueDivisibility() const {
  return getDivisibility(getElementType(), getAlignment());
}

bool MemRefType::isIn(AddressSpace space) const {
  return isSpace(getAddressSpace(), space);
}

LayoutAttr MemRefType::getLinearLayout() const {
  return ::fly::getLinearLayout(getLayout());
}

MemRefType MemRefType::at(int32_t index) const {
  return get(getElementType(), getAddressSpace(),
             getLayoutMode(getLayout(), index), getAlignment(), getSwizzle());
}

LogicalResult
CoordTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                        IntTupleAttr, Attribute layout) {
  return verifyTensorLayout(emitError, layout);
}

LayoutAttr CoordTensorType::getLinearLayout() const {
  return ::fly::getLinearLayout(getLayout());
}

bool CoordTensorType::isStatic() const {
  return getBase().isStatic() && isStaticLayout(getLayout());
}

CoordTensorType CoordTensorType::at(int32_t index) const {
  if (index < 0 || index >= getBase().rank() || index >= rank())
    return {};
  return get(getBase().at(index), getLayoutMode(getLayout(), index));
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

LogicalResult CopyAtomType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Type copyOp, int32_t valBits) {
  auto op = dyn_cast_or_null<CopyAtomTypeInterface>(copyOp);
  if (!op)
    return emitError() << "copy atom must name a copy operation, got "
                       << copyOp;
  int32_t least = op.isWholeTileCopy() ? 0 : 1;
  if (valBits < least)
    return emitError() << "width of a value of a copy atom must be at least "
                       << least << " bits, got " << valBits;
  if (op.isWholeTileCopy())
    return success();
  for (const layout::Layout &bits :
       {op.getThrBitLayoutSrc(), op.getThrBitLayoutDst(),
        op.getThrBitLayoutRef()})
    if (auto values = layout::recast(bits, 1, valBits); !values)
      return emitError() << "width of a value of a copy atom must divide the "
                            "bits that a thread moves, got "
                         << valBits << " bits for " << copyOp << ": "
                         << values.error().message;
  return success();
}

CopyAtomTypeInterface CopyAtomType::getCopyOpInterface() const {
  return cast<CopyAtomTypeInterface>(getCopyOp());
}

bool CopyAtomType::isStatic() const { return isStaticType(getCopyOp()); }

static layout::Result<layout::Layout>
getThrValLayout(const layout::Layout &bits, int32_t valBits) {
  return layout::recast(bits, 1, valBits);
}

layout::Result<layout::Layout> CopyAtomType::getThrValLayoutSrc() const {
  return getThrValLayout(getCopyOpInterface().getThrBitLayoutSrc(),
                         getValBits());
}

layout::Result<layout::Layout> CopyAtomType::getThrValLayoutDst() const {
  return getThrValLayout(getCopyOpInterface().getThrBitLayoutDst(),
                         getValBits());
}

layout::Result<layout::Layout> CopyAtomType::getThrValLayoutRef() const {
  return getThrValLayout(getCopyOpInterface().getThrBitLayoutRef(),
                         getValBits());
}

LogicalResult MmaAtomType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type mmaOp) {
  if (!isa_and_nonnull<MmaAtomTypeInterface>(mmaOp))
    return emitError() << "mma atom must name a matrix operation, got "
                       << mmaOp;
  return success();
}

MmaAtomTypeInterface MmaAtomType::getMmaOpInterface() const {
  return cast<MmaAtomTypeInterface>(getMmaOp());
}

bool MmaAtomType::isStatic() const { return isStaticType(getMmaOp()); }

//===----------------------------------------------------------------------===//
// Tiled atoms
//===----------------------------------------------------------------------===//

LogicalResult
TiledCopyType::verify(function_ref<InFlightDiagnostic()> emitError,
                      Type copyAtom, LayoutType layoutThrVal, TileType) {
  if (!isa_and_nonnull<CopyAtomType>(copyAtom))
    return emitError() << "TiledCopyType's copy atom is not a CopyAtomType, "
                          "got "
                       << copyAtom;
  if (!layoutThrVal.isStatic())
    return emitError() << "thread-value layout of a tiled copy must be "
                          "static, got "
                       << layoutThrVal;
  if (layoutThrVal.rank() != 2)
    return emitError() << "thread-value layout of a tiled copy must have rank "
                          "2, got "
                       << layoutThrVal << " of rank " << layoutThrVal.rank();
  return success();
}

CopyAtomType TiledCopyType::getAtom() const {
  return cast<CopyAtomType>(getCopyAtom());
}

bool TiledCopyType::isStatic() const { return getAtom().isStatic(); }

static TileType orIdentity(TileType permutation, MLIRContext *context) {
  return permutation ? permutation
                     : TileType::get(TileAttr::getIdentity3(context));
}

TiledMmaType TiledMmaType::get(Type mmaAtom, LayoutType atomLayout,
                               TileType permutation) {
  MLIRContext *context = mmaAtom.getContext();
  return Base::get(context, mmaAtom, atomLayout,
                   orIdentity(permutation, context));
}

TiledMmaType
TiledMmaType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                         Type mmaAtom, LayoutType atomLayout,
                         TileType permutation) {
  MLIRContext *context = mmaAtom.getContext();
  return Base::getChecked(emitError, context, mmaAtom, atomLayout,
                          orIdentity(permutation, context));
}

/// The operand of `atom` whose values reach beyond its tile of `extents`, as
/// those of several independent products do; 0 if none.
static char findValuesBeyondTile(MmaAtomTypeInterface atom) {
  layout::IntTuple extents = atom.getShapeMNK();
  auto reachesBeyond = [&](const layout::Layout &values, size_t i, size_t j) {
    layout::Result<layout::Int> end = layout::cosize(values);
    if (!end || !end->isStatic() || extents.rank() != 3 || !extents.isStatic())
      return false;
    return end->getValue() >
           extents[i].getInt().getValue() * extents[j].getInt().getValue();
  };
  if (reachesBeyond(atom.getThrValLayoutA(), 0, 2))
    return 'A';
  if (reachesBeyond(atom.getThrValLayoutB(), 1, 2))
    return 'B';
  return reachesBeyond(atom.getThrValLayoutC(), 0, 1) ? 'C' : 0;
}

LogicalResult TiledMmaType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Type mmaAtom, LayoutType atomLayout,
                                   TileType permutation) {
  if (!isa_and_nonnull<MmaAtomType>(mmaAtom))
    return emitError() << "TiledMmaType's mma atom is not a MmaAtomType, got "
                       << mmaAtom;
  if (!atomLayout.isStatic())
    return emitError() << "atom layout of a tiled mma must be static, got "
                       << atomLayout;
  if (atomLayout.rank() != 3)
    return emitError() << "atom layout of a tiled mma must have rank 3, got "
                       << atomLayout << " of rank " << atomLayout.rank();
  if (permutation.getAttr().rank() > 3)
    return emitError() << "permutation of a tiled mma must have at most 3 "
                          "elements, got "
                       << permutation;
  auto atom = cast<MmaAtomType>(mmaAtom);
  if (char operand = findValuesBeyondTile(atom.getMmaOpInterface()))
    return emitError() << "the atom of a tiled mma must compute one product, "
                          "but the values of "
                       << StringRef(&operand, 1)
                       << " lie outside of its tile: " << mmaAtom;
  return success();
}

MmaAtomType TiledMmaType::getAtom() const {
  return cast<MmaAtomType>(getMmaAtom());
}

bool TiledMmaType::isStatic() const { return getAtom().isStatic(); }

} // namespace fly
