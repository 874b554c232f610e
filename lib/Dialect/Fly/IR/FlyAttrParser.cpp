// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the structural attributes.  One reader per body; the attributes add
// their stand-alone wrapping here, the types theirs in FlyTypeParser.cpp.
// Recursion is bounded by kMaxNesting, so hostile text cannot exhaust the
// stack.

#include "FlyAttrParser.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

/// What follows the '?' of a run-time leaf.
static ParseResult parseDynamicSuffix(AsmParser &parser, IntAttr &result) {
  int32_t width = 32;
  int64_t divisibility = 1;
  if (succeeded(parser.parseOptionalLBrace())) {
    if (succeeded(parser.parseOptionalKeyword("i64")))
      width = 64;
    else
      (void)parser.parseOptionalKeyword("i32");
    if (succeeded(parser.parseOptionalKeyword("div")))
      if (parser.parseEqual() || parser.parseInteger(divisibility))
        return failure();
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalRBrace()))
      return parser.emitError(loc,
                              "expected 'i32' or 'i64', then 'div=N', then "
                              "'}' in a run-time leaf, as in ?{i64 div=8}");
  }
  result = IntAttr::getDynamic(parser.getContext(), width, divisibility);
  return success();
}

/// `expected` ends the message if no leaf starts here.
static ParseResult parseIntLeaf(AsmParser &parser, IntAttr &result,
                                StringRef expected) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalStar())) {
    result = IntAttr::getNone(context);
    return success();
  }
  if (succeeded(parser.parseOptionalQuestion()))
    return parseDynamicSuffix(parser, result);
  int64_t value;
  OptionalParseResult integer = parser.parseOptionalInteger(value);
  if (!integer.has_value())
    return parser.emitError(parser.getCurrentLocation(), "expected ")
           << expected;
  if (failed(*integer))
    return failure();
  result = IntAttr::getStatic(context, value);
  return success();
}

/// The suffix is one token `E1E0`, glued to the value before it.
static bool atBasisSuffix(AsmParser &parser) {
  const char *text = parser.getCurrentLocation().getPointer();
  return text[0] == 'E' && llvm::isDigit(text[1]);
}

static ParseResult parseBasisSuffix(AsmParser &parser, IntAttr value,
                                    BasisAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (llvm::isSpace(loc.getPointer()[-1]))
    return parser.emitError(
        loc, "expected no white space between a value and its basis suffix");
  StringRef suffix;
  if (parser.parseKeyword(&suffix))
    return failure();
  SmallVector<int32_t> modes;
  SmallVector<StringRef> pieces;
  suffix.drop_front().split(pieces, 'E');
  for (StringRef piece : pieces) {
    int32_t mode;
    if (piece.empty() || !llvm::all_of(piece, llvm::isDigit) ||
        piece.getAsInteger(10, mode))
      return parser.emitError(loc, "expected a basis suffix of the form E0E1, "
                                   "got '")
             << suffix << "'";
    modes.push_back(mode);
  }
  // `*E0` is 0 in mode 0.
  if (value.isNone())
    value = IntAttr::getStatic(parser.getContext(), 0);
  result = parser.getChecked<BasisAttr>(loc, value, modes);
  return success(result != nullptr);
}

ParseResult parseIntBody(AsmParser &parser, IntAttr &result) {
  return parseIntLeaf(parser, result, "an integer, '?' or '*'");
}

ParseResult parseBasisBody(AsmParser &parser, BasisAttr &result) {
  IntAttr value;
  if (parseIntBody(parser, value))
    return failure();
  if (!atBasisSuffix(parser))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected a basis suffix such as E0");
  return parseBasisSuffix(parser, value, result);
}

//===----------------------------------------------------------------------===//
// Tuples and layouts
//===----------------------------------------------------------------------===//

static ParseResult emitTooDeep(AsmParser &parser, SMLoc loc) {
  return parser.emitError(loc, "nesting is deeper than ")
         << kMaxNesting << " levels";
}

static ParseResult parseTuple(AsmParser &parser, IntTupleAttr &result,
                              int32_t level) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLParen())) {
    IntAttr value;
    if (parseIntLeaf(parser, value, "an integer, '?', '*' or '('"))
      return failure();
    if (!atBasisSuffix(parser)) {
      result = IntTupleAttr::get(value);
      return success();
    }
    BasisAttr basis;
    if (parseBasisSuffix(parser, value, basis))
      return failure();
    result = IntTupleAttr::get(basis);
    return success();
  }
  if (level == kMaxNesting)
    return emitTooDeep(parser, loc);
  SmallVector<IntTupleAttr> modes;
  do {
    IntTupleAttr mode;
    if (parseTuple(parser, mode, level + 1))
      return failure();
    modes.push_back(mode);
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseRParen())
    return failure();
  result = IntTupleAttr::get(ArrayRef<IntTupleAttr>(modes));
  return success();
}

