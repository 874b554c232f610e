// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pins the matrix instruction table: the number of rows, each row's register
// sizes against its shape, each lane map as a bijection onto its tile (or, on
// gfx11, as two copies of one), and a few maps against the formulas of the
// instruction set manuals.

#include "Fly/Arch/MatrixInstructions.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"
#include <map>
#include <vector>

using namespace fly::arch;

namespace {

/// Every position of a `tile`-element tile is hit exactly `copies` times.
void expectCovers(const LaneMap &map, int tile, int copies,
                  const std::string &what) {
  std::vector<int> hits(tile);
  for (int l = 0; l < map.lanes(); ++l)
    for (int v = 0; v < map.values(); ++v) {
      int position = map.at(l, v);
      ASSERT_GE(position, 0) << what;
      ASSERT_LT(position, tile) << what;
      ++hits[position];
    }
  for (int position = 0; position < tile; ++position)
    EXPECT_EQ(hits[position], copies) << what << " at " << position;
}

const MatrixInstruction &row(MatrixFamily family, int m, int k, ElemKind a,
                             ElemKind b, ElemKind acc) {
  const MatrixInstruction *found = lookupMatrix(family, m, m, k, a, b, acc);
  EXPECT_NE(found, nullptr);
  return *found;
}

} // namespace

TEST(MatrixInstructions, Counts) {
  std::map<MatrixFamily, int> counts;
  for (const MatrixInstruction &r : matrixInstructions())
    ++counts[r.family];
  EXPECT_EQ(counts[MatrixFamily::Mfma], 30);
  EXPECT_EQ(counts[MatrixFamily::WmmaGfx11], 4);
  EXPECT_EQ(counts[MatrixFamily::WmmaGfx120x], 9);
  EXPECT_EQ(counts[MatrixFamily::WmmaGfx1250], 23);
}

TEST(MatrixInstructions, KeysAreUnique) {
  for (const MatrixInstruction &r : matrixInstructions())
    EXPECT_EQ(lookupMatrix(r.family, r.m, r.n, r.k, r.a, r.b, r.acc), &r)
        << describe(r);
}

TEST(MatrixInstructions, RegistersHoldTheLanesElements) {
  for (const MatrixInstruction &r : matrixInstructions()) {
    auto bits = [](RegisterType reg) {
      return int(elemBits(reg.elem)) * reg.count;
    };
    EXPECT_EQ(bits(r.regA), r.mapA.values() * int(elemBits(r.a)))
        << describe(r);
    EXPECT_EQ(bits(r.regB), r.mapB.values() * int(elemBits(r.b)))
        << describe(r);
    EXPECT_EQ(bits(r.regC), r.mapC.values() * int(elemBits(r.acc)))
        << describe(r);
    EXPECT_EQ(r.mapA.lanes(), r.lanes()) << describe(r);
    EXPECT_EQ(r.mapB.lanes(), r.lanes()) << describe(r);
    EXPECT_EQ(r.lanes(), r.family == MatrixFamily::Mfma ? 64 : 32);
  }
}

TEST(MatrixInstructions, LaneMapsCoverTheirTiles) {
  for (const MatrixInstruction &r : matrixInstructions()) {
    int copies = r.family == MatrixFamily::WmmaGfx11 ? 2 : 1;
    expectCovers(r.mapA, r.m * r.k, copies, describe(r) + " A");
    expectCovers(r.mapB, r.n * r.k, copies, describe(r) + " B");
    expectCovers(r.mapC, r.m * r.n, 1, describe(r) + " C");
  }
}

TEST(MatrixInstructions, MfmaMapsFollowTheManual) {
  for (const MatrixInstruction &r : matrixInstructions()) {
    if (r.family != MatrixFamily::Mfma)
      continue;
    int perLane = r.mapA.values();
    for (int l = 0; l < 64; ++l) {
      int g = l / r.m;
      for (int i = 0; i < perLane; ++i)
        EXPECT_EQ(r.mapA.at(l, i), l % r.m + r.m * (perLane * g + i));
      for (int i = 0; i < r.mapC.values(); ++i) {
        int rowOf = r.m == 16 ? 4 * g + i : 8 * (i / 4) + 4 * g + i % 4;
        EXPECT_EQ(r.mapC.at(l, i), rowOf + r.m * (l % r.m));
      }
    }
  }
}

