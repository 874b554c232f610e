// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both code generators share: LLVM's messages as MLIR diagnostics, a guard
// against LLVM's fatal errors, emission of files and the linker.

#ifndef FLY_LIB_TARGET_CODEGEN_H
#define FLY_LIB_TARGET_CODEGEN_H

#include "Fly/Arch/Chips.h"
#include "Fly/Target/Guard.h"
#include "Fly/Target/Serialize.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace fly {

/// The bytes of one compiled file.
using Bytes = llvm::SmallVector<char, 0>;

/// Turns LLVM's messages about one module, of kernels or of host functions,
/// into MLIR diagnostics at the function, or at the line or the inline assembly
/// if LLVM knows it.
class LLVMReporter {
public:
  explicit LLVMReporter(mlir::Operation *module);

  /// Receives the messages of `context` from now on; this object must outlive
  /// it.
  void attach(llvm::LLVMContext &context);

  /// True once an error has been emitted, by this object or by anything else
  /// that works on the module's context.
  bool hadError() const { return failed; }

  /// The module whose code is generated.
  mlir::Operation *getModule() const { return module; }

  /// The place of the function `name`; parts of a split coroutine
  /// ("f.resume") count as f. The module's place if there is no such function.
  mlir::Location locationOf(llvm::StringRef name);

  /// Emits an error at `location`.
  mlir::InFlightDiagnostic error(mlir::Location location);

  /// Emits a fatal error of LLVM, at the function or the operation that its
  /// text names.
  void fatal(llvm::StringRef text);

  /// True if the module has a function of this name with a body.
  bool hasFunction(llvm::StringRef name);

  /// Emits an error of the assembler about `instruction` in `function`, at the
  /// operation that the instruction is of, if one has its name.
  void instruction(llvm::StringRef function, llvm::StringRef instruction,
                   llvm::StringRef text);

  /// Gives each inline assembly of `translated`, the translation of the module,
  /// a number by which LLVM's messages about it find the operation.
  void numberAssembly(llvm::Module &translated);

private:
  void handle(const llvm::DiagnosticInfo &info);

  mlir::Operation *module;
  std::atomic<bool> failed = false;
  /// The places of inline assembly; numbers count from 1.
  llvm::SmallVector<mlir::Location> assemblies;
  /// Sees the errors of others and passes all of them on.
  mlir::ScopedDiagnosticHandler observer;
};

/// The operation of `module` that uses the function or variable `symbol`: its
/// call, one that takes its address, or one whose translation calls it. Null if
/// only linked bitcode does.
mlir::Operation *findUser(mlir::gpu::GPUModuleOp module,
                          llvm::StringRef symbol);

/// Compiles `module` to assembly or to a relocatable object.
mlir::FailureOr<Bytes> emitFile(llvm::Module &module,
                                llvm::TargetMachine &machine,
                                llvm::CodeGenFileType type,
                                LLVMReporter &reporter);

/// Assembles `text`, which emitFile gave for `machine`, to a relocatable
/// object.
mlir::FailureOr<Bytes> assemble(llvm::StringRef text,
                                llvm::TargetMachine &machine,
                                LLVMReporter &reporter);

/// Links one relocatable object to a shared object with lld: in this process,
/// or in a child once lld says that it cannot run again. `flags` are added to
/// "-shared". Errors carry lld's text.
mlir::FailureOr<Bytes> linkShared(llvm::ArrayRef<char> object,
                                  llvm::ArrayRef<const char *> flags,
                                  LLVMReporter &reporter,
                                  mlir::Location location);

/// Checks that the LDS variables of each kernel of `module` fit a workgroup of
/// `chip`, and with them what `launches` of the module ask for. The error
/// stands at the variable that goes over the limit and lists all of them, or at
/// the launch.
mlir::LogicalResult checkSharedMemory(mlir::gpu::GPUModuleOp module,
                                      const arch::Chip &chip,
                                      const LaunchesByModule &launches);

