// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation and registration of the pass `convert-rocdl-to-host`.

#ifndef FLY_CONVERSION_ROCDLTOHOST_PASSES_H
#define FLY_CONVERSION_ROCDLTOHOST_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace fly {

#define GEN_PASS_DECL
#include "Fly/Conversion/ROCDLToHost/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Fly/Conversion/ROCDLToHost/Passes.h.inc"

} // namespace fly

#endif // FLY_CONVERSION_ROCDLTOHOST_PASSES_H
