// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix operations with a sparse A. A holds two of each four consecutive
// k; an index of two bits says which. The lane maps are stated here a second
// time, independent of lib/Arch: lane l holds row l % m of A, or column l % m
// of B, and belongs to group g = l / m. `c` counts the columns of the packed A.
//
//   gfx942, A and B:        c = elements * g + i, k = elements * g + i
//     (AMD Matrix Instruction Calculator, gfx9, A, B and K matrix)
//   gfx950, twice as deep:  B in runs of 8 k, the runs of the groups
//   interleave;
//     A of 16 bits c = 8 * g + i; A of 8 bits by bits of i and g, see below
//     (ROCm/hip-fpsan, tests of smfmac, verified on an MI350)
//   gfx12:                  16 bits: A in runs of 4, B in runs of 8, the runs
//   of the groups interleave; else as on gfx942
//     (the calculator, gfx12, wave32)
//   gfx1250:                A and B in two runs a lane, which interleave
//     (ROCm/rocm-libraries, TensileLite, LocalRead.py: two blocks for each group
//     of threads; the lanes of the upper half begin one block further in A, and
//     one of twice as many elements in B)
//
// The index of element i of a lane is entry i of the index register of that
// lane, bits 2 * i and 2 * i + 1 of the set that counts; on gfx1250 the entries
// are those of the columns entries * g + i (TensileLite: one block, the upper
// lanes begin 4 or 8 bytes further). On gfx942 and gfx950 abid chooses the set,
// or cbsz the first one.

#ifndef FLY_RUNTIME_CPU_HANDLERS_MATRIXSPARSE_H
#define FLY_RUNTIME_CPU_HANDLERS_MATRIXSPARSE_H

#include "MatrixForm.h"

#include "fly_cpu_abi.h"

#include <string>

namespace fly::cpu {

struct SparseForm {
  uint32_t handler; ///< fly_cpu_handler_id
  MatrixFamily family;
  uint32_t m, k; ///< m = n
  Element a, b, acc;

  bool isMfma() const { return family == MatrixFamily::Mfma; }
  bool isGfx1250() const { return family == MatrixFamily::Gfx1250; }
  uint32_t waveSize() const { return isMfma() ? 64 : 32; }
  uint32_t groups() const { return waveSize() / m; }
  /// Elements of one lane of the packed A, of B and of C.
  uint32_t countA() const { return k / 2 / groups(); }
  uint32_t countB() const { return k / groups(); }
  uint32_t countC() const { return m / groups(); }
  /// The deep forms of gfx950, with 16 bytes of A a lane.
  bool isDeep() const { return isMfma() && countA() * elementBits(a) == 128; }
  /// Bits of the indices of a lane, and of its index register.
  uint32_t indexBits() const { return 2 * countA(); }
  uint32_t indexRegisterBits() const { return isMfma() ? 32 : indexBits(); }
};

/// Column of the packed A of element i of lane group g.
uint32_t sparseColumn(const SparseForm &form, uint32_t g, uint32_t i);
/// Column of the packed A whose index is entry i of lane group g.
uint32_t sparseIndexColumn(const SparseForm &form, uint32_t g, uint32_t i);
/// Row of B of element i of lane group g.
uint32_t sparseRow(const SparseForm &form, uint32_t g, uint32_t i);
/// Row of C and D of element i of lane group g.
uint32_t sparseResultRow(const SparseForm &form, uint32_t g, uint32_t i);

/// The form of an operation on `chip`, or null.
const SparseForm *findSparseForm(uint32_t handler, uint32_t chip);

/// Runs an operation; returns why it cannot, or an empty text, and in `lane`
/// the lane to blame (-1: the wave).
std::string runSparse(fly_cpu_group &group, const SparseForm &form,
                      int32_t &lane);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_HANDLERS_MATRIXSPARSE_H
