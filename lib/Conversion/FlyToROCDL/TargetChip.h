// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chip that a module is compiled for, and whether it has what its kernels
// ask for.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_TARGETCHIP_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_TARGETCHIP_H

#include "Fly/Arch/Chips.h"

#include "mlir/IR/Operation.h"

namespace fly::rocdl {

/// Finds the chip of operations: that of the enclosing `gpu.module`'s target,
/// else a default.
class TargetChips {
public:
  /// Reads all targets under `root`; `defaultChip` may be empty. An unknown
  /// chip and a module with several targets are errors.
  static mlir::FailureOr<TargetChips> get(mlir::Operation *root,
                                          llvm::StringRef defaultChip);

  /// The chip of `op`, or null if none is named.
  const arch::Chip *lookup(mlir::Operation *op) const;

private:
  const arch::Chip *fallback = nullptr;
  llvm::DenseMap<mlir::Operation *, const arch::Chip *> modules;
};

/// Checks every use of an atom under `root` against its chip, and the constant
/// sizes of buffer descriptors. Each atom type is reported once a function, at
/// its first use.
llvm::LogicalResult checkAtoms(mlir::Operation *root, const TargetChips &chips);

} // namespace fly::rocdl

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_TARGETCHIP_H
