// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs numbered cases in a child process and outlives what they do to it: a
// case that ends the child by a signal, or does not come back in time, is
// reported with its stage, and the next child goes on behind it.

#ifndef FLY_TOOLS_FUZZ_SUPERVISOR_H
#define FLY_TOOLS_FUZZ_SUPERVISOR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace fly::fuzz {

/// Whether the address sanitizer is in this build: cases are slower and take
/// address space without end.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool isSanitized = true;
#elif defined(__has_feature)
inline constexpr bool isSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool isSanitized = false;
#endif

/// Counters that children add to.
struct Totals {
  uint64_t accepted = 0;
  uint64_t runs = 0;
  /// Inputs that fly-to-rocdl lowers to the end, for one chip at least.
  uint64_t lowered = 0;
};

/// One case that failed.
struct Failure {
  uint64_t number;
  std::string stage;
  /// "signal 11", "no end after 20 seconds", or the fault that the case told.
  std::string reason;
  /// What the child wrote to its error output, a stack as a rule.
  std::string output;
};

struct SupervisorOptions {
  uint64_t first = 0, count = 0;
  unsigned timeoutSeconds = 20;
  unsigned memoryMegabytes = 4096;
  /// False runs the cases in this process, for a debugger.
  bool fork = true;
};

/// What a case is given: `atStage` names what it does next, `totals` is
/// shared with the parent.
using Case = llvm::function_ref<std::string(
    uint64_t number, llvm::function_ref<void(llvm::StringRef)> atStage,
    Totals &totals)>;

/// Runs the cases first...first+count-1. `run` returns the fault it found, or
/// nothing; `report` is called in this process for each failure.
Totals supervise(const SupervisorOptions &options, Case run,
                 llvm::function_ref<void(const Failure &)> report);

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_SUPERVISOR_H
