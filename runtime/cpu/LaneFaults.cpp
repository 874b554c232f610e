// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that lane code calls, and the jump from a faulting lane back
// to its worker.

#include "LaneFaults.h"
#include "Arrays.h"
#include "Print.h"
#include "Scheduler.h"
#include "Workgroup.h"

#include "../common/ForkMutex.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <type_traits>

using namespace fly::cpu;

static thread_local FaultTarget *faultTarget = nullptr;
static std::atomic<MemoryHook> memoryHook{nullptr};

void fly::cpu::setFaultTarget(FaultTarget *target) { faultTarget = target; }

void fly::cpu::setMemoryHook(MemoryHook hook) { memoryHook = hook; }

void fly::cpu::forgetAccess() {
  if (FaultTarget *target = faultTarget)
    target->accessBytes = 0;
}

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

void fly::cpu::leaveLanesIfInterrupted() {
  FaultTarget *target = faultTarget;
  if (!target || !target->interrupt || !target->inLanes || target->inCallback ||
      !target->interrupt->load(std::memory_order_relaxed))
    return;
  target->cause = FaultTarget::Cause::Interrupt;
  siglongjmp(target->jump, 1);
}

/// Calls a function of the table; a signal does not leave it in the middle.
template <auto *function, typename ResultT, typename... ParamTs>
static ResultT callFromLane(ParamTs... params) {
  FaultTarget *target = faultTarget;
  if (target)
    target->inCallback = true;
  if constexpr (std::is_void_v<ResultT>) {
    function(params...);
    if (target)
      target->inCallback = false;
    leaveLanesIfInterrupted();
  } else {
    ResultT result = function(params...);
    if (target)
      target->inCallback = false;
    leaveLanesIfInterrupted();
    return result;
  }
}

/// The entry of the table for `function`.
template <auto *function, typename ResultT, typename... ParamTs>
static constexpr auto asEntry(ResultT (*)(ParamTs...)) {
  return &callFromLane<function, ResultT, ParamTs...>;
}

static void memoryAccess(fly_cpu_lane *lane, const void *address,
                         uint64_t bytes, uint32_t access, uint32_t location) {
  if (FaultTarget *target = faultTarget) {
    // What a signal of this access will be told of.
    target->lane = lane;
    target->location = location;
    target->accessAddress = reinterpret_cast<uintptr_t>(address);
    target->accessBytes = bytes;
    target->access = access;
    if (bytes && !describeOutside(address, bytes).empty()) {
      target->cause = FaultTarget::Cause::Outside;
      target->detail = target->accessAddress;
      siglongjmp(target->jump, 1);
    }
    if (target->workgroup &&
        !target->workgroup->checkLaneAccess(*lane, address, bytes, access,
                                            location, target->text)) {
      target->cause = FaultTarget::Cause::Described;
      siglongjmp(target->jump, 1);
    }
  }
  if (MemoryHook hook = memoryHook.load(std::memory_order_relaxed))
    hook(lane, address, bytes, access, location);
}

const fly_cpu_runtime &fly::cpu::laneRuntime() {
  static const fly_cpu_runtime table = {FLY_CPU_ABI_VERSION,
                                        0,
                                        laneFault,
                                        asEntry<memoryAccess>(memoryAccess),
                                        flyCpuExtendHalfToFloat,
                                        flyCpuTruncateFloatToHalf,
                                        flyCpuTruncateDoubleToHalf,
                                        flyCpuTruncateFloatToBfloat,
                                        flyCpuTruncateDoubleToBfloat,
                                        asEntry<printBegin>(printBegin),
                                        asEntry<printString>(printString),
                                        asEntry<printValues>(printValues),
                                        flyCpuExtendFloat8,
                                        flyCpuTruncateToFloat8,
                                        flyCpuTruncateToFloat8Stochastic};
  return table;
}

//===----------------------------------------------------------------------===//
// Unmapped memory and divisions without a result
//===----------------------------------------------------------------------===//

static fly::runtime::ForkMutex guardMutex;
static unsigned guardCount = 0;
static struct sigaction previousSegv, previousBus, previousFpe;

static void onMemorySignal(int signal, siginfo_t *info, void *context) {
  FaultTarget *target = faultTarget;
  if (target && target->active) {
    target->active = false;
    target->cause = signal == SIGFPE ? FaultTarget::Cause::Division
                                     : FaultTarget::Cause::Memory;
    target->detail = uint64_t(reinterpret_cast<uintptr_t>(info->si_addr));
    // Of an address beyond those that the processor translates, 47 bits and
    // more, the kernel says nothing: it is that of the announced access.
    if (signal == SIGSEGV && info->si_code == SI_KERNEL && target->accessBytes)
      target->detail = target->accessAddress;
    siglongjmp(target->jump, 1);
  }
  const struct sigaction &previous = signal == SIGBUS   ? previousBus
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

SignalStack::SignalStack() {
  constexpr size_t bytes = 64 << 10;
  stack_t present;
  if (sigaltstack(nullptr, &present) != 0 || !(present.ss_flags & SS_DISABLE))
    return;
  memory = std::malloc(bytes);
  if (!memory)
    return;
  stack_t own = {};
  own.ss_sp = memory;
  own.ss_size = bytes;
  sigaltstack(&own, nullptr);
}

SignalStack::~SignalStack() {
  if (!memory)
    return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  std::free(memory);
}

bool fly::cpu::isPastStack(uint64_t address) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return false;
  void *lowest = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  // One frame may reach far beyond the end.
  constexpr uint64_t reach = 1 << 20;
  auto low = uint64_t(reinterpret_cast<uintptr_t>(lowest));
  return address + reach >= low && address < low + (64 << 10);
}

MemoryFaultGuard::MemoryFaultGuard() {
  std::lock_guard<fly::runtime::ForkMutex> lock(guardMutex);
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
  std::lock_guard<fly::runtime::ForkMutex> lock(guardMutex);
  if (--guardCount != 0)
    return;
  sigaction(SIGSEGV, &previousSegv, nullptr);
  sigaction(SIGBUS, &previousBus, nullptr);
  sigaction(SIGFPE, &previousFpe, nullptr);
}
