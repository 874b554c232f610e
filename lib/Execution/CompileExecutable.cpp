// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a lowered module to an executable.

#include "Fly/Execution/Executable.h"

#include "Fly/Execution/Session.h"
#include "Fly/Target/ExplicitModule.h"
#include "Fly/Target/Serialize.h"
#include "fly_runtime.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"

#include <dlfcn.h>
#include <link.h>

using namespace mlir;

namespace fly {

/// The path of the library `name`, loading it if it is not; empty if there is
/// none.
static std::string findLibrary(const char *name) {
  void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!handle)
    return {};
  struct link_map *map = nullptr;
  std::string path;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name)
    path = map->l_name;
  dlclose(handle);
  return path;
}

/// The runtime library that this process uses.
static std::string findRuntime() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(&flyRuntimeAbiVersion), &info) &&
      info.dli_fname && llvm::StringRef(info.dli_fname).contains("libfly_"))
    return info.dli_fname;
  return findLibrary("libfly_runtime.so");
}

std::unique_ptr<Executable> compileExecutable(ModuleOp module, int optLevel) {
  if (optLevel < 0 || optLevel > 3) {
    module.emitError() << "optimisation level " << optLevel
                       << " is not between 0 and 3";
    return nullptr;
  }
  if (failed(verifyHostNames(module)))
    return nullptr;
  std::vector<std::string> functions;
  for (Operation &op : *module.getBody()) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      if (!function.isExternal() && !function.isVarArg() &&
          function.getLinkage() == LLVM::Linkage::External)
        functions.push_back(function.getName().str());
      continue;
    }
    if (isa<FunctionOpInterface>(op) || isa<gpu::GPUModuleOp>(op)) {
      op.emitOpError("is not compiled: run fly-to-binary or fly-to-cpu first");
      return nullptr;
    }
  }
  std::string runtime = findRuntime();
  if (runtime.empty()) {
    module.emitError() << "the runtime library libfly_runtime.so is not loaded";
    return nullptr;
  }
  std::vector<std::string> libraries;
  for (const char *name : {"libm.so.6", "libgcc_s.so.1", "libc.so.6"})
    if (std::string path = findLibrary(name); !path.empty())
      libraries.push_back(std::move(path));

  DialectRegistry registry;
  registerCodeGenTranslations(registry);
  gpu::registerOffloadingLLVMTranslationInterfaceExternalModels(registry);
  registerExplicitModuleModel(registry);
  module.getContext()->appendDialectRegistry(registry);
  FailureOr<SmallVector<char, 0>> object =
      serializeHostFunctions(module, optLevel, runtime, libraries);
  if (failed(object))
    return nullptr;
  return Executable::create(StringRef(object->data(), object->size()),
                            functions);
}

} // namespace fly
