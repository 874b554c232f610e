// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-opt: mlir-opt with Fly's dialects, passes and pipelines.

#include "Fly/InitAll.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  fly::setVersionPrinter();
  fly::boundParsedNesting();
  fly::registerAllPasses();
  mlir::DialectRegistry registry;
  fly::registerAllDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "Fly optimizer driver: MLIR with the fly dialects\n",
      registry));
}
