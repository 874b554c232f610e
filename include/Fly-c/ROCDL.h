// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes and types of the dialect `fly_rocdl`: buffer pointers, the CPU
// target, and the atom operations of AMD chips. Which shapes and element types
// an operation has stands in the errors that refuse others; which chips have it
// says flyAtomGetRequiredFeature (Atoms.h). Registration.h states the rules on
// errors and ownership.

#ifndef FLY_C_ROCDL_H
#define FLY_C_ROCDL_H

#include "Fly-c/Attributes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// True if `attr` is the address space of buffer pointers.
MLIR_CAPI_EXPORTED bool flyROCDLAttributeIsABufferDesc(MlirAttribute attr);
/// The type id of that attribute.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLBufferDescAttrGetTypeID(void);
/// `#fly_rocdl.buffer_desc`: a pointer in this space is a 128-bit buffer
/// resource with an offset in elements.
MLIR_CAPI_EXPORTED MlirAttribute
flyROCDLBufferDescAttrGet(MlirLocation location);

/// True if `attr` is the CPU target.
MLIR_CAPI_EXPORTED bool flyROCDLAttributeIsACPUTarget(MlirAttribute attr);
/// The type id of CPU targets.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLCPUTargetAttrGetTypeID(void);
/// `#fly_rocdl.cpu<chip = …>`: a `gpu.module` with this target is compiled for
/// the host and behaves like `chip`. Error: a chip that is not known.
MLIR_CAPI_EXPORTED MlirAttribute flyROCDLCPUTargetAttrGet(MlirLocation location,
                                                          MlirStringRef chip);
/// The chip.
MLIR_CAPI_EXPORTED MlirStringRef
flyROCDLCPUTargetAttrGetChip(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// Matrix operations
//===----------------------------------------------------------------------===//
// `m`, `n` and `k` are the extents of D = A * B + C; A has the element type
// `elemTyA`, B `elemTyB`, C and D `elemTyAcc`. Error of all constructors: no
// instruction of the family has these extents and types.

/// True if `type` is `!fly_rocdl.cdna3.mfma`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsAMfma(MlirType type);
/// The type id of `!fly_rocdl.cdna3.mfma`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLMfmaTypeGetTypeID(void);
/// v_mfma of CDNA, waves of 64 lanes.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaTypeGet(MlirLocation location,
                                                int32_t m, int32_t n, int32_t k,
                                                MlirType elemTyA,
                                                MlirType elemTyB,
                                                MlirType elemTyAcc);
/// The same with `blocks` independent products of these extents (1 for one), or
/// (`xf32`) the form that reads f32 operands with ten bits of mantissa.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaTypeGetVariant(
    MlirLocation location, int32_t m, int32_t n, int32_t k, MlirType elemTyA,
    MlirType elemTyB, MlirType elemTyAcc, int32_t blocks, bool xf32);
/// The extent M.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaTypeGetM(MlirType type);
/// The extent N.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaTypeGetN(MlirType type);
/// The extent K.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaTypeGetK(MlirType type);
/// The element type of A.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaTypeGetElemTyA(MlirType type);
/// The element type of B.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaTypeGetElemTyB(MlirType type);
/// The element type of C and D.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaTypeGetElemTyAcc(MlirType type);
/// The number of independent products.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaTypeGetBlocks(MlirType type);
/// True if f32 operands count with ten bits of mantissa.
MLIR_CAPI_EXPORTED bool flyROCDLMfmaTypeGetXf32(MlirType type);

/// True if `type` is `!fly_rocdl.cdna4.mfma_scale`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsAMfmaScale(MlirType type);
/// The type id of `!fly_rocdl.cdna4.mfma_scale`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLMfmaScaleTypeGetTypeID(void);
/// v_mfma_scale of gfx950: A and B are 8-, 6- or 4-bit floats with a scale for
/// each 32 k. `opselA` and `opselB` (0 to 3) choose the byte of the scale words
/// in the state fields `scale_a` and `scale_b`.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaScaleTypeGet(
    MlirLocation location, int32_t m, int32_t n, int32_t k, MlirType elemTyA,
    MlirType elemTyB, MlirType elemTyAcc, int32_t opselA, int32_t opselB);
/// The extent M.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaScaleTypeGetM(MlirType type);
/// The extent N.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaScaleTypeGetN(MlirType type);
/// The extent K.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaScaleTypeGetK(MlirType type);
/// The element type of A.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaScaleTypeGetElemTyA(MlirType type);
/// The element type of B.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaScaleTypeGetElemTyB(MlirType type);
/// The element type of C and D.
MLIR_CAPI_EXPORTED MlirType flyROCDLMfmaScaleTypeGetElemTyAcc(MlirType type);
/// Where the scales of A lie.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaScaleTypeGetOpselA(MlirType type);
/// Where the scales of B lie.
MLIR_CAPI_EXPORTED int32_t flyROCDLMfmaScaleTypeGetOpselB(MlirType type);

