// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the `fly_rocdl` dialect.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDLOPS_TD
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDLOPS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.td"

def FlyROCDL_GetBufferRsrcOp : Op<FlyROCDL_Dialect, "get_buffer_rsrc", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "the bare resource of a buffer pointer";
  let description = [{
    Yields the 128-bit descriptor of a pointer in `#fly_rocdl.buffer_desc`; the
    pointer's offset is dropped.

    ```mlir
    %r = fly_rocdl.get_buffer_rsrc(%p)
      : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
    ```
  }];
  let arguments = (ins AnyType:$ptr);
  let results = (outs AnyType:$rsrc);
  let assemblyFormat = [{
    `(` $ptr `)` attr-dict `:` functional-type(operands, results)
  }];
}

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDLOPS_TD
