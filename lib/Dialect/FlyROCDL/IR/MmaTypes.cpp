// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix atom types: their elements and text. Registers all types of the
// dialect, since their generated parsers use the text helpers here.

#include "MmaRows.h"

#include "Fly/Dialect/Fly/IR/NestedParsing.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly::rocdl;
using fly::arch::ElemKind;
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
