// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the emission of all atoms of `fly_rocdl`.

#include "CopyAtoms.h"
#include "MatrixAtoms.h"

#include "Fly/Conversion/FlyToROCDL/Passes.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

using namespace mlir;

void fly::registerFlyToROCDLModels(DialectRegistry &registry) {
  using namespace fly::rocdl;
  registry.addExtension(+[](MLIRContext *context, FlyROCDLDialect *) {
    attachMatrixModels(*context);
    attachCopyModels(*context);
    attachTdmModel(*context);
    attachTensorCopyModels(*context);
  });
}
