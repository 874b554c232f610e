// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the `fly` dialect.

#include "Fly/Dialect/Fly/IR/FlyDialect.h"

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"
#include "Fly/Dialect/Fly/IR/FlyTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "Fly/Dialect/Fly/IR/FlyDialect.cpp.inc"

void fly::FlyDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
}
