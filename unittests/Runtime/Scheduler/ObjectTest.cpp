// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the loader refuses, and what it gives an object.

#include "HandKernel.h"

#include <dlfcn.h>
#include <fstream>
#include <gnu/libc-version.h>
#include <iterator>

using namespace fly::cpu;
using namespace fly::cpu::test;

static void nothing(Frame &frame) { frame.end(); }

static std::string wrapError(HandModule &module) {
  std::string error;
  EXPECT_FALSE(Object::wrap(module.get(), error));
  return error;
}

TEST(Object, ChecksTheTable) {
  std::string error;
  EXPECT_FALSE(Object::wrap(nullptr, error));
  EXPECT_EQ(error, "CPU object: no table");

  HandModule magic(startLane<nothing>, 64);
  magic.module.magic ^= 1;
  EXPECT_EQ(wrapError(magic), "CPU object: wrong magic number in its table");

  HandModule version(startLane<nothing>, 64);
  version.module.abi_version = FLY_CPU_ABI_VERSION + 1;
  EXPECT_EQ(wrapError(version), "CPU object: ABI version " +
                                    std::to_string(FLY_CPU_ABI_VERSION + 1) +
                                    ", this runtime has " +
                                    std::to_string(FLY_CPU_ABI_VERSION));

  HandModule wave(startLane<nothing>, 64);
  wave.kernel.wave_size = 48;
  EXPECT_EQ(wrapError(wave), "CPU object: kernel 'hand' has wave size 48");

  HandModule handler(startLane<nothing>, 64);
  handler.addSite(fly_cpu_handler_id(FlyCpuHandlerCount));
  EXPECT_EQ(wrapError(handler),
            "CPU object: kernel 'hand' uses operation number " +
                std::to_string(FlyCpuHandlerCount) +
                ", which this runtime lacks");
}

TEST(Object, FindsKernelsAndGivesTheRuntime) {
  HandModule module(startLane<nothing>, 64);
  std::string error;
  std::unique_ptr<Object> object = Object::wrap(module.get(), error);
  ASSERT_TRUE(object) << error;
  EXPECT_EQ(object->find("hand"), &module.kernel);
  EXPECT_EQ(object->find("foot"), nullptr);
  ASSERT_TRUE(*module.module.runtime);
  EXPECT_EQ((*module.module.runtime)->abi_version, FLY_CPU_ABI_VERSION);
}

TEST(Object, RefusesOtherBytes) {
  std::string error;
  const char text[] = "this is no code object of any kind, only a text";
  EXPECT_FALSE(Object::load(text, sizeof(text), error));
  EXPECT_EQ(error.rfind("CPU object: ", 0), 0u) << error;
  EXPECT_FALSE(Object::load(nullptr, 0, error));

  // A shared object that is none of ours: this program's C library.
  Dl_info library;
  ASSERT_TRUE(
      dladdr(reinterpret_cast<const void *>(&gnu_get_libc_version), &library));
  std::ifstream file(library.dli_fname, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  ASSERT_FALSE(bytes.empty()) << library.dli_fname;
  EXPECT_FALSE(Object::load(bytes.data(), bytes.size() / 2, error));
  EXPECT_EQ(error.rfind("CPU object: ", 0), 0u) << error;
  EXPECT_FALSE(Object::load(bytes.data(), bytes.size(), error));
  EXPECT_EQ(error, "CPU object: the object is cut off, or was not made by "
                   "fly-module-to-binary");
  fly_cpu_trailer trailer = {FLY_CPU_TRAILER_MAGIC,
                             flyCpuChecksum(bytes.data(), bytes.size())};
  auto *raw = reinterpret_cast<const char *>(&trailer);
  bytes.insert(bytes.end(), raw, raw + sizeof(trailer));
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_FALSE(Object::load(bytes.data(), bytes.size(), error));
  EXPECT_EQ(error,
            "CPU object: the object is damaged: its checksum does not match");
  bytes[(bytes.size()) / 2] ^= 1;
  // The library is loaded already, so only its own copy is asked.
  EXPECT_FALSE(Object::load(bytes.data(), bytes.size(), error));
  EXPECT_EQ(error, "CPU object: no symbol 'fly_cpu_module'");
}
