// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes, prints, reads back and queries everything of the dialect `fly_rocdl`.
//
// RUN: %capi/rocdl | FileCheck %s --implicit-check-not=error \
// RUN:   --implicit-check-not='wrong class' --implicit-check-not='read back'

#include "Fly-c/ROCDL.h"
#include "Fly-c/Registration.h"
#include "mlir-c/BuiltinTypes.h"

#include "Support.h"

static MlirContext context;
static MlirLocation loc;

static void testAttributes(void) {
  MlirAttribute buffer = flyROCDLBufferDescAttrGet(loc);
  checkAttrClass(buffer, flyROCDLAttributeIsABufferDesc(buffer),
                 flyROCDLBufferDescAttrGetTypeID());
  // CHECK: buffer: #fly_rocdl.buffer_desc
  showAttr("buffer", buffer);

  MlirAttribute cpu = flyROCDLCPUTargetAttrGet(loc, str("gfx942"));
  checkAttrClass(cpu, flyROCDLAttributeIsACPUTarget(cpu),
                 flyROCDLCPUTargetAttrGetTypeID());
  // CHECK: target: #fly_rocdl.cpu<chip = "gfx942">
  showAttr("target", cpu);
  // CHECK: chip: 'gfx942'
  showString("chip", flyROCDLCPUTargetAttrGetChip(cpu));
}

static void showShape(int32_t m, int32_t n, int32_t k, MlirType a, MlirType b,
                      MlirType acc) {
  printf("  %d x %d x %d\n", m, n, k);
  showType("  A", a);
  showType("  B", b);
  showType("  acc", acc);
}

