// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on layouts: constructors, extractors, sizes and evaluation. All
// are pure; each is defined once by its `evaluate`. What makes layouts from
// layouts is in FlyLayoutAlgebraOps.td.

#ifndef FLY_DIALECT_FLY_IR_FLYLAYOUTOPS_TD
#define FLY_DIALECT_FLY_IR_FLYLAYOUTOPS_TD

include "Fly/Dialect/Fly/IR/FlyOpBase.td"

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

def Fly_MakeLayoutOp : Fly_AlgebraOp<"make_layout"> {
  let summary = "layout from shape and stride";
  let description = [{
    The layout `shape : stride`. With both operands in normal form this is the
    normal form of a layout value.

    Preconditions:
    * layout_c1: shape and stride have the same profile
    * layout_c2: no leaf of the shape is a basis element
    * layout_c3: extents are at least 0; run-time ones are asserted by
      `fly-insert-runtime-checks`

    ```mlir
    %a = fly.static : !fly.int_tuple<(6,4)>
    %b = fly.static : !fly.int_tuple<(1,6)>
    %r = fly.make_layout(%a, %b) : (!fly.int_tuple<(6,4)>, !fly.int_tuple<(1,6)>) -> !fly.layout<(6,4):(1,6)>
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$shape, Fly_AnyIntTuple:$stride);
  let results = (outs Fly_AnyLayout:$result);
}

def Fly_MakeLayoutLikeOp : Fly_AlgebraOp<"make_layout_like"> {
  let summary = "packed layout in the order of another's strides";
  let description = [{
    The shape of the input with packed strides that keep the order of its
    strides; modes of stride 0 are counted as size 1.

    Preconditions:
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.layout<(3,5,2):(20,4,1)>
    %r = fly.make_layout_like(%a) : (!fly.layout<(3,5,2):(20,4,1)>) -> !fly.layout<(3,5,2):(10,2,1)>
    ```
  }];
  let arguments = (ins Fly_AnyLayout:$layout);
  let results = (outs Fly_AnyLayout:$result);
}

def Fly_MakeOrderedLayoutOp : Fly_AlgebraOp<"make_ordered_layout"> {
  let summary = "packed layout in a given order";
  let description = [{
    Packed strides over `shape`, the mode with the smallest `order` value first.
    Only the order's type matters: run-time
    order values come after all static ones, leftmost first. A part of the shape
    against one leaf of the order is packed column-major.

    Preconditions:
    * make_ordered_layout_c1: shape and order match in rank down to the order's
      leaves
    * make_ordered_layout_c2: no order leaf is a basis element
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<(3,5,7)>
    %b = fly.static : !fly.int_tuple<(1,2,0)>
    %r = fly.make_ordered_layout(%a, %b) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(1,2,0)>) -> !fly.layout<(3,5,7):(7,21,1)>
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$shape, Fly_AnyIntTuple:$order);
  let results = (outs Fly_AnyLayout:$result);
}

