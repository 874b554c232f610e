// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The translations of fly-translate. Each runs a pipeline on the module, from
// whatever stage it is at, and prints what the resulting binaries hold.

#include "Fly/Pipelines/Translations.h"

#include "Fly/Pipelines/Pipelines.h"
#include "Fly/Target/LLVMOptions.h"
#include "Fly/Target/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

namespace fly {

namespace {
/// The options of all translations of this file: those of fly-to-binary, but
/// for the format, which a translation says.
struct TranslationOptions {
  TranslationOptions() {
    pipeline.addToCommandLine(/*category=*/nullptr,
                              {"format", "cpu", "memory-hooks"});
  }

  PipelineOptions pipeline;
  llvm::cl::opt<bool> json{"json",
                           llvm::cl::desc("Fly: print the report as JSON"),
                           llvm::cl::init(false)};
};

/// One object of a compiled module.
struct CompiledObject {
  gpu::BinaryOp binary;
  llvm::StringRef bytes;
};
} // namespace

/// What a format is called in an error.
static llvm::StringRef describe(gpu::CompilationTarget format) {
  switch (format) {
  case gpu::CompilationTarget::Offload:
    return "LLVM bitcode";
  case gpu::CompilationTarget::Assembly:
    return "assembly";
  default:
    return "a linked object";
  }
}

/// Compiles `op` to `format` and returns its AMD objects in order. Errors: no
/// kernels at all; an object that is already compiled to another format or for
/// the CPU.
static FailureOr<llvm::SmallVector<CompiledObject>>
compile(Operation *op, CodeFormat format, const TranslationOptions &options) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    return op->emitError("expected a builtin.module at the top");
  PipelineOptions pipeline;
  pipeline.copyOptionValuesFrom(options.pipeline);
  pipeline.format = format;
  PassManager pm(module->getContext(), ModuleOp::getOperationName());
  auto report = [&](const llvm::Twine &message) -> LogicalResult {
    return emitError(module.getLoc()) << message;
  };
  if (failed(buildPipeline(pm, "fly-to-binary", pipeline, report)) ||
      failed(pm.run(module)))
    return failure();

  gpu::CompilationTarget expected =
      format == CodeFormat::Object     ? gpu::CompilationTarget::Binary
      : format == CodeFormat::Assembly ? gpu::CompilationTarget::Assembly
                                       : gpu::CompilationTarget::Offload;
  llvm::SmallVector<CompiledObject> objects;
  WalkResult result = module.walk([&](gpu::BinaryOp binary) {
    for (Attribute attribute : binary.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attribute);
      if (!isa<ROCDL::ROCDLTargetAttr>(object.getTarget())) {
        binary.emitOpError() << "holds an object for " << object.getTarget()
                             << ", expected one for #rocdl.target";
        return WalkResult::interrupt();
      }
      bool isSame = object.getFormat() == expected ||
                    (expected == gpu::CompilationTarget::Binary &&
                     object.getFormat() == gpu::CompilationTarget::Fatbin);
      if (!isSame) {
        binary.emitOpError()
            << "holds " << describe(object.getFormat()) << ", which cannot be "
            << "translated to " << describe(expected);
        return WalkResult::interrupt();
      }
      objects.push_back({binary, object.getObject().getValue()});
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (objects.empty())
    return module.emitError("has no gpu.module and no gpu.binary");
  return objects;
}

/// Writes bitcode as text; errors at `op`.
static LogicalResult printBitcode(llvm::StringRef bytes, Operation *op,
                                  llvm::raw_ostream &stream) {
  llvm::LLVMContext context;
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "kernels"), context);
  if (!module)
    return op->emitOpError() << "holds bitcode that cannot be read: "
                             << llvm::toString(module.takeError());
  (*module)->print(stream, nullptr);
  return success();
}

