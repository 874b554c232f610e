// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of compiled host code that may trap: a division without a result, an
// access to unmapped memory, a recursion that fills the stack, a trap
// instruction. Each ends the call with an error instead of
// ending the process.

#ifndef FLY_EXECUTION_HOSTCALL_H
#define FLY_EXECUTION_HOSTCALL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace fly {

/// A call that a trap ended. Frames that it left are abandoned: what they own
/// is lost, a lock of the runtime among it, so that the process had better end
/// soon, and without destructors.
class HostTrap : public llvm::ErrorInfo<HostTrap> {
public:
  static char ID;
  explicit HostTrap(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
};

/// Calls `function(arguments)`. A HostTrap says what happened in the function
/// `name`. Threads that the function starts are not covered.
llvm::Error callHost(llvm::StringRef name, void (*function)(void **),
                     void **arguments);

} // namespace fly

#endif // FLY_EXECUTION_HOSTCALL_H
