// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the steps of a tiled multiplication, against orders written out
// by hand and against loops of the test's own.

#include "Fly/Dialect/Fly/Transforms/GemmTraversal.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <set>
#include <tuple>

using namespace fly;

using Steps = std::vector<std::tuple<int64_t, int64_t, int64_t>>;

static Steps toList(llvm::ArrayRef<GemmStep> steps) {
  Steps list;
  for (const GemmStep &step : steps)
    list.push_back({step.m, step.n, step.k});
  return list;
}

TEST(GemmTraversal, LastLetterIsOutermost) {
  // For each order: the modes from the outermost to the innermost loop.
  const std::pair<GemmTraversalOrder, const char *> orders[] = {
      {GemmTraversalOrder::KMN, "nmk"}, {GemmTraversalOrder::KNM, "mnk"},
      {GemmTraversalOrder::MKN, "nkm"}, {GemmTraversalOrder::MNK, "knm"},
      {GemmTraversalOrder::NKM, "mkn"}, {GemmTraversalOrder::NMK, "kmn"}};
  GemmExtents extents{2, 3, 4};
  for (const auto &entry : orders) {
    GemmTraversalOrder order = entry.first;
    const char *nest = entry.second;
    Steps expected;
    int64_t index[3], size[3];
    for (int i = 0; i < 3; ++i)
      size[i] = nest[i] == 'm' ? 2 : nest[i] == 'n' ? 3 : 4;
    auto at = [&](char mode) {
      for (int i = 0; i < 3; ++i)
        if (nest[i] == mode)
          return index[i];
      return int64_t(-1);
    };
    for (index[0] = 0; index[0] < size[0]; ++index[0])
      for (index[1] = 0; index[1] < size[1]; ++index[1])
        for (index[2] = 0; index[2] < size[2]; ++index[2])
          expected.push_back({at('m'), at('n'), at('k')});
    EXPECT_EQ(toList(traverse(extents, true, order)), expected) << nest;
  }
  EXPECT_EQ(toList(traverse(extents, true, std::nullopt)),
            toList(traverse(extents, true, GemmTraversalOrder::NMK)));
}

TEST(GemmTraversal, WithoutKOnlyMAndNCount) {
  GemmExtents extents{2, 3, 1};
  Steps nOuter = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                  {1, 1, 0}, {0, 2, 0}, {1, 2, 0}};
  Steps mOuter = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0},
                  {1, 0, 0}, {1, 1, 0}, {1, 2, 0}};
  for (GemmTraversalOrder order :
       {GemmTraversalOrder::KMN, GemmTraversalOrder::MKN,
        GemmTraversalOrder::MNK})
    EXPECT_EQ(toList(traverse(extents, false, order)), nOuter);
  for (GemmTraversalOrder order :
       {GemmTraversalOrder::KNM, GemmTraversalOrder::NKM,
        GemmTraversalOrder::NMK})
    EXPECT_EQ(toList(traverse(extents, false, order)), mOuter);
}

TEST(GemmTraversal, SerpentineTurnsAround) {
  // m outermost, n in the middle, k innermost.
  GemmExtents extents{2, 3, 2};
  Steps expected = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0},
                    {0, 2, 0}, {0, 2, 1}, {1, 2, 1}, {1, 2, 0},
                    {1, 1, 0}, {1, 1, 1}, {1, 0, 1}, {1, 0, 0}};
  EXPECT_EQ(toList(traverse(extents, true, GemmTraversalOrder::KNMSerpentine)),
            expected);
  Steps flat = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0},
                {1, 2, 0}, {1, 1, 0}, {1, 0, 0}};
  EXPECT_EQ(
      toList(traverse({2, 3, 1}, false, GemmTraversalOrder::NMKSerpentine)),
      flat);
}

TEST(GemmTraversal, SerpentineNeighboursDifferInOneMode) {
  for (GemmTraversalOrder order :
       {GemmTraversalOrder::KMNSerpentine, GemmTraversalOrder::KNMSerpentine,
        GemmTraversalOrder::MKNSerpentine, GemmTraversalOrder::MNKSerpentine,
        GemmTraversalOrder::NKMSerpentine, GemmTraversalOrder::NMKSerpentine}) {
    auto steps = traverse({3, 4, 5}, true, order);
    ASSERT_EQ(steps.size(), 60u);
    std::set<std::tuple<int64_t, int64_t, int64_t>> seen;
    for (size_t i = 0; i < steps.size(); ++i) {
      seen.insert({steps[i].m, steps[i].n, steps[i].k});
      if (i == 0)
        continue;
      int64_t distance = std::abs(steps[i].m - steps[i - 1].m) +
                         std::abs(steps[i].n - steps[i - 1].n) +
                         std::abs(steps[i].k - steps[i - 1].k);
      EXPECT_EQ(distance, 1);
    }
    EXPECT_EQ(seen.size(), 60u);
  }
}

static LayoutAttr getLayout(mlir::MLIRContext &context,
                            llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<int64_t> stride) {
  auto tuple = [&](llvm::ArrayRef<int64_t> values) {
    llvm::SmallVector<IntTupleAttr> modes;
    for (int64_t value : values)
      modes.push_back(IntTupleAttr::getStatic(&context, value));
    return IntTupleAttr::get(modes);
  };
  return LayoutAttr::get(tuple(shape), tuple(stride));
}

TEST(GemmTraversal, LayoutListsTheSteps) {
  mlir::MLIRContext context;
  context.loadDialect<FlyDialect>();
  GemmExtents extents{2, 3, 1};
  auto steps = traverse(extents, getLayout(context, {3, 2}, {2, 1}));
  ASSERT_TRUE(bool(steps));
  Steps expected = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0},
                    {1, 0, 0}, {1, 1, 0}, {1, 2, 0}};
  EXPECT_EQ(toList(*steps), expected);

  for (auto wrong :
       {getLayout(context, {3, 2}, {2, 2}), getLayout(context, {3, 2}, {4, 1}),
        getLayout(context, {3, 3}, {1, 3})}) {
    auto refused = traverse(extents, wrong);
    ASSERT_FALSE(bool(refused));
    EXPECT_EQ(refused.error().label, "gemm_c4");
  }
}
