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

MlirStringRef flyROCDLCPUTargetAttrGetChip(MlirAttribute attr) {
  return read<CPUTargetAttr>(attr, __func__, [](CPUTargetAttr target) {
    return wrap(target.getChip());
  });
}

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

int32_t flyROCDLMfmaTypeGetM(MlirType type) {
  return read<MfmaType>(type, __func__,
                        [](MfmaType type) { return type.getM(); });
}

int32_t flyROCDLMfmaTypeGetN(MlirType type) {
  return read<MfmaType>(type, __func__,
                        [](MfmaType type) { return type.getN(); });
}

int32_t flyROCDLMfmaTypeGetK(MlirType type) {
  return read<MfmaType>(type, __func__,
                        [](MfmaType type) { return type.getK(); });
}

MlirType flyROCDLMfmaTypeGetElemTyA(MlirType type) {
  return read<MfmaType>(type, __func__,
                        [](MfmaType type) { return wrap(type.getElemTyA()); });
}

MlirType flyROCDLMfmaTypeGetElemTyB(MlirType type) {
  return read<MfmaType>(type, __func__,
                        [](MfmaType type) { return wrap(type.getElemTyB()); });
}

MlirType flyROCDLMfmaTypeGetElemTyAcc(MlirType type) {
  return read<MfmaType>(
      type, __func__, [](MfmaType type) { return wrap(type.getElemTyAcc()); });
}

int32_t flyROCDLMfmaTypeGetBlocks(MlirType type) {
  return read<MfmaType>(type, __func__,
                        [](MfmaType type) { return type.getBlocks(); });
}

bool flyROCDLMfmaTypeGetXf32(MlirType type) {
  return read<MfmaType>(type, __func__,
                        [](MfmaType type) { return type.getXf32(); });
}

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

int32_t flyROCDLMfmaScaleTypeGetM(MlirType type) {
  return read<MfmaScaleType>(type, __func__,
                             [](MfmaScaleType type) { return type.getM(); });
}

int32_t flyROCDLMfmaScaleTypeGetN(MlirType type) {
  return read<MfmaScaleType>(type, __func__,
                             [](MfmaScaleType type) { return type.getN(); });
}

int32_t flyROCDLMfmaScaleTypeGetK(MlirType type) {
  return read<MfmaScaleType>(type, __func__,
                             [](MfmaScaleType type) { return type.getK(); });
}

MlirType flyROCDLMfmaScaleTypeGetElemTyA(MlirType type) {
  return read<MfmaScaleType>(type, __func__, [](MfmaScaleType type) {
    return wrap(type.getElemTyA());
  });
}

MlirType flyROCDLMfmaScaleTypeGetElemTyB(MlirType type) {
  return read<MfmaScaleType>(type, __func__, [](MfmaScaleType type) {
    return wrap(type.getElemTyB());
  });
}

MlirType flyROCDLMfmaScaleTypeGetElemTyAcc(MlirType type) {
  return read<MfmaScaleType>(type, __func__, [](MfmaScaleType type) {
    return wrap(type.getElemTyAcc());
  });
}

int32_t flyROCDLMfmaScaleTypeGetOpselA(MlirType type) {
  return read<MfmaScaleType>(
      type, __func__, [](MfmaScaleType type) { return type.getOpselA(); });
}

int32_t flyROCDLMfmaScaleTypeGetOpselB(MlirType type) {
  return read<MfmaScaleType>(
      type, __func__, [](MfmaScaleType type) { return type.getOpselB(); });
}

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

int32_t flyROCDLWmmaGfx11TypeGetM(MlirType type) {
  return read<WmmaGfx11Type>(type, __func__,
                             [](WmmaGfx11Type type) { return type.getM(); });
}

int32_t flyROCDLWmmaGfx11TypeGetN(MlirType type) {
  return read<WmmaGfx11Type>(type, __func__,
                             [](WmmaGfx11Type type) { return type.getN(); });
}

int32_t flyROCDLWmmaGfx11TypeGetK(MlirType type) {
  return read<WmmaGfx11Type>(type, __func__,
                             [](WmmaGfx11Type type) { return type.getK(); });
}

MlirType flyROCDLWmmaGfx11TypeGetElemTyA(MlirType type) {
  return read<WmmaGfx11Type>(type, __func__, [](WmmaGfx11Type type) {
    return wrap(type.getElemTyA());
  });
}

