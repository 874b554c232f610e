// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composition R(c) = A(B(c)).
//
// The index B(c) unfolds into digits along the coalesced modes of A. A leaf
// s:d of B walks through them: it fills one mode of A after the other as long
// as the divisions are exact. Where they are not, but the numbers are static,
// the table of the leaf decides: a layout with that table is found if there is
// one. Two leaves of B then add up only if their digits never carry; that is
// checked too, by the digits' bounds, and if these do not settle it by all
// coordinates.

#include "Fly/Layout/Algebra.h"

#include "ModeList.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace fly::layout;

/// Tables longer than this are not searched.
static constexpr int64_t tableLimit = int64_t(1) << 20;

namespace {

/// One leaf of B on its way through A.
struct LeafB {
  Int size;
  Int stride;
  /// Largest digit that the leaf alone reaches per mode of A, where known.
  llvm::SmallVector<int64_t> digits;
};

/// Composition of leaves with one coalesced layout A.
class Composer {
public:
  Composer(ModeList modes, const Layout &a, const Layout &b)
      : modes(std::move(modes)), a(a), b(b) {
    for (const Mode &mode : this->modes)
      components.push_back(componentOf(mode));
    searchable = llvm::all_of(
        this->modes, [](const Mode &m) { return m.stride.isStatic(); });
    for (const Mode &mode : llvm::ArrayRef<Mode>(this->modes).drop_back())
      searchable &= mode.size.isStatic() && mode.size.getValue() > 0;
  }

  /// The layout of A along one leaf of B.
  Result<Layout> compose(const Int &size, const Int &stride);
  /// Whether the leaves composed so far add up.
  std::optional<Error> checkSums() const;

private:
  /// Index of A as one number per kind of stride (integer, each basis).
  using Index = llvm::SmallVector<int64_t, 2>;

  size_t componentOf(const Mode &mode) {
    auto path = mode.stride.getModes();
    for (auto [i, known] : llvm::enumerate(paths))
      if (llvm::ArrayRef<int32_t>(known) == path)
        return i;
    paths.emplace_back(path.begin(), path.end());
    return paths.size() - 1;
  }

  bool at(int64_t index, Index &value) const;
  bool sumsOfAll() const;
  std::optional<Layout> searchTable(LeafB &leaf) const;
  Error refuse(const Int &size, const Int &stride,
               const llvm::Twine &why) const {
    return fail("composition_c1", "composition of A = " + a.str() +
                                      " with B = " + b.str() + ": mode " +
                                      size.str() + ":" + stride.str() +
                                      " of B " + why);
  }

  ModeList modes;
  const Layout &a, &b;
  llvm::SmallVector<size_t> components;
  llvm::SmallVector<llvm::SmallVector<int32_t, 2>> paths;
  llvm::SmallVector<LeafB> leaves;
  /// All that an index depends on is static (the size of the last mode is
  /// not: it is unbounded).
  bool searchable;
};

} // namespace

/// A(index); false beyond 64 bits.
bool Composer::at(int64_t index, Index &value) const {
  value.assign(paths.size(), 0);
  for (size_t i = 0; i < modes.size(); ++i) {
    int64_t digit = index;
    if (i + 1 < modes.size()) {
      int64_t size = modes[i].size.getValue();
      digit = index % size;
      index /= size;
    }
    auto part = mulChecked(digit, modes[i].stride.getInt().getValue());
    auto total = part ? addChecked(value[components[i]], *part) : std::nullopt;
    if (!total)
      return false;
    value[components[i]] = *total;
  }
  return true;
}

