// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of the dialect's types.  The bodies of tuples, layouts and tiles are
// those of the attributes (FlyAttrParser.h).

#include "Fly/Dialect/Fly/IR/FlyTypes.h"
#include "Fly/Dialect/Fly/IR/NestedParsing.h"
#include "FlyAttrParser.h"

using namespace mlir;

namespace fly {

ParseResult parseIntTupleBody(AsmParser &parser, IntTupleAttr &result) {
  return parseTupleBody(parser, result);
}

//===----------------------------------------------------------------------===//
// Values of the algebra
//===----------------------------------------------------------------------===//

template <typename TypeT, typename AttrT>
static Type parseWrapper(AsmParser &parser,
                         ParseResult (*parseBody)(AsmParser &, AttrT &)) {
  AttrT attr;
  if (parser.parseLess() || parseBody(parser, attr) || parser.parseGreater())
    return {};
  return TypeT::get(attr);
}

static void printWrapper(AsmPrinter &printer, Attribute attr) {
  printer << '<';
  printBody(printer.getStream(), attr);
  printer << '>';
}

Type BasisType::parse(AsmParser &parser) {
  return parseWrapper<BasisType>(parser, parseBasisBody);
}
void BasisType::print(AsmPrinter &printer) const {
  printWrapper(printer, getAttr());
}

Type IntTupleType::parse(AsmParser &parser) {
  return parseWrapper<IntTupleType>(parser, parseTupleBody);
}
void IntTupleType::print(AsmPrinter &printer) const {
  printWrapper(printer, getAttr());
}

Type LayoutType::parse(AsmParser &parser) {
  return parseWrapper<LayoutType>(parser, parseLayoutBody);
}
void LayoutType::print(AsmPrinter &printer) const {
  printWrapper(printer, getAttr());
}

Type SwizzleType::parse(AsmParser &parser) {
  return parseWrapper<SwizzleType>(parser, parseSwizzleBody);
}
void SwizzleType::print(AsmPrinter &printer) const {
  printWrapper(printer, getAttr());
}

Type CoordSwizzleType::parse(AsmParser &parser) {
  return parseWrapper<CoordSwizzleType>(parser, parseCoordSwizzleBody);
}
void CoordSwizzleType::print(AsmPrinter &printer) const {
  printWrapper(printer, getAttr());
}

Type ComposedLayoutType::parse(AsmParser &parser) {
  return parseWrapper<ComposedLayoutType>(parser, parseComposedLayoutBody);
}
void ComposedLayoutType::print(AsmPrinter &printer) const {
  printWrapper(printer, getAttr());
}

Type TileType::parse(AsmParser &parser) {
  return parseWrapper<TileType>(parser, parseTileBody);
}
void TileType::print(AsmPrinter &printer) const {
  printWrapper(printer, getAttr());
}

//===----------------------------------------------------------------------===//
// Pointers and tensors
//===----------------------------------------------------------------------===//

/// A wrong keyword of an enumeration, in the words of its attribute's parser.
/// `stringify` gives the keyword of a value up to `last`.
template <typename EnumT>
static ParseResult emitWrongCase(AsmParser &parser, SMLoc loc,
                                 StringRef enumName,
                                 StringRef (*stringify)(EnumT), uint32_t last) {
  InFlightDiagnostic error = parser.emitError(loc, "expected ::fly::")
                             << enumName << " to be one of: ";
  for (uint32_t value = 0; value <= last; ++value)
    error << (value ? ", " : "") << stringify(static_cast<EnumT>(value));
  return error;
}

/// A keyword of the dialect, or any other dialect's attribute.
static ParseResult parseAddressSpace(AsmParser &parser, Attribute &result) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (failed(parser.parseOptionalKeyword(&keyword)))
    return parseNestedAttribute(parser, result);
  std::optional<AddressSpace> space = symbolizeAddressSpace(keyword);
  if (!space)
    return emitWrongCase(parser, loc, "AddressSpace", stringifyAddressSpace,
                         getMaxEnumValForAddressSpace());
  result = AddressSpaceAttr::get(parser.getContext(), *space);
  return success();
}