/// True if `type` is `!fly_rocdl.gfx11.wmma`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsAWmmaGfx11(MlirType type);
/// The type id of `!fly_rocdl.gfx11.wmma`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLWmmaGfx11TypeGetTypeID(void);
/// v_wmma of RDNA3. For integer operands `signA` and `signB` say whether A and
/// B are read as signed, `clamp` whether the sum saturates; all three must be
/// false for floats.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx11TypeGet(
    MlirLocation location, int32_t m, int32_t n, int32_t k, MlirType elemTyA,
    MlirType elemTyB, MlirType elemTyAcc, bool signA, bool signB, bool clamp);
/// The extent M.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx11TypeGetM(MlirType type);
/// The extent N.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx11TypeGetN(MlirType type);
/// The extent K.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx11TypeGetK(MlirType type);
/// The element type of A.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx11TypeGetElemTyA(MlirType type);
/// The element type of B.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx11TypeGetElemTyB(MlirType type);
/// The element type of C and D.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx11TypeGetElemTyAcc(MlirType type);
/// True if A is read as signed.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx11TypeGetSignA(MlirType type);
/// True if B is read as signed.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx11TypeGetSignB(MlirType type);
/// True if the sum saturates.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx11TypeGetClamp(MlirType type);

/// True if `type` is `!fly_rocdl.gfx120x.wmma`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsAWmmaGfx120x(MlirType type);
/// The type id of `!fly_rocdl.gfx120x.wmma`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLWmmaGfx120xTypeGetTypeID(void);
/// v_wmma of RDNA4. Flags as for flyROCDLWmmaGfx11TypeGet.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx120xTypeGet(
    MlirLocation location, int32_t m, int32_t n, int32_t k, MlirType elemTyA,
    MlirType elemTyB, MlirType elemTyAcc, bool signA, bool signB, bool clamp);
/// The extent M.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx120xTypeGetM(MlirType type);
/// The extent N.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx120xTypeGetN(MlirType type);
/// The extent K.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx120xTypeGetK(MlirType type);
/// The element type of A.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx120xTypeGetElemTyA(MlirType type);
/// The element type of B.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx120xTypeGetElemTyB(MlirType type);
/// The element type of C and D.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx120xTypeGetElemTyAcc(MlirType type);
/// True if A is read as signed.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx120xTypeGetSignA(MlirType type);
/// True if B is read as signed.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx120xTypeGetSignB(MlirType type);
/// True if the sum saturates.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx120xTypeGetClamp(MlirType type);

/// True if `type` is `!fly_rocdl.gfx1250.wmma`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsAWmmaGfx1250(MlirType type);
/// The type id of `!fly_rocdl.gfx1250.wmma`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLWmmaGfx1250TypeGetTypeID(void);
/// v_wmma of gfx1250. Flags of integers as for flyROCDLWmmaGfx11TypeGet. For
/// floats `modC` changes C before the addition: 0 nothing, 1 negate, 2 absolute
/// value, 3 both. `reuseA` and `reuseB` hint that the operand is the one of the
/// instruction before. Errors, besides: a modifier that the instruction has
/// not.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx1250TypeGet(
    MlirLocation location, int32_t m, int32_t n, int32_t k, MlirType elemTyA,
    MlirType elemTyB, MlirType elemTyAcc, bool signA, bool signB, bool clamp,
    int32_t modC, bool reuseA, bool reuseB);
/// The extent M.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx1250TypeGetM(MlirType type);
/// The extent N.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx1250TypeGetN(MlirType type);
/// The extent K.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx1250TypeGetK(MlirType type);
/// The element type of A.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx1250TypeGetElemTyA(MlirType type);
/// The element type of B.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx1250TypeGetElemTyB(MlirType type);
/// The element type of C and D.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaGfx1250TypeGetElemTyAcc(MlirType type);
/// True if A is read as signed.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx1250TypeGetSignA(MlirType type);
/// True if B is read as signed.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx1250TypeGetSignB(MlirType type);
/// True if the sum saturates.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx1250TypeGetClamp(MlirType type);
/// The change of C before the addition.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaGfx1250TypeGetModC(MlirType type);
/// True if A is the operand of the instruction before.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx1250TypeGetReuseA(MlirType type);
/// True if B is the operand of the instruction before.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaGfx1250TypeGetReuseB(MlirType type);

/// True if `type` is `!fly_rocdl.gfx1250.wmma_scale`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsAWmmaScaleGfx1250(MlirType type);
/// The type id of `!fly_rocdl.gfx1250.wmma_scale`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLWmmaScaleGfx1250TypeGetTypeID(void);
/// v_wmma_scale of gfx1250: A and B are 8-, 6- or 4-bit floats with a scale for
/// each `blockSize` (16 or 32) k. `opselA` and `opselB` choose the half of the
/// wave (0 or 1) that holds the scales of the state fields `scale_a` and
/// `scale_b`. `modC` and the reuse flags as for flyROCDLWmmaGfx1250TypeGet.
MLIR_CAPI_EXPORTED MlirType flyROCDLWmmaScaleGfx1250TypeGet(
    MlirLocation location, int32_t m, int32_t n, int32_t k, MlirType elemTyA,
    MlirType elemTyB, MlirType elemTyAcc, int32_t opselA, int32_t opselB,
    int32_t modC, bool reuseA, bool reuseB, int32_t blockSize);
