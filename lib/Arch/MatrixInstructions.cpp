// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-up and spelling of the matrix instruction rows, which stand in
// MfmaRows.cpp, WmmaRows.cpp and SparseRows.cpp.

#include "Fly/Arch/MatrixInstructions.h"

#include "MatrixRows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace fly::arch;
using EK = ElemKind;

unsigned fly::arch::elemBits(ElemKind kind) {
  switch (kind) {
  case EK::F64:
  case EK::I64:
    return 64;
  case EK::F32:
  case EK::XF32:
  case EK::I32:
    return 32;
  case EK::F16:
  case EK::BF16:
  case EK::I16:
    return 16;
  case EK::F8E4M3FN:
  case EK::F8E5M2:
  case EK::F8E4M3FNUZ:
  case EK::F8E5M2FNUZ:
  case EK::I8:
    return 8;
  case EK::F6E2M3FN:
  case EK::F6E3M2FN:
    return 6;
  case EK::F4E2M1FN:
  case EK::I4:
    return 4;
  }
  llvm_unreachable("all element kinds are listed");
}

llvm::StringRef fly::arch::elemName(ElemKind kind) {
  switch (kind) {
  case EK::F64:
    return "f64";
  case EK::F32:
    return "f32";
  case EK::XF32:
    return "xf32";
  case EK::F16:
    return "f16";
  case EK::BF16:
    return "bf16";
  case EK::F8E4M3FN:
    return "f8E4M3FN";
  case EK::F8E5M2:
    return "f8E5M2";
  case EK::F8E4M3FNUZ:
    return "f8E4M3FNUZ";
  case EK::F8E5M2FNUZ:
    return "f8E5M2FNUZ";
  case EK::F6E2M3FN:
    return "f6E2M3FN";
  case EK::F6E3M2FN:
    return "f6E3M2FN";
  case EK::F4E2M1FN:
    return "f4E2M1FN";
  case EK::I8:
    return "i8";
  case EK::I4:
    return "i4";
  case EK::I16:
    return "i16";
  case EK::I32:
    return "i32";
  case EK::I64:
    return "i64";
  }
  llvm_unreachable("all element kinds are listed");
}

llvm::StringRef fly::arch::familyMnemonic(MatrixFamily family) {
  switch (family) {
  case MatrixFamily::Mfma:
    return "cdna3.mfma";
  case MatrixFamily::MfmaScale:
    return "cdna4.mfma_scale";
  case MatrixFamily::WmmaGfx11:
    return "gfx11.wmma";
  case MatrixFamily::WmmaGfx120x:
    return "gfx120x.wmma";
  case MatrixFamily::WmmaGfx1250:
    return "gfx1250.wmma";
  case MatrixFamily::WmmaScaleGfx1250:
    return "gfx1250.wmma_scale";
  case MatrixFamily::Smfmac:
    return "cdna3.smfmac";
  case MatrixFamily::SwmmacGfx120x:
    return "gfx120x.swmmac";
  case MatrixFamily::SwmmacGfx1250:
    return "gfx1250.swmmac";
  }
  llvm_unreachable("all families are listed");
}

llvm::ArrayRef<MatrixFamily> fly::arch::matrixFamilies() {
  static constexpr MatrixFamily families[] = {
      MatrixFamily::Mfma,          MatrixFamily::MfmaScale,
      MatrixFamily::WmmaGfx11,     MatrixFamily::WmmaGfx120x,
      MatrixFamily::WmmaGfx1250,   MatrixFamily::WmmaScaleGfx1250,
      MatrixFamily::Smfmac,        MatrixFamily::SwmmacGfx120x,
      MatrixFamily::SwmmacGfx1250,
  };
  return families;
}

llvm::StringRef fly::arch::callOperandName(CallOperand operand) {
  static constexpr llvm::StringLiteral names[] = {
      "A",       "B",       "C",      "index",  "formatA",
      "formatB", "modC",    "opsel",  "signA",  "signB",
      "negateA", "negateB", "reuseA", "reuseB", "clamp"};
  return names[size_t(operand)];
}