MlirType flyROCDLWmmaGfx11TypeGetElemTyB(MlirType type) {
  return read<WmmaGfx11Type>(type, __func__, [](WmmaGfx11Type type) {
    return wrap(type.getElemTyB());
  });
}

MlirType flyROCDLWmmaGfx11TypeGetElemTyAcc(MlirType type) {
  return read<WmmaGfx11Type>(type, __func__, [](WmmaGfx11Type type) {
    return wrap(type.getElemTyAcc());
  });
}

bool flyROCDLWmmaGfx11TypeGetSignA(MlirType type) {
  return read<WmmaGfx11Type>(
      type, __func__, [](WmmaGfx11Type type) { return type.getSignA(); });
}

bool flyROCDLWmmaGfx11TypeGetSignB(MlirType type) {
  return read<WmmaGfx11Type>(
      type, __func__, [](WmmaGfx11Type type) { return type.getSignB(); });
}

bool flyROCDLWmmaGfx11TypeGetClamp(MlirType type) {
  return read<WmmaGfx11Type>(
      type, __func__, [](WmmaGfx11Type type) { return type.getClamp(); });
}

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

int32_t flyROCDLWmmaGfx120xTypeGetM(MlirType type) {
  return read<WmmaGfx120xType>(
      type, __func__, [](WmmaGfx120xType type) { return type.getM(); });
}

int32_t flyROCDLWmmaGfx120xTypeGetN(MlirType type) {
  return read<WmmaGfx120xType>(
      type, __func__, [](WmmaGfx120xType type) { return type.getN(); });
}

int32_t flyROCDLWmmaGfx120xTypeGetK(MlirType type) {
  return read<WmmaGfx120xType>(
      type, __func__, [](WmmaGfx120xType type) { return type.getK(); });
}

MlirType flyROCDLWmmaGfx120xTypeGetElemTyA(MlirType type) {
  return read<WmmaGfx120xType>(type, __func__, [](WmmaGfx120xType type) {
    return wrap(type.getElemTyA());
  });
}

MlirType flyROCDLWmmaGfx120xTypeGetElemTyB(MlirType type) {
  return read<WmmaGfx120xType>(type, __func__, [](WmmaGfx120xType type) {
    return wrap(type.getElemTyB());
  });
}

MlirType flyROCDLWmmaGfx120xTypeGetElemTyAcc(MlirType type) {
  return read<WmmaGfx120xType>(type, __func__, [](WmmaGfx120xType type) {
    return wrap(type.getElemTyAcc());
  });
}

bool flyROCDLWmmaGfx120xTypeGetSignA(MlirType type) {
  return read<WmmaGfx120xType>(
      type, __func__, [](WmmaGfx120xType type) { return type.getSignA(); });
}

bool flyROCDLWmmaGfx120xTypeGetSignB(MlirType type) {
  return read<WmmaGfx120xType>(
      type, __func__, [](WmmaGfx120xType type) { return type.getSignB(); });
}

bool flyROCDLWmmaGfx120xTypeGetClamp(MlirType type) {
  return read<WmmaGfx120xType>(
      type, __func__, [](WmmaGfx120xType type) { return type.getClamp(); });
}

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

int32_t flyROCDLWmmaGfx1250TypeGetM(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getM(); });
}

int32_t flyROCDLWmmaGfx1250TypeGetN(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getN(); });
}

int32_t flyROCDLWmmaGfx1250TypeGetK(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getK(); });
}

MlirType flyROCDLWmmaGfx1250TypeGetElemTyA(MlirType type) {
  return read<WmmaGfx1250Type>(type, __func__, [](WmmaGfx1250Type type) {
    return wrap(type.getElemTyA());
  });
}

MlirType flyROCDLWmmaGfx1250TypeGetElemTyB(MlirType type) {
  return read<WmmaGfx1250Type>(type, __func__, [](WmmaGfx1250Type type) {
    return wrap(type.getElemTyB());
  });
}

MlirType flyROCDLWmmaGfx1250TypeGetElemTyAcc(MlirType type) {
  return read<WmmaGfx1250Type>(type, __func__, [](WmmaGfx1250Type type) {
    return wrap(type.getElemTyAcc());
  });
}

bool flyROCDLWmmaGfx1250TypeGetSignA(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getSignA(); });
}

bool flyROCDLWmmaGfx1250TypeGetSignB(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getSignB(); });
}

bool flyROCDLWmmaGfx1250TypeGetClamp(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getClamp(); });
}

