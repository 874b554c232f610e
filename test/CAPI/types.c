// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes, prints, reads back and queries every type of the dialect `fly`.
//
// RUN: %capi/types | FileCheck %s --implicit-check-not=error \
// RUN:   --implicit-check-not='wrong class' --implicit-check-not='read back'

#include "Fly-c/Types.h"
#include "Fly-c/Registration.h"
#include "mlir-c/BuiltinTypes.h"

#include "Support.h"

static MlirContext context;
static MlirLocation loc;

static MlirAttribute parse(const char *text) {
  return mlirAttributeParseGet(context, str(text));
}

static const MlirAttribute noAttribute = {NULL};

static void testAlgebra(void) {
  MlirType basis = flyBasisTypeGet(loc, parse("#fly<basis 5E1E0>"));
  checkTypeClass(basis, flyTypeIsABasis(basis), flyBasisTypeGetTypeID());
  // CHECK: basis: !fly.basis<5E1E0>
  showType("basis", basis);
  // CHECK: attr: #fly<basis 5E1E0>
  showAttr("attr", flyBasisTypeGetAttr(basis));

  MlirType tuple = flyIntTupleTypeGet(loc, parse("#fly<int_tuple(3,(?,*))>"));
  checkTypeClass(tuple, flyTypeIsAIntTuple(tuple), flyIntTupleTypeGetTypeID());
  // CHECK: tuple: !fly.int_tuple<(3,(?,*))>
  showType("tuple", tuple);
  // CHECK: attr: #fly<int_tuple(3,(?,*))>
  showAttr("attr", flyIntTupleTypeGetAttr(tuple));

  MlirType layout = flyLayoutTypeGet(loc, parse("#fly<layout(4,8):(1,4)>"));
  checkTypeClass(layout, flyTypeIsALayout(layout), flyLayoutTypeGetTypeID());
  // CHECK: layout: !fly.layout<(4,8):(1,4)>
  showType("layout", layout);
  // CHECK: attr: #fly<layout(4,8):(1,4)>
  showAttr("attr", flyLayoutTypeGetAttr(layout));

  MlirType swizzle = flySwizzleTypeGet(loc, parse("#fly<swizzle S<2,4,3>>"));
  checkTypeClass(swizzle, flyTypeIsASwizzle(swizzle),
                 flySwizzleTypeGetTypeID());
  // CHECK: swizzle: !fly.swizzle<S<2,4,3>>
  showType("swizzle", swizzle);
  // CHECK: attr: #fly<swizzle S<2,4,3>>
  showAttr("attr", flySwizzleTypeGetAttr(swizzle));

  MlirType coord = flyCoordSwizzleTypeGet(
      loc, parse("#fly<coord_swizzle CS<2,1,[0],3,[1, 0]>>"));
  checkTypeClass(coord, flyTypeIsACoordSwizzle(coord),
                 flyCoordSwizzleTypeGetTypeID());
  // CHECK: coordinate swizzle: !fly.coord_swizzle<CS<2,1,[0],3,[1, 0]>>
  showType("coordinate swizzle", coord);
  // CHECK: attr: #fly<coord_swizzle CS<2,1,[0],3,[1, 0]>>
  showAttr("attr", flyCoordSwizzleTypeGetAttr(coord));

  MlirType composed = flyComposedLayoutTypeGet(
      loc, parse("#fly<composed_layout S<2,4,3> o 16 o (6,16):(16,1)>"));
  checkTypeClass(composed, flyTypeIsAComposedLayout(composed),
                 flyComposedLayoutTypeGetTypeID());
  // CHECK: composed: !fly.composed_layout<S<2,4,3> o 16 o (6,16):(16,1)>
  showType("composed", composed);
  // CHECK: attr: #fly<composed_layout S<2,4,3> o 16 o (6,16):(16,1)>
  showAttr("attr", flyComposedLayoutTypeGetAttr(composed));

  MlirType tile = flyTileTypeGet(loc, parse("#fly<tile[6|*|[2|5:2]]>"));
  checkTypeClass(tile, flyTypeIsATile(tile), flyTileTypeGetTypeID());
  // CHECK: tile: !fly.tile<[6|*|[2|5:2]]>
  showType("tile", tile);
  // CHECK: attr: #fly<tile[6|*|[2|5:2]]>
  showAttr("attr", flyTileTypeGetAttr(tile));

  // CHECK: static: 0 1 1 0
  printf("static: %d %d %d %d\n", flyTypeIsStatic(tuple),
         flyTypeIsStatic(layout), flyTypeIsStatic(composed),
         flyTypeIsStatic(mlirF32TypeGet(context)));
}

