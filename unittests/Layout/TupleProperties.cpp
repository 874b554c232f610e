// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of int tuples: arithmetic leaf by leaf on numbers, reductions,
// restructuring as lists of leaves, comparison. Some leaves are run-time ones,
// read under the values that the static case has.

#include "Property.h"

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

/// A tuple of numbers from `low` to `high`.
IntTuple numbers(Random &random, const IntTuple &profile, int64_t low,
                 int64_t high) {
  return profile.map([&](const Leaf &) {
    return Leaf(Int::constant(random.between(low, high)));
  });
}

std::vector<int64_t> leafValues(const IntTuple &tuple,
                                const Assignment &values = {}) {
  std::vector<int64_t> result;
  tuple.forEachLeaf([&](const Leaf &leaf) {
    result.push_back(number(leaf.getInt(), values));
  });
  return result;
}

int64_t product(const std::vector<int64_t> &values) {
  int64_t total = 1;
  for (int64_t value : values)
    total *= value;
  return total;
}

} // namespace

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

FLY_PROPERTY(LeafArithmetic, 6000, 60) {
  Random &random = trial.random;
  // Small numbers, and some near the ends of 32 and 64 bits.
  auto any = [&]() -> int64_t {
    static const std::vector<int64_t> ends{INT64_MAX,        INT64_MIN,
                                           INT32_MAX,        INT32_MIN,
                                           int64_t(1) << 31, int64_t(1) << 62};
    return random.chance(20) ? random.pick(ends) + random.between(0, 0)
                             : random.between(-40, 40);
  };
  int64_t a = any(), b = any();
  int op = random.between(0, 7);
  trial.given("operation", op, "of", a, b);
  using Wide = __int128;
  std::optional<Wide> want;
  Wide x = a, y = b;
  switch (op) {
  case 0:
    want = x + y;
    break;
  case 1:
    want = x - y;
    break;
  case 2:
    want = x * y;
    break;
  case 3:
    if (y != 0)
      want = x / y;
    break;
  case 4:
    if (y != 0)
      want = x % y;
    break;
  case 5:
    want = std::min(x, y);
    break;
  case 6:
    want = std::max(x, y);
    break;
  case 7:
    if (y != 0)
      want = x / y + (x % y != 0 && (x < 0) == (y < 0) ? 1 : 0);
    break;
  }
  using Op = Result<Int> (*)(const Int &, const Int &);
  static const Op ops[] = {add, sub, mul, div, mod, min, max, ceilDiv};
  auto got = ops[op](Int::constant(a), Int::constant(b));
  bool fits = want && *want >= INT64_MIN && *want <= INT64_MAX;
  ASSERT_EQ(bool(got), fits);
  if (!got)
    return trial.refused(got.error());
  ASSERT_EQ(got->getValue(), static_cast<int64_t>(*want));
  // One or both operands at run time.
  Assignment values{{0, a}, {1, b}};
  Int da = random.chance(70) ? Int::symbol(0, 64) : Int::constant(a);
  // Sizes are divided by positive numbers: rounding up, 1 stays 1.
  bool fixed = op == 7 && b < 0;
  Int db = !fixed && random.chance(70) ? Int::symbol(1, 64) : Int::constant(b);
  auto later = ops[op](da, db);
  ASSERT_TRUE(later);
  ASSERT_EQ(number(*later, values), got->getValue());
}

FLY_PROPERTY(ElementWise, 4000, 80) {
  Random &random = trial.random;
  IntTuple profile = random.shape(5, 1 << 20);
  IntTuple a = numbers(random, profile, -30, 30);
  IntTuple b = numbers(random, profile, -9, 9);
  int op = random.between(0, 6);
  trial.given("operation", op, "of", a, b);
  using Op = Result<IntTuple> (*)(const IntTuple &, const IntTuple &);
  static const Op ops[] = {add, sub, mul, div, mod, min, max};
  auto got = ops[op](a, b);
  std::vector<int64_t> x = leafValues(a), y = leafValues(b), want;
  bool zero = false;
  for (size_t i = 0; i < x.size(); ++i) {
    zero |= (op == 3 || op == 4) && y[i] == 0;
    if (zero)
      break;
    want.push_back(op == 0   ? x[i] + y[i]
                   : op == 1 ? x[i] - y[i]
                   : op == 2 ? x[i] * y[i]
                   : op == 3 ? x[i] / y[i]
                   : op == 4 ? x[i] % y[i]
                   : op == 5 ? std::min(x[i], y[i])
                             : std::max(x[i], y[i]));
  }
  ASSERT_EQ(bool(got), !zero);
  if (!got)
    return trial.refused(got.error());
  ASSERT_TRUE(congruent(*got, profile));
  ASSERT_EQ(leafValues(*got), want);
  Assignment values;
  IntTuple sa = random.symbolic(a, values, 40);
  auto later = ops[op](sa, b);
  ASSERT_TRUE(later);
  ASSERT_EQ(leafValues(*later, values), want);
}

