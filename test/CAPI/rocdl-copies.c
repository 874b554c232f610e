// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes, prints, reads back and queries the copy types that pass by registers
// or transpose, and partitions a tensor copy.
//
// RUN: %capi/rocdl-copies | FileCheck %s --implicit-check-not=error \
// RUN:   --implicit-check-not='wrong class' --implicit-check-not='read back'

#include "Fly-c/ROCDLCopies.h"
#include "Fly-c/Registration.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "Support.h"

static MlirContext context;
static MlirLocation loc;

static void testLdsTypes(void) {
  MlirType buffer = flyROCDLBufferLoadAsyncLdsTypeGet(loc, 96);
  checkTypeClass(buffer, flyROCDLTypeIsABufferLoadAsyncLds(buffer),
                 flyROCDLBufferLoadAsyncLdsTypeGetTypeID());
  // CHECK: buffer: !fly_rocdl.cdna4.buffer_load_async_lds<96>
  showType("buffer", buffer);
  MlirType global = flyROCDLGlobalLoadAsyncLdsTypeGet(loc, 128);
  checkTypeClass(global, flyROCDLTypeIsAGlobalLoadAsyncLds(global),
                 flyROCDLGlobalLoadAsyncLdsTypeGetTypeID());
  // CHECK: global: !fly_rocdl.cdna4.global_load_async_lds<128>
  showType("global", global);
  MlirType trans = flyROCDLLdsReadTransTypeGet(loc, 6, 96);
  checkTypeClass(trans, flyROCDLTypeIsALdsReadTrans(trans),
                 flyROCDLLdsReadTransTypeGetTypeID());
  // CHECK: trans: !fly_rocdl.cdna4.lds_read_trans<trans = 6b, 96>
  showType("trans", trans);
  // CHECK: bits 96 128 96, elements of 6
  printf("bits %d %d %d, elements of %d\n",
         flyROCDLBufferLoadAsyncLdsTypeGetBitSize(buffer),
         flyROCDLGlobalLoadAsyncLdsTypeGetBitSize(global),
         flyROCDLLdsReadTransTypeGetBitSize(trans),
         flyROCDLLdsReadTransTypeGetGranularity(trans));
}

static void testTdm(void) {
  MlirType tdm = flyROCDLTdmTypeGet(loc, 2, 4, 64, 8, 3, false, true);
  checkTypeClass(tdm, flyROCDLTypeIsATdm(tdm), flyROCDLTdmTypeGetTypeID());
  // CHECK: tdm: !fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 3, barrier = false, timeout = true>
  showType("tdm", tdm);
  // CHECK: 2 4 64 8 3 0 1
  printf("%d %d %d %d %d %d %d\n", flyROCDLTdmTypeGetRank(tdm),
         flyROCDLTdmTypeGetNumWarps(tdm), flyROCDLTdmTypeGetPadInterval(tdm),
         flyROCDLTdmTypeGetPadAmount(tdm), flyROCDLTdmTypeGetCache(tdm),
         flyROCDLTdmTypeGetBarrier(tdm), flyROCDLTdmTypeGetTimeout(tdm));
}

