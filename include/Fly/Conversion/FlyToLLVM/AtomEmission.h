// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of atoms as LLVM or target operations: the calls as values, the two
// interfaces that the types of atom operations implement by external models,
// and what is derived from them once for all atoms (state, memory form).

#ifndef FLY_CONVERSION_FLYTOLLVM_ATOMEMISSION_H
#define FLY_CONVERSION_FLYTOLLVM_ATOMEMISSION_H

#include "Fly/Dialect/Fly/IR/FlyTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectRegistry.h"

namespace fly {

/// Starts the diagnostic of a call that cannot be emitted, at its op.
using EmitErrorFn = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// An operand of a call: its type before conversion (a memref, a coordinate
/// tensor, or a register type) and its converted value.
struct CallOperand {
  mlir::Type type;
  mlir::Value value;

  /// The memref type, or null if the operand is a register value or a
  /// coordinate tensor.
  MemRefType getMemRef() const { return llvm::dyn_cast<MemRefType>(type); }
};

/// One call of a copy atom without predicate.
struct CopyCall {
  CopyAtomType atomType;
  /// The atom's state, a value of its state type.
  mlir::Value state;
  CallOperand src;
  /// The destination; none if the result is. Atomics have both: memory, and its
  /// old value as result.
  std::optional<CallOperand> dst;
  /// Type of the result, or null without one.
  mlir::Type resultType;
};

/// One call of a matrix atom in SSA form; every value has its register type.
struct MmaCall {
  MmaAtomType atomType;
  mlir::Value state;
  mlir::Value a, b, c;
  /// Second members of the operand groups A and B, such as scales; null where
  /// the call has none.
  mlir::Value auxiliaryA, auxiliaryB;
};

/// The literal struct of the state fields of an atom operation type.
mlir::Type getDefaultStateType(mlir::Type atomOp);
/// A state with every field zero; constructor operands are an error.
mlir::FailureOr<mlir::Value>
emitZeroState(mlir::Type atomOp, mlir::OpBuilder &builder, mlir::Location loc,
              mlir::ValueRange args, EmitErrorFn emitError);
/// The state with the field of that name replaced by a value of its type.
mlir::FailureOr<mlir::Value>
emitInsertField(mlir::Type atomOp, mlir::OpBuilder &builder, mlir::Location loc,
                mlir::Value state, llvm::StringRef field, mlir::Value value,
                EmitErrorFn emitError);
/// The memory form of a copy atom, derived from its SSA form.
llvm::LogicalResult emitMemoryFromSSA(mlir::Type copyOp,
                                      mlir::OpBuilder &builder,
                                      mlir::Location loc, const CopyCall &call,
                                      EmitErrorFn emitError);

/// `value` as `type` by one bit cast, or itself. Error if the bits differ in
/// number; `what` names the operand.
mlir::FailureOr<mlir::Value> castRegister(mlir::OpBuilder &builder,
                                          mlir::Location loc, mlir::Value value,
                                          mlir::Type type, llvm::StringRef what,
                                          EmitErrorFn emitError);

/// Attaches the emission of the universal atoms to their types.
void registerFlyToLLVMModels(mlir::DialectRegistry &registry);

} // namespace fly

#include "Fly/Conversion/FlyToLLVM/AtomEmissionInterfaces.h.inc"

#endif // FLY_CONVERSION_FLYTOLLVM_ATOMEMISSION_H