FLY_PROPERTY(BasisSums, 2000, 100) {
  // The sum of coordinates along basis elements is coordinate by coordinate.
  Random &random = trial.random;
  std::map<std::vector<int32_t>, int64_t> want;
  IntTuple total = 0;
  for (int i = 0, n = random.between(1, 4); i < n; ++i) {
    std::vector<int32_t> path{static_cast<int32_t>(random.between(0, 2))};
    int64_t value = random.between(1, 9);
    IntTuple part = Leaf(Int::constant(value), path);
    trial.given(total, "+", part);
    auto sum = add(total, part);
    ASSERT_TRUE(sum);
    total = *sum;
    want[path] += value;
  }
  for (auto &[path, value] : want) {
    if (total.isLeaf()) {
      ASSERT_EQ(total.getInt().getValue(), value);
      continue;
    }
    auto part = get(total, path);
    ASSERT_TRUE(part);
    ASSERT_EQ(*part, IntTuple(value));
  }
}

//===----------------------------------------------------------------------===//
// Reductions and division of shapes
//===----------------------------------------------------------------------===//

FLY_PROPERTY(Reductions, 3000, 100) {
  Random &random = trial.random;
  IntTuple shape = random.shape(6, 400);
  Assignment values;
  IntTuple t = random.symbolic(shape, values, random.chance(50) ? 40 : 0);
  trial.given(t, "for", shape);
  std::vector<int64_t> leaves = leafValues(shape);
  ASSERT_EQ(number(*product(t), values), product(leaves));
  int64_t total = 0;
  for (int64_t leaf : leaves)
    total += leaf;
  ASSERT_EQ(number(sum(t)->getInt(), values), total);
  auto each = productEach(t);
  ASSERT_TRUE(each);
  ASSERT_EQ(each->rank(), t.rank());
  for (size_t i = 0; i < t.rank(); ++i)
    ASSERT_EQ(number((*each)[i].getInt(), values),
              product(leafValues(shape[i])));
  ASSERT_EQ(leafValues(*productLike(t, *each), values),
            leafValues(*each, values));
  ASSERT_EQ(leafValues(*productLike(t, t), values), leaves);
  IntTuple other = numbers(random, shape, -5, 5);
  int64_t inner = 0;
  std::vector<int64_t> factors = leafValues(other);
  for (size_t i = 0; i < leaves.size(); ++i)
    inner += leaves[i] * factors[i];
  ASSERT_EQ(number(innerProduct(t, other)->getInt(), values), inner);
}

FLY_PROPERTY(DivisionOfShapes, 3000, 60) {
  Random &random = trial.random;
  IntTuple shape = random.shape(4, 400);
  int64_t divisor = random.between(1, 40);
  bool exact = random.chance(50);
  trial.given(exact ? "shape_div" : "ceil_div", shape, divisor);
  // The divisor is used up leaf by leaf.
  std::vector<int64_t> want;
  int64_t rest = divisor;
  bool divides = true;
  for (int64_t leaf : leafValues(shape)) {
    divides &= leaf % rest == 0 || rest % leaf == 0;
    want.push_back((leaf + rest - 1) / rest);
    rest = (rest + leaf - 1) / leaf;
  }
  auto got = exact ? shapeDiv(shape, divisor) : ceilDiv(shape, divisor);
  ASSERT_EQ(bool(got), !exact || divides);
  if (!got)
    return trial.refused(got.error());
  ASSERT_EQ(leafValues(*got), want);
  Assignment values;
  IntTuple later = random.symbolic(shape, values, 50);
  auto symbolic = ceilDiv(later, divisor);
  ASSERT_TRUE(symbolic);
  ASSERT_EQ(leafValues(*symbolic, values), want);
}

