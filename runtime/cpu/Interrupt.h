// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stopping a launch by SIGINT. The signal's handler sets a flag, which workers
// look at between lanes, and leaves lane code that it has interrupted by the
// jump of its faults. What a stop means to the program is its host's business.

#ifndef FLY_RUNTIME_CPU_INTERRUPT_H
#define FLY_RUNTIME_CPU_INTERRUPT_H

#include <atomic>
#include <pthread.h>

namespace fly::cpu {

/// The flag that stops launches of this thread; null if nothing does.
const std::atomic<bool> *interruptFlag();

/// True if launches of this thread are to stop.
bool isInterrupted();

/// Makes a worker whose launch is to stop leave lane code.
void interruptWorker(pthread_t worker);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_INTERRUPT_H
