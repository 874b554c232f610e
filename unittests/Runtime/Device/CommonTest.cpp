// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that all devices share: launch sizes, kinds of code objects, memref
// descriptors.

#include "common/CodeObject.h"
#include "common/Error.h"
#include "common/HostMemRef.h"
#include "common/LaunchConfig.h"

#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>
#include <limits>
#include <thread>
#include <vector>

using namespace fly::runtime;

//===----------------------------------------------------------------------===//
// LaunchConfig
//===----------------------------------------------------------------------===//

TEST(LaunchConfig, LimitsAreInclusive) {
  EXPECT_EQ(checkLaunchConfig({{1, 1, 1}, {0x7fffffff, 1, 1}, {1024, 1, 1}, 0}),
            "");
  EXPECT_EQ(checkLaunchConfig({{2, 1, 4}, {6, 3, 8}, {16, 8, 8}, 65536}), "");
}

TEST(LaunchConfig, RefusalsNameTheSizes) {
  EXPECT_EQ(checkLaunchConfig({{1, 1, 1}, {4, 0, 1}, {64, 1, 1}, 0}),
            "grid size 4x0x1 is not launchable: each dimension must be in [1, "
            "2147483647]");
  EXPECT_EQ(
      checkLaunchConfig({{1, 1, 1}, {intptr_t{1} << 31, 1, 1}, {64, 1, 1}, 0}),
      "grid size 2147483648x1x1 is not launchable: each dimension must be in "
      "[1, 2147483647]");
  // 2^32 would be 0 as unsigned int.
  EXPECT_EQ(
      checkLaunchConfig({{1, 1, 1}, {1, 1, 1}, {intptr_t{1} << 32, 1, 1}, 0}),
      "block size 4294967296x1x1 is not launchable: a workgroup has at most "
      "1024 lanes");
  EXPECT_EQ(checkLaunchConfig({{1, 1, 1}, {1, 1, 1}, {64, 17, 1}, 0}),
            "block size 64x17x1 is not launchable: a workgroup has at most "
            "1024 lanes");
  EXPECT_EQ(checkLaunchConfig({{1, 1, 1}, {1, 1, 1}, {64, 0, 1}, 0}),
            "block size 64x0x1 is not launchable: each dimension must be at "
            "least 1");
  EXPECT_EQ(checkLaunchConfig({{2, 1, 1}, {3, 1, 1}, {64, 1, 1}, 0}),
            "cluster size 2x1x1 is not launchable: it must divide the grid "
            "size 3x1x1");
  EXPECT_EQ(checkLaunchConfig({{0, 1, 1}, {3, 1, 1}, {64, 1, 1}, 0}),
            "cluster size 0x1x1 is not launchable: it must divide the grid "
            "size 3x1x1");
  EXPECT_EQ(checkLaunchConfig({{1, 1, 1}, {3, 1, 1}, {64, 1, 1}, -1}),
            "dynamic LDS of -1 bytes is not launchable: it must not be "
            "negative");
}

TEST(LaunchConfig, Parameters) {
  int value = 0;
  void *good[] = {&value, &value}, *bad[] = {&value, nullptr};
  void *extra[] = {nullptr};
  EXPECT_EQ(checkLaunchParams(good, nullptr, 2), "");
  EXPECT_EQ(checkLaunchParams(nullptr, nullptr, 0), "");
  EXPECT_EQ(checkLaunchParams(good, extra, 2),
            "the 'extra' argument of a launch must be null");
  EXPECT_EQ(checkLaunchParams(nullptr, nullptr, 2),
            "the launch has 2 parameters but a null parameter list");
  EXPECT_EQ(checkLaunchParams(bad, nullptr, 2),
            "the launch has a null pointer for parameter 1");
}

//===----------------------------------------------------------------------===//
// CodeObject
//===----------------------------------------------------------------------===//

