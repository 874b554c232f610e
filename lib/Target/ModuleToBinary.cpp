// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-module-to-binary: replaces every gpu.module by a gpu.binary.

#include "Fly/Target/LLVMOptions.h"
#include "Fly/Target/Passes.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYMODULETOBINARYPASS
#include "Fly/Target/Passes.h.inc"

namespace {
struct ModuleToBinary : public impl::FlyModuleToBinaryPassBase<ModuleToBinary> {
  using FlyModuleToBinaryPassBase::FlyModuleToBinaryPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    FlyModuleToBinaryPassBase::getDependentDialects(registry);
    // Code generation translates to LLVM IR, whichever tool runs this pass.
    registerCodeGenTranslations(registry);
    registerCPUTargetModel(registry);
  }

  void runOnOperation() override {
    SerializeOptions options;
    options.format = format;
    options.optLevel = optLevel;
    options.cpu = cpu;
    options.saveTemps = saveTemps;

    llvm::SmallVector<gpu::GPUModuleOp> modules;
    getOperation().walk([&](gpu::GPUModuleOp module) {
      modules.push_back(module);
      return WalkResult::skip();
    });
    if (modules.empty())
      return;
    auto scope =
        LLVMOptionScope::create(llvmOptions, [&](const Twine &message) {
          getOperation().emitError("llvm-options: " + message);
        });
    if (failed(scope))
      return signalPassFailure();
    options.launches = collectLaunches(getOperation());
    bool anyFailed = false;
    for (gpu::GPUModuleOp module : modules) {
      FailureOr<llvm::SmallVector<char, 0>> bytes =
          serializeModule(module, options);
      if (failed(bytes)) {
        anyFailed = true;
        continue;
      }
      Attribute target = module.getTargetsAttr()[0];
      gpu::ObjectAttr object =
          createObjectAttr(module, target, *bytes, options);
      OpBuilder builder(module);
      gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                            module.getOffloadingHandlerAttr(),
                            builder.getArrayAttr({object}));
      module.erase();
    }
    if (anyFailed)
      signalPassFailure();
  }
};
} // namespace
} // namespace fly
