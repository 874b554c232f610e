// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on pointers and memory: making, moving and converting pointers,
// and element and vector access through tensors.

#ifndef FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD
#define FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD

include "Fly/Dialect/Fly/IR/FlyOpBase.td"

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

def Fly_MakePtrOp : Fly_PlainOp<"make_ptr"> {
  let summary = "pointer to new memory or from parts";
  let description = [{
    Register space: memory for `allocSize` elements. Shared space: `allocBytes`
    bytes aligned to `allocAlign`. Other address spaces: a pointer put together
    from the operands, as the target defines.

    Preconditions:
    * make_ptr_c1: `allocSize`, `allocBytes` and `allocAlign` are i64 integers
    * make_ptr_c2: `allocSize` and `allocBytes` are not negative, `allocAlign`
      is a positive power of two

    The conversion of shared memory compares both with the pointer's type:
    `allocAlign` is a multiple of the alignment (in bytes, its largest power of
    two) that the type promises, and with a swizzle `allocAlign` and
    `allocBytes` are multiples of the swizzle's blocks; else it is an error.

    ```mlir
    %a = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<f32, register>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$args,
                       OptionalAttr<DictionaryAttr>:$dictAttrs);
  let results = (outs Res<Fly_AnyPointer, "", [MemAlloc]>:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The value of the i64 entry `key` of `dictAttrs`, if it is there.
    std::optional<int64_t> getDictInt(::llvm::StringRef key);
  }];
}

def Fly_GetDynSharedOp : Fly_InferredOp<"get_dyn_shared", [Pure]> {
  let summary = "start of the dynamic shared memory";
  let description = [{
    The launch's dynamic shared memory as bytes aligned to 1024.

    ```mlir
    %p = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    ```
  }];
  let results = (outs Fly_AnyPointer:$result);
  let assemblyFormat = "`(` `)` attr-dict `:` qualified(type($result))";
}

def Fly_IntToPtrOp : Fly_PlainOp<"inttoptr", [Pure]> {
  let summary = "pointer from an address";
  let description = [{
    The pointer of the stated type at a byte address.

    ```mlir
    %b = arith.constant 4096 : i64
    %p = fly.inttoptr(%b) : (i64) -> !fly.ptr<bf16, global, align<16>>
    ```
  }];
  let arguments = (ins Fly_LeafScalar:$address);
  let results = (outs Fly_AnyPointer:$result);
}

def Fly_PtrToIntOp : Fly_InferredOp<"ptrtoint", [Pure]> {
  let summary = "address of a pointer";
  let description = [{
    The byte address: i32 for shared, i64 for global memory.

    Preconditions:
    * ptrtoint_c1: the address space is shared or global

    ```mlir
    func.func @f(%g: !fly.ptr<f32, global>) {
      %a = fly.ptrtoint(%g) : (!fly.ptr<f32, global>) -> i64
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyPointer:$ptr);
  let results = (outs Fly_LeafScalar:$result);
}

def Fly_ToLLVMPtrOp : Fly_InferredOp<"to_llvm_ptr", [Pure]> {
  let summary = "LLVM pointer of a pointer";
  let description = [{
    The same address as `!llvm.ptr` of address space `llvm_address_space`.

    Preconditions:
    * to_llvm_ptr_c1: `llvm_address_space` is not negative

    ```mlir
    func.func @f(%g: !fly.ptr<f32, global>) {
      %l = fly.to_llvm_ptr(%g) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<1>
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyPointer:$ptr, I32Attr:$llvm_address_space);
  let results = (outs AnyType:$result);
}

def Fly_AddOffsetOp : Fly_AlgebraOp<"add_offset"> {
  let summary = "iterator moved by an offset";
  let description = [{
    A pointer moved by `offset` elements; its alignment becomes what pointer and
    offset guarantee together. An int tuple plus the offset.

    Preconditions:
    * add_offset_c1: a pointer's offset is one integer leaf
    * basis_c1: an int tuple's integers other than 0 never meet basis elements

    ```mlir
    func.func @f(%p: !fly.ptr<f16, shared, align<32>>) {
      %o = fly.static : !fly.int_tuple<12>
      %q = fly.add_offset(%p, %o) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<12>) -> !fly.ptr<f16, shared, align<8>>
      return
    }
    ```
  }];
  let arguments = (ins Fly_IteratorLike:$iter, Fly_AnyIntTuple:$offset);
  let results = (outs Fly_IteratorLike:$result);
}

def Fly_ApplySwizzleOp : Fly_InferredOp<"apply_swizzle", [Pure]> {
  let summary = "pointer with another swizzle";
  let description = [{
    The pointer with its swizzle replaced. Its elements are aligned at most to
    2^base of the new swizzle.

    ```mlir
    func.func @f(%p: !fly.ptr<bf16, shared, align<64>>) {
      %s = fly.static : !fly.swizzle<S<2,3,3>>
      %q = fly.apply_swizzle(%p, %s) : (!fly.ptr<bf16, shared, align<64>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<bf16, shared, align<16>, S<2,3,3>>
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyPointer:$ptr, Fly_AnySwizzle:$swizzle);
  let results = (outs Fly_AnyPointer:$result);
}

def Fly_RecastIterOp : Fly_PlainOp<"recast_iter", [Pure]> {
  let summary = "pointer to the same bits as another element type";
  let description = [{
    The same address with the stated element type.

    Preconditions:
    * recast_iter_c1: the address space is kept

    ```mlir
    func.func @f(%g: !fly.ptr<f32, global>) {
      %q = fly.recast_iter(%g) : (!fly.ptr<f32, global>) -> !fly.ptr<i16, global, align<4>>
      return
    }
    ```
  }];
  let arguments = (ins Fly_AnyPointer:$ptr);
  let results = (outs Fly_AnyPointer:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Access through an iterator
//===----------------------------------------------------------------------===//

def Fly_PtrLoadOp : Fly_PlainOp<"ptr.load"> {
  let summary = "value at an iterator";
  let description = [{
    A scalar or vector of the pointer's elements, from consecutive places. An
    int tuple iterator gives itself.

    Preconditions:
    * ptr_load_c1: the result is of the element type, or an integer of its
      width, or a one-dimensional vector of such; for an int tuple, its type

    ```mlir
    func.func @f(%g: !fly.ptr<f32, global>) {
      %x = fly.ptr.load(%g) : (!fly.ptr<f32, global>) -> vector<2xf32>
      return
    }
    ```
  }];
  let arguments = (ins Arg<Fly_IteratorLike, "", [MemRead]>:$iter);
  let results = (outs AnyType:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Fly_PtrStoreOp : Fly_PlainOp<"ptr.store"> {
  let summary = "store at a pointer";
  let description = [{
    Stores a scalar or vector to consecutive elements.

    Preconditions:
    * ptr_store_c1: the value is of the element type, or an integer of its
      width, or a one-dimensional vector of such

    ```mlir
    func.func @f(%g: !fly.ptr<f32, global>, %x: vector<2xf32>) {
      fly.ptr.store(%x, %g) : (vector<2xf32>, !fly.ptr<f32, global>) -> ()
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$value,
                       Arg<Fly_AnyPointer, "", [MemWrite]>:$ptr);
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Access through a tensor
//===----------------------------------------------------------------------===//

def Fly_MemRefAllocaOp : Fly_PlainOp<"memref.alloca"> {
  let summary = "new memory with a layout";
  let description = [{
    Memory for the cosize of the layout; element type and address space come
    from the stated result.

    Preconditions:
    * memref_alloca_c1: the result's layout is the operand's

    ```mlir
    %l = fly.static : !fly.layout<(2,3):(1,2)>
    %m = fly.memref.alloca(%l) : (!fly.layout<(2,3):(1,2)>) -> !fly.memref<f32, register, (2,3):(1,2)>
    ```
  }];
  let arguments = (ins Fly_AnyLayout:$layout);
  let results = (outs Res<Fly_AnyMemRef, "", [MemAlloc]>:$result);
  let hasVerifier = 1;
}

def Fly_MemRefLoadOp : Fly_InferredOp<"memref.load", [Fly_Folding]> {
  let summary = "element at a coordinate";
  let description = [{
    The element of a memref at `crd2idx(coord, layout)`. A coordinate tensor
    gives the int tuple `base + crd2idx(coord, layout)`.

    Preconditions:
    * crd2idx_c1: a tuple coordinate has the rank of the shape against it,
      recursively
    * element_offset_c1: the strides of a memref are integers

    ```mlir
    func.func @f(%m: !fly.memref<f16, global, (6,8):(8,1)>) {
      %c = fly.static : !fly.int_tuple<(1,2)>
      %x = fly.memref.load(%m, %c) : (!fly.memref<f16, global, (6,8):(8,1)>, !fly.int_tuple<(1,2)>) -> f16
      return
    }
    ```
  }];
  let arguments = (ins Arg<Fly_TensorLike, "", [MemRead]>:$tensor,
                       Fly_AnyIntTuple:$coord);
  let results = (outs AnyType:$result);
}

def Fly_MemRefStoreOp : Fly_PlainOp<"memref.store"> {
  let summary = "store an element at a coordinate";
  let description = [{
    Stores to the element at `crd2idx(coord, layout)`.

    Preconditions:
    * memref_store_c1: the value is of the element type
    * memref_store_c2: the coordinate gives an element's offset

    ```mlir
    func.func @f(%m: !fly.memref<f16, global, (6,8):(8,1)>, %x: f16) {
      %c = fly.static : !fly.int_tuple<(1,2)>
      fly.memref.store(%x, %m, %c) : (f16, !fly.memref<f16, global, (6,8):(8,1)>, !fly.int_tuple<(1,2)>) -> ()
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$value,
                       Arg<Fly_AnyMemRef, "", [MemWrite]>:$memref,
                       Fly_AnyIntTuple:$coord);
  let hasVerifier = 1;
}

def Fly_MemRefLoadVecOp : Fly_InferredOp<"memref.load_vec"> {
  let summary = "all elements of a tensor as a vector";
  let description = [{
    Element i is the one at column-major coordinate i. A coordinate tensor
    gives its integers, i64 if base or layout are 64 bits wide, else i32.

    Preconditions:
    * memref_load_vec_c1: the size of the layout is static and positive
    * memref_load_vec_c2: the layout is plain
    * memref_load_vec_c3: a coordinate tensor's base is an integer leaf and its
      strides are integers

    ```mlir
    func.func @f(%m: !fly.memref<f16, register, (2,3):(3,1)>) {
      %x = fly.memref.load_vec(%m) : (!fly.memref<f16, register, (2,3):(3,1)>) -> vector<6xf16>
      return
    }
    ```
  }];
  let arguments = (ins Arg<Fly_TensorLike, "", [MemRead]>:$tensor);
  let results = (outs AnyVectorOfNonZeroRank:$result);
}

def Fly_MemRefStoreVecOp : Fly_PlainOp<"memref.store_vec"> {
  let summary = "store a vector to all elements of a memref";
  let description = [{
    Element i of the vector goes to column-major coordinate i.

    Preconditions:
    * memref_store_vec_c1: the vector has one dimension and the memref's element
      type
    * memref_store_vec_c2: the layout is plain and of static size, the number of
      elements of the vector

    ```mlir
    func.func @f(%m: !fly.memref<f16, register, (2,3):(3,1)>, %x: vector<6xf16>) {
      fly.memref.store_vec(%x, %m) : (vector<6xf16>, !fly.memref<f16, register, (2,3):(3,1)>) -> ()
      return
    }
    ```
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$vector,
                       Arg<Fly_AnyMemRef, "", [MemWrite]>:$memref);
  let hasVerifier = 1;
}

#endif // FLY_DIALECT_FLY_IR_FLYMEMORYOPS_TD
