// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type interfaces: what a copy or matrix atom says about itself, and which
// types have exactly one value.  An atom only *describes* here; how it becomes
// instructions is a second interface, attached by the conversion libraries.

#ifndef FLY_DIALECT_FLY_IR_FLYINTERFACES_TD
#define FLY_DIALECT_FLY_IR_FLYINTERFACES_TD

include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Types that may have exactly one value
//===----------------------------------------------------------------------===//

def Fly_MayBeStaticTypeInterface : TypeInterface<"MayBeStaticTypeInterface"> {
  let cppNamespace = "::fly";
  let description = [{
    A type of which some instances have exactly one value, so that the value
    can be made out of nothing (`fly.static`).
  }];
  let methods = [
    InterfaceMethod<"True if this type has exactly one value.",
      "bool", "isStatic", (ins), "", [{ return true; }]>,
    InterfaceMethod<[{
        Creates ops that yield the one value of this static type in normal form
        (every tuple from `make_int_tuple`, every layout from `make_layout` and so on).
        `current` is the value to be replaced, or null. Returns null if
        `current` is in normal form already or the type has no such form.
        Types that describe an atom op yield the atom.
      }],
      "::mlir::Value", "rebuildStaticValue",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$current), "", [{
        return ::fly::rebuildStaticValueOf($_type, builder, loc, current);
      }]>
  ];
}

//===----------------------------------------------------------------------===//
// State of an atom
//===----------------------------------------------------------------------===//

class Fly_AtomQueries {
  list<InterfaceMethod> methods = [
    InterfaceMethod<[{
        The layout of the threads that execute the atom together; its size is
        their number.
      }],
      "::fly::layout::Layout", "getThrLayout">,
    InterfaceMethod<[{
        The run-time fields of an atom value, in the order in which they are
        kept; `fly.atom.set_value` sets one by name. Empty: no state.
      }],
      "::llvm::SmallVector<::fly::AtomStateField>", "getStateFields", (ins), "",
      [{ return {}; }]>,
    InterfaceMethod<[{
        The name of the chip feature without which the atom cannot be emitted,
        as room Arch spells it; empty if every chip has it.
      }],
      "::llvm::StringRef", "getRequiredFeature", (ins), "",
      [{ return {}; }]>
  ];
}

//===----------------------------------------------------------------------===//
// Copy atoms
//===----------------------------------------------------------------------===//

def Fly_CopyAtomTypeInterface : TypeInterface<"CopyAtomTypeInterface"> {
  let cppNamespace = "::fly";
  let description = [{
    The operation of a copy atom. A bit layout maps (thread, bit) to the index
    of the bit in the atom's tile. `!fly.copy_atom` derives from it the layouts
    of values: recast from 1 bit to the width of a value.
  }];
  let methods = !listconcat(Fly_AtomQueries<>.methods, [
    InterfaceMethod<"(thread, bit) of the source, rank 2 and static.",
      "::fly::layout::Layout", "getThrBitLayoutSrc">,
    InterfaceMethod<"(thread, bit) of the destination, rank 2 and static.",
      "::fly::layout::Layout", "getThrBitLayoutDst">,
    InterfaceMethod<[{
        (thread, bit) of the reference that a tiled copy's thread-value layout
        is stated for; rank 2 and static.
      }],
      "::fly::layout::Layout", "getThrBitLayoutRef">,
    InterfaceMethod<[{
        True if one call moves a whole tile of any rank, so that `fly.copy` is
        not taken apart. The width of a value may then be 0.
      }],
      "bool", "isWholeTileCopy", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        The width in bits of one value if the atom is named without one.
      }],
      "int32_t", "getDefaultValBits">
  ]);
}

//===----------------------------------------------------------------------===//
// Matrix atoms
//===----------------------------------------------------------------------===//

def Fly_MmaAtomTypeInterface : TypeInterface<"MmaAtomTypeInterface"> {
  let cppNamespace = "::fly";
  let description = [{
    The operation of a matrix atom, D = A * B + C with A of M x K, B of N x K,
    C and D of M x N elements. A value layout maps (thread, value) to the
    column-major index in the operand's tile; D uses that of C.
  }];
  let methods = !listconcat(Fly_AtomQueries<>.methods, [
    InterfaceMethod<"The extents (M, N, K), static and of rank 3.",
      "::fly::layout::IntTuple", "getShapeMNK">,
    InterfaceMethod<"Element type of A.", "::mlir::Type", "getValTypeA">,
    InterfaceMethod<"Element type of B.", "::mlir::Type", "getValTypeB">,
    InterfaceMethod<"Element type of C.", "::mlir::Type", "getValTypeC">,
    InterfaceMethod<"Element type of D.", "::mlir::Type", "getValTypeD">,
    InterfaceMethod<"(thread, value) of A, rank 2 and static.",
      "::fly::layout::Layout", "getThrValLayoutA">,
    InterfaceMethod<"(thread, value) of B, rank 2 and static.",
      "::fly::layout::Layout", "getThrValLayoutB">,
    InterfaceMethod<"(thread, value) of C and D, rank 2 and static.",
      "::fly::layout::Layout", "getThrValLayoutC">
  ]);
}

#endif // FLY_DIALECT_FLY_IR_FLYINTERFACES_TD
