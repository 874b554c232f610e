// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's C ABI: what lowered host code calls (the `mgpu*` entry points
// that MLIR's gpu-to-llvm emits) and what a program calls to choose a device
// and to read errors. Three libraries export these same functions:
// libfly_runtime.so picks a device at first use and forwards to one of the
// other two, libfly_hip_runtime.so and libfly_cpu_runtime.so, which can also
// be linked directly. The header compiles as C11 and as C++.
//
// Errors. The `mgpu*` signatures return no status. The first failure of a
// thread is kept, with its text, until the thread takes it; later failures of
// that thread are dropped, since they are usually consequences. A failing
// function that returns a pointer returns null. A null handle where one is
// needed is such a failure, never undefined behaviour; so is, on the CPU, an
// unknown handle (HIP judges its own handles by itself).
//
// Threads. Every function may be called from several threads at once. The
// chosen device kind and the CPU options belong to the process; the pending
// error and the default device number belong to the thread.

#ifndef FLY_RUNTIME_H
#define FLY_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#error "the Fly runtime supports ELF platforms only"
#endif

#define FLY_RUNTIME_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/// Version of this ABI; a change of any signature below raises it.
#define FLY_RUNTIME_ABI_VERSION 1

/// Codes of failures that the runtime itself finds. A failure of a HIP call
/// has HIP's own code, which is below FLY_RUNTIME_ERROR_FIRST.
enum {
  FLY_RUNTIME_OK = 0,
  FLY_RUNTIME_ERROR_FIRST = 10000,
  /// A library, or a symbol in it, was not found.
  FLY_RUNTIME_ERROR_LIBRARY = 10000,
  /// An argument, or the value of an environment variable, is not accepted.
  FLY_RUNTIME_ERROR_INVALID = 10001,
  /// The object given to mgpuModuleLoad cannot run on this device.
  FLY_RUNTIME_ERROR_OBJECT = 10002,
  /// No kernel of that name in the module.
  FLY_RUNTIME_ERROR_NOT_FOUND = 10003,
  /// Memory could not be had.
  FLY_RUNTIME_ERROR_MEMORY = 10004,
  /// A launch call that no device accepts: grid, block, cluster, parameters.
  FLY_RUNTIME_ERROR_LAUNCH = 10005,
  /// The CPU cannot run the kernel with these sizes (largest workgroup, LDS of
  /// the chip), or the kernel did something that has no defined result.
  FLY_RUNTIME_ERROR_FAULT = 10006,
  /// The device has no such operation.
  FLY_RUNTIME_ERROR_UNSUPPORTED = 10007,
  /// An assertion of a host function failed.
  FLY_RUNTIME_ERROR_ASSERTION = 10008,
  /// A launch was stopped by SIGINT (flyRuntimeBeginInterruptible).
  FLY_RUNTIME_ERROR_INTERRUPTED = 10009
};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Returns the code of the calling thread's first failure since the last call
/// and clears it; 0 if there was none.
FLY_RUNTIME_API int32_t flyRuntimeTakeError(void);

/// The name that other runtimes of this ABI have for flyRuntimeTakeError.
FLY_RUNTIME_API int32_t flydslRuntimeTakeError(void);

/// Returns the text of the calling thread's pending failure or, when none is
/// pending, of the failure taken last; "" if there was none. The string lives
/// until the thread's next failure.
FLY_RUNTIME_API const char *flyRuntimeErrorMessage(void);

/// Records a failure of the calling thread, as a failing entry point does:
/// it is dropped if one is pending. `code` must not be 0.
FLY_RUNTIME_API void flyRuntimeReportError(int32_t code, const char *message);

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

/// Chooses the device kind of the process: "hip", "cpu" or "auto" (HIP if a
/// device answers, else the CPU). It overrides the environment variable
/// FLY_DEVICE and must come before the first use of a device; later only the
/// kind in use is accepted, because handles belong to a device. Returns 0, or
/// an error code, which is also recorded. With one of the two device libraries
/// linked directly only that library's kind and "auto" are accepted.
FLY_RUNTIME_API int32_t flyRuntimeSelectDevice(const char *kind);

/// Returns the kind of the device in use, "hip" or "cpu"; choosing it if that
/// has not happened. Null, and a recorded failure, if there is none.
FLY_RUNTIME_API const char *flyRuntimeDeviceKind(void);

