// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects on the CPU device. A module handle is the address of its
// object, a function handle that of its row in the object's table; both are
// looked up before use, so that a stale handle is an error.

#include "Module.h"

#include "../common/Error.h"
#include "../common/ForkMutex.h"

#include <mutex>
#include <string>
#include <unordered_map>

using namespace fly::runtime;

namespace {
struct Registry {
  ForkMutex mutex;
  std::unordered_map<const void *, std::shared_ptr<fly::cpu::Object>> modules;
  std::unordered_map<const void *, std::shared_ptr<fly::cpu::Object>> kernels;
};
} // namespace

static Registry &registry() {
  // Never destroyed: lowered code unloads its modules in global destructors.
  static Registry *state = new Registry;
  return *state;
}

std::shared_ptr<fly::cpu::Object>
fly::cpu::findKernelObject(const void *function) {
  Registry &state = registry();
  std::lock_guard<ForkMutex> lock(state.mutex);
  auto found = state.kernels.find(function);
  return found == state.kernels.end() ? nullptr : found->second;
}

/// Records that `caller` was given a module that is not loaded.
static void reportUnknownModule(const char *caller) {
  reportError(FLY_RUNTIME_ERROR_INVALID,
              std::string(caller) + ": the module is not loaded");
}

void *mgpuModuleLoad(void *data, size_t size) {
  std::string error;
  std::shared_ptr<fly::cpu::Object> object =
      fly::cpu::Object::load(data, size, error);
  if (!object) {
    reportError(FLY_RUNTIME_ERROR_OBJECT, error);
    return nullptr;
  }
  void *handle = object.get();
  Registry &state = registry();
  std::lock_guard<ForkMutex> lock(state.mutex);
  state.modules.emplace(handle, std::move(object));
  return handle;
}

void *mgpuModuleLoadJIT(void *, int32_t, size_t) {
  reportError(FLY_RUNTIME_ERROR_UNSUPPORTED,
              "the CPU device cannot compile assembly text at run time; give "
              "it a CPU object");
  return nullptr;
}

int32_t mgpuModuleOccupancyMaxActiveBlocks(void *, size_t, const char *,
                                           int32_t, size_t) {
  reportError(FLY_RUNTIME_ERROR_UNSUPPORTED,
              "the CPU device has no compute units whose occupancy could be "
              "told; see fly-translate --fly-report");
  return -1;
}

void mgpuModuleUnload(void *module) {
  Registry &state = registry();
  // Destroyed after the lock: unloading a library may take its time.
  std::shared_ptr<fly::cpu::Object> object;
  {
    std::lock_guard<ForkMutex> lock(state.mutex);
    auto found = state.modules.find(module);
    if (found != state.modules.end()) {
      object = std::move(found->second);
      state.modules.erase(found);
      const fly_cpu_module &table = object->table();
      for (uint32_t i = 0; i < table.num_kernels; ++i)
        state.kernels.erase(&table.kernels[i]);
    }
  }
  if (!object)
    reportUnknownModule(__func__);
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  Registry &state = registry();
  std::string missing;
  {
    std::lock_guard<ForkMutex> lock(state.mutex);
    auto found = state.modules.find(module);
    if (found != state.modules.end()) {
      const fly_cpu_kernel *kernel = name ? found->second->find(name) : nullptr;
      if (kernel) {
        state.kernels.emplace(kernel, found->second);
        return const_cast<fly_cpu_kernel *>(kernel);
      }
      missing = std::string("the module has no kernel '") + (name ? name : "") +
                "'; it has";
      const fly_cpu_module &table = found->second->table();
      for (uint32_t i = 0; i < table.num_kernels; ++i)
        missing += std::string(i ? ", '" : " '") + table.kernels[i].name + "'";
      if (table.num_kernels == 0)
        missing += " none";
    }
  }
  if (missing.empty())
    reportUnknownModule(__func__);
  else
    reportError(FLY_RUNTIME_ERROR_NOT_FOUND, missing);
  return nullptr;
}
