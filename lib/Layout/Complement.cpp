// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complement: the layout that fills the gaps of another one.

#include "Fly/Layout/Algebra.h"

#include "ModeList.h"
#include "StableSort.h"

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
  ModeList ordered;
  Int end = Int::constant(1);
  while (!modes.empty()) {
    Mode *next = llvm::find_if(modes, [&](const Mode &mode) {
      return !mode.hasStaticStride() && sameValue(mode.stride.getInt(), end);
    });
    if (next == modes.end())
      next = modes.begin();
    bool known =
        next->hasStaticStride() || sameValue(next->stride.getInt(), end);
    if (!known)
      return fail("complement_c2", "complement of " + layout.str() +
                                       ": the order of the "
                                       "run-time stride " +
                                       next->stride.getInt().str() +
                                       " among the others is not known");
    FLY_TRY_SET(end, mul(next->stride.getInt(), next->size));
    ordered.push_back(std::move(*next));
    modes.erase(next);
  }
  return ordered;
}

/// Whether a mode of stride d can follow modes that end at `end`, the last of
/// which has the stride `before`.
static std::optional<Error> checkStep(const Int &d, const Int &before,
                                      const Int &end, const Layout &layout) {
  if (d.isStatic() && d.getValue() < 0)
    return fail("complement_c4", "complement of " + layout.str() +
                                     " with the negative stride " + d.str());
  // Unless one of the two sizes is 1, which is known only at run time.
  if (d.isStatic() && before.isStatic(d.getValue()))
    return fail("complement_c3", "complement of " + layout.str() +
                                     ": two modes have the stride " + d.str());
  if (!d.isStatic() || !end.isStatic())
    return std::nullopt;
  if (end.getValue() < 1 || d.getValue() % end.getValue() != 0)
    return fail("complement_c3",
                "complement of " + layout.str() + ": stride " + d.str() +
                    " is no multiple of " + end.str() +
                    ", where the modes below it end; indices repeat or leave "
                    "gaps that no layout fills");
  return std::nullopt;
}

Result<Layout> fly::layout::complement(const Layout &layout,
                                       const Int &codomain) {
  if (layout.getStride().hasBasis())
    return fail("complement_c1",
                "complement of " + layout.str() + " with basis strides");
  FLY_TRY(shape, filterZero(layout.getStride(), layout.getShape()));
  FLY_TRY(modes, coalescedModes(Layout(shape, layout.getStride()),
                                /*keepBoundary=*/false));
  if (modes.size() == 1 && modes[0].stride.isStatic(0))
    return Layout(codomain, 1);
  FLY_TRY(ordered, orderModes(std::move(modes), layout));

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
