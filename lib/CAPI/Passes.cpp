// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of passes: registration once in a process, and running text.

#include "Fly-c/Passes.h"

#include "Fly/InitAll.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include <mutex>

// A pipeline that is registered twice ends the process. Who else registered is
// seen by a pipeline of each set.

void flyRegisterPasses() {
  static std::once_flag flag;
  std::call_once(flag, [] {
    if (!mlir::PassPipelineInfo::lookup("fly-to-binary"))
      fly::registerFlyPasses();
  });
}

void flyRegisterAllPasses() {
  static std::once_flag flag;
  std::call_once(flag, [] {
    if (!mlir::PassPipelineInfo::lookup("gpu-lower-to-nvvm-pipeline"))
      mlir::registerAllPasses();
  });
  flyRegisterPasses();
}

MlirLogicalResult flyRunPasses(MlirOperation op, MlirStringRef passes) {
  if (mlirOperationIsNull(op))
    return mlirLogicalResultFailure();
  mlir::Operation *root = unwrap(op);
  mlir::PassManager pm(root->getContext(), root->getName().getStringRef());
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (failed(mlir::parsePassPipeline(unwrap(passes), pm, stream))) {
    root->emitError("flyRunPasses: ") << llvm::StringRef(message).trim();
    return mlirLogicalResultFailure();
  }
  return wrap(pm.run(root));
}
