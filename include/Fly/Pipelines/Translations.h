// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translations of fly-translate: from a module of any stage to LLVM IR,
// assembly, a code object, or a report on the kernels.

#ifndef FLY_PIPELINES_TRANSLATIONS_H
#define FLY_PIPELINES_TRANSLATIONS_H

#include "mlir/IR/DialectRegistry.h"

namespace fly {

/// Registers `--fly-to-llvmir`, `--fly-to-isa`, `--fly-to-hsaco`,
/// `--fly-report` and their options with mlir-translate's command line. The
/// modules that they read may use what `registerDialects` registers.
void registerFlyTranslations(void (*registerDialects)(mlir::DialectRegistry &));

} // namespace fly

#endif // FLY_PIPELINES_TRANSLATIONS_H
