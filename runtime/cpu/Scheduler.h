// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading CPU objects and running their kernels: what the entry points of the
// CPU runtime build on. It knows lanes, waves and workgroups; it does not know
// streams, device memory or what a cross-lane operation computes (the
// handlers).

#ifndef FLY_RUNTIME_CPU_SCHEDULER_H
#define FLY_RUNTIME_CPU_SCHEDULER_H

#include "fly_cpu_abi.h"

#include <memory>
#include <string>

namespace fly::cpu {

/// A loaded CPU object. Unloads on destruction; no kernel of it may run then.
class Object {
public:
  /// Loads `size` bytes of an ELF shared object from memory. Null and a text
  /// in `error` if the bytes are not a CPU object of this ABI version.
  static std::unique_ptr<Object> load(const void *data, size_t size,
                                      std::string &error);
  /// Wraps a table that lives in this process (tests). Null and a text in
  /// `error` if its magic or version is wrong.
  static std::unique_ptr<Object> wrap(const fly_cpu_module *module,
                                      std::string &error);
  ~Object();
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;

  const fly_cpu_module &table() const { return *module; }
  /// The kernel called `name`, or null.
  const fly_cpu_kernel *find(const char *name) const;

private:
  Object() = default;
  const fly_cpu_module *module = nullptr;
  void *library = nullptr;
  int file = -1; ///< the memory file that `library` was loaded from
};

/// In which order the waves of a workgroup, and the workgroups of a grid, are
/// taken up. A kernel with a missing barrier passes in one and fails in
/// another.
struct Schedule {
  enum class Kind { InOrder, Reverse, Random } kind = Kind::InOrder;
  uint64_t seed = 0; ///< of Random
};

/// Reads "in-order", "reverse" or "random:SEED" (decimal). False and a text in
/// `error` for anything else.
bool parseSchedule(const std::string &text, Schedule &schedule,
                   std::string &error);

/// The schedule of this process: the last `setSchedule`, else FLY_CPU_SCHEDULE,
/// else in order. An unreadable FLY_CPU_SCHEDULE is an error of the launch.
void setSchedule(const Schedule &schedule);

/// Number of worker threads of a launch: the last `setThreads` with a positive
/// number, else FLY_CPU_THREADS, else one for each core this process may use.
void setThreads(unsigned threads);

/// One launch. `arguments` points to the packed argument block
/// (kernel.argument_bytes bytes, packed by kernel.params).
struct Launch {
  const Object *object = nullptr;
  const fly_cpu_kernel *kernel = nullptr;
  uint64_t grid[3] = {1, 1, 1};  ///< workgroups
  uint64_t block[3] = {1, 1, 1}; ///< lanes
  /// Workgroups of a cluster; divides the grid.
  uint64_t cluster[3] = {1, 1, 1};
  uint64_t dynamicLdsBytes = 0;
  const void *arguments = nullptr;
};

/// Runs a launch to its end on the calling thread and the workers. False and a
/// text in `error` (kernel, place, workgroup, wave, lane, cause) at the first
/// fault; memory then holds what was written before it.
bool run(const Launch &launch, std::string &error);

/// Sets the function called at each memory access of modules converted with
/// memory hooks (null: none). Not to be changed while a launch runs.
using MemoryHook = void (*)(fly_cpu_lane *lane, const void *address,
                            uint64_t bytes, uint32_t access, uint32_t location);
void setMemoryHook(MemoryHook hook);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_SCHEDULER_H
