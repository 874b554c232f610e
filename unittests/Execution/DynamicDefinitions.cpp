// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions, written for reading.

#include "DynamicDefinitions.h"

#include <algorithm>
#include <set>

using namespace fly;
using namespace fly::test;
using layout::IntTuple;
using layout::Layout;
using layout::test::plain;
using layout::test::PlainLayout;

/// Coordinates that are visited, at most.
static constexpr int64_t kVisits = 4096;

static const IntTuple &tupleOf(const AlgebraValue &value) {
  return value.get<IntTuple>();
}
static const Layout &layoutOf(const AlgebraValue &value) {
  return value.get<layout::AnyLayout>().getPlain();
}

/// An operand that divides or composes: a layout, or a tile of one element.
static PlainLayout tilerOf(const AlgebraValue &value) {
  if (auto *tile = value.getIf<layout::Tile>())
    return plain(tile->asLayout());
  return plain(layoutOf(value));
}

static int64_t sizeOf(const IntTuple &shape) {
  int64_t size = 1;
  shape.forEachLeaf(
      [&](const layout::Leaf &leaf) { size *= leaf.getInt().getValue(); });
  return size;
}

static int64_t indexOf(const IntTuple &coord, const IntTuple &shape,
                       const IntTuple &stride) {
  if (!coord.isLeaf()) {
    int64_t sum = 0;
    for (size_t i = 0; i < coord.rank(); ++i)
      sum += indexOf(coord[i], shape[i], stride[i]);
    return sum;
  }
  int64_t c = coord.getInt().getValue();
  if (shape.isLeaf())
    return c * stride.getInt().getValue();
  int64_t sum = 0;
  for (size_t i = 0; i < shape.rank(); ++i) {
    int64_t digit = c;
    if (i + 1 < shape.rank()) {
      digit = c % sizeOf(shape[i]);
      c /= sizeOf(shape[i]);
    }
    sum += indexOf(IntTuple(digit), shape[i], stride[i]);
  }
  return sum;
}

static int64_t swizzled(const layout::Swizzle &swizzle, int64_t index) {
  uint64_t x = index;
  uint64_t mask = ((uint64_t(1) << swizzle.mask) - 1)
                  << (swizzle.base + swizzle.shift);
  return x ^ ((x & mask) >> swizzle.shift);
}

static int64_t indexOf(const IntTuple &coord, const layout::AnyLayout &map) {
  if (map.isPlain())
    return indexOf(coord, map.getPlain().getShape(),
                   map.getPlain().getStride());
  const layout::ComposedLayout &composed = map.getComposed();
  int64_t inside = composed.getOffset().getInt().getValue() +
                   indexOf(coord, composed.getOuter());
  if (auto *swizzle = std::get_if<layout::Swizzle>(&composed.getInner()))
    return swizzled(*swizzle, inside);
  return indexOf(IntTuple(inside),
                 std::get<layout::AnyLayout>(composed.getInner()));
}

static std::string differ(const char *what, int64_t got, int64_t want) {
  if (got == want)
    return "";
  return std::string(what) + " is " + std::to_string(got) + ", expected " +
         std::to_string(want);
}

