// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerations and attributes of the `fly` dialect.

#ifndef FLY_DIALECT_FLY_IR_FLYATTRS_H
#define FLY_DIALECT_FLY_IR_FLYATTRS_H

#include "Fly/Dialect/Fly/IR/FlyDialect.h"
#include "Fly/Layout/IntTuple.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

#include "Fly/Dialect/Fly/IR/FlyEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Fly/Dialect/Fly/IR/FlyAttrs.h.inc"

namespace fly {

/// The deepest nesting of a tuple, tile or composed layout that text and types
/// may have. Deeper ones are refused, so that no walk can exhaust the stack.
constexpr int32_t kMaxNesting = layout::maxDepth;

/// The largest mode index of a basis element: adding two basis elements spells
/// out the modes before them.
constexpr int32_t kMaxBasisMode = layout::maxRank - 1;

/// The plain layout of a LayoutAttr or a ComposedLayoutAttr (its linear part).
LayoutAttr getLinearLayout(mlir::Attribute layout);

/// True if `layout` is a LayoutAttr or a ComposedLayoutAttr.
bool isNarrowLayout(mlir::Attribute layout);

/// True if `layout` (a LayoutAttr or a ComposedLayoutAttr) has no run-time
/// leaf.
bool isStaticLayout(mlir::Attribute layout);

/// Mode `index` of a LayoutAttr or a ComposedLayoutAttr.
mlir::Attribute getLayoutMode(mlir::Attribute layout, int32_t index);

/// Writes the body of a structural attribute (all but enums) as
/// it stands inside types: `(4,8):(1,4)`.
void printBody(llvm::raw_ostream &os, mlir::Attribute attr);

/// The same as text, for diagnostics.
std::string bodyToString(mlir::Attribute attr);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_FLYATTRS_H