/// Reads `[ ',' align-body ] [ ',' swizzle-body ]`; what is absent stays null.
static ParseResult parseAlignAndSwizzle(AsmParser &parser, Type elementType,
                                        AlignAttr &alignment,
                                        SwizzleAttr &swizzle) {
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(&keyword, {"align", "S"})) ||
        (keyword == "align" && (alignment || swizzle)) ||
        (keyword == "S" && swizzle))
      return parser.emitError(loc, "expected ")
             << (swizzle     ? "'>'"
                 : alignment ? "a swizzle 'S<mask,base,shift>'"
                             : "'align<N>' or a swizzle 'S<mask,base,shift>'");
    if (keyword == "S") {
      if (parseSwizzleTail(parser, loc, swizzle))
        return failure();
      continue;
    }
    int64_t bytes;
    if (parser.parseLess() || parser.parseInteger(bytes) ||
        parser.parseGreater())
      return failure();
    if (bytes > 0) {
      alignment = parser.getChecked<AlignAttr>(loc, parser.getContext(), bytes);
      if (!alignment)
        return failure();
      continue;
    }
    std::optional<int64_t> bits = getElementBits(elementType);
    return parser.emitError(
               loc, "alignment must be a positive multiple of element byte "
                    "size (")
           << (bits ? (*bits + 7) / 8 : 1) << "), got " << bytes;
  }
  return success();
}

static void printAlignAndSwizzle(AsmPrinter &printer, Type elementType,
                                 AlignAttr alignment, SwizzleAttr swizzle) {
  if (alignment != AlignAttr::getTrivial(elementType)) {
    printer << ", ";
    printBody(printer.getStream(), alignment);
  }
  if (swizzle != SwizzleAttr::getTrivial(elementType.getContext())) {
    printer << ", ";
    printBody(printer.getStream(), swizzle);
  }
}

static void printPointee(AsmPrinter &printer, Type elementType,
                         Attribute addressSpace) {
  printer << '<' << elementType << ", ";
  if (auto own = dyn_cast<AddressSpaceAttr>(addressSpace))
    printer << stringifyAddressSpace(own.getValue());
  else
    printer << addressSpace;
}

Type PointerType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type elementType;
  Attribute addressSpace;
  AlignAttr alignment;
  SwizzleAttr swizzle;
  if (parser.parseLess() || parseNestedType(parser, elementType) ||
      parser.parseComma() || parseAddressSpace(parser, addressSpace) ||
      parseAlignAndSwizzle(parser, elementType, alignment, swizzle) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(loc, elementType, addressSpace,
                                        alignment, swizzle);
}

void PointerType::print(AsmPrinter &printer) const {
  printPointee(printer, getElementType(), getAddressSpace());
  printAlignAndSwizzle(printer, getElementType(), getAlignment(), getSwizzle());
  printer << '>';
}

Type MemRefType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type elementType;
  Attribute addressSpace, layout;
  AlignAttr alignment;
  SwizzleAttr swizzle;
  if (parser.parseLess() || parseNestedType(parser, elementType) ||
      parser.parseComma() || parseAddressSpace(parser, addressSpace))
    return {};
  if (failed(parser.parseOptionalComma())) {
    parser.emitError(parser.getCurrentLocation(),
                     "expected ',' and a layout such as 4:1 after the address "
                     "space of a memref");
    return {};
  }
  if (parseNarrowLayoutBody(parser, layout) ||
      parseAlignAndSwizzle(parser, elementType, alignment, swizzle) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<MemRefType>(loc, elementType, addressSpace, layout,
                                       alignment, swizzle);
}

void MemRefType::print(AsmPrinter &printer) const {
  printPointee(printer, getElementType(), getAddressSpace());
  printer << ", ";
  printBody(printer.getStream(), getLayout());
  printAlignAndSwizzle(printer, getElementType(), getAlignment(), getSwizzle());
  printer << '>';
}

Type CoordTensorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  IntTupleAttr base;
  Attribute layout;
  if (parser.parseLess() || parseTupleBody(parser, base) ||
      parser.parseComma() || parseNarrowLayoutBody(parser, layout) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<CoordTensorType>(loc, base, layout);
}

void CoordTensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printBody(printer.getStream(), getBase());
  printer << ", ";
  printBody(printer.getStream(), getLayout());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

Type CopyAtomType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type copyOp;
  int32_t valBits;
  if (parser.parseLess() || parseNestedType(parser, copyOp) ||
      parser.parseComma() || parser.parseInteger(valBits) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<CopyAtomType>(loc, copyOp, valBits);
}

void CopyAtomType::print(AsmPrinter &printer) const {
  printer << '<' << getCopyOp() << ", " << getValBits() << '>';
}

Type MmaAtomType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type mmaOp;
  if (parser.parseLess() || parseNestedType(parser, mmaOp) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<MmaAtomType>(loc, mmaOp);
}

void MmaAtomType::print(AsmPrinter &printer) const {
  printer << '<' << getMmaOp() << '>';
}

template <typename TypeT>
static ParseResult parseNestedTypeOf(AsmParser &parser, TypeT &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parseNestedType(parser, type))
    return failure();
  result = dyn_cast<TypeT>(type);
  if (!result)
    return parser.emitError(loc, "invalid kind of type specified: expected ")
           << TypeT::getMnemonic() << ", got " << type;
  return success();
}

