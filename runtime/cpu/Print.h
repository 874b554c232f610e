// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf of kernels: the three functions that lane code calls for one message
// (fly_cpu_runtime), and the formatting that they end in.

#ifndef FLY_RUNTIME_CPU_PRINT_H
#define FLY_RUNTIME_CPU_PRINT_H

#include <cstdint>
#include <string>
#include <vector>

namespace fly::cpu {

/// One argument of a message: 64 bits, or a text.
struct PrintArgument {
  uint64_t bits = 0;
  std::string text;
  bool isText = false;
};

/// `format` with its conversions replaced as C's printf does. Integers take the
/// low 32 bits, with `h` 16, with `hh` 8, with `l`, `ll`, `z`, `j` or `t` all 64;
/// floating-point values are the bits of a double. A conversion without an argument, or one that printf
/// does not have, stays as it is written; surplus arguments are not printed.
std::string formatPrint(const std::string &format,
                        const std::vector<PrintArgument> &arguments);

/// See fly_cpu_runtime.print_begin and the two behind it.
uint64_t printBegin(uint64_t version);
uint64_t printString(uint64_t message, const char *text, uint64_t bytes,
                     uint32_t isLast);
uint64_t printValues(uint64_t message, uint32_t count, uint64_t v0, uint64_t v1,
                     uint64_t v2, uint64_t v3, uint64_t v4, uint64_t v5,
                     uint64_t v6, uint32_t isLast);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_PRINT_H