static void testMatrices(void) {
  MlirType f16 = mlirF16TypeGet(context), f32 = mlirF32TypeGet(context);
  MlirType i8 = mlirIntegerTypeGet(context, 8);
  MlirType i32 = mlirIntegerTypeGet(context, 32);

  MlirType mfma = flyROCDLMfmaTypeGet(loc, 16, 16, 16, f16, f16, f32);
  checkTypeClass(mfma, flyROCDLTypeIsAMfma(mfma), flyROCDLMfmaTypeGetTypeID());
  // CHECK: mfma: !fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>
  showType("mfma", mfma);
  // CHECK-NEXT: 16 x 16 x 16
  // CHECK-NEXT: A: f16
  // CHECK-NEXT: B: f16
  // CHECK-NEXT: acc: f32
  showShape(flyROCDLMfmaTypeGetM(mfma), flyROCDLMfmaTypeGetN(mfma),
            flyROCDLMfmaTypeGetK(mfma), flyROCDLMfmaTypeGetElemTyA(mfma),
            flyROCDLMfmaTypeGetElemTyB(mfma),
            flyROCDLMfmaTypeGetElemTyAcc(mfma));

  MlirType blocks =
      flyROCDLMfmaTypeGetVariant(loc, 4, 4, 4, f16, f16, f32, 16, false);
  // CHECK: blocks: !fly_rocdl.cdna3.mfma<4x4x4, (f16, f16) -> f32, blocks = 16>
  showType("blocks", blocks);
  MlirType xf32 =
      flyROCDLMfmaTypeGetVariant(loc, 16, 16, 8, f32, f32, f32, 1, true);
  // CHECK: xf32: !fly_rocdl.cdna3.mfma<16x16x8, (f32, f32) -> f32, xf32 = true>
  showType("xf32", xf32);
  // CHECK-NEXT: blocks 1 16 1, xf32 0 0 1
  printf("blocks %d %d %d, xf32 %d %d %d\n", flyROCDLMfmaTypeGetBlocks(mfma),
         flyROCDLMfmaTypeGetBlocks(blocks), flyROCDLMfmaTypeGetBlocks(xf32),
         flyROCDLMfmaTypeGetXf32(mfma), flyROCDLMfmaTypeGetXf32(blocks),
         flyROCDLMfmaTypeGetXf32(xf32));

  MlirType gfx11 =
      flyROCDLWmmaGfx11TypeGet(loc, 16, 16, 16, i8, i8, i32, true, false, true);
  checkTypeClass(gfx11, flyROCDLTypeIsAWmmaGfx11(gfx11),
                 flyROCDLWmmaGfx11TypeGetTypeID());
  // CHECK: gfx11: !fly_rocdl.gfx11.wmma<16x16x16, (i8, i8) -> i32, signA = true, signB = false, clamp = true>
  showType("gfx11", gfx11);
  // CHECK-NEXT: 16 x 16 x 16
  // CHECK-NEXT: A: i8
  // CHECK-NEXT: B: i8
  // CHECK-NEXT: acc: i32
  showShape(flyROCDLWmmaGfx11TypeGetM(gfx11), flyROCDLWmmaGfx11TypeGetN(gfx11),
            flyROCDLWmmaGfx11TypeGetK(gfx11),
            flyROCDLWmmaGfx11TypeGetElemTyA(gfx11),
            flyROCDLWmmaGfx11TypeGetElemTyB(gfx11),
            flyROCDLWmmaGfx11TypeGetElemTyAcc(gfx11));
  // CHECK-NEXT: flags 1 0 1
  printf("flags %d %d %d\n", flyROCDLWmmaGfx11TypeGetSignA(gfx11),
         flyROCDLWmmaGfx11TypeGetSignB(gfx11),
         flyROCDLWmmaGfx11TypeGetClamp(gfx11));

  MlirType i4 = mlirIntegerTypeGet(context, 4);
  MlirType gfx120x = flyROCDLWmmaGfx120xTypeGet(loc, 16, 16, 32, i4, i4, i32,
                                                false, true, false);
  checkTypeClass(gfx120x, flyROCDLTypeIsAWmmaGfx120x(gfx120x),
                 flyROCDLWmmaGfx120xTypeGetTypeID());
  // CHECK: gfx120x: !fly_rocdl.gfx120x.wmma<16x16x32, (i4, i4) -> i32, signA = false, signB = true, clamp = false>
  showType("gfx120x", gfx120x);
  // CHECK-NEXT: 16 x 16 x 32
  // CHECK-NEXT: A: i4
  // CHECK-NEXT: B: i4
  // CHECK-NEXT: acc: i32
  showShape(flyROCDLWmmaGfx120xTypeGetM(gfx120x),
            flyROCDLWmmaGfx120xTypeGetN(gfx120x),
            flyROCDLWmmaGfx120xTypeGetK(gfx120x),
            flyROCDLWmmaGfx120xTypeGetElemTyA(gfx120x),
            flyROCDLWmmaGfx120xTypeGetElemTyB(gfx120x),
            flyROCDLWmmaGfx120xTypeGetElemTyAcc(gfx120x));
  // CHECK-NEXT: flags 0 1 0
  printf("flags %d %d %d\n", flyROCDLWmmaGfx120xTypeGetSignA(gfx120x),
         flyROCDLWmmaGfx120xTypeGetSignB(gfx120x),
         flyROCDLWmmaGfx120xTypeGetClamp(gfx120x));

  MlirType gfx1250 = flyROCDLWmmaGfx1250TypeGet(
      loc, 16, 16, 32, f16, f16, f32, false, false, false, 3, true, false);
  checkTypeClass(gfx1250, flyROCDLTypeIsAWmmaGfx1250(gfx1250),
                 flyROCDLWmmaGfx1250TypeGetTypeID());
  // CHECK: gfx1250: !fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false, modC = 3, reuseA = true>
  showType("gfx1250", gfx1250);
  // CHECK-NEXT: 16 x 16 x 32
  // CHECK-NEXT: A: f16
  // CHECK-NEXT: B: f16
  // CHECK-NEXT: acc: f32
  showShape(flyROCDLWmmaGfx1250TypeGetM(gfx1250),
            flyROCDLWmmaGfx1250TypeGetN(gfx1250),
            flyROCDLWmmaGfx1250TypeGetK(gfx1250),
            flyROCDLWmmaGfx1250TypeGetElemTyA(gfx1250),
            flyROCDLWmmaGfx1250TypeGetElemTyB(gfx1250),
            flyROCDLWmmaGfx1250TypeGetElemTyAcc(gfx1250));
  // CHECK-NEXT: flags 0 0 0 modC 3 reuse 1 0
  printf("flags %d %d %d modC %d reuse %d %d\n",
         flyROCDLWmmaGfx1250TypeGetSignA(gfx1250),
         flyROCDLWmmaGfx1250TypeGetSignB(gfx1250),
         flyROCDLWmmaGfx1250TypeGetClamp(gfx1250),
         flyROCDLWmmaGfx1250TypeGetModC(gfx1250),
         flyROCDLWmmaGfx1250TypeGetReuseA(gfx1250),
         flyROCDLWmmaGfx1250TypeGetReuseB(gfx1250));
}

