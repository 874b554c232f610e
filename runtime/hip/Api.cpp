// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the HIP library by name and looks its functions up.

#include "Api.h"

#include "../common/Error.h"

#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <string>

using namespace fly::runtime;
using namespace fly::runtime::hip;

namespace {
struct LoadedApi {
  Api api = {};
  /// Why there is no API; empty if there is.
  std::string failure;
};
} // namespace

/// Opens one library; on failure appends its name and the reason to `tried`.
static void *tryOpen(const char *name, std::string &tried) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle)
    return handle;
  const char *reason = dlerror();
  tried += std::string(tried.empty() ? "" : "; ") + "'" + name + "' (" +
           (reason ? reason : "unknown reason") + ")";
  return nullptr;
}

static void *openLibrary(std::string &failure) {
  std::string tried;
  if (const char *name = std::getenv("FLY_HIP_LIBRARY"); name && *name) {
    if (void *handle = tryOpen(name, tried))
      return handle;
    failure =
        "cannot load the HIP library that FLY_HIP_LIBRARY names: " + tried;
    return nullptr;
  }
  for (const char *name : {"libamdhip64.so", "libamdhip64.so.7",
                           "libamdhip64.so.6", "libamdhip64.so.5"})
    if (void *handle = tryOpen(name, tried))
      return handle;
  failure = "cannot load the HIP library; install ROCm or set FLY_HIP_LIBRARY; "
            "tried " +
            tried;
  return nullptr;
}

/// Sets `function` to the symbol `name`; adds the name to `missing` if the
/// library lacks it.
template <typename Fn>
static void find(void *library, const char *name, Fn *&function,
                 std::string &missing) {
  function = reinterpret_cast<Fn *>(dlsym(library, name));
  if (!function)
    missing += std::string(missing.empty() ? "" : ", ") + name;
}

static LoadedApi load() {
  LoadedApi loaded;
  void *library = openLibrary(loaded.failure);
  if (!library)
    return loaded;
  Api &api = loaded.api;
  std::string missing, optional;
  find(library, "hipGetErrorName", api.getErrorName, missing);
  find(library, "hipGetDeviceCount", api.getDeviceCount, missing);
  find(library, "hipSetDevice", api.setDevice, missing);
  find(library, "hipGetDevice", api.getDevice, missing);
  find(library, "hipModuleLoadData", api.moduleLoadData, missing);
  find(library, "hipModuleUnload", api.moduleUnload, missing);
  find(library, "hipModuleGetFunction", api.moduleGetFunction, missing);
  find(library, "hipModuleLaunchKernel", api.moduleLaunchKernel, missing);
  find(library, "hipDrvLaunchKernelEx", api.drvLaunchKernelEx, optional);
  find(library, "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
       api.occupancy, optional);
  find(library, "hipStreamCreate", api.streamCreate, missing);
  find(library, "hipStreamDestroy", api.streamDestroy, missing);
  find(library, "hipStreamSynchronize", api.streamSynchronize, missing);
  find(library, "hipStreamWaitEvent", api.streamWaitEvent, missing);
  find(library, "hipEventCreateWithFlags", api.eventCreateWithFlags, missing);
  find(library, "hipEventDestroy", api.eventDestroy, missing);
  find(library, "hipEventSynchronize", api.eventSynchronize, missing);
  find(library, "hipEventRecord", api.eventRecord, missing);
  find(library, "hipMalloc", api.malloc, missing);
  find(library, "hipMallocManaged", api.mallocManaged, missing);
  find(library, "hipFree", api.free, missing);
  find(library, "hipMemcpyAsync", api.memcpyAsync, missing);
  find(library, "hipMemsetD32Async", api.memsetD32Async, missing);
  find(library, "hipMemsetD16Async", api.memsetD16Async, missing);
  find(library, "hipHostRegister", api.hostRegister, missing);
  find(library, "hipHostUnregister", api.hostUnregister, missing);
  find(library, "hipHostGetDevicePointer", api.hostGetDevicePointer, missing);
  if (!missing.empty())
    loaded.failure = "the HIP library lacks " + missing;
  return loaded;
}

const Api *fly::runtime::hip::getApi(bool report) {
  // The library is never closed: handles into it may outlive any user of ours.
  static std::atomic<const Api *> opened{nullptr};
  if (const Api *api = opened.load(std::memory_order_acquire))
    return api;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (const Api *api = opened.load(std::memory_order_acquire))
    return api;
  // A failure is not kept: the program may name another library.
  LoadedApi loaded = load();
  if (loaded.failure.empty()) {
    opened.store(new Api(loaded.api), std::memory_order_release);
    return opened.load(std::memory_order_acquire);
  }
  if (report)
    reportError(FLY_RUNTIME_ERROR_LIBRARY, loaded.failure);
  return nullptr;
}

bool fly::runtime::hip::check(const Api &api, int error, const char *call) {
  if (error == 0)
    return true;
  const char *name = api.getErrorName(error);
  reportError(error, std::string("'") + call + "' failed with '" +
                         (name ? name : "unknown error") + "' (" +
                         std::to_string(error) + ")");
  return false;
}
