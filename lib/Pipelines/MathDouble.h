// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math functions computed in f64: those of f32 and narrower types, and of f64.

#ifndef FLY_LIB_PIPELINES_MATHDOUBLE_H
#define FLY_LIB_PIPELINES_MATHDOUBLE_H

#include "mlir/IR/PatternMatch.h"

namespace fly {

/// Adds patterns for `math.powf`, `fpowi`, `sinh`, `cosh`, `asinh`, `acosh`,
/// `atanh`, `cbrt`, `atan2` and the inverses of sine, cosine and tangent of f32,
/// f16 and bf16 (f64 arithmetic, results within one unit in the last place of
/// f32), `math.ipowi`, and the predicates `isinf`, `isnan`, `isfinite` and
/// `isnormal` of any float type.
void populateMathInDoublePatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns for the functions of f64: see MathF64.h.
void populateMathOfDoublePatterns(mlir::RewritePatternSet &patterns);

} // namespace fly

#endif // FLY_LIB_PIPELINES_MATHDOUBLE_H
