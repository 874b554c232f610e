// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU device: memory, streams, modules and launches of an object written by
// hand, and every refusal of a wrong handle or size.

#include "fly_cpu_abi.h"
#include "fly_runtime.h"

#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <thread>
#include <vector>

/// The pending failure as "code: text", taken; "0: " if there is none.
static std::string takeFailure() {
  std::string text = flyRuntimeErrorMessage();
  int32_t code = flyRuntimeTakeError();
  return std::to_string(code) + ": " + (code ? text : "");
}

/// The object of a compiler, finished as fly-module-to-binary does.
static std::vector<char> readObject(const char *path) {
  std::ifstream stream(path, std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(stream), {});
  fly_cpu_trailer trailer = {FLY_CPU_TRAILER_MAGIC,
                             flyCpuChecksum(bytes.data(), bytes.size())};
  auto *raw = reinterpret_cast<const char *>(&trailer);
  bytes.insert(bytes.end(), raw, raw + sizeof(trailer));
  return bytes;
}

TEST(CpuDevice, IsOneDevice) {
  EXPECT_STREQ(flyRuntimeDeviceKind(), "cpu");
  EXPECT_EQ(flyRuntimeDeviceCount(), 1);
  mgpuSetDefaultDevice(0);
  EXPECT_EQ(takeFailure(), "0: ");
  mgpuSetDefaultDevice(1);
  EXPECT_EQ(takeFailure(),
            "10001: device number 1 does not exist: the CPU has number 0 only");
  EXPECT_EQ(flyRuntimeSelectDevice("hip"), FLY_RUNTIME_ERROR_INVALID);
  EXPECT_EQ(takeFailure(), "10001: device 'hip' cannot be selected: this is "
                           "the CPU runtime library, which serves 'cpu' and "
                           "'auto'");
}

TEST(CpuDevice, Options) {
  EXPECT_EQ(flyRuntimeSetSchedule("random:42"), 0);
  EXPECT_EQ(flyRuntimeSetSchedule("in-order"), 0);
  EXPECT_EQ(takeFailure(), "0: ");
  EXPECT_EQ(flyRuntimeSetSchedule("sideways"), FLY_RUNTIME_ERROR_INVALID);
  EXPECT_NE(takeFailure().find("sideways"), std::string::npos);
  EXPECT_EQ(flyRuntimeSetSchedule(nullptr), FLY_RUNTIME_ERROR_INVALID);
  EXPECT_NE(flyRuntimeTakeError(), 0);
  EXPECT_EQ(flyRuntimeSetThreads(2), 0);
  EXPECT_EQ(flyRuntimeSetThreads(-1), FLY_RUNTIME_ERROR_INVALID);
  EXPECT_EQ(takeFailure(), "10001: thread count -1 is negative; 0 means one "
                           "for each core");
  EXPECT_EQ(flyRuntimeSetThreads(0), 0);
}

TEST(CpuMemory, AllocateCopyFillFree) {
  auto *words = static_cast<uint32_t *>(mgpuMemAlloc(100, nullptr, false));
  auto *other = static_cast<uint32_t *>(mgpuMemAlloc(100, nullptr, true));
  ASSERT_NE(words, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(words) % 256, 0u);
  mgpuMemset32(words, 0x01020304, 25, nullptr);
  mgpuMemset16(reinterpret_cast<uint16_t *>(words) + 3, 0xabcd, 2, nullptr);
  EXPECT_EQ(words[0], 0x01020304u);
  EXPECT_EQ(words[1], 0xabcd0304u);
  EXPECT_EQ(words[2], 0x0102abcdu);
  EXPECT_EQ(words[24], 0x01020304u);
  mgpuMemcpy(other, words, 100, nullptr);
  EXPECT_EQ(other[1], 0xabcd0304u);
  // No bytes have an address, too, by which a fault finds their array.
  void *empty = mgpuMemAlloc(0, nullptr, false);
  EXPECT_NE(empty, nullptr);
  mgpuMemFree(empty, nullptr);
  mgpuMemFree(nullptr, nullptr);
  mgpuMemFree(other, nullptr);
  mgpuMemFree(words, nullptr);
  EXPECT_EQ(takeFailure(), "0: ");
}

