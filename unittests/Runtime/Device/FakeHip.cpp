// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A HIP library for tests: it records its calls with their arguments and
// answers as a device would, or with the error that FAKE_HIP_FAIL names by
// function; the function that FAKE_HIP_SLOW names takes 50 ms. It has one
// device unless FAKE_HIP_DEVICES says otherwise. Each thread has its own
// device, as in HIP.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unistd.h>

#define FAKE_HIP_API extern "C" __attribute__((visibility("default")))

static std::string &callLog() {
  static std::string log;
  return log;
}
static std::mutex logMutex;

template <typename T>
static std::string text(T value) {
  if constexpr (std::is_pointer_v<T>)
    return std::to_string(reinterpret_cast<uintptr_t>(value));
  else
    return std::to_string(value);
}

/// Records a call; returns the error that it shall answer with.
template <typename... Args>
static int record(const char *name, Args... args) {
  std::string line = name;
  ((line += " " + text(args)), ...);
  {
    std::lock_guard<std::mutex> lock(logMutex);
    callLog() += line + "\n";
  }
  const char *slow = std::getenv("FAKE_HIP_SLOW");
  if (slow && std::strcmp(slow, name) == 0)
    usleep(50000);
  const char *failing = std::getenv("FAKE_HIP_FAIL");
  return failing && std::strcmp(failing, name) == 0 ? 719 : 0;
}

/// Handles are small numbers, so that they are readable in the log.
static void *handle(uintptr_t number) {
  return reinterpret_cast<void *>(number);
}

/// The calls since the last call of this function, one a line.
FAKE_HIP_API const char *fakeHipTakeLog() {
  static std::string taken;
  taken.swap(callLog());
  callLog().clear();
  return taken.c_str();
}

FAKE_HIP_API const char *hipGetErrorName(int error) {
  return error == 719 ? "hipErrorLaunchFailure" : nullptr;
}
FAKE_HIP_API int hipGetDeviceCount(int *count) {
  const char *devices = std::getenv("FAKE_HIP_DEVICES");
  *count = devices ? std::atoi(devices) : 1;
  return *count ? 0 : 100;
}
static thread_local int currentDevice = 0;
FAKE_HIP_API int hipSetDevice(int device) {
  int error = record(__func__, device);
  if (!error)
    currentDevice = device;
  return error;
}
FAKE_HIP_API int hipGetDevice(int *device) {
  *device = currentDevice;
  const char *failing = std::getenv("FAKE_HIP_FAIL");
  return failing && std::strcmp(failing, __func__) == 0 ? 719 : 0;
}
/// Modules are 11 on device 0, 111 on device 1 and so on. Records how far the
/// image is from the last page, and its fifth byte, the ELF class.
FAKE_HIP_API int hipModuleLoadData(void **module, const void *image) {
  *module = handle(11 + 100 * currentDevice);
  return record(__func__,
                static_cast<int>(reinterpret_cast<uintptr_t>(image) % 4096),
                static_cast<int>(static_cast<const char *>(image)[4]));
}
FAKE_HIP_API int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, void *function, int blockSize, size_t shared) {
  *blocks = 5;
  return record(__func__, function, blockSize, shared);
}
FAKE_HIP_API int hipModuleUnload(void *module) {
  return record(__func__, module);
}
FAKE_HIP_API int hipModuleGetFunction(void **function, void *module,
                                      const char *name) {
  *function = handle(12 + 100 * currentDevice);
  return record(__func__, module, static_cast<int>(std::strlen(name)));
}
FAKE_HIP_API int hipModuleLaunchKernel(void *function, unsigned gridX,
                                       unsigned gridY, unsigned gridZ,
                                       unsigned blockX, unsigned blockY,
                                       unsigned blockZ, unsigned shared,
                                       void *stream, void **params,
                                       void **extra) {
  return record(__func__, function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                shared, stream, *static_cast<int *>(params[0]), extra);
}
#ifndef FAKE_HIP_WITHOUT_CLUSTERS
FAKE_HIP_API int hipDrvLaunchKernelEx(const void *config, void *function,
                                      void **params, void **extra) {
  // The layout of HIP_LAUNCH_CONFIG: seven words, the stream, the attributes.
  unsigned words[7];
  std::memcpy(words, config, sizeof(words));
  auto *bytes = static_cast<const char *>(config);
  void *stream;
  const char *attribute;
  unsigned count;
  std::memcpy(&stream, bytes + 32, 8);
  std::memcpy(&attribute, bytes + 40, 8);
  // The values of an attribute may be pointers.
  if (reinterpret_cast<uintptr_t>(attribute) % 8 != 0)
    return 1;
  std::memcpy(&count, bytes + 48, 4);
  unsigned id, cluster[3];
  std::memcpy(&id, attribute, 4);
  std::memcpy(cluster, attribute + 8, 12);
  return record(__func__, function, words[0], words[1], words[2], words[3],
                words[4], words[5], words[6], stream, count, id, cluster[0],
                cluster[1], cluster[2], *static_cast<int *>(params[0]), extra);
}
#endif
FAKE_HIP_API int hipStreamCreate(void **stream) {
  *stream = handle(21);
  return record(__func__);
}
FAKE_HIP_API int hipStreamDestroy(void *stream) {
  return record(__func__, stream);
}
FAKE_HIP_API int hipStreamSynchronize(void *stream) {
  return record(__func__, stream);
}
FAKE_HIP_API int hipStreamWaitEvent(void *stream, void *event, unsigned flags) {
  return record(__func__, stream, event, flags);
}
FAKE_HIP_API int hipEventCreateWithFlags(void **event, unsigned flags) {
  *event = handle(31);
  return record(__func__, flags);
}
FAKE_HIP_API int hipEventDestroy(void *event) {
  return record(__func__, event);
}
FAKE_HIP_API int hipEventSynchronize(void *event) {
  return record(__func__, event);
}
FAKE_HIP_API int hipEventRecord(void *event, void *stream) {
  return record(__func__, event, stream);
}
FAKE_HIP_API int hipMalloc(void **ptr, size_t bytes) {
  *ptr = handle(41);
  return record(__func__, bytes);
}
FAKE_HIP_API int hipMallocManaged(void **ptr, size_t bytes, unsigned flags) {
  *ptr = handle(42);
  return record(__func__, bytes, flags);
}
FAKE_HIP_API int hipFree(void *ptr) { return record(__func__, ptr); }
FAKE_HIP_API int hipMemcpyAsync(void *dst, const void *src, size_t bytes,
                                int kind, void *stream) {
  return record(__func__, dst, src, bytes, kind, stream);
}
FAKE_HIP_API int hipMemsetD32Async(void *dst, int value, size_t count,
                                   void *stream) {
  return record(__func__, dst, value, count, stream);
}
FAKE_HIP_API int hipMemsetD16Async(void *dst, unsigned short value,
                                   size_t count, void *stream) {
  return record(__func__, dst, value, count, stream);
}
FAKE_HIP_API int hipHostRegister(void *ptr, size_t bytes, unsigned flags) {
  return record(__func__, ptr, bytes, flags);
}
FAKE_HIP_API int hipHostUnregister(void *ptr) { return record(__func__, ptr); }
FAKE_HIP_API int hipHostGetDevicePointer(void **devicePtr, void *hostPtr,
                                         unsigned flags) {
  *devicePtr = handle(51);
  return record(__func__, hostPtr, flags);
}