/// The coalesced layout whose table is c -> A(c * stride), if there is one.
/// Its first mode is as long as the table is linear from the start (a shorter
/// one would merge with the next), the others follow in the same way on every
/// such length.
std::optional<Layout> Composer::searchTable(LeafB &leaf) const {
  if (!searchable || !leaf.size.isStatic() || !leaf.stride.isStatic())
    return std::nullopt;
  int64_t size = leaf.size.getValue(), stride = leaf.stride.getValue();
  if (size < 1 || size > tableLimit || !mulChecked(size, stride))
    return std::nullopt;
  std::vector<Index> table(size);
  leaf.digits.assign(modes.size(), 0);
  for (int64_t c = 0; c < size; ++c) {
    int64_t rest = c * stride;
    if (!at(rest, table[c]))
      return std::nullopt;
    for (size_t i = 0; i + 1 < modes.size(); ++i) {
      int64_t extent = modes[i].size.getValue();
      // A negative digit borrows, which only the sums themselves can settle.
      int64_t digit = rest < 0 ? extent : rest % extent;
      leaf.digits[i] = std::max(leaf.digits[i], digit);
      rest /= extent;
    }
  }

  ModeList found;
  while (table.size() > 1) {
    const Index &step = table[1];
    size_t length = 1;
    auto isLinear = [&](size_t c) {
      return llvm::all_of(llvm::seq<size_t>(0, step.size()), [&](size_t k) {
        auto value = mulChecked(c, step[k]);
        return value && *value == table[c][k];
      });
    };
    while (length < table.size() && isLinear(length))
      ++length;
    if (table.size() % length != 0)
      return std::nullopt;
    size_t repeats = table.size() / length;
    std::vector<Index> rest(repeats);
    for (size_t r = 0; r < repeats; ++r) {
      rest[r] = table[r * length];
      for (size_t c = 0; c < length; ++c)
        for (size_t k = 0; k < step.size(); ++k) {
          auto sum = addChecked(rest[r][k], table[c][k]);
          if (!sum || *sum != table[r * length + c][k])
            return std::nullopt;
        }
    }
    auto nonZero = llvm::count_if(step, [](int64_t v) { return v != 0; });
    if (nonZero > 1)
      return std::nullopt; // a step along two coordinates is no stride
    size_t component = 0;
    for (size_t k = 0; k < step.size(); ++k)
      if (step[k] != 0)
        component = k;
    Int value = Int::constant(nonZero ? step[component] : 0);
    Leaf d = !nonZero || paths[component].empty()
                 ? Leaf(value)
                 : Leaf(value, paths[component]);
    found.push_back({Int::constant(length), std::move(d)});
    table = std::move(rest);
  }
  return fromModes(found);
}

Result<Layout> Composer::compose(const Int &size, const Int &stride) {
  if (stride.isStatic(0))
    return Layout(size, 0);
  if (modes.size() == 1) {
    FLY_TRY(d, mul(Leaf(stride), modes[0].stride));
    return canonicalStrides(Layout(size, d));
  }
  if (size.isStatic(1))
    return Layout();
  if (size.isStatic() && size.getValue() < 1)
    return refuse(size, stride, "is empty");

  leaves.push_back({size, stride, {}});
  LeafB &leaf = leaves.back();
  auto bySearch = [&](const llvm::Twine &why) -> Result<Layout> {
    if (auto found = searchTable(leaf))
      return canonicalStrides(*found);
    return refuse(size, stride, why);
  };
  if (stride.isStatic() && stride.getValue() < 0)
    return bySearch("goes backwards through several modes of A");

  ModeList result;
  Int rest = size, step = stride;
  for (const Mode &mode : llvm::ArrayRef<Mode>(modes).drop_back()) {
    leaf.digits.push_back(0);
    if (rest.isStatic(1))
      continue;
    const Int &extent = mode.size;
    if (extent.isStatic() && extent.getValue() < 1)
      return refuse(size, stride,
                    "meets the empty mode " + extent.str() + " of A");
    if (extent.isStatic() && step.isStatic()) {
      int64_t s = extent.getValue(), t = step.getValue();
      if (t % s == 0) {
        step = Int::constant(t / s);
        continue;
      }
      // Steps that stay inside the mode need not divide it.
      auto reach =
          rest.isStatic() ? mulChecked(rest.getValue() - 1, t) : std::nullopt;
      if (reach && *reach < s) {
        FLY_TRY(d, mul(Leaf(step), mode.stride));
        result.push_back({rest, std::move(d)});
        leaf.digits.back() = *reach;
        rest = Int::constant(1);
        continue;
      }
      if (s % t != 0)
        return bySearch("steps by " + llvm::Twine(t) +
                        " through the mode of size " + llvm::Twine(s) +
                        " of A, and neither divides the other");
    }
    Int before = step;
    FLY_TRY(count, ceilDiv(extent, before));
    FLY_TRY_SET(step, ceilDiv(before, extent));
    if (count.isStatic(1))
      continue;
    FLY_TRY(taken, min(count, rest));
    if (rest.isStatic() && taken.isStatic() &&
        (taken.getValue() < 1 || rest.getValue() % taken.getValue() != 0))
      return bySearch("fills a mode of A with " + llvm::Twine(taken.str()) +
                      " of its remaining " + rest.str() +
                      " coordinates, which does not divide them");
    if (taken.isStatic() && before.isStatic())
      leaf.digits.back() = (taken.getValue() - 1) * before.getValue();
    FLY_TRY(d, mul(Leaf(before), mode.stride));
    result.push_back({taken, std::move(d)});
    FLY_TRY_SET(rest, div(rest, taken));
  }
  if (result.empty() || !rest.isStatic(1)) {
    FLY_TRY(d, mul(Leaf(step), modes.back().stride));
    result.push_back({rest, std::move(d)});
  }
  return canonicalStrides(fromModes(result));
}

