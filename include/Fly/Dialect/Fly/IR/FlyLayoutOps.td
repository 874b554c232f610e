// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on layouts: constructors, extractors, sizes, evaluation, and the
// layout algebra. All are pure; each is defined once by its `evaluate`.

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
    as size 1; the other modes follow in the
    order of their strides, run-time strides last.

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
    Per codomain mode, 1 + the distance from the smallest to the largest index
    of the layout.

    Preconditions:
    * coprofile_c1: integer and basis strides are not mixed
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
    * cosize_c1: the range of indices is known: below a swizzle nothing is run-
      time, and there are at most 2^22 indices
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
    * idx2crd_c3: for a run-time index, the modes do not interleave: in the
      order of their strides each mode lies above the ones before it

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
    * idx2crd_c3: for a run-time index, the modes do not interleave: in the
      order of their strides each mode lies above the ones before it

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
    * idx2crd_c3: for a run-time index, the modes do not interleave: in the
      order of their strides each mode lies above the ones before it

    ```mlir
    %a = fly.static : !fly.int_tuple<23>
    %b = fly.static : !fly.layout<((3,2),5):((15,5),1)>
    %r = fly.get_1d_coord(%a, %b) : (!fly.int_tuple<23>, !fly.layout<((3,2),5):((15,5),1)>) -> !fly.int_tuple<22>
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$index, Fly_AnyLayout:$layout);
  let results = (outs Fly_AnyIntTuple:$result);
}

//===----------------------------------------------------------------------===//
// Layout algebra
//===----------------------------------------------------------------------===//

/// The algebra acts on the linear part of a composed layout or tensor; inner
/// maps, offsets, element type, space, alignment, swizzle and base are kept.
class Fly_LayoutUnaryOp<string mnemonic> : Fly_AlgebraOp<mnemonic> {
  let arguments = (ins Fly_NarrowLayout:$layout);
  let results = (outs Fly_NarrowLayout:$result);
}
class Fly_DivideOp<string mnemonic> : Fly_AlgebraOp<mnemonic> {
  let arguments = (ins Fly_LayoutLike:$layout, Fly_LayoutOrTile:$divisor);
  let results = (outs Fly_LayoutLike:$result);
}
class Fly_ProductOp<string mnemonic> : Fly_AlgebraOp<mnemonic> {
  let arguments = (ins Fly_NarrowLayout:$layout, Fly_AnyLayout:$tiler);
  let results = (outs Fly_NarrowLayout:$result);
}

def Fly_CoalesceOp : Fly_AlgebraOp<"coalesce"> {
  let summary = "merge modes without changing the map";
  let description = [{
    Joins neighbouring static modes with `stride[i+1] = shape[i] * stride[i]`
    and drops modes of size 1. With a pattern, mode by mode where the pattern
    has a tuple.

    ```mlir
    %a = fly.static : !fly.layout<(3,(1,5)):(2,(7,6))>
    %r = fly.coalesce(%a) : (!fly.layout<(3,(1,5)):(2,(7,6))>) -> !fly.layout<15:2>
    ```
  }];
  let arguments = (ins
    Fly_LayoutLike:$layout,
    Optional<Fly_AnyIntTuple>:$pattern);
  let results = (outs Fly_LayoutLike:$result);
}

def Fly_CompositionOp : Fly_AlgebraOp<"composition"> {
  let summary = "layout after layout";
  let description = [{
    The layout R over the modes of B with `R(c) = A(B(c))` for every c; the last
    mode of A is unbounded. A tile composes mode by mode, an integer n standing
    for `n:1`, `*` keeping the mode.

    Preconditions:
    * composition_c1: there is a layout over B's modes with that table
    * composition_c2: a basis stride of B names a mode that A has
    * composition_c3: a tile is a list

    ```mlir
    %a = fly.static : !fly.layout<(6,5):(5,1)>
    %b = fly.static : !fly.layout<(3,10):(2,6)>
    %r = fly.composition(%a, %b) : (!fly.layout<(6,5):(5,1)>, !fly.layout<(3,10):(2,6)>) -> !fly.layout<(3,10):(10,1)>
    ```
  }];
  let arguments = (ins Fly_LayoutLike:$layout, Fly_LayoutOrTile:$tiler);
  let results = (outs Fly_LayoutLike:$result);
}

def Fly_ComplementOp : Fly_AlgebraOp<"complement"> {
  let summary = "layout of the gaps";
  let description = [{
    An ordered layout disjoint from the image of L that together with L covers
    the codomain, `codomain_size` or else the cosize of L. Modes of stride 0 are
    dropped first.

    Preconditions:
    * complement_c1: no stride is a basis element
    * complement_c2: of several modes with a run-time stride, each is known to
      continue the others
    * complement_c3: what is left of L is injective, and a layout fills its gaps
    * complement_c4: no stride is negative
    * complement_c5: `codomain_size` is an integer leaf

    ```mlir
    %a = fly.static : !fly.layout<(3,2):(1,6)>
    %r = fly.complement(%a) : (!fly.layout<(3,2):(1,6)>) -> !fly.layout<2:3>
    ```
  }];
  let arguments = (ins
    Fly_NarrowLayout:$layout,
    Optional<Fly_AnyIntTuple>:$codomain_size);
  let results = (outs Fly_NarrowLayout:$result);
}

def Fly_RightInverseOp : Fly_LayoutUnaryOp<"right_inverse"> {
  let summary = "inverse on the contiguous image";
  let description = [{
    The layout R with `L(R(k)) = k` for all k below its size, as large as L's
    image is contiguous from 0.

    Preconditions:
    * right_inverse_c1: no stride is a basis element
    * right_inverse_c2: of a composed layout the inner maps are swizzles,
      offsets are 0, and the swizzles stay within the contiguous run

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %r = fly.right_inverse(%a) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(5,3):(3,1)>
    ```
  }];
}

