// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of v_smfmac and v_swmmac, whose A is sparse. None has an atom.
//
// Sources of the lane maps and of the place of the indices, for each group of
// rows:
//   v_smfmac of gfx942:  "AMD Instinct MI300 / CDNA3 Instruction Set
//     Architecture", sparse matrices; second source: AMD's Matrix Instruction
//     Calculator (ROCm/amd_matrix_instruction_calculator, class InstCalcGfx9).
//     Sets of indices: the text of amdgpu.sparse_mfma in LLVM.
//   v_smfmac of gfx950:  "AMD CDNA4 Instruction Set Architecture", sparse
//     matrices; second source: the tests of ROCm/hip-fpsan, whose layouts were
//     verified on an MI350; third: TensileLite (ROCm/rocm-libraries,
//     LocalRead.py), which loads A in one block of consecutive k a lane and B
//     in two: of 8-bit elements another numbering of k, and the same product of
//     the registers. Sets of indices: LLVM pull request 193541.
//   v_swmmac of gfx12:   "RDNA4 Instruction Set Architecture" section 7.12.3;
//     second source: the calculator, class InstCalcGfx12.
//   v_swmmac of gfx1250: AMD's emulator (ROCm/rocm-systems, rocjitsu, layout of
//     its matrix instructions, issue 10522), with which the kernels of
//     TensileLite give what they give on the hardware; second source: the
//     tests of ROCm/hip-fpsan, "pinned empirically" with unit vectors (all rows
//     but iu8); third: TensileLite itself (ROCm/rocm-libraries, LocalRead.py
//     and LraTileAssignment.py), which loads A and B in two blocks a lane, the
//     blocks of B twice as long, and the indices in one. The three number k
//     differently and describe one product of the registers. The CDNA5 manual
//     (sections 7.12.3 and 7.12.5) has the indices of 8-bit elements in the
//     lanes of those; the hardware wins.
//       The result of bf16f32 is open: the types of LLVM and of hip-fpsan are
//     eight f32, while the emulator writes packed bf16 to the lower four of the
//     eight registers that the encoding names, and leaves the upper four. The
//     compiler Loom (iree-org/iree, MatrixContractTest) leaves the instruction
//     out of its table on purpose.

#include "MatrixRows.h"

using namespace fly::arch;

