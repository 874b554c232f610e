// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damage to texts and bytecode: most results are refused, the rest mean
// something else than what was written.

#ifndef FLY_TOOLS_FUZZ_MUTATE_H
#define FLY_TOOLS_FUZZ_MUTATE_H

#include "Random.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fly::fuzz {

/// `text` with one to three changes of numbers, types, operand and operation
/// names, lines or single characters.
std::string mutateText(llvm::StringRef text, Random &random);

/// Bytecode with a few bytes changed in the texts of types and attributes, which
/// Fly's parsers read. What stands around them is the reader's of MLIR, which
/// damage leads to write where it must not (docs/KnownUpstream.md).
std::string mutateBytes(llvm::StringRef bytes, Random &random);

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_MUTATE_H
