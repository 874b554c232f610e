// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix instruction rows and their look-up.
//
// Sources: "AMD Instinct MI300 / CDNA3 Instruction Set Architecture" section
// 7.1 (Matrix Arithmetic Instructions, dense), the CDNA4 manual's section of
// the same name, "RDNA3 Instruction Set Architecture" section 7.9 (WMMA),
// "RDNA4 Instruction Set Architecture" section 7.12 (WMMA); second source for
// operand types and availability: LLVM's IntrinsicsAMDGPU.td and the
// instruction selector of LLVM 22. gfx1250 has no public manual: LLVM is the
// only source for it.

#include "Fly/Arch/MatrixInstructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fly::arch;

namespace {

using EK = ElemKind;

//===----------------------------------------------------------------------===//
// Lane maps, one rule per family
//===----------------------------------------------------------------------===//

/// MFMA A or B (rows = M or N): row l % rows; the 64 / rows lane groups hold
/// consecutive runs of k.
///
///   k:        0 .. kpt-1   kpt .. 2*kpt-1   ...
///   lanes:    0 .. rows-1  rows .. 2*rows-1 ...
constexpr LaneMap mfmaOperand(int rows, int k) {
  int groups = 64 / rows, kpt = k / groups;
  return {{{rows, 1}, {groups, rows * kpt}}, {{kpt, rows}, {0, 0}}, 1};
}

/// MFMA C: column l % n. Rows go in blocks of four that alternate between the
/// lane groups.
constexpr LaneMap mfmaAccumulator(int m) {
  int groups = 64 / m;
  return {{{m, m}, {groups, 4}}, {{4, 1}, {m / 4 / groups, 4 * groups}}, 2};
}

/// gfx11 A or B: row l % 16 with all 16 k; the upper half of the wave repeats
/// the lower.
constexpr LaneMap kGfx11Operand = {{{16, 1}, {2, 0}}, {{16, 16}, {0, 0}}, 1};
/// gfx11 C: column l % 16, rows alternate between the halves.
constexpr LaneMap kGfx11Accumulator = {{{16, 16}, {2, 1}}, {{8, 2}, {0, 0}}, 1};

/// gfx120x A or B: the halves hold the lower and the upper k.
constexpr LaneMap gfx120xOperand(int k) {
  return {{{16, 1}, {2, 8 * k}}, {{k / 2, 16}, {0, 0}}, 1};
}
/// gfx12 C, 16-bit results packed: column l % 16, row 8 * (l / 16) + i.
constexpr LaneMap kGfx12Accumulator = {{{16, 16}, {2, 8}}, {{8, 1}, {0, 0}}, 1};

/// gfx1250 A or B narrower than 32 bits: runs of eight k alternate between
/// the halves.
constexpr LaneMap gfx1250Operand(int k) {
  return {{{16, 1}, {2, 128}}, {{8, 16}, {k / 16, 256}}, 2};
}

//===----------------------------------------------------------------------===//
// Row makers
//===----------------------------------------------------------------------===//

/// MFMA: M = N, cbsz/abid/blgp operands; a lane holds M * K / 64 elements of A
/// in `reg` and M * M / 64 of the accumulator.
constexpr MatrixInstruction mfma(int m, int k, EK a, EK b, EK acc,
                                 RegisterType reg, llvm::StringLiteral op,
                                 Feature feature) {
  return {MatrixFamily::Mfma,
          int16_t(m),
          int16_t(m),
          int16_t(k),
          a,
          b,
          acc,
          reg,
          reg,
          {acc, uint8_t(m * m / 64)},
          mfmaOperand(m, k),
          mfmaOperand(m, k),
          mfmaAccumulator(m),
          op,
          ModifierForm::MfmaTriple,
          feature};
}

/// WMMA: 16 x 16 tiles, eight accumulators a lane.
constexpr MatrixInstruction wmma(MatrixFamily family, int k, EK a, EK b, EK acc,
                                 RegisterType reg, const LaneMap &operand,
                                 const LaneMap &accumulator,
                                 llvm::StringLiteral op, ModifierForm modifiers,
                                 Feature feature) {
  return {family,      16,  16,        int16_t(k), a,       b,
          acc,         reg, reg,       {acc, 8},   operand, operand,
          accumulator, op,  modifiers, feature};
}

constexpr MatrixInstruction wmma11(EK a, EK acc, RegisterType reg,
                                   llvm::StringLiteral op,
                                   ModifierForm modifiers) {
  return wmma(MatrixFamily::WmmaGfx11, 16, a, a, acc, reg, kGfx11Operand,
              kGfx11Accumulator, op, modifiers, Feature::WmmaGfx11);
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
         {{{16, 1}, {2, 32}}, {{2, 16}, {0, 0}}, 1}, kGfx12Accumulator,
         "rocdl.wmma.f32.16x16x4.f32", ModifierForm::ModCReuse,
         Feature::WmmaGfx1250);

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

