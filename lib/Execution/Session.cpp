// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions: pass pipeline, JIT of the host function, calls. Only host code is
// compiled here; kernels are objects inside the module by then.

#include "Fly/Execution/Session.h"
#include "Fly/Execution/HostCall.h"
#include "Fly/Pipelines/Pipelines.h"
#include "Fly/Target/Guard.h"
#include "fly_runtime.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include <chrono>
#include <functional>
#include <mutex>

using namespace mlir;

namespace fly {

static double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

char RuntimeError::ID = 0;

bool RuntimeError::isKernelFault() const {
  return code == FLY_RUNTIME_ERROR_FAULT;
}

llvm::Error takeRuntimeError() {
  int32_t code = flyRuntimeTakeError();
  if (code == FLY_RUNTIME_OK)
    return llvm::Error::success();
  return llvm::make_error<RuntimeError>(code, flyRuntimeErrorMessage());
}

llvm::Error selectDevice(DeviceKind device) {
  flyRuntimeSelectDevice(device == DeviceKind::CPU ? "cpu" : "hip");
  if (llvm::Error error = takeRuntimeError())
    return error;
  // The first use opens the device library: a missing one is told here.
  flyRuntimeDeviceKind();
  return takeRuntimeError();
}

LogicalResult verifyHostNames(ModuleOp module) {
  bool clean = true;
  module.walk([&](SymbolOpInterface symbol) {
    StringRef name = symbol.getNameAttr() ? symbol.getName() : StringRef();
    if (name.contains('\0')) {
      symbol->emitOpError("has a name with a zero byte, which no linker keeps");
      clean = false;
    }
  });
  // The translation of a launch looks for the binary's symbols by name.
  for (Operation &kernels : *module.getBody()) {
    if (!isa<gpu::GPUModuleOp, gpu::BinaryOp>(kernels))
      continue;
    StringRef name = cast<SymbolOpInterface>(kernels).getName();
    std::string reserved = (name + "_module").str();
    if (Operation *other = module.lookupSymbol(reserved)) {
      other->emitOpError("is called '")
          << reserved << "', which the code of " << kernels.getName() << " '"
          << name << "' needs for itself";
      clean = false;
    }
  }
  for (auto function : module.getOps<FunctionOpInterface>()) {
    StringRef name = function.getName();
    if (function.isExternal() ||
        (!name.starts_with("mgpu") && !name.starts_with("flyRuntime")))
      continue;
    function->emitOpError("is called '")
        << name << "'; names that begin with mgpu or flyRuntime are those of "
        << "the runtime library";
    clean = false;
  }
  return success(clean);
}

llvm::Expected<std::unique_ptr<Session>>
Session::create(ModuleOp module, const SessionOptions &options) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
  if (failed(verifyHostNames(module)))
    return llvm::createStringError("compilation failed");

  std::unique_ptr<Session> session(new Session);
  auto start = std::chrono::steady_clock::now();
  PassManager pm(module->getName());
  if (failed(applyPassManagerCLOptions(pm)))
    return llvm::createStringError("wrong pass manager options");
  PipelineOptions pipeline;
  pipeline.copyOptionValuesFrom(options.pipeline);
  bool isCPU = options.device == DeviceKind::CPU;
  // Who asks for checks wants to see them fail.
  if (!isCPU && pipeline.runtimeChecks)
    pipeline.trapOnAssert = true;
  std::string unused;
  if (failed(buildPipeline(pm, isCPU ? "fly-to-cpu" : "fly-to-binary", pipeline,
                           [&](const Twine &message) {
                             unused = message.str();
                             return failure();
                           })))
    return llvm::createStringError(unused);
  if (failed(pm.run(module)))
    return llvm::createStringError("compilation failed");
  session->times.compile = millisecondsSince(start);

  start = std::chrono::steady_clock::now();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  unsigned hostLevel = pipeline.optLevel < 0 ? 2 : pipeline.optLevel;
  ExecutionEngineOptions engineOptions;
  // The options only refer to it.
  std::function<llvm::Error(llvm::Module *)> optimize =
      makeOptimizingTransformer(hostLevel, /*sizeLevel=*/0,
                                machine->get());
  engineOptions.transformer = optimize;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  // LLVM's own handler of errors would end the process.
  auto translate = [&](Operation *op, llvm::LLVMContext &context) {
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *text) {
          if (info->getSeverity() != llvm::DS_Error)
            return;
          llvm::raw_string_ostream os(*static_cast<std::string *>(text));
          llvm::DiagnosticPrinterRawOStream printer(os);
          info->print(printer);
        },
        &session->codeError, /*RespectFilters=*/true);
    return translateModuleToLLVMIR(op, context);
  };
  engineOptions.llvmModuleBuilder = translate;
  llvm::Error engineError = session->guard([&]() -> llvm::Error {
    auto engine =
        ExecutionEngine::create(module, engineOptions, std::move(*machine));
    if (!engine)
      return engine.takeError();
    session->engine = std::move(*engine);
    // Runs the constructors, which load the kernels' objects.
    session->engine->initialize();
    return llvm::Error::success();
  });
  if (engineError)
    return std::move(engineError);
  if (llvm::Error error = takeRuntimeError())
    return std::move(error);
  session->times.jit = millisecondsSince(start);
  return session;
}

Session::~Session() = default;

llvm::Error Session::guard(llvm::function_ref<llvm::Error()> work) {
  llvm::Error error = llvm::Error::success();
  std::optional<std::string> fatal = runGuarded([&] {
    if (llvm::Error problem = work())
      error = llvm::joinErrors(std::move(error), std::move(problem));
  });
  if (fatal) {
    // The engine stopped half way: it can be neither used nor destroyed.
    (void)engine.release();
    codeError = StringRef(*fatal).split('\n').first.str();
  }
  if (codeError.empty())
    return error;
  llvm::consumeError(std::move(error));
  return llvm::createStringError("host code: " + codeError);
}

llvm::Error Session::call(StringRef name, MutableArrayRef<void *> arguments) {
  void (*function)(void **) = nullptr;
  llvm::Error lookupError = guard([&]() -> llvm::Error {
    auto found = engine->lookupPacked(name);
    if (!found)
      return found.takeError();
    function = *found;
    return llvm::Error::success();
  });
  if (lookupError)
    return lookupError;
  llvm::Error trap = callHost(name, function, arguments.data());
  // What was recorded came first: a failed assertion may lead to the trap.
  llvm::Error recorded = takeRuntimeError();
  if (!trap)
    return recorded;
  if (!recorded)
    return trap;
  llvm::consumeError(std::move(trap));
  return llvm::make_error<HostTrap>(llvm::toString(std::move(recorded)));
}

} // namespace fly
