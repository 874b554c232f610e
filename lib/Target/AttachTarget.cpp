// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-attach-target: names the chip of every gpu.module.

#include "Fly/Target/Passes.h"

#include "Fly/Arch/Chips.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYATTACHTARGETPASS
#include "Fly/Target/Passes.h.inc"

namespace {
struct AttachTarget : public impl::FlyAttachTargetPassBase<AttachTarget> {
  using FlyAttachTargetPassBase::FlyAttachTargetPassBase;

  void runOnOperation() override {
    if (optLevel < -1 || optLevel > 3) {
      emitError(getOperation().getLoc())
          << "optimisation level " << optLevel.getValue()
          << " given, expected 0 to 3";
      return signalPassFailure();
    }
    if (!chip.empty() && !arch::lookupChip(chip)) {
      emitError(getOperation().getLoc())
          << "unknown chip '" << chip << "': expected one of "
          << arch::knownChipNames(chip);
      return signalPassFailure();
    }
    WalkResult result = getOperation().walk([&](gpu::GPUModuleOp module) {
      return failed(attach(module)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    if (!result.wasInterrupted())
      result = getOperation().walk([&](gpu::BinaryOp binary) {
        return failed(check(binary)) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// What is compiled already must be for the device and the chip asked for.
  LogicalResult check(gpu::BinaryOp binary) {
    for (Attribute attribute : binary.getObjects()) {
      Attribute target = cast<gpu::ObjectAttr>(attribute).getTarget();
      bool isSame = false;
      if (auto rocdl = dyn_cast<ROCDL::ROCDLTargetAttr>(target))
        isSame = device == TargetDevice::AMDGPU &&
                 (chip.empty() || rocdl.getChip() == chip);
      else if (auto cpu = dyn_cast<rocdl::CPUTargetAttr>(target))
        isSame = device == TargetDevice::CPU &&
                 (chip.empty() || cpu.getChip() == chip);
      if (!isSame)
        return emitError(binary.getLoc())
               << "'gpu.binary' op has been compiled for " << target
               << " and cannot be compiled again for "
               << (device == TargetDevice::CPU ? "the CPU" : "an AMD GPU")
               << (chip.empty() ? "" : " as ") << chip;
    }
    return success();
  }

  LogicalResult attach(gpu::GPUModuleOp module) {
    ArrayAttr targets = module.getTargetsAttr();
    if (!targets || targets.empty()) {
      if (chip.empty())
        return emitError(module.getLoc())
               << "'gpu.module' op has no target and no chip was named: give "
                  "the option chip= "
                  "(fly-opt), --chip= (fly-translate, fly-run), or write "
                  "[#rocdl.target<chip = …>] on the module; known chips are "
               << arch::knownChipNames();
      setTarget(module, makeTarget(chip, nullptr));
      return success();
    }
    if (targets.size() > 1)
      return emitError(module.getLoc())
             << "'gpu.module' op has " << targets.size()
             << " targets, expected one";

    llvm::StringRef present;
    auto old = dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0]);
    if (old)
      present = old.getChip();
    else if (auto cpu = dyn_cast<rocdl::CPUTargetAttr>(targets[0]))
      present = cpu.getChip();
    else
      return emitError(module.getLoc())
             << "'gpu.module' op has the target " << targets[0]
             << ", expected #rocdl.target or #fly_rocdl.cpu";
    if (failed(verifyChip(module, present)))
      return failure();
    if (!chip.empty() && chip != present)
      return emitError(module.getLoc())
             << "'gpu.module' op targets '" << present
             << "', which contradicts the chip '" << chip
             << "' that was asked for";
    if (!old && device == TargetDevice::CPU)
      return success();
    if (old && device == TargetDevice::CPU &&
        failed(checkWaveSize(module, old)))
      return failure();
    if (!old && module.lookupSymbol("fly_cpu_module"))
      return emitError(module.getLoc())
             << "'gpu.module' op has been rewritten for the CPU and cannot go "
                "back to the chip "
                "'"
             << present << "'";
    setTarget(module, makeTarget(present, old));
    return success();
  }

  /// The CPU runs a chip with the waves that Fly compiles for: features that
  /// ask for others would be ignored.
  LogicalResult checkWaveSize(gpu::GPUModuleOp module,
                              ROCDL::ROCDLTargetAttr target) {
    unsigned waveSize = arch::lookupChip(target.getChip())->waveSize;
    llvm::SmallVector<llvm::StringRef> features;
    target.getFeatures().split(features, ',', /*MaxSplit=*/-1,
                               /*KeepEmpty=*/false);
    for (llvm::StringRef feature : features) {
      llvm::StringRef rest = feature.trim();
      unsigned size = 0;
      if (!rest.consume_front("+wavefrontsize") ||
          rest.getAsInteger(10, size) || size == waveSize)
        continue;
      return emitError(module.getLoc())
             << "'gpu.module' op asks for the feature '" << feature.trim()
             << "', but the CPU runs '" << target.getChip()
             << "' with waves of " << waveSize << " lanes only";
    }
    return success();
  }

  /// The attribute for `name`, with the other parameters of `old` if given.
  Attribute makeTarget(llvm::StringRef name, ROCDL::ROCDLTargetAttr old) {
    MLIRContext *context = &getContext();
    if (device == TargetDevice::CPU)
      return rocdl::CPUTargetAttr::get(context, name);
    Builder builder(context);
    llvm::SmallVector<Attribute> files;
    if (old && old.getLink())
      llvm::append_range(files, old.getLink());
    for (const std::string &file : link)
      files.push_back(builder.getStringAttr(file));
    ArrayAttr fileList =
        files.empty() ? ArrayAttr() : builder.getArrayAttr(files);
    NamedAttrList flags;
    if (old && old.getFlags())
      flags.append(old.getFlags());
    if (fastMath)
      flags.set("fast", builder.getUnitAttr());
    if (unsafeMath)
      flags.set("unsafe_math", builder.getUnitAttr());
    if (!old && arch::lookupChip(name)->waveSize == 32)
      flags.set("no_wave64", builder.getUnitAttr());
    // A target without flags prints none.
    DictionaryAttr dictionary =
        flags.empty() ? DictionaryAttr() : flags.getDictionary(context);
    if (old)
      return ROCDL::ROCDLTargetAttr::get(
          context, optLevel >= 0 ? int(optLevel) : old.getO(), old.getTriple(),
          name, old.getFeatures(), old.getAbi(), dictionary, fileList);
    return ROCDL::ROCDLTargetAttr::get(
        context, optLevel >= 0 ? int(optLevel) : 2, "amdgcn-amd-amdhsa", name,
        /*features=*/"", /*abi=*/"600", dictionary, fileList);
  }

  void setTarget(gpu::GPUModuleOp module, Attribute target) {
    module.setTargetsAttr(ArrayAttr::get(&getContext(), target));
  }
};
} // namespace
} // namespace fly
