// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of v_wmma and v_wmma_scale.
//
// Sources of the lane maps, for each group of rows:
//   v_wmma of gfx11:   "RDNA3 Instruction Set Architecture" section 7.9; second
//     source: AMD's Matrix Instruction Calculator, class InstCalcGfx11, which
//     also has the halves of OPSEL.
//   v_wmma of gfx12:   "RDNA4 Instruction Set Architecture" section 7.12;
//   second
//     source: the calculator, class InstCalcGfx12. It numbers the k of a lane
//     in runs of four; A and B have one width and one order of k here, so that
//     no value tells the orders apart.
//   v_wmma of gfx1250: the public atom; second source for C: IREE's
//     getSingleSubgroupLayout. A and B as above.
//   v_wmma_scale:      the register tables of AMD's Composable Kernel
//     (test/mx_wmma_op); second source: Triton's tests of scaled dots for
//     gfx1250; for the tile of 32 rows AMD's code object manager, which splits
//     the instruction into two of 16 rows by halves of the registers of A, C
//     and D. The forms without scales are the same instructions with all
//     scales 1.
// Types and availability: LLVM 22 selects each row for exactly the chips that
// have its feature (a test walks them).

#include "MatrixRows.h"

using namespace fly::arch;

namespace {

using EK = ElemKind;

//===----------------------------------------------------------------------===//
// Lane maps
//===----------------------------------------------------------------------===//

/// gfx11 A or B: row l % 16 with all 16 k; the upper half of the wave repeats
/// the lower.
constexpr LaneMap kGfx11Operand = laneMap({{16, 1}, {2, 0}}, {{16, 16}});
/// gfx11 C: column l % 16, rows alternate between the halves.
constexpr LaneMap kGfx11Accumulator = laneMap({{16, 16}, {2, 1}}, {{8, 2}});

/// gfx11 C of 16 bits: one element in each 32-bit register, in the half that
/// opsel chooses; the map says so of both halves. (The calculator's formula of
/// OPSEL.)
constexpr LaneMap kGfx11HalfAccumulator =
    laneMap({{16, 16}, {2, 1}}, {{2, 0}, {8, 2}});

/// gfx120x A or B: the halves hold the lower and the upper k.
constexpr LaneMap gfx120xOperand(int k) {
  return laneMap({{16, 1}, {2, 8 * k}}, {{k / 2, 16}});
}
/// gfx12 C, 16-bit results packed: column l % 16, row 8 * (l / 16) + i.
constexpr LaneMap kGfx12Accumulator = laneMap({{16, 16}, {2, 8}}, {{8, 1}});

/// gfx1250 A or B narrower than 32 bits: runs of eight k alternate between
/// the halves.
constexpr LaneMap gfx1250Operand(int k) {
  return laneMap({{16, 1}, {2, 128}}, {{8, 16}, {k / 16, 256}});
}

/// v_wmma_scale A or B, 16 rows of 128 k: runs of 16 (8-bit elements) or 32 k
/// alternate between the halves.
constexpr LaneMap scaledOperand(bool is8Bit) {
  int run = is8Bit ? 16 : 32;
  return laneMap({{16, 1}, {2, 16 * run}}, {{run, 16}, {64 / run, 32 * run}});
}
/// The same for 32 rows of 4-bit elements: rows 16 to 31 follow in the upper
/// half of the registers.
constexpr LaneMap kScaledOperand32 =
    laneMap({{16, 1}, {2, 32 * 32}}, {{32, 32}, {2, 64 * 32}, {2, 16}});
/// C of 32 rows, likewise.
constexpr LaneMap kScaledAccumulator32 =
    laneMap({{16, 32}, {2, 8}}, {{8, 1}, {2, 16}});

//===----------------------------------------------------------------------===//
// Row makers
//===----------------------------------------------------------------------===//

/// 16 x 16 tiles, eight accumulators a lane. The bf16 accumulators of gfx12
/// are integers in its operation.
constexpr MatrixInstruction wmma(MatrixFamily family, int k, EK a, EK b, EK acc,
                                 RegisterType reg, const LaneMap &operand,
                                 const LaneMap &accumulator,
                                 llvm::StringLiteral op, ModifierForm modifiers,
                                 Feature feature) {
  bool isInteger = family == MatrixFamily::WmmaGfx120x && acc == EK::BF16;
  return {
      family,  16,      16,          int16_t(k), a,
      b,       acc,     reg,         reg,        {isInteger ? EK::I16 : acc, 8},
      operand, operand, accumulator, op,         modifiers,
      feature};
}

constexpr MatrixInstruction wmma11(EK a, EK acc, RegisterType reg,
                                   llvm::StringLiteral op,
                                   ModifierForm modifiers) {
  return wmma(MatrixFamily::WmmaGfx11, 16, a, a, acc, reg, kGfx11Operand,
              kGfx11Accumulator, op, modifiers, Feature::WmmaGfx11);
}

/// 16-bit accumulators of gfx11: a use of the operation, no atom.
constexpr MatrixInstruction halves11(EK kind, RegisterType reg,
                                     llvm::StringLiteral op,
                                     ModifierForm modifiers) {
  MatrixInstruction row =
      wmma(MatrixFamily::WmmaGfx11, 16, kind, kind, kind, reg, kGfx11Operand,
           kGfx11HalfAccumulator, op, modifiers, Feature::WmmaGfx11);
  row.regC = reg;
  row.hasAtom = false;
  return row;
}

constexpr MatrixInstruction wmma120x(int k, EK a, EK b, EK acc,
                                     RegisterType reg, llvm::StringLiteral op,
                                     ModifierForm modifiers) {
  return wmma(MatrixFamily::WmmaGfx120x, k, a, b, acc, reg, gfx120xOperand(k),
              kGfx12Accumulator, op, modifiers, Feature::WmmaGfx12);
}

constexpr MatrixInstruction
wmma1250(int k, EK a, EK b, EK acc, RegisterType reg, llvm::StringLiteral op,
         ModifierForm modifiers = ModifierForm::ModCReuse,
         Feature feature = Feature::WmmaGfx1250) {
  return wmma(MatrixFamily::WmmaGfx1250, k, a, b, acc, reg, gfx1250Operand(k),
              kGfx12Accumulator, op, modifiers, feature);
}

/// gfx1250 16x16x4 f32: the halves hold the lower and the upper two k.
constexpr MatrixInstruction kWmma1250F32 =
    wmma(MatrixFamily::WmmaGfx1250, 4, EK::F32, EK::F32, EK::F32, {EK::F32, 2},
         laneMap({{16, 1}, {2, 32}}, {{2, 16}}), kGfx12Accumulator,
         "rocdl.wmma.f32.16x16x4.f32", ModifierForm::ModCReuse,
         Feature::WmmaGfx1250);

/// gfx1250, C of f32 and D of bf16.
constexpr MatrixInstruction wmma1250Bf16F32() {
  MatrixInstruction row =
      wmma1250(32, EK::BF16, EK::BF16, EK::F32, {EK::BF16, 16},
               "rocdl.wmma.bf16f32.16x16x32.bf16");
  row.ownRegD = {EK::BF16, 8};
  row.hasAtom = false;
  return row;
}

constexpr EK kOcp4 = EK::F8E4M3FN, kOcp5 = EK::F8E5M2;

constexpr MatrixInstruction kRows[] = {
    // WMMA of gfx11.
    wmma11(EK::F16, EK::F32, {EK::F16, 16}, "rocdl.wmma.f32.16x16x16.f16",
           ModifierForm::Plain),
    wmma11(EK::BF16, EK::F32, {EK::I16, 16}, "rocdl.wmma.f32.16x16x16.bf16",
           ModifierForm::Plain),
    wmma11(EK::I8, EK::I32, {EK::I32, 4}, "rocdl.wmma.i32.16x16x16.iu8",
           ModifierForm::Signs),
    wmma11(EK::I4, EK::I32, {EK::I32, 2}, "rocdl.wmma.i32.16x16x16.iu4",
           ModifierForm::Signs),
    halves11(EK::F16, {EK::F16, 16}, "rocdl.wmma.f16.16x16x16.f16",
             ModifierForm::Opsel),
    halves11(EK::BF16, {EK::I16, 16}, "rocdl.wmma.bf16.16x16x16.bf16",
             ModifierForm::Opsel),
    // The other half of D is that of C; else it is undefined.
    halves11(EK::F16, {EK::F16, 16}, "llvm.amdgcn.wmma.f16.16x16x16.f16.tied",
             ModifierForm::OpselCall),
    halves11(EK::BF16, {EK::I16, 16},
             "llvm.amdgcn.wmma.bf16.16x16x16.bf16.tied",
             ModifierForm::OpselCall),

    // WMMA of gfx1200 and gfx1201.
    wmma120x(16, EK::F16, EK::F16, EK::F32, {EK::F16, 8},
             "rocdl.wmma.f32.16x16x16.f16", ModifierForm::Plain),
    wmma120x(16, EK::BF16, EK::BF16, EK::F32, {EK::I16, 8},
             "rocdl.wmma.f32.16x16x16.bf16", ModifierForm::Plain),
    wmma120x(16, EK::F16, EK::F16, EK::F16, {EK::F16, 8},
             "rocdl.wmma.f16.16x16x16.f16", ModifierForm::Plain),
    wmma120x(16, EK::BF16, EK::BF16, EK::BF16, {EK::I16, 8},
             "rocdl.wmma.bf16.16x16x16.bf16", ModifierForm::Plain),
    wmma120x(16, kOcp4, kOcp4, EK::F32, {EK::I32, 2},
             "rocdl.wmma.f32.16x16x16.fp8_fp8", ModifierForm::Plain),
    wmma120x(16, kOcp4, kOcp5, EK::F32, {EK::I32, 2},
             "rocdl.wmma.f32.16x16x16.fp8_bf8", ModifierForm::Plain),
    wmma120x(16, kOcp5, kOcp4, EK::F32, {EK::I32, 2},
             "rocdl.wmma.f32.16x16x16.bf8_fp8", ModifierForm::Plain),
    wmma120x(16, kOcp5, kOcp5, EK::F32, {EK::I32, 2},
             "rocdl.wmma.f32.16x16x16.bf8_bf8", ModifierForm::Plain),
    wmma120x(16, EK::I8, EK::I8, EK::I32, {EK::I32, 2},
             "rocdl.wmma.i32.16x16x16.iu8", ModifierForm::Signs),
    wmma120x(16, EK::I4, EK::I4, EK::I32, {EK::I32, 1},
             "rocdl.wmma.i32.16x16x16.iu4", ModifierForm::Signs),
    wmma120x(32, EK::I4, EK::I4, EK::I32, {EK::I32, 2},
             "rocdl.wmma.i32.16x16x32.iu4", ModifierForm::Signs),

    // WMMA of gfx1250.
    kWmma1250F32,
    wmma1250(32, EK::F16, EK::F16, EK::F32, {EK::F16, 16},
             "rocdl.wmma.f32.16x16x32.f16"),
    wmma1250(32, EK::F16, EK::F16, EK::F16, {EK::F16, 16},
             "rocdl.wmma.f16.16x16x32.f16"),
    wmma1250(32, EK::BF16, EK::BF16, EK::F32, {EK::BF16, 16},
             "rocdl.wmma.f32.16x16x32.bf16"),
    wmma1250(32, EK::BF16, EK::BF16, EK::BF16, {EK::BF16, 16},
             "rocdl.wmma.bf16.16x16x32.bf16"),
    wmma1250Bf16F32(),
    wmma1250(64, kOcp4, kOcp4, EK::F32, {EK::I32, 8},
             "rocdl.wmma.f32.16x16x64.fp8_fp8"),
    wmma1250(64, kOcp4, kOcp5, EK::F32, {EK::I32, 8},
             "rocdl.wmma.f32.16x16x64.fp8_bf8"),
    wmma1250(64, kOcp5, kOcp4, EK::F32, {EK::I32, 8},
             "rocdl.wmma.f32.16x16x64.bf8_fp8"),
    wmma1250(64, kOcp5, kOcp5, EK::F32, {EK::I32, 8},
             "rocdl.wmma.f32.16x16x64.bf8_bf8"),
    wmma1250(64, kOcp4, kOcp4, EK::F16, {EK::I32, 8},
             "rocdl.wmma.f16.16x16x64.fp8_fp8"),
    wmma1250(64, kOcp4, kOcp5, EK::F16, {EK::I32, 8},
             "rocdl.wmma.f16.16x16x64.fp8_bf8"),
    wmma1250(64, kOcp5, kOcp4, EK::F16, {EK::I32, 8},
             "rocdl.wmma.f16.16x16x64.bf8_fp8"),
    wmma1250(64, kOcp5, kOcp5, EK::F16, {EK::I32, 8},
             "rocdl.wmma.f16.16x16x64.bf8_bf8"),
    wmma1250(128, kOcp4, kOcp4, EK::F32, {EK::I32, 16},
             "rocdl.wmma.f32.16x16x128.fp8_fp8"),
    wmma1250(128, kOcp4, kOcp5, EK::F32, {EK::I32, 16},
             "rocdl.wmma.f32.16x16x128.fp8_bf8"),
    wmma1250(128, kOcp5, kOcp4, EK::F32, {EK::I32, 16},
             "rocdl.wmma.f32.16x16x128.bf8_fp8"),
    wmma1250(128, kOcp5, kOcp5, EK::F32, {EK::I32, 16},
             "rocdl.wmma.f32.16x16x128.bf8_bf8"),
    wmma1250(128, kOcp4, kOcp4, EK::F16, {EK::I32, 16},
             "rocdl.wmma.f16.16x16x128.fp8_fp8"),
    wmma1250(128, kOcp4, kOcp5, EK::F16, {EK::I32, 16},
             "rocdl.wmma.f16.16x16x128.fp8_bf8"),
    wmma1250(128, kOcp5, kOcp4, EK::F16, {EK::I32, 16},
             "rocdl.wmma.f16.16x16x128.bf8_fp8"),
    wmma1250(128, kOcp5, kOcp5, EK::F16, {EK::I32, 16},
             "rocdl.wmma.f16.16x16x128.bf8_bf8"),
    wmma1250(64, EK::I8, EK::I8, EK::I32, {EK::I32, 8},
             "rocdl.wmma.i32.16x16x64.iu8", ModifierForm::SignsReuse),
    // The 4-bit form of this type is the instruction of gfx1200: gfx1250
    // itself dropped it.
    wmma1250(32, EK::I4, EK::I4, EK::I32, {EK::I32, 2},
             "rocdl.wmma.i32.16x16x32.iu4", ModifierForm::Signs,
             Feature::WmmaGfx12),
};

constexpr EK kScaledKinds[] = {EK::F8E4M3FN, EK::F8E5M2, EK::F6E2M3FN,
                               EK::F6E3M2FN, EK::F4E2M1FN};

} // namespace

