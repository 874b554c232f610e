// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that `vector.print` of a host function becomes calls of, with
// the names and the text forms of MLIR's runner library, which need not be
// installed.

#include "fly_runtime.h"

#include <cinttypes>
#include <cstdio>

extern "C" {
FLY_RUNTIME_API void printI64(int64_t value) {
  std::fprintf(stdout, "%" PRId64, value);
}
FLY_RUNTIME_API void printU64(uint64_t value) {
  std::fprintf(stdout, "%" PRIu64, value);
}
FLY_RUNTIME_API void printF32(float value) {
  std::fprintf(stdout, "%g", double(value));
}
FLY_RUNTIME_API void printF64(double value) {
  std::fprintf(stdout, "%lg", value);
}
FLY_RUNTIME_API void printString(const char *text) { std::fputs(text, stdout); }
FLY_RUNTIME_API void printOpen(void) { std::fputs("( ", stdout); }
FLY_RUNTIME_API void printClose(void) { std::fputs(" )", stdout); }
FLY_RUNTIME_API void printComma(void) { std::fputs(", ", stdout); }
FLY_RUNTIME_API void printNewline(void) {
  std::fputc('\n', stdout);
  std::fflush(stdout);
}
}
