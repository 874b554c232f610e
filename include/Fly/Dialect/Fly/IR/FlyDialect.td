// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definition of the `fly` dialect itself: its name, its C++ namespace and
// what it loads.  Attributes, types, interfaces and operations have files of
// their own.

#ifndef FLY_DIALECT_FLY_IR_FLYDIALECT_TD
#define FLY_DIALECT_FLY_IR_FLYDIALECT_TD

include "mlir/IR/DialectBase.td"

def Fly_Dialect : Dialect {
  let name = "fly";
  let cppNamespace = "::fly";
  let summary = "Layouts, tensors and atoms for AMD GPU kernels";
  let description = [{
    The `fly` dialect describes a kernel's data by *layouts* (functions from
    coordinates to indices) and its work by *atoms* (one copy or one
    multiply-accumulate of a group of threads).  Every layout is part of a
    type, so the compiler computes on it; leaves that are known only at run
    time are written `?`.
  }];

  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  // The folders of `get_scalar`, `get_leaves` and the comparisons give integer
  // constants.
  let dependentDialects = ["::mlir::arith::ArithDialect"];

  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOperations();
  }];
}

#endif // FLY_DIALECT_FLY_IR_FLYDIALECT_TD
