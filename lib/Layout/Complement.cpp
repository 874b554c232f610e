// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complement: the layout that fills the gaps of another one. Negative strides
// only move the image: with n the sum of |d| * (s - 1) over the modes s:d of
// negative stride, replacing d by |d| and the coordinate x by s - 1 - x adds n
// to every index. A shift keeps what is injective, and the codomain, which
// begins at the smallest index, moves along. So the complement is that of the
// magnitudes of the strides.

#include "Fly/Layout/Algebra.h"
#include "Fly/Layout/Requirements.h"

#include "ModeList.h"
#include "StableSort.h"
#include "StaticLayout.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

/// The modes in the order in which they continue each other: static strides
/// ascending; a run-time stride has its place where it is known to be the end
/// of the modes before it, or alone.
static Result<ModeList> orderModes(ModeList modes, const Layout &layout) {
  if (modes.size() == 1)
    return modes;
  stableSort(modes, [](const Mode &x, const Mode &y) {
    bool sx = x.hasStaticStride(), sy = y.hasStaticStride();
    if (!sx || !sy)
      return sx && !sy;
    return x.stride.getInt().getValue() < y.stride.getInt().getValue();
  });
  auto isStatic = [](const Mode &mode) { return mode.hasStaticStride(); };
  Mode *nextStatic = modes.begin(),
       *firstDynamic = llvm::find_if_not(modes, isStatic);
  if (firstDynamic == modes.end())
    return modes;
  ModeList dynamic(firstDynamic, modes.end()), ordered;
  Int end = Int::constant(1);
  while (nextStatic != firstDynamic || !dynamic.empty()) {
    Mode *next = llvm::find_if(dynamic, [&](const Mode &mode) {
      return sameValue(mode.stride.getInt(), end);
    });
    if (next == dynamic.end() && nextStatic == firstDynamic)
      return fail("complement_c2", "complement of " + layout.str() +
                                       ": the order of the run-time stride " +
                                       dynamic[0].stride.getInt().str() +
                                       " among the others is not known");
    bool known = next != dynamic.end();
    ordered.push_back(known ? *next : *nextStatic++);
    if (known)
      dynamic.erase(next);
    FLY_TRY_SET(end, mul(ordered.back().stride.getInt(), ordered.back().size));
  }
  return ordered;
}

