// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The failure that a thread has pending, which every library of the runtime
// records through here. A device library that was loaded by the dispatcher
// hands its failures on, so that a thread has one pending failure whatever
// library found it.

#ifndef FLY_RUNTIME_COMMON_ERROR_H
#define FLY_RUNTIME_COMMON_ERROR_H

#include "fly_runtime.h"

#include <string>

namespace fly::runtime {

/// Records a failure of the calling thread unless one is pending. `code` is
/// not 0.
void reportError(int32_t code, const std::string &message);

/// Returns the calling thread's pending code and clears it.
int32_t takeError();

/// Returns the pending or last taken text of the calling thread.
const char *errorMessage();

} // namespace fly::runtime

extern "C" {
/// Exported by the device libraries for the dispatcher alone: opens what the
/// device needs, if it is not open. Returns 0, or a code, which is recorded if
/// `report` is set; then a later call tries again.
FLY_RUNTIME_API int32_t flyRuntimeOpenDevice(bool report);

/// Exported by the device libraries for the dispatcher alone: sends every
/// later failure of the library to `sink` instead of keeping it.
FLY_RUNTIME_API void flyRuntimeForwardErrors(void (*sink)(int32_t code,
                                                          const char *message));
}

#endif // FLY_RUNTIME_COMMON_ERROR_H
