// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation for the host: a gpu.module that convert-rocdl-to-host has
// rewritten becomes an ELF shared object with one exported symbol, which the
// CPU runtime loads from memory.

#include "CodeGen.h"
#include "Fly/Target/Serialize.h"
#include "fly_cpu_abi.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"

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
  StageFiles files(options.saveTemps, module.getName(), reporter,
                   module.getLoc());
  llvm::LLVMContext context;
  reporter.attach(context);
  FailureOr<HostCode> code = translateForHost(
      module, module.getName(), options.cpu, optLevel, context, reporter);
  if (failed(code) || failed(files.save(".mlir", module)) ||
      failed(hideSymbols(*code->module, reporter)))
    return failure();
  tieToMachine(*code);
  if (failed(files.save(".ll", *code->module)) ||
      failed(optimizeForHost(*code, optLevel, reporter, module.getLoc())) ||
      failed(files.save(".opt.ll", *code->module)))
    return failure();
  if (options.format == CodeFormat::Bitcode)
    return writeBitcode(*code->module);
  if (failed(files.saveAssembly(*code->module, *code->machine)))
    return failure();
  if (options.format == CodeFormat::Assembly)
    return emitFile(*code->module, *code->machine,
                    llvm::CodeGenFileType::AssemblyFile, reporter);
  FailureOr<Bytes> object =
      emitFile(*code->module, *code->machine, llvm::CodeGenFileType::ObjectFile,
               reporter);
  if (failed(object) ||
      failed(
          files.save(".o", llvm::StringRef(object->data(), object->size()))) ||
      failed(checkUndefined(module, *object, reporter)))
    return failure();
  FailureOr<Bytes> linked = linkShared(*object, {}, reporter, module.getLoc());
  if (failed(linked))
    return failure();
  fly_cpu_trailer trailer = {FLY_CPU_TRAILER_MAGIC,
                             flyCpuChecksum(linked->data(), linked->size())};
  auto *raw = reinterpret_cast<const char *>(&trailer);
  linked->append(raw, raw + sizeof(trailer));
  if (failed(
          files.save(".so", llvm::StringRef(linked->data(), linked->size()))))
    return failure();
  return linked;
}

FailureOr<Bytes> serializeForCPU(gpu::GPUModuleOp module,
                                 const SerializeOptions &options) {
  LLVMReporter reporter(module);
  int optLevel = options.optLevel >= 0 ? options.optLevel : 2;
  return runReported(
      reporter, module.getLoc(),
      "gpu.module '" + module.getName() + "' was not compiled for the host",
      [&] { return compile(module, options, optLevel, reporter); });
}

} // namespace fly
