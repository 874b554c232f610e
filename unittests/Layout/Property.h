// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties: what holds for an operation on every input, tried on random ones.
// A property registers itself with the number of its cases; the runner
// (PropertyTest.cpp) gives each case its own seed, counts answers and refusals,
// and names the case that fails.

#ifndef FLY_UNITTESTS_LAYOUT_PROPERTY_H
#define FLY_UNITTESTS_LAYOUT_PROPERTY_H

#include "Oracle.h"

#include "gtest/gtest.h"

namespace fly::layout::test {

/// One case of a property.
class Trial {
public:
  Trial(uint64_t seed, std::map<std::string, int64_t> &refusals)
      : random(seed), refusals(refusals) {}

  Random random;

  /// Says what the inputs are; shown if the case fails.
  template <typename... Parts>
  void given(const Parts &...parts) {
    text.clear();
    llvm::raw_string_ostream os(text);
    (void)std::initializer_list<int>{(os << parts << ' ', 0)...};
  }
  const std::string &getText() const { return text; }

  /// The operation gave an error. A property that calls this has shown that it
  /// had to.
  void refused(const Error &error) {
    ++refusals[error.label];
    isRefused = true;
  }
  /// The case says nothing about the operation.
  void skip() { isSkipped = true; }

  bool isRefused = false;
  bool isSkipped = false;

private:
  std::string text;
  std::map<std::string, int64_t> &refusals;
};

struct Property {
  const char *name;
  int64_t cases;
  /// At least this share of the cases gets an answer, in percent.
  int answers;
  void (*check)(Trial &);
};

/// For the messages of GoogleTest.
inline void PrintTo(const Property &property, std::ostream *os) {
  *os << property.name;
}

/// All properties, in the order of their registration.
std::vector<Property> &allProperties();

struct RegisteredProperty {
  RegisteredProperty(const Property &property) {
    allProperties().push_back(property);
  }
};

} // namespace fly::layout::test

/// FLY_PROPERTY(Name, cases, percent of answers) { ... trial ... }
#define FLY_PROPERTY(NAME, CASES, ANSWERS)                                     \
  static void check##NAME(::fly::layout::test::Trial &trial);                  \
  static const ::fly::layout::test::RegisteredProperty registered##NAME(       \
      {#NAME, CASES, ANSWERS, &check##NAME});                                  \
  static void check##NAME([[maybe_unused]] ::fly::layout::test::Trial &trial)

#endif // FLY_UNITTESTS_LAYOUT_PROPERTY_H
