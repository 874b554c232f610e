// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules that use rows of the matrix table, for tests that walk it.

#ifndef FLY_UNITTESTS_PIPELINES_MATRIXMODULE_H
#define FLY_UNITTESTS_PIPELINES_MATRIXMODULE_H

#include "Fly/Arch/MatrixInstructions.h"

#include "mlir/IR/MLIRContext.h"

#include <string>

namespace fly::test {

/// The text of a module for `chip` with a kernel of one instruction for each
/// row, @k0, …: its atom, or the operation of a row without one.
std::string matrixModule(mlir::MLIRContext &context, const arch::Chip &chip,
                         llvm::ArrayRef<const arch::MatrixInstruction *> rows);

} // namespace fly::test

#endif // FLY_UNITTESTS_PIPELINES_MATRIXMODULE_H
