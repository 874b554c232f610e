// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix operations on numbers in double precision. Sums: f64 with one fused
// rounding for each product; f32 likewise in float, as the kernels of the other
// forms do; integers exactly, wrapping at the end; scaled products, whose
// factors leave the range of float, in double with one rounding to float at the
// end. k ascends, C comes first.

#include "MatrixGeneral.h"

#include "Float.h"
#include "Handlers.h"
#include "MatrixNumbers.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace fly::cpu;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static constexpr GeneralForm generalForms[] = {
#define FLY_MATRIX_GENERAL_FORM(Operation, Family, M, N, K, Blocks, A, B, Acc, \
                                Result, ScaleBlock)                            \
  {FlyCpuHandler##Operation,                                                   \
   MatrixFamily::Family,                                                       \
   M,                                                                          \
   N,                                                                          \
   K,                                                                          \
   Blocks,                                                                     \
   Element::A,                                                                 \
   Element::B,                                                                 \
   Element::Acc,                                                               \
   Element::Result,                                                            \
   ScaleBlock},
#include "MatrixForms.def"
};

const GeneralForm *fly::cpu::findGeneralForm(uint32_t handler, uint32_t chip) {
  MatrixFamily family = matrixFamilyOf(chip);
  for (const GeneralForm &form : generalForms)
    if (form.handler == handler && form.family == family)
      return &form;
  return nullptr;
}

GeneralForm fly::cpu::toGeneral(const MatrixForm &form) {
  return {form.handler,    form.family, form.m, form.n,   form.k,
          /*blocks=*/1,    form.a,      form.b, form.acc, form.acc,
          /*scaleBlock=*/0};
}

Element fly::cpu::scaledElement(int32_t code) {
  switch (code) {
  case 0:
    return Element::Fp8;
  case 1:
    return Element::Bf8;
  case 2:
    return Element::Fp6;
  case 3:
    return Element::Bf6;
  case 4:
    return Element::Fp4;
  default:
    return Element::Scaled;
  }
}

//===----------------------------------------------------------------------===//
// Lane maps
//===----------------------------------------------------------------------===//

InputPlace fly::cpu::inputPlace(const GeneralForm &form, uint32_t rows,
                                Element element, uint32_t lane, uint32_t i) {
  if (form.family == MatrixFamily::Gfx11)
    return {0, lane % 16, i};
  if (form.family == MatrixFamily::Gfx1250 && elementBits(element) == 16)
    return {0, lane % 16, 16 * (i / 8) + 8 * (lane / 16) + i % 8};
  if (!form.hasChosenFormats()) {
    uint32_t elements = form.inputCount(rows);
    return {lane / rows % form.blocks, lane % rows,
            elements * (lane / (rows * form.blocks)) + i};
  }
  // The registers of 32 rows of gfx1250 are twice those of 16.
  uint32_t lanes = form.family == MatrixFamily::Gfx1250 ? 16 : rows;
  uint32_t groups = form.waveSize() / lanes, perHalf = form.k / groups;
  uint32_t run = elementBits(element) == 8 ? 16 : 32;
  uint32_t half = i / perHalf, j = i % perHalf;
  return {0, lane % lanes + 16 * half,
          j / run * run * groups + lane / lanes * run + j % run};
}

