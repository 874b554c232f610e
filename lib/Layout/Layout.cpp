// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts and composed layouts as values: construction, text, access to their
// parts, and the operations on structure that leave sizes and strides alone.

#include "Fly/Layout/Layout.h"

using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

Result<Layout> Layout::get(IntTuple shape, IntTuple stride) {
  if (!congruent(shape, stride))
    return fail("layout_c1", "shape " + shape.str() + " and stride " +
                                 stride.str() + " have different profiles");
  if (shape.hasBasis())
    return fail("layout_c2",
                "shape " + shape.str() + " has a basis element as a size");
  bool negative = false;
  shape.forEachLeaf([&](const Leaf &leaf) {
    negative |= leaf.isStatic() && leaf.getInt().getValue() < 0;
  });
  if (negative)
    return fail("layout_c3", "shape " + shape.str() + " has a negative extent");
  return Layout(std::move(shape), std::move(stride));
}

Layout Layout::concat(llvm::ArrayRef<Layout> modes) {
  std::vector<IntTuple> shapes, strides;
  shapes.reserve(modes.size());
  strides.reserve(modes.size());
  for (const Layout &mode : modes) {
    shapes.push_back(mode.shape);
    strides.push_back(mode.stride);
  }
  return Layout(IntTuple::tuple(std::move(shapes)),
                IntTuple::tuple(std::move(strides)));
}

void Layout::print(llvm::raw_ostream &os) const {
  os << shape << ':' << stride;
}

std::string Layout::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << *this;
  return text;
}

llvm::raw_ostream &fly::layout::operator<<(llvm::raw_ostream &os,
                                           const Layout &layout) {
  layout.print(os);
  return os;
}

//===----------------------------------------------------------------------===//
// AnyLayout, ComposedLayout
//===----------------------------------------------------------------------===//

AnyLayout::AnyLayout(ComposedLayout value)
    : composed(std::make_shared<const ComposedLayout>(std::move(value))) {}

const Layout &AnyLayout::getLinear() const {
  const AnyLayout *current = this;
  while (current->isComposed())
    current = &current->composed->getOuter();
  return current->plain;
}

AnyLayout AnyLayout::withLinear(Layout linear) const {
  if (isPlain())
    return linear;
  return ComposedLayout(composed->getInner(), composed->getOffset(),
                        composed->getOuter().withLinear(std::move(linear)));
}

bool AnyLayout::isStatic() const {
  return isPlain() ? plain.isStatic() : composed->isStatic();
}

unsigned AnyLayout::depth() const {
  return isPlain() ? plain.depth() : composed->depth();
}

void AnyLayout::print(llvm::raw_ostream &os) const {
  if (isPlain())
    plain.print(os);
  else
    composed->print(os);
}

std::string AnyLayout::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << *this;
  return text;
}

bool AnyLayout::operator==(const AnyLayout &o) const {
  if (isPlain() || o.isPlain())
    return isPlain() && o.isPlain() && plain == o.plain;
  return composed == o.composed || *composed == *o.composed;
}

llvm::raw_ostream &fly::layout::operator<<(llvm::raw_ostream &os,
                                           const AnyLayout &layout) {
  layout.print(os);
  return os;
}

bool ComposedLayout::isStatic() const {
  const auto *map = std::get_if<AnyLayout>(&inner);
  return (!map || map->isStatic()) && offset.isStatic() && outer.isStatic();
}

unsigned ComposedLayout::depth() const {
  unsigned result = std::max(offset.depth(), outer.depth());
  if (const auto *map = std::get_if<AnyLayout>(&inner))
    result = std::max(result, map->depth());
  return result + 1;
}

void ComposedLayout::print(llvm::raw_ostream &os) const {
  std::visit([&](const auto &map) { map.print(os); }, inner);
  os << " o " << offset << " o ";
  if (outer.isComposed())
    os << '[';
  outer.print(os);
  if (outer.isComposed())
    os << ']';
}

std::string ComposedLayout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

