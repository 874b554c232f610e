// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled host code has no way to unwind: a trap jumps from the signal
// handler back to the call, on a stack of its own as the thread's may be full.

#include "Fly/Execution/HostCall.h"
#include "Fly/Execution/HostTraps.h"
#include "llvm/ADT/STLExtras.h"
#include <csetjmp>
#include <csignal>
#include <memory>
#include <mutex>
#include <pthread.h>

namespace fly {

//===----------------------------------------------------------------------===//
// Traps
//===----------------------------------------------------------------------===//

namespace {
/// The call that the traps of this thread end.
struct HostCall {
  sigjmp_buf jump;
  int signal = 0;
  uintptr_t address = 0;
};

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
} // namespace

static thread_local HostCall *currentCall = nullptr;
static struct sigaction previousActions[std::size(kSignals)];

static void onTrap(int signal, siginfo_t *info, void *) {
  if (HostCall *call = currentCall) {
    call->signal = signal;
    call->address = reinterpret_cast<uintptr_t>(info->si_addr);
    siglongjmp(call->jump, 1);
  }
  // Another thread's: the handler from before gets it as the faulting
  // instruction is run again.
  for (auto [number, previous] : llvm::zip(kSignals, previousActions))
    if (number == signal)
      sigaction(signal, &previous, nullptr);
}

namespace {
/// Lets traps of this thread come to onTrap while it lives. Calls of several
/// threads at once share the handlers.
class TrapScope {
public:
  explicit TrapScope(HostCall &call) {
    stack_t present;
    sigaltstack(nullptr, &present);
    if (present.ss_flags & SS_DISABLE) {
      ownStack = std::make_unique<char[]>(kStackBytes);
      stack_t stack = {};
      stack.ss_sp = ownStack.get();
      stack.ss_size = kStackBytes;
      sigaltstack(&stack, nullptr);
    }
    // A child of a fork must not wait for a thread that it does not have.
    static int registered = pthread_atfork(
        [] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });
    (void)registered;
    std::lock_guard<std::mutex> lock(mutex);
    if (count++ == 0) {
      struct sigaction action = {};
      action.sa_sigaction = onTrap;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK;
      sigemptyset(&action.sa_mask);
      for (auto [number, previous] : llvm::zip(kSignals, previousActions))
        sigaction(number, &action, &previous);
    }
    outer = currentCall;
    currentCall = &call;
  }

  ~TrapScope() {
    currentCall = outer;
    std::lock_guard<std::mutex> lock(mutex);
    if (--count == 0)
      for (auto [number, previous] : llvm::zip(kSignals, previousActions))
        sigaction(number, &previous, nullptr);
    if (ownStack) {
      stack_t none = {};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
    }
  }

private:
  static constexpr size_t kStackBytes = 64 << 10;
  static inline std::mutex mutex;
  static inline unsigned count = 0;
  std::unique_ptr<char[]> ownStack;
  HostCall *outer = nullptr;
};
} // namespace

/// True if `address` lies below this thread's stack or at its very end, where
/// a recursion that does not end gets to.
static bool isPastStack(uintptr_t address) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return false;
  void *lowest = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  constexpr uintptr_t kReach = 1 << 20;
  auto low = reinterpret_cast<uintptr_t>(lowest);
  return address + kReach >= low && address < low + kReach;
}

static std::string trapText(const HostCall &call) {
  if ((call.signal == SIGSEGV || call.signal == SIGBUS) &&
      isPastStack(call.address))
    return "the stack is full, as of a recursion that does not end";
  return describeTrap(call.signal, call.address);
}

/// Apart from callHost, so that no object of the frame is skipped by a jump.
static bool runUntilTrap(HostCall &call, void (*function)(void **),
                         void **arguments) {
  if (sigsetjmp(call.jump, /*savemask=*/1) != 0)
    return false;
  function(arguments);
  return true;
}

char HostTrap::ID = 0;

llvm::Error callHost(llvm::StringRef name, void (*function)(void **),
                     void **arguments) {
  HostCall call;
  bool ended;
  {
    TrapScope scope(call);
    ended = runUntilTrap(call, function, arguments);
  }
  if (ended)
    return llvm::Error::success();
  return llvm::make_error<HostTrap>(
      ("host function '" + name + "' stopped: " + trapText(call)).str());
}

} // namespace fly
