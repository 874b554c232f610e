// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs lines of the form
//
//   op {attributes} (kind<operand> ; kind<operand>) -> kind<result>
//   op (...) -> error: label
//
// through the layout library, so that a test is a readable table.

#ifndef FLY_UNITTESTS_LAYOUT_TABLE_H
#define FLY_UNITTESTS_LAYOUT_TABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fly::layout::test {

/// Computes the left side of a line; "kind<result>" or "error: label". An
/// operation or operand that the runner does not know gives "unknown: ...".
std::string compute(llvm::StringRef leftSide);

/// Runs each non-empty line of `table` (`#` begins a comment) as a GoogleTest
/// expectation; fails too if there is no line.
void expectTable(llvm::StringRef table);

} // namespace fly::layout::test

#endif // FLY_UNITTESTS_LAYOUT_TABLE_H
