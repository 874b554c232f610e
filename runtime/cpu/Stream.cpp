// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of the CPU device. Every operation has finished when its
// call returns, so an event needs no state, nor does a stream; their handles
// are kept to find wrong ones.

#include "Stream.h"

#include "../common/Error.h"
#include "../common/ForkMutex.h"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

using namespace fly::runtime;

namespace {
/// Handles of one kind.
class HandleSet {
public:
  explicit HandleSet(const char *kind) : kind(kind) {}

  void *create() {
    auto handle = std::make_unique<char>();
    void *address = handle.get();
    std::lock_guard<ForkMutex> lock(mutex);
    handles.emplace(address, std::move(handle));
    return address;
  }

  /// Returns whether the handle is known; records a failure if it is not.
  bool check(const void *handle, const char *caller) {
    std::lock_guard<ForkMutex> lock(mutex);
    return handles.count(handle) != 0 || refuse(caller);
  }

  void destroy(const void *handle, const char *caller) {
    std::lock_guard<ForkMutex> lock(mutex);
    if (handles.erase(handle) == 0)
      refuse(caller);
  }

private:
  bool refuse(const char *caller) {
    reportError(FLY_RUNTIME_ERROR_INVALID,
                std::string(caller) + ": unknown " + kind);
    return false;
  }

  const char *kind;
  ForkMutex mutex;
  std::unordered_map<const void *, std::unique_ptr<char>> handles;
};
} // namespace

// Never destroyed: lowered code may still run in global destructors.
static HandleSet &streams() {
  static HandleSet *set = new HandleSet("stream");
  return *set;
}

static HandleSet &events() {
  static HandleSet *set = new HandleSet("event");
  return *set;
}

bool fly::cpu::checkStream(const void *stream, const char *caller) {
  return !stream || streams().check(stream, caller);
}

void *mgpuStreamCreate() { return streams().create(); }

void mgpuStreamDestroy(void *stream) { streams().destroy(stream, __func__); }

void mgpuStreamSynchronize(void *stream) {
  fly::cpu::checkStream(stream, __func__);
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  if (fly::cpu::checkStream(stream, __func__))
    events().check(event, __func__);
}

void *mgpuEventCreate() { return events().create(); }

void mgpuEventDestroy(void *event) { events().destroy(event, __func__); }

void mgpuEventSynchronize(void *event) { events().check(event, __func__); }

void mgpuEventRecord(void *event, void *stream) {
  if (fly::cpu::checkStream(stream, __func__))
    events().check(event, __func__);
}
