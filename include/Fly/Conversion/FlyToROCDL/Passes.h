// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes from `fly` and `fly_rocdl` to the LLVM and ROCDL dialects, and the
// emission of AMD atoms as external models.

#ifndef FLY_CONVERSION_FLYTOROCDL_PASSES_H
#define FLY_CONVERSION_FLYTOROCDL_PASSES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace fly {

#define GEN_PASS_DECL
#include "Fly/Conversion/FlyToROCDL/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Fly/Conversion/FlyToROCDL/Passes.h.inc"

/// Attaches the emission of the atoms of `fly_rocdl` to their types.
void registerFlyToROCDLModels(mlir::DialectRegistry &registry);

} // namespace fly

#endif // FLY_CONVERSION_FLYTOROCDL_PASSES_H
