// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix operations that stand in a kernel by themselves, without an atom:
// whether a chip has them.

#ifndef FLY_DIALECT_FLYROCDL_IR_MATRIXOPERATIONS_H
#define FLY_DIALECT_FLYROCDL_IR_MATRIXOPERATIONS_H

#include "Fly/Arch/Chips.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace fly::rocdl {

/// The matrix operation that `op` is, or calls as an intrinsic, as the rows of
/// room Arch write it; empty if it is none.
llvm::StringRef getMatrixOperation(mlir::Operation *op);

/// What is wrong with a matrix operation on `chip`, to stand behind the name of
/// `op`, with a list of what the chip has for its operand types; empty if the
/// chip has the instruction, and, with `checkSizes`, operands of these sizes a
/// lane and constants that fit. Empty for other operations.
std::string findMatrixProblem(mlir::Operation *op, const arch::Chip &chip,
                              bool checkSizes = true);

} // namespace fly::rocdl

#endif // FLY_DIALECT_FLYROCDL_IR_MATRIXOPERATIONS_H
