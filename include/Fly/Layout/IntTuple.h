// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Int tuples: a leaf, or a non-empty list of int tuples. A leaf is an `Int`,
// optionally scaled along a basis element (`5E1E0`: five in the coordinate
// reached by the path 1, 0). Tuples are immutable trees whose lists are shared,
// so copying one is cheap, whatever its size.

#ifndef FLY_LAYOUT_INTTUPLE_H
#define FLY_LAYOUT_INTTUPLE_H

#include "Fly/Layout/Int.h"

#include <memory>
#include <vector>

namespace fly::layout {

/// The deepest nesting that parsers and operations accept (error depth_c1).
constexpr unsigned maxDepth = 256;
/// The largest rank that an operation makes out of a number (`append` to rank
/// n, the path of a basis element).
constexpr int32_t maxRank = 65536;

/// One position of a tuple: a number and, for a basis element, its modes.
class Leaf {
public:
  Leaf(Int value = {}) : value(std::move(value)) {}
  /// `value` in the coordinate reached by `modes` (not empty).
  Leaf(Int value, llvm::ArrayRef<int32_t> modes);

  const Int &getInt() const { return value; }
  bool isBasis() const { return modes != nullptr; }
  /// The path of a basis element, empty for an integer.
  llvm::ArrayRef<int32_t> getModes() const;
  bool isNone() const { return !isBasis() && value.isNone(); }
  bool isStatic() const { return value.isStatic(); }
  bool isDynamic() const { return value.isDynamic(); }
  /// An integer (no basis) with this static value.
  bool isStatic(int64_t number) const {
    return !isBasis() && value.isStatic(number);
  }
  /// The same modes with another value.
  Leaf withInt(Int other) const;

  void print(llvm::raw_ostream &os) const;
  bool operator==(const Leaf &other) const;
  bool operator!=(const Leaf &other) const { return !(*this == other); }

private:
  Int value;
  std::shared_ptr<const llvm::SmallVector<int32_t, 4>> modes;
};

class IntTuple {
public:
  /// The leaf 0.
  IntTuple() = default;
  IntTuple(Leaf leaf) : leaf(std::move(leaf)) {}
  IntTuple(Int value) : leaf(std::move(value)) {}
  IntTuple(int64_t value) : leaf(Int::constant(value)) {}
  IntTuple(int value) : leaf(Int::constant(value)) {}
  /// A tuple of the given modes (at least one).
  static IntTuple tuple(llvm::ArrayRef<IntTuple> modes);
  static IntTuple tuple(std::vector<IntTuple> &&modes);
  static IntTuple tuple(std::initializer_list<IntTuple> modes) {
    return tuple(std::vector<IntTuple>(modes));
  }

  bool isLeaf() const { return !node; }
  const Leaf &getLeaf() const {
    assert(isLeaf());
    return leaf;
  }
  /// The Int of a leaf (of a basis element its value).
  const Int &getInt() const { return getLeaf().getInt(); }
  /// A leaf that is this static integer (no basis).
  bool isStaticLeaf(int64_t value) const {
    return isLeaf() && leaf.isStatic(value);
  }
  bool isNone() const { return isLeaf() && leaf.isNone(); }

  /// Number of modes; a leaf has one.
  size_t rank() const;
  /// 0 for a leaf, else one more than the deepest mode.
  unsigned depth() const;
  /// Mode `i`; a leaf answers itself for 0.
  const IntTuple &operator[](size_t i) const;
  /// The modes of a tuple; of a leaf, the leaf itself.
  llvm::ArrayRef<IntTuple> modes() const;
  /// Number of leaves.
  size_t numLeaves() const;

  bool isStatic() const;
  bool isDynamic() const { return !isStatic(); }
  bool hasBasis() const;

  /// Calls `visit` on each leaf, depth first, left to right.
  void forEachLeaf(llvm::function_ref<void(const Leaf &)> visit) const;
  /// All leaves in that order.
  llvm::SmallVector<Leaf> leaves() const;
  /// The run-time Ints in that order: the operands of the tuple as a value.
  llvm::SmallVector<Int> dynamicInts() const;
  /// The same profile with each leaf replaced.
  IntTuple map(llvm::function_ref<Leaf(const Leaf &)> replace) const;
  /// As map, where a replacement may fail.
  Result<IntTuple>
  tryMap(llvm::function_ref<Result<Leaf>(const Leaf &)> replace) const;

  /// The text form, without any space: `(4,(?,?{i64 div=8}),*)`.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

