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
//
// A sparse instruction holds two of every four consecutive k of A. The tile of
// A is then M x K/2, and an index of two bits for each element says which of
// the four it is: element (row, c) stands for k = 4 * (c / 2) + index. Entry i
// of a lane's index register, the bits 2 * i and 2 * i + 1 of the set that
// counts, is the index of the element that the map of the indices names: of
// element i of the same lane, but on gfx1250.

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

/// The families of matrix instructions. Those up to WmmaScaleGfx1250 have a
/// `fly_rocdl` atom type each; the sparse ones are used as operations.
enum class MatrixFamily : uint8_t {
  Mfma,
  MfmaScale,
  WmmaGfx11,
  WmmaGfx120x,
  WmmaGfx1250,
  WmmaScaleGfx1250,
  Smfmac,
  SwmmacGfx120x,
  SwmmacGfx1250,
};

/// All families, in the order of the rows.
llvm::ArrayRef<MatrixFamily> matrixFamilies();

/// The type mnemonic of a family, such as "cdna3.mfma"; of those without a type
/// the like, such as "cdna3.smfmac".
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
  /// Modes in use; none in the map of an operand that there is not.
  uint8_t threadRank, valueRank;

  constexpr bool isPresent() const { return threadRank != 0; }

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

/// How the operation takes its operands and modifiers. Operands of a ROCDL
/// operation are A, B and C, followed by what is said here. An operation
/// without a ROCDL form is the call of an intrinsic (...Call), whose operands
/// are those of `callOperands`.
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
  /// Attribute opsel: C and D are the lower (0) or the upper halves of the
  /// registers.
  Opsel,
  /// Operands behind C: the index, then the i32 constants cbsz and abid.
  Sparse,
  OpselCall,
  FormatsCall,
  ModCCall,
  SparseCall,
  SparseSignsCall,
  SparseReuseCall,
  SparseNegateCall,
  SparseSignsReuseCall,
};

/// An operand of the call of an intrinsic. All but the first four are
/// constants: formats i32, modC i16, the others i1.
enum class CallOperand : uint8_t {
  A,
  B,
  C,
  Index,
  FormatA,
  FormatB,
  ModC,
  Opsel,
  SignA,
  SignB,
  NegateA,
  NegateB,
  ReuseA,
  ReuseB,
  Clamp,
};
/// "A", "index", "reuseA".
llvm::StringRef callOperandName(CallOperand operand);
/// The operands of the calls of a form in order; none of other forms.
llvm::ArrayRef<CallOperand> callOperands(ModifierForm form);

/// The numbers of the operands A, B, C and, of sparse forms, the index.
struct OperandNumbers {
  uint8_t a, b, c, index;
};
OperandNumbers operandNumbers(ModifierForm form);

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
  /// Full name of the ROCDL operation, "rocdl.mfma.f32.16x16x4f32", or of the
  /// intrinsic where ROCDL has no operation, "llvm.amdgcn.…".
  llvm::StringLiteral op;
  ModifierForm modifiers;
  /// The feature that a chip needs.
  Feature feature;
  uint8_t blocks = 1;
  /// As in MatrixKey.
  uint8_t scaleBlock = 0;
  /// Bits of the register with a lane's scales of A (and of B), 0 without.
  uint8_t scaleBits = 0;
  /// Bits of the index register of a lane, 0 of dense instructions.
  uint8_t indexRegisterBits = 0;
  /// False if the instruction is used as an operation only.
  bool hasAtom = true;
  /// D where its element is another than that of C; else of no count.
  RegisterType ownRegD = {ElemKind::I8, 0};
  /// Where the entries of the index registers stand in the tile of A; not
  /// present in dense instructions.
  LaneMap mapIndex = {};
  /// Why the result is not known, where public sources differ in what the
  /// registers of D hold, and what to use instead; else empty.
  llvm::StringLiteral openResult = "";

  constexpr bool hasKnownResult() const { return openResult.empty(); }
  /// Lanes that take part: 64 or 32.
  constexpr int32_t lanes() const { return mapC.lanes(); }
  constexpr bool isSparse() const { return indexRegisterBits != 0; }
  /// Bits of the indices of one lane that one operation reads.
  constexpr int32_t indexBits() const {
    return isSparse() ? 2 * m * k / 2 / lanes() : 0;
  }
  /// Sets of indices in the register, one of which cbsz and abid choose.
  constexpr int32_t indexSets() const {
    return isSparse() ? indexRegisterBits / indexBits() : 0;
  }
  constexpr RegisterType regD() const { return ownRegD.count ? ownRegD : regC; }
  bool isIntrinsic() const { return op.starts_with("llvm."); }
  MatrixKey key() const {
    return {family, m, n, k, a, b, acc, blocks, scaleBlock};
  }
};

/// Every row, grouped by family.
llvm::ArrayRef<MatrixInstruction> matrixInstructions();

/// The row with this key that has an atom, or null.
const MatrixInstruction *lookupMatrix(const MatrixKey &key);

/// The code of an operand format in the scaled instructions, which take 8-, 6-
/// and 4-bit floats: f8E4M3FN 0, f8E5M2 1, f6E2M3FN 2, f6E3M2FN 3, f4E2M1FN 4;
/// none for other kinds.
std::optional<uint8_t> scaledFormatCode(ElemKind kind);

/// "16x16x16 (f16, f16) -> f32", with " (blocks = 4)", " (blockSize = 16)" or
/// " (sparse)" where the row is such.
std::string describe(const MatrixInstruction &row);

/// The shapes that `family` has for these types, "16x16x4, 4x4x1 (blocks =
/// 16)"; empty if none.
std::string familyShapes(MatrixFamily family, ElemKind a, ElemKind b,
                         ElemKind acc);

/// The atoms that `chip` has for these operand types, over all families and
/// accumulators: "cdna3.mfma 16x16x16 (f16, f16) -> f32, …"; empty if none.
std::string chipAlternatives(const Chip &chip, ElemKind a, ElemKind b);

/// The name of the intrinsic of a matrix operation:
/// "llvm.amdgcn.wmma.f32.16x16x16.fp8.fp8" for
/// "rocdl.wmma.f32.16x16x16.fp8_fp8".
std::string intrinsicName(llvm::StringRef op);

/// The matrix operation of the rows, as `MatrixInstruction::op` writes it, that
/// `name` stands for: that name itself, or an intrinsic's, with or without the
/// types of an overload behind it. Empty if it is none.
llvm::StringRef matrixOperation(llvm::StringRef name);

/// The matrix operations of `chip` that have the operand types of the rows of
/// `op`, "rocdl.mfma.f32.16x16x16f16, …": of sparse ones sparse ones, if there
/// are any; empty if none.
std::string operationAlternatives(const Chip &chip, llvm::StringRef op);

} // namespace fly::arch

#endif // FLY_ARCH_MATRIXINSTRUCTIONS_H
