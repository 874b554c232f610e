// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fly_rocdl` dialect class and its attributes, without the atom types.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDLDIALECT_H
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDLDIALECT_H

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLTarget.h"

#include "mlir/IR/Dialect.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h.inc"

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDLDIALECT_H
