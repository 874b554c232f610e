// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the fly dialect: from fly to fly, arith, scf and vector. They
// stand in the order in which a pipeline runs them. `fly-layout-lowering` and
// `fly-promote-regmem-to-vectorssa` are pipelines over passes of this file
// (Transforms/Passes.h).

#ifndef FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
#define FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Function boundaries and normal form
//===----------------------------------------------------------------------===//

def FlyRecordSignaturePass : Pass<"fly-record-signature"> {
  let summary = "Keep the public signature of host functions in an attribute";
  let description = [{
    Sets `fly.signature`, an array with the type of each argument in order, on
    every `func.func` that has a body and stands outside of a GPU module. A
    function that carries the attribute already keeps it, so the pass may run
    again at any later stage. Nothing else changes.

    ```mlir
    func.func @f(%a: !fly.memref<f32, global, 8:1>, %n: i32) { return }
    // becomes
    func.func @f(%a: !fly.memref<f32, global, 8:1>, %n: i32) attributes {
      fly.signature = [!fly.memref<f32, global, 8:1>, i32]} { return }
    ```
  }];
  let dependentDialects = ["FlyDialect"];
}

def FlyRewriteFuncSignaturePass : Pass<"fly-rewrite-func-signature"> {
  let summary = "Replace DSL types at function and control-flow boundaries";
  let description = [{
    Input: any verified module. Output: no layout, int tuple, composed layout,
    coordinate tensor, memref or static value crosses a function, call, return,
    launch, branch or structured-control-flow boundary. A static type has no
    carrier; an int tuple, layout, composed layout or coordinate tensor travels
    as a packed LLVM struct of its run-time leaves; a memref as its pointer and,
    if its layout has run-time leaves, that layout's struct.

    Values are rebuilt where they enter (`llvm.extractvalue`, `fly.make_*`,
    `fly.static`) and packed behind their definition (`fly.get`,
    `fly.get_scalar`, `llvm.insertvalue`). Ops between the boundaries are left
    alone.
  }];
  let dependentDialects = [
    "FlyDialect", "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::scf::SCFDialect"
  ];
}

def FlyCanonicalizePass : Pass<"fly-canonicalize"> {
  let summary = "Bring static values and constructors into normal form";
  let description = [{
    `make_shape`, `make_stride` and `make_coord` become `make_int_tuple`. An op
    without side effects whose one result has a static type is replaced by the
    constructors of that value. Block arguments and ops with side effects are
    left alone. Ops that became dead are removed.
  }];
  let dependentDialects = ["FlyDialect"];
}

//===----------------------------------------------------------------------===//
// Parts of fly-layout-lowering
//===----------------------------------------------------------------------===//

def FlyExpandCopyGemmPass : Pass<"fly-expand-copy-gemm"> {
  let summary = "Expand fly.copy and fly.gemm into atom calls";
  let description = [{
    Every `fly.copy` becomes the `fly.copy_atom_call`s of its rest modes in
    ascending order, every `fly.gemm` the `fly.mma_atom_call`s of its (M, N, K)
    iterations in the op's traversal order. The parts are taken with
    `fly.group`, `fly.get`, `fly.slice` and `fly.decomposition`, which
    `fly-lower-algebra` lowers.

    Errors (at the op): `copy_c1` ranks, `copy_c3` extents that differ or are
    known at run time only, `copy_c5` rank of the predicate, `copy_c6` too many
    calls, `copy_c7` more than one predicate for an atom, `copy_c8` values that a
    swizzle tears apart, `copy_c9` values of a universal copy that are not
    consecutive; `gemm_c2` ranks,
    `gemm_c3` extents, `gemm_c4` traversal layout, `gemm_c5` composed layout,
    `gemm_c6` too many calls.
  }];
  let dependentDialects = ["FlyDialect"];
}