/// v_wmma_scale: 64 elements a lane of each 16 rows. The scales of a row lie in
/// one lane, a byte for each block of `scaleBlock` k.
static MatrixInstruction scaledWmma(int m, EK a, EK b, int scaleBlock,
                                    llvm::StringLiteral op) {
  unsigned bitsA = elemBits(a), bitsB = elemBits(b);
  bool isTall = m == 32;
  return {MatrixFamily::WmmaScaleGfx1250,
          int16_t(m),
          16,
          128,
          a,
          b,
          EK::F32,
          {EK::I32, uint8_t(2 * bitsA * (m / 16))},
          {EK::I32, uint8_t(2 * bitsB)},
          {EK::F32, uint8_t(m / 2)},
          isTall ? kScaledOperand32 : scaledOperand(bitsA == 8),
          scaledOperand(bitsB == 8),
          isTall ? kScaledAccumulator32 : kGfx12Accumulator,
          op,
          isTall ? ModifierForm::WmmaScaleF4 : ModifierForm::WmmaScale,
          Feature::WmmaGfx1250,
          /*blocks=*/1,
          uint8_t(scaleBlock),
          uint8_t(128 / scaleBlock * 8)};
}

/// The same instruction without scales: a use of the operation, no atom.
static MatrixInstruction unscaledWmma(int m, EK a, EK b, llvm::StringLiteral op,
                                      ModifierForm modifiers) {
  MatrixInstruction row = scaledWmma(m, a, b, 32, op);
  row.scaleBlock = row.scaleBits = 0;
  row.modifiers = modifiers;
  row.hasAtom = false;
  return row;
}

