// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the CPU device, which is the host's: arrays, copies and fills.

#include "Arrays.h"
#include "Stream.h"

#include "../common/ByteCount.h"
#include "../common/Error.h"
#include "../common/ForkMutex.h"
#include "../common/HostMemRef.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_set>

using namespace fly::runtime;

namespace {
/// Addresses made known by mgpuMemHostRegister.
struct AddressSet {
  ForkMutex mutex;
  std::unordered_set<const void *> addresses;

  bool insert(const void *address) {
    std::lock_guard<ForkMutex> lock(mutex);
    return addresses.insert(address).second;
  }
  bool erase(const void *address) {
    std::lock_guard<ForkMutex> lock(mutex);
    return addresses.erase(address) != 0;
  }
};
} // namespace

static AddressSet &registrations() {
  static AddressSet *set = new AddressSet;
  return *set;
}

static void refuse(const char *caller, const char *problem) {
  reportError(FLY_RUNTIME_ERROR_INVALID, std::string(caller) + ": " + problem);
}

void *mgpuMemAlloc(uint64_t sizeBytes, void *stream, bool) {
  if (!fly::cpu::checkStream(stream, __func__))
    return nullptr;
  void *address = fly::cpu::allocateArray(sizeBytes);
  if (!address)
    reportError(FLY_RUNTIME_ERROR_MEMORY,
                "cannot allocate " + byteCount(sizeBytes));
  return address;
}

void mgpuMemFree(void *ptr, void *stream) {
  if (!ptr || !fly::cpu::checkStream(stream, __func__))
    return;
  if (!fly::cpu::freeArray(ptr))
    refuse(__func__, "the address was not allocated here or is freed already");
}

void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {
  if (sizeBytes == 0 || !fly::cpu::checkStream(stream, __func__))
    return;
  if (!dst || !src) {
    refuse(__func__, dst ? "null source" : "null destination");
    return;
  }
  std::memmove(dst, src, sizeBytes);
}

/// Writes `count` values; their address need not be aligned.
template <typename T>
static void fill(void *dst, T value, size_t count, void *stream,
                 const char *caller) {
  if (count == 0 || !fly::cpu::checkStream(stream, caller))
    return;
  if (!dst || count > PTRDIFF_MAX / sizeof(T)) {
    refuse(caller, dst ? "the size overflows" : "null destination");
    return;
  }
  auto *bytes = static_cast<unsigned char *>(dst);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
}

void mgpuMemset32(void *dst, uint32_t value, size_t count, void *stream) {
  fill(dst, value, count, stream, __func__);
}

void mgpuMemset16(void *dst, uint16_t value, size_t count, void *stream) {
  fill(dst, value, count, stream, __func__);
}

void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes) {
  if (!ptr || sizeBytes == 0) {
    refuse(__func__, ptr ? "no bytes" : "null address");
    return;
  }
  if (!registrations().insert(ptr))
    refuse(__func__, "the address is registered already");
}

void mgpuMemHostUnregister(void *ptr) {
  if (!registrations().erase(ptr))
    refuse(__func__, "the address is not registered");
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

FlyMemRef1dFloat mgpuMemGetDeviceMemRef1dFloat(float *allocated, float *aligned,
                                               int64_t offset, int64_t size,
                                               int64_t stride) {
  return FlyMemRef1dFloat{allocated, aligned, offset, size, stride};
}

FlyMemRef1dInt32 mgpuMemGetDeviceMemRef1dInt32(int32_t *allocated,
                                               int32_t *aligned, int64_t offset,
                                               int64_t size, int64_t stride) {
  return FlyMemRef1dInt32{allocated, aligned, offset, size, stride};
}