ParseResult parseTupleBody(AsmParser &parser, IntTupleAttr &result) {
  return parseTuple(parser, result, 0);
}

/// What follows the shape of a layout.
static ParseResult parseLayoutTail(AsmParser &parser, SMLoc loc,
                                   IntTupleAttr shape, LayoutAttr &result) {
  IntTupleAttr stride;
  if (parseTupleBody(parser, stride))
    return failure();
  result = parser.getChecked<LayoutAttr>(loc, shape, stride);
  return success(result != nullptr);
}

ParseResult parseLayoutBody(AsmParser &parser, LayoutAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  IntTupleAttr shape;
  if (parseTupleBody(parser, shape) || parser.parseColon())
    return failure();
  return parseLayoutTail(parser, loc, shape, result);
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

ParseResult parseSwizzleTail(AsmParser &parser, SMLoc loc,
                             SwizzleAttr &result) {
  int32_t mask, base, shift;
  if (parser.parseLess() || parser.parseInteger(mask) || parser.parseComma() ||
      parser.parseInteger(base) || parser.parseComma() ||
      parser.parseInteger(shift) || parser.parseGreater())
    return failure();
  result = parser.getChecked<SwizzleAttr>(loc, parser.getContext(), mask, base,
                                          shift);
  return success(result != nullptr);
}

ParseResult parseSwizzleBody(AsmParser &parser, SwizzleAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("S")))
    return parser.emitError(loc, "expected a swizzle such as S<3,3,3>");
  return parseSwizzleTail(parser, loc, result);
}

static ParseResult parseModeList(AsmParser &parser,
                                 SmallVectorImpl<int32_t> &modes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(modes.emplace_back());
  });
}

static ParseResult parseCoordSwizzleTail(AsmParser &parser, SMLoc loc,
                                         CoordSwizzleAttr &result) {
  int32_t mask, baseRow, baseCol;
  SmallVector<int32_t> modeRow, modeCol;
  if (parser.parseLess() || parser.parseInteger(mask) || parser.parseComma() ||
      parser.parseInteger(baseRow) || parser.parseComma() ||
      parseModeList(parser, modeRow) || parser.parseComma() ||
      parser.parseInteger(baseCol) || parser.parseComma() ||
      parseModeList(parser, modeCol) || parser.parseGreater())
    return failure();
  result = parser.getChecked<CoordSwizzleAttr>(
      loc, parser.getContext(), mask, baseRow, ArrayRef<int32_t>(modeRow),
      baseCol, ArrayRef<int32_t>(modeCol));
  return success(result != nullptr);
}

ParseResult parseCoordSwizzleBody(AsmParser &parser, CoordSwizzleAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  return failure(parser.parseKeyword("CS") ||
                 parseCoordSwizzleTail(parser, loc, result));
}

//===----------------------------------------------------------------------===//
// Composed layouts
//===----------------------------------------------------------------------===//

/// Reads `inner { 'o' tuple 'o' outer }`; the result may be the inner alone.
static ParseResult parseComposition(AsmParser &parser, Attribute &result,
                                    int32_t level) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("S"))) {
    SwizzleAttr inner;
    if (parseSwizzleTail(parser, loc, inner))
      return failure();
    result = inner;
  } else if (succeeded(parser.parseOptionalKeyword("CS"))) {
    CoordSwizzleAttr inner;
    if (parseCoordSwizzleTail(parser, loc, inner))
      return failure();
    result = inner;
  } else {
    LayoutAttr inner;
    if (parseLayoutBody(parser, inner))
      return failure();
    result = inner;
  }

  while (succeeded(parser.parseOptionalKeyword("o"))) {
    IntTupleAttr offset;
    if (parseTupleBody(parser, offset) || parser.parseKeyword("o"))
      return failure();
    Attribute outer;
    SMLoc outerLoc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalLSquare())) {
      if (level == kMaxNesting)
        return emitTooDeep(parser, outerLoc);
      if (parseComposition(parser, outer, level + 1) || parser.parseRSquare())
        return failure();
    } else {
      LayoutAttr layout;
      if (parseLayoutBody(parser, layout))
        return failure();
      outer = layout;
    }
    result = parser.getChecked<ComposedLayoutAttr>(loc, result, offset, outer);
    if (!result)
      return failure();
  }
  return success();
}

