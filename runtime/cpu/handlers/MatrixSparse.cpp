// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products with a sparse A. Sums: floats in float with one fused rounding for
// each product, c ascending, C first, 16-bit results rounded once more;
// integers exactly, wrapping or saturating at the end.

#include "MatrixSparse.h"

#include "Float.h"
#include "Handlers.h"
#include "MatrixNumbers.h"

#include <cmath>

using namespace fly::cpu;

static constexpr SparseForm sparseForms[] = {
#define FLY_MATRIX_SPARSE_FORM(Operation, Family, M, K, A, B, Acc)             \
  {FlyCpuHandler##Operation,                                                   \
   MatrixFamily::Family,                                                       \
   M,                                                                          \
   K,                                                                          \
   Element::A,                                                                 \
   Element::B,                                                                 \
   Element::Acc},
#include "MatrixForms.def"
};

const SparseForm *fly::cpu::findSparseForm(uint32_t handler, uint32_t chip) {
  // gfx90a has none of them, and gfx942 not the deep ones.
  for (const SparseForm &form : sparseForms)
    if (form.handler == handler && form.family == matrixFamilyOf(chip) &&
        (!form.isMfma() || chip >= (form.isDeep() ? 0x950u : 0x940u)))
      return &form;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Lane maps
//===----------------------------------------------------------------------===//

/// Element i of group g where runs of the groups interleave.
static uint32_t interleave(uint32_t run, uint32_t groups, uint32_t g,
                           uint32_t i) {
  return i / run * run * groups + g * run + i % run;
}

uint32_t fly::cpu::sparseColumn(const SparseForm &form, uint32_t g,
                                uint32_t i) {
  bool is16Bit = elementBits(form.a) == 16;
  if (form.isDeep() && !is16Bit) {
    // Bits 0 and 1 of i count up to four; bit 2 stands for the step behind
    // those of the first bit of g, bit 3 for the one before it.
    uint32_t low = i % 4 + 4 * (i / 8);
    return form.m == 32 ? low + 8 * (i / 4 % 2) + 16 * g
                        : low + 8 * (g % 2) + 16 * (i / 4 % 2) + 32 * (g / 2);
  }
  uint32_t run = form.isGfx1250()            ? form.countA() / 2
                 : !form.isMfma() && is16Bit ? 4
                                             : form.countA();
  return interleave(run, form.groups(), g, i);
}

uint32_t fly::cpu::sparseIndexColumn(const SparseForm &form, uint32_t g,
                                     uint32_t i) {
  return form.isGfx1250() ? form.countA() * g + i : sparseColumn(form, g, i);
}

uint32_t fly::cpu::sparseRow(const SparseForm &form, uint32_t g, uint32_t i) {
  if (form.isGfx1250())
    return interleave(form.countB() / 2, form.groups(), g, i);
  bool is16Bit = elementBits(form.b) == 16;
  bool hasRuns = form.isDeep() || (!form.isMfma() && is16Bit);
  return interleave(hasRuns ? 8 : form.countB(), form.groups(), g, i);
}

uint32_t fly::cpu::sparseResultRow(const SparseForm &form, uint32_t g,
                                   uint32_t i) {
  return interleave(form.isMfma() ? 4 : 8, form.groups(), g, i);
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

namespace {
/// What the immediates ask for.
struct SparseModifiers {
  bool isSignedA = true, isSignedB = true, clamp = false;
  bool negateA = false, negateB = false;
  uint32_t set = 0;
};
} // namespace

/// Reads the immediates; an empty text if all of them are known.
static std::string readImmediates(const fly_cpu_group &group,
                                  const SparseForm &form,
                                  SparseModifiers &modifiers) {
  if (!form.isMfma()) {
    if (form.isGfx1250() && elementBits(form.a) == 16) {
      modifiers.negateA = flyCpuImmediate(&group, 0);
      modifiers.negateB = flyCpuImmediate(&group, 1);
    }
    if (form.acc != Element::I32)
      return {};
    modifiers.isSignedA = flyCpuImmediate(&group, 0);
    modifiers.isSignedB = flyCpuImmediate(&group, 1);
    // On gfx1250 behind two flags that say that a register is used again.
    modifiers.clamp = flyCpuImmediate(&group, form.isGfx1250() ? 4 : 2);
    return {};
  }
  auto cbsz = static_cast<uint32_t>(flyCpuImmediate(&group, 0));
  auto abid = static_cast<uint32_t>(flyCpuImmediate(&group, 1));
  uint32_t sets = form.indexRegisterBits() / form.indexBits();
  if (cbsz > 7)
    return "cbsz " + std::to_string(cbsz) + " is unknown";
  if (cbsz == 0 && abid >= sets)
    return "abid " + std::to_string(abid) + " names none of the " +
           std::to_string(sets) + " index sets of the operation";
  modifiers.set = cbsz ? 0 : abid;
  return {};
}

/// The fields that the operation must have, in bytes; an empty text if so.
static std::string checkFields(const fly_cpu_group &group,
                               const SparseForm &form) {
  uint32_t bytesC = form.countC() * elementBits(form.acc) / 8;
  const uint32_t expected[] = {form.countA() * elementBits(form.a) / 8,
                               form.countB() * elementBits(form.b) / 8, bytesC,
                               form.indexRegisterBits() / 8, bytesC};
  for (uint32_t i = 0; i < 5; ++i)
    if (flyCpuFieldSize(&group, i) != expected[i])
      return (i < 4 ? "operand " + std::to_string(i)
                    : std::string("the result")) +
             " of the matrix operation has " +
             std::to_string(flyCpuFieldSize(&group, i)) +
             " bytes on this chip, expected " + std::to_string(expected[i]);
  return {};
}

std::string fly::cpu::runSparse(fly_cpu_group &group, const SparseForm &form,
                                int32_t &lane) {
  lane = -1;
  SparseModifiers modifiers;
  std::string problem = readImmediates(group, form, modifiers);
  if (problem.empty())
    problem = checkFields(group, form);
  if (!problem.empty())
    return problem;

  Field fieldA(group, 0), fieldB(group, 1), fieldC(group, 2),
      fieldIndex(group, 3), fieldD = resultField(group);
  Numbers a(1, form.m, form.k / 2), indices(1, form.m, form.k / 2),
      b(1, form.m, form.k);
  for (uint32_t l = 0; l < form.waveSize(); ++l) {
    uint32_t row = l % form.m, g = l / form.m;
    uint64_t index = 0;
    std::memcpy(&index, fieldIndex.at(l), form.indexRegisterBits() / 8);
    index >>= modifiers.set * form.indexBits();
    for (uint32_t i = 0; i < form.countA(); ++i) {
      a.at(0, row, sparseColumn(form, g, i)) =
          readElement(fieldA.at(l), i, form.a, group.chip, modifiers.isSignedA);
      indices.at(0, row, sparseIndexColumn(form, g, i)) =
          static_cast<double>(index >> 2 * i & 3);
      // "index 0 < index 1" (RDNA4 machine-readable ISA, the index format);
      // CDNA takes any two.
      if (!form.isMfma() && i % 2 &&
          (index >> 2 * i & 3) <= (index >> 2 * (i - 1) & 3)) {
        lane = static_cast<int32_t>(l);
        return "entries " + std::to_string(i - 1) + " and " +
               std::to_string(i) + " of the index register of a sparse A, " +
               std::to_string(index >> 2 * (i - 1) & 3) + " and " +
               std::to_string(index >> 2 * i & 3) + ", do not ascend";
      }
    }
    for (uint32_t i = 0; i < form.countB(); ++i)
      b.at(0, row, sparseRow(form, g, i)) =
          readElement(fieldB.at(l), i, form.b, group.chip, modifiers.isSignedB);
  }
  for (uint32_t l = 0; l < form.waveSize(); ++l)
    for (uint32_t i = 0; i < form.countC(); ++i) {
      uint32_t row = sparseResultRow(form, l / form.m, i);
      double sum = readElement(fieldC.at(l), i, form.acc, group.chip);
      for (uint32_t c = 0; c < form.k / 2; ++c) {
        uint32_t k = c / 2 * 4 + static_cast<uint32_t>(indices.at(0, row, c));
        double x = a.at(0, row, c), y = b.at(0, l % form.m, k);
        if (modifiers.negateA)
          x = -x;
        if (modifiers.negateB)
          y = -y;
        sum = form.acc == Element::I32
                  ? sum + x * y
                  : std::fmaf(static_cast<float>(x), static_cast<float>(y),
                              static_cast<float>(sum));
      }
      if (modifiers.clamp)
        sum = std::fmin(std::fmax(sum, INT32_MIN), INT32_MAX);
      storeElement(fieldD.at(l), i, form.acc, sum);
    }
  return {};
}
