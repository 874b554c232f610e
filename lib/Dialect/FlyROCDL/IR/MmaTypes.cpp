// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix atom types: text, verification and the layouts read from the rows of
// room Arch. Registers all types of the dialect, since their generated parsers
// use the text helpers here.

#include "Fly/Dialect/Fly/IR/NestedParsing.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly::rocdl;
using fly::arch::ElemKind;
using fly::arch::MatrixFamily;
using fly::arch::MatrixInstruction;
using fly::arch::ModifierForm;
namespace arch = fly::arch;
namespace layout = fly::layout;

//===----------------------------------------------------------------------===//
// Between MLIR types and the tables
//===----------------------------------------------------------------------===//

std::optional<ElemKind> fly::rocdl::getElemKind(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 4:
      return ElemKind::I4;
    case 8:
      return ElemKind::I8;
    case 16:
      return integer.isSignless() ? std::optional(ElemKind::I16) : std::nullopt;
    case 32:
      return integer.isSignless() ? std::optional(ElemKind::I32) : std::nullopt;
    case 64:
      return integer.isSignless() ? std::optional(ElemKind::I64) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  return TypeSwitch<Type, std::optional<ElemKind>>(type)
      .Case([](Float64Type) { return ElemKind::F64; })
      .Case([](Float32Type) { return ElemKind::F32; })
      .Case([](Float16Type) { return ElemKind::F16; })
      .Case([](BFloat16Type) { return ElemKind::BF16; })
      .Case([](Float8E4M3FNType) { return ElemKind::F8E4M3FN; })
      .Case([](Float8E5M2Type) { return ElemKind::F8E5M2; })
      .Case([](Float8E4M3FNUZType) { return ElemKind::F8E4M3FNUZ; })
      .Case([](Float8E5M2FNUZType) { return ElemKind::F8E5M2FNUZ; })
      .Case([](Float6E2M3FNType) { return ElemKind::F6E2M3FN; })
      .Case([](Float6E3M2FNType) { return ElemKind::F6E3M2FN; })
      .Case([](Float4E2M1FNType) { return ElemKind::F4E2M1FN; })
      .Default([](Type) { return std::nullopt; });
}

Type fly::rocdl::getElemType(MLIRContext *context, ElemKind kind) {
  switch (kind) {
  case ElemKind::F64:
    return Float64Type::get(context);
  case ElemKind::F32:
  case ElemKind::XF32:
    return Float32Type::get(context);
  case ElemKind::F16:
    return Float16Type::get(context);
  case ElemKind::BF16:
    return BFloat16Type::get(context);
  case ElemKind::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ElemKind::F8E5M2:
    return Float8E5M2Type::get(context);
  case ElemKind::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case ElemKind::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case ElemKind::F6E2M3FN:
    return Float6E2M3FNType::get(context);
  case ElemKind::F6E3M2FN:
    return Float6E3M2FNType::get(context);
  case ElemKind::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  case ElemKind::I8:
  case ElemKind::I4:
  case ElemKind::I16:
  case ElemKind::I32:
  case ElemKind::I64:
    return IntegerType::get(context, arch::elemBits(kind));
  }
  llvm_unreachable("all element kinds are listed");
}

Type fly::rocdl::getRegisterType(MLIRContext *context, arch::RegisterType reg) {
  Type elem = getElemType(context, reg.elem);
  return reg.count == 1 ? elem : VectorType::get({reg.count}, elem);
}

/// The kinds of three element types, if the tables know all of them.
struct ElemKinds {
  ElemKind a, b, acc;
};
static std::optional<ElemKinds> getKinds(Type a, Type b, Type acc,
                                         bool xf32 = false) {
  std::optional<ElemKind> kindA = getElemKind(a), kindB = getElemKind(b),
                          kindAcc = getElemKind(acc);
  if (!kindA || !kindB || !kindAcc)
    return std::nullopt;
  // Only f32 operands have a short form.
  if (xf32 && (*kindA != ElemKind::F32 || *kindB != ElemKind::F32))
    return std::nullopt;
  if (xf32)
    return ElemKinds{ElemKind::XF32, ElemKind::XF32, *kindAcc};
  return ElemKinds{*kindA, *kindB, *kindAcc};
}

