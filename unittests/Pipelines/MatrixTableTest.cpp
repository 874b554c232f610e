// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every matrix instruction on every chip. There are two outcomes: the atom
// lowers and LLVM selects the instruction of its row, or the check refuses it
// with what the chip has for these types. The same on the CPU: the conversion
// takes what the chip has, and refuses the rest.

#include "Fly/Arch/MatrixInstructions.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "Fly/InitAll.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <mutex>

using namespace mlir;
namespace arch = fly::arch;
using arch::Chip;
using arch::MatrixInstruction;

namespace {

class MatrixTable : public testing::TestWithParam<const Chip *> {
protected:
  MatrixTable() : context(makeRegistry(), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    static std::once_flag once;
    std::call_once(once, fly::registerAllPasses);
  }

  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    fly::registerAllDialects(registry);
    return registry;
  }

  const Chip &chip() { return *GetParam(); }

  /// Runs a pipeline on a module; returns the errors.
  std::vector<std::string> run(ModuleOp module, llvm::StringRef pipeline) {
    std::vector<std::string> errors;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors.push_back(diagnostic.str());
      return success();
    });
    PassManager manager(&context, ModuleOp::getOperationName());
    if (failed(parsePassPipeline(pipeline, manager)))
      return {"no pipeline '" + pipeline.str() + "'"};
    if (failed(manager.run(module)) && errors.empty())
      errors.push_back("failed without an error");
    return errors;
  }

  MLIRContext context;
};

} // namespace

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
  }
  return "!fly.mma_atom<" + text + ">>";
}

/// A module for `chip` with a kernel of one instruction for each row, @k0, …
static std::string moduleText(MLIRContext &context, const Chip &chip,
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
    std::string atom = atomText(*row), a = type(row->regA), b = type(row->regB),
                c = type(row->regC);
    std::string scale = "i" + std::to_string(row->scaleBits);
    os << "gpu.func @k" << i << "(%a: " << a << ", %b: " << b << ", %c: " << c;
    if (row->scaleBits)
      os << ", %sa: " << scale << ", %sb: " << scale;
    os << ", %p: !llvm.ptr<1>) kernel {\n"
       << "  %m = fly.make_mma_atom : " << atom << "\n"
       << "  %d = fly.mma_atom_call_ssa(%m, "
       << (row->scaleBits ? "[%a, %sa], [%b, %sb]" : "%a, %b") << ", %c) : ("
       << atom << ", " << a << ", ";
    if (row->scaleBits)
      os << scale << ", " << b << ", " << scale;
    else
      os << b;
    os << ", " << c << ") -> " << c << "\n"
       << "  llvm.store %d, %p : " << c << ", !llvm.ptr<1>\n"
       << "  gpu.return\n}\n";
  }
  os << "}\n}\n";
  return text;
}

/// The letters and digits that name an instruction of `blocks` products: since
/// gfx940 AMD writes underscores between element types and the number of
/// blocks, and drops the mark of the later bf16.
static std::string normalise(llvm::StringRef name, unsigned blocks) {
  std::string mark = "_" + std::to_string(blocks) + "b_";
  auto [before, behind] = name.split(mark);
  std::string text;
  for (llvm::StringRef part : {before, behind})
    for (char c : part)
      if (llvm::isAlnum(c))
        text += c;
  llvm::StringRef core = text;
  core.consume_back("1k");
  return core.str();
}

/// The matrix instructions of each kernel of assembly text, by kernel name.
static std::map<std::string, std::vector<std::string>>
listInstructions(llvm::StringRef assembly) {
  std::map<std::string, std::vector<std::string>> found;
  std::string kernel;
  for (llvm::StringRef line : llvm::split(assembly, '\n')) {
    if (line.starts_with("k") && line.split(':').first.size() < 6 &&
        line.contains(':'))
      kernel = line.split(':').first.str();
    line = line.ltrim();
    if (line.consume_front("v_mfma_"))
      found[kernel].push_back(("mfma_" + line.split(' ').first).str());
    else if (line.consume_front("v_wmma_"))
      found[kernel].push_back(("wmma_" + line.split(' ').first).str());
  }
  return found;
}

/// The rows that the chip has, or those that it lacks.
static std::vector<const MatrixInstruction *> rowsOf(const Chip &chip,
                                                     bool present) {
  std::vector<const MatrixInstruction *> rows;
  for (const MatrixInstruction &row : arch::matrixInstructions())
    if (chip.has(row.feature) == present)
      rows.push_back(&row);
  return rows;
}

