// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that lane code calls, and the jump from a faulting lane back
// to its worker.

#include "LaneFaults.h"
#include "Scheduler.h"

#include <atomic>
#include <csignal>
#include <mutex>

using namespace fly::cpu;

static thread_local FaultTarget *faultTarget = nullptr;
static std::atomic<MemoryHook> memoryHook{nullptr};

void fly::cpu::setFaultTarget(FaultTarget *target) { faultTarget = target; }

void fly::cpu::setMemoryHook(MemoryHook hook) { memoryHook = hook; }

static void laneFault(fly_cpu_lane *lane, uint32_t location, uint32_t fault,
                      uint64_t detail) {
  FaultTarget *target = faultTarget;
  target->cause = FaultTarget::Cause::Lane;
  target->lane = lane;
  target->location = location;
  target->fault = fault;
  target->detail = detail;
  siglongjmp(target->jump, 1);
}

static void memoryAccess(fly_cpu_lane *lane, const void *address,
                         uint64_t bytes, uint32_t access, uint32_t location) {
  if (MemoryHook hook = memoryHook.load(std::memory_order_relaxed))
    hook(lane, address, bytes, access, location);
}

const fly_cpu_runtime &fly::cpu::laneRuntime() {
  static const fly_cpu_runtime table = {FLY_CPU_ABI_VERSION,
                                        0,
                                        laneFault,
                                        memoryAccess,
                                        flyCpuExtendHalfToFloat,
                                        flyCpuTruncateFloatToHalf,
                                        flyCpuTruncateDoubleToHalf,
                                        flyCpuTruncateFloatToBfloat,
                                        flyCpuTruncateDoubleToBfloat};
  return table;
}

//===----------------------------------------------------------------------===//
// Unmapped memory and divisions without a result
//===----------------------------------------------------------------------===//

static std::mutex guardMutex;
static unsigned guardCount = 0;
static struct sigaction previousSegv, previousBus, previousFpe;

static void onMemorySignal(int signal, siginfo_t *info, void *context) {
  FaultTarget *target = faultTarget;
  if (target && target->active) {
    target->active = false;
    target->cause = signal == SIGFPE ? FaultTarget::Cause::Division
                                     : FaultTarget::Cause::Memory;
    target->detail = uint64_t(reinterpret_cast<uintptr_t>(info->si_addr));
    siglongjmp(target->jump, 1);
  }
  const struct sigaction &previous =
      signal == SIGBUS   ? previousBus
      : signal == SIGFPE ? previousFpe
                         : previousSegv;
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(signal, info, context);
    return;
  }
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
    return;
  }
  // The default action: the access is repeated once this returns.
  ::signal(signal, SIG_DFL);
}

MemoryFaultGuard::MemoryFaultGuard() {
  std::lock_guard<std::mutex> lock(guardMutex);
  if (guardCount++ != 0)
    return;
  struct sigaction action = {};
  action.sa_sigaction = onMemorySignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previousSegv);
  sigaction(SIGBUS, &action, &previousBus);
  sigaction(SIGFPE, &action, &previousFpe);
}

MemoryFaultGuard::~MemoryFaultGuard() {
  std::lock_guard<std::mutex> lock(guardMutex);
  if (--guardCount != 0)
    return;
  sigaction(SIGSEGV, &previousSegv, nullptr);
  sigaction(SIGBUS, &previousBus, nullptr);
  sigaction(SIGFPE, &previousFpe, nullptr);
}
