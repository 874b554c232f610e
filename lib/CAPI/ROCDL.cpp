// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of the attributes and types of the dialect `fly_rocdl`.

#include "Fly-c/ROCDL.h"

#include "Support.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

using namespace fly::capi;
using namespace fly::rocdl;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

FLY_CAPI_ATTRIBUTE(flyROCDL, BufferDesc, BufferDescAttr)

MlirAttribute flyROCDLBufferDescAttrGet(MlirLocation location) {
  Construction construction(location, __func__);
  return construction.makeUnverified<BufferDescAttr>();
}

FLY_CAPI_ATTRIBUTE(flyROCDL, CPUTarget, CPUTargetAttr)

MlirAttribute flyROCDLCPUTargetAttrGet(MlirLocation location,
                                       MlirStringRef chip) {
  Construction construction(location, __func__);
  auto name = construction.getString(chip, "chip");
  return construction.make<CPUTargetAttr>(name);
}

FLY_CAPI_ATTRIBUTE_GET(MlirStringRef, flyROCDL, CPUTarget, Chip)

//===----------------------------------------------------------------------===//
// Matrix operations
//===----------------------------------------------------------------------===//

FLY_CAPI_TYPE(flyROCDL, Mfma, MfmaType)

MlirType flyROCDLMfmaTypeGet(MlirLocation location, int32_t m, int32_t n,
                             int32_t k, MlirType elemTyA, MlirType elemTyB,
                             MlirType elemTyAcc) {
  Construction construction(location, __func__);
  auto a = construction.get(elemTyA, "elemTyA");
  auto b = construction.get(elemTyB, "elemTyB");
  auto acc = construction.get(elemTyAcc, "elemTyAcc");
  return construction.make<MfmaType>(m, n, k, a, b, acc, /*blocks=*/1,
                                     /*xf32=*/false);
}

MlirType flyROCDLMfmaTypeGetVariant(MlirLocation location, int32_t m, int32_t n,
                                    int32_t k, MlirType elemTyA,
                                    MlirType elemTyB, MlirType elemTyAcc,
                                    int32_t blocks, bool xf32) {
  Construction construction(location, __func__);
  auto a = construction.get(elemTyA, "elemTyA");
  auto b = construction.get(elemTyB, "elemTyB");
  auto acc = construction.get(elemTyAcc, "elemTyAcc");
  return construction.make<MfmaType>(m, n, k, a, b, acc, blocks, xf32);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Mfma, M)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Mfma, N)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Mfma, K)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, Mfma, ElemTyA)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, Mfma, ElemTyB)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, Mfma, ElemTyAcc)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Mfma, Blocks)
FLY_CAPI_TYPE_GET(bool, flyROCDL, Mfma, Xf32)

FLY_CAPI_TYPE(flyROCDL, MfmaScale, MfmaScaleType)

MlirType flyROCDLMfmaScaleTypeGet(MlirLocation location, int32_t m, int32_t n,
                                  int32_t k, MlirType elemTyA, MlirType elemTyB,
                                  MlirType elemTyAcc, int32_t opselA,
                                  int32_t opselB) {
  Construction construction(location, __func__);
  auto a = construction.get(elemTyA, "elemTyA");
  auto b = construction.get(elemTyB, "elemTyB");
  auto acc = construction.get(elemTyAcc, "elemTyAcc");
  return construction.make<MfmaScaleType>(m, n, k, a, b, acc, opselA, opselB);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, MfmaScale, M)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, MfmaScale, N)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, MfmaScale, K)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, MfmaScale, ElemTyA)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, MfmaScale, ElemTyB)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, MfmaScale, ElemTyAcc)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, MfmaScale, OpselA)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, MfmaScale, OpselB)

FLY_CAPI_TYPE(flyROCDL, WmmaGfx11, WmmaGfx11Type)

MlirType flyROCDLWmmaGfx11TypeGet(MlirLocation location, int32_t m, int32_t n,
                                  int32_t k, MlirType elemTyA, MlirType elemTyB,
                                  MlirType elemTyAcc, bool signA, bool signB,
                                  bool clamp) {
  Construction construction(location, __func__);
  auto a = construction.get(elemTyA, "elemTyA");
  auto b = construction.get(elemTyB, "elemTyB");
  auto acc = construction.get(elemTyAcc, "elemTyAcc");
  return construction.make<WmmaGfx11Type>(m, n, k, a, b, acc, signA, signB,
                                          clamp);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx11, M)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx11, N)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx11, K)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx11, ElemTyA)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx11, ElemTyB)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx11, ElemTyAcc)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx11, SignA)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx11, SignB)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx11, Clamp)

FLY_CAPI_TYPE(flyROCDL, WmmaGfx120x, WmmaGfx120xType)