def Fly_LeftInverseOp : Fly_LayoutUnaryOp<"left_inverse"> {
  let summary = "inverse on the domain";
  let description = [{
    The layout R with `R(L(c)) = c` for all c whose coordinates in modes of
    stride 0 are 0.

    Preconditions:
    * left_inverse_c1: no stride is a basis element
    * left_inverse_c2: L without its modes of stride 0 is injective, and a
      layout inverts it
    * left_inverse_c3: run-time strides are known to continue the others
    * left_inverse_c4: of a composed layout the inner maps are swizzles

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %r = fly.left_inverse(%a) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(5,3):(3,1)>
    ```
  }];
}

def Fly_LogicalDivideOp : Fly_DivideOp<"logical_divide"> {
  let summary = "split each mode into tile and rest";
  let description = [{
    Composition with `(T, complement(T, size L))`: mode 0 runs through a tile,
    mode 1 through the tiles. A list tile acts mode by mode and splits in place.
    Sizes round up; a `*` keeps its mode whole in the tile part; modes past the
    tile's end go whole to the rest.

    Preconditions:
    * divide_c1: the tile has no run-time element
    * divide_c2: the tile has no more elements than the layout has modes
    * composition_c1: the composition exists as a layout over the second
      operand's modes
    * complement_c3: the divisor's complement exists

    ```mlir
    %a = fly.static : !fly.layout<(6,10):(10,1)>
    %b = fly.static : !fly.tile<[3|5]>
    %r = fly.logical_divide(%a, %b) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,2),(5,2)):((10,30),(1,5))>
    ```
  }];
}

def Fly_ZippedDivideOp : Fly_DivideOp<"zipped_divide"> {
  let summary = "tile modes first, rest modes second";
  let description = [{
    `logical_divide` regrouped to `((tile modes), (rest modes))`. Sizes round
    up; a `*` keeps its mode whole in the tile part; modes past the tile's end
    go whole to the rest.

    Preconditions:
    * divide_c1: the tile has no run-time element
    * divide_c2: the tile has no more elements than the layout has modes
    * composition_c1: the composition exists as a layout over the second
      operand's modes
    * complement_c3: the divisor's complement exists

    ```mlir
    %a = fly.static : !fly.layout<(6,10):(10,1)>
    %b = fly.static : !fly.tile<[3|5]>
    %r = fly.zipped_divide(%a, %b) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(2,2)):((10,1),(30,5))>
    ```
  }];
}

def Fly_TiledDivideOp : Fly_DivideOp<"tiled_divide"> {
  let summary = "tile modes grouped, rest modes flat";
  let description = [{
    `logical_divide` regrouped to `((tile modes), rest, rest, ...)`. Sizes round
    up; a `*` keeps its mode whole in the tile part; modes past the tile's end
    go whole to the rest.

    Preconditions:
    * divide_c1: the tile has no run-time element
    * divide_c2: the tile has no more elements than the layout has modes
    * composition_c1: the composition exists as a layout over the second
      operand's modes
    * complement_c3: the divisor's complement exists

    ```mlir
    %a = fly.static : !fly.layout<(6,10):(10,1)>
    %b = fly.static : !fly.tile<[3|5]>
    %r = fly.tiled_divide(%a, %b) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),2,2):((10,1),30,5)>
    ```
  }];
}

def Fly_FlatDivideOp : Fly_DivideOp<"flat_divide"> {
  let summary = "tile and rest modes flat";
  let description = [{
    `logical_divide` regrouped to `(tile, tile, ..., rest, rest, ...)`. Sizes
    round up; a `*` keeps its mode whole in the tile part; modes past the tile's
    end go whole to the rest.

    Preconditions:
    * divide_c1: the tile has no run-time element
    * divide_c2: the tile has no more elements than the layout has modes
    * composition_c1: the composition exists as a layout over the second
      operand's modes
    * complement_c3: the divisor's complement exists

    ```mlir
    %a = fly.static : !fly.layout<(6,10):(10,1)>
    %b = fly.static : !fly.tile<[3|5]>
    %r = fly.flat_divide(%a, %b) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<(3,5,2,2):(10,1,30,5)>
    ```
  }];
}

def Fly_LogicalProductOp : Fly_ProductOp<"logical_product"> {
  let summary = "repeat a layout";
  let description = [{
    `(A, composition(complement(A, size A * cosize T), T))`: mode 0 is A, mode 1
    walks its copies.

    Preconditions:
    * complement_c3: A without its modes of stride 0 is injective, and a layout
      fills its gaps
    * composition_c1: the complement's composition with T exists as a layout

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %b = fly.static : !fly.layout<(2,4):(4,1)>
    %r = fly.logical_product(%a, %b) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),(2,4)):((5,1),(60,15))>
    ```
  }];
}

