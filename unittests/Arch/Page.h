// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of docs whose end is generated from the tables of lib/Arch.

#ifndef FLY_UNITTESTS_ARCH_PAGE_H
#define FLY_UNITTESTS_ARCH_PAGE_H

#include "Fly/Arch/Chips.h"

#include <string>

namespace fly::arch {

/// The chips that have the feature, with ", " between.
std::string chipsWith(Feature feature);

/// Expects docs/`name` to have `tables` behind the mark of generated text. With
/// FLY_UPDATE_DOCS set in the environment it writes them there instead.
void checkPage(llvm::StringRef name, const std::string &tables);

} // namespace fly::arch

#endif // FLY_UNITTESTS_ARCH_PAGE_H
