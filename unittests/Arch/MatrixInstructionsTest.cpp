// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pins the matrix instruction table: the number of rows, each row's register
// sizes against its shape, each lane map as a bijection onto its tile (or, on
// gfx11, as two copies of one), and a few maps against the formulas of the
// instruction set manuals.

#include "Fly/Arch/MatrixInstructions.h"
#include "llvm/ADT/STLExtras.h"
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
  const MatrixInstruction *found = lookupMatrix({family, m, m, k, a, b, acc});
  EXPECT_NE(found, nullptr);
  return *found;
}

} // namespace

TEST(MatrixInstructions, Counts) {
  std::map<MatrixFamily, int> counts;
  for (const MatrixInstruction &r : matrixInstructions())
    ++counts[r.family];
  EXPECT_EQ(counts[MatrixFamily::Mfma], 53);
  EXPECT_EQ(counts[MatrixFamily::MfmaScale], 50);
  EXPECT_EQ(counts[MatrixFamily::WmmaGfx11], 8);
  EXPECT_EQ(counts[MatrixFamily::WmmaGfx120x], 11);
  EXPECT_EQ(counts[MatrixFamily::WmmaGfx1250], 24);
  EXPECT_EQ(counts[MatrixFamily::WmmaScaleGfx1250], 78);
  EXPECT_EQ(counts[MatrixFamily::Smfmac], 36);
  EXPECT_EQ(counts[MatrixFamily::SwmmacGfx120x], 11);
  EXPECT_EQ(counts[MatrixFamily::SwmmacGfx1250], 14);
}

TEST(MatrixInstructions, KeysAreUnique) {
  for (const MatrixInstruction &r : matrixInstructions()) {
    if (r.hasAtom)
      EXPECT_EQ(lookupMatrix(r.key()), &r) << describe(r);
    else
      EXPECT_NE(lookupMatrix(r.key()), &r) << describe(r);
  }
}

TEST(MatrixInstructions, FamiliesAreComplete) {
  for (const MatrixInstruction &r : matrixInstructions())
    EXPECT_TRUE(llvm::is_contained(matrixFamilies(), r.family)) << describe(r);
}

TEST(MatrixInstructions, RegistersHoldTheLanesElements) {
  for (const MatrixInstruction &r : matrixInstructions()) {
    auto bits = [](RegisterType reg) {
      return int(elemBits(reg.elem)) * reg.count;
    };
    // A sparse A is half as deep; gfx11 holds A and B twice.
    int copies = r.family == MatrixFamily::WmmaGfx11 ? 2 : 1;
    int depthA = r.isSparse() ? r.k / 2 : int(r.k);
    EXPECT_EQ(bits(r.regA) * r.lanes(),
              r.m * depthA * r.blocks * copies * int(elemBits(r.a)))
        << describe(r);
    EXPECT_EQ(bits(r.regB) * r.lanes(),
              r.n * r.k * r.blocks * copies * int(elemBits(r.b)))
        << describe(r);
    EXPECT_EQ(bits(r.regC), r.mapC.values() * int(elemBits(r.acc)))
        << describe(r);
    EXPECT_EQ(bits(r.regA), r.mapA.values() * int(elemBits(r.a)))
        << describe(r);
    EXPECT_EQ(bits(r.regB), r.mapB.values() * int(elemBits(r.b)))
        << describe(r);
    EXPECT_EQ(r.mapA.lanes(), r.lanes()) << describe(r);
    EXPECT_EQ(r.mapB.lanes(), r.lanes()) << describe(r);
    ASSERT_EQ(r.mapIndex.isPresent(), r.isSparse()) << describe(r);
    if (r.isSparse()) {
      EXPECT_EQ(r.indexBits(), 2 * r.mapIndex.values()) << describe(r);
      EXPECT_EQ(r.mapIndex.lanes(), r.lanes()) << describe(r);
    }
    // LLVM and AMD's emulator differ in the result of one.
    EXPECT_EQ(r.hasKnownResult(),
              r.op != "llvm.amdgcn.swmmac.bf16f32.16x16x64.bf16");
    bool isCdna = r.family == MatrixFamily::Mfma ||
                  r.family == MatrixFamily::MfmaScale ||
                  r.family == MatrixFamily::Smfmac;
    EXPECT_EQ(r.lanes(), isCdna ? 64 : 32);
  }
}