static void testTensors(void) {
  MlirType f16 = mlirF16TypeGet(context);
  MlirAttribute global = flyAddressSpaceAttrGet(loc, FlyAddressSpaceGlobal);
  MlirAttribute shared = flyAddressSpaceAttrGet(loc, FlyAddressSpaceShared);
  MlirAttribute align = flyAlignAttrGet(loc, 16);
  MlirAttribute swizzle = flySwizzleAttrGet(loc, 3, 3, 3);

  // CHECK: plain pointer: !fly.ptr<f16, global>
  showType("plain pointer",
           flyPointerTypeGet(loc, f16, global, noAttribute, noAttribute));
  MlirType pointer = flyPointerTypeGet(loc, f16, shared, align, swizzle);
  checkTypeClass(pointer, flyTypeIsAPointer(pointer),
                 flyPointerTypeGetTypeID());
  // CHECK: pointer: !fly.ptr<f16, shared, align<16>, S<3,3,3>>
  showType("pointer", pointer);
  // CHECK: element: f16
  showType("element", flyPointerTypeGetElementType(pointer));
  // CHECK: space: #fly<address_space shared>
  showAttr("space", flyPointerTypeGetAddressSpace(pointer));
  // CHECK: alignment: #fly<align align<16>>
  showAttr("alignment", flyPointerTypeGetAlignment(pointer));
  // CHECK: swizzle: #fly<swizzle S<3,3,3>>
  showAttr("swizzle", flyPointerTypeGetSwizzle(pointer));

  MlirAttribute layout =
      parse("#fly<composed_layout S<3,3,3> o ? o (4,8):(8,1)>");
  MlirType memref = flyMemRefTypeGet(loc, f16, shared, layout, align, swizzle);
  checkTypeClass(memref, flyTypeIsAMemRef(memref), flyMemRefTypeGetTypeID());
  // CHECK: memref: !fly.memref<f16, shared, S<3,3,3> o ? o (4,8):(8,1), align<16>, S<3,3,3>>
  showType("memref", memref);
  // CHECK: element: f16
  showType("element", flyMemRefTypeGetElementType(memref));
  // CHECK: space: #fly<address_space shared>
  showAttr("space", flyMemRefTypeGetAddressSpace(memref));
  // CHECK: layout: #fly<composed_layout S<3,3,3> o ? o (4,8):(8,1)>
  showAttr("layout", flyMemRefTypeGetLayout(memref));
  // CHECK: alignment: #fly<align align<16>>
  showAttr("alignment", flyMemRefTypeGetAlignment(memref));
  // CHECK: swizzle: #fly<swizzle S<3,3,3>>
  showAttr("swizzle", flyMemRefTypeGetSwizzle(memref));
  // CHECK: pointer: 1
  printf("pointer: %d\n",
         mlirTypeEqual(flyMemRefTypeGetPointerType(memref), pointer));
  // CHECK: plain memref: !fly.memref<f16, global, (4,8):(1,4)>
  showType("plain memref",
           flyMemRefTypeGet(loc, f16, global, parse("#fly<layout(4,8):(1,4)>"),
                            noAttribute, noAttribute));

  MlirType coord = flyCoordTensorTypeGet(loc, parse("#fly<int_tuple(0,?)>"),
                                         parse("#fly<layout(4,8):(1E0,1E1)>"));
  checkTypeClass(coord, flyTypeIsACoordTensor(coord),
                 flyCoordTensorTypeGetTypeID());
  // CHECK: coordinates: !fly.coord_tensor<(0,?), (4,8):(1E0,1E1)>
  showType("coordinates", coord);
  // CHECK: base: #fly<int_tuple(0,?)>
  showAttr("base", flyCoordTensorTypeGetBase(coord));
  // CHECK: layout: #fly<layout(4,8):(1E0,1E1)>
  showAttr("layout", flyCoordTensorTypeGetLayout(coord));
}

