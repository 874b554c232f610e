// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on int tuples: constructors, extractors, arithmetic, comparison,
// and the structural operations that also act mode by mode on layouts and
// tensors.

#ifndef FLY_DIALECT_FLY_IR_FLYTUPLEOPS_TD
#define FLY_DIALECT_FLY_IR_FLYTUPLEOPS_TD

include "Fly/Dialect/Fly/IR/FlyOpBase.td"

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

class Fly_TupleConstructor<string mnemonic>
    : Fly_PlainOp<mnemonic, [Pure, Fly_AlgebraOpInterface, Fly_Folding]> {
  let arguments = (ins Variadic<Fly_LeafScalar>:$leaves);
  let results = (outs Fly_AnyIntTuple:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The tuple of the result type with the operands at its dynamic leaves.
    static ::fly::AlgebraResult
    evaluate(::mlir::Operation *op,
             ::llvm::ArrayRef<::fly::AlgebraValue> operands);
    ::fly::AlgebraResult
    evaluateAlgebra(::llvm::ArrayRef<::fly::AlgebraValue> operands) {
      return evaluate(getOperation(), operands);
    }
  }];
}

def Fly_MakeIntTupleOp : Fly_TupleConstructor<"make_int_tuple"> {
  let summary = "int tuple from its run-time leaves";
  let description = [{
    The tuple that the result type spells, with the operands as its dynamic
    leaves in depth-first left-to-right order. Static leaves live in the type
    alone. This is the normal form of an int tuple value.

    Preconditions:
    * make_int_tuple_c1: one operand per dynamic leaf of the result type
    * make_int_tuple_c2: operand i is i32 or i64 as leaf i is 32 or 64 bits wide

    ```mlir
    %m = arith.constant 12 : i32
    %n = arith.constant 6 : i64
    %t = fly.make_int_tuple(%m, %n) : (i32, i64) -> !fly.int_tuple<(?{div=4},3,?{i64 div=2})>
    ```
  }];
}

/// Another name of `make_int_tuple`, which canonicalisation turns it into.
class Fly_TupleSynonym<string mnemonic> : Fly_TupleConstructor<mnemonic> {
  let hasCanonicalizeMethod = 1;
}

def Fly_MakeShapeOp : Fly_TupleSynonym<"make_shape"> {
  let summary = "int tuple used as a shape";
  let description = [{
    Synonym of `make_int_tuple`; canonicalisation turns it into that op.

    Preconditions:
    * make_shape_c1: one operand per dynamic leaf of the result type
    * make_shape_c2: operand i is i32 or i64 as leaf i is 32 or 64 bits wide

    ```mlir
    %m = arith.constant 12 : i32
    %s = fly.make_shape(%m) : (i32) -> !fly.int_tuple<(6,?)>
    ```
  }];
}

def Fly_MakeStrideOp : Fly_TupleSynonym<"make_stride"> {
  let summary = "int tuple used as a stride";
  let description = [{
    Synonym of `make_int_tuple`; canonicalisation turns it into that op.

    Preconditions:
    * make_stride_c1: one operand per dynamic leaf of the result type
    * make_stride_c2: operand i is i32 or i64 as leaf i is 32 or 64 bits wide

    ```mlir
    %d = fly.make_stride() : () -> !fly.int_tuple<(1,6)>
    ```
  }];
}

