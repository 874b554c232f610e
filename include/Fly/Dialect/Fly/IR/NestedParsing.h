// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a type or an attribute inside another one. Parsers recurse into
// nested text, upstream's without a bound: what nests its brackets deeper than
// kMaxNesting is refused before any of them sees it.

#ifndef FLY_DIALECT_FLY_IR_NESTEDPARSING_H
#define FLY_DIALECT_FLY_IR_NESTEDPARSING_H

#include "mlir/IR/OpImplementation.h"

namespace fly {

class IntTupleAttr;

/// How deep the brackets of a whole text may nest. A level takes MLIR's parsers
/// at most 3 KiB of a stack of 8 MiB.
inline constexpr int32_t kMaxTextNesting = 1000;

/// The first bracket of a text that nests deeper than kMaxTextNesting, or null.
const char *findDeepNesting(llvm::StringRef text);

mlir::ParseResult parseNestedType(mlir::AsmParser &parser, mlir::Type &result);
mlir::ParseResult parseNestedAttribute(mlir::AsmParser &parser,
                                       mlir::Attribute &result);

/// The body of an int tuple, `(1E0,(?,4))`, as attributes and types of the
/// dialect write it. For types of other dialects that hold one.
mlir::ParseResult parseIntTupleBody(mlir::AsmParser &parser,
                                    IntTupleAttr &result);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_NESTEDPARSING_H
