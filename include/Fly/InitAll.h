// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of everything: what a tool needs to know all dialects, passes
// and pipelines.

#ifndef FLY_INITALL_H
#define FLY_INITALL_H

#include "mlir/IR/DialectRegistry.h"

namespace fly {

/// Registers the dialects `fly` and `fly_rocdl` with all interfaces that the
/// conversion and target libraries attach.
void registerFlyDialects(mlir::DialectRegistry &registry);

/// The above, all upstream dialects and extensions, and the translations of
/// dialects to LLVM IR.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Registers Fly's passes and pipelines. At most once in a process.
void registerFlyPasses();

/// The above and all upstream passes and pipelines. At most once in a process.
void registerAllPasses();

/// Makes `--version` of a tool print Fly's version and that of LLVM.
void setVersionPrinter();

/// Makes MLIR's parser of texts refuse brackets that nest so deep that it might
/// exhaust the stack, wherever in this process it is called. Only for programs:
/// what is loaded into another one has no say in that.
void boundParsedNesting();

} // namespace fly

#endif // FLY_INITALL_H
