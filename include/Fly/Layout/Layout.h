// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts. A layout shape:stride maps a coordinate to an index, for example
//
//   (3,5):(1,3)   column-major: (r,c) -> r + 3c     (3,5):(5,1)   row-major
//   3:0           three coordinates, one index      (4,(2,2)):(2,(1,8)) nested
//   (3,5):(1E0,1E1)  identity: the index is itself a coordinate
//
// A plain integer is a coordinate too: it runs through the modes in
// column-major order, and past the end it continues along the last mode. A
// composed layout `inner o offset o outer` maps c to inner(offset + outer(c)),
// where inner is a swizzle or again a (composed) layout. The linear part of a
// composed layout is the layout innermost in its outers; most operations act
// on it and keep all levels around it.

#ifndef FLY_LAYOUT_LAYOUT_H
#define FLY_LAYOUT_LAYOUT_H

#include "Fly/Layout/Swizzle.h"

#include <variant>

namespace fly::layout {

/// A plain layout. The profiles of shape and stride agree.
class Layout {
public:
  /// The layout 1:0.
  Layout() : shape(1), stride(0) {}
  /// Profiles must agree (use `get` for input that is not known to).
  Layout(IntTuple shape, IntTuple stride)
      : shape(std::move(shape)), stride(std::move(stride)) {
    assert(congruent(this->shape, this->stride) && "profiles differ");
  }
  /// Error layout_c1: different profiles; layout_c2: a basis leaf in the shape.
  static Result<Layout> get(IntTuple shape, IntTuple stride);

  const IntTuple &getShape() const { return shape; }
  const IntTuple &getStride() const { return stride; }
  size_t rank() const { return shape.rank(); }
  unsigned depth() const { return shape.depth(); }
  bool isLeaf() const { return shape.isLeaf(); }
  bool isStatic() const { return shape.isStatic() && stride.isStatic(); }
  /// Mode `i` as a layout.
  Layout operator[](size_t i) const { return Layout(shape[i], stride[i]); }
  /// The layout of rank modes.size() with these modes.
  static Layout concat(llvm::ArrayRef<Layout> modes);

  /// `shape:stride`
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
  bool operator==(const Layout &o) const {
    return shape == o.shape && stride == o.stride;
  }
  bool operator!=(const Layout &o) const { return !(*this == o); }

private:
  IntTuple shape, stride;
};

class ComposedLayout;

/// A plain or composed layout. Cheap to copy.
class AnyLayout {
public:
  AnyLayout() = default;
  AnyLayout(Layout layout) : plain(std::move(layout)) {}
  AnyLayout(ComposedLayout composed);

  bool isPlain() const { return !composed; }
  bool isComposed() const { return composed != nullptr; }
  const Layout &getPlain() const {
    assert(isPlain());
    return plain;
  }
  const ComposedLayout &getComposed() const {
    assert(isComposed());
    return *composed;
  }
  /// The linear part.
  const Layout &getLinear() const;
  /// The same levels around another linear part.
  AnyLayout withLinear(Layout linear) const;
  bool isStatic() const;
  unsigned depth() const;
  size_t rank() const { return getLinear().rank(); }

  void print(llvm::raw_ostream &os) const;
  std::string str() const;
  bool operator==(const AnyLayout &o) const;
  bool operator!=(const AnyLayout &o) const { return !(*this == o); }

private:
  Layout plain;
  std::shared_ptr<const ComposedLayout> composed;
};

/// What stands before the first `o` of a composed layout.
using InnerMap = std::variant<Swizzle, CoordSwizzle, AnyLayout>;

/// inner o offset o outer
class ComposedLayout {
public:
  ComposedLayout(InnerMap inner, IntTuple offset, AnyLayout outer)
      : inner(std::move(inner)), offset(std::move(offset)),
        outer(std::move(outer)) {}

  const InnerMap &getInner() const { return inner; }
  const IntTuple &getOffset() const { return offset; }
  const AnyLayout &getOuter() const { return outer; }

  bool isStatic() const;
  unsigned depth() const;
  /// `S<3,3,3> o 0 o (4,8):(8,1)`; a composed outer stands in brackets.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
  bool operator==(const ComposedLayout &o) const;
  bool operator!=(const ComposedLayout &o) const { return !(*this == o); }

private:
  InnerMap inner;
  IntTuple offset;
  AnyLayout outer;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Layout &layout);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const AnyLayout &layout);

/// Levels of composition around the linear part, at most; operations that add
/// one refuse to go beyond.
constexpr unsigned maxComposition = 256;

