// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each operation means for a lane: the one table that decides whether an
// operation is erased, stays in the lane, or stops it.

#ifndef FLY_LIB_CONVERSION_ROCDLTOHOST_OPERATIONTABLE_H
#define FLY_LIB_CONVERSION_ROCDLTOHOST_OPERATIONTABLE_H

#include "Fly/Arch/Chips.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace fly::host {

enum class OperationKind {
  /// No effect on values: erased.
  NoEffect,
  /// Rewritten to code of the lane (ROCDL), or kept as it is (LLVM).
  LaneLocal,
  /// Stops the lane until its group is served.
  CrossLane,
};

/// The meaning of one operation.
struct OperationRow {
  OperationKind kind;
  /// Of CrossLane: a fly_cpu_handler_id.
  uint32_t handler = 0;
  /// Of CrossLane: a matrix operation.
  bool isMatrix = false;
  /// Of CrossLane: what travels as constants (fly_cpu_handlers.def).
  llvm::StringRef immediates = {};
  /// Of CrossLane: a workgroup barrier, or a half of one.
  bool isBarrier = false;
  /// Of CrossLane: what a chip must have for it, beside what the tables of
  /// matrix operations ask for.
  arch::Feature needs = arch::Feature::None;
  /// Of CrossLane: a move to or from LDS that the device does some time later.
  bool isPendingMove = false;
};

/// The row of an operation, or nothing for one that cannot run on the host.
/// Says nothing about operand types, inline assembly or call targets.
std::optional<OperationRow> lookupOperation(mlir::Operation *op);

/// The matrix operation that `op` is, or calls as an intrinsic, as the rows of
/// room Arch write it; empty if it is none.
llvm::StringRef getMatrixOperation(mlir::Operation *op);

/// What is wrong with a matrix operation on `chip`, to stand behind the name of
/// `op`; empty if nothing is, or if it is no matrix operation.
std::string findMatrixProblem(mlir::Operation *op, const arch::Chip &chip);

/// True if `op` stops the lane.
bool isCrossLane(mlir::Operation *op);

/// True if `op` is a workgroup barrier, or a half of one.
bool isBarrier(mlir::Operation *op);

/// Operands and attributes of a cross-lane operation, told apart.
struct CrossLaneOperands {
  llvm::SmallVector<mlir::Value> fields;
  llvm::SmallVector<int32_t> immediates;
};

/// Splits the operands of a cross-lane operation into slot fields and
/// immediates. Emits an error at the operation if an operand that must be a
/// constant is none.
mlir::FailureOr<CrossLaneOperands> splitOperands(mlir::Operation *op,
                                                 const OperationRow &row);

/// The workgroups in each dimension of the clusters that `kernel` says it is
/// for, 0 for any. An error if it says it in a way that LLVM does not take, or
/// if `chip` has no clusters.
mlir::LogicalResult readClusterSize(mlir::LLVM::LLVMFuncOp kernel,
                                    const arch::Chip &chip, uint32_t size[3]);

/// What is wrong with an operation that needs `feature` of `chip`, to stand
/// behind its name; empty if nothing is.
std::string findFeatureProblem(arch::Feature feature, const arch::Chip &chip);

/// What is wrong with a cross-lane operation that `chip` may not have, or that
/// is an intrinsic, to stand behind its name; empty if nothing is.
std::string findCrossLaneProblem(mlir::Operation *op, const OperationRow &row,
                                 llvm::ArrayRef<int32_t> immediates,
                                 const arch::Chip &chip);

/// A function of ROCm's device libraries by which kernels print, which the
/// runtime has under the same signature.
struct PrintFunction {
  /// Its place in fly_cpu_runtime.
  uint64_t offset;
  /// Number of bits of the parameters in order; 0 is a pointer. The result has
  /// 64 bits.
  llvm::ArrayRef<unsigned> parameters;

  mlir::LLVM::LLVMFunctionType getType(mlir::MLIRContext *context) const;
};

/// The print function `name`, "__ockl_printf_begin", or nothing.
std::optional<PrintFunction> lookupPrintFunction(llvm::StringRef name);

} // namespace fly::host

#endif // FLY_LIB_CONVERSION_ROCDLTOHOST_OPERATIONTABLE_H
