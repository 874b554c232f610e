// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation for AMD chips: LLVM IR through the AMDGPU backend to
// assembly, or to a linked code object.

#include "CodeGen.h"
#include "Fly/Target/Report.h"
#include "Fly/Target/Serialize.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace fly {

namespace {
/// MLIR's serializer with errors that come back as diagnostics, a check for
/// functions that nobody defines, and lld in this process.
class AMDGPUSerializer : public ROCDL::SerializeGPUModuleBase {
public:
  AMDGPUSerializer(gpu::GPUModuleOp module, ROCDL::ROCDLTargetAttr target,
                   const SerializeOptions &options, LLVMReporter &reporter)
      : SerializeGPUModuleBase(*module, target), gpuModule(module),
        format(options.format), reporter(reporter),
        files(options.saveTemps, module.getName(), reporter, module.getLoc()) {}

  /// The base's steps, without its messages that say only which step failed.
  std::optional<Bytes> run() override {
    llvm::LLVMContext context;
    reporter.attach(context);
    std::unique_ptr<llvm::Module> llvmModule = translate(context);
    if (!llvmModule || failed(files.save(".mlir", gpuModule)))
      return std::nullopt;
    setDataLayoutAndTriple(*llvmModule);
    handleModulePreLink(*llvmModule);
    auto libraries = loadBitcodeFiles(*llvmModule);
    if (!libraries)
      return std::nullopt;
    if (!libraries->empty() &&
        failed(linkFiles(*llvmModule, std::move(*libraries))))
      return std::nullopt;
    handleModulePostLink(*llvmModule);
    if (failed(files.save(".ll", *llvmModule)) ||
        failed(optimizeModule(*llvmModule, optLevel)) ||
        failed(files.save(".opt.ll", *llvmModule)))
      return std::nullopt;
    FailureOr<Bytes> bytes = moduleToObject(*llvmModule);
    if (failed(bytes))
      return std::nullopt;
    return std::move(*bytes);
  }

protected:
  void handleModulePreLink(llvm::Module &llvmModule) override {
    SerializeGPUModuleBase::handleModulePreLink(llvmModule);
    // Without a device library the functions that it would define are listed
    // below, each at its call.
    llvm::SmallString<64> libraries(toolkitPath);
    llvm::sys::path::append(libraries, "amdgcn", "bitcode");
    if (!llvm::sys::fs::is_directory(libraries))
      deviceLibs = ROCDL::AMDGCNLibraries::None;
  }

  void handleModulePostLink(llvm::Module &llvmModule) override {
    // Assembly and bitcode show their declarations; a linked object must not
    // have any left.
    if (format != CodeFormat::Object)
      return;
    for (llvm::Function &function : llvmModule)
      if (function.isDeclaration() && !function.isIntrinsic() &&
          !function.use_empty())
        reportUndefined(function);
  }

  LogicalResult optimizeModule(llvm::Module &llvmModule, int level) override {
    if (reporter.hadError() ||
        failed(SerializeGPUModuleBase::optimizeModule(llvmModule, level)))
      return failure();
    return failure(reporter.hadError());
  }

  FailureOr<Bytes> moduleToObject(llvm::Module &llvmModule) override {
    if (format == CodeFormat::Bitcode)
      return writeBitcode(llvmModule);
    FailureOr<llvm::TargetMachine *> machine = getOrCreateTargetMachine();
    if (failed(machine))
      return failure();
    // LLVM parses inline assembly while it still knows whose it is; the backend
    // leaves that to the assembler otherwise.
    const_cast<llvm::MCAsmInfo *>((*machine)->getMCAsmInfo())
        ->setParseInlineAsmUsingAsmParser(true);
    FailureOr<Bytes> text = emitFile(
        llvmModule, **machine, llvm::CodeGenFileType::AssemblyFile, reporter);
    if (failed(text))
      return failure();
    llvm::StringRef assembly(text->data(), text->size());
    if (failed(files.save(".s", assembly)))
      return failure();
    // What is shown as assembly holds for the chip, too.
    FailureOr<Bytes> file = assemble(assembly, **machine, reporter);
    if (failed(file))
      return failure();
    if (format != CodeFormat::Object)
      return text;
    if (failed(files.save(".o", llvm::StringRef(file->data(), file->size()))))
      return failure();
    // Without the local symbols in which LLVM counts registers.
    FailureOr<Bytes> linked =
        linkShared(*file, {"--no-undefined", "--discard-all"}, reporter,
                   gpuModule.getLoc());
    if (failed(linked) ||
        failed(files.save(".hsaco",
                          llvm::StringRef(linked->data(), linked->size()))))
      return failure();
    return linked;
  }

private:
  /// The base's translation, with the verifier's text as a diagnostic.
  std::unique_ptr<llvm::Module> translate(llvm::LLVMContext &context) {
    std::unique_ptr<llvm::Module> translated =
        translateModuleToLLVMIR(&getOperation(), context, "LLVMDialectModule",
                                /*disableVerification=*/true);
    if (!translated || failed(verify(*translated)))
      return nullptr;
    reporter.numberAssembly(*translated);
    return translated;
  }

