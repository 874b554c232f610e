// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects on the HIP device.

#include "Api.h"

#include "../common/CodeObject.h"
#include "../common/Error.h"

#include <string>

using namespace fly::runtime;
using namespace fly::runtime::hip;

void *mgpuModuleLoad(void *data, size_t size) {
  // HIP is given no size and would read past the end of a damaged object.
  CodeObjectInfo info = inspectCodeObject(data, size);
  if (info.kind != CodeObjectKind::AmdgpuElf &&
      info.kind != CodeObjectKind::OffloadBundle) {
    reportError(FLY_RUNTIME_ERROR_OBJECT,
                "the HIP device runs AMDGPU code objects, but the object is " +
                    info.description);
    return nullptr;
  }
  if (!info.defect.empty()) {
    reportError(FLY_RUNTIME_ERROR_OBJECT,
                "the code object is damaged: " + info.defect);
    return nullptr;
  }
  const Api *api = getApi();
  void *module = nullptr;
  if (!api ||
      !check(*api, api->moduleLoadData(&module, data), "hipModuleLoadData"))
    return nullptr;
  return module;
}

void *mgpuModuleLoadJIT(void *, int32_t, size_t) {
  reportError(FLY_RUNTIME_ERROR_UNSUPPORTED,
              "the HIP device cannot compile assembly text at run time; give "
              "it a code object");
  return nullptr;
}

void mgpuModuleUnload(void *module) {
  if (!module) {
    reportError(FLY_RUNTIME_ERROR_INVALID, "mgpuModuleUnload: null module");
    return;
  }
  if (const Api *api = getApi())
    check(*api, api->moduleUnload(module), "hipModuleUnload");
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  if (!module || !name) {
    reportError(FLY_RUNTIME_ERROR_INVALID,
                std::string("mgpuModuleGetFunction: null ") +
                    (module ? "name" : "module"));
    return nullptr;
  }
  const Api *api = getApi();
  void *function = nullptr;
  if (!api ||
      !check(*api, api->moduleGetFunction(&function, module, name),
             ("hipModuleGetFunction for '" + std::string(name) + "'").c_str()))
    return nullptr;
  return function;
}
