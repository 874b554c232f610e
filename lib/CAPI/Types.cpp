// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of the types of the dialect `fly`.

#include "Fly-c/Types.h"

#include "Support.h"

#include "Fly/Dialect/Fly/IR/FlyTypes.h"

using namespace fly;
using namespace fly::capi;

bool flyTypeIsStatic(MlirType type) {
  return type.ptr && isStaticType(unwrap(type));
}

//===----------------------------------------------------------------------===//
// Values of the algebra
//===----------------------------------------------------------------------===//

// The type that wraps the attribute of the same name.
#define FLY_CAPI_WRAPPER(NAME)                                                 \
  FLY_CAPI_TYPE(fly, NAME, NAME##Type)                                         \
  MlirType fly##NAME##TypeGet(MlirLocation location, MlirAttribute attr) {     \
    Construction construction(location, __func__);                             \
    auto held = construction.get<NAME##Attr>(attr, "attr");                    \
    return construction.makeUnverified<NAME##Type>(held);                      \
  }                                                                            \
  MlirAttribute fly##NAME##TypeGetAttr(MlirType type) {                        \
    return read<NAME##Type>(                                                   \
        type, __func__, [](NAME##Type type) { return wrap(type.getAttr()); }); \
  }

FLY_CAPI_WRAPPER(Basis)
FLY_CAPI_WRAPPER(IntTuple)
FLY_CAPI_WRAPPER(Layout)
FLY_CAPI_WRAPPER(Swizzle)
FLY_CAPI_WRAPPER(CoordSwizzle)
FLY_CAPI_WRAPPER(ComposedLayout)
FLY_CAPI_WRAPPER(Tile)

//===----------------------------------------------------------------------===//
// Pointers and tensors
//===----------------------------------------------------------------------===//

FLY_CAPI_TYPE(fly, Pointer, PointerType)

MlirType flyPointerTypeGet(MlirLocation location, MlirType elementType,
                           MlirAttribute addressSpace, MlirAttribute alignment,
                           MlirAttribute swizzle) {
  Construction construction(location, __func__);
  auto element = construction.get(elementType, "elementType");
  auto space = construction.get(addressSpace, "addressSpace");
  auto align = construction.getOptional<AlignAttr>(alignment, "alignment");
  auto map = construction.getOptional<SwizzleAttr>(swizzle, "swizzle");
  return construction.makeInferred<PointerType>(element, space, align, map);
}

FLY_CAPI_TYPE_GET(MlirType, fly, Pointer, ElementType)
FLY_CAPI_TYPE_GET(MlirAttribute, fly, Pointer, AddressSpace)
FLY_CAPI_TYPE_GET(MlirAttribute, fly, Pointer, Alignment)
FLY_CAPI_TYPE_GET(MlirAttribute, fly, Pointer, Swizzle)

FLY_CAPI_TYPE(fly, MemRef, MemRefType)

MlirType flyMemRefTypeGet(MlirLocation location, MlirType elementType,
                          MlirAttribute addressSpace, MlirAttribute layout,
                          MlirAttribute alignment, MlirAttribute swizzle) {
  Construction construction(location, __func__);
  auto element = construction.get(elementType, "elementType");
  auto space = construction.get(addressSpace, "addressSpace");
  auto map = construction.get(layout, "layout");
  auto align = construction.getOptional<AlignAttr>(alignment, "alignment");
  auto permutation = construction.getOptional<SwizzleAttr>(swizzle, "swizzle");
  return construction.makeInferred<MemRefType>(element, space, map, align,
                                               permutation);
}

FLY_CAPI_TYPE_GET(MlirType, fly, MemRef, ElementType)
FLY_CAPI_TYPE_GET(MlirAttribute, fly, MemRef, AddressSpace)
FLY_CAPI_TYPE_GET(MlirAttribute, fly, MemRef, Layout)
FLY_CAPI_TYPE_GET(MlirAttribute, fly, MemRef, Alignment)
FLY_CAPI_TYPE_GET(MlirAttribute, fly, MemRef, Swizzle)
FLY_CAPI_TYPE_GET(MlirType, fly, MemRef, PointerType)

FLY_CAPI_TYPE(fly, CoordTensor, CoordTensorType)

MlirType flyCoordTensorTypeGet(MlirLocation location, MlirAttribute base,
                               MlirAttribute layout) {
  Construction construction(location, __func__);
  auto first = construction.get<IntTupleAttr>(base, "base");
  auto map = construction.get(layout, "layout");
  return construction.make<CoordTensorType>(first, map);
}

FLY_CAPI_TYPE_GET(MlirAttribute, fly, CoordTensor, Base)
FLY_CAPI_TYPE_GET(MlirAttribute, fly, CoordTensor, Layout)