namespace {

using EK = ElemKind;

//===----------------------------------------------------------------------===//
// Lane maps
//===----------------------------------------------------------------------===//

/// Operand of `rows` rows and `k` columns on `lanes` lanes in runs of `run`
/// elements; the runs of the lane groups interleave. A run of all elements of a
/// lane leaves one mode.
constexpr LaneMap operand(int lanes, int rows, int k, int run) {
  int groups = lanes / rows, elements = k / groups;
  if (run == elements)
    return laneMap({{rows, 1}, {groups, run * rows}}, {{run, rows}});
  return laneMap({{rows, 1}, {groups, run * rows}},
                 {{run, rows}, {elements / run, groups * run * rows}});
}

/// B of the deeper v_smfmac of gfx950: runs of eight k.
constexpr LaneMap deepB(int n, int k) { return operand(64, n, k, 8); }
/// A of 8-bit elements of the same: runs of four columns, which the registers
/// and the lane groups share out in the order that the tests have measured.
constexpr LaneMap kDeepA16 = laneMap({{16, 1}, {2, 8 * 16}, {2, 32 * 16}},
                                     {{4, 16}, {2, 16 * 16}, {2, 4 * 16}});
constexpr LaneMap kDeepA32 =
    laneMap({{32, 1}, {2, 16 * 32}}, {{4, 32}, {2, 8 * 32}, {2, 4 * 32}});

/// C of v_smfmac, as of v_mfma.
constexpr LaneMap smfmacC(int m) {
  return m == 16 ? laneMap({{16, 16}, {4, 4}}, {{4, 1}, {1, 16}})
                 : laneMap({{32, 32}, {2, 4}}, {{4, 1}, {4, 8}});
}
/// C of v_swmmac, as of v_wmma on gfx12.
constexpr LaneMap kSwmmacC = laneMap({{16, 16}, {2, 8}}, {{8, 1}});

//===----------------------------------------------------------------------===//
// Row makers
//===----------------------------------------------------------------------===//

constexpr MatrixInstruction
sparse(MatrixFamily family, int m, int k, EK a, EK b, EK acc, RegisterType regA,
       RegisterType regC, const LaneMap &mapA, const LaneMap &mapB,
       const LaneMap &mapC, const LaneMap &mapIndex, int indexRegisterBits,
       llvm::StringLiteral op, ModifierForm form, Feature feature) {
  return {family,
          int16_t(m),
          int16_t(m),
          int16_t(k),
          a,
          b,
          acc,
          regA,
          {regA.elem, uint8_t(2 * regA.count)},
          regC,
          mapA,
          mapB,
          mapC,
          op,
          form,
          feature,
          /*blocks=*/1,
          /*scaleBlock=*/0,
          /*scaleBits=*/0,
          uint8_t(indexRegisterBits),
          /*hasAtom=*/false,
          /*ownRegD=*/{EK::I8, 0},
          mapIndex};
}

/// v_smfmac; a lane's elements of A, and twice as many of B, are consecutive.
constexpr MatrixInstruction smfmac(int m, int k, EK a, EK b, EK acc,
                                   RegisterType regA, llvm::StringLiteral op,
                                   Feature feature) {
  int elements = k / 2 * m / 64;
  const LaneMap mapA = operand(64, m, k / 2, elements);
  return sparse(MatrixFamily::Smfmac, m, k, a, b, acc, regA,
                {acc, uint8_t(m * m / 64)}, mapA,
                operand(64, m, k, 2 * elements), smfmacC(m), mapA, 32, op,
                ModifierForm::Sparse, feature);
}

/// The deeper v_smfmac of gfx950.
constexpr MatrixInstruction deepSmfmac(int m, int k, EK a, EK b, EK acc,
                                       RegisterType regA,
                                       llvm::StringLiteral op) {
  const LaneMap &mapA = regA.elem != EK::I32 ? operand(64, m, k / 2, 8)
                        : m == 16            ? kDeepA16
                                             : kDeepA32;
  return sparse(MatrixFamily::Smfmac, m, k, a, b, acc, regA,
                {acc, uint8_t(m * m / 64)}, mapA, deepB(m, k), smfmacC(m), mapA,
                32, op, ModifierForm::Sparse, Feature::MfmaWide);
}

/// v_swmmac of gfx12. 16-bit elements of A come in runs of four, others in one.
constexpr MatrixInstruction swmmac12(int k, EK a, EK b, EK acc,
                                     RegisterType regA, int indexBits,
                                     llvm::StringLiteral op,
                                     ModifierForm form) {
  bool isWide = regA.elem == EK::F16 || regA.elem == EK::I16;
  int run = isWide ? 4 : k / 4;
  const LaneMap mapA = operand(32, 16, k / 2, run);
  return sparse(MatrixFamily::SwmmacGfx120x, 16, k, a, b, acc, regA,
                {acc == EK::BF16 ? EK::I16 : acc, 8}, mapA,
                operand(32, 16, k, 2 * run), kSwmmacC, mapA, indexBits, op,
                form, Feature::WmmaGfx12);
}

/// v_swmmac of gfx1250. The elements of a lane come in two runs, the entries of
/// its index register in one.
constexpr MatrixInstruction swmmac1250(int k, EK a, EK b, EK acc,
                                       RegisterType regA, int indexBits,
                                       llvm::StringLiteral op,
                                       ModifierForm form) {
  return sparse(MatrixFamily::SwmmacGfx1250, 16, k, a, b, acc, regA, {acc, 8},
                operand(32, 16, k / 2, k / 8), operand(32, 16, k, k / 4),
                kSwmmacC, operand(32, 16, k / 2, k / 4), indexBits, op, form,
                Feature::WmmaGfx1250);
}

/// A row whose D the sources describe differently.
constexpr MatrixInstruction withOpenResult(MatrixInstruction row,
                                           llvm::StringLiteral why) {
  row.openResult = why;
  return row;
}

constexpr EK kFnuz4 = EK::F8E4M3FNUZ, kFnuz5 = EK::F8E5M2FNUZ;
constexpr EK kOcp4 = EK::F8E4M3FN, kOcp5 = EK::F8E5M2;
constexpr RegisterType kI32x2 = {EK::I32, 2}, kI32x4 = {EK::I32, 4},
                       kI32x8 = {EK::I32, 8};

/// An 8-bit v_smfmac, whose formats differ between the chips.
constexpr MatrixInstruction fp8Smfmac(int m, int k, EK a, EK b,
                                      llvm::StringLiteral op) {
  return smfmac(m, k, a, b, EK::F32, kI32x2, op,
                a == kOcp4 || a == kOcp5 ? Feature::MfmaFp8Ocp
                                         : Feature::MfmaFp8Fnuz);
}

constexpr MatrixInstruction kRows[] = {
    // gfx942 and gfx950.
    smfmac(16, 32, EK::F16, EK::F16, EK::F32, {EK::F16, 4},
           "rocdl.smfmac.f32.16x16x32.f16", Feature::Smfmac),
    smfmac(32, 16, EK::F16, EK::F16, EK::F32, {EK::F16, 4},
           "rocdl.smfmac.f32.32x32x16.f16", Feature::Smfmac),
    smfmac(16, 32, EK::BF16, EK::BF16, EK::F32, {EK::I16, 4},
           "rocdl.smfmac.f32.16x16x32.bf16", Feature::Smfmac),
    smfmac(32, 16, EK::BF16, EK::BF16, EK::F32, {EK::I16, 4},
           "rocdl.smfmac.f32.32x32x16.bf16", Feature::Smfmac),
    smfmac(16, 64, EK::I8, EK::I8, EK::I32, kI32x2,
           "rocdl.smfmac.i32.16x16x64.i8", Feature::Smfmac),
    smfmac(32, 32, EK::I8, EK::I8, EK::I32, kI32x2,
           "rocdl.smfmac.i32.32x32x32.i8", Feature::Smfmac),
    // One instruction, two meanings, as among the rows of v_mfma.
    fp8Smfmac(16, 64, kFnuz4, kFnuz4, "rocdl.smfmac.f32.16x16x64.fp8.fp8"),
    fp8Smfmac(16, 64, kFnuz4, kFnuz5, "rocdl.smfmac.f32.16x16x64.fp8.bf8"),
    fp8Smfmac(16, 64, kFnuz5, kFnuz4, "rocdl.smfmac.f32.16x16x64.bf8.fp8"),
    fp8Smfmac(16, 64, kFnuz5, kFnuz5, "rocdl.smfmac.f32.16x16x64.bf8.bf8"),
    fp8Smfmac(32, 32, kFnuz4, kFnuz4, "rocdl.smfmac.f32.32x32x32.fp8.fp8"),
    fp8Smfmac(32, 32, kFnuz4, kFnuz5, "rocdl.smfmac.f32.32x32x32.fp8.bf8"),
    fp8Smfmac(32, 32, kFnuz5, kFnuz4, "rocdl.smfmac.f32.32x32x32.bf8.fp8"),
    fp8Smfmac(32, 32, kFnuz5, kFnuz5, "rocdl.smfmac.f32.32x32x32.bf8.bf8"),
    fp8Smfmac(16, 64, kOcp4, kOcp4, "rocdl.smfmac.f32.16x16x64.fp8.fp8"),
    fp8Smfmac(16, 64, kOcp4, kOcp5, "rocdl.smfmac.f32.16x16x64.fp8.bf8"),
    fp8Smfmac(16, 64, kOcp5, kOcp4, "rocdl.smfmac.f32.16x16x64.bf8.fp8"),
    fp8Smfmac(16, 64, kOcp5, kOcp5, "rocdl.smfmac.f32.16x16x64.bf8.bf8"),
    fp8Smfmac(32, 32, kOcp4, kOcp4, "rocdl.smfmac.f32.32x32x32.fp8.fp8"),
    fp8Smfmac(32, 32, kOcp4, kOcp5, "rocdl.smfmac.f32.32x32x32.fp8.bf8"),
    fp8Smfmac(32, 32, kOcp5, kOcp4, "rocdl.smfmac.f32.32x32x32.bf8.fp8"),
    fp8Smfmac(32, 32, kOcp5, kOcp5, "rocdl.smfmac.f32.32x32x32.bf8.bf8"),

    // gfx950, twice as deep.
    deepSmfmac(16, 64, EK::F16, EK::F16, EK::F32, {EK::F16, 8},
               "rocdl.smfmac.f32.16x16x64.f16"),
    deepSmfmac(32, 32, EK::F16, EK::F16, EK::F32, {EK::F16, 8},
               "rocdl.smfmac.f32.32x32x32.f16"),
    deepSmfmac(16, 64, EK::BF16, EK::BF16, EK::F32, {EK::BF16, 8},
               "rocdl.smfmac.f32.16x16x64.bf16"),
    deepSmfmac(32, 32, EK::BF16, EK::BF16, EK::F32, {EK::BF16, 8},
               "rocdl.smfmac.f32.32x32x32.bf16"),
    deepSmfmac(16, 128, EK::I8, EK::I8, EK::I32, kI32x4,
               "rocdl.smfmac.i32.16x16x128.i8"),
    deepSmfmac(32, 64, EK::I8, EK::I8, EK::I32, kI32x4,
               "rocdl.smfmac.i32.32x32x64.i8"),
    deepSmfmac(16, 128, kOcp4, kOcp4, EK::F32, kI32x4,
               "rocdl.smfmac.f32.16x16x128.fp8.fp8"),
    deepSmfmac(16, 128, kOcp4, kOcp5, EK::F32, kI32x4,
               "rocdl.smfmac.f32.16x16x128.fp8.bf8"),
    deepSmfmac(16, 128, kOcp5, kOcp4, EK::F32, kI32x4,
               "rocdl.smfmac.f32.16x16x128.bf8.fp8"),
    deepSmfmac(16, 128, kOcp5, kOcp5, EK::F32, kI32x4,
               "rocdl.smfmac.f32.16x16x128.bf8.bf8"),
    deepSmfmac(32, 64, kOcp4, kOcp4, EK::F32, kI32x4,
               "rocdl.smfmac.f32.32x32x64.fp8.fp8"),
    deepSmfmac(32, 64, kOcp4, kOcp5, EK::F32, kI32x4,
               "rocdl.smfmac.f32.32x32x64.fp8.bf8"),
    deepSmfmac(32, 64, kOcp5, kOcp4, EK::F32, kI32x4,
               "rocdl.smfmac.f32.32x32x64.bf8.fp8"),
    deepSmfmac(32, 64, kOcp5, kOcp5, EK::F32, kI32x4,
               "rocdl.smfmac.f32.32x32x64.bf8.bf8"),

    // gfx1200 and gfx1201.
    swmmac12(32, EK::F16, EK::F16, EK::F32, {EK::F16, 8}, 16,
             "llvm.amdgcn.swmmac.f32.16x16x32.f16", ModifierForm::SparseCall),
    swmmac12(32, EK::BF16, EK::BF16, EK::F32, {EK::I16, 8}, 16,
             "llvm.amdgcn.swmmac.f32.16x16x32.bf16", ModifierForm::SparseCall),
    swmmac12(32, EK::F16, EK::F16, EK::F16, {EK::F16, 8}, 16,
             "llvm.amdgcn.swmmac.f16.16x16x32.f16", ModifierForm::SparseCall),
    swmmac12(32, EK::BF16, EK::BF16, EK::BF16, {EK::I16, 8}, 16,
             "llvm.amdgcn.swmmac.bf16.16x16x32.bf16", ModifierForm::SparseCall),
    swmmac12(32, EK::I8, EK::I8, EK::I32, kI32x2, 16,
             "llvm.amdgcn.swmmac.i32.16x16x32.iu8",
             ModifierForm::SparseSignsCall),
    swmmac12(32, EK::I4, EK::I4, EK::I32, {EK::I32, 1}, 16,
             "llvm.amdgcn.swmmac.i32.16x16x32.iu4",
             ModifierForm::SparseSignsCall),
    swmmac12(64, EK::I4, EK::I4, EK::I32, kI32x2, 32,
             "llvm.amdgcn.swmmac.i32.16x16x64.iu4",
             ModifierForm::SparseSignsCall),
    swmmac12(32, kOcp4, kOcp4, EK::F32, kI32x2, 16,
             "llvm.amdgcn.swmmac.f32.16x16x32.fp8.fp8",
             ModifierForm::SparseCall),
    swmmac12(32, kOcp4, kOcp5, EK::F32, kI32x2, 16,
             "llvm.amdgcn.swmmac.f32.16x16x32.fp8.bf8",
             ModifierForm::SparseCall),
    swmmac12(32, kOcp5, kOcp4, EK::F32, kI32x2, 16,
             "llvm.amdgcn.swmmac.f32.16x16x32.bf8.fp8",
             ModifierForm::SparseCall),
    swmmac12(32, kOcp5, kOcp5, EK::F32, kI32x2, 16,
             "llvm.amdgcn.swmmac.f32.16x16x32.bf8.bf8",
             ModifierForm::SparseCall),

    // gfx1250.
    swmmac1250(64, EK::F16, EK::F16, EK::F32, {EK::F16, 16}, 32,
               "llvm.amdgcn.swmmac.f32.16x16x64.f16",
               ModifierForm::SparseNegateCall),
    swmmac1250(64, EK::BF16, EK::BF16, EK::F32, {EK::BF16, 16}, 32,
               "llvm.amdgcn.swmmac.f32.16x16x64.bf16",
               ModifierForm::SparseNegateCall),
    swmmac1250(64, EK::F16, EK::F16, EK::F16, {EK::F16, 16}, 32,
               "llvm.amdgcn.swmmac.f16.16x16x64.f16",
               ModifierForm::SparseNegateCall),
    swmmac1250(64, EK::BF16, EK::BF16, EK::BF16, {EK::BF16, 16}, 32,
               "llvm.amdgcn.swmmac.bf16.16x16x64.bf16",
               ModifierForm::SparseNegateCall),
    withOpenResult(swmmac1250(64, EK::BF16, EK::BF16, EK::F32, {EK::BF16, 16},
                              32, "llvm.amdgcn.swmmac.bf16f32.16x16x64.bf16",
                              ModifierForm::SparseNegateCall),
                   "public descriptions of its result differ: eight f32, or "
                   "bf16 packed in four registers; use "
                   "'llvm.amdgcn.swmmac.f32.16x16x64.bf16' and truncate its "
                   "result, or, with a dense A, "
                   "'rocdl.wmma.bf16f32.16x16x32.bf16'"),
    swmmac1250(128, kOcp4, kOcp4, EK::F32, kI32x8, 64,
               "llvm.amdgcn.swmmac.f32.16x16x128.fp8.fp8",
               ModifierForm::SparseReuseCall),
    swmmac1250(128, kOcp4, kOcp5, EK::F32, kI32x8, 64,
               "llvm.amdgcn.swmmac.f32.16x16x128.fp8.bf8",
               ModifierForm::SparseReuseCall),
    swmmac1250(128, kOcp5, kOcp4, EK::F32, kI32x8, 64,
               "llvm.amdgcn.swmmac.f32.16x16x128.bf8.fp8",
               ModifierForm::SparseReuseCall),
    swmmac1250(128, kOcp5, kOcp5, EK::F32, kI32x8, 64,
               "llvm.amdgcn.swmmac.f32.16x16x128.bf8.bf8",
               ModifierForm::SparseReuseCall),
    swmmac1250(128, kOcp4, kOcp4, EK::F16, kI32x8, 64,
               "llvm.amdgcn.swmmac.f16.16x16x128.fp8.fp8",
               ModifierForm::SparseReuseCall),
    swmmac1250(128, kOcp4, kOcp5, EK::F16, kI32x8, 64,
               "llvm.amdgcn.swmmac.f16.16x16x128.fp8.bf8",
               ModifierForm::SparseReuseCall),
    swmmac1250(128, kOcp5, kOcp4, EK::F16, kI32x8, 64,
               "llvm.amdgcn.swmmac.f16.16x16x128.bf8.fp8",
               ModifierForm::SparseReuseCall),
    swmmac1250(128, kOcp5, kOcp5, EK::F16, kI32x8, 64,
               "llvm.amdgcn.swmmac.f16.16x16x128.bf8.bf8",
               ModifierForm::SparseReuseCall),
    swmmac1250(128, EK::I8, EK::I8, EK::I32, kI32x8, 64,
               "llvm.amdgcn.swmmac.i32.16x16x128.iu8",
               ModifierForm::SparseSignsReuseCall),
};

} // namespace

void fly::arch::appendSparseRows(
    llvm::SmallVectorImpl<MatrixInstruction> &rows) {
  rows.append(std::begin(kRows), std::end(kRows));
}