/// The row with this key, or null; types that the tables do not know have none.
static const MatrixInstruction *lookup(MatrixFamily family, int32_t m,
                                       int32_t n, int32_t k, Type a, Type b,
                                       Type acc, int32_t blocks = 1,
                                       bool xf32 = false,
                                       int32_t scaleBlock = 0) {
  std::optional<ElemKinds> kinds = getKinds(a, b, acc, xf32);
  if (!kinds)
    return nullptr;
  return arch::lookupMatrix(
      {family, m, n, k, kinds->a, kinds->b, kinds->acc, blocks, scaleBlock});
}

/// "; the shapes for these types are …" for the end of a diagnostic.
static std::string listShapes(MatrixFamily family, Type a, Type b, Type acc,
                              bool xf32 = false) {
  std::string shapes;
  if (std::optional<ElemKinds> kinds = getKinds(a, b, acc, xf32))
    shapes = arch::familyShapes(family, kinds->a, kinds->b, kinds->acc);
  return shapes.empty() ? "; no shape has these types"
                        : "; the shapes for these types are " + shapes;
}

const MatrixInstruction *fly::rocdl::getMatrixInstruction(Type mmaOp) {
  return TypeSwitch<Type, const MatrixInstruction *>(mmaOp)
      .Case<MfmaType, MfmaScaleType, WmmaGfx11Type, WmmaGfx120xType,
            WmmaGfx1250Type, WmmaScaleGfx1250Type>(
          [](auto type) { return &type.getInstruction(); })
      .Default([](Type) { return nullptr; });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// dims ::= M x N x K
static ParseResult parseMNKDimensionList(AsmParser &parser, int32_t &m,
                                         int32_t &n, int32_t &k) {
  SmallVector<int64_t> dims;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return failure();
  if (dims.size() != 3)
    return parser.emitError(loc, "expected 3 dimensions in MNK dimension list");
  for (int64_t dim : dims)
    if (dim > std::numeric_limits<int32_t>::max())
      return parser.emitError(loc) << "dimension " << dim << " is too large";
  m = dims[0];
  n = dims[1];
  k = dims[2];
  return success();
}

static void printMNKDimensionList(AsmPrinter &printer, int32_t m, int32_t n,
                                  int32_t k) {
  printer << m << "x" << n << "x" << k;
}

static void printNestedType(AsmPrinter &printer, Type type) { printer << type; }

/// granularity ::= int 'b'
static ParseResult parseGranularity(AsmParser &parser, int32_t &bits) {
  return failure(parser.parseInteger(bits) || parser.parseKeyword("b"));
}

static void printGranularity(AsmPrinter &printer, int32_t bits) {
  printer << bits << "b";
}

#define GET_TYPEDEF_CLASSES
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.cpp.inc"

void FlyROCDLDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLTypes.cpp.inc"
      >();
}

/// Parses `, name = value`.
template <typename T>
static ParseResult parseField(AsmParser &parser, StringRef name, T &value) {
  if (parser.parseComma() || parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  FailureOr<T> parsed = FieldParser<T>::parse(parser);
  if (failed(parsed))
    return failure();
  value = *parsed;
  return success();
}

/// Parses `, name = value` if a comma follows; `more` says whether it did.
template <typename T>
static ParseResult parseOptionalField(AsmParser &parser, StringRef name,
                                      T &value, bool &more) {
  if (!more || parser.parseOptionalComma()) {
    more = false;
    return success();
  }
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  FailureOr<T> parsed = FieldParser<T>::parse(parser);
  if (failed(parsed))
    return failure();
  value = *parsed;
  return success();
}

/// `<` dims `,` `(` type `,` type `)` `->` type
static ParseResult parseProduct(AsmParser &parser, int32_t &m, int32_t &n,
                                int32_t &k, Type &a, Type &b, Type &acc) {
  return failure(parser.parseLess() || parseMNKDimensionList(parser, m, n, k) ||
                 parser.parseComma() || parser.parseLParen() ||
                 fly::parseNestedType(parser, a) || parser.parseComma() ||
                 fly::parseNestedType(parser, b) || parser.parseRParen() ||
                 parser.parseArrow() || fly::parseNestedType(parser, acc));
}

template <typename TypeT>
static void printProduct(AsmPrinter &printer, TypeT type) {
  printer << "<";
  printMNKDimensionList(printer, type.getM(), type.getN(), type.getK());
  printer << ", (" << type.getElemTyA() << ", " << type.getElemTyB() << ") -> "
          << type.getElemTyAcc();
}

Type MfmaType::parse(AsmParser &parser) {
  int32_t m, n, k, blocks = 1;
  Type a, b, acc;
  bool xf32 = false;
  if (parseProduct(parser, m, n, k, a, b, acc))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef field;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&field) || parser.parseEqual())
      return {};
    if (field == "blocks") {
      FailureOr<int32_t> value = FieldParser<int32_t>::parse(parser);
      if (failed(value))
        return {};
      blocks = *value;
    } else if (field == "xf32") {
      FailureOr<bool> value = FieldParser<bool>::parse(parser);
      if (failed(value))
        return {};
      xf32 = *value;
    } else {
      parser.emitError(loc)
          << "expected 'blocks' or 'xf32', got '" << field << "'";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MfmaType>(parser.getContext(), m, n, k, a, b, acc,
                                     blocks, xf32);
}

