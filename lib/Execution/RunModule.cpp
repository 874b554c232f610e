// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of fly-run: parse the module and the arguments, compile, bind,
// upload, call, download, write, compare, report. Each error is one line on
// standard error that names the argument or the step.

#include "Fly/Execution/RunModule.h"
#include "Fly/Execution/Arguments.h"
#include "Fly/Execution/HostCall.h"
#include "Fly/Pipelines/Pipelines.h"
#include "fly_runtime.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace mlir;

namespace fly {
namespace {

/// `N:REST` of --output and --expected.
llvm::Expected<std::pair<unsigned, StringRef>>
splitIndex(StringRef option, StringRef text, size_t numInputs) {
  auto [number, rest] = text.split(':');
  unsigned index;
  if (number.getAsInteger(10, index) || rest.empty())
    return llvm::createStringError("--" + option + "=" + text +
                                   ": expected ARGUMENT:ARRAY, for example "
                                   "2:@c.npy");
  if (index >= numInputs)
    return llvm::createStringError(
        "--" + option + "=" + text + ": there is no argument " +
        llvm::Twine(index) +
        (numInputs == 0
             ? std::string(", there are no inputs")
             : ", the inputs are 0 to " + std::to_string(numInputs - 1)));
  return std::make_pair(index, rest);
}

/// The function to call: the one named, or the only one that has a body.
llvm::Expected<std::string> chooseFunction(ModuleOp module, StringRef wanted) {
  if (!wanted.empty())
    return wanted.str();
  SmallVector<StringRef> names;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (!function.isExternal() && function.isPublic())
      names.push_back(function.getName());
  if (names.size() == 1)
    return names.front().str();
  return llvm::createStringError(
      "--function is needed: the module has " +
      (names.empty() ? std::string("no function with a body")
                     : "the functions " + llvm::join(names, ", ")));
}

/// Enough digits to tell two f32 values apart.
std::string formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

std::string formatError(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6e", value);
  return text;
}

/// JSON has no NaN and no infinity: those are null.
llvm::json::Value jsonNumber(double value) {
  return std::isfinite(value) ? llvm::json::Value(value)
                              : llvm::json::Value(nullptr);
}

/// Prints `error` and gives the status for it.
RunStatus fail(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::WithColor::error(llvm::errs(), "fly-run") << info.message() << '\n';
  });
  return RunError;
}

/// A compiled module and the arguments of one of its functions, on the device.
struct PreparedCall {
  std::unique_ptr<Session> session;
  ArgumentPack arguments; ///< gone before the session is
};

/// Compiles `module` and binds and uploads `inputs` for a call of `function`,
/// whose written form gives a `resultType`, or null.
llvm::Expected<PreparedCall> prepareCall(ModuleOp module, StringRef function,
                                         const SessionOptions &options,
                                         Type resultType,
                                         MutableArrayRef<InputValue> inputs) {
  auto session = Session::create(module, options);
  if (!session)
    return session.takeError();
  auto signature = getHostSignature(module, function);
  if (!signature)
    return signature.takeError();
  auto arguments = ArgumentPack::bind(*signature, inputs);
  if (!arguments)
    return arguments.takeError();
  if (llvm::Error error = arguments->prepareCall(module, function, resultType))
    return std::move(error);
  if (llvm::Error error = arguments->upload())
    return std::move(error);
  return PreparedCall{std::move(*session), std::move(*arguments)};
}

/// Runs `function` of `module` on the CPU device once more, with kernels that
/// tell of each access: the error then names the operation that a fault of
/// memory comes from. Success if this run has none.
llvm::Error locateFault(ModuleOp module, StringRef function,
                        const SessionOptions &options, Type resultType,
                        MutableArrayRef<InputValue> inputs) {
  PipelineOptions hooked;
  hooked.copyOptionValuesFrom(options.pipeline);
  hooked.memoryHooks = true;
  // What there is to say of the module was said the first time.
  ScopedDiagnosticHandler quiet(module.getContext(),
                                [](Diagnostic &) { return success(); });
  auto call = prepareCall(module, function, {options.device, hooked},
                          resultType, inputs);
  if (!call)
    return call.takeError();
  return call->session->call(function, call->arguments.getPointers());
}

} // namespace

