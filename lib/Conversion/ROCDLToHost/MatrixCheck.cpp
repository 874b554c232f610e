// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of matrix operations against the rows of room Arch: the CPU runs
// no instruction that code generation for the chip would refuse.

#include "MatrixCheck.h"

#include "DeviceTypes.h"

#include "Fly/Arch/MatrixInstructions.h"

#include "llvm/ADT/Twine.h"

using namespace mlir;

static uint32_t bytesOf(const fly::arch::RegisterType &type) {
  return type.count * fly::arch::elemBits(type.elem) / 8;
}

/// Bytes of an operand; 0 if there is none of plain data.
static uint32_t bytesOf(Operation *op, unsigned index) {
  if (index >= op->getNumOperands())
    return 0;
  return fly::host::fieldBytes(op->getOperand(index).getType()).value_or(0);
}

std::string fly::host::findMatrixProblem(Operation *op,
                                         const arch::Chip &chip) {
  StringRef name = op->getName().getStringRef();
  const arch::MatrixInstruction *found = nullptr;
  for (const arch::MatrixInstruction &row : arch::matrixInstructions()) {
    if (row.op != name || !chip.has(row.feature))
      continue;
    found = &row;
    if (bytesOf(op, 0) == bytesOf(row.regA) &&
        bytesOf(op, 1) == bytesOf(row.regB) &&
        bytesOf(op, 2) == bytesOf(row.regC))
      return {};
  }
  if (found)
    return (llvm::Twine("has operands of ") + llvm::Twine(bytesOf(op, 0)) +
            ", " + llvm::Twine(bytesOf(op, 1)) + " and " +
            llvm::Twine(bytesOf(op, 2)) + " bytes a lane; that of " +
            chip.name + " takes " + llvm::Twine(bytesOf(found->regA)) + ", " +
            llvm::Twine(bytesOf(found->regB)) + " and " +
            llvm::Twine(bytesOf(found->regC)))
        .str();
  std::string alternatives = arch::operationAlternatives(chip, name);
  std::string problem =
      (llvm::Twine("is no instruction of ") + chip.name).str();
  return problem +
         (alternatives.empty()
              ? ", which has none for its operand types"
              : "; for its operand types the chip has " + alternatives);
}
