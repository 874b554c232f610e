// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random modules that are valid for the most part: functions, kernels, loops
// and branches around Fly's operations, with operands of the right kinds and
// inferred results. Strange types, wrong operands and missing attributes come
// in now and then.

#ifndef FLY_TOOLS_FUZZ_GENERATE_H
#define FLY_TOOLS_FUZZ_GENERATE_H

#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace fly::fuzz {

/// The module that belongs to `seed`, in generic form. It need not verify.
std::string generateModule(const mlir::DialectRegistry &registry,
                           uint64_t seed);

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_GENERATE_H