def Fly_ZippedProductOp : Fly_ProductOp<"zipped_product"> {
  let summary = "repeat a layout, modes paired";
  let description = [{
    `logical_product` as `((A modes), (T modes))`.

    Preconditions:
    * complement_c3: A without its modes of stride 0 is injective, and a layout
      fills its gaps
    * composition_c1: the complement's composition with T exists as a layout

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %b = fly.static : !fly.layout<(2,4):(4,1)>
    %r = fly.zipped_product(%a, %b) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),(2,4)):((5,1),(60,15))>
    ```
  }];
}

def Fly_TiledProductOp : Fly_ProductOp<"tiled_product"> {
  let summary = "repeat a layout, repetition flat";
  let description = [{
    `logical_product` with the modes of the repetition flat.

    Preconditions:
    * complement_c3: A without its modes of stride 0 is injective, and a layout
      fills its gaps
    * composition_c1: the complement's composition with T exists as a layout

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %b = fly.static : !fly.layout<(2,4):(4,1)>
    %r = fly.tiled_product(%a, %b) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),2,4):((5,1),60,15)>
    ```
  }];
}

def Fly_FlatProductOp : Fly_ProductOp<"flat_product"> {
  let summary = "repeat a layout, all modes flat";
  let description = [{
    `logical_product` with all modes flat.

    Preconditions:
    * complement_c3: A without its modes of stride 0 is injective, and a layout
      fills its gaps
    * composition_c1: the complement's composition with T exists as a layout

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %b = fly.static : !fly.layout<(2,4):(4,1)>
    %r = fly.flat_product(%a, %b) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<(3,5,2,4):(5,1,60,15)>
    ```
  }];
}

def Fly_BlockedProductOp : Fly_ProductOp<"blocked_product"> {
  let summary = "repeat a layout block by block";
  let description = [{
    Mode i pairs mode i of A with mode i of the repetition, the block first; the
    shorter is padded with `1:0`.

    Preconditions:
    * complement_c3: A without its modes of stride 0 is injective, and a layout
      fills its gaps
    * composition_c1: the complement's composition with T exists as a layout

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %b = fly.static : !fly.layout<(2,4):(4,1)>
    %r = fly.blocked_product(%a, %b) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,2),(5,4)):((5,60),(1,15))>
    ```
  }];
}

