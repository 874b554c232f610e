// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The derivation of tiled tensor copies. A descriptor walks shared memory
// linearly, so the shared tile is sorted by address first; each piece of that
// walk is then found in the tile, and from there in the tensor.

#include "Fly/Dialect/FlyROCDL/IR/TiledTensorCopies.h"

#include "Fly/Layout/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace fly;
using namespace fly::rocdl;
using layout::Error;
using layout::Int;
using layout::IntTuple;
using layout::Layout;
using layout::Leaf;
using layout::Result;
using layout::Tile;

namespace {

/// A mode of the tensor with the part of it that a tile takes.
struct BoxMode {
  Leaf shape, stride;
  int64_t extent = 1;
};

/// A mode of the shared tile.
struct SharedMode {
  unsigned number; ///< among all leaves, for diagnostics
  int64_t extent;
  int64_t stride;
  int64_t index; ///< its step in the tile's colexicographic order
};

/// A run of the walk: `extent` steps of `step` elements of a tensor mode.
struct Piece {
  unsigned mode;
  int64_t extent;
  int64_t step;
};

Error error(llvm::StringRef label, const llvm::Twine &message) {
  return {label.str(), message.str()};
}

std::string plural(size_t n) { return std::to_string(n); }

} // namespace

//===----------------------------------------------------------------------===//
// Step 1: the tile's part of each mode
//===----------------------------------------------------------------------===//

/// Spreads `extent` over the leaves from `first` to `last`, the first ones
/// completely.
static std::optional<Error> spread(int64_t extent,
                                   llvm::MutableArrayRef<BoxMode> modes) {
  for (auto [i, mode] : llvm::enumerate(modes)) {
    bool isLast = i + 1 == modes.size();
    if (isLast) {
      mode.extent = extent;
      return std::nullopt;
    }
    if (!mode.shape.isStatic())
      return error("tiled_tdm_c2",
                   "a tile extent over several modes needs static extents, got "
                   "a run-time one in mode " +
                       llvm::Twine(i) + " of them");
    int64_t whole = mode.shape.getInt().getValue();
    if (extent <= whole) {
      if (whole % extent)
        return error("tiled_tdm_c2", "the tile extent " + llvm::Twine(extent) +
                                         " does not divide the extent " +
                                         llvm::Twine(whole) + " of its mode");
      mode.extent = extent;
      return std::nullopt;
    }
    if (extent % whole)
      return error("tiled_tdm_c2", "the tile extent " + llvm::Twine(extent) +
                                       " is no multiple of the extent " +
                                       llvm::Twine(whole) +
                                       " of its leading mode");
    mode.extent = whole;
    extent /= whole;
  }
  return std::nullopt;
}

