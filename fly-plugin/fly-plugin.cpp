// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FlyPlugin.so: Fly's dialects, passes and pipelines for the distribution's
// mlir-opt. `--load-dialect-plugin` alone brings all of them.

#include "Fly/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

#include <mutex>

/// The host may load the plugin for its dialects, for its passes, or twice; a
/// pipeline that is registered twice would end the process.
static void registerPassesOnce() {
  static std::once_flag flag;
  std::call_once(flag, fly::registerFlyPasses);
}

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
    mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Fly", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            fly::registerFlyDialects(*registry);
            registerPassesOnce();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
    mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Fly", LLVM_VERSION_STRING,
          registerPassesOnce};
}