//===----------------------------------------------------------------------===//
// Atoms and tiled atoms
//===----------------------------------------------------------------------===//

FLY_CAPI_TYPE(fly, CopyAtom, CopyAtomType)

MlirType flyCopyAtomTypeGet(MlirLocation location, MlirType copyOp,
                            int32_t valBits) {
  Construction construction(location, __func__);
  auto op = construction.get(copyOp, "copyOp");
  return construction.make<CopyAtomType>(op, valBits);
}

FLY_CAPI_TYPE_GET(MlirType, fly, CopyAtom, CopyOp)
FLY_CAPI_TYPE_GET(int32_t, fly, CopyAtom, ValBits)

FLY_CAPI_TYPE(fly, MmaAtom, MmaAtomType)

MlirType flyMmaAtomTypeGet(MlirLocation location, MlirType mmaOp) {
  Construction construction(location, __func__);
  auto op = construction.get(mmaOp, "mmaOp");
  return construction.make<MmaAtomType>(op);
}

FLY_CAPI_TYPE_GET(MlirType, fly, MmaAtom, MmaOp)

FLY_CAPI_TYPE(fly, TiledCopy, TiledCopyType)

MlirType flyTiledCopyTypeGet(MlirLocation location, MlirType copyAtom,
                             MlirType layoutThrVal, MlirType tileMN) {
  Construction construction(location, __func__);
  auto atom = construction.get(copyAtom, "copyAtom");
  auto layout = construction.get<LayoutType>(layoutThrVal, "layoutThrVal");
  auto tile = construction.get<TileType>(tileMN, "tileMN");
  return construction.make<TiledCopyType>(atom, layout, tile);
}

FLY_CAPI_TYPE_GET(MlirType, fly, TiledCopy, CopyAtom)
FLY_CAPI_TYPE_GET(MlirType, fly, TiledCopy, LayoutThrVal)
FLY_CAPI_TYPE_GET(MlirType, fly, TiledCopy, TileMN)

FLY_CAPI_TYPE(fly, TiledMma, TiledMmaType)

MlirType flyTiledMmaTypeGet(MlirLocation location, MlirType mmaAtom,
                            MlirType atomLayout, MlirType permutation) {
  Construction construction(location, __func__);
  auto atom = construction.get(mmaAtom, "mmaAtom");
  auto layout = construction.get<LayoutType>(atomLayout, "atomLayout");
  auto tile = construction.getOptional<TileType>(permutation, "permutation");
  return construction.makeInferred<TiledMmaType>(atom, layout, tile);
}

FLY_CAPI_TYPE_GET(MlirType, fly, TiledMma, MmaAtom)
FLY_CAPI_TYPE_GET(MlirType, fly, TiledMma, AtomLayout)
FLY_CAPI_TYPE_GET(MlirType, fly, TiledMma, Permutation)

//===----------------------------------------------------------------------===//
// Universal atom operations
//===----------------------------------------------------------------------===//

FLY_CAPI_TYPE(fly, UniversalCopy, UniversalCopyType)

MlirType flyUniversalCopyTypeGet(MlirLocation location, int32_t bitSize) {
  Construction construction(location, __func__);
  return construction.make<UniversalCopyType>(bitSize);
}

FLY_CAPI_TYPE_GET(int32_t, fly, UniversalCopy, BitSize)

FLY_CAPI_TYPE(fly, UniversalAtomic, UniversalAtomicType)

MlirType flyUniversalAtomicTypeGet(MlirLocation location, FlyAtomicOp atomicOp,
                                   MlirType valType, MlirStringRef syncscope) {
  Construction construction(location, __func__);
  auto op =
      construction.getEnum(symbolizeAtomicOp(atomicOp), atomicOp, "AtomicOp");
  auto value = construction.get(valType, "valType");
  auto scope = construction.getString(syncscope, "syncscope");
  return construction.make<UniversalAtomicType>(op, value, scope);
}

FlyAtomicOp flyUniversalAtomicTypeGetAtomicOp(MlirType type) {
  return read<UniversalAtomicType>(
      type, __func__, [](UniversalAtomicType type) {
        return static_cast<FlyAtomicOp>(type.getAtomicOp());
      });
}

FLY_CAPI_TYPE_GET(MlirType, fly, UniversalAtomic, ValType)
FLY_CAPI_TYPE_GET(MlirStringRef, fly, UniversalAtomic, Syncscope)

FLY_CAPI_TYPE(fly, UniversalFMA, UniversalFMAType)

MlirType flyUniversalFMATypeGet(MlirLocation location, MlirType elemTy) {
  Construction construction(location, __func__);
  auto element = construction.get(elemTy, "elemTy");
  return construction.make<UniversalFMAType>(element);
}

FLY_CAPI_TYPE_GET(MlirType, fly, UniversalFMA, ElemTy)
