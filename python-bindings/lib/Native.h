// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the module `_flyNative`.

#ifndef FLY_PYTHON_BINDINGS_LIB_NATIVE_H
#define FLY_PYTHON_BINDINGS_LIB_NATIVE_H

#include "Fly-c/Execution.h"

#include "mlir-c/Diagnostics.h"
#include "mlir/Bindings/Python/IRCore.h"
#include "mlir/Bindings/Python/Nanobind.h"

#include <cxxabi.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace fly::python {

namespace nb = nanobind;
namespace mp = mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN;

/// An MlirStringCallback that appends to the std::string `text`.
void appendText(MlirStringRef part, void *text);

/// Takes the errors of a context for an ir.MLIRError. Other than upstream's it
/// may see them while the interpreter's lock is released.
class ErrorCapture {
public:
  explicit ErrorCapture(mp::PyMlirContextRef context);
  ~ErrorCapture();
  ErrorCapture(const ErrorCapture &) = delete;
  ErrorCapture &operator=(const ErrorCapture &) = delete;

  /// Throws an ir.MLIRError with `message` and the errors so far.
  [[noreturn]] void raise(const std::string &message);

private:
  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *self);

  mp::PyMlirContextRef context;
  MlirDiagnosticHandlerID id;
  std::vector<mp::PyDiagnostic::DiagnosticInfo> errors;
};

/// Gives up the interpreter's lock for its lifetime. A daemon thread that wants
/// it back when Python has ended would be ended by Python, through the frames
/// of code that cannot be unwound; it waits for the end of the process instead.
class Unlocked {
public:
  Unlocked() : state(PyEval_SaveThread()) {}
  Unlocked(const Unlocked &) = delete;
  Unlocked &operator=(const Unlocked &) = delete;
  ~Unlocked() {
    try {
      PyEval_RestoreThread(state);
    } catch (abi::__forced_unwind &) {
      for (;;)
        pause();
    }
  }

private:
  PyThreadState *state;
};

/// What `work` returns, which runs on the objects of `context` without the
/// interpreter's lock; an ir.MLIRError with the context's errors if that is a
/// failure, as `isFailure` says.
template <typename WorkT, typename FailureT>
auto runUnlocked(mp::PyMlirContextRef context, const char *message, WorkT work,
                 FailureT isFailure) {
  ErrorCapture errors(std::move(context));
  auto result = [&] {
    Unlocked unlocked;
    return work();
  }();
  if (isFailure(result))
    errors.raise(message);
  return result;
}

/// The Python class Executable.
class PyExecutable {
public:
  explicit PyExecutable(FlyExecutable executable) : executable(executable) {}
  ~PyExecutable() { flyExecutableDestroy(executable); }
  PyExecutable(PyExecutable &&other)
      : executable(std::exchange(other.executable, FlyExecutable{nullptr})) {}
  PyExecutable(const PyExecutable &) = delete;
  PyExecutable &operator=(const PyExecutable &) = delete;

  FlyExecutable get() const { return executable; }
  std::vector<std::string> getFunctions() const;
  /// RuntimeError if the code cannot be loaded, ValueError if there is no such
  /// function.
  FlyPackedFunction lookup(const std::string &name) const;
  /// RuntimeError if the call fails. Releases the interpreter's lock.
  void call(FlyPackedFunction function, void **arguments) const;

private:
  FlyExecutable executable;
};

void bindExecutable(nb::module_ &m);
void bindLauncher(nb::module_ &m);
void bindPipelines(nb::module_ &m);

} // namespace fly::python

#endif // FLY_PYTHON_BINDINGS_LIB_NATIVE_H