static std::vector<int64_t> offsetsOf(const PlainLayout &layout) {
  std::vector<int64_t> offsets;
  for (int64_t c = 0; c < std::min(layout.size(), kVisits); ++c)
    offsets.push_back(layout.indexAt(c));
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

std::string fly::test::defineCrd2Idx(Values operands,
                                     const AlgebraValue &result) {
  int64_t got = tupleOf(result).getInt().getValue();
  if (auto *swizzle = operands[1].getIf<layout::Swizzle>())
    return differ("index", got,
                  swizzled(*swizzle, tupleOf(operands[0]).getInt().getValue()));
  return differ(
      "index", got,
      indexOf(tupleOf(operands[0]), operands[1].get<layout::AnyLayout>()));
}

std::string fly::test::defineIdx2Crd(Values operands,
                                     const AlgebraValue &result) {
  const Layout &map = layoutOf(operands[1]);
  const IntTuple &coord = tupleOf(result);
  std::vector<int64_t> sizes, digits;
  map.getShape().forEachLeaf([&](const layout::Leaf &leaf) {
    sizes.push_back(leaf.getInt().getValue());
  });
  coord.forEachLeaf([&](const layout::Leaf &leaf) {
    digits.push_back(leaf.getInt().getValue());
  });
  for (size_t i = 0; i < sizes.size(); ++i)
    if (digits[i] < 0 || digits[i] >= sizes[i])
      return "coordinate " + coord.str() + " is out of range";
  return differ("index of the coordinate",
                indexOf(coord, map.getShape(), map.getStride()),
                tupleOf(operands[0]).getInt().getValue());
}

std::string fly::test::defineFlatCoord(Values operands,
                                       const AlgebraValue &result) {
  // Numbers of the modes are coordinates of a layout, too.
  const Layout &map = layoutOf(operands[1]);
  return differ("index of the coordinate",
                indexOf(tupleOf(result), map.getShape(), map.getStride()),
                tupleOf(operands[0]).getInt().getValue());
}

std::string fly::test::defineSize(Values operands, const AlgebraValue &result) {
  return differ("size", tupleOf(result).getInt().getValue(),
                sizeOf(layoutOf(operands[0]).getShape()));
}

std::string fly::test::defineCosize(Values operands,
                                    const AlgebraValue &result) {
  PlainLayout map = plain(layoutOf(operands[0]));
  // 1 + largest - min(0, smallest), mode by mode.
  int64_t reach = 1;
  for (const PlainLayout::Mode &mode : map.modes)
    reach += (mode.size - 1) * std::abs(mode.stride);
  return differ("cosize", tupleOf(result).getInt().getValue(), reach);
}

Definition fly::test::defineElementwise(
    std::function<std::optional<int64_t>(int64_t, int64_t)> leaf) {
  return [leaf](Values operands, const AlgebraValue &result) -> std::string {
    std::vector<int64_t> a, b, got;
    auto read = [](const AlgebraValue &value, std::vector<int64_t> &out) {
      tupleOf(value).forEachLeaf([&](const layout::Leaf &leaf) {
        out.push_back(leaf.getInt().getValue());
      });
    };
    read(operands[0], a);
    read(operands[1], b);
    read(result, got);
    for (size_t i = 0; i < got.size(); ++i) {
      std::optional<int64_t> want = leaf(a[i], b[i]);
      if (!want || *want != got[i])
        return "leaf " + std::to_string(i) + " is " + std::to_string(got[i]) +
               ", expected " + (want ? std::to_string(*want) : "a refusal");
    }
    return "";
  };
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

std::string fly::test::defineCoalesce(Values operands,
                                      const AlgebraValue &result) {
  PlainLayout want = plain(layoutOf(operands[0])),
              got = plain(layoutOf(result));
  if (got.size() != want.size())
    return differ("size", got.size(), want.size());
  for (int64_t c = 0; c < std::min(want.size(), kVisits); ++c)
    if (got.at(c) != want.at(c))
      return "differs at " + std::to_string(c);
  return "";
}

std::string fly::test::defineComposition(Values operands,
                                         const AlgebraValue &result) {
  PlainLayout a = plain(layoutOf(operands[0])), b = tilerOf(operands[1]);
  PlainLayout got = plain(layoutOf(result));
  if (got.size() != b.size())
    return differ("size", got.size(), b.size());
  for (int64_t c = 0; c < std::min(b.size(), kVisits); ++c)
    if (got.at(c) != a.at(b.indexAt(c)))
      return "differs at " + std::to_string(c);
  return "";
}

std::string fly::test::defineComplement(Values operands,
                                        const AlgebraValue &result) {
  PlainLayout a = plain(layoutOf(operands[0])), rest = plain(layoutOf(result));
  int64_t codomain = tupleOf(operands[1]).getInt().getValue();
  for (PlainLayout::Mode &mode : a.modes)
    if (mode.stride == 0)
      mode.size = 1;
  if (a.size() * rest.size() > kVisits)
    return "";
  std::set<int64_t> covered;
  for (int64_t x : offsetsOf(a))
    for (int64_t y : offsetsOf(rest))
      if (!covered.insert(x + y).second)
        return "meets the layout at " + std::to_string(x + y);
  // The codomain begins at the smallest index of the layout.
  int64_t first = a.size() < 1 ? 0 : offsetsOf(a).front();
  for (int64_t k = first; k < first + std::min(codomain, kVisits); ++k)
    if (!covered.count(k))
      return "leaves out " + std::to_string(k);
  return "";
}

std::string fly::test::defineDivide(Values operands,
                                    const AlgebraValue &result) {
  PlainLayout whole = plain(layoutOf(operands[0]));
  PlainLayout tile = tilerOf(operands[1]), got = plain(layoutOf(result));
  for (int64_t c = 0; c < std::min(tile.size(), kVisits); ++c)
    if (got.at(c) != whole.at(tile.indexAt(c)))
      return "the tile differs at " + std::to_string(c);
  if (got.size() > kVisits)
    return "";
  // Every offset stays; those past the end are further ones.
  std::vector<int64_t> have = offsetsOf(got), want = offsetsOf(whole);
  if (!std::includes(have.begin(), have.end(), want.begin(), want.end()))
    return "offsets are lost";
  return "";
}

std::string fly::test::defineProduct(Values operands,
                                     const AlgebraValue &result) {
  PlainLayout a = plain(layoutOf(operands[0])),
              b = plain(layoutOf(operands[1]));
  PlainLayout got = plain(layoutOf(result));
  if (got.size() != a.size() * b.size())
    return differ("size", got.size(), a.size() * b.size());
  if (got.size() > kVisits)
    return "";
  std::vector<int64_t> have = offsetsOf(got), want = offsetsOf(a);
  if (!std::includes(have.begin(), have.end(), want.begin(), want.end()))
    return "offsets of the block are lost";
  if (isInjective(a) && isInjective(b) && !isInjective(got))
    return "repetitions meet";
  return "";
}

std::string fly::test::definePacked(Values operands,
                                    const AlgebraValue &result) {
  PlainLayout got = plain(layoutOf(result)),
              from = plain(layoutOf(operands[0]));
  for (size_t i = 0; i < got.modes.size(); ++i) {
    if (got.modes[i].size != from.modes[i].size)
      return "another shape";
    if (got.modes[i].stride == 0)
      got.modes[i].size = 1;
  }
  if (got.size() > kVisits)
    return "";
  if (!isInjective(got))
    return "modes alias";
  return differ("largest offset", offsetsOf(got).back(), got.size() - 1);
}

std::string fly::test::defineRightInverse(Values operands,
                                          const AlgebraValue &result) {
  PlainLayout map = plain(layoutOf(operands[0])), got = plain(layoutOf(result));
  for (int64_t k = 0; k < std::min(got.size(), kVisits); ++k)
    if (map.indexAt(got.indexAt(k)) != k)
      return "L(R(" + std::to_string(k) + ")) is " +
             std::to_string(map.indexAt(got.indexAt(k)));
  return "";
}

std::string fly::test::defineLeftInverse(Values operands,
                                         const AlgebraValue &result) {
  PlainLayout map = plain(layoutOf(operands[0])), got = plain(layoutOf(result));
  for (int64_t c = 0; c < std::min(map.size(), kVisits); ++c) {
    int64_t rest = c, place = 1, number = 0;
    for (const PlainLayout::Mode &mode : map.modes) {
      if (mode.stride != 0)
        number += rest % mode.size * place;
      rest /= mode.size;
      place *= mode.size;
    }
    if (number == c && got.indexAt(map.indexAt(c)) != c)
      return "R(L(" + std::to_string(c) + ")) is " +
             std::to_string(got.indexAt(map.indexAt(c)));
  }
  return "";
}

Definition fly::test::defineRecast(int64_t oldBits, int64_t newBits) {
  return [=](Values operands, const AlgebraValue &result) -> std::string {
    // Both sides cut into pieces of the smaller width: the same pieces.
    auto pieces = [&](const PlainLayout &map, int64_t bits) {
      int64_t parts = bits / std::min(oldBits, newBits);
      std::vector<int64_t> all;
      for (int64_t offset : offsetsOf(map))
        for (int64_t part = 0; part < parts; ++part)
          all.push_back(offset * parts + part);
      std::sort(all.begin(), all.end());
      return all;
    };
    PlainLayout from = plain(layoutOf(operands[0])),
                to = plain(layoutOf(result));
    if (std::max(from.size(), to.size()) > kVisits)
      return "";
    return pieces(from, oldBits) == pieces(to, newBits) ? ""
                                                        : "the bits differ";
  };
}