static std::vector<const Chip *> allChips() {
  std::vector<const Chip *> chips;
  for (const Chip &chip : arch::knownChips())
    chips.push_back(&chip);
  return chips;
}

INSTANTIATE_TEST_SUITE_P(Chips, MatrixTable, testing::ValuesIn(allChips()),
                         [](const testing::TestParamInfo<const Chip *> &info) {
                           return info.param->name.str();
                         });

// User report 41.
TEST_P(MatrixTable, WhatTheChipHasIsSelected) {
  std::vector<const MatrixInstruction *> rows = rowsOf(chip(), true);
  ASSERT_FALSE(rows.empty());
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(moduleText(context, chip(), rows), &context);
  ASSERT_TRUE(module);
  std::vector<std::string> errors = run(*module, "fly-to-binary{format=isa}");
  ASSERT_TRUE(errors.empty()) << errors.front();
  ASSERT_FALSE(module->getOps<gpu::BinaryOp>().empty());
  gpu::BinaryOp binary = *module->getOps<gpu::BinaryOp>().begin();
  auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
  auto found = listInstructions(object.getObject().getValue());
  for (auto [i, row] : llvm::enumerate(rows)) {
    llvm::StringRef op = row->op;
    op.consume_front("rocdl.");
    const std::vector<std::string> &names = found["k" + std::to_string(i)];
    ASSERT_EQ(names.size(), 1u) << arch::describe(*row);
    EXPECT_EQ(normalise(names[0], row->blocks), normalise(op, row->blocks))
        << arch::describe(*row) << ", " << row->op.str();
  }
}

// User reports 40 and 41.
TEST_P(MatrixTable, WhatTheChipLacksIsRefusedWithAList) {
  std::vector<const MatrixInstruction *> rows = rowsOf(chip(), false);
  ASSERT_FALSE(rows.empty());
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(moduleText(context, chip(), rows), &context);
  ASSERT_TRUE(module);
  std::vector<std::string> errors =
      run(*module, "gpu.module(fly-rocdl-check-target)");
  ASSERT_EQ(errors.size(), rows.size());
  for (auto [row, error] : llvm::zip(rows, errors)) {
    std::string list = arch::chipAlternatives(chip(), row->a, row->b);
    std::string wanted =
        "which " + chip().name.str() + " lacks; " +
        (list.empty()
             ? chip().name.str() + " has no matrix instruction for ("
             : "for these types " + chip().name.str() + " has " + list);
    EXPECT_NE(error.find(wanted), std::string::npos) << error;
  }
}

TEST_P(MatrixTable, TheCpuTakesWhatTheChipHasAndNoMore) {
  // The lowered kernels of each line of chips, on the CPU as this chip.
  for (llvm::StringRef source :
       {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"}) {
    const Chip &other = *arch::lookupChip(source);
    for (bool present : {true, false}) {
      std::vector<const MatrixInstruction *> rows;
      for (const MatrixInstruction *row : rowsOf(other, true)) {
        // One meaning of the bits of 8-bit MFMA serves both lines: the CPU
        // reads them as its chip does.
        bool has = llvm::any_of(
            arch::matrixInstructions(), [&](const MatrixInstruction &mine) {
              return mine.op == row->op && chip().has(mine.feature) &&
                     mine.regA.count == row->regA.count &&
                     mine.regB.count == row->regB.count;
            });
        if (has == present)
          rows.push_back(row);
      }
      if (rows.empty())
        continue;
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
          moduleText(context, other, rows), &context);
      ASSERT_TRUE(module);
      std::vector<std::string> errors = run(*module, "fly-to-rocdl");
      ASSERT_TRUE(errors.empty()) << errors.front();
      for (gpu::GPUModuleOp kernels : module->getOps<gpu::GPUModuleOp>())
        kernels.setTargetsAttr(ArrayAttr::get(
            &context,
            {fly::rocdl::CPUTargetAttr::get(&context, chip().name.str())}));
      errors = run(*module, "gpu.module(convert-rocdl-to-host)");
      if (present) {
        EXPECT_TRUE(errors.empty()) << errors.front();
        continue;
      }
      ASSERT_EQ(errors.size(), rows.size()) << source.str();
      for (auto [row, error] : llvm::zip(rows, errors))
        EXPECT_TRUE(llvm::StringRef(error).contains("is no instruction of " +
                                                    chip().name.str()) ||
                    llvm::StringRef(error).contains("bytes a lane; that of " +
                                                    chip().name.str()))
            << row->op.str() << ": " << error;
    }
  }
}
