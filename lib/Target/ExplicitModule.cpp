// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#fly.explicit_module` in LLVM IR: the object as data, a global with the
// handle of the loaded module, and the two functions that the host calls. No
// constructor runs, so the host decides when, and for which device, it loads.

#include "Fly/Target/ExplicitModule.h"

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"
#include "Fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Target/LLVMIR/ModuleTranslation.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace {

constexpr llvm::StringLiteral kInit = "flydsl_gpu_module_init";
constexpr llvm::StringLiteral kLoad = "flydsl_gpu_module_load_to_device";

std::string getHandleName(gpu::BinaryOp binary) {
  return (binary.getName() + "_module").str();
}

/// The declaration of a function of the runtime's C interface.
llvm::FunctionCallee declare(llvm::Module &module, StringRef name,
                             llvm::Type *result,
                             ArrayRef<llvm::Value *> arguments) {
  SmallVector<llvm::Type *> types;
  for (llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  return module.getOrInsertFunction(
      name, llvm::FunctionType::get(result, types, /*isVarArg=*/false));
}

llvm::Value *call(llvm::IRBuilderBase &builder, StringRef name,
                  llvm::Type *result, ArrayRef<llvm::Value *> arguments) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(declare(module, name, result, arguments),
                            arguments);
}

/// `void name(ptr module_out, ptr err)`, visible to the host program.
llvm::Function *createHostFunction(llvm::Module &module, StringRef name,
                                   llvm::IRBuilder<> &builder) {
  llvm::Type *ptr = builder.getPtrTy();
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), {ptr, ptr},
                                       /*isVarArg=*/false);
  auto *function = llvm::Function::Create(
      type, llvm::GlobalValue::ExternalLinkage, name, module);
  function->getArg(0)->setName("module_out");
  function->getArg(1)->setName("err");
  builder.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", function));
  return function;
}

/// The object's bytes as a constant; assembly text ends with a zero.
llvm::GlobalVariable *embedObject(llvm::Module &module, gpu::BinaryOp binary,
                                  gpu::ObjectAttr object) {
  bool isText = object.getFormat() == gpu::CompilationTarget::Assembly;
  llvm::Constant *bytes = llvm::ConstantDataArray::getString(
      module.getContext(), object.getObject().getValue(), isText);
  auto *data = new llvm::GlobalVariable(
      module, bytes->getType(), /*isConstant=*/true,
      llvm::GlobalValue::InternalLinkage, bytes, binary.getName() + "_binary");
  data->setAlignment(llvm::MaybeAlign(8));
  if (DictionaryAttr properties = object.getProperties())
    if (auto section = properties.getAs<StringAttr>(gpu::elfSectionName))
      data->setSection(section.getValue());
  return data;
}

LogicalResult embedBinary(Operation *op, llvm::Module &module) {
  auto binary = dyn_cast<gpu::BinaryOp>(op);
  if (!binary)
    return op->emitError("operation must be a GPU binary");
  if (binary.getObjects().empty())
    return op->emitError("expected at least one GPU object");
  for (StringRef name : {StringRef(kInit), StringRef(kLoad)})
    if (module.getNamedValue(name))
      return op->emitError("'")
             << name << "' is defined already; a program can have one "
             << "explicit module";
  auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
  llvm::GlobalVariable *data = embedObject(module, binary, object);
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *ptr = builder.getPtrTy();
  auto *null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  auto *handle = new llvm::GlobalVariable(module, ptr, /*isConstant=*/false,
                                          llvm::GlobalValue::InternalLinkage,
                                          null, getHandleName(binary));

  llvm::Function *init = createHostFunction(module, kInit, builder);
  builder.CreateStore(null, init->getArg(0));
  builder.CreateStore(builder.getInt32(0), init->getArg(1));
  builder.CreateRetVoid();

  llvm::Function *load = createHostFunction(module, kLoad, builder);
  llvm::Value *size = builder.getInt64(object.getObject().getValue().size());
  llvm::Value *loaded;
  if (object.getFormat() == gpu::CompilationTarget::Assembly) {
    int32_t optLevel = 0;
    if (DictionaryAttr properties = object.getProperties())
      if (auto level = properties.getAs<IntegerAttr>("O"))
        optLevel = level.getInt();
    loaded = call(builder, "mgpuModuleLoadJIT", ptr,
                  {data, builder.getInt32(optLevel), size});
  } else {
    loaded = call(builder, "mgpuModuleLoad", ptr, {data, size});
  }
  builder.CreateStore(loaded, handle);
  builder.CreateStore(loaded, load->getArg(0));
  llvm::Value *failed = builder.CreateICmpEQ(loaded, null);
  builder.CreateStore(
      builder.CreateSelect(failed, builder.getInt32(-1), builder.getInt32(0)),
      load->getArg(1));
  builder.CreateRetVoid();
  return success();
}

