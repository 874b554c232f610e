// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays that kernels are given, and what an access has to do with them.

#ifndef FLY_RUNTIME_CPU_ARRAYS_H
#define FLY_RUNTIME_CPU_ARRAYS_H

#include "GuardedMemory.h"

#include <cstdint>
#include <string>

namespace fly::cpu {

/// An array of `bytes` zeros, aligned to 256 bytes; null if there is no memory.
void *allocateArray(uint64_t bytes);

/// False if `address` is no array of allocateArray, or freed already.
bool freeArray(void *address);

/// LDS of a workgroup, which describeOutside knows until freeLds. A null address
/// if there is no memory.
GuardedMemory allocateLds(uint64_t bytes, uint64_t alignment);
void freeLds(GuardedMemory &memory);

/// What a workgroup wrote between its LDS and the guards; empty if nothing.
std::string takeLdsOverrun(const GuardedMemory &memory);

/// Where an access of `bytes` at `address` lies against the array that it
/// or the LDS that it misses, such as "24 bytes past the end of an array of 4000 bytes". Empty if
/// it is inside of an array, or near none.
std::string describeOutside(const void *address, uint64_t bytes);

/// What was written between an array and its guards since the last call; empty
/// if nothing was.
std::string takeOverrun();

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_ARRAYS_H
