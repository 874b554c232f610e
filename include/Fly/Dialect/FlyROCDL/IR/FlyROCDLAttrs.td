// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the `fly_rocdl` dialect: the address space of buffer pointers
// and the target that runs a kernel on the CPU.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDLATTRS_TD
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDLATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.td"

def FlyROCDL_BufferDescAttr : AttrDef<FlyROCDL_Dialect, "BufferDesc"> {
  let mnemonic = "buffer_desc";
  let summary = "address space of buffer pointers";
  let description = [{
    A pointer in this space is a buffer resource (128-bit descriptor) plus an
    offset in elements. It stands wherever a `fly` pointer or memref takes an
    address space: `!fly.ptr<f32, #fly_rocdl.buffer_desc>`.
  }];
}

def FlyROCDL_CPUTargetAttr : AttrDef<FlyROCDL_Dialect, "CPUTarget"> {
  let mnemonic = "cpu";
  let summary = "GPU target: the CPU, running code lowered for an AMD chip";
  let description = [{
    A `gpu.module` with this target is compiled for the host and run lane for
    lane and wave for wave as the chip would run it: wave size, LDS and matrix
    instructions are those of `chip`. Example: `#fly_rocdl.cpu<chip = "gfx942">`.
  }];
  let parameters = (ins StringRefParameter<"AMD chip whose code runs">:$chip);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDLATTRS_TD
