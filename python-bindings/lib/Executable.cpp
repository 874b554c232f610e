// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Executable.

#include "Native.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fly_runtime.h"

#include <algorithm>
#include <pthread.h>
#include <unistd.h>

using namespace fly::python;
using namespace nanobind::literals;

std::vector<std::string> PyExecutable::getFunctions() const {
  std::vector<std::string> names;
  for (intptr_t i = 0, e = flyExecutableGetNumFunctions(executable); i < e;
       ++i) {
    MlirStringRef name = flyExecutableGetFunctionName(executable, i);
    names.emplace_back(name.data, name.length);
  }
  return names;
}

FlyPackedFunction PyExecutable::lookup(const std::string &name) const {
  std::string error;
  FlyPackedFunction function;
  {
    Unlocked unlocked;
    function = flyExecutableLookup(
        executable, mlirStringRefCreate(name.data(), name.size()), appendText,
        &error);
  }
  if (function)
    return function;
  std::vector<std::string> names = getFunctions();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw nb::value_error(error.c_str());
  throw std::runtime_error(error);
}

namespace {
enum class ThreadKind { Unknown, Main, Other };
} // namespace

static thread_local ThreadKind threadKind = ThreadKind::Unknown;

/// True for the thread in which Python's signal handlers run. A child of fork
/// has one thread, its main one.
static bool isMainThread() {
  if (threadKind == ThreadKind::Unknown) {
    static int registered = pthread_atfork(
        nullptr, nullptr, [] { threadKind = ThreadKind::Unknown; });
    (void)registered;
    threadKind = gettid() == getpid() ? ThreadKind::Main : ThreadKind::Other;
  }
  return threadKind == ThreadKind::Main;
}

void PyExecutable::call(FlyPackedFunction function, void **arguments) const {
  std::string error;
  MlirLogicalResult result;
  bool interrupted = false;
  {
    Unlocked unlocked;
    bool watched = isMainThread() && flyRuntimeBeginInterruptible() != 0;
    result =
        flyExecutableCall(executable, function, arguments, appendText, &error);
    interrupted = watched && flyRuntimeEndInterruptible() != 0;
  }
  // Python's own handler of the signal, which raises KeyboardInterrupt unless
  // the program has another one.
  if (interrupted && PyErr_CheckSignals() != 0)
    throw nb::python_error();
  if (mlirLogicalResultIsFailure(result))
    throw std::runtime_error(error);
}

void fly::python::bindExecutable(nb::module_ &m) {
  nb::class_<PyExecutable>(
      m, "Executable",
      "Compiled host functions with the kernels that they launch. The code is "
      "loaded, and the kernels with it, at the first lookup or call.")
      .def_static(
          "compile",
          [](mp::PyModule &module, int optLevel) {
            return PyExecutable(runUnlocked(
                module.getContext(), "Failure while compiling host functions",
                [&] { return flyExecutableCompile(module.get(), optLevel); },
                flyExecutableIsNull));
          },
          "module"_a, "opt_level"_a = 2,
          "Compiles the host functions of the result of fly-to-binary or "
          "fly-to-cpu; opt_level 0 to 3. No device is used. ir.MLIRError with "
          "all diagnostics.")
      .def_static(
          "load",
          [](nb::bytes bytes) {
            std::string error;
            FlyExecutable executable = flyExecutableRead(
                mlirStringRefCreate(bytes.c_str(), bytes.size()), appendText,
                &error);
            if (flyExecutableIsNull(executable))
              throw nb::value_error(error.c_str());
            return PyExecutable(executable);
          },
          "bytes"_a,
          "Reads what `serialize` returned, in this process or another. "
          "ValueError if the bytes are damaged, or made by another version or "
          "for another processor.")
      .def(
          "serialize",
          [](PyExecutable &self) {
            MlirStringRef bytes = flyExecutableGetBytes(self.get());
            return nb::bytes(bytes.data, bytes.length);
          },
          "The form to keep.")
      .def_prop_ro("functions", &PyExecutable::getFunctions,
                   "The names of the functions.")
      .def(
          "lookup",
          [](PyExecutable &self, const std::string &name) {
            return reinterpret_cast<uintptr_t>(self.lookup(name));
          },
          "name"_a,
          "The address of the packed form of function `name`, `void f(void "
          "**)`; it is valid as long as the executable lives. ValueError if "
          "there is no such function, RuntimeError if the code or its kernels "
          "cannot be loaded.")
      .def(
          "call",
          [](PyExecutable &self, const std::string &name,
             const std::vector<uintptr_t> &cells) {
            std::vector<void *> arguments;
            for (uintptr_t cell : cells)
              arguments.push_back(reinterpret_cast<void *>(cell));
            self.call(self.lookup(name), arguments.data());
          },
          "name"_a, "cells"_a,
          "Calls function `name` with the addresses of its arguments. "
          "RuntimeError for what the runtime or a kernel reported, or a trap.");
}
