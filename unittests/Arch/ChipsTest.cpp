// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pins the chip table and the occupancy computed from it. The expected waves
// are those that LLVM 22 prints ("; Occupancy:") for kernels with the same
// number of registers.

#include "Fly/Arch/Chips.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace fly::arch;

TEST(Chips, LookupFindsEveryNameOnce) {
  llvm::StringSet<> names;
  for (const Chip &chip : knownChips()) {
    EXPECT_TRUE(names.insert(chip.name).second) << chip.name.str();
    EXPECT_EQ(lookupChip(chip.name), &chip);
  }
  EXPECT_EQ(names.size(), 14u);
  EXPECT_EQ(lookupChip("gfx9"), nullptr);
  EXPECT_EQ(lookupChip(""), nullptr);
  EXPECT_EQ(lookupChip("gfx942:xnack+"), nullptr);
  EXPECT_EQ(knownChipNames(),
            "gfx90a, gfx942, gfx950, gfx1100, gfx1101, gfx1102, gfx1103, "
            "gfx1150, gfx1151, gfx1152, gfx1153, gfx1200, gfx1201, gfx1250");
}

TEST(Chips, OtherNamesOfAChipSayWhichToUse) {
  auto ending = [](llvm::StringRef wanted) {
    return knownChipNames(wanted).substr(knownChipNames().size());
  };
  EXPECT_EQ(ending("gfx940"), "; for 'gfx940' use gfx942");
  EXPECT_EQ(ending("MI300X"), "; for 'MI300X' use gfx942");
  EXPECT_EQ(ending("gfx942:xnack+"), "; for 'gfx942:xnack+' use gfx942");
  EXPECT_EQ(ending("gfx1250-strict"), "; for 'gfx1250-strict' use gfx1250");
  EXPECT_EQ(ending("gfx000"), "");
  EXPECT_EQ(ending(""), "");
}

// User reports 65 and 87.
TEST(Chips, WaveSizeAndLds) {
  struct Expected {
    const char *name;
    unsigned wave, lds;
  };
  for (Expected e : {Expected{"gfx90a", 64, 65536},
                     {"gfx942", 64, 65536},
                     {"gfx950", 64, 163840},
                     {"gfx1100", 32, 65536},
                     {"gfx1151", 32, 65536},
                     {"gfx1201", 32, 65536},
                     {"gfx1250", 32, 327680}}) {
    const Chip *chip = lookupChip(e.name);
    ASSERT_NE(chip, nullptr) << e.name;
    EXPECT_EQ(chip->waveSize, e.wave) << e.name;
    EXPECT_EQ(chip->ldsBytesPerWorkgroup, e.lds) << e.name;
  }
}

TEST(Chips, NoChipHasTwoMeaningsOfFp8) {
  for (const Chip &chip : knownChips())
    EXPECT_FALSE(chip.has(Feature::MfmaFp8Fnuz | Feature::MfmaFp8Ocp))
        << chip.name.str();
}

static unsigned waves(const char *name, unsigned vgprs, unsigned sgprs = 0,
                      uint64_t lds = 0, unsigned group = 0) {
  return occupancy(*lookupChip(name), {vgprs, sgprs, lds, group});
}

TEST(Chips, OccupancyByVgprs) {
  EXPECT_EQ(waves("gfx942", 64), 8u);
  EXPECT_EQ(waves("gfx942", 101), 4u);
  EXPECT_EQ(waves("gfx942", 201), 2u);
  EXPECT_EQ(waves("gfx942", 512), 1u);
  EXPECT_EQ(waves("gfx1100", 101), 12u);
  EXPECT_EQ(waves("gfx1100", 201), 7u);
  EXPECT_EQ(waves("gfx1102", 101), 9u);
  EXPECT_EQ(waves("gfx1102", 201), 4u);
  EXPECT_EQ(waves("gfx1201", 201), 7u);
  EXPECT_EQ(waves("gfx1250", 101), 9u);
  EXPECT_EQ(waves("gfx1250", 201), 4u);
  EXPECT_EQ(waves("gfx1250", 0), 16u);
}

