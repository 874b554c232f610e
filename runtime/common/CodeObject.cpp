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

static bool hasPrefix(const void *data, size_t size, const char *prefix) {
  size_t length = std::strlen(prefix);
  return size >= length && std::memcmp(data, prefix, length) == 0;
}

/// Returns whether `count` entries of `entrySize` bytes at `offset` lie within
/// `size` bytes.
static bool within(uint64_t offset, uint64_t count, uint64_t entrySize,
                   uint64_t size) {
  return offset <= size && count * entrySize <= size - offset;
}

/// Returns what of the file lies outside of its `size` bytes, or "".
static std::string findTruncation(const Elf64_Ehdr &header, const char *bytes,
                                  size_t size) {
  // Counts and entry sizes are 16 bits wide: the products cannot overflow.
  if (!within(header.e_shoff, header.e_shnum, header.e_shentsize, size))
    return "its section table lies outside of the " + std::to_string(size) +
           " bytes given";
  if (!within(header.e_phoff, header.e_phnum, header.e_phentsize, size))
    return "its program header table lies outside of the " +
           std::to_string(size) + " bytes given";
  if (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr))
    return "its program headers have an unknown size";
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    if (!within(segment.p_offset, 1, segment.p_filesz, size))
      return "segment " + std::to_string(i) + " lies outside of the " +
             std::to_string(size) + " bytes given";
  }
  return std::string();
}

CodeObjectInfo fly::runtime::inspectCodeObject(const void *data, size_t size) {
  if (!data || size == 0)
    return {CodeObjectKind::Unknown, "empty", ""};
  if (hasPrefix(data, size, "__CLANG_OFFLOAD_BUNDLE__") ||
      hasPrefix(data, size, "CCOB"))
    return {CodeObjectKind::OffloadBundle, "a clang offload bundle", ""};
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
  info.defect = findTruncation(header, static_cast<const char *>(data), size);
  return info;
}
