// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds docs/CopyInstructions.md against the rows. With FLY_UPDATE_DOCS set in
// the environment the test writes the tables anew instead.

#include "Page.h"

#include "Fly/Arch/CopyInstructions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <vector>

using namespace fly::arch;

static std::string quote(llvm::StringRef name) {
  return name.empty() ? std::string() : "`" + name.str() + "`";
}

/// "`a`, `b`" of "a, b".
static std::string quoteEach(llvm::StringRef names) {
  std::vector<std::string> quoted;
  llvm::SmallVector<llvm::StringRef> parts;
  names.split(parts, ", ", -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    quoted.push_back(quote(part));
  return quoted.empty() ? "–" : llvm::join(quoted, ", ");
}

static std::string makeTables() {
  std::string page;
  llvm::raw_string_ostream os(page);
  os << "\n## Families\n\n"
     << "| atom | from -> to | state | wait | sources |\n"
     << "|---|---|---|---|---|\n";
  for (const CopyFamilyRow &row : copyFamilies())
    os << "| `" << row.mnemonic << "` | " << row.ways << " | "
       << quoteEach(row.state) << " | " << row.wait << " | " << row.source
       << " |\n";
  os << "\n## Widths\n\n"
     << "| atom | bits | operation | chips |\n|---|---|---|---|\n";
  for (const CopyInstruction &row : copyInstructions()) {
    os << "| `" << familyMnemonic(row.family) << "` | " << row.bits;
    if (row.granularity)
      os << ", trans = " << unsigned(row.granularity) << "b";
    os << " | " << quote(row.loadOp);
    if (!row.loadOp.empty() && !row.storeOp.empty())
      os << ", ";
    os << quote(row.storeOp) << " | " << chipsWith(row.feature) << " |\n";
  }
  os << "\n## `cdna3.buffer_atomic`\n\n"
     << "| value | operation without result | with the old value | chips |\n"
     << "|---|---|---|---|\n";
  for (const BufferAtomic &row : bufferAtomics())
    os << "| " << row.type << " | " << (row.op.empty() ? "–" : quote(row.op))
       << " | " << quote(row.intrinsic) << " | " << chipsWith(row.feature)
       << " |\n";
  os << "\n## Chips\n\n"
     << "| chip | bits of the cache policy | bits of a buffer's size |\n"
     << "|---|---|---|\n";
  for (const Chip &chip : knownChips())
    os << "| " << chip.name << " | " << cachePolicyNames(chip) << " | "
       << bufferSizeBits(chip) << " |\n";
  return page;
}

TEST(CopyPage, IsThatOfTheRows) {
  checkPage("CopyInstructions.md", makeTables());
}
