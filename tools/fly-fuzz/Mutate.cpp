// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of texts and bytes.

#include "Mutate.h"

#include "OpTable.h"
#include "TypeText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <vector>

using namespace fly::fuzz;
using llvm::StringRef;

namespace {

/// A piece of a text.
struct Span {
  size_t begin, end;
};

using Spans = std::vector<Span>;

} // namespace

static bool isName(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

/// All pieces that start with `prefix` and go on with name characters.
static Spans findNames(StringRef text, StringRef prefix) {
  Spans spans;
  for (size_t at = text.find(prefix); at != StringRef::npos;
       at = text.find(prefix, at + 1)) {
    size_t end = at + prefix.size();
    while (end < text.size() && isName(text[end]))
      ++end;
    spans.push_back({at, end});
  }
  return spans;
}

static Spans findNumbers(StringRef text) {
  Spans spans;
  for (size_t i = 0; i < text.size(); ++i) {
    // MLIR takes memory for as many results as the number of one says.
    if (!llvm::isDigit(text[i]) ||
        (i > 0 && (isName(text[i - 1]) || text[i - 1] == '#')))
      continue;
    size_t end = i;
    while (end < text.size() && llvm::isDigit(text[end]))
      ++end;
    spans.push_back({i, end});
    i = end;
  }
  return spans;
}

/// Types of this dialect, up to the bracket that closes them.
static Spans findTypes(StringRef text) {
  Spans spans;
  for (Span name : findNames(text, "!fly.")) {
    size_t end = name.end;
    if (end == text.size() || text[end] != '<')
      continue;
    int depth = 0;
    for (; end < text.size(); ++end) {
      if (text[end] == '<')
        ++depth;
      else if (text[end] == '>' && text[end - 1] != '-' && --depth == 0)
        break;
    }
    spans.push_back({name.begin, std::min(end + 1, text.size())});
  }
  return spans;
}

static Spans findLines(StringRef text) {
  Spans spans;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    spans.push_back({begin, end});
    begin = end;
  }
  return spans;
}

static void replace(std::string &text, Span span, StringRef by) {
  text.replace(span.begin, span.end - span.begin, by.str());
}

static StringRef get(const std::string &text, Span span) {
  return StringRef(text).slice(span.begin, span.end);
}

/// All equal types at once, or one of them: the former often stays valid.
static void changeType(std::string &text, Random &random, bool everywhere) {
  Spans types = findTypes(text);
  if (types.empty())
    return;
  TypeText source(random);
  std::string old = get(text, random.pick(types)).str();
  std::string by =
      random.chance(30)
          ? get(text, random.pick(types)).str()
          : source.type(static_cast<Kind>(random.pick(StringRef(allKinds))));
  // Of the same sort, mostly.
  for (int i = 0; i < 20 && random.chance(95); ++i) {
    if (StringRef(old).take_until([](char c) { return c == '<'; }) ==
        StringRef(by).take_until([](char c) { return c == '<'; }))
      break;
    by = source.type(static_cast<Kind>(random.pick(StringRef(allKinds))));
  }
  if (!everywhere) {
    replace(text, random.pick(types), by);
    return;
  }
  for (size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
}

static void changeNumber(std::string &text, Random &random) {
  static const std::vector<std::string> numbers{
      "0",  "1",  "2",     "3",          "4",          "8",
      "16", "-1", "65536", "2147483648", "4294967296", "9223372036854775807",
      "?",  "*"};
  Spans found = findNumbers(text);
  if (found.empty())
    return;
  Span span = random.pick(found);
  std::string old = get(text, span).str(), by = random.pick(numbers);
  if (!random.chance(40)) {
    replace(text, span, by);
    return;
  }
  // The same number is the same extent as a rule.
  for (size_t i = found.size(); i-- > 0;)
    if (get(text, found[i]) == old)
      replace(text, found[i], by);
}

static void changeOnce(std::string &text, Random &random) {
  if (text.empty())
    return;
  switch (random.below(9)) {
  case 0:
    return changeType(text, random, /*everywhere=*/false);
  case 1:
  case 2:
    return changeType(text, random, /*everywhere=*/true);
  case 3:
  case 4:
    return changeNumber(text, random);
  case 5: { // Another operand.
    Spans names = findNames(text, "%");
    if (!names.empty())
      replace(text, random.pick(names), get(text, random.pick(names)).str());
    return;
  }
  case 6: { // Another operation.
    Spans names = findNames(text, "fly.");
    if (!names.empty())
      replace(text, random.pick(names), random.pick(getOpTable()).name);
    return;
  }
  case 7: { // A line lost, doubled or moved.
    Spans lines = findLines(text);
    Span line = random.pick(lines);
    std::string moved = get(text, line).str();
    if (random.chance(60))
      replace(text, line, "");
    if (random.chance(60))
      text.insert(std::min(random.pick(lines).begin, text.size()), moved);
    return;
  }
  default: { // A few characters.
    size_t at = random.below(text.size());
    static constexpr char characters[] = "<>(){}[],:?*%!#@\"0123-+=oES";
    if (random.chance(40))
      text.erase(at, random.between(1, 8));
    else if (random.chance(50))
      text.insert(at, 1, characters[random.below(sizeof characters - 1)]);
    else
      text[at] = characters[random.below(sizeof characters - 1)];
  }
  }
}

std::string fly::fuzz::mutateText(StringRef text, Random &random) {
  std::string result = text.str();
  for (int i = random.between(1, 3); i > 0; --i)
    changeOnce(result, random);
  return result;
}

/// The pieces of bytecode that hold the text of a type or attribute.
static Spans findTexts(StringRef bytes) {
  Spans texts;
  for (size_t begin = 0; begin < bytes.size();) {
    size_t end = begin;
    while (end < bytes.size() && llvm::isPrint(bytes[end]))
      ++end;
    if (end - begin >= 6 && bytes.slice(begin, end).contains('<'))
      texts.push_back({begin, end});
    begin = end + 1;
  }
  return texts;
}

std::string fly::fuzz::mutateBytes(StringRef bytes, Random &random) {
  std::string result = bytes.str();
  Spans texts = findTexts(bytes);
  if (texts.empty())
    return result;
  static constexpr char characters[] = "<>(),[]:?*|E0123456789-o ";
  for (int i = random.between(1, 6); i > 0; --i) {
    Span text = random.pick(texts);
    result[text.begin + random.below(text.end - text.begin)] =
        random.chance(90) ? characters[random.below(sizeof characters - 1)]
                          : static_cast<char>(random.next());
  }
  return result;
}
