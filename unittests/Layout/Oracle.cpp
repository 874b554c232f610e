// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracle and the random inputs of the property tests.

#include "Oracle.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>

using namespace fly::layout;
using namespace fly::layout::test;

int64_t PlainLayout::size() const {
  int64_t total = 1;
  for (const Mode &mode : modes)
    total *= mode.size;
  return total;
}

Index PlainLayout::at(int64_t c) const {
  Index index;
  for (size_t i = 0; i < modes.size(); ++i) {
    int64_t digit = c;
    if (i + 1 < modes.size()) {
      digit = c % modes[i].size;
      c /= modes[i].size;
    }
    int64_t &part = index[modes[i].path];
    part += digit * modes[i].stride;
  }
  for (auto it = index.begin(); it != index.end();)
    it = it->second == 0 ? index.erase(it) : std::next(it);
  return index;
}

int64_t PlainLayout::indexAt(int64_t c) const {
  Index index = at(c);
  return index.empty() ? 0 : index.begin()->second;
}

__int128 PlainLayout::wideIndexAt(const std::vector<int64_t> &coord) const {
  __int128 index = 0;
  for (size_t i = 0; i < modes.size(); ++i)
    index += __int128(coord[i]) * modes[i].stride;
  return index;
}

PlainLayout test::filtered(PlainLayout layout) {
  auto isZero = [](const PlainLayout::Mode &m) { return m.stride == 0; };
  layout.modes.erase(
      std::remove_if(layout.modes.begin(), layout.modes.end(), isZero),
      layout.modes.end());
  return layout;
}

std::multiset<int64_t> test::image(const PlainLayout &layout) {
  std::multiset<int64_t> result;
  for (int64_t c = 0; c < layout.size(); ++c)
    result.insert(layout.indexAt(c));
  return result;
}

bool test::isInjective(const PlainLayout &layout) {
  std::set<int64_t> seen;
  for (int64_t c = 0; c < layout.size(); ++c)
    if (!seen.insert(layout.indexAt(c)).second)
      return false;
  return true;
}

int64_t test::numberOf(const PlainLayout &layout,
                       const std::vector<int64_t> &coord) {
  int64_t number = 0, below = 1;
  for (size_t i = 0; i < layout.modes.size(); ++i) {
    number += coord[i] * below;
    below *= layout.modes[i].size;
  }
  return number;
}

std::vector<int64_t> test::coordOf(const PlainLayout &layout, int64_t number) {
  std::vector<int64_t> coord;
  for (const PlainLayout::Mode &mode : layout.modes) {
    coord.push_back(number % mode.size);
    number /= mode.size;
  }
  return coord;
}

//===----------------------------------------------------------------------===//
// What exists
//===----------------------------------------------------------------------===//

static Index plus(const Index &a, const Index &b, int64_t times) {
  Index result = a;
  for (auto &[path, value] : b)
    result[path] += times * value;
  for (auto it = result.begin(); it != result.end();)
    it = it->second == 0 ? result.erase(it) : std::next(it);
  return result;
}

bool test::isLayoutTable(const std::vector<Index> &table) {
  if (table.size() == 1)
    return table[0].empty();
  for (size_t first = 2; first <= table.size(); ++first) {
    if (table.size() % first != 0)
      continue;
    bool fits = table[1].size() <= 1;
    std::vector<Index> rest;
    for (size_t r = 0; fits && r < table.size() / first; ++r) {
      rest.push_back(table[r * first]);
      for (size_t c = 0; fits && c < first; ++c)
        fits = plus(rest.back(), table[1], c) == table[r * first + c];
    }
    if (fits && isLayoutTable(rest))
      return true;
  }
  return false;
}

bool test::compositionExists(const PlainLayout &a, const PlainLayout &b) {
  std::vector<std::vector<Index>> parts;
  for (const PlainLayout::Mode &mode : b.modes) {
    std::vector<Index> table;
    for (int64_t c = 0; c < mode.size; ++c)
      table.push_back(a.at(c * mode.stride));
    if (!isLayoutTable(table))
      return false;
    parts.push_back(std::move(table));
  }
  for (int64_t c = 0; c < b.size(); ++c) {
    Index sum;
    int64_t rest = c;
    for (size_t i = 0; i < parts.size(); ++i) {
      sum = plus(sum, parts[i][rest % b.modes[i].size], 1);
      rest /= b.modes[i].size;
    }
    if (sum != a.at(b.indexAt(c)))
      return false;
  }
  return true;
}

/// The smallest layout whose table begins with these ascending indices.
static std::optional<std::vector<int64_t>>
completeTable(const std::vector<int64_t> &begin) {
  if (begin.size() == 1)
    return begin;
  size_t length = 2;
  while (length < begin.size() &&
         begin[length] == static_cast<int64_t>(length) * begin[1])
    ++length;
  if (length == begin.size())
    return begin;
  std::vector<int64_t> starts;
  for (size_t i = 0; i < begin.size(); ++i) {
    if (i % length == 0)
      starts.push_back(begin[i]);
    if (begin[i] != starts.back() + begin[i % length])
      return std::nullopt;
  }
  auto outer = completeTable(starts);
  if (!outer)
    return std::nullopt;
  std::vector<int64_t> result;
  for (int64_t start : *outer)
    for (size_t i = 0; i < length; ++i)
      result.push_back(start + begin[i]);
  return result;
}

