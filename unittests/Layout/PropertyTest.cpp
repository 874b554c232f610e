// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the properties. The seeds are fixed; FLY_PROPERTY_CASE=n runs only case
// n of each, to look into a failure.

#include "Property.h"

#include <cstdlib>

using namespace fly::layout;
using namespace fly::layout::test;

std::vector<Property> &test::allProperties() {
  static std::vector<Property> properties;
  return properties;
}

/// FNV-1a of the name, so that a property keeps its inputs whatever else is
/// registered.
static uint64_t seedOf(const Property &property, int64_t number) {
  uint64_t hash = 14695981039346656037u;
  for (const char *c = property.name; *c; ++c)
    hash = (hash ^ static_cast<unsigned char>(*c)) * 1099511628211u;
  return hash + static_cast<uint64_t>(number);
}

namespace {
class Properties : public ::testing::TestWithParam<Property> {};
} // namespace

TEST_P(Properties, Hold) {
  const Property &property = GetParam();
  const char *only = std::getenv("FLY_PROPERTY_CASE");
  std::map<std::string, int64_t> refusals;
  int64_t cases = 0, refused = 0, skipped = 0;
  for (int64_t i = only ? std::atoll(only) : 0; i < property.cases; ++i) {
    Trial trial(seedOf(property, i), refusals);
    property.check(trial);
    ASSERT_FALSE(HasFailure())
        << property.name << " case " << i << ": " << trial.getText();
    ++cases;
    refused += trial.isRefused;
    skipped += trial.isSkipped;
    if (only)
      return;
  }
  std::string text;
  for (auto &[label, count] : refusals)
    text += " " + label + " " + std::to_string(count);
  std::printf("%s: %lld cases, %lld answered, %lld refused%s%s, %lld skipped\n",
              property.name, static_cast<long long>(cases),
              static_cast<long long>(cases - refused - skipped),
              static_cast<long long>(refused), text.empty() ? "" : ":",
              text.c_str(), static_cast<long long>(skipped));
  EXPECT_GE((cases - refused - skipped) * 100, cases * property.answers)
      << "too few cases of " << property.name << " get an answer";
}

INSTANTIATE_TEST_SUITE_P(Layout, Properties,
                         ::testing::ValuesIn(allProperties()),
                         [](const ::testing::TestParamInfo<Property> &info) {
                           return std::string(info.param.name);
                         });

// User report 28.
TEST(PropertyCount, HundredThousandCases) {
  int64_t cases = 0;
  for (const Property &property : allProperties())
    cases += property.cases;
  std::printf("%zu properties, %lld cases\n", allProperties().size(),
              static_cast<long long>(cases));
  EXPECT_GE(cases, 100000);
}
