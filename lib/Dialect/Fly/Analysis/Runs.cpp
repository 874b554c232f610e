// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs behind swizzles: see Runs.h for the questions.

#include "Fly/Dialect/Fly/Analysis/Runs.h"

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"

#include "llvm/Support/MathExtras.h"

using namespace fly;

/// The most indices that are compared one by one.
static constexpr int64_t kMaxCompared = int64_t(1) << 16;

int64_t fly::getKnownAlignment(PointerType pointer) {
  std::optional<int64_t> bits = getElementBits(pointer.getElementType());
  AlignAttr alignment = pointer.getAlignment();
  bool whole = bits && *bits % 8 == 0;
  if (!whole && alignment == AlignAttr::getTrivial(pointer.getElementType()))
    return 1;
  return alignment.getAlignment();
}

int64_t fly::getSwizzleBlock(SwizzleAttr swizzle) {
  if (swizzle.isTrivial())
    return 1;
  // A legal swizzle has base + mask + shift <= 63 and a shift of at least 1.
  return int64_t(1) << (swizzle.getBase() + swizzle.getMask());
}

bool fly::swizzleKeepsRun(PointerType pointer, int64_t bits) {
  SwizzleAttr swizzle = pointer.getSwizzle();
  if (swizzle.isTrivial())
    return true;
  if (bits <= 0)
    return false;
  // Bytes of the smallest power of two that holds the run; it divides the
  // alignment and the block if the run crosses neither.
  uint64_t bytes = llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
  uint64_t block = uint64_t(1) << std::min(swizzle.getBase(), 62);
  uint64_t alignment = getKnownAlignment(pointer);
  return bytes <= block && alignment % bytes == 0;
}

bool fly::swizzleKeepsRun(MemRefType memref, int64_t elements) {
  if (memref.getSwizzle().isTrivial())
    return true;
  std::optional<int64_t> bits = getElementBits(memref.getElementType());
  int64_t runBits;
  return bits && !llvm::MulOverflow(elements, *bits, runBits) &&
         swizzleKeepsRun(memref.getPointerType(), runBits);
}

/// The largest distance from the first index of a leaf layout, or nothing if
/// it is not static or the stride is negative.
static std::optional<int64_t> getSpan(const layout::Layout &linear) {
  if (!linear.isStatic())
    return std::nullopt;
  layout::Result<layout::Int> cosize = layout::cosize(linear);
  if (cosize.hasError())
    return std::nullopt;
  bool negative = false;
  linear.getStride().forEachLeaf([&](const layout::Leaf &leaf) {
    negative |= leaf.isBasis() || leaf.getInt().getValue() < 0;
  });
  if (negative)
    return std::nullopt;
  return cosize->getValue() - 1;
}

/// layout(i) = layout(0) + linear(i), index by index.
static bool compareIndices(const layout::AnyLayout &layout) {
  layout::Result<layout::Int> size = layout::size(layout.getLinear());
  if (size.hasError() || size->getValue() > kMaxCompared)
    return false;
  layout::Result<layout::IntTuple> origin =
      layout::crd2idx(layout::IntTuple(0), layout);
  if (origin.hasError())
    return false;
  for (int64_t i = 0, e = size->getValue(); i < e; ++i) {
    layout::Result<layout::IntTuple> index =
        layout::crd2idx(layout::IntTuple(i), layout);
    layout::Result<layout::IntTuple> step =
        layout::crd2idx(layout::IntTuple(i), layout.getLinear());
    if (index.hasError() || step.hasError())
      return false;
    layout::Result<layout::IntTuple> expected = layout::add(*origin, *step);
    if (expected.hasError() || *index != *expected)
      return false;
  }
  return true;
}

static bool isLinear(const layout::AnyLayout &layout) {
  if (layout.isPlain())
    return true;
  layout::Result<layout::Int> size = layout::size(layout.getLinear());
  if (!size.hasError() && size->isStatic(1))
    return true;
  if (layout.isStatic())
    return compareIndices(layout);

  // With a run-time part: the outer keeps the run, and the inner map does.
  const layout::ComposedLayout &composed = layout.getComposed();
  if (!isLinear(composed.getOuter()))
    return false;
  if (auto *map = std::get_if<layout::AnyLayout>(&composed.getInner())) {
    // A leaf of stride 1 is the identity.
    return map->isPlain() && map->getPlain().isLeaf() &&
           map->getPlain().getStride().isStaticLeaf(1);
  }
  auto *swizzle = std::get_if<layout::Swizzle>(&composed.getInner());
  if (!swizzle)
    return std::get<layout::CoordSwizzle>(composed.getInner()).isTrivial();
  if (swizzle->isTrivial())
    return true;
  std::optional<int64_t> span = getSpan(layout.getLinear());
  layout::Result<layout::IntTuple> outer =
      layout::crd2idx(layout::IntTuple(0), composed.getOuter());
  if (!span || outer.hasError())
    return false;
  layout::Result<layout::IntTuple> start =
      layout::add(composed.getOffset(), *outer);
  if (start.hasError() || !start->isLeaf() || start->getLeaf().isBasis())
    return false;
  // The bits below 2^base pass; those above the run's own must not carry.
  int64_t divisor = start->getInt().getDivisibility();
  int bits =
      divisor == 0 ? 63 : llvm::countr_zero(static_cast<uint64_t>(divisor));
  return *span < int64_t(1) << std::min({bits, swizzle->base, 62});
}

bool fly::isLinearAtOrigin(mlir::Attribute layout) {
  unsigned nextSymbol = 0;
  return isLinear(toLayoutValue(layout, nextSymbol));
}
