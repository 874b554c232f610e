// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A message is collected by the thread that runs the lane, which does not
// suspend in between, and written in one piece, so that messages of lanes on
// several threads do not mix.

#include "Print.h"

#include <cstdio>
#include <cstring>
#include <optional>

using namespace fly::cpu;

//===----------------------------------------------------------------------===//
// Formatting
//===----------------------------------------------------------------------===//

namespace {
/// One conversion of a format: "%-08.3lf".
struct Conversion {
  std::string flags;
  std::optional<int> width, precision;
  bool widthIsArgument = false, precisionIsArgument = false;
  unsigned bits = 32; ///< of an integer: 8 (hh), 16 (h), 32, or 64 (l, ll, z, j, t)
  char kind = 0;
};
} // namespace

/// The largest width or precision that is honoured; keeps a message finite.
static constexpr int kMaxWidth = 1 << 16;

static std::optional<int> readNumber(const char *&p) {
  if (*p < '0' || *p > '9')
    return std::nullopt;
  int number = 0;
  for (; *p >= '0' && *p <= '9'; ++p)
    number = number < kMaxWidth ? number * 10 + (*p - '0') : kMaxWidth;
  return number < kMaxWidth ? number : kMaxWidth;
}

/// Reads the conversion behind a '%' and moves `p` past it; nothing if it is
/// none of printf's.
static std::optional<Conversion> readConversion(const char *&p) {
  Conversion c;
  const char *at = p;
  while (*at && std::strchr("-+ #0", *at))
    c.flags += *at++;
  if (*at == '*') {
    c.widthIsArgument = true;
    ++at;
  } else {
    c.width = readNumber(at);
  }
  if (*at == '.') {
    ++at;
    if (*at == '*') {
      c.precisionIsArgument = true;
      ++at;
    } else {
      c.precision = readNumber(at).value_or(0);
    }
  }
  for (; *at && std::strchr("hlLzjt", *at); ++at)
    c.bits = *at != 'h' ? 64 : c.bits == 16 ? 8 : 16;
  if (!*at || !std::strchr("diouxXcfFeEgGaAps", *at))
    return std::nullopt;
  c.kind = *at++;
  p = at;
  return c;
}

/// What C's printf makes of `value` with the flags of `c` and the length
/// modifier that T needs.
template <typename T>
static std::string callPrintf(const Conversion &c, const char *length,
                              T value) {
  std::string spec = "%" + c.flags;
  if (c.width)
    spec += std::to_string(*c.width);
  if (c.precision)
    spec += "." + std::to_string(*c.precision);
  spec += length;
  spec += c.kind;
  int size = std::snprintf(nullptr, 0, spec.c_str(), value);
  if (size < 0)
    return "";
  std::string text(size_t(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), spec.c_str(), value);
  text.resize(size_t(size));
  return text;
}

static std::string formatOne(Conversion c, const PrintArgument &argument) {
  if (argument.isText || c.kind == 's') {
    // A number for %s, or a text for %d: C leaves it undefined.
    bool fits = argument.isText && c.kind == 's';
    c.kind = 's';
    return callPrintf(c, "", fits ? argument.text.c_str() : "?");
  }
  uint64_t bits = argument.bits;
  // The value's own bits, sign or zero extended.
  unsigned unused = 64 - c.bits;
  switch (c.kind) {
  case 'd':
  case 'i':
    return callPrintf(
        c, "ll", static_cast<long long>(int64_t(bits << unused) >> unused));
  case 'o':
  case 'u':
  case 'x':
  case 'X':
    return callPrintf(
        c, "ll", static_cast<unsigned long long>((bits << unused) >> unused));
  case 'c':
    return callPrintf(c, "", static_cast<int>(bits & 0xff));
  case 'p':
    return callPrintf(c, "", reinterpret_cast<void *>(bits));
  default: {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return callPrintf(c, "", value);
  }
  }
}

std::string fly::cpu::formatPrint(const std::string &format,
                                  const std::vector<PrintArgument> &arguments) {
  std::string text;
  size_t next = 0;
  // The width or precision that an argument gives.
  auto number = [&]() -> std::optional<int> {
    if (next == arguments.size())
      return std::nullopt;
    int32_t value = int32_t(arguments[next++].bits);
    return value > kMaxWidth    ? kMaxWidth
           : value < -kMaxWidth ? -kMaxWidth
                                : value;
  };
  for (const char *p = format.c_str(); *p;) {
    if (*p != '%') {
      text += *p++;
      continue;
    }
    const char *begin = p++;
    if (*p == '%') {
      text += *p++;
      continue;
    }
    std::optional<Conversion> c = readConversion(p);
    if (!c) {
      text += '%';
      continue;
    }
    if (c->widthIsArgument) {
      c->width = number();
      if (c->width && *c->width < 0) {
        c->flags += '-';
        c->width = -*c->width;
      }
    }
    if (c->precisionIsArgument) {
      c->precision = number();
      if (c->precision && *c->precision < 0)
        c->precision.reset();
    }
    if (next == arguments.size()) {
      text.append(begin, p);
      continue;
    }
    text += formatOne(*c, arguments[next++]);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {
struct Message {
  bool hasFormat = false;
  std::string format;
  std::vector<PrintArgument> arguments;
};
} // namespace

/// That of the lane that runs on this thread. A lane that faults within a
/// message leaves it behind; the next one begins anew.
static thread_local Message current;

static void write() {
  std::string text = formatPrint(current.format, current.arguments);
  // One call, one lock of the stream.
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

uint64_t fly::cpu::printBegin(uint64_t) {
  current = Message();
  return 1;
}

uint64_t fly::cpu::printString(uint64_t message, const char *text,
                               uint64_t bytes, uint32_t isLast) {
  // The length counts the zero byte at the end.
  std::string piece(text, bytes ? size_t(bytes) - 1 : 0);
  if (!current.hasFormat) {
    current.hasFormat = true;
    current.format = std::move(piece);
  } else {
    current.arguments.push_back({0, std::move(piece), true});
  }
  if (isLast)
    write();
  return message;
}

uint64_t fly::cpu::printValues(uint64_t message, uint32_t count, uint64_t v0,
                               uint64_t v1, uint64_t v2, uint64_t v3,
                               uint64_t v4, uint64_t v5, uint64_t v6,
                               uint32_t isLast) {
  const uint64_t values[] = {v0, v1, v2, v3, v4, v5, v6};
  for (uint32_t i = 0; i < count && i < 7; ++i)
    current.arguments.push_back({values[i], "", false});
  if (isLast)
    write();
  return message;
}