/// Matches `tiler` with the part `shape` of the tensor, whose leaves are
/// `modes`.
static std::optional<Error> matchTiler(const Tile &tiler, const IntTuple &shape,
                                       llvm::MutableArrayRef<BoxMode> modes,
                                       unsigned depth) {
  if (!tiler.isList()) {
    if (!tiler.isInt() || tiler.isNone() || !tiler.getInt().isStatic() ||
        tiler.getInt().getValue() < 1)
      return error(
          "tiled_tdm_c2",
          "the tiler's mode at nesting depth " + llvm::Twine(depth) +
              " must be an extent or a nested tile, got " +
              [&] {
                std::string text;
                llvm::raw_string_ostream os(text);
                tiler.print(os);
                return text;
              }() +
              "; a strided (layout) tiler mode is not modelled");
    return spread(tiler.getInt().getValue(), modes);
  }
  if (shape.isLeaf())
    return error("tiled_tdm_c2",
                 "the tiler is deeper than the tensor at nesting depth " +
                     llvm::Twine(depth) +
                     "; the tensor has a single extent there but the tiler "
                     "has " +
                     plural(tiler.rank()) + " sub-modes");
  if (tiler.rank() > shape.rank())
    return error("tiled_tdm_c2",
                 "the tiler has " + plural(tiler.rank()) +
                     " modes at nesting depth " + llvm::Twine(depth) +
                     " but the tensor has " + plural(shape.rank()) +
                     "; a tiler selects from a mode's leading "
                     "sub-modes");
  for (auto [i, part] : llvm::enumerate(tiler.getElements())) {
    size_t leaves = shape[i].numLeaves();
    if (auto problem =
            matchTiler(part, shape[i], modes.take_front(leaves), depth + 1))
      return problem;
    modes = modes.drop_front(leaves);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Step 2: the shared tile by address
//===----------------------------------------------------------------------===//

/// The modes of the shared tile with more than one element, by address, and
/// the padding between them.
static Result<std::vector<SharedMode>> sortShared(const Layout &lds,
                                                  TiledTensorCopy &copy) {
  std::vector<SharedMode> modes;
  llvm::SmallVector<Leaf> shape = lds.getShape().leaves(),
                          stride = lds.getStride().leaves();
  int64_t index = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i].isStatic() || !stride[i].isStatic() || stride[i].isBasis() ||
        shape[i].isNone() || stride[i].isNone())
      return error("tiled_tdm_c3", "the LDS tile must be fully static, mode " +
                                       plural(i) + " is not");
    int64_t extent = shape[i].getInt().getValue();
    int64_t step = stride[i].getInt().getValue();
    if (extent == 1)
      continue;
    if (step == 0)
      return error("tiled_tdm_c3",
                   "LDS mode " + plural(i) + " has extent " +
                       llvm::Twine(extent) +
                       " and stride 0; TDM walks LDS linearly and cannot "
                       "broadcast one location over several tile elements");
    modes.push_back({static_cast<unsigned>(i), extent, step, index});
    std::optional<int64_t> next = layout::mulChecked(index, extent);
    if (!next)
      return error("tiled_tdm_c3", "the LDS tile is too large");
    index = *next;
  }
  llvm::stable_sort(modes, [](const SharedMode &a, const SharedMode &b) {
    return a.stride < b.stride;
  });
  if (!modes.empty() && modes.front().stride != 1)
    return error("tiled_tdm_c3",
                 "the LDS tile must be contiguous along its fastest axis, but "
                 "its smallest stride is " +
                     llvm::Twine(modes.front().stride) + " (mode " +
                     llvm::Twine(modes.front().number) + ")");
  int64_t count = 1, span = 1;
  for (const SharedMode &mode : modes) {
    if (mode.stride < span)
      return error("tiled_tdm_c3",
                   "LDS mode " + llvm::Twine(mode.number) + " has stride " +
                       llvm::Twine(mode.stride) + ", smaller than the " +
                       llvm::Twine(span) +
                       " elements inside it; the tile overlaps itself");
    if (mode.stride > span) {
      if (copy.padInterval)
        return error("tiled_tdm_c3",
                     "the LDS tile's stride (modes sorted by stride) is not a "
                     "single-pad form; TDM can express one constant skip every "
                     "pad_interval elements, so mode " +
                         llvm::Twine(mode.number) + " must have stride " +
                         llvm::Twine(span) + ", got " +
                         llvm::Twine(mode.stride));
      copy.padInterval = count;
      copy.padAmount = mode.stride - span;
    }
    count *= mode.extent;
    std::optional<int64_t> next = layout::mulChecked(mode.stride, mode.extent);
    if (!next)
      return error("tiled_tdm_c3", "the LDS tile is too large");
    span = *next;
  }
  return modes;
}

//===----------------------------------------------------------------------===//
// Steps 3 and 4: the walk in the tensor, as dimensions
//===----------------------------------------------------------------------===//

/// The pieces of the tile that the walk visits, in the order of addresses.
static Result<std::vector<Piece>> walkTile(llvm::ArrayRef<SharedMode> shared,
                                           llvm::ArrayRef<BoxMode> box) {
  std::vector<Piece> pieces;
  for (const SharedMode &mode : shared) {
    int64_t left = mode.extent, index = mode.index;
    int64_t below = 1; // elements of the box modes before
    for (unsigned m = 0; m < box.size() && left > 1; ++m) {
      int64_t extent = box[m].extent, end = below * extent;
      if (index >= end) {
        below = end;
        continue;
      }
      int64_t step = index / below;
      int64_t available = extent / step;
      int64_t take = std::min(left, available);
      if (index % below || extent % step || left % take || available % take)
        return error("tiled_tdm_c4",
                     "LDS mode " + llvm::Twine(mode.number) +
                         " crosses tile mode " + llvm::Twine(m) +
                         " at an index that does not divide it; such a walk is "
                         "no box");
      if (take > 1)
        pieces.push_back({m, take, step});
      left /= take;
      index *= take;
      below = end;
    }
  }
  return pieces;
}

