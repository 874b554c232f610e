// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores through pointers of the dialect: what their types promise
// about alignment, and the swizzle that acts on the address.

#ifndef FLY_CONVERSION_FLYTOLLVM_MEMORYACCESS_H
#define FLY_CONVERSION_FLYTOLLVM_MEMORYACCESS_H

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"

namespace fly {

/// Bits from one element of this type in memory to the next: its width, for
/// i1 a byte.
int64_t getStorageBits(mlir::Type elementType);

/// The type that stands in memory for a register value of `type`: vectors of i1
/// take a byte an element, as LLVM's i1 alone does.
mlir::Type getMemoryType(mlir::Type type);

/// Checks that moving a pointer by `offset` elements moves it by whole bytes,
/// as far as the leaf tells.
llvm::LogicalResult verifyByteOffset(mlir::Type elementType, IntAttr offset,
                                     EmitErrorFn emitError);

/// The largest power of two that divides every address of `type`, in bytes:
/// its alignment, and with a swizzle at most 2^base.
int64_t getAccessAlignment(PointerType type);

/// Checks that an access of `bits` bits through `type` is one contiguous piece
/// of memory: a swizzle moves pieces of 2^base bytes only.
llvm::LogicalResult verifySwizzledAccess(PointerType type, int64_t bits,
                                         EmitErrorFn emitError);

/// The integer `value` (of its own width) with the swizzle applied.
mlir::Value emitSwizzle(mlir::OpBuilder &builder, mlir::Location loc,
                        SwizzleAttr swizzle, mlir::Value value);

/// The LLVM pointer `pointer` with the swizzle of `type` applied.
mlir::Value emitSwizzledAddress(mlir::OpBuilder &builder, mlir::Location loc,
                                PointerType type, mlir::Value pointer);

/// Loads `resultType` (a storage type) through the LLVM pointer `pointer`.
mlir::FailureOr<mlir::Value>
emitLoad(mlir::OpBuilder &builder, mlir::Location loc, PointerType type,
         mlir::Value pointer, mlir::Type resultType, EmitErrorFn emitError);

/// Stores `value` through the LLVM pointer `pointer`.
llvm::LogicalResult emitStore(mlir::OpBuilder &builder, mlir::Location loc,
                              PointerType type, mlir::Value pointer,
                              mlir::Value value, EmitErrorFn emitError);

/// Checks that the elements of `memref` lie one after the other, so that they
/// can be moved as one value.
llvm::LogicalResult verifyContiguous(MemRefType memref, llvm::StringRef what,
                                     EmitErrorFn emitError);

/// Checks that an atomic update of `value`, a number or a vector of numbers, is
/// one of the elements of `memref`: the same float, or integers.
llvm::LogicalResult verifyAtomicElement(MemRefType memref, mlir::Type value,
                                        EmitErrorFn emitError);

/// The register type of the whole of a contiguous memref: its element, or a
/// vector of its elements, as storage type. Error if its size is unknown.
mlir::FailureOr<mlir::Type>
getValueType(MemRefType memref, llvm::StringRef what, EmitErrorFn emitError);

} // namespace fly

#endif // FLY_CONVERSION_FLYTOLLVM_MEMORYACCESS_H
