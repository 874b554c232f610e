// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether elements that follow each other before a swizzle (of a pointer, or
// the inner map of a composed layout) still do behind it. A vector access and
// an atom move such a run as one piece; where the answer is no, or cannot be
// known, they must not.

#ifndef FLY_DIALECT_FLY_ANALYSIS_RUNS_H
#define FLY_DIALECT_FLY_ANALYSIS_RUNS_H

#include "Fly/Dialect/Fly/IR/FlyTypes.h"

namespace fly {

/// The alignment in bytes that every address of this type has. The trivial
/// alignment of elements that are no whole number of bytes is rounded up, so
/// it says nothing of where they begin: 2 elements of 12 bits end at byte 3.
int64_t getKnownAlignment(PointerType pointer);

/// A swizzle permutes the addresses of each block of so many bytes. Memory that
/// is aligned to a block and has whole blocks keeps them inside.
int64_t getSwizzleBlock(SwizzleAttr swizzle);

/// True if `bits` consecutive bits from any pointer of this type on lie in one
/// block that the pointer's swizzle moves as a whole: a block has 2^base bytes,
/// and the alignment shows that the run does not cross one.
bool swizzleKeepsRun(PointerType pointer, int64_t bits);

/// The same for `elements` elements from the start of a memref on.
bool swizzleKeepsRun(MemRefType memref, int64_t elements);

/// True if `layout` (LayoutAttr or ComposedLayoutAttr) gives
/// layout(i) = layout(0) + linear(i) for every i of its linear part, so that
/// the linear part at the origin names the same elements. The inner maps are
/// evaluated where all is static; a run-time offset below a swizzle must be
/// known to be a multiple of a block that holds the run.
bool isLinearAtOrigin(mlir::Attribute layout);

} // namespace fly

#endif // FLY_DIALECT_FLY_ANALYSIS_RUNS_H
