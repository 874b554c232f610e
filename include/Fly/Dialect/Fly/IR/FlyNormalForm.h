// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The normal form of values: tuples from `make_int_tuple`, layouts from
// `make_layout` and `make_composed_layout` of such, so that every run-time leaf
// of a value is an operand. `fly-canonicalize` makes it; no pass needs it.

#ifndef FLY_DIALECT_FLY_IR_FLYNORMALFORM_H
#define FLY_DIALECT_FLY_IR_FLYNORMALFORM_H

#include "mlir/IR/Value.h"

namespace fly {

/// True for `make_int_tuple` and its synonyms: the operands are the run-time
/// leaves of the result. Null is none of them.
bool isTupleConstructor(mlir::Operation *op);

/// True if the int tuple, layout or composed layout `value` is in normal form:
///  - an int tuple that `make_int_tuple` defines;
///  - a layout that `make_layout` defines from tuples in normal form;
///  - a composed layout that `make_composed_layout` defines from an offset, an
///    outer and an inner in normal form; swizzles always are.
/// Values of other types are not.
bool isNormalForm(mlir::Value value);

/// True if `make_view` defines `value` from a layout in normal form.
bool isWeaklyNormalTensor(mlir::Value value);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_FLYNORMALFORM_H
