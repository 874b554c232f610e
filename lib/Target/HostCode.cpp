// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code generators of CPU objects and of host functions share.

#include "CodeGen.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

namespace fly {

/// A machine for the host with the processor `cpu`, "native" or a name that
/// LLVM knows; null, with an error at `reporter`, for another. Code for it is
/// position independent.
static std::unique_ptr<llvm::TargetMachine>
createHostMachine(llvm::StringRef cpu, int optLevel, LLVMReporter &reporter) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    reporter.error(reporter.locationOf(""))
        << "no code generator for the host '" << triple.str() << "': " << error;
    return nullptr;
  }
  std::string name = cpu.str(), features;
  if (cpu == "native") {
    name = llvm::sys::getHostCPUName().str();
    for (auto &feature : llvm::sys::getHostCPUFeatures())
      features += (features.empty() ? "" : ",") +
                  std::string(feature.second ? "+" : "-") +
                  feature.first().str();
  } else {
    std::unique_ptr<llvm::MCSubtargetInfo> info(
        target->createMCSubtargetInfo(triple, "", ""));
    if (!info || !info->isCPUStringValid(cpu)) {
      InFlightDiagnostic diagnostic = reporter.error(reporter.locationOf(""));
      diagnostic << "unknown host processor '" << cpu
                 << "': expected native or a name that LLVM knows";
      if (info) {
        Diagnostic &note = diagnostic.attachNote() << "LLVM knows";
        for (const llvm::SubtargetSubTypeKV &known :
             info->getAllProcessorDescriptions())
          note << " " << known.Key;
      }
      return nullptr;
    }
  }
  // The form of constructors that dynamic linkers still run.
  llvm::TargetOptions targetOptions;
  targetOptions.UseInitArray = true;
  // The object is shared, so its code must not care where it is loaded.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, name, features, targetOptions, llvm::Reloc::PIC_, std::nullopt,
      static_cast<llvm::CodeGenOptLevel>(optLevel)));
  if (!machine)
    reporter.error(reporter.locationOf(""))
        << "no machine for the host processor '" << name << "'";
  return machine;
}

FailureOr<HostCode> translateForHost(Operation *module, llvm::StringRef name,
                                     llvm::StringRef cpu, int optLevel,
                                     llvm::LLVMContext &context,
                                     LLVMReporter &reporter) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  HostCode code;
  code.machine = createHostMachine(cpu, optLevel, reporter);
  if (!code.machine)
    return failure();
  code.module = translateModuleToLLVMIR(module, context, name);
  if (!code.module)
    return failure();
  code.module->setTargetTriple(code.machine->getTargetTriple());
  code.module->setDataLayout(code.machine->createDataLayout());
  return code;
}

void tieToMachine(HostCode &code) {
  for (llvm::Function &function : *code.module)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", code.machine->getTargetCPU());
      function.addFnAttr("target-features",
                         code.machine->getTargetFeatureString());
    }
}

LogicalResult optimizeForHost(HostCode &code, int optLevel,
                              LLVMReporter &reporter, Location location) {
  if (llvm::Error error = makeOptimizingTransformer(
          optLevel, /*sizeLevel=*/0, code.machine.get())(code.module.get())) {
    reporter.error(location)
        << "optimisation failed: " << llvm::toString(std::move(error));
    return failure();
  }
  return failure(reporter.hadError());
}

} // namespace fly
