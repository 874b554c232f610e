// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search for a left inverse.
//
// A layout R of the sizes n1, n2, ... and strides r1, r2, ... maps an index to
// the sum of its digits times the r's. For given sizes, R(index) = number is a
// linear equation in the r's for every coordinate. Any R can be written with
// prime sizes, so the sizes are tried prime by prime, from the lowest digit on.
// Indices that agree in what is above the digits so far give equations for the
// r's so far, and these cut most branches short.

#include "InverseSearch.h"

#include "Fly/Layout/Algebra.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fly::layout;

/// Of so many coordinates all are looked at; of more, a selection, and what is
/// found is checked by composition.
static constexpr int64_t pointLimit = 1024;
/// Steps of the search: one per coordinate and choice of sizes.
static constexpr int64_t stepLimit = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Integer solutions of linear equations
//===----------------------------------------------------------------------===//

namespace {

/// All integer solutions of the equations added so far: one of them and a
/// basis of the differences.
class Solutions {
public:
  enum class State { Some, None, Overflow };

  const std::vector<int64_t> &any() const { return solution; }

  void addUnknown() {
    for (std::vector<int64_t> &direction : basis)
      direction.push_back(0);
    solution.push_back(0);
    basis.emplace_back(solution.size(), 0);
    basis.back().back() = 1;
  }

  /// Adds the equation factors * unknowns = value.
  State add(llvm::ArrayRef<int64_t> factors, int64_t value) {
    auto here = dot(factors, solution);
    auto missing = here ? subChecked(value, *here) : std::nullopt;
    if (!missing)
      return State::Overflow;
    llvm::SmallVector<int64_t> along;
    for (const std::vector<int64_t> &direction : basis) {
      auto product = dot(factors, direction);
      if (!product)
        return State::Overflow;
      along.push_back(*product);
    }
    // Euclid on the directions, until one of them changes the left side.
    size_t pivot = basis.size();
    for (size_t i = 0; i < basis.size(); ++i) {
      if (along[i] == 0)
        continue;
      if (pivot == basis.size()) {
        pivot = i;
        continue;
      }
      size_t other = i;
      while (along[other] != 0) {
        if (!subtract(basis[pivot], along[pivot] / along[other], basis[other]))
          return State::Overflow;
        along[pivot] %= along[other];
        std::swap(pivot, other);
      }
    }
    if (pivot == basis.size())
      return *missing == 0 ? State::Some : State::None;
    if (*missing % along[pivot] != 0)
      return State::None;
    if (!subtract(solution, -(*missing / along[pivot]), basis[pivot]))
      return State::Overflow;
    basis.erase(basis.begin() + pivot);
    return State::Some;
  }

private:
  static std::optional<int64_t> dot(llvm::ArrayRef<int64_t> a,
                                    llvm::ArrayRef<int64_t> b) {
    int64_t sum = 0;
    for (auto [x, y] : llvm::zip(a, b)) {
      auto product = mulChecked(x, y);
      auto next = product ? addChecked(sum, *product) : std::nullopt;
      if (!next)
        return std::nullopt;
      sum = *next;
    }
    return sum;
  }

  /// a -= times * b; false beyond 64 bits.
  static bool subtract(std::vector<int64_t> &a, int64_t times,
                       llvm::ArrayRef<int64_t> b) {
    for (size_t i = 0; i < a.size(); ++i) {
      auto product = mulChecked(times, b[i]);
      auto next = product ? subChecked(a[i], *product) : std::nullopt;
      if (!next)
        return false;
      a[i] = *next;
    }
    return true;
  }

  std::vector<int64_t> solution;
  std::vector<std::vector<int64_t>> basis;
};

/// The index of a coordinate and its number.
struct Point {
  int64_t index, number;
};

class InverseSearch {
public:
  InverseSearch(llvm::ArrayRef<NumberedMode> modes) : modes(modes) {}

