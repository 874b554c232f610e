// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the passes that end in machine code; see Passes.td.

#ifndef FLY_TARGET_PASSES_H
#define FLY_TARGET_PASSES_H

#include "Fly/Target/Serialize.h"
#include "mlir/Pass/Pass.h"

namespace fly {

/// Which kind of target attribute `fly-attach-target` gives.
enum class TargetDevice { AMDGPU, CPU };

#define GEN_PASS_DECL
#include "Fly/Target/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Fly/Target/Passes.h.inc"

} // namespace fly

#endif // FLY_TARGET_PASSES_H
