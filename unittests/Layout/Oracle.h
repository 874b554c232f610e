// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the property tests know of layouts: nothing but the definition. Plain
// numbers, every coordinate visited, no use of the operations under test.

#ifndef FLY_UNITTESTS_LAYOUT_ORACLE_H
#define FLY_UNITTESTS_LAYOUT_ORACLE_H

#include "Fly/Layout/Layout.h"

#include <map>
#include <optional>
#include <random>
#include <set>
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
  /// That index of one coordinate per mode, in 128 bits.
  __int128 wideIndexAt(const std::vector<int64_t> &coord) const;
  /// `(s,...):(d,...)`
  std::string str() const;
};

/// The layout without its stride-0 modes.
PlainLayout filtered(PlainLayout layout);
/// All indices, with how often.
std::multiset<int64_t> image(const PlainLayout &layout);
bool isInjective(const PlainLayout &layout);
/// Coordinate number of a coordinate, one number per mode.
int64_t numberOf(const PlainLayout &layout, const std::vector<int64_t> &coord);
/// The coordinate of a number below the size, one number per mode.
std::vector<int64_t> coordOf(const PlainLayout &layout, int64_t number);

/// Whether a table of indices is that of some layout, by trying each first
/// mode.
bool isLayoutTable(const std::vector<Index> &table);
/// Whether some layout over the modes of B has the table A(B(c)).
bool compositionExists(const PlainLayout &a, const PlainLayout &b);
/// The indices of the smallest ordered layout that is disjoint from the image
/// of an injective layout and covers `codomain` indices from its smallest one
/// on together with it, sums unique; nothing if there is none.
std::optional<std::vector<int64_t>>
smallestComplement(const PlainLayout &layout, int64_t codomain);
/// A layout that takes each index back to its coordinate number (coordinates
/// along stride 0 at 0), found by trying all sizes; nothing if none is found.
std::optional<PlainLayout> findLeftInverse(const PlainLayout &layout);

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
  /// A layout of small sizes with strides that follow no rule.
  Layout wildLayout(int maxLeaves, int64_t maxSize, int64_t minStride,
                    int64_t maxStride);
  /// The tuple with some leaves turned into symbols that `values` gives their
  /// number. Basis leaves stay.
  IntTuple symbolic(const IntTuple &tuple, Assignment &values, int percent);
  Layout symbolic(const Layout &layout, Assignment &values, int percent);

private:
  std::mt19937_64 engine;
};

} // namespace fly::layout::test

#endif // FLY_UNITTESTS_LAYOUT_ORACLE_H