TEST(Chips, OccupancyBySgprs) {
  EXPECT_EQ(waves("gfx942", 1, 102), 7u);
  EXPECT_EQ(waves("gfx1100", 1, 102), 16u);
}

TEST(Chips, OccupancyByLds) {
  // Two workgroups of four waves fit: eight waves on four SIMDs.
  EXPECT_EQ(waves("gfx942", 1, 0, 32768, 256), 2u);
  // Four workgroups of eight waves on the four SIMDs of a pair of units.
  EXPECT_EQ(waves("gfx1100", 1, 0, 32768, 256), 8u);
  // The LDS granule counts: 33,000 bytes leave room for one workgroup only.
  EXPECT_EQ(waves("gfx942", 1, 0, 33000, 256), 1u);
}

// As LLVM 22 counts.
TEST(Chips, OccupancyByWorkgroups) {
  // Two workgroups of twelve waves fit the 32 places of a unit, not three.
  EXPECT_EQ(waves("gfx942", 1, 0, 0, 768), 6u);
  EXPECT_EQ(waves("gfx942", 1, 0, 0, 640), 8u);
  // Ten workgroups of six waves on the 64 places of a pair of units.
  EXPECT_EQ(waves("gfx1100", 1, 0, 0, 192), 15u);
  // Workgroups of two or three waves take the sixteen barriers first.
  EXPECT_EQ(waves("gfx1250", 1, 0, 0, 64), 8u);
  EXPECT_EQ(waves("gfx1250", 1, 0, 0, 96), 12u);
  EXPECT_EQ(waves("gfx1250", 1, 0, 0, 32), 16u);
  EXPECT_EQ(waves("gfx1201", 1, 0, 0, 64), 16u);
}

TEST(Chips, OccupancyZeroWhenItDoesNotFit) {
  EXPECT_EQ(waves("gfx942", 513), 0u);
  EXPECT_EQ(waves("gfx942", 1, 0, 65537, 64), 0u);
  EXPECT_EQ(waves("gfx1100", 257), 0u);
}

// As llc 22 takes and refuses them.
TEST(Chips, FactsByName) {
  for (const Chip &chip : knownChips()) {
    bool isGfx9 = chip.name.starts_with("gfx9");
    bool isGfx1250 = chip.name == "gfx1250", isGfx950 = chip.name == "gfx950";
    EXPECT_EQ(chip.evenVgprRanges, isGfx9 || isGfx1250) << chip.name.str();
    EXPECT_EQ(chip.has(Feature::Clusters), isGfx1250) << chip.name.str();
    EXPECT_EQ(chip.has(Feature::LdsLoadTrans), isGfx1250) << chip.name.str();
    EXPECT_EQ(chip.has(Feature::PermlaneX16), !isGfx9) << chip.name.str();
    EXPECT_EQ(chip.has(Feature::Permlane32Swap), isGfx950) << chip.name.str();
    EXPECT_EQ(chip.has(Feature::Permlane16Swap), isGfx950 || isGfx1250)
        << chip.name.str();
  }
}

TEST(Chips, FeatureSpellingsRoundTrip) {
  uint32_t used = 0;
  for (const Chip &chip : knownChips())
    used |= chip.features;
  for (unsigned bit = 0; bit < 32; ++bit) {
    Feature f = static_cast<Feature>(1u << bit);
    if (!(used & 1u << bit))
      continue;
    EXPECT_FALSE(featureName(f).empty()) << bit;
    EXPECT_EQ(parseFeature(featureName(f)), f) << bit;
  }
  EXPECT_EQ(parseFeature("mfma-wide"), Feature::MfmaWide);
  EXPECT_EQ(parseFeature("no-such-feature"), std::nullopt);
}
