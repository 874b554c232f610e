// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's command line options. They belong to the process: who changes one for
// a compilation keeps other compilations out meanwhile and sets it back.

#ifndef FLY_C_LLVMOPTIONS_H
#define FLY_C_LLVMOPTIONS_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sets the option `name` (without dashes) to `value`, which for a flag is
/// "true" or "false", and gives the value that it had, in a form that can be
/// set again, to `previous` (may be null). Failure, with the reason given to
/// `onError` and nothing changed, if there is no such option, if it does not
/// take the value, or if it is not a flag, a number or a string.
MLIR_CAPI_EXPORTED MlirLogicalResult
flySetLLVMOption(MlirStringRef name, MlirStringRef value,
                 MlirStringCallback previous, void *previousData,
                 MlirStringCallback onError, void *errorData);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_LLVMOPTIONS_H