/// `name` of a ROCDL operation or an intrinsic without what stands in front,
/// "s.barrier"; empty if it is neither (Instructions.cpp).
llvm::StringRef withoutPrefix(llvm::StringRef name);

/// That name of `op`, or of the intrinsic that it calls.
llvm::StringRef instructionName(mlir::Operation *op);

/// Refuses, each at its operation, what LLVM's backend for `chip` takes and
/// should not: instructions of other chips, matrix operations that the chip
/// lacks, scopes of synchronisation that it does not have, and inline assembly
/// with directives for sections, symbols or kernel descriptors, or that can
/// fill memory. `isWave64`: the waves have 64 lanes.
mlir::LogicalResult checkInstructions(mlir::gpu::GPUModuleOp module,
                                      const arch::Chip &chip, bool isWave64);

/// What is wrong with inline assembly for `chip`, to stand behind the name of
/// the operation; empty if nothing is that LLVM would not report
/// (InlineAssembly.cpp).
std::string findAssemblyProblem(mlir::LLVM::InlineAsmOp op,
                                const arch::Chip &chip);

/// The same of its constraints alone (InlineConstraints.cpp).
std::string findConstraintProblem(mlir::LLVM::InlineAsmOp op,
                                  const arch::Chip &chip);

/// The inline assemblies of `module` that name `symbol` (InlineAssembly.cpp).
llvm::SmallVector<mlir::Operation *> findAssemblies(mlir::Operation *module,
                                                    llvm::StringRef symbol);

/// Bitcode of `module`.
Bytes writeBitcode(const llvm::Module &module);

/// Runs `work`, the way from a module to bytes, guarded against LLVM's fatal
/// errors. A failure without an error gets `message` at `location`; an error
/// that was reported makes the result a failure.
mlir::FailureOr<Bytes>
runReported(LLVMReporter &reporter, mlir::Location location,
            const llvm::Twine &message,
            llvm::function_ref<mlir::FailureOr<Bytes>()> work);

/// A module for the host and what it is compiled with.
struct HostCode {
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

/// Translates `module` for the host processor `cpu`, "native" or a name that
/// LLVM knows (another is an error), as position independent code. Its
/// functions are not yet tied to the processor: see tieToMachine.
mlir::FailureOr<HostCode> translateForHost(mlir::Operation *module,
                                           llvm::StringRef name,
                                           llvm::StringRef cpu, int optLevel,
                                           llvm::LLVMContext &context,
                                           LLVMReporter &reporter);

/// Makes the code of every function fit the processor of the machine, even
/// where the function does not say so.
void tieToMachine(HostCode &code);

/// The passes of LLVM at `optLevel`; errors at `location`.
mlir::LogicalResult optimizeForHost(HostCode &code, int optLevel,
                                    LLVMReporter &reporter,
                                    mlir::Location location);

/// Keeps what arises during one compilation in files of a folder.
class StageFiles {
public:
  /// Files `folder`/`name`.*; none if `folder` is "".
  StageFiles(llvm::StringRef folder, llvm::StringRef name,
             LLVMReporter &reporter, mlir::Location location)
      : folder(folder), name(name), reporter(reporter), location(location) {}

  bool isOn() const { return !folder.empty(); }

  /// Writes one file; an error at the location if that fails. No-ops if off.
  mlir::LogicalResult save(llvm::StringRef suffix, llvm::StringRef content);
  mlir::LogicalResult save(llvm::StringRef suffix, mlir::Operation *module);
  mlir::LogicalResult save(llvm::StringRef suffix, const llvm::Module &module);
  /// The assembly of `module`, which stays as it is.
  mlir::LogicalResult saveAssembly(const llvm::Module &module,
                                   llvm::TargetMachine &machine);

private:
  std::string folder, name;
  LLVMReporter &reporter;
  mlir::Location location;
};

} // namespace fly

#endif // FLY_LIB_TARGET_CODEGEN_H
