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
// where the lane and the value are each split over one or two modes, the first
// mode running fastest. A stride of 0 means that lanes hold copies.

#ifndef FLY_ARCH_MATRIXINSTRUCTIONS_H
#define FLY_ARCH_MATRIXINSTRUCTIONS_H

#include "Fly/Arch/Chips.h"

namespace fly::arch {

/// Element types of tiles and of instruction registers.
enum class ElemKind : uint8_t {
  F32,
  F16,
  BF16,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
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
enum class MatrixFamily : uint8_t { Mfma, WmmaGfx11, WmmaGfx120x, WmmaGfx1250 };

/// The type mnemonic of a family, such as "cdna3.mfma".
llvm::StringRef familyMnemonic(MatrixFamily family);

/// One strided mode.
struct Mode {
  int32_t shape;
  int32_t stride;
};

/// Where (lane, value) stands in a column-major tile.
struct LaneMap {
  Mode thread[2];
  Mode value[2];
  /// 1 or 2 modes of the value in use; the thread always uses both.
  uint8_t valueRank;

  /// Lanes of the map.
  constexpr int32_t lanes() const { return thread[0].shape * thread[1].shape; }
  /// Elements that one lane holds.
  constexpr int32_t values() const {
    return value[0].shape * (valueRank == 2 ? value[1].shape : 1);
  }
  /// Column-major position in the tile of element `v` of lane `l`;
  /// 0 <= l < lanes(), 0 <= v < values().
  constexpr int32_t at(int32_t l, int32_t v) const {
    int32_t position = l % thread[0].shape * thread[0].stride +
                       l / thread[0].shape * thread[1].stride +
                       v % value[0].shape * value[0].stride;
    if (valueRank == 2)
      position += v / value[0].shape * value[1].stride;
    return position;
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

  /// Lanes that take part: 64 or 32.
  constexpr int32_t lanes() const { return mapC.lanes(); }
};

/// Every row, grouped by family.
llvm::ArrayRef<MatrixInstruction> matrixInstructions();

/// The row with this key, or null.
const MatrixInstruction *lookupMatrix(MatrixFamily family, int64_t m, int64_t n,
                                      int64_t k, ElemKind a, ElemKind b,
                                      ElemKind acc);

/// "16x16x16 (f16, f16) -> f32".
std::string describe(const MatrixInstruction &row);

/// The shapes that `family` has for these types, "16x16x4, 32x32x2"; empty if
/// none.
std::string familyShapes(MatrixFamily family, ElemKind a, ElemKind b,
                         ElemKind acc);

/// What `chip` has for these operand types, over all families and
/// accumulators: "cdna3.mfma 16x16x16 (f16, f16) -> f32, …"; empty if none.
std::string chipAlternatives(const Chip &chip, ElemKind a, ElemKind b);

} // namespace fly::arch

#endif // FLY_ARCH_MATRIXINSTRUCTIONS_H
