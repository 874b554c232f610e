// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fly/Dialect/Fly/Analysis/KernelArguments.h"

#include "Fly/Dialect/Fly/IR/FlyTypes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace fly {

static bool isRegisterMemory(Type type) {
  if (auto pointer = dyn_cast<PointerType>(type))
    return pointer.isIn(AddressSpace::Register);
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.isIn(AddressSpace::Register);
}

LogicalResult checkKernelArguments(Operation *root) {
  LogicalResult result = success();
  root->walk([&](gpu::GPUFuncOp function) {
    if (!function.isKernel() || function.isExternal())
      return;
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
      if (!isRegisterMemory(type))
        continue;
      InFlightDiagnostic error = emitError(function.getArgument(index).getLoc())
                                 << "argument #" << index << " of kernel '"
                                 << function.getName() << "' has type " << type
                                 << ": register memory belongs to a lane, a "
                                    "host cannot pass it to a kernel";
      result = failure();
    }
  });
  return result;
}

} // namespace fly