  LogicalResult verify(llvm::Module &llvmModule) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (!llvm::verifyModule(llvmModule, &stream))
      return success();
    bool found = false;
    for (llvm::Function &function : llvmModule)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (auto *call = dyn_cast<llvm::CallBase>(&instruction))
          found |= reportConstants(function, *call);
    if (!found)
      reporter.error(gpuModule.getLoc())
          << "gpu.module '" << gpuModule.getName()
          << "' gives LLVM IR that is not valid: "
          << llvm::StringRef(text).split('\n').first;
    return failure();
  }

  /// Reports operands of the call of an intrinsic that must be constants and
  /// are not; true if there are any.
  bool reportConstants(llvm::Function &caller, llvm::CallBase &call) {
    llvm::Function *callee = call.getCalledFunction();
    for (unsigned i = 0; callee && i < call.arg_size(); ++i) {
      if (!callee->hasParamAttribute(i, llvm::Attribute::ImmArg) ||
          isa<llvm::ConstantInt, llvm::ConstantFP>(call.getArgOperand(i)))
        continue;
      Location location = reporter.locationOf(caller.getName());
      gpuModule.walk([&](LLVM::CallIntrinsicOp op) {
        auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
        StringRef rest = callee->getName();
        if (function && function.getName() == caller.getName() &&
            rest.consume_front(op.getIntrin()) &&
            (rest.empty() || rest.front() == '.') &&
            !matchPattern(op.getArgs()[i], m_Constant()))
          location = op.getLoc();
      });
      reporter.error(location) << "'" << callee->getName() << "' takes operand "
                               << i << " as a constant";
      return true;
    }
    return false;
  }

  void reportUndefined(llvm::Function &function) {
    llvm::StringRef caller = "another function";
    for (llvm::User *user : function.users())
      if (auto *instruction = dyn_cast<llvm::Instruction>(user))
        caller = instruction->getFunction()->getName();
    Operation *user = findUser(gpuModule, function.getName());
    InFlightDiagnostic diagnostic =
        reporter.error(user ? user->getLoc() : reporter.locationOf(caller));
    diagnostic << "undefined function '" << function.getName()
               << "' is called by '" << caller << "'";
    if (function.getName().starts_with("__ocml_") ||
        function.getName().starts_with("__ockl_"))
      diagnostic.attachNote()
          << "it belongs to ROCm's device libraries (Debian's package "
             "rocm-device-libs), which were not found; set ROCM_PATH, or give "
             "their bitcode files with the option link=";
  }

  gpu::GPUModuleOp gpuModule;
  CodeFormat format;
  LLVMReporter &reporter;
  StageFiles files;
};
} // namespace

/// Remarks on each kernel of `object` that keeps registers in memory.
static void remarkSpills(llvm::ArrayRef<char> object, LLVMReporter &reporter) {
  llvm::Expected<CodeObjectReport> report =
      readCodeObject(llvm::StringRef(object.data(), object.size()));
  if (!report) {
    // A code object that we made ourselves and cannot read is still whole.
    llvm::consumeError(report.takeError());
    return;
  }
  for (const KernelReport &kernel : report->kernels)
    if (kernel.vgprSpills || kernel.sgprSpills)
      emitRemark(reporter.locationOf(kernel.name))
          << "kernel '" << kernel.name << "' spills " << kernel.vgprSpills
          << " vector and " << kernel.sgprSpills
          << " scalar registers; scratch memory is " << kernel.scratchBytes
          << " bytes a lane";
}

FailureOr<Bytes> serializeForAMDGPU(gpu::GPUModuleOp module,
                                    ROCDL::ROCDLTargetAttr target,
                                    const SerializeOptions &options) {
  const arch::Chip *chip = arch::lookupChip(target.getChip());
  bool isWave64 = target.getFeatures().contains("+wavefrontsize64") ||
                  (chip && chip->waveSize == 64);
  if (chip && (failed(checkSharedMemory(module, *chip, options.launches)) ||
               failed(checkInstructions(module, *chip, isWave64))))
    return failure();
  if (options.optLevel >= 0)
    target = ROCDL::ROCDLTargetAttr::get(module.getContext(), options.optLevel,
                                         target.getTriple(), target.getChip(),
                                         target.getFeatures(), target.getAbi(),
                                         target.getFlags(), target.getLink());
  ROCDL::SerializeGPUModuleBase::init();

  LLVMReporter reporter(module);
  FailureOr<Bytes> bytes =
      runReported(reporter, module.getLoc(),
                  "gpu.module '" + module.getName() +
                      "' was not compiled for " + target.getChip(),
                  [&]() -> FailureOr<Bytes> {
                    // On the heap: if LLVM stops, what it left half done must
                    // not be destroyed.
                    auto *serializer =
                        new AMDGPUSerializer(module, target, options, reporter);
                    std::optional<Bytes> result = serializer->run();
                    delete serializer;
                    if (!result)
                      return failure();
                    return std::move(*result);
                  });
  if (failed(bytes))
    return failure();
  if (options.format == CodeFormat::Object)
    remarkSpills(*bytes, reporter);
  return bytes;
}

} // namespace fly
