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
// Options of the named pipelines
//===----------------------------------------------------------------------===//

/// The options of a named pipeline; what is not set keeps its default. Owned by
/// who created it; strings are copied. Setting one again replaces it. A value
/// that cannot be is an error when a pipeline is created with it.
typedef struct FlyPipelineOptions {
  void *ptr;
} FlyPipelineOptions;

/// What a binary holds.
typedef enum FlyCodeFormat {
  FlyCodeFormatObject = 0,
  FlyCodeFormatAssembly = 1,
  FlyCodeFormatBitcode = 2
} FlyCodeFormat;

/// What AMD code does with denormal numbers.
typedef enum FlyDenormalMode {
  /// As the functions say, or LLVM's choice.
  FlyDenormalModeDefault = 0,
  FlyDenormalModePreserve = 1,
  FlyDenormalModeFlush = 2
} FlyDenormalMode;

/// Options of which none is set.
MLIR_CAPI_EXPORTED FlyPipelineOptions flyPipelineOptionsCreate(void);

/// Destroys `options`; null is ignored.
MLIR_CAPI_EXPORTED void flyPipelineOptionsDestroy(FlyPipelineOptions options);

/// True if `options` is null. Setting options of null does nothing.
static inline bool flyPipelineOptionsIsNull(FlyPipelineOptions options) {
  return !options.ptr;
}

/// The chip, "gfx942".
MLIR_CAPI_EXPORTED void flyPipelineOptionsSetChip(FlyPipelineOptions options,
                                                  MlirStringRef chip);

/// The optimisation level of code generation, 0 to 3.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetOptLevel(FlyPipelineOptions options, int32_t level);

/// What the binaries hold.
MLIR_CAPI_EXPORTED void flyPipelineOptionsSetFormat(FlyPipelineOptions options,
                                                    FlyCodeFormat format);

/// The host processor of CPU objects, "native" or a name that LLVM knows.
MLIR_CAPI_EXPORTED void flyPipelineOptionsSetCpu(FlyPipelineOptions options,
                                                 MlirStringRef cpu);

/// Whether to assert what only run-time values can break.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetRuntimeChecks(FlyPipelineOptions options, bool enable);

/// Whether AMD code traps where an assertion fails.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetTrapOnAssert(FlyPipelineOptions options, bool enable);

/// Whether CPU kernels tell the runtime of each access.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetMemoryHooks(FlyPipelineOptions options, bool enable);

/// The waves that share an execution unit: at least `min`, at most `max`, or
/// any number from `min` if `max` is 0.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetWavesPerEu(FlyPipelineOptions options, int32_t min,
                                int32_t max);

/// The target's flag 'fast'.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetFastMath(FlyPipelineOptions options, bool enable);

/// The target's flag 'unsafe_math'.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetUnsafeMath(FlyPipelineOptions options, bool enable);

/// Options of LLVM's code generator, NAME or NAME=VALUE, separated by ';'.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetLLVMOptions(FlyPipelineOptions options,
                                 MlirStringRef llvmOptions);

/// Failure if the pipelines' option `llvm-options` does not take the text
/// `llvmOptions`, of which `callback` is given the reason; it may be null. Sets
/// nothing. May be called from any thread.
MLIR_CAPI_EXPORTED MlirLogicalResult
flyVerifyLLVMOptions(MlirStringRef llvmOptions, MlirStringCallback callback,
                     void *userData);

/// Denormal numbers of f32.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetDenormalsF32(FlyPipelineOptions options,
                                  FlyDenormalMode mode);

/// Denormal numbers of f16 and f64.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetDenormalsF16(FlyPipelineOptions options,
                                  FlyDenormalMode mode);

/// One more file of LLVM bitcode to link into AMD code.
MLIR_CAPI_EXPORTED void flyPipelineOptionsAddLink(FlyPipelineOptions options,
                                                  MlirStringRef file);

/// The folder that keeps the stages of each `gpu.module`.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetSaveTemps(FlyPipelineOptions options,
                               MlirStringRef folder);

/// Whether AMD code keeps line tables.
MLIR_CAPI_EXPORTED void
flyPipelineOptionsSetDebugInfo(FlyPipelineOptions options, bool enable);

/// The pipeline `name`, "fly-to-rocdl", "fly-to-binary" or "fly-to-cpu", with
/// `options`, which may be null for none. Null, with an error at `location`, if
/// there is no such pipeline, a value cannot be, or an option that is set has
/// no effect in the pipeline.
MLIR_CAPI_EXPORTED FlyPipeline
flyPipelineCreateWithOptions(MlirLocation location, MlirStringRef name,
                             FlyPipelineOptions options);

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
