// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HIP device against a fake HIP library: which calls it makes, with which
// arguments in which order, and what it reports.

#include "Child.h"

#include "fly_runtime.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace fly::runtime::test;

namespace {
/// Opens a fake library and reads its log.
class FakeHip {
public:
  explicit FakeHip(const char *path = FLY_FAKE_HIP) {
    setenv("FLY_HIP_LIBRARY", path, 1);
    void *library = dlopen(path, RTLD_NOW);
    takeLog =
        reinterpret_cast<const char *(*)()>(dlsym(library, "fakeHipTakeLog"));
  }
  std::string log() { return takeLog(); }

private:
  const char *(*takeLog)();
};
} // namespace

static void *handle(uintptr_t number) {
  return reinterpret_cast<void *>(number);
}

/// The pending failure as "code: text", taken; "0: " if there is none.
static std::string takeFailure() {
  std::string text = flyRuntimeErrorMessage();
  int32_t code = flyRuntimeTakeError();
  return std::to_string(code) + ": " + (code ? text : "");
}

/// The smallest file that looks like an AMDGPU code object.
static std::vector<char> amdgpuElf() {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 224;
  std::vector<char> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

TEST(Hip, MissingLibraryNamesTheNamesTried) {
  std::string text = inChild([] {
    unsetenv("FLY_HIP_LIBRARY");
    EXPECT_EQ(mgpuMemAlloc(16, nullptr, false), nullptr);
    return takeFailure();
  });
  // With a HIP library on this machine there is nothing to tell.
  for (const char *name : {"libamdhip64.so", "libamdhip64.so.7",
                           "libamdhip64.so.6", "libamdhip64.so.5"})
    if (dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
      EXPECT_EQ(text.find("cannot load"), std::string::npos) << text;
      return;
    }
  for (const char *part :
       {"10000: cannot load the HIP library; install ROCm or set "
        "FLY_HIP_LIBRARY; tried 'libamdhip64.so' (",
        "'libamdhip64.so.7' (", "'libamdhip64.so.6' (", "'libamdhip64.so.5' ("})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Hip, NamedLibraryThatIsMissing) {
  std::string text = inChild([] {
    setenv("FLY_HIP_LIBRARY", "/nonexistent/libhip.so", 1);
    std::string count = std::to_string(flyRuntimeDeviceCount());
    std::string quiet = takeFailure();
    mgpuStreamSynchronize(nullptr);
    return count + " " + quiet + takeFailure();
  });
  EXPECT_EQ(text.find("0 0: 10000: cannot load the HIP library that "
                      "FLY_HIP_LIBRARY names: '/nonexistent/libhip.so' ("),
            0u)
      << text;
}

TEST(Hip, LibraryThatLacksFunctions) {
  EXPECT_EQ(inChild([] {
              setenv("FLY_HIP_LIBRARY", FLY_FAKE_HIP_EMPTY, 1);
              mgpuStreamSynchronize(nullptr);
              return takeFailure().substr(0, 53);
            }),
            "10000: the HIP library lacks hipGetErrorName, hipGetD");
}

TEST(Hip, ModulesAndLaunches) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              std::vector<char> elf = amdgpuElf();
              void *module = mgpuModuleLoad(elf.data(), elf.size());
              void *function = mgpuModuleGetFunction(module, "kernel");
              int value = 77;
              void *params[] = {&value};
              mgpuLaunchKernel(function, 1, 2, 3, 4, 5, 6, 7, handle(8), params,
                               nullptr, 1);
              mgpuLaunchClusterKernel(function, 1, 1, 1, 9, 8, 7, 6, 5, 4, 3,
                                      handle(2), params, nullptr, 1);
              mgpuLaunchClusterKernel(function, 3, 2, 1, 9, 8, 7, 6, 5, 4, 3,
                                      handle(2), params, nullptr, 1);
              mgpuModuleUnload(module);
              mgpuSetDefaultDevice(1);
              return hip.log() + takeFailure();
            }),
            "hipModuleLoadData 0 2\n"
            "hipModuleGetFunction 11 6\n"
            "hipModuleLaunchKernel 12 1 2 3 4 5 6 7 8 77 0\n"
            "hipModuleLaunchKernel 12 9 8 7 6 5 4 3 2 77 0\n"
            "hipDrvLaunchKernelEx 12 9 8 7 6 5 4 3 2 1 4 3 2 1 77 0\n"
            "hipModuleUnload 11\n"
            "hipSetDevice 1\n"
            "0: ");
}

