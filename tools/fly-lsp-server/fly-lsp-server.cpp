// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-lsp-server: the language server for .mlir files in editors, with Fly's
// dialects.

#include "Fly/InitAll.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  fly::setVersionPrinter();
  fly::boundParsedNesting();
  mlir::DialectRegistry registry;
  fly::registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
