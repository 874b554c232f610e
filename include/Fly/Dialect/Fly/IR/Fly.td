// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole dialect: attributes, types, interfaces and operations. The reference
// (`ninja fly-doc`) is made from this file.

#ifndef FLY_DIALECT_FLY_IR_FLY_TD
#define FLY_DIALECT_FLY_IR_FLY_TD

include "Fly/Dialect/Fly/IR/FlyTypes.td"
include "Fly/Dialect/Fly/IR/FlyOps.td"

#endif // FLY_DIALECT_FLY_IR_FLY_TD
