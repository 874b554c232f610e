// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of tiled copies and tiled matrix operations: the parts of all
// threads are the tensor, each element once.

#include "Property.h"

#include "Fly/Layout/Tiled.h"

using namespace fly::layout;
using namespace fly::layout::test;

/// Adds the offsets of a part, moved by its own offset.
static void addOffsets(const Partition &part, std::multiset<int64_t> &offsets) {
  int64_t start = part.offset.getInt().getValue();
  for (int64_t offset : image(plain(part.layout)))
    offsets.insert(start + offset);
}

FLY_PROPERTY(TiledCopies, 2500, 60) {
  Random &random = trial.random;
  // Threads and values over the tile in some order of their modes.
  int64_t values = int64_t(1) << random.between(0, 2);
  int64_t repeats = random.between(1, 2);
  int64_t threads = int64_t(1) << random.between(0, 3);
  IntTuple shape = IntTuple::tuple({threads, values * repeats});
  Layout tv =
      *makeOrderedLayout(shape, random.chance(50) ? IntTuple::tuple({0, 1})
                                                  : IntTuple::tuple({1, 0}));
  TiledCopyDesc copy;
  copy.ref = copy.src = copy.dst =
      Layout(IntTuple::tuple({1, values}), IntTuple::tuple({0, 1}));
  copy.tv = tv;
  int64_t rows = int64_t(1) << random.between(0, 2);
  int64_t total = threads * values * repeats;
  if (total % rows != 0)
    rows = 1;
  copy.tile = Tile::list({Tile(rows), Tile(total / rows)});
  // A tensor of whole tiles.
  IntTuple extent = IntTuple::tuple(
      {rows * random.between(1, 3), total / rows * random.between(1, 3)});
  Layout tensor(extent, random.strides(extent, true));
  trial.given(tv, copy.tile, "on", tensor);
  std::multiset<int64_t> offsets;
  for (int64_t thread = 0; thread < threads; ++thread) {
    auto part = partitionCopy(copy, copy.src, tensor, IntTuple(thread));
    if (!part)
      return trial.refused(part.error());
    addOffsets(*part, offsets);
    // The same thread, known at run time.
    auto later =
        partitionCopy(copy, copy.src, tensor, IntTuple(Int::symbol(0)));
    ASSERT_TRUE(later);
    ASSERT_EQ(number(later->offset.getInt(), {{0, thread}}),
              part->offset.getInt().getValue());
    ASSERT_EQ(later->layout, part->layout);
  }
  ASSERT_EQ(offsets, image(plain(tensor)));
}

FLY_PROPERTY(TiledMatrixOperations, 2500, 60) {
  Random &random = trial.random;
  TiledMmaDesc mma;
  Layout one(IntTuple::tuple({1, 1}), IntTuple::tuple({0, 0}));
  mma.valueA = mma.valueB = mma.valueC = one;
  int64_t m = random.between(1, 3), n = random.between(1, 3);
  mma.atoms = Layout(IntTuple::tuple({m, n, 1}),
                     random.chance(50) ? IntTuple::tuple({1, m, 0})
                                       : IntTuple::tuple({n, 1, 0}));
  mma.permutation = Tile::list({Tile(), Tile(), Tile()});
  MmaOperandKind operand = random.pick<MmaOperandKind>(
      {MmaOperandKind::A, MmaOperandKind::B, MmaOperandKind::C});
  int64_t first = operand == MmaOperandKind::B ? n : m;
  int64_t second = operand == MmaOperandKind::C ? n : 1;
  IntTuple extent = IntTuple::tuple(
      {first * random.between(1, 4), second * random.between(1, 4)});
  Layout tensor(extent, random.strides(extent, true));
  trial.given(mma.atoms, "operand", static_cast<int>(operand), "of", tensor);
  // Threads that differ only along the mode that the operand lacks see the
  // same part.
  int64_t copies = m * n / (first * second);
  std::multiset<int64_t> offsets, want;
  for (int64_t thread = 0; thread < m * n; ++thread) {
    auto part = partitionMma(mma, operand, tensor, IntTuple(thread), true);
    if (!part)
      return trial.refused(part.error());
    addOffsets(*part, offsets);
    auto later =
        partitionMma(mma, operand, tensor, IntTuple(Int::symbol(0)), true);
    ASSERT_TRUE(later);
    ASSERT_EQ(number(later->offset.getInt(), {{0, thread}}),
              part->offset.getInt().getValue());
  }
  for (int64_t offset : image(plain(tensor)))
    for (int64_t i = 0; i < copies; ++i)
      want.insert(offset);
  ASSERT_EQ(offsets, want);
  auto fragment = makeFragmentMma(mma, operand, tensor);
  ASSERT_TRUE(fragment);
  ASSERT_EQ(plain(*fragment).size() * m * n,
            static_cast<int64_t>(offsets.size()));
}
