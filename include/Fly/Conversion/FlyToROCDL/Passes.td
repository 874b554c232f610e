// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from `fly` and `fly_rocdl` to the LLVM and ROCDL dialects.

#ifndef FLY_CONVERSION_FLYTOROCDL_PASSES_TD
#define FLY_CONVERSION_FLYTOROCDL_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyROCDLCheckTargetPass : Pass<"fly-rocdl-check-target"> {
  let summary = "Check that the chip has every atom of a kernel";
  let description = [{
    An atom call, `fly.copy` or `fly.gemm` whose atom needs a feature that the
    chip lacks is an error at the op, with what the chip has for the atom's
    types. The chip is that of the enclosing `gpu.module`'s target
    (`#rocdl.target` or `#fly_rocdl.cpu`), else the option `chip`; without
    either nothing is checked. Changes nothing.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "",
           "chip of modules without a target, such as gfx942">
  ];
}

def ConvertFlyToROCDLPass : Pass<"convert-fly-to-rocdl"> {
  let summary = "Convert fly and fly_rocdl to the LLVM and ROCDL dialects";
  let description = [{
    Input: the output of `fly-layout-lowering` and the passes behind it. Pointers
    and memrefs become LLVM pointers (buffer pointers a struct of resource and
    element offset), atoms the struct of their state, atom calls instructions;
    shared allocations become LDS globals of the `gpu.module`. Functions, calls,
    launches and structured control flow carry the converted types.

    `fly-rocdl-check-target` is part of it, and shared allocations beyond the
    chip's LDS are an error. Dead pure ops of the two dialects are erased; any
    other that is left is an error at its place.

    ```mlir
    %p = fly.add_offset(%q, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<4>) -> !fly.ptr<f32, global, align<16>>
    %x = fly.ptr.load(%p) : (!fly.ptr<f32, global, align<16>>) -> vector<4xf32>
    // becomes
    %c4 = arith.constant 4 : i32
    %p = llvm.getelementptr %q[%c4] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "",
           "chip of modules without a target, such as gfx942">
  ];
  let dependentDialects = [
    "FlyDialect", "rocdl::FlyROCDLDialect", "mlir::arith::ArithDialect",
    "mlir::LLVM::LLVMDialect", "mlir::ROCDL::ROCDLDialect",
    "mlir::scf::SCFDialect", "mlir::vector::VectorDialect"
  ];
}

def FlyROCDLExpandOpsPass : Pass<"fly-rocdl-expand-ops"> {
  let summary = "Expand the constructors of tensor copies";
  let description = [{
    `fly_rocdl.make_tiled_tdm_{load,store}_atom` become `fly.make_copy_atom`
    with base, strides and extents of the descriptor, and a coordinate tensor
    made by `fly.make_view`; `fly.atom.set_value` of "boundary_check", written
    in the tensor's modes, becomes one of "boundary_check_axes", written in the
    descriptor's dimensions. Runs behind `fly-canonicalize` and before
    `fly-layout-lowering`; everything else is left alone.

    ```mlir
    %a, %ct = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
    // becomes
    %p = fly.get_iter(%t) : (!fly.memref<f16, global, (256,512):(512,1)>) -> !fly.ptr<f16, global>
    %s = arith.constant 512 : i64
    %e0 = arith.constant 256 : i32
    %e1 = arith.constant 512 : i32
    %n = fly.make_copy_atom(%p, %s, %e0, %e1 : !fly.ptr<f16, global>, i64, i32, i32) {valBits = 16 : i32} : …
    %a = fly.atom.set_value(%n, "boundary_check_axes", …)
    ```
  }];
  let dependentDialects = [
    "FlyDialect", "rocdl::FlyROCDLDialect", "mlir::arith::ArithDialect"
  ];
}

def FlyROCDLClusterAttrPass : Pass<"fly-rocdl-cluster-attr"> {
  let summary = "Pass the cluster size of kernels on to LLVM";
  let description = [{
    On each `llvm.func` with a string attribute `rocdl.cluster_dims`, such as
    "2,1,1", appends `["amdgpu-cluster-dims", "2,1,1"]` to `passthrough` and
    removes the attribute. Runs behind `convert-gpu-to-rocdl`.
  }];
}

#endif // FLY_CONVERSION_FLYTOROCDL_PASSES_TD
