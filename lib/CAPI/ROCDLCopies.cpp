// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of the types for loads to shared memory, transposing reads and tensor
// copies, and the partition of tensor copies.

#include "Fly-c/ROCDLCopies.h"

#include "Support.h"

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "Fly/Dialect/FlyROCDL/IR/TiledTensorCopies.h"

using namespace fly::capi;
using namespace fly::rocdl;

/// Extent `pos` of a tensor copy; 0 with an error if there is none.
template <typename T>
static int32_t readExtent(MlirType wrapped, intptr_t pos,
                          const char *function) {
  auto type = getArgument<T>(wrapped, function);
  if (!type)
    return 0;
  llvm::ArrayRef<int32_t> shape = type.getShape();
  if (pos >= 0 && static_cast<size_t>(pos) < shape.size())
    return shape[pos];
  emitQueryError(type.getContext(), function)
      << "index " << pos << " is not in [0, " << shape.size() << ")";
  return 0;
}

FLY_CAPI_TYPE(flyROCDL, BufferLoadAsyncLds, BufferLoadAsyncLdsType)

MlirType flyROCDLBufferLoadAsyncLdsTypeGet(MlirLocation location,
                                           int32_t bitSize) {
  Construction construction(location, __func__);
  return construction.make<BufferLoadAsyncLdsType>(bitSize);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, BufferLoadAsyncLds, BitSize)

FLY_CAPI_TYPE(flyROCDL, GlobalLoadAsyncLds, GlobalLoadAsyncLdsType)

MlirType flyROCDLGlobalLoadAsyncLdsTypeGet(MlirLocation location,
                                           int32_t bitSize) {
  Construction construction(location, __func__);
  return construction.make<GlobalLoadAsyncLdsType>(bitSize);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, GlobalLoadAsyncLds, BitSize)

FLY_CAPI_TYPE(flyROCDL, LdsReadTrans, LdsReadTransType)

MlirType flyROCDLLdsReadTransTypeGet(MlirLocation location, int32_t granularity,
                                     int32_t bitSize) {
  Construction construction(location, __func__);
  return construction.make<LdsReadTransType>(granularity, bitSize);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, LdsReadTrans, Granularity)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, LdsReadTrans, BitSize)

FLY_CAPI_TYPE(flyROCDL, Tdm, TdmType)

MlirType flyROCDLTdmTypeGet(MlirLocation location, int32_t rank,
                            int32_t numWarps, int32_t padInterval,
                            int32_t padAmount, int32_t cache, bool barrier,
                            bool timeout) {
  Construction construction(location, __func__);
  return construction.make<TdmType>(rank, numWarps, padInterval, padAmount,
                                    cache, barrier, timeout);
}

FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Tdm, Rank)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Tdm, NumWarps)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Tdm, PadInterval)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Tdm, PadAmount)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, Tdm, Cache)
FLY_CAPI_TYPE_GET(bool, flyROCDL, Tdm, Barrier)
FLY_CAPI_TYPE_GET(bool, flyROCDL, Tdm, Timeout)

FLY_CAPI_TYPE(flyROCDL, TensorLoad, TensorLoadType)

MlirType flyROCDLTensorLoadTypeGet(MlirLocation location, intptr_t rank,
                                   const int32_t *shape, MlirType elem,
                                   MlirAttribute tensor2tdm, bool atomicBarrier,
                                   int32_t cacheModifier, int32_t iterCount,
                                   int32_t padInterval, int32_t padAmount) {
  Construction construction(location, __func__);
  llvm::ArrayRef<int32_t> extents = construction.getList(rank, shape, "shape");
  auto element = construction.get(elem, "elem");
  auto modes = construction.get<fly::IntTupleAttr>(tensor2tdm, "tensor2tdm");
  return construction.make<TensorLoadType>(extents, element, modes,
                                           atomicBarrier, cacheModifier,
                                           iterCount, padInterval, padAmount);
}

intptr_t flyROCDLTensorLoadTypeGetNumShape(MlirType type) {
  return read<TensorLoadType>(type, __func__, [](TensorLoadType type) {
    return static_cast<intptr_t>(type.getShape().size());
  });
}

int32_t flyROCDLTensorLoadTypeGetShape(MlirType type, intptr_t pos) {
  return readExtent<TensorLoadType>(type, pos, __func__);
}

FLY_CAPI_TYPE_GET(MlirType, flyROCDL, TensorLoad, Elem)

