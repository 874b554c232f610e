// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of v_mfma and v_mfma_scale.
//
// Sources of the lane maps, for each group of rows:
//   v_mfma:       "AMD Instinct MI300 / CDNA3 Instruction Set Architecture"
//     section 7.1 (Matrix Arithmetic Instructions, dense), and the CDNA4
//     manual's section of the same name; second source, for one and for several
//     blocks: the input and output formulas of AMD's Matrix Instruction
//     Calculator (ROCm/amd_matrix_instruction_calculator, class InstCalcGfx9);
//     for one block also IREE's getSingleSubgroupLayout.
//   v_mfma_scale: the CDNA4 manual, section 7.1.5; second source: the register
//     tables of AMD's Composable Kernel (test/mx_mfma_op); for operands of 8
//     bits also the tests of ROCm/hip-fpsan, verified on an MI350.
// Types and availability: LLVM 22 selects each row for exactly the chips that
// have its feature (a test walks them).

#include "MatrixRows.h"

using namespace fly::arch;

namespace {

using EK = ElemKind;

//===----------------------------------------------------------------------===//
// Lane maps
//===----------------------------------------------------------------------===//

/// A or B (rows = M or N): row l % rows, then the blocks; the lane groups that
/// remain hold consecutive runs of k.
///
///   k:        0 .. kpt-1          kpt .. 2*kpt-1       ...
///   lanes:    0 .. rows*blocks-1  rows*blocks ..       ...
constexpr LaneMap mfmaOperand(int rows, int k, int blocks) {
  int groups = 64 / (rows * blocks), kpt = k / groups;
  if (blocks == 1)
    return laneMap({{rows, 1}, {groups, rows * kpt}}, {{kpt, rows}});
  if (groups == 1)
    return laneMap({{rows, 1}, {blocks, rows * k}}, {{k, rows}});
  return laneMap({{rows, 1}, {blocks, rows * k}, {groups, rows * kpt}},
                 {{kpt, rows}});
}

/// C: column l % n. Rows go in runs of four (64-bit results: of one) that
/// alternate between the lane groups; the blocks follow in the registers, or,
/// where one register has room for several, in the lanes.
constexpr LaneMap mfmaAccumulator(int m, int blocks, int run) {
  int groups = 64 / m;
  if (m == 4 && run == 4)
    return laneMap({{4, 4}, {16, 16}}, {{4, 1}});
  if (m == 4)
    return laneMap({{4, 4}, {4, 16}, {4, 1}}, {{1, 1}});
  if (run == 1)
    return laneMap({{m, m}, {groups, 1}}, {{m / groups, groups}});
  Mode lower = {4, 1}, upper = {m / 4 / groups, 4 * groups};
  if (blocks == 1)
    return laneMap({{m, m}, {groups, 4}}, {lower, upper});
  if (upper.shape == 1)
    return laneMap({{m, m}, {groups, 4}}, {lower, {blocks, m * m}});
  return laneMap({{m, m}, {groups, 4}}, {lower, upper, {blocks, m * m}});
}

/// A or B of v_mfma_scale. 6- and 4-bit elements: 32 consecutive k a lane.
/// 8-bit: two runs of 16 consecutive k, half of K apart.
constexpr LaneMap scaledOperand(int rows, int k, bool is8Bit) {
  int groups = 64 / rows;
  if (is8Bit)
    return laneMap({{rows, 1}, {groups, 16 * rows}},
                   {{16, rows}, {2, k / 2 * rows}});
  return laneMap({{rows, 1}, {groups, 32 * rows}}, {{32, rows}});
}

//===----------------------------------------------------------------------===//
// Row makers
//===----------------------------------------------------------------------===//

/// M = N, cbsz/abid/blgp operands; a lane holds M * K * blocks / 64 elements of
/// A in `reg` and M * M * blocks / 64 of the accumulator.
constexpr MatrixInstruction mfma(int m, int k, EK a, EK b, EK acc,
                                 RegisterType reg, llvm::StringLiteral op,
                                 Feature feature, int blocks = 1) {
  return {MatrixFamily::Mfma,
          int16_t(m),
          int16_t(m),
          int16_t(k),
          a,
          b,
          acc,
          reg,
          reg,
          {acc, uint8_t(m * m * blocks / 64)},
          mfmaOperand(m, k, blocks),
          mfmaOperand(m, k, blocks),
          mfmaAccumulator(m, blocks, acc == EK::F64 ? 1 : 4),
          op,
          ModifierForm::MfmaTriple,
          feature,
          uint8_t(blocks)};
}

constexpr RegisterType kI64 = {EK::I64, 1};
constexpr EK kFnuz4 = EK::F8E4M3FNUZ, kFnuz5 = EK::F8E5M2FNUZ;
constexpr EK kOcp4 = EK::F8E4M3FN, kOcp5 = EK::F8E5M2;

constexpr MatrixInstruction kRows[] = {
    // MFMA f32.
    mfma(32, 2, EK::F32, EK::F32, EK::F32, {EK::F32, 1},
         "rocdl.mfma.f32.32x32x2f32", Feature::Mfma),
    mfma(16, 4, EK::F32, EK::F32, EK::F32, {EK::F32, 1},
         "rocdl.mfma.f32.16x16x4f32", Feature::Mfma),
    // MFMA f16.
    mfma(32, 8, EK::F16, EK::F16, EK::F32, {EK::F16, 4},
         "rocdl.mfma.f32.32x32x8f16", Feature::Mfma),
    mfma(16, 16, EK::F16, EK::F16, EK::F32, {EK::F16, 4},
         "rocdl.mfma.f32.16x16x16f16", Feature::Mfma),
    mfma(16, 32, EK::F16, EK::F16, EK::F32, {EK::F16, 8},
         "rocdl.mfma.f32.16x16x32.f16", Feature::MfmaWide),
    mfma(32, 16, EK::F16, EK::F16, EK::F32, {EK::F16, 8},
         "rocdl.mfma.f32.32x32x16.f16", Feature::MfmaWide),
    // MFMA bf16; the forms up to four elements take integer vectors.
    mfma(32, 4, EK::BF16, EK::BF16, EK::F32, {EK::I16, 2},
         "rocdl.mfma.f32.32x32x4bf16", Feature::MfmaBf16Legacy),
    mfma(16, 8, EK::BF16, EK::BF16, EK::F32, {EK::I16, 2},
         "rocdl.mfma.f32.16x16x8bf16", Feature::MfmaBf16Legacy),
    mfma(32, 8, EK::BF16, EK::BF16, EK::F32, {EK::I16, 4},
         "rocdl.mfma.f32.32x32x8bf16.1k", Feature::Mfma),
    mfma(16, 16, EK::BF16, EK::BF16, EK::F32, {EK::I16, 4},
         "rocdl.mfma.f32.16x16x16bf16.1k", Feature::Mfma),
    mfma(16, 32, EK::BF16, EK::BF16, EK::F32, {EK::BF16, 8},
         "rocdl.mfma.f32.16x16x32.bf16", Feature::MfmaWide),
    mfma(32, 16, EK::BF16, EK::BF16, EK::F32, {EK::BF16, 8},
         "rocdl.mfma.f32.32x32x16.bf16", Feature::MfmaWide),
    // MFMA 8-bit floats. One instruction, two meanings: gfx942 reads FNUZ,
    // gfx950 OCP formats. The same bits differ by a factor of two.
    mfma(16, 32, kFnuz4, kFnuz4, EK::F32, kI64,
         "rocdl.mfma.f32.16x16x32.fp8.fp8", Feature::MfmaFp8Fnuz),
    mfma(16, 32, kFnuz4, kFnuz5, EK::F32, kI64,
         "rocdl.mfma.f32.16x16x32.fp8.bf8", Feature::MfmaFp8Fnuz),
    mfma(16, 32, kFnuz5, kFnuz4, EK::F32, kI64,
         "rocdl.mfma.f32.16x16x32.bf8.fp8", Feature::MfmaFp8Fnuz),
    mfma(16, 32, kFnuz5, kFnuz5, EK::F32, kI64,
         "rocdl.mfma.f32.16x16x32.bf8.bf8", Feature::MfmaFp8Fnuz),
    mfma(32, 16, kFnuz4, kFnuz4, EK::F32, kI64,
         "rocdl.mfma.f32.32x32x16.fp8.fp8", Feature::MfmaFp8Fnuz),
    mfma(32, 16, kFnuz4, kFnuz5, EK::F32, kI64,
         "rocdl.mfma.f32.32x32x16.fp8.bf8", Feature::MfmaFp8Fnuz),
    mfma(32, 16, kFnuz5, kFnuz4, EK::F32, kI64,
         "rocdl.mfma.f32.32x32x16.bf8.fp8", Feature::MfmaFp8Fnuz),
    mfma(32, 16, kFnuz5, kFnuz5, EK::F32, kI64,
         "rocdl.mfma.f32.32x32x16.bf8.bf8", Feature::MfmaFp8Fnuz),
    mfma(16, 32, kOcp4, kOcp4, EK::F32, kI64, "rocdl.mfma.f32.16x16x32.fp8.fp8",
         Feature::MfmaFp8Ocp),
    mfma(16, 32, kOcp4, kOcp5, EK::F32, kI64, "rocdl.mfma.f32.16x16x32.fp8.bf8",
         Feature::MfmaFp8Ocp),
    mfma(16, 32, kOcp5, kOcp4, EK::F32, kI64, "rocdl.mfma.f32.16x16x32.bf8.fp8",
         Feature::MfmaFp8Ocp),
    mfma(16, 32, kOcp5, kOcp5, EK::F32, kI64, "rocdl.mfma.f32.16x16x32.bf8.bf8",
         Feature::MfmaFp8Ocp),
    mfma(32, 16, kOcp4, kOcp4, EK::F32, kI64, "rocdl.mfma.f32.32x32x16.fp8.fp8",
         Feature::MfmaFp8Ocp),
    mfma(32, 16, kOcp4, kOcp5, EK::F32, kI64, "rocdl.mfma.f32.32x32x16.fp8.bf8",
         Feature::MfmaFp8Ocp),
    mfma(32, 16, kOcp5, kOcp4, EK::F32, kI64, "rocdl.mfma.f32.32x32x16.bf8.fp8",
         Feature::MfmaFp8Ocp),
    mfma(32, 16, kOcp5, kOcp5, EK::F32, kI64, "rocdl.mfma.f32.32x32x16.bf8.bf8",
         Feature::MfmaFp8Ocp),
    // MFMA i8.
    mfma(16, 32, EK::I8, EK::I8, EK::I32, kI64, "rocdl.mfma.i32.16x16x32.i8",
         Feature::MfmaI8K32),
    mfma(32, 16, EK::I8, EK::I8, EK::I32, kI64, "rocdl.mfma.i32.32x32x16.i8",
         Feature::MfmaI8K32),
    mfma(16, 64, EK::I8, EK::I8, EK::I32, {EK::I32, 4},
         "rocdl.mfma.i32.16x16x64.i8", Feature::MfmaWide),
    mfma(32, 32, EK::I8, EK::I8, EK::I32, {EK::I32, 4},
         "rocdl.mfma.i32.32x32x32.i8", Feature::MfmaWide),
    mfma(32, 8, EK::I8, EK::I8, EK::I32, {EK::I32, 1},
         "rocdl.mfma.i32.32x32x8i8", Feature::MfmaI8Legacy),
    mfma(16, 16, EK::I8, EK::I8, EK::I32, {EK::I32, 1},
         "rocdl.mfma.i32.16x16x16i8", Feature::MfmaI8Legacy),
    // MFMA f64, and f32 with shortened mantissas.
    mfma(16, 4, EK::F64, EK::F64, EK::F64, {EK::F64, 1},
         "rocdl.mfma.f64.16x16x4f64", Feature::Mfma),
    mfma(4, 4, EK::F64, EK::F64, EK::F64, {EK::F64, 1},
         "rocdl.mfma.f64.4x4x4f64", Feature::Mfma, 4),
    mfma(16, 8, EK::XF32, EK::XF32, EK::F32, {EK::F32, 2},
         "rocdl.mfma.f32.16x16x8.xf32", Feature::MfmaXf32),
    mfma(32, 4, EK::XF32, EK::XF32, EK::F32, {EK::F32, 2},
         "rocdl.mfma.f32.32x32x4.xf32", Feature::MfmaXf32),
    // Several blocks.
    mfma(32, 1, EK::F32, EK::F32, EK::F32, {EK::F32, 1},
         "rocdl.mfma.f32.32x32x1f32", Feature::Mfma, 2),
    mfma(16, 1, EK::F32, EK::F32, EK::F32, {EK::F32, 1},
         "rocdl.mfma.f32.16x16x1f32", Feature::Mfma, 4),
    mfma(4, 1, EK::F32, EK::F32, EK::F32, {EK::F32, 1},
         "rocdl.mfma.f32.4x4x1f32", Feature::Mfma, 16),
    mfma(32, 4, EK::F16, EK::F16, EK::F32, {EK::F16, 4},
         "rocdl.mfma.f32.32x32x4f16", Feature::Mfma, 2),
    mfma(16, 4, EK::F16, EK::F16, EK::F32, {EK::F16, 4},
         "rocdl.mfma.f32.16x16x4f16", Feature::Mfma, 4),
    mfma(4, 4, EK::F16, EK::F16, EK::F32, {EK::F16, 4},
         "rocdl.mfma.f32.4x4x4f16", Feature::Mfma, 16),
    mfma(32, 2, EK::BF16, EK::BF16, EK::F32, {EK::I16, 2},
         "rocdl.mfma.f32.32x32x2bf16", Feature::MfmaBf16Legacy, 2),
    mfma(16, 2, EK::BF16, EK::BF16, EK::F32, {EK::I16, 2},
         "rocdl.mfma.f32.16x16x2bf16", Feature::MfmaBf16Legacy, 4),
    mfma(4, 2, EK::BF16, EK::BF16, EK::F32, {EK::I16, 2},
         "rocdl.mfma.f32.4x4x2bf16", Feature::MfmaBf16Legacy, 16),
    mfma(32, 4, EK::BF16, EK::BF16, EK::F32, {EK::I16, 4},
         "rocdl.mfma.f32.32x32x4bf16.1k", Feature::Mfma, 2),
    mfma(16, 4, EK::BF16, EK::BF16, EK::F32, {EK::I16, 4},
         "rocdl.mfma.f32.16x16x4bf16.1k", Feature::Mfma, 4),
    mfma(4, 4, EK::BF16, EK::BF16, EK::F32, {EK::I16, 4},
         "rocdl.mfma.f32.4x4x4bf16.1k", Feature::Mfma, 16),
    mfma(32, 4, EK::I8, EK::I8, EK::I32, {EK::I32, 1},
         "rocdl.mfma.i32.32x32x4i8", Feature::Mfma, 2),
    mfma(16, 4, EK::I8, EK::I8, EK::I32, {EK::I32, 1},
         "rocdl.mfma.i32.16x16x4i8", Feature::Mfma, 4),
    mfma(4, 4, EK::I8, EK::I8, EK::I32, {EK::I32, 1}, "rocdl.mfma.i32.4x4x4i8",
         Feature::Mfma, 16),
};

constexpr EK kScaledKinds[] = {EK::F8E4M3FN, EK::F8E5M2, EK::F6E2M3FN,
                               EK::F6E3M2FN, EK::F4E2M1FN};

} // namespace

