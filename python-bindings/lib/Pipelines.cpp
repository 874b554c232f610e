// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines, stages and the text of kernels for Python; errors of a context as
// exceptions.

#include "Native.h"

#include "Fly-c/Passes.h"
#include "Fly-c/Pipelines.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

using namespace fly::python;
using namespace nanobind::literals;

void fly::python::appendText(MlirStringRef part, void *text) {
  static_cast<std::string *>(text)->append(part.data, part.length);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

ErrorCapture::ErrorCapture(mp::PyMlirContextRef ref)
    : context(std::move(ref)),
      id(mlirContextAttachDiagnosticHandler(context->get(), handle, this,
                                            nullptr)) {}

ErrorCapture::~ErrorCapture() {
  mlirContextDetachDiagnosticHandler(context->get(), id);
}

MlirLogicalResult ErrorCapture::handle(MlirDiagnostic diagnostic, void *self) {
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  nb::gil_scoped_acquire locked;
  static_cast<ErrorCapture *>(self)->errors.push_back(
      mp::PyDiagnostic(diagnostic).getInfo());
  return mlirLogicalResultSuccess();
}

void ErrorCapture::raise(const std::string &message) {
  throw mp::MLIRError(message, std::move(errors));
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// `name{key=value …}`.
static std::string makeText(const std::string &name,
                            const std::map<std::string, std::string> &options) {
  std::string text = name;
  const char *separator = "{";
  for (const auto &[key, value] : options) {
    text += separator + key + "=" + value;
    separator = " ";
  }
  return options.empty() ? text : text + "}";
}

/// The stages of a pipeline, as (label, pass list). Asked of C++ once for each
/// context, so a context of its own will do.
static std::vector<std::pair<std::string, std::string>>
getStages(const std::string &name,
          const std::map<std::string, std::string> &options) {
  std::string text = makeText(name, options);
  MlirContext context = mlirContextCreateWithThreading(false);
  std::string errors;
  auto collect = [](MlirDiagnostic diagnostic, void *errors) {
    auto *text = static_cast<std::string *>(errors);
    *text += text->empty() ? "" : "\n";
    mlirDiagnosticPrint(diagnostic, appendText, errors);
    return mlirLogicalResultSuccess();
  };
  mlirContextAttachDiagnosticHandler(context, collect, &errors, nullptr);
  FlyPipeline pipeline =
      flyPipelineCreate(mlirLocationUnknownGet(context),
                        mlirStringRefCreate(text.data(), text.size()));
  std::vector<std::pair<std::string, std::string>> stages;
  for (intptr_t i = 0, e = flyPipelineGetNumStages(pipeline); i < e; ++i) {
    MlirStringRef label = flyPipelineGetStageLabel(pipeline, i);
    MlirStringRef passes = flyPipelineGetStage(pipeline, i);
    stages.emplace_back(std::string(label.data, label.length),
                        std::string(passes.data, passes.length));
  }
  bool failed = flyPipelineIsNull(pipeline);
  flyPipelineDestroy(pipeline);
  mlirContextDestroy(context);
  if (failed)
    throw nb::value_error(("pipeline_stages: " + errors).c_str());
  return stages;
}

void fly::python::bindPipelines(nb::module_ &m) {
  m.def("pipeline_stages", getStages, "name"_a,
        "options"_a = std::map<std::string, std::string>(),
        "The (label, pass list) pairs that the pipeline `name` runs with "
        "`options`, name to text. ValueError for an unknown pipeline or option.");
  m.def(
      "check_llvm_options",
      [](const std::string &text) {
        std::string problem;
        if (mlirLogicalResultIsFailure(flyVerifyLLVMOptions(
                mlirStringRefCreate(text.data(), text.size()), appendText,
                &problem)))
          throw nb::value_error(problem.c_str());
      },
      "text"_a,
      "ValueError if the pipelines' option llvm-options does not take `text`.");
  m.def(
      "run_stage",
      [](mp::PyModule &module, const std::string &text) {
        runUnlocked(
            module.getContext(), "Failure while executing pass pipeline",
            [&] {
              return flyRunPasses(
                  mlirModuleGetOperation(module.get()),
                  mlirStringRefCreate(text.data(), text.size()));
            },
            mlirLogicalResultIsFailure);
      },
      "module"_a, "text"_a,
      "Runs a pass list on `module`. ir.MLIRError with all diagnostics.");
  m.def(
      "translate",
      [](mp::PyModule &module, const std::string &kind,
         const std::string &llvmOptions) {
        FlyKernelText text = FlyKernelTextLLVMIR;
        if (kind == "isa")
          text = FlyKernelTextAssembly;
        else if (kind != "llvm-ir")
          throw nb::value_error(
              ("translate: expected 'llvm-ir' or 'isa', got '" + kind + "'")
                  .c_str());
        std::string result;
        runUnlocked(
            module.getContext(), "Failure while compiling kernels",
            [&] {
              return flyPrintKernels(
                  module.get(), text,
                  mlirStringRefCreate(llvmOptions.data(), llvmOptions.size()),
                  appendText, &result);
            },
            mlirLogicalResultIsFailure);
        return result;
      },
      "module"_a, "kind"_a, "llvm_options"_a = std::string(),
      "The kernels of `module`, which is ready for the last stage of its "
      "pipeline, as optimised LLVM IR (\"llvm-ir\") or assembly (\"isa\"). "
      "llvm_options is the text of the pipeline option llvm-options. "
      "ir.MLIRError with all diagnostics.");
}