static void testTensorCopies(void) {
  MlirType f16 = mlirF16TypeGet(context);
  MlirAttribute modes =
      mlirAttributeParseGet(context, str("#fly.int_tuple<(1E0,1E1)>"));
  int32_t shape[] = {64, 32};
  MlirType load =
      flyROCDLTensorLoadTypeGet(loc, 2, shape, f16, modes, true, 5, 1, 64, 8);
  checkTypeClass(load, flyROCDLTypeIsATensorLoad(load),
                 flyROCDLTensorLoadTypeGetTypeID());
  // CHECK: load: !fly_rocdl.cdna5.tensor_load<shape = [64, 32], elem = f16, tensor2tdm = (1E0,1E1), atomicBarrier = true, cacheModifier = 5, padInterval = 64, padAmount = 8>
  showType("load", load);
  // CHECK: 2 dims 64 32, 1 5 1 64 8
  printf("%d dims %d %d, %d %d %d %d %d\n",
         (int)flyROCDLTensorLoadTypeGetNumShape(load),
         flyROCDLTensorLoadTypeGetShape(load, 0),
         flyROCDLTensorLoadTypeGetShape(load, 1),
         flyROCDLTensorLoadTypeGetAtomicBarrier(load),
         flyROCDLTensorLoadTypeGetCacheModifier(load),
         flyROCDLTensorLoadTypeGetIterCount(load),
         flyROCDLTensorLoadTypeGetPadInterval(load),
         flyROCDLTensorLoadTypeGetPadAmount(load));
  // CHECK: elem: f16
  showType("elem", flyROCDLTensorLoadTypeGetElem(load));
  // CHECK: modes: #fly<int_tuple(1E0,1E1)>
  showAttr("modes", flyROCDLTensorLoadTypeGetTensor2tdm(load));

  MlirAttribute mode =
      mlirAttributeParseGet(context, str("#fly.int_tuple<1E0>"));
  MlirType store =
      flyROCDLTensorStoreTypeGet(loc, 1, shape, f16, mode, false, 0, 4);
  checkTypeClass(store, flyROCDLTypeIsATensorStore(store),
                 flyROCDLTensorStoreTypeGetTypeID());
  // CHECK: store: !fly_rocdl.cdna5.tensor_store<shape = [64], elem = f16, tensor2tdm = 1E0, iterCount = 4>
  showType("store", store);
  // CHECK: 1 dims 64, 0 0 4
  printf("%d dims %d, %d %d %d\n",
         (int)flyROCDLTensorStoreTypeGetNumShape(store),
         flyROCDLTensorStoreTypeGetShape(store, 0),
         flyROCDLTensorStoreTypeGetAtomicBarrier(store),
         flyROCDLTensorStoreTypeGetCacheModifier(store),
         flyROCDLTensorStoreTypeGetIterCount(store));
  // CHECK: elem: f16
  showType("elem", flyROCDLTensorStoreTypeGetElem(store));
  // CHECK: modes: #fly<int_tuple 1E0>
  showAttr("modes", flyROCDLTensorStoreTypeGetTensor2tdm(store));
}

// The tables of the reference: (values, waves, calls) by address.
static void testPartition(void) {
  MlirType atom = mlirTypeParseGet(
      context,
      str("!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem "
          "= f16, tensor2tdm = (1E0,1E1)>, 16>"));
  MlirType rows = mlirTypeParseGet(
      context, str("!fly.memref<f16, shared, ((256,64),3):((64,1),16384)>"));
  MlirType columns = mlirTypeParseGet(
      context, str("!fly.memref<f16, shared, ((64,128),3):((1,64),8192)>"));
  MlirType wide = mlirTypeParseGet(
      context, str("!fly.coord_tensor<(0,0), ((256,64),3):((1E1,1E0),256E1)>"));
  MlirType narrow = mlirTypeParseGet(
      context, str("!fly.coord_tensor<(0,0), ((64,128),3):((1E1,1E0),64E1)>"));
  // CHECK: rows: #fly<layout((64,64),2,2):((256,1),64,128)>
  showAttr("rows", flyROCDLTdmPartitionLayout(loc, atom, rows, wide, 2));
  // CHECK: columns: #fly<layout(4096,2,1):(1,4096,0)>
  showAttr("columns",
           flyROCDLTdmPartitionLayout(loc, atom, columns, narrow, 2));
  // What would not be walked as its plain layout is, or in other elements.
  const char *others[] = {
      "!fly.memref<f16, shared, S<3,3,3> o 0 o ((256,64),3):((64,1),16384)>",
      "!fly.memref<f16, shared, (4096,3):(1,4096), align<16>, S<3,4,3>>",
      "!fly.memref<f32, shared, ((256,64),3):((64,1),16384)>"};
  // CHECK: error: {{.*}}tdm_partition_layout: the shared tensor must have a plain layout, got {{.*}} o 0 o
  // CHECK: error: {{.*}}tdm_partition_layout: the shared tensor must have a plain layout, got {{.*}}S<3,4,3>
  // CHECK: error: {{.*}}tdm_partition_layout: the atom moves elements of 16 bits, got {{.*}}f32
  for (int i = 0; i < 3; ++i)
    if (!mlirAttributeIsNull(flyROCDLTdmPartitionLayout(
            loc, atom, mlirTypeParseGet(context, str(others[i])), wide, 2)))
      printf("a layout of %s\n", others[i]);
}

int main(void) {
  context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly_rocdl__(), context);
  printErrors(context);
  loc = mlirLocationUnknownGet(context);
  testLdsTypes();
  testTdm();
  testTensorCopies();
  testPartition();
  mlirContextDestroy(context);
  return 0;
}
