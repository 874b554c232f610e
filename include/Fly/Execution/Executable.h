// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled host functions as bytes that can be kept: made from a module once,
// loaded by any later process on the same kind of machine in about a
// millisecond. Loading needs the dynamic linker and the runtime library, no
// LLVM.

#ifndef FLY_EXECUTION_EXECUTABLE_H
#define FLY_EXECUTION_EXECUTABLE_H

#include "Fly/Execution/HostTraps.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace fly {

/// Element i points at the value of parameter i, one more at room for a result.
using PackedFunction = void (*)(void **);

/// Host functions with the kernels that they launch. All methods may be called
/// from several threads at once.
class Executable {
public:
  /// Reads what getBytes returned, in this process or another. Errors: cut off
  /// or damaged bytes; another version; code for another processor.
  static llvm::Expected<std::unique_ptr<Executable>> read(llvm::StringRef bytes);

  /// Packs the shared object `object`, which exports `_mlir_<name>` for each of
  /// `functions`.
  static std::unique_ptr<Executable>
  create(llvm::StringRef object, llvm::ArrayRef<std::string> functions);

  /// Unloads the code and its kernels. No call may be under way.
  ~Executable();

  /// The form to keep.
  llvm::StringRef getBytes() const { return bytes; }
  /// The names of the functions.
  llvm::ArrayRef<std::string> getFunctions() const { return functions; }

  /// The packed form of function `name`. The first call loads the code, and with
  /// it the kernels onto the device in use. Errors: no such function; what the
  /// dynamic linker or the runtime reported.
  llvm::Expected<PackedFunction> lookup(llvm::StringRef name);

  /// Calls `function`, which lookup has returned. Errors: what the runtime
  /// recorded; a trap of the code.
  llvm::Error call(PackedFunction function, void **arguments);

private:
  Executable() = default;
  llvm::Error load();

  std::string bytes;
  size_t objectOffset = 0;
  std::vector<std::string> functions;

  std::mutex mutex;
  void *library = nullptr;
  int file = -1;
  CodeRange code;
};

/// Compiles the host functions of `module`, the result of `fly-to-binary` or
/// `fly-to-cpu`: functions of the LLVM dialect and `gpu.binary` operations. It
/// stays as it is. Null, with errors emitted, on failure. Nothing is loaded yet.
std::unique_ptr<Executable> compileExecutable(mlir::ModuleOp module,
                                              int optLevel);

} // namespace fly

#endif // FLY_EXECUTION_EXECUTABLE_H
