// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings of CPU launches: the order of waves and workgroups and the
// number of threads, from calls or from the environment.

#include "Schedule.h"

#include "../common/ForkMutex.h"

#include <cstdlib>
#include <mutex>
#include <thread>

using namespace fly::cpu;

namespace {
struct Settings {
  fly::runtime::ForkMutex mutex;
  bool hasSchedule = false;
  Schedule schedule;
  unsigned threads = 0;
};
} // namespace

static Settings &settings() {
  static Settings instance;
  return instance;
}

/// Reads a whole decimal number; false if `text` is anything else or too big.
static bool parseNumber(const std::string &text, uint64_t &number) {
  if (text.empty())
    return false;
  number = 0;
  for (char c : text) {
    if (c < '0' || c > '9')
      return false;
    uint64_t digit = uint64_t(c - '0');
    if (number > (UINT64_MAX - digit) / 10)
      return false;
    number = number * 10 + digit;
  }
  return true;
}

bool fly::cpu::parseSchedule(const std::string &text, Schedule &schedule,
                             std::string &error) {
  Schedule parsed;
  const std::string random = "random:";
  if (text == "in-order") {
    parsed.kind = Schedule::Kind::InOrder;
  } else if (text == "reverse") {
    parsed.kind = Schedule::Kind::Reverse;
  } else if (text.compare(0, random.size(), random) == 0 &&
             parseNumber(text.substr(random.size()), parsed.seed)) {
    parsed.kind = Schedule::Kind::Random;
  } else {
    error = "unknown schedule '" + text +
            "', expected in-order, reverse or random:SEED";
    return false;
  }
  schedule = parsed;
  return true;
}

void fly::cpu::setSchedule(const Schedule &schedule) {
  Settings &s = settings();
  std::lock_guard<fly::runtime::ForkMutex> lock(s.mutex);
  s.hasSchedule = true;
  s.schedule = schedule;
}

void fly::cpu::setThreads(unsigned threads) {
  Settings &s = settings();
  std::lock_guard<fly::runtime::ForkMutex> lock(s.mutex);
  s.threads = threads;
}

bool fly::cpu::currentSchedule(Schedule &schedule, std::string &error) {
  {
    Settings &s = settings();
    std::lock_guard<fly::runtime::ForkMutex> lock(s.mutex);
    if (s.hasSchedule) {
      schedule = s.schedule;
      return true;
    }
  }
  schedule = Schedule();
  const char *text = std::getenv("FLY_CPU_SCHEDULE");
  if (!text || !*text)
    return true;
  if (parseSchedule(text, schedule, error))
    return true;
  error = "FLY_CPU_SCHEDULE: " + error;
  return false;
}

bool fly::cpu::currentThreads(unsigned &threads, std::string &error) {
  {
    Settings &s = settings();
    std::lock_guard<fly::runtime::ForkMutex> lock(s.mutex);
    if (s.threads) {
      threads = s.threads;
      return true;
    }
  }
  const char *text = std::getenv("FLY_CPU_THREADS");
  if (!text || !*text) {
    unsigned cores = std::thread::hardware_concurrency();
    threads = cores ? cores : 1;
    return true;
  }
  uint64_t number = 0;
  if (!parseNumber(text, number) || number < 1 || number > 1024) {
    error = std::string("FLY_CPU_THREADS: found '") + text +
            "', expected a number from 1 to 1024";
    return false;
  }
  threads = unsigned(number);
  return true;
}
