// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds docs/MatrixInstructions.md against the rows. With FLY_UPDATE_DOCS set
// in the environment the test writes the tables anew instead.

#include "Page.h"

#include "Fly/Arch/MatrixInstructions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <map>
#include <vector>

using namespace fly::arch;

/// The map as a layout, "((16,4),8):((1,128),16)".
static std::string toText(const LaneMap &map) {
  auto modes = [](const Mode(&modes)[3], int rank, int32_t Mode::*field) {
    std::string text;
    for (int i = 0; i < rank; ++i)
      text += (i ? "," : "") + std::to_string(modes[i].*field);
    return rank == 1 ? text : "(" + text + ")";
  };
  auto both = [&](int32_t Mode::*field) {
    return "(" + modes(map.thread, map.threadRank, field) + "," +
           modes(map.value, map.valueRank, field) + ")";
  };
  return both(&Mode::shape) + ":" + both(&Mode::stride);
}

static std::string toText(RegisterType reg) {
  std::string name = elemName(reg.elem).str();
  return reg.count == 1
             ? name
             : "vector<" + std::to_string(reg.count) + "x" + name + ">";
}

/// One line of a table, without the operand types: rows that agree in it share
/// the line.
static std::string tail(const MatrixInstruction &row) {
  std::string text = toText(row.regA);
  if (row.regA.elem != row.regB.elem || row.regA.count != row.regB.count)
    text += " and " + toText(row.regB);
  if (row.isSparse())
    text += "; index i" + std::to_string(row.indexRegisterBits);
  text += " | `" + toText(row.mapA) + "`";
  if (toText(row.mapA) != toText(row.mapB))
    text += " and `" + toText(row.mapB) + "`";
  if (row.isSparse() && toText(row.mapA) != toText(row.mapIndex))
    text += "; index `" + toText(row.mapIndex) + "`";
  text += " | " + toText(row.regC);
  if (row.ownRegD.count)
    text += ", D " + toText(row.regD());
  text += " | `" + toText(row.mapC) + "`";
  if (!row.hasKnownResult())
    text += ", D not known";
  text += " | `" + row.op.str() + "` | " + chipsWith(row.feature);
  return text;
}

/// The operands of the intrinsics: a line for each list of them.
static std::string makeOperandTable() {
  std::vector<ModifierForm> order;
  std::map<ModifierForm, std::vector<std::string>> intrinsics;
  for (const MatrixInstruction &row : matrixInstructions()) {
    if (!row.isIntrinsic())
      continue;
    std::vector<std::string> &names = intrinsics[row.modifiers];
    if (names.empty())
      order.push_back(row.modifiers);
    std::string name = "`" + row.op.str() + "`";
    if (!llvm::is_contained(names, name))
      names.push_back(name);
  }
  std::string page = "\n## Operands of the intrinsics\n\n"
                     "| operands | intrinsics |\n|---|---|\n";
  for (ModifierForm form : order) {
    std::string operands;
    for (CallOperand operand : callOperands(form))
      operands +=
          (operands.empty() ? "" : ", ") + callOperandName(operand).str();
    page +=
        "| " + operands + " | " + llvm::join(intrinsics[form], ", ") + " |\n";
  }
  return page;
}

static std::string makeTables() {
  std::string page;
  llvm::raw_string_ostream os(page);
  for (MatrixFamily family : matrixFamilies()) {
    // Lines in order of their first row, with the operand types of each.
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> types;
    for (const MatrixInstruction &row : matrixInstructions()) {
      if (row.family != family)
        continue;
      std::string head = std::to_string(row.m) + "x" + std::to_string(row.n) +
                         "x" + std::to_string(row.k);
      if (row.blocks != 1)
        head += ", blocks = " + std::to_string(row.blocks);
      if (row.scaleBlock)
        head += ", blockSize = " + std::to_string(row.scaleBlock);
      if (!row.hasAtom)
        head += ", no atom";
      std::string line = head + "\n" + tail(row);
      if (!types.count(line))
        order.push_back(line);
      std::string kinds = ("(" + elemName(row.a) + ", " + elemName(row.b) +
                           ") -> " + elemName(row.acc))
                              .str();
      types[line].push_back(kinds);
    }
    os << "\n## `" << familyMnemonic(family) << "`\n\n"
       << "| shape | types | A, B of a lane | A, B: (thread, value) | C, D of "
          "a lane | C, D: (thread, value) | operation | chips |\n"
       << "|---|---|---|---|---|---|---|---|\n";
    for (const std::string &line : order) {
      auto [head, rest] = llvm::StringRef(line).split('\n');
      os << "| " << head << " | " << llvm::join(types[line], "; ") << " | "
         << rest << " |\n";
    }
  }
  return page + makeOperandTable();
}

TEST(MatrixPage, IsThatOfTheRows) {
  checkPage("MatrixInstructions.md", makeTables());
}
