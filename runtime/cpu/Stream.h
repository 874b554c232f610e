// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The streams that a program has created.

#ifndef FLY_RUNTIME_CPU_STREAM_H
#define FLY_RUNTIME_CPU_STREAM_H

namespace fly::cpu {

/// Returns whether `stream` is null (the default stream) or was created and
/// not destroyed; records a failure of `caller` otherwise.
bool checkStream(const void *stream, const char *caller);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_STREAM_H
