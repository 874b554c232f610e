// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel launches on the CPU device: checks the call, packs the arguments as
// the object's table says and runs the kernel to its end. What a kernel or its
// chip cannot run (workgroup size, LDS) the scheduler refuses.

#include "Arrays.h"
#include "Interrupt.h"
#include "Module.h"
#include "Stream.h"
#include "Workgroup.h"

#include "../common/Error.h"
#include "../common/LaunchConfig.h"

#include <cstring>
#include <string>
#include <vector>

using namespace fly::runtime;

/// Packs the parameters as the object's table places them; the gaps are zero.
static std::vector<unsigned char> packArguments(const fly_cpu_kernel &kernel,
                                                void **params) {
  std::vector<unsigned char> block(kernel.argument_bytes);
  for (uint32_t i = 0; i < kernel.num_params; ++i)
    std::memcpy(block.data() + kernel.params[i].offset, params[i],
                kernel.params[i].size);
  return block;
}

/// `paramsCount` is null if the caller does not say how many there are.
static void launch(void *function, const LaunchConfig &config, void **params,
                   void **extra, const size_t *paramsCount) {
  std::string problem = checkLaunchConfig(config);
  if (problem.empty())
    problem = checkLaunchParams(params, extra, paramsCount ? *paramsCount : 0);
  std::shared_ptr<fly::cpu::Object> object =
      fly::cpu::findKernelObject(function);
  if (problem.empty() && !object)
    problem = "the launch has an unknown kernel";
  const auto *kernel = static_cast<const fly_cpu_kernel *>(function);
  if (problem.empty() && paramsCount && *paramsCount != kernel->num_params)
    problem = "the kernel has " + std::to_string(kernel->num_params) +
              " parameters, but the launch gives " +
              std::to_string(*paramsCount);
  if (problem.empty())
    problem = checkLaunchParams(params, extra, kernel->num_params);
  auto atKernel = [&](const std::string &text) {
    return fly::cpu::describeLocation(object->table(), kernel->location) +
           ": " + text + " (kernel '" + kernel->name + "')";
  };
  if (!problem.empty()) {
    reportError(FLY_RUNTIME_ERROR_LAUNCH, object ? atKernel(problem) : problem);
    return;
  }
  std::vector<unsigned char> arguments = packArguments(*kernel, params);
  fly::cpu::Launch launch;
  launch.object = object.get();
  launch.kernel = kernel;
  for (int dim = 0; dim < 3; ++dim) {
    launch.grid[dim] = static_cast<uint64_t>(config.grid[dim]);
    launch.block[dim] = static_cast<uint64_t>(config.block[dim]);
    launch.cluster[dim] = static_cast<uint64_t>(config.cluster[dim]);
  }
  launch.dynamicLdsBytes = static_cast<uint64_t>(config.dynamicLds);
  launch.arguments = arguments.data();
  std::string error;
  bool ran = fly::cpu::run(launch, error);
  std::string overrun = fly::cpu::takeOverrun();
  if (ran && !overrun.empty()) {
    ran = false;
    error = atKernel(overrun);
  }
  if (!ran)
    reportError(fly::cpu::isInterrupted() ? FLY_RUNTIME_ERROR_INTERRUPTED
                                          : FLY_RUNTIME_ERROR_FAULT,
                error);
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount) {
  // The launch order of a stream is the order of the calls.
  if (!fly::cpu::checkStream(stream, __func__))
    return;
  launch(function,
         {{1, 1, 1}, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, smem},
         params, extra, &paramsCount);
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t smem, void *stream, void **params,
                             void **extra, size_t /*paramsCount*/) {
  if (!fly::cpu::checkStream(stream, __func__))
    return;
  launch(function,
         {{clusterX, clusterY, clusterZ},
          {gridX, gridY, gridZ},
          {blockX, blockY, blockZ},
          smem},
         params, extra, nullptr);
}
