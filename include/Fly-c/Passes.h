// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes: registration by name, and running them. Pass managers of
// mlir-c/Pass.h take the same text once the passes are registered.

#ifndef FLY_C_PASSES_H
#define FLY_C_PASSES_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers Fly's passes and named pipelines. May be called again, from any
/// thread, and beside mlirRegisterAllPasses.
MLIR_CAPI_EXPORTED void flyRegisterPasses(void);

/// Registers upstream's passes and pipelines, unless mlirRegisterAllPasses has
/// done so, and Fly's. May be called again; mlirRegisterAllPasses may not be
/// called after it, since upstream refuses to register a pipeline twice.
MLIR_CAPI_EXPORTED void flyRegisterAllPasses(void);

/// Runs `passes` on `op`, with the verifier after each pass. `passes` is a list
/// of passes and pipelines that are nested under an operation of op's name, for
/// example "canonicalize,fly-to-binary{chip=gfx942}" for a module; they must
/// be registered. Failure, with errors emitted, if the text does not parse (at
/// op's location), or if a pass or the verifier fails. Failure alone if `op` is
/// null.
MLIR_CAPI_EXPORTED MlirLogicalResult flyRunPasses(MlirOperation op,
                                                  MlirStringRef passes);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_PASSES_H
