// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the kinds of code objects apart by their first bytes, so that an
// object given to the wrong device is refused with a text that says what it is.

#ifndef FLY_RUNTIME_COMMON_CODEOBJECT_H
#define FLY_RUNTIME_COMMON_CODEOBJECT_H

#include <cstddef>
#include <string>

namespace fly::runtime {

enum class CodeObjectKind {
  /// ELF of AMDGPU code.
  AmdgpuElf,
  /// ELF shared object for the machine this library runs on.
  HostElf,
  /// Clang offload bundle, plain or compressed.
  OffloadBundle,
  Unknown
};

struct CodeObjectInfo {
  CodeObjectKind kind;
  /// What the bytes are, for an error text ("an ELF file for machine 62").
  std::string description;
  /// What is wrong with the bytes although their kind is known; empty if
  /// nothing is.
  std::string defect;
};

/// Reads the head of `size` bytes at `data`; never reads past them.
CodeObjectInfo inspectCodeObject(const void *data, size_t size);

} // namespace fly::runtime

#endif // FLY_RUNTIME_COMMON_CODEOBJECT_H
