// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree of int tuples and its reading: construction, printing, comparison
// of structure, restructuring.

#include "Fly/Layout/IntTuple.h"

#include "Depth.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Leaf
//===----------------------------------------------------------------------===//

Leaf::Leaf(Int v, llvm::ArrayRef<int32_t> path) : value(std::move(v)) {
  assert(!path.empty() && "a basis element has a path");
  if (value.isNone())
    value = Int::constant(0);
  modes = std::make_shared<const llvm::SmallVector<int32_t, 4>>(path.begin(),
                                                                path.end());
}

llvm::ArrayRef<int32_t> Leaf::getModes() const {
  return modes ? llvm::ArrayRef<int32_t>(*modes) : llvm::ArrayRef<int32_t>();
}

Leaf Leaf::withInt(Int other) const {
  Leaf result = *this;
  result.value = isBasis() && other.isNone() ? Int::constant(0) : other;
  return result;
}

void Leaf::print(llvm::raw_ostream &os) const {
  os << value;
  for (int32_t mode : getModes())
    os << 'E' << mode;
}

bool Leaf::operator==(const Leaf &other) const {
  return value == other.value && getModes() == other.getModes();
}

//===----------------------------------------------------------------------===//
// IntTuple
//===----------------------------------------------------------------------===//

struct IntTuple::Node {
  std::vector<IntTuple> modes;
  size_t numLeaves = 0;
  unsigned depth = 0;
  bool isStatic = true;
  bool hasBasis = false;
};

IntTuple IntTuple::tuple(llvm::ArrayRef<IntTuple> modes) {
  return tuple(modes.vec());
}

IntTuple IntTuple::tuple(std::vector<IntTuple> &&modes) {
  assert(!modes.empty() && "tuples are not empty");
  auto node = std::make_shared<Node>();
  node->modes = std::move(modes);
  for (const IntTuple &mode : node->modes) {
    node->numLeaves += mode.numLeaves();
    node->depth = std::max(node->depth, mode.depth());
    node->isStatic &= mode.isStatic();
    node->hasBasis |= mode.hasBasis();
  }
  ++node->depth;
  IntTuple result;
  result.node = std::move(node);
  return result;
}

size_t IntTuple::rank() const { return node ? node->modes.size() : 1; }
unsigned IntTuple::depth() const { return node ? node->depth : 0; }
size_t IntTuple::numLeaves() const { return node ? node->numLeaves : 1; }

const IntTuple &IntTuple::operator[](size_t i) const {
  assert(i < rank() && "mode out of range");
  return node ? node->modes[i] : *this;
}

llvm::ArrayRef<IntTuple> IntTuple::modes() const {
  return node ? llvm::ArrayRef<IntTuple>(node->modes)
              : llvm::ArrayRef<IntTuple>(*this);
}

bool IntTuple::isStatic() const {
  return node ? node->isStatic : leaf.isStatic();
}

bool IntTuple::hasBasis() const {
  return node ? node->hasBasis : leaf.isBasis();
}

void IntTuple::forEachLeaf(llvm::function_ref<void(const Leaf &)> visit) const {
  if (isLeaf())
    return visit(leaf);
  for (const IntTuple &mode : node->modes)
    mode.forEachLeaf(visit);
}

llvm::SmallVector<Leaf> IntTuple::leaves() const {
  llvm::SmallVector<Leaf> result;
  result.reserve(numLeaves());
  forEachLeaf([&](const Leaf &l) { result.push_back(l); });
  return result;
}

llvm::SmallVector<Int> IntTuple::dynamicInts() const {
  llvm::SmallVector<Int> result;
  forEachLeaf([&](const Leaf &l) {
    if (l.isDynamic())
      result.push_back(l.getInt());
  });
  return result;
}

IntTuple IntTuple::map(llvm::function_ref<Leaf(const Leaf &)> replace) const {
  if (isLeaf())
    return replace(leaf);
  std::vector<IntTuple> modes;
  modes.reserve(rank());
  for (const IntTuple &mode : node->modes)
    modes.push_back(mode.map(replace));
  return tuple(std::move(modes));
}

