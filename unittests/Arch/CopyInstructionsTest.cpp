// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pins the copy instruction table: widths per family and chip, and which chip
// has which buffer atomic.

#include "Fly/Arch/CopyInstructions.h"
#include "gtest/gtest.h"

using namespace fly::arch;

TEST(CopyInstructions, Widths) {
  EXPECT_EQ(copyWidths(CopyFamily::BufferCopy), "8, 16, 32, 64, 128");
  EXPECT_EQ(copyWidths(CopyFamily::BufferCopyLds), "32, 128");
  EXPECT_EQ(copyWidths(CopyFamily::BufferCopyLds, lookupChip("gfx942")), "32");
  EXPECT_EQ(copyWidths(CopyFamily::BufferCopyLds, lookupChip("gfx950")),
            "32, 128");
  EXPECT_EQ(copyWidths(CopyFamily::BufferCopyLds, lookupChip("gfx1201")), "");
  for (const Chip &chip : knownChips())
    EXPECT_EQ(copyWidths(CopyFamily::BufferCopy, &chip), "8, 16, 32, 64, 128");
}

TEST(CopyInstructions, FamiliesOfOneChip) {
  for (const Chip &chip : knownChips()) {
    bool isGfx950 = chip.name == "gfx950", isGfx1250 = chip.name == "gfx1250";
    EXPECT_EQ(copyWidths(CopyFamily::LdsReadTrans, &chip),
              isGfx950 ? "4b 64, 8b 64, 6b 96, 16b 64" : "");
    for (CopyFamily family :
         {CopyFamily::Tdm, CopyFamily::TensorLoad, CopyFamily::TensorStore})
      EXPECT_EQ(copyWidths(family, &chip), isGfx1250 ? "8, 16, 32, 64" : "");
    for (CopyFamily family :
         {CopyFamily::BufferLoadAsyncLds, CopyFamily::GlobalLoadAsyncLds})
      EXPECT_EQ(copyWidths(family, &chip), isGfx950 ? "32, 96, 128"
                                           : chip.has(Feature::Mfma) ? "32"
                                                                     : "");
  }
}

TEST(CopyInstructions, Lookup) {
  for (const CopyInstruction &row : copyInstructions())
    EXPECT_EQ(lookupCopy(row.family, row.bits, row.granularity), &row);
  EXPECT_EQ(lookupCopy(CopyFamily::BufferCopy, 96), nullptr);
  EXPECT_EQ(lookupCopy(CopyFamily::BufferCopy, 0), nullptr);
  EXPECT_EQ(lookupCopy(CopyFamily::BufferCopyLds, 64), nullptr);
  EXPECT_EQ(lookupCopy(CopyFamily::LdsReadTrans, 64), nullptr);
  EXPECT_EQ(lookupCopy(CopyFamily::LdsReadTrans, 96, 4), nullptr);
}

TEST(CopyInstructions, BufferAtomicsPerChip) {
  auto types = [](BufferAtomicKind kind, const char *chip) {
    return bufferAtomicTypes(kind, lookupChip(chip));
  };
  EXPECT_EQ(types(BufferAtomicKind::FAdd, "gfx942"), "f32, f64, vector<2xf16>");
  EXPECT_EQ(types(BufferAtomicKind::FAdd, "gfx950"),
            "f32, f64, vector<2xf16>, vector<2xbf16>");
  EXPECT_EQ(types(BufferAtomicKind::FAdd, "gfx1100"), "f32");
  EXPECT_EQ(types(BufferAtomicKind::FMax, "gfx942"), "f64");
  EXPECT_EQ(types(BufferAtomicKind::FMax, "gfx1201"), "f32");
  EXPECT_EQ(types(BufferAtomicKind::UMin, "gfx1250"), "i32, i64");
  for (const BufferAtomic &row : bufferAtomics())
    EXPECT_EQ(lookupBufferAtomic(row.kind, row.type), &row);
  EXPECT_EQ(lookupBufferAtomic(BufferAtomicKind::FAdd, "f16"), nullptr);
}
