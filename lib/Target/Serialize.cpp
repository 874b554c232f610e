// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Picks the code generator for a gpu.module by its target attribute, and makes
// `#fly_rocdl.cpu` a GPU target.

#include "Fly/Target/Serialize.h"

#include "Fly/Arch/Chips.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"

#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"

using namespace mlir;

namespace fly {

LogicalResult verifyChip(Operation *module, llvm::StringRef chip) {
  if (arch::lookupChip(chip))
    return success();
  return emitError(module->getLoc())
         << "'" << module->getName() << "' op targets the unknown chip '"
         << chip << "': expected one of " << arch::knownChipNames(chip);
}

/// Level of optimisation in range, or an error at `module`.
static LogicalResult verifyOptLevel(gpu::GPUModuleOp module, int level) {
  if (level >= -1 && level <= 3)
    return success();
  return emitError(module.getLoc())
         << "'gpu.module' op cannot be optimised at level " << level
         << ": expected 0 to 3";
}

FailureOr<llvm::SmallVector<char, 0>>
serializeModule(gpu::GPUModuleOp module, const SerializeOptions &options) {
  ArrayAttr targets = module.getTargetsAttr();
  if (!targets || targets.empty())
    return emitError(module.getLoc())
           << "'gpu.module' op has no target: name the chip with "
              "fly-attach-target{chip=…}, "
              "with the option chip= of a pipeline, or as [#rocdl.target<chip "
              "= …>] on the module";
  if (targets.size() > 1)
    return emitError(module.getLoc())
           << "'gpu.module' op has " << targets.size()
           << " targets, expected one";
  if (failed(verifyOptLevel(module, options.optLevel)))
    return failure();
  Attribute target = targets[0];
  if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target)) {
    if (failed(verifyChip(module, rocdl.getChip())))
      return failure();
    return serializeForAMDGPU(module, rocdl, options);
  }
  if (auto cpu = dyn_cast<rocdl::CPUTargetAttr>(target)) {
    if (failed(verifyChip(module, cpu.getChip())))
      return failure();
    return serializeForCPU(module, options);
  }
  return emitError(module.getLoc())
         << "'gpu.module' op has the target " << target
         << ", expected #rocdl.target or #fly_rocdl.cpu";
}

gpu::ObjectAttr createObjectAttr(gpu::GPUModuleOp module, Attribute target,
                                 llvm::ArrayRef<char> bytes,
                                 const SerializeOptions &options) {
  Builder builder(module.getContext());
  auto format = gpu::CompilationTarget::Binary;
  DictionaryAttr properties;
  auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target);
  if (options.format == CodeFormat::Bitcode)
    format = gpu::CompilationTarget::Offload;
  if (options.format == CodeFormat::Assembly) {
    format = gpu::CompilationTarget::Assembly;
    // The level at which a runtime would compile the text.
    int level = options.optLevel >= 0 ? options.optLevel
                : rocdl               ? rocdl.getO()
                                      : 2;
    properties = builder.getDictionaryAttr(
        builder.getNamedAttr("O", builder.getI32IntegerAttr(level)));
  }
  gpu::KernelTableAttr kernels;
  if (rocdl) {
    bool isObject = options.format == CodeFormat::Object;
    kernels = ROCDL::getKernelMetadata(
        module, isObject ? bytes : llvm::ArrayRef<char>());
  }
  return gpu::ObjectAttr::get(
      target, format,
      builder.getStringAttr(llvm::StringRef(bytes.data(), bytes.size())),
      properties, kernels);
}

void registerCodeGenTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerROCDLDialectTranslation(registry);
}

//===----------------------------------------------------------------------===//
// #fly_rocdl.cpu as a GPU target
//===----------------------------------------------------------------------===//

/// Our options for upstream's.
static SerializeOptions convertOptions(const gpu::TargetOptions &options) {
  SerializeOptions result;
  if (options.getCompilationTarget() == gpu::CompilationTarget::Offload)
    result.format = CodeFormat::Bitcode;
  if (options.getCompilationTarget() == gpu::CompilationTarget::Assembly)
    result.format = CodeFormat::Assembly;
  return result;
}

namespace {
/// Lets upstream's gpu-module-to-binary compile CPU objects too.
struct CPUTargetModel
    : public gpu::TargetAttrInterface::FallbackModel<CPUTargetModel> {
  std::optional<llvm::SmallVector<char, 0>>
  serializeToObject(Attribute, Operation *op,
                    const gpu::TargetOptions &options) const {
    auto module = dyn_cast<gpu::GPUModuleOp>(op);
    if (!module) {
      op->emitOpError("is not a gpu.module");
      return std::nullopt;
    }
    FailureOr<llvm::SmallVector<char, 0>> bytes =
        serializeForCPU(module, convertOptions(options));
    if (failed(bytes))
      return std::nullopt;
    return std::move(*bytes);
  }

  Attribute createObject(Attribute target, Operation *op,
                         const llvm::SmallVector<char, 0> &object,
                         const gpu::TargetOptions &options) const {
    return createObjectAttr(cast<gpu::GPUModuleOp>(op), target, object,
                            convertOptions(options));
  }
};
} // namespace

void registerCPUTargetModel(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, rocdl::FlyROCDLDialect *) {
    rocdl::CPUTargetAttr::attachInterface<CPUTargetModel>(*context);
  });
}

} // namespace fly
