// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled module in this process: lowers a module of any stage for a
// device, compiles its host code with a JIT and calls its functions with
// packed arguments. The kernels themselves run on the device that the runtime
// library was told to use.

#ifndef FLY_EXECUTION_SESSION_H
#define FLY_EXECUTION_SESSION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace fly {
struct PipelineOptions;

enum class DeviceKind { CPU, HIP };

/// What a session is made for.
struct SessionOptions {
  DeviceKind device = DeviceKind::CPU;
  /// Those of `fly-to-cpu` or `fly-to-binary`, whichever the device needs. The
  /// optimisation level is that of the host code, too.
  const PipelineOptions &pipeline;
};

/// Time spent, in milliseconds.
struct SessionTimes {
  /// All passes and the code generation of the kernels.
  double compile = 0;
  /// Host code only.
  double jit = 0;
};

class Session {
public:
  /// Compiles `module`, which is changed: it holds the lowered form
  /// afterwards. Diagnostics go to the context's handlers; the error says
  /// which step failed.
  static llvm::Expected<std::unique_ptr<Session>>
  create(mlir::ModuleOp module, const SessionOptions &options);
  ~Session();

  /// Calls function `name`: element i of `arguments` points at the value of
  /// its parameter i in the LLVM type of the lowered function. An error that
  /// the runtime recorded during the call is returned, and a trap of the host
  /// code is one (see HostCall.h).
  llvm::Error call(llvm::StringRef name,
                   llvm::MutableArrayRef<void *> arguments);

  const SessionTimes &getTimes() const { return times; }

private:
  Session() = default;
  /// Runs code generation; what LLVM reports or stops with is the error.
  llvm::Error guard(llvm::function_ref<llvm::Error()> work);

  std::string codeError; ///< what LLVM reported of the host code
  std::unique_ptr<mlir::ExecutionEngine> engine;
  SessionTimes times;
};

/// Refuses names that the JIT or the runtime library could not bear, with errors
/// at their operations.
mlir::LogicalResult verifyHostNames(mlir::ModuleOp module);

/// Tells the runtime which device to use. Call it before the first session.
llvm::Error selectDevice(DeviceKind device);

/// A failure that the runtime recorded.
class RuntimeError : public llvm::ErrorInfo<RuntimeError> {
public:
  static char ID;
  RuntimeError(int32_t code, std::string message)
      : code(code), text(std::move(message)) {}

  /// True if a kernel did what has no defined result.
  bool isKernelFault() const;
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  int32_t code; ///< a fly_runtime_error, or one of the device's
  std::string text;
};

/// The calling thread's pending runtime failure as a RuntimeError, and clears
/// it.
llvm::Error takeRuntimeError();

} // namespace fly

#endif // FLY_EXECUTION_SESSION_H
