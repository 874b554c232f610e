// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines fly-to-rocdl, fly-to-binary and fly-to-cpu.

#include "Fly/Pipelines/Pipelines.h"

#include "Fly/Conversion/FlyToROCDL/Passes.h"
#include "Fly/Conversion/ROCDLToHost/Passes.h"
#include "Fly/Dialect/Fly/Transforms/Passes.h"
#include "Fly/Pipelines/Passes.h"
#include "Fly/Target/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/GPUCommon/GPUCommonPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace fly {

/// From fly IR to gpu modules of LLVM and ROCDL operations for `device`.
static void addDeviceLowering(OpPassManager &pm, const PipelineOptions &options,
                              TargetDevice device) {
  // Before anything else changes: what fly-run must know of the functions, and
  // the chip, so that every later pass can check against it.
  pm.addPass(createFlyRecordSignaturePass());
  FlyAttachTargetPassOptions attach;
  attach.chip = options.chip;
  attach.optLevel = options.optLevel;
  attach.device = device;
  attach.fastMath = options.fastMath;
  attach.unsafeMath = options.unsafeMath;
  llvm::append_range(attach.link, options.link);
  pm.addPass(createFlyAttachTargetPass(attach));

  pm.addPass(createFlyRewriteFuncSignaturePass());
  if (options.runtimeChecks) {
    FlyInsertRuntimeChecksPassOptions checks;
    checks.staticResults = true;
    pm.addPass(createFlyInsertRuntimeChecksPass(checks));
  }
  pm.addPass(createFlyCanonicalizePass());
  pm.addPass(createFlyROCDLExpandOpsPass());
  LayoutLoweringOptions lowering;
  lowering.runtimeChecks = options.runtimeChecks;
  buildLayoutLoweringPipeline(pm, lowering);
  pm.addPass(createFlyIntSwizzleSimplifyPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createFlyConvertAtomCallToSSAFormPass());
  buildPromoteRegmemToVectorSSAPipeline(pm);
  pm.addPass(createConvertFlyToROCDLPass());
  pm.addPass(createCanonicalizerPass());

  OpPassManager &module = pm.nest<gpu::GPUModuleOp>();
  module.addPass(createSCFToControlFlowPass());
  module.addPass(createCSEPass());
  module.addPass(createFlyLowerAssertsPass());
  module.addPass(createFlyExpandMathPass());
  module.addPass(createFlyExpandNarrowFloatsPass());
  module.addPass(createFlyConvertGPUModulePass());
  module.addPass(createFlyUseMathIntrinsicsPass());
  module.addPass(createFlyROCDLClusterAttrPass());
}

/// Host functions to the LLVM dialect; launches stay operations.
static void addHostLowering(OpPassManager &pm) {
  // Some of these passes look at the kernels, too.
  pm.nest<gpu::GPUModuleOp>().addPass(createFlyMarkLaneOperationsPass());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createSCFToControlFlowPass());
  function.addPass(createConvertMathToLLVMPass());
  pm.addPass(createFlyLowerHostAssertsPass());
  pm.addPass(createFlyLowerHostWaitsPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  GpuToLLVMConversionPassOptions gpuOptions;
  gpuOptions.hostBarePtrCallConv = true;
  gpuOptions.kernelBarePtrCallConv = true;
  pm.addPass(createGpuToLLVMConversionPass(gpuOptions));
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  FlyMarkLaneOperationsPassOptions marks;
  marks.remove = true;
  pm.nest<gpu::GPUModuleOp>().addPass(createFlyMarkLaneOperationsPass(marks));
}

/// Code generation, the last step.
static void addSerialization(OpPassManager &pm,
                             const PipelineOptions &options) {
  FlyModuleToBinaryPassOptions binary;
  binary.format = options.format;
  binary.optLevel = options.optLevel;
  binary.cpu = options.cpu;
  binary.llvmOptions = options.llvmOptions;
  binary.saveTemps = options.saveTemps;
  pm.addPass(createFlyModuleToBinaryPass(binary));
}

/// The options for denormal numbers as attributes of the functions.
static void addDenormals(OpPassManager &pm, const PipelineOptions &options) {
  if (options.denormalsF32 == DenormalMode::Default &&
      options.denormalsF16 == DenormalMode::Default)
    return;
  FlySetDenormalsPassOptions denormals;
  denormals.f32 = options.denormalsF32;
  denormals.f16 = options.denormalsF16;
  pm.nest<gpu::GPUModuleOp>().addPass(createFlySetDenormalsPass(denormals));
}

/// The option waves-per-eu as an attribute of the kernels.
static void addWavesPerEu(OpPassManager &pm, const PipelineOptions &options) {
  FlySetWavesPerEuPassOptions waves;
  waves.wavesPerEu = options.wavesPerEu;
  pm.nest<gpu::GPUModuleOp>().addPass(createFlySetWavesPerEuPass(waves));
}

void buildFlyToRocdlPipeline(OpPassManager &pm,
                             const PipelineOptions &options) {
  addDeviceLowering(pm, options, TargetDevice::AMDGPU);
  if (!options.wavesPerEu.empty())
    addWavesPerEu(pm, options);
  addDenormals(pm, options);
}

