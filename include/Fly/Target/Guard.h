// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM ends the process on some inputs; this gives the text instead.

#ifndef FLY_TARGET_GUARD_H
#define FLY_TARGET_GUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>

namespace fly {

/// Runs `work` and returns nothing, or the text of the fatal error or crash of
/// LLVM that ended it. What `work` had on its stack then leaks, so everything
/// of LLVM's must live inside it.
std::optional<std::string> runGuarded(llvm::function_ref<void()> work);

} // namespace fly

#endif // FLY_TARGET_GUARD_H
