// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the HIP library that the device needs, declared here so that
// no HIP header takes part in the build, and the library's loader. Handles are
// opaque; no struct of HIP's is used whose layout belongs to one HIP version,
// the launch configuration excepted, which the cluster launch defines.

#ifndef FLY_RUNTIME_HIP_API_H
#define FLY_RUNTIME_HIP_API_H

#include <cstddef>
#include <cstdint>

namespace fly::runtime::hip {

/// HIP's constants that the calls below use (hip_runtime_api.h).
enum : int { memcpyDefault = 4 };
enum : unsigned {
  eventDisableTiming = 2,
  memAttachGlobal = 1,
  launchAttributeClusterDimension = 4
};

/// One attribute of an extended launch; the value is a union of 64 bytes at
/// offset 8, with pointers in it.
struct alignas(8) LaunchAttribute {
  unsigned id;
  unsigned padding;
  unsigned value[16];
};
static_assert(sizeof(LaunchAttribute) == 72, "hipLaunchAttribute has 72 bytes");

/// The configuration of an extended launch.
struct LaunchExConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedMemBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned attributeCount;
};

/// Addresses of HIP's functions. `drvLaunchKernelEx` is null in releases
/// without clusters, `occupancy` may be null in others; the rest is set.
struct Api {
  const char *(*getErrorName)(int error);
  int (*getDeviceCount)(int *count);
  int (*setDevice)(int device);
  int (*getDevice)(int *device);
  int (*moduleLoadData)(void **module, const void *image);
  int (*moduleUnload)(void *module);
  int (*moduleGetFunction)(void **function, void *module, const char *name);
  int (*moduleLaunchKernel)(void *function, unsigned gridX, unsigned gridY,
                            unsigned gridZ, unsigned blockX, unsigned blockY,
                            unsigned blockZ, unsigned sharedMemBytes,
                            void *stream, void **params, void **extra);
  /// hipModuleOccupancyMaxActiveBlocksPerMultiprocessor
  int (*occupancy)(int *blocks, void *function, int blockSize,
                   size_t dynamicSharedMemBytes);
  int (*drvLaunchKernelEx)(const LaunchExConfig *config, void *function,
                           void **params, void **extra);
  int (*streamCreate)(void **stream);
  int (*streamDestroy)(void *stream);
  int (*streamSynchronize)(void *stream);
  int (*streamWaitEvent)(void *stream, void *event, unsigned flags);
  int (*eventCreateWithFlags)(void **event, unsigned flags);
  int (*eventDestroy)(void *event);
  int (*eventSynchronize)(void *event);
  int (*eventRecord)(void *event, void *stream);
  int (*malloc)(void **ptr, size_t bytes);
  int (*mallocManaged)(void **ptr, size_t bytes, unsigned flags);
  int (*free)(void *ptr);
  int (*memcpyAsync)(void *dst, const void *src, size_t bytes, int kind,
                     void *stream);
  int (*memsetD32Async)(void *dst, int value, size_t count, void *stream);
  int (*memsetD16Async)(void *dst, unsigned short value, size_t count,
                        void *stream);
  int (*hostRegister)(void *ptr, size_t bytes, unsigned flags);
  int (*hostUnregister)(void *ptr);
  int (*hostGetDevicePointer)(void **devicePtr, void *hostPtr, unsigned flags);
};

/// Returns HIP's functions, opening the library if it is not open; null if
/// that failed, and the next call tries again. `report` records the failure,
/// which names the libraries tried, in the calling thread.
const Api *getApi(bool report = true);

/// Records a failure with HIP's name of it when `error`, the result of the
/// HIP function `call`, is not 0. Returns whether it was 0.
bool check(const Api &api, int error, const char *call);

} // namespace fly::runtime::hip

#endif // FLY_RUNTIME_HIP_API_H
