// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Page.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace fly::arch;

static constexpr llvm::StringLiteral kBegin = "<!-- tables: generated -->\n";

std::string fly::arch::chipsWith(Feature feature) {
  std::string names;
  for (const Chip &chip : knownChips())
    if (chip.has(feature))
      names += (names.empty() ? "" : ", ") + chip.name.str();
  return names;
}

void fly::arch::checkPage(llvm::StringRef name, const std::string &tables) {
  std::string path = FLY_SOURCE_DIR "/docs/" + name.str();
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file)) << file.getError().message();
  llvm::StringRef text = (*file)->getBuffer();
  size_t begin = text.find(kBegin);
  ASSERT_NE(begin, llvm::StringRef::npos);
  std::string wanted = (text.take_front(begin + kBegin.size()) + tables).str();
  if (!std::getenv("FLY_UPDATE_DOCS")) {
    EXPECT_EQ(text, wanted)
        << "run this test with FLY_UPDATE_DOCS=1 to write the tables anew";
    return;
  }
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  ASSERT_FALSE(error) << error.message();
  os << wanted;
}