ParseResult parseNarrowLayoutBody(AsmParser &parser, Attribute &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parseComposition(parser, result, 0))
    return failure();
  if (!isNarrowLayout(result))
    return parser.emitError(loc, "expected a layout or a composed layout, got "
                                 "the swizzle ")
           << bodyToString(result);
  return success();
}

ParseResult parseComposedLayoutBody(AsmParser &parser,
                                    ComposedLayoutAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute composition;
  if (parseComposition(parser, composition, 0))
    return failure();
  result = dyn_cast<ComposedLayoutAttr>(composition);
  if (!result)
    return parser.emitError(loc, "expected 'o' and an offset after ")
           << bodyToString(composition);
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static ParseResult parseTileElement(AsmParser &parser, Attribute &result,
                                    int32_t level) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalLSquare())) {
    if (level == kMaxNesting)
      return emitTooDeep(parser, loc);
    SmallVector<Attribute> elements;
    do {
      if (parseTileElement(parser, elements.emplace_back(), level + 1))
        return failure();
    } while (succeeded(parser.parseOptionalVerticalBar()));
    if (parser.parseRSquare())
      return failure();
    result = TileAttr::get(ArrayRef<Attribute>(elements));
    return success();
  }

  IntTupleAttr shape;
  if (parseTupleBody(parser, shape))
    return failure();
  if (succeeded(parser.parseOptionalColon())) {
    LayoutAttr layout;
    if (parseLayoutTail(parser, loc, shape, layout))
      return failure();
    result = layout;
    return success();
  }
  result = shape.getValue();
  if (!isa<IntAttr>(result))
    return parser.emitError(loc, "expected an integer, '*', a layout or a list "
                                 "as tile element, got ")
           << bodyToString(shape);
  return success();
}

ParseResult parseTileBody(AsmParser &parser, TileAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute element;
  if (parseTileElement(parser, element, 0))
    return failure();
  result = dyn_cast<TileAttr>(element);
  if (!result)
    result = parser.getChecked<TileAttr>(loc, parser.getContext(), element);
  return success(result != nullptr);
}

ParseResult parseAlignBody(AsmParser &parser, AlignAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t alignment;
  if (parser.parseKeyword("align") || parser.parseLess() ||
      parser.parseInteger(alignment) || parser.parseGreater())
    return failure();
  result = parser.getChecked<AlignAttr>(loc, parser.getContext(), alignment);
  return success(result != nullptr);
}

//===----------------------------------------------------------------------===//
// Stand-alone form
//===----------------------------------------------------------------------===//

/// Reads `#fly<mnemonic body>`, and also `#fly.mnemonic<body>`, of which the
/// caller has consumed all before the body or its '<'.
template <typename AttrT>
static Attribute parseStandAlone(AsmParser &parser,
                                 ParseResult (*parseBody)(AsmParser &,
                                                          AttrT &)) {
  bool bracketed = succeeded(parser.parseOptionalLess());
  AttrT result;
  if (parseBody(parser, result) || (bracketed && parser.parseGreater()))
    return {};
  return result;
}

/// Writes the body after the mnemonic.  A body that starts like an identifier
/// needs a space to be read back; `glue` leaves it out before punctuation.
static void printStandAlone(AsmPrinter &printer, Attribute attr, bool glue) {
  std::string body = bodyToString(attr);
  if (!glue || llvm::isAlnum(body.front()))
    printer << ' ';
  printer << body;
}

Attribute IntAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseIntBody);
}
void IntAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/false);
}

Attribute BasisAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseBasisBody);
}
void BasisAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/false);
}

Attribute IntTupleAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseTupleBody);
}
void IntTupleAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/true);
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseLayoutBody);
}
void LayoutAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/true);
}

Attribute SwizzleAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseSwizzleBody);
}
void SwizzleAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/false);
}

Attribute CoordSwizzleAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseCoordSwizzleBody);
}
void CoordSwizzleAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/false);
}

Attribute ComposedLayoutAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseComposedLayoutBody);
}
void ComposedLayoutAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/false);
}

Attribute TileAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseTileBody);
}
void TileAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/true);
}

Attribute AlignAttr::parse(AsmParser &parser, Type) {
  return parseStandAlone(parser, parseAlignBody);
}
void AlignAttr::print(AsmPrinter &printer) const {
  printStandAlone(printer, *this, /*glue=*/false);
}

} // namespace fly
