// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy atom types of the `fly_rocdl` dialect. A part of FlyROCDLTypes.td, which
// has the base class.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDLCOPYTYPES_TD
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDLCOPYTYPES_TD

//===----------------------------------------------------------------------===//
// Copies of single lanes
//===----------------------------------------------------------------------===//

/// A copy atom with run-time state.
class FlyROCDL_BufferCopyType<string name, string typeMnemonic>
    : FlyROCDL_Type<name, typeMnemonic, [
        DeclareTypeInterfaceMethods<Fly_CopyAtomTypeInterface,
                                    ["getStateFields", "getRequiredFeature"]>]>;

/// A copy atom without state.
class FlyROCDL_StaticCopyType<string name, string typeMnemonic>
    : FlyROCDL_Type<name, typeMnemonic, [
        DeclareTypeInterfaceMethods<Fly_MayBeStaticTypeInterface>,
        DeclareTypeInterfaceMethods<Fly_CopyAtomTypeInterface,
                                    ["getRequiredFeature"]>]>;

def FlyROCDL_BufferCopy
    : FlyROCDL_BufferCopyType<"BufferCopy", "cdna3.buffer_copy"> {
  let summary = "buffer load or store of one lane";
  let description = [{
    Copies `bitSize` bits between a buffer and registers; the operand that is
    in `#fly_rocdl.buffer_desc` decides the direction. `cache` is the cache
    policy operand of the instruction (0, elided: cached); a bit that the chip
    does not have is an error. State: `soffset` (i32), an offset in elements of
    the buffer's element type.
    Example: `!fly_rocdl.cdna3.buffer_copy<128, cache = 2>`.
  }];
  let parameters = (ins "int32_t":$bitSize,
                        DefaultValuedParameter<"int32_t", "0">:$cache);
  let assemblyFormat = "`<` $bitSize (`,` `cache` `=` $cache^)? `>`";
}

def FlyROCDL_BufferCopyLds
    : FlyROCDL_BufferCopyType<"BufferCopyLds", "cdna3.buffer_copy_lds"> {
  let summary = "buffer load straight to shared memory";
  let description = [{
    Each lane moves `bitSize` bits from a buffer to shared memory without
    passing registers. The hardware takes the shared address of the wave's
    lowest active lane and writes lane after lane behind it. State: `soffset`
    (i32) in elements, `imm_offset` (i32) in bytes, which must be constant at
    code generation. LLVM inserts the wait before the data is read.
    Example: `!fly_rocdl.cdna3.buffer_copy_lds<128>`.
  }];
  let parameters = (ins "int32_t":$bitSize);
  let assemblyFormat = "`<` $bitSize `>`";
}

def FlyROCDL_BufferLoadAsyncLds
    : FlyROCDL_BufferCopyType<"BufferLoadAsyncLds",
                              "cdna4.buffer_load_async_lds"> {
  let summary = "asynchronous buffer load to shared memory";
  let description = [{
    As `cdna3.buffer_copy_lds`, also of 96 bits. LLVM 22 has no form of the
    instruction whose completion a kernel awaits itself, so the plain one is
    emitted and LLVM inserts the waits before the data is read and before a
    barrier: a kernel that waits too little is right nonetheless.
    Example: `!fly_rocdl.cdna4.buffer_load_async_lds<128>`.
  }];
  let parameters = (ins "int32_t":$bitSize);
  let assemblyFormat = "`<` $bitSize `>`";
}

def FlyROCDL_GlobalLoadAsyncLds
    : FlyROCDL_StaticCopyType<"GlobalLoadAsyncLds",
                              "cdna4.global_load_async_lds"> {
  let summary = "asynchronous global load to shared memory";
  let description = [{
    Each lane moves `bitSize` bits from global to shared memory without passing
    registers; waits and shared addresses as for `cdna4.buffer_load_async_lds`
    and `cdna3.buffer_copy_lds`. Stateless.
    Example: `!fly_rocdl.cdna4.global_load_async_lds<32>`.
  }];
  let parameters = (ins "int32_t":$bitSize);
  let assemblyFormat = "`<` $bitSize `>`";
}

def FlyROCDL_BufferAtomic
    : FlyROCDL_BufferCopyType<"BufferAtomic", "cdna3.buffer_atomic"> {
  let summary = "atomic operation on a buffer";
  let description = [{
    Combines a register value with a buffer element. Floats: `add`, `max`,
    `min` of f32 and f64, `add` of two halves or bfloats. Integers of 32 and 64
    bits: all operations; of signless ones `max` compares as signed and `min`
    as *unsigned*, those of a type with a sign (`si32`, `ui64`) as it says. In
    register form the call may have a result: the old value of the element.
    State: `soffset` (i32) in elements.
    Example: `!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>`.
  }];
  let parameters = (ins EnumParameter<Fly_AtomicOp>:$atomicOp,
                        "::mlir::Type":$valType);
  let assemblyFormat = "`<` $atomicOp `,` custom<NestedType>($valType) `>`";
  let extraClassDeclaration = [{
    /// The instruction for this operation and value type, or null if AMD chips
    /// have none.
    const ::fly::arch::BufferAtomic *getInstruction() const;
    /// The value type as instructions take it: without a sign.
    ::mlir::Type getRegisterType() const;
  }];
}

