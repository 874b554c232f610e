// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions: pass pipeline, JIT of the host function, calls. Only host code is
// compiled here; kernels are objects inside the module by then.

#include "Fly/Execution/Session.h"
#include "Fly/Execution/HostCall.h"
#include "Fly/Pipelines/Pipelines.h"
#include "fly_runtime.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include <chrono>
#include <mutex>

using namespace mlir;

namespace fly {

static double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

llvm::Error takeRuntimeError() {
  if (flyRuntimeTakeError() == FLY_RUNTIME_OK)
    return llvm::Error::success();
  return llvm::createStringError(flyRuntimeErrorMessage());
}

llvm::Error selectDevice(DeviceKind device) {
  flyRuntimeSelectDevice(device == DeviceKind::CPU ? "cpu" : "hip");
  if (llvm::Error error = takeRuntimeError())
    return error;
  // The first use opens the device library: a missing one is told here.
  flyRuntimeDeviceKind();
  return takeRuntimeError();
}

llvm::Expected<std::unique_ptr<Session>>
Session::create(ModuleOp module, const SessionOptions &options) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });

  std::unique_ptr<Session> session(new Session);
  auto start = std::chrono::steady_clock::now();
  session->assertions = lowerHostAssertions(module);
  PassManager pm(module->getName());
  if (failed(applyPassManagerCLOptions(pm)))
    return llvm::createStringError("wrong pass manager options");
  PipelineOptions pipeline;
  pipeline.chip = options.chip;
  pipeline.optLevel = options.optLevel;
  pipeline.cpu = options.cpu;
  if (options.device == DeviceKind::CPU)
    buildFlyToCpuPipeline(pm, pipeline);
  else
    buildFlyToBinaryPipeline(pm, pipeline);
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
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = makeOptimizingTransformer(
      options.optLevel, /*sizeLevel=*/0, machine->get());
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto engine =
      ExecutionEngine::create(module, engineOptions, std::move(*machine));
  if (!engine)
    return engine.takeError();
  session->engine = std::move(*engine);
  session->engine->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    symbols[interner(kHostAssertionSymbol)] = {
        llvm::orc::ExecutorAddr::fromPtr(hostAssertionFailed),
        llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  // Runs the constructors, which load the kernels' objects.
  session->engine->initialize();
  if (llvm::Error error = takeRuntimeError())
    return std::move(error);
  session->times.jit = millisecondsSince(start);
  return session;
}

Session::~Session() = default;

llvm::Error Session::call(StringRef name, MutableArrayRef<void *> arguments) {
  auto function = engine->lookupPacked(name);
  if (!function)
    return function.takeError();
  if (llvm::Error error =
          callHost(name, *function, arguments.data(), assertions))
    return error;
  return takeRuntimeError();
}

} // namespace fly