def FlyLowerMemoryOpsPass : Pass<"fly-lower-memory-ops"> {
  let summary = "Lower memref accesses to pointer accesses";
  let description = [{
    `memref.load`, `memref.store`, `memref.load_vec` and `memref.store_vec`
    become `fly.ptr.load` and `fly.ptr.store` of the addressed parts, with
    `fly.get_iter`, `fly.crd2idx` and `fly.add_offset` for the address and
    vector ops for the order of the elements; `memref.alloca` and the fragment
    constructors become `fly.make_ptr` with `allocSize` and a view. With negative
    strides index 0 lies behind the elements that the layout reaches below it,
    rounded up so that the pointer to index 0 keeps its alignment: `4:-1` of f32
    begins 3 elements into its memory of 4. Coordinate tensors give `fly.int_tuple_add` of the base and the offset. `fly-lower-algebra`
    lowers what this pass creates.

    Errors (at the op): `alloca_c1` run-time or composed layout, `alloca_c2`
    address space, `load_vec_c1` too many accesses.
  }];
  let dependentDialects = [
    "FlyDialect", "mlir::arith::ArithDialect", "mlir::vector::VectorDialect"
  ];
}

def FlyLowerPrintPass : Pass<"fly-lower-print"> {
  let summary = "Lower fly.print to gpu.printf or vector.print";
  let description = [{
    In a `gpu.func` a `fly.print` becomes one `gpu.printf`, elsewhere a sequence
    of `vector.print`. Run-time leaves of tuples and layouts are read with
    `fly.get_leaves`, which `fly-lower-algebra` lowers.
  }];
  let dependentDialects = [
    "FlyDialect", "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
    "mlir::vector::VectorDialect"
  ];
}

def FlyInsertRuntimeChecksPass : Pass<"fly-insert-runtime-checks"> {
  let summary = "Assert what only run-time values can break";
  let description = [{
    Inserts a `cf.assert` for each promise about run-time values that the result
    of an op relies on, in front of the op and at its location. The message
    names the op, the condition and the precondition's label:

    * a run-time leaf `?{div=n}` is a multiple of n (`divisibility`), where a
      tuple is made and where a value comes in from outside of the dialect;
    * run-time extents are not negative (`layout_c3`);
    * no run-time divisor is 0 (`div_c1`), no quotient, sum, difference or
      product leaves the width of its type (`int_overflow`);
    * an index is in the image of the layout (`idx2crd_c4`);
    * the preconditions of the ops that name run-time values: `composition_c1`,
      `complement_c3`, `left_inverse_c2`, `recast_c3`, `recast_c4`, `cosize_c2`,
      `shape_div_c1`, `tiled_mma_c2`.

    The conditions are those that the algebra states where it relies on them
    (`Fly/Layout/Requirements.h`). Input and output are any verified IR; ops are
    only added. To see addresses, run it behind `fly-lower-memory-ops` and before
    `fly-lower-algebra`, as `fly-layout-lowering` does with `runtime-checks`.
    An op whose result is static although its operands are not, as the quotient of
    0 and a run-time number, is folded by `fly-canonicalize` and the stock
    `-canonicalize`, and its promise goes with it. `static-results` checks these
    ops alone; the pipelines `fly-to-*` run it before `fly-canonicalize`. Behind a
    stock `-canonicalize` of your own nothing is left of them to check.

    The CPU target reports a failed assertion of a kernel with its place and stops,
    AMD code traps with `trap-on-assert` of the pipelines and does not check
    otherwise.

    ```mlir
    %r = fly.int_tuple_mod(%a, %b) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
    // becomes, with the leaves %x of %a and %y of %b,
    %zero = arith.constant 0 : i32
    %holds = arith.cmpi ne, %y, %zero : i32
    cf.assert %holds, "'fly.int_tuple_mod' requires that the divisor ? is not 0 [div_c1]"
    %r = fly.int_tuple_mod(%a, %b) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
    ```
  }];
  let dependentDialects = [
    "FlyDialect", "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect"
  ];
  let options = [
    Option<"staticResults", "static-results", "bool", "false",
           "Only ops whose results are static, which canonicalisation removes">
  ];
}

