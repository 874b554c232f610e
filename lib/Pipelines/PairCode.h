// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as unevaluated sums of two f64, the second below half a unit in the
// last place of the first: some 106 bits. The formulas are Dekker's and Knuth's
// with a fused multiply-add for the rest of a product.

#ifndef FLY_LIB_PIPELINES_PAIRCODE_H
#define FLY_LIB_PIPELINES_PAIRCODE_H

#include "DoubleCode.h"

#include <cmath>

namespace fly::f64 {

struct Pair {
  mlir::Value hi, lo;
};

/// Emits arithmetic of pairs.
class PairCode {
public:
  explicit PairCode(Double &d) : d(d) {}

  Pair constant(double hi, double lo) { return {d.number(hi), d.number(lo)}; }
  /// p / q.
  Pair ratio(double p, double q) {
    double hi = p / q;
    return constant(hi, std::fma(-q, hi, p) / q);
  }
  Pair single(mlir::Value x) { return {x, d.number(0)}; }
  mlir::Value round(Pair x) { return d.add(x.hi, x.lo); }

  /// x + y where x is the larger one, exactly.
  Pair sumOrdered(mlir::Value x, mlir::Value y) {
    mlir::Value s = d.add(x, y);
    return {s, d.sub(y, d.sub(s, x))};
  }
  /// x + y exactly.
  Pair sum(mlir::Value x, mlir::Value y) {
    mlir::Value s = d.add(x, y), t = d.sub(s, x);
    return {s, d.add(d.sub(x, d.sub(s, t)), d.sub(y, t))};
  }
  /// x y exactly.
  Pair product(mlir::Value x, mlir::Value y) {
    mlir::Value p = d.mul(x, y);
    return {p, d.fma(x, y, d.neg(p))};
  }
  Pair add(Pair x, Pair y) {
    Pair s = sum(x.hi, y.hi);
    return sumOrdered(s.hi, d.add(s.lo, d.add(x.lo, y.lo)));
  }
  Pair add(Pair x, mlir::Value y) {
    Pair s = sum(x.hi, y);
    return sumOrdered(s.hi, d.add(s.lo, x.lo));
  }
  Pair negate(Pair x) { return {d.neg(x.hi), d.neg(x.lo)}; }
  Pair mul(Pair x, Pair y) {
    Pair p = product(x.hi, y.hi);
    mlir::Value rest = d.fma(x.hi, y.lo, d.fma(x.lo, y.hi, p.lo));
    return sumOrdered(p.hi, rest);
  }
  Pair mul(Pair x, mlir::Value y) {
    Pair p = product(x.hi, y);
    return sumOrdered(p.hi, d.fma(x.lo, y, p.lo));
  }
  /// Times a power of two.
  Pair scale(Pair x, mlir::Value power) {
    return {d.mul(x.hi, power), d.mul(x.lo, power)};
  }
  Pair div(Pair x, Pair y) {
    mlir::Value q = d.div(x.hi, y.hi);
    mlir::Value rest = d.fma(d.neg(q), y.hi, x.hi);
    rest = d.add(rest, d.fma(d.neg(q), y.lo, x.lo));
    return sumOrdered(q, d.div(rest, y.hi));
  }
  /// The root of a positive number, or of zero.
  Pair root(Pair x) {
    mlir::Value s = d.root(x.hi);
    mlir::Value rest = d.add(d.fma(d.neg(s), s, x.hi), x.lo);
    mlir::Value isZero = d.equal(s, d.number(0));
    mlir::Value twice = d.add(s, s);
    return sumOrdered(s, d.div(rest, d.select(isZero, d.number(1), twice)));
  }
  Pair select(mlir::Value c, Pair x, Pair y) {
    return {d.select(c, x.hi, y.hi), d.select(c, x.lo, y.lo)};
  }

  Double &d;
};

} // namespace fly::f64

#endif // FLY_LIB_PIPELINES_PAIRCODE_H