def Fly_MakeCoordOp : Fly_TupleSynonym<"make_coord"> {
  let summary = "int tuple used as a coordinate";
  let description = [{
    Synonym of `make_int_tuple`; canonicalisation turns it into that op. A `*`
    leaf keeps the mode against it when the coordinate slices.

    Preconditions:
    * make_coord_c1: one operand per dynamic leaf of the result type
    * make_coord_c2: operand i is i32 or i64 as leaf i is 32 or 64 bits wide

    ```mlir
    %i = arith.constant 2 : i32
    %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,*)>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Extractors
//===----------------------------------------------------------------------===//

def Fly_GetScalarOp : Fly_AlgebraOp<"get_scalar"> {
  let summary = "the one leaf of an int tuple as an integer";
  let description = [{
    Peels rank-1 tuples and gives the leaf below them: i64 for a leaf 64 bits
    wide, else i32. A basis element gives its value, `*` gives 0.

    Preconditions:
    * get_scalar_c1: below the rank-1 tuples there is a leaf

    ```mlir
    %t = fly.static : !fly.int_tuple<((42))>
    %x = fly.get_scalar(%t) : (!fly.int_tuple<((42))>) -> i32
    ```
  }];
  let arguments = (ins Fly_AnyIntTuple:$input);
  let results = (outs Fly_LeafScalar:$result);
}

def Fly_GetLeavesOp : Fly_AlgebraOp<"get_leaves"> {
  let summary = "all leaves of an int tuple as integers";
  let description = [{
    One result per leaf in depth-first left-to-right order, or with
    `dynamicOnly` one per dynamic leaf; i64 for a leaf 64 bits wide, else i32.

    ```mlir
    %t = fly.static : !fly.int_tuple<(3,(4,*))>
    %x:3 = fly.get_leaves(%t) : (!fly.int_tuple<(3,(4,*))>) -> (i32, i32, i32)
    fly.get_leaves(%t) {dynamicOnly = true} : (!fly.int_tuple<(3,(4,*))>) -> ()
    ```
  }];
  let arguments = (ins
    Fly_AnyIntTuple:$input,
    DefaultValuedAttr<BoolAttr, "false">:$dynamicOnly);
  let results = (outs Variadic<Fly_LeafScalar>:$leaves);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

class Fly_TupleBinaryOp<string mnemonic> : Fly_AlgebraOp<mnemonic> {
  let arguments = (ins Fly_AnyIntTuple:$lhs, Fly_AnyIntTuple:$rhs);
  let results = (outs Fly_AnyIntTuple:$result);
}

class Fly_TupleUnaryOp<string mnemonic> : Fly_AlgebraOp<mnemonic> {
  let arguments = (ins Fly_AnyIntTuple:$input);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_IntTupleAddOp : Fly_TupleBinaryOp<"int_tuple_add"> {
  let summary = "element-wise sum";
  let description = [{
    `result[i] = lhs[i] + rhs[i]`, recursively; modes that only the longer
    operand has are taken over unchanged. A basis element `vEm` counts as the
    tuple with `v` at path `m` and zeros before it.

    Preconditions:
    * ew_c1: no tuple of `rhs` stands against a leaf of `lhs`
    * basis_c1: an integer other than 0 never meets a basis element
    * basis_c2: a basis element spells at most 65536 modes and 256 levels
    * basis_c3: no two basis elements make the same coordinate a number and a
      tuple
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<(3,5,7)>
    %b = fly.static : !fly.int_tuple<(1,1)>
    %r = fly.int_tuple_add(%a, %b) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(1,1)>) -> !fly.int_tuple<(4,6,7)>
    ```
  }];
}

def Fly_IntTupleSubOp : Fly_TupleBinaryOp<"int_tuple_sub"> {
  let summary = "element-wise difference";
  let description = [{
    `result[i] = lhs[i] - rhs[i]`, recursively; modes that only the longer
    operand has are taken over unchanged.

    Preconditions:
    * ew_c1: no tuple of `rhs` stands against a leaf of `lhs`
    * basis_c1: no leaf is a basis element
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<(3,5)>
    %b = fly.static : !fly.int_tuple<(1,7)>
    %r = fly.int_tuple_sub(%a, %b) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(1,7)>) -> !fly.int_tuple<(2,-2)>
    ```
  }];
}

def Fly_IntTupleMulOp : Fly_TupleBinaryOp<"int_tuple_mul"> {
  let summary = "element-wise product";
  let description = [{
    `result[i] = lhs[i] * rhs[i]`, recursively; modes that only the longer
    operand has are taken over unchanged. A basis element times an integer
    scales the element.

    Preconditions:
    * ew_c1: no tuple of `rhs` stands against a leaf of `lhs`
    * basis_c1: two basis elements never meet
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<(3,2E1)>
    %b = fly.static : !fly.int_tuple<(5,4)>
    %r = fly.int_tuple_mul(%a, %b) : (!fly.int_tuple<(3,2E1)>, !fly.int_tuple<(5,4)>) -> !fly.int_tuple<(15,8E1)>
    ```
  }];
}

