// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the `fly` dialect.

#ifndef FLY_DIALECT_FLY_IR_FLYTYPES_H
#define FLY_DIALECT_FLY_IR_FLYTYPES_H

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"
#include "Fly/Dialect/Fly/IR/FlyInterfaces.h"
#include "Fly/Layout/Result.h"

#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "Fly/Dialect/Fly/IR/FlyTypes.h.inc"

namespace fly {

/// The size in bits of an integer or float type; nothing for other types.
std::optional<int64_t> getElementBits(mlir::Type type);

/// True if `type` has exactly one value (see MayBeStaticTypeInterface).
bool isStaticType(mlir::Type type);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_FLYTYPES_H
