// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffer pointers after conversion: a resource and an offset in elements.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_BUFFER_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_BUFFER_H

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"
#include "Fly/Conversion/FlyToLLVM/Patterns.h"

namespace fly::rocdl {

/// !llvm.struct<(ptr<8>, i32)>: resource, offset in elements.
mlir::Type getBufferType(mlir::MLIRContext *context);

/// True if `value` is a converted buffer pointer.
bool isBuffer(mlir::Value value);

/// A buffer pointer from its parts.
mlir::Value packBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value resource, mlir::Value offset);

/// The resource, `!llvm.ptr<8>`.
mlir::Value getResource(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value buffer);

/// The offset in elements, i32.
mlir::Value getElementOffset(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value buffer);

/// `elements` (i32) of `elementType` in bytes.
mlir::Value scaleToBytes(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type elementType, mlir::Value elements);

/// The byte offset of a buffer pointer of `type`, its swizzle applied.
mlir::Value getByteOffset(mlir::OpBuilder &builder, mlir::Location loc,
                          PointerType type, mlir::Value buffer);

/// An i32 constant.
mlir::Value i32Constant(mlir::OpBuilder &builder, mlir::Location loc,
                        int32_t value);

/// Patterns of pointers in the space of buffers.
void populateBufferPatterns(const mlir::TypeConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            ConversionErrors &errors);

} // namespace fly::rocdl

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_BUFFER_H
