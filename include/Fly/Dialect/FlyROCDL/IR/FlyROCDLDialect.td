// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definition of the `fly_rocdl` dialect itself.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDLDIALECT_TD
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDLDIALECT_TD

include "mlir/IR/DialectBase.td"

def FlyROCDL_Dialect : Dialect {
  let name = "fly_rocdl";
  let cppNamespace = "::fly::rocdl";
  let summary = "AMD atoms, buffer pointers and targets for the fly dialect";
  let description = [{
    The types of this dialect say what an AMD instruction does as an atom of the
    `fly` dialect: its shape, its element types, which lane holds which
    element, its run-time state and the chip feature it needs. How an atom is
    emitted is no part of the dialect: `convert-fly-to-rocdl` does that.
    The shapes and lane maps come from the instruction table of room `Arch`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDLDIALECT_TD
