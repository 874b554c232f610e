// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the HIP device.

#include "Api.h"

#include "../common/Error.h"
#include "../common/HostMemRef.h"

using namespace fly::runtime;
using namespace fly::runtime::hip;

void *mgpuMemAlloc(uint64_t sizeBytes, void *, bool isHostShared) {
  if (sizeBytes == 0)
    return nullptr;
  const Api *api = getApi();
  if (!api)
    return nullptr;
  void *ptr = nullptr;
  bool ok =
      isHostShared
          ? check(*api, api->mallocManaged(&ptr, sizeBytes, memAttachGlobal),
                  "hipMallocManaged")
          : check(*api, api->malloc(&ptr, sizeBytes), "hipMalloc");
  return ok ? ptr : nullptr;
}

void mgpuMemFree(void *ptr, void *) {
  if (!ptr)
    return;
  if (const Api *api = getApi())
    check(*api, api->free(ptr), "hipFree");
}

void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {
  if (sizeBytes == 0)
    return;
  if (const Api *api = getApi())
    check(*api, api->memcpyAsync(dst, src, sizeBytes, memcpyDefault, stream),
          "hipMemcpyAsync");
}

void mgpuMemset32(void *dst, uint32_t value, size_t count, void *stream) {
  if (count == 0)
    return;
  if (const Api *api = getApi())
    check(*api,
          api->memsetD32Async(dst, static_cast<int>(value), count, stream),
          "hipMemsetD32Async");
}

void mgpuMemset16(void *dst, uint16_t value, size_t count, void *stream) {
  if (count == 0)
    return;
  if (const Api *api = getApi())
    check(*api, api->memsetD16Async(dst, value, count, stream),
          "hipMemsetD16Async");
}

void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes) {
  if (const Api *api = getApi())
    check(*api, api->hostRegister(ptr, sizeBytes, /*flags=*/0),
          "hipHostRegister");
}

void mgpuMemHostUnregister(void *ptr) {
  if (const Api *api = getApi())
    check(*api, api->hostUnregister(ptr), "hipHostUnregister");
}

void mgpuMemHostRegisterMemRef(int64_t rank, FlyMemRefDescriptor *descriptor,
                               int64_t elementSizeBytes) {
  HostBytes bytes;
  if (readHostMemRef(rank, descriptor, elementSizeBytes, bytes) && bytes.size)
    mgpuMemHostRegister(bytes.data, bytes.size);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, FlyMemRefDescriptor *descriptor,
                                 int64_t elementSizeBytes) {
  HostBytes bytes;
  if (readHostMemRef(rank, descriptor, elementSizeBytes, bytes) && bytes.size)
    mgpuMemHostUnregister(bytes.data);
}

/// Returns the descriptor of the device's view of host memory, all zero on
/// failure.
template <typename MemRef, typename Element>
static MemRef deviceMemRef(Element *aligned, int64_t offset, int64_t size,
                           int64_t stride) {
  const Api *api = getApi();
  void *device = nullptr;
  if (!api ||
      !check(*api, api->hostGetDevicePointer(&device, aligned, /*flags=*/0),
             "hipHostGetDevicePointer"))
    return MemRef{};
  auto *ptr = static_cast<Element *>(device);
  return MemRef{ptr, ptr, offset, size, stride};
}

FlyMemRef1dFloat mgpuMemGetDeviceMemRef1dFloat(float *, float *aligned,
                                               int64_t offset, int64_t size,
                                               int64_t stride) {
  return deviceMemRef<FlyMemRef1dFloat>(aligned, offset, size, stride);
}

FlyMemRef1dInt32 mgpuMemGetDeviceMemRef1dInt32(int32_t *, int32_t *aligned,
                                               int64_t offset, int64_t size,
                                               int64_t stride) {
  return deviceMemRef<FlyMemRef1dInt32>(aligned, offset, size, stride);
}
