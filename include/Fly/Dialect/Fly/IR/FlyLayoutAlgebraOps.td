// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout algebra: operations that make layouts from layouts. All are pure;
// each is defined once by its `evaluate`.

#ifndef FLY_DIALECT_FLY_IR_FLYLAYOUTALGEBRAOPS_TD
#define FLY_DIALECT_FLY_IR_FLYLAYOUTALGEBRAOPS_TD

include "Fly/Dialect/Fly/IR/FlyOpBase.td"

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
  let arguments = (ins Fly_NarrowLayout:$layout, Fly_IntTupleOrLayout:$tiler);
  let results = (outs Fly_NarrowLayout:$result);
}

//===----------------------------------------------------------------------===//
// Composition and complement
//===----------------------------------------------------------------------===//

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
    the codomain: `codomain_size` or else the cosize of L indices, beginning at
    the smallest index of L. Modes of stride 0 are dropped first.

    Preconditions:
    * complement_c1: no stride is a basis element
    * complement_c2: of several modes with a run-time stride, each is known to
      continue the others
    * complement_c3: what is left of L is injective, and a layout fills its gaps
    * complement_c5: `codomain_size` is an integer leaf and not negative; a
      run-time one is asserted by `fly-insert-runtime-checks`

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

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Divides
//===----------------------------------------------------------------------===//

def Fly_LogicalDivideOp : Fly_DivideOp<"logical_divide"> {
  let summary = "split each mode into tile and rest";
  let description = [{
    Composition with `(T, complement(T, size L))`: mode 0 runs through a tile,
    mode 1 through the tiles. A list tile acts mode by mode and splits in place.
    Sizes round up; a `*` keeps its mode as it is, and so do modes past the end
    of a list; elements of a list past the layout's modes have no effect.

    Preconditions:
    * divide_c1: the tile has no run-time element
    * divide_c3: no stride of the tile is negative
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
    * divide_c3: no stride of the tile is negative
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
    * divide_c3: no stride of the tile is negative
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
    * divide_c3: no stride of the tile is negative
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

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def Fly_LogicalProductOp : Fly_ProductOp<"logical_product"> {
  let summary = "repeat a layout";
  let description = [{
    `(A, composition(complement(A, size A * cosize T), T))`: mode 0 is A, mode 1
    walks its copies. In every product an integer n as tiler counts as `n:1`.

    Preconditions:
    * product_c1: a tiler that is an int tuple is an integer
    * complement_c3: A without its modes of stride 0 is injective, and a layout
      fills its gaps
    * composition_c1: the complement's composition with T exists as a layout
    * product_c2: T has negative strides only where the places of the copies are
      one mode; others do not go on below 0

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
    * product_c2: T has negative strides only where the places of the copies are
      one mode; others do not go on below 0

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
    * product_c2: T has negative strides only where the places of the copies are
      one mode; others do not go on below 0

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
    * product_c2: T has negative strides only where the places of the copies are
      one mode; others do not go on below 0

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
    * product_c2: T has negative strides only where the places of the copies are
      one mode; others do not go on below 0

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
    * product_c2: T has negative strides only where the places of the copies are
      one mode; others do not go on below 0

    ```mlir
    %a = fly.static : !fly.layout<(3,5):(5,1)>
    %b = fly.static : !fly.layout<(2,4):(4,1)>
    %r = fly.raked_product(%a, %b) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((2,3),(4,5)):((60,5),(15,1))>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Other items, other shapes
//===----------------------------------------------------------------------===//

def Fly_RecastLayoutOp : Fly_AlgebraOp<"recast_layout"> {
  let summary = "layout seen with items of another width";
  let description = [{
    The layout of the same bits counted in items of `new_type_bits` instead of
    `old_type_bits`: each new item is exactly the bits of whole old items, in
    order, or the other way round. Where neither width divides the other, the
    mode along which the old items are neighbours keeps the parts: 8 items of
    24 bits in `(4,2):(1,4)` are 6 items of 32 bits in `(3,2):(1,3)`.

    Preconditions:
    * recast_c1: no stride is a basis element
    * recast_c2: the items that join are contiguous
    * recast_c3: sizes, strides and offsets leave no rest
    * recast_c4: the items that join are in ascending order
    * recast_c5: a swizzle moves whole items
    * recast_c6: both widths are at least 1

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
    * complement_c1 to complement_c3: the complement of the first operand exists
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

#endif // FLY_DIALECT_FLY_IR_FLYLAYOUTALGEBRAOPS_TD
