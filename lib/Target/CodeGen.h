// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both code generators share: LLVM's messages as MLIR diagnostics, a guard
// against LLVM's fatal errors, emission of files and the linker.

#ifndef FLY_LIB_TARGET_CODEGEN_H
#define FLY_LIB_TARGET_CODEGEN_H

#include "Fly/Target/Guard.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/CodeGen.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class DiagnosticInfo;
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace fly {

/// The bytes of one compiled file.
using Bytes = llvm::SmallVector<char, 0>;

/// Turns LLVM's messages about one module, of kernels or of host functions,
/// into MLIR diagnostics at the function, or at the line if LLVM knows it.
class LLVMReporter {
public:
  explicit LLVMReporter(mlir::Operation *module);

  /// Receives the messages of `context` from now on; this object must outlive
  /// it.
  void attach(llvm::LLVMContext &context);

  /// True once an error has been emitted, by this object or by anything else
  /// that works on the module's context.
  bool hadError() const { return failed; }

  /// The place of the function `name`; parts of a split coroutine
  /// ("f.resume") count as f. The module's place if there is no such function.
  mlir::Location locationOf(llvm::StringRef name);

  /// Emits an error at `location`.
  mlir::InFlightDiagnostic error(mlir::Location location);

  /// Emits a fatal error of LLVM, at the function or the operation that its
  /// text names.
  void fatal(llvm::StringRef text);

private:
  void handle(const llvm::DiagnosticInfo &info);

  mlir::Operation *module;
  std::atomic<bool> failed = false;
  /// Sees the errors of others and passes all of them on.
  mlir::ScopedDiagnosticHandler observer;
};

/// The operation of `module` that uses the function or variable `symbol`: its
/// call, one that takes its address, or one whose translation calls it. Null if
/// only linked bitcode does.
mlir::Operation *findUser(mlir::gpu::GPUModuleOp module,
                          llvm::StringRef symbol);

/// A machine for the host with the processor `cpu`, "native" or a name that LLVM
/// knows; null, with an error at `reporter`, for another. Code for it is
/// position independent.
std::unique_ptr<llvm::TargetMachine>
createHostMachine(llvm::StringRef cpu, int optLevel, LLVMReporter &reporter);

/// Compiles `module` to assembly or to a relocatable object.
mlir::FailureOr<Bytes> emitFile(llvm::Module &module,
                                llvm::TargetMachine &machine,
                                llvm::CodeGenFileType type,
                                LLVMReporter &reporter);

/// Links one relocatable object to a shared object with lld: in this process,
/// or in a child once lld says that it cannot run again. `flags` are added to
/// "-shared". Errors carry lld's text.
mlir::FailureOr<Bytes> linkShared(llvm::ArrayRef<char> object,
                                  llvm::ArrayRef<const char *> flags,
                                  LLVMReporter &reporter,
                                  mlir::Location location);

/// Bitcode of `module`.
Bytes writeBitcode(const llvm::Module &module);

} // namespace fly

#endif // FLY_LIB_TARGET_CODEGEN_H
