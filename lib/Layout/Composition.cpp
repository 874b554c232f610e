// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composition R(c) = A(B(c)).
//
// The index B(c) unfolds into digits along the coalesced modes of A. Along a
// static leaf s:d of B, R has a mode for each stretch on which A follows the
// steps linearly; that these modes, and those of all leaves together, add up is
// decided by the carries between the digits. So a layout is found exactly if
// there is one. With run-time numbers a leaf fills one mode of A after the
// other, where what must divide is the caller's promise.

#include "Fly/Layout/Algebra.h"
#include "Fly/Layout/Requirements.h"

#include "Carries.h"
#include "Depth.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

namespace {

/// Composition of leaves with one coalesced layout A.
class Composer {
public:
  Composer(ModeList modes, const Layout &a, const Layout &b)
      : modes(std::move(modes)), a(a), b(b), exact(Carries::get(this->modes)) {}

  /// The layout of A along one leaf of B.
  Result<Layout> compose(const Int &size, const Int &stride);
  /// Whether the leaves composed so far add up.
  std::optional<Error> checkSums() const;

private:
  static constexpr llvm::StringLiteral cancellation =
      "makes too many carries in A that cancel each other";

  Result<Layout> composeStatic(int64_t size, int64_t stride);
  std::optional<std::string> checkSums(llvm::ArrayRef<StaticMode> steps) const;
  Result<Layout> composeByDivision(const Int &size, const Int &stride);
  void requireLeaf(const Int &size, const Int &stride) const;
  void requireStep(const Layout &leaf, const Int &extent, const Int &step,
                   const Int &rest) const;
  void requireSums() const;
  Result<Int> sumsFit() const;
  std::string where(const Layout &leaf) const {
    return "in the composition of A = " + a.str() + " with B = " + b.str() +
           " mode " + leaf.str() + " of B ";
  }
  Error refuse(const llvm::Twine &why) const {
    return fail("composition_c1", "composition of A = " + a.str() +
                                      " with B = " + b.str() + ": " + why);
  }
  Error refuse(const Int &size, const Int &stride,
               const llvm::Twine &why) const {
    return refuse("mode " + size.str() + ":" + stride.str() + " of B " + why);
  }

  ModeList modes;
  const Layout &a, &b;
  /// Nothing if run-time sizes of A decide about digits.
  std::optional<Carries> exact;
  /// The static leaves so far, and their stretches.
  unsigned leaves = 0;
  llvm::SmallVector<StaticMode> stretches;
  /// Without `exact`: what the static leaves reach together, at most, in each
  /// mode of A.
  llvm::SmallVector<int64_t> reached;

  /// What run-time requirements are read off: the leaves that were composed by
  /// their table, and how the others run through the modes of A.
  struct Part {
    size_t mode;
    Int count, step;
  };
  llvm::SmallVector<StaticMode> tabled;
  llvm::SmallVector<Part> parts;
  unsigned divided = 0;
};

} // namespace

Result<Layout> Composer::compose(const Int &size, const Int &stride) {
  if (stride.isStatic(0) || size.isStatic(0))
    return Layout(size, 0);
  if (size.isStatic() && size.getValue() < 0)
    return refuse(size, stride, "has a negative size");
  // The stride of a single coordinate is never taken, and may be any number.
  if (size.isStatic(1))
    return Layout();
  if (modes.size() == 1) {
    FLY_TRY(d, mul(Leaf(stride), modes[0].stride));
    return canonicalStrides(Layout(size, d));
  }
  if (exact && size.isStatic() && stride.isStatic())
    return composeStatic(size.getValue(), stride.getValue());
  if (stride.isStatic() && stride.getValue() < 0)
    return refuse(size, stride, "goes backwards through several modes of A");
  return composeByDivision(size, stride);
}

Result<Layout> Composer::composeStatic(int64_t size, int64_t stride) {
  auto mode = [&](const llvm::Twine &why) {
    return refuse(Int::constant(size), Int::constant(stride), why);
  };
  auto last = mulChecked(size - 1, stride);
  if (!last || *last == INT64_MIN)
    return fail("int_overflow", mode("leaves 64 bits").message);
  // A(-k) = -A(k), so backwards is forwards with the strides turned.
  int64_t rest = size, step = stride < 0 ? -stride : stride;
  size_t before = stretches.size();
  ++leaves;
  tabled.push_back({size, stride});
  ModeList result;
  while (rest > 1) {
    auto run = exact->linearRun(rest, step);
    if (!run)
      return mode(cancellation);
    if (rest % *run != 0)
      return mode("follows A straight for " + llvm::Twine(*run) + " steps of " +
                  llvm::Twine(step) + ", which do not divide its " +
                  llvm::Twine(rest) + " coordinates");
    auto value = exact->valueAt(step);
    if (!value)
      return value.error().label == "composition_c1"
                 ? mode(value.error().message)
                 : value.takeError();
    if (stride < 0) {
      FLY_TRY(turned, sub(Int::constant(0), value->getInt()));
      value = value->withInt(std::move(turned));
    }
    result.push_back({Int::constant(*run), std::move(*value)});
    stretches.push_back({*run, stride < 0 ? -step : step});
    rest /= *run;
    if (rest > 1)
      step *= *run;
  }
  auto own = llvm::ArrayRef<StaticMode>(stretches).drop_front(before);
  if (auto why = checkSums(own))
    return mode(*why);
  return canonicalStrides(fromModes(result));
}

