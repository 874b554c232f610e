// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device choice of the HIP device, and the options that only the CPU has.

#include "Api.h"

#include "../common/Error.h"

#include <string>

using namespace fly::runtime;
using namespace fly::runtime::hip;

int32_t flyRuntimeSelectDevice(const char *kind) {
  std::string name = kind ? kind : "";
  if (name == "hip" || name == "auto")
    return FLY_RUNTIME_OK;
  reportError(FLY_RUNTIME_ERROR_INVALID,
              "device '" + name +
                  "' cannot be selected: this is the HIP "
                  "runtime library, which serves 'hip' and 'auto'");
  return FLY_RUNTIME_ERROR_INVALID;
}

int32_t flyRuntimeOpenDevice(bool report) {
  return getApi(report) ? FLY_RUNTIME_OK : FLY_RUNTIME_ERROR_LIBRARY;
}

const char *flyRuntimeDeviceKind() { return "hip"; }

int32_t flyRuntimeDeviceCount() {
  const Api *api = getApi(/*report=*/false);
  int count = 0;
  if (!api || api->getDeviceCount(&count) != 0 || count < 0)
    return 0;
  return count;
}

void mgpuSetDefaultDevice(int32_t device) {
  if (const Api *api = getApi())
    check(*api, api->setDevice(device), "hipSetDevice");
}

static int32_t refuseCpuOption(const char *option) {
  reportError(FLY_RUNTIME_ERROR_UNSUPPORTED,
              std::string("the HIP device has no ") + option +
                  "; it is an option of the CPU device");
  return FLY_RUNTIME_ERROR_UNSUPPORTED;
}

int32_t flyRuntimeSetSchedule(const char *) {
  return refuseCpuOption("wave schedule");
}

int32_t flyRuntimeSetThreads(int32_t) {
  return refuseCpuOption("thread count");
}

// A launch does not wait for the kernel, and a wait inside HIP cannot be left.
int32_t flyRuntimeBeginInterruptible() { return 0; }

int32_t flyRuntimeEndInterruptible() { return 0; }
