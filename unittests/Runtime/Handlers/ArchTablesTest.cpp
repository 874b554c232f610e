// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds the two statements of each matrix instruction against each other: the
// rows of lib/Arch, from which types and code are made, and the forms of the
// CPU handlers.

#include "Fly/Arch/MatrixInstructions.h"

#include "MatrixOracle.h"

#include "handlers/MatrixGeneral.h"
#include "handlers/MatrixSparse.h"

#include <gtest/gtest.h>
#include <set>

using namespace fly::cpu;
using namespace fly::cpu::test;
using fly::arch::ElemKind;
using fly::arch::MatrixInstruction;

/// The first chip that has the row's feature, as its digits; 0 if none has.
static uint32_t chipOf(const MatrixInstruction &row) {
  for (const fly::arch::Chip &chip : fly::arch::knownChips())
    if (chip.has(row.feature))
      return static_cast<uint32_t>(
          std::stoul(chip.name.str().substr(3), nullptr, 16));
  return 0;
}

/// The handler of the row's ROCDL operation; FlyCpuHandlerCount if none.
static uint32_t handlerOf(const MatrixInstruction &row) {
  static const char *const names[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue) Name,
#include "fly_cpu_handlers.def"
  };
  uint32_t id = 0;
  while (id < FlyCpuHandlerCount && row.op != names[id])
    ++id;
  return id;
}

/// The element format of the handlers for a type of lib/Arch.
static Element elementOf(ElemKind kind) {
  switch (kind) {
  case ElemKind::F32:
    return Element::F32;
  case ElemKind::F16:
    return Element::F16;
  case ElemKind::BF16:
    return Element::Bf16;
  case ElemKind::F8E4M3FN:
  case ElemKind::F8E4M3FNUZ:
    return Element::Fp8;
  case ElemKind::F8E5M2:
  case ElemKind::F8E5M2FNUZ:
    return Element::Bf8;
  case ElemKind::I8:
    return Element::I8;
  case ElemKind::I4:
    return Element::I4;
  case ElemKind::F64:
    return Element::F64;
  case ElemKind::XF32:
    return Element::Xf32;
  case ElemKind::F6E2M3FN:
    return Element::Fp6;
  case ElemKind::F6E3M2FN:
    return Element::Bf6;
  case ElemKind::F4E2M1FN:
    return Element::Fp4;
  default:
    return Element::I32;
  }
}

/// Where a map of the handlers puts element i of a lane.
static int32_t position(const LaneMap &map, uint32_t group, uint32_t i) {
  return static_cast<int32_t>(i / map.run * map.stride + group * map.run +
                              i % map.run);
}

static uint32_t bytesOf(const fly::arch::RegisterType &type) {
  return type.count * fly::arch::elemBits(type.elem) / 8;
}

/// Compares a row with a form that has no kernel of its own.
static void compareGeneral(const MatrixInstruction &row,
                           const GeneralForm &form) {
  Element a = elementOf(row.a), b = elementOf(row.b);
  if (form.a == Element::Scaled) {
    EXPECT_EQ(scaledElement(*fly::arch::scaledFormatCode(row.a)), a);
    EXPECT_EQ(scaledElement(*fly::arch::scaledFormatCode(row.b)), b);
  } else {
    EXPECT_EQ(form.a, a);
    EXPECT_EQ(form.b, b);
  }
  EXPECT_EQ(form.acc, elementOf(row.acc));
  ASSERT_EQ(form.m, static_cast<uint32_t>(row.m));
  ASSERT_EQ(form.n, static_cast<uint32_t>(row.n));
  ASSERT_EQ(form.k, static_cast<uint32_t>(row.k));
  ASSERT_EQ(form.blocks, row.blocks);
  ASSERT_EQ(form.waveSize(), static_cast<uint32_t>(row.lanes()));
  EXPECT_EQ(form.isScaled(), row.scaleBits != 0);
  EXPECT_EQ(form.outputCount() * elementBits(form.result) / 8,
            bytesOf(row.regD()));
  if (row.scaleBlock)
    EXPECT_EQ(form.scaleBlock, row.scaleBlock);
  if (row.scaleBits)
    EXPECT_EQ(row.scaleBits, form.scaleBlock == 16 ? 64 : 32);
  ASSERT_EQ(row.mapA.values(), static_cast<int32_t>(form.inputCount(form.m)));
  ASSERT_EQ(row.mapB.values(), static_cast<int32_t>(form.inputCount(form.n)));
  ASSERT_EQ(row.mapC.values(), static_cast<int32_t>(form.outputCount()));
  EXPECT_EQ(bytesOf(row.regA), row.mapA.values() * elementBits(a) / 8);
  EXPECT_EQ(bytesOf(row.regB), row.mapB.values() * elementBits(b) / 8);
  EXPECT_EQ(bytesOf(row.regC), row.mapC.values() * elementBits(form.acc) / 8);
  auto checkInput = [&](const fly::arch::LaneMap &map, uint32_t rows,
                        Element element, const char *name) {
    for (uint32_t lane = 0; lane < form.waveSize(); ++lane)
      for (uint32_t i = 0; i < form.inputCount(rows); ++i) {
        InputPlace place = inputPlace(form, rows, element, lane, i);
        ASSERT_EQ(map.at(lane, i),
                  static_cast<int32_t>(place.row + rows * place.k +
                                       rows * form.k * place.block))
            << name << ", lane " << lane << ", element " << i;
      }
  };
  checkInput(row.mapA, form.m, a, "A");
  checkInput(row.mapB, form.n, b, "B");
  for (uint32_t lane = 0; lane < form.waveSize(); ++lane)
    for (uint32_t i = 0; i < form.outputCount(); ++i) {
      OutputPlace place = outputPlace(form, lane, i);
      ASSERT_EQ(row.mapC.at(lane, i),
                static_cast<int32_t>(place.row + form.m * place.column +
                                     form.m * form.n * place.block))
          << "C, lane " << lane << ", element " << i;
    }
}

