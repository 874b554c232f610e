// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations without a theme of their own: static values, printing, and two
// aids for interoperation.

#ifndef FLY_DIALECT_FLY_IR_FLYUTILITYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYUTILITYOPS_TD

include "Fly/Dialect/Fly/IR/FlyOpBase.td"

def Fly_StaticOp : Fly_Op<"static", [Pure, ConstantLike]> {
  let summary = "value of a static type";
  let description = [{
    The one value that a static type spells. Canonicalisation makes it of every
    result of such a type; passes take it wherever they take a constructor
    without operands.

    Preconditions:
    * static_c1: the type is one of the dialect's and has no run-time part

    ```mlir
    %t = fly.static : !fly.tile<[64|32]>
    %l = fly.static {elems = [4 : i32]} : !fly.layout<(4,8):(1,4)>
    ```
  }];
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Fly_PrintOp : Fly_PlainOp<"print", [MemoryEffects<[MemWrite]>]> {
  let summary = "print values";
  let description = [{
    One line: each `{}` of `format` is replaced, in order, by the next operand,
    and a newline is added; an empty format prints all operands separated by a
    space. Int tuples and layouts print as their text with run-time leaves
    filled in, one-dimensional vectors as `[e, e]`.

    A `{}` without an operand vanishes. An operand without a `{}`, or of a type
    that has no text, is not printed. `fly-lower-print` warns of each.

    ```mlir
    %x = arith.constant 1.0 : f32
    %c = fly.static : !fly.int_tuple<(2,3)>
    fly.print(%x, %c) {format = "x={} c={}"} : (f32, !fly.int_tuple<(2,3)>) -> ()
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$args, StrAttr:$format);
}

def Fly_AssumeOp : Fly_PlainOp<"assume", [Pure, Fly_Folding]> {
  let summary = "a value that is known to be another";
  let description = [{
    Promises that `dst` and `src` are the same value and gives it with the
    stated type. Lowering passes `src` on. An int tuple may be given a type
    that promises more: another divisibility, or a static leaf for a run-time
    one.

    Preconditions:
    * assume_c1: the three types are one, or int tuples of one profile whose
      leaves have the same modes, equal static values and equal run-time widths
    * assume_c2: `dst` and `src` are equal, and the value is what the result
      type promises; asserted by `fly-insert-runtime-checks` for integers and
      int tuples

    ```mlir
    func.func @f(%n: i32, %t: !fly.int_tuple<(?,?)>) {
      %a = fly.assume(%n, %n) : (i32, i32) -> i32
      %b = fly.assume(%t, %t) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(?,?)>) -> !fly.int_tuple<(?{div=4},?)>
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$dst, AnyType:$src);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
}

def Fly_ExtractAlignedPointerAsIndexOp
    : Fly_Op<"extract_aligned_pointer_as_index", [Pure]> {
  let summary = "address of a memref (deprecated)";
  let description = [{
    The address of the memref's first element. Use `ptrtoint` instead.

    ```mlir
    func.func @f(%m: !fly.memref<f32, global, 6:1>) {
      %a = fly.extract_aligned_pointer_as_index %m : <f32, global, 6:1> -> index
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyMemRef:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat =
      "$source attr-dict `:` type($source) `->` type($result)";
}

#endif // FLY_DIALECT_FLY_IR_FLYUTILITYOPS_TD