FLY_PROPERTY(PackedStrides, 2000, 100) {
  Random &random = trial.random;
  IntTuple shape = random.shape(6, 4000);
  int64_t start = random.between(1, 5);
  Assignment values;
  IntTuple t = random.symbolic(shape, values, random.chance(50) ? 40 : 0);
  trial.given(t, "from", start);
  auto strides = compactColMajor(t, Int::constant(start));
  ASSERT_TRUE(strides);
  int64_t running = start;
  std::vector<int64_t> sizes = leafValues(shape),
                       got = leafValues(*strides, values);
  for (size_t i = 0; i < sizes.size(); ++i) {
    ASSERT_EQ(got[i], running);
    running *= sizes[i];
  }
  // basisLike: each leaf names its own path.
  IntTuple basis = basisLike(shape);
  ASSERT_TRUE(congruent(basis, shape));
  if (!shape.isLeaf())
    basis.forEachLeaf([&](const Leaf &leaf) {
      ASSERT_TRUE(leaf.isBasis());
      auto found = get(basis, leaf.getModes());
      ASSERT_TRUE(found);
      ASSERT_EQ(*found, IntTuple(leaf));
    });
}

//===----------------------------------------------------------------------===//
// Restructuring
//===----------------------------------------------------------------------===//

FLY_PROPERTY(Restructuring, 4000, 100) {
  Random &random = trial.random;
  IntTuple shape = random.shape(6, 4000);
  IntTuple t = numbers(random, shape, 0, 99);
  trial.given(t);
  std::vector<int64_t> leaves = leafValues(t);
  ASSERT_EQ(leafValues(flatten(t)), leaves);
  ASSERT_LE(flatten(t).depth(), 1u);
  ASSERT_EQ(leafValues(wrap(t)), leaves);
  ASSERT_EQ(leafValues(unwrap(t)), leaves);
  ASSERT_TRUE(unwrap(t).isLeaf() || unwrap(t).rank() > 1);
  std::vector<int32_t> all;
  for (size_t i = 0; i < t.rank(); ++i)
    all.push_back(i);
  ASSERT_EQ(leafValues(expand(t, all)), leaves);

  int32_t rank = t.rank();
  int32_t begin = random.between(-1, rank), end = random.between(-1, rank + 1);
  int32_t stop = end == -1 ? rank : end;
  auto grouped = group(t, begin, end);
  bool inRange = begin >= 0 && begin <= stop && stop <= rank;
  ASSERT_EQ(bool(grouped), t.isLeaf() || inRange);
  if (grouped)
    ASSERT_EQ(leafValues(*grouped), leaves);
  auto taken = take(t, begin, end);
  ASSERT_EQ(bool(taken), !t.isLeaf() && inRange && begin < stop);
  if (taken) {
    std::vector<int64_t> want;
    for (int32_t i = begin; i < stop; ++i)
      for (int64_t value : leafValues(t[i]))
        want.push_back(value);
    ASSERT_EQ(leafValues(*taken), want);
  }
  if (!t.isLeaf()) {
    std::vector<int32_t> picked;
    std::vector<int64_t> want;
    for (int i = 0, n = random.between(1, 4); i < n; ++i) {
      picked.push_back(random.between(0, rank - 1));
      for (int64_t value : leafValues(t[picked.back()]))
        want.push_back(value);
    }
    ASSERT_EQ(leafValues(*select(t, picked)), want);
    for (int32_t i = 0; i < rank; ++i)
      ASSERT_EQ(*get(t, {i}), t[i]);
  }
  ASSERT_FALSE(get(t, {rank}));

  IntTuple more = random.shape(2, 8);
  std::optional<int32_t> target;
  if (random.chance(50))
    target = random.between(0, rank + 3);
  auto longer = append(t, more, target), front = prepend(t, more, target);
  ASSERT_EQ(bool(longer), !target || *target >= rank);
  ASSERT_EQ(bool(front), bool(longer));
  if (longer) {
    int32_t added = target ? *target - rank : 1;
    ASSERT_EQ(static_cast<int32_t>(longer->rank()), rank + added);
    for (int32_t i = 0; i < rank; ++i) {
      ASSERT_EQ((*longer)[i], t.isLeaf() ? t : t[i]);
      ASSERT_EQ((*front)[i + added], t.isLeaf() ? t : t[i]);
    }
    for (int32_t i = 0; i < added; ++i) {
      ASSERT_EQ((*longer)[rank + i], more);
      ASSERT_EQ((*front)[i], more);
    }
  }
}

