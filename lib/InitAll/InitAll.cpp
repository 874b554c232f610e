// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of dialects, models and passes that tools, the plugin and the C
// API register.

#include "Fly/InitAll.h"

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"
#include "Fly/Conversion/FlyToROCDL/Passes.h"
#include "Fly/Conversion/ROCDLToHost/Passes.h"
#include "Fly/Dialect/Fly/IR/FlyDialect.h"
#include "Fly/Dialect/Fly/Transforms/Passes.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"
#include "Fly/Pipelines/Pipelines.h"
#include "Fly/Target/ExplicitModule.h"
#include "Fly/Target/Passes.h"
#include "Fly/Target/Serialize.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

void fly::registerFlyDialects(mlir::DialectRegistry &registry) {
  registry.insert<FlyDialect, rocdl::FlyROCDLDialect>();
  registerFlyToLLVMModels(registry);
  registerFlyToROCDLModels(registry);
  registerCPUTargetModel(registry);
  registerExplicitModuleModel(registry);
}

void fly::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registerFlyDialects(registry);
}

void fly::registerFlyPasses() {
  registerFlyTransformsPasses();
  registerFlyToROCDLPasses();
  registerFlyROCDLToHostPasses();
  registerFlyTargetPasses();
  registerFlyPipelines();
}

void fly::registerAllPasses() {
  mlir::registerAllPasses();
  registerFlyPasses();
}

void fly::setVersionPrinter() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "Fly " FLY_VERSION " on LLVM and MLIR " LLVM_VERSION_STRING "\n";
  });
}
