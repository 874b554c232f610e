// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the dialect `fly_rocdl` for copies that pass by registers or
// transpose: loads to shared memory, transposing reads, tensor copies. A
// constructor that fails emits a diagnostic and returns null.

#ifndef FLY_C_ROCDLCOPIES_H
#define FLY_C_ROCDLCOPIES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// True if `type` is `!fly_rocdl.cdna4.buffer_load_async_lds`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsABufferLoadAsyncLds(MlirType type);
/// The type id of `!fly_rocdl.cdna4.buffer_load_async_lds`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLBufferLoadAsyncLdsTypeGetTypeID(void);
/// Each lane moves `bitSize` bits (32, 96, 128) from a buffer to shared memory.
/// Error: another width.
MLIR_CAPI_EXPORTED MlirType
flyROCDLBufferLoadAsyncLdsTypeGet(MlirLocation location, int32_t bitSize);
/// The number of bits of a lane.
MLIR_CAPI_EXPORTED int32_t
flyROCDLBufferLoadAsyncLdsTypeGetBitSize(MlirType type);

/// True if `type` is `!fly_rocdl.cdna4.global_load_async_lds`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsAGlobalLoadAsyncLds(MlirType type);
/// The type id of `!fly_rocdl.cdna4.global_load_async_lds`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLGlobalLoadAsyncLdsTypeGetTypeID(void);
/// Each lane moves `bitSize` bits (32, 96, 128) from global to shared memory.
/// Error: another width.
MLIR_CAPI_EXPORTED MlirType
flyROCDLGlobalLoadAsyncLdsTypeGet(MlirLocation location, int32_t bitSize);
/// The number of bits of a lane.
MLIR_CAPI_EXPORTED int32_t
flyROCDLGlobalLoadAsyncLdsTypeGetBitSize(MlirType type);

/// True if `type` is `!fly_rocdl.cdna4.lds_read_trans`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsALdsReadTrans(MlirType type);
/// The type id of `!fly_rocdl.cdna4.lds_read_trans`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLLdsReadTransTypeGetTypeID(void);
/// 16 lanes read `bitSize` bits each of shared memory and transpose elements of
/// `granularity` bits. Error: a pair other than (4, 64), (8, 64), (6, 96) and
/// (16, 64).
MLIR_CAPI_EXPORTED MlirType flyROCDLLdsReadTransTypeGet(MlirLocation location,
                                                        int32_t granularity,
                                                        int32_t bitSize);
/// The bits of the elements that are transposed.
MLIR_CAPI_EXPORTED int32_t
flyROCDLLdsReadTransTypeGetGranularity(MlirType type);
/// The number of bits of a lane.
MLIR_CAPI_EXPORTED int32_t flyROCDLLdsReadTransTypeGetBitSize(MlirType type);

/// True if `type` is `!fly_rocdl.gfx1250.tdm`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsATdm(MlirType type);
/// The type id of `!fly_rocdl.gfx1250.tdm`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLTdmTypeGetTypeID(void);
/// A whole tile of `rank` (1 to 5) modes between global and shared memory,
/// shared by `numWarps` (a power of two) waves; padding counts elements.
/// Errors: other numbers; only one of interval and amount; an interval that is
/// no power of two.
MLIR_CAPI_EXPORTED MlirType flyROCDLTdmTypeGet(MlirLocation location,
                                               int32_t rank, int32_t numWarps,
                                               int32_t padInterval,
                                               int32_t padAmount, int32_t cache,
                                               bool barrier, bool timeout);
/// The number of modes of the tile.
MLIR_CAPI_EXPORTED int32_t flyROCDLTdmTypeGetRank(MlirType type);
/// The number of waves that share the tile.
MLIR_CAPI_EXPORTED int32_t flyROCDLTdmTypeGetNumWarps(MlirType type);
/// Elements between two paddings, 0 without padding.
MLIR_CAPI_EXPORTED int32_t flyROCDLTdmTypeGetPadInterval(MlirType type);
/// Elements that a padding leaves out.
MLIR_CAPI_EXPORTED int32_t flyROCDLTdmTypeGetPadAmount(MlirType type);
/// The cache policy.
MLIR_CAPI_EXPORTED int32_t flyROCDLTdmTypeGetCache(MlirType type);
/// Whether the copy arrives at a barrier.
MLIR_CAPI_EXPORTED bool flyROCDLTdmTypeGetBarrier(MlirType type);
/// Whether a multicast may end early.
MLIR_CAPI_EXPORTED bool flyROCDLTdmTypeGetTimeout(MlirType type);

