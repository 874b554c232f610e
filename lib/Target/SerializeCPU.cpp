// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation for the host: a gpu.module that convert-rocdl-to-host has
// rewritten becomes an ELF shared object with one exported symbol, which the
// CPU runtime loads from memory.

#include "CodeGen.h"
#include "Fly/Target/Serialize.h"
#include "fly_cpu_abi.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

namespace fly {

/// The symbol that the CPU runtime looks up.
static constexpr llvm::StringLiteral kModuleSymbol = "fly_cpu_module";

/// True for a function that LLVM may call on its own account for types that
/// the host lacks. The module defines such a function as a jump through the
/// handler table, and it must survive until code generation.
static bool isHelperName(llvm::StringRef name) {
  static const llvm::StringSet<> names = {
      "__extendhfsf2", "__truncsfhf2",   "__truncdfhf2",  "__truncsfbf2",
      "__truncdfbf2",  "__gnu_h2f_ieee", "__gnu_f2h_ieee"};
  return names.contains(name);
}

/// True for a C or libm function that every host process has.
static bool isHostFunction(llvm::StringRef name) {
  static const llvm::StringSet<> memory = {"memcpy", "memmove", "memset",
                                           "memcmp"};
  if (memory.contains(name))
    return true;
  static const llvm::StringSet<> math = {
      "acos",      "acosh",     "asin",   "asinh",     "atan",    "atan2",
      "atanh",     "cbrt",      "ceil",   "cos",       "cosh",    "erf",
      "erfc",      "exp",       "exp10",  "exp2",      "expm1",   "fabs",
      "floor",     "fma",       "fmax",   "fmin",      "fmod",    "frexp",
      "hypot",     "ldexp",     "lgamma", "llrint",    "llround", "log",
      "log10",     "log1p",     "log2",   "logb",      "lrint",   "lround",
      "modf",      "nearbyint", "pow",    "remainder", "rint",    "round",
      "roundeven", "sin",       "sincos", "sinh",      "sqrt",    "tan",
      "tanh",      "tgamma",    "trunc"};
  if (math.contains(name))
    return true;
  return name.consume_back("f") && math.contains(name);
}

std::unique_ptr<llvm::TargetMachine>
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
      triple, name, features, targetOptions, llvm::Reloc::PIC_,
      std::nullopt, static_cast<llvm::CodeGenOptLevel>(optLevel)));
  if (!machine)
    reporter.error(reporter.locationOf(""))
        << "no machine for the host processor '" << name << "'";
  return machine;
}

/// Leaves `fly_cpu_module` as the only symbol that the object exports.
static LogicalResult hideSymbols(llvm::Module &module, LLVMReporter &reporter) {
  llvm::GlobalVariable *table =
      module.getGlobalVariable(kModuleSymbol, /*AllowInternal=*/true);
  if (!table || table->isDeclaration()) {
    reporter.error(reporter.locationOf(""))
        << "no '" << kModuleSymbol
        << "' in the module: run convert-rocdl-to-host before code generation";
    return failure();
  }
  for (llvm::GlobalValue &value : module.global_values()) {
    if (value.isDeclaration())
      continue;
    if (&value == table) {
      value.setLinkage(llvm::GlobalValue::ExternalLinkage);
      value.setVisibility(llvm::GlobalValue::DefaultVisibility);
      continue;
    }
    if (isHelperName(value.getName())) {
      value.setVisibility(llvm::GlobalValue::HiddenVisibility);
      continue;
    }
    if (value.hasAppendingLinkage() || value.hasLocalLinkage())
      continue;
    value.setVisibility(llvm::GlobalValue::DefaultVisibility);
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  return success();
}

/// The function of `file` that holds `offset` of `section`, or "".
static llvm::StringRef functionAt(const llvm::object::ObjectFile &file,
                                  llvm::object::SectionRef section,
                                  uint64_t offset) {
  for (llvm::object::SymbolRef symbol : file.symbols()) {
    auto type = symbol.getType();
    auto home = symbol.getSection();
    auto start = symbol.getValue();
    auto name = symbol.getName();
    if (!type || !home || !start || !name) {
      llvm::consumeError(type.takeError());
      llvm::consumeError(home.takeError());
      llvm::consumeError(start.takeError());
      llvm::consumeError(name.takeError());
      continue;
    }
    if (*type == llvm::object::SymbolRef::ST_Function &&
        *home != file.section_end() && **home == section && *start <= offset &&
        offset < *start + llvm::object::ELFSymbolRef(symbol).getSize())
      return *name;
  }
  return "";
}

/// Reports every symbol of `object` that the host process does not have.
static LogicalResult checkUndefined(gpu::GPUModuleOp module,
                                    llvm::ArrayRef<char> object,
                                    LLVMReporter &reporter) {
  auto file =
      llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(
          llvm::StringRef(object.data(), object.size()), "object"));
  if (!file) {
    reporter.error(reporter.locationOf(""))
        << "cannot read the object: " << llvm::toString(file.takeError());
    return failure();
  }
  llvm::StringSet<> reported;
  for (llvm::object::SectionRef section : (*file)->sections()) {
    auto home = section.getRelocatedSection();
    if (!home) {
      llvm::consumeError(home.takeError());
      continue;
    }
    if (*home == (*file)->section_end())
      continue;
    for (llvm::object::RelocationRef relocation : section.relocations()) {
      llvm::object::symbol_iterator symbol = relocation.getSymbol();
      if (symbol == (*file)->symbol_end())
        continue;
      auto flags = symbol->getFlags();
      auto name = symbol->getName();
      if (!flags || !name) {
        llvm::consumeError(flags.takeError());
        llvm::consumeError(name.takeError());
        continue;
      }
      if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name->empty() ||
          *name == "_GLOBAL_OFFSET_TABLE_" || isHostFunction(*name) ||
          !reported.insert(*name).second)
        continue;
      llvm::StringRef user = functionAt(**file, **home, relocation.getOffset());
      Operation *op = findUser(module, *name);
      InFlightDiagnostic diagnostic =
          reporter.error(op ? op->getLoc() : reporter.locationOf(user));
      diagnostic << "undefined symbol '" << *name << "'";
      if (!user.empty())
        diagnostic << " is used by '" << user << "'";
      diagnostic << ": a CPU object may use only functions of the C and math "
                    "libraries";
    }
  }
  return failure(reporter.hadError());
}

