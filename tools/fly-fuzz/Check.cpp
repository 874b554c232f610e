// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running one input through everything.

#include "Check.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fly::fuzz;

ArrayRef<const char *> fly::fuzz::getPipelines() {
  static const char *const pipelines[] = {
      "fly-record-signature",
      "fly-rewrite-func-signature",
      "fly-canonicalize",
      "fly-expand-copy-gemm",
      "fly-lower-memory-ops",
      "fly-lower-print",
      "fly-insert-runtime-checks",
      "fly-lower-algebra",
      "fly-merge-offsets",
      "fly-fold",
      "fly-layout-lowering",
      "fly-int-swizzle-simplify",
      "fly-convert-atom-call-to-ssa-form",
      "fly-promote-registers",
      "fly-promote-regmem-to-vectorssa",
      "convert-fly-to-rocdl",
      "fly-rocdl-expand-ops",
      "fly-rocdl-check-target",
      "fly-rocdl-cluster-attr",
      "gpu.module(convert-rocdl-to-host)",
      "fly-expand-math",
      "gpu.module(fly-use-math-intrinsics)",
      "gpu.module(fly-convert-gpu-module)",
      "gpu.module(fly-lower-asserts)",
      "gpu.module(fly-lower-assert-calls)",
      "gpu.module(fly-use-implicit-arguments)",
      "gpu.module(fly-expand-narrow-floats)",
      "gpu.module(fly-set-waves-per-eu)",
      "gpu.module(fly-set-denormals{f32=flush f16=preserve})",
      "fly-lower-host-asserts",
      "fly-lower-host-waits",
      "gpu.module(fly-mark-lane-operations)",
      "fly-attach-target{chip=gfx942}",
      "fly-module-to-binary",
      // Not ours, but through our folders.
      "canonicalize",
      "cse,sccp,canonicalize",
      "fly-to-rocdl{chip=gfx942}",
      "fly-to-rocdl{chip=gfx1201}",
      "fly-to-binary{chip=gfx942}",
      "fly-to-cpu{chip=gfx942}",
  };
  return pipelines;
}

void Checker::setFault(const Twine &what) {
  if (!fault)
    fault = what.str();
}

namespace {

/// A context that counts errors instead of printing them.
class QuietContext {
public:
  explicit QuietContext(const DialectRegistry &registry)
      : context(registry, MLIRContext::Threading::DISABLED),
        handler(&context, [this](Diagnostic &diagnostic) {
          errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
          return success();
        }) {
    context.allowUnregisteredDialects();
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context));
  }
  MLIRContext *get() { return &context; }
  unsigned getErrors() const { return errors; }

private:
  MLIRContext context;
  unsigned errors = 0;
  ScopedDiagnosticHandler handler;
};

} // namespace

bool Checker::parses(StringRef text) {
  atStage("parse");
  ++runs;
  QuietContext context(registry);
  OwningOpRef<ModuleOp> module = context.parse(text);
  if (!module && context.getErrors() == 0)
    setFault("the text is refused without an error");
  return static_cast<bool>(module);
}

static std::string print(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  if (generic)
    flags.printGenericOpForm();
  module->print(os, flags);
  return text;
}

void Checker::checkRoundTrip(StringRef text) {
  QuietContext context(registry);
  OwningOpRef<ModuleOp> module = context.parse(text);
  if (!module)
    return;
  std::string printed = print(*module, /*generic=*/false);
  auto check = [&](StringRef form, StringRef written) {
    atStage(("read back " + form).str());
    ++runs;
    QuietContext other(registry);
    OwningOpRef<ModuleOp> read = other.parse(written);
    if (!read)
      setFault("the " + form + " is refused:\n" + printed);
    else if (std::string again = print(*read, false); again != printed)
      setFault("the " + form + " reads back as another module:\n" + printed +
               "\n// and\n" + again);
  };
  check("printed text", printed);
  check("generic text", print(*module, /*generic=*/true));
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  atStage("write bytecode");
  if (failed(writeBytecodeToFile(*module, os)))
    setFault("bytecode cannot be written");
  else
    check("bytecode", bytecode);
}

bool Checker::checkPipeline(StringRef text, StringRef pipeline) {
  QuietContext context(registry);
  OwningOpRef<ModuleOp> module = context.parse(text);
  if (!module)
    return false;
  atStage(pipeline);
  ++runs;
  PassManager manager(context.get(), ModuleOp::getOperationName());
  if (failed(parsePassPipeline(pipeline, manager)))
    return setFault(pipeline + " does not parse"), false;
  unsigned before = context.getErrors();
  if (succeeded(manager.run(*module)))
    return true;
  if (context.getErrors() == before)
    setFault(pipeline + " fails without an error");
  return false;
}