/// Number of devices of the kind in use; the CPU counts as one. 0 if no device
/// can be used, or the HIP library answers with an error; records no failure.
FLY_RUNTIME_API int32_t flyRuntimeDeviceCount(void);

/// Makes `device` (from 0) the calling thread's device.
FLY_RUNTIME_API void mgpuSetDefaultDevice(int32_t device);

/// Returns FLY_RUNTIME_ABI_VERSION of the library.
FLY_RUNTIME_API int32_t flyRuntimeAbiVersion(void);

//===----------------------------------------------------------------------===//
// Options of the CPU device
//===----------------------------------------------------------------------===//

/// Sets the order in which the CPU device runs the waves of a workgroup:
/// "in-order", "reverse" or "random:SEED" with a decimal seed. It overrides
/// the environment variable FLY_CPU_SCHEDULE. Returns 0 or an error code,
/// which is also recorded. The HIP device has no such choice and refuses.
FLY_RUNTIME_API int32_t flyRuntimeSetSchedule(const char *schedule);

/// Sets the number of threads that share the workgroups of a launch; 0 means
/// one for each core. It overrides the environment variable FLY_CPU_THREADS.
/// Returns 0 or an error code, which is also recorded. HIP refuses.
FLY_RUNTIME_API int32_t flyRuntimeSetThreads(int32_t threads);

/// From here to flyRuntimeEndInterruptible SIGINT stops the launches of the
/// calling thread on the CPU device, endless loops in lanes too; the handler
/// that the process had for the signal is called as well. A stopped launch
/// records FLY_RUNTIME_ERROR_INTERRUPTED, and so do the later ones up to the
/// end; memory holds what was written before. Returns 1, or 0 if nothing was
/// changed: the process has no handler for SIGINT, another thread is between
/// the two calls, or the device is HIP.
FLY_RUNTIME_API int32_t flyRuntimeBeginInterruptible(void);

/// Ends what flyRuntimeBeginInterruptible began; only after it returned 1, by
/// the same thread. Returns 1 if a SIGINT came in between, else 0.
FLY_RUNTIME_API int32_t flyRuntimeEndInterruptible(void);

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Loads a code object of `size` bytes: an AMDGPU ELF, or an offload bundle
/// of them, for HIP; a host shared object with a `fly_cpu_module` table for
/// the CPU. The bytes need not outlive the call. A module belongs to no device:
/// HIP gets it at once for the calling thread's device, and for each other one
/// when a thread first asks for a kernel there.
FLY_RUNTIME_API void *mgpuModuleLoad(void *data, size_t size);

/// Would compile assembly text at run time. No device supports it: always a
/// failure that says so, and null.
FLY_RUNTIME_API void *mgpuModuleLoadJIT(void *data, int32_t optLevel,
                                        size_t size);

/// Unloads a module, from every device; its functions become unknown handles.
FLY_RUNTIME_API void mgpuModuleUnload(void *module);

/// Returns the kernel `name` of `module` on the calling thread's device.
FLY_RUNTIME_API void *mgpuModuleGetFunction(void *module, const char *name);

/// Returns how many workgroups of `blockSize` lanes with `dynamicLds` bytes of
/// dynamic LDS one compute unit of the thread's device can hold at once of the
/// kernel `name` of a code object, which is loaded for the question only; -1,
/// with a recorded failure, if that cannot be told. The CPU refuses.
FLY_RUNTIME_API int32_t mgpuModuleOccupancyMaxActiveBlocks(void *data,
                                                           size_t size,
                                                           const char *name,
                                                           int32_t blockSize,
                                                           size_t dynamicLds);

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

/// Launches `function` over grid (in workgroups) times block (in lanes).
/// `smem` is the dynamic LDS in bytes; `params[i]` points at parameter i of
/// `paramsCount`; `extra` must be null. On the CPU the kernel has finished
/// when the call returns.
FLY_RUNTIME_API void mgpuLaunchKernel(void *function, intptr_t gridX,
                                      intptr_t gridY, intptr_t gridZ,
                                      intptr_t blockX, intptr_t blockY,
                                      intptr_t blockZ, int32_t smem,
                                      void *stream, void **params, void **extra,
                                      size_t paramsCount);

