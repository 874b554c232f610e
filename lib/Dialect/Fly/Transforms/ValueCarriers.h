// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values of the dialect's types travel across boundaries: the types that
// carry their run-time part, and the ops that pack and unpack it. Private to
// the signature pass.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_VALUECARRIERS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_VALUECARRIERS_H

#include "mlir/IR/Builders.h"

namespace fly {

/// Appends the types that carry a value of `type`: none for a static type, one
/// packed struct for what has run-time leaves, pointer and layout struct for a
/// memref, the type itself for everything else.
void getCarrierTypes(mlir::Type type, llvm::SmallVectorImpl<mlir::Type> &types);

/// Rebuilds the value of `type` from its `carriers`.
mlir::Value unpackValue(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Type type, mlir::ValueRange carriers);

/// The carriers of `value`, in the order of `getCarrierTypes`.
llvm::SmallVector<mlir::Value> packValue(mlir::OpBuilder &builder,
                                         mlir::Location loc, mlir::Value value);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_VALUECARRIERS_H
