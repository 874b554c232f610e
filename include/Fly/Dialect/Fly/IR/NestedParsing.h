// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a type or an attribute inside another one. Parsers recurse into
// nested text, upstream's without a bound: what nests its brackets deeper than
// kMaxNesting is refused before any of them sees it.

#ifndef FLY_DIALECT_FLY_IR_NESTEDPARSING_H
#define FLY_DIALECT_FLY_IR_NESTEDPARSING_H

#include "mlir/IR/OpImplementation.h"

#include <optional>
#include <string>

namespace fly {

/// The refusal of a file's text whose brackets nest deeper than a stack surely
/// bears, or nothing. Tools ask before they hand a file to MLIR's parsers.
std::optional<std::string> refuseDeepNesting(llvm::StringRef text);

mlir::ParseResult parseNestedType(mlir::AsmParser &parser, mlir::Type &result);
mlir::ParseResult parseNestedAttribute(mlir::AsmParser &parser,
                                       mlir::Attribute &result);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_NESTEDPARSING_H