bool ComposedLayout::operator==(const ComposedLayout &o) const {
  return inner == o.inner && offset == o.offset && outer == o.outer;
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Applies an operation on tuples to shape and stride.
template <typename Fn>
static Result<Layout> onBoth(const Layout &layout, Fn fn) {
  FLY_TRY(shape, fn(layout.getShape()));
  FLY_TRY(stride, fn(layout.getStride()));
  return Layout(std::move(shape), std::move(stride));
}

Result<AnyLayout> fly::layout::get(const AnyLayout &layout,
                                   llvm::ArrayRef<int32_t> path) {
  return onLinear(layout, [&](const Layout &l) {
    return onBoth(l, [&](const IntTuple &t) { return get(t, path); });
  });
}

Result<AnyLayout> fly::layout::take(const AnyLayout &layout, int32_t begin,
                                    int32_t end) {
  return onLinear(layout, [&](const Layout &l) {
    return onBoth(l, [&](const IntTuple &t) { return take(t, begin, end); });
  });
}

Result<AnyLayout> fly::layout::select(const AnyLayout &layout,
                                      llvm::ArrayRef<int32_t> indices) {
  return onLinear(layout, [&](const Layout &l) {
    return onBoth(l, [&](const IntTuple &t) { return select(t, indices); });
  });
}

Result<AnyLayout> fly::layout::group(const AnyLayout &layout, int32_t begin,
                                     int32_t end) {
  return onLinear(layout, [&](const Layout &l) {
    return onBoth(l, [&](const IntTuple &t) { return group(t, begin, end); });
  });
}

Result<AnyLayout> fly::layout::append(const AnyLayout &layout,
                                      const Layout &elem,
                                      std::optional<int32_t> n) {
  return onLinear(layout, [&](const Layout &l) -> Result<Layout> {
    FLY_TRY(shape, append(l.getShape(), elem.getShape(), n));
    FLY_TRY(stride, append(l.getStride(), elem.getStride(), n));
    return Layout(std::move(shape), std::move(stride));
  });
}

Result<AnyLayout> fly::layout::prepend(const AnyLayout &layout,
                                       const Layout &elem,
                                       std::optional<int32_t> n) {
  return onLinear(layout, [&](const Layout &l) -> Result<Layout> {
    FLY_TRY(shape, prepend(l.getShape(), elem.getShape(), n));
    FLY_TRY(stride, prepend(l.getStride(), elem.getStride(), n));
    return Layout(std::move(shape), std::move(stride));
  });
}

static Result<Layout> slicePlain(const Layout &layout, const IntTuple &coord) {
  return onBoth(layout,
                [&](const IntTuple &tuple) { return slice(tuple, coord); });
}

Result<AnyLayout> fly::layout::slice(const AnyLayout &layout,
                                     const IntTuple &coord) {
  if (layout.isPlain()) {
    FLY_TRY(plain, slicePlain(layout.getPlain(), coord));
    return AnyLayout(std::move(plain));
  }
  const ComposedLayout &composed = layout.getComposed();
  IntTuple offset = composed.getOffset();
  if (composed.getOuter().isPlain()) {
    FLY_TRY(delta, sliceOffset(composed.getOuter().getPlain(), coord));
    FLY_TRY_SET(offset, add(offset, delta));
  }
  FLY_TRY(outer, slice(composed.getOuter(), coord));
  return AnyLayout(
      ComposedLayout(composed.getInner(), std::move(offset), std::move(outer)));
}

Result<IntTuple> fly::layout::sliceOffset(const Layout &layout,
                                          const IntTuple &coord) {
  return crd2idx(coord, layout);
}

Result<Layout> fly::layout::dice(const Layout &layout, const IntTuple &coord) {
  return onBoth(layout,
                [&](const IntTuple &tuple) { return dice(tuple, coord); });
}

Layout fly::layout::expand(const Layout &layout,
                           llvm::ArrayRef<int32_t> indices) {
  return Layout(expand(layout.getShape(), indices),
                expand(layout.getStride(), indices));
}

Result<AnyLayout> fly::layout::addOffset(const AnyLayout &layout,
                                         const IntTuple &delta) {
  if (layout.isPlain())
    return fail("add_offset_c2",
                "layout " + layout.str() + " has no offset to move");
  const ComposedLayout &composed = layout.getComposed();
  if (composed.getOuter().isPlain()) {
    FLY_TRY(offset, add(composed.getOffset(), delta));
    return AnyLayout(ComposedLayout(composed.getInner(), std::move(offset),
                                    composed.getOuter()));
  }
  FLY_TRY(outer, addOffset(composed.getOuter(), delta));
  return AnyLayout(ComposedLayout(composed.getInner(), composed.getOffset(),
                                  std::move(outer)));
}

Result<IntTuple> fly::layout::originOffset(const AnyLayout &layout) {
  if (layout.isPlain())
    return IntTuple(0);
  const ComposedLayout &composed = layout.getComposed();
  FLY_TRY(below, originOffset(composed.getOuter()));
  FLY_TRY(index, add(composed.getOffset(), below));
  return applyInner(composed.getInner(), index);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

Result<int64_t> fly::layout::offsetDivisibility(int64_t value,
                                                const IntTuple &offset) {
  if (!offset.isLeaf() || offset.hasBasis())
    return fail("add_offset_c1",
                "offset must be a scalar (leaf int) IntTuple, got " +
                    offset.str());
  int64_t divisor = offset.getInt().getDivisibility();
  return divisor == 0 ? value : gcd(value, divisor);
}

Result<int64_t> fly::layout::alignmentBytes(int64_t bits,
                                            int64_t divisibility) {
  auto total = mulChecked(bits, std::max<int64_t>(divisibility, 1));
  if (!total || *total > (int64_t(INT32_MAX) - 1) * 8)
    return fail("align_c1", "an alignment of " + llvm::Twine(divisibility) +
                                " elements of " + llvm::Twine(bits) +
                                " bits exceeds 31 bits");
  return (*total + 7) / 8;
}

int64_t fly::layout::alignmentDivisibility(int64_t bits, int64_t bytes) {
  assert(bits > 0 && "elements have bits");
  return bytes * 8 / bits;
}

int64_t fly::layout::swizzleDivisibility(int64_t value,
                                         const Swizzle &swizzle) {
  if (swizzle.isTrivial())
    return value;
  return gcd(value, static_cast<int64_t>(uint64_t(1) << swizzle.base));
}