static void testScaledMatrices(void) {
  MlirType f32 = mlirF32TypeGet(context);
  MlirType fp8 = mlirFloat8E4M3FNTypeGet(context);
  MlirType fp4 = mlirFloat4E2M1FNTypeGet(context);

  MlirType mfma =
      flyROCDLMfmaScaleTypeGet(loc, 32, 32, 64, fp8, fp4, f32, 1, 3);
  checkTypeClass(mfma, flyROCDLTypeIsAMfmaScale(mfma),
                 flyROCDLMfmaScaleTypeGetTypeID());
  // CHECK: mfma_scale: !fly_rocdl.cdna4.mfma_scale<32x32x64, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 1, opselB = 3>
  showType("mfma_scale", mfma);
  // CHECK-NEXT: 32 x 32 x 64
  // CHECK-NEXT: A: f8E4M3FN
  // CHECK-NEXT: B: f4E2M1FN
  // CHECK-NEXT: acc: f32
  showShape(flyROCDLMfmaScaleTypeGetM(mfma), flyROCDLMfmaScaleTypeGetN(mfma),
            flyROCDLMfmaScaleTypeGetK(mfma),
            flyROCDLMfmaScaleTypeGetElemTyA(mfma),
            flyROCDLMfmaScaleTypeGetElemTyB(mfma),
            flyROCDLMfmaScaleTypeGetElemTyAcc(mfma));
  // CHECK-NEXT: opsel 1 3
  printf("opsel %d %d\n", flyROCDLMfmaScaleTypeGetOpselA(mfma),
         flyROCDLMfmaScaleTypeGetOpselB(mfma));

  MlirType wmma = flyROCDLWmmaScaleGfx1250TypeGet(
      loc, 32, 16, 128, fp4, fp4, f32, 0, 1, 2, true, false, 16);
  checkTypeClass(wmma, flyROCDLTypeIsAWmmaScaleGfx1250(wmma),
                 flyROCDLWmmaScaleGfx1250TypeGetTypeID());
  // CHECK: wmma_scale: !fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 2, reuseA = true, reuseB = false, blockSize = 16>
  showType("wmma_scale", wmma);
  // CHECK-NEXT: 32 x 16 x 128
  // CHECK-NEXT: A: f4E2M1FN
  // CHECK-NEXT: B: f4E2M1FN
  // CHECK-NEXT: acc: f32
  showShape(flyROCDLWmmaScaleGfx1250TypeGetM(wmma),
            flyROCDLWmmaScaleGfx1250TypeGetN(wmma),
            flyROCDLWmmaScaleGfx1250TypeGetK(wmma),
            flyROCDLWmmaScaleGfx1250TypeGetElemTyA(wmma),
            flyROCDLWmmaScaleGfx1250TypeGetElemTyB(wmma),
            flyROCDLWmmaScaleGfx1250TypeGetElemTyAcc(wmma));
  // CHECK-NEXT: opsel 0 1 modC 2 reuse 1 0 block 16
  printf("opsel %d %d modC %d reuse %d %d block %d\n",
         flyROCDLWmmaScaleGfx1250TypeGetOpselA(wmma),
         flyROCDLWmmaScaleGfx1250TypeGetOpselB(wmma),
         flyROCDLWmmaScaleGfx1250TypeGetModC(wmma),
         flyROCDLWmmaScaleGfx1250TypeGetReuseA(wmma),
         flyROCDLWmmaScaleGfx1250TypeGetReuseB(wmma),
         flyROCDLWmmaScaleGfx1250TypeGetBlockSize(wmma));
}

static void testCopies(void) {
  MlirType copy = flyROCDLBufferCopyTypeGet(loc, 128, 2);
  checkTypeClass(copy, flyROCDLTypeIsABufferCopy(copy),
                 flyROCDLBufferCopyTypeGetTypeID());
  // CHECK: copy: !fly_rocdl.cdna3.buffer_copy<128, cache = 2>
  showType("copy", copy);
  // CHECK: 128 bits, cache 2
  printf("%d bits, cache %d\n", flyROCDLBufferCopyTypeGetBitSize(copy),
         flyROCDLBufferCopyTypeGetCache(copy));
  // CHECK: cached: !fly_rocdl.cdna3.buffer_copy<32>
  showType("cached", flyROCDLBufferCopyTypeGet(loc, 32, 0));

  MlirType lds = flyROCDLBufferCopyLdsTypeGet(loc, 32);
  checkTypeClass(lds, flyROCDLTypeIsABufferCopyLds(lds),
                 flyROCDLBufferCopyLdsTypeGetTypeID());
  // CHECK: lds: !fly_rocdl.cdna3.buffer_copy_lds<32>
  showType("lds", lds);
  // CHECK: 32 bits
  printf("%d bits\n", flyROCDLBufferCopyLdsTypeGetBitSize(lds));

  int64_t two = 2;
  MlirType pair = mlirVectorTypeGet(1, &two, mlirF16TypeGet(context));
  MlirType atomic = flyROCDLBufferAtomicTypeGet(loc, FlyAtomicOpAdd, pair);
  checkTypeClass(atomic, flyROCDLTypeIsABufferAtomic(atomic),
                 flyROCDLBufferAtomicTypeGetTypeID());
  // CHECK: atomic: !fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>
  showType("atomic", atomic);
  // CHECK: operation 0
  printf("operation %d\n", (int)flyROCDLBufferAtomicTypeGetAtomicOp(atomic));
  // CHECK: value: vector<2xf16>
  showType("value", flyROCDLBufferAtomicTypeGetValType(atomic));
  // CHECK: an instruction: 1 0
  printf("an instruction: %d %d\n",
         flyROCDLBufferAtomicTypeHasInstruction(atomic),
         flyROCDLBufferAtomicTypeHasInstruction(flyROCDLBufferAtomicTypeGet(
             loc, FlyAtomicOpAnd, mlirF32TypeGet(context))));
}

int main(void) {
  context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly_rocdl__(), context);
  printErrors(context);
  loc = mlirLocationUnknownGet(context);
  testAttributes();
  testMatrices();
  testScaledMatrices();
  testCopies();
  mlirContextDestroy(context);
  return 0;
}
