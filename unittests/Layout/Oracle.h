// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the property tests know of layouts: nothing but the definition. Plain
// numbers, every coordinate visited, no use of the operations under test.

#ifndef FLY_UNITTESTS_LAYOUT_ORACLE_H
#define FLY_UNITTESTS_LAYOUT_ORACLE_H

#include "Fly/Layout/Layout.h"

#include <map>
#include <random>
#include <vector>

namespace fly::layout::test {

/// An index: one number per coordinate path ({} for integer strides).
using Index = std::map<std::vector<int32_t>, int64_t>;

/// Sizes and strides on numbers.
struct PlainLayout {
  struct Mode {
    int64_t size;
    int64_t stride;
    std::vector<int32_t> path;
  };
  std::vector<Mode> modes;

  int64_t size() const;
  /// Index of the column-major number `c`; the last mode is unbounded.
  Index at(int64_t c) const;
  /// The same where all strides are integers.
  int64_t indexAt(int64_t c) const;
};

/// Values of symbols by their id.
using Assignment = std::map<unsigned, int64_t>;

/// Reads a layout, with run-time leaves evaluated under `values`.
PlainLayout plain(const Layout &layout, const Assignment &values = {});
/// A leaf under `values`; records a test failure if it cannot be evaluated.
int64_t number(const Int &value, const Assignment &values = {});

/// Random inputs from a fixed seed.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  int64_t between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <typename T>
  const T &pick(const std::vector<T> &from) {
    return from[between(0, from.size() - 1)];
  }

  /// A shape of at most `maxLeaves` leaves and `maxSize` elements.
  IntTuple shape(int maxLeaves, int64_t maxSize);
  /// Strides for `shape`: packed in a random order, with gaps, zeros,
  /// repetitions or negative ones now and then.
  IntTuple strides(const IntTuple &shape, bool tame = false);
  Layout layout(int maxLeaves, int64_t maxSize, bool tame = false);
  /// The tuple with some leaves turned into symbols that `values` gives their
  /// number. Basis leaves stay.
  IntTuple symbolic(const IntTuple &tuple, Assignment &values, int percent);
  Layout symbolic(const Layout &layout, Assignment &values, int percent);

private:
  std::mt19937_64 engine;
};

} // namespace fly::layout::test

#endif // FLY_UNITTESTS_LAYOUT_ORACLE_H
