// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of the HIP device.

#include "Api.h"

#include "../common/Error.h"

#include <string>

using namespace fly::runtime;
using namespace fly::runtime::hip;

/// HIP's functions if `event` is not null; else null with a recorded failure.
static const Api *apiForEvent(void *event, const char *caller) {
  if (!event) {
    reportError(FLY_RUNTIME_ERROR_INVALID,
                std::string(caller) + ": null event");
    return nullptr;
  }
  return getApi();
}

void *mgpuStreamCreate() {
  const Api *api = getApi();
  void *stream = nullptr;
  if (!api || !check(*api, api->streamCreate(&stream), "hipStreamCreate"))
    return nullptr;
  return stream;
}

void mgpuStreamDestroy(void *stream) {
  if (!stream) {
    reportError(FLY_RUNTIME_ERROR_INVALID,
                "mgpuStreamDestroy: the default stream cannot be destroyed");
    return;
  }
  if (const Api *api = getApi())
    check(*api, api->streamDestroy(stream), "hipStreamDestroy");
}

void mgpuStreamSynchronize(void *stream) {
  if (const Api *api = getApi())
    check(*api, api->streamSynchronize(stream), "hipStreamSynchronize");
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  if (const Api *api = apiForEvent(event, __func__))
    check(*api, api->streamWaitEvent(stream, event, /*flags=*/0),
          "hipStreamWaitEvent");
}

void *mgpuEventCreate() {
  const Api *api = getApi();
  void *event = nullptr;
  if (!api ||
      !check(*api, api->eventCreateWithFlags(&event, eventDisableTiming),
             "hipEventCreateWithFlags"))
    return nullptr;
  return event;
}

void mgpuEventDestroy(void *event) {
  if (const Api *api = apiForEvent(event, __func__))
    check(*api, api->eventDestroy(event), "hipEventDestroy");
}

void mgpuEventSynchronize(void *event) {
  if (const Api *api = apiForEvent(event, __func__))
    check(*api, api->eventSynchronize(event), "hipEventSynchronize");
}

void mgpuEventRecord(void *event, void *stream) {
  if (const Api *api = apiForEvent(event, __func__))
    check(*api, api->eventRecord(event, stream), "hipEventRecord");
}
