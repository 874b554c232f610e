// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dispatcher: which library it opens for which choice, what it says when it
// finds none, and that errors of a device arrive in the one place.

#include "Child.h"

#include "fly_runtime.h"

#include <gtest/gtest.h>

using namespace fly::runtime::test;

/// The pending failure as "code: text", taken; "0: " if there is none.
static std::string takeFailure() {
  std::string text = flyRuntimeErrorMessage();
  int32_t code = flyRuntimeTakeError();
  return std::to_string(code) + ": " + (code ? text : "");
}

/// Kind of the device in use, or the failure.
static std::string kindOrFailure() {
  const char *kind = flyRuntimeDeviceKind();
  return kind ? kind : takeFailure();
}

/// A child with FLY_DEVICE, FLY_HIP_LIBRARY and FLY_RUNTIME_DIR set or unset.
template <typename Scenario>
static std::string inChildWith(const char *device, const char *hip,
                               const char *folder, Scenario scenario) {
  return inChild([&] {
    auto assign = [](const char *name, const char *value) {
      if (value)
        setenv(name, value, 1);
      else
        unsetenv(name);
    };
    assign("FLY_DEVICE", device);
    assign("FLY_HIP_LIBRARY", hip);
    assign("FLY_RUNTIME_DIR", folder);
    return scenario();
  });
}

TEST(Dispatch, AutoTakesHipIfADeviceAnswers) {
  EXPECT_EQ(inChildWith(nullptr, FLY_FAKE_HIP, nullptr, kindOrFailure), "hip");
  EXPECT_EQ(inChildWith("auto", FLY_FAKE_HIP, nullptr, kindOrFailure), "hip");
  EXPECT_EQ(inChildWith(nullptr, FLY_FAKE_HIP, nullptr,
                        [] {
                          setenv("FAKE_HIP_DEVICES", "0", 1);
                          return kindOrFailure();
                        }),
            "cpu");
  // No HIP library: the CPU, and no failure is left behind.
  EXPECT_EQ(inChildWith(nullptr, "/nonexistent/hip.so", nullptr,
                        [] { return kindOrFailure() + " " + takeFailure(); }),
            "cpu 0: ");
}

TEST(Dispatch, VariableAndProgramChoose) {
  EXPECT_EQ(inChildWith("cpu", FLY_FAKE_HIP, nullptr, kindOrFailure), "cpu");
  EXPECT_EQ(inChildWith("hip", FLY_FAKE_HIP, nullptr, kindOrFailure), "hip");
  // The program's choice comes before the variable.
  EXPECT_EQ(inChildWith("hip", FLY_FAKE_HIP, nullptr,
                        [] {
                          flyRuntimeSelectDevice("cpu");
                          return kindOrFailure();
                        }),
            "cpu");
}

TEST(Dispatch, WrongChoices) {
  EXPECT_EQ(inChildWith("gpu", nullptr, nullptr, kindOrFailure),
            "10001: FLY_DEVICE is 'gpu'; expected 'auto', 'hip' or 'cpu'");
  EXPECT_EQ(inChildWith("gpu", nullptr, nullptr,
                        [] {
                          int32_t code = flyRuntimeSelectDevice("tpu");
                          std::string text =
                              std::to_string(code) + " " + takeFailure() + "\n";
                          // A failed choice leaves room for a good one.
                          flyRuntimeSelectDevice("cpu");
                          return text + kindOrFailure();
                        }),
            "10001 10001: device 'tpu' is unknown; expected 'auto', 'hip' or "
            "'cpu'\ncpu");
  EXPECT_EQ(inChildWith("cpu", nullptr, nullptr,
                        [] {
                          std::string text = kindOrFailure();
                          flyRuntimeSelectDevice("cpu");
                          flyRuntimeSelectDevice("auto");
                          text += " " + takeFailure();
                          flyRuntimeSelectDevice("hip");
                          return text + takeFailure();
                        }),
            "cpu 0: 10001: device 'hip' cannot be selected: device 'cpu' is "
            "already in use");
}

TEST(Dispatch, MissingLibrariesNameTheirPaths) {
  std::string cpu =
      inChildWith("cpu", nullptr, "/nonexistent/folder", kindOrFailure);
  EXPECT_EQ(cpu.find("10000: cannot load the cpu runtime "
                     "'/nonexistent/folder/libfly_cpu_runtime.so' ("),
            0u)
      << cpu;
  std::string either =
      inChildWith("auto", nullptr, "/nonexistent/folder", kindOrFailure);
  for (const char *part :
       {"'/nonexistent/folder/libfly_cpu_runtime.so'",
        "and no HIP device answers: cannot load the hip runtime "
        "'/nonexistent/folder/libfly_hip_runtime.so'"})
    EXPECT_NE(either.find(part), std::string::npos) << either;
  // The entry points return null and keep the failure.
  std::string call = inChildWith("cpu", nullptr, "/nonexistent/folder", [] {
    void *ptr = mgpuMemAlloc(16, nullptr, false);
    mgpuMemFree(ptr, nullptr);
    return (ptr ? "not null " : "null ") + takeFailure();
  });
  EXPECT_EQ(call.find("null 10000: cannot load the cpu runtime"), 0u) << call;
}