TEST(Hip, ModulesAreLoadedOnEachDevice) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              std::vector<char> elf = amdgpuElf();
              void *module = mgpuModuleLoad(elf.data(), elf.size());
              // The bytes are the caller's again.
              std::fill(elf.begin(), elf.end(), '\0');
              std::string text;
              auto get = [&](const char *name) {
                text += std::to_string(reinterpret_cast<uintptr_t>(
                            mgpuModuleGetFunction(module, name))) +
                        " ";
              };
              get("kernel");
              get("kernel");
              mgpuSetDefaultDevice(1);
              get("kernel");
              get("kernel2");
              // A new thread begins on device 0.
              std::thread([&] { get("kernel"); }).join();
              get("kernel");
              mgpuModuleUnload(module);
              get("kernel");
              return hip.log() + text + takeFailure();
            }),
            "hipModuleLoadData 0 2\n"
            "hipModuleGetFunction 11 6\n"
            "hipSetDevice 1\n"
            "hipModuleLoadData 0 2\n"
            "hipModuleGetFunction 111 6\n"
            "hipModuleGetFunction 111 7\n"
            "hipSetDevice 0\n"
            "hipModuleUnload 11\n"
            "hipSetDevice 1\n"
            "hipModuleUnload 111\n"
            "12 12 112 112 12 112 0 "
            "10001: mgpuModuleGetFunction: the module is not loaded");
}

TEST(Hip, ThreadsShareAModule) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              std::vector<char> elf = amdgpuElf();
              void *module = mgpuModuleLoad(elf.data(), elf.size());
              std::atomic<int> wrong{0};
              std::vector<std::thread> threads;
              for (int i = 0; i < 8; ++i)
                threads.emplace_back([&, i] {
                  mgpuSetDefaultDevice(i % 2);
                  for (int j = 0; j < 100; ++j)
                    wrong += mgpuModuleGetFunction(module, "kernel") !=
                             handle(i % 2 ? 112 : 12);
                });
              for (std::thread &thread : threads)
                thread.join();
              std::string log = hip.log();
              auto count = [&](const std::string &part) {
                int n = 0;
                for (size_t at = 0;
                     (at = log.find(part, at)) != std::string::npos; ++at)
                  ++n;
                return std::to_string(n) + " ";
              };
              return std::to_string(wrong) + " wrong, " +
                     count("hipModuleLoadData") +
                     count("hipModuleGetFunction 11 6") +
                     count("hipModuleGetFunction 111 6") + takeFailure();
            }),
            "0 wrong, 2 1 1 0: ");
}

TEST(Hip, UnloadWhileAnotherThreadAsks) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              std::vector<char> elf = amdgpuElf();
              void *module = mgpuModuleLoad(elf.data(), elf.size());
              setenv("FAKE_HIP_SLOW", "hipModuleGetFunction", 1);
              // The other thread finds the module, then waits until this one
              // has got its kernel, and nearly always until it has unloaded the
              // module: from then on HIP must not be asked.
              std::thread other([&] {
                usleep(20000);
                mgpuModuleGetFunction(module, "other");
              });
              mgpuModuleGetFunction(module, "slow");
              mgpuModuleUnload(module);
              other.join();
              std::string log = hip.log();
              return log.substr(log.find("hipModuleUnload")) + takeFailure();
            }),
            "hipModuleUnload 11\n0: ");
}

TEST(Hip, ModuleThatCannotBeLoadedOnAnotherDevice) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              std::vector<char> elf = amdgpuElf();
              void *module = mgpuModuleLoad(elf.data(), elf.size());
              setenv("FAKE_HIP_FAIL", "hipModuleLoadData", 1);
              mgpuSetDefaultDevice(1);
              bool isNull = !mgpuModuleGetFunction(module, "kernel");
              std::string failure = takeFailure();
              unsetenv("FAKE_HIP_FAIL");
              // It is tried again, and only what was loaded is unloaded.
              void *function = mgpuModuleGetFunction(module, "kernel");
              return std::string(isNull ? "null " : "not null ") + failure +
                     " " +
                     std::to_string(reinterpret_cast<uintptr_t>(function)) +
                     " " + takeFailure();
            }),
            "null 719: 'hipModuleLoadData' failed with "
            "'hipErrorLaunchFailure' (719) 112 0: ");
}

TEST(Hip, UnloadingTakesWhatWasLoadedAndLeavesTheDevice) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              std::vector<char> elf = amdgpuElf();
              void *module = mgpuModuleLoad(elf.data(), elf.size());
              mgpuSetDefaultDevice(1);
              mgpuModuleGetFunction(module, "kernel");
              mgpuSetDefaultDevice(2);
              setenv("FAKE_HIP_FAIL", "hipModuleLoadData", 1);
              mgpuModuleGetFunction(module, "kernel");
              takeFailure();
              unsetenv("FAKE_HIP_FAIL");
              mgpuSetDefaultDevice(0);
              hip.log();
              mgpuModuleUnload(module);
              return hip.log() + takeFailure();
            }),
            "hipModuleUnload 11\n"
            "hipSetDevice 1\n"
            "hipModuleUnload 111\n"
            "hipSetDevice 0\n"
            "0: ");
}

