// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass that turns lowered kernels into host code.

#ifndef FLY_CONVERSION_ROCDLTOHOST_PASSES_TD
#define FLY_CONVERSION_ROCDLTOHOST_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertROCDLToHostPass
    : Pass<"convert-rocdl-to-host", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turns kernels of LLVM and ROCDL ops into host code";
  let description = [{
    Input: a `gpu.module` of LLVM and ROCDL operations with a CPU target
    (`#fly_rocdl.cpu<chip = "…">`) or the option `chip`. Output: the same module
    in the LLVM dialect for the host, which exports one symbol,
    `fly_cpu_module`: the table of `runtime/include/fly_cpu_abi.h`. Serialise it
    with `fly-module-to-binary` next.

    Each kernel becomes a coroutine that is one lane. At a cross-lane operation
    it stores the operands to its slot and the number of the site to its
    context, suspends, and reads the results from the slot when it is resumed:

    ```mlir
    %0 = rocdl.readfirstlane %x : i32
    // becomes
    %slot = llvm.load %slot_field : !llvm.ptr -> !llvm.ptr
    llvm.store %x, %slot : i32, !llvm.ptr
    llvm.store %site, %site_field : i32, !llvm.ptr
    %state = llvm.intr.coro.save %frame : (!llvm.ptr) -> !llvm.token
    %how = llvm.intr.coro.suspend %state, %false : i8
    llvm.switch %how : i8, ^suspended [0: ^resumed, 1: ^suspended]
    ```

    Sites are numbered in reverse post-order with every loop kept contiguous.
    A loop in which a cross-lane operation does not lie on every way through an
    iteration gets one more site on its back edges.

    Errors, each at the operation: one that the table of operations does not
    know, inline assembly that has an effect, irreducible control flow in a
    kernel, a cross-lane operation outside of a kernel, address spaces 7 and
    above 8, an LDS or private pointer in memory that others can see, a buffer
    cache policy with the swizzle bit, a matrix modifier that is not zero, more
    LDS than the chip has.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "The chip that the module was lowered for, if it has no target">,
    Option<"memoryHooks", "memory-hooks", "bool", /*default=*/"false",
           "Call the runtime's hook before each memory access">,
    Option<"skipConverted", "skip-converted", "bool", /*default=*/"false",
           "Leave a module alone that holds host code already; else it is an error">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // FLY_CONVERSION_ROCDLTOHOST_PASSES_TD
