// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole dialect: attributes, types and operations. The reference
// (`ninja fly-doc`) is made from this file.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDL_TD
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDL_TD

include "Fly/Dialect/FlyROCDL/IR/FlyROCDLAttrs.td"
include "Fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.td"
include "Fly/Dialect/FlyROCDL/IR/FlyROCDLOps.td"

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDL_TD
