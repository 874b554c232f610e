// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which cross-lane operations a chip has, by their rows, and the forms of those
// that are intrinsics. The cluster that a kernel is made for.

#include "OperationTable.h"

#include "Fly/Arch/Clusters.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "fly_cpu_abi.h"

using namespace mlir;
using namespace fly::host;
namespace arch = fly::arch;

std::string fly::host::findFeatureProblem(arch::Feature feature,
                                          const arch::Chip &chip) {
  if (chip.has(feature))
    return {};
  std::string text = "is no instruction of " + chip.name.str();
  if (feature == arch::Feature::Clusters)
    return text + ", which has no clusters of workgroups";
  return text + ", which lacks the feature '" +
         arch::featureName(feature).str() + "'";
}

/// The halves of the barrier need clusters if they are of the cluster's.
static arch::Feature findNeeds(const OperationRow &row,
                               ArrayRef<int32_t> immediates) {
  bool isOfCluster = row.isBarrier && !immediates.empty() &&
                     immediates[0] == FLY_CPU_CLUSTER_BARRIER;
  return isOfCluster ? arch::Feature::Clusters : row.needs;
}

std::string fly::host::findCrossLaneProblem(Operation *op,
                                            const OperationRow &row,
                                            ArrayRef<int32_t> immediates,
                                            const arch::Chip &chip) {
  if (std::string problem =
          findFeatureProblem(findNeeds(row, immediates), chip);
      !problem.empty())
    return problem;
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  if (!call || !getMatrixOperation(op).empty())
    return {};
  auto isPointer = [](Type type, unsigned space) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    return pointer && pointer.getAddressSpace() == space;
  };
  auto types = call.getArgs().getTypes();
  if (row.handler == FlyCpuHandlerSClusterBarrier)
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

/// The attribute that LLVM puts into the code object, or the one that
/// fly-rocdl-cluster-attr makes it of; null if there is none.
static Attribute findClusterDims(LLVM::LLVMFuncOp kernel) {
  if (Attribute dims = kernel->getAttr("rocdl.cluster_dims"))
    return dims;
  if (ArrayAttr passthrough = kernel.getPassthroughAttr())
    for (Attribute entry : passthrough)
      if (auto pair = dyn_cast<ArrayAttr>(entry); pair && pair.size() == 2)
        if (auto name = dyn_cast<StringAttr>(pair[0]);
            name && name.getValue() == "amdgpu-cluster-dims")
          return pair[1];
  return {};
}

LogicalResult fly::host::readClusterSize(LLVM::LLVMFuncOp kernel,
                                         const arch::Chip &chip,
                                         uint32_t size[3]) {
  Attribute dims = findClusterDims(kernel);
  if (!dims)
    return success();
  auto text = dyn_cast<StringAttr>(dims);
  if (!text)
    return kernel.emitError("has cluster dimensions ")
           << dims << ", expected a string as \"2,1,1\"";
  std::array<uint32_t, 3> sizes;
  std::string problem = arch::readClusterDims(text.getValue(), chip, sizes);
  if (!problem.empty())
    return kernel.emitError("has cluster dimensions \"")
           << text.getValue() << "\"" << problem;
  llvm::copy(sizes, size);
  return success();
}
