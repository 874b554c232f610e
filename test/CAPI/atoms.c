// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What atoms say about themselves.
//
// RUN: %capi/atoms | FileCheck %s --implicit-check-not=error \
// RUN:   --implicit-check-not='read back'

#include "Fly-c/Atoms.h"
#include "Fly-c/Chips.h"
#include "Fly-c/ROCDL.h"
#include "Fly-c/Registration.h"
#include "Fly-c/Types.h"

#include "Support.h"

static MlirContext context;
static MlirLocation loc;

static MlirType parse(const char *text) {
  return mlirTypeParseGet(context, str(text));
}

static void describe(MlirType atom) {
  showType("atom", atom);
  printf("copy operation %d matrix operation %d\n", flyTypeIsACopyOp(atom),
         flyTypeIsAMmaOp(atom));
  showAttr("threads", flyAtomGetThrLayout(atom));
  showString("feature", flyAtomGetRequiredFeature(atom));
  for (intptr_t i = 0; i < flyAtomGetNumStateFields(atom); ++i) {
    showString("field", flyAtomGetStateFieldName(atom, i));
    showType("  of", flyAtomGetStateFieldType(atom, i));
  }
}

static void testCopies(void) {
  // CHECK: atom: !fly_rocdl.cdna3.buffer_copy_lds<32>
  // CHECK-NEXT: copy operation 1 matrix operation 0
  // CHECK-NEXT: threads: #fly<layout 1:1>
  // CHECK-NEXT: feature: 'lds-dma-32'
  // CHECK-NEXT: field: 'soffset'
  // CHECK-NEXT: of: i32
  // CHECK-NEXT: field: 'imm_offset'
  // CHECK-NEXT: of: i32
  MlirType lds = parse("!fly_rocdl.cdna3.buffer_copy_lds<32>");
  describe(lds);
  // CHECK-NEXT: gfx942 has it: 1, gfx1250: 0
  MlirStringRef feature = flyAtomGetRequiredFeature(lds);
  printf("gfx942 has it: %d, gfx1250: %d\n",
         flyChipHasFeature(str("gfx942"), feature),
         flyChipHasFeature(str("gfx1250"), feature));

  // CHECK: atom: !fly.copy_atom<!fly.universal_copy<64>, 16>
  // CHECK-NEXT: copy operation 0 matrix operation 0
  // CHECK-NEXT: threads: #fly<layout 1:1>
  // CHECK-NEXT: feature: ''
  MlirType atom = parse("!fly.copy_atom<!fly.universal_copy<64>, 16>");
  describe(atom);
  // CHECK-NEXT: 64 bits by default, whole tile 0
  printf("%d bits by default, whole tile %d\n",
         flyCopyOpGetDefaultValBits(atom), flyCopyOpIsWholeTile(atom));
  // CHECK-NEXT: bits: #fly<layout(1,64):(1,1)>
  // CHECK-NEXT: bits: #fly<layout(1,64):(1,1)>
  // CHECK-NEXT: bits: #fly<layout(1,64):(1,1)>
  showAttr("bits", flyCopyOpGetThrBitLayout(atom, FlyCopySideSource));
  showAttr("bits", flyCopyOpGetThrBitLayout(atom, FlyCopySideDestination));
  showAttr("bits", flyCopyOpGetThrBitLayout(atom, FlyCopySideReference));
  // CHECK-NEXT: values: #fly<layout(1,4):(1,1)>
  // CHECK-NEXT: values: #fly<layout(1,4):(1,1)>
  // CHECK-NEXT: values: #fly<layout(1,4):(1,1)>
  showAttr("values", flyCopyAtomGetThrValLayout(loc, atom, FlyCopySideSource));
  showAttr("values",
           flyCopyAtomGetThrValLayout(loc, atom, FlyCopySideDestination));
  showAttr("values",
           flyCopyAtomGetThrValLayout(loc, atom, FlyCopySideReference));
}