TEST(Hip, Occupancy) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              std::vector<char> elf = amdgpuElf();
              std::string text;
              auto ask = [&](size_t size, const char *name, int32_t block) {
                text += std::to_string(mgpuModuleOccupancyMaxActiveBlocks(
                            elf.data(), size, name, block, 4096)) +
                        " " + takeFailure() + "\n";
              };
              ask(elf.size(), "kernel", 256);
              ask(elf.size(), nullptr, 256);
              ask(elf.size(), "kernel", 0);
              ask(3, "kernel", 256);
              setenv("FAKE_HIP_FAIL", "hipModuleGetFunction", 1);
              ask(elf.size(), "kernel", 256);
              return hip.log() + text;
            }),
            "hipModuleLoadData 0 2\n"
            "hipModuleGetFunction 11 6\n"
            "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor 12 256 4096\n"
            "hipModuleUnload 11\n"
            "hipModuleLoadData 0 2\n"
            "hipModuleGetFunction 11 6\n"
            "hipModuleUnload 11\n"
            "5 0: \n"
            "-1 10001: mgpuModuleOccupancyMaxActiveBlocks: null name\n"
            "-1 10001: mgpuModuleOccupancyMaxActiveBlocks: workgroups of 0 "
            "lanes\n"
            "-1 10002: the HIP device runs AMDGPU code objects, but the object "
            "is not an ELF file\n"
            "-1 719: 'hipModuleGetFunction for 'kernel'' failed with "
            "'hipErrorLaunchFailure' (719)\n");
}

TEST(Hip, MemRefsOfHostMemory) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              struct {
                FlyMemRefDescriptor head;
                int64_t sizes[2], strides[2];
              } memref = {{nullptr, handle(4096), 2}, {3, 5}, {5, 1}};
              mgpuMemHostRegisterMemRef(2, &memref.head, 4);
              mgpuMemHostUnregisterMemRef(2, &memref.head, 4);
              int32_t *ints = reinterpret_cast<int32_t *>(handle(7));
              FlyMemRef1dInt32 device =
                  mgpuMemGetDeviceMemRef1dInt32(ints, ints, 1, 2, 3);
              std::string text = hip.log() + takeFailure() + "\n";
              memref.strides[0] = 6;
              mgpuMemHostRegisterMemRef(2, &memref.head, 4);
              return text + (takeFailure()[0] == '1' ? "refused " : "taken ") +
                     hip.log() +
                     std::to_string(
                         reinterpret_cast<uintptr_t>(device.aligned));
            }),
            "hipHostRegister 4104 60 0\n"
            "hipHostUnregister 4104\n"
            "hipHostGetDevicePointer 7 0\n"
            "0: \n"
            "refused 51");
}

TEST(Hip, ErrorsBelongToTheirThread) {
  EXPECT_EQ(inChild([] {
              setenv("FAKE_HIP_FAIL", "hipStreamSynchronize", 1);
              FakeHip hip;
              mgpuStreamSynchronize(nullptr);
              std::string other;
              std::thread([&] { other = takeFailure(); }).join();
              int32_t code = flydslRuntimeTakeError();
              return other + "| " + std::to_string(code) + " " +
                     std::to_string(flyRuntimeTakeError());
            }),
            "0: | 719 0");
}

// DIFF: cluster-launch
TEST(Hip, ClustersNeedTheirFunction) {
  EXPECT_EQ(inChild([] {
              FakeHip hip(FLY_FAKE_HIP_PLAIN);
              int value = 77;
              void *params[] = {&value};
              mgpuLaunchClusterKernel(handle(12), 1, 1, 1, 9, 8, 7, 6, 5, 4, 3,
                                      nullptr, params, nullptr, 1);
              mgpuLaunchClusterKernel(handle(12), 3, 2, 1, 9, 8, 7, 6, 5, 4, 3,
                                      nullptr, params, nullptr, 1);
              return hip.log() + takeFailure();
            }),
            "hipModuleLaunchKernel 12 9 8 7 6 5 4 3 0 77 0\n"
            "10007: the HIP library has no hipDrvLaunchKernelEx and cannot "
            "launch clusters of 3x2x1 workgroups");
}

TEST(Hip, StreamsAndEvents) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              void *stream = mgpuStreamCreate();
              void *event = mgpuEventCreate();
              mgpuEventRecord(event, stream);
              mgpuStreamWaitEvent(handle(5), event);
              mgpuEventSynchronize(event);
              mgpuStreamSynchronize(stream);
              mgpuEventDestroy(event);
              mgpuStreamDestroy(stream);
              return hip.log() + takeFailure();
            }),
            "hipStreamCreate\n"
            "hipEventCreateWithFlags 2\n"
            "hipEventRecord 31 21\n"
            "hipStreamWaitEvent 5 31 0\n"
            "hipEventSynchronize 31\n"
            "hipStreamSynchronize 21\n"
            "hipEventDestroy 31\n"
            "hipStreamDestroy 21\n"
            "0: ");
}

