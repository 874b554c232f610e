// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trap jumps from the signal handler back to the call. The handlers stay
// installed: a call costs no system call.

#include "Fly/Execution/HostTraps.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <ucontext.h>

using namespace fly;

namespace {
/// The call that the traps of this thread end.
struct TrappedCall {
  sigjmp_buf jump;
  CodeRange code;
  volatile int signal = 0;
  volatile uintptr_t address = 0;
};

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
} // namespace

static thread_local TrappedCall *currentCall = nullptr;
static struct sigaction previousActions[std::size(kSignals)];

std::string fly::describeTrap(int signal, uintptr_t address) {
  switch (signal) {
  case SIGFPE:
    return "an integer division without a result";
  case SIGILL:
  case SIGTRAP:
    return "a trap instruction";
  case SIGABRT:
    return "a call of abort";
  default: {
    char text[64];
    std::snprintf(text, sizeof(text), "an access to unmapped memory at 0x%llx",
                  static_cast<unsigned long long>(address));
    return text;
  }
  }
}

/// The address of the instruction that a signal interrupted; 0 if unknown.
static uintptr_t instructionOf(void *context) {
#if defined(__x86_64__)
  return static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return static_cast<ucontext_t *>(context)->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

static void onTrap(int signal, siginfo_t *info, void *context) {
  TrappedCall *call = currentCall;
  uintptr_t instruction = instructionOf(context);
  // A breakpoint has been stepped over when it is told.
  if (signal == SIGTRAP && instruction)
    --instruction;
  if (call && instruction >= call->code.begin && instruction < call->code.end) {
    call->signal = signal;
    call->address = reinterpret_cast<uintptr_t>(info->si_addr);
    siglongjmp(call->jump, 1);
  }
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    if (kSignals[i] != signal)
      continue;
    const struct sigaction &previous = previousActions[i];
    if (previous.sa_flags & SA_SIGINFO) {
      previous.sa_sigaction(signal, info, context);
    } else if (previous.sa_handler == SIG_DFL ||
               previous.sa_handler == SIG_IGN) {
      // The instruction runs again and ends the process in the usual way. What
      // was sent and not caused comes no second time.
      sigaction(signal, &previous, nullptr);
      if (info->si_code <= 0)
        raise(signal);
    } else {
      previous.sa_handler(signal);
    }
  }
}

void fly::installTrapHandlers() {
  static std::once_flag installed;
  std::call_once(installed, [] {
    struct sigaction action = {};
    action.sa_sigaction = onTrap;
    // Not masked meanwhile: the jump need not restore a mask.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < std::size(kSignals); ++i)
      sigaction(kSignals[i], &action, &previousActions[i]);
  });
}

/// Apart from callTrapped, so that no object of the frame is skipped by a jump.
static bool runUntilTrap(TrappedCall &call, void (*function)(void **),
                         void **arguments) {
  if (sigsetjmp(call.jump, /*savemask=*/0) != 0)
    return false;
  function(arguments);
  return true;
}

std::optional<std::string> fly::callTrapped(CodeRange code,
                                            void (*function)(void **),
                                            void **arguments) {
  installTrapHandlers();
  TrappedCall call;
  call.code = code;
  TrappedCall *outer = currentCall;
  currentCall = &call;
  bool ended = runUntilTrap(call, function, arguments);
  currentCall = outer;
  if (ended)
    return std::nullopt;
  return describeTrap(call.signal, call.address);
}
