// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which basis elements have a sum, private to the library.

#ifndef FLY_LIB_LAYOUT_BASISPATHS_H
#define FLY_LIB_LAYOUT_BASISPATHS_H

#include "Fly/Layout/IntTuple.h"

namespace fly::layout {

/// Error basis_c3, which names both, if of two basis elements among the leaves
/// one is a number where the other is a tuple: 1E0 and 1E0E1. Static zeros say
/// nothing of a place.
std::optional<Error> checkBasisPaths(const IntTuple &tuple);

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_BASISPATHS_H
