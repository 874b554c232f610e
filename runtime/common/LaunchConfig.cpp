// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the sizes and the parameter list of a launch.

#include "LaunchConfig.h"

using namespace fly::runtime;

static std::string sizes(const intptr_t (&dims)[3]) {
  return std::to_string(dims[0]) + "x" + std::to_string(dims[1]) + "x" +
         std::to_string(dims[2]);
}

std::string fly::runtime::checkLaunchConfig(const LaunchConfig &config) {
  constexpr int64_t maxGrid = 0x7fffffff;
  int64_t lanes = 1;
  for (int dim = 0; dim < 3; ++dim) {
    if (config.grid[dim] < 1 || config.grid[dim] > maxGrid)
      return "grid size " + sizes(config.grid) +
             " is not launchable: each dimension must be in [1, 2147483647]";
    if (config.block[dim] < 1)
      return "block size " + sizes(config.block) +
             " is not launchable: each dimension must be at least 1";
    // Each factor is at most 1024 here, so the product cannot overflow.
    if (config.block[dim] > maxWorkgroupLanes ||
        (lanes *= config.block[dim]) > maxWorkgroupLanes)
      return "block size " + sizes(config.block) +
             " is not launchable: a workgroup has at most " +
             std::to_string(maxWorkgroupLanes) + " lanes";
    if (config.cluster[dim] < 1 || config.grid[dim] % config.cluster[dim] != 0)
      return "cluster size " + sizes(config.cluster) +
             " is not launchable: it must divide the grid size " +
             sizes(config.grid);
  }
  if (config.dynamicLds < 0)
    return "dynamic LDS of " + std::to_string(config.dynamicLds) +
           " bytes is not launchable: it must not be negative";
  return std::string();
}

std::string fly::runtime::checkLaunchParams(void **params, void **extra,
                                            size_t count) {
  if (extra)
    return "the 'extra' argument of a launch must be null";
  if (count && !params)
    return "the launch has " + std::to_string(count) +
           " parameters but a null parameter list";
  for (size_t i = 0; i < count; ++i)
    if (!params[i])
      return "the launch has a null pointer for parameter " + std::to_string(i);
  return std::string();
}