TEST(MatrixInstructions, WmmaMapsFollowTheManual) {
  const MatrixInstruction &gfx11 =
      row(MatrixFamily::WmmaGfx11, 16, 16, ElemKind::F16, ElemKind::F16,
          ElemKind::F32);
  const MatrixInstruction &gfx12 =
      row(MatrixFamily::WmmaGfx120x, 16, 16, ElemKind::F16, ElemKind::F16,
          ElemKind::F32);
  const MatrixInstruction &gfx1250 =
      row(MatrixFamily::WmmaGfx1250, 16, 32, ElemKind::F16, ElemKind::F16,
          ElemKind::F16);
  for (int l = 0; l < 32; ++l) {
    int g = l / 16, r = l % 16;
    for (int i = 0; i < 16; ++i) {
      EXPECT_EQ(gfx11.mapA.at(l, i), r + 16 * i);
      EXPECT_EQ(gfx1250.mapA.at(l, i), r + 16 * (8 * g + i % 8 + 16 * (i / 8)));
    }
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(gfx12.mapA.at(l, i), r + 16 * (8 * g + i));
      EXPECT_EQ(gfx11.mapC.at(l, i), 2 * i + g + 16 * r);
      EXPECT_EQ(gfx12.mapC.at(l, i), 8 * g + i + 16 * r);
      EXPECT_EQ(gfx1250.mapC.at(l, i), 8 * g + i + 16 * r);
    }
  }
}

TEST(MatrixInstructions, ChipsAndFeatures) {
  auto has = [](const char *chip, const MatrixInstruction &r) {
    return lookupChip(chip)->has(r.feature);
  };
  const MatrixInstruction &wide = row(MatrixFamily::Mfma, 16, 32, ElemKind::F16,
                                      ElemKind::F16, ElemKind::F32);
  EXPECT_FALSE(has("gfx942", wide));
  EXPECT_TRUE(has("gfx950", wide));
  const MatrixInstruction &fnuz =
      row(MatrixFamily::Mfma, 16, 32, ElemKind::F8E4M3FNUZ,
          ElemKind::F8E4M3FNUZ, ElemKind::F32);
  EXPECT_TRUE(has("gfx942", fnuz));
  EXPECT_FALSE(has("gfx950", fnuz));
  const MatrixInstruction &iu4 = row(MatrixFamily::WmmaGfx1250, 16, 32,
                                     ElemKind::I4, ElemKind::I4, ElemKind::I32);
  EXPECT_FALSE(has("gfx1250", iu4));
  EXPECT_TRUE(has("gfx1201", iu4));
}

TEST(MatrixInstructions, Descriptions) {
  EXPECT_EQ(familyShapes(MatrixFamily::Mfma, ElemKind::F16, ElemKind::F16,
                         ElemKind::F32),
            "32x32x8, 16x16x16, 16x16x32, 32x32x16");
  EXPECT_EQ(familyShapes(MatrixFamily::Mfma, ElemKind::F16, ElemKind::BF16,
                         ElemKind::F32),
            "");
  EXPECT_EQ(
      chipAlternatives(*lookupChip("gfx942"), ElemKind::F16, ElemKind::F16),
      "cdna3.mfma 32x32x8 (f16, f16) -> f32, "
      "cdna3.mfma 16x16x16 (f16, f16) -> f32");
  EXPECT_EQ(
      chipAlternatives(*lookupChip("gfx1201"), ElemKind::F16, ElemKind::F16),
      "gfx120x.wmma 16x16x16 (f16, f16) -> f32");
  EXPECT_EQ(chipAlternatives(*lookupChip("gfx90a"), ElemKind::F8E5M2,
                             ElemKind::F8E5M2),
            "");
}