    // WMMA of gfx11.
    wmma11(EK::F16, EK::F32, {EK::F16, 16}, "rocdl.wmma.f32.16x16x16.f16",
           ModifierForm::Plain),
    wmma11(EK::BF16, EK::F32, {EK::I16, 16}, "rocdl.wmma.f32.16x16x16.bf16",
           ModifierForm::Plain),
    wmma11(EK::I8, EK::I32, {EK::I32, 4}, "rocdl.wmma.i32.16x16x16.iu8",
           ModifierForm::Signs),
    wmma11(EK::I4, EK::I32, {EK::I32, 2}, "rocdl.wmma.i32.16x16x16.iu4",
           ModifierForm::Signs),

    // WMMA of gfx1200 and gfx1201.
    wmma120x(16, EK::F16, EK::F16, EK::F32, {EK::F16, 8},
             "rocdl.wmma.f32.16x16x16.f16", ModifierForm::Plain),
    wmma120x(16, EK::BF16, EK::BF16, EK::F32, {EK::I16, 8},
             "rocdl.wmma.f32.16x16x16.bf16", ModifierForm::Plain),
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

} // namespace

unsigned fly::arch::elemBits(ElemKind kind) {
  switch (kind) {
  case EK::I64:
    return 64;
  case EK::F32:
  case EK::I32:
    return 32;
  case EK::F16:
  case EK::BF16:
  case EK::I16:
    return 16;
  case EK::F8E4M3FN:
  case EK::F8E5M2:
  case EK::F8E4M3FNUZ:
  case EK::F8E5M2FNUZ:
  case EK::I8:
    return 8;
  case EK::I4:
    return 4;
  }
  llvm_unreachable("all element kinds are listed");
}

llvm::StringRef fly::arch::elemName(ElemKind kind) {
  switch (kind) {
  case EK::F32:
    return "f32";
  case EK::F16:
    return "f16";
  case EK::BF16:
    return "bf16";
  case EK::F8E4M3FN:
    return "f8E4M3FN";
  case EK::F8E5M2:
    return "f8E5M2";
  case EK::F8E4M3FNUZ:
    return "f8E4M3FNUZ";
  case EK::F8E5M2FNUZ:
    return "f8E5M2FNUZ";
  case EK::I8:
    return "i8";
  case EK::I4:
    return "i4";
  case EK::I16:
    return "i16";
  case EK::I32:
    return "i32";
  case EK::I64:
    return "i64";
  }
  llvm_unreachable("all element kinds are listed");
}

llvm::StringRef fly::arch::familyMnemonic(MatrixFamily family) {
  switch (family) {
  case MatrixFamily::Mfma:
    return "cdna3.mfma";
  case MatrixFamily::WmmaGfx11:
    return "gfx11.wmma";
  case MatrixFamily::WmmaGfx120x:
    return "gfx120x.wmma";
  case MatrixFamily::WmmaGfx1250:
    return "gfx1250.wmma";
  }
  llvm_unreachable("all families are listed");
}

llvm::ArrayRef<MatrixInstruction> fly::arch::matrixInstructions() {
  return kRows;
}

const MatrixInstruction *fly::arch::lookupMatrix(MatrixFamily family, int64_t m,
                                                 int64_t n, int64_t k,
                                                 ElemKind a, ElemKind b,
                                                 ElemKind acc) {
  for (const MatrixInstruction &row : kRows)
    if (row.family == family && row.m == m && row.n == n && row.k == k &&
        row.a == a && row.b == b && row.acc == acc)
      return &row;
  return nullptr;
}

static std::string shape(const MatrixInstruction &row) {
  return (llvm::Twine(row.m) + "x" + llvm::Twine(row.n) + "x" +
          llvm::Twine(row.k))
      .str();
}

std::string fly::arch::describe(const MatrixInstruction &row) {
  return (llvm::Twine(shape(row)) + " (" + elemName(row.a) + ", " +
          elemName(row.b) + ") -> " + elemName(row.acc))
      .str();
}

std::string fly::arch::familyShapes(MatrixFamily family, ElemKind a, ElemKind b,
                                    ElemKind acc) {
  std::string result;
  llvm::ListSeparator sep;
  for (const MatrixInstruction &row : kRows)
    if (row.family == family && row.a == a && row.b == b && row.acc == acc)
      (result += llvm::StringRef(sep)) += shape(row);
  return result;
}

std::string fly::arch::chipAlternatives(const Chip &chip, ElemKind a,
                                        ElemKind b) {
  std::string result;
  llvm::ListSeparator sep;
  for (const MatrixInstruction &row : kRows)
    if (row.a == a && row.b == b && chip.has(row.feature))
      (((result += llvm::StringRef(sep)) += familyMnemonic(row.family)) +=
       " ") += describe(row);
  return result;
}
