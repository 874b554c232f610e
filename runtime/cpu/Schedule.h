// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the scheduler asks of the settings (Scheduler.h has the calls that set
// them).

#ifndef FLY_RUNTIME_CPU_SCHEDULE_H
#define FLY_RUNTIME_CPU_SCHEDULE_H

#include "Scheduler.h"

namespace fly::cpu {

/// The schedule that holds now. False and a text in `error` if the environment
/// names one that does not exist.
bool currentSchedule(Schedule &schedule, std::string &error);

/// The number of threads (at least 1) that holds now; false and a text in
/// `error` if FLY_CPU_THREADS is no number from 1 to 1024.
bool currentThreads(unsigned &threads, std::string &error);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_SCHEDULE_H
