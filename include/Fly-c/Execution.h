// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled host functions with the kernels that they launch: from a lowered
// module to bytes that can be kept, and from those to a call. Compiling reports
// errors as diagnostics; what works without a context gives them as text to a
// callback, once, without a line end. Functions on the same executable may be
// called from several threads at once, but for its destruction.

#ifndef FLY_C_EXECUTION_H
#define FLY_C_EXECUTION_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Host functions as code for this kind of machine. Owned by who created it;
/// the strings that it returns live as long.
typedef struct FlyExecutable {
  void *ptr;
} FlyExecutable;

/// A host function in packed form: element i of the array points at the value
/// of parameter i, one more behind them at room for a result.
typedef void (*FlyPackedFunction)(void **arguments);

/// Compiles the host functions of `module`, the result of `fly-to-binary` or
/// `fly-to-cpu`, with optimisation level 0 to 3. The module stays as it is;
/// nothing is loaded yet, no device is used. Null, with errors at operations of
/// the module, on failure.
MLIR_CAPI_EXPORTED FlyExecutable flyExecutableCompile(MlirModule module,
                                                      int32_t optLevel);

/// Reads what flyExecutableGetBytes returned, in this process or another. Null,
/// with an error, if the bytes are cut off or damaged, or were made by another
/// version or for another processor. `bytes` need not outlive the call.
MLIR_CAPI_EXPORTED FlyExecutable
flyExecutableRead(MlirStringRef bytes, MlirStringCallback onError,
                  void *userData);

/// Unloads and destroys `executable`; null is ignored. No call of its functions
/// may be under way.
MLIR_CAPI_EXPORTED void flyExecutableDestroy(FlyExecutable executable);

/// True if `executable` is null.
static inline bool flyExecutableIsNull(FlyExecutable executable) {
  return !executable.ptr;
}

/// The form to keep; empty for null.
MLIR_CAPI_EXPORTED MlirStringRef
flyExecutableGetBytes(FlyExecutable executable);

/// The number of functions; 0 for null.
MLIR_CAPI_EXPORTED intptr_t
flyExecutableGetNumFunctions(FlyExecutable executable);

/// The name of function `pos`; empty if there is no such function.
MLIR_CAPI_EXPORTED MlirStringRef
flyExecutableGetFunctionName(FlyExecutable executable, intptr_t pos);

/// The function `name`; it lives as long as the executable. The first call
/// loads the code, and with it the kernels onto the device in use, once. Null,
/// with an error, if there is no such function or loading fails.
MLIR_CAPI_EXPORTED FlyPackedFunction
flyExecutableLookup(FlyExecutable executable, MlirStringRef name,
                    MlirStringCallback onError, void *userData);

/// Calls `function`, which flyExecutableLookup of `executable` has returned.
/// Failure, with an error, if the runtime recorded one during the call, or if
/// the code trapped, such as in a division without a result.
MLIR_CAPI_EXPORTED MlirLogicalResult
flyExecutableCall(FlyExecutable executable, FlyPackedFunction function,
                  void **arguments, MlirStringCallback onError, void *userData);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_EXECUTION_H
