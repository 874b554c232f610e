// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf of kernels: the formatting, against C's own printf.

#include "cpu/Print.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace fly::cpu;

static PrintArgument number(int64_t value) {
  return {uint64_t(value), "", false};
}
static PrintArgument real(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return {bits, "", false};
}
static PrintArgument text(std::string value) { return {0, value, true}; }

TEST(FormatPrint, Integers) {
  // A 32-bit value arrives zero extended.
  EXPECT_EQ(formatPrint("%d|%i|%u", {number(0xfffffff9), number(7), number(-1)}),
            "-7|7|4294967295");
  EXPECT_EQ(formatPrint("%ld %lld %lu", {number(INT64_MIN), number(-5),
                                         number(-1)}),
            "-9223372036854775808 -5 18446744073709551615");
  EXPECT_EQ(formatPrint("%+05d|%-6d|%6d|% d", {number(42), number(42),
                                               number(-42), number(42)}),
            "+0042|42    |   -42| 42");
  EXPECT_EQ(formatPrint("%x %X %#x %o %hx", {number(255), number(255),
                                             number(255), number(8),
                                             number(0xfff9)}),
            "ff FF 0xff 10 fff9");
  EXPECT_EQ(formatPrint("%hhd %hd %hd %hhu %hhx",
                        {number(0xff), number(0xfffe), number(70000),
                         number(70000), number(-1)}),
            "-1 -2 4464 112 ff");
  EXPECT_EQ(formatPrint("%c%c", {number('o'), number('k')}), "ok");
}

TEST(FormatPrint, Reals) {
  EXPECT_EQ(formatPrint("%f %.2lf %e %g %a", {real(1.5), real(2.345), real(1e10),
                                              real(0.25), real(1.0)}),
            "1.500000 2.35 1.000000e+10 0.25 0x1p+0");
  EXPECT_EQ(formatPrint("%8.3f|%-8.1f|", {real(-3.14159), real(2.0)}),
            "  -3.142|2.0     |");
  EXPECT_EQ(formatPrint("%f %f", {real(1.0 / 0.0), real(-1.0 / 0.0)}),
            "inf -inf");
}

TEST(FormatPrint, WidthsFromArguments) {
  EXPECT_EQ(formatPrint("%*d|", {number(5), number(1)}), "    1|");
  EXPECT_EQ(formatPrint("%*d|", {number(-5), number(1)}), "1    |");
  EXPECT_EQ(formatPrint("%.*f", {number(3), real(1.0)}), "1.000");
  EXPECT_EQ(formatPrint("%.*f", {number(-3), real(1.0)}), "1.000000");
  // Bounded, whatever is asked for.
  EXPECT_EQ(formatPrint("%2000000000d", {number(1)}).size(), size_t(1) << 16);
  EXPECT_EQ(formatPrint("%*d", {number(INT32_MAX), number(1)}).size(),
            size_t(1) << 16);
}

TEST(FormatPrint, Texts) {
  EXPECT_EQ(formatPrint("%s and %5s", {text("one"), text("two")}),
            "one and   two");
  // C leaves these undefined.
  EXPECT_EQ(formatPrint("%s %d", {number(3), text("three")}), "? ?");
}

TEST(FormatPrint, WhatIsNoConversion) {
  EXPECT_EQ(formatPrint("100%% %q %", {}), "100% %q %");
  EXPECT_EQ(formatPrint("%d %f", {number(1)}), "1 %f");
  EXPECT_EQ(formatPrint("%n", {number(1)}), "%n");
  EXPECT_EQ(formatPrint("", {number(1)}), "");
  EXPECT_EQ(formatPrint("%-", {}), "%-");
}