llvm::ArrayRef<CallOperand> fly::arch::callOperands(ModifierForm form) {
  using O = CallOperand;
  static constexpr O opsel[] = {O::A, O::B, O::C, O::Opsel};
  static constexpr O formats[] = {O::FormatA, O::A,    O::FormatB,
                                  O::B,       O::ModC, O::C};
  static constexpr O modC[] = {O::A, O::B, O::ModC, O::C};
  static constexpr O sparse[] = {O::A, O::B, O::C, O::Index};
  static constexpr O signs[] = {O::SignA, O::A,     O::SignB, O::B,
                                O::C,     O::Index, O::Clamp};
  static constexpr O reuse[] = {O::A,     O::B,      O::C,
                                O::Index, O::ReuseA, O::ReuseB};
  static constexpr O negate[] = {O::NegateA, O::A,     O::NegateB, O::B,
                                 O::C,       O::Index, O::ReuseA,  O::ReuseB};
  static constexpr O signsReuse[] = {O::SignA,  O::A,      O::SignB,
                                     O::B,      O::C,      O::Index,
                                     O::ReuseA, O::ReuseB, O::Clamp};
  switch (form) {
  case ModifierForm::OpselCall:
    return opsel;
  case ModifierForm::FormatsCall:
    return formats;
  case ModifierForm::ModCCall:
    return modC;
  case ModifierForm::SparseCall:
    return sparse;
  case ModifierForm::SparseSignsCall:
    return signs;
  case ModifierForm::SparseReuseCall:
    return reuse;
  case ModifierForm::SparseNegateCall:
    return negate;
  case ModifierForm::SparseSignsReuseCall:
    return signsReuse;
  default:
    return {};
  }
}

OperandNumbers fly::arch::operandNumbers(ModifierForm form) {
  OperandNumbers numbers = {0, 1, 2, 3};
  for (auto [i, operand] : llvm::enumerate(callOperands(form)))
    switch (operand) {
    case CallOperand::A:
      numbers.a = uint8_t(i);
      break;
    case CallOperand::B:
      numbers.b = uint8_t(i);
      break;
    case CallOperand::C:
      numbers.c = uint8_t(i);
      break;
    case CallOperand::Index:
      numbers.index = uint8_t(i);
      break;
    default:
      break;
    }
  return numbers;
}

llvm::ArrayRef<MatrixInstruction> fly::arch::matrixInstructions() {
  static const llvm::SmallVector<MatrixInstruction, 0> rows = [] {
    llvm::SmallVector<MatrixInstruction, 0> made;
    appendMfmaRows(made);
    appendWmmaRows(made);
    appendSparseRows(made);
    return made;
  }();
  return rows;
}

const MatrixInstruction *fly::arch::lookupMatrix(const MatrixKey &key) {
  for (const MatrixInstruction &row : matrixInstructions())
    if (row.hasAtom && row.family == key.family && row.m == key.m &&
        row.n == key.n && row.k == key.k && row.a == key.a && row.b == key.b &&
        row.acc == key.acc && row.blocks == key.blocks &&
        row.scaleBlock == key.scaleBlock)
      return &row;
  return nullptr;
}

std::optional<uint8_t> fly::arch::scaledFormatCode(ElemKind kind) {
  switch (kind) {
  case EK::F8E4M3FN:
    return 0;
  case EK::F8E5M2:
    return 1;
  case EK::F6E2M3FN:
    return 2;
  case EK::F6E3M2FN:
    return 3;
  case EK::F4E2M1FN:
    return 4;
  default:
    return std::nullopt;
  }
}

static std::string shape(const MatrixInstruction &row) {
  return (llvm::Twine(row.m) + "x" + llvm::Twine(row.n) + "x" +
          llvm::Twine(row.k))
      .str();
}

