// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel launches on the HIP device.

#include "Api.h"

#include "../common/Error.h"
#include "../common/LaunchConfig.h"

using namespace fly::runtime;
using namespace fly::runtime::hip;

/// Launches with an attribute that carries the cluster sizes.
static void launchCluster(const Api &api, void *function,
                          const LaunchConfig &config, void *stream,
                          void **params) {
  if (!api.drvLaunchKernelEx) {
    reportError(FLY_RUNTIME_ERROR_UNSUPPORTED,
                "the HIP library has no hipDrvLaunchKernelEx and cannot launch "
                "clusters of " +
                    std::to_string(config.cluster[0]) + "x" +
                    std::to_string(config.cluster[1]) + "x" +
                    std::to_string(config.cluster[2]) + " workgroups");
    return;
  }
  LaunchAttribute attribute = {};
  attribute.id = launchAttributeClusterDimension;
  LaunchExConfig extended = {};
  for (int dim = 0; dim < 3; ++dim) {
    attribute.value[dim] = static_cast<unsigned>(config.cluster[dim]);
    extended.grid[dim] = static_cast<unsigned>(config.grid[dim]);
    extended.block[dim] = static_cast<unsigned>(config.block[dim]);
  }
  extended.sharedMemBytes = static_cast<unsigned>(config.dynamicLds);
  extended.stream = stream;
  extended.attributes = &attribute;
  extended.attributeCount = 1;
  check(api, api.drvLaunchKernelEx(&extended, function, params, nullptr),
        "hipDrvLaunchKernelEx");
}

static void launch(void *function, const LaunchConfig &config, void *stream,
                   void **params, void **extra, size_t paramsCount) {
  std::string problem = checkLaunchConfig(config);
  if (problem.empty())
    problem = checkLaunchParams(params, extra, paramsCount);
  if (problem.empty() && !function)
    problem = "the launch has a null kernel";
  if (!problem.empty()) {
    reportError(FLY_RUNTIME_ERROR_LAUNCH, problem);
    return;
  }
  const Api *api = getApi();
  if (!api)
    return;
  if (config.hasCluster()) {
    launchCluster(*api, function, config, stream, params);
    return;
  }
  auto size = [](intptr_t dim) { return static_cast<unsigned>(dim); };
  check(*api,
        api->moduleLaunchKernel(function, size(config.grid[0]),
                                size(config.grid[1]), size(config.grid[2]),
                                size(config.block[0]), size(config.block[1]),
                                size(config.block[2]), size(config.dynamicLds),
                                stream, params, nullptr),
        "hipModuleLaunchKernel");
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount) {
  launch(function,
         {{1, 1, 1}, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, smem},
         stream, params, extra, paramsCount);
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t smem, void *stream, void **params,
                             void **extra, size_t /*paramsCount*/) {
  launch(function,
         {{clusterX, clusterY, clusterZ},
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          smem},
         stream, params, extra, /*paramsCount=*/0);
}
