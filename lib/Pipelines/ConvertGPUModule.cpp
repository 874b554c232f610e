// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-convert-gpu-module: upstream's convert-gpu-to-rocdl with the
// chip taken from the module's target, so that a pipeline needs no chip of its
// own.

#include "Fly/Pipelines/Passes.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYCONVERTGPUMODULEPASS
#include "Fly/Pipelines/Passes.h.inc"

namespace {
struct ConvertGPUModule
    : public impl::FlyConvertGPUModulePassBase<ConvertGPUModule> {
  void getDependentDialects(DialectRegistry &registry) const override {
    FlyConvertGPUModulePassBase::getDependentDialects(registry);
    // convert-gpu-to-rocdl converts what the loaded dialects register.
    arith::registerConvertArithToLLVMInterface(registry);
    cf::registerConvertControlFlowToLLVMInterface(registry);
    index::registerConvertIndexToLLVMInterface(registry);
    registerConvertComplexToLLVMInterface(registry);
    registerConvertFuncToLLVMInterface(registry);
    registerConvertMathToLLVMInterface(registry);
    registerConvertMemRefToLLVMInterface(registry);
    ub::registerConvertUBToLLVMInterface(registry);
    vector::registerConvertVectorToLLVMInterface(registry);
  }

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (isConverted(module))
      return;
    llvm::StringRef chip;
    for (Attribute target : module.getTargetsAttr()
                                ? module.getTargetsAttr().getValue()
                                : llvm::ArrayRef<Attribute>()) {
      if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
        chip = rocdl.getChip();
      else if (auto cpu = dyn_cast<rocdl::CPUTargetAttr>(target))
        chip = cpu.getChip();
    }
    if (chip.empty()) {
      module.emitOpError("has no target that names a chip");
      return signalPassFailure();
    }
    ConvertGpuOpsToROCDLOpsOptions options;
    options.chipset = chip.str();
    options.runtime = gpu::amd::Runtime::HIP;
    options.useBarePtrCallConv = true;
    OpPassManager passes(gpu::GPUModuleOp::getOperationName());
    passes.addPass(createConvertGpuOpsToROCDLOps(options));
    passes.addPass(createReconcileUnrealizedCastsPass());
    if (failed(runPipeline(passes, module)))
      signalPassFailure();
  }

private:
  /// True if `module` holds only operations that code generation translates.
  static bool isConverted(gpu::GPUModuleOp module) {
    return !module.getBody()
                ->walk([](Operation *op) {
                  return isa_and_nonnull<LLVM::LLVMDialect,
                                         ROCDL::ROCDLDialect>(op->getDialect())
                             ? WalkResult::advance()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }
};
} // namespace
} // namespace fly