/// The extent M.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaScaleGfx1250TypeGetM(MlirType type);
/// The extent N.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaScaleGfx1250TypeGetN(MlirType type);
/// The extent K.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaScaleGfx1250TypeGetK(MlirType type);
/// The element type of A.
MLIR_CAPI_EXPORTED MlirType
flyROCDLWmmaScaleGfx1250TypeGetElemTyA(MlirType type);
/// The element type of B.
MLIR_CAPI_EXPORTED MlirType
flyROCDLWmmaScaleGfx1250TypeGetElemTyB(MlirType type);
/// The element type of C and D.
MLIR_CAPI_EXPORTED MlirType
flyROCDLWmmaScaleGfx1250TypeGetElemTyAcc(MlirType type);
/// Where the scales of A lie.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaScaleGfx1250TypeGetOpselA(MlirType type);
/// Where the scales of B lie.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaScaleGfx1250TypeGetOpselB(MlirType type);
/// The change of C before the addition.
MLIR_CAPI_EXPORTED int32_t flyROCDLWmmaScaleGfx1250TypeGetModC(MlirType type);
/// The number of k that share a scale.
MLIR_CAPI_EXPORTED int32_t
flyROCDLWmmaScaleGfx1250TypeGetBlockSize(MlirType type);
/// True if A is the operand of the instruction before.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaScaleGfx1250TypeGetReuseA(MlirType type);
/// True if B is the operand of the instruction before.
MLIR_CAPI_EXPORTED bool flyROCDLWmmaScaleGfx1250TypeGetReuseB(MlirType type);

//===----------------------------------------------------------------------===//
// Copy operations
//===----------------------------------------------------------------------===//

/// True if `type` is `!fly_rocdl.cdna3.buffer_copy`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsABufferCopy(MlirType type);
/// The type id of `!fly_rocdl.cdna3.buffer_copy`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLBufferCopyTypeGetTypeID(void);
/// Each lane copies `bitSize` bits between a buffer and registers. `cache` is
/// the instruction's cache policy; 0 is the cached access. Errors: a width that
/// no instruction has; a negative policy.
MLIR_CAPI_EXPORTED MlirType flyROCDLBufferCopyTypeGet(MlirLocation location,
                                                      int32_t bitSize,
                                                      int32_t cache);
/// The number of bits of a lane.
MLIR_CAPI_EXPORTED int32_t flyROCDLBufferCopyTypeGetBitSize(MlirType type);
/// The cache policy.
MLIR_CAPI_EXPORTED int32_t flyROCDLBufferCopyTypeGetCache(MlirType type);

/// True if `type` is `!fly_rocdl.cdna3.buffer_copy_lds`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsABufferCopyLds(MlirType type);
/// The type id of `!fly_rocdl.cdna3.buffer_copy_lds`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLBufferCopyLdsTypeGetTypeID(void);
/// Each lane moves `bitSize` bits from a buffer to shared memory. Error: a
/// width that no instruction has.
MLIR_CAPI_EXPORTED MlirType flyROCDLBufferCopyLdsTypeGet(MlirLocation location,
                                                         int32_t bitSize);
/// The number of bits of a lane.
MLIR_CAPI_EXPORTED int32_t flyROCDLBufferCopyLdsTypeGetBitSize(MlirType type);

/// True if `type` is `!fly_rocdl.cdna3.buffer_atomic`.
MLIR_CAPI_EXPORTED bool flyROCDLTypeIsABufferAtomic(MlirType type);
/// The type id of `!fly_rocdl.cdna3.buffer_atomic`.
MLIR_CAPI_EXPORTED MlirTypeID flyROCDLBufferAtomicTypeGetTypeID(void);
/// Each lane combines a value of `valType`, an integer, a float or a vector of
/// them, with a buffer. Whether a chip has the instruction is checked where the
/// atom is lowered. Error: another type.
MLIR_CAPI_EXPORTED MlirType flyROCDLBufferAtomicTypeGet(MlirLocation location,
                                                        FlyAtomicOp atomicOp,
                                                        MlirType valType);
/// The operation.
MLIR_CAPI_EXPORTED FlyAtomicOp
flyROCDLBufferAtomicTypeGetAtomicOp(MlirType type);
/// The type of the value.
MLIR_CAPI_EXPORTED MlirType flyROCDLBufferAtomicTypeGetValType(MlirType type);
/// True if some AMD chip has an instruction for the operation on this type;
/// which do says flyAtomGetRequiredFeature.
MLIR_CAPI_EXPORTED bool flyROCDLBufferAtomicTypeHasInstruction(MlirType type);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_ROCDL_H
