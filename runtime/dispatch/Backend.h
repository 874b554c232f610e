// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device library the process uses: how it is chosen, found and opened.
// The entry points themselves are in Dispatch.cpp.

#ifndef FLY_RUNTIME_DISPATCH_BACKEND_H
#define FLY_RUNTIME_DISPATCH_BACKEND_H

#include <cstdint>

namespace fly::runtime::dispatch {

/// Sets the device kind that the program asked for. Returns 0 or a code,
/// recorded as the thread's failure.
int32_t selectDevice(const char *kind);

/// Returns the kind in use, choosing and opening its library if there is none
/// yet; null, with a recorded failure, if that is impossible.
const char *deviceKind();

/// Returns the address of the function `name` of the library in use, choosing
/// and opening it if there is none yet; null, if that
/// is impossible or the library lacks the function. `report` records it.
void *findEntry(const char *name, bool report = true);

} // namespace fly::runtime::dispatch

#endif // FLY_RUNTIME_DISPATCH_BACKEND_H
