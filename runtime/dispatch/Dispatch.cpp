// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points of libfly_runtime.so: each forwards to the function of the
// same name in the device library. Errors are kept here, in one place.

#include "Backend.h"

#include "../common/Error.h"

#include <atomic>

using namespace fly::runtime;

namespace {
/// Calls the device library's function that has the signature of `Fn`; its
/// address is looked up once.
/// Without one nothing is called, which `report` records as a failure.
template <auto *Fn, bool report = true>
struct Forward;
template <typename Result, typename... Params, Result (*Fn)(Params...),
          bool report>
struct Forward<Fn, report> {
  static Result call(const char *name, Params... args) {
    static std::atomic<void *> cached{nullptr};
    void *address = cached.load(std::memory_order_acquire);
    if (!address) {
      address = dispatch::findEntry(name, report);
      if (!address)
        return Result();
      cached.store(address, std::memory_order_release);
    }
    return reinterpret_cast<Result (*)(Params...)>(address)(args...);
  }
};
} // namespace

int32_t flyRuntimeSelectDevice(const char *kind) {
  return dispatch::selectDevice(kind);
}

const char *flyRuntimeDeviceKind() { return dispatch::deviceKind(); }

int32_t flyRuntimeDeviceCount() {
  return Forward<flyRuntimeDeviceCount, /*report=*/false>::call(__func__);
}

void mgpuSetDefaultDevice(int32_t device) {
  Forward<mgpuSetDefaultDevice>::call(__func__, device);
}

int32_t flyRuntimeSetSchedule(const char *schedule) {
  if (!dispatch::deviceKind())
    return FLY_RUNTIME_ERROR_LIBRARY;
  return Forward<flyRuntimeSetSchedule>::call(__func__, schedule);
}

int32_t flyRuntimeSetThreads(int32_t threads) {
  if (!dispatch::deviceKind())
    return FLY_RUNTIME_ERROR_LIBRARY;
  return Forward<flyRuntimeSetThreads>::call(__func__, threads);
}

int32_t flyRuntimeBeginInterruptible() {
  if (!dispatch::deviceKind())
    return 0;
  return Forward<flyRuntimeBeginInterruptible>::call(__func__);
}

int32_t flyRuntimeEndInterruptible() {
  return Forward<flyRuntimeEndInterruptible>::call(__func__);
}

void *mgpuModuleLoad(void *data, size_t size) {
  return Forward<mgpuModuleLoad>::call(__func__, data, size);
}

void *mgpuModuleLoadJIT(void *data, int32_t optLevel, size_t size) {
  return Forward<mgpuModuleLoadJIT>::call(__func__, data, optLevel, size);
}

void mgpuModuleUnload(void *module) {
  Forward<mgpuModuleUnload>::call(__func__, module);
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  return Forward<mgpuModuleGetFunction>::call(__func__, module, name);
}

int32_t mgpuModuleOccupancyMaxActiveBlocks(void *data, size_t size,
                                           const char *name, int32_t blockSize,
                                           size_t dynamicLds) {
  if (!dispatch::deviceKind())
    return -1;
  return Forward<mgpuModuleOccupancyMaxActiveBlocks>::call(
      __func__, data, size, name, blockSize, dynamicLds);
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount) {
  Forward<mgpuLaunchKernel>::call(__func__, function, gridX, gridY, gridZ,
                                  blockX, blockY, blockZ, smem, stream, params,
                                  extra, paramsCount);
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t smem, void *stream, void **params,
                             void **extra, size_t paramsCount) {
  Forward<mgpuLaunchClusterKernel>::call(
      __func__, function, clusterX, clusterY, clusterZ, gridX, gridY, gridZ,
      blockX, blockY, blockZ, smem, stream, params, extra, paramsCount);
}

void *mgpuStreamCreate() { return Forward<mgpuStreamCreate>::call(__func__); }

void mgpuStreamDestroy(void *stream) {
  Forward<mgpuStreamDestroy>::call(__func__, stream);
}

void mgpuStreamSynchronize(void *stream) {
  Forward<mgpuStreamSynchronize>::call(__func__, stream);
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  Forward<mgpuStreamWaitEvent>::call(__func__, stream, event);
}

void *mgpuEventCreate() { return Forward<mgpuEventCreate>::call(__func__); }

void mgpuEventDestroy(void *event) {
  Forward<mgpuEventDestroy>::call(__func__, event);
}

void mgpuEventSynchronize(void *event) {
  Forward<mgpuEventSynchronize>::call(__func__, event);
}

void mgpuEventRecord(void *event, void *stream) {
  Forward<mgpuEventRecord>::call(__func__, event, stream);
}

void *mgpuMemAlloc(uint64_t sizeBytes, void *stream, bool isHostShared) {
  return Forward<mgpuMemAlloc>::call(__func__, sizeBytes, stream, isHostShared);
}

void mgpuMemFree(void *ptr, void *stream) {
  Forward<mgpuMemFree>::call(__func__, ptr, stream);
}

void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {
  Forward<mgpuMemcpy>::call(__func__, dst, src, sizeBytes, stream);
}

void mgpuMemset32(void *dst, uint32_t value, size_t count, void *stream) {
  Forward<mgpuMemset32>::call(__func__, dst, value, count, stream);
}

void mgpuMemset16(void *dst, uint16_t value, size_t count, void *stream) {
  Forward<mgpuMemset16>::call(__func__, dst, value, count, stream);
}

void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes) {
  Forward<mgpuMemHostRegister>::call(__func__, ptr, sizeBytes);
}

void mgpuMemHostRegisterMemRef(int64_t rank, FlyMemRefDescriptor *descriptor,
                               int64_t elementSizeBytes) {
  Forward<mgpuMemHostRegisterMemRef>::call(__func__, rank, descriptor,
                                           elementSizeBytes);
}

void mgpuMemHostUnregister(void *ptr) {
  Forward<mgpuMemHostUnregister>::call(__func__, ptr);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, FlyMemRefDescriptor *descriptor,
                                 int64_t elementSizeBytes) {
  Forward<mgpuMemHostUnregisterMemRef>::call(__func__, rank, descriptor,
                                             elementSizeBytes);
}

FlyMemRef1dFloat mgpuMemGetDeviceMemRef1dFloat(float *allocated, float *aligned,
                                               int64_t offset, int64_t size,
                                               int64_t stride) {
  return Forward<mgpuMemGetDeviceMemRef1dFloat>::call(
      __func__, allocated, aligned, offset, size, stride);
}

FlyMemRef1dInt32 mgpuMemGetDeviceMemRef1dInt32(int32_t *allocated,
                                               int32_t *aligned, int64_t offset,
                                               int64_t size, int64_t stride) {
  return Forward<mgpuMemGetDeviceMemRef1dInt32>::call(
      __func__, allocated, aligned, offset, size, stride);
}