void fly::arch::appendWmmaRows(llvm::SmallVectorImpl<MatrixInstruction> &rows) {
  rows.append(std::begin(kRows), std::end(kRows));
  for (EK a : kScaledKinds)
    for (EK b : kScaledKinds) {
      rows.push_back(
          scaledWmma(16, a, b, 32, "rocdl.wmma.scale.f32.16x16x128.f8f6f4"));
      rows.push_back(
          scaledWmma(16, a, b, 16, "rocdl.wmma.scale16.f32.16x16x128.f8f6f4"));
    }
  rows.push_back(scaledWmma(32, EK::F4E2M1FN, EK::F4E2M1FN, 32,
                            "rocdl.wmma.scale.f32.32x16x128.f4"));
  rows.push_back(scaledWmma(32, EK::F4E2M1FN, EK::F4E2M1FN, 16,
                            "rocdl.wmma.scale16.f32.32x16x128.f4"));
  for (EK a : kScaledKinds)
    for (EK b : kScaledKinds)
      rows.push_back(unscaledWmma(16, a, b,
                                  "llvm.amdgcn.wmma.f32.16x16x128.f8f6f4",
                                  ModifierForm::FormatsCall));
  rows.push_back(unscaledWmma(32, EK::F4E2M1FN, EK::F4E2M1FN,
                              "llvm.amdgcn.wmma.f32.32x16x128.f4",
                              ModifierForm::ModCCall));
}
