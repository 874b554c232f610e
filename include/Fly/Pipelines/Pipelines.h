// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The named pipelines from fly IR to AMD code and to CPU objects. Each may
// start at any earlier stage: a pass that finds nothing to do leaves the module
// alone.

#ifndef FLY_PIPELINES_PIPELINES_H
#define FLY_PIPELINES_PIPELINES_H

#include "Fly/Pipelines/Passes.h"
#include "Fly/Target/Serialize.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

#include <string>

namespace fly {

/// The values of the options for denormal numbers.
inline auto denormalModes() {
  return llvm::cl::values(
      clEnumValN(DenormalMode::Default, "default",
                 "as the functions say, or LLVM's choice"),
      clEnumValN(DenormalMode::Preserve, "preserve", "keep them"),
      clEnumValN(DenormalMode::Flush, "flush", "zeros instead"));
}

/// The options of all pipelines of this file, and of the tools that run them.
struct PipelineOptions : public mlir::PassPipelineOptions<PipelineOptions> {
  /// Makes these the options of the program's command line, but for those that
  /// `without` names. To call before the command line is read; it refers to
  /// this object.
  void addToCommandLine(llvm::cl::OptionCategory *category,
                        llvm::ArrayRef<llvm::StringRef> without);

  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The chip, for example gfx942; a module that names its "
                     "own needs none"),
      llvm::cl::init("")};
  Option<int> optLevel{
      *this, "opt-level",
      llvm::cl::desc("Optimisation level 0 to 3 of code generation; default: "
                     "that of the module's target, or 2"),
      llvm::cl::init(-1)};
  Option<CodeFormat> format{
      *this, "format", llvm::cl::desc("What the binary holds"),
      llvm::cl::init(CodeFormat::Object),
      llvm::cl::values(
          clEnumValN(CodeFormat::Object, "hsaco", "a linked object"),
          clEnumValN(CodeFormat::Assembly, "isa", "assembly text"),
          clEnumValN(CodeFormat::Bitcode, "llvm", "LLVM bitcode"))};
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("Host processor of CPU objects: native, or a name that "
                     "LLVM knows"),
      llvm::cl::init("native")};
  Option<bool> runtimeChecks{
      *this, "runtime-checks",
      llvm::cl::desc("Assert what only run-time values can break: a report on "
                     "the CPU, on AMD see trap-on-assert"),
      llvm::cl::init(false)};
  Option<bool> trapOnAssert{
      *this, "trap-on-assert",
      llvm::cl::desc("AMD code traps where an assertion of a kernel fails; "
                     "otherwise it does not check"),
      llvm::cl::init(false)};
  Option<bool> memoryHooks{
      *this, "memory-hooks",
      llvm::cl::desc("CPU kernels tell the runtime of each access, so that a "
                     "fault names the operation; slower"),
      llvm::cl::init(false)};
  Option<std::string> wavesPerEu{
      *this, "waves-per-eu",
      llvm::cl::desc("Waves that share an execution unit, MIN or MIN,MAX; "
                     "default: LLVM's choice"),
      llvm::cl::init("")};
  Option<bool> fastMath{
      *this, "fast-math",
      llvm::cl::desc("The target's flag 'fast': device libraries may take "
                     "short cuts with infinities, NaN and denormals"),
      llvm::cl::init(false)};
  Option<bool> unsafeMath{
      *this, "unsafe-math",
      llvm::cl::desc("The target's flag 'unsafe_math': device libraries may "
                     "be less accurate"),
      llvm::cl::init(false)};
  Option<std::string> llvmOptions{
      *this, "llvm-options",
      llvm::cl::desc("Options of LLVM's code generator for this compilation, "
                     "NAME or NAME=VALUE, separated by ';'"),
      llvm::cl::init("")};
  Option<DenormalMode> denormalsF32{
      *this, "denormals-f32",
      llvm::cl::desc("Denormal numbers of f32 in AMD code"),
      llvm::cl::init(DenormalMode::Default), denormalModes()};
  Option<DenormalMode> denormalsF16{
      *this, "denormals-f16",
      llvm::cl::desc("Denormal numbers of f16 and f64 in AMD code"),
      llvm::cl::init(DenormalMode::Default), denormalModes()};
  ListOption<std::string> link{
      *this, "link",
      llvm::cl::desc("LLVM bitcode files to link into AMD code")};
  Option<std::string> saveTemps{
      *this, "save-temps",
      llvm::cl::desc("Folder that keeps the stages of each gpu.module: .mlir, "
                     ".ll, .opt.ll, .s, .o and the linked object"),
      llvm::cl::init("")};
  Option<bool> debugInfo{*this, "debug-info",
                         llvm::cl::desc("Keep line tables in AMD code"),
                         llvm::cl::init(false)};
};

/// `fly-to-rocdl`: gpu modules of LLVM and ROCDL operations with their target,
/// host functions with converted types, no fly operation.
void buildFlyToRocdlPipeline(mlir::OpPassManager &pm,
                             const PipelineOptions &options);

/// `fly-to-binary`: a `gpu.binary` for each gpu module, host functions in the
/// LLVM dialect.
void buildFlyToBinaryPipeline(mlir::OpPassManager &pm,
                              const PipelineOptions &options);

/// `fly-to-cpu`: the same with objects for the host that behave like the chip.
void buildFlyToCpuPipeline(mlir::OpPassManager &pm,
                           const PipelineOptions &options);

/// Adds the pipeline `name`, which is one of those above. An option that is
/// given but has no effect in it is an error.
mlir::LogicalResult buildPipeline(
    mlir::OpPassManager &pm, llvm::StringRef name, PipelineOptions &options,
    llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> onError);

/// Registers the pipelines by name, and the passes of Passes.td.
void registerFlyPipelines();

} // namespace fly

#endif // FLY_PIPELINES_PIPELINES_H