static std::optional<int64_t> staticStride(const BoxMode &mode) {
  if (!mode.stride.isStatic() || mode.stride.isBasis())
    return std::nullopt;
  return mode.stride.getInt().getValue();
}

/// True if the tile takes the whole of the mode.
static bool isWhole(const BoxMode &mode) {
  return mode.shape.isStatic() && mode.shape.getInt().isStatic(mode.extent);
}

namespace {
/// The dimensions under construction, innermost first.
struct Axes {
  llvm::ArrayRef<BoxMode> box;
  std::vector<DescriptorAxis> axes;
  /// By mode: its dimension, or -1.
  std::vector<int> axisOf;
  /// By mode: elements that its pieces on the axis have so far.
  std::vector<int64_t> covered;

  std::optional<Error> add(const Piece &piece);
};
} // namespace

std::optional<Error> Axes::add(const Piece &piece) {
  const BoxMode &mode = box[piece.mode];
  std::optional<int64_t> stride = staticStride(mode);
  if (axisOf[piece.mode] >= 0) {
    // More of a mode that is there: only right behind its other part.
    bool continues = axisOf[piece.mode] + 1 == int(axes.size()) &&
                     piece.step == covered[piece.mode];
    if (!continues)
      return error("tiled_tdm_c4",
                   "tensor mode " + llvm::Twine(piece.mode) +
                       " is split over several descriptor dims, which one "
                       "coordinate cannot move");
    axes.back().extent *= piece.extent;
    covered[piece.mode] *= piece.extent;
    return std::nullopt;
  }
  if (piece.step != 1)
    return error("tiled_tdm_c4",
                 "tensor mode " + llvm::Twine(piece.mode) +
                     " is split over several descriptor dims, which one "
                     "coordinate cannot move");
  covered[piece.mode] = piece.extent;
  // The axis so far and this mode are one if the mode continues it. Every mode
  // inside must be taken whole, else the axis' bound would not be the tensor's.
  if (!axes.empty() && stride && *stride != 0 && axes.back().stride) {
    DescriptorAxis &last = axes.back();
    auto next = layout::mulChecked(*last.stride, last.extent);
    bool whole = llvm::all_of(last.modes, [&](const TensorModeOnAxis &inner) {
      return isWhole(box[inner.mode]) &&
             covered[inner.mode] == box[inner.mode].extent;
    });
    if (whole && next && *next == *stride && *last.stride != 0) {
      last.modes.push_back({piece.mode, *stride / *last.stride});
      last.extent *= piece.extent;
      axisOf[piece.mode] = int(axes.size()) - 1;
      return std::nullopt;
    }
  }
  axisOf[piece.mode] = int(axes.size());
  axes.push_back({piece.extent, piece.mode, stride, {{piece.mode, 1}}});
  return std::nullopt;
}