int32_t flyROCDLWmmaGfx1250TypeGetModC(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getModC(); });
}

bool flyROCDLWmmaGfx1250TypeGetReuseA(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getReuseA(); });
}

bool flyROCDLWmmaGfx1250TypeGetReuseB(MlirType type) {
  return read<WmmaGfx1250Type>(
      type, __func__, [](WmmaGfx1250Type type) { return type.getReuseB(); });
}

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

int32_t flyROCDLWmmaScaleGfx1250TypeGetM(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__, [](WmmaScaleGfx1250Type type) { return type.getM(); });
}

int32_t flyROCDLWmmaScaleGfx1250TypeGetN(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__, [](WmmaScaleGfx1250Type type) { return type.getN(); });
}

int32_t flyROCDLWmmaScaleGfx1250TypeGetK(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__, [](WmmaScaleGfx1250Type type) { return type.getK(); });
}

MlirType flyROCDLWmmaScaleGfx1250TypeGetElemTyA(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__,
      [](WmmaScaleGfx1250Type type) { return wrap(type.getElemTyA()); });
}

MlirType flyROCDLWmmaScaleGfx1250TypeGetElemTyB(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__,
      [](WmmaScaleGfx1250Type type) { return wrap(type.getElemTyB()); });
}

MlirType flyROCDLWmmaScaleGfx1250TypeGetElemTyAcc(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__,
      [](WmmaScaleGfx1250Type type) { return wrap(type.getElemTyAcc()); });
}

int32_t flyROCDLWmmaScaleGfx1250TypeGetOpselA(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__,
      [](WmmaScaleGfx1250Type type) { return type.getOpselA(); });
}

int32_t flyROCDLWmmaScaleGfx1250TypeGetOpselB(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__,
      [](WmmaScaleGfx1250Type type) { return type.getOpselB(); });
}

int32_t flyROCDLWmmaScaleGfx1250TypeGetModC(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__, [](WmmaScaleGfx1250Type type) { return type.getModC(); });
}

int32_t flyROCDLWmmaScaleGfx1250TypeGetBlockSize(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__,
      [](WmmaScaleGfx1250Type type) { return type.getBlockSize(); });
}

bool flyROCDLWmmaScaleGfx1250TypeGetReuseA(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__,
      [](WmmaScaleGfx1250Type type) { return type.getReuseA(); });
}

bool flyROCDLWmmaScaleGfx1250TypeGetReuseB(MlirType type) {
  return read<WmmaScaleGfx1250Type>(
      type, __func__,
      [](WmmaScaleGfx1250Type type) { return type.getReuseB(); });
}

//===----------------------------------------------------------------------===//
// Copy operations
//===----------------------------------------------------------------------===//

FLY_CAPI_TYPE(flyROCDL, BufferCopy, BufferCopyType)

MlirType flyROCDLBufferCopyTypeGet(MlirLocation location, int32_t bitSize,
                                   int32_t cache) {
  Construction construction(location, __func__);
  return construction.make<BufferCopyType>(bitSize, cache);
}

int32_t flyROCDLBufferCopyTypeGetBitSize(MlirType type) {
  return read<BufferCopyType>(
      type, __func__, [](BufferCopyType type) { return type.getBitSize(); });
}

int32_t flyROCDLBufferCopyTypeGetCache(MlirType type) {
  return read<BufferCopyType>(
      type, __func__, [](BufferCopyType type) { return type.getCache(); });
}

FLY_CAPI_TYPE(flyROCDL, BufferCopyLds, BufferCopyLdsType)

MlirType flyROCDLBufferCopyLdsTypeGet(MlirLocation location, int32_t bitSize) {
  Construction construction(location, __func__);
  return construction.make<BufferCopyLdsType>(bitSize);
}

int32_t flyROCDLBufferCopyLdsTypeGetBitSize(MlirType type) {
  return read<BufferCopyLdsType>(
      type, __func__, [](BufferCopyLdsType type) { return type.getBitSize(); });
}

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

MlirType flyROCDLBufferAtomicTypeGetValType(MlirType type) {
  return read<BufferAtomicType>(type, __func__, [](BufferAtomicType type) {
    return wrap(type.getValType());
  });
}

bool flyROCDLBufferAtomicTypeHasInstruction(MlirType type) {
  return read<BufferAtomicType>(type, __func__, [](BufferAtomicType type) {
    return type.getInstruction() != nullptr;
  });
}
