// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips that Fly generates code for. A chip goes by LLVM's name for it
// ("gfx942", exact, without feature suffix); for any other name the answers are
// false and 0.

#ifndef FLY_C_CHIPS_H
#define FLY_C_CHIPS_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The number of chips.
MLIR_CAPI_EXPORTED intptr_t flyChipsGetNum(void);

/// The name of chip `pos`; empty if there is no such chip.
MLIR_CAPI_EXPORTED MlirStringRef flyChipsGetName(intptr_t pos);

/// True if `chip` is one of them.
MLIR_CAPI_EXPORTED bool flyChipIsKnown(MlirStringRef chip);

/// Lanes of a wave in the mode that Fly compiles for.
MLIR_CAPI_EXPORTED int32_t flyChipGetWaveSize(MlirStringRef chip);

/// Bytes of shared memory (LDS) that one workgroup may have.
MLIR_CAPI_EXPORTED int64_t flyChipGetSharedMemoryBytes(MlirStringRef chip);

/// True if `chip` has the feature of that name, as flyAtomGetRequiredFeature
/// returns it. Every chip has the feature "" that needs nothing. False for a
/// feature that is not known.
MLIR_CAPI_EXPORTED bool flyChipHasFeature(MlirStringRef chip,
                                          MlirStringRef feature);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_CHIPS_H