def Fly_RakedProductOp : Fly_ProductOp<"raked_product"> {
  let summary = "repeat a layout interleaved";
  let description = [{
    Mode i pairs mode i of the repetition with mode i of A, the repetition
    first; the shorter is padded with `1:0`.

    Preconditions:
    * complement_c3: A without its modes of stride 0 is injective, and a layout
      fills its gaps
    * composition_c1: the complement's composition with T exists as a layout

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %b = fly.static : !fly.layout<(2,4):(4,1)>
    %r = fly.raked_product(%a, %b) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((2,3),(4,5)):((60,5),(15,1))>
    ```
  }];
}

def Fly_RecastLayoutOp : Fly_AlgebraOp<"recast_layout"> {
  let summary = "layout seen with items of another width";
  let description = [{
    The layout of the same bits counted in items of `new_type_bits` instead of
    `old_type_bits`: each new item is exactly the bits of whole old items, in
    order, or the other way round.

    Preconditions:
    * recast_c1: no stride is a basis element
    * recast_c2: the items that join are contiguous
    * recast_c3: sizes, strides and offsets leave no rest
    * recast_c4: the items that join are in ascending order
    * recast_c5: a swizzle moves whole items

    ```mlir
    %a = fly.static : !fly.layout<(12,5):(1,12)>
    %r = fly.recast_layout(%a) {new_type_bits = 32 : i32, old_type_bits = 8 : i32} : (!fly.layout<(12,5):(1,12)>) -> !fly.layout<(3,5):(1,3)>
    ```
  }];
  let arguments = (ins
    Fly_NarrowLayout:$layout,
    I32Attr:$new_type_bits,
    I32Attr:$old_type_bits);
  let results = (outs Fly_NarrowLayout:$result);
}

def Fly_TileToShapeOp : Fly_AlgebraOp<"tile_to_shape"> {
  let summary = "repeat a block until it covers a shape";
  let description = [{
    `blocked_product(block, make_ordered_layout(ceil_div(trg_shape, shape of
    block), ord_shape))`, mode by mode; the block is padded with `1:0`.

    Preconditions:
    * make_ordered_layout_c1: target and order match in rank
    * complement_c1 to complement_c4: the complement of the first operand exists
      (see `complement`)

    ```mlir
    %b = fly.static : !fly.layout<(3,5):(5,1)>
    %t = fly.static : !fly.int_tuple<(6,20)>
    %o = fly.static : !fly.int_tuple<(1,0)>
    %r = fly.tile_to_shape(%b, %t, %o) : (!fly.layout<(3,5):(5,1)>, !fly.int_tuple<(6,20)>, !fly.int_tuple<(1,0)>) -> !fly.layout<((3,2),(5,4)):((5,60),(1,15))>
    ```
  }];
  let arguments = (ins
    Fly_NarrowLayout:$block,
    Fly_AnyIntTuple:$trg_shape,
    Fly_AnyIntTuple:$ord_shape);
  let results = (outs Fly_NarrowLayout:$result);
}

#endif // FLY_DIALECT_FLY_IR_FLYLAYOUTOPS_TD
