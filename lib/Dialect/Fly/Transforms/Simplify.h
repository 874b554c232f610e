// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clean-up that the passes of this folder share. Private to the folder.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_SIMPLIFY_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_SIMPLIFY_H

namespace mlir {
class Operation;
} // namespace mlir

namespace fly {

/// Erases the trivially dead ops inside of `root`, users before the values they
/// use, in one walk. `root` itself stays. True if there was one. A pass that
/// changes nothing says so, which spares the walk of the verifier behind it.
bool eraseDeadOps(mlir::Operation *root);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_SIMPLIFY_H