/// The same with clusters of clusterX * clusterY * clusterZ workgroups. Each
/// cluster size must divide the grid size. A HIP library that cannot launch
/// clusters is a failure unless all three sizes are 1. `paramsCount` is not
/// read: MLIR 22's host code of `#gpu.select_object` does not pass it here.
FLY_RUNTIME_API void
mgpuLaunchClusterKernel(void *function, intptr_t clusterX, intptr_t clusterY,
                        intptr_t clusterZ, intptr_t gridX, intptr_t gridY,
                        intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                        intptr_t blockZ, int32_t smem, void *stream,
                        void **params, void **extra, size_t paramsCount);

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

/// Streams are in order. The null stream is the device's default one. On the
/// CPU every operation has finished when its call returns, so synchronising
/// and waiting return at once.
FLY_RUNTIME_API void *mgpuStreamCreate(void);
FLY_RUNTIME_API void mgpuStreamDestroy(void *stream);
FLY_RUNTIME_API void mgpuStreamSynchronize(void *stream);
FLY_RUNTIME_API void mgpuStreamWaitEvent(void *stream, void *event);

/// Events carry no time.
FLY_RUNTIME_API void *mgpuEventCreate(void);
FLY_RUNTIME_API void mgpuEventDestroy(void *event);
FLY_RUNTIME_API void mgpuEventSynchronize(void *event);
FLY_RUNTIME_API void mgpuEventRecord(void *event, void *stream);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Allocates `sizeBytes` of device memory, aligned to 256 bytes at least,
/// contents undefined. 0 bytes are no failure: null, or an address of no memory,
/// by which the CPU device names the array that an access misses. The stream is
/// not used; `isHostShared` asks for memory that the host can read as well.
FLY_RUNTIME_API void *mgpuMemAlloc(uint64_t sizeBytes, void *stream,
                                   bool isHostShared);

/// Frees what mgpuMemAlloc returned; null is ignored.
FLY_RUNTIME_API void mgpuMemFree(void *ptr, void *stream);

/// Copies between host and device memory in any direction, in stream order.
FLY_RUNTIME_API void mgpuMemcpy(void *dst, void *src, size_t sizeBytes,
                                void *stream);

/// Writes `count` values of 32 or 16 bits.
FLY_RUNTIME_API void mgpuMemset32(void *dst, uint32_t value, size_t count,
                                  void *stream);
FLY_RUNTIME_API void mgpuMemset16(void *dst, uint16_t value, size_t count,
                                  void *stream);

/// The head of MLIR's descriptor of a ranked memref; `rank` sizes and then
/// `rank` strides follow it, as int64_t, in elements.
typedef struct FlyMemRefDescriptor {
  void *allocated;
  void *aligned;
  int64_t offset;
} FlyMemRefDescriptor;

/// Descriptors of rank 1, as returned to lowered code.
typedef struct FlyMemRef1dFloat {
  float *allocated;
  float *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
} FlyMemRef1dFloat;
typedef struct FlyMemRef1dInt32 {
  int32_t *allocated;
  int32_t *aligned;
  int64_t offset;
  int64_t size;
  int64_t stride;
} FlyMemRef1dInt32;

/// Makes host memory known to the device. The memref forms take contiguous
/// row-major memrefs only; anything else is a failure.
FLY_RUNTIME_API void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes);
FLY_RUNTIME_API void mgpuMemHostRegisterMemRef(int64_t rank,
                                               FlyMemRefDescriptor *descriptor,
                                               int64_t elementSizeBytes);
FLY_RUNTIME_API void mgpuMemHostUnregister(void *ptr);
FLY_RUNTIME_API void
mgpuMemHostUnregisterMemRef(int64_t rank, FlyMemRefDescriptor *descriptor,
                            int64_t elementSizeBytes);

/// Returns the descriptor with the device's address of registered host memory.
FLY_RUNTIME_API FlyMemRef1dFloat mgpuMemGetDeviceMemRef1dFloat(float *allocated,
                                                               float *aligned,
                                                               int64_t offset,
                                                               int64_t size,
                                                               int64_t stride);
FLY_RUNTIME_API FlyMemRef1dInt32
mgpuMemGetDeviceMemRef1dInt32(int32_t *allocated, int32_t *aligned,
                              int64_t offset, int64_t size, int64_t stride);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // FLY_RUNTIME_H