Result<Layout> Composer::composeByDivision(const Int &size, const Int &stride) {
  ModeList result;
  Int rest = size, step = stride;
  reached.resize(modes.size(), 0);
  ++divided;
  requireLeaf(size, stride);
  for (size_t i = 0; i + 1 < modes.size(); ++i) {
    if (rest.isStatic(1))
      break;
    const Mode &mode = modes[i];
    const Int &extent = mode.size;
    if (extent.isStatic() && extent.getValue() < 1)
      return refuse(size, stride,
                    "meets the empty mode " + extent.str() + " of A");
    auto reach = [&](int64_t digit) {
      reached[i] = addChecked(reached[i], digit).value_or(INT64_MAX);
    };
    if (extent.isStatic() && step.isStatic()) {
      int64_t s = extent.getValue(), t = step.getValue();
      if (t % s == 0) {
        step = Int::constant(t / s);
        continue;
      }
      // Steps that stay inside the mode need not divide it.
      auto end =
          rest.isStatic() ? mulChecked(rest.getValue() - 1, t) : std::nullopt;
      if (end && *end < s) {
        FLY_TRY(d, mul(Leaf(step), mode.stride));
        result.push_back({rest, std::move(d)});
        reach(*end);
        parts.push_back({i, rest, step});
        rest = Int::constant(1);
        continue;
      }
      if (s % t != 0)
        return refuse(size, stride,
                      "steps by " + llvm::Twine(t) +
                          " through the mode of size " + llvm::Twine(s) +
                          " of A, and neither divides the other");
    }
    requireStep(Layout(size, stride), extent, step, rest);
    Int before = step;
    FLY_TRY(count, ceilDiv(extent, before));
    FLY_TRY_SET(step, ceilDiv(before, extent));
    if (count.isStatic(1))
      continue;
    FLY_TRY(taken, min(count, rest));
    if (rest.isStatic() && taken.isStatic() &&
        (taken.getValue() < 1 || rest.getValue() % taken.getValue() != 0))
      return refuse(size, stride,
                    "fills a mode of A with " + llvm::Twine(taken.str()) +
                        " of its remaining " + rest.str() +
                        " coordinates, which does not divide them");
    if (taken.isStatic() && before.isStatic())
      reach((taken.getValue() - 1) * before.getValue());
    FLY_TRY(d, mul(Leaf(before), mode.stride));
    result.push_back({taken, std::move(d)});
    parts.push_back({i, taken, before});
    FLY_TRY_SET(rest, div(rest, taken));
  }
  if (result.empty() || !rest.isStatic(1)) {
    FLY_TRY(d, mul(Leaf(step), modes.back().stride));
    result.push_back({rest, std::move(d)});
  }
  return canonicalStrides(fromModes(result));
}

//===----------------------------------------------------------------------===//
// What run-time values must keep
//===----------------------------------------------------------------------===//

void Composer::requireLeaf(const Int &size, const Int &stride) const {
  if (size.isDynamic())
    require(
        "composition_c1", [&]() -> Result<Int> { return isAtLeast(size, 1); },
        [&] { return where(Layout(size, stride)) + "is not empty"; });
  // A stride of 0 is one only if it is static: the divisions need another.
  if (stride.isDynamic())
    require(
        "composition_c1", [&]() -> Result<Int> { return isAtLeast(stride, 1); },
        [&] { return where(Layout(size, stride)) + "goes forwards"; });
}

/// Steps of `step` through a mode of A of size `extent`, `rest` coordinates to
/// go: they pass over it, end inside of it, or fill it exactly.
void Composer::requireStep(const Layout &leaf, const Int &extent,
                           const Int &step, const Int &rest) const {
  if (extent.isStatic() && step.isStatic() && rest.isStatic())
    return;
  if (extent.isDynamic())
    require(
        "composition_c1", [&]() -> Result<Int> { return isAtLeast(extent, 1); },
        [&] {
          return where(leaf) + "meets no empty mode of A, of size " +
                 extent.str();
        });
  require(
      "composition_c1",
      [&]() -> Result<Int> {
        Int s = extendTo64(extent), t = extendTo64(step), r = extendTo64(rest);
        FLY_TRY(passes, isMultiple(t, s));
        FLY_TRY(steps, sub(r, Int::constant(1)));
        FLY_TRY(reach, mul(steps, t));
        FLY_TRY(divides, isMultiple(s, t));
        FLY_TRY(count, ceilDiv(s, t));
        FLY_TRY(fills, isMultiple(r, count));
        return logicalOr(logicalOr(passes, cmp(ExprKind::Lt, reach, s)),
                         logicalAnd(divides, fills));
      },
      [&] {
        return where(leaf) + "with " + rest.str() +
               " coordinates by steps of " + step.str() +
               " passes over, stays inside, or fills exactly the mode of "
               "size " +
               extent.str() + " of A";
      });
}