std::optional<std::vector<int64_t>>
test::smallestComplement(const PlainLayout &layout, int64_t codomain) {
  // The smallest number that is not covered must be an index of the
  // complement, counted from the smallest index `first` of the layout: of
  // x = a + c with a above the first, first + c would be covered in a second
  // way.
  std::multiset<int64_t> indices = image(layout);
  int64_t first = indices.empty() ? 0 : *indices.begin();
  std::set<int64_t> covered;
  std::vector<int64_t> result;
  for (int64_t x = 0; x < codomain || result.empty(); ++x) {
    if (covered.count(first + x))
      continue;
    result.push_back(x);
    for (int64_t a : indices)
      if (!covered.insert(a + x).second)
        return std::nullopt;
  }
  auto whole = completeTable(result);
  for (size_t i = result.size(); whole && i < whole->size(); ++i)
    for (int64_t a : indices)
      if (!covered.insert(a + (*whole)[i]).second)
        return std::nullopt;
  return whole;
}

namespace {
/// Linear equations modulo a prime.
class ModularSystem {
public:
  explicit ModularSystem(size_t unknowns) : unknowns(unknowns) {}
  /// False if the equation contradicts the others.
  bool add(std::vector<int64_t> row) {
    for (int64_t &value : row)
      value = (value % prime + prime) % prime;
    for (auto &[pivot, known] : rows)
      reduce(row, known, pivot);
    size_t pivot = 0;
    while (pivot < unknowns && row[pivot] == 0)
      ++pivot;
    if (pivot == unknowns)
      return row[unknowns] == 0;
    int64_t inverse = power(row[pivot], prime - 2);
    for (int64_t &value : row)
      value = value * inverse % prime;
    for (auto &[other, known] : rows)
      reduce(known, row, pivot);
    rows.push_back({pivot, std::move(row)});
    return true;
  }
  /// One solution, as the integers nearest to 0; free unknowns are 0.
  std::vector<int64_t> solution() const {
    std::vector<int64_t> result(unknowns, 0);
    for (auto &[pivot, row] : rows) {
      result[pivot] = row[unknowns];
      if (result[pivot] > prime / 2)
        result[pivot] -= prime;
    }
    return result;
  }

private:
  static constexpr int64_t prime = 1000000007;
  static int64_t power(int64_t base, int64_t exponent) {
    int64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base % prime)
      if (exponent & 1)
        result = result * base % prime;
    return result;
  }
  static void reduce(std::vector<int64_t> &row, const std::vector<int64_t> &by,
                     size_t pivot) {
    if (int64_t factor = row[pivot])
      for (size_t k = 0; k < row.size(); ++k)
        row[k] = ((row[k] - factor * by[k]) % prime + prime) % prime;
  }
  size_t unknowns;
  std::vector<std::pair<size_t, std::vector<int64_t>>> rows;
};
} // namespace