def FlyLowerAlgebraPass : Pass<"fly-lower-algebra"> {
  let summary = "Replace the layout algebra by integer arithmetic";
  let description = [{
    Walks the IR once in program order. Every op that implements
    `AlgebraOpInterface` is evaluated on the values of its operands, by the same
    function that inferred its result types; the run-time leaves of the result
    become arith ops and the result is rebuilt as `make_int_tuple`,
    `make_layout`, `make_composed_layout` or `make_view`.

    Leaves of values of unknown origin (block arguments, results of other
    dialects' ops) are read with `fly.get_leaves`, `fly.get_layout` and
    `fly.get_iter`, which then stay.
  }];
  let dependentDialects = ["FlyDialect", "mlir::arith::ArithDialect"];
}

def FlyMergeOffsetsPass : Pass<"fly-merge-offsets"> {
  let summary = "Merge chains of add_offset on one pointer";
  let description = [{
    Leaves at most one run-time link, followed by one static link. Two links of
    one kind become one with the sum; a static link below a run-time one changes
    places with it if it has no other use; a run-time and a static offset are
    never summed. The sum of two run-time offsets in global memory is computed
    in 64 bits unless the arithmetic behind both shows that it fits into 32; in
    the other memories offsets count in 32 bits, where a sum that wraps is the
    same place. Links whose sum would change the type of the result (a better
    alignment) stay.
  }];
  let dependentDialects = ["FlyDialect", "mlir::arith::ArithDialect"];
}

def FlyFoldPass : Pass<"fly-fold"> {
  let summary = "Fold integer arithmetic and remove dead ops, without patterns";
  let description = [{
    Runs the folders of the ops of other dialects and removes dead ops. The
    constructors of this dialect stay as they are, no canonicalisation pattern
    is applied and no block is merged.
  }];
}

//===----------------------------------------------------------------------===//
// After layout lowering
//===----------------------------------------------------------------------===//

def FlyIntSwizzleSimplifyPass : Pass<"fly-int-swizzle-simplify"> {
  let summary = "Move terms that a swizzle does not touch out of it";
  let description = [{
    In a `gpu.func`, `x ^ ((x & mask) >> shift)` of a sum is rewritten to the
    swizzle of the terms below the swizzle's period, plus the terms that are a
    multiple of the period. The old `andi` and `shrui` are left to a later
    clean-up.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def FlyConvertAtomCallToSSAFormPass
    : Pass<"fly-convert-atom-call-to-ssa-form"> {
  let summary = "Pass register operands of atom calls as SSA values";
  let description = [{
    `copy_atom_call` and `mma_atom_call` with contiguous register operands
    become their SSA forms: register sources are read with `ptr.load` before the
    call, register results written with `ptr.store` behind it. A copy with only its
    predicate in registers is converted, too; other calls stay.
    A view whose pointer cannot be seen (a block argument) is read through
    `fly.get_iter`.
  }];
  let dependentDialects = ["FlyDialect"];
}

def FlyPromoteRegistersPass : Pass<"fly-promote-registers"> {
  let summary = "Turn register allocations into SSA vectors";
  let description = [{
    Works on each `gpu.func`. Each `make_ptr` of register space with `allocSize`
    becomes one vector value that is threaded through `scf.for`, `scf.while` and
    `scf.if`. An allocation under a used `recast_iter` or a run-time offset, or of
    more than the 512 registers of 32 bits that a lane has at most, stays in
    memory. Needs `fly-convert-atom-call-to-ssa-form` before it.

    Errors: `unsupported region op with register values during rmem SSA`;
    `register operand/result remain after rmem SSA promotion` and
    `register block arguments remain after rmem SSA promotion` if every
    allocation was promoted; an access outside of its allocation.
  }];
  let dependentDialects = [
    "mlir::scf::SCFDialect", "mlir::ub::UBDialect",
    "mlir::vector::VectorDialect"
  ];
}

#endif // FLY_DIALECT_FLY_TRANSFORMS_PASSES_TD
