// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All operations of the dialect: the one file that TableGen reads for them.

#ifndef FLY_DIALECT_FLY_IR_FLYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYOPS_TD

include "Fly/Dialect/Fly/IR/FlyTupleOps.td"
include "Fly/Dialect/Fly/IR/FlyLayoutOps.td"
include "Fly/Dialect/Fly/IR/FlyLayoutAlgebraOps.td"
include "Fly/Dialect/Fly/IR/FlyTensorOps.td"
include "Fly/Dialect/Fly/IR/FlyAtomOps.td"
include "Fly/Dialect/Fly/IR/FlyMemoryOps.td"
include "Fly/Dialect/Fly/IR/FlyUtilityOps.td"

#endif // FLY_DIALECT_FLY_IR_FLYOPS_TD