std::string fly::arch::describe(const MatrixInstruction &row) {
  std::string text = (llvm::Twine(shape(row)) + " (" + elemName(row.a) + ", " +
                      elemName(row.b) + ") -> " + elemName(row.acc))
                         .str();
  if (row.blocks != 1)
    text += " (blocks = " + std::to_string(row.blocks) + ")";
  if (row.scaleBlock)
    text += " (blockSize = " + std::to_string(row.scaleBlock) + ")";
  if (row.isSparse())
    text += " (sparse)";
  return text;
}

std::string fly::arch::familyShapes(MatrixFamily family, ElemKind a, ElemKind b,
                                    ElemKind acc) {
  std::string result;
  llvm::ListSeparator sep;
  for (const MatrixInstruction &row : matrixInstructions()) {
    if (!row.hasAtom || row.family != family || row.a != a || row.b != b ||
        row.acc != acc)
      continue;
    (result += llvm::StringRef(sep)) += shape(row);
    if (row.blocks != 1)
      result += " (blocks = " + std::to_string(row.blocks) + ")";
  }
  return result;
}

/// The kind that a register of `kind` holds: what an instruction reads of it is
/// its own matter.
static ElemKind storageKind(ElemKind kind) {
  return kind == EK::XF32 ? EK::F32 : kind;
}

static bool haveSameOperands(const MatrixInstruction &row, ElemKind a,
                             ElemKind b) {
  return storageKind(row.a) == storageKind(a) &&
         storageKind(row.b) == storageKind(b);
}

std::string fly::arch::chipAlternatives(const Chip &chip, ElemKind a,
                                        ElemKind b) {
  std::string result;
  llvm::ListSeparator sep;
  for (const MatrixInstruction &row : matrixInstructions())
    if (row.hasAtom && haveSameOperands(row, a, b) && chip.has(row.feature))
      (((result += llvm::StringRef(sep)) += familyMnemonic(row.family)) +=
       " ") += describe(row);
  return result;
}

std::string fly::arch::intrinsicName(llvm::StringRef op) {
  if (!op.consume_front("rocdl."))
    return op.str();
  std::string name = ("llvm.amdgcn." + op).str();
  std::replace(name.begin(), name.end(), '_', '.');
  return name;
}

llvm::StringRef fly::arch::matrixOperation(llvm::StringRef name) {
  static const llvm::StringMap<llvm::StringRef> operations = [] {
    llvm::StringMap<llvm::StringRef> made;
    for (const MatrixInstruction &row : matrixInstructions()) {
      made[row.op] = row.op;
      made[intrinsicName(row.op)] = row.op;
    }
    return made;
  }();
  auto find = [&](llvm::StringRef text) {
    auto found = operations.find(text);
    return found == operations.end() ? llvm::StringRef() : found->second;
  };
  llvm::StringRef found = find(name);
  // The types of an overload, the last first: ".v8f32.v8f16".
  if (name.starts_with("llvm.amdgcn."))
    while (found.empty() && name.contains('.')) {
      name = name.rsplit('.').first;
      found = find(name);
    }
  return found;
}

std::string fly::arch::operationAlternatives(const Chip &chip,
                                             llvm::StringRef op) {
  // Those that are sparse as `op` is come first; the others only alone.
  llvm::SmallVector<llvm::StringRef> alike, others;
  for (const MatrixInstruction &wanted : matrixInstructions()) {
    if (wanted.op != op)
      continue;
    for (const MatrixInstruction &row : matrixInstructions()) {
      if (!haveSameOperands(row, wanted.a, wanted.b) || !chip.has(row.feature))
        continue;
      auto &names = row.isSparse() == wanted.isSparse() ? alike : others;
      if (!llvm::is_contained(names, row.op))
        names.push_back(row.op);
    }
  }
  return llvm::join(alike.empty() ? others : alike, ", ");
}