TEST(CpuMemory, Refusals) {
  int local = 0;
  mgpuMemFree(&local, nullptr);
  EXPECT_EQ(takeFailure(), "10001: mgpuMemFree: the address was not allocated "
                           "here or is freed already");
  EXPECT_EQ(mgpuMemAlloc(UINT64_MAX, nullptr, false), nullptr);
  EXPECT_EQ(takeFailure(), "10004: cannot allocate 18446744073709551615 bytes");
  mgpuMemcpy(nullptr, &local, 4, nullptr);
  EXPECT_EQ(takeFailure(), "10001: mgpuMemcpy: null destination");
  mgpuMemcpy(&local, nullptr, 4, nullptr);
  EXPECT_EQ(takeFailure(), "10001: mgpuMemcpy: null source");
  mgpuMemset32(nullptr, 1, 1, nullptr);
  EXPECT_EQ(takeFailure(), "10001: mgpuMemset32: null destination");
  mgpuMemset16(&local, 1, SIZE_MAX, nullptr);
  EXPECT_EQ(takeFailure(), "10001: mgpuMemset16: the size overflows");
  EXPECT_EQ(mgpuMemAlloc(4, &local, false), nullptr);
  EXPECT_EQ(takeFailure(), "10001: mgpuMemAlloc: unknown stream");
}

TEST(CpuMemory, HostRegistration) {
  struct {
    FlyMemRefDescriptor head;
    int64_t size, stride;
  } memref;
  float data[8] = {};
  memref = {{data, data, 0}, 8, 1};
  mgpuMemHostRegisterMemRef(1, &memref.head, 4);
  EXPECT_EQ(takeFailure(), "0: ");
  mgpuMemHostRegister(data, 4);
  EXPECT_EQ(takeFailure(),
            "10001: mgpuMemHostRegister: the address is registered already");
  FlyMemRef1dFloat view = mgpuMemGetDeviceMemRef1dFloat(data, data, 2, 3, 1);
  EXPECT_EQ(view.aligned, data);
  EXPECT_EQ(view.offset, 2);
  EXPECT_EQ(view.size, 3);
  mgpuMemHostUnregisterMemRef(1, &memref.head, 4);
  mgpuMemHostUnregister(data);
  EXPECT_EQ(takeFailure(),
            "10001: mgpuMemHostUnregister: the address is not registered");
}

TEST(CpuStream, HandlesAreChecked) {
  void *stream = mgpuStreamCreate();
  void *event = mgpuEventCreate();
  ASSERT_NE(stream, nullptr);
  ASSERT_NE(event, nullptr);
  mgpuEventRecord(event, stream);
  mgpuStreamWaitEvent(nullptr, event);
  mgpuEventSynchronize(event);
  mgpuStreamSynchronize(stream);
  mgpuStreamSynchronize(nullptr);
  EXPECT_EQ(takeFailure(), "0: ");
  mgpuEventRecord(stream, stream);
  EXPECT_EQ(takeFailure(), "10001: mgpuEventRecord: unknown event");
  mgpuStreamDestroy(stream);
  mgpuEventDestroy(event);
  EXPECT_EQ(takeFailure(), "0: ");
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(takeFailure(), "10001: mgpuStreamSynchronize: unknown stream");
  mgpuEventDestroy(event);
  EXPECT_EQ(takeFailure(), "10001: mgpuEventDestroy: unknown event");
}

