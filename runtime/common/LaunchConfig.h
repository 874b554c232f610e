// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of a launch, checked the same way for every device before any
// conversion to a narrower type can change them.

#ifndef FLY_RUNTIME_COMMON_LAUNCHCONFIG_H
#define FLY_RUNTIME_COMMON_LAUNCHCONFIG_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace fly::runtime {

/// Sizes of one launch: cluster and grid in workgroups, block in lanes,
/// dynamic LDS in bytes.
struct LaunchConfig {
  intptr_t cluster[3];
  intptr_t grid[3];
  intptr_t block[3];
  int32_t dynamicLds;

  bool hasCluster() const {
    return cluster[0] != 1 || cluster[1] != 1 || cluster[2] != 1;
  }
};

/// Lanes of the largest workgroup that any AMD device runs.
constexpr int64_t maxWorkgroupLanes = 1024;

/// Returns what is wrong with the sizes, or an empty text: each grid size is
/// in [1, 2^31-1] and a multiple of its cluster size, each block size is at
/// least 1 with a product of at most 1024, and the dynamic LDS is not
/// negative.
std::string checkLaunchConfig(const LaunchConfig &config);

/// Returns what is wrong with the parameter list, or an empty text: `extra`
/// must be null, and `params` and its `count` entries must not be.
std::string checkLaunchParams(void **params, void **extra, size_t count);

} // namespace fly::runtime

#endif // FLY_RUNTIME_COMMON_LAUNCHCONFIG_H