static void testMatrices(void) {
  // CHECK: atom: !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>
  // CHECK-NEXT: copy operation 0 matrix operation 0
  // CHECK-NEXT: threads: #fly<layout 64:1>
  // CHECK-NEXT: feature: 'mfma'
  MlirType atom = parse(
      "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>");
  describe(atom);
  MlirType op = flyMmaAtomTypeGetMmaOp(atom);
  // CHECK-NEXT: matrix operation 1
  printf("matrix operation %d\n", flyTypeIsAMmaOp(op));
  // CHECK-NEXT: extents: #fly<int_tuple(16,16,16)>
  showAttr("extents", flyMmaOpGetShapeMNK(op));
  // CHECK-NEXT: A: f16
  // CHECK-NEXT: B: f16
  // CHECK-NEXT: C: f32
  // CHECK-NEXT: D: f32
  showType("A", flyMmaOpGetValType(op, FlyMmaOperandA));
  showType("B", flyMmaOpGetValType(op, FlyMmaOperandB));
  showType("C", flyMmaOpGetValType(op, FlyMmaOperandC));
  showType("D", flyMmaOpGetValType(op, FlyMmaOperandD));
  // CHECK-NEXT: A: #fly<layout((16,4),4):((1,64),16)>
  // CHECK-NEXT: B: #fly<layout((16,4),4):((1,64),16)>
  // CHECK-NEXT: C: #fly<layout((16,4),{{4|\(4,1\)}}):((16,4),{{1|\(1,16\)}})>
  // CHECK-NEXT: D and C agree: 1
  showAttr("A", flyMmaOpGetThrValLayout(atom, FlyMmaOperandA));
  showAttr("B", flyMmaOpGetThrValLayout(atom, FlyMmaOperandB));
  showAttr("C", flyMmaOpGetThrValLayout(atom, FlyMmaOperandC));
  printf("D and C agree: %d\n",
         mlirAttributeEqual(flyMmaOpGetThrValLayout(atom, FlyMmaOperandD),
                            flyMmaOpGetThrValLayout(atom, FlyMmaOperandC)));
}

static void testTiled(void) {
  // CHECK: tile: #fly<int_tuple(32,32,16)>
  // CHECK-NEXT: threads: #fly<layout(64,2,2,1):(1,64,128,0)>
  // CHECK-NEXT: A: #fly<layout((16,4,2,2),(4,(1,1))):((1,128,16,0),(32,(0,0)))>
  // CHECK-NEXT: B: #fly<layout((16,4,2,2),(4,(1,1))):((1,128,0,16),(32,(0,0)))>
  // CHECK-NEXT: C: #fly<layout((16,8,2),((4,1),(1,1))):((32,4,512),((1,0),(0,0)))>
  MlirType mma =
      parse("!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, "
            "(f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>");
  showAttr("tile", flyTiledMmaGetTileSizeMNK(loc, mma));
  showAttr("threads", flyTiledMmaGetThrLayoutVMNK(loc, mma));
  showAttr("A", flyTiledMmaGetThrValLayout(loc, mma, FlyMmaOperandA));
  showAttr("B", flyTiledMmaGetThrValLayout(loc, mma, FlyMmaOperandB));
  showAttr("C", flyTiledMmaGetThrValLayout(loc, mma, FlyMmaOperandC));

  // CHECK-NEXT: source: #fly<layout(12,(4,1)):(4,(1,0))>
  // CHECK-NEXT: reference: #fly<layout((4,3),4):((4,16),1)>
  MlirType copy = parse("!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>"
                        ", 16>, <((4,3),4):((4,16),1)>, <[16|3]>>");
  showAttr("source",
           flyTiledCopyGetThrValLayout(loc, copy, FlyCopySideSource));
  showAttr("reference",
           flyTiledCopyGetThrValLayout(loc, copy, FlyCopySideReference));
}

static void testChips(void) {
  // CHECK: 'gfx942': wave 64 LDS 65536
  // CHECK: 'gfx950': wave 64 LDS 163840
  // CHECK: 'gfx1201': wave 32 LDS 65536
  // CHECK: 'gfx1250': wave 32 LDS 327680
  for (intptr_t i = 0; i < flyChipsGetNum(); ++i) {
    MlirStringRef name = flyChipsGetName(i);
    printf("'");
    printPart(name, NULL);
    printf("': wave %d LDS %d\n", flyChipGetWaveSize(name),
           (int)flyChipGetSharedMemoryBytes(name));
    if (!flyChipIsKnown(name) || !flyChipHasFeature(name, str("")))
      printf("not known\n");
  }
  // CHECK-NOT: not known
  // CHECK: others: '' 0 0 0 0 0
  MlirStringRef other = str("gfx942:xnack+");
  printf("others: '%s' %d %d %d %d %d\n",
         flyChipsGetName(-1).length || flyChipsGetName(flyChipsGetNum()).length
             ? "?"
             : "",
         flyChipIsKnown(other), flyChipGetWaveSize(other),
         (int)flyChipGetSharedMemoryBytes(other),
         flyChipHasFeature(other, str("")),
         flyChipHasFeature(str("gfx942"), str("teleport")));
}

int main(void) {
  context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly_rocdl__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly__(), context);
  printErrors(context);
  loc = mlirLocationUnknownGet(context);
  testCopies();
  testMatrices();
  testTiled();
  testChips();
  mlirContextDestroy(context);
  return 0;
}
