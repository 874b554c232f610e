// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading a CPU object from memory: the checks that keep a foreign or damaged
// file out of the dynamic linker, the load itself, and the hand-over of the
// runtime's function table.

#include "../common/CodeObject.h"
#include "LaneFaults.h"
#include "Scheduler.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace fly;
using namespace fly::cpu;

/// Empty if the bytes are a shared object for this host; else what they are.
static std::string checkBytes(const void *data, size_t size) {
  runtime::CodeObjectInfo info = runtime::inspectCodeObject(data, size);
  if (info.kind != runtime::CodeObjectKind::HostElf)
    return "the CPU device runs CPU objects made for this host, but the object "
           "is " +
           info.description;
  if (!info.defect.empty())
    return info.defect;
  fly_cpu_trailer trailer;
  if (size < sizeof(trailer))
    return "the object is cut off";
  const size_t bytes = size - sizeof(trailer);
  std::memcpy(&trailer, static_cast<const char *>(data) + bytes,
              sizeof(trailer));
  if (trailer.magic != FLY_CPU_TRAILER_MAGIC)
    return "the object is cut off, or was not made by fly-module-to-binary";
  if (trailer.checksum != flyCpuChecksum(data, bytes))
    return "the object is damaged: its checksum does not match";
  return {};
}

/// Empty if the runtime can run what `module` describes.
static std::string checkModule(const fly_cpu_module &module) {
  if (module.magic != FLY_CPU_MAGIC)
    return "wrong magic number in its table";
  if (module.abi_version != FLY_CPU_ABI_VERSION)
    return "ABI version " + std::to_string(module.abi_version) +
           ", this runtime has " + std::to_string(FLY_CPU_ABI_VERSION);
  for (uint32_t k = 0; k < module.num_kernels; ++k) {
    const fly_cpu_kernel &kernel = module.kernels[k];
    if (kernel.wave_size != 32 && kernel.wave_size != 64)
      return std::string("kernel '") + kernel.name + "' has wave size " +
             std::to_string(kernel.wave_size);
    for (uint32_t s = 0; s < kernel.num_sites; ++s)
      if (kernel.sites[s].handler >= FlyCpuHandlerCount)
        return std::string("kernel '") + kernel.name +
               "' uses operation number " +
               std::to_string(kernel.sites[s].handler) +
               ", which this runtime lacks";
  }
  return {};
}

std::unique_ptr<Object> Object::wrap(const fly_cpu_module *module,
                                     std::string &error) {
  if (!module) {
    error = "CPU object: no table";
    return nullptr;
  }
  std::string problem = checkModule(*module);
  if (!problem.empty()) {
    error = "CPU object: " + problem;
    return nullptr;
  }
  std::unique_ptr<Object> object(new Object);
  object->module = module;
  if (module->runtime)
    *module->runtime = &laneRuntime();
  return object;
}

std::unique_ptr<Object> Object::load(const void *data, size_t size,
                                     std::string &error) {
  std::string problem = checkBytes(data, size);
  if (!problem.empty()) {
    error = "CPU object: " + problem;
    return nullptr;
  }
  int file = memfd_create("fly_cpu_object", MFD_CLOEXEC);
  if (file < 0) {
    error = std::string("CPU object: memfd_create: ") + std::strerror(errno);
    return nullptr;
  }
  const char *next = static_cast<const char *>(data);
  for (size_t left = size; left != 0;) {
    ssize_t written = write(file, next, left);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      error = std::string("CPU object: write: ") + std::strerror(errno);
      close(file);
      return nullptr;
    }
    next += written;
    left -= size_t(written);
  }

  // Objects name no library: the C library is there, the mathematical one may
  // not be.
  dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);

  // The dynamic linker recognises a loaded library by its path first, so the
  // descriptor stays open, and with it the path unique, until the unload.
  std::string path = "/proc/self/fd/" + std::to_string(file);
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error = std::string("CPU object: ") + dlerror();
    close(file);
    return nullptr;
  }
  auto *module = static_cast<const fly_cpu_module *>(
      dlsym(library, FLY_CPU_MODULE_SYMBOL));
  std::unique_ptr<Object> object;
  if (module)
    object = wrap(module, error);
  else
    error = "CPU object: no symbol '" FLY_CPU_MODULE_SYMBOL "'";
  if (!object) {
    dlclose(library);
    close(file);
    return nullptr;
  }
  object->library = library;
  object->file = file;
  return object;
}

Object::~Object() {
  if (library)
    dlclose(library);
  if (file >= 0)
    close(file);
}

const fly_cpu_kernel *Object::find(const char *name) const {
  for (uint32_t i = 0; i < module->num_kernels; ++i)
    if (std::strcmp(module->kernels[i].name, name) == 0)
      return &module->kernels[i];
  return nullptr;
}
