// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the first failure of each thread, or hands failures to the dispatcher.

#include "Error.h"

#include <atomic>

using namespace fly::runtime;

namespace {
struct PendingError {
  int32_t code = 0;
  std::string message;
};
} // namespace

static PendingError &pendingError() {
  static thread_local PendingError pending;
  return pending;
}

static std::atomic<void (*)(int32_t, const char *)> errorSink{nullptr};

void fly::runtime::reportError(int32_t code, const std::string &message) {
  if (auto sink = errorSink.load(std::memory_order_acquire)) {
    sink(code, message.c_str());
    return;
  }
  PendingError &pending = pendingError();
  if (pending.code)
    return;
  pending.code = code ? code : FLY_RUNTIME_ERROR_INVALID;
  pending.message = message;
}

int32_t fly::runtime::takeError() {
  int32_t code = pendingError().code;
  // The text stays, so that it can be read after the code was taken.
  pendingError().code = 0;
  return code;
}

const char *fly::runtime::errorMessage() {
  return pendingError().message.c_str();
}

void flyRuntimeForwardErrors(void (*sink)(int32_t, const char *)) {
  errorSink.store(sink, std::memory_order_release);
}

int32_t flyRuntimeTakeError() { return takeError(); }

int32_t flydslRuntimeTakeError() { return takeError(); }

const char *flyRuntimeErrorMessage() { return errorMessage(); }

void flyRuntimeReportError(int32_t code, const char *message) {
  reportError(code, message ? message : "");
}

int32_t flyRuntimeAbiVersion() { return FLY_RUNTIME_ABI_VERSION; }
