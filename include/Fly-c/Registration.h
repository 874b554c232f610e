// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects in contexts. These rules hold in all headers of Fly-c:
//
// - A name begins with `fly`. Attributes have `flyAttributeIsAX`, constructors
//   `flyXAttrGet` and `flyXAttrGetTypeID`; types the same with `Type`. What
//   belongs to the dialect `fly_rocdl` begins with `flyROCDL`.
// - A constructor takes a location first and emits every error there, through
//   the diagnostics of the location's context; it then returns null. The
//   dialect of the result must be loaded in that context. Without a location
//   (null) the result is null and nothing is emitted.
// - A query emits an error at an unknown location if its argument is of another
//   kind or an index is out of range, and returns null, 0 or false. A null
//   argument gives the same results without an error.
// - Attributes, types and the strings that they return live as long as their
//   context. Strings that are passed in are copied.
// - No function ends the process because of an argument, as long as pointers
//   are null or valid and the counts that go with them are true.

#ifndef FLY_C_REGISTRATION_H
#define FLY_C_REGISTRATION_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The handles of the dialects `fly` and `fly_rocdl`. Inserting or loading a
/// dialect by its handle brings what its passes need of other libraries, too.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Fly, fly);
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(FlyROCDL, fly_rocdl);

/// Inserts `fly` and `fly_rocdl` with all their interfaces into `registry`.
MLIR_CAPI_EXPORTED void flyRegisterDialects(MlirDialectRegistry registry);

/// Inserts `fly`, `fly_rocdl`, every upstream dialect and extension, and the
/// translations to LLVM IR into `registry`.
MLIR_CAPI_EXPORTED void flyRegisterAllDialects(MlirDialectRegistry registry);

/// Inserts the translations of dialects to LLVM IR into `registry`. Pipelines
/// of Fly bring those that they need themselves.
MLIR_CAPI_EXPORTED void
flyRegisterLLVMTranslations(MlirDialectRegistry registry);

/// Fly's version, for example "0.1.0".
MLIR_CAPI_EXPORTED MlirStringRef flyGetVersion(void);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_REGISTRATION_H