def Fly_IntTupleDivOp : Fly_TupleBinaryOp<"int_tuple_div"> {
  let summary = "element-wise quotient, truncating";
  let description = [{
    `result[i] = lhs[i] / rhs[i]` truncated toward zero, recursively; modes
    that only the longer operand has are taken over unchanged.

    Preconditions:
    * ew_c1: no tuple of `rhs` stands against a leaf of `lhs`
    * basis_c1: no leaf is a basis element
    * div_c1: no static divisor is 0; at run time none is 0 either
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<(17,-9)>
    %b = fly.static : !fly.int_tuple<(5,2)>
    %r = fly.int_tuple_div(%a, %b) : (!fly.int_tuple<(17,-9)>, !fly.int_tuple<(5,2)>) -> !fly.int_tuple<(3,-4)>
    ```
  }];
}

def Fly_IntTupleModOp : Fly_TupleBinaryOp<"int_tuple_mod"> {
  let summary = "element-wise remainder, sign of the dividend";
  let description = [{
    `result[i] = lhs[i] % rhs[i]` with the sign of the dividend, recursively;
    modes that only the longer operand has are taken over unchanged.

    Preconditions:
    * ew_c1: no tuple of `rhs` stands against a leaf of `lhs`
    * basis_c1: no leaf is a basis element
    * mod_c1: no static divisor is 0; at run time none is 0 either

    ```mlir
    %a = fly.static : !fly.int_tuple<(17,-9)>
    %b = fly.static : !fly.int_tuple<(5,2)>
    %r = fly.int_tuple_mod(%a, %b) : (!fly.int_tuple<(17,-9)>, !fly.int_tuple<(5,2)>) -> !fly.int_tuple<(2,-1)>
    ```
  }];
}

def Fly_IntTupleProductOp : Fly_TupleUnaryOp<"int_tuple_product"> {
  let summary = "product of all leaves";
  let description = [{
    The product of all leaves from left to right; a leaf is itself.

    Preconditions:
    * basis_c1: no leaf is a basis element
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<((2,7),3)>
    %r = fly.int_tuple_product(%a) : (!fly.int_tuple<((2,7),3)>) -> !fly.int_tuple<42>
    ```
  }];
}

def Fly_IntTupleProductEachOp : Fly_TupleUnaryOp<"int_tuple_product_each"> {
  let summary = "product of each mode";
  let description = [{
    A leaf is itself; else mode i of the result is the product of mode i.

    Preconditions:
    * basis_c1: no leaf is a basis element
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<((2,7),3)>
    %r = fly.int_tuple_product_each(%a) : (!fly.int_tuple<((2,7),3)>) -> !fly.int_tuple<(14,3)>
    ```
  }];
}

def Fly_IntTupleProductLikeOp : Fly_TupleBinaryOp<"int_tuple_product_like"> {
  let summary = "products in the profile of a guide";
  let description = [{
    Where the guide `rhs` has a leaf, the product of the part of `lhs` against
    it; else recursively on the modes of the guide.

    Preconditions:
    * product_like_c1: a tuple of the guide stands against a tuple of as many
      modes
    * basis_c1: no leaf is a basis element
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<((2,7),(3,5))>
    %g = fly.static : !fly.int_tuple<((1,1),1)>
    %r = fly.int_tuple_product_like(%a, %g) : (!fly.int_tuple<((2,7),(3,5))>, !fly.int_tuple<((1,1),1)>) -> !fly.int_tuple<((2,7),15)>
    ```
  }];
}

def Fly_ShapeDivOp : Fly_TupleBinaryOp<"shape_div"> {
  let summary = "division of shapes where one divides the other";
  let description = [{
    Leaf by leaf rounded up. A leaf by a tuple divides by the tuple's product;
    tuple by tuple goes mode by mode and keeps what `lhs` has more; a tuple by
    a leaf walks the leaves of `lhs` left to right and hands on what is left of
    the divisor.

    Preconditions:
    * shape_div_c1: of two static leaves one divides the other
    * ceil_div_c1: no static divisor is 0; at run time none is 0 either

    ```mlir
    %a = fly.static : !fly.int_tuple<(3,10)>
    %b = fly.static : !fly.int_tuple<6>
    %r = fly.shape_div(%a, %b) : (!fly.int_tuple<(3,10)>, !fly.int_tuple<6>) -> !fly.int_tuple<(1,5)>
    ```
  }];
}