/// `<body>` or the type in full.
template <typename TypeT, typename AttrT>
static ParseResult parseShortType(AsmParser &parser, TypeT &result,
                                  ParseResult (*parseBody)(AsmParser &,
                                                           AttrT &)) {
  if (failed(parser.parseOptionalLess()))
    return parseNestedTypeOf(parser, result);
  AttrT attr;
  if (parseBody(parser, attr) || parser.parseGreater())
    return failure();
  result = TypeT::get(attr);
  return success();
}

Type TiledCopyType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type copyAtom;
  LayoutType layoutThrVal;
  TileType tileMN;
  if (parser.parseLess() || parseNestedType(parser, copyAtom) ||
      parser.parseComma() ||
      parseShortType(parser, layoutThrVal, parseLayoutBody) ||
      parser.parseComma() || parseShortType(parser, tileMN, parseTileBody) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<TiledCopyType>(loc, copyAtom, layoutThrVal, tileMN);
}

void TiledCopyType::print(AsmPrinter &printer) const {
  printer << '<' << getCopyAtom() << ", " << getLayoutThrVal() << ", "
          << getTileMN() << '>';
}

Type TiledMmaType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  Type mmaAtom;
  LayoutType atomLayout;
  TileType permutation;
  if (parser.parseLess() || parseNestedType(parser, mmaAtom) ||
      parser.parseComma() ||
      parseShortType(parser, atomLayout, parseLayoutBody) ||
      (succeeded(parser.parseOptionalComma()) &&
       parseShortType(parser, permutation, parseTileBody)) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<TiledMmaType>(loc, mmaAtom, atomLayout, permutation);
}

void TiledMmaType::print(AsmPrinter &printer) const {
  printer << '<' << getMmaAtom() << ", " << getAtomLayout();
  if (getPermutation().getAttr() != TileAttr::getIdentity3(getContext()))
    printer << ", " << getPermutation();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Universal atom operations
//===----------------------------------------------------------------------===//

Type UniversalCopyType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  int32_t bitSize;
  if (parser.parseLess() || parser.parseInteger(bitSize) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<UniversalCopyType>(loc, parser.getContext(),
                                              bitSize);
}

void UniversalCopyType::print(AsmPrinter &printer) const {
  printer << '<' << getBitSize() << '>';
}

Type UniversalAtomicType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  SMLoc opLoc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<AtomicOp> atomicOp = symbolizeAtomicOp(keyword);
  if (!atomicOp) {
    (void)emitWrongCase(parser, opLoc, "AtomicOp", stringifyAtomicOp,
                        getMaxEnumValForAtomicOp());
    return {};
  }
  Type valType;
  std::string syncscope;
  if (parser.parseComma() || parseNestedType(parser, valType) ||
      (succeeded(parser.parseOptionalComma()) &&
       parser.parseString(&syncscope)) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<UniversalAtomicType>(loc, *atomicOp, valType,
                                                syncscope);
}

void UniversalAtomicType::print(AsmPrinter &printer) const {
  printer << '<' << stringifyAtomicOp(getAtomicOp()) << ", " << getValType();
  if (!getSyncscope().empty()) {
    printer << ", ";
    printer.printString(getSyncscope());
  }
  printer << '>';
}

Type UniversalFMAType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  SMLoc dimLoc = parser.getCurrentLocation();
  SmallVector<int64_t> dims;
  if (parser.parseDimensionList(dims, /*allowDynamic=*/false,
                                /*withTrailingX=*/false))
    return {};
  if (dims.size() != 3) {
    parser.emitError(dimLoc,
                     "expected 3 dimensions in MNK dimension list, got ")
        << dims.size();
    return {};
  }
  if (llvm::any_of(dims, [](int64_t dim) { return dim != 1; })) {
    parser.emitError(dimLoc,
                     "expected 1x1x1 dimensions for universal FMA, got ")
        << dims[0] << "x" << dims[1] << "x" << dims[2];
    return {};
  }
  if (parser.parseComma() || parser.parseLParen())
    return {};
  SMLoc typeLoc = parser.getCurrentLocation();
  Type a, b, c;
  if (parseNestedType(parser, a) || parser.parseComma() ||
      parseNestedType(parser, b) || parser.parseRParen() ||
      parser.parseArrow() || parseNestedType(parser, c) ||
      parser.parseGreater())
    return {};
  if (a != b || a != c) {
    parser.emitError(typeLoc, "expected all element types to be the same for "
                              "universal FMA, got (")
        << a << ", " << b << ") -> " << c;
    return {};
  }
  return parser.getChecked<UniversalFMAType>(loc, a);
}

void UniversalFMAType::print(AsmPrinter &printer) const {
  printer << "<1x1x1, (" << getElemTy() << ", " << getElemTy() << ") -> "
          << getElemTy() << '>';
}

} // namespace fly