/// Compares a sparse row with its form.
static void compareSparse(const MatrixInstruction &row,
                          const SparseForm &form) {
  EXPECT_EQ(form.a, elementOf(row.a));
  EXPECT_EQ(form.b, elementOf(row.b));
  EXPECT_EQ(form.acc, elementOf(row.acc));
  ASSERT_EQ(form.m, static_cast<uint32_t>(row.m));
  ASSERT_EQ(form.m, static_cast<uint32_t>(row.n));
  ASSERT_EQ(form.k, static_cast<uint32_t>(row.k));
  ASSERT_EQ(form.waveSize(), static_cast<uint32_t>(row.lanes()));
  EXPECT_EQ(form.indexBits(), static_cast<uint32_t>(row.indexBits()));
  EXPECT_EQ(form.indexRegisterBits(), row.indexRegisterBits);
  ASSERT_EQ(row.mapA.values(), static_cast<int32_t>(form.countA()));
  ASSERT_EQ(row.mapB.values(), static_cast<int32_t>(form.countB()));
  ASSERT_EQ(row.mapC.values(), static_cast<int32_t>(form.countC()));
  EXPECT_EQ(bytesOf(row.regA), form.countA() * elementBits(form.a) / 8);
  EXPECT_EQ(bytesOf(row.regB), form.countB() * elementBits(form.b) / 8);
  EXPECT_EQ(bytesOf(row.regC), form.countC() * elementBits(form.acc) / 8);
  auto at = [](uint32_t first, uint32_t second, uint32_t stride) {
    return static_cast<int32_t>(first + second * stride);
  };
  for (uint32_t lane = 0; lane < form.waveSize(); ++lane) {
    uint32_t l = lane % form.m, g = lane / form.m;
    for (uint32_t i = 0; i < form.countA(); ++i)
      ASSERT_EQ(row.mapA.at(lane, i), at(l, sparseColumn(form, g, i), form.m))
          << "A, lane " << lane << ", element " << i;
    for (uint32_t i = 0; i < form.countA(); ++i)
      ASSERT_EQ(row.mapIndex.at(lane, i),
                at(l, sparseIndexColumn(form, g, i), form.m))
          << "indices, lane " << lane << ", entry " << i;
    for (uint32_t i = 0; i < form.countB(); ++i)
      ASSERT_EQ(row.mapB.at(lane, i), at(l, sparseRow(form, g, i), form.m))
          << "B, lane " << lane << ", element " << i;
    for (uint32_t i = 0; i < form.countC(); ++i)
      ASSERT_EQ(row.mapC.at(lane, i),
                at(sparseResultRow(form, g, i), l, form.m))
          << "C, lane " << lane << ", element " << i;
  }
}

TEST(ArchTables, HandlersTakeTheConstantsOfEachCall) {
  static const char *const immediates[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue) Immediates,
#include "fly_cpu_handlers.def"
  };
  for (const MatrixInstruction &row : fly::arch::matrixInstructions()) {
    if (!row.isIntrinsic() || !row.hasKnownResult())
      continue;
    std::string wanted;
    for (auto [i, operand] :
         llvm::enumerate(fly::arch::callOperands(row.modifiers)))
      if (operand > fly::arch::CallOperand::Index)
        wanted += (wanted.empty() ? "#" : ",#") + std::to_string(i);
    ASSERT_NE(handlerOf(row), uint32_t{FlyCpuHandlerCount}) << row.op.str();
    EXPECT_EQ(immediates[handlerOf(row)], wanted) << row.op.str();
  }
}

