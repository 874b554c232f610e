// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions of the layout operations on numbers: whether a result is
// what the operation promises, by visiting coordinates. Each answers "" or says
// what is wrong. Nothing of lib/Layout is used but the containers.

#ifndef FLY_UNITTESTS_EXECUTION_DYNAMICDEFINITIONS_H
#define FLY_UNITTESTS_EXECUTION_DYNAMICDEFINITIONS_H

#include "DynamicBatch.h"

namespace fly::test {

using Values = llvm::ArrayRef<AlgebraValue>;

/// Judges `result` of an op on `operands`; all on numbers.
using Definition =
    std::function<std::string(Values operands, const AlgebraValue &result)>;

std::string defineCrd2Idx(Values operands, const AlgebraValue &result);
std::string defineIdx2Crd(Values operands, const AlgebraValue &result);
/// get_flat_coord and get_1d_coord.
std::string defineFlatCoord(Values operands, const AlgebraValue &result);
std::string defineComposition(Values operands, const AlgebraValue &result);
std::string defineComplement(Values operands, const AlgebraValue &result);
std::string defineDivide(Values operands, const AlgebraValue &result);
std::string defineProduct(Values operands, const AlgebraValue &result);
std::string defineCoalesce(Values operands, const AlgebraValue &result);
std::string defineRightInverse(Values operands, const AlgebraValue &result);
std::string defineLeftInverse(Values operands, const AlgebraValue &result);
std::string defineSize(Values operands, const AlgebraValue &result);
std::string defineCosize(Values operands, const AlgebraValue &result);
/// The shape of operand 0 with strides that leave no room and repeat nothing,
/// but for modes of stride 0.
std::string definePacked(Values operands, const AlgebraValue &result);
/// Recast from `oldBits` to `newBits`, of which one divides the other.
Definition defineRecast(int64_t oldBits, int64_t newBits);
/// Leaf by leaf on tuples of one profile; the inner function answers nothing
/// where the operation has no value.
Definition
defineElementwise(std::function<std::optional<int64_t>(int64_t, int64_t)> leaf);

} // namespace fly::test

#endif // FLY_UNITTESTS_EXECUTION_DYNAMICDEFINITIONS_H
