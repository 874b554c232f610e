// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Crashes that are not Fly's: those whose stack holds a function that
// docs/KnownUpstream.md names, and nothing of Fly.

#ifndef FLY_TOOLS_FUZZ_KNOWN_H
#define FLY_TOOLS_FUZZ_KNOWN_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace fly::fuzz {

/// The functions in lines "- frame: `function`" of a text.
std::vector<std::string> readKnownFrames(llvm::StringRef text);

/// The operations in lines "- printed form: `operation`" of a text: MLIR does
/// not read back what it prints for them.
std::vector<std::string> readKnownForms(llvm::StringRef text);

/// True if `reason`, the fault of a case, is a printed text that was refused
/// and holds one of `forms`.
bool isKnownForm(llvm::StringRef reason, const std::vector<std::string> &forms);

/// True if the printed `stack` holds one of `frames` and no function of Fly;
/// the fuzzer's own functions do not count.
bool isKnownUpstream(llvm::StringRef stack,
                     const std::vector<std::string> &frames);

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_KNOWN_H