RunStatus runModule(const DialectRegistry &registry,
                    const RunOptions &options) {
  MLIRContext context(registry);
  llvm::SourceMgr sourceMgr;
  SourceMgrDiagnosticHandler diagnostics(sourceMgr, &context);
  // The place is enough: the operation may be a whole module.
  context.printOpOnDiagnostic(false);

  for (double tolerance : {options.rtol, options.atol})
    if (!std::isfinite(tolerance) || tolerance < 0)
      return fail(llvm::createStringError(
          "--rtol and --atol are " + formatNumber(options.rtol) + " and " +
          formatNumber(options.atol) +
          ", expected finite numbers of at least 0"));
  // A device may give bytes without an end.
  llvm::sys::fs::file_status file;
  if (options.module != "-" && options.module != "/dev/stdin" &&
      !llvm::sys::fs::status(options.module, file) &&
      (file.type() == llvm::sys::fs::file_type::character_file ||
       file.type() == llvm::sys::fs::file_type::block_file))
    return fail(llvm::createStringError("the module '" + options.module +
                                        "' is no regular file"));
  // Arguments first: a wrong one is told before anything is compiled.
  std::vector<InputValue> inputs;
  for (auto [index, text] : llvm::enumerate(options.inputs)) {
    auto input = parseInput(&context, text);
    if (!input)
      return fail(llvm::joinErrors(llvm::createStringError(llvm::formatv(
                                       "argument {0} ({1}):", index, text)),
                                   input.takeError()));
    inputs.push_back(std::move(*input));
  }
  struct Check {
    unsigned index;
    HostArray want;
  };
  std::vector<Check> checks;
  for (StringRef text : options.expected) {
    auto split = splitIndex("expected", text, inputs.size());
    if (!split)
      return fail(split.takeError());
    auto value = parseInput(&context, split->second);
    if (!value)
      return fail(
          llvm::joinErrors(llvm::createStringError("--expected=" + text + ":"),
                           value.takeError()));
    auto *want = std::get_if<HostArray>(&*value);
    if (!want || !std::holds_alternative<HostArray>(inputs[split->first]))
      return fail(llvm::createStringError(
          "--expected=" + text + ": argument " + llvm::Twine(split->first) +
          (want ? " is no array" : " needs an array to compare with")));
    checks.push_back({split->first, std::move(*want)});
  }
  std::vector<std::pair<unsigned, StringRef>> outputs;
  for (StringRef text : options.outputs) {
    auto split = splitIndex("output", text, inputs.size());
    if (!split)
      return fail(split.takeError());
    if (!split->second.consume_front("@") || split->second.empty())
      return fail(llvm::createStringError("--output=" + text +
                                          ": expected ARGUMENT:@FILE.npy"));
    if (!std::holds_alternative<HostArray>(inputs[split->first]))
      return fail(llvm::createStringError("--output=" + text + ": argument " +
                                          llvm::Twine(split->first) +
                                          " is no array"));
    outputs.push_back(*split);
  }

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> text =
      openInputFile(options.module, &error);
  if (!text)
    return fail(llvm::createStringError(error));
  sourceMgr.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sourceMgr, &context);
  if (!module)
    return fail(llvm::createStringError("cannot read the module '" +
                                        options.module + "'"));
  auto function = chooseFunction(*module, options.function);
  if (!function)
    return fail(function.takeError());

  if (llvm::Error error = selectDevice(options.device))
    return fail(std::move(error));
  if (!options.schedule.empty())
    flyRuntimeSetSchedule(options.schedule.c_str());
  if (options.threads > 0)
    flyRuntimeSetThreads(options.threads);
  if (llvm::Error error = takeRuntimeError())
    return fail(std::move(error));

  OwningOpRef<ModuleOp> original = module->clone();
  Type resultType;
  if (auto written = original->lookupSymbol<FunctionOpInterface>(*function);
      written && written.getNumResults() == 1)
    resultType = written.getResultTypes().front();
  SessionOptions sessionOptions{options.device, options.pipeline};
  auto call =
      prepareCall(*module, *function, sessionOptions, resultType, inputs);
  if (!call)
    return fail(call.takeError());

  auto start = std::chrono::steady_clock::now();
  llvm::Error callError =
      call->session->call(*function, call->arguments.getPointers());
  bool isFault = false;
  callError = llvm::handleErrors(
      std::move(callError),
      [&](std::unique_ptr<RuntimeError> info) -> llvm::Error {
        isFault = info->isKernelFault();
        return llvm::Error(std::move(info));
      });
  if (isFault && options.device == DeviceKind::CPU) {
    // The arrays on the host are still those of the command line.
    if (llvm::Error located = locateFault(*original, *function, sessionOptions,
                                          resultType, inputs)) {
      llvm::consumeError(std::move(callError));
      callError = std::move(located);
    }
  }
  if (callError && callError.isA<HostTrap>()) {
    fail(std::move(callError));
    // Destructors might wait for a lock that the trap left behind.
    llvm::outs().flush();
    std::_Exit(RunError);
  }
  if (callError)
    return fail(std::move(callError));
  if (llvm::Error error = call->arguments.download())
    return fail(std::move(error));
  double runTime = std::chrono::duration<double, std::milli>(
                       std::chrono::steady_clock::now() - start)
                       .count();

  for (auto &[index, path] : outputs)
    if (llvm::Error error = writeNpy(std::get<HostArray>(inputs[index]), path))
      return fail(std::move(error));

  std::string result = call->arguments.getResultText();
  if (!result.empty() && !options.json)
    llvm::outs() << "result: " << result << '\n';
  RunStatus status = RunOk;
  llvm::json::Array comparisons;
  for (Check &check : checks) {
    HostArray &got = std::get<HostArray>(inputs[check.index]);
    auto result = compareArrays(got, check.want, options.rtol, options.atol);
    if (!result)
      return fail(llvm::joinErrors(
          llvm::createStringError(llvm::formatv("argument {0}:", check.index)),
          result.takeError()));
    bool empty = got.numElements() == 0;
    std::string where = formatCoordinate(got.shape, result->worstIndex);
    if (options.json)
      comparisons.push_back(
          llvm::json::Object{{"argument", check.index},
                             {"matches", result->matches()},
                             {"mismatches", result->mismatches},
                             {"elements", got.numElements()},
                             {"worst_error", jsonNumber(result->worstError)},
                             {"worst_at", where}});
    else
      llvm::outs() << llvm::formatv(
          "argument {0} ({1}): {2}; worst error {3} at {4}: got {5}, "
          "expected {6}\n",
          check.index, got.str(),
          result->matches()
              ? std::string("matches")
              : llvm::formatv("{0} of {1} elements differ", result->mismatches,
                              got.numElements())
                    .str(),
          formatError(result->worstError), where,
          empty ? "nothing" : got.getText(result->worstIndex),
          empty ? "nothing" : check.want.getText(result->worstIndex));
    if (!result->matches())
      status = RunMismatch;
  }
  if (options.json)
    llvm::outs() << llvm::json::Value(llvm::json::Object{
                        {"compile_ms", call->session->getTimes().compile},
                        {"jit_ms", call->session->getTimes().jit},
                        {"run_ms", runTime},
                        {"result", result.empty() ? llvm::json::Value(nullptr)
                                                  : llvm::json::Value(result)},
                        {"comparisons", std::move(comparisons)}})
                 << '\n';
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    llvm::outs().clear_error();
    return fail(llvm::createStringError("cannot write to standard output: " +
                                        error.message()));
  }
  // What kernels and the function print goes through C's stream, which
  // remembers that a message was lost.
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return fail(llvm::createStringError("cannot write to standard output what "
                                        "the module prints"));
  return status;
}

} // namespace fly