  InverseSearchResult run();

private:
  bool collectPoints(bool all);
  void addPoint(llvm::ArrayRef<int64_t> coord);
  std::optional<Layout> search();
  std::optional<Layout> extend(int64_t extent, const Solutions &solutions);
  std::optional<Layout> finish(int64_t extent, Solutions solutions);
  bool accept(const Layout &candidate) const;
  /// The digits of an index below `extent`, and what is above.
  llvm::SmallVector<int64_t> digitsOf(int64_t index, bool withRest) const;

  llvm::ArrayRef<NumberedMode> modes;
  std::vector<Point> points;
  /// Prime sizes chosen so far.
  llvm::SmallVector<int64_t> sizes;
  std::vector<int64_t> primes;
  int64_t largest = 0;
  int64_t steps = 0;
  bool complete = false;
  bool isKnown = true;
};

} // namespace

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

/// Indices and numbers are within 64 bits: `run` has checked their reach.
void InverseSearch::addPoint(llvm::ArrayRef<int64_t> coord) {
  Point point{0, 0};
  for (auto [mode, c] : llvm::zip(modes, coord)) {
    point.index += c * mode.stride;
    point.number += c * mode.number;
  }
  points.push_back(point);
}

/// All coordinates, or those with one or two coordinates away from 0, both at
/// the ends and next to them.
bool InverseSearch::collectPoints(bool all) {
  int64_t count = 1;
  for (const NumberedMode &mode : modes)
    count = std::min(mulChecked(count, mode.size).value_or(INT64_MAX),
                     int64_t(1) << 40);
  complete = count <= pointLimit || (all && count <= 64 * pointLimit);
  if (all && !complete)
    return false;
  points.clear();
  llvm::SmallVector<int64_t> coord(modes.size(), 0);
  if (complete) {
    for (int64_t i = 0; i < count; ++i) {
      addPoint(coord);
      for (size_t k = 0; k < coord.size(); ++k) {
        if (++coord[k] < modes[k].size)
          break;
        coord[k] = 0;
      }
    }
  } else {
    addPoint(coord);
    auto choices = [&](size_t k) {
      llvm::SmallVector<int64_t> result;
      for (int64_t c :
           {int64_t(1), int64_t(2), modes[k].size / 2, modes[k].size - 1})
        if (c > 0 && c < modes[k].size && !llvm::is_contained(result, c))
          result.push_back(c);
      return result;
    };
    size_t axes = std::min<size_t>(modes.size(), 16);
    for (size_t k = 0; k < axes; ++k)
      for (int64_t c : choices(k)) {
        coord[k] = c;
        addPoint(coord);
        for (size_t j = k + 1; j < axes; ++j) {
          for (int64_t d : {int64_t(1), modes[j].size - 1}) {
            coord[j] = d;
            addPoint(coord);
          }
          coord[j] = 0;
        }
        coord[k] = 0;
      }
    for (size_t k = 0; k < modes.size(); ++k)
      coord[k] = modes[k].size - 1;
    addPoint(coord);
  }
  llvm::sort(points, [](const Point &a, const Point &b) {
    return a.index != b.index ? a.index < b.index : a.number < b.number;
  });
  // A selection may name a coordinate twice.
  points.erase(std::unique(points.begin(), points.end(),
                           [](const Point &a, const Point &b) {
                             return a.number == b.number;
                           }),
               points.end());
  largest = std::max(points.back().index, -points.front().index);
  return true;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

llvm::SmallVector<int64_t> InverseSearch::digitsOf(int64_t index,
                                                   bool withRest) const {
  llvm::SmallVector<int64_t> digits;
  for (int64_t size : sizes) {
    digits.push_back(index % size);
    index /= size;
  }
  if (withRest)
    digits.push_back(index);
  return digits;
}

/// Takes what is above the digits as the last one, which has no end.
std::optional<Layout> InverseSearch::finish(int64_t extent,
                                            Solutions solutions) {
  solutions.addUnknown();
  std::optional<int64_t> last;
  for (const Point &point : points) {
    // Of the same rest one is enough: the others were compared before.
    int64_t rest = point.index / extent;
    if (last == rest)
      continue;
    last = rest;
    switch (solutions.add(digitsOf(point.index, true), point.number)) {
    case Solutions::State::Some:
      continue;
    case Solutions::State::Overflow:
      isKnown = false;
      return std::nullopt;
    case Solutions::State::None:
      return std::nullopt;
    }
  }
  ModeList found;
  for (auto [i, stride] : llvm::enumerate(solutions.any())) {
    int64_t size = i < sizes.size() ? sizes[i] : largest / extent + 1;
    found.push_back({Int::constant(size), Leaf(Int::constant(stride))});
  }
  auto inverse = coalesce(fromModes(found));
  if (!inverse || !accept(*inverse)) {
    isKnown = false;
    return std::nullopt;
  }
  return *inverse;
}

std::optional<Layout> InverseSearch::extend(int64_t extent,
                                            const Solutions &solutions) {
  steps += points.size();
  if (steps > stepLimit) {
    isKnown = false;
    return std::nullopt;
  }
  if (auto found = finish(extent, solutions))
    return found;
  for (int64_t prime : primes) {
    if (prime > largest / extent || steps > stepLimit)
      break;
    Solutions next = solutions;
    next.addUnknown();
    sizes.push_back(prime);
    int64_t above = extent * prime;
    auto state = Solutions::State::Some;
    steps += points.size();
    for (size_t i = 1; i < points.size() && state == Solutions::State::Some;
         ++i) {
      int64_t a = points[i - 1].index, b = points[i].index;
      if (a / above != b / above || a / extent == b / extent)
        continue;
      llvm::SmallVector<int64_t> low = digitsOf(a, false),
                                 high = digitsOf(b, false);
      for (auto [h, l] : llvm::zip(high, low))
        h -= l;
      state = next.add(high, points[i].number - points[i - 1].number);
    }
    isKnown &= state != Solutions::State::Overflow;
    if (state == Solutions::State::Some)
      if (auto found = extend(above, next))
        return found;
    sizes.pop_back();
  }
  return std::nullopt;
}

/// Composition decides for all coordinates, also those that were not looked at.
bool InverseSearch::accept(const Layout &candidate) const {
  if (complete)
    return true;
  ModeList layout;
  for (const NumberedMode &mode : modes)
    layout.push_back({Int::constant(mode.size), Int::constant(mode.stride)});
  auto numbers = composition(candidate, fromModes(layout));
  if (!numbers || numbers->rank() != modes.size())
    return false;
  for (auto [i, mode] : llvm::enumerate(modes))
    if ((*numbers)[i] != Layout(mode.size, mode.number))
      return false;
  return true;
}

std::optional<Layout> InverseSearch::search() {
  // Sieve; a prime above the largest index makes no other digit.
  int64_t bound = std::min<int64_t>(largest, int64_t(1) << 16);
  if (bound < largest)
    isKnown = false;
  std::vector<bool> composite(bound + 1, false);
  primes.clear();
  for (int64_t n = 2; n <= bound; ++n) {
    if (composite[n])
      continue;
    primes.push_back(n);
    for (int64_t m = n * n; m <= bound; m += n)
      composite[m] = true;
  }
  return extend(1, Solutions());
}

InverseSearchResult InverseSearch::run() {
  InverseSearchResult result;
  for (bool number : {false, true}) {
    int64_t reach = 0;
    for (const NumberedMode &mode : modes) {
      auto part = mulChecked(mode.size - 1, number ? mode.number : mode.stride);
      auto sum = part && *part != INT64_MIN ? addChecked(reach, std::abs(*part))
                                            : std::nullopt;
      if (!sum) {
        result.isKnown = false;
        return result;
      }
      reach = *sum;
    }
  }
  for (bool all : {false, true}) {
    if (!collectPoints(all))
      break;
    for (size_t i = 1; i < points.size(); ++i)
      if (points[i - 1].index == points[i].index) {
        result.collision = {points[i - 1].number, points[i].number};
        return result;
      }
    isKnown = true;
    steps = 0;
    result.inverse = search();
    result.isKnown = isKnown;
    if (result.inverse || isKnown || complete)
      return result;
  }
  return result;
}

InverseSearchResult
fly::layout::searchLeftInverse(llvm::ArrayRef<NumberedMode> modes) {
  return InverseSearch(modes).run();
}
