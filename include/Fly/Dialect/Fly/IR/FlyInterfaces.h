// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type interfaces of the `fly` dialect: the descriptions of copy and matrix
// atoms, and types with exactly one value.

#ifndef FLY_DIALECT_FLY_IR_FLYINTERFACES_H
#define FLY_DIALECT_FLY_IR_FLYINTERFACES_H

#include "Fly/Layout/Layout.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace fly {

/// One run-time field of an atom value.
struct AtomStateField {
  /// The name that `fly.atom.set_value` uses.
  llvm::StringRef name;
  /// The type of the value.
  mlir::Type type;
};

/// Creates the normal form of the one value of the static `type`; see
/// MayBeStaticTypeInterface::rebuildStaticValue, whose default this is. Knows
/// the dialect's own types and, by their interfaces, every atom operation.
mlir::Value rebuildStaticValueOf(mlir::Type type, mlir::OpBuilder &builder,
                                 mlir::Location loc, mlir::Value current);

} // namespace fly

#include "Fly/Dialect/Fly/IR/FlyTypeInterfaces.h.inc"

#endif // FLY_DIALECT_FLY_IR_FLYINTERFACES_H
