// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of bytes in messages.

#ifndef FLY_ARCH_BYTECOUNT_H
#define FLY_ARCH_BYTECOUNT_H

#include <cstdint>
#include <string>

namespace fly::arch {

/// "1 byte", "4 bytes".
inline std::string byteCount(uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

} // namespace fly::arch

#endif // FLY_ARCH_BYTECOUNT_H
