// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of pipelines as text: a pass manager prints what it would run, and the
// text is taken apart into passes. So what is shown is what the pipelines
// build.

#include "Fly-c/Pipelines.h"

#include "Support.h"

#include "Fly/Pipelines/Translations.h"
#include "Fly/Target/LLVMOptions.h"

#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

#include <string>
#include <vector>

using namespace fly::capi;
using llvm::StringRef;

namespace {
struct Stage {
  std::string label;
  std::string passes;
};

/// What a FlyPipeline points to.
struct Pipeline {
  std::string text;
  std::vector<Stage> stages;
};
} // namespace

/// Calls `visit` on each element of the list `text`, which commas outside of
/// parentheses, braces and quotes separate.
static void forEachElement(StringRef text,
                           llvm::function_ref<void(StringRef)> visit) {
  size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '{') {
      ++depth;
    } else if (c == ')' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      visit(text.slice(begin, i));
      begin = i + 1;
    }
  }
  if (begin < text.size())
    visit(text.drop_front(begin));
}

/// The label of a pass, `name{options}`.
static std::string getLabel(StringRef pass) {
  std::string label = pass.take_until([](char c) { return c == '{'; }).lower();
  for (char &c : label)
    if (!llvm::isAlnum(c))
      c = '_';
  return label;
}

/// Appends a stage for each pass of the list `text`; each is nested in the
/// operations that `prefix` opens and `suffix` closes.
static void addStages(std::vector<Stage> &stages, StringRef text,
                      const std::string &prefix, const std::string &suffix) {
  forEachElement(text, [&](StringRef element) {
    // `op(list)` nests; parentheses inside of `pass{options}` do not count.
    size_t open = element.find_first_of("({");
    if (open != StringRef::npos && element[open] == '(' &&
        element.ends_with(")")) {
      addStages(stages, element.slice(open + 1, element.size() - 1),
                prefix + element.take_front(open + 1).str(), ")" + suffix);
      return;
    }
    stages.push_back({getLabel(element), prefix + element.str() + suffix});
  });
}

static const Pipeline *get(FlyPipeline pipeline) {
  return static_cast<const Pipeline *>(pipeline.ptr);
}

static const Stage *getStage(FlyPipeline pipeline, intptr_t pos) {
  if (pos < 0 || pos >= flyPipelineGetNumStages(pipeline))
    return nullptr;
  return &get(pipeline)->stages[pos];
}

FlyPipeline flyPipelineCreate(MlirLocation location, MlirStringRef passes) {
  Construction construction(location, __func__);
  StringRef text = construction.getString(passes, "passes");
  if (construction.hasFailed())
    return {nullptr};
  mlir::OpPassManager pm("builtin.module");
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (failed(mlir::parsePassPipeline(text, pm, stream))) {
    construction.error() << StringRef(message).trim();
    return {nullptr};
  }
  auto pipeline = std::make_unique<Pipeline>();
  llvm::raw_string_ostream os(pipeline->text);
  pm.printAsTextualPipeline(os);
  StringRef list = pipeline->text;
  list.consume_front("builtin.module(");
  list.consume_back(")");
  addStages(pipeline->stages, list, "", "");
  return {pipeline.release()};
}

void flyPipelineDestroy(FlyPipeline pipeline) { delete get(pipeline); }

MlirStringRef flyPipelineGetText(FlyPipeline pipeline) {
  return flyPipelineIsNull(pipeline) ? MlirStringRef{nullptr, 0}
                                     : wrap(StringRef(get(pipeline)->text));
}

intptr_t flyPipelineGetNumStages(FlyPipeline pipeline) {
  return flyPipelineIsNull(pipeline) ? 0 : get(pipeline)->stages.size();
}

MlirStringRef flyPipelineGetStage(FlyPipeline pipeline, intptr_t pos) {
  const Stage *stage = getStage(pipeline, pos);
  return stage ? wrap(StringRef(stage->passes)) : MlirStringRef{nullptr, 0};
}

MlirStringRef flyPipelineGetStageLabel(FlyPipeline pipeline, intptr_t pos) {
  const Stage *stage = getStage(pipeline, pos);
  return stage ? wrap(StringRef(stage->label)) : MlirStringRef{nullptr, 0};
}

MlirLogicalResult flyVerifyLLVMOptions(MlirStringRef llvmOptions,
                                       MlirStringCallback callback,
                                       void *userData) {
  auto report = [&](const llvm::Twine &message) {
    if (callback)
      callback(wrap(StringRef(message.str())), userData);
  };
  if (!llvmOptions.data && llvmOptions.length != 0) {
    report("the text is null");
    return mlirLogicalResultFailure();
  }
  return wrap(fly::verifyLLVMOptions(unwrap(llvmOptions), report));
}

//===----------------------------------------------------------------------===//
// Code of kernels as text
//===----------------------------------------------------------------------===//

MlirLogicalResult flyPrintKernels(MlirModule module, FlyKernelText kind,
                                  MlirStringRef llvmOptions,
                                  MlirStringCallback callback, void *userData) {
  if (mlirModuleIsNull(module))
    return mlirLogicalResultFailure();
  mlir::ModuleOp op = unwrap(module);
  if (kind != FlyKernelTextLLVMIR && kind != FlyKernelTextAssembly) {
    op.emitError("flyPrintKernels: FlyKernelText has no case ")
        << static_cast<int>(kind);
    return mlirLogicalResultFailure();
  }
  mlir::detail::CallbackOstream stream(callback, userData);
  return wrap(fly::printKernels(op,
                                kind == FlyKernelTextLLVMIR
                                    ? fly::KernelText::LLVMIR
                                    : fly::KernelText::Assembly,
                                unwrap(llvmOptions), stream));
}
