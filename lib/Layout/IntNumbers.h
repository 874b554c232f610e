// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on plain numbers that leaf arithmetic and the evaluation of
// expressions share, private to the library.

#ifndef FLY_LIB_LAYOUT_INTNUMBERS_H
#define FLY_LIB_LAYOUT_INTNUMBERS_H

#include "Fly/Layout/Int.h"

namespace fly::layout {

/// Quotient toward plus infinity, or nothing beyond 64 bits; b is not 0.
std::optional<int64_t> ceilQuotient(int64_t a, int64_t b);

/// The comparison `kind` of a and b.
bool holds(ExprKind kind, int64_t a, int64_t b);

/// Whether `a` is known to be `b` times some integer, which may be a run-time
/// one: by the factors of products and by the divisors of what is left.
bool isKnownMultiple(const Int &a, const Int &b);

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_INTNUMBERS_H