def FlyROCDL_LdsReadTrans
    : FlyROCDL_StaticCopyType<"LdsReadTrans", "cdna4.lds_read_trans"> {
  let summary = "shared memory read that transposes";
  let description = [{
    16 lanes read `bitSize` bits each and exchange elements of `granularity`
    bits: the lanes' elements, one lane after the other, go round the lanes.
    Element i of lane l is element l + 16 i of the group's. A swizzle of the
    source acts on each lane's address. Pairs: 4b 64, 8b 64, 6b 96, 16b 64.
    Example: `!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>`.
  }];
  let parameters = (ins "int32_t":$granularity, "int32_t":$bitSize);
  let assemblyFormat = [{
    `<` `trans` `=` custom<Granularity>($granularity) `,` $bitSize `>`
  }];
  let extraClassDeclaration = [{
    /// The row of the instruction table; the verifier guarantees that it
    /// exists.
    const ::fly::arch::CopyInstruction &getInstruction() const;
  }];
}

//===----------------------------------------------------------------------===//
// Tensor copies
//===----------------------------------------------------------------------===//

def FlyROCDL_Tdm
    : FlyROCDL_Type<"Tdm", "gfx1250.tdm", [
        DeclareTypeInterfaceMethods<Fly_CopyAtomTypeInterface,
            ["getStateFields", "getRequiredFeature", "isWholeTileCopy"]>]> {
  let summary = "copy of a whole tile between global and shared memory";
  let description = [{
    One call moves a tile of `rank` (1 to 5) modes; `numWarps` waves share it,
    cutting the outermost modes into equal parts. `padInterval` and
    `padAmount`, in elements: after so many elements so many are left out in
    shared memory. `cache` is the cache policy, `barrier` lets the copy arrive
    at a barrier in shared memory, `timeout` lets a multicast end early. The
    copy is asynchronous: `rocdl.s.wait.tensorcnt` awaits it.

    State: `workgroup_mask` (i32, multicast), `extent_0` to `extent_4` (i32,
    where the tensor ends in each mode of the tile, outermost first, from the
    tile's start; 2^31 - 1 if not set), `stride_0` to `stride_3` (i64, elements;
    the layout's if not set), `imm_offset` (i64, bytes).
    All of the text but rank and warps may be left out.
    Example: `!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = false>`.
  }];
  let parameters = (ins "int32_t":$rank, "int32_t":$numWarps,
                        "int32_t":$padInterval, "int32_t":$padAmount,
                        "int32_t":$cache, "bool":$barrier, "bool":$timeout);
  let hasCustomAssemblyFormat = 1;
}

class FlyROCDL_TensorCopyType<string name, string typeMnemonic>
    : FlyROCDL_Type<name, typeMnemonic, [
        DeclareTypeInterfaceMethods<Fly_CopyAtomTypeInterface,
            ["getStateFields", "getRequiredFeature"]>]> {
  let hasCustomAssemblyFormat = 1;
  code declarations = [{
    /// Dimensions of the descriptor.
    int32_t getRank() const { return getShape().size(); }
    /// Bits of one element.
    int32_t getElementBits() const {
      return getElem().getIntOrFloatBitWidth();
    }
    /// Elements that one call moves.
    int64_t getNumElements() const;
  }];
}

def FlyROCDL_TensorLoad
    : FlyROCDL_TensorCopyType<"TensorLoad", "cdna5.tensor_load"> {
  let summary = "copy of a tile to shared memory, driven by coordinates";
  let description = [{
    Moves a box of `shape` (outermost first) elements of type `elem` from the
    tensor that the atom holds to shared memory. The source of a call is a
    coordinate tensor: it says where in the tensor the box starts. Leaf m of
    `tensor2tdm`, which is congruent with the tensor's shape, says which
    dimension i of the descriptor (0 outermost) mode m moves: `kEi` by k for
    each step, `0` not at all. `iterCount` repeats the box with a stride of its
    own. Padding as for `gfx1250.tdm`.

    Construction takes base (a global pointer), the strides of all dimensions
    but the innermost (i64, elements), the extents (i32) and, with `iterCount`
    above 1, the stride of the iteration (i64). State: `workgroup_mask`,
    `early_timeout` (i32), `atomic_barrier_addr` (a shared pointer),
    `boundary_check_axes` (a flat int tuple with a leaf for each dimension:
    0 does not clip there); `boundary_check`, which names the tensor's modes, is
    translated by `fly-rocdl-expand-ops`.
    Example: `!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1)>`.
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$shape,
                        "::mlir::Type":$elem, "::fly::IntTupleAttr":$tensor2tdm,
                        "bool":$atomicBarrier, "int32_t":$cacheModifier,
                        "int32_t":$iterCount, "int32_t":$padInterval,
                        "int32_t":$padAmount);
  let extraClassDeclaration = declarations;
}

def FlyROCDL_TensorStore
    : FlyROCDL_TensorCopyType<"TensorStore", "cdna5.tensor_store"> {
  let summary = "copy of a tile from shared memory, driven by coordinates";
  let description = [{
    The reverse of `cdna5.tensor_load`; the destination is the coordinate
    tensor. A store cannot leave padding out, and its state has no
    `workgroup_mask` and no `early_timeout`.
    Example: `!fly_rocdl.cdna5.tensor_store<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1)>`.
  }];
  let parameters = (ins ArrayRefParameter<"int32_t">:$shape,
                        "::mlir::Type":$elem, "::fly::IntTupleAttr":$tensor2tdm,
                        "bool":$atomicBarrier, "int32_t":$cacheModifier,
                        "int32_t":$iterCount);
  let extraClassDeclaration = declarations;
}

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDLCOPYTYPES_TD
