// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row for each matrix instruction: its shape, element types, register
// operands, thread/value maps, the ROCDL operation and the chips' feature that
// it needs. The type verifiers, the layouts of the types, the emission, the
// chip check and the tests all read these rows; none of them restates a fact.
//
// A lane map says where element `value` of lane `lane` stands in the tile. The
// tile is numbered column-major: A is M x K with strides (1, M), B is N x K
// with strides (1, N), C and D are M x N with strides (1, M). The map is kept
// as a small strided table,
//
//   position = sum over the modes of (mode coordinate * stride)
//
// where the lane and the value are each split over up to three modes, the first
// mode running fastest. A stride of 0 means that lanes hold copies.
//
// An instruction of several blocks computes as many independent products of
// one shape. The block is then the slowest coordinate of each tile: element
// (row, k) of block b of A stands at position row + M * k + M * K * b.

#ifndef FLY_ARCH_MATRIXINSTRUCTIONS_H
#define FLY_ARCH_MATRIXINSTRUCTIONS_H

#include "Fly/Arch/Chips.h"

namespace fly::arch {

/// Element types of tiles and of instruction registers.
enum class ElemKind : uint8_t {
  F64,
  F32,
  /// f32 registers of which the instruction reads sign, exponent and ten bits
  /// of the mantissa.
  XF32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F6E2M3FN,
  F6E3M2FN,
  F4E2M1FN,
  /// 8- and 4-bit integers; the signedness of WMMA operands is a flag of the
  /// instruction, not of the element.
  I8,
  I4,
  I16,
  I32,
  I64,
};

/// Bits of one element.
unsigned elemBits(ElemKind kind);
/// The spelling of `kind` in MLIR, such as "f8E4M3FN".
llvm::StringRef elemName(ElemKind kind);

/// The families of matrix atoms, one `fly_rocdl` type each.
enum class MatrixFamily : uint8_t {
  Mfma,
  MfmaScale,
  WmmaGfx11,
  WmmaGfx120x,
  WmmaGfx1250,
  WmmaScaleGfx1250,
};

/// The type mnemonic of a family, such as "cdna3.mfma".
llvm::StringRef familyMnemonic(MatrixFamily family);

/// One strided mode.
struct Mode {
  int32_t shape;
  int32_t stride;
};

/// Where (lane, value) stands in a column-major tile.
struct LaneMap {
  Mode thread[3];
  Mode value[3];
  /// Modes in use.
  uint8_t threadRank, valueRank;

  /// Lanes of the map.
  constexpr int32_t lanes() const { return size(thread, threadRank); }
  /// Elements that one lane holds.
  constexpr int32_t values() const { return size(value, valueRank); }
  /// Column-major position in the tile of element `v` of lane `l`;
  /// 0 <= l < lanes(), 0 <= v < values().
  constexpr int32_t at(int32_t l, int32_t v) const {
    return position(thread, threadRank, l) + position(value, valueRank, v);
  }

private:
  static constexpr int32_t size(const Mode (&modes)[3], int rank) {
    int32_t product = 1;
    for (int i = 0; i < rank; ++i)
      product *= modes[i].shape;
    return product;
  }
  static constexpr int32_t position(const Mode (&modes)[3], int rank,
                                    int32_t index) {
    int32_t sum = 0;
    for (int i = 0; i < rank; ++i) {
      sum += index % modes[i].shape * modes[i].stride;
      index /= modes[i].shape;
    }
    return sum;
  }
};

/// The type of an instruction operand: a vector, or a scalar if `count` is 1.
struct RegisterType {
  ElemKind elem;
  uint8_t count;
};

/// How the ROCDL operation takes its modifiers.
enum class ModifierForm : uint8_t {
  /// Three trailing i32 operands cbsz, abid, blgp (all 0).
  MfmaTriple,
  /// None.
  Plain,
  /// Attributes signA, signB, clamp.
  Signs,
  /// Attributes signA, signB, clamp, reuseA, reuseB.
  SignsReuse,
  /// Attributes modC, reuseA, reuseB.
  ModCReuse,
  /// i32 operands behind C: the formats of A and B, then of A and of B the
  /// byte of the scale word that counts, and that word.
  MfmaScale,
  /// Operands scaleA and scaleB behind C; attributes fmtA, fmtB, modC,
  /// scaleAType, scaleBType, fmtScaleA, fmtScaleB, reuseA, reuseB.
  WmmaScale,
  /// The same without fmtA and fmtB: both operands are f4E2M1FN.
  WmmaScaleF4,
};

/// What tells the instructions of a family apart.
struct MatrixKey {
  MatrixFamily family;
  int64_t m, n, k;
  ElemKind a, b, acc;
  /// Independent products of this shape.
  int64_t blocks = 1;
  /// Elements along k that share a scale, of the scaled families of gfx1250;
  /// else 0.
  int64_t scaleBlock = 0;
};

/// One matrix instruction.
struct MatrixInstruction {
  MatrixFamily family;
  int16_t m, n, k;
  ElemKind a, b, acc;
  RegisterType regA, regB, regC;
  LaneMap mapA, mapB, mapC;
  /// Full name of the ROCDL operation.
  llvm::StringLiteral op;
  ModifierForm modifiers;
  /// The feature that a chip needs.
  Feature feature;
  uint8_t blocks = 1;
  /// As in MatrixKey.
  uint8_t scaleBlock = 0;
  /// Bits of the register with a lane's scales of A (and of B), 0 without.
  uint8_t scaleBits = 0;

  /// Lanes that take part: 64 or 32.
  constexpr int32_t lanes() const { return mapC.lanes(); }
  MatrixKey key() const {
    return {family, m, n, k, a, b, acc, blocks, scaleBlock};
  }
};

/// Every row, grouped by family.
llvm::ArrayRef<MatrixInstruction> matrixInstructions();

/// The row with this key, or null.
const MatrixInstruction *lookupMatrix(const MatrixKey &key);

/// The code of an operand format in the scaled instructions, which take 8-, 6-
/// and 4-bit floats: f8E4M3FN 0, f8E5M2 1, f6E2M3FN 2, f6E3M2FN 3, f4E2M1FN 4;
/// none for other kinds.
std::optional<uint8_t> scaledFormatCode(ElemKind kind);

/// "16x16x16 (f16, f16) -> f32", with " (blocks = 4)" or " (blockSize = 16)"
/// where the row has them.
std::string describe(const MatrixInstruction &row);

/// The shapes that `family` has for these types, "16x16x4, 4x4x1 (blocks =
/// 16)"; empty if none.
std::string familyShapes(MatrixFamily family, ElemKind a, ElemKind b,
                         ElemKind acc);

/// What `chip` has for these operand types, over all families and
/// accumulators: "cdna3.mfma 16x16x16 (f16, f16) -> f32, …"; empty if none.
std::string chipAlternatives(const Chip &chip, ElemKind a, ElemKind b);

/// True if some chip has a matrix instruction whose ROCDL operation is `op`.
bool isMatrixOperation(llvm::StringRef op);

/// The ROCDL matrix operations of `chip` that have the operand types of the
/// rows of `op`, "rocdl.mfma.f32.16x16x16f16, …"; empty if none.
std::string operationAlternatives(const Chip &chip, llvm::StringRef op);

} // namespace fly::arch

#endif // FLY_ARCH_MATRIXINSTRUCTIONS_H
