// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What matrix atom types accept: the rows of room Arch.

#include "MmaRows.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace fly::rocdl;
using fly::arch::ElemKind;
using fly::arch::MatrixFamily;
using fly::arch::MatrixInstruction;
using fly::arch::ModifierForm;
namespace arch = fly::arch;

/// "; the shapes for these types are …" for the end of a diagnostic.
static std::string listShapes(MatrixFamily family, Type a, Type b, Type acc,
                              bool xf32 = false) {
  std::string shapes;
  if (std::optional<ElemKinds> kinds = getElemKinds(a, b, acc, xf32))
    shapes = arch::familyShapes(family, kinds->a, kinds->b, kinds->acc);
  return shapes.empty() ? "; no shape has these types"
                        : "; the shapes for these types are " + shapes;
}

LogicalResult MfmaType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int32_t m, int32_t n, int32_t k, Type a, Type b,
                               Type acc, int32_t blocks, bool xf32) {
  if (m != n)
    return emitError() << "invalid MNK dimensions for CDNA3 MFMA: " << m << "x"
                       << n << "x" << k;
  if (a.isInteger(8) || b.isInteger(8)) {
    if (a != b || !a.isSignlessInteger())
      return emitError() << "integer MFMA requires both A and B to be i8";
    if (!acc.isSignlessInteger(32))
      return emitError() << "integer MFMA requires i32 accumulator, got "
                         << acc;
  } else if (a.isF64() && b.isF64()) {
    if (!acc.isF64())
      return emitError() << "f64 MFMA requires f64 accumulator, got " << acc;
  } else {
    if (!acc.isF32())
      return emitError() << "elemTyAcc must be f32, got " << acc;
    auto known = [](Type type) {
      return isa<Float16Type, BFloat16Type, Float32Type, Float8E4M3FNUZType,
                 Float8E5M2FNUZType, Float8E4M3FNType, Float8E5M2Type>(type);
    };
    if (!known(a))
      return emitError()
             << "elemTyA must be f16, bf16, f32, f8E4M3FNUZ, f8E5M2FNUZ, got "
             << a;
    if (!known(b))
      return emitError()
             << "elemTyB must be f16, bf16, f32, f8E4M3FNUZ, f8E5M2FNUZ, got "
             << b;
  }
  if (lookupMatrixRow(MatrixFamily::Mfma, m, n, k, a, b, acc, blocks, xf32))
    return success();
  InFlightDiagnostic diag = emitError();
  diag << "unsupported CDNA3 MFMA configuration: " << m << "x" << n << "x" << k
       << " with A=" << a << ", B=" << b << ", Acc=" << acc;
  if (blocks != 1)
    diag << ", blocks=" << blocks;
  if (xf32)
    diag << ", xf32=1";
  return diag << listShapes(MatrixFamily::Mfma, a, b, acc, xf32);
}

/// The operands of a block-scaled product and its accumulator.
static LogicalResult
verifyScaledTypes(function_ref<InFlightDiagnostic()> emitError, Type a, Type b,
                  Type acc) {
  if (!acc.isF32())
    return emitError() << "elemTyAcc must be f32, got " << acc;
  for (auto [name, type] : {std::pair("elemTyA", a), std::pair("elemTyB", b)}) {
    std::optional<ElemKind> kind = getElemKind(type);
    if (!kind || !arch::scaledFormatCode(*kind))
      return emitError() << name
                         << " must be one of f8E4M3FN, f8E5M2, f6E2M3FN, "
                            "f6E3M2FN, f4E2M1FN, got "
                         << type;
  }
  return success();
}

/// `opselA` and `opselB` are in [0, last]; `meaning` follows the range.
static LogicalResult verifyOpsel(function_ref<InFlightDiagnostic()> emitError,
                                 int32_t opselA, int32_t opselB, int32_t last,
                                 StringRef meaning) {
  for (auto [name, value] :
       {std::pair("opselA", opselA), std::pair("opselB", opselB)})
    if (value < 0 || value > last)
      return emitError() << name << " must be in [0, " << last << "]" << meaning
                         << ", got " << value;
  return success();
}

LogicalResult
MfmaScaleType::verify(function_ref<InFlightDiagnostic()> emitError, int32_t m,
                      int32_t n, int32_t k, Type a, Type b, Type acc,
                      int32_t opselA, int32_t opselB) {
  bool isKnown =
      (m == 16 && n == 16 && k == 128) || (m == 32 && n == 32 && k == 64);
  if (!isKnown)
    return emitError() << "unsupported MNK for CDNA4 MFMA_Scale: " << m << "x"
                       << n << "x" << k << " (expected 16x16x128 or 32x32x64)";
  if (failed(verifyScaledTypes(emitError, a, b, acc)))
    return failure();
  return verifyOpsel(emitError, opselA, opselB, 3, "");
}

