// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses and opens a device library, once for the process. A failed attempt
// leaves nothing chosen, so that a program can ask for another device.

#include "Backend.h"

#include "../common/Error.h"
#include "../common/ForkMutex.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <string>

using namespace fly::runtime;
using namespace fly::runtime::dispatch;

namespace {
/// The state of the process, guarded by `mutex`.
struct Backend {
  ForkMutex mutex;
  /// What the program asked for; empty if it did not.
  std::string selected;
  /// The library in use; null before the first use.
  void *library = nullptr;
  const char *kind = nullptr;
};

/// A device library that was opened, or the reason why not.
struct OpenedLibrary {
  void *handle = nullptr;
  std::string failure;
};
} // namespace

static Backend &backend() {
  // Never destroyed: destructors of other libraries may still unload modules.
  static Backend *state = new Backend;
  return *state;
}

static bool isKind(const std::string &name) {
  return name == "auto" || name == "hip" || name == "cpu";
}

/// The folder of the device libraries: FLY_RUNTIME_DIR, else this library's.
static std::string libraryFolder() {
  if (const char *folder = std::getenv("FLY_RUNTIME_DIR"); folder && *folder)
    return folder;
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&backend), &info) || !info.dli_fname)
    return ".";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

static OpenedLibrary open(const std::string &kind) {
  OpenedLibrary opened;
  std::string path = libraryFolder() + "/libfly_" + kind + "_runtime.so";
  opened.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened.handle) {
    const char *reason = dlerror();
    opened.failure = "cannot load the " + kind + " runtime '" + path + "' (" +
                     (reason ? reason : "unknown reason") + ")";
    return opened;
  }
  auto *version = reinterpret_cast<int32_t (*)()>(
      dlsym(opened.handle, "flyRuntimeAbiVersion"));
  auto *forwardErrors = reinterpret_cast<decltype(&flyRuntimeForwardErrors)>(
      dlsym(opened.handle, "flyRuntimeForwardErrors"));
  if (version && forwardErrors && version() == FLY_RUNTIME_ABI_VERSION) {
    forwardErrors(&flyRuntimeReportError);
    return opened;
  }
  opened.failure = "the " + kind + " runtime '" + path +
                   "' does not fit this runtime, which has ABI version " +
                   std::to_string(FLY_RUNTIME_ABI_VERSION);
  dlclose(opened.handle);
  opened.handle = nullptr;
  return opened;
}

/// Records a failure if `report` is set.
static void fail(bool report, int32_t code, const std::string &message) {
  if (report)
    reportError(code, message);
}

/// Returns whether a device answers through the HIP runtime library.
static bool hasHipDevice(void *library) {
  auto *count =
      reinterpret_cast<int32_t (*)()>(dlsym(library, "flyRuntimeDeviceCount"));
  return count && count() > 0;
}

static void use(Backend &state, void *library, const char *kind) {
  state.library = library;
  state.kind = kind;
}

/// HIP if a device answers, else the CPU.
static bool openAutomatically(Backend &state, bool report) {
  OpenedLibrary hip = open("hip");
  if (hip.handle && hasHipDevice(hip.handle)) {
    use(state, hip.handle, "hip");
    return true;
  }
  OpenedLibrary cpu = open("cpu");
  if (cpu.handle) {
    use(state, cpu.handle, "cpu");
    return true;
  }
  fail(report, FLY_RUNTIME_ERROR_LIBRARY,
       cpu.failure + ", and no HIP device answers" +
           (hip.handle ? "" : ": " + hip.failure));
  return false;
}

/// Opens the library of the wanted kind, and what it needs, unless one is in
/// use. The caller holds the mutex.
static bool ensureOpen(Backend &state, bool report = true) {
  if (state.library)
    return true;
  std::string wanted = state.selected;
  if (wanted.empty()) {
    const char *variable = std::getenv("FLY_DEVICE");
    wanted = variable && *variable ? variable : "auto";
    if (!isKind(wanted)) {
      fail(report, FLY_RUNTIME_ERROR_INVALID,
           "FLY_DEVICE is '" + wanted + "'; expected 'auto', 'hip' or 'cpu'");
      return false;
    }
  }
  if (wanted == "auto")
    return openAutomatically(state, report);
  OpenedLibrary opened = open(wanted);
  if (!opened.handle) {
    fail(report, FLY_RUNTIME_ERROR_LIBRARY, opened.failure);
    return false;
  }
  // Without the HIP library the program may still choose another device.
  auto *openDevice = reinterpret_cast<decltype(&flyRuntimeOpenDevice)>(
      dlsym(opened.handle, "flyRuntimeOpenDevice"));
  if (!openDevice || openDevice(report) != FLY_RUNTIME_OK)
    return false;
  use(state, opened.handle, wanted == "hip" ? "hip" : "cpu");
  return true;
}

int32_t fly::runtime::dispatch::selectDevice(const char *kind) {
  std::string wanted = kind ? kind : "";
  if (!isKind(wanted)) {
    reportError(FLY_RUNTIME_ERROR_INVALID,
                "device '" + wanted +
                    "' is unknown; expected 'auto', 'hip' or 'cpu'");
    return FLY_RUNTIME_ERROR_INVALID;
  }
  Backend &state = backend();
  std::lock_guard<ForkMutex> lock(state.mutex);
  if (state.library && wanted != "auto" && wanted != state.kind) {
    reportError(FLY_RUNTIME_ERROR_INVALID,
                "device '" + wanted + "' cannot be selected: device '" +
                    state.kind + "' is already in use");
    return FLY_RUNTIME_ERROR_INVALID;
  }
  state.selected = wanted;
  return FLY_RUNTIME_OK;
}

const char *fly::runtime::dispatch::deviceKind() {
  Backend &state = backend();
  std::lock_guard<ForkMutex> lock(state.mutex);
  return ensureOpen(state) ? state.kind : nullptr;
}

void *fly::runtime::dispatch::findEntry(const char *name, bool report) {
  Backend &state = backend();
  std::lock_guard<ForkMutex> lock(state.mutex);
  if (!ensureOpen(state, report))
    return nullptr;
  void *address = dlsym(state.library, name);
  if (!address)
    fail(report, FLY_RUNTIME_ERROR_LIBRARY,
         std::string("the ") + state.kind + " runtime lacks '" + name + "'");
  return address;
}
