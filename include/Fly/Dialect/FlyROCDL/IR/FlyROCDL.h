// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `fly_rocdl` dialect: AMD atoms as types, buffer pointers, the CPU target.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDL_H
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDL_H

#include "Fly/Arch/CopyInstructions.h"
#include "Fly/Arch/MatrixInstructions.h"
#include "Fly/Dialect/Fly/IR/FlyTypes.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_TYPEDEF_CLASSES
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.h.inc"

#define GET_OP_CLASSES
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLOps.h.inc"

namespace fly::rocdl {

/// The element kind of the tables for an MLIR scalar type, if they know it.
/// Integers of 8 and 4 bits count whatever their signedness; those of 16, 32
/// and 64 bits must be signless.
std::optional<arch::ElemKind> getElemKind(mlir::Type type);

/// The MLIR type of an element kind (signless for integers).
mlir::Type getElemType(mlir::MLIRContext *context, arch::ElemKind kind);

/// The type of an instruction's register operand: scalar or vector.
mlir::Type getRegisterType(mlir::MLIRContext *context, arch::RegisterType reg);

/// The instruction of a matrix atom type of this dialect, or null for any
/// other type.
const arch::MatrixInstruction *getMatrixInstruction(mlir::Type mmaOp);

/// True if `space` is that of buffer pointers.
inline bool isBufferSpace(mlir::Attribute space) {
  return llvm::isa<BufferDescAttr>(space);
}

} // namespace fly::rocdl

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDL_H
