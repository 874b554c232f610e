// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translations of fly-translate: from a module of any stage to LLVM IR,
// assembly, a code object, or a report on the kernels.

#ifndef FLY_PIPELINES_TRANSLATIONS_H
#define FLY_PIPELINES_TRANSLATIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/raw_ostream.h"

namespace fly {

/// What printKernels writes.
enum class KernelText { LLVMIR, Assembly };

/// Writes the optimised LLVM IR or the assembly of each `gpu.module` of
/// `module`, which must be ready for `fly-module-to-binary`, and of each
/// `gpu.binary` that was made as such. Failure, with an error, if code
/// generation fails or a binary holds something else. `llvmOptions` is as the
/// pipeline option `llvm-options`.
mlir::LogicalResult printKernels(mlir::ModuleOp module, KernelText kind,
                                 llvm::StringRef llvmOptions,
                                 llvm::raw_ostream &stream);

/// Registers `--fly-to-llvmir`, `--fly-to-isa`, `--fly-to-hsaco`,
/// `--fly-report` and their options with mlir-translate's command line. The
/// modules that they read may use what `registerDialects` registers.
void registerFlyTranslations(void (*registerDialects)(mlir::DialectRegistry &));

} // namespace fly

#endif // FLY_PIPELINES_TRANSLATIONS_H
