// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exponentials and logarithms of f64, and what is made of them. A logarithm is
// a pair of some 70 bits, so that powers are accurate, too; an exponential has
// a rest, so that a difference of two is.

#include "MathF64.h"
#include "PairCode.h"

using namespace mlir;

namespace fly::f64 {

/// log 2 in two parts; the first has zeros behind it, so that its product with
/// an exponent is exact.
static constexpr double ln2High = 0x1.62e42fefa38p-1;
static constexpr double ln2Low = 0x1.ef35793c7673p-45;

/// log 2 as a pair.
static Pair ln2(PairCode &p) {
  return p.constant(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56);
}

/// 2^n for an integer n (i64) that is the exponent of a normal number.
static Value powerOfTwo(Double &d, Value n) {
  return d.fromBits(d.left(d.plus(n, d.integer(1023)), d.integer(52)));
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

namespace {
/// log x = exponent log 2 + fraction.
struct Logarithm {
  Value exponent;
  Pair fraction;
};
} // namespace

/// Of a positive, finite number.
static Logarithm splitLogarithm(Double &d, Value x) {
  PairCode p(d);
  // Denormal numbers become normal.
  Value isSmall = d.less(x, d.number(0x1p-1022));
  x = d.select(isSmall, d.mul(x, d.number(0x1p54)), x);
  Value bits = d.bits(x);
  Value e = d.fromSigned(d.right(bits, d.integer(52)));
  e = d.sub(e, d.select(isSmall, d.number(1023 + 54), d.number(1023)));
  Value m = d.fromBits(d.either(d.both(bits, d.integer((int64_t(1) << 52) - 1)),
                                d.integer(int64_t(1023) << 52)));
  // m from 1 to 2 becomes 0.71 to 1.41, where the series is shortest.
  Value isLarge = d.less(d.number(M_SQRT2), m);
  m = d.select(isLarge, d.mul(m, d.number(0.5)), m);
  e = d.select(isLarge, d.add(e, d.number(1)), e);
  // log m = 2 (s + s^3/3 + s^5/5 + …), s = (m - 1) / (m + 1), |s| < 0.172.
  Pair s = p.div(p.single(d.sub(m, d.number(1))), p.sum(m, d.number(1)));
  Pair z = p.mul(s, s);
  llvm::SmallVector<double> tail;
  for (int k = 5; k < 15; ++k)
    tail.push_back(2.0 / (2 * k + 1));
  Pair series = p.add(p.mul(z, d.polynomial(z.hi, tail)), p.ratio(2, 9));
  for (int k = 3; k >= 1; --k)
    series = p.add(p.mul(z, series), p.ratio(2, 2 * k + 1));
  Pair first = {d.add(s.hi, s.hi), d.add(s.lo, s.lo)};
  return {e, p.add(first, p.mul(s, p.mul(z, series)))};
}

/// log x of a positive, finite number.
static Pair logarithm(Double &d, Value x) {
  PairCode p(d);
  Logarithm l = splitLogarithm(d, x);
  Pair whole = p.sum(d.mul(l.exponent, d.number(ln2High)), l.fraction.hi);
  Value rest = d.fma(l.exponent, d.number(ln2Low), l.fraction.lo);
  return p.sumOrdered(whole.hi, d.add(whole.lo, rest));
}

/// The same of a pair.
static Pair logarithm(Double &d, Pair x) {
  PairCode p(d);
  return p.add(logarithm(d, x.hi), d.div(x.lo, x.hi));
}

/// `compute` where x is positive and finite; what C's logarithms give
/// elsewhere. `compute` gets 1 there.
static Value withLogarithmEnds(Double &d, Value x,
                               llvm::function_ref<Value(Value)> compute) {
  Value zero = d.number(0);
  Value isInside = d.both(d.less(zero, x), d.less(x, d.infinity()));
  Value result = compute(d.select(isInside, x, d.number(1)));
  Value outside = d.select(d.equal(x, zero), d.neg(d.infinity()), d.nan());
  outside = d.select(d.equal(x, d.infinity()), x, outside);
  return d.select(isInside, result, outside);
}

Value log(Double &d, Value x) {
  return withLogarithmEnds(d, x, [&](Value valid) {
    return PairCode(d).round(logarithm(d, valid));
  });
}

Value log2(Double &d, Value x) {
  return withLogarithmEnds(d, x, [&](Value valid) {
    PairCode p(d);
    Logarithm l = splitLogarithm(d, valid);
    Pair scaled = p.mul(
        l.fraction, p.constant(0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56));
    return p.round(p.add(scaled, l.exponent));
  });
}

Value log10(Double &d, Value x) {
  return withLogarithmEnds(d, x, [&](Value valid) {
    PairCode p(d);
    return p.round(
        p.mul(logarithm(d, valid),
              p.constant(0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57)));
  });
}

Value log1p(Double &d, Value x) {
  PairCode p(d);
  Pair sum = p.sum(x, d.number(1));
  Value result = withLogarithmEnds(d, sum.hi, [&](Value valid) {
    return p.round(logarithm(d, Pair{valid, sum.lo}));
  });
  // Infinity leaves no rest, and a number this small is its own result.
  result = d.select(d.equal(x, d.infinity()), x, result);
  return d.select(d.less(d.abs(x), d.number(0x1p-60)), x, result);
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

namespace {
/// e^x = (1 + rest) 2^exponent, exponent an i64.
struct Exponential {
  Pair rest;
  Value exponent;
};
} // namespace

/// e^r - 1 for |r| < 0.35.
static Pair exponentialRest(Double &d, Pair r) {
  PairCode p(d);
  llvm::SmallVector<double> series;
  double c = 1;
  for (int k = 2; k < 16; ++k)
    series.push_back(c /= k);
  Value square = d.mul(d.mul(r.hi, r.hi), d.polynomial(r.hi, series));
  // (1 + hi) lo is what the low part adds to the first two terms.
  Value low = d.fma(r.hi, r.lo, r.lo);
  return p.sum(r.hi, d.add(low, square));
}

/// Of x with |x| below 800.
static Exponential exponential(Double &d, Pair x) {
  PairCode p(d);
  Value n = d.roundEven(d.mul(x.hi, d.number(1 / M_LN2)));
  Value minusN = d.neg(n);
  Pair r = p.sum(d.fma(minusN, d.number(ln2High), x.hi),
                 d.mul(minusN, d.number(ln2Low)));
  r = p.sumOrdered(r.hi, d.add(r.lo, x.lo));
  return {exponentialRest(d, r), d.toInteger(n)};
}

/// x where it is between -limit and limit; else the nearer limit. NaN is 0.
static Value clamp(Double &d, Value x, double limit) {
  x = d.select(d.isNaN(x), d.number(0), x);
  x = d.select(d.less(d.number(limit), x), d.number(limit), x);
  return d.select(d.less(x, d.number(-limit)), d.number(-limit), x);
}

/// The value of an exponential; in two steps, as it may be denormal or
/// infinite.
static Value round(Double &d, Exponential e) {
  PairCode p(d);
  Pair sum = p.add(e.rest, d.number(1));
  Value half = d.rightSigned(e.exponent, d.integer(1));
  Value value = d.mul(sum.hi, powerOfTwo(d, half));
  return d.mul(value, powerOfTwo(d, d.minus(e.exponent, half)));
}

Value exp(Double &d, Value x) {
  PairCode p(d);
  Value result = round(d, exponential(d, p.single(clamp(d, x, 800))));
  return d.select(d.isNaN(x), x, result);
}

Value exp2(Double &d, Value x) {
  PairCode p(d);
  Value valid = clamp(d, x, 1100);
  Value n = d.roundEven(valid);
  Pair r = p.mul(ln2(p), d.sub(valid, n));
  Value result = round(d, {exponentialRest(d, r), d.toInteger(n)});
  return d.select(d.isNaN(x), x, result);
}

/// A quarter of e^x and of e^-x, which may be finite where e^x is not, of x
/// with 0 <= x <= 710.5.
static std::pair<Pair, Pair> quarterExponentials(Double &d, Value x) {
  PairCode p(d);
  Exponential e = exponential(d, p.single(x));
  Value power = powerOfTwo(d, d.minus(e.exponent, d.integer(2)));
  Pair up = p.scale(p.add(e.rest, d.number(1)), power);
  // Beyond 40 the inverse does not count, and its rest would be denormal.
  Value isSmall = d.less(x, d.number(40));
  Pair divisor = p.select(isSmall, up, p.single(d.number(0x1p200)));
  return {up, p.div(p.single(d.number(1. / 16)), divisor)};
}

/// e^x - 1 as a pair, of x with |x| < 711.
static Pair exponentialMinusOne(Double &d, Value x) {
  PairCode p(d);
  Exponential e = exponential(d, p.single(x));
  // (1 + rest) 2^n - 1: exact differences of 2^n and 1 come first. Below 2^-60
  // and beyond 2^60 one of the two is all that counts.
  Value n = e.exponent;
  Value power = powerOfTwo(d, n);
  Pair difference = p.sum(power, d.number(-1));
  return p.add(difference, p.scale(e.rest, power));
}

Value expm1(Double &d, Value x) {
  PairCode p(d);
  Value valid = clamp(d, x, 709);
  Value result = p.round(exponentialMinusOne(d, valid));
  // Beyond, the 1 does not count.
  result = d.select(d.less(d.number(708), x), exp(d, x), result);
  // Keeps the sign of zero, and NaN.
  Value isTiny = d.less(d.abs(x), d.number(0x1p-60));
  return d.select(d.either(isTiny, d.isNaN(x)), x, result);
}

Value finishPower(Double &d, Value x, Value y, Value isOdd, Value result) {
  Value zero = d.number(0), one = d.number(1);
  Value magnitude = d.abs(x);
  Value isInfinite = d.equal(magnitude, d.infinity());
  Value isExtreme = d.either(d.equal(magnitude, zero), isInfinite);
  Value isGrowing = d.less(zero, y);
  Value extreme = d.select(isInfinite, d.select(isGrowing, d.infinity(), zero),
                           d.select(isGrowing, zero, d.infinity()));
  result = d.select(isExtreme, extreme, result);
  // (+-1)^(+-inf) is 1.
  result = d.select(d.equal(magnitude, one), one, result);
  // copysign sees the sign of -0, too.
  result = d.select(isOdd, d.copySign(result, x), result);
  Value isRoot =
      d.both(d.both(d.less(x, zero), d.less(magnitude, d.infinity())),
             d.compare(arith::CmpFPredicate::UNE, d.floor(y), y));
  // An infinite power is its own floor.
  result = d.select(isRoot, d.nan(), result);
  result = d.select(d.either(d.isNaN(x), d.isNaN(y)), d.nan(), result);
  return d.select(d.either(d.equal(x, one), d.equal(y, zero)), one, result);
}

Value pow(Double &d, Value x, Value y, Value rest, Value isOdd) {
  PairCode p(d);
  Value zero = d.number(0), one = d.number(1);
  Value magnitude = d.abs(x);
  Value isZero = d.equal(magnitude, zero);
  Value isInfinite = d.equal(magnitude, d.infinity());
  // 0, infinity and NaN have no logarithm.
  Value isExtreme = d.either(d.either(isZero, isInfinite), d.isNaN(x));
  Pair l = logarithm(d, d.select(isExtreme, one, magnitude));
  // A huge power would make NaN of the product's rest; the result is the same.
  Value power = clamp(d, y, 0x1p70);
  Pair t = p.mul(l, Pair{power, rest});
  Value isInside = d.less(d.abs(t.hi), d.number(790));
  Value hi = clamp(d, t.hi, 800);
  t = {hi, d.select(isInside, t.lo, zero)};
  Value result = round(d, exponential(d, t));
  return finishPower(d, x, y, isOdd, result);
}

Value cbrt(Double &d, Value x) {
  PairCode p(d);
  Value a = d.abs(x);
  Value isOrdinary = d.both(d.less(d.number(0), a), d.less(a, d.infinity()));
  Pair l = logarithm(d, d.select(isOrdinary, a, d.number(1)));
  Value power = round(d, exponential(d, p.mul(l, p.ratio(1, 3))));
  return d.select(isOrdinary, d.copySign(power, x), x);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions and their inverses
//===----------------------------------------------------------------------===//

/// x + x^3 (c0 + c1 x^2 + …).
static Value oddSeries(Double &d, Value x, llvm::ArrayRef<double> tail) {
  Value z = d.mul(x, x);
  return d.fma(d.mul(x, z), d.polynomial(z, tail), x);
}

Value sinh(Double &d, Value x) {
  PairCode p(d);
  Value a = d.abs(x);
  // Twice the largest quarter is infinite.
  auto [up, down] = quarterExponentials(d, clamp(d, a, 710.5));
  Value large = d.mul(d.number(2), p.round(p.add(up, p.negate(down))));
  llvm::SmallVector<double> tail;
  double c = 1;
  for (int k = 3; k < 24; k += 2)
    tail.push_back(c /= (k - 1) * k);
  Value result =
      d.select(d.less(a, d.number(0.4)), oddSeries(d, a, tail), large);
  return d.select(d.isNaN(x), x, d.copySign(result, x));
}

Value cosh(Double &d, Value x) {
  PairCode p(d);
  Value a = d.abs(x);
  auto [up, down] = quarterExponentials(d, clamp(d, a, 710.5));
  Value result = d.mul(d.number(2), p.round(p.add(up, down)));
  return d.select(d.isNaN(x), x, result);
}

/// (e^2x - 1) / (e^2x + 1).
Value tanh(Double &d, Value x) {
  PairCode p(d);
  Value a = clamp(d, d.abs(x), 30);
  Pair t = exponentialMinusOne(d, d.add(a, a));
  Value result = p.round(p.div(t, p.add(t, d.number(2))));
  result = d.select(d.less(a, d.number(0x1p-60)), a, result);
  return d.select(d.isNaN(x), x, d.copySign(result, x));
}

/// log y of a positive, finite pair, or log 2y where `isTwice`.
static Value roundLogarithm(Double &d, Pair y, Value isTwice) {
  PairCode p(d);
  Pair l = logarithm(d, y);
  return p.round(p.select(isTwice, p.add(l, ln2(p)), l));
}

/// log(|x| + sqrt(x^2 + 1)) with the sign of x; a series where it cancels.
Value asinh(Double &d, Value x) {
  PairCode p(d);
  Value a = d.abs(x);
  Value isHuge = d.less(d.number(0x1p500), a);
  Value isFinite = d.less(a, d.infinity());
  Value valid = d.select(isHuge, d.number(1), a);
  Pair sum = p.add(p.root(p.add(p.product(valid, valid), d.number(1))), valid);
  sum = p.select(isHuge, p.single(d.select(isFinite, a, d.number(1))), sum);
  // NaN has no logarithm.
  sum = p.select(d.isNaN(x), p.single(d.number(1)), sum);
  Value result = roundLogarithm(d, sum, isHuge);
  result = d.select(d.less(a, d.number(0x1p-12)),
                    oddSeries(d, a, {-1. / 6, 3. / 40, -15. / 336}), result);
  return d.select(isFinite, d.copySign(result, x), x);
}

/// log(x + sqrt(x^2 - 1)); NaN below 1.
Value acosh(Double &d, Value x) {
  PairCode p(d);
  Value isInside = d.both(d.compare(arith::CmpFPredicate::OGE, x, d.number(1)),
                          d.less(x, d.infinity()));
  Value isHuge = d.less(d.number(0x1p500), x);
  Value valid = d.select(isInside, x, d.number(1));
  Value small = d.select(isHuge, d.number(1), valid);
  Pair sum = p.add(p.root(p.add(p.product(small, small), d.number(-1))), small);
  sum = p.select(isHuge, p.single(valid), sum);
  Value result = roundLogarithm(d, sum, isHuge);
  // Infinity stays, all else that is not inside is NaN.
  Value outside = d.select(d.equal(x, d.infinity()), x, d.nan());
  return d.select(isInside, result, outside);
}

/// log((1 + x) / (1 - x)) / 2; infinite at 1, NaN beyond.
Value atanh(Double &d, Value x) {
  PairCode p(d);
  Value a = d.abs(x), one = d.number(1);
  Value isInside = d.less(a, one);
  Value valid = d.select(isInside, a, d.number(0));
  Pair l = logarithm(d, p.div(p.sum(one, valid), p.sum(one, d.neg(valid))));
  Value result = d.mul(d.number(0.5), p.round(l));
  result = d.select(d.less(a, d.number(0x1p-12)),
                    oddSeries(d, valid, {1. / 3, 1. / 5, 1. / 7}), result);
  Value outside = d.select(d.equal(a, one), d.infinity(), d.nan());
  return d.copySign(d.select(isInside, result, outside), x);
}

//===----------------------------------------------------------------------===//
// Error functions
//===----------------------------------------------------------------------===//

/// (1 + 2 x) e^(x^2) erfc x for x from 0.33 to 27.5 as a polynomial in
/// (x - 3) / (x + 3), interpolated at Chebyshev's points in 113-bit arithmetic;
/// its error is 2e-18. The first coefficient is a pair.
static constexpr double scaledTailHigh = 0x1.40c522d7e4987p+0,
                        scaledTailLow = 0x1.a156e9493474ep-55;
static constexpr double scaledTail[] = {
    -0x1.15c084bb9e8f3p-3,  -0x1.85a15c58aa612p-5,  0x1.098366a5b46bbp-3,
    -0x1.e88b803a48931p-4,  0x1.17ca2877f134p-4,    -0x1.8574c40c1689ep-6,
    0x1.4b884e43c103ep-9,   0x1.ef1bdd89f6b9ap-10,  -0x1.98db5109572f5p-11,
    -0x1.b912980e7179ap-14, 0x1.065a37249031ap-13,  0x1.4c30c1889c83cp-18,
    -0x1.513b7ee8a939ap-16, -0x1.89a330a492111p-21, 0x1.d211150225b32p-19,
    0x1.82f2088f32ce4p-22,  -0x1.4b0ecf5b22c8cp-21, -0x1.3a7c47a19c313p-23,
    0x1.b52ce56879f74p-24,  0x1.8b53e510feb36p-25,  -0x1.c7082387c9513p-27,
    -0x1.6cbf180810eb9p-27, 0x1.07f73751c66dbp-30,  0x1.741f6b756b316p-30,
};

/// erf x of x with |x| < 1/2: 2 / sqrt(pi) (x - x^3 / 3 + x^5 / 10 - …).
static Pair errorNearZero(Double &d, Value x) {
  PairCode p(d);
  llvm::SmallVector<double> series;
  double factorial = 1;
  for (int k = 1; k < 16; ++k) {
    factorial *= -k;
    series.push_back(1 / (factorial * (2 * k + 1)));
  }
  Value z = d.mul(x, x);
  Pair sum = p.sumOrdered(x, d.mul(d.mul(x, z), d.polynomial(z, series)));
  return p.mul(sum, p.constant(0x1.20dd750429b6dp+0, 0x1.1ae3a914fed8p-56));
}

/// erfc x of 1/2 <= x < 27.5 as `fraction` 2^exponent.
static std::pair<Pair, Value> errorTail(Double &d, Value x) {
  PairCode p(d);
  Pair t = p.div(p.sum(x, d.number(-3)), p.sum(x, d.number(3)));
  Pair sum = p.mul(t, d.polynomial(t.hi, scaledTail));
  sum = p.add(sum, p.constant(scaledTailHigh, scaledTailLow));
  sum = p.div(sum, p.sum(d.add(x, x), d.number(1)));
  Exponential e = exponential(d, p.negate(p.product(x, x)));
  return {p.mul(p.add(e.rest, d.number(1)), sum), e.exponent};
}

Value erf(Double &d, Value x) {
  PairCode p(d);
  Value a = clamp(d, d.abs(x), 6);
  Value isSmall = d.less(a, d.number(0.5));
  Pair small = errorNearZero(d, d.select(isSmall, a, d.number(0)));
  auto [fraction, exponent] = errorTail(d, d.select(isSmall, d.number(0.5), a));
  Pair tail = p.scale(fraction, powerOfTwo(d, exponent));
  Value result =
      p.round(p.select(isSmall, small, p.add(p.negate(tail), d.number(1))));
  // Denormal numbers lose bits in a pair.
  Value isTiny = d.less(a, d.number(0x1p-900));
  result =
      d.select(isTiny, d.fma(a, d.number(0x1.06eba8214db69p-3), a), result);
  return d.select(d.isNaN(x), x, d.copySign(result, x));
}

Value erfc(Double &d, Value x) {
  PairCode p(d);
  Value a = clamp(d, d.abs(x), 27.4);
  Value isSmall = d.less(a, d.number(0.5));
  Value isNegative = d.less(x, d.number(0));
  auto withSign = [&](Pair y) { // of -y or y
    return p.select(isNegative, y, p.negate(y));
  };
  Pair small =
      p.add(withSign(errorNearZero(d, d.select(isSmall, a, d.number(0)))),
            d.number(1));
  auto [fraction, exponent] = errorTail(d, d.select(isSmall, d.number(0.5), a));
  // In two steps, as it may be denormal.
  Value half = d.rightSigned(exponent, d.integer(1));
  Pair scaled = p.scale(fraction, powerOfTwo(d, half));
  Value rest = powerOfTwo(d, d.minus(exponent, half));
  Value tail = d.mul(scaled.hi, rest);
  Value beyond = p.round(p.add(p.negate(p.scale(scaled, rest)), d.number(2)));
  Value result = d.select(isNegative, beyond, tail);
  result = d.select(isSmall, p.round(small), result);
  return d.select(d.isNaN(x), x, result);
}

} // namespace fly::f64