/// Applies `fn` (Layout -> Result<Layout>) to the linear part, keeps the rest.
template <typename Fn>
Result<AnyLayout> onLinear(const AnyLayout &layout, Fn &&fn) {
  FLY_TRY(linear, fn(layout.getLinear()));
  return layout.withLinear(std::move(linear));
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// The index of a coordinate: the sum of coordinate times stride over the
/// leaves; an integer coordinate unfolds column-major over the modes, the last
/// of which is unbounded. `*` counts as 0. With basis strides the result is a
/// coordinate. If the static extents of the layout allow an index of 2^31 or
/// more, run-time coordinates are extended to 64 bits first. Errors crd2idx_c1
/// (rank of the coordinate), crd2idx_c2 (a basis or integer coordinate where
/// the shape does not take it), and those of the leaf operations.
Result<IntTuple> crd2idx(const IntTuple &coord, const Layout &layout);
/// inner(offset + outer(coord)).
Result<IntTuple> crd2idx(const IntTuple &coord, const AnyLayout &layout);
/// The inner map of a composed layout on an index.
Result<IntTuple> applyInner(const InnerMap &inner, const IntTuple &index);

/// A coordinate of the index: per leaf (index div stride) mod shape, shape 1
/// and stride 0 give 0. Where strides do not form a chain of multiples, the
/// part of larger strides is taken off first, or a left inverse gives the
/// coordinate of an index of the image. For an index outside of the image the
/// formula stands. Errors idx2crd_c1 (rank), idx2crd_c2 (basis strides),
/// idx2crd_c3 (an index into a static layout whose modes interleave: a run-time
/// one without a left inverse, or a static one of which 2^20 steps do not tell
/// whether it is in the image). Run-time precondition: run-time strides form a
/// chain of multiples.
Result<IntTuple> idx2crd(const IntTuple &index, const Layout &layout);
/// Column-major number of a coordinate within `shape`. Error crd2crd_c1.
Result<Int> crd2idxColMajor(const IntTuple &coord, const IntTuple &shape);
/// Column-major coordinate within `shape` of a number.
Result<IntTuple> idx2crdColMajor(const Int &index, const IntTuple &shape);
/// The coordinate of `to` with the number of `coord` in `from`; mode-wise if
/// all three are tuples of equal rank (error crd2crd_c1 else).
Result<IntTuple> crd2crd(const IntTuple &coord, const IntTuple &from,
                         const IntTuple &to);
/// idx2crd with each mode's coordinate as one number.
Result<IntTuple> getFlatCoord(const IntTuple &index, const Layout &layout);
/// idx2crd as one column-major number.
Result<IntTuple> get1DCoord(const IntTuple &index, const Layout &layout);

//===----------------------------------------------------------------------===//
// Size and extent
//===----------------------------------------------------------------------===//

/// Product of the shape (or of a tuple). If static leaves alone reach 2^31,
/// run-time leaves are extended to 64 bits first.
Result<Int> size(const IntTuple &shape);
Result<Int> size(const Layout &layout);
/// 0 for integer strides; for basis strides a tuple of zeros in the profile of
/// the index. Error coprofile_c1: integer and basis strides mixed.
Result<IntTuple> coprofile(const Layout &layout);
/// Extent of the index per coordinate: 1 + largest - min(0, smallest).
/// Run-time strides count as not negative.
Result<IntTuple> coshape(const Layout &layout);
/// Of a composed layout its cosize.
Result<IntTuple> coshape(const AnyLayout &layout);
/// Product of coshape.
Result<Int> cosize(const Layout &layout);
/// As for layouts; of a composed layout 1 + largest - min(0, smallest) of all
/// its indices, inner map and offset included. Error cosize_c1 if that cannot
/// be known: run-time leaves below a swizzle, or over 2^20 indices to visit.
Result<Int> cosize(const AnyLayout &layout);

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//
// Like their namesakes on tuples, on shape and stride (of the linear part).

Result<AnyLayout> get(const AnyLayout &layout, llvm::ArrayRef<int32_t> path);
Result<AnyLayout> take(const AnyLayout &layout, int32_t begin, int32_t end);
Result<AnyLayout> select(const AnyLayout &layout,
                         llvm::ArrayRef<int32_t> indices);
Result<AnyLayout> group(const AnyLayout &layout, int32_t begin, int32_t end);
Result<AnyLayout> append(const AnyLayout &layout, const Layout &elem,
                         std::optional<int32_t> n = std::nullopt);
Result<AnyLayout> prepend(const AnyLayout &layout, const Layout &elem,
                          std::optional<int32_t> n = std::nullopt);
/// The modes against `*`. Of a plain layout the offset of the fixed
/// coordinates is lost (see sliceOffset); a composed layout takes it up in the
/// offset next to its linear part.
Result<AnyLayout> slice(const AnyLayout &layout, const IntTuple &coord);
/// crd2idx of the fixed coordinates of a slice of a plain layout.
Result<IntTuple> sliceOffset(const Layout &layout, const IntTuple &coord);
Result<Layout> dice(const Layout &layout, const IntTuple &coord);
/// Replaces listed tuple modes by their modes.
Layout expand(const Layout &layout, llvm::ArrayRef<int32_t> indices);
/// Moves a composed layout by `delta` coordinates of its linear part's index:
/// the offset next to the linear part grows. Error add_offset_c2: a plain
/// layout has no offset.
Result<AnyLayout> addOffset(const AnyLayout &layout, const IntTuple &delta);
/// The composed layout at the origin of its linear part: the offset that
/// remains when only the linear part is kept. 0 for a plain layout.
Result<IntTuple> originOffset(const AnyLayout &layout);

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// Divisibility (in elements) of a pointer of divisibility `value` moved by
/// `offset` elements: unchanged by a static 0, else the gcd. An integer leaf
/// is required (error add_offset_c1).
Result<int64_t> offsetDivisibility(int64_t value, const IntTuple &offset);
/// Bytes of alignment of elements of `bits` bits at multiples of
/// `divisibility` elements. Error align_c1 beyond 2^31.
Result<int64_t> alignmentBytes(int64_t bits, int64_t divisibility);
/// Divisibility in elements of an alignment in bytes.
int64_t alignmentDivisibility(int64_t bits, int64_t bytes);
/// Divisibility of a pointer after its swizzle is set: gcd with 2^base.
int64_t swizzleDivisibility(int64_t value, const Swizzle &swizzle);

} // namespace fly::layout

#endif // FLY_LAYOUT_LAYOUT_H
