// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bound on nested text.

#include "Fly/Dialect/Fly/IR/NestedParsing.h"
#include "Fly/Dialect/Fly/IR/FlyAttrs.h"

using namespace mlir;

/// The bracket that brings the nesting above `limit`, or null. The text ends at
/// `end`; without one it ends at a zero byte and at the bracket that closes
/// what it stands in. Brackets in strings and comments do not count.
static const char *findDeepNesting(const char *text, const char *end,
                                   int32_t limit) {
  int32_t depth = 0;
  char before = 0;
  auto atEnd = [&] { return end ? text == end : *text == 0; };
  auto skipTo = [&](StringRef stop) {
    while (!atEnd() && !stop.contains(*text))
      ++text;
  };
  for (; !atEnd(); before = *text++) {
    switch (*text) {
    case '<':
    case '(':
    case '[':
    case '{':
      if (++depth > limit)
        return text;
      continue;
    case '>':
      // Neither the head of an arrow nor a comparison.
      if (before == '-' || (text + 1 != end && text[1] == '='))
        continue;
      [[fallthrough]];
    case ')':
    case ']':
    case '}':
      if (--depth >= 0)
        continue;
      if (!end)
        return nullptr;
      depth = 0;
      continue;
    case '"':
      for (++text; !atEnd() && *text != '"' && *text != '\n'; ++text)
        if (*text == '\\' && text + 1 != end && text[1])
          ++text;
      break;
    case '/':
      if (before == '/')
        skipTo("\n");
      break;
    default:
      continue;
    }
    if (atEnd())
      return nullptr;
  }
  return nullptr;
}

const char *fly::findDeepNesting(StringRef text) {
  return ::findDeepNesting(text.begin(), text.end(), kMaxTextNesting);
}

static ParseResult checkNesting(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  if (!::findDeepNesting(loc.getPointer(), nullptr, fly::kMaxNesting))
    return success();
  return parser.emitError(loc, "types and attributes are nested deeper than ")
         << fly::kMaxNesting << " levels";
}

ParseResult fly::parseNestedType(AsmParser &parser, Type &result) {
  return failure(checkNesting(parser) || parser.parseType(result));
}

ParseResult fly::parseNestedAttribute(AsmParser &parser, Attribute &result) {
  return failure(checkNesting(parser) || parser.parseAttribute(result));
}
