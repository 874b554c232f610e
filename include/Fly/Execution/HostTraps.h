// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traps of compiled host code in a program that goes on afterwards. Other than
// in HostCall.h only instructions of the code itself count, none of what it
// calls: nothing is left half done then, and no lock is held.

#ifndef FLY_EXECUTION_HOSTTRAPS_H
#define FLY_EXECUTION_HOSTTRAPS_H

#include <cstdint>
#include <optional>
#include <string>

namespace fly {

/// Addresses of instructions, the end excluded.
struct CodeRange {
  uintptr_t begin = 0, end = 0;
};

/// What the signal of a trap says; `address` is what was accessed.
std::string describeTrap(int signal, uintptr_t address);

/// Installs the signal handlers, once; they pass on every signal that is no trap
/// of such a call. To be done before the runtime launches anything: it puts its
/// own handlers on top for the time of a launch.
void installTrapHandlers();

/// Calls `function(arguments)`. Returns what an instruction in `code` did that
/// trapped and so ended the call, or nothing.
std::optional<std::string> callTrapped(CodeRange code,
                                       void (*function)(void **),
                                       void **arguments);

} // namespace fly

#endif // FLY_EXECUTION_HOSTTRAPS_H
