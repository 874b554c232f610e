// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of matrix atom types, for the files that implement the types.

#ifndef FLY_LIB_DIALECT_FLYROCDL_IR_MMAROWS_H
#define FLY_LIB_DIALECT_FLYROCDL_IR_MMAROWS_H

#include "Fly/Arch/MatrixInstructions.h"

#include "mlir/IR/Types.h"

#include <optional>

namespace fly::rocdl {

/// The kinds of three element types, if the tables know all of them.
struct ElemKinds {
  arch::ElemKind a, b, acc;
};
std::optional<ElemKinds> getElemKinds(mlir::Type a, mlir::Type b,
                                      mlir::Type acc, bool xf32 = false);

/// The row with this key, or null; types that the tables do not know have none.
const arch::MatrixInstruction *
lookupMatrixRow(arch::MatrixFamily family, int32_t m, int32_t n, int32_t k,
                mlir::Type a, mlir::Type b, mlir::Type acc, int32_t blocks = 1,
                bool xf32 = false, int32_t scaleBlock = 0);

} // namespace fly::rocdl

#endif // FLY_LIB_DIALECT_FLYROCDL_IR_MMAROWS_H
