// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code objects on the HIP devices. One handle of ours stands for a code object
// on all of them: HIP's modules belong to a device each.

#include "Api.h"

#include "../common/CodeObject.h"
#include "../common/Error.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>

using namespace fly::runtime;
using namespace fly::runtime::hip;

namespace {
/// A copy of a code object, aligned as HIP's loaders map one: to a page.
class Image {
public:
  Image(const void *data, size_t size)
      : bytes(std::aligned_alloc(page, (size + page - 1) / page * page),
              std::free) {
    if (bytes)
      std::memcpy(bytes.get(), data, size);
  }
  const void *get() const { return bytes.get(); }

private:
  static constexpr size_t page = 4096;
  std::unique_ptr<void, void (*)(void *)> bytes;
};

/// One code object on one device.
struct DeviceModule {
  void *module = nullptr;
  std::map<std::string, void *> functions;
};

/// One code object.
struct Module {
  explicit Module(Image image) : image(std::move(image)) {}

  std::mutex mutex;
  Image image;
  std::map<int, DeviceModule> devices;
  /// Set under the lock: a thread may have found the module before another one
  /// unloaded it.
  bool unloaded = false;
};

/// The modules that are loaded. The handle is the address of the module.
struct Registry {
  std::mutex mutex;
  std::map<void *, std::shared_ptr<Module>> modules;
};
} // namespace

/// Lives for ever: code that unloads its module may run at the very end.
static Registry &registry() {
  static Registry *instance = new Registry;
  return *instance;
}

static void reportUnloaded(const char *caller) {
  reportError(FLY_RUNTIME_ERROR_INVALID,
              std::string(caller) + ": the module is not loaded");
}

/// The module of `handle`; null, with a failure of `caller`, if there is none.
static std::shared_ptr<Module> lookup(void *handle, const char *caller) {
  Registry &state = registry();
  std::lock_guard<std::mutex> lock(state.mutex);
  auto found = state.modules.find(handle);
  if (found != state.modules.end())
    return found->second;
  if (handle)
    reportUnloaded(caller);
  else
    reportError(FLY_RUNTIME_ERROR_INVALID,
                std::string(caller) + ": null module");
  return nullptr;
}

/// Checks a code object: HIP is given no size and would read past the end of a
/// damaged one. Returns HIP's functions, or null with a recorded failure.
static const Api *acceptObject(const void *data, size_t size) {
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
  return getApi();
}

/// The module on the thread's device, loaded if it is not there yet. Null, with
/// a recorded failure, if that fails. Needs the module's lock.
static DeviceModule *onDevice(const Api &api, Module &module) {
  int device = 0;
  if (!check(api, api.getDevice(&device), "hipGetDevice"))
    return nullptr;
  DeviceModule &loaded = module.devices[device];
  if (!loaded.module &&
      !check(api, api.moduleLoadData(&loaded.module, module.image.get()),
             "hipModuleLoadData")) {
    module.devices.erase(device);
    return nullptr;
  }
  return &loaded;
}

static bool getFunction(const Api &api, void *module, const char *name,
                        void *&function) {
  return check(
      api, api.moduleGetFunction(&function, module, name),
      ("hipModuleGetFunction for '" + std::string(name) + "'").c_str());
}

void *mgpuModuleLoad(void *data, size_t size) {
  const Api *api = acceptObject(data, size);
  if (!api)
    return nullptr;
  Image image(data, size);
  if (!image.get()) {
    reportError(FLY_RUNTIME_ERROR_MEMORY,
                "no memory for a copy of the code object, " +
                    std::to_string(size) + " bytes");
    return nullptr;
  }
  auto module = std::make_shared<Module>(std::move(image));
  if (!onDevice(*api, *module))
    return nullptr;
  void *handle = module.get();
  Registry &state = registry();
  std::lock_guard<std::mutex> lock(state.mutex);
  state.modules.emplace(handle, std::move(module));
  return handle;
}

void *mgpuModuleLoadJIT(void *, int32_t, size_t) {
  reportError(FLY_RUNTIME_ERROR_UNSUPPORTED,
              "the HIP device cannot compile assembly text at run time; give "
              "it a code object");
  return nullptr;
}

void mgpuModuleUnload(void *handle) {
  std::shared_ptr<Module> module = lookup(handle, __func__);
  if (!module)
    return;
  {
    Registry &state = registry();
    std::lock_guard<std::mutex> lock(state.mutex);
    // Another thread may have been faster.
    if (state.modules.erase(handle) == 0) {
      reportUnloaded(__func__);
      return;
    }
  }
  const Api *api = getApi();
  std::lock_guard<std::mutex> lock(module->mutex);
  module->unloaded = true;
  int current = 0;
  if (!api || !check(*api, api->getDevice(&current), "hipGetDevice"))
    return;
  int selected = current;
  for (auto &[device, loaded] : module->devices) {
    if (device != selected &&
        !check(*api, api->setDevice(device), "hipSetDevice"))
      continue;
    selected = device;
    check(*api, api->moduleUnload(loaded.module), "hipModuleUnload");
  }
  if (selected != current)
    check(*api, api->setDevice(current), "hipSetDevice");
}

void *mgpuModuleGetFunction(void *handle, const char *name) {
  if (handle && !name) {
    reportError(FLY_RUNTIME_ERROR_INVALID, "mgpuModuleGetFunction: null name");
    return nullptr;
  }
  std::shared_ptr<Module> module = lookup(handle, __func__);
  const Api *api = module ? getApi() : nullptr;
  if (!api)
    return nullptr;
  std::lock_guard<std::mutex> lock(module->mutex);
  if (module->unloaded) {
    reportUnloaded(__func__);
    return nullptr;
  }
  DeviceModule *loaded = onDevice(*api, *module);
  if (!loaded)
    return nullptr;
  // Host code asks before every launch.
  auto found = loaded->functions.find(name);
  if (found != loaded->functions.end())
    return found->second;
  void *function = nullptr;
  if (!getFunction(*api, loaded->module, name, function))
    return nullptr;
  loaded->functions.emplace(name, function);
  return function;
}

int32_t mgpuModuleOccupancyMaxActiveBlocks(void *data, size_t size,
                                           const char *name, int32_t blockSize,
                                           size_t dynamicLds) {
  if (!name || blockSize < 1) {
    reportError(FLY_RUNTIME_ERROR_INVALID,
                name ? "mgpuModuleOccupancyMaxActiveBlocks: workgroups of " +
                           std::to_string(blockSize) + " lanes"
                     : "mgpuModuleOccupancyMaxActiveBlocks: null name");
    return -1;
  }
  const Api *api = acceptObject(data, size);
  if (!api)
    return -1;
  if (!api->occupancy) {
    reportError(FLY_RUNTIME_ERROR_UNSUPPORTED,
                "the HIP library has no "
                "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor");
    return -1;
  }
  Image image(data, size);
  void *module = nullptr, *function = nullptr;
  if (!image.get()) {
    reportError(FLY_RUNTIME_ERROR_MEMORY, "no memory for the code object");
    return -1;
  }
  if (!check(*api, api->moduleLoadData(&module, image.get()),
             "hipModuleLoadData"))
    return -1;
  int blocks = -1;
  if (getFunction(*api, module, name, function) &&
      !check(*api, api->occupancy(&blocks, function, blockSize, dynamicLds),
             "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor"))
    blocks = -1;
  check(*api, api->moduleUnload(module), "hipModuleUnload");
  return blocks;
}