/// An ELF header with one program header.
static std::vector<char> makeElf(uint16_t machine) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = machine;
  header.e_phoff = sizeof(header);
  header.e_phnum = 1;
  header.e_phentsize = sizeof(Elf64_Phdr);
  Elf64_Phdr segment = {};
  segment.p_filesz = sizeof(header) + sizeof(segment);
  std::vector<char> bytes(sizeof(header) + sizeof(segment));
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), &segment, sizeof(segment));
  return bytes;
}

TEST(CodeObject, Kinds) {
  std::vector<char> amdgpu = makeElf(224), foreign = makeElf(40);
  CodeObjectInfo info = inspectCodeObject(amdgpu.data(), amdgpu.size());
  EXPECT_EQ(info.kind, CodeObjectKind::AmdgpuElf);
  EXPECT_EQ(info.defect, "");
  info = inspectCodeObject(foreign.data(), foreign.size());
  EXPECT_EQ(info.kind, CodeObjectKind::Unknown);
  EXPECT_EQ(info.description, "an ELF file for machine 40");
  EXPECT_EQ(inspectCodeObject("__CLANG_OFFLOAD_BUNDLE__", 24).kind,
            CodeObjectKind::OffloadBundle);
  EXPECT_EQ(inspectCodeObject("CCOB1234", 8).kind,
            CodeObjectKind::OffloadBundle);
  EXPECT_EQ(inspectCodeObject("hello", 5).description, "not an ELF file");
  EXPECT_EQ(inspectCodeObject("\177ELF", 4).description,
            "an ELF file cut short");
  EXPECT_EQ(inspectCodeObject(nullptr, 5).description, "empty");
}

/// An offload bundle with one entry of 8 bytes of code after a target of 4.
static std::vector<char> makeBundle() {
  std::string bytes = "__CLANG_OFFLOAD_BUNDLE__";
  for (uint64_t number : {1, 60, 8, 4})
    bytes.append(reinterpret_cast<const char *>(&number), sizeof(number));
  bytes += "hostCODECODE";
  return {bytes.begin(), bytes.end()};
}

TEST(CodeObject, EntriesOfBundlesMustLieInside) {
  std::vector<char> bundle = makeBundle();
  auto defect = [&](size_t size) {
    return inspectCodeObject(bundle.data(), size).defect;
  };
  EXPECT_EQ(defect(68), "");
  EXPECT_EQ(defect(67),
            "the code of its entry 0 lies outside of the 67 bytes given");
  EXPECT_EQ(defect(59),
            "the target of its entry 0 lies outside of the 59 bytes given");
  EXPECT_EQ(defect(55),
            "the head of its entry 0 lies outside of the 55 bytes given");
  EXPECT_EQ(defect(31),
            "its number of entries lies outside of the 31 bytes given");
  bundle[24] = 2; // The number of entries.
  EXPECT_EQ(defect(68),
            "the head of its entry 1 lies outside of the 68 bytes given");
}

TEST(CodeObject, CompressedBundlesMustBeWhole) {
  char bundle[32] = "CCOB";
  auto defect = [&](uint16_t version, uint64_t fileSize, size_t size) {
    std::memcpy(bundle + 4, &version, sizeof(version));
    std::memcpy(bundle + 8, &fileSize, sizeof(fileSize));
    return inspectCodeObject(bundle, size).defect;
  };
  EXPECT_EQ(defect(1, 99, 32), "");
  EXPECT_EQ(defect(2, 32, 32), "");
  EXPECT_EQ(defect(2, 33, 32),
            "its 33 bytes end outside of the 32 bytes given");
  EXPECT_EQ(defect(3, 1ull << 32, 32),
            "its 4294967296 bytes end outside of the 32 bytes given");
  EXPECT_EQ(defect(3, 12, 12), "its head lies outside of the 12 bytes given");
  EXPECT_EQ(defect(1, 99, 6), "its head lies outside of the 6 bytes given");
}

