// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-opt: mlir-opt with Fly's dialects, passes and pipelines.

#include "Fly/Dialect/Fly/IR/NestedParsing.h"
#include "Fly/InitAll.h"

#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

/// MlirOptMain on a file that has been looked at.
static mlir::LogicalResult run(int argc, char **argv, llvm::StringRef input,
                               llvm::StringRef output,
                               mlir::DialectRegistry &registry) {
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::MlirOptMain(argc, argv, input, output, registry);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      mlir::openInputFile(input, &error);
  if (buffer)
    if (auto refusal = fly::refuseDeepNesting(buffer->getBuffer()))
      error = input.str() + ": error: " + *refusal;
  auto file = error.empty() ? mlir::openOutputFile(output, &error) : nullptr;
  if (!file) {
    llvm::errs() << error << '\n';
    return mlir::failure();
  }
  if (failed(
          mlir::MlirOptMain(file->os(), std::move(buffer), registry, config)))
    return mlir::failure();
  file->keep();
  return mlir::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  fly::setVersionPrinter();
  fly::registerAllPasses();
  mlir::DialectRegistry registry;
  fly::registerAllDialects(registry);
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "Fly optimizer driver: MLIR with the fly dialects\n",
      registry);
  return mlir::asMainReturnCode(run(argc, argv, input, output, registry));
}
