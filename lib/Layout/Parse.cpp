// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive-descent parser of the text forms, with a bound on its nesting.

#include "Fly/Layout/Parse.h"

#include "llvm/ADT/StringExtras.h"

using namespace fly::layout;

namespace {

class Parser {
public:
  Parser(llvm::StringRef text, unsigned *nextSymbol)
      : text(text), rest(text), symbols(nextSymbol ? nextSymbol : &ownSymbols) {
  }

  Result<IntTuple> tuple(unsigned level = 0);
  Result<Layout> plainLayout();
  Result<AnyLayout> anyLayout(unsigned level = 0);
  Result<Tile> tile(unsigned level = 0);
  Result<Swizzle> swizzle();
  Result<CoordSwizzle> coordSwizzle();

  /// The whole text must be used up.
  template <typename T>
  Result<T> finish(Result<T> result) {
    if (!result)
      return result;
    skipSpace();
    if (!rest.empty())
      return syntax("the end");
    return result;
  }

private:
  Error syntax(const llvm::Twine &expected) {
    return fail("parse_c1", "expected " + expected + " at offset " +
                                llvm::Twine(text.size() - rest.size()) +
                                " of '" + text + "'");
  }
  Error tooDeep() {
    return fail("parse_c2", "nesting deeper than " + llvm::Twine(maxDepth));
  }
  void skipSpace() { rest = rest.ltrim(); }
  bool accept(llvm::StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  bool peek(llvm::StringRef token) {
    skipSpace();
    return rest.starts_with(token);
  }
  Result<int64_t> integer();
  Result<Int> leafInt();
  Result<Leaf> leaf();
  Result<llvm::SmallVector<int32_t>> modeList();
  Result<InnerMap> inner();

  llvm::StringRef text, rest;
  unsigned ownSymbols = 0;
  unsigned *symbols;
};

} // namespace

Result<int64_t> Parser::integer() {
  skipSpace();
  llvm::StringRef digits = rest;
  size_t length = digits.starts_with("-") ? 1 : 0;
  size_t first = length;
  while (length < digits.size() && llvm::isDigit(digits[length]))
    ++length;
  if (length == first)
    return syntax("an integer");
  int64_t value;
  if (digits.take_front(length).getAsInteger(10, value))
    return fail("parse_c3",
                "number " + digits.take_front(length) + " exceeds 64 bits");
  rest = digits.drop_front(length);
  return value;
}

Result<Int> Parser::leafInt() {
  if (accept("*"))
    return Int::none();
  if (!accept("?")) {
    FLY_TRY(value, integer());
    return Int::constant(value);
  }
  unsigned width = 32;
  int64_t divisibility = 1;
  if (accept("{")) {
    if (accept("i64"))
      width = 64;
    else
      accept("i32");
    if (accept("div")) {
      if (!accept("="))
        return syntax("'='");
      FLY_TRY_SET(divisibility, integer());
    }
    if (!accept("}"))
      return syntax("'}'");
  }
  return Int::symbol((*symbols)++, width, divisibility);
}

Result<Leaf> Parser::leaf() {
  FLY_TRY(value, leafInt());
  llvm::SmallVector<int32_t> modes;
  // No space before or inside the suffix.
  while (rest.size() > 1 && rest[0] == 'E' && llvm::isDigit(rest[1])) {
    rest = rest.drop_front();
    FLY_TRY(mode, integer());
    if (mode > INT32_MAX)
      return fail("parse_c3", "mode " + llvm::Twine(mode) + " exceeds 31 bits");
    modes.push_back(static_cast<int32_t>(mode));
  }
  return modes.empty() ? Leaf(value) : Leaf(value, modes);
}

Result<IntTuple> Parser::tuple(unsigned level) {
  if (level > maxDepth)
    return tooDeep();
  if (!accept("(")) {
    FLY_TRY(value, leaf());
    return IntTuple(std::move(value));
  }
  std::vector<IntTuple> modes;
  do {
    FLY_TRY(mode, tuple(level + 1));
    modes.push_back(std::move(mode));
  } while (accept(","));
  if (!accept(")"))
    return syntax("',' or ')'");
  return IntTuple::tuple(std::move(modes));
}

Result<Layout> Parser::plainLayout() {
  FLY_TRY(shape, tuple());
  if (!accept(":"))
    return syntax("':'");
  FLY_TRY(stride, tuple());
  return Layout::get(std::move(shape), std::move(stride));
}

Result<Swizzle> Parser::swizzle() {
  if (!accept("S<"))
    return syntax("'S<'");
  int64_t values[3];
  for (int i = 0; i < 3; ++i) {
    if (i && !accept(","))
      return syntax("','");
    FLY_TRY_SET(values[i], integer());
  }
  if (!accept(">"))
    return syntax("'>'");
  return Swizzle::get(values[0], values[1], values[2]);
}

Result<llvm::SmallVector<int32_t>> Parser::modeList() {
  if (!accept("["))
    return syntax("'['");
  llvm::SmallVector<int32_t> modes;
  if (accept("]"))
    return modes;
  do {
    FLY_TRY(mode, integer());
    if (mode < 0 || mode > INT32_MAX)
      return syntax("a mode");
    modes.push_back(static_cast<int32_t>(mode));
  } while (accept(","));
  if (!accept("]"))
    return syntax("',' or ']'");
  return modes;
}

Result<CoordSwizzle> Parser::coordSwizzle() {
  if (!accept("CS<"))
    return syntax("'CS<'");
  FLY_TRY(mask, integer());
  if (!accept(","))
    return syntax("','");
  FLY_TRY(baseRow, integer());
  if (!accept(","))
    return syntax("','");
  FLY_TRY(modeRow, modeList());
  if (!accept(","))
    return syntax("','");
  FLY_TRY(baseCol, integer());
  if (!accept(","))
    return syntax("','");
  FLY_TRY(modeCol, modeList());
  if (!accept(">"))
    return syntax("'>'");
  return CoordSwizzle::get(mask, baseRow, modeRow, baseCol, modeCol);
}

Result<InnerMap> Parser::inner() {
  if (peek("S<")) {
    FLY_TRY(map, swizzle());
    return InnerMap(map);
  }
  if (peek("CS<")) {
    FLY_TRY(map, coordSwizzle());
    return InnerMap(std::move(map));
  }
  FLY_TRY(map, plainLayout());
  return InnerMap(AnyLayout(std::move(map)));
}

Result<AnyLayout> Parser::anyLayout(unsigned level) {
  if (level > maxDepth)
    return tooDeep();
  FLY_TRY(map, inner());
  if (!peek("o") && !std::holds_alternative<AnyLayout>(map))
    return syntax("'o'");
  unsigned repetitions = 0;
  while (accept("o")) {
    if (++repetitions + level > maxDepth)
      return tooDeep();
    FLY_TRY(offset, tuple());
    if (!accept("o"))
      return syntax("'o'");
    AnyLayout outer;
    if (accept("[")) {
      FLY_TRY_SET(outer, anyLayout(level + 1));
      if (!accept("]"))
        return syntax("']'");
    } else {
      FLY_TRY(plain, plainLayout());
      outer = std::move(plain);
    }
    map = AnyLayout(
        ComposedLayout(std::move(map), std::move(offset), std::move(outer)));
  }
  return std::get<AnyLayout>(map);
}

Result<Tile> Parser::tile(unsigned level) {
  if (level > maxDepth)
    return tooDeep();
  if (accept("[")) {
    std::vector<Tile> elements;
    do {
      FLY_TRY(element, tile(level + 1));
      elements.push_back(std::move(element));
    } while (accept("|"));
    if (!accept("]"))
      return syntax("'|' or ']'");
    return Tile::list(elements);
  }
  FLY_TRY(first, tuple());
  if (accept(":")) {
    FLY_TRY(stride, tuple());
    FLY_TRY(layout, Layout::get(std::move(first), std::move(stride)));
    return Tile(std::move(layout));
  }
  if (!first.isLeaf() || first.hasBasis())
    return syntax("':'");
  return Tile(first.getInt());
}

Result<IntTuple> fly::layout::parseIntTuple(llvm::StringRef text,
                                            unsigned *nextSymbol) {
  Parser parser(text, nextSymbol);
  return parser.finish(parser.tuple());
}

Result<Layout> fly::layout::parseLayout(llvm::StringRef text,
                                        unsigned *nextSymbol) {
  Parser parser(text, nextSymbol);
  return parser.finish(parser.plainLayout());
}

Result<AnyLayout> fly::layout::parseAnyLayout(llvm::StringRef text,
                                              unsigned *nextSymbol) {
  Parser parser(text, nextSymbol);
  return parser.finish(parser.anyLayout());
}

Result<Tile> fly::layout::parseTile(llvm::StringRef text,
                                    unsigned *nextSymbol) {
  Parser parser(text, nextSymbol);
  return parser.finish(parser.tile());
}

Result<Swizzle> fly::layout::parseSwizzle(llvm::StringRef text) {
  Parser parser(text, nullptr);
  return parser.finish(parser.swizzle());
}

Result<CoordSwizzle> fly::layout::parseCoordSwizzle(llvm::StringRef text) {
  Parser parser(text, nullptr);
  return parser.finish(parser.coordSwizzle());
}
