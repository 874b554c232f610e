// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutexes of the process's state in programs that fork.

#ifndef FLY_RUNTIME_COMMON_FORKMUTEX_H
#define FLY_RUNTIME_COMMON_FORKMUTEX_H

#include <mutex>
#include <pthread.h>
#include <vector>

namespace fly::runtime {

/// A mutex that is free in a child made by fork. A fork by one thread waits
/// until no other thread is in a section that such a mutex guards; the child
/// would wait for that thread, which it does not have, for ever.
///
/// Instances live as long as the process. No two are held at once, so that the
/// order in which a fork takes them does not matter.
class ForkMutex {
public:
  ForkMutex() {
    List &list = instances();
    std::lock_guard<std::mutex> lock(list.mutex);
    if (list.all.empty())
      pthread_atfork(lockAll, unlockAll, unlockAll);
    list.all.push_back(this);
  }
  ForkMutex(const ForkMutex &) = delete;
  ForkMutex &operator=(const ForkMutex &) = delete;

  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }

private:
  struct List {
    std::mutex mutex;
    std::vector<ForkMutex *> all;
  };

  static List &instances() {
    static List *list = new List;
    return *list;
  }
  static void lockAll() {
    instances().mutex.lock();
    for (ForkMutex *instance : instances().all)
      instance->mutex.lock();
  }
  static void unlockAll() {
    for (ForkMutex *instance : instances().all)
      instance->mutex.unlock();
    instances().mutex.unlock();
  }

  std::mutex mutex;
};

} // namespace fly::runtime

#endif // FLY_RUNTIME_COMMON_FORKMUTEX_H