/// Cuts the box of all waves into that of one, outermost dimensions first.
static std::optional<Error>
cutForWarps(llvm::MutableArrayRef<DescriptorAxis> outermostFirst,
            int64_t numWarps) {
  for (DescriptorAxis &axis : outermostFirst) {
    if (numWarps == 1)
      break;
    int64_t cut = std::min(numWarps, axis.extent);
    if (axis.extent % cut || numWarps % cut)
      return error("tiled_tdm_c5", "num_warps cuts a descriptor axis unevenly");
    axis.extent /= cut;
    numWarps /= cut;
  }
  if (numWarps != 1)
    return error("tiled_tdm_c5",
                 "num_warps exceeds the logical descriptor box");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

Result<TiledTensorCopy>
fly::rocdl::deriveTiledCopy(const Layout &tensor, const Layout &lds,
                            const Tile &tiler, int64_t numWarps, bool isLoad) {
  llvm::SmallVector<Leaf> shapes = tensor.getShape().leaves(),
                          strides = tensor.getStride().leaves();
  if (shapes.size() > 5)
    return error("tiled_tdm_c1", "tiled TDM currently supports global tensor "
                                 "flat-rank <= 5, got " +
                                     plural(shapes.size()));
  if (numWarps < 1)
    return error("tiled_tdm_c1",
                 "num_warps must be positive, got " + llvm::Twine(numWarps));
  std::vector<BoxMode> box(shapes.size());
  for (auto [i, mode] : llvm::enumerate(box)) {
    mode.shape = shapes[i];
    mode.stride = strides[i];
    if (strides[i].isBasis() || strides[i].isNone() || shapes[i].isNone())
      return error("tiled_tdm_c1", "the tensor's layout must be of integers");
    if (shapes[i].isStatic() && shapes[i].getInt().getValue() == 0)
      return error("tiled_tdm_c1", "the tensor is empty: the extent of its "
                                   "mode " +
                                       llvm::Twine(i) + " is 0");
  }
  if (auto problem = matchTiler(tiler, tensor.getShape(), box, 0))
    return *problem;
  std::optional<int64_t> held = 1;
  for (const BoxMode &mode : box)
    held = held ? layout::mulChecked(*held, mode.extent) : held;

  TiledTensorCopy copy;
  Result<std::vector<SharedMode>> shared = sortShared(lds, copy);
  if (!shared)
    return shared.error();
  int64_t count = 1;
  for (const SharedMode &mode : *shared)
    count *= mode.extent;
  if (!held || *held != count)
    return error("tiled_tdm_c2",
                 "the tiler holds " + (held ? plural(*held) : "too many") +
                     " elements but the LDS tile holds " + llvm::Twine(count) +
                     "; a tiler reshapes the tile, it does not shrink it");
  if (!isLoad && copy.padInterval)
    return error("tiled_tdm_c3",
                 "a TDM store cannot drain a padded LDS tile (pad interval " +
                     llvm::Twine(copy.padInterval) + ", amount " +
                     llvm::Twine(copy.padAmount) +
                     "); TENSOR_STORE_FROM_LDS has no de-padding, it walks LDS "
                     "with the packed tile stride");

  Result<std::vector<Piece>> pieces = walkTile(*shared, box);
  if (!pieces)
    return pieces.error();
  Axes axes{box,
            {},
            std::vector<int>(box.size(), -1),
            std::vector<int64_t>(box.size(), 1)};
  for (const Piece &piece : *pieces)
    if (auto problem = axes.add(piece))
      return *problem;
  // Modes of which the tile takes one element: they only say where it is.
  for (unsigned m = box.size(); m-- > 0;) {
    bool moves = !box[m].shape.isStatic(1) && !box[m].stride.isStatic(0);
    if (axes.axisOf[m] < 0 && moves)
      if (auto problem = axes.add({m, 1, 1}))
        return *problem;
  }
  if (axes.axes.empty() || axes.axes.front().stride != 1)
    return error(
        "tiled_tdm_c4",
        "the innermost descriptor dim must be contiguous in global "
        "memory (stride 1), got global mode " +
            llvm::Twine(axes.axes.empty() ? 0 : axes.axes.front().strideMode) +
            " — the LDS tile's majorness does not match the global "
            "tensor's");
  copy.axes.assign(axes.axes.rbegin(), axes.axes.rend());
  size_t rank = copy.axes.size();
  for (auto [d, axis] : llvm::enumerate(copy.axes))
    if (axis.stride && (*axis.stride < 0 || *axis.stride >= int64_t(1) << 48))
      return error("tiled_tdm_c4",
                   "descriptor dim " + plural(d) + " stride " +
                       llvm::Twine(*axis.stride) +
                       " is outside the unsigned 48-bit tensor_dim_stride "
                       "range");

  if (auto problem = cutForWarps(copy.axes, numWarps))
    return *problem;
  int64_t elements = 1;
  for (const DescriptorAxis &axis : copy.axes) {
    if (axis.extent > 65535)
      return error("tiled_tdm_c5", "physical TDM tile dimension exceeds 65535");
    elements *= axis.extent;
  }
  if (copy.padInterval && elements % copy.padInterval)
    return error("tiled_tdm_c5",
                 "padInterval must divide each warp's physical TDM box");

  // How modes move: not at all if they cannot.
  copy.hasBound.assign(box.size(), false);
  std::vector<Leaf> toAxis(box.size(), Leaf(Int::constant(0)));
  std::vector<Leaf> toCoord = toAxis;
  for (auto [d, axis] : llvm::enumerate(copy.axes)) {
    for (const TensorModeOnAxis &on : axis.modes) {
      const BoxMode &mode = box[on.mode];
      if (mode.shape.isStatic(1) || mode.stride.isStatic(0))
        continue;
      toAxis[on.mode] = Leaf(Int::constant(on.scale), {int32_t(d)});
      toCoord[on.mode] = Leaf(Int::constant(on.scale), {int32_t(rank - 1 - d)});
    }
    unsigned outer = axis.modes.back().mode;
    copy.hasBound[outer] =
        !box[outer].shape.isStatic(1) && !box[outer].stride.isStatic(0);
  }
  unsigned next = 0;
  copy.tensor2tdm =
      tensor.getShape().map([&](const Leaf &) { return toAxis[next++]; });
  next = 0;
  copy.coordStrides =
      tensor.getShape().map([&](const Leaf &) { return toCoord[next++]; });
  return copy;
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

Result<Layout> fly::rocdl::partitionTensorCopy(int64_t atomSize,
                                               const Layout &shared,
                                               const Layout &coords,
                                               int64_t numWarps) {
  auto fail = [](const llvm::Twine &message) {
    return error("tdm_partition_c1", message);
  };
  std::optional<int64_t> tile =
      numWarps > 0 ? layout::mulChecked(atomSize, numWarps) : std::nullopt;
  if (!tile || *tile < 1)
    return fail("the atom needs at least one value and one wave");
  if (!shared[0].isStatic())
    return fail("mode 0 of the shared tensor must be static");
  for (const auto &[name, box] :
       {std::pair("shared", shared[0]), std::pair("coordinate", coords[0])}) {
    Result<Int> size = layout::size(box);
    if (size && size->isStatic() && size->getValue() % *tile == 0)
      continue;
    std::string found;
    llvm::raw_string_ostream os(found);
    box.print(os);
    return fail("both mode-0 sizes must be multiples of the cooperative tile "
                "size " +
                llvm::Twine(*tile) +
                " (atom size * num_warps), but mode 0 of the " + name +
                " tensor is " + found);
  }
  // The walk by address: modes sorted by stride, as steps of the index.
  TiledTensorCopy padding;
  Result<std::vector<SharedMode>> sorted = sortShared(shared[0], padding);
  if (!sorted)
    return sorted.error();
  std::vector<IntTuple> shape, stride;
  for (const SharedMode &mode : *sorted) {
    shape.push_back(mode.extent);
    stride.push_back(mode.index);
  }
  if (shape.empty())
    return Layout(IntTuple::tuple({1, 1, 1}), IntTuple::tuple({0, 0, 0}));
  Layout walk(IntTuple::tuple(llvm::ArrayRef<IntTuple>(shape)),
              IntTuple::tuple(llvm::ArrayRef<IntTuple>(stride)));
  int64_t total = 1;
  for (const SharedMode &mode : *sorted)
    total *= mode.extent;
  auto part = [&](int64_t extent, int64_t step) {
    return layout::composition(walk, Layout(extent, step));
  };
  Result<Layout> atom = part(atomSize, 1);
  Result<Layout> warp = part(numWarps, atomSize);
  Result<Layout> iter = part(total / *tile, *tile);
  for (Result<Layout> *mode : {&atom, &warp, &iter})
    if (!*mode)
      return mode->error();
  return Layout::concat({*atom, *warp, *iter});
}
