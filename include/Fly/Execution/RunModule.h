// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one function of a module on a device with arguments given as text, and
// writes or checks the arrays afterwards: what the tool fly-run does.

#ifndef FLY_EXECUTION_RUNMODULE_H
#define FLY_EXECUTION_RUNMODULE_H

#include "Fly/Execution/Session.h"
#include <string>
#include <vector>

namespace fly {

struct RunOptions {
  explicit RunOptions(const PipelineOptions &pipeline) : pipeline(pipeline) {}

  /// Path of the module, text or bytecode; "-" is standard input.
  std::string module;
  /// Host function to call; may be empty if the module has only one.
  std::string function;
  DeviceKind device = DeviceKind::CPU;
  /// How the module is compiled.
  const PipelineOptions &pipeline;
  /// One text for each input, see parseInput.
  std::vector<std::string> inputs;
  /// `N:@FILE.npy`: where argument N goes after the run.
  std::vector<std::string> outputs;
  /// `N:ARRAY`: what argument N must be after the run; ARRAY as an input.
  std::vector<std::string> expected;
  /// An element matches if |got - want| <= atol + rtol * |want|.
  double rtol = 0, atol = 0;
  /// Order of the waves on the CPU; empty: the runtime's choice.
  std::string schedule;
  /// Threads of the CPU device; 0: one a core.
  int threads = 0;
  /// Print times and comparisons as one JSON object on standard output.
  bool json = false;
};

/// Exit status: ran and everything matched, an array did not match, error.
enum RunStatus { RunOk = 0, RunMismatch = 1, RunError = 2 };

/// Compiles, runs, writes and compares. Errors go to standard error.
/// `registry` must hold every dialect that the module may use.
RunStatus runModule(const mlir::DialectRegistry &registry,
                    const RunOptions &options);

} // namespace fly

#endif // FLY_EXECUTION_RUNMODULE_H