void buildFlyToBinaryPipeline(OpPassManager &pm,
                              const PipelineOptions &options) {
  addDeviceLowering(pm, options, TargetDevice::AMDGPU);
  FlyLowerAssertCallsPassOptions asserts;
  asserts.trap = options.trapOnAssert;
  OpPassManager &module = pm.nest<gpu::GPUModuleOp>();
  module.addPass(createFlyLowerAssertCallsPass(asserts));
  module.addPass(createFlyUseImplicitArgumentsPass());
  addWavesPerEu(pm, options);
  addDenormals(pm, options);
  addHostLowering(pm);
  if (options.debugInfo) {
    LLVM::DIScopeForLLVMFuncOpPassOptions scope;
    scope.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scope));
  }
  addSerialization(pm, options);
}

void buildFlyToCpuPipeline(OpPassManager &pm, const PipelineOptions &options) {
  addDeviceLowering(pm, options, TargetDevice::CPU);
  // A kernel that says what its chip does not have is refused here, too.
  addWavesPerEu(pm, options);
  ConvertROCDLToHostPassOptions host;
  host.memoryHooks = options.memoryHooks;
  host.skipConverted = true;
  pm.nest<gpu::GPUModuleOp>().addPass(createConvertROCDLToHostPass(host));
  addHostLowering(pm);
  addSerialization(pm, options);
}

/// The names of those of some options that are given.
using GivenOptions = SmallVector<StringRef>;
template <typename... OptionTs>
static GivenOptions getGiven(OptionTs &...options) {
  GivenOptions given;
  auto add = [&](auto &option) {
    if (option.hasValue())
      given.push_back(option.ArgStr);
  };
  (add(options), ...);
  return given;
}

namespace {
/// A pipeline that has a name.
struct NamedPipeline {
  StringRef name, description;
  /// The given options that it does not read.
  GivenOptions (*getUnused)(PipelineOptions &);
  void (*build)(OpPassManager &pm, const PipelineOptions &options);
};
} // namespace

static const NamedPipeline pipelines[] = {
    {"fly-to-rocdl", "Lower fly IR to gpu modules of LLVM and ROCDL operations",
     [](PipelineOptions &o) {
       return getGiven(o.format, o.cpu, o.trapOnAssert, o.memoryHooks,
                       o.llvmOptions, o.saveTemps, o.debugInfo);
     },
     buildFlyToRocdlPipeline},
    {"fly-to-binary",
     "Compile gpu modules to AMD code and host functions to the LLVM dialect",
     [](PipelineOptions &o) { return getGiven(o.cpu, o.memoryHooks); },
     buildFlyToBinaryPipeline},
    {"fly-to-cpu",
     "Compile gpu modules to objects for the CPU that behave like the chip",
     [](PipelineOptions &o) {
       return getGiven(o.trapOnAssert, o.wavesPerEu, o.fastMath, o.unsafeMath,
                       o.denormalsF32, o.denormalsF16, o.link, o.debugInfo);
     },
     buildFlyToCpuPipeline}};

void PipelineOptions::addToCommandLine(llvm::cl::OptionCategory *category,
                                       ArrayRef<StringRef> without) {
  llvm::cl::SubCommand &program = llvm::cl::SubCommand::getTopLevel();
  for (auto &[name, option] : OptionsMap) {
    if (llvm::is_contained(without, name))
      continue;
    if (category)
      option->addCategory(*category);
    program.OptionsMap.try_emplace(name, option);
  }
}

LogicalResult
buildPipeline(OpPassManager &pm, StringRef name, PipelineOptions &options,
              function_ref<LogicalResult(const Twine &)> onError) {
  const auto *pipeline =
      llvm::find_if(pipelines, [&](auto &row) { return row.name == name; });
  assert(pipeline != std::end(pipelines) && "a pipeline of the table");
  // What would be ignored is not accepted.
  if (GivenOptions given = pipeline->getUnused(options); !given.empty())
    return onError("option '" + given.front() +
                   "' has no effect in the pipeline '" + name + "'");
  // The passes' own word for "not given" is no level.
  if (options.optLevel.hasValue() &&
      (options.optLevel < 0 || options.optLevel > 3))
    return onError("option 'opt-level' is " + Twine(options.optLevel) +
                   ", expected 0 to 3");
  pipeline->build(pm, options);
  return success();
}

/// Registers a pipeline that can only be nested in a module. Its passes would
/// end the process where they do not fit.
static void registerModulePipeline(const NamedPipeline &pipeline) {
  StringRef name = pipeline.name;
  auto addPasses =
      [name](OpPassManager &pm, StringRef text,
             function_ref<LogicalResult(const Twine &)> errorHandler) {
        std::optional<StringRef> op = pm.getOpName();
        if (op && *op != ModuleOp::getOperationName() &&
            pm.getNesting() == OpPassManager::Nesting::Explicit)
          return errorHandler("pipeline '" + name + "' runs on '" +
                              ModuleOp::getOperationName() + "', not on '" +
                              *op + "'");
        PipelineOptions options;
        std::string message;
        llvm::raw_string_ostream stream(message);
        if (failed(options.parseFromString(text, stream)))
          return message.empty() ? failure()
                                 : errorHandler(StringRef(message).trim());
        return buildPipeline(pm, name, options, errorHandler);
      };
  registerPassPipeline(
      name, pipeline.description, addPasses,
      [](function_ref<void(const detail::PassOptions &)> optHandler) {
        optHandler(PipelineOptions());
      });
}

void registerFlyPipelines() {
  registerFlyPipelinesPasses();
  for (const NamedPipeline &pipeline : pipelines)
    registerModulePipeline(pipeline);
}

} // namespace fly