/// Pointers to copies of the kernel's arguments. Both live in the entry block,
/// so that a launch in a loop does not grow the stack.
llvm::Value *packArguments(gpu::LaunchFuncOp launch,
                           llvm::IRBuilderBase &builder,
                           LLVM::ModuleTranslation &translation) {
  SmallVector<llvm::Value *> values;
  SmallVector<llvm::Type *> types;
  for (Value operand : launch.getKernelOperands()) {
    values.push_back(translation.lookupValue(operand));
    types.push_back(values.back()->getType());
  }
  llvm::BasicBlock &entry =
      builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> start(&entry, entry.begin());
  auto *type = llvm::StructType::get(builder.getContext(), types);
  llvm::Value *copies = start.CreateAlloca(type);
  llvm::Value *pointers =
      start.CreateAlloca(builder.getPtrTy(), builder.getInt64(values.size()));
  for (auto [i, value] : llvm::enumerate(values)) {
    llvm::Value *copy = builder.CreateStructGEP(type, copies, i);
    builder.CreateStore(value, copy);
    builder.CreateStore(
        copy, builder.CreateConstGEP1_64(builder.getPtrTy(), pointers, i));
  }
  return pointers;
}

/// The kernel's name as a string that all its launches share.
llvm::Value *getKernelName(llvm::Module &module, gpu::BinaryOp binary,
                           StringRef kernel) {
  std::string name = (binary.getName() + "_" + kernel + "_name").str();
  if (llvm::GlobalVariable *global = module.getGlobalVariable(name, true))
    return global;
  llvm::Constant *text =
      llvm::ConstantDataArray::getString(module.getContext(), kernel);
  return new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage, text,
                                  name);
}

LogicalResult launchKernel(Operation *launchOp, Operation *binaryOp,
                           llvm::IRBuilderBase &builder,
                           LLVM::ModuleTranslation &translation) {
  auto launch = dyn_cast<gpu::LaunchFuncOp>(launchOp);
  if (!launch)
    return launchOp->emitError("operation must be a GPU launch func Op.");
  auto binary = dyn_cast<gpu::BinaryOp>(binaryOp);
  if (!binary)
    return binaryOp->emitError("operation must be a GPU binary.");
  llvm::Module &module = *translation.getLLVMModule();
  llvm::GlobalVariable *handle =
      module.getGlobalVariable(getHandleName(binary), true);
  if (!handle)
    return launchOp->emitError("Couldn't find the binary: ")
           << getHandleName(binary);

  llvm::Type *ptr = builder.getPtrTy();
  auto *null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::Value *loaded = builder.CreateLoad(ptr, handle);
  SmallVector<llvm::Value *> arguments = {
      call(builder, "mgpuModuleGetFunction", ptr,
           {loaded,
            getKernelName(module, binary, launch.getKernelName().getValue())})};
  auto append = [&](gpu::KernelDim3 sizes) {
    for (Value size : {sizes.x, sizes.y, sizes.z})
      arguments.push_back(builder.CreateSExtOrTrunc(
          translation.lookupValue(size), builder.getInt64Ty()));
  };
  if (launch.hasClusterSize())
    append(launch.getClusterSizeOperandValues());
  append(launch.getGridSizeOperandValues());
  append(launch.getBlockSizeOperandValues());
  Value dynamic = launch.getDynamicSharedMemorySize();
  arguments.push_back(dynamic ? translation.lookupValue(dynamic)
                              : builder.getInt32(0));
  // By convention the host code passes its stream as a dependency.
  Value stream = launch.getAsyncObject();
  if (!stream && !launch.getAsyncDependencies().empty())
    stream = launch.getAsyncDependencies().front();
  arguments.push_back(stream ? translation.lookupValue(stream) : null);
  arguments.push_back(packArguments(launch, builder, translation));
  arguments.push_back(null);
  // Not getNumKernelOperands, which counts the sizes of a cluster.
  arguments.push_back(builder.getInt64(launch.getKernelOperands().size()));
  call(builder,
       launch.hasClusterSize() ? "mgpuLaunchClusterKernel" : "mgpuLaunchKernel",
       builder.getVoidTy(), arguments);
  return success();
}

struct ExplicitModuleTranslation
    : gpu::OffloadingLLVMTranslationAttrInterface::FallbackModel<
          ExplicitModuleTranslation> {
  LogicalResult embedBinary(Attribute, Operation *binary, llvm::IRBuilderBase &,
                            LLVM::ModuleTranslation &translation) const {
    return ::embedBinary(binary, *translation.getLLVMModule());
  }
  LogicalResult launchKernel(Attribute, Operation *launch, Operation *binary,
                             llvm::IRBuilderBase &builder,
                             LLVM::ModuleTranslation &translation) const {
    return ::launchKernel(launch, binary, builder, translation);
  }
};

} // namespace

void fly::registerExplicitModuleModel(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FlyDialect *) {
    ExplicitModuleAttr::attachInterface<ExplicitModuleTranslation>(*context);
  });
}