TEST(MatrixInstructions, LaneMapsCoverTheirTiles) {
  for (const MatrixInstruction &r : matrixInstructions()) {
    int copies = r.family == MatrixFamily::WmmaGfx11 ? 2 : 1;
    int depthA = r.isSparse() ? r.k / 2 : int(r.k);
    expectCovers(r.mapA, r.m * depthA * r.blocks, copies, describe(r) + " A");
    expectCovers(r.mapB, r.n * r.k * r.blocks, copies, describe(r) + " B");
    if (r.isSparse())
      expectCovers(r.mapIndex, r.m * depthA, 1, describe(r) + " indices");
    bool hasHalves = r.family == MatrixFamily::WmmaGfx11 && r.mapC.values() > 8;
    expectCovers(r.mapC, r.m * r.n * r.blocks, hasHalves ? 2 : 1,
                 describe(r) + " C");
  }
}

TEST(MatrixInstructions, MfmaMapsFollowTheManual) {
  for (const MatrixInstruction &r : matrixInstructions()) {
    if (r.family != MatrixFamily::Mfma || r.blocks != 1 ||
        r.acc == ElemKind::F64)
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

TEST(MatrixInstructions, ScaledMapsFollowTheVendorsTables) {
  auto scaled = [](MatrixFamily family, int m, int n, int k, ElemKind kind,
                   int block) {
    const MatrixInstruction *found =
        lookupMatrix({family, m, n, k, kind, kind, ElemKind::F32, 1, block});
    EXPECT_NE(found, nullptr);
    return *found;
  };
  for (ElemKind kind :
       {ElemKind::F8E4M3FN, ElemKind::F8E5M2, ElemKind::F6E2M3FN,
        ElemKind::F6E3M2FN, ElemKind::F4E2M1FN}) {
    bool is8Bit = elemBits(kind) == 8;
    for (int m : {16, 32}) {
      MatrixInstruction row =
          scaled(MatrixFamily::MfmaScale, m, m, m == 16 ? 128 : 64, kind, 0);
      EXPECT_EQ(row.scaleBits, 32);
      for (int l = 0; l < 64; ++l)
        for (int i = 0; i < 32; ++i) {
          int k = is8Bit ? row.k / 2 * (i / 16) + 16 * (l / m) + i % 16
                         : 32 * (l / m) + i;
          ASSERT_EQ(row.mapA.at(l, i), l % m + m * k);
          ASSERT_EQ(row.mapB.at(l, i), l % m + m * k);
        }
    }
    for (int block : {16, 32}) {
      MatrixInstruction row =
          scaled(MatrixFamily::WmmaScaleGfx1250, 16, 16, 128, kind, block);
      EXPECT_EQ(row.scaleBits, block == 16 ? 64 : 32);
      int run = is8Bit ? 16 : 32;
      for (int l = 0; l < 32; ++l)
        for (int i = 0; i < 64; ++i) {
          int k = 2 * run * (i / run) + run * (l / 16) + i % run;
          ASSERT_EQ(row.mapA.at(l, i), l % 16 + 16 * k);
          ASSERT_EQ(row.mapB.at(l, i), l % 16 + 16 * k);
        }
    }
  }
  MatrixInstruction tall = scaled(MatrixFamily::WmmaScaleGfx1250, 32, 16, 128,
                                  ElemKind::F4E2M1FN, 32);
  for (int l = 0; l < 32; ++l) {
    for (int i = 0; i < 128; ++i) {
      int k = 64 * (i % 64 / 32) + 32 * (l / 16) + i % 32;
      ASSERT_EQ(tall.mapA.at(l, i), l % 16 + 16 * (i / 64) + 32 * k);
    }
    for (int i = 0; i < 16; ++i)
      ASSERT_EQ(tall.mapC.at(l, i),
                16 * (i / 8) + 8 * (l / 16) + i % 8 + 32 * (l % 16));
  }
}

/// The row whose operation has this name.
static const MatrixInstruction &operationRow(llvm::StringRef op) {
  for (const MatrixInstruction &r : matrixInstructions())
    if (r.op == op)
      return r;
  ADD_FAILURE() << op.str();
  return matrixInstructions().front();
}

TEST(MatrixInstructions, SparseMapsFollowTheVendorsTables) {
  // Element i of lane group g of A stands in column `a`, of B in row `b`.
  struct Case {
    const char *op;
    int (*a)(int g, int i);
    int (*b)(int g, int i);
  };
  auto calculator4 = [](int g, int i) { return 4 * g + i; };
  auto calculator8 = [](int g, int i) { return 8 * g + i; };
  auto calculator16 = [](int g, int i) { return 16 * g + i; };
  auto calculator32 = [](int g, int i) { return 32 * g + i; };
  const Case cases[] = {
      {"rocdl.smfmac.f32.16x16x32.f16", calculator4, calculator8},
      {"rocdl.smfmac.f32.32x32x16.bf16", calculator4, calculator8},
      {"rocdl.smfmac.i32.16x16x64.i8", calculator8, calculator16},
      {"rocdl.smfmac.f32.32x32x32.bf8.fp8", calculator8, calculator16},
      {"rocdl.smfmac.f32.16x16x64.f16", calculator8,
       [](int g, int i) { return 32 * (i / 8) + 8 * g + i % 8; }},
      {"rocdl.smfmac.f32.32x32x32.bf16", calculator8,
       [](int g, int i) { return 16 * (i / 8) + 8 * g + i % 8; }},
      {"rocdl.smfmac.f32.16x16x128.fp8.bf8",
       [](int g, int i) {
         return i % 4 + 16 * (i / 4 % 2) + 4 * (i / 8) + 32 * (g / 2) +
                8 * (g % 2);
       },
       [](int g, int i) { return 32 * (i / 8) + 8 * g + i % 8; }},
      {"rocdl.smfmac.i32.32x32x64.i8",
       [](int g, int i) {
         return i % 4 + 8 * (i / 4 % 2) + 4 * (i / 8) + 16 * g;
       },
       [](int g, int i) { return 16 * (i / 8) + 8 * g + i % 8; }},
      {"llvm.amdgcn.swmmac.f16.16x16x32.f16",
       [](int g, int i) { return 8 * (i / 4) + 4 * g + i % 4; },
       [](int g, int i) { return 16 * (i / 8) + 8 * g + i % 8; }},
      {"llvm.amdgcn.swmmac.i32.16x16x32.iu8", calculator8, calculator16},
      {"llvm.amdgcn.swmmac.i32.16x16x32.iu4", calculator8, calculator16},
      {"llvm.amdgcn.swmmac.i32.16x16x64.iu4", calculator16, calculator32},
      {"llvm.amdgcn.swmmac.bf16.16x16x64.bf16",
       [](int g, int i) { return 16 * (i / 8) + 8 * g + i % 8; },
       [](int g, int i) { return 32 * (i / 16) + 16 * g + i % 16; }},
      {"llvm.amdgcn.swmmac.f16.16x16x128.bf8.fp8",
       [](int g, int i) { return 32 * (i / 16) + 16 * g + i % 16; },
       [](int g, int i) { return 64 * (i / 32) + 32 * g + i % 32; }},
  };
  for (const Case &test : cases) {
    const MatrixInstruction &r = operationRow(test.op);
    for (int l = 0; l < r.lanes(); ++l) {
      for (int i = 0; i < r.mapA.values(); ++i)
        ASSERT_EQ(r.mapA.at(l, i), l % r.m + r.m * test.a(l / r.m, i))
            << test.op << " A " << l << " " << i;
      for (int i = 0; i < r.mapB.values(); ++i)
        ASSERT_EQ(r.mapB.at(l, i), l % r.n + r.n * test.b(l / r.n, i))
            << test.op << " B " << l << " " << i;
    }
    // C and D are those of the dense instruction of the shape.
    const MatrixInstruction &dense =
        operationRow(r.lanes() == 32 ? "rocdl.wmma.f16.16x16x32.f16"
                     : r.m == 16     ? "rocdl.mfma.f32.16x16x16f16"
                                     : "rocdl.mfma.f32.32x32x8f16");
    for (int l = 0; l < r.lanes(); ++l)
      for (int i = 0; i < r.mapC.values(); ++i)
        ASSERT_EQ(r.mapC.at(l, i), dense.mapC.at(l, i)) << test.op;
  }
}

TEST(MatrixInstructions, DeepSparseMapsGiveTheProductOfTensileLite) {
  // Its blocks of consecutive k, one of A and two of B: what an element of A
  // meets must be the same.
  int seen = 0;
  for (const MatrixInstruction &r : matrixInstructions()) {
    if (r.family != MatrixFamily::Smfmac || r.feature != Feature::MfmaWide)
      continue;
    ++seen;
    int groups = 64 / r.m, countA = r.mapA.values(), block = countA;
    for (int l = 0; l < 64; ++l)
      for (int i = 0; i < countA; ++i) {
        int c = countA * (l / r.m) + i;
        int position = r.mapA.at(l, i);
        ASSERT_EQ(position % r.m, l % r.m);
        ASSERT_EQ(position / r.m % 2, c % 2);
        for (int column = 0; column < r.n; ++column)
          for (int j = 0; j < 4; ++j) {
            int k = c / 2 * 4 + j;
            int lane = column + r.n * (k / block % groups);
            int element = block * (k / (block * groups)) + k % block;
            ASSERT_EQ(r.mapB.at(lane, element),
                      column + r.n * (position / r.m / 2 * 4 + j))
                << describe(r) << " lane " << l << " " << i << " " << j;
          }
      }
  }
  EXPECT_EQ(seen, 14);
}

TEST(MatrixInstructions, SparseMapsOfGfx1250GiveTheProductOfTheirTests) {
  // DIFF: swmmac-indices
  // The places of ROCm/hip-fpsan, which numbers k in another way: what an entry
  // of an index register chooses for, and between what, must be the same.
  struct Place {
    int lane, i;
  };
  auto placeOfA = [](int row, int c) {
    return Place{row + 16 * (c / 2 % 2), 2 * (c / 4) + c % 2};
  };
  auto placeOfB = [](int column, int k) {
    return Place{column + 16 * (k / 4 % 2), 4 * (k / 8) + k % 4};
  };
  int seen = 0;
  for (const MatrixInstruction &r : matrixInstructions()) {
    if (r.family != MatrixFamily::SwmmacGfx1250) {
      // Elsewhere an element and its index lie in one lane.
      for (int l = 0; r.isSparse() && l < r.lanes(); ++l)
        for (int i = 0; i < r.mapA.values(); ++i)
          ASSERT_EQ(r.mapIndex.at(l, i), r.mapA.at(l, i)) << describe(r);
      continue;
    }
    ++seen;
    int entries = r.k / 4;
    for (int row = 0; row < 16; ++row)
      for (int c = 0; c < r.k / 2; ++c) {
        int entry =
            entries / 2 * (c / 2 % 2) + 2 * (c / 4 % (entries / 4)) + c % 2;
        int position = r.mapIndex.at(row + 16 * (c / entries), entry);
        Place a = placeOfA(row, c);
        ASSERT_EQ(r.mapA.at(a.lane, a.i), position) << describe(r) << " " << c;
        ASSERT_EQ(position % 16, row);
        ASSERT_EQ(position / 16 % 2, c % 2);
        for (int column = 0; column < 16; ++column)
          for (int j = 0; j < 4; ++j) {
            Place b = placeOfB(column, c / 2 * 4 + j);
            ASSERT_EQ(r.mapB.at(b.lane, b.i),
                      column + 16 * (position / 32 * 4 + j))
                << describe(r) << " " << c << " " << j;
          }
      }
  }
  EXPECT_EQ(seen, 14);
}

TEST(MatrixInstructions, IndicesOfSparseInstructions) {
  struct Case {
    const char *op;
    int registerBits, bits, sets;
  };
  const Case cases[] = {
      {"rocdl.smfmac.f32.16x16x32.f16", 32, 8, 4},
      {"rocdl.smfmac.i32.32x32x32.i8", 32, 16, 2},
      {"rocdl.smfmac.f32.32x32x32.f16", 32, 16, 2},
      {"rocdl.smfmac.f32.16x16x128.bf8.bf8", 32, 32, 1},
      {"llvm.amdgcn.swmmac.f32.16x16x32.f16", 16, 16, 1},
      {"llvm.amdgcn.swmmac.i32.16x16x64.iu4", 32, 32, 1},
      {"llvm.amdgcn.swmmac.f32.16x16x64.bf16", 32, 32, 1},
      {"llvm.amdgcn.swmmac.i32.16x16x128.iu8", 64, 64, 1},
  };
  for (const Case &test : cases) {
    const MatrixInstruction &r = operationRow(test.op);
    EXPECT_EQ(r.indexRegisterBits, test.registerBits) << test.op;
    EXPECT_EQ(r.indexBits(), test.bits) << test.op;
    EXPECT_EQ(r.indexSets(), test.sets) << test.op;
  }
  EXPECT_EQ(operationRow("rocdl.mfma.f32.16x16x16f16").indexSets(), 0);
}

TEST(MatrixInstructions, NamesOfOperations) {
  EXPECT_EQ(intrinsicName("rocdl.wmma.f32.16x16x16.fp8_fp8"),
            "llvm.amdgcn.wmma.f32.16x16x16.fp8.fp8");
  EXPECT_EQ(matrixOperation("rocdl.smfmac.f32.16x16x32.f16"),
            "rocdl.smfmac.f32.16x16x32.f16");
  EXPECT_EQ(matrixOperation("llvm.amdgcn.smfmac.f32.16x16x64.fp8.bf8"),
            "rocdl.smfmac.f32.16x16x64.fp8.bf8");
  EXPECT_EQ(matrixOperation(
                "llvm.amdgcn.swmmac.f32.16x16x32.f16.v8f32.v8f16.v16f16.i16"),
            "llvm.amdgcn.swmmac.f32.16x16x32.f16");
  EXPECT_EQ(matrixOperation("llvm.amdgcn.wmma.f16.16x16x16.f16.tied.v16f16"),
            "llvm.amdgcn.wmma.f16.16x16x16.f16.tied");
  EXPECT_EQ(matrixOperation("llvm.amdgcn.wmma.f16.16x16x16.f16.v16f16"),
            "rocdl.wmma.f16.16x16x16.f16");
  EXPECT_EQ(matrixOperation("llvm.amdgcn.mfma.f32.32x32x4bf16.1k"),
            "rocdl.mfma.f32.32x32x4bf16.1k");
  EXPECT_EQ(matrixOperation("llvm.amdgcn.mfma"), "");
  EXPECT_EQ(matrixOperation("llvm.amdgcn.ds.bpermute"), "");
  EXPECT_EQ(matrixOperation("rocdl.mfma"), "");
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
            "32x32x8, 16x16x16, 16x16x32, 32x32x16, 32x32x4 (blocks = 2), "
            "16x16x4 (blocks = 4), 4x4x4 (blocks = 16)");
  EXPECT_EQ(familyShapes(MatrixFamily::Mfma, ElemKind::F16, ElemKind::BF16,
                         ElemKind::F32),
            "");
  EXPECT_EQ(
      chipAlternatives(*lookupChip("gfx942"), ElemKind::F16, ElemKind::F16),
      "cdna3.mfma 32x32x8 (f16, f16) -> f32, "
      "cdna3.mfma 16x16x16 (f16, f16) -> f32, "
      "cdna3.mfma 32x32x4 (f16, f16) -> f32 (blocks = 2), "
      "cdna3.mfma 16x16x4 (f16, f16) -> f32 (blocks = 4), "
      "cdna3.mfma 4x4x4 (f16, f16) -> f32 (blocks = 16)");
  EXPECT_EQ(
      chipAlternatives(*lookupChip("gfx1201"), ElemKind::F16, ElemKind::F16),
      "gfx120x.wmma 16x16x16 (f16, f16) -> f32, "
      "gfx120x.wmma 16x16x16 (f16, f16) -> f16");
  EXPECT_EQ(chipAlternatives(*lookupChip("gfx90a"), ElemKind::F8E5M2,
                             ElemKind::F8E5M2),
            "");
  // Short f32 lies in the registers of f32.
  EXPECT_EQ(
      chipAlternatives(*lookupChip("gfx1250"), ElemKind::XF32, ElemKind::XF32),
      "gfx1250.wmma 16x16x4 (f32, f32) -> f32");
  EXPECT_EQ(chipAlternatives(*lookupChip("gfx1250"), ElemKind::F6E2M3FN,
                             ElemKind::F4E2M1FN),
            "gfx1250.wmma_scale 16x16x128 (f6E2M3FN, f4E2M1FN) -> f32 "
            "(blockSize = 32), gfx1250.wmma_scale 16x16x128 (f6E2M3FN, "
            "f4E2M1FN) -> f32 (blockSize = 16)");
  EXPECT_EQ(operationAlternatives(*lookupChip("gfx1201"),
                                  "rocdl.mfma.f32.16x16x16f16"),
            "rocdl.wmma.f32.16x16x16.f16, rocdl.wmma.f16.16x16x16.f16");
  EXPECT_EQ(operationAlternatives(*lookupChip("gfx1201"),
                                  "rocdl.mfma.f64.16x16x4f64"),
            "");
  // Sparse ones where the chip has them, else the dense ones.
  EXPECT_EQ(operationAlternatives(*lookupChip("gfx942"),
                                  "rocdl.smfmac.f32.16x16x64.f16"),
            "rocdl.smfmac.f32.16x16x32.f16, rocdl.smfmac.f32.32x32x16.f16");
  EXPECT_EQ(operationAlternatives(*lookupChip("gfx1100"),
                                  "llvm.amdgcn.swmmac.f32.16x16x32.f16"),
            "rocdl.wmma.f32.16x16x16.f16, rocdl.wmma.f16.16x16x16.f16, "
            "llvm.amdgcn.wmma.f16.16x16x16.f16.tied");
  EXPECT_EQ(describe(operationRow("rocdl.smfmac.f32.16x16x32.f16")),
            "16x16x32 (f16, f16) -> f32 (sparse)");
}
