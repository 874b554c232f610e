// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atom operation types of the `fly_rocdl` dialect, to be wrapped in
// `!fly.mma_atom<…>` and `!fly.copy_atom<…, valBits>`. What is legal and which
// lane holds what is looked up in the rows of room Arch.

#ifndef FLY_DIALECT_FLYROCDL_IR_FLYROCDLTYPES_TD
#define FLY_DIALECT_FLYROCDL_IR_FLYROCDLTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "Fly/Dialect/Fly/IR/FlyEnums.td"
include "Fly/Dialect/Fly/IR/FlyInterfaces.td"
include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.td"

class FlyROCDL_Type<string name, string typeMnemonic, list<Trait> traits>
    : TypeDef<FlyROCDL_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Matrix atoms
//===----------------------------------------------------------------------===//

/// A matrix atom type: shape and element types, with the layouts of its row.
class FlyROCDL_MatrixType<string name, string typeMnemonic>
    : FlyROCDL_Type<name, typeMnemonic, [
        DeclareTypeInterfaceMethods<Fly_MayBeStaticTypeInterface>,
        DeclareTypeInterfaceMethods<Fly_MmaAtomTypeInterface,
                                    ["getRequiredFeature"]>]> {
  let extraClassDeclaration = [{
    /// The instruction of this type; the verifier guarantees that it exists.
    const ::fly::arch::MatrixInstruction &getInstruction() const;
  }];
}

def FlyROCDL_Mfma : FlyROCDL_MatrixType<"Mfma", "cdna3.mfma"> {
  let summary = "matrix multiply-accumulate of CDNA (wave64)";
  let description = [{
    v_mfma. A and B are f16, bf16, f32 or f64 (both the same), 8-bit floats of
    one kind (FNUZ as gfx942 reads them, or OCP as gfx950 does) or i8; the
    accumulator is f32, for i8 i32 and for f64 f64.

    With `blocks` = n the instruction computes n independent products of one
    shape; the block is the slowest coordinate of the layouts of A, B and C, so
    that such an atom serves calls but cannot be tiled. `xf32` chooses the form
    that reads f32 operands with ten bits of mantissa. Both are elided at their
    defaults, 1 and false.
    Examples: `!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>`,
    `!fly_rocdl.cdna3.mfma<4x4x4, (f16, f16) -> f32, blocks = 16>`,
    `!fly_rocdl.cdna3.mfma<16x16x8, (f32, f32) -> f32, xf32 = true>`.
  }];
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$elemTyA, "::mlir::Type":$elemTyB,
                        "::mlir::Type":$elemTyAcc, "int32_t":$blocks,
                        "bool":$xf32);
  let builders = [
    TypeBuilder<(ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                     "::mlir::Type":$elemTyA, "::mlir::Type":$elemTyB,
                     "::mlir::Type":$elemTyAcc), [{
      return $_get($_ctxt, m, n, k, elemTyA, elemTyB, elemTyAcc, 1, false);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
}

/// A block-scaled matrix atom: its state holds the scales.
class FlyROCDL_ScaledMatrixType<string name, string typeMnemonic>
    : FlyROCDL_Type<name, typeMnemonic, [
        DeclareTypeInterfaceMethods<Fly_MmaAtomTypeInterface,
                                    ["getStateFields", "getRequiredFeature"]>]> {
  let extraClassDeclaration = [{
    /// The instruction of this type; the verifier guarantees that it exists.
    const ::fly::arch::MatrixInstruction &getInstruction() const;
  }];
}

def FlyROCDL_MfmaScale
    : FlyROCDL_ScaledMatrixType<"MfmaScale", "cdna4.mfma_scale"> {
  let summary = "block-scaled matrix multiply-accumulate of CDNA4 (wave64)";
  let description = [{
    v_mfma_scale_f32_*_f8f6f4 of gfx950: each of A and B is an 8-, 6- or 4-bit
    float, and each 32 consecutive k of a row share a factor 2^(e - 127). The
    byte e for row r and block b = k / 32 is byte `opselA` (or `opselB`) of the
    scale word in lane r + 16 * b (16x16x128) or r + 32 * b (32x32x64).

    State: `scale_a`, `scale_b` (i32), by default 0. A call may give the words
    as second members of its operand groups instead. If both words are constants
    0, the code generator chooses the instruction without scales, so all factors
    are 1.
    Example: `!fly_rocdl.cdna4.mfma_scale<32x32x64, (f4E2M1FN, f8E5M2) -> f32, opselA = 0, opselB = 2>`.
  }];
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$elemTyA, "::mlir::Type":$elemTyB,
                        "::mlir::Type":$elemTyAcc,
                        "int32_t":$opselA, "int32_t":$opselB);
  let assemblyFormat = [{
    `<` custom<MNKDimensionList>($m, $n, $k) `,`
    `(` custom<NestedType>($elemTyA) `,` custom<NestedType>($elemTyB) `)` `->`
    custom<NestedType>($elemTyAcc) `,`
    `opselA` `=` $opselA `,` `opselB` `=` $opselB `>`
  }];
}

class FlyROCDL_SignedWmmaType<string name, string typeMnemonic>
    : FlyROCDL_MatrixType<name, typeMnemonic> {
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$elemTyA, "::mlir::Type":$elemTyB,
                        "::mlir::Type":$elemTyAcc,
                        "bool":$signA, "bool":$signB, "bool":$clamp);
  let assemblyFormat = [{
    `<` custom<MNKDimensionList>($m, $n, $k) `,`
    `(` custom<NestedType>($elemTyA) `,` custom<NestedType>($elemTyB) `)` `->`
    custom<NestedType>($elemTyAcc) `,`
    `signA` `=` $signA `,` `signB` `=` $signB `,` `clamp` `=` $clamp `>`
  }];
}

