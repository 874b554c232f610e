// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command-line options of LLVM's code generator for the time of one
// compilation.

#ifndef FLY_TARGET_LLVMOPTIONS_H
#define FLY_TARGET_LLVMOPTIONS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>

namespace fly {

/// Calls `report` and returns a failure if LLVMOptionScope::create would, whose
/// `text` this is. Sets nothing and waits for nobody.
mlir::LogicalResult verifyLLVMOptions(
    llvm::StringRef text,
    llvm::function_ref<void(const llvm::Twine &message)> report);

/// Holds the options of LLVM as they are set while it lives. They belong to
/// the process: a compilation with options of its own waits until all others
/// have ended, and the others wait for it.
class LLVMOptionScope {
public:
  /// Sets what `text` says: NAME or NAME=VALUE, separated by ';', with or
  /// without dashes in front; "" sets nothing. Calls `report` and returns a
  /// failure if an option is unknown (the message names the nearest one), not
  /// one of LLVM itself, of a kind that cannot be set back, or does not take
  /// the value; then nothing stays set.
  static mlir::FailureOr<std::unique_ptr<LLVMOptionScope>>
  create(llvm::StringRef text,
         llvm::function_ref<void(const llvm::Twine &message)> report);

  /// Sets the options back.
  virtual ~LLVMOptionScope() = default;
};

} // namespace fly

#endif // FLY_TARGET_LLVMOPTIONS_H
