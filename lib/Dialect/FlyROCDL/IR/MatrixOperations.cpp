// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of matrix operations against the rows of room Arch. Code generation
// and the CPU share it: neither takes an instruction that the chip lacks.

#include "Fly/Dialect/FlyROCDL/IR/MatrixOperations.h"

#include "Fly/Arch/MatrixInstructions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace fly;
using arch::MatrixInstruction;

StringRef fly::rocdl::getMatrixOperation(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return arch::matrixOperation(call.getIntrin());
  StringRef name = op->getName().getStringRef();
  return name.starts_with("rocdl.") ? arch::matrixOperation(name) : StringRef();
}

static uint32_t bitsOf(const arch::RegisterType &type) {
  return type.count * arch::elemBits(type.elem);
}

/// Bits of a number or a vector of numbers; 0 of other types.
static uint32_t bitsOf(Type type) {
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    count = vector.getNumElements();
    type = vector.getElementType();
  }
  return type.isIntOrFloat() ? count * type.getIntOrFloatBitWidth() : 0;
}

static uint32_t operandBits(Operation *op, unsigned index) {
  return index < op->getNumOperands() ? bitsOf(op->getOperand(index).getType())
                                      : 0;
}

static uint32_t resultBits(Operation *op) {
  return op->getNumResults() == 1 ? bitsOf(op->getResult(0).getType()) : 0;
}

/// True if the operands and the result have the sizes of the row.
static bool haveSizes(Operation *op, const MatrixInstruction &row) {
  arch::OperandNumbers at = arch::operandNumbers(row.modifiers);
  return operandBits(op, at.a) == bitsOf(row.regA) &&
         operandBits(op, at.b) == bitsOf(row.regB) &&
         operandBits(op, at.c) == bitsOf(row.regC) &&
         resultBits(op) == bitsOf(row.regD()) &&
         (!row.isSparse() ||
          operandBits(op, at.index) == row.indexRegisterBits);
}

/// "4, 4 and 16": the bytes of A, B, C and, of a sparse row, the index.
static std::string listBytes(bool isSparse, uint32_t a, uint32_t b, uint32_t c,
                             uint32_t index) {
  auto text = [](uint32_t bits) { return std::to_string(bits / 8); };
  if (!isSparse)
    return text(a) + ", " + text(b) + " and " + text(c);
  return text(a) + ", " + text(b) + ", " + text(c) + " and " + text(index);
}

/// "has operands of …; that of gfx942 takes …".
static std::string describeSizes(Operation *op, const MatrixInstruction &row,
                                 const arch::Chip &chip) {
  arch::OperandNumbers at = arch::operandNumbers(row.modifiers);
  std::string text = "has operands of ";
  text +=
      listBytes(row.isSparse(), operandBits(op, at.a), operandBits(op, at.b),
                operandBits(op, at.c), operandBits(op, at.index));
  text += " bytes a lane; that of " + chip.name.str() + " takes ";
  text += listBytes(row.isSparse(), bitsOf(row.regA), bitsOf(row.regB),
                    bitsOf(row.regC), row.indexRegisterBits);
  if (resultBits(op) != bitsOf(row.regD()))
    text += " and gives " + std::to_string(bitsOf(row.regD()) / 8);
  return text;
}

std::string fly::rocdl::findMatrixProblem(Operation *op, const arch::Chip &chip,
                                          bool checkSizes) {
  StringRef name = getMatrixOperation(op);
  if (name.empty())
    return {};
  bool isCall = isa<LLVM::CallIntrinsicOp>(op);
  const MatrixInstruction *found = nullptr;
  for (const MatrixInstruction &row : arch::matrixInstructions()) {
    if (row.op != name || !chip.has(row.feature))
      continue;
    found = &row;
    // The intrinsic of a ROCDL operation orders its operands in its own way.
    if (!checkSizes || isCall != row.isIntrinsic() || haveSizes(op, row))
      return {};
  }
  std::string problem =
      isCall ? ("calls '" + name + "', which ").str() : std::string();
  if (found)
    return problem + describeSizes(op, *found, chip);
  problem += ("is no instruction of " + chip.name).str();
  std::string alternatives = arch::operationAlternatives(chip, name);
  return problem +
         (alternatives.empty()
              ? ", which has none for its operand types"
              : "; for its operand types the chip has " + alternatives);
}