/// Turns some parts of a profile into `*`, others into 0.
static IntTuple pattern(Random &random, const IntTuple &profile) {
  if (profile.isLeaf() || random.chance(30))
    return random.chance(50) ? IntTuple(Int::none()) : IntTuple(0);
  std::vector<IntTuple> modes;
  for (const IntTuple &mode : profile.modes())
    modes.push_back(pattern(random, mode));
  return IntTuple::tuple(std::move(modes));
}

/// The leaves of `tuple` whose partner in `coord` is none, or is not.
static void matched(const IntTuple &tuple, const IntTuple &coord, bool none,
                    std::vector<int64_t> &result) {
  if (coord.isLeaf()) {
    if (coord.isNone() == none)
      for (int64_t value : leafValues(tuple))
        result.push_back(value);
    return;
  }
  for (size_t i = 0; i < coord.rank(); ++i)
    matched(tuple[i], coord[i], none, result);
}

FLY_PROPERTY(SliceAndDice, 4000, 30) {
  Random &random = trial.random;
  IntTuple t = numbers(random, random.shape(6, 4000), 1, 99);
  IntTuple coord = pattern(random, t);
  trial.given(t, "at", coord);
  std::vector<int64_t> kept, dropped;
  matched(t, coord, true, kept);
  matched(t, coord, false, dropped);
  auto sliced = slice(t, coord), diced = dice(t, coord);
  ASSERT_EQ(bool(sliced), !kept.empty());
  ASSERT_EQ(bool(diced), !dropped.empty());
  if (diced)
    ASSERT_EQ(leafValues(*diced), dropped);
  if (!sliced)
    return trial.refused(sliced.error());
  ASSERT_EQ(leafValues(*sliced), kept);
  // filter_zero: the leaves against a 0 become 1.
  auto filtered = filterZero(coord, t);
  ASSERT_TRUE(filtered);
  ASSERT_TRUE(congruent(*filtered, t));
}

FLY_PROPERTY(ZipTransposes, 2000, 60) {
  Random &random = trial.random;
  std::vector<IntTuple> rows;
  size_t columns = random.between(1, 4);
  bool even = true;
  for (int i = 0, n = random.between(1, 4); i < n; ++i) {
    std::vector<IntTuple> row;
    size_t length = random.chance(15) ? random.between(1, 4) : columns;
    if (i == 0)
      columns = length;
    even &= length >= columns;
    for (size_t k = 0; k < length; ++k)
      row.push_back(numbers(random, random.shape(2, 9), 0, 99));
    rows.push_back(IntTuple::tuple(row));
  }
  IntTuple t = IntTuple::tuple(rows);
  trial.given(t);
  auto zipped = zip(t);
  ASSERT_EQ(bool(zipped), even);
  if (!zipped)
    return trial.refused(zipped.error());
  ASSERT_EQ(zipped->rank(), columns);
  for (size_t j = 0; j < columns; ++j)
    for (size_t i = 0; i < rows.size(); ++i)
      ASSERT_EQ((*zipped)[j][i], t[i][j]);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

FLY_PROPERTY(Comparison, 3000, 100) {
  Random &random = trial.random;
  IntTuple profile = random.shape(4, 400);
  IntTuple a = numbers(random, profile, 0, 3),
           b = numbers(random, profile, 1, 5);
  if (random.chance(40))
    b = a;
  Assignment values;
  IntTuple sa = random.symbolic(a, values, random.chance(50) ? 50 : 0);
  trial.given(sa, "and", b);
  std::vector<int64_t> x = leafValues(a), y = leafValues(b);
  bool less = true;
  for (size_t i = 0; i < x.size(); ++i)
    less &= x[i] < y[i];
  ASSERT_EQ(number(*elemLess(sa, b), values), less);
  ASSERT_EQ(number(equal(sa, b), values), x == y);
  // A longer left side is not less, another profile not equal.
  auto longer = append(a, 1);
  ASSERT_TRUE(longer);
  ASSERT_EQ(number(*elemLess(*longer, a.isLeaf() ? wrap(a) : a)), 0);
  ASSERT_EQ(number(equal(*longer, a)), 0);
}
