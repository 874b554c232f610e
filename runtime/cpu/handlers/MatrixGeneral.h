// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix operations that have no kernel of their own: several blocks, f64,
// short f32, operands of chosen formats with and without block scales, half
// registers, C and D of two widths, and MFMA with modifiers. The lane maps are
// stated here from the manuals a second time, independent of lib/Arch.
//
//   MFMA A, B: lane l holds row l % m of block l / m % blocks; its elements are
//     k = elements * (l / (m * blocks)) + i. (AMD Matrix Instruction
//     Calculator, input formula of gfx9.)
//   MFMA C, D: rows in runs of 4, of 1 in f64; runs alternate between the lane
//     groups, blocks share a register where they fit. (The same, output
//     formula.)
//   Scaled A, B: a lane's elements come in runs of 16 (8-bit) or 32 k; the runs
//     of the lane groups interleave. The tall form of gfx1250 holds rows 16 to
//     31 of A, C and D in the upper half of the registers. (Register tables of
//     AMD's Composable Kernel, tests of scaled MFMA and WMMA.)
//   gfx11 C, D of 16 bits: one element in each register, in the half that an
//     immediate names, rows as in 32 bits. (The calculator, gfx11, OPSEL.)
//   Scales of MFMA: row r, block b of 32 k: byte opsel of the word in lane
//     r + m * b. Of WMMA: row r: lane r + 16 * row selector, byte b.

#ifndef FLY_RUNTIME_CPU_HANDLERS_MATRIXGENERAL_H
#define FLY_RUNTIME_CPU_HANDLERS_MATRIXGENERAL_H

#include "MatrixForm.h"

#include "fly_cpu_abi.h"

#include <string>

namespace fly::cpu {

/// One operation; the element formats of a scaled one are chosen.
struct GeneralForm {
  uint32_t handler; ///< fly_cpu_handler_id
  MatrixFamily family;
  uint32_t m, n, k, blocks;
  Element a, b, acc, result;
  uint32_t scaleBlock; ///< k that share a scale, or 0

  uint32_t waveSize() const { return family == MatrixFamily::Mfma ? 64 : 32; }
  bool isScaled() const { return scaleBlock != 0; }
  /// Operands of 8 to 4 bits in the registers of the scaled operations.
  bool hasChosenFormats() const {
    return isScaled() || (family == MatrixFamily::Gfx1250 && k == 128);
  }
  /// C and D in one half of each register.
  bool hasHalves() const {
    return family == MatrixFamily::Gfx11 && elementBits(acc) == 16;
  }
  /// Elements of one lane of A or B (with `rows` rows), and of C.
  uint32_t inputCount(uint32_t rows) const {
    return family == MatrixFamily::Gfx11 ? k : rows * k * blocks / waveSize();
  }
  /// With both halves of registers.
  uint32_t outputCount() const {
    return m * n * blocks * (hasHalves() ? 2 : 1) / waveSize();
  }
};

/// Where an element stands.
struct InputPlace {
  uint32_t block, row, k; ///< the row of A, or the column of B
};
struct OutputPlace {
  uint32_t block, row, column;
};

/// Place of element i of a lane of A or B, which has `rows` rows of `element`.
InputPlace inputPlace(const GeneralForm &form, uint32_t rows, Element element,
                      uint32_t lane, uint32_t i);
/// Place of element i of a lane of C or D.
OutputPlace outputPlace(const GeneralForm &form, uint32_t lane, uint32_t i);

/// The form of an operation on `chip`, or null.
const GeneralForm *findGeneralForm(uint32_t handler, uint32_t chip);
/// A form with a kernel of its own as a general one.
GeneralForm toGeneral(const MatrixForm &form);

/// The format with this code in the scaled operations (0 to 4), else Scaled.
Element scaledElement(int32_t code);

/// Runs an operation; returns why it cannot, or an empty text, and in `lane`
/// the lane to blame (-1: the wave).
std::string runGeneral(fly_cpu_group &group, GeneralForm form, int32_t &lane);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_HANDLERS_MATRIXGENERAL_H