/// v_mfma_scale: 32 elements a lane of A and of B, and the scales of a row and
/// 32 consecutive k in one byte of a 32-bit register.
static MatrixInstruction scaledMfma(int m, int k, EK a, EK b,
                                    llvm::StringLiteral op) {
  unsigned bitsA = elemBits(a), bitsB = elemBits(b);
  return {MatrixFamily::MfmaScale,
          int16_t(m),
          int16_t(m),
          int16_t(k),
          a,
          b,
          EK::F32,
          {EK::I32, uint8_t(bitsA)},
          {EK::I32, uint8_t(bitsB)},
          {EK::F32, uint8_t(m * m / 64)},
          scaledOperand(m, k, bitsA == 8),
          scaledOperand(m, k, bitsB == 8),
          mfmaAccumulator(m, 1, 4),
          op,
          ModifierForm::MfmaScale,
          Feature::MfmaScale,
          /*blocks=*/1,
          /*scaleBlock=*/0,
          /*scaleBits=*/32};
}

void fly::arch::appendMfmaRows(llvm::SmallVectorImpl<MatrixInstruction> &rows) {
  rows.append(std::begin(kRows), std::end(kRows));
  for (EK a : kScaledKinds)
    for (EK b : kScaledKinds) {
      rows.push_back(
          scaledMfma(16, 128, a, b, "rocdl.mfma.scale.f32.16x16x128.f8f6f4"));
      rows.push_back(
          scaledMfma(32, 64, a, b, "rocdl.mfma.scale.f32.32x32x64.f8f6f4"));
    }
}
