// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-translate: upstream's translations and Fly's, in one tool.

#include "Fly/InitAll.h"
#include "Fly/Pipelines/Translations.h"

#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  fly::setVersionPrinter();
  fly::boundParsedNesting();
  mlir::registerAllTranslations();
  fly::registerFlyTranslations(fly::registerAllDialects);
  return mlir::asMainReturnCode(
      mlir::mlirTranslateMain(argc, argv, "Fly translation tool"));
}