void MfmaType::print(AsmPrinter &printer) const {
  printProduct(printer, *this);
  if (getBlocks() != 1)
    printer << ", blocks = " << getBlocks();
  if (getXf32())
    printer << ", xf32 = true";
  printer << ">";
}

Type WmmaGfx1250Type::parse(AsmParser &parser) {
  int32_t m, n, k, modC = 0;
  Type a, b, acc;
  bool signA, signB, clamp, reuseA = false, reuseB = false, more = true;
  if (parseProduct(parser, m, n, k, a, b, acc) ||
      parseField(parser, "signA", signA) ||
      parseField(parser, "signB", signB) ||
      parseField(parser, "clamp", clamp) ||
      parseOptionalField(parser, "modC", modC, more) ||
      parseOptionalField(parser, "reuseA", reuseA, more) ||
      parseOptionalField(parser, "reuseB", reuseB, more) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<WmmaGfx1250Type>(parser.getContext(), m, n, k, a, b,
                                            acc, signA, signB, clamp, modC,
                                            reuseA, reuseB);
}

void WmmaGfx1250Type::print(AsmPrinter &printer) const {
  printProduct(printer, *this);
  printer << ", signA = " << getSignA() << ", signB = " << getSignB()
          << ", clamp = " << getClamp();
  // A field is written if it or one to its right is not at its default.
  if (getModC() || getReuseA() || getReuseB())
    printer << ", modC = " << getModC();
  if (getReuseA() || getReuseB())
    printer << ", reuseA = " << getReuseA();
  if (getReuseB())
    printer << ", reuseB = " << getReuseB();
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

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
  if (lookup(MatrixFamily::Mfma, m, n, k, a, b, acc, blocks, xf32))
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
      lookup(MatrixFamily::WmmaGfx11, m, n, k, a, b, acc);
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
      lookup(MatrixFamily::WmmaGfx120x, m, n, k, a, b, acc);
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
      lookup(MatrixFamily::WmmaGfx1250, m, n, k, a, b, acc);
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

//===----------------------------------------------------------------------===//
// Description, the same for all families
//===----------------------------------------------------------------------===//

/// The lane map as a layout ((lanes), values) to column-major positions. A
/// value of one mode is a leaf.
static layout::Layout toLayout(const arch::LaneMap &map) {
  using layout::IntTuple;
  auto tuple = [](const arch::Mode(&modes)[3], int rank,
                  int32_t arch::Mode::*field) {
    SmallVector<IntTuple> leaves;
    for (const arch::Mode &mode : ArrayRef(modes).take_front(rank))
      leaves.push_back(IntTuple(mode.*field));
    return rank == 1 ? leaves.front() : IntTuple::tuple(leaves);
  };
  auto both = [&](int32_t arch::Mode::*field) {
    return IntTuple::tuple(
        ArrayRef<IntTuple>{tuple(map.thread, map.threadRank, field),
                           tuple(map.value, map.valueRank, field)});
  };
  return layout::Layout(both(&arch::Mode::shape), both(&arch::Mode::stride));
}

static layout::IntTuple shapeOf(const MatrixInstruction &row) {
  return layout::IntTuple::tuple(
      ArrayRef<layout::IntTuple>{row.m, row.n, row.k});
}

const MatrixInstruction &MfmaType::getInstruction() const {
  return *lookup(MatrixFamily::Mfma, getM(), getN(), getK(), getElemTyA(),
                 getElemTyB(), getElemTyAcc(), getBlocks(), getXf32());
}
const MatrixInstruction &MfmaScaleType::getInstruction() const {
  return *lookup(MatrixFamily::MfmaScale, getM(), getN(), getK(), getElemTyA(),
                 getElemTyB(), getElemTyAcc());
}
const MatrixInstruction &WmmaGfx11Type::getInstruction() const {
  return *lookup(MatrixFamily::WmmaGfx11, getM(), getN(), getK(), getElemTyA(),
                 getElemTyB(), getElemTyAcc());
}
const MatrixInstruction &WmmaGfx120xType::getInstruction() const {
  return *lookup(MatrixFamily::WmmaGfx120x, getM(), getN(), getK(),
                 getElemTyA(), getElemTyB(), getElemTyAcc());
}
const MatrixInstruction &WmmaGfx1250Type::getInstruction() const {
  return *lookup(MatrixFamily::WmmaGfx1250, getM(), getN(), getK(),
                 getElemTyA(), getElemTyB(), getElemTyAcc());
}
const MatrixInstruction &WmmaScaleGfx1250Type::getInstruction() const {
  return *lookup(MatrixFamily::WmmaScaleGfx1250, getM(), getN(), getK(),
                 getElemTyA(), getElemTyB(), getElemTyAcc(), /*blocks=*/1,
                 /*xf32=*/false, getBlockSize());
}

/// The state of a block-scaled atom: the scales of a lane.
static SmallVector<fly::AtomStateField>
getScaleFields(MLIRContext *context, const MatrixInstruction &row) {
  Type type = IntegerType::get(context, row.scaleBits);
  return {{"scale_a", type}, {"scale_b", type}};
}

SmallVector<fly::AtomStateField> MfmaScaleType::getStateFields() const {
  return getScaleFields(getContext(), getInstruction());
}
SmallVector<fly::AtomStateField> WmmaScaleGfx1250Type::getStateFields() const {
  return getScaleFields(getContext(), getInstruction());
}

// TableGen declares the same interface methods in each type; each forwards to
// its row.
#define FLY_ROCDL_MATRIX_TYPE(TYPE)                                            \
  layout::Layout TYPE::getThrLayout() const {                                  \
    return layout::Layout(getInstruction().lanes(), 1);                        \
  }                                                                            \
  StringRef TYPE::getRequiredFeature() const {                                 \
    return arch::featureName(getInstruction().feature);                        \
  }                                                                            \
  layout::IntTuple TYPE::getShapeMNK() const {                                 \
    return shapeOf(getInstruction());                                          \
  }                                                                            \
  Type TYPE::getValTypeA() const { return getElemTyA(); }                      \
  Type TYPE::getValTypeB() const { return getElemTyB(); }                      \
  Type TYPE::getValTypeC() const { return getElemTyAcc(); }                    \
  Type TYPE::getValTypeD() const { return getElemTyAcc(); }                    \
  layout::Layout TYPE::getThrValLayoutA() const {                              \
    return toLayout(getInstruction().mapA);                                    \
  }                                                                            \
  layout::Layout TYPE::getThrValLayoutB() const {                              \
    return toLayout(getInstruction().mapB);                                    \
  }                                                                            \
  layout::Layout TYPE::getThrValLayoutC() const {                              \
    return toLayout(getInstruction().mapC);                                    \
  }

FLY_ROCDL_MATRIX_TYPE(MfmaType)
FLY_ROCDL_MATRIX_TYPE(MfmaScaleType)
FLY_ROCDL_MATRIX_TYPE(WmmaGfx11Type)
FLY_ROCDL_MATRIX_TYPE(WmmaGfx120xType)
FLY_ROCDL_MATRIX_TYPE(WmmaGfx1250Type)
FLY_ROCDL_MATRIX_TYPE(WmmaScaleGfx1250Type)

#undef FLY_ROCDL_MATRIX_TYPE