Result<IntTuple>
IntTuple::tryMap(llvm::function_ref<Result<Leaf>(const Leaf &)> replace) const {
  if (isLeaf()) {
    FLY_TRY(replaced, replace(leaf));
    return IntTuple(std::move(replaced));
  }
  std::vector<IntTuple> modes;
  modes.reserve(rank());
  for (const IntTuple &mode : node->modes) {
    FLY_TRY(mapped, mode.tryMap(replace));
    modes.push_back(std::move(mapped));
  }
  return tuple(std::move(modes));
}

void IntTuple::print(llvm::raw_ostream &os) const {
  if (isLeaf())
    return leaf.print(os);
  os << '(';
  llvm::interleave(
      node->modes, [&](const IntTuple &mode) { mode.print(os); },
      [&] { os << ','; });
  os << ')';
}

std::string IntTuple::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << *this;
  return text;
}

llvm::raw_ostream &fly::layout::operator<<(llvm::raw_ostream &os,
                                           const IntTuple &tuple) {
  tuple.print(os);
  return os;
}

bool IntTuple::operator==(const IntTuple &other) const {
  if (isLeaf() || other.isLeaf())
    return isLeaf() && other.isLeaf() && leaf == other.leaf;
  return node == other.node || node->modes == other.node->modes;
}

bool fly::layout::congruent(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() || b.isLeaf())
    return a.isLeaf() && b.isLeaf();
  return a.rank() == b.rank() &&
         llvm::all_of(llvm::zip(a.modes(), b.modes()), [](auto pair) {
           return congruent(std::get<0>(pair), std::get<1>(pair));
         });
}

bool fly::layout::sameTuple(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() || b.isLeaf())
    return a.isLeaf() && b.isLeaf() &&
           a.getLeaf().getModes() == b.getLeaf().getModes() &&
           sameValue(a.getInt(), b.getInt());
  return a.rank() == b.rank() &&
         llvm::all_of(llvm::zip(a.modes(), b.modes()), [](auto pair) {
           return sameTuple(std::get<0>(pair), std::get<1>(pair));
         });
}

//===----------------------------------------------------------------------===//
// Restructuring
//===----------------------------------------------------------------------===//

/// The modes as one tuple, or the mode itself if it is the only one.
static IntTuple bare(std::vector<IntTuple> &&modes) {
  return modes.size() == 1 ? modes.front() : IntTuple::tuple(std::move(modes));
}

IntTuple fly::layout::wrap(const IntTuple &tuple) {
  return tuple.isLeaf() ? IntTuple::tuple({tuple}) : tuple;
}

IntTuple fly::layout::unwrap(const IntTuple &tuple) {
  IntTuple result = tuple;
  while (!result.isLeaf() && result.rank() == 1) {
    IntTuple mode = result[0];
    result = std::move(mode);
  }
  return result;
}

IntTuple fly::layout::flatten(const IntTuple &tuple) {
  if (tuple.isLeaf())
    return tuple;
  std::vector<IntTuple> leaves;
  leaves.reserve(tuple.numLeaves());
  tuple.forEachLeaf([&](const Leaf &leaf) { leaves.push_back(leaf); });
  return IntTuple::tuple(std::move(leaves));
}

IntTuple fly::layout::expand(const IntTuple &tuple,
                             llvm::ArrayRef<int32_t> indices) {
  if (tuple.isLeaf())
    return tuple;
  std::vector<IntTuple> modes;
  for (auto [i, mode] : llvm::enumerate(tuple.modes())) {
    if (!mode.isLeaf() && llvm::is_contained(indices, static_cast<int32_t>(i)))
      llvm::append_range(modes, mode.modes());
    else
      modes.push_back(mode);
  }
  return bare(std::move(modes));
}

static Error rangeError(const char *label, const IntTuple &tuple, int32_t begin,
                        int32_t end) {
  return fail(label, "modes " + llvm::Twine(begin) + " to " + llvm::Twine(end) +
                         " are no range of modes of " + tuple.str());
}

