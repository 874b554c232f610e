// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of compiled host functions.

#include "Fly-c/Execution.h"

#include "Fly/Execution/Executable.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using fly::Executable;

static Executable *unwrap(FlyExecutable executable) {
  return static_cast<Executable *>(executable.ptr);
}

/// Gives the text of `error` to the callback.
static void report(llvm::Error error, MlirStringCallback onError,
                   void *userData) {
  std::string text = llvm::toString(std::move(error));
  if (onError)
    onError(wrap(llvm::StringRef(text)), userData);
}

FlyExecutable flyExecutableCompile(MlirModule module, int32_t optLevel) {
  if (mlirModuleIsNull(module))
    return FlyExecutable{nullptr};
  return FlyExecutable{
      fly::compileExecutable(unwrap(module), optLevel).release()};
}

FlyExecutable flyExecutableRead(MlirStringRef bytes, MlirStringCallback onError,
                                void *userData) {
  auto executable = Executable::read(unwrap(bytes));
  if (executable)
    return FlyExecutable{executable->release()};
  report(executable.takeError(), onError, userData);
  return FlyExecutable{nullptr};
}

void flyExecutableDestroy(FlyExecutable executable) {
  delete unwrap(executable);
}

MlirStringRef flyExecutableGetBytes(FlyExecutable executable) {
  Executable *self = unwrap(executable);
  return wrap(self ? self->getBytes() : llvm::StringRef());
}

intptr_t flyExecutableGetNumFunctions(FlyExecutable executable) {
  Executable *self = unwrap(executable);
  return self ? self->getFunctions().size() : 0;
}

MlirStringRef flyExecutableGetFunctionName(FlyExecutable executable,
                                           intptr_t pos) {
  if (pos < 0 || pos >= flyExecutableGetNumFunctions(executable))
    return wrap(llvm::StringRef());
  return wrap(llvm::StringRef(unwrap(executable)->getFunctions()[pos]));
}

FlyPackedFunction flyExecutableLookup(FlyExecutable executable,
                                      MlirStringRef name,
                                      MlirStringCallback onError,
                                      void *userData) {
  Executable *self = unwrap(executable);
  if (!self)
    return nullptr;
  auto function = self->lookup(unwrap(name));
  if (function)
    return *function;
  report(function.takeError(), onError, userData);
  return nullptr;
}

MlirLogicalResult flyExecutableCall(FlyExecutable executable,
                                    FlyPackedFunction function,
                                    void **arguments,
                                    MlirStringCallback onError,
                                    void *userData) {
  Executable *self = unwrap(executable);
  if (!self || !function)
    return mlirLogicalResultFailure();
  llvm::Error error = self->call(function, arguments);
  if (!error)
    return mlirLogicalResultSuccess();
  report(std::move(error), onError, userData);
  return mlirLogicalResultFailure();
}
