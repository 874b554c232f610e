// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerations of the `fly` dialect.  All are 32-bit integers; their
// stand-alone text is `#fly<mnemonic case>`.

#ifndef FLY_DIALECT_FLY_IR_FLYENUMS_TD
#define FLY_DIALECT_FLY_IR_FLYENUMS_TD

include "mlir/IR/EnumAttr.td"
include "Fly/Dialect/Fly/IR/FlyDialect.td"

class Fly_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fly";
  let genSpecializedAttr = 0;
}

//===----------------------------------------------------------------------===//
// Address spaces
//===----------------------------------------------------------------------===//

def Fly_AddressSpace : Fly_I32Enum<"AddressSpace", "memory a pointer is in", [
  I32EnumAttrCase<"Generic", 0, "generic">,
  I32EnumAttrCase<"Global", 1, "global">,
  I32EnumAttrCase<"Shared", 2, "shared">,
  I32EnumAttrCase<"Register", 3, "register">
]>;

def Fly_AddressSpaceAttr
    : EnumAttr<Fly_Dialect, Fly_AddressSpace, "address_space"> {
  let summary = "address space";
}

//===----------------------------------------------------------------------===//
// Matrix operands
//===----------------------------------------------------------------------===//

def Fly_MmaOperand : Fly_I32Enum<"MmaOperand", "operand of D = A * B + C", [
  I32EnumAttrCase<"A", 0, "a">,
  I32EnumAttrCase<"B", 1, "b">,
  I32EnumAttrCase<"C", 2, "c">,
  I32EnumAttrCase<"D", 3, "d">
]>;

def Fly_MmaOperandAttr : EnumAttr<Fly_Dialect, Fly_MmaOperand, "mma_operand"> {
  let summary = "matrix operand";
}

//===----------------------------------------------------------------------===//
// Atomic operations
//===----------------------------------------------------------------------===//

def Fly_AtomicOp : Fly_I32Enum<"AtomicOp", "read-modify-write operation", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Max", 1, "max">,
  I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"And", 3, "and">,
  I32EnumAttrCase<"Or", 4, "or">,
  I32EnumAttrCase<"Inc", 5, "inc">,
  I32EnumAttrCase<"Dec", 6, "dec">
]>;

def Fly_AtomicOpAttr : EnumAttr<Fly_Dialect, Fly_AtomicOp, "atomic_op"> {
  let summary = "atomic operation";
}

//===----------------------------------------------------------------------===//
// Order of the loops of a tiled multiplication
//===----------------------------------------------------------------------===//

def Fly_GemmTraversalOrder : Fly_I32Enum<"GemmTraversalOrder",
    "order in which fly.gemm walks the atoms, innermost mode first", [
  I32EnumAttrCase<"KMN", 0, "kmn">,
  I32EnumAttrCase<"KNM", 1, "knm">,
  I32EnumAttrCase<"MKN", 2, "mkn">,
  I32EnumAttrCase<"MNK", 3, "mnk">,
  I32EnumAttrCase<"NKM", 4, "nkm">,
  I32EnumAttrCase<"NMK", 5, "nmk">,
  I32EnumAttrCase<"KMNSerpentine", 6, "kmn_serpentine">,
  I32EnumAttrCase<"KNMSerpentine", 7, "knm_serpentine">,
  I32EnumAttrCase<"MKNSerpentine", 8, "mkn_serpentine">,
  I32EnumAttrCase<"MNKSerpentine", 9, "mnk_serpentine">,
  I32EnumAttrCase<"NKMSerpentine", 10, "nkm_serpentine">,
  I32EnumAttrCase<"NMKSerpentine", 11, "nmk_serpentine">
]>;

def Fly_GemmTraversalOrderAttr
    : EnumAttr<Fly_Dialect, Fly_GemmTraversalOrder, "gemm_traversal_order"> {
  let summary = "traversal order of a tiled multiplication";
}

//===----------------------------------------------------------------------===//
// Cache policies
//===----------------------------------------------------------------------===//

def Fly_CachePolicy : Fly_I32Enum<"CachePolicy", "caching of a load or store", [
  I32EnumAttrCase<"CacheGlobal", 0, "cache_global">,
  I32EnumAttrCase<"CacheAlways", 1, "cache_always">
]>;

def Fly_CachePolicyAttr : EnumAttr<Fly_Dialect, Fly_CachePolicy, "cache_policy"> {
  let summary = "cache policy";
}

#endif // FLY_DIALECT_FLY_IR_FLYENUMS_TD