/// The strides without their signs.
static Result<IntTuple> magnitudes(const IntTuple &stride) {
  if (stride.isLeaf()) {
    const Int &d = stride.getInt();
    if (!d.isStatic() || d.getValue() >= 0)
      return stride;
    FLY_TRY(magnitude, sub(Int::constant(0), d));
    return IntTuple(std::move(magnitude));
  }
  std::vector<IntTuple> modes;
  for (size_t i = 0; i < stride.rank(); ++i) {
    FLY_TRY(mode, magnitudes(stride[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

/// Whether a mode of stride d can follow modes that end at `end`, the last of
/// which has the stride `before`.
static std::optional<Error> checkStep(const Int &d, const Int &before,
                                      const Int &end, const Layout &layout) {
  // Unless one of the two sizes is 1, which is known only at run time.
  if (d.isStatic() && before.isStatic(d.getValue()))
    return fail("complement_c3", "complement of " + layout.str() +
                                     ": two modes have the stride " + d.str());
  if (!d.isStatic() || !end.isStatic()) {
    if (!sameValue(d, end))
      require(
          "complement_c3",
          [&]() -> Result<Int> {
            FLY_TRY(fits, isMultiple(d, end));
            return logicalAnd(isAtLeast(d, 1), fits);
          },
          [&] {
            return "in the complement of " + layout.str() + " the stride " +
                   d.str() + " is a positive multiple of " + end.str() +
                   ", where the modes below it end";
          });
    return std::nullopt;
  }
  if (end.getValue() < 1 || d.getValue() % end.getValue() != 0)
    return fail("complement_c3",
                "complement of " + layout.str() + ": stride " + d.str() +
                    " is no multiple of " + end.str() +
                    ", where the modes below it end; indices repeat or leave "
                    "gaps that no layout fills");
  return std::nullopt;
}

/// The gaps of the ordered modes, then their repetitions up to `codomain`.
static Result<Layout> fillGaps(llvm::ArrayRef<Mode> ordered,
                               const Int &codomain, const Layout &layout) {
  ModeList result;
  Int before, end = Int::constant(1);
  for (const Mode &mode : ordered) {
    const Int &d = mode.stride.getInt();
    if (auto error = checkStep(d, before, end, layout))
      return *error;
    before = d;
    Int gap = Int::constant(1);
    if (!sameValue(d, end))
      FLY_TRY_SET(gap, div(d, end));
    result.push_back({std::move(gap), end});
    FLY_TRY_SET(end, mul(d, mode.size));
  }
  FLY_TRY(repeats, ceilDiv(codomain, end));
  result.push_back({std::move(repeats), end});
  return coalesce(fromModes(result));
}

/// The complement that covers no more than it must. Each of its indices is
/// forced: the smallest number not yet covered is an index of the complement,
/// because below it a second way would repeat a sum. So where a stride comes to
/// lie inside of what is covered there is no complement; and modes beyond the
/// codomain matter only in that their copies must not overlap.
static std::optional<Layout> fillOnlyCodomain(llvm::ArrayRef<Mode> ordered,
                                              const Int &codomain) {
  if (!codomain.isStatic())
    return std::nullopt;
  llvm::SmallVector<StaticMode> modes;
  for (const Mode &mode : ordered) {
    if (!mode.size.isStatic() || !mode.stride.isStatic() ||
        mode.size.getValue() < 1)
      return std::nullopt;
    modes.push_back({mode.size.getValue(), mode.stride.getInt().getValue()});
  }
  llvm::ArrayRef<StaticMode> above(modes);
  // Nothing is to be covered: no index at all, as with a chain of modes.
  if (codomain.isStatic(0)) {
    if (areApart(above, 1).value_or(false))
      return Layout(0, 1);
    return std::nullopt;
  }
  ModeList result;
  int64_t end = 1;
  while (end < codomain.getValue()) {
    int64_t needed = (codomain.getValue() - 1) / end + 1;
    bool last = above.empty() || needed <= above.front().stride / end;
    if (!last && above.front().stride % end != 0)
      return std::nullopt;
    int64_t gap = last ? needed : above.front().stride / end;
    result.push_back({Int::constant(gap), Leaf(Int::constant(end))});
    auto next = mulChecked(end, gap);
    if (next && !last) {
      next = mulChecked(*next, above.front().size);
      above = above.drop_front();
    }
    if (!next)
      return std::nullopt;
    end = *next;
    if (last)
      break;
  }
  auto apart = areApart(above, end);
  auto complement = coalesce(fromModes(result));
  if (!apart.value_or(false) || !complement)
    return std::nullopt;
  return *complement;
}

Result<Layout> fly::layout::complement(const Layout &layout,
                                       const Int &codomain) {
  if (layout.getStride().hasBasis())
    return fail("complement_c1",
                "complement of " + layout.str() + " with basis strides");
  if (codomain.isStatic() && codomain.getValue() < 0)
    return fail("complement_c5", "complement of " + layout.str() +
                                     " within the codomain " + codomain.str() +
                                     "; a size is expected");
  if (codomain.isDynamic())
    require(
        "complement_c5",
        [&]() -> Result<Int> { return isAtLeast(codomain, 0); },
        [&] {
          return "in the complement of " + layout.str() + " the codomain " +
                 codomain.str() + " is not negative";
        });
  FLY_TRY(shape, filterZero(layout.getStride(), layout.getShape()));
  FLY_TRY(strides, magnitudes(layout.getStride()));
  FLY_TRY(modes,
          coalescedModes(Layout(shape, strides), /*keepBoundary=*/false));
  if (modes.size() == 1 && modes[0].stride.isStatic(0))
    return Layout(codomain, 1);
  for (const Mode &mode : modes)
    if (mode.size.isStatic() && mode.size.getValue() < 1)
      return fail("complement_c3", "complement of " + layout.str() + ": mode " +
                                       mode.size.str() + ":" +
                                       mode.stride.getInt().str() +
                                       " has no coordinates");
  FLY_TRY(ordered, orderModes(std::move(modes), layout));
  auto result = fillGaps(ordered, codomain, layout);
  if (!result && result.error().label == "complement_c3")
    if (auto less = fillOnlyCodomain(ordered, codomain))
      return *less;
  return result;
}

Result<Layout> fly::layout::complement(const Layout &layout) {
  if (layout.getStride().hasBasis())
    return fail("complement_c1",
                "complement of " + layout.str() + " with basis strides");
  FLY_TRY(shape, filterZero(layout.getStride(), layout.getShape()));
  FLY_TRY(filtered, coalesce(Layout(shape, layout.getStride())));
  FLY_TRY(codomain, cosize(filtered));
  return complement(layout, codomain);
}

Result<Layout> fly::layout::complement(const Layout &layout,
                                       const IntTuple &codomain) {
  if (!codomain.isLeaf() || codomain.hasBasis())
    return fail("complement_c5", "complement within the codomain " +
                                     codomain.str() +
                                     "; an integer is expected");
  return complement(layout, codomain.getInt());
}
