// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles one gpu.module of LLVM and ROCDL operations to bytes: an AMD code
// object or an object for the host. All failures are diagnostics.

#ifndef FLY_TARGET_SERIALIZE_H
#define FLY_TARGET_SERIALIZE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace fly {

/// The form of the result. An object is linked and can be loaded as it is.
enum class CodeFormat { Object, Assembly, Bitcode };

/// The launches beside some `gpu.module`s, by the module's name.
using LaunchesByModule =
    llvm::DenseMap<mlir::StringAttr,
                   llvm::SmallVector<mlir::gpu::LaunchFuncOp, 1>>;

/// One walk over `root`, for all of the modules in it.
LaunchesByModule collectLaunches(mlir::Operation *root);

/// What a compilation needs to know beyond the target attribute.
struct SerializeOptions {
  CodeFormat format = CodeFormat::Object;
  /// Level 0 to 3; -1 takes the target attribute's, or 2 if it has none.
  int optLevel = -1;
  /// Host processor of CPU objects: "native" or a name that LLVM knows.
  std::string cpu = "native";
  /// Folder for what arises on the way, or "": `NAME.mlir` (the module as it is
  /// given), `NAME.ll` (with its libraries), `NAME.opt.ll`, `NAME.s`, `NAME.o`
  /// and the linked object, `NAME.hsaco` or `NAME.so`, as far as the
  /// compilation comes. NAME is the module's. The folder is made if it is
  /// missing.
  std::string saveTemps;
  /// What launches the kernels: their dynamic shared memory, where it is known,
  /// must fit the chip. Nothing is checked for a module that is not here.
  LaunchesByModule launches;
};

/// Compiles `module` for the AMD chip of `target`. Errors are emitted at the
/// kernel, or at the line that LLVM names.
mlir::FailureOr<llvm::SmallVector<char, 0>>
serializeForAMDGPU(mlir::gpu::GPUModuleOp module,
                   mlir::ROCDL::ROCDLTargetAttr target,
                   const SerializeOptions &options);

/// Compiles `module`, which `convert-rocdl-to-host` has rewritten, for the
/// host. The object exports `fly_cpu_module` alone.
mlir::FailureOr<llvm::SmallVector<char, 0>>
serializeForCPU(mlir::gpu::GPUModuleOp module, const SerializeOptions &options);

/// Compiles `module` for the one target that it carries; see the two above.
/// Refuses a module without a target, with more than one, or with an unknown
/// chip.
mlir::FailureOr<llvm::SmallVector<char, 0>>
serializeModule(mlir::gpu::GPUModuleOp module, const SerializeOptions &options);

/// The `#gpu.object` that holds `bytes`, compiled from `module`.
mlir::gpu::ObjectAttr createObjectAttr(mlir::gpu::GPUModuleOp module,
                                       mlir::Attribute target,
                                       llvm::ArrayRef<char> bytes,
                                       const SerializeOptions &options);

/// Compiles the host functions of `module`, which are in the LLVM dialect, to a
/// shared object. For each public function f it exports `_mlir_f`, of type
/// `void (void **)`: element i of the array points at the value of parameter i
/// in the function's LLVM type, one more behind them at room for the result.
/// Its constructors load the kernels of each `gpu.binary`. It refers by soname
/// to the library `runtime`, whose destructors hence run after its own, and to
/// those of `libraries` (all paths) that it uses; an undefined symbol is an
/// error.
mlir::FailureOr<llvm::SmallVector<char, 0>>
serializeHostFunctions(mlir::ModuleOp module, int optLevel,
                       llvm::StringRef runtime,
                       llvm::ArrayRef<std::string> libraries);

/// Makes `#fly_rocdl.cpu` a GPU target: attaches gpu::TargetAttrInterface.
void registerCPUTargetModel(mlir::DialectRegistry &registry);

/// Registers the translations to LLVM IR that code generation needs.
void registerCodeGenTranslations(mlir::DialectRegistry &registry);

/// An error at `module` that lists the known chips unless `chip` is one.
mlir::LogicalResult verifyChip(mlir::Operation *module, llvm::StringRef chip);

} // namespace fly

#endif // FLY_TARGET_SERIALIZE_H
