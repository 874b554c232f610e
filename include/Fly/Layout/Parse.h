// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the text forms of tuples, layouts and tiles. For tests and tools;
// the dialect has its own parser on MLIR's tokens. Errors of all functions:
// parse_c1 (syntax), parse_c2 (nesting beyond maxDepth), parse_c3 (a number
// beyond 64 bits), and the labels of the constructors (layout_c1, swizzle_c1).

#ifndef FLY_LAYOUT_PARSE_H
#define FLY_LAYOUT_PARSE_H

#include "Fly/Layout/Tile.h"
#include "llvm/ADT/StringRef.h"

namespace fly::layout {

// Each `?` becomes a fresh symbol. Its id is the next value of `*nextSymbol`
// if given, else it counts from 0 in each call.

Result<IntTuple> parseIntTuple(llvm::StringRef text,
                               unsigned *nextSymbol = nullptr);
Result<Layout> parseLayout(llvm::StringRef text,
                           unsigned *nextSymbol = nullptr);
/// A plain or composed layout.
Result<AnyLayout> parseAnyLayout(llvm::StringRef text,
                                 unsigned *nextSymbol = nullptr);
Result<Tile> parseTile(llvm::StringRef text, unsigned *nextSymbol = nullptr);
Result<Swizzle> parseSwizzle(llvm::StringRef text);
Result<CoordSwizzle> parseCoordSwizzle(llvm::StringRef text);

} // namespace fly::layout

#endif // FLY_LAYOUT_PARSE_H
