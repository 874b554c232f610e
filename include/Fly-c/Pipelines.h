// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines as text: what a named pipeline runs, stage by stage, so that a
// frontend can show, hash, dump or run the stages without a list of its own.
// The named pipelines are fly-to-rocdl, fly-to-binary and fly-to-cpu; their
// options stand in docs/Tools.md.

#ifndef FLY_C_PIPELINES_H
#define FLY_C_PIPELINES_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pipeline on `builtin.module`, taken apart into stages of one pass each.
/// Owned by who created it; the strings that it returns live as long.
typedef struct FlyPipeline {
  void *ptr;
} FlyPipeline;

/// Reads `passes`, a list of registered passes and pipelines on a module, for
/// example "fly-to-binary{chip=gfx942 opt-level=3}". Null, with an error at
/// `location`, if it does not parse.
MLIR_CAPI_EXPORTED FlyPipeline flyPipelineCreate(MlirLocation location,
                                                 MlirStringRef passes);

/// Destroys `pipeline`; null is ignored.
MLIR_CAPI_EXPORTED void flyPipelineDestroy(FlyPipeline pipeline);

/// True if `pipeline` is null.
static inline bool flyPipelineIsNull(FlyPipeline pipeline) {
  return !pipeline.ptr;
}

/// The whole pipeline, named ones spelt out, with every option:
/// "builtin.module(fly-record-signature,fly-attach-target{chip=…},…)". Equal
/// texts run equal passes. Empty for null.
MLIR_CAPI_EXPORTED MlirStringRef flyPipelineGetText(FlyPipeline pipeline);

/// The number of stages; 0 for null.
MLIR_CAPI_EXPORTED intptr_t flyPipelineGetNumStages(FlyPipeline pipeline);

/// Stage `pos` as a pass list for a module, for example
/// "gpu.module(convert-scf-to-cf)". Running all stages in order does what the
/// pipeline does. Empty if there is no such stage.
MLIR_CAPI_EXPORTED MlirStringRef flyPipelineGetStage(FlyPipeline pipeline,
                                                     intptr_t pos);

/// The name of stage `pos` for messages and file names: its pass without
/// nesting and options, in lower case, with `_` for every character that is no
/// letter or digit: "convert_scf_to_cf". Not unique: a pass may run twice.
/// Empty if there is no such stage.
MLIR_CAPI_EXPORTED MlirStringRef flyPipelineGetStageLabel(FlyPipeline pipeline,
                                                          intptr_t pos);

//===----------------------------------------------------------------------===//
// Code of kernels as text
//===----------------------------------------------------------------------===//

/// What flyPrintKernels writes.
typedef enum FlyKernelText {
  FlyKernelTextLLVMIR = 0,
  FlyKernelTextAssembly = 1
} FlyKernelText;

/// Writes the optimised LLVM IR or the assembly of each `gpu.module` of
/// `module`, which must be ready for the last stage of `fly-to-binary` or
/// `fly-to-cpu`. `llvmOptions` is as the pipelines' option `llvm-options`,
/// empty for none. The module stays as it is. Failure, with an error, if code
/// generation fails, or if a `gpu.binary` holds something else than that text.
MLIR_CAPI_EXPORTED MlirLogicalResult flyPrintKernels(
    MlirModule module, FlyKernelText kind, MlirStringRef llvmOptions,
    MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_PIPELINES_H