def Fly_MakeIdentityLayoutOp : Fly_AlgebraOp<"make_identity_layout"> {
  let summary = "layout that gives each coordinate itself";
  let description = [{
    Strides are basis elements: the leaf at path p has stride `1Ep`. A leaf
    shape has stride 1.

    Preconditions:
    * layout_c2: no leaf of the shape is a basis element

    ```mlir
    %a = fly.static : !fly.int_tuple<(3,(5,2))>
    %r = fly.make_identity_layout(%a) : (!fly.int_tuple<(3,(5,2))>) -> !fly.layout<(3,(5,2)):(1E0,(1E1E0,1E1E1))>
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$shape);
  let results = (outs Fly_AnyLayout:$result);
}

def Fly_MakeComposedLayoutOp : Fly_AlgebraOp<"make_composed_layout"> {
  let summary = "layout followed by an offset and an inner map";
  let description = [{
    The map `c -> inner(offset + outer(c))`.

    ```mlir
    %s = fly.static : !fly.swizzle<S<2,3,3>>
    %o = fly.static : !fly.int_tuple<0>
    %l = fly.static : !fly.layout<(6,4):(1,6)>
    %r = fly.make_composed_layout(%s, %o, %l) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<0>, !fly.layout<(6,4):(1,6)>) -> !fly.composed_layout<S<2,3,3> o 0 o (6,4):(1,6)>
    ```
  }];
  let arguments = (ins
    Fly_InnerMap:$inner,
    Fly_AnyIntTuple:$offset,
    Fly_NarrowLayout:$outer);
  let results = (outs Fly_AnyComposedLayout:$result);
}

def Fly_MakeFragmentLayoutLikeOp : Fly_AlgebraOp<"make_fragment_layout_like"> {
  let summary = "packed layout for a register fragment";
  let description = [{
    Mode 0 (the values of one atom) is packed first, its stride-0 modes counted
    as size 1; the other modes follow in the order of their strides, run-time
    strides last. The shape is that of the operand, nested modes included.

    Preconditions:
    * make_fragment_layout_like_c1: the shape is static

    ```mlir
    %a = fly.static : !fly.layout<(6,5):(10,2)>
    %r = fly.make_fragment_layout_like(%a) : (!fly.layout<(6,5):(10,2)>) -> !fly.layout<(6,5):(1,6)>
    ```
  }];
  let arguments = (ins Fly_LayoutOrMemRef:$input);
  let results = (outs Fly_AnyLayout:$result);
}

//===----------------------------------------------------------------------===//
// Extractors
//===----------------------------------------------------------------------===//

def Fly_GetShapeOp : Fly_AlgebraOp<"get_shape"> {
  let summary = "shape of a layout or tensor";
  let description = [{
    The shape of the linear part.

    ```mlir
    %a = fly.static : !fly.layout<(6,4):(1,6)>
    %r = fly.get_shape(%a) : (!fly.layout<(6,4):(1,6)>) -> !fly.int_tuple<(6,4)>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$input);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_GetStrideOp : Fly_AlgebraOp<"get_stride"> {
  let summary = "stride of a layout or tensor";
  let description = [{
    The stride of a plain layout.

    Preconditions:
    * get_stride_c1: the layout is not composed

    ```mlir
    %a = fly.static : !fly.layout<(6,4):(1,6)>
    %r = fly.get_stride(%a) : (!fly.layout<(6,4):(1,6)>) -> !fly.int_tuple<(1,6)>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$input);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_ComposedGetInnerOp : Fly_AlgebraOp<"composed_get_inner"> {
  let summary = "inner part of a composed layout";
  let description = [{
    The inner part of `inner o offset o outer`.

    ```mlir
    %a = fly.static : !fly.composed_layout<S<2,3,3> o 4 o (6,4):(1,6)>
    %r = fly.composed_get_inner(%a) : (!fly.composed_layout<S<2,3,3> o 4 o (6,4):(1,6)>) -> !fly.swizzle<S<2,3,3>>
    ```
  }];
  let arguments = (ins Fly_AnyComposedLayout:$input);
  let results = (outs Fly_InnerMap:$result);
}

def Fly_ComposedGetOffsetOp : Fly_AlgebraOp<"composed_get_offset"> {
  let summary = "offset part of a composed layout";
  let description = [{
    The offset part of `inner o offset o outer`.

    ```mlir
    %a = fly.static : !fly.composed_layout<S<2,3,3> o 4 o (6,4):(1,6)>
    %r = fly.composed_get_offset(%a) : (!fly.composed_layout<S<2,3,3> o 4 o (6,4):(1,6)>) -> !fly.int_tuple<4>
    ```
  }];
  let arguments = (ins Fly_AnyComposedLayout:$input);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_ComposedGetOuterOp : Fly_AlgebraOp<"composed_get_outer"> {
  let summary = "outer part of a composed layout";
  let description = [{
    The outer part of `inner o offset o outer`.

    ```mlir
    %a = fly.static : !fly.composed_layout<S<2,3,3> o 4 o (6,4):(1,6)>
    %r = fly.composed_get_outer(%a) : (!fly.composed_layout<S<2,3,3> o 4 o (6,4):(1,6)>) -> !fly.layout<(6,4):(1,6)>
    ```
  }];
  let arguments = (ins Fly_AnyComposedLayout:$input);
  let results = (outs Fly_NarrowLayout:$result);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

def Fly_SizeOp : Fly_AlgebraOp<"size"> {
  let summary = "number of elements";
  let description = [{
    The product of the shape, or of the int tuple itself. 64 bits wide where the
    static extents allow 2^31 or more.

    Preconditions:
    * basis_c1: no leaf is a basis element
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.layout<(3,(2,4)):(1,(3,6))>
    %r = fly.size(%a) : (!fly.layout<(3,(2,4)):(1,(3,6))>) -> !fly.int_tuple<24>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$input);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_CoprofileOp : Fly_AlgebraOp<"coprofile"> {
  let summary = "profile of the codomain";
  let description = [{
    The sum of the strides with every leaf replaced by 0: `0` for integer
    strides, a tuple of zeros for basis strides.

    Preconditions:
    * coprofile_c1: integer and basis strides are not mixed
    * basis_c3: no two basis elements make the same coordinate a number and a
      tuple

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(2E0,1E1E1)>
    %r = fly.coprofile(%a) : (!fly.layout<(3,5):(2E0,1E1E1)>) -> !fly.int_tuple<(0,(0,0))>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$input);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_CoshapeOp : Fly_AlgebraOp<"coshape"> {
  let summary = "extents of the codomain";
  let description = [{
    Per codomain mode, `1 + max - min(0, min)` of the indices that the layout
    reaches; `cosize` is its product. Of a composed layout the inner map and the
    offset count.

    Preconditions:
    * coprofile_c1: integer and basis strides are not mixed
    * basis_c3: no two basis elements make the same coordinate a number and a
      tuple
    * cosize_c1: the range of indices of a composed layout is known: nothing is
      run-time, they are integers, and below anything but one swizzle there are
      at most 2^20 of them
    * cosize_c2: run-time sizes are at least 1 and run-time strides at least 0;
      asserted by `fly-insert-runtime-checks`
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(2E0,1E1E1)>
    %r = fly.coshape(%a) : (!fly.layout<(3,5):(2E0,1E1E1)>) -> !fly.int_tuple<(5,(1,5))>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$input);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_CosizeOp : Fly_AlgebraOp<"cosize"> {
  let summary = "size of the codomain";
  let description = [{
    The number of indices from the smallest to the largest that the layout
    reaches, `1 + max - min(0, min)`.

    Preconditions:
    * coprofile_c1: integer and basis strides are not mixed
    * basis_c3: no two basis elements make the same coordinate a number and a
      tuple
    * cosize_c1: the range of indices of a composed layout is known: nothing is
      run-time, they are integers, and below anything but one swizzle there are
      at most 2^20 of them
    * cosize_c2: run-time sizes are at least 1 and run-time strides at least 0;
      asserted by `fly-insert-runtime-checks`
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(0,2)>
    %r = fly.cosize(%a) : (!fly.layout<(3,5):(0,2)>) -> !fly.int_tuple<9>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$input);
  let results = (outs Fly_AnyIntTuple:$result);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

def Fly_Crd2IdxOp : Fly_AlgebraOp<"crd2idx"> {
  let summary = "index of a coordinate";
  let description = [{
    The index that the layout or swizzle gives to `coord`. A tuple goes mode by
    mode, summing; a leaf against a tuple of
    modes is unfolded column-major, the last mode unbounded; `*` counts as 0. A
    composed layout gives
    `inner(offset + outer(c))`.

    Preconditions:
    * crd2idx_c1: a tuple coordinate has the rank of the shape against it,
      recursively
    * crd2idx_c2: the coordinate is an integer where the shape has a leaf
    * basis_c3: no two basis elements make the same coordinate a number and a
      tuple
    * coord_swizzle_c2: a coordinate swizzle finds integers at its paths
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<(2,4)>
    %b = fly.static : !fly.layout<(3,5):(7,2)>
    %r = fly.crd2idx(%a, %b) : (!fly.int_tuple<(2,4)>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<22>
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$coord, Fly_IndexMap:$layout);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_Idx2CrdOp : Fly_AlgebraOp<"idx2crd"> {
  let summary = "coordinate of an index";
  let description = [{
    Leaf by leaf `(index / stride) % shape`, 0 where the shape is 1. The
    coordinate of every index in the layout's image.

    Preconditions:
    * idx2crd_c1: a tuple index has the rank of the shape
    * idx2crd_c2: no stride is a basis element
    * idx2crd_c3: for a run-time index, in the order of their strides each mode
      lies above the ones before it, or the layout has a left inverse; a static
      index is found within 2^20 steps
    * idx2crd_c4: the index is in the image of the layout; not refused, but
      asserted by `fly-insert-runtime-checks`

    ```mlir
    %a = fly.static : !fly.int_tuple<23>
    %b = fly.static : !fly.layout<(3,5):(1,6)>
    %r = fly.idx2crd(%a, %b) : (!fly.int_tuple<23>, !fly.layout<(3,5):(1,6)>) -> !fly.int_tuple<(2,3)>
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$index, Fly_AnyLayout:$layout);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_GetFlatCoordOp : Fly_AlgebraOp<"get_flat_coord"> {
  let summary = "coordinate of an index, one integer per mode";
  let description = [{
    The coordinate of `index` with each top-level mode counted column-major.

    Preconditions:
    * idx2crd_c1: a tuple index has the rank of the shape
    * idx2crd_c2: no stride is a basis element
    * idx2crd_c3: for a run-time index, in the order of their strides each mode
      lies above the ones before it, or the layout has a left inverse; a static
      index is found within 2^20 steps
    * idx2crd_c4: the index is in the image of the layout; not refused, but
      asserted by `fly-insert-runtime-checks`

    ```mlir
    %a = fly.static : !fly.int_tuple<23>
    %b = fly.static : !fly.layout<((3,2),5):((1,3),6)>
    %r = fly.get_flat_coord(%a, %b) : (!fly.int_tuple<23>, !fly.layout<((3,2),5):((1,3),6)>) -> !fly.int_tuple<(5,3)>
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$index, Fly_AnyLayout:$layout);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_Get1DCoordOp : Fly_AlgebraOp<"get_1d_coord"> {
  let summary = "column-major position of an index";
  let description = [{
    The coordinate of `index` counted column-major through the whole shape.

    Preconditions:
    * idx2crd_c1: a tuple index has the rank of the shape
    * idx2crd_c2: no stride is a basis element
    * idx2crd_c3: for a run-time index, in the order of their strides each mode
      lies above the ones before it, or the layout has a left inverse; a static
      index is found within 2^20 steps
    * idx2crd_c4: the index is in the image of the layout; not refused, but
      asserted by `fly-insert-runtime-checks`

    ```mlir
    %a = fly.static : !fly.int_tuple<23>
    %b = fly.static : !fly.layout<((3,2),5):((15,5),1)>
    %r = fly.get_1d_coord(%a, %b) : (!fly.int_tuple<23>, !fly.layout<((3,2),5):((15,5),1)>) -> !fly.int_tuple<22>
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$index, Fly_AnyLayout:$layout);
  let results = (outs Fly_AnyIntTuple:$result);
}

#endif // FLY_DIALECT_FLY_IR_FLYLAYOUTOPS_TD
