// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fly-run: compiles a module, runs one of its functions on a device and checks
// the results. This file only parses the command line.

#include "Fly/Execution/RunModule.h"
#include "Fly/InitAll.h"
#include "Fly/Pipelines/Pipelines.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include <fcntl.h>
#include <unistd.h>

namespace cl = llvm::cl;

static cl::OptionCategory category("fly-run options");

static cl::opt<std::string> moduleFile(cl::Positional, cl::Required,
                                       cl::desc("MODULE"),
                                       cl::value_desc("file or -"),
                                       cl::cat(category));
static cl::opt<std::string>
    functionName("function",
                 cl::desc("Host function to call; may be left out if the "
                          "module has only one"),
                 cl::value_desc("name"), cl::cat(category));
static cl::opt<fly::DeviceKind>
    device("device", cl::desc("Where the kernels run (default cpu)"),
           cl::values(clEnumValN(fly::DeviceKind::CPU, "cpu",
                                 "this machine's CPU, lane for lane"),
                      clEnumValN(fly::DeviceKind::HIP, "hip",
                                 "an AMD GPU through the HIP library")),
           cl::init(fly::DeviceKind::CPU), cl::cat(category));
static cl::list<std::string>
    inputs("input",
           cl::desc("The next argument, in the order of the function's "
                    "parameters, streams not counted: 5000, 1.5, "
                    "96x64xf32=0, 4xi32=1,2,3,4, 128x96xf16=@a.npy, @a.npy"),
           cl::value_desc("value"), cl::cat(category));
static cl::list<std::string>
    outputs("output", cl::desc("Write argument N after the run: N:@FILE.npy"),
            cl::value_desc("N:@file"), cl::cat(category));
static cl::list<std::string>
    expected("expected",
             cl::desc("Compare argument N after the run: N:@FILE.npy or "
                      "N:96x64xf32=0"),
             cl::value_desc("N:array"), cl::cat(category));
static cl::opt<double>
    rtol("rtol", cl::desc("Relative tolerance of --expected (default 0)"),
         cl::init(0), cl::cat(category));
static cl::opt<double>
    atol_("atol", cl::desc("Absolute tolerance of --expected (default 0)"),
          cl::init(0), cl::cat(category));
static cl::opt<std::string>
    schedule("schedule",
             cl::desc("Order of a workgroup's waves on the CPU device: "
                      "in-order (default), reverse or random:SEED"),
             cl::value_desc("order"), cl::cat(category));
static cl::opt<unsigned>
    threads("cpu-threads",
            cl::desc("Threads of the CPU device; 0 (default): one a core"),
            cl::init(0), cl::cat(category));
static cl::opt<bool>
    json("json", cl::desc("Print times and comparisons as a JSON object"),
         cl::cat(category));

/// A closed output stream leaves its number to the next file that is opened,
/// and messages would be written into that. So a file takes the number: one
/// that refuses results; of errors nobody is left to be told.
static void keepClosedOutputs() {
  for (int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1)
      continue;
    int file =
        open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
    if (file == -1 || file == stream)
      continue;
    dup2(file, stream);
    close(file);
  }
}

int main(int argc, char **argv) {
  keepClosedOutputs();
  llvm::InitLLVM init(argc, argv);
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  // The chip, the optimisation level and all else that a pipeline takes.
  static fly::PipelineOptions pipeline;
  pipeline.addToCommandLine(&category, {"format"});
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Runs a function of a Fly module on a device.\n\n"
          "Exit status: 0 ran and matched, 1 an array did not match, 2 "
          "error.\n",
          &llvm::errs()))
    return fly::RunError;

  fly::RunOptions options(pipeline);
  options.module = moduleFile;
  options.function = functionName;
  options.device = device;
  options.inputs.assign(inputs.begin(), inputs.end());
  options.outputs.assign(outputs.begin(), outputs.end());
  options.expected.assign(expected.begin(), expected.end());
  options.rtol = rtol;
  options.atol = atol_;
  options.schedule = schedule;
  options.threads = threads;
  options.json = json;

  fly::boundParsedNesting();
  mlir::DialectRegistry registry;
  fly::registerAllDialects(registry);
  return fly::runModule(registry, options);
}
