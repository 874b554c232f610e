// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How atom operation types become instructions: the counterpart of the
// descriptions in FlyInterfaces.td. The interfaces are attached to types by
// external models, so that a dialect of atoms needs no code generation.

#ifndef FLY_CONVERSION_FLYTOLLVM_ATOMEMISSIONINTERFACES_TD
#define FLY_CONVERSION_FLYTOLLVM_ATOMEMISSIONINTERFACES_TD

include "mlir/IR/OpBase.td"

class Fly_AtomStateMethods {
  list<InterfaceMethod> methods = [
    InterfaceMethod<[{
        The LLVM type that holds the atom's run-time state. By default the
        literal struct of the fields that the description names.
      }],
      "::mlir::Type", "getStateType", (ins), "", [{
        return ::fly::getDefaultStateType($_type);
      }]>,
    InterfaceMethod<[{
        Emits the state of a new atom from the operands of its constructor. By
        default every field is zero and operands are refused.
      }],
      "::mlir::FailureOr<::mlir::Value>", "emitNewState",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$args, "::fly::EmitErrorFn":$emitError), "", [{
        return ::fly::emitZeroState($_type, builder, loc, args, emitError);
      }]>,
    InterfaceMethod<[{
        Emits the state with one field replaced. By default the value must have
        the type of the field.
      }],
      "::mlir::FailureOr<::mlir::Value>", "emitSetField",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$state, "::llvm::StringRef":$field,
           "::mlir::Value":$value, "::fly::EmitErrorFn":$emitError), "", [{
        return ::fly::emitInsertField($_type, builder, loc, state, field, value,
                                      emitError);
      }]>
  ];
}

def Fly_CopyAtomEmissionInterface : TypeInterface<"CopyAtomEmissionInterface"> {
  let cppNamespace = "::fly";
  let description = [{
    Emission of a copy atom. All operands are converted already. A method that
    fails has said why through `emitError`.
  }];
  let methods = !listconcat(Fly_AtomStateMethods<>.methods, [
    InterfaceMethod<[{
        Emits an unpredicated call in SSA form: registers are values, other
        operands memory. Yields the value of type `call.resultType`, or null if
        that is null. With both a result and a destination the atom is one that
        `givesOldValue`.
      }],
      "::mlir::FailureOr<::mlir::Value>", "emitSSA",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "const ::fly::CopyCall &":$call, "::fly::EmitErrorFn":$emitError)>,
    InterfaceMethod<[{
        True if a call that updates memory may have a result: the value that the
        memory had before.
      }],
      "bool", "givesOldValue", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        Emits an unpredicated call whose operands are all memory. By default it
        is derived from the SSA form: register operands are loaded before and
        stored behind.
      }],
      "::llvm::LogicalResult", "emitMemory",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "const ::fly::CopyCall &":$call, "::fly::EmitErrorFn":$emitError),
      "", [{
        return ::fly::emitMemoryFromSSA($_type, builder, loc, call, emitError);
      }]>
  ]);
}

def Fly_MmaAtomEmissionInterface : TypeInterface<"MmaAtomEmissionInterface"> {
  let cppNamespace = "::fly";
  let description = [{
    Emission of a matrix atom. A method that fails has said why through
    `emitError`.
  }];
  let methods = !listconcat(Fly_AtomStateMethods<>.methods, [
    InterfaceMethod<[{
        The type in which one lane holds the operand in registers; D is that of
        C. The memory form loads and stores it.
      }],
      "::mlir::Type", "getRegisterType", (ins "::fly::MmaOperand":$operand)>,
    InterfaceMethod<[{
        The type in which one lane holds the second member of the operand's
        group, such as its scale; null (by default) if the group has none.
      }],
      "::mlir::Type", "getAuxiliaryType", (ins "::fly::MmaOperand":$operand),
      "", [{ return {}; }]>,
    InterfaceMethod<[{
        Emits D = A * B + C. Each operand has its register type; yields D in
        the register type of C.
      }],
      "::mlir::FailureOr<::mlir::Value>", "emitSSA",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "const ::fly::MmaCall &":$call, "::fly::EmitErrorFn":$emitError)>
  ]);
}

#endif // FLY_CONVERSION_FLYTOLLVM_ATOMEMISSIONINTERFACES_TD