Result<IntTuple> fly::layout::group(const IntTuple &tuple, int32_t begin,
                                    int32_t end) {
  if (tuple.isLeaf())
    return tuple;
  int64_t rank = tuple.rank();
  int64_t stop = end == -1 ? rank : end;
  if (begin < 0 || begin > stop || stop > rank)
    return rangeError("group_c1", tuple, begin, end);
  if (begin == stop)
    return tuple;
  auto all = tuple.modes();
  std::vector<IntTuple> modes(all.begin(), all.begin() + begin);
  modes.push_back(IntTuple::tuple(all.slice(begin, stop - begin)));
  modes.insert(modes.end(), all.begin() + stop, all.end());
  return withinDepth(IntTuple::tuple(std::move(modes)));
}

Result<IntTuple> fly::layout::take(const IntTuple &tuple, int32_t begin,
                                   int32_t end) {
  if (tuple.isLeaf())
    return fail("take_c1", "no modes to take from " + tuple.str());
  int64_t rank = tuple.rank();
  int64_t stop = end == -1 ? rank : end;
  if (begin < 0 || begin >= stop || stop > rank)
    return rangeError("take_c2", tuple, begin, end);
  return bare(tuple.modes().slice(begin, stop - begin).vec());
}

Result<IntTuple> fly::layout::select(const IntTuple &tuple,
                                     llvm::ArrayRef<int32_t> indices) {
  if (tuple.isLeaf())
    return fail("select_c1", "no modes to select from " + tuple.str());
  if (indices.empty())
    return fail("select_c2", "no mode selected from " + tuple.str());
  std::vector<IntTuple> modes;
  for (int32_t index : indices) {
    if (index < 0 || static_cast<size_t>(index) >= tuple.rank())
      return fail("select_c2",
                  "no mode " + llvm::Twine(index) + " in " + tuple.str());
    modes.push_back(tuple[index]);
  }
  return bare(std::move(modes));
}

/// How many times append and prepend add their element.
static Result<size_t> additions(const char *label, const IntTuple &tuple,
                                std::optional<int32_t> n) {
  if (!n)
    return size_t(1);
  if (*n < 0 || static_cast<size_t>(*n) < tuple.rank() || *n > maxRank)
    return fail(label, "cannot extend " + tuple.str() + " to rank " +
                           llvm::Twine(*n) +
                           "; at least its own rank and at "
                           "most " +
                           llvm::Twine(maxRank) + " expected");
  return *n - tuple.rank();
}

Result<IntTuple> fly::layout::append(const IntTuple &tuple,
                                     const IntTuple &elem,
                                     std::optional<int32_t> n) {
  FLY_TRY(count, additions("append_c1", tuple, n));
  std::vector<IntTuple> modes = tuple.modes().vec();
  modes.insert(modes.end(), count, elem);
  return withinDepth(IntTuple::tuple(std::move(modes)));
}

Result<IntTuple> fly::layout::prepend(const IntTuple &tuple,
                                      const IntTuple &elem,
                                      std::optional<int32_t> n) {
  FLY_TRY(count, additions("prepend_c1", tuple, n));
  std::vector<IntTuple> modes(count, elem);
  llvm::append_range(modes, tuple.modes());
  return withinDepth(IntTuple::tuple(std::move(modes)));
}

Result<IntTuple> fly::layout::get(const IntTuple &tuple,
                                  llvm::ArrayRef<int32_t> path) {
  if (path.size() > tuple.depth())
    return fail("get_c1", "mode length " + llvm::Twine(path.size()) +
                              " exceeds input depth " +
                              llvm::Twine(tuple.depth()));
  IntTuple result = tuple;
  for (int32_t mode : path) {
    if (mode < 0 || static_cast<size_t>(mode) >= result.rank())
      return fail("get_c2",
                  "no mode " + llvm::Twine(mode) + " in " + result.str());
    IntTuple next = result[mode];
    result = std::move(next);
  }
  return result;
}

