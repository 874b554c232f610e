// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that a memref descriptor given to the host registration entry
// points stands for; the devices share it.

#ifndef FLY_RUNTIME_COMMON_HOSTMEMREF_H
#define FLY_RUNTIME_COMMON_HOSTMEMREF_H

#include "fly_runtime.h"

namespace fly::runtime {

struct HostBytes {
  void *data = nullptr;
  uint64_t size = 0;
};

/// Computes the bytes of a contiguous row-major memref. Records a failure that
/// says what is wrong and returns false if the descriptor is refused.
bool readHostMemRef(int64_t rank, const FlyMemRefDescriptor *descriptor,
                    int64_t elementSizeBytes, HostBytes &bytes);

} // namespace fly::runtime

#endif // FLY_RUNTIME_COMMON_HOSTMEMREF_H