/// The whole way from the module to bytes; runs inside the guard.
static FailureOr<Bytes> compile(gpu::GPUModuleOp module,
                                const SerializeOptions &options, int optLevel,
                                LLVMReporter &reporter) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createHostMachine(options.cpu, optLevel, reporter);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  reporter.attach(context);
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!llvmModule)
    return failure();
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  if (failed(hideSymbols(*llvmModule, reporter)))
    return failure();
  // Code is made for this processor even where a function does not say so.
  for (llvm::Function &function : *llvmModule)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", machine->getTargetCPU());
      function.addFnAttr("target-features", machine->getTargetFeatureString());
    }
  if (llvm::Error error = makeOptimizingTransformer(
          optLevel, /*sizeLevel=*/0, machine.get())(llvmModule.get())) {
    reporter.error(module.getLoc())
        << "optimisation failed: " << llvm::toString(std::move(error));
    return failure();
  }
  if (reporter.hadError())
    return failure();
  if (options.format == CodeFormat::Bitcode)
    return writeBitcode(*llvmModule);
  if (options.format == CodeFormat::Assembly)
    return emitFile(*llvmModule, *machine, llvm::CodeGenFileType::AssemblyFile,
                    reporter);
  FailureOr<Bytes> object = emitFile(
      *llvmModule, *machine, llvm::CodeGenFileType::ObjectFile, reporter);
  if (failed(object) || failed(checkUndefined(module, *object, reporter)))
    return failure();
  FailureOr<Bytes> linked = linkShared(*object, {}, reporter, module.getLoc());
  if (succeeded(linked)) {
    fly_cpu_trailer trailer = {FLY_CPU_TRAILER_MAGIC,
                               flyCpuChecksum(linked->data(), linked->size())};
    auto *raw = reinterpret_cast<const char *>(&trailer);
    linked->append(raw, raw + sizeof(trailer));
  }
  return linked;
}

FailureOr<Bytes> serializeForCPU(gpu::GPUModuleOp module,
                                 const SerializeOptions &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();

  LLVMReporter reporter(module);
  FailureOr<Bytes> bytes = failure();
  int optLevel = options.optLevel >= 0 ? options.optLevel : 2;
  std::optional<std::string> fatal =
      runGuarded([&] { bytes = compile(module, options, optLevel, reporter); });
  if (fatal)
    reporter.fatal(*fatal);
  if (failed(bytes) && !reporter.hadError())
    reporter.error(module.getLoc())
        << "gpu.module '" << module.getName() << "' was not compiled for the "
        << "host";
  if (reporter.hadError())
    return failure();
  return bytes;
}

} // namespace fly