  /// Equal profile and equal leaves (the same nodes).
  bool operator==(const IntTuple &other) const;
  bool operator!=(const IntTuple &other) const { return !(*this == other); }

private:
  struct Node;
  Leaf leaf;
  std::shared_ptr<const Node> node;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const IntTuple &tuple);

/// The same tree shape, leaf against leaf everywhere.
bool congruent(const IntTuple &a, const IntTuple &b);
/// Congruent with pairwise sameValue leaves.
bool sameTuple(const IntTuple &a, const IntTuple &b);

//===----------------------------------------------------------------------===//
// Leaf operations with basis elements
//===----------------------------------------------------------------------===//

/// int*int, basis*int and int*basis (scales the value, keeps the modes).
/// Error basis_c1 for basis*basis.
Result<Leaf> mul(const Leaf &a, const Leaf &b);
/// The tuple that has the value at the basis element's path and zeros before
/// it on every level: `5E2` is `(0,0,5)`. An integer stays itself. Error
/// basis_c2 if that needs more than maxDepth levels or maxRank modes.
Result<IntTuple> expandBasis(const Leaf &leaf);

//===----------------------------------------------------------------------===//
// Element-wise operations and reductions
//===----------------------------------------------------------------------===//
// A tuple on the left goes mode-wise over the smaller rank and keeps the
// remaining modes of the longer operand. A leaf on the left needs a leaf on
// the right (error ew_c1). Operands with basis leaves are errors (basis_c1)
// except where stated.

/// a + b; basis elements and tuples of them add as coordinates (expandBasis),
/// a static 0 is neutral.
Result<IntTuple> add(const IntTuple &a, const IntTuple &b);
Result<IntTuple> sub(const IntTuple &a, const IntTuple &b);
/// a * b; a basis element times an integer scales it.
Result<IntTuple> mul(const IntTuple &a, const IntTuple &b);
Result<IntTuple> div(const IntTuple &a, const IntTuple &b);
Result<IntTuple> mod(const IntTuple &a, const IntTuple &b);
Result<IntTuple> min(const IntTuple &a, const IntTuple &b);
Result<IntTuple> max(const IntTuple &a, const IntTuple &b);

/// Left-to-right sum of all leaves, nested sums first; basis leaves as
/// coordinates.
Result<IntTuple> sum(const IntTuple &tuple);
/// Product of all leaves (integers; error basis_c1 else).
Result<Int> product(const IntTuple &tuple);
/// A leaf itself, else the product of each mode.
Result<IntTuple> productEach(const IntTuple &tuple);
/// The product of each part of `tuple` that stands against a leaf of `guide`.
/// Error product_like_c1 where `guide` has other modes than `tuple`.
Result<IntTuple> productLike(const IntTuple &tuple, const IntTuple &guide);
/// Sum of the products of the leaves; profiles must agree (inner_product_c1).
Result<IntTuple> innerProduct(const IntTuple &a, const IntTuple &b);

/// Division of shapes, rounding up: leaf by tuple divides by its product,
/// tuple by leaf folds the divisor through the leaves, tuple by tuple goes
/// mode-wise and keeps the remaining modes of `a`.
Result<IntTuple> ceilDiv(const IntTuple &a, const IntTuple &b);
/// The same with shapeDiv on the leaves.
Result<IntTuple> shapeDiv(const IntTuple &a, const IntTuple &b);

//===----------------------------------------------------------------------===//
// Restructuring
//===----------------------------------------------------------------------===//

IntTuple wrap(const IntTuple &tuple);
/// Strips tuples of rank 1, repeatedly.
IntTuple unwrap(const IntTuple &tuple);
/// The tuple of all leaves; a leaf stays a leaf.
IntTuple flatten(const IntTuple &tuple);
/// Replaces each tuple-valued mode whose index is listed by its modes; if one
/// mode is left, that mode.
IntTuple expand(const IntTuple &tuple, llvm::ArrayRef<int32_t> indices);
/// Modes begin...end-1 as one mode; end -1 is the rank; a leaf is unchanged.
/// Error group_c1: 0 <= begin <= end <= rank.
Result<IntTuple> group(const IntTuple &tuple, int32_t begin, int32_t end);
/// Modes begin...end-1, a single one bare; end -1 is the rank. Errors take_c1
/// (a leaf), take_c2 (0 <= begin < end <= rank).
Result<IntTuple> take(const IntTuple &tuple, int32_t begin, int32_t end);
/// The listed modes, a single one bare. Errors select_c1 (a leaf), select_c2
/// (empty or out of range).
Result<IntTuple> select(const IntTuple &tuple, llvm::ArrayRef<int32_t> indices);
/// Adds `elem` at the end once, or until the rank is `n`. Error append_c1: n
/// below the rank or above maxRank.
Result<IntTuple> append(const IntTuple &tuple, const IntTuple &elem,
                        std::optional<int32_t> n = std::nullopt);
/// Adds at the front; error prepend_c1.
Result<IntTuple> prepend(const IntTuple &tuple, const IntTuple &elem,
                         std::optional<int32_t> n = std::nullopt);
/// Walks a path of modes. Error get_c1 (path longer than the depth), get_c2
/// (index out of range).
Result<IntTuple> get(const IntTuple &tuple, llvm::ArrayRef<int32_t> path);
/// Transposes a tuple of tuples; a leaf, or mode 0 a leaf: unchanged. Error
/// zip_c1: all modes have at least the rank of mode 0.
Result<IntTuple> zip(const IntTuple &tuple);
/// The parts that stand against none in `coord`. Errors slice_c1 (rank),
/// slice_c2 (nothing kept).
Result<IntTuple> slice(const IntTuple &tuple, const IntTuple &coord);
/// The parts that do not stand against none. Errors dice_c1, dice_c2.
Result<IntTuple> dice(const IntTuple &tuple, const IntTuple &coord);
/// Wherever `guide` has a static 0 (or none) leaf, the leaves of the part of
/// `tuple` against it become 1. Error filter_zero_c1 if the profiles differ.
Result<IntTuple> filterZero(const IntTuple &guide, const IntTuple &tuple);
/// Strides of a packed column-major layout of `shape`, beginning with `start`.
Result<IntTuple> compactColMajor(const IntTuple &shape,
                                 const Int &start = Int::constant(1));
/// The leaf at path p becomes 1Ep; a leaf becomes static 1.
IntTuple basisLike(const IntTuple &tuple);
/// Each leaf replaced by static `value`.
IntTuple replaceLeaves(const IntTuple &tuple, int64_t value);
/// Run-time leaves sign-extended to 64 bits.
IntTuple extendTo64(const IntTuple &tuple);

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// 1 if each leaf of `a` is less than its partner; a longer `a` gives 0.
/// Error basis_c1.
Result<Int> elemLess(const IntTuple &a, const IntTuple &b);
/// 1 if equal; other profile gives 0; basis leaves compare modes, then values.
Int equal(const IntTuple &a, const IntTuple &b);

} // namespace fly::layout

#endif // FLY_LAYOUT_INTTUPLE_H