Result<IntTuple> fly::layout::zip(const IntTuple &tuple) {
  if (tuple.isLeaf() || tuple[0].isLeaf())
    return tuple;
  std::vector<IntTuple> result;
  for (size_t j = 0; j < tuple[0].rank(); ++j) {
    std::vector<IntTuple> modes;
    for (const IntTuple &mode : tuple.modes()) {
      if (j >= mode.rank())
        return fail("zip_c1",
                    "the modes of " + tuple.str() + " have different ranks");
      modes.push_back(mode[j]);
    }
    result.push_back(IntTuple::tuple(std::move(modes)));
  }
  return withinDepth(IntTuple::tuple(std::move(result)));
}

/// Collects the parts of `tuple` whose partner in `coord` is none (`keep`) or
/// is not.
static bool collectParts(const IntTuple &tuple, const IntTuple &coord,
                         bool keep, std::vector<IntTuple> &parts) {
  if (coord.isLeaf()) {
    if (coord.isNone() == keep)
      parts.push_back(tuple);
    return true;
  }
  if (coord.rank() != tuple.rank())
    return false;
  for (size_t i = 0; i < coord.rank(); ++i)
    if (!collectParts(tuple[i], coord[i], keep, parts))
      return false;
  return true;
}

static Result<IntTuple> parts(const IntTuple &tuple, const IntTuple &coord,
                              bool keep, const char *rankLabel,
                              const char *emptyLabel) {
  std::vector<IntTuple> found;
  if (!collectParts(tuple, coord, keep, found))
    return fail(rankLabel, "coordinate " + coord.str() +
                               " does not have the modes of " + tuple.str());
  if (found.empty())
    return fail(emptyLabel, "coordinate " + coord.str() +
                                " leaves nothing of " + tuple.str());
  return bare(std::move(found));
}

Result<IntTuple> fly::layout::slice(const IntTuple &tuple,
                                    const IntTuple &coord) {
  return parts(tuple, coord, true, "slice_c1", "slice_c2");
}

Result<IntTuple> fly::layout::dice(const IntTuple &tuple,
                                   const IntTuple &coord) {
  return parts(tuple, coord, false, "dice_c1", "dice_c2");
}

Result<IntTuple> fly::layout::filterZero(const IntTuple &guide,
                                         const IntTuple &tuple) {
  if (guide.isLeaf())
    return guide.getInt().isStatic(0) ? replaceLeaves(tuple, 1) : tuple;
  if (guide.rank() != tuple.rank() || tuple.isLeaf())
    return fail("filter_zero_c1",
                guide.str() + " does not have the modes of " + tuple.str());
  std::vector<IntTuple> modes;
  modes.reserve(tuple.rank());
  for (size_t i = 0; i < guide.rank(); ++i) {
    FLY_TRY(mode, filterZero(guide[i], tuple[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

static IntTuple basisBelow(const IntTuple &tuple,
                           llvm::SmallVector<int32_t> &path) {
  if (tuple.isLeaf())
    return Leaf(Int::constant(1), path);
  std::vector<IntTuple> modes;
  modes.reserve(tuple.rank());
  for (size_t i = 0; i < tuple.rank(); ++i) {
    path.push_back(i);
    modes.push_back(basisBelow(tuple[i], path));
    path.pop_back();
  }
  return IntTuple::tuple(std::move(modes));
}

IntTuple fly::layout::basisLike(const IntTuple &tuple) {
  if (tuple.isLeaf())
    return 1;
  llvm::SmallVector<int32_t> path;
  return basisBelow(tuple, path);
}

IntTuple fly::layout::replaceLeaves(const IntTuple &tuple, int64_t value) {
  Leaf leaf = Int::constant(value);
  return tuple.map([&](const Leaf &) { return leaf; });
}

IntTuple fly::layout::extendTo64(const IntTuple &tuple) {
  if (tuple.isStatic())
    return tuple;
  return tuple.map(
      [](const Leaf &leaf) { return leaf.withInt(extendTo64(leaf.getInt())); });
}
