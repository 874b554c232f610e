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

class FlyROCDL_MakeTiledTdmAtomOp<string mnemonic>
    : Op<FlyROCDL_Dialect, mnemonic, [
        Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let arguments = (ins AnyType:$tensor, AnyType:$ldsLayout, AnyType:$tiler,
                       DefaultValuedAttr<I32Attr, "1">:$numWarps,
                       DefaultValuedAttr<BoolAttr, "true">:$initBoundaryCheck,
                       DefaultValuedAttr<I32Attr, "0">:$cacheModifier,
                       DefaultValuedAttr<BoolAttr, "false">:$atomicBarrier,
                       OptionalAttr<TypeAttr>:$internalType);
  let results = (outs AnyType:$atom, AnyType:$coordTensor);
  let assemblyFormat = [{
    $tensor `,` $ldsLayout `,` $tiler attr-dict `:` type($tensor) `,`
    type($ldsLayout) `,` type($tiler)
  }];
}

def FlyROCDL_MakeTiledTdmLoadAtomOp
    : FlyROCDL_MakeTiledTdmAtomOp<"make_tiled_tdm_load_atom"> {
  let summary = "tensor load of tiles of a tensor, and its coordinates";
  let description = [{
    Finds the descriptor with which `numWarps` waves copy the tiles that
    `tiler` cuts from `tensor` into shared memory of the layout `ldsLayout`:
    the shared tile is walked by address, modes of the tensor that follow each
    other in both memories become one dimension of the descriptor, and one
    constant skip of the walk becomes padding. Yields a copy atom of
    `cdna5.tensor_load` for one wave's part and a coordinate tensor of the
    tensor's shape, whose dimension 0 is the contiguous one.
    `initBoundaryCheck` says whether the copy is clipped at the tensor's ends.
    `fly-rocdl-expand-ops` lowers the op. What cannot be one descriptor is an
    error that says why.

    ```mlir
    func.func @f(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
      %l = fly.static : !fly.layout<(128,64):(64,1)>
      %b = fly.static : !fly.tile<[128|64]>
      %atom, %ct = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {numWarps = 2 : i32}
        : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
      return
    }
    ```
  }];
}

def FlyROCDL_MakeTiledTdmStoreAtomOp
    : FlyROCDL_MakeTiledTdmAtomOp<"make_tiled_tdm_store_atom"> {
  let summary = "tensor store of tiles of a tensor, and its coordinates";
  let description = [{
    As `make_tiled_tdm_load_atom`, for copies from shared to global memory
    (`cdna5.tensor_store`). The shared tile must have no padding.

    ```mlir
    func.func @f(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
      %l = fly.static : !fly.layout<(128,64):(64,1)>
      %b = fly.static : !fly.tile<[128|64]>
      %atom, %ct = fly_rocdl.make_tiled_tdm_store_atom %t, %l, %b
        : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
      return
    }
    ```
  }];
}

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDLOPS_TD