/// True if `type` is `!fly_rocdl.cdna5.tensor_load`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsATensorLoad(MlirType type);
/// The type id of `!fly_rocdl.cdna5.tensor_load`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLTensorLoadTypeGetTypeID(void);
/// A box of `shape` (1 to 5 extents, outermost first) elements of `elem` from
/// the tensor that the atom holds to shared memory; `tensor2tdm`, an int tuple,
/// says which dimension each mode of the tensor moves. Errors: as the type's
/// verifier says.
MLIR_CAPI_EXPORTED MlirType flyROCDLTensorLoadTypeGet(
    MlirLocation location, intptr_t rank, const int32_t *shape, MlirType elem,
    MlirAttribute tensor2tdm, bool atomicBarrier, int32_t cacheModifier,
    int32_t iterCount, int32_t padInterval, int32_t padAmount);
/// The number of dimensions.
MLIR_CAPI_EXPORTED intptr_t flyROCDLTensorLoadTypeGetNumShape(MlirType type);
/// The extent of dimension `pos`, 0 being the outermost.
MLIR_CAPI_EXPORTED int32_t flyROCDLTensorLoadTypeGetShape(MlirType type,
                                                          intptr_t pos);
/// The type of the elements.
MLIR_CAPI_EXPORTED MlirType flyROCDLTensorLoadTypeGetElem(MlirType type);
/// Which dimension each mode of the tensor moves, an int tuple.
MLIR_CAPI_EXPORTED MlirAttribute
flyROCDLTensorLoadTypeGetTensor2tdm(MlirType type);
/// Whether the copy arrives at a barrier.
MLIR_CAPI_EXPORTED bool flyROCDLTensorLoadTypeGetAtomicBarrier(MlirType type);
/// The cache policy.
MLIR_CAPI_EXPORTED int32_t
flyROCDLTensorLoadTypeGetCacheModifier(MlirType type);
/// How often the box is repeated.
MLIR_CAPI_EXPORTED int32_t flyROCDLTensorLoadTypeGetIterCount(MlirType type);
/// Elements between two paddings, 0 without padding.
MLIR_CAPI_EXPORTED int32_t flyROCDLTensorLoadTypeGetPadInterval(MlirType type);
/// Elements that a padding leaves out.
MLIR_CAPI_EXPORTED int32_t flyROCDLTensorLoadTypeGetPadAmount(MlirType type);

/// True if `type` is `!fly_rocdl.cdna5.tensor_store`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsATensorStore(MlirType type);
/// The type id of `!fly_rocdl.cdna5.tensor_store`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLTensorStoreTypeGetTypeID(void);
/// The reverse of flyROCDLTensorLoadTypeGet, without padding.
MLIR_CAPI_EXPORTED MlirType flyROCDLTensorStoreTypeGet(
    MlirLocation location, intptr_t rank, const int32_t *shape, MlirType elem,
    MlirAttribute tensor2tdm, bool atomicBarrier, int32_t cacheModifier,
    int32_t iterCount);
/// The number of dimensions.
MLIR_CAPI_EXPORTED intptr_t flyROCDLTensorStoreTypeGetNumShape(MlirType type);
/// The extent of dimension `pos`, 0 being the outermost.
MLIR_CAPI_EXPORTED int32_t flyROCDLTensorStoreTypeGetShape(MlirType type,
                                                           intptr_t pos);
/// The type of the elements.
MLIR_CAPI_EXPORTED MlirType flyROCDLTensorStoreTypeGetElem(MlirType type);
/// Which dimension each mode of the tensor moves, an int tuple.
MLIR_CAPI_EXPORTED MlirAttribute
flyROCDLTensorStoreTypeGetTensor2tdm(MlirType type);
/// Whether the copy arrives at a barrier.
MLIR_CAPI_EXPORTED bool flyROCDLTensorStoreTypeGetAtomicBarrier(MlirType type);
/// The cache policy.
MLIR_CAPI_EXPORTED int32_t
flyROCDLTensorStoreTypeGetCacheModifier(MlirType type);
/// How often the box is repeated.
MLIR_CAPI_EXPORTED int32_t flyROCDLTensorStoreTypeGetIterCount(MlirType type);

/// The layout attribute (ATOM, WARP, ITER) of one tensor copy that `numWarps`
/// waves share: from (value, wave, call) to the colexicographic index in mode 0
/// of the shared tensor, by address. `atom` is a copy atom of
/// `cdna5.tensor_load` or `cdna5.tensor_store`, `shared` the memref type of the
/// tile in shared memory, `coords` the coordinate tensor type. Null with a
/// diagnostic if mode 0 of both is no multiple of what the waves copy at once.
MLIR_CAPI_EXPORTED MlirAttribute
flyROCDLTdmPartitionLayout(MlirLocation location, MlirType atom,
                           MlirType shared, MlirType coords, int32_t numWarps);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_ROCDLCOPIES_H