LogicalResult
WmmaScaleGfx1250Type::verify(function_ref<InFlightDiagnostic()> emitError,
                             int32_t m, int32_t n, int32_t k, Type a, Type b,
                             Type acc, int32_t opselA, int32_t opselB,
                             int32_t modC, bool, bool, int32_t blockSize) {
  if (blockSize != 16 && blockSize != 32)
    return emitError() << "blockSize must be 16 or 32, got " << blockSize;
  if ((m != 16 && m != 32) || n != 16 || k != 128)
    return emitError() << "unsupported MNK for GFX1250 WMMA_Scale: " << m << "x"
                       << n << "x" << k << " (expected 16x16x128 or 32x16x128)";
  if (!acc.isF32())
    return emitError() << "elemTyAcc must be f32, got " << acc;
  if (m == 32 && !(isa<Float4E2M1FNType>(a) && isa<Float4E2M1FNType>(b)))
    return emitError()
           << "GFX1250 WMMA_Scale 32x16x128 requires f4E2M1FN A and B, got A="
           << a << ", B=" << b;
  if (failed(verifyScaledTypes(emitError, a, b, acc)) ||
      failed(verifyOpsel(emitError, opselA, opselB, 1, " (row0/row1)")))
    return failure();
  if (modC < 0 || modC > 65535)
    return emitError() << "modC must fit the i16 intrinsic field [0, 65535], "
                          "got "
                       << modC;
  // What fits the field but is no modifier would be undefined.
  if (modC > 3)
    return emitError() << "modC must be in [0, 3], got " << modC;
  // The scales of 32 rows take all lanes.
  if (m == 32 && opselA != 0)
    return emitError() << "opselA must be 0 for 32x16x128, whose scales of A "
                          "take all lanes, got "
                       << opselA;
  return success();
}

/// Floating-point WMMA has no sign and clamp operands; `what` names its forms.
static LogicalResult verifyNoSigns(function_ref<InFlightDiagnostic()> emitError,
                                   const MatrixInstruction &row, StringRef what,
                                   bool signA, bool signB, bool clamp) {
  if (row.modifiers != ModifierForm::Plain || (!signA && !signB && !clamp))
    return success();
  return emitError() << what
                     << " path does not accept signA/signB/clamp (the ROCDL fp "
                        "WMMA intrinsics have no such operands); got signA="
                     << int(signA) << ", signB=" << int(signB)
                     << ", clamp=" << int(clamp);
}

LogicalResult
WmmaGfx11Type::verify(function_ref<InFlightDiagnostic()> emitError, int32_t m,
                      int32_t n, int32_t k, Type a, Type b, Type acc,
                      bool signA, bool signB, bool clamp) {
  if (m != 16 || n != 16 || k != 16)
    return emitError() << "GFX11 WMMA requires M=N=K=16, got " << m << "x" << n
                       << "x" << k;
  const MatrixInstruction *row =
      lookupMatrixRow(MatrixFamily::WmmaGfx11, m, n, k, a, b, acc);
  if (!row)
    return emitError() << "unsupported GFX11 WMMA configuration: " << m << "x"
                       << n << "x" << k << " with A=" << a << ", B=" << b
                       << ", Acc=" << acc;
  return verifyNoSigns(emitError, *row, "GFX11 WMMA fp16/bf16", signA, signB,
                       clamp);
}

LogicalResult
WmmaGfx120xType::verify(function_ref<InFlightDiagnostic()> emitError, int32_t m,
                        int32_t n, int32_t k, Type a, Type b, Type acc,
                        bool signA, bool signB, bool clamp) {
  if (m != 16 || n != 16)
    return emitError() << "GFX120X WMMA requires M=N=16, got " << m << "x" << n;
  const MatrixInstruction *row =
      lookupMatrixRow(MatrixFamily::WmmaGfx120x, m, n, k, a, b, acc);
  if (row)
    return verifyNoSigns(emitError, *row, "GFX120X WMMA floating-point", signA,
                         signB, clamp);
  InFlightDiagnostic diag = emitError();
  if (isa<FloatType>(a) && isa<FloatType>(b) && k != 16)
    return diag << "GFX120X WMMA floating-point forms require M=N=K=16, got "
                << m << "x" << n << "x" << k;
  if (a.isInteger(8) && b.isInteger(8) && k != 16)
    return diag << "GFX120X WMMA IU8 requires K=16, got " << m << "x" << n
                << "x" << k;
  if (a.isInteger(4) && b.isInteger(4) && k != 16 && k != 32)
    return diag << "GFX120X WMMA IU4 requires K=16 or K=32, got " << m << "x"
                << n << "x" << k;
  return diag << "unsupported GFX120X WMMA configuration: " << m << "x" << n
              << "x" << k << " with A=" << a << ", B=" << b << ", Acc=" << acc
              << listShapes(MatrixFamily::WmmaGfx120x, a, b, acc);
}

LogicalResult
WmmaGfx1250Type::verify(function_ref<InFlightDiagnostic()> emitError, int32_t m,
                        int32_t n, int32_t k, Type a, Type b, Type acc,
                        bool signA, bool signB, bool clamp, int32_t modC,
                        bool reuseA, bool reuseB) {
  if (m != 16 || n != 16)
    return emitError() << "GFX1250 WMMA requires M=N=16, got " << m << "x" << n;
  if ((signA || signB || clamp) && !isa<IntegerType>(a))
    return emitError() << "signA/signB/clamp are only valid for integer "
                          "(iu4/iu8) WMMA, got A="
                       << a;
  const MatrixInstruction *row =
      lookupMatrixRow(MatrixFamily::WmmaGfx1250, m, n, k, a, b, acc);
  if (!row)
    return emitError() << "unsupported GFX1250 WMMA configuration: " << m << "x"
                       << n << "x" << k << " with A=" << a << ", B=" << b
                       << ", Acc=" << acc
                       << listShapes(MatrixFamily::WmmaGfx1250, a, b, acc);
  if (modC < 0 || modC > 3)
    return emitError() << "modC must be in [0, 3], got " << modC;
  // The integer instructions have no operand for these: refused, not ignored.
  if (modC && row->modifiers != ModifierForm::ModCReuse)
    return emitError() << "modC is only valid for floating-point WMMA, got A="
                       << a;
  if ((reuseA || reuseB) && row->modifiers == ModifierForm::Signs)
    return emitError() << "reuseA/reuseB are not valid for iu4 WMMA";
  return success();
}
