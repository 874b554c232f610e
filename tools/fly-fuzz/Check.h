// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one input goes through, in this process: parser, verifier, printers and
// passes. A fault is what no input may cause short of ending the process: a
// refusal without an error, or text that does not read back as it was printed.

#ifndef FLY_TOOLS_FUZZ_CHECK_H
#define FLY_TOOLS_FUZZ_CHECK_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

#include <optional>
#include <string>

namespace fly::fuzz {

/// Fly's passes and pipelines, each alone, as they stand in a module's
/// pipeline; the last `numCodeGen` of them end in LLVM's code generators.
llvm::ArrayRef<const char *> getPipelines();
constexpr size_t numCodeGen = 2;

class Checker {
public:
  /// `atStage` hears what is to be done next, so that the end of the process
  /// can be put down to it.
  Checker(const mlir::DialectRegistry &registry,
          llvm::function_ref<void(llvm::StringRef)> atStage)
      : registry(registry), atStage(atStage) {}

  /// Parses and verifies; true if `text` is accepted.
  bool parses(llvm::StringRef text);
  /// Writes an accepted input in three forms and reads each back.
  void checkRoundTrip(llvm::StringRef text);
  /// Runs one pipeline on an accepted input, in a context of its own: a dialect
  /// that a pass forgets to name must not be there by chance. True if it
  /// succeeds.
  bool checkPipeline(llvm::StringRef text, llvm::StringRef pipeline);

  /// The first fault so far.
  const std::optional<std::string> &getFault() const { return fault; }
  size_t getNumRuns() const { return runs; }

private:
  void setFault(const llvm::Twine &what);

  const mlir::DialectRegistry &registry;
  llvm::function_ref<void(llvm::StringRef)> atStage;
  std::optional<std::string> fault;
  size_t runs = 0;
};

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_CHECK_H
