// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU as the one device of its kind, and its options.

#include "Scheduler.h"

#include "../common/Error.h"

#include <string>

using namespace fly::runtime;

/// Records a refused argument and returns the code.
static int32_t refuse(const std::string &message) {
  reportError(FLY_RUNTIME_ERROR_INVALID, message);
  return FLY_RUNTIME_ERROR_INVALID;
}

int32_t flyRuntimeSelectDevice(const char *kind) {
  std::string name = kind ? kind : "";
  if (name == "cpu" || name == "auto")
    return FLY_RUNTIME_OK;
  return refuse("device '" + name +
                "' cannot be selected: this is the CPU "
                "runtime library, which serves 'cpu' and 'auto'");
}

int32_t flyRuntimeOpenDevice(bool) { return FLY_RUNTIME_OK; }

const char *flyRuntimeDeviceKind() { return "cpu"; }

int32_t flyRuntimeDeviceCount() { return 1; }

void mgpuSetDefaultDevice(int32_t device) {
  if (device != 0)
    refuse("device number " + std::to_string(device) +
           " does not exist: the CPU has number 0 only");
}

int32_t flyRuntimeSetSchedule(const char *schedule) {
  fly::cpu::Schedule parsed;
  std::string error;
  if (!fly::cpu::parseSchedule(schedule ? schedule : "", parsed, error))
    return refuse(error);
  fly::cpu::setSchedule(parsed);
  return FLY_RUNTIME_OK;
}

int32_t flyRuntimeSetThreads(int32_t threads) {
  if (threads < 0)
    return refuse("thread count " + std::to_string(threads) +
                  " is negative; 0 means one for each core");
  fly::cpu::setThreads(static_cast<unsigned>(threads));
  return FLY_RUNTIME_OK;
}
