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
