// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fly/Arch/MatrixUse.h"

#include "Fly/Arch/MatrixInstructions.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace fly::arch;

static uint32_t bitsOf(const RegisterType &type) {
  return type.count * elemBits(type.elem);
}

static uint32_t operandBits(const MatrixUse &use, unsigned index) {
  return index < use.operandBits.size() ? use.operandBits[index] : 0;
}

/// True if the operands and the result have the sizes of the row.
static bool haveSizes(const MatrixUse &use, const MatrixInstruction &row) {
  OperandNumbers at = operandNumbers(row.modifiers);
  return operandBits(use, at.a) == bitsOf(row.regA) &&
         operandBits(use, at.b) == bitsOf(row.regB) &&
         operandBits(use, at.c) == bitsOf(row.regC) &&
         use.resultBits == bitsOf(row.regD()) &&
         (!row.isSparse() ||
          operandBits(use, at.index) == row.indexRegisterBits);
}

/// "4, 4 and 16": the bytes of A, B, C and, of a sparse row, the index.
static std::string listBytes(bool isSparse, uint32_t a, uint32_t b, uint32_t c,
                             uint32_t index) {
  auto text = [](uint32_t bits) { return std::to_string(bits / 8); };
  if (!isSparse)
    return text(a) + ", " + text(b) + " and " + text(c);
  return text(a) + ", " + text(b) + ", " + text(c) + " and " + text(index);
}

/// "has operands of … bytes a lane; that of gfx942 takes …", with the result if
/// it has another size.
static std::string describeSizes(const MatrixUse &use,
                                 const MatrixInstruction &row,
                                 const Chip &chip) {
  OperandNumbers at = operandNumbers(row.modifiers);
  uint32_t result = bitsOf(row.regD());
  std::string text = "has operands of ";
  text +=
      listBytes(row.isSparse(), operandBits(use, at.a), operandBits(use, at.b),
                operandBits(use, at.c), operandBits(use, at.index));
  if (use.resultBits != result)
    text += " and a result of " + std::to_string(use.resultBits / 8);
  text += " bytes a lane; that of " + chip.name.str() + " takes ";
  text += listBytes(row.isSparse(), bitsOf(row.regA), bitsOf(row.regB),
                    bitsOf(row.regC), row.indexRegisterBits);
  if (use.resultBits != result)
    text += " and gives " + std::to_string(result / 8);
  // Flags stand between the matrices, which the sizes alone do not tell.
  if (at.a)
    text += ", as its operands " + std::to_string(at.a) + ", " +
            std::to_string(at.b) +
            (row.isSparse() ? ", " + std::to_string(at.c) + " and " +
                                  std::to_string(at.index)
                            : " and " + std::to_string(at.c)) +
            ", counted from 0, between its flags";
  return text;
}

namespace {
/// A constant operand of an MFMA operation; its field of the instruction holds
/// 0 to `last`.
struct Modifier {
  unsigned operand;
  llvm::StringLiteral name;
  int64_t last;
};
} // namespace

/// The constant operands of MFMA operations and of their intrinsics, which have
/// the same order.
static llvm::ArrayRef<Modifier> getModifiers(ModifierForm form) {
  static constexpr Modifier dense[] = {
      {3, "cbsz", 7}, {4, "abid", 15}, {5, "blgp", 7}};
  static constexpr Modifier sparse[] = {{4, "cbsz", 7}, {5, "abid", 15}};
  static constexpr Modifier scaled[] = {{3, "the format of A", 4},
                                        {4, "the format of B", 4},
                                        {5, "opselA", 3},
                                        {7, "opselB", 3}};
  switch (form) {
  case ModifierForm::MfmaTriple:
    return dense;
  case ModifierForm::Sparse:
    return sparse;
  case ModifierForm::MfmaScale:
    return scaled;
  default:
    return {};
  }
}

/// Whether cbsz and abid name the block whose A counts for others: f64 ignores
/// them (AMD CDNA3 ISA, "Broadcasting values").
static bool hasBroadcast(const MatrixInstruction &row) {
  return row.modifiers == ModifierForm::MfmaTriple && row.acc != ElemKind::F64;
}

/// The largest cbsz or abid that names a block, and why; `values` are the
/// constants before it. cbsz groups 2^cbsz blocks, of which abid is one.
static std::pair<int64_t, std::string>
findLastBroadcast(const MatrixInstruction &row,
                  llvm::ArrayRef<int64_t> values) {
  if (values.empty())
    return {llvm::Log2_32(row.blocks),
            row.blocks == 1 ? "1 block"
                            : std::to_string(row.blocks) + " blocks"};
  return {(int64_t(1) << values[0]) - 1, "cbsz " + std::to_string(values[0])};
}

/// What is wrong with the constants of an MFMA operation. The assembler cuts
/// what does not fit, and LLVM names no place where one is no constant.
static std::string findModifierProblem(const MatrixUse &use,
                                       const MatrixInstruction &row) {
  llvm::SmallVector<int64_t, 4> values;
  for (const Modifier &modifier : getModifiers(row.modifiers)) {
    if (modifier.operand >= use.constants.size())
      return {};
    std::string number = std::to_string(modifier.operand);
    std::optional<int64_t> value = use.constants[modifier.operand];
    if (!value)
      return "takes operand " + number + ", " + modifier.name.str() +
             ", as a constant";
    int64_t last = modifier.last;
    std::string reason;
    if (hasBroadcast(row) && values.size() < 2) {
      std::tie(last, reason) = findLastBroadcast(row, values);
      reason = " with " + reason;
    }
    values.push_back(*value);
    if (*value < 0 || *value > last)
      return "has " + std::to_string(*value) + " for operand " + number + ", " +
             modifier.name.str() + ", expected 0" +
             (last ? " to " + std::to_string(last) : "") + reason;
  }
  if (row.modifiers == ModifierForm::Sparse && values[0] == 0 &&
      values[1] >= row.indexSets())
    return "has abid " + std::to_string(values[1]) +
           ", but its index register holds " + std::to_string(row.indexSets()) +
           " sets";
  return {};
}

std::string fly::arch::findMatrixProblem(const MatrixUse &use, const Chip &chip,
                                         bool checkSizes) {
  const MatrixInstruction *found = nullptr;
  for (const MatrixInstruction &row : matrixInstructions()) {
    if (row.op != use.op || !chip.has(row.feature))
      continue;
    found = &row;
    // The intrinsic of a ROCDL operation orders its operands in its own way.
    if (!checkSizes)
      return {};
    if (use.isCall != row.isIntrinsic() || haveSizes(use, row))
      return findModifierProblem(use, row);
  }
  std::string problem =
      use.isCall ? (llvm::Twine("calls '") + use.op + "', which ").str()
                 : std::string();
  if (found)
    return problem + describeSizes(use, *found, chip);
  problem += (llvm::Twine("is no instruction of ") + chip.name).str();
  std::string alternatives = operationAlternatives(chip, use.op);
  return problem +
         (alternatives.empty()
              ? ", which has none for its operand types"
              : "; for its operand types the chip has " + alternatives);
}
