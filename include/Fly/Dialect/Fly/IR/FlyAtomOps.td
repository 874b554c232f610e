// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on copy and multiply-accumulate atoms: making atoms and tiled
// operations, splitting tensors among threads, and the calls.

#ifndef FLY_DIALECT_FLY_IR_FLYATOMOPS_TD
#define FLY_DIALECT_FLY_IR_FLYATOMOPS_TD

include "Fly/Dialect/Fly/IR/FlyOpBase.td"

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

def Fly_MakeMmaAtomOp : Fly_Op<"make_mma_atom", [Pure, Fly_Folding]> {
  let summary = "multiply-accumulate atom from its type";
  let description = [{
    A value of the atom type, with the default state if the atom has one.

    ```mlir
    %m = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
    ```
  }];
  let results = (outs Fly_AnyMmaAtom:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Fly_MakeCopyAtomOp : Fly_Op<"make_copy_atom", [Pure, Fly_Folding]> {
  let summary = "copy atom from its type";
  let description = [{
    A value of the atom type. `valBits` is the width of one copied value;
    `args` are run-time operands of atoms with state.

    Preconditions:
    * make_copy_atom_c1: `valBits` is the value width of the result type

    ```mlir
    %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$args, I32Attr:$valBits);
  let results = (outs Fly_AnyCopyAtom:$result);
  let assemblyFormat = [{
    (`(` $args^ `:` type($args) `)`)? attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Fly_AtomSetValueOp : Fly_InferredOp<"atom.set_value", [Pure]> {
  let summary = "atom with one state field replaced";
  let description = [{
    The atom with its run-time field `field` set to `value`. Which fields there
    are, and their types, is the atom's to say; the universal ones have none.

    Preconditions:
    * atom_set_value_c1: the atom has the field, of the value's type; held by
      `fly-canonicalize` and where the op is lowered

    ```mlir
    %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>
    %x = arith.constant 8 : i32
    %w = fly.atom.set_value(%u, "soffset", %x) : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>, i32) -> !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>
    ```
  }];
  let arguments = (ins AnyType:$atom, StrAttr:$field, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    `(` $atom `,` $field `,` $value `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Tiled operations
//===----------------------------------------------------------------------===//

def Fly_MakeTiledCopyOp : Fly_InferredOp<"make_tiled_copy", [Pure, Fly_Folding]> {
  let summary = "copy atom spread over threads and a tile";
  let description = [{
    `layout` maps (thread, value) to the column-major index inside the tile
    whose extents `tile` names.

    Preconditions:
    * make_tiled_copy_c1: the layout is static
    * make_tiled_copy_c2: the result type is valid

    ```mlir
    %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
    %l = fly.static : !fly.layout<((4,3),4):((4,16),1)>
    %t = fly.static : !fly.tile<[16|3]>
    %tc = fly.make_tiled_copy(%u, %l, %t) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
    ```
  }];
  let arguments = (ins Fly_AnyCopyAtom:$copyAtom, Fly_AnyLayout:$layout,
                       Fly_AnyTile:$tile);
  let results = (outs Fly_AnyTiledCopy:$result);
}

def Fly_MakeTiledMmaOp : Fly_InferredOp<"make_tiled_mma", [Pure, Fly_Folding]> {
  let summary = "mma atom spread over a grid of atoms";
  let description = [{
    `layout` places the atoms over (M,N,K); the tile permutes the modes of the
    operands and defaults to `[*|*|*]`.

    Preconditions:
    * make_tiled_mma_c1: the layout is static
    * make_tiled_mma_c2: the result type is valid

    ```mlir
    %m = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
    %l = fly.static : !fly.layout<(2,3,1):(1,2,0)>
    %tm = fly.make_tiled_mma(%m, %l) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>) -> !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
    ```
  }];
  let arguments = (ins Fly_AnyMmaAtom:$mmaAtom, Fly_AnyLayout:$layout,
                       Optional<Fly_AnyTile>:$permutation);
  let results = (outs Fly_AnyTiledMma:$result);
}

def Fly_GetCopyAtomOp : Fly_InferredOp<"get_copy_atom", [Pure, Fly_Folding]> {
  let summary = "copy atom of a tiled copy";
  let description = [{
    The atom that the tiled copy spreads.

    ```mlir
    %tc = fly.static : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
    %u = fly.get_copy_atom(%tc) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>) -> !fly.copy_atom<!fly.universal_copy<64>, 16>
    ```
  }];
  let arguments = (ins Fly_AnyTiledCopy:$tiledCopy);
  let results = (outs Fly_AnyCopyAtom:$result);
  let hasFolder = 1;
}

def Fly_GetMmaAtomOp : Fly_InferredOp<"get_mma_atom", [Pure, Fly_Folding]> {
  let summary = "mma atom of a tiled mma";
  let description = [{
    The atom that the tiled mma spreads.

    ```mlir
    %tm = fly.static : !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
    %m = fly.get_mma_atom(%tm) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>) -> !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
    ```
  }];
  let arguments = (ins Fly_AnyTiledMma:$tiledMma);
  let results = (outs Fly_AnyMmaAtom:$result);
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Partitioning
//===----------------------------------------------------------------------===//

class Fly_CopyPartitionOp<string mnemonic> : Fly_AlgebraOp<mnemonic> {
  let arguments = (ins Fly_AnyTiledCopy:$tiledCopy, Fly_TensorLike:$tensor,
                       Fly_AnyIntTuple:$coord);
  let results = (outs Fly_TensorLike:$result);
}

def Fly_TiledCopyPartitionSrcOp
    : Fly_CopyPartitionOp<"tiled_copy.partition_src"> {
  let summary = "a thread's part of a copy's source";
  let description = [{
    Splits the tensor by the copy's tile, orders the tile by (thread, value) of
    the atom's source layout, and keeps the values of thread `coord`: modes
    (value, rest...).

    Preconditions:
    * divide_c2: the tile has no more modes than the tensor
    * composition_c1: the composition exists as a layout over the second
      operand's modes

    ```mlir
    func.func @f(%t: !fly.memref<f16, global, (32,6):(6,1), align<8>>, %c: !fly.int_tuple<?>) {
      %tc = fly.static : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
      %p = fly.tiled_copy.partition_src(%tc, %t, %c) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, global, (32,6):(6,1), align<8>>, !fly.int_tuple<?>) -> !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>
      return
    }
    ```
  }];
}

def Fly_TiledCopyPartitionDstOp
    : Fly_CopyPartitionOp<"tiled_copy.partition_dst"> {
  let summary = "a thread's part of a copy's destination";
  let description = [{
    As `tiled_copy.partition_src`, ordered by the atom's destination layout.

    Preconditions:
    * divide_c2: the tile has no more modes than the tensor
    * composition_c1: the composition exists as a layout over the second
      operand's modes

    ```mlir
    func.func @f(%t: !fly.memref<f16, global, (32,6):(6,1), align<8>>, %c: !fly.int_tuple<?>) {
      %tc = fly.static : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
      %p = fly.tiled_copy.partition_dst(%tc, %t, %c) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, global, (32,6):(6,1), align<8>>, !fly.int_tuple<?>) -> !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>
      return
    }
    ```
  }];
}

def Fly_TiledCopyRetileOp : Fly_AlgebraOp<"tiled_copy.retile"> {
  let summary = "a register fragment seen through a copy's value order";
  let description = [{
    The same registers with the modes that `tiled_copy.partition_*` gives, for
    copying between a fragment that another operation laid out and memory.

    Preconditions:
    * tiled_copy_retile_c1: the memref's layout is plain
    * tiled_copy_c1: every element of the copy's tile has a size
    * tiled_copy_c2: the fragment's values fit the tile

    ```mlir
    func.func @f(%r: !fly.memref<f16, register, (8,1,2):(1,0,8)>) {
      %tc = fly.static : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
      %p = fly.tiled_copy.retile(%tc, %r) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, register, (8,1,2):(1,0,8)>) -> !fly.memref<f16, register, ((4,2),1,2):((1,4),0,8)>
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyTiledCopy:$tiledCopy, Fly_AnyMemRef:$fragment);
  let results = (outs Fly_AnyMemRef:$result);
}

def Fly_TiledMmaPartitionOp : Fly_AlgebraOp<"tiled_mma.partition"> {
  let summary = "a thread's part of a matrix operand";
  let description = [{
    Splits the tensor by the tile of the grid of atoms, orders each atom's tile
    by (thread, value) of the atom's layout for the operand, and keeps the
    values of thread `coord`: modes (value, M or N, K or N).

    Preconditions:
    * tiled_mma_c1: the atom has extents (M,N,K), the tensor two modes
    * tiled_mma_c2: the tile divides the static extents of a memref (coordinate
      tensors round up)

    ```mlir
    func.func @f(%t: !fly.memref<f32, shared, (6,4):(4,1)>, %c: !fly.int_tuple<?>) {
      %tm = fly.static : !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
      %p = fly.tiled_mma.partition(a, %tm, %t, %c) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, (1,3,4):(0,8,1)>
      return
    }
    ```
  }];
  let arguments = (ins Fly_MmaOperandKind:$operand_id,
                       Fly_AnyTiledMma:$tiledMma, Fly_TensorLike:$tensor,
                       Fly_AnyIntTuple:$coord);
  let results = (outs Fly_TensorLike:$result);
  let assemblyFormat = [{
    `(` custom<MmaOperandKeyword>($operand_id) `,` $tiledMma `,` $tensor `,`
    $coord `)` attr-dict `:` functional-type(operands, results)
  }];
}

def Fly_TiledMmaPartitionShapeOp : Fly_AlgebraOp<"tiled_mma.partition_shape"> {
  let summary = "shape of a thread's part of a matrix operand";
  let description = [{
    The shape that `tiled_mma.partition` gives for a tensor of shape `shape`.

    Preconditions:
    * tiled_mma_c1: the atom has extents (M,N,K), the shape two modes

    ```mlir
    %tm = fly.static : !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
    %s = fly.static : !fly.int_tuple<(6,9)>
    %p = fly.tiled_mma.partition_shape(%tm, %s) {operand_id = #fly<mma_operand c>} : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.int_tuple<(6,9)>) -> !fly.int_tuple<(1,3,3)>
    ```
  }];
  let arguments = (ins Fly_MmaOperandKind:$operand_id,
                       Fly_AnyTiledMma:$tiledMma, Fly_AnyIntTuple:$shape);
  let results = (outs Fly_AnyIntTuple:$result);
}

def Fly_MmaMakeFragmentOp : Fly_InferredOp<"mma.make_fragment"> {
  let summary = "new register tensor for a thread's part of an operand";
  let description = [{
    Register memory of the atom's value type for the operand, with the packed
    layout of what `tiled_mma.partition` gives. With `stages` the input's modes
    0 and 1 are taken and a last mode of that many stages is added.

    Preconditions:
    * make_fragment_c1: `stages` is positive
    * make_fragment_c2: with `stages` the layout has at least two modes
    * tiled_mma_c1: the atom has extents (M,N,K), the layout two modes
    * tiled_mma_c2: the tile divides the static extents

    ```mlir
    func.func @f(%t: !fly.memref<f32, shared, (6,4):(4,1)>) {
      %tm = fly.static : !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
      %p = fly.mma.make_fragment(a, %tm, %t, stages = 2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
      return
    }
    ```
  }];
  let arguments = (ins Fly_MmaOperandKind:$operand_id,
                       Fly_AnyTiledMma:$tiledMma, Fly_AnyMemRef:$input,
                       OptionalAttr<I32Attr>:$stages);
  let results = (outs Res<Fly_AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    `(` custom<MmaOperandKeyword>($operand_id) `,` $tiledMma `,` $input
    (`,` `stages` `=` $stages^)? `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def Fly_CopyAtomCallOp : Fly_PlainOp<"copy_atom_call"> {
  let summary = "one copy of one atom, memory form";
  let description = [{
    Copies the atom's values from `src` to `dst`; with `pred` only where the
    predicate's element is true. Coordinate tensors serve atoms that compute
    addresses themselves.

    Preconditions:
    * copy_atom_call_c1: `src` and `dst` have elements of equal width
    * copy_atom_call_c2: the source holds the bits that the atom's source layout
      gives to a thread, if its size is static
    * copy_atom_call_c3: the destination holds the bits that the atom's
      destination layout gives to a thread, if its size is static
    * copy_atom_call_c4: the element type of `pred` is i1

    ```mlir
    func.func @f(%s: !fly.memref<f16, global, 4:1>, %r: !fly.memref<f16, register, 4:1>, %p: !fly.memref<i1, register, 1:0>) {
      %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
      fly.copy_atom_call(%u, %s, %r, %p) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<i1, register, 1:0>) -> ()
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyCopyAtom:$copyAtom,
                       Arg<Fly_TensorLike, "", [MemRead]>:$src,
                       Arg<Fly_TensorLike, "", [MemWrite]>:$dst,
                       Arg<Optional<Fly_AnyMemRef>, "", [MemRead]>:$pred);
  let hasVerifier = 1;
}

def Fly_MmaAtomCallOp : Fly_Op<"mma_atom_call", [AttrSizedOperandSegments]> {
  let summary = "one multiply-accumulate of one atom, memory form";
  let description = [{
    `d = A * B + c` on the fragments of one atom. A and B are groups: a matrix,
    and what an atom needs beside it, such as scales. A group of one prints
    without brackets.

    Preconditions:
    * mma_atom_call_c1: groups A and B are not empty
    * mma_atom_call_c2: the element type of d, c and the first members of A and
      B is the atom's value type, or an integer type that carries its bits
    * mma_atom_call_c3: each of these holds the bits of the values that the
      atom's layout gives to a thread, if its size is static

    ```mlir
    func.func @f(%x: !fly.memref<f32, register, 1:0>) {
      %m = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
      fly.mma_atom_call(%m, %x, %x, %x, %x) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyMmaAtom:$mmaAtom,
                       Arg<Fly_AnyMemRef, "", [MemWrite]>:$d,
                       Arg<Variadic<Fly_AnyMemRef>, "", [MemRead]>:$a,
                       Arg<Variadic<Fly_AnyMemRef>, "", [MemRead]>:$b,
                       Arg<Fly_AnyMemRef, "", [MemRead]>:$c);
  let assemblyFormat = [{
    `(` $mmaAtom `,` $d `,` custom<OperandGroup>($a) `,`
    custom<OperandGroup>($b) `,` $c `)` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Fly_CopyAtomCallSSAOp : Fly_PlainOp<"copy_atom_call_ssa", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one copy of one atom, register form";
  let description = [{
    With a result the destination is a register and the result its new content;
    `dst` then is the old content, needed only with `pred`; or, of an atomic, the
    memory that it updates, and the result is what was there before. Without a
    result `dst` is a memref. `src` is a memref, or a vector or scalar in registers.

    Preconditions:
    * copy_atom_call_ssa_c1: there is at most one result
    * copy_atom_call_ssa_c2: without result `dst` is a memref
    * copy_atom_call_ssa_c3: with a result and `pred` there is a `dst` of the
      result's type; without `pred` it may be a memref that is no register
    * copy_atom_call_ssa_c4: the type of `pred` is i1
    * copy_atom_call_ssa_c5: a memref or the result's type stands for the atom's
      bits

    ```mlir
    func.func @f(%s: !fly.memref<f16, global, 4:1>, %v: vector<4xf16>) {
      %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
      %q = fly.copy_atom_call_ssa(%u, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>) -> vector<4xf16>
      fly.copy_atom_call_ssa(%u, %v, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, vector<4xf16>, !fly.memref<f16, global, 4:1>) -> ()
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyCopyAtom:$copyAtom, AnyType:$src,
                       Optional<AnyType>:$dst, Optional<AnyType>:$pred);
  let results = (outs Variadic<AnyType>:$results);
  let hasVerifier = 1;
}

def Fly_MmaAtomCallSSAOp : Fly_Op<"mma_atom_call_ssa", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one multiply-accumulate of one atom, register form";
  let description = [{
    `A * B + c` in registers: as result, or stored to the memref `d`. Operand
    types stand in the order atom, d if any, A, B, c. The older form with `d`
    as second operand in the parentheses is read, too.

    Preconditions:
    * mma_atom_call_ssa_c1: there is exactly one of result and `d`
    * mma_atom_call_ssa_c2: groups A and B are not empty
    * mma_atom_call_ssa_c3: `d` is a memref

    ```mlir
    func.func @f(%f: f32, %x: !fly.memref<f32, register, 1:0>) {
      %m = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
      %y = fly.mma_atom_call_ssa(%m, %f, %f, %f) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, f32, f32, f32) -> f32
      fly.mma_atom_call_ssa(%m, %f, %f, %f) dst = %x : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, f32, f32, f32) -> ()
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyMmaAtom:$mmaAtom, Optional<AnyType>:$d,
                       Variadic<AnyType>:$a, Variadic<AnyType>:$b, AnyType:$c);
  let results = (outs Variadic<AnyType>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Fly_CopyOp : Fly_PlainOp<"copy"> {
  let summary = "copy a tensor by atoms";
  let description = [{
    One `copy_atom_call` per coordinate of the modes after the first, in
    column-major order. Mode 0 holds the values of one atom: as many elements
    as the atom has bits. Of a nested mode 0 the first leaf holds them, and the
    other leaves count like modes after it. An atom that moves whole tiles gets
    one call.

    `pred` has a mode 0 of extent 1 before the modes of `src` after the first,
    or those alone: one element for each call. An extent of 1 in all of them
    counts for every call.

    Preconditions:
    * copy_c1: `src` and `dst` have equal rank
    * copy_c2: `src` and `dst` have elements of equal width
    * copy_c3: the modes after the first have equal static sizes
    * copy_c4: the element type of `pred` is i1
    * copy_c5: the rank of `pred` is that of `src`, or one less
    * copy_c6: there are at most 65536 calls
    * copy_c7: `pred` has one element for one call
    * copy_c8: no inner map or swizzle tears the values of one atom apart
    * copy_c9: the values of a universal copy follow each other in memory

    The last four are held by `fly-expand-copy-gemm`.

    ```mlir
    func.func @f(%s: !fly.memref<f16, global, (4,2):(1,8)>, %r: !fly.memref<f16, register, (4,2):(1,4)>) {
      %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
      fly.copy(%u, %s, %r) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, (4,2):(1,8)>, !fly.memref<f16, register, (4,2):(1,4)>) -> ()
      return
    }
    ```
  }];
  let arguments = (ins Fly_CopyCallee:$copyAtom,
                       Arg<Fly_TensorLike, "", [MemRead]>:$src,
                       Arg<Fly_TensorLike, "", [MemWrite]>:$dst,
                       Arg<Optional<Fly_AnyMemRef>, "", [MemRead]>:$pred);
  let hasVerifier = 1;
}

def Fly_GemmOp : Fly_Op<"gemm", [AttrSizedOperandSegments]> {
  let summary = "multiply-accumulate tensors by atoms";
  let description = [{
    `D = A * B + C` with one `mma_atom_call` per (m, n, k). The order is
    `traversalOrder` (loops nest from the last letter, outermost, to the first;
    default `nmk`), unless a `traversalLayout` spells it.

    Preconditions:
    * gemm_c1: groups A and B are not empty
    * gemm_c2: all ranks are 1, or d and c have rank 3 (value, M, N) and A and B
      both rank 2 (value, M or N) or both rank 3 (value, M or N, K)
    * gemm_c3: the extents agree where they are static
    * gemm_c4: a traversal layout is static

    ```mlir
    func.func @f(%x: !fly.memref<f32, register, 1:0>) {
      %m = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
      fly.gemm(%m, %x, %x, [%x], %x) {traversalOrder = #fly<gemm_traversal_order kmn>} : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
      return
    }
    ```
  }];
  let arguments = (ins Fly_MmaCallee:$mmaAtom,
                       Arg<Fly_AnyMemRef, "", [MemWrite]>:$d,
                       Arg<Variadic<Fly_AnyMemRef>, "", [MemRead]>:$a,
                       Arg<Variadic<Fly_AnyMemRef>, "", [MemRead]>:$b,
                       Arg<Fly_AnyMemRef, "", [MemRead]>:$c,
                       Optional<Fly_AnyLayout>:$traversalLayout,
                       OptionalAttr<Fly_TraversalOrder>:$traversalOrder);
  let assemblyFormat = [{
    `(` $mmaAtom `,` $d `,` custom<OperandGroup>($a) `,`
    custom<OperandGroup>($b) `,` $c `)`
    (`traversalLayout` `=` $traversalLayout^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYATOMOPS_TD