OutputPlace fly::cpu::outputPlace(const GeneralForm &form, uint32_t lane,
                                  uint32_t i) {
  if (form.hasHalves())
    return {0, 2 * (i / 2) + lane / 16, lane % 16};
  if (form.family == MatrixFamily::Gfx1250)
    return {0, 16 * (i / 8) + 8 * (lane / 16) + i % 8, lane % 16};
  uint32_t run = form.acc == Element::F64 ? 1 : 4;
  // Small blocks share a register; `inRegister` of them lie side by side.
  uint32_t lanesOfBlock = form.m * form.n / run;
  uint32_t inRegister = lanesOfBlock < 64 ? 64 / lanesOfBlock : 1;
  uint32_t perBlock = form.m * form.n * inRegister / 64;
  uint32_t groups = 64 / (form.n * inRegister);
  uint32_t block = i / perBlock * inRegister + lane / form.n % inRegister;
  uint32_t j = i % perBlock;
  uint32_t group = lane / (form.n * inRegister);
  return {block, j / run * run * groups + group * run + j % run, lane % form.n};
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

namespace {
/// What the immediates of an operation ask for.
struct GeneralModifiers {
  uint32_t cbsz = 0, abid = 0, blgp = 0;
  bool negateA = false, negateB = false, negateC = false, absC = false;
  /// Byte (MFMA) or lanes (WMMA) of the scales; no scales at all.
  uint32_t opselA = 0, opselB = 0;
  bool isUnscaled = false;
  /// The half of each register of C and D that counts, of forms with halves.
  uint32_t half = 0;
};
} // namespace

/// 2^(bits - 127); NaN for 255 (OCP Microscaling, section 5.4.1).
static double scaleValue(uint32_t bits) {
  return bits == 255 ? std::numeric_limits<double>::quiet_NaN()
                     : std::ldexp(1.0, static_cast<int>(bits) - 127);
}

/// The lane whose register counts as that of `lane` in B (CDNA3 ISA, "Matrix
/// arithmetic", BLGP).
static uint32_t blgpLane(uint32_t blgp, uint32_t lane) {
  switch (blgp) {
  case 1: // the first 32 lanes twice
    return lane % 32;
  case 2: // the last 32 lanes twice
    return lane % 32 + 32;
  case 3: // turned by 16
    return (lane + 16) % 64;
  case 4: // 16 lanes to all
  case 5:
  case 6:
  case 7:
    return lane % 16 + 16 * (blgp - 4);
  default:
    return lane;
  }
}

/// Reads the immediates; an empty text if all of them are known.
static std::string readImmediates(const fly_cpu_group &group, GeneralForm &form,
                                  GeneralModifiers &modifiers) {
  auto immediate = [&](uint32_t index) {
    return static_cast<uint32_t>(flyCpuImmediate(&group, index));
  };
  if (form.family == MatrixFamily::Mfma && form.isScaled()) {
    form.a = scaledElement(flyCpuImmediate(&group, 0));
    form.b = scaledElement(flyCpuImmediate(&group, 1));
    modifiers.opselA = immediate(2);
    modifiers.opselB = immediate(3);
    modifiers.isUnscaled = immediate(4);
    if (form.a == Element::Scaled || form.b == Element::Scaled)
      return "operand format " +
             std::to_string(immediate(form.a == Element::Scaled ? 0 : 1)) +
             " is unknown";
    if (modifiers.opselA > 3 || modifiers.opselB > 3)
      return "a scale word has no byte " +
             std::to_string(modifiers.opselA > 3 ? modifiers.opselA
                                                 : modifiers.opselB);
    return {};
  }
  if (form.family == MatrixFamily::Mfma) {
    modifiers.cbsz = immediate(0);
    modifiers.abid = immediate(1);
    modifiers.blgp = immediate(2);
    if (form.acc == Element::F64) {
      // Ignored (CDNA3 ISA, "Broadcasting values").
      modifiers.cbsz = modifiers.abid = 0;
      // gfx940 and later negate A, B and C by these bits.
      if (modifiers.blgp && (group.chip < 0x940 || modifiers.blgp > 7))
        return "blgp " + std::to_string(modifiers.blgp) +
               " of an f64 matrix operation is unknown on this chip";
      modifiers.negateA = modifiers.blgp & 1;
      modifiers.negateB = modifiers.blgp & 2;
      modifiers.negateC = modifiers.blgp & 4;
      modifiers.blgp = 0;
      return {};
    }
    if (modifiers.cbsz > 4 || 1u << modifiers.cbsz > form.blocks ||
        modifiers.abid >= 1u << modifiers.cbsz)
      return "cbsz " + std::to_string(modifiers.cbsz) + " with abid " +
             std::to_string(modifiers.abid) + " names no block of the " +
             std::to_string(form.blocks) + " of the operation";
    if (modifiers.blgp > 7)
      return "blgp " + std::to_string(modifiers.blgp) + " is unknown";
    return {};
  }
  if (form.hasHalves()) {
    modifiers.half = immediate(0) != 0;
    return {};
  }
  uint32_t first = 0;
  if (form.a == Element::Scaled) {
    form.a = scaledElement(flyCpuImmediate(&group, 0));
    form.b = scaledElement(flyCpuImmediate(&group, 1));
    first = 2;
    if (form.a == Element::Scaled || form.b == Element::Scaled)
      return "operand format " +
             std::to_string(immediate(form.a == Element::Scaled ? 0 : 1)) +
             " is unknown";
  } else if (!form.hasChosenFormats()) {
    // Each element changes its sign: LLVM makes these flags of a negation of
    // all of them on gfx12.
    modifiers.negateA = immediate(0);
    modifiers.negateB = immediate(1);
    first = 2;
  }
  uint32_t modC = immediate(first);
  if (modC > 3)
    return "modC " + std::to_string(modC) + " is unknown";
  modifiers.negateC = modC & 1;
  modifiers.absC = modC & 2;
  if (!form.isScaled())
    return {};
  modifiers.opselA = immediate(first + 1);
  modifiers.opselB = immediate(first + 3);
  if (immediate(first + 2) || immediate(first + 4))
    return "scales of another format than E8M0 are not supported";
  if (modifiers.opselA > 1 || modifiers.opselB > 1)
    return "scales lie in row 0 or 1 of the lanes, not in " +
           std::to_string(modifiers.opselA > 1 ? modifiers.opselA
                                               : modifiers.opselB);
  if (form.m == 32 && modifiers.opselA)
    return "the scales of 32 rows take all lanes, so they start in row 0";
  return {};
}

/// The fields that the operation must have, in bytes; an empty text if so.
static std::string checkFields(const fly_cpu_group &group,
                               const GeneralForm &form) {
  uint32_t bytesA = form.inputCount(form.m) * elementBits(form.a) / 8;
  uint32_t bytesB = form.inputCount(form.n) * elementBits(form.b) / 8;
  uint32_t bytesC = form.outputCount() * elementBits(form.acc) / 8;
  std::vector<uint32_t> expected = {bytesA, bytesB, bytesC};
  if (form.isScaled()) {
    uint32_t bytes = form.scaleBlock == 16 ? 8 : 4;
    expected.insert(expected.end(), {bytes, bytes});
  }
  expected.push_back(form.outputCount() * elementBits(form.result) / 8);
  for (uint32_t i = 0; i < expected.size(); ++i)
    if (flyCpuFieldSize(&group, i) != expected[i])
      return (i + 1 < expected.size() ? "operand " + std::to_string(i)
                                      : std::string("the result")) +
             " of the matrix operation has " +
             std::to_string(flyCpuFieldSize(&group, i)) +
             " bytes on this chip, expected " + std::to_string(expected[i]);
  return {};
}

/// Gathers A or B as [block][row][k].
static Numbers gather(const fly_cpu_group &group, const GeneralForm &form,
                      uint32_t field, uint32_t rows, Element element,
                      uint32_t blgp) {
  Numbers numbers(form.blocks, rows, form.k);
  Field operand(group, field);
  for (uint32_t lane = 0; lane < form.waveSize(); ++lane) {
    const unsigned char *registers = operand.at(blgpLane(blgp, lane));
    for (uint32_t i = 0; i < form.inputCount(rows); ++i) {
      InputPlace place = inputPlace(form, rows, element, lane, i);
      numbers.at(place.block, place.row, place.k) =
          readElement(registers, i, element, group.chip);
    }
  }
  return numbers;
}

/// Multiplies the numbers of A or B by their scales.
static void applyScales(const fly_cpu_group &group, const GeneralForm &form,
                        uint32_t field, uint32_t opsel, Numbers &numbers) {
  Field scales(group, field);
  for (uint32_t row = 0; row < numbers.rows; ++row)
    for (uint32_t k = 0; k < form.k; k += form.scaleBlock) {
      uint32_t block = k / form.scaleBlock;
      bool isMfma = form.family == MatrixFamily::Mfma;
      const unsigned char *bytes =
          scales.at(isMfma ? row + numbers.rows * block : row + 16 * opsel);
      double scale = scaleValue(bytes[isMfma ? opsel : block]);
      for (uint32_t i = 0; i < form.scaleBlock; ++i)
        numbers.at(0, row, k + i) *= scale;
    }
}

/// The lane that holds an f32 of A or B that is no short one, or -1: whether
/// the device cuts or rounds the mantissa is not documented.
static int32_t findLongMantissa(const fly_cpu_group &group,
                                const GeneralForm &form) {
  for (uint32_t field = 0; field < 2; ++field)
    for (uint32_t lane = 0; lane < form.waveSize(); ++lane)
      for (uint32_t i = 0; i < form.inputCount(form.m); ++i)
        if (floatToBits(static_cast<float>(readElement(
                Field(group, field).at(lane), i, form.a, group.chip))) &
            0x1fff)
          return static_cast<int32_t>(lane);
  return -1;
}

std::string fly::cpu::runGeneral(fly_cpu_group &group, GeneralForm form,
                                 int32_t &lane) {
  lane = -1;
  GeneralModifiers modifiers;
  std::string problem = readImmediates(group, form, modifiers);
  if (problem.empty())
    problem = checkFields(group, form);
  if (!problem.empty())
    return problem;
  if (form.a == Element::Xf32 && (lane = findLongMantissa(group, form)) >= 0)
    return "an operand of the xf32 matrix operation has more than ten bits of "
           "mantissa; how the device shortens it is not documented";

  Numbers a = gather(group, form, 0, form.m, form.a, 0);
  Numbers b = gather(group, form, 1, form.n, form.b, modifiers.blgp);
  if (form.isScaled() && !modifiers.isUnscaled) {
    applyScales(group, form, 3, modifiers.opselA, a);
    applyScales(group, form, 4, modifiers.opselB, b);
  }
  Field inputC(group, 2), outputD = resultField(group);
  for (uint32_t l = 0; l < form.waveSize(); ++l)
    for (uint32_t i = 0; i < form.outputCount(); ++i) {
      if (form.hasHalves() && i % 2 != modifiers.half) {
        // The other half is that of C: so the tied operation wants it.
        std::memcpy(outputD.at(l) + 2 * i, inputC.at(l) + 2 * i, 2);
        continue;
      }
      OutputPlace place = outputPlace(form, l, i);
      double sum = readElement(inputC.at(l), i, form.acc, group.chip);
      if (modifiers.absC)
        sum = std::fabs(sum);
      if (modifiers.negateC)
        sum = -sum;
      uint32_t blockA =
          (place.block >> modifiers.cbsz << modifiers.cbsz) + modifiers.abid;
      const double *rowA = &a.at(blockA, place.row, 0);
      const double *rowB = &b.at(place.block, place.column, 0);
      for (uint32_t k = 0; k < form.k; ++k) {
        double x = modifiers.negateA ? -rowA[k] : rowA[k];
        double y = modifiers.negateB ? -rowB[k] : rowB[k];
        if (form.acc == Element::F64)
          sum = std::fma(x, y, sum);
        else if (form.acc == Element::I32 || form.hasChosenFormats())
          sum += x * y;
        else
          sum = std::fmaf(static_cast<float>(x), static_cast<float>(y),
                          static_cast<float>(sum));
      }
      storeElement(outputD.at(l), i, form.result, sum);
    }
  return {};
}
