// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and writing the bodies that attributes and types share: leaves,
// tuples, layouts, swizzles and tiles.  Private to the IR room.

#ifndef FLY_LIB_DIALECT_FLY_IR_FLYATTRPARSER_H
#define FLY_LIB_DIALECT_FLY_IR_FLYATTRPARSER_H

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"

#include "mlir/IR/OpImplementation.h"

namespace fly {

// Each reads one body at the parser's position; on failure a diagnostic has
// been emitted at the place in the text.
mlir::ParseResult parseIntBody(mlir::AsmParser &parser, IntAttr &result);
mlir::ParseResult parseBasisBody(mlir::AsmParser &parser, BasisAttr &result);
mlir::ParseResult parseTupleBody(mlir::AsmParser &parser, IntTupleAttr &result);
mlir::ParseResult parseLayoutBody(mlir::AsmParser &parser, LayoutAttr &result);
mlir::ParseResult parseSwizzleBody(mlir::AsmParser &parser,
                                   SwizzleAttr &result);
/// What follows the 'S' of a swizzle that began at `loc`.
mlir::ParseResult parseSwizzleTail(mlir::AsmParser &parser, llvm::SMLoc loc,
                                   SwizzleAttr &result);
mlir::ParseResult parseCoordSwizzleBody(mlir::AsmParser &parser,
                                        CoordSwizzleAttr &result);
mlir::ParseResult parseComposedLayoutBody(mlir::AsmParser &parser,
                                          ComposedLayoutAttr &result);
/// A layout or a composed layout.
mlir::ParseResult parseNarrowLayoutBody(mlir::AsmParser &parser,
                                        mlir::Attribute &result);
mlir::ParseResult parseTileBody(mlir::AsmParser &parser, TileAttr &result);
mlir::ParseResult parseAlignBody(mlir::AsmParser &parser, AlignAttr &result);

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_IR_FLYATTRPARSER_H
