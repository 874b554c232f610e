// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between attributes and the values that lib/Layout computes on.  Reading an
// attribute gives each run-time leaf a symbol of its own, numbered in the order
// of the leaves: depth first and left to right; shape before stride; inner,
// offset, outer.  That is the order of the operands that the leaves have as SSA
// values, so symbol n stands for operand n.

#ifndef FLY_DIALECT_FLY_IR_FLYLAYOUTADAPTER_H
#define FLY_DIALECT_FLY_IR_FLYLAYOUTADAPTER_H

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"
#include "Fly/Layout/Tile.h"

namespace fly {

//===----------------------------------------------------------------------===//
// Attribute to value
//===----------------------------------------------------------------------===//
// `nextSymbol` is the number of the first symbol and is advanced by one for
// each run-time leaf.

layout::Int toValue(IntAttr attr, unsigned &nextSymbol);
layout::IntTuple toValue(IntTupleAttr attr, unsigned &nextSymbol);
layout::Layout toValue(LayoutAttr attr, unsigned &nextSymbol);
layout::ComposedLayout toValue(ComposedLayoutAttr attr, unsigned &nextSymbol);
layout::Tile toValue(TileAttr attr, unsigned &nextSymbol);
layout::Swizzle toValue(SwizzleAttr attr);
layout::CoordSwizzle toValue(CoordSwizzleAttr attr);

/// The value of a LayoutAttr or a ComposedLayoutAttr.
layout::AnyLayout toLayoutValue(mlir::Attribute attr, unsigned &nextSymbol);

/// The value of an attribute without run-time leaves.
layout::Layout toStaticValue(LayoutAttr attr);
layout::IntTuple toStaticValue(IntTupleAttr attr);

//===----------------------------------------------------------------------===//
// Value to attribute
//===----------------------------------------------------------------------===//
// A run-time leaf becomes `?` with the width and divisibility of its
// expression.

IntAttr toAttr(mlir::MLIRContext *context, const layout::Int &value);
IntTupleAttr toAttr(mlir::MLIRContext *context, const layout::IntTuple &value);
LayoutAttr toAttr(mlir::MLIRContext *context, const layout::Layout &value);
ComposedLayoutAttr toAttr(mlir::MLIRContext *context,
                          const layout::ComposedLayout &value);
TileAttr toAttr(mlir::MLIRContext *context, const layout::Tile &value);
SwizzleAttr toAttr(mlir::MLIRContext *context, const layout::Swizzle &value);
CoordSwizzleAttr toAttr(mlir::MLIRContext *context,
                        const layout::CoordSwizzle &value);

/// A LayoutAttr or a ComposedLayoutAttr.
mlir::Attribute toAttr(mlir::MLIRContext *context,
                       const layout::AnyLayout &value);

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_FLYLAYOUTADAPTER_H
