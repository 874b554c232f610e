// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handler of SIGINT while launches of one thread can be interrupted.

#include "Interrupt.h"
#include "LaneFaults.h"

#include "fly_runtime.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

using namespace fly::cpu;

/// Signals reach one thread at a time, so the state of the process is that of
/// the one thread that waits for them.
static std::atomic<bool> active{false};
static std::atomic<bool> interrupted{false};
static pthread_t owner;
static pid_t ownerProcess = 0;
static struct sigaction previousInt;
static thread_local bool isOwner = false;

const std::atomic<bool> *fly::cpu::interruptFlag() {
  return isOwner ? &interrupted : nullptr;
}

bool fly::cpu::isInterrupted() {
  return isOwner && interrupted.load(std::memory_order_relaxed);
}

void fly::cpu::interruptWorker(pthread_t worker) {
  pthread_kill(worker, SIGINT);
}

static void callPrevious(int signal, siginfo_t *info, void *context) {
  if (previousInt.sa_flags & SA_SIGINFO)
    previousInt.sa_sigaction(signal, info, context);
  else
    previousInt.sa_handler(signal);
}

static void onInterrupt(int signal, siginfo_t *info, void *context);

static bool isOurs(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == onInterrupt;
}

static bool isFunction(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

static void install(struct sigaction *before) {
  struct sigaction action = {};
  action.sa_sigaction = onInterrupt;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, before);
}

static void onInterrupt(int signal, siginfo_t *info, void *context) {
  int savedErrno = errno;
  // In a child made by fork nobody waits, and the thread may not be there.
  if (!active || getpid() != ownerProcess) {
    callPrevious(signal, info, context);
    errno = savedErrno;
    return;
  }
  // A signal of our own only wakes a worker up.
  bool wakes =
      interrupted && info->si_code == SI_TKILL && info->si_pid == ownerProcess;
  interrupted = true;
  if (!wakes) {
    callPrevious(signal, info, context);
    // That of LLVM, which stays after a compilation, puts back the one before
    // it, whose turn it is from now on.
    struct sigaction present;
    sigaction(SIGINT, nullptr, &present);
    if (!isOurs(present) && isFunction(present))
      install(&previousInt);
    if (!pthread_equal(pthread_self(), owner))
      interruptWorker(owner);
  }
  errno = savedErrno;
  leaveLanesIfInterrupted();
}

int32_t flyRuntimeBeginInterruptible() {
  if (active && ownerProcess == getpid())
    return 0;
  struct sigaction before;
  interrupted = false;
  owner = pthread_self();
  ownerProcess = getpid();
  active = true;
  install(&before);
  // A child of a fork in the middle of a launch inherits the handler.
  if (!isOurs(before))
    previousInt = before;
  if (!isFunction(previousInt)) {
    sigaction(SIGINT, &previousInt, nullptr);
    active = false;
    return 0;
  }
  isOwner = true;
  return 1;
}

int32_t flyRuntimeEndInterruptible() {
  if (!isOwner)
    return 0;
  isOwner = false;
  sigaction(SIGINT, &previousInt, nullptr);
  active = false;
  return interrupted ? 1 : 0;
}
