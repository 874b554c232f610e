// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation of host functions: a shared object that any process with the
// runtime library can load, without LLVM.

#include "CodeGen.h"
#include "Fly/Target/Serialize.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

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
    llvm::Value *cell = builder.CreateConstGEP1_64(pointer, packed->getArg(0), index);
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

/// The whole way from the module to bytes; runs inside the guard.
static FailureOr<Bytes> compile(ModuleOp module, int optLevel,
                                const std::string &runtime,
                                llvm::ArrayRef<std::string> libraries,
                                LLVMReporter &reporter) {
  std::unique_ptr<llvm::TargetMachine> machine =
      createHostMachine("native", optLevel, reporter);
  if (!machine)
    return failure();
  llvm::LLVMContext context;
  reporter.attach(context);
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context, "host");
  if (!llvmModule)
    return failure();
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  exportPackedForms(*llvmModule);
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
  FailureOr<Bytes> object = emitFile(
      *llvmModule, *machine, llvm::CodeGenFileType::ObjectFile, reporter);
  if (failed(object))
    return failure();
  llvm::SmallVector<const char *> flags = {
      "--no-undefined", "--no-as-needed", runtime.c_str(), "--as-needed"};
  for (const std::string &library : libraries)
    flags.push_back(library.c_str());
  return linkShared(*object, flags, reporter, module.getLoc());
}

FailureOr<Bytes> serializeHostFunctions(ModuleOp module, int optLevel,
                                        llvm::StringRef runtime,
                                        llvm::ArrayRef<std::string> libraries) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();

  LLVMReporter reporter(module);
  FailureOr<Bytes> bytes = failure();
  std::string path = runtime.str();
  std::optional<std::string> fatal = runGuarded(
      [&] { bytes = compile(module, optLevel, path, libraries, reporter); });
  if (fatal)
    reporter.fatal(*fatal);
  if (failed(bytes) && !reporter.hadError())
    reporter.error(module.getLoc()) << "the host functions were not compiled";
  if (reporter.hadError())
    return failure();
  return bytes;
}

} // namespace fly
