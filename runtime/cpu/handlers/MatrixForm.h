// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One form of a matrix instruction: D = A * B + C over the registers of a
// wave, as the CPU device computes it. The lane maps are stated here from the
// instruction set manuals and are independent of the tables of lib/Arch on
// purpose: a test holds the two against each other.
//
// All maps are of one shape. The lanes of the wave fall into groups: lane l
// belongs to row (of A), or column (of B, C and D), l % 16 or l % 32, and to
// group g = l / 16 or l / 32. Element i of a lane then stands at
//
//   position(g, i) = (i / run) * stride + g * run + i % run
//
// along k for A and B, along the rows for C and D: consecutive elements come in
// runs, and the runs of the groups interleave.
//
//   instruction           A, B: run, stride          C, D: run, stride
//   MFMA                  all elements of a lane     4, 4 * groups
//   WMMA gfx11            16 (one group, see below)  1, 2
//   WMMA gfx12            all elements of a lane     8
//   WMMA gfx1250          8, 16; 32-bit: 2           8
//
// (AMD Matrix Instruction Calculator and the CDNA3, RDNA3 and RDNA4 ISA
// manuals, chapters "Matrix arithmetic" and "WMMA".) On gfx11 each half of the
// wave holds all of A and B, twice.

#ifndef FLY_RUNTIME_CPU_HANDLERS_MATRIXFORM_H
#define FLY_RUNTIME_CPU_HANDLERS_MATRIXFORM_H

#include "Float.h"

#include <cstdint>

namespace fly::cpu {

/// Element formats. Fp8 is the chip's E4M3, Bf8 its E5M2; Fp6 is E2M3, Bf6 E3M2
/// and Fp4 E2M1. Xf32 is f32 of which ten bits of the mantissa count. I8 and I4
/// are signed or not by a flag of the operation. Scaled stands for the five
/// formats of the scaled operations, which an immediate chooses from.
enum class Element : uint8_t {
  F32,
  F16,
  Bf16,
  Fp8,
  Bf8,
  I8,
  I4,
  I32,
  F64,
  Xf32,
  Fp6,
  Bf6,
  Fp4,
  Scaled
};

/// Bits of an element in a register.
constexpr uint32_t elementBits(Element element) {
  switch (element) {
  case Element::F64:
    return 64;
  case Element::F32:
  case Element::Xf32:
  case Element::I32:
    return 32;
  case Element::F16:
  case Element::Bf16:
    return 16;
  case Element::Fp6:
  case Element::Bf6:
    return 6;
  case Element::I4:
  case Element::Fp4:
    return 4;
  default:
    return 8;
  }
}

/// Generations that agree on the lane maps.
enum class MatrixFamily : uint8_t { Mfma, Gfx11, Gfx12, Gfx1250 };

/// The family of the chip with these digits (as in fly_cpu_group).
MatrixFamily matrixFamilyOf(uint32_t chip);

/// The chip's 8-bit float with five bits of exponent or with four. gfx940 to
/// gfx942 have FNUZ, all others OCP (AMD "Instinct MI300" and CDNA4 ISA, "Data
/// types").
inline Float8 float8Format(uint32_t chip, bool isBf8) {
  bool isFnuz = chip >= 0x940 && chip <= 0x942;
  if (isBf8)
    return isFnuz ? Float8::Fnuz52 : Float8::Ocp52;
  return isFnuz ? Float8::Fnuz43 : Float8::Ocp43;
}

/// How the elements of a lane lie along one dimension (see above).
struct LaneMap {
  uint32_t groups;
  uint32_t elements; ///< of one lane
  uint32_t run;
  uint32_t stride;
};

struct MatrixForm {
  uint32_t handler; ///< fly_cpu_handler_id
  MatrixFamily family;
  uint32_t m, n, k;
  Element a, b, acc;

  constexpr uint32_t waveSize() const {
    return family == MatrixFamily::Mfma ? 64 : 32;
  }
  constexpr bool isInteger() const { return acc == Element::I32; }

  /// Map along k. A and B agree: all forms here have M = N and operands of
  /// equal width.
  constexpr LaneMap inputMap() const {
    if (family == MatrixFamily::Gfx11)
      return {1, k, k, k};
    uint32_t groups = waveSize() / m, elements = k / groups;
    if (family == MatrixFamily::Gfx1250)
      return a == Element::F32 ? LaneMap{groups, elements, 2, 4}
                               : LaneMap{groups, elements, 8, 16};
    return {groups, elements, elements, k};
  }

  /// Map along the rows of C and D.
  constexpr LaneMap outputMap() const {
    uint32_t groups = waveSize() / n, elements = m / groups;
    switch (family) {
    case MatrixFamily::Mfma:
      return {groups, elements, 4, 4 * groups};
    case MatrixFamily::Gfx11:
      return {groups, elements, 1, 2};
    default:
      return {groups, elements, 8, 16};
    }
  }
};

/// What the format of an operand leaves open.
struct OperandReader {
  Float8Decoder float8; ///< of Fp8 or Bf8 elements on the chip
  bool isSigned;        ///< whether I8 or I4 elements are signed
};

/// One operation on one wave. The offsets are those of the slot fields.
struct MatrixCall {
  unsigned char *const *slots;
  uint32_t offsetA, offsetB, offsetC, offsetD;
  OperandReader readerA, readerB;
  bool clamp;         ///< saturate an integer result
  bool absC, negateC; ///< applied to C in this order; floats only
};

/// Computes one operation: products and sums in float with one rounding for
/// each product added, k ascending, C first; integers add C last and wrap or
/// saturate then. 16-bit results are rounded once more. Every level of
/// instruction sets gives the same bits (those of NaN excepted).
using MatrixKernel = void (*)(const MatrixCall &call);

/// A form, the kernel of the widest level that the host runs, and what a lane
/// holds of it.
struct MatrixOperation {
  const MatrixForm *form = nullptr;
  MatrixKernel kernel = nullptr;
  uint32_t bytesA = 0, bytesB = 0, bytesAcc = 0;
};

/// The operation that a wave of `chip` (as in fly_cpu_group) runs for
/// `handler`; null if the chip has none.
const MatrixOperation *findMatrixOperation(uint32_t handler, uint32_t chip);

// The kernels of each instruction set level in this build, in the order of
// MatrixForms.def (MatrixKernel.cpp).
extern const MatrixKernel matrixKernelsBase[];
#if defined(FLY_CPU_X86_LEVELS)
extern const MatrixKernel matrixKernelsAvx2[];
extern const MatrixKernel matrixKernelsAvx512[];
#endif

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_HANDLERS_MATRIXFORM_H