/// The largest digit that c * stride has in each mode; the whole mode where
/// that takes too long to see.
static llvm::SmallVector<int64_t> digitsOf(const StaticMode &leaf,
                                           llvm::ArrayRef<Mode> modes) {
  llvm::SmallVector<int64_t> digits(modes.size(), 0);
  bool visit = leaf.size <= 4096 && leaf.stride >= 0;
  for (int64_t c = 0; c < (visit ? leaf.size : 1); ++c) {
    int64_t rest = c * leaf.stride;
    for (size_t i = 0; i + 1 < modes.size(); ++i) {
      int64_t extent = modes[i].size.getValue();
      digits[i] = std::max(digits[i], visit ? rest % extent : extent - 1);
      rest /= extent;
    }
  }
  return digits;
}

/// Whether the digits of all leaves, carries included, stay inside of each
/// mode of A, or the mode is contiguous with the next one.
Result<Int> Composer::sumsFit() const {
  llvm::SmallVector<int64_t> known(modes.size(), 0);
  for (const StaticMode &leaf : tabled)
    for (auto [sum, digit] : llvm::zip(known, digitsOf(leaf, modes)))
      sum = addChecked(sum, digit).value_or(INT64_MAX);
  Int all = Int::constant(1), carry;
  for (size_t i = 0; i + 1 < modes.size(); ++i) {
    Int size = extendTo64(modes[i].size);
    FLY_TRY(reach, add(carry, Int::constant(known[i])));
    for (const Part &part : parts)
      if (part.mode == i) {
        FLY_TRY(steps, sub(extendTo64(part.count), Int::constant(1)));
        FLY_TRY(digit, mul(steps, extendTo64(part.step)));
        FLY_TRY_SET(reach, add(reach, digit));
      }
    Int fits = cmp(ExprKind::Lt, reach, size);
    const Leaf &here = modes[i].stride, &next = modes[i + 1].stride;
    if (here.getModes() == next.getModes()) {
      FLY_TRY(end, mul(size, extendTo64(here.getInt())));
      fits = logicalOr(fits, cmp(ExprKind::Eq, end, next.getInt()));
    }
    all = logicalAnd(all, fits);
    FLY_TRY_SET(carry, div(reach, size));
  }
  return all;
}

void Composer::requireSums() const {
  // One leaf alone is covered by its own requirements, and static ones among
  // themselves by their carries.
  if (divided == 0 || divided + tabled.size() < 2)
    return;
  require(
      "composition_c1", [&] { return sumsFit(); },
      [&] {
        return "in the composition of A = " + a.str() + " with B = " + b.str() +
               " the modes of B together stay inside the modes of A";
      });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Why stretches do not add up.
std::optional<std::string>
Composer::checkSums(llvm::ArrayRef<StaticMode> steps) const {
  Carries::Sums sums = exact->addUp(steps);
  switch (sums.addUp) {
  case Carries::Answer::Yes:
    return std::nullopt;
  case Carries::Answer::Unknown:
    return cancellation.str();
  case Carries::Answer::No:
    break;
  }
  const Mode &crossed = modes[sums.crossed];
  std::string text;
  llvm::raw_string_ostream(text)
      << "runs across the end of mode " << crossed.size << ':'
      << crossed.stride.getInt() << " of A in the middle of its steps";
  return text;
}

std::optional<Error> Composer::checkSums() const {
  requireSums();
  if (exact) {
    if (leaves < 2)
      return std::nullopt; // composeStatic has seen all of them
    auto why = checkSums(stretches);
    return why ? std::optional<Error>(refuse("B as a whole " + *why))
               : std::nullopt;
  }
  for (auto [i, mode] : llvm::enumerate(modes)) {
    if (i + 1 == modes.size() || !mode.size.isStatic())
      return std::nullopt; // from here on the digits depend on the run time
    if (i < reached.size() && reached[i] >= mode.size.getValue())
      return refuse("the modes of B together run past the mode of size " +
                    llvm::Twine(mode.size.str()) + " of A");
  }
  return std::nullopt;
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
    return withinDepth(canonicalStrides(result));
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
      if (size.isStatic(1))
        return Layout();
      FLY_TRY(d, mul(stride, a.getStride().getLeaf()));
      return canonicalStrides(Layout(size, d));
    }
    auto path = stride.getModes();
    for (auto &[known, composer] : composers) {
      llvm::ArrayRef<int32_t> other(known);
      if (other == path)
        return composer->compose(size, stride.getInt());
      size_t common = std::min(other.size(), path.size());
      if (other.take_front(common) == path.take_front(common))
        return fail("composition_c2",
                    "composition of A = " + a.str() + " with B = " + b.str() +
                        ": the strides of B lead both along the mode of " +
                        IntTuple(stride).str() + " of A and into it");
    }
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
  return withinDepth(canonicalStrides(result));
}