MlirType flyROCDLWmmaGfx120xTypeGet(MlirLocation location, int32_t m, int32_t n,
                                    int32_t k, MlirType elemTyA,
                                    MlirType elemTyB, MlirType elemTyAcc,
                                    bool signA, bool signB, bool clamp) {
  Construction construction(location, __func__);
  auto a = construction.get(elemTyA, "elemTyA");
  auto b = construction.get(elemTyB, "elemTyB");
  auto acc = construction.get(elemTyAcc, "elemTyAcc");
  return construction.make<WmmaGfx120xType>(m, n, k, a, b, acc, signA, signB,
                                            clamp);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx120x, M)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx120x, N)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx120x, K)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx120x, ElemTyA)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx120x, ElemTyB)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx120x, ElemTyAcc)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx120x, SignA)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx120x, SignB)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx120x, Clamp)

FLY_CAPI_TYPE(flyROCDL, WmmaGfx1250, WmmaGfx1250Type)

MlirType flyROCDLWmmaGfx1250TypeGet(MlirLocation location, int32_t m, int32_t n,
                                    int32_t k, MlirType elemTyA,
                                    MlirType elemTyB, MlirType elemTyAcc,
                                    bool signA, bool signB, bool clamp,
                                    int32_t modC, bool reuseA, bool reuseB) {
  Construction construction(location, __func__);
  auto a = construction.get(elemTyA, "elemTyA");
  auto b = construction.get(elemTyB, "elemTyB");
  auto acc = construction.get(elemTyAcc, "elemTyAcc");
  return construction.make<WmmaGfx1250Type>(m, n, k, a, b, acc, signA, signB,
                                            clamp, modC, reuseA, reuseB);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx1250, M)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx1250, N)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx1250, K)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx1250, ElemTyA)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx1250, ElemTyB)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaGfx1250, ElemTyAcc)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx1250, SignA)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx1250, SignB)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx1250, Clamp)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaGfx1250, ModC)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx1250, ReuseA)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaGfx1250, ReuseB)

FLY_CAPI_TYPE(flyROCDL, WmmaScaleGfx1250, WmmaScaleGfx1250Type)

MlirType flyROCDLWmmaScaleGfx1250TypeGet(MlirLocation location, int32_t m,
                                         int32_t n, int32_t k, MlirType elemTyA,
                                         MlirType elemTyB, MlirType elemTyAcc,
                                         int32_t opselA, int32_t opselB,
                                         int32_t modC, bool reuseA, bool reuseB,
                                         int32_t blockSize) {
  Construction construction(location, __func__);
  auto a = construction.get(elemTyA, "elemTyA");
  auto b = construction.get(elemTyB, "elemTyB");
  auto acc = construction.get(elemTyAcc, "elemTyAcc");
  return construction.make<WmmaScaleGfx1250Type>(
      m, n, k, a, b, acc, opselA, opselB, modC, reuseA, reuseB, blockSize);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaScaleGfx1250, M)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaScaleGfx1250, N)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaScaleGfx1250, K)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaScaleGfx1250, ElemTyA)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaScaleGfx1250, ElemTyB)
FLY_CAPI_TYPE_GET(MlirType, flyROCDL, WmmaScaleGfx1250, ElemTyAcc)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaScaleGfx1250, OpselA)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaScaleGfx1250, OpselB)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaScaleGfx1250, ModC)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, WmmaScaleGfx1250, BlockSize)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaScaleGfx1250, ReuseA)
FLY_CAPI_TYPE_GET(bool, flyROCDL, WmmaScaleGfx1250, ReuseB)

//===----------------------------------------------------------------------===//
// Copy operations
//===----------------------------------------------------------------------===//

FLY_CAPI_TYPE(flyROCDL, BufferCopy, BufferCopyType)

MlirType flyROCDLBufferCopyTypeGet(MlirLocation location, int32_t bitSize,
                                   int32_t cache) {
  Construction construction(location, __func__);
  return construction.make<BufferCopyType>(bitSize, cache);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, BufferCopy, BitSize)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, BufferCopy, Cache)

FLY_CAPI_TYPE(flyROCDL, BufferCopyLds, BufferCopyLdsType)

MlirType flyROCDLBufferCopyLdsTypeGet(MlirLocation location, int32_t bitSize) {
  Construction construction(location, __func__);
  return construction.make<BufferCopyLdsType>(bitSize);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, BufferCopyLds, BitSize)

FLY_CAPI_TYPE(flyROCDL, BufferAtomic, BufferAtomicType)

MlirType flyROCDLBufferAtomicTypeGet(MlirLocation location,
                                     FlyAtomicOp atomicOp, MlirType valType) {
  Construction construction(location, __func__);
  auto op = construction.getEnum(fly::symbolizeAtomicOp(atomicOp), atomicOp,
                                 "AtomicOp");
  auto value = construction.get(valType, "valType");
  return construction.make<BufferAtomicType>(op, value);
}

FlyAtomicOp flyROCDLBufferAtomicTypeGetAtomicOp(MlirType type) {
  return read<BufferAtomicType>(type, __func__, [](BufferAtomicType type) {
    return static_cast<FlyAtomicOp>(type.getAtomicOp());
  });
}

FLY_CAPI_TYPE_GET(MlirType, flyROCDL, BufferAtomic, ValType)

bool flyROCDLBufferAtomicTypeHasInstruction(MlirType type) {
  return read<BufferAtomicType>(type, __func__, [](BufferAtomicType type) {
    return type.getInstruction() != nullptr;
  });
}
