// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the number of a cross-lane operation to the function that serves it.

#include "Handlers.h"

using namespace fly::cpu;

namespace {
/// The classes of fly_cpu_handlers.def.
enum class HandlerClass { None, Barrier, Exchange, Matrix, Move, Wait, Sleep };
} // namespace

static const HandlerClass handlerClasses[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue)             \
  HandlerClass::Class,
#include "fly_cpu_handlers.def"
};

fly_cpu_handler flyCpuGetHandler(uint32_t id) {
  if (id >= FlyCpuHandlerCount)
    return nullptr;
  if (handlerClasses[id] == HandlerClass::Matrix)
    return matrixOperation;
  switch (static_cast<fly_cpu_handler_id>(id)) {
  case FlyCpuHandlerDsBpermute:
    return dsBpermute;
  case FlyCpuHandlerDsSwizzle:
    return dsSwizzle;
  case FlyCpuHandlerPermlane16Swap:
    return permlane16Swap;
  case FlyCpuHandlerPermlane32Swap:
    return permlane32Swap;
  case FlyCpuHandlerPermlaneX16:
    return permlaneX16;
  case FlyCpuHandlerReadlane:
    return readlane;
  case FlyCpuHandlerReadfirstlane:
    return readfirstlane;
  case FlyCpuHandlerBallot:
    return ballot;
  case FlyCpuHandlerCvtScale:
    return cvtScale;
  case FlyCpuHandlerUpdateDpp:
    return updateDpp;
  case FlyCpuHandlerRawPtrBufferLoadLds:
    return rawPtrBufferLoadLds;
  case FlyCpuHandlerGlobalLoadLds:
    return globalLoadLds;
  case FlyCpuHandlerDsReadTr4:
    return dsReadTr4;
  case FlyCpuHandlerDsReadTr8:
    return dsReadTr8;
  case FlyCpuHandlerDsReadTr6:
    return dsReadTr6;
  case FlyCpuHandlerDsReadTr16:
    return dsReadTr16;
  case FlyCpuHandlerDsLoadTr8:
    return dsLoadTr8;
  case FlyCpuHandlerDsLoadTr16:
    return dsLoadTr16;
  case FlyCpuHandlerClusterLoad8:
    return clusterLoad<1>;
  case FlyCpuHandlerClusterLoad32:
    return clusterLoad<4>;
  case FlyCpuHandlerClusterLoad64:
    return clusterLoad<8>;
  case FlyCpuHandlerClusterLoad128:
    return clusterLoad<16>;
  case FlyCpuHandlerAsyncLoad8:
    return asyncLoad<1>;
  case FlyCpuHandlerAsyncLoad32:
    return asyncLoad<4>;
  case FlyCpuHandlerAsyncLoad64:
    return asyncLoad<8>;
  case FlyCpuHandlerAsyncLoad128:
    return asyncLoad<16>;
  case FlyCpuHandlerAsyncStore8:
    return asyncStore<1>;
  case FlyCpuHandlerAsyncStore32:
    return asyncStore<4>;
  case FlyCpuHandlerAsyncStore64:
    return asyncStore<8>;
  case FlyCpuHandlerAsyncStore128:
    return asyncStore<16>;
  case FlyCpuHandlerLdsBarrierArrive:
    return ldsBarrierArrive;
  case FlyCpuHandlerLdsBarrierArriveAsync:
    return ldsBarrierArriveAsync;
  case FlyCpuHandlerTensorLoad:
  case FlyCpuHandlerTensorLoadD2:
    return tensorLoad;
  case FlyCpuHandlerTensorStore:
  case FlyCpuHandlerTensorStoreD2:
    return tensorStore;
  default:
    return nullptr;
  }
}