// DIFF: managed-memory
TEST(Hip, Memory) {
  EXPECT_EQ(
      inChild([] {
        FakeHip hip;
        void *plain = mgpuMemAlloc(100, nullptr, false);
        void *shared = mgpuMemAlloc(200, nullptr, true);
        mgpuMemAlloc(0, nullptr, false);
        mgpuMemcpy(plain, handle(1), 64, handle(2));
        mgpuMemset32(plain, 0xffffffff, 3, handle(2));
        mgpuMemset16(plain, 0xfffe, 5, handle(2));
        mgpuMemHostRegister(handle(6), 60);
        float *floats = reinterpret_cast<float *>(handle(7));
        FlyMemRef1dFloat memref =
            mgpuMemGetDeviceMemRef1dFloat(floats, floats, 1, 2, 3);
        mgpuMemHostUnregister(handle(6));
        mgpuMemFree(shared, nullptr);
        mgpuMemFree(nullptr, nullptr);
        return hip.log() + takeFailure() + " " +
               std::to_string(reinterpret_cast<uintptr_t>(memref.aligned)) +
               " " + std::to_string(memref.offset) +
               std::to_string(memref.size) + std::to_string(memref.stride);
      }),
      "hipMalloc 100\n"
      "hipMallocManaged 200 1\n"
      "hipMemcpyAsync 41 1 64 4 2\n"
      "hipMemsetD32Async 41 -1 3 2\n"
      "hipMemsetD16Async 41 65534 5 2\n"
      "hipHostRegister 6 60 0\n"
      "hipHostGetDevicePointer 7 0\n"
      "hipHostUnregister 6\n"
      "hipFree 42\n"
      "0:  51 123");
}

TEST(Hip, FailuresCarryHipsName) {
  EXPECT_EQ(inChild([] {
              setenv("FAKE_HIP_FAIL", "hipModuleLaunchKernel", 1);
              FakeHip hip;
              int value = 0;
              void *params[] = {&value};
              mgpuLaunchKernel(handle(12), 1, 1, 1, 64, 1, 1, 0, nullptr,
                               params, nullptr, 1);
              return takeFailure();
            }),
            "719: 'hipModuleLaunchKernel' failed with 'hipErrorLaunchFailure' "
            "(719)");
  EXPECT_EQ(inChild([] {
              setenv("FAKE_HIP_FAIL", "hipMalloc", 1);
              FakeHip hip;
              void *ptr = mgpuMemAlloc(64, nullptr, false);
              return (ptr ? "not null " : "null ") + takeFailure();
            }),
            "null 719: 'hipMalloc' failed with 'hipErrorLaunchFailure' (719)");
}

TEST(Hip, ArgumentsAreCheckedBeforeTheCall) {
  EXPECT_EQ(inChild([] {
              FakeHip hip;
              int value = 0;
              void *params[] = {&value};
              mgpuLaunchKernel(handle(12), intptr_t{1} << 32, 1, 1, 64, 1, 1, 0,
                               nullptr, params, nullptr, 1);
              std::string text = takeFailure() + "\n";
              mgpuLaunchKernel(nullptr, 1, 1, 1, 64, 1, 1, 0, nullptr, params,
                               nullptr, 1);
              text += takeFailure() + "\n";
              mgpuEventRecord(nullptr, nullptr);
              text += takeFailure() + "\n";
              mgpuModuleUnload(nullptr);
              text += takeFailure() + "\n";
              char bytes[] = "no code object";
              mgpuModuleLoad(bytes, sizeof(bytes));
              text += takeFailure() + "\n";
              mgpuModuleLoadJIT(bytes, 2, sizeof(bytes));
              text += takeFailure() + "\n";
              flyRuntimeSetSchedule("reverse");
              text += takeFailure() + "\n";
              flyRuntimeSelectDevice("cpu");
              text += takeFailure() + "\n";
              return text + hip.log();
            }),
            "10005: grid size 4294967296x1x1 is not launchable: each dimension "
            "must be in [1, 2147483647]\n"
            "10005: the launch has a null kernel\n"
            "10001: mgpuEventRecord: null event\n"
            "10001: mgpuModuleUnload: null module\n"
            "10002: the HIP device runs AMDGPU code objects, but the object is "
            "not an ELF file\n"
            "10007: the HIP device cannot compile assembly text at run time; "
            "give it a code object\n"
            "10007: the HIP device has no wave schedule; it is an option of "
            "the CPU device\n"
            "10001: device 'cpu' cannot be selected: this is the HIP runtime "
            "library, which serves 'hip' and 'auto'\n");
}
