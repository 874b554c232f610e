// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of the descriptor that a tensor copy of gfx1250 takes.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_TENSORDESCRIPTOR_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_TENSORDESCRIPTOR_H

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"

namespace fly::rocdl {

/// What a descriptor says. Dimensions are ordered innermost first.
struct TensorDescriptor {
  int64_t elementBits;
  mlir::Value ldsAddress;    ///< bytes, i32
  mlir::Value globalAddress; ///< bytes, i64
  mlir::Value workgroupMask; ///< i32; null without
  /// Ends of the tensor from the tile's start, i32.
  llvm::SmallVector<mlir::Value, 5> tensorDims;
  /// Elements of the tile, 1 to 65535.
  llvm::SmallVector<int64_t, 5> tileDims;
  /// Elements, i64, of dimensions 1 and on.
  llvm::SmallVector<mlir::Value, 4> strides;
  int64_t padInterval = 0, padAmount = 0; ///< elements
  bool atomicBarrier = false;
  bool earlyTimeout = false;
  mlir::Value earlyTimeoutFlag; ///< i32, 0 or 1; null without
  mlir::Value barrierAddress;   ///< bytes, i32; null without
  int64_t iterCount = 1;
  mlir::Value iterStride; ///< elements, i64; with iterCount > 1
};

/// The constant part of word 0 of group 1: element size, flags and padding.
/// Error if the padding cannot be encoded; `prefix` begins the message.
mlir::FailureOr<int32_t> encodeConfig(const TensorDescriptor &descriptor,
                                      llvm::StringRef prefix,
                                      EmitErrorFn emitError);

/// Error if `value` is a constant that the descriptor has no bits for; `field`
/// is the name of the state field that is set to it.
mlir::LogicalResult verifyFieldConstant(llvm::StringRef field,
                                        mlir::Value value,
                                        EmitErrorFn emitError);

/// Emits the four groups of words and the copy `op` ("rocdl.tensor.…").
void emitTensorCopy(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::StringRef op, const TensorDescriptor &descriptor,
                    int32_t config, int32_t cachePolicy);

} // namespace fly::rocdl

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_TENSORDESCRIPTOR_H
