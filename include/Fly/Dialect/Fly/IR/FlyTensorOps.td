// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on tensors: an iterator (pointer or coordinate) seen through a
// layout.

#ifndef FLY_DIALECT_FLY_IR_FLYTENSOROPS_TD
#define FLY_DIALECT_FLY_IR_FLYTENSOROPS_TD

include "Fly/Dialect/Fly/IR/FlyOpBase.td"

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

def Fly_MakeViewOp : Fly_AlgebraOp<"make_view"> {
  let summary = "tensor from iterator and layout";
  let description = [{
    A pointer gives a memref of the pointer's element type, address space,
    alignment and swizzle; an int tuple gives a coordinate tensor with that
    base. Element c is at `iter + crd2idx(c, layout)`.

    Preconditions:
    * make_view_c1: the layout of a memref gives integers, no coordinates

    ```mlir
    %b = fly.static : !fly.int_tuple<(0,4)>
    %l = fly.static : !fly.layout<(6,5):(1E0,1E1)>
    %v = fly.make_view(%b, %l) : (!fly.int_tuple<(0,4)>, !fly.layout<(6,5):(1E0,1E1)>) -> !fly.coord_tensor<(0,4), (6,5):(1E0,1E1)>
    ```
  }];
  let arguments = (ins Fly_IteratorLike:$iter, Fly_NarrowLayout:$layout);
  let results = (outs Fly_TensorLike:$result);
}

def Fly_MakeFragmentLikeOp : Fly_InferredOp<"make_fragment_like"> {
  let summary = "new register tensor in the shape of another";
  let description = [{
    Register memory with the layout of `make_fragment_layout_like`, trivial
    alignment and no swizzle. The element type is `dtype`, else the memref's.

    Preconditions:
    * make_fragment_like_c1: the shape is static
    * make_fragment_like_c2: without `dtype` the input is a memref
    * make_fragment_like_c3: `dtype` is an integer or float type

    ```mlir
    %l = fly.static : !fly.layout<(6,5):(10,2)>
    %f = fly.make_fragment_like(%l, bf16) : (!fly.layout<(6,5):(10,2)>) -> !fly.memref<bf16, register, (6,5):(1,6)>
    ```
  }];
  let arguments = (ins Fly_LayoutOrTensor:$src, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Res<Fly_AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    `(` $src (`,` $dtype^)? `)` attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Extractors
//===----------------------------------------------------------------------===//

def Fly_GetLayoutOp : Fly_AlgebraOp<"get_layout"> {
  let summary = "layout of a tensor";
  let description = [{
    The layout that the tensor's iterator is seen through.

    ```mlir
    %t = fly.static : !fly.coord_tensor<0, 6:2>
    %l = fly.get_layout(%t) : (!fly.coord_tensor<0, 6:2>) -> !fly.layout<6:2>
    ```
  }];
  let arguments = (ins Fly_TensorLike:$tensor);
  let results = (outs Fly_NarrowLayout:$result);
}

def Fly_GetIterOp : Fly_AlgebraOp<"get_iter"> {
  let summary = "iterator of a tensor";
  let description = [{
    The pointer of a memref, the base of a coordinate tensor.

    ```mlir
    %t = fly.static : !fly.coord_tensor<(0,4), (6,5):(1E0,1E1)>
    %b = fly.get_iter(%t) : (!fly.coord_tensor<(0,4), (6,5):(1E0,1E1)>) -> !fly.int_tuple<(0,4)>
    ```
  }];
  let arguments = (ins Fly_TensorLike:$tensor);
  let results = (outs Fly_IteratorLike:$result);
}

def Fly_DecompositionOp : Fly_AlgebraOp<"decomposition"> {
  let summary = "plain tensor at the origin of a composed one";
  let description = [{
    A tensor with a plain layout stays. Of a composed layout the linear part
    remains, and the composed layout's value at the origin moves the iterator:
    a memref's pointer (and its alignment), a coordinate tensor's base. The
    result names the same elements where the inner map is linear over the
    linear part's image, as it is over the values of one atom.

    Preconditions:
    * element_offset_c1: the value at the origin is an integer for a memref

    ```mlir
    %t = fly.static : !fly.coord_tensor<0, 64:3 o 4 o (6,5):(5,1)>
    %d = fly.decomposition(%t) : (!fly.coord_tensor<0, 64:3 o 4 o (6,5):(5,1)>) -> !fly.coord_tensor<12, (6,5):(5,1)>
    ```
  }];
  let arguments = (ins Fly_TensorLike:$input);
  let results = (outs Fly_TensorLike:$result);
}

#endif // FLY_DIALECT_FLY_IR_FLYTENSOROPS_TD