std::optional<Error> Composer::checkSums() const {
  for (size_t i = 0; i + 1 < modes.size(); ++i) {
    if (!modes[i].size.isStatic())
      return std::nullopt; // from here on the digits depend on the run time
    int64_t reach = 0;
    for (const LeafB &leaf : leaves)
      if (i < leaf.digits.size())
        reach = addChecked(reach, leaf.digits[i]).value_or(INT64_MAX);
    if (reach < modes[i].size.getValue())
      continue;
    return sumsOfAll()
               ? std::nullopt
               : std::optional<Error>(fail(
                     "composition_c1", "composition of A = " + a.str() +
                                           " with B = " + b.str() +
                                           ": the modes of B together run past "
                                           "the mode of size " +
                                           modes[i].size.str() + " of A"));
  }
  return std::nullopt;
}

/// Compares A of the sum with the sum of A for all coordinates of the static
/// leaves; false if that is not possible.
bool Composer::sumsOfAll() const {
  if (!searchable)
    return false;
  llvm::SmallVector<std::pair<int64_t, int64_t>> known;
  int64_t count = 1;
  for (const LeafB &leaf : leaves) {
    if (!leaf.size.isStatic() || !leaf.stride.isStatic())
      continue;
    known.push_back({leaf.size.getValue(), leaf.stride.getValue()});
    auto next = mulChecked(count, leaf.size.getValue());
    if (!next || *next > tableLimit)
      return false;
    count = *next;
  }
  llvm::SmallVector<int64_t> coord(known.size(), 0);
  Index whole, part, sum;
  for (int64_t n = 0; n < count; ++n) {
    int64_t index = 0;
    sum.assign(paths.size(), 0);
    for (size_t j = 0; j < known.size(); ++j) {
      auto step = mulChecked(coord[j], known[j].second);
      auto next = step ? addChecked(index, *step) : std::nullopt;
      if (!next || !at(*step, part))
        return false;
      index = *next;
      for (size_t k = 0; k < sum.size(); ++k) {
        auto total = addChecked(sum[k], part[k]);
        if (!total)
          return false;
        sum[k] = *total;
      }
    }
    if (!at(index, whole) || whole != sum)
      return false;
    for (size_t j = 0; j < coord.size(); ++j) {
      if (++coord[j] < known[j].first)
        break;
      coord[j] = 0;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

namespace {
/// Composes B leaf by leaf; strides of B along a basis element go into the
/// mode of A at its path.
class Composition {
public:
  Composition(const Layout &a, const Layout &b) : a(a), b(b) {}

  Result<Layout> run() {
    FLY_TRY(result, visit(b.getShape(), b.getStride()));
    for (auto &[path, composer] : composers)
      if (auto error = composer->checkSums())
        return *error;
    return canonicalStrides(result);
  }

private:
  Result<Layout> visit(const IntTuple &shape, const IntTuple &stride) {
    if (shape.isLeaf())
      return visitLeaf(shape.getInt(), stride.getLeaf());
    std::vector<Layout> modes;
    modes.reserve(shape.rank());
    for (size_t i = 0; i < shape.rank(); ++i) {
      FLY_TRY(mode, visit(shape[i], stride[i]));
      modes.push_back(std::move(mode));
    }
    return Layout::concat(modes);
  }

  Result<Layout> visitLeaf(const Int &size, const Leaf &stride) {
    if (stride.getInt().isStatic(0))
      return Layout(size, 0);
    // An integer coordinate scales a basis element, and so does the reverse.
    if (stride.isBasis() && a.isLeaf()) {
      FLY_TRY(d, mul(stride, a.getStride().getLeaf()));
      return canonicalStrides(Layout(size, d));
    }
    auto path = stride.getModes();
    for (auto &[known, composer] : composers)
      if (llvm::ArrayRef<int32_t>(known) == path)
        return composer->compose(size, stride.getInt());
    FLY_TRY(target, targetOf(stride));
    FLY_TRY(modes, coalescedModes(target, /*keepBoundary=*/true));
    composers.emplace_back(
        llvm::SmallVector<int32_t, 4>(path.begin(), path.end()),
        std::make_unique<Composer>(std::move(modes), a, b));
    return composers.back().second->compose(size, stride.getInt());
  }

  Result<Layout> targetOf(const Leaf &stride) const {
    Layout target = a;
    for (int32_t mode : stride.getModes()) {
      if (target.isLeaf() || mode < 0 ||
          static_cast<size_t>(mode) >= target.rank())
        return fail("composition_c2", "composition of A = " + a.str() +
                                          " with B = " + b.str() +
                                          ": A has no mode for the stride " +
                                          IntTuple(stride).str());
      Layout next = target[mode];
      target = std::move(next);
    }
    return target;
  }

  const Layout &a, &b;
  std::vector<
      std::pair<llvm::SmallVector<int32_t, 4>, std::unique_ptr<Composer>>>
      composers;
};
} // namespace

Result<Layout> fly::layout::composition(const Layout &a, const Layout &b) {
  bool basis = false, integer = false;
  b.getStride().forEachLeaf([&](const Leaf &leaf) {
    basis |= leaf.isBasis();
    integer |= !leaf.isBasis() && !leaf.isStatic(0);
  });
  if (basis && integer)
    return fail("composition_c2", "composition of A = " + a.str() +
                                      " with B = " + b.str() +
                                      ": B mixes integer and basis strides");
  return Composition(a, b).run();
}

static Result<Layout> composeByMode(const Layout &a, const Tile &tile) {
  std::vector<Layout> modes;
  modes.reserve(a.rank());
  for (size_t i = 0; i < a.rank(); ++i) {
    Layout mode = a[i];
    if (i < tile.rank() && !tile.getElements()[i].isNone()) {
      const Tile &element = tile.getElements()[i];
      if (element.isList())
        FLY_TRY_SET(mode, composeByMode(mode, element));
      else
        FLY_TRY_SET(mode, composition(mode, element.asLayout()));
    }
    modes.push_back(std::move(mode));
  }
  return Layout::concat(modes);
}

Result<Layout> fly::layout::composition(const Layout &a, const Tile &b) {
  if (!b.isList())
    return fail("composition_c3", "composition of " + a.str() +
                                      " with the leaf tile " + b.str() +
                                      "; a list tile is expected");
  FLY_TRY(result, composeByMode(a, b));
  return canonicalStrides(result);
}
