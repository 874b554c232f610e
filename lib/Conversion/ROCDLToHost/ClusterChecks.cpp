// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only chips with clusters have: their barrier, tensor copies,
// asynchronous copies and barriers in LDS; and the forms of those that are
// intrinsics.

#include "OperationTable.h"

#include "Fly/Arch/Chips.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "fly_cpu_abi.h"

using namespace mlir;
using namespace fly::host;
namespace arch = fly::arch;

static bool needsClusters(uint32_t handler, ArrayRef<int32_t> immediates) {
  switch (static_cast<fly_cpu_handler_id>(handler)) {
  case FlyCpuHandlerSBarrierSignal:
  case FlyCpuHandlerSBarrierWait:
    return !immediates.empty() && immediates[0] == FLY_CPU_CLUSTER_BARRIER;
  case FlyCpuHandlerSClusterBarrier:
  case FlyCpuHandlerClusterLoad8:
  case FlyCpuHandlerClusterLoad32:
  case FlyCpuHandlerClusterLoad64:
  case FlyCpuHandlerClusterLoad128:
  case FlyCpuHandlerAsyncLoad8:
  case FlyCpuHandlerAsyncLoad32:
  case FlyCpuHandlerAsyncLoad64:
  case FlyCpuHandlerAsyncLoad128:
  case FlyCpuHandlerAsyncStore8:
  case FlyCpuHandlerAsyncStore32:
  case FlyCpuHandlerAsyncStore64:
  case FlyCpuHandlerAsyncStore128:
  case FlyCpuHandlerTensorLoad:
  case FlyCpuHandlerTensorStore:
  case FlyCpuHandlerTensorLoadD2:
  case FlyCpuHandlerTensorStoreD2:
  case FlyCpuHandlerLdsBarrierArrive:
  case FlyCpuHandlerLdsBarrierArriveAsync:
    return true;
  default:
    return false;
  }
}

std::string fly::host::findClusterProblem(Operation *op, uint32_t handler,
                                          ArrayRef<int32_t> immediates,
                                          const arch::Chip &chip) {
  if (needsClusters(handler, immediates) &&
      !chip.has(arch::Feature::TensorCopy))
    return "is no instruction of " + chip.name.str() +
           ", which has no clusters of workgroups";
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  if (!call || !getMatrixOperation(op).empty())
    return {};
  auto isPointer = [](Type type, unsigned space) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    return pointer && pointer.getAddressSpace() == space;
  };
  auto types = call.getArgs().getTypes();
  if (handler == FlyCpuHandlerSClusterBarrier)
    return types.empty() && call.getNumResults() == 0
               ? std::string()
               : "must have no operands and no result";
  if (types.size() == 4 && isPointer(types[0], 1) && isPointer(types[1], 3) &&
      types[2].isInteger(32) && types[3].isInteger(32) &&
      call.getNumResults() == 0)
    return {};
  return "must have operands of types !llvm.ptr<1>, !llvm.ptr<3>, i32, i32 and "
         "no result";
}