def Fly_CeilDivOp : Fly_TupleBinaryOp<"ceil_div"> {
  let summary = "division of shapes, rounded up";
  let description = [{
    As `shape_div`, without its divisibility condition: the quotient of leaves
    rounded up, towards positive infinity, also of negative numbers: 7 by 2 is
    4, -7 by 2 is -3.

    Preconditions:
    * ceil_div_c1: no static divisor is 0; at run time none is 0 either
    * int_overflow: static results fit 64 bits

    ```mlir
    %a = fly.static : !fly.int_tuple<(7,9,2)>
    %b = fly.static : !fly.int_tuple<(2,4)>
    %r = fly.ceil_div(%a, %b) : (!fly.int_tuple<(7,9,2)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(4,3,2)>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

class Fly_TupleCompareOp<string mnemonic> : Fly_AlgebraOp<mnemonic> {
  let arguments = (ins Fly_AnyIntTuple:$lhs, Fly_AnyIntTuple:$rhs);
  let results = (outs I1:$result);
}

def Fly_ElemLessOp : Fly_TupleCompareOp<"elem_less"> {
  let summary = "element-wise less-than, all together";
  let description = [{
    On leaves `lhs < rhs`. False if `lhs` has more modes than `rhs`; else true
    iff it holds for every mode of `lhs`. Guards an access at a coordinate
    against a shape.

    Preconditions:
    * basis_c1: no leaf is a basis element

    ```mlir
    %a = fly.static : !fly.int_tuple<(2,3)>
    %b = fly.static : !fly.int_tuple<(7,9)>
    %r = fly.elem_less(%a, %b) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(7,9)>) -> i1
    ```
  }];
}

def Fly_EqualOp : Fly_TupleCompareOp<"equal"> {
  let summary = "equality of two int tuples";
  let description = [{
    True iff both have the same structure and equal leaves. Basis elements are
    equal iff modes and values are; an integer never equals a basis element.

    ```mlir
    %a = fly.static : !fly.int_tuple<(2,3)>
    %b = fly.static : !fly.int_tuple<(2,(3))>
    %r = fly.equal(%a, %b) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(2,(3))>) -> i1
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def Fly_GetOp : Fly_AlgebraOp<"get"> {
  let summary = "the mode at a path";
  let description = [{
    Walks the path `mode`; an empty path gives the input. On layouts the path
    applies to shape and stride, on composed layouts to the outer layout, on
    memrefs to the layout, on coordinate tensors to layout and base.

    Preconditions:
    * get_c1: the path is no longer than the input is deep
    * get_c2: every index of the path names a mode

    ```mlir
    %l = fly.static : !fly.layout<(3,(5,2)):(1,(3,15))>
    %r = fly.get(%l) {mode = array<i32: 1, 0>} : (!fly.layout<(3,(5,2)):(1,(3,15))>) -> !fly.layout<5:3>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$input, DenseI32ArrayAttr:$mode);
  let results = (outs Fly_IntTupleLike:$result);
}

def Fly_TakeOp : Fly_AlgebraOp<"take"> {
  let summary = "a range of modes";
  let description = [{
    Modes `begin` to `end`-1; `end` = -1 stands for the rank. Exactly one mode
    comes without a tuple around it. On layouts and tensors it acts on shape
    and stride of the linear part; the rest is kept.

    Preconditions:
    * take_c1: the input has modes (it is not a leaf)
    * take_c2: 0 <= begin < end <= rank

    ```mlir
    %t = fly.static : !fly.int_tuple<(3,(5,2),7)>
    %r = fly.take(%t) {begin = 0 : i32, end = 2 : i32} : (!fly.int_tuple<(3,(5,2),7)>) -> !fly.int_tuple<(3,(5,2))>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$tuple, I32Attr:$begin, I32Attr:$end);
  let results = (outs Fly_IntTupleLike:$result);
}

def Fly_SelectOp : Fly_AlgebraOp<"select"> {
  let summary = "modes by index";
  let description = [{
    The modes named by `indices`, in that order, repetitions allowed. Exactly
    one mode comes without a tuple around it. On layouts and tensors it acts on
    shape and stride of the linear part; the rest is kept.

    Preconditions:
    * select_c1: the input has modes (it is not a leaf)
    * select_c2: the list is not empty and every index names a mode

    ```mlir
    %l = fly.static : !fly.layout<(3,5):(1,3)>
    %r = fly.select(%l) {indices = array<i32: 1, 0>} : (!fly.layout<(3,5):(1,3)>) -> !fly.layout<(5,3):(3,1)>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$tuple, DenseI32ArrayAttr:$indices);
  let results = (outs Fly_IntTupleLike:$result);
}

def Fly_GroupOp : Fly_AlgebraOp<"group"> {
  let summary = "join a range of modes into one";
  let description = [{
    Modes `begin` to `end`-1 become one mode, also if there is only one of
    them; `end` = -1 stands for the rank, begin = end changes nothing, a leaf
    stays. On layouts and tensors it acts on shape and stride of the linear
    part.

    Preconditions:
    * group_c1: 0 <= begin <= end <= rank

    ```mlir
    %t = fly.static : !fly.int_tuple<(3,5,7)>
    %r = fly.group(%t) {begin = 1 : i32, end = 3 : i32} : (!fly.int_tuple<(3,5,7)>) -> !fly.int_tuple<(3,(5,7))>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$tuple, I32Attr:$begin, I32Attr:$end);
  let results = (outs Fly_IntTupleLike:$result);
}

class Fly_ExtendOp<string mnemonic> : Fly_AlgebraOp<mnemonic> {
  let arguments = (ins
    Fly_IntTupleOrNarrowLayout:$tuple,
    Fly_IntTupleOrLayout:$elem,
    OptionalAttr<I32Attr>:$n);
  let results = (outs Fly_IntTupleOrNarrowLayout:$result);
  let assemblyFormat = [{
    `` custom<ExtendRank>($n) `(` operands `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def Fly_AppendOp : Fly_ExtendOp<"append"> {
  let summary = "add a mode at the end";
  let description = [{
    Adds `elem` once at the end, or with `n` until the rank is `n`, written
    `[n]` (`<n>` is read, too). A leaf counts as one mode. A tuple takes a tuple, a layout a layout; a composed
    layout takes a layout, which joins its linear part.

    Preconditions:
    * append_c1: `n` is at least the rank of `tuple`
    * append_c2: tuple and elem are of the same category

    ```mlir
    %t = fly.static : !fly.int_tuple<(3,5)>
    %e = fly.static : !fly.int_tuple<1>
    %r = fly.append[4] (%t, %e) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<(3,5,1,1)>
    ```
  }];
}

def Fly_PrependOp : Fly_ExtendOp<"prepend"> {
  let summary = "add a mode at the front";
  let description = [{
    Adds `elem` once at the front, or with `n` until the rank is `n`; otherwise
    as `append`.

    Preconditions:
    * prepend_c1: `n` is at least the rank of `tuple`
    * prepend_c2: tuple and elem are of the same category

    ```mlir
    %t = fly.static : !fly.int_tuple<3>
    %e = fly.static : !fly.int_tuple<9>
    %r = fly.prepend (%t, %e) : (!fly.int_tuple<3>, !fly.int_tuple<9>) -> !fly.int_tuple<(9,3)>
    ```
  }];
}

def Fly_SliceOp : Fly_AlgebraOp<"slice"> {
  let summary = "fix some coordinates, keep the modes against `*`";
  let description = [{
    Keeps, left to right, the parts of `src` that stand against a `*` of
    `coord`; a single kept part comes without a tuple around it. The fixed
    coordinates move the origin: a memref's pointer by `crd2idx(coord, layout)`
    (`*` counts as 0), the offset of a composed layout likewise at the level
    whose outer layout is plain, the base of a coordinate tensor with a plain
    layout. A layout has no origin; the offset is lost there.

    Preconditions:
    * slice_c1: `coord` is `*` or a tuple of the rank of `src`, recursively
    * slice_c2: at least one mode is kept
    * element_offset_c1: the offset of a memref is an integer

    ```mlir
    %l = fly.static : !fly.layout<(3,(5,7)):(1,(3,15))>
    %c = fly.static : !fly.int_tuple<(2,(*,4))>
    %r = fly.slice(%l, %c) : (!fly.layout<(3,(5,7)):(1,(3,15))>, !fly.int_tuple<(2,(*,4))>) -> !fly.layout<5:3>
    ```
  }];
  let arguments = (ins Fly_IntTupleLike:$src, Fly_AnyIntTuple:$coord);
  let results = (outs Fly_IntTupleLike:$result);
}

def Fly_DiceOp : Fly_AlgebraOp<"dice"> {
  let summary = "keep the modes that a slice would fix";
  let description = [{
    The counterpart of `slice`: keeps what stands against a leaf other than `*`.
    A `coord` that is such a leaf keeps all.

    Preconditions:
    * dice_c1: `coord` is a leaf or a tuple of the rank of `src`, recursively
    * dice_c2: at least one mode is kept

    ```mlir
    %l = fly.static : !fly.layout<(3,(5,7)):(1,(3,15))>
    %c = fly.static : !fly.int_tuple<(2,(*,4))>
    %r = fly.dice(%l, %c) : (!fly.layout<(3,(5,7)):(1,(3,15))>, !fly.int_tuple<(2,(*,4))>) -> !fly.layout<(3,7):(1,15)>
    ```
  }];
  let arguments = (ins Fly_IntTupleOrLayout:$src, Fly_AnyIntTuple:$coord);
  let results = (outs Fly_IntTupleOrLayout:$result);
}

#endif // FLY_DIALECT_FLY_IR_FLYTUPLEOPS_TD