TEST(CpuModule, LoadsAndLaunches) {
  std::vector<char> bytes = readObject(FLY_CPU_OBJECT);
  ASSERT_FALSE(bytes.empty());
  void *module = mgpuModuleLoad(bytes.data(), bytes.size());
  ASSERT_NE(module, nullptr) << flyRuntimeErrorMessage();
  bytes.assign(bytes.size(), 0); // the bytes need not outlive the call
  void *function = mgpuModuleGetFunction(module, "mark");
  ASSERT_NE(function, nullptr) << flyRuntimeErrorMessage();
  auto *out =
      static_cast<float *>(mgpuMemAlloc(300 * sizeof(float), nullptr, false));
  mgpuMemset32(out, 0, 300, nullptr);
  signed char step = -3;
  short count = 1000;
  void *params[] = {&out, &step, &count};
  mgpuLaunchKernel(function, 2, 1, 1, 100, 1, 1, 0, nullptr, params, nullptr,
                   3);
  EXPECT_EQ(takeFailure(), "0: ");
  for (int i = 0; i < 300; ++i)
    EXPECT_EQ(out[i], i < 200 ? 997.0f : 0.0f) << i;
  // A cluster of one workgroup makes no difference.
  count = 1;
  mgpuLaunchClusterKernel(function, 1, 1, 1, 3, 1, 1, 100, 1, 1, 0, nullptr,
                          params, nullptr, 3);
  EXPECT_EQ(takeFailure(), "0: ");
  EXPECT_EQ(out[299], -2.0f);
  // Callers that follow MLIR pass no number of parameters with a cluster.
  step = 5;
  mgpuLaunchClusterKernel(function, 1, 1, 1, 3, 1, 1, 100, 1, 1, 0, nullptr,
                          params, nullptr, 12345);
  EXPECT_EQ(takeFailure(), "0: ");
  // DIFF: cluster-launch
  mgpuLaunchClusterKernel(function, 3, 1, 1, 3, 1, 1, 100, 1, 1, 0, nullptr,
                          params, nullptr, 3);
  EXPECT_EQ(
      takeFailure(),
      "10006: launch of kernel 'mark': cluster (3, 1, 1) "
      "on gfx942, which has no clusters of workgroups");

  mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr, 2);
  EXPECT_EQ(takeFailure(),
            "10005: kernel.mlir:1:1: the kernel has 3 parameters, but the "
            "launch gives 2 (kernel 'mark')");
  mgpuLaunchKernel(function, 0, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr, 3);
  EXPECT_EQ(takeFailure(),
            "10005: kernel.mlir:1:1: grid size 0x1x1 is not launchable: "
            "each dimension must be in [1, 2147483647] (kernel "
            "'mark')");
  mgpuLaunchKernel(function, 1, 1, 1, 257, 1, 1, 0, nullptr, params, nullptr,
                   3);
  EXPECT_NE(takeFailure().find("256"), std::string::npos) << "max_workgroup";
  mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 65537, nullptr, params, nullptr,
                   3);
  EXPECT_NE(takeFailure().find("65536"), std::string::npos) << "LDS capacity";
  mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, out, params, nullptr, 3);
  EXPECT_EQ(takeFailure(), "10001: mgpuLaunchKernel: unknown stream");
  mgpuLaunchKernel(out, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr, 3);
  EXPECT_EQ(takeFailure(), "10005: the launch has an unknown kernel");

  EXPECT_EQ(mgpuModuleGetFunction(module, "other"), nullptr);
  EXPECT_EQ(takeFailure(),
            "10003: the module has no kernel 'other'; it has 'mark'");
  EXPECT_EQ(mgpuModuleGetFunction(module, nullptr), nullptr);
  EXPECT_EQ(takeFailure(), "10003: the module has no kernel ''; it has 'mark'");
  mgpuModuleUnload(module);
  EXPECT_EQ(takeFailure(), "0: ");
  mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr, 3);
  EXPECT_EQ(takeFailure(), "10005: the launch has an unknown kernel");
  mgpuModuleUnload(module);
  EXPECT_EQ(takeFailure(), "10001: mgpuModuleUnload: the module is not loaded");
  EXPECT_EQ(mgpuModuleGetFunction(module, "mark"), nullptr);
  EXPECT_EQ(takeFailure(),
            "10001: mgpuModuleGetFunction: the module is not loaded");
  mgpuMemFree(out, nullptr);
}

TEST(CpuModule, RefusesOtherObjects) {
  char text[] = "no code object";
  EXPECT_EQ(mgpuModuleLoad(text, sizeof(text)), nullptr);
  EXPECT_NE(takeFailure().find("not an ELF file"), std::string::npos);
  char bundle[] = "__CLANG_OFFLOAD_BUNDLE__";
  EXPECT_EQ(mgpuModuleLoad(bundle, sizeof(bundle)), nullptr);
  EXPECT_NE(takeFailure().find("a clang offload bundle"), std::string::npos);
  EXPECT_EQ(mgpuModuleLoad(nullptr, 0), nullptr);
  EXPECT_NE(takeFailure().find("10002: "), std::string::npos);
  std::vector<char> bytes = readObject(FLY_CPU_OBJECT);
  EXPECT_EQ(mgpuModuleLoad(bytes.data(), bytes.size() / 2), nullptr);
  EXPECT_NE(takeFailure().find("lies outside of the"), std::string::npos);
  EXPECT_EQ(mgpuModuleLoadJIT(text, 2, sizeof(text)), nullptr);
  EXPECT_EQ(takeFailure(), "10007: the CPU device cannot compile assembly text "
                           "at run time; give it a CPU object");
}

TEST(CpuModule, LaunchesFromSeveralThreads) {
  std::vector<char> bytes = readObject(FLY_CPU_OBJECT);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&bytes, t] {
      void *module = mgpuModuleLoad(bytes.data(), bytes.size());
      void *function = mgpuModuleGetFunction(module, "mark");
      std::vector<float> data(256);
      float *out = data.data();
      signed char step = 0;
      auto count = static_cast<short>(t);
      void *params[] = {&out, &step, &count};
      for (int i = 0; i < 20; ++i)
        mgpuLaunchKernel(function, 4, 1, 1, 64, 1, 1, 0, nullptr, params,
                         nullptr, 3);
      EXPECT_EQ(takeFailure(), "0: ");
      EXPECT_EQ(data, std::vector<float>(256, static_cast<float>(t)));
      mgpuModuleUnload(module);
    });
  for (std::thread &thread : threads)
    thread.join();
}
