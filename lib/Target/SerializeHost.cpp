// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation of host functions: a shared object that any process with the
// runtime library can load, without LLVM.

#include "CodeGen.h"
#include "Fly/Target/Serialize.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Object/ELFObjectFile.h"

#include <dlfcn.h>

using namespace mlir;

namespace fly {

/// Adds the packed form of `function`.
static void addPackedForm(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *pointer = builder.getPtrTy();
  auto *packed = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {pointer}, false),
      llvm::GlobalValue::ExternalLinkage, "_mlir_" + function.getName(),
      module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", packed));
  auto load = [&](llvm::Type *type, unsigned index) {
    llvm::Value *cell =
        builder.CreateConstGEP1_64(pointer, packed->getArg(0), index);
    llvm::Value *address = builder.CreateLoad(pointer, cell);
    return std::make_pair(address, type);
  };
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function.args()) {
    auto [address, type] = load(argument.getType(), argument.getArgNo());
    arguments.push_back(builder.CreateLoad(type, address));
  }
  llvm::CallInst *call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  if (!function.getReturnType()->isVoidTy())
    builder.CreateStore(call,
                        load(function.getReturnType(), arguments.size()).first);
  builder.CreateRetVoid();
}

/// Leaves the packed forms as the only symbols that the object exports.
static void exportPackedForms(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.hasExternalLinkage() &&
        !function.isVarArg())
      functions.push_back(&function);
  for (llvm::GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && !value.hasAppendingLinkage() &&
        !value.hasLocalLinkage()) {
      value.setVisibility(llvm::GlobalValue::DefaultVisibility);
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  for (llvm::Function *function : functions)
    addPackedForm(*function);
}

/// True if `object` uses symbols that the library `runtime` lacks.
static bool needsMoreThan(const std::string &runtime,
                          llvm::ArrayRef<char> object) {
  auto file =
      llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(
          llvm::StringRef(object.data(), object.size()), "object"));
  void *library = dlopen(runtime.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  bool found = true;
  if (!file || !library) {
    llvm::consumeError(file.takeError());
    found = false;
  } else {
    for (llvm::object::SymbolRef symbol : (*file)->symbols()) {
      auto flags = symbol.getFlags();
      auto name = symbol.getName();
      if (!flags || !name) {
        llvm::consumeError(flags.takeError());
        llvm::consumeError(name.takeError());
        found = false;
        continue;
      }
      if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name->empty() ||
          *name == "_GLOBAL_OFFSET_TABLE_")
        continue;
      // A handle's search takes in what the library itself needs.
      bool isOurs =
          name->starts_with("mgpu") || name->starts_with("flyRuntime");
      found &= isOurs && dlsym(library, name->str().c_str());
    }
  }
  if (library)
    dlclose(library);
  return !found;
}

/// The whole way from the module to bytes; runs inside the guard.
static FailureOr<Bytes> compile(ModuleOp module, int optLevel,
                                const std::string &runtime,
                                llvm::ArrayRef<std::string> libraries,
                                LLVMReporter &reporter) {
  llvm::LLVMContext context;
  reporter.attach(context);
  FailureOr<HostCode> code =
      translateForHost(module, "host", "native", optLevel, context, reporter);
  if (failed(code))
    return failure();
  exportPackedForms(*code->module);
  tieToMachine(*code);
  // Host functions compute sizes and launch. The passes on LLVM IR cost more
  // time, once, than they save in a million calls.
  if (optLevel == 3 &&
      failed(optimizeForHost(*code, optLevel, reporter, module.getLoc())))
    return failure();
  if (reporter.hadError())
    return failure();
  FailureOr<Bytes> object =
      emitFile(*code->module, *code->machine, llvm::CodeGenFileType::ObjectFile,
               reporter);
  if (failed(object))
    return failure();
  llvm::SmallVector<const char *> flags = {"--no-undefined", runtime.c_str(),
                                           "--as-needed"};
  // The linker reads every symbol of a library, and the C library has
  // thousands.
  if (needsMoreThan(runtime, *object))
    for (const std::string &library : libraries)
      flags.push_back(library.c_str());
  return linkShared(*object, flags, reporter, module.getLoc());
}

FailureOr<Bytes> serializeHostFunctions(ModuleOp module, int optLevel,
                                        llvm::StringRef runtime,
                                        llvm::ArrayRef<std::string> libraries) {
  LLVMReporter reporter(module);
  std::string path = runtime.str();
  return runReported(
      reporter, module.getLoc(), "the host functions were not compiled",
      [&] { return compile(module, optLevel, path, libraries, reporter); });
}

} // namespace fly
