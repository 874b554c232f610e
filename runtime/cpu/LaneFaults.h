// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a lane that cannot go on leaves its coroutine. Lane code has no way to
// unwind, so a fault of a lane (a failed assertion, a bad buffer descriptor, an
// access to unmapped memory) jumps back to the worker that resumed it; the
// frames of its workgroup are abandoned, as the launch ends with the fault.

#ifndef FLY_RUNTIME_CPU_LANEFAULTS_H
#define FLY_RUNTIME_CPU_LANEFAULTS_H

#include "fly_cpu_abi.h"

#include <atomic>
#include <csetjmp>
#include <string>

namespace fly::cpu {

/// Where the faults of lanes that run on this thread go to.
struct FaultTarget {
  sigjmp_buf jump;
  /// Set before the jump.
  enum class Cause {
    None,
    Lane,
    Memory,
    Outside,
    Described,
    Division,
    Interrupt
  } cause = Cause::None;
  const fly_cpu_lane *lane = nullptr; ///< of Cause::Lane
  uint32_t location = FLY_CPU_NO_LOCATION;
  uint32_t fault = 0;  ///< a fly_cpu_lane_fault, of Cause::Lane
  uint64_t detail = 0; ///< of Cause::Lane; the address, of Cause::Memory
  std::string text;    ///< of Cause::Described
  /// What runs on this thread; null: nothing.
  class Workgroup *workgroup = nullptr;
  /// The last access of a module with memory hooks, of which `lane` and
  /// `location` tell, too; no bytes without one.
  uint64_t accessAddress = 0, accessBytes = 0;
  uint32_t access = 0; ///< a set of fly_cpu_access
  /// True while a workgroup runs.
  volatile bool active = false;
  /// Stops the launch when it is set; null: nothing does.
  const std::atomic<bool> *interrupt = nullptr;
  /// True while lane code runs, which a signal may leave at any place but for
  /// the functions of the table, which hold locks.
  volatile bool inLanes = false;
  volatile bool inCallback = false;
};

/// Jumps out of lane code of this thread whose launch is to stop. Returns if
/// it is elsewhere: the worker then sees the flag itself. For signal handlers.
void leaveLanesIfInterrupted();

/// Forgets the last access of a lane: a handler of the operation at which it
/// stopped makes the next ones.
void forgetAccess();

/// Makes `target` the one of this thread (null: none).
void setFaultTarget(FaultTarget *target);

/// The function table that objects are given.
const fly_cpu_runtime &laneRuntime();

/// Gives this thread a stack for signal handlers while it lives, unless it has
/// one.
class SignalStack {
public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;

private:
  void *memory = nullptr;
};

/// True if `address` lies at the far end of this thread's stack, where an
/// endless recursion gets to.
bool isPastStack(uint64_t address);

/// While one of these lives, an access of a lane to unmapped memory is a fault
/// of the lane instead of the end of the process. Signals that come from
/// elsewhere go to the handlers that were there before.
class MemoryFaultGuard {
public:
  MemoryFaultGuard();
  ~MemoryFaultGuard();
  MemoryFaultGuard(const MemoryFaultGuard &) = delete;
  MemoryFaultGuard &operator=(const MemoryFaultGuard &) = delete;
};

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_LANEFAULTS_H
