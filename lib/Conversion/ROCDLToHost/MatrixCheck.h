// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the chip that the CPU stands for has a matrix operation.

#ifndef FLY_LIB_CONVERSION_ROCDLTOHOST_MATRIXCHECK_H
#define FLY_LIB_CONVERSION_ROCDLTOHOST_MATRIXCHECK_H

#include "Fly/Arch/Chips.h"

#include "mlir/IR/Operation.h"

#include <string>

namespace fly::host {

/// What is wrong with a matrix operation on `chip`, to stand behind "operation
/// 'x' ", with a list of what the chip has for its operand types; empty if the
/// chip has the instruction with operands of these sizes.
std::string findMatrixProblem(mlir::Operation *op, const arch::Chip &chip);

} // namespace fly::host

#endif // FLY_LIB_CONVERSION_ROCDLTOHOST_MATRIXCHECK_H
