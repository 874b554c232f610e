// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a memref descriptor and checks that it is contiguous.

#include "HostMemRef.h"

#include "Error.h"

#include <string>

using namespace fly::runtime;

/// Computes the bytes; returns what is wrong, or an empty text.
static std::string computeBytes(int64_t rank,
                                const FlyMemRefDescriptor *descriptor,
                                int64_t elementSizeBytes, HostBytes &bytes) {
  if (rank < 0 || !descriptor || elementSizeBytes <= 0)
    return "a host memref needs a rank of at least 0, a descriptor and an "
           "element size; got rank " +
           std::to_string(rank) + ", element size " +
           std::to_string(elementSizeBytes);
  const auto *sizes = reinterpret_cast<const int64_t *>(descriptor + 1);
  const int64_t *strides = sizes + rank;
  int64_t count = 1;
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    if (sizes[dim] < 0)
      return "size " + std::to_string(sizes[dim]) + " of dimension " +
             std::to_string(dim) + " of a host memref is negative";
    // The stride of a dimension of one element is never used.
    if (sizes[dim] != 1 && strides[dim] != count)
      return "a host memref must be contiguous: dimension " +
             std::to_string(dim) + " has stride " +
             std::to_string(strides[dim]) + ", expected " +
             std::to_string(count);
    if (__builtin_mul_overflow(count, sizes[dim], &count))
      return "the size of a host memref overflows 64 bits";
  }
  int64_t byteCount, byteOffset;
  if (__builtin_mul_overflow(count, elementSizeBytes, &byteCount) ||
      __builtin_mul_overflow(descriptor->offset, elementSizeBytes, &byteOffset))
    return "the size of a host memref overflows 64 bits";
  bytes.data = static_cast<char *>(descriptor->aligned) + byteOffset;
  bytes.size = static_cast<uint64_t>(byteCount);
  return std::string();
}

bool fly::runtime::readHostMemRef(int64_t rank,
                                  const FlyMemRefDescriptor *descriptor,
                                  int64_t elementSizeBytes, HostBytes &bytes) {
  std::string problem = computeBytes(rank, descriptor, elementSizeBytes, bytes);
  if (problem.empty())
    return true;
  reportError(FLY_RUNTIME_ERROR_INVALID, problem);
  return false;
}