TEST(CodeObject, TablesAndSegmentsMustLieInside) {
  std::vector<char> elf = makeElf(224);
  EXPECT_EQ(inspectCodeObject(elf.data(), elf.size() - 1).defect,
            "its program header table lies outside of the 119 bytes given");
  auto *header = reinterpret_cast<Elf64_Ehdr *>(elf.data());
  auto *segment = reinterpret_cast<Elf64_Phdr *>(elf.data() + sizeof(*header));
  segment->p_filesz = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(inspectCodeObject(elf.data(), elf.size()).defect,
            "segment 0 lies outside of the 120 bytes given");
  segment->p_filesz = 0;
  header->e_shoff = std::numeric_limits<uint64_t>::max();
  header->e_shnum = 2;
  header->e_shentsize = 64;
  EXPECT_EQ(inspectCodeObject(elf.data(), elf.size()).defect,
            "its section table lies outside of the 120 bytes given");
}

//===----------------------------------------------------------------------===//
// HostMemRef and errors
//===----------------------------------------------------------------------===//

namespace {
/// A descriptor of rank 2.
struct MemRef2d {
  FlyMemRefDescriptor head;
  int64_t sizes[2];
  int64_t strides[2];
};
} // namespace

TEST(HostMemRef, BytesOfContiguousMemrefs) {
  float data[32];
  MemRef2d memref = {{data, data, 4}, {3, 5}, {5, 1}};
  HostBytes bytes;
  ASSERT_TRUE(readHostMemRef(2, &memref.head, 4, bytes));
  EXPECT_EQ(bytes.data, data + 4);
  EXPECT_EQ(bytes.size, 60u);
  // The stride of a dimension of one element does not count.
  memref = {{data, data, 0}, {1, 5}, {77, 1}};
  EXPECT_TRUE(readHostMemRef(2, &memref.head, 4, bytes));
  EXPECT_EQ(bytes.size, 20u);
}

// DIFF: host-memrefs
TEST(HostMemRef, Refusals) {
  float data[32];
  HostBytes bytes;
  MemRef2d memref = {{data, data, 0}, {3, 5}, {6, 1}};
  EXPECT_FALSE(readHostMemRef(2, &memref.head, 4, bytes));
  EXPECT_STREQ(errorMessage(),
               "a host memref must be contiguous: dimension 0 has stride 6, "
               "expected 5");
  EXPECT_EQ(takeError(), FLY_RUNTIME_ERROR_INVALID);
  memref = {{data, data, 0}, {int64_t{1} << 40, int64_t{1} << 40}, {0, 1}};
  memref.strides[0] = int64_t{1} << 40;
  EXPECT_FALSE(readHostMemRef(2, &memref.head, 4, bytes));
  EXPECT_STREQ(errorMessage(), "the size of a host memref overflows 64 bits");
  EXPECT_EQ(takeError(), FLY_RUNTIME_ERROR_INVALID);
  EXPECT_FALSE(readHostMemRef(-1, &memref.head, 4, bytes));
  EXPECT_EQ(takeError(), FLY_RUNTIME_ERROR_INVALID);
}

// DIFF: failed-calls
TEST(Error, FirstFailureOfEachThreadIsKept) {
  EXPECT_EQ(takeError(), 0);
  reportError(7, "first");
  reportError(8, "second");
  std::thread([] {
    EXPECT_EQ(takeError(), 0);
    reportError(9, "elsewhere");
    EXPECT_EQ(takeError(), 9);
  }).join();
  EXPECT_STREQ(errorMessage(), "first");
  EXPECT_EQ(takeError(), 7);
  EXPECT_STREQ(errorMessage(), "first") << "readable after it was taken";
  EXPECT_EQ(takeError(), 0);
  reportError(8, "next");
  EXPECT_STREQ(errorMessage(), "next");
  EXPECT_EQ(takeError(), 8);
}

extern "C" int32_t reportAndTakeFromC(int32_t code);

TEST(Error, HeaderServesC) {
  EXPECT_EQ(takeError(), 0);
  EXPECT_EQ(reportAndTakeFromC(17), 17);
  EXPECT_STREQ(errorMessage(), "reported from C");
}
