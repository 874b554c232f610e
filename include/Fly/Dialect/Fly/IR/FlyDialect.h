// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fly` dialect class.

#ifndef FLY_DIALECT_FLY_IR_FLYDIALECT_H
#define FLY_DIALECT_FLY_IR_FLYDIALECT_H

#include "mlir/IR/Dialect.h"

#include "Fly/Dialect/Fly/IR/FlyDialect.h.inc"

#endif // FLY_DIALECT_FLY_IR_FLYDIALECT_H
