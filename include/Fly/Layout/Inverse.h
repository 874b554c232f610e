// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inverses of layouts. The right inverse asks which coordinate gives index k;
// the left inverse takes an index of the image back to its coordinate.

#ifndef FLY_LAYOUT_INVERSE_H
#define FLY_LAYOUT_INVERSE_H

#include "Fly/Layout/Algebra.h"

namespace fly::layout {

/// R with L(R(k)) = k for all k below its size, which is the length of the
/// contiguous run of indices from 0. A mode of run-time size that continues
/// the run counts. Error right_inverse_c1: basis strides.
Result<Layout> rightInverse(const Layout &layout);
/// Of S o 0 o X with swizzles S: the right inverse of X after the inverse of
/// S. Error right_inverse_c2: another inner map, an offset, or a swizzle that
/// leads out of the run of X.
Result<AnyLayout> rightInverse(const AnyLayout &layout);

/// R with R(L(c)) = c (as a number in L) for every c whose coordinates along
/// stride 0 are 0. Errors: left_inverse_c1 (basis strides), left_inverse_c2
/// (indices repeat, or lie so that no layout inverts them), left_inverse_c3
/// (run-time strides that are not known to continue the others).
Result<Layout> leftInverse(const Layout &layout);
/// Of a swizzled layout: the left inverse of the rest after the inverse of
/// the swizzle. Error left_inverse_c4: another inner map.
Result<AnyLayout> leftInverse(const AnyLayout &layout);

} // namespace fly::layout

#endif // FLY_LAYOUT_INVERSE_H
