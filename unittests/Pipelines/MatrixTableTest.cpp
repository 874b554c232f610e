// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every matrix instruction on every chip. There are two outcomes: the atom, or
// the operation of a row without one, lowers and LLVM selects the instruction
// of its row, or the check refuses it with what the chip has for these types.
// The same on the CPU: the conversion takes what the chip has, and refuses the
// rest.

#include "MatrixModule.h"

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

namespace fly::arch {
/// Chips are printed by name.
static void PrintTo(const Chip *chip, std::ostream *os) {
  *os << chip->name.str();
}
} // namespace fly::arch

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
    else if (line.starts_with("v_smfmac_") || line.starts_with("v_swmmac_"))
      found[kernel].push_back(line.drop_front(2).split(' ').first.str());
  }
  return found;
}

/// True if the chip has an operation of this name, whatever its operands.
static bool hasOperation(const Chip &chip, llvm::StringRef op) {
  return llvm::any_of(arch::matrixInstructions(),
                      [&](const MatrixInstruction &row) {
                        return row.op == op && chip.has(row.feature);
                      });
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
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      fly::test::matrixModule(context, chip(), rows), &context);
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
    op.consume_front("llvm.amdgcn.");
    op.consume_back(".tied");
    const std::vector<std::string> &names = found["k" + std::to_string(i)];
    ASSERT_EQ(names.size(), 1u) << arch::describe(*row);
    EXPECT_EQ(normalise(names[0], row->blocks), normalise(op, row->blocks))
        << arch::describe(*row) << ", " << row->op.str();
  }
}

// User reports 40 and 41.
TEST_P(MatrixTable, WhatTheChipLacksIsRefusedWithAList) {
  std::vector<const MatrixInstruction *> rows = rowsOf(chip(), false);
  // The check knows an operation by its name; sizes are for code generation.
  llvm::erase_if(rows, [&](const MatrixInstruction *row) {
    return !row->hasAtom && hasOperation(chip(), row->op);
  });
  ASSERT_FALSE(rows.empty());
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      fly::test::matrixModule(context, chip(), rows), &context);
  ASSERT_TRUE(module);
  std::vector<std::string> errors =
      run(*module, "gpu.module(fly-rocdl-check-target)");
  ASSERT_EQ(errors.size(), rows.size());
  for (auto [row, error] : llvm::zip(rows, errors)) {
    if (!row->hasAtom) {
      std::string list = arch::operationAlternatives(chip(), row->op);
      std::string wanted =
          "is no instruction of " + chip().name.str() +
          (list.empty() ? ", which has none for its operand types"
                        : "; for its operand types the chip has " + list);
      EXPECT_TRUE(llvm::StringRef(error).ends_with(wanted)) << error;
      EXPECT_NE(error.find("'" + row->op.str() + "'"), std::string::npos)
          << error;
      continue;
    }
    std::string list = arch::chipAlternatives(chip(), row->a, row->b);
    std::string wanted =
        "which " + chip().name.str() + " lacks; " +
        (list.empty()
             ? chip().name.str() + " has no matrix instruction for ("
             : "for these types " + chip().name.str() + " has " + list);
    EXPECT_NE(error.find(wanted), std::string::npos) << error;
  }
}

TEST_P(MatrixTable, OperationsWithOperandsOfAnotherChipAreRefused) {
  // Operations of one name whose operands differ between the chips.
  std::vector<const MatrixInstruction *> rows = rowsOf(chip(), false);
  llvm::erase_if(rows, [&](const MatrixInstruction *row) {
    return row->hasAtom || !hasOperation(chip(), row->op) ||
           llvm::any_of(
               arch::matrixInstructions(), [&](const MatrixInstruction &mine) {
                 return mine.op == row->op && chip().has(mine.feature) &&
                        mine.regC.count == row->regC.count;
               });
  });
  if (rows.empty())
    return;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      fly::test::matrixModule(context, chip(), rows), &context);
  ASSERT_TRUE(module);
  std::vector<std::string> errors = run(*module, "fly-to-binary{format=isa}");
  ASSERT_EQ(errors.size(), rows.size());
  for (auto [row, error] : llvm::zip(rows, errors))
    EXPECT_NE(error.find("bytes a lane; that of " + chip().name.str()),
              std::string::npos)
        << row->op.str() << ": " << error;
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
                     mine.regB.count == row->regB.count &&
                     mine.regC.count == row->regC.count;
            });
        // Without a known result the CPU has nothing to run.
        if (has == present && (!present || row->hasKnownResult()))
          rows.push_back(row);
      }
      if (rows.empty())
        continue;
      OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
          fly::test::matrixModule(context, other, rows), &context);
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

TEST_P(MatrixTable, TheCpuRefusesResultsThatAreNotKnown) {
  std::vector<const MatrixInstruction *> rows = rowsOf(chip(), true);
  llvm::erase_if(
      rows, [](const MatrixInstruction *row) { return row->hasKnownResult(); });
  if (rows.empty())
    return;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      fly::test::matrixModule(context, chip(), rows), &context);
  ASSERT_TRUE(module);
  ASSERT_TRUE(run(*module, "fly-to-rocdl").empty());
  for (gpu::GPUModuleOp kernels : module->getOps<gpu::GPUModuleOp>())
    kernels.setTargetsAttr(ArrayAttr::get(
        &context,
        {fly::rocdl::CPUTargetAttr::get(&context, chip().name.str())}));
  std::vector<std::string> errors =
      run(*module, "gpu.module(convert-rocdl-to-host)");
  ASSERT_EQ(errors.size(), rows.size());
  for (auto [row, error] : llvm::zip(rows, errors))
    EXPECT_NE(error.find("calls '" + row->op.str() +
                         "', which the CPU target does not run: " +
                         row->openResult.str()),
              std::string::npos)
        << error;
}
