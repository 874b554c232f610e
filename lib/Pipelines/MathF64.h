// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math functions of f64 in f64 arithmetic, accurate to about its unit in the
// last place. All take numbers of the shape of `d` and give the values that C's
// functions of these names give, infinities, NaN and signed zeros included.

#ifndef FLY_LIB_PIPELINES_MATHF64_H
#define FLY_LIB_PIPELINES_MATHF64_H

#include "DoubleCode.h"

namespace fly::f64 {

mlir::Value exp(Double &d, mlir::Value x);
mlir::Value exp2(Double &d, mlir::Value x);
mlir::Value expm1(Double &d, mlir::Value x);
mlir::Value log(Double &d, mlir::Value x);
mlir::Value log2(Double &d, mlir::Value x);
mlir::Value log10(Double &d, mlir::Value x);
mlir::Value log1p(Double &d, mlir::Value x);
/// x^(y + rest), rest far smaller than y; `isOdd`: the power is an odd integer.
mlir::Value pow(Double &d, mlir::Value x, mlir::Value y, mlir::Value rest,
                mlir::Value isOdd);
/// x^y, given as `result` for a positive, finite |x| that is not 1, also where
/// x and y are such that it has to be another value; `isOdd`: y is an odd
/// integer.
mlir::Value finishPower(Double &d, mlir::Value x, mlir::Value y,
                        mlir::Value isOdd, mlir::Value result);
mlir::Value cbrt(Double &d, mlir::Value x);
mlir::Value sinh(Double &d, mlir::Value x);
mlir::Value cosh(Double &d, mlir::Value x);
mlir::Value tanh(Double &d, mlir::Value x);
mlir::Value asinh(Double &d, mlir::Value x);
mlir::Value acosh(Double &d, mlir::Value x);
mlir::Value atanh(Double &d, mlir::Value x);
mlir::Value erf(Double &d, mlir::Value x);
mlir::Value erfc(Double &d, mlir::Value x);

mlir::Value sin(Double &d, mlir::Value x);
mlir::Value cos(Double &d, mlir::Value x);
mlir::Value tan(Double &d, mlir::Value x);
mlir::Value asin(Double &d, mlir::Value x);
mlir::Value acos(Double &d, mlir::Value x);
mlir::Value atan(Double &d, mlir::Value x);
mlir::Value atan2(Double &d, mlir::Value y, mlir::Value x);

} // namespace fly::f64

#endif // FLY_LIB_PIPELINES_MATHF64_H