MlirAttribute flyROCDLTensorLoadTypeGetTensor2tdm(MlirType type) {
  return read<TensorLoadType>(type, __func__, [](TensorLoadType type) {
    return wrap(mlir::Attribute(type.getTensor2tdm()));
  });
}

FLY_CAPI_TYPE_GET(bool, flyROCDL, TensorLoad, AtomicBarrier)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, TensorLoad, CacheModifier)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, TensorLoad, IterCount)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, TensorLoad, PadInterval)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, TensorLoad, PadAmount)

FLY_CAPI_TYPE(flyROCDL, TensorStore, TensorStoreType)

MlirType flyROCDLTensorStoreTypeGet(MlirLocation location, intptr_t rank,
                                    const int32_t *shape, MlirType elem,
                                    MlirAttribute tensor2tdm,
                                    bool atomicBarrier, int32_t cacheModifier,
                                    int32_t iterCount) {
  Construction construction(location, __func__);
  llvm::ArrayRef<int32_t> extents = construction.getList(rank, shape, "shape");
  auto element = construction.get(elem, "elem");
  auto modes = construction.get<fly::IntTupleAttr>(tensor2tdm, "tensor2tdm");
  return construction.make<TensorStoreType>(
      extents, element, modes, atomicBarrier, cacheModifier, iterCount);
}

intptr_t flyROCDLTensorStoreTypeGetNumShape(MlirType type) {
  return read<TensorStoreType>(type, __func__, [](TensorStoreType type) {
    return static_cast<intptr_t>(type.getShape().size());
  });
}

int32_t flyROCDLTensorStoreTypeGetShape(MlirType type, intptr_t pos) {
  return readExtent<TensorStoreType>(type, pos, __func__);
}

FLY_CAPI_TYPE_GET(MlirType, flyROCDL, TensorStore, Elem)

MlirAttribute flyROCDLTensorStoreTypeGetTensor2tdm(MlirType type) {
  return read<TensorStoreType>(type, __func__, [](TensorStoreType type) {
    return wrap(mlir::Attribute(type.getTensor2tdm()));
  });
}

FLY_CAPI_TYPE_GET(bool, flyROCDL, TensorStore, AtomicBarrier)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, TensorStore, CacheModifier)
FLY_CAPI_TYPE_GET(int32_t, flyROCDL, TensorStore, IterCount)

//===----------------------------------------------------------------------===//
// Partition
//===----------------------------------------------------------------------===//

MlirAttribute flyROCDLTdmPartitionLayout(MlirLocation location, MlirType atom,
                                         MlirType shared, MlirType coords,
                                         int32_t numWarps) {
  Construction construction(location, __func__);
  auto atomType = construction.get<fly::CopyAtomType>(atom, "atom");
  auto sharedType = construction.get<fly::MemRefType>(shared, "shared");
  auto coordType = construction.get<fly::CoordTensorType>(coords, "coords");
  if (!atomType || !sharedType || !coordType)
    return {nullptr};
  auto emit = [&] {
    return mlir::emitError(unwrap(location)) << "tdm_partition_layout: ";
  };
  int64_t values = 0;
  uint32_t bits = 0;
  if (auto load = mlir::dyn_cast<TensorLoadType>(atomType.getCopyOp())) {
    values = load.getNumElements();
    bits = load.getElementBits();
  } else if (auto store =
                 mlir::dyn_cast<TensorStoreType>(atomType.getCopyOp())) {
    values = store.getNumElements();
    bits = store.getElementBits();
  } else {
    emit() << "the atom must be a tensor copy, got " << atomType;
    return {nullptr};
  }
  // The walk of the plain layout would not be that of these.
  if (!mlir::isa<fly::LayoutAttr>(sharedType.getLayout()) ||
      !sharedType.getSwizzle().isTrivial()) {
    emit() << "the shared tensor must have a plain layout, got " << sharedType;
    return {nullptr};
  }
  if (!mlir::isa<fly::LayoutAttr>(coordType.getLayout())) {
    emit() << "the coordinate tensor must have a plain layout, got "
           << coordType;
    return {nullptr};
  }
  mlir::Type element = sharedType.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() != bits) {
    emit() << "the atom moves elements of " << bits << " bits, got "
           << sharedType;
    return {nullptr};
  }
  unsigned symbols = 0;
  auto layout = partitionTensorCopy(
      values, fly::toValue(sharedType.getLinearLayout(), symbols),
      fly::toValue(coordType.getLinearLayout(), symbols), numWarps);
  if (!layout) {
    emit() << layout.error().message;
    return {nullptr};
  }
  return wrap(mlir::Attribute(fly::toAttr(atomType.getContext(), *layout)));
}