std::optional<PlainLayout> test::findLeftInverse(const PlainLayout &layout) {
  std::vector<std::pair<int64_t, int64_t>> wanted; // index, number
  int64_t largest = 0;
  for (int64_t c = 0; c < layout.size(); ++c) {
    std::vector<int64_t> coord = coordOf(layout, c);
    bool counts = true;
    for (size_t i = 0; i < coord.size(); ++i)
      counts &= layout.modes[i].stride != 0 || coord[i] == 0;
    if (!counts)
      continue;
    wanted.push_back({layout.indexAt(c), c});
    largest = std::max(largest, std::abs(layout.indexAt(c)));
  }
  // All chains of sizes, each with an unbounded last mode.
  std::vector<std::vector<int64_t>> chains{{}};
  for (size_t next = 0; next < chains.size(); ++next) {
    int64_t extent = 1;
    for (int64_t size : chains[next])
      extent *= size;
    for (int64_t size = 2; size * extent <= largest; ++size) {
      chains.push_back(chains[next]);
      chains.back().push_back(size);
    }
  }
  for (const std::vector<int64_t> &sizes : chains) {
    ModularSystem system(sizes.size() + 1);
    bool fits = true;
    for (auto &[index, number] : wanted) {
      std::vector<int64_t> row;
      int64_t rest = index;
      for (int64_t size : sizes) {
        row.push_back(rest % size);
        rest /= size;
      }
      row.push_back(rest);
      row.push_back(number);
      fits = fits && system.add(std::move(row));
    }
    if (!fits)
      continue;
    PlainLayout inverse;
    std::vector<int64_t> strides = system.solution();
    for (size_t i = 0; i < strides.size(); ++i)
      inverse.modes.push_back(
          {i < sizes.size() ? sizes[i] : largest + 1, strides[i], {}});
    for (auto &[index, number] : wanted)
      fits &= inverse.indexAt(index) == number;
    if (fits)
      return inverse;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

std::string PlainLayout::str() const {
  std::string sizes, strides;
  for (const Mode &mode : modes) {
    sizes += (sizes.empty() ? "" : ",") + std::to_string(mode.size);
    strides += (strides.empty() ? "" : ",") + std::to_string(mode.stride);
  }
  return "(" + sizes + "):(" + strides + ")";
}

int64_t test::number(const Int &value, const Assignment &values) {
  auto result = evaluate(value, [&](const Expr &symbol) {
    auto found = values.find(symbol.getSymbolId());
    EXPECT_TRUE(found != values.end()) << "unknown symbol";
    return found == values.end() ? 0 : found->second;
  });
  if (!result) {
    ADD_FAILURE() << result.error().str();
    return 0;
  }
  return *result;
}

PlainLayout test::plain(const Layout &layout, const Assignment &values) {
  PlainLayout result;
  layout.getShape().forEachLeaf([&](const Leaf &leaf) {
    result.modes.push_back({number(leaf.getInt(), values), 0, {}});
  });
  size_t next = 0;
  layout.getStride().forEachLeaf([&](const Leaf &leaf) {
    PlainLayout::Mode &mode = result.modes[next++];
    mode.stride = number(leaf.getInt(), values);
    mode.path.assign(leaf.getModes().begin(), leaf.getModes().end());
  });
  return result;
}

IntTuple Random::shape(int maxLeaves, int64_t maxSize) {
  int leaves = between(1, maxLeaves);
  std::vector<IntTuple> modes;
  int64_t size = 1;
  for (int i = 0; i < leaves; ++i) {
    int64_t extent = pick<int64_t>({1, 2, 2, 3, 4, 4, 5, 6, 8});
    if (size * extent > maxSize)
      extent = 1;
    size *= extent;
    modes.push_back(IntTuple(extent));
  }
  // Nest some neighbours.
  while (modes.size() > 2 && chance(40)) {
    size_t at = between(0, modes.size() - 2);
    modes[at] = IntTuple::tuple({modes[at], modes[at + 1]});
    modes.erase(modes.begin() + at + 1);
  }
  if (modes.size() == 1 && chance(80))
    return modes[0];
  return IntTuple::tuple(std::move(modes));
}

IntTuple Random::strides(const IntTuple &shape, bool tame) {
  std::vector<int64_t> sizes;
  shape.forEachLeaf(
      [&](const Leaf &leaf) { sizes.push_back(leaf.getInt().getValue()); });
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  if (chance(60))
    std::shuffle(order.begin(), order.end(), engine);
  std::vector<int64_t> strides(sizes.size(), 0);
  int64_t running = chance(80) ? 1 : between(1, 4);
  for (size_t i : order) {
    strides[i] = running;
    running *= sizes[i];
    if (chance(15))
      running *= between(2, 3);
    if (tame)
      continue;
    if (chance(8))
      running += between(1, 3);
    if (chance(8))
      strides[i] = 0;
    if (chance(4))
      strides[i] = -strides[i];
    if (chance(4))
      strides[i] = between(1, 12);
  }
  size_t next = 0;
  return shape.map(
      [&](const Leaf &) { return Leaf(Int::constant(strides[next++])); });
}

Layout Random::wildLayout(int maxLeaves, int64_t maxSize, int64_t minStride,
                          int64_t maxStride) {
  IntTuple s = shape(maxLeaves, maxSize);
  IntTuple d = s.map([&](const Leaf &) {
    return Leaf(Int::constant(between(minStride, maxStride)));
  });
  return Layout(std::move(s), std::move(d));
}

Layout Random::layout(int maxLeaves, int64_t maxSize, bool tame) {
  IntTuple s = shape(maxLeaves, maxSize);
  IntTuple d = strides(s, tame);
  return Layout(std::move(s), std::move(d));
}

IntTuple Random::symbolic(const IntTuple &tuple, Assignment &values,
                          int percent) {
  return tuple.map([&](const Leaf &leaf) {
    if (leaf.isBasis() || leaf.isDynamic() || !chance(percent))
      return leaf;
    int64_t value = leaf.getInt().getValue();
    std::vector<int64_t> divisors{1};
    for (int64_t d = 2; d <= std::abs(value); ++d)
      if (value % d == 0)
        divisors.push_back(d);
    unsigned id = values.size();
    values[id] = value;
    return Leaf(Int::symbol(id, chance(20) ? 64 : 32, pick(divisors)));
  });
}

Layout Random::symbolic(const Layout &layout, Assignment &values, int percent) {
  IntTuple shape = symbolic(layout.getShape(), values, percent);
  IntTuple stride = symbolic(layout.getStride(), values, percent);
  return Layout(std::move(shape), std::move(stride));
}
