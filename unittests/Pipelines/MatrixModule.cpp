// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes modules with the instructions of rows of the matrix table.

#include "MatrixModule.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace arch = fly::arch;
using arch::Chip;
using arch::MatrixInstruction;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The atom type of a row; scales are chosen so that every operand counts.
static std::string atomText(const MatrixInstruction &row) {
  std::string text = ("!fly_rocdl." + arch::familyMnemonic(row.family) + "<" +
                      llvm::Twine(row.m) + "x" + llvm::Twine(row.n) + "x" +
                      llvm::Twine(row.k) + ", (")
                         .str();
  auto name = [](arch::ElemKind kind) {
    return arch::elemName(kind == arch::ElemKind::XF32 ? arch::ElemKind::F32
                                                       : kind)
        .str();
  };
  text += name(row.a) + ", " + name(row.b) + ") -> " + name(row.acc);
  switch (row.family) {
  case arch::MatrixFamily::Mfma:
    if (row.blocks != 1)
      text += ", blocks = " + std::to_string(row.blocks);
    if (row.a == arch::ElemKind::XF32)
      text += ", xf32 = true";
    break;
  case arch::MatrixFamily::MfmaScale:
    text += ", opselA = 1, opselB = 3";
    break;
  case arch::MatrixFamily::WmmaGfx11:
  case arch::MatrixFamily::WmmaGfx120x:
  case arch::MatrixFamily::WmmaGfx1250:
    text += ", signA = false, signB = false, clamp = false";
    break;
  case arch::MatrixFamily::WmmaScaleGfx1250:
    text += ", opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = "
            "false, blockSize = " +
            std::to_string(row.scaleBlock);
    break;
  default:
    llvm_unreachable("sparse instructions have no atom");
  }
  return "!fly.mma_atom<" + text + ">>";
}

/// A kernel's body that gives %d: the operation of a row without an atom.
static std::string operationText(MLIRContext &context,
                                 const MatrixInstruction &row) {
  auto type = [&](arch::RegisterType reg) {
    return print(fly::rocdl::getRegisterType(&context, reg));
  };
  std::string a = type(row.regA), b = type(row.regB), c = type(row.regC);
  std::string text = "  %f = llvm.mlir.constant(false) : i1\n"
                     "  %h = llvm.mlir.constant(0 : i16) : i16\n"
                     "  %z = llvm.mlir.constant(0 : i32) : i32\n";
  std::vector<std::pair<std::string, std::string>> operands = {
      {"%a", a}, {"%b", b}, {"%c", c}};
  const std::pair<std::string, std::string>
      zero = {"%z", "i32"},
      index = {"%i", "i" + std::to_string(row.indexRegisterBits)};
  auto format = [&](const char *name, arch::ElemKind kind) {
    std::string code = std::to_string(*arch::scaledFormatCode(kind));
    text += std::string("  ") + name + " = llvm.mlir.constant(" + code +
            " : i32) : i32\n";
    return std::pair<std::string, std::string>(name, "i32");
  };
  auto callOperand =
      [&](arch::CallOperand operand) -> std::pair<std::string, std::string> {
    switch (operand) {
    case arch::CallOperand::A:
      return {"%a", a};
    case arch::CallOperand::B:
      return {"%b", b};
    case arch::CallOperand::C:
      return {"%c", c};
    case arch::CallOperand::Index:
      return index;
    case arch::CallOperand::FormatA:
      return format("%ka", row.a);
    case arch::CallOperand::FormatB:
      return format("%kb", row.b);
    case arch::CallOperand::ModC:
      return {"%h", "i16"};
    default:
      return {"%f", "i1"};
    }
  };
  // The attributes of ROCDL operations are at their defaults.
  if (row.modifiers == arch::ModifierForm::Sparse)
    operands.insert(operands.end(), {index, zero, zero});
  if (row.isIntrinsic()) {
    operands.clear();
    for (arch::CallOperand operand : arch::callOperands(row.modifiers))
      operands.push_back(callOperand(operand));
  }
  std::string names, types;
  for (auto &[name, operandType] : operands) {
    names += (names.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + operandType;
  }
  text += row.isIntrinsic()
              ? "  %d = llvm.call_intrinsic \"" + row.op.str() + "\"("
              : "  %d = \"" + row.op.str() + "\"(";
  return text + names + ") : (" + types + ") -> " + type(row.regD()) + "\n";
}

std::string
fly::test::matrixModule(MLIRContext &context, const Chip &chip,
                        llvm::ArrayRef<const MatrixInstruction *> rows) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "module attributes {gpu.container_module} {\n"
     << "gpu.module @kernels [#rocdl.target<chip = \"" << chip.name << "\""
     << (chip.waveSize == 32 ? ", flags = {no_wave64}" : "") << ">] {\n";
  for (auto [i, row] : llvm::enumerate(rows)) {
    auto type = [&](arch::RegisterType reg) {
      return print(fly::rocdl::getRegisterType(&context, reg));
    };
    std::string a = type(row->regA), b = type(row->regB), c = type(row->regC),
                d = type(row->regD());
    bool hasScales = row->hasAtom && row->scaleBits;
    std::string scale = "i" + std::to_string(row->scaleBits);
    os << "gpu.func @k" << i << "(%a: " << a << ", %b: " << b << ", %c: " << c;
    if (hasScales)
      os << ", %sa: " << scale << ", %sb: " << scale;
    if (row->isSparse())
      os << ", %i: i" << unsigned(row->indexRegisterBits);
    os << ", %p: !llvm.ptr<1>) kernel {\n";
    if (row->hasAtom) {
      std::string atom = atomText(*row);
      os << "  %m = fly.make_mma_atom : " << atom << "\n"
         << "  %d = fly.mma_atom_call_ssa(%m, "
         << (hasScales ? "[%a, %sa], [%b, %sb]" : "%a, %b") << ", %c) : ("
         << atom << ", " << a << ", ";
      if (hasScales)
        os << scale << ", " << b << ", " << scale;
      else
        os << b;
      os << ", " << c << ") -> " << c << "\n";
    } else {
      os << operationText(context, *row);
    }
    os << "  llvm.store %d, %p : " << d << ", !llvm.ptr<1>\n"
       << "  gpu.return\n}\n";
  }
  os << "}\n}\n";
  return text;
}