static void testAtoms(void) {
  MlirType f32 = mlirF32TypeGet(context);
  MlirType copy = flyUniversalCopyTypeGet(loc, 64);
  checkTypeClass(copy, flyTypeIsAUniversalCopy(copy),
                 flyUniversalCopyTypeGetTypeID());
  // CHECK: copy: !fly.universal_copy<64>
  showType("copy", copy);
  // CHECK: 64 bits
  printf("%d bits\n", flyUniversalCopyTypeGetBitSize(copy));

  MlirType atomic =
      flyUniversalAtomicTypeGet(loc, FlyAtomicOpMax, f32, str("agent"));
  checkTypeClass(atomic, flyTypeIsAUniversalAtomic(atomic),
                 flyUniversalAtomicTypeGetTypeID());
  // CHECK: atomic: !fly.universal_atomic<max, f32, "agent">
  showType("atomic", atomic);
  // CHECK: operation 1
  printf("operation %d\n", (int)flyUniversalAtomicTypeGetAtomicOp(atomic));
  // CHECK: value: f32
  showType("value", flyUniversalAtomicTypeGetValType(atomic));
  // CHECK: scope: 'agent'
  showString("scope", flyUniversalAtomicTypeGetSyncscope(atomic));
  // CHECK: system: !fly.universal_atomic<and, i32>
  showType("system", flyUniversalAtomicTypeGet(loc, FlyAtomicOpAnd,
                                               mlirIntegerTypeGet(context, 32),
                                               mlirStringRefCreate(NULL, 0)));

  MlirType fma = flyUniversalFMATypeGet(loc, f32);
  checkTypeClass(fma, flyTypeIsAUniversalFMA(fma),
                 flyUniversalFMATypeGetTypeID());
  // CHECK: fma: !fly.universal_fma<1x1x1, (f32, f32) -> f32>
  showType("fma", fma);
  // CHECK: element: f32
  showType("element", flyUniversalFMATypeGetElemTy(fma));

  MlirType copyAtom = flyCopyAtomTypeGet(loc, copy, 16);
  checkTypeClass(copyAtom, flyTypeIsACopyAtom(copyAtom),
                 flyCopyAtomTypeGetTypeID());
  // CHECK: copy atom: !fly.copy_atom<!fly.universal_copy<64>, 16>
  showType("copy atom", copyAtom);
  // CHECK: operation: !fly.universal_copy<64>
  showType("operation", flyCopyAtomTypeGetCopyOp(copyAtom));
  // CHECK: 16 bits
  printf("%d bits\n", flyCopyAtomTypeGetValBits(copyAtom));

  MlirType mmaAtom = flyMmaAtomTypeGet(loc, fma);
  checkTypeClass(mmaAtom, flyTypeIsAMmaAtom(mmaAtom),
                 flyMmaAtomTypeGetTypeID());
  // CHECK: mma atom: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  showType("mma atom", mmaAtom);
  // CHECK: operation: !fly.universal_fma<1x1x1, (f32, f32) -> f32>
  showType("operation", flyMmaAtomTypeGetMmaOp(mmaAtom));

  MlirType layoutTV =
      flyLayoutTypeGet(loc, parse("#fly<layout((4,3),4):((4,16),1)>"));
  MlirType tile = flyTileTypeGet(loc, parse("#fly<tile[16|3]>"));
  MlirType tiledCopy = flyTiledCopyTypeGet(loc, copyAtom, layoutTV, tile);
  checkTypeClass(tiledCopy, flyTypeIsATiledCopy(tiledCopy),
                 flyTiledCopyTypeGetTypeID());
  // CHECK: tiled copy: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
  showType("tiled copy", tiledCopy);
  // CHECK: atom: !fly.copy_atom<!fly.universal_copy<64>, 16>
  showType("atom", flyTiledCopyTypeGetCopyAtom(tiledCopy));
  // CHECK: layout: !fly.layout<((4,3),4):((4,16),1)>
  showType("layout", flyTiledCopyTypeGetLayoutThrVal(tiledCopy));
  // CHECK: tile: !fly.tile<[16|3]>
  showType("tile", flyTiledCopyTypeGetTileMN(tiledCopy));

  MlirType atoms = flyLayoutTypeGet(loc, parse("#fly<layout(2,3,1):(1,2,0)>"));
  MlirType none = {NULL};
  MlirType tiledMma = flyTiledMmaTypeGet(loc, mmaAtom, atoms, none);
  checkTypeClass(tiledMma, flyTypeIsATiledMma(tiledMma),
                 flyTiledMmaTypeGetTypeID());
  // CHECK: tiled mma: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
  showType("tiled mma", tiledMma);
  // CHECK: atom: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  showType("atom", flyTiledMmaTypeGetMmaAtom(tiledMma));
  // CHECK: layout: !fly.layout<(2,3,1):(1,2,0)>
  showType("layout", flyTiledMmaTypeGetAtomLayout(tiledMma));
  // CHECK: permutation: !fly.tile<[*|*|*]>
  showType("permutation", flyTiledMmaTypeGetPermutation(tiledMma));
  MlirType order = flyTileTypeGet(loc, parse("#fly<tile[4|*|2]>"));
  // CHECK: permutation: !fly.tile<[4|*|2]>
  showType("permutation", flyTiledMmaTypeGetPermutation(
                              flyTiledMmaTypeGet(loc, mmaAtom, atoms, order)));
}

int main(void) {
  context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly__(), context);
  printErrors(context);
  loc = mlirLocationUnknownGet(context);
  testAlgebra();
  testTensors();
  testAtoms();
  mlirContextDestroy(context);
  return 0;
}
