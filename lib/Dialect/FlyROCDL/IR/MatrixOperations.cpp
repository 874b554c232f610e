// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix operations of kernels, read for the check of room Arch.

#include "Fly/Dialect/FlyROCDL/IR/MatrixOperations.h"

#include "Fly/Arch/MatrixInstructions.h"
#include "Fly/Arch/MatrixUse.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fly;

/// The intrinsic that `op` calls, or null. By name: this room does not know the
/// LLVM dialect.
static StringAttr getIntrinsic(Operation *op) {
  if (op->getName().getStringRef() != "llvm.call_intrinsic")
    return {};
  return dyn_cast_if_present<StringAttr>(op->getAttr("intrin"));
}

StringRef fly::rocdl::getMatrixOperation(Operation *op) {
  if (StringAttr intrinsic = getIntrinsic(op))
    return arch::matrixOperation(intrinsic.getValue());
  StringRef name = op->getName().getStringRef();
  return name.starts_with("rocdl.") ? arch::matrixOperation(name) : StringRef();
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

std::string fly::rocdl::findMatrixProblem(Operation *op, const arch::Chip &chip,
                                          bool checkSizes) {
  arch::MatrixUse use;
  use.op = getMatrixOperation(op);
  if (use.op.empty())
    return {};
  use.isCall = getIntrinsic(op) != nullptr;
  for (Value operand : op->getOperands()) {
    use.operandBits.push_back(bitsOf(operand.getType()));
    APInt value;
    use.constants.push_back(matchPattern(operand, m_ConstantInt(&value))
                                ? value.trySExtValue()
                                : std::nullopt);
  }
  if (op->getNumResults() == 1)
    use.resultBits = bitsOf(op->getResult(0).getType());
  return arch::findMatrixProblem(use, chip, checkSizes);
}
