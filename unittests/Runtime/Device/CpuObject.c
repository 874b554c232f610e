// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CPU object written by hand: what a compiler makes of a kernel without
// cross-lane operations. Each lane runs to its end when it is started.
//
//   mark(float *out, char step, short count): out[global id] = step + count

#include "fly_cpu_abi.h"

static const fly_cpu_runtime *runtime;

static void *markEntry(fly_cpu_lane *lane, const void *arguments) {
  if (!lane)
    return (void *)(uintptr_t)64;
  float *out = *(float *const *)arguments;
  signed char step = *((const signed char *)arguments + 8);
  short count = *(const short *)((const char *)arguments + 10);
  const fly_cpu_workgroup *group = lane->workgroup;
  out[group->block_id[0] * group->block_dim[0] + lane->thread_id[0]] =
      (float)(step + count);
  lane->site = FLY_CPU_SITE_ENDED;
  return lane->frame;
}

static const fly_cpu_param params[] = {{0, 8}, {8, 1}, {10, 2}};
static const fly_cpu_location locations[] = {
    {0, 1, 1, FLY_CPU_NO_LOCATION}};
static const int32_t pool[] = {0};
static const fly_cpu_kernel kernels[] = {{
    .name = "mark",
    .entry = markEntry,
    .params = params,
    .num_params = 3,
    .argument_bytes = 16,
    .lds_align = 1,
    .wave_size = 64,
    .max_workgroup = 256,
    .slot_bytes = 64,
    .location = 0,
}};

__attribute__((visibility("default"))) const fly_cpu_module fly_cpu_object_table
    __asm__(FLY_CPU_MODULE_SYMBOL) =
    {
        .magic = FLY_CPU_MAGIC,
        .abi_version = FLY_CPU_ABI_VERSION,
        .num_kernels = 1,
        .chip = "gfx942",
        .kernels = kernels,
        .locations = locations,
        .strings = "kernel.mlir",
        .pool = pool,
        .num_locations = 1,
        .lds_capacity = 65536,
        .runtime = &runtime,
};
