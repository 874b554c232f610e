// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix operations as they stand in kernels, compared with the rows. Code
// generation and the CPU share it: neither takes an instruction that the chip
// lacks.

#ifndef FLY_ARCH_MATRIXUSE_H
#define FLY_ARCH_MATRIXUSE_H

#include "Fly/Arch/Chips.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace fly::arch {

/// A matrix operation in a kernel.
struct MatrixUse {
  /// The operation, as the rows write it.
  llvm::StringRef op;
  /// True if it is called as an intrinsic.
  bool isCall = false;
  /// Bits of each operand and of the result of a lane; 0 of what is no number
  /// or vector of numbers.
  llvm::SmallVector<uint32_t, 8> operandBits;
  uint32_t resultBits = 0;
  /// The value of each operand that is an integer constant.
  llvm::SmallVector<std::optional<int64_t>, 8> constants;
};

/// What is wrong with a matrix operation on `chip`, to stand behind the
/// operation's name, with a list of what the chip has for its operand types;
/// empty if the chip has the instruction and, with `checkSizes`, takes operands
/// of these sizes and these constants.
std::string findMatrixProblem(const MatrixUse &use, const Chip &chip,
                              bool checkSizes = true);

} // namespace fly::arch

#endif // FLY_ARCH_MATRIXUSE_H