LogicalResult printKernels(ModuleOp module, KernelText kind,
                           llvm::StringRef llvmOptions,
                           llvm::raw_ostream &stream) {
  auto scope =
      LLVMOptionScope::create(llvmOptions, [&](const llvm::Twine &message) {
        module.emitError("llvm-options: " + message);
      });
  if (failed(scope))
    return failure();
  bool asIR = kind == KernelText::LLVMIR;
  gpu::CompilationTarget expected =
      asIR ? gpu::CompilationTarget::Offload : gpu::CompilationTarget::Assembly;
  SerializeOptions options;
  options.format = asIR ? CodeFormat::Bitcode : CodeFormat::Assembly;
  options.launches = collectLaunches(module);
  auto print = [&](llvm::StringRef bytes, Operation *op) -> LogicalResult {
    if (asIR)
      return printBitcode(bytes, op, stream);
    stream << bytes;
    return success();
  };
  for (Operation &op : *module.getBody()) {
    if (auto kernels = dyn_cast<gpu::GPUModuleOp>(op)) {
      FailureOr<llvm::SmallVector<char, 0>> bytes =
          serializeModule(kernels, options);
      if (failed(bytes) ||
          failed(print(llvm::StringRef(bytes->data(), bytes->size()), &op)))
        return failure();
    }
    auto binary = dyn_cast<gpu::BinaryOp>(op);
    if (!binary)
      continue;
    for (Attribute attribute : binary.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attribute);
      if (object.getFormat() != expected)
        return binary.emitOpError() << "holds " << describe(object.getFormat())
                                    << ", which cannot be printed as "
                                    << (asIR ? "LLVM IR" : "assembly");
      if (failed(print(object.getObject().getValue(), binary)))
        return failure();
    }
  }
  return success();
}

/// Prints the optimised LLVM IR of each gpu module.
static LogicalResult translateToLLVMIR(Operation *op, llvm::raw_ostream &stream,
                                       const TranslationOptions &options) {
  auto objects = compile(op, CodeFormat::Bitcode, options);
  if (failed(objects))
    return failure();
  for (CompiledObject &object : *objects)
    if (failed(printBitcode(object.bytes, object.binary, stream)))
      return failure();
  return success();
}

/// Prints the assembly of each gpu module.
static LogicalResult translateToISA(Operation *op, llvm::raw_ostream &stream,
                                    const TranslationOptions &options) {
  auto objects = compile(op, CodeFormat::Assembly, options);
  if (failed(objects))
    return failure();
  for (CompiledObject &object : *objects)
    stream << object.bytes;
  return success();
}

/// Writes the code object of the only gpu module.
static LogicalResult translateToHSACO(Operation *op, llvm::raw_ostream &stream,
                                      const TranslationOptions &options) {
  auto objects = compile(op, CodeFormat::Object, options);
  if (failed(objects))
    return failure();
  if (objects->size() != 1)
    return op->emitError() << "has " << objects->size()
                           << " code objects; one file can hold only one";
  stream << objects->front().bytes;
  return success();
}

/// Prints the report on every kernel.
static LogicalResult translateToReport(Operation *op, llvm::raw_ostream &stream,
                                       const TranslationOptions &options) {
  auto objects = compile(op, CodeFormat::Object, options);
  if (failed(objects))
    return failure();
  std::vector<CodeObjectReport> reports;
  for (CompiledObject &object : *objects) {
    llvm::Expected<CodeObjectReport> report = readCodeObject(object.bytes);
    if (!report)
      return object.binary.emitOpError()
             << "holds a code object that cannot be read: "
             << llvm::toString(report.takeError());
    reports.push_back(std::move(*report));
  }
  if (options.json)
    printReportJSON(stream, reports);
  else
    printReportText(stream, reports);
  return success();
}

void registerFlyTranslations(void (*registerDialects)(DialectRegistry &)) {
  static TranslationOptions options;
  auto add = [&](llvm::StringRef name, llvm::StringRef description,
                 LogicalResult (*translate)(Operation *, llvm::raw_ostream &,
                                            const TranslationOptions &)) {
    TranslateFromMLIRRegistration registration(
        name, description,
        [translate](Operation *op, llvm::raw_ostream &stream) {
          return translate(op, stream, options);
        },
        registerDialects);
  };
  add("fly-to-llvmir", "compile gpu modules to optimised LLVM IR",
      translateToLLVMIR);
  add("fly-to-isa", "compile gpu modules to AMD assembly", translateToISA);
  add("fly-to-hsaco", "compile the gpu module to an AMD code object",
      translateToHSACO);
  add("fly-report",
      "registers, memory, occupancy and instructions of each kernel",
      translateToReport);
}

} // namespace fly