TEST(ArchTables, EveryRowAgreesWithItsHandler) {
  for (const MatrixInstruction &row : fly::arch::matrixInstructions()) {
    SCOPED_TRACE(fly::arch::describe(row) + " " + row.op.str());
    if (const GeneralForm *form =
            findGeneralForm(handlerOf(row), chipOf(row))) {
      compareGeneral(row, *form);
      continue;
    }
    if (row.isSparse()) {
      // Without a known result there is nothing to run.
      const SparseForm *form = findSparseForm(handlerOf(row), chipOf(row));
      ASSERT_EQ(form != nullptr, row.hasKnownResult());
      if (form)
        compareSparse(row, *form);
      continue;
    }
    const MatrixOperation *operation =
        findMatrixOperation(handlerOf(row), chipOf(row));
    ASSERT_NE(operation, nullptr);
    const MatrixForm &form = *operation->form;
    ASSERT_EQ(form.m, static_cast<uint32_t>(row.m));
    ASSERT_EQ(form.n, static_cast<uint32_t>(row.n));
    ASSERT_EQ(form.k, static_cast<uint32_t>(row.k));
    EXPECT_EQ(form.a, elementOf(row.a));
    EXPECT_EQ(form.b, elementOf(row.b));
    EXPECT_EQ(form.acc, elementOf(row.acc));
    EXPECT_EQ(operation->bytesA, bytesOf(row.regA));
    EXPECT_EQ(operation->bytesB, bytesOf(row.regB));
    EXPECT_EQ(operation->bytesAcc, bytesOf(row.regC));
    ASSERT_EQ(form.waveSize(), static_cast<uint32_t>(row.lanes()));

    const LaneMap input = form.inputMap(), output = form.outputMap();
    ASSERT_EQ(row.mapA.values(), static_cast<int32_t>(input.elements));
    ASSERT_EQ(row.mapB.values(), static_cast<int32_t>(input.elements));
    ASSERT_EQ(row.mapC.values(), static_cast<int32_t>(output.elements));
    // The 4-bit form among gfx1250's atoms is the instruction of gfx12: its
    // layout numbers k by gfx1250's rule, for A and B alike, which changes the
    // order of an exact integer sum only.
    bool isForeign = row.family == fly::arch::MatrixFamily::WmmaGfx1250 &&
                     form.family != MatrixFamily::Gfx1250;
    for (int32_t lane = 0; lane < row.lanes(); ++lane) {
      for (int32_t i = 0; i < row.mapA.values(); ++i) {
        // With one group the upper lanes repeat the lower ones.
        int32_t k = position(input, lane / row.m % input.groups, i);
        ASSERT_EQ(k, static_cast<int32_t>(inputK(form, lane, i)));
        if (isForeign) {
          ASSERT_EQ(row.a, ElemKind::I4);
          k = row.mapA.at(lane, i) / row.m;
        }
        ASSERT_EQ(row.mapA.at(lane, i), lane % row.m + k * row.m)
            << "A, lane " << lane << ", element " << i;
        ASSERT_EQ(row.mapB.at(lane, i), lane % row.n + k * row.n)
            << "B, lane " << lane << ", element " << i;
      }
      for (int32_t i = 0; i < row.mapC.values(); ++i)
        ASSERT_EQ(row.mapC.at(lane, i),
                  position(output, lane / row.n, i) + lane % row.n * row.m)
            << "C, lane " << lane << ", element " << i;
    }
  }
}

TEST(ArchTables, EveryGeneralFormHasARow) {
  std::set<const GeneralForm *> seen;
  for (const MatrixInstruction &row : fly::arch::matrixInstructions())
    seen.insert(findGeneralForm(handlerOf(row), chipOf(row)));
  for (uint32_t chip : {0x942u, 0x1100u, 0x1250u})
    for (uint32_t id = 0; id < FlyCpuHandlerCount; ++id)
      if (const GeneralForm *form = findGeneralForm(id, chip))
        EXPECT_TRUE(seen.count(form)) << id;
}

TEST(ArchTables, EverySparseFormHasARow) {
  std::set<const SparseForm *> seen;
  for (const MatrixInstruction &row : fly::arch::matrixInstructions())
    seen.insert(findSparseForm(handlerOf(row), chipOf(row)));
  for (uint32_t chip : {0x90au, 0x942u, 0x950u, 0x1100u, 0x1201u, 0x1250u})
    for (uint32_t id = 0; id < FlyCpuHandlerCount; ++id)
      if (const SparseForm *form = findSparseForm(id, chip))
        EXPECT_TRUE(seen.count(form)) << id;
}

TEST(ArchTables, EveryFormHasARow) {
  std::set<const MatrixForm *> seen;
  for (const MatrixInstruction &row : fly::arch::matrixInstructions())
    if (const MatrixOperation *operation =
            findMatrixOperation(handlerOf(row), chipOf(row)))
      seen.insert(operation->form);
  for (const MatrixCase &test : matrixCases())
    EXPECT_TRUE(
        seen.count(findMatrixOperation(test.form.handler, test.chip)->form))
        << test.name;
}
