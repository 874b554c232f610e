// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the head of an ELF file or of an offload bundle.

#include "CodeObject.h"

#include <cstdint>
#include <cstring>
#include <elf.h>

using namespace fly::runtime;

#if defined(__x86_64__)
static constexpr uint16_t hostMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr uint16_t hostMachine = EM_AARCH64;
#else
#error "name the ELF machine of this host"
#endif

/// ELF machine number of AMDGPU (System V gABI registry).
static constexpr uint16_t amdgpuMachine = 224;

static constexpr char bundleMagic[] = "__CLANG_OFFLOAD_BUNDLE__";

static bool hasPrefix(const void *data, size_t size, const char *prefix) {
  size_t length = std::strlen(prefix);
  return size >= length && std::memcmp(data, prefix, length) == 0;
}

/// Returns whether `count` entries of `entrySize` bytes at `offset` lie within
/// `size` bytes. The product must not overflow.
static bool within(uint64_t offset, uint64_t count, uint64_t entrySize,
                   uint64_t size) {
  return offset <= size && count * entrySize <= size - offset;
}

static std::string outside(const std::string &what, size_t size) {
  return what + " outside of the " + std::to_string(size) + " bytes given";
}

/// Returns what of the file lies outside of its `size` bytes, or "".
static std::string findTruncation(const Elf64_Ehdr &header, const char *bytes,
                                  size_t size) {
  // Counts and entry sizes are 16 bits wide: the products cannot overflow.
  if (!within(header.e_shoff, header.e_shnum, header.e_shentsize, size))
    return outside("its section table lies", size);
  if (!within(header.e_phoff, header.e_phnum, header.e_phentsize, size))
    return outside("its program header table lies", size);
  if (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr))
    return "its program headers have an unknown size";
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    if (!within(segment.p_offset, 1, segment.p_filesz, size))
      return outside("segment " + std::to_string(i) + " lies", size);
  }
  return std::string();
}

template <typename T>
static T readAt(const char *bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof(value));
  return value;
}

/// Returns what of a bundle lies outside of its `size` bytes, or "": after the
/// magic the number of entries, then for each the offset and the size of its
/// code, and the length and the text of its target.
static std::string findBundleTruncation(const char *bytes, size_t size) {
  size_t at = sizeof(bundleMagic) - 1;
  if (!within(at, 1, sizeof(uint64_t), size))
    return outside("its number of entries lies", size);
  uint64_t count = readAt<uint64_t>(bytes, at);
  at += sizeof(uint64_t);
  for (uint64_t i = 0; i < count; ++i) {
    std::string entry = "entry " + std::to_string(i);
    if (!within(at, 3, sizeof(uint64_t), size))
      return outside("the head of its " + entry + " lies", size);
    uint64_t offset = readAt<uint64_t>(bytes, at);
    uint64_t length = readAt<uint64_t>(bytes, at + 8);
    uint64_t targetLength = readAt<uint64_t>(bytes, at + 16);
    at += 3 * sizeof(uint64_t);
    if (!within(at, 1, targetLength, size))
      return outside("the target of its " + entry + " lies", size);
    at += targetLength;
    if (!within(offset, 1, length, size))
      return outside("the code of its " + entry + " lies", size);
  }
  return std::string();
}

/// The same for a compressed bundle: the magic, two 16-bit numbers for version
/// and method, and from version 2 on the size of the file, of 32 bits and then
/// of 64.
static std::string findCompressedTruncation(const char *bytes, size_t size) {
  if (size < 8)
    return outside("its head lies", size);
  uint16_t version = readAt<uint16_t>(bytes, 4);
  size_t width = version < 2 ? 0 : version == 2 ? 4 : 8;
  if (!within(8, 1, width, size))
    return outside("its head lies", size);
  uint64_t fileSize = width == 0   ? 0
                      : width == 4 ? readAt<uint32_t>(bytes, 8)
                                   : readAt<uint64_t>(bytes, 8);
  if (fileSize > size)
    return "its " + std::to_string(fileSize) + " bytes end" + outside("", size);
  return std::string();
}

CodeObjectInfo fly::runtime::inspectCodeObject(const void *data, size_t size) {
  if (!data || size == 0)
    return {CodeObjectKind::Unknown, "empty", ""};
  const auto *bytes = static_cast<const char *>(data);
  if (hasPrefix(data, size, bundleMagic))
    return {CodeObjectKind::OffloadBundle, "a clang offload bundle",
            findBundleTruncation(bytes, size)};
  if (hasPrefix(data, size, "CCOB"))
    return {CodeObjectKind::OffloadBundle, "a compressed clang offload bundle",
            findCompressedTruncation(bytes, size)};
  if (!hasPrefix(data, size, ELFMAG))
    return {CodeObjectKind::Unknown, "not an ELF file", ""};
  Elf64_Ehdr header;
  if (size < sizeof(header))
    return {CodeObjectKind::Unknown, "an ELF file cut short", ""};
  std::memcpy(&header, data, sizeof(header));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return {CodeObjectKind::Unknown,
            "an ELF file that is not 64-bit little-endian", ""};
  CodeObjectInfo info;
  info.kind = header.e_machine == amdgpuMachine ? CodeObjectKind::AmdgpuElf
              : header.e_machine == hostMachine ? CodeObjectKind::HostElf
                                                : CodeObjectKind::Unknown;
  info.description =
      header.e_machine == amdgpuMachine ? "an ELF file of AMDGPU code"
      : header.e_machine == hostMachine
          ? "an ELF file of code for this host"
          : "an ELF file for machine " + std::to_string(header.e_machine);
  info.defect = findTruncation(header, bytes, size);
  return info;
}