TEST(Dispatch, ForwardsCallsAndCollectsErrors) {
  EXPECT_EQ(inChildWith("cpu", nullptr, nullptr,
                        [] {
                          void *ptr = mgpuMemAlloc(64, nullptr, false);
                          mgpuMemset32(ptr, 0x11223344, 16, nullptr);
                          uint32_t word = static_cast<uint32_t *>(ptr)[15];
                          mgpuMemFree(ptr, nullptr);
                          // Two failures of the device: the first is kept.
                          mgpuMemFree(&word, nullptr);
                          mgpuEventDestroy(&word);
                          std::string text =
                              std::to_string(word) + " " + takeFailure() + "\n";
                          flyRuntimeSetSchedule("sideways");
                          return text + takeFailure().substr(0, 5) +
                                 takeFailure();
                        }),
            "287454020 10001: mgpuMemFree: the address was not allocated here "
            "or is freed already\n100010: ");
  // Structures come back whole.
  EXPECT_EQ(inChildWith("cpu", nullptr, nullptr,
                        [] {
                          int32_t data[4];
                          FlyMemRef1dInt32 view = mgpuMemGetDeviceMemRef1dInt32(
                              data, data + 1, 2, 3, 4);
                          return std::to_string(view.allocated == data &&
                                                view.aligned == data + 1) +
                                 std::to_string(view.offset) +
                                 std::to_string(view.size) +
                                 std::to_string(view.stride);
                        }),
            "1234");
}

TEST(Dispatch, HipFailuresArriveToo) {
  EXPECT_EQ(inChildWith("hip", FLY_FAKE_HIP, nullptr,
                        [] {
                          setenv("FAKE_HIP_FAIL", "hipFree", 1);
                          mgpuMemFree(reinterpret_cast<void *>(8), nullptr);
                          return takeFailure();
                        }),
            "719: 'hipFree' failed with 'hipErrorLaunchFailure' (719)");
  std::string text = inChildWith("hip", "/nonexistent/hip.so", nullptr, [] {
    return std::to_string(flyRuntimeDeviceCount()) + " " + takeFailure() + " " +
           (mgpuStreamCreate() ? "stream" : takeFailure());
  });
  EXPECT_EQ(text.find("0 0:  10000: cannot load the HIP library that "
                      "FLY_HIP_LIBRARY names: '/nonexistent/hip.so'"),
            0u)
      << text;
}

TEST(Dispatch, FailedAttemptFixesNothing) {
  // Without a HIP library another device can be chosen, or a library named.
  std::string text = inChildWith("hip", "/nonexistent/hip.so", nullptr, [] {
    std::string text = kindOrFailure().substr(0, 36) + "\n";
    mgpuMemAlloc(16, nullptr, false);
    text += takeFailure().substr(0, 36) + "\n";
    int32_t code = flyRuntimeSelectDevice("cpu");
    return text + std::to_string(code) + " " + kindOrFailure();
  });
  EXPECT_EQ(text, "10000: cannot load the HIP library t\n"
                  "10000: cannot load the HIP library t\n0 cpu");
  EXPECT_EQ(inChildWith("hip", "/nonexistent/hip.so", nullptr,
                        [] {
                          mgpuMemAlloc(16, nullptr, false);
                          std::string text = takeFailure().substr(0, 6);
                          setenv("FLY_HIP_LIBRARY", FLY_FAKE_HIP, 1);
                          return text + " " + kindOrFailure();
                        }),
            "10000: hip");
}

TEST(Dispatch, CountOfDevicesRecordsNoFailure) {
  auto count = [] {
    return std::to_string(flyRuntimeDeviceCount()) + " " + takeFailure();
  };
  EXPECT_EQ(inChildWith("gpu", nullptr, nullptr, count), "0 0: ");
  EXPECT_EQ(inChildWith("cpu", nullptr, "/nonexistent/folder", count), "0 0: ");
  EXPECT_EQ(inChildWith("auto", nullptr, "/nonexistent/folder", count),
            "0 0: ");
}

TEST(Dispatch, AbiVersion) {
  EXPECT_EQ(flyRuntimeAbiVersion(), FLY_RUNTIME_ABI_VERSION);
}