def FlyROCDL_WmmaGfx11 : FlyROCDL_SignedWmmaType<"WmmaGfx11", "gfx11.wmma"> {
  let summary = "matrix multiply-accumulate of RDNA3 (wave32)";
  let description = [{
    v_wmma of gfx11: both halves of the wave hold the same A and B. For integer
    operands `signA` and `signB` say whether A and B are read as signed,
    `clamp` whether the sum saturates. Example:
    `!fly_rocdl.gfx11.wmma<16x16x16, (i8, i8) -> i32, signA = true, signB = false, clamp = false>`.
  }];
}

def FlyROCDL_WmmaGfx120x
    : FlyROCDL_SignedWmmaType<"WmmaGfx120x", "gfx120x.wmma"> {
  let summary = "matrix multiply-accumulate of RDNA4 (wave32)";
  let description = [{
    v_wmma of gfx1200 and gfx1201: the halves of the wave hold different k.
    Flags as those of `gfx11.wmma`. Example:
    `!fly_rocdl.gfx120x.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>`.
  }];
}

def FlyROCDL_WmmaGfx1250 : FlyROCDL_MatrixType<"WmmaGfx1250", "gfx1250.wmma"> {
  let summary = "matrix multiply-accumulate of gfx1250 (wave32)";
  let description = [{
    v_wmma of gfx1250. Flags of integer forms as those of `gfx11.wmma`; for
    floating-point forms `modC` changes C before the addition (0 none, 1
    negate, 2 absolute value, 3 both). `reuseA` and `reuseB` hint that the
    operand is the one of the instruction before. The last three are elided
    from the right while they are 0 or false. Example:
    `!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false, modC = 1>`.
  }];
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$elemTyA, "::mlir::Type":$elemTyB,
                        "::mlir::Type":$elemTyAcc,
                        "bool":$signA, "bool":$signB, "bool":$clamp,
                        "int32_t":$modC, "bool":$reuseA, "bool":$reuseB);
  let hasCustomAssemblyFormat = 1;
}

def FlyROCDL_WmmaScaleGfx1250
    : FlyROCDL_ScaledMatrixType<"WmmaScaleGfx1250", "gfx1250.wmma_scale"> {
  let summary = "block-scaled matrix multiply-accumulate of gfx1250 (wave32)";
  let description = [{
    v_wmma_scale and v_wmma_scale16: each of A and B is an 8-, 6- or 4-bit
    float (16x16x128) or both are f4E2M1FN (32x16x128); each `blockSize` (32 or
    16) consecutive k of a row share a factor 2^(e - 127). The bytes e of row r
    lie in order of k in the scale register of lane r + 16 * `opselA` (of A), of
    lane n + 16 * `opselB` for column n (of B); the 32 rows of the tall form lie
    in lanes 0 to 31 and need `opselA` = 0. `modC` and the reuse flags as those
    of `gfx1250.wmma`.

    State: `scale_a`, `scale_b`, i32 for blocks of 32 and i64 for blocks of 16,
    by default 0. A call may give them as second members of its operand groups
    instead.
    Example: `!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 32>`.
  }];
  let parameters = (ins "int32_t":$m, "int32_t":$n, "int32_t":$k,
                        "::mlir::Type":$elemTyA, "::mlir::Type":$elemTyB,
                        "::mlir::Type":$elemTyAcc,
                        "int32_t":$opselA, "int32_t":$opselB, "int32_t":$modC,
                        "bool":$reuseA, "bool":$reuseB, "int32_t":$blockSize);
  let assemblyFormat = [{
    `<` custom<MNKDimensionList>($m, $n, $k) `,`
    `(` custom<NestedType>($elemTyA) `,` custom<NestedType>($elemTyB) `)` `->`
    custom<NestedType>($elemTyAcc) `,`
    `opselA` `=` $opselA `,` `opselB` `=` $opselB `,` `modC` `=` $modC `,`
    `reuseA` `=` $reuseA `,` `reuseB` `=` $reuseB `,`
    `blockSize` `=` $blockSize `>`
  }];
}

include "Fly/Dialect/FlyROCDL/IR/FlyROCDLCopyTypes.td"

#endif // FLY_DIALECT_FLYROCDL_IR_FLYROCDLTYPES_TD
