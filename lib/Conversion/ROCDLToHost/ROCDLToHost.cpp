// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass convert-rocdl-to-host: the order of its steps, and what belongs to
// the module as a whole.

#include "Fly/Conversion/ROCDLToHost/Passes.h"

#include "DeviceTypes.h"
#include "HostModule.h"
#include "OperationTable.h"
#include "Waits.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLTarget.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace fly;
using namespace fly::host;

namespace fly {
#define GEN_PASS_DEF_CONVERTROCDLTOHOSTPASS
#include "Fly/Conversion/ROCDLToHost/Passes.h.inc"
} // namespace fly

/// The chip of a module: its CPU target, else the pass option.
static FailureOr<const arch::Chip *> findChip(gpu::GPUModuleOp module,
                                              StringRef option) {
  std::string name = option.str();
  if (ArrayAttr targets = module.getTargetsAttr()) {
    if (targets.size() != 1)
      return module.emitError("has ")
             << targets.size() << " targets, expected one";
    auto target = dyn_cast<rocdl::CPUTargetAttr>(targets[0]);
    if (!target)
      return module.emitError("has target ")
             << targets[0] << ", expected #fly_rocdl.cpu<chip = \"...\">";
    if (!name.empty() && name != target.getChip())
      return module.emitError("has a target with chip '")
             << target.getChip() << "', the option says '" << name << "'";
    name = target.getChip().str();
  }
  if (name.empty())
    return module.emitError("no chip: give the module a target "
                            "#fly_rocdl.cpu<chip = \"...\"> or set the pass "
                            "option 'chip'");
  const arch::Chip *chip = arch::lookupChip(name);
  if (!chip)
    return module.emitError("unknown chip '")
           << name << "', known are " << arch::knownChipNames(name);
  return chip;
}

/// Leaves of a function what means something to the host.
static void cleanFunction(LLVM::LLVMFuncOp func) {
  for (NamedAttribute attr : llvm::to_vector(func->getDiscardableAttrs()))
    func->removeDiscardableAttr(attr.getName());
  func.removePassthroughAttr();
  func.removeTargetCpuAttr();
  func.removeTuneCpuAttr();
  func.removeTargetFeaturesAttr();
  func.removeDenormalFpMathAttr();
  func.removeDenormalFpMathF32Attr();
  func.removeReqdWorkGroupSizeAttr();
  func.removeWorkGroupSizeHintAttr();
  func.removeVecTypeHintAttr();
  func.removeUwtableKindAttr();
  func.removeComdatAttr();
  func.removeSectionAttr();
  func.setCConv(LLVM::CConv::C);
  // A location that carries a subprogram would ask for debug information,
  // which the made-up code of a lane has none of; places have their table.
  if (auto fused = dyn_cast<FusedLoc>(func.getLoc());
      fused && fused.getMetadata())
    func->setLoc(FusedLoc::get(func.getContext(), fused.getLocations()));
}

namespace {
class ConvertROCDLToHost
    : public fly::impl::ConvertROCDLToHostPassBase<ConvertROCDLToHost> {
public:
  using ConvertROCDLToHostPassBase::ConvertROCDLToHostPassBase;

  void runOnOperation() override {
    if (failed(convert(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult convert(gpu::GPUModuleOp module);
  void finish(HostModule &host);
};
} // namespace

LogicalResult ConvertROCDLToHost::convert(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(FLY_CPU_MODULE_SYMBOL) && skipConverted)
    return success();
  if (module.lookupSymbol(FLY_CPU_MODULE_SYMBOL))
    return module.emitError("already holds host code: it has a symbol '")
           << FLY_CPU_MODULE_SYMBOL << "'";
  FailureOr<const arch::Chip *> chip = findChip(module, this->chip);
  if (failed(chip))
    return failure();

  // Blocks that nothing reaches have no place in the order of sites.
  IRRewriter rewriter(&getContext());
  for (auto func : module.getOps<LLVM::LLVMFuncOp>())
    (void)eraseUnreachableBlocks(rewriter, func->getRegions());

  HostModule host(module, **chip, memoryHooks);
  if (failed(checkModule(host)) || failed(host.layOutLds()) ||
      failed(host.table.addAssertions(module)))
    return failure();

  markSleeps(host);
  exchangeScales(host);
  host.followsWaits = memoryHooks && markWaits(host);
  host.emitRuntimeAccess();
  SmallVector<LLVM::LLVMFuncOp> kernels, functions;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    if (isKernel(func))
      kernels.push_back(func);
    else if (!func.isExternal() &&
             func.getVisibility_() != LLVM::Visibility::Hidden)
      functions.push_back(func);
  }
  passLaneToFunctions(host, functions);
  for (LLVM::LLVMFuncOp func : functions)
    rewriteLaneLocal(host, func, func.getArgument(0));
  for (LLVM::LLVMFuncOp kernel : kernels)
    if (failed(convertKernel(host, kernel)))
      return failure();

  for (LLVM::LLVMFuncOp func : functions)
    cleanFunction(func);
  for (LLVM::LLVMFuncOp kernel : kernels) {
    cleanFunction(kernel);
    // Launches outside of the module still ask for it.
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    UnitAttr::get(&getContext()));
    kernel.setLinkage(LLVM::Linkage::Internal);
    // Launches refer to the kernel by name and verify that it is one.
    kernel->setDiscardableAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                               UnitAttr::get(&getContext()));
    kernel.setPassthroughAttr(ArrayAttr::get(
        &getContext(), StringAttr::get(&getContext(), "presplitcoroutine")));
  }
  finish(host);
  return success();
}

void ConvertROCDLToHost::finish(HostModule &host) {
  gpu::GPUModuleOp module = host.module;
  // All uses of LDS globals are offsets by now, and asserts are faults.
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (global.getAddrSpace() == LdsSpace)
      global.erase();
    else
      global.setAddrSpace(GenericSpace);
  for (auto func :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (func.isExternal() && (func.getSymName() == "__fly_assert" ||
                              lookupPrintFunction(func.getSymName())))
      func.erase();

  host.table.emit(
      module, host.chip.name, host.chip.waveSize,
      host.chip.ldsBytesPerWorkgroup,
      (host.memoryHooks ? FlyCpuModuleHooks : 0) |
          (host.followsWaits ? FlyCpuModuleWaits : 0) |
          (host.chip.has(arch::Feature::Clusters) ? FlyCpuModuleClusters : 0),
      runtimeSymbol);
  convertPointerTypes(module);
  module.walk([](LLVM::AddrSpaceCastOp cast) {
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
  module->removeAttr(LLVM::LLVMDialect::getDataLayoutAttrName());
  module->removeAttr(LLVM::LLVMDialect::getTargetTripleAttrName());
  module->removeAttr("dlti.dl_spec");
  module->removeAttr("fly.assertions");
}
