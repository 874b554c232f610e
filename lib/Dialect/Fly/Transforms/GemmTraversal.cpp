// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop nests of a tiled multiplication, unrolled to the list of their steps.

#include "Fly/Dialect/Fly/Transforms/GemmTraversal.h"

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace fly {

std::optional<int64_t> GemmExtents::getCount() const {
  int64_t count;
  if (MulOverflow(m, n, count) || MulOverflow(count, k, count))
    return std::nullopt;
  return count;
}

static int64_t &getIndex(GemmStep &step, char mode) {
  return mode == 'm' ? step.m : mode == 'n' ? step.n : step.k;
}

static int64_t getExtent(const GemmExtents &extents, char mode) {
  return mode == 'm' ? extents.m : mode == 'n' ? extents.n : extents.k;
}

SmallVector<GemmStep> traverse(const GemmExtents &extents, bool hasK,
                               std::optional<GemmTraversalOrder> order) {
  // The attribute's text names the modes, innermost first.
  StringRef text =
      stringifyGemmTraversalOrder(order.value_or(GemmTraversalOrder::NMK));
  bool serpentine = text.consume_back("_serpentine");
  std::string modes(text.rbegin(), text.rend());
  if (!hasK) {
    // Two loops: the missing mode becomes an outermost loop of one step.
    modes.erase(modes.find('k'), 1);
    modes.insert(modes.begin(), 'k');
  }
  int64_t outer = hasK ? getExtent(extents, modes[0]) : 1;
  int64_t middle = getExtent(extents, modes[1]);
  int64_t inner = getExtent(extents, modes[2]);
  SmallVector<GemmStep> steps;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t j = 0; j < middle; ++j)
      for (int64_t l = 0; l < inner; ++l) {
        bool middleBack = serpentine && i % 2 == 1;
        bool innerBack = serpentine && (i * middle + j) % 2 == 1;
        GemmStep step;
        getIndex(step, modes[0]) = i;
        getIndex(step, modes[1]) = middleBack ? middle - 1 - j : j;
        getIndex(step, modes[2]) = innerBack ? inner - 1 - l : l;
        steps.push_back(step);
      }
  return steps;
}

layout::Result<SmallVector<GemmStep>> traverse(const GemmExtents &extents,
                                               LayoutAttr traversal) {
  if (!traversal.isStatic())
    return layout::fail("gemm_c4", "traversal layout " +
                                       bodyToString(traversal) +
                                       " is not static");
  std::optional<int64_t> count = extents.getCount();
  layout::Layout value = toStaticValue(traversal);
  FLY_TRY(size, layout::size(value));
  if (!count || size.getValue() != *count)
    return layout::fail("gemm_c4",
                        "traversal layout " + bodyToString(traversal) +
                            " has size " + Twine(size.getValue()) + ", not " +
                            Twine(count.value_or(-1)) + " as there are steps");
  SmallVector<GemmStep> steps;
  BitVector visited(*count);
  for (int64_t i = 0; i < *count; ++i) {
    FLY_TRY(index, layout::crd2idx(layout::IntTuple(i), value));
    int64_t number = index.isLeaf() && !index.getLeaf().isBasis()
                         ? index.getInt().getValue()
                         : -1;
    if (number < 0 || number >= *count || visited.test(number))
      return layout::fail(
          "gemm_c4", "traversal layout " + bodyToString(traversal) +
                         " is not one to one onto " + Twine(*count) + " steps");
    visited.set(number);
    steps.push_back({number % extents.m, number / extents.m % extents.n,
                     number / extents.m / extents.n});
  }
  return steps;
}

} // namespace fly
