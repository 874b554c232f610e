// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trigonometric functions of f64 and their inverses. The remainder of an
// argument modulo pi/2 is a pair, for large arguments from as many bits of
// 2/pi as count (Payne and Hanek), so that the whole range is accurate.

#include "MathF64.h"
#include "PairCode.h"

#include <array>

using namespace mlir;

namespace fly::f64 {

/// pi/2 in three parts.
static constexpr double halfPiHigh = 0x1.921fb54442d18p+0;
static constexpr double halfPiLow = 0x1.1a62633145c07p-54;
static constexpr double halfPiLowest = -0x1.f1976b7ed8fbcp-110;

/// The bits of 2/pi behind the point.
static constexpr uint64_t twoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab, 0xf0cfbc209af4361d,
};

//===----------------------------------------------------------------------===//
// Remainders
//===----------------------------------------------------------------------===//

namespace {
/// x = quadrant pi/2 + rest, |rest| < 0.8; of the quadrant, an i64, the two low
/// bits count.
struct Remainder {
  Value quadrant;
  Pair rest;
};
} // namespace

/// Of x with 0 <= x <= 2^30.
static Remainder reduceSmall(Double &d, Value x) {
  PairCode p(d);
  Value n = d.roundEven(d.mul(x, d.number(M_2_PI)));
  // The first difference is exact: a multiple of 2^-53 and below 1.
  Value first = d.fma(d.neg(n), d.number(halfPiHigh), x);
  Pair second = p.product(n, d.number(halfPiLow));
  Pair rest = p.sum(first, d.neg(second.hi));
  Value low = d.sub(rest.lo, second.lo);
  low = d.sub(low, d.mul(n, d.number(halfPiLowest)));
  return {d.toInteger(n), p.sumOrdered(rest.hi, low)};
}

/// 192 bits of 64 zeros and then 2/pi, from bit `begin` on, high words first.
static std::array<Value, 3> windowOfTwoOverPi(Double &d, Value begin) {
  llvm::SmallVector<Value> words{d.integer(0)};
  for (uint64_t word : twoOverPi)
    words.push_back(d.integer(static_cast<int64_t>(word)));
  // The four words from begin / 64 on, a bit of that number at a time.
  for (int step = 16; step > 0; step /= 2) {
    Value isSet = d.isSet(d.both(begin, d.integer(64 * step)));
    // Nothing beyond the last word is ever asked for.
    size_t kept = std::min<size_t>(words.size(), step + 3);
    for (size_t i = 0; i < kept && i + step < words.size(); ++i)
      words[i] = d.select(isSet, words[i + step], words[i]);
    words.resize(kept);
  }
  Value shift = d.both(begin, d.integer(63));
  auto window = [&](unsigned i) {
    // In two steps, as a shift by 64 has no value.
    Value low = d.right(d.right(words[i + 1], d.integer(1)),
                        d.minus(d.integer(63), shift));
    return d.either(d.left(words[i], shift), low);
  };
  return {window(0), window(1), window(2)};
}

/// Of x with 2^30 <= x, finite.
static Remainder reduceLarge(Double &d, Value x) {
  PairCode p(d);
  Value bits = d.bits(x);
  // x = m 2^e. Bits of 2/pi whose products with m are multiples of 4 are left
  // out: 192 bits follow, from bit e - 2 on; e is at least -22.
  Value e = d.minus(d.right(bits, d.integer(52)), d.integer(1075));
  Value m = d.either(d.both(bits, d.integer((int64_t(1) << 52) - 1)),
                     d.integer(int64_t(1) << 52));
  std::array<Value, 3> window =
      windowOfTwoOverPi(d, d.plus(e, d.integer(64 - 2)));
  // The product modulo 2^192: two bits of the quadrant, then the fraction.
  auto [low, carry] = d.multiply(m, window[2]);
  auto [middle, upper] = d.multiply(m, window[1]);
  auto [high, beyond] = d.multiply(m, window[0]);
  (void)beyond;
  Value second = d.plus(middle, carry);
  Value isCarry = d.isBelow(second, middle);
  Value top = d.plus(high, upper);
  top = d.plus(top, d.select(isCarry, d.integer(1), d.integer(0)));
  auto shiftPair = [&](Value x, Value y) {
    return d.either(d.left(x, d.integer(2)), d.right(y, d.integer(62)));
  };
  Value fraction = shiftPair(top, second); // signed: from -1/2 to 1/2
  Value below = shiftPair(second, low);
  Value quadrant =
      d.plus(d.right(top, d.integer(62)), d.right(fraction, d.integer(63)));
  // 32 bits at a time are exact.
  Value mask = d.integer(0xffffffff), half = d.integer(32);
  Pair whole = p.sum(
      d.mul(d.fromSigned(d.rightSigned(fraction, half)), d.number(0x1p-32)),
      d.mul(d.fromSigned(d.both(fraction, mask)), d.number(0x1p-64)));
  Value rest =
      d.fma(d.fromSigned(d.both(below, mask)), d.number(0x1p-128),
            d.mul(d.fromSigned(d.right(below, half)), d.number(0x1p-96)));
  return {quadrant,
          p.mul(p.add(whole, rest), p.constant(halfPiHigh, halfPiLow))};
}

/// Of the magnitude of x; 0 if x is not finite.
static Remainder reduce(Double &d, Value x) {
  PairCode p(d);
  Value a = d.abs(x);
  a = d.select(d.less(a, d.infinity()), a, d.number(0));
  Value limit = d.number(0x1p30);
  Value isLarge = d.less(limit, a);
  Remainder small = reduceSmall(d, d.select(isLarge, limit, a));
  Remainder large = reduceLarge(d, d.select(isLarge, a, limit));
  return {d.select(isLarge, large.quadrant, small.quadrant),
          p.select(isLarge, large.rest, small.rest)};
}

//===----------------------------------------------------------------------===//
// Sine, cosine, tangent
//===----------------------------------------------------------------------===//

/// The sine of a remainder: r - r^3/6 + …
static Pair sine(Double &d, Pair r) {
  PairCode p(d);
  Value z = d.mul(r.hi, r.hi);
  llvm::SmallVector<double> series;
  double c = 1;
  for (int k = 3; k < 22; k += 2)
    series.push_back(c /= -(k - 1) * k);
  Value tail = d.mul(d.mul(r.hi, z), d.polynomial(z, series));
  // The low part times the cosine.
  Value low = d.fma(d.mul(z, d.number(-0.5)), r.lo, r.lo);
  return p.sumOrdered(r.hi, d.add(tail, low));
}

/// The cosine of a remainder: 1 - r^2/2 + …
static Pair cosine(Double &d, Pair r) {
  PairCode p(d);
  Pair square = p.mul(r, r);
  llvm::SmallVector<double> series;
  double c = -0.5;
  for (int k = 4; k < 23; k += 2)
    series.push_back(c /= -(k - 1) * k);
  Value z = square.hi;
  Value tail = d.mul(d.mul(z, z), d.polynomial(z, series));
  Pair first = p.sumOrdered(d.number(1), d.mul(z, d.number(-0.5)));
  Value low = d.fma(square.lo, d.number(-0.5), tail);
  return p.sumOrdered(first.hi, d.add(first.lo, low));
}

/// The sine of rest + quadrant pi/2.
static Value sineOf(Double &d, Remainder r) {
  PairCode p(d);
  Value isOdd = d.isSet(d.both(r.quadrant, d.integer(1)));
  Value isNegative = d.isSet(d.both(r.quadrant, d.integer(2)));
  Value value =
      d.select(isOdd, p.round(cosine(d, r.rest)), p.round(sine(d, r.rest)));
  return d.select(isNegative, d.neg(value), value);
}

/// `value`, or NaN where x is infinite or NaN.
static Value nanUnlessFinite(Double &d, Value x, Value value) {
  return d.select(d.less(d.abs(x), d.infinity()), value, d.nan());
}

/// `value` of the magnitude with the sign of x: an odd function.
static Value withSign(Double &d, Value x, Value value) {
  Value isNegative = d.less(d.copySign(d.number(1), x), d.number(0));
  return d.select(isNegative, d.neg(value), value);
}

Value sin(Double &d, Value x) {
  Value result = withSign(d, x, sineOf(d, reduce(d, x)));
  // Denormal numbers lose bits on the way.
  result = d.select(d.less(d.abs(x), d.number(0x1p-60)), x, result);
  return nanUnlessFinite(d, x, result);
}

Value cos(Double &d, Value x) {
  Remainder r = reduce(d, x);
  r.quadrant = d.plus(r.quadrant, d.integer(1));
  return nanUnlessFinite(d, x, sineOf(d, r));
}

Value tan(Double &d, Value x) {
  PairCode p(d);
  Remainder r = reduce(d, x);
  Pair s = sine(d, r.rest), c = cosine(d, r.rest);
  Value isOdd = d.isSet(d.both(r.quadrant, d.integer(1)));
  Pair above = p.select(isOdd, p.negate(c), s);
  Pair below = p.select(isOdd, s, c);
  Value result = withSign(d, x, p.round(p.div(above, below)));
  result = d.select(d.less(d.abs(x), d.number(0x1p-60)), x, result);
  return nanUnlessFinite(d, x, result);
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

/// The arc tangent of small / large, with 0 <= small <= large, both of them
/// finite, and large not 0.
static Pair arcOfQuotient(Double &d, Pair small, Pair large) {
  PairCode p(d);
  // Past tan(pi/8): atan r = pi/4 + atan((r - 1) / (r + 1)).
  Value isPast = d.less(d.mul(large.hi, d.number(M_SQRT2 - 1)), small.hi);
  Pair above = p.select(isPast, p.add(small, p.negate(large)), small);
  Pair below = p.select(isPast, p.add(small, large), large);
  Pair t = p.div(above, below);
  Value z = d.mul(t.hi, t.hi);
  llvm::SmallVector<double> series;
  for (int k = 1; k < 24; ++k)
    series.push_back((k % 2 ? -1.0 : 1.0) / (2 * k + 1));
  Value tail = d.mul(d.mul(t.hi, z), d.polynomial(z, series));
  Pair result = p.sumOrdered(t.hi, d.add(t.lo, tail));
  Pair quarter = p.constant(halfPiHigh / 2, halfPiLow / 2);
  return p.select(isPast, p.add(quarter, result), result);
}

/// The angle of the point (x, y), neither of them NaN; an infinity or two zeros
/// as C's atan2 has them. The high parts have the signs.
static Value angle(Double &d, Pair y, Pair x) {
  PairCode p(d);
  Value zero = d.number(0), one = d.number(1);
  auto magnitude = [&](Pair v) {
    return p.select(d.less(v.hi, zero), p.negate(v), v);
  };
  Pair ax = magnitude(x), ay = magnitude(y);
  Value isSteep = d.less(ax.hi, ay.hi);
  Pair large = p.select(isSteep, ay, ax), small = p.select(isSteep, ax, ay);
  // Two infinities count as equal, two zeros as the angle 0; beside an infinity
  // all else is zero.
  Value isInfinite = d.equal(large.hi, d.infinity());
  Value bothInfinite = d.equal(small.hi, d.infinity());
  large = p.select(isInfinite, p.single(one), large);
  small = p.select(bothInfinite, p.single(one),
                   p.select(isInfinite, p.single(zero), small));
  large = p.select(d.equal(large.hi, zero), p.single(one), large);
  // A quotient this small is the angle itself. Else both are brought to where
  // no rest is denormal or infinite.
  Value direct = d.div(small.hi, large.hi);
  Value isTiny = d.less(direct, d.number(0x1p-30));
  small = p.select(isTiny, p.single(zero), small);
  Value power =
      d.select(d.less(d.number(0x1p500), large.hi), d.number(0x1p-600), one);
  power =
      d.select(d.less(large.hi, d.number(0x1p-500)), d.number(0x1p600), power);
  Pair result = arcOfQuotient(d, p.scale(small, power), p.scale(large, power));
  Pair right = p.constant(halfPiHigh, halfPiLow);
  Pair straight = p.constant(2 * halfPiHigh, 2 * halfPiLow);
  result = p.select(isTiny, p.single(direct), result);
  result = p.select(isSteep, p.add(right, p.negate(result)), result);
  // The sign of x, -0 too, tells the half plane.
  Value isLeft = d.less(d.copySign(one, x.hi), zero);
  result = p.select(isLeft, p.add(straight, p.negate(result)), result);
  return d.copySign(p.round(result), y.hi);
}

Value atan2(Double &d, Value y, Value x) {
  PairCode p(d);
  Value isNaN = d.either(d.isNaN(x), d.isNaN(y));
  Value one = d.number(1);
  Value result = angle(d, p.single(d.select(isNaN, one, y)),
                       p.single(d.select(isNaN, one, x)));
  return d.select(isNaN, d.nan(), result);
}

Value atan(Double &d, Value x) { return atan2(d, x, d.number(1)); }

/// The other leg of a right triangle with hypotenuse 1 and leg |x| <= 1.
static Pair otherLeg(Double &d, Value x) {
  PairCode p(d);
  Pair square = p.product(x, x);
  return p.root(p.add(p.negate(square), d.number(1)));
}

Value asin(Double &d, Value x) {
  PairCode p(d);
  Value isInside = d.compare(arith::CmpFPredicate::OLE, d.abs(x), d.number(1));
  Value valid = d.select(isInside, x, d.number(0));
  Value result = angle(d, p.single(valid), otherLeg(d, valid));
  return d.select(isInside, result, d.nan());
}

Value acos(Double &d, Value x) {
  PairCode p(d);
  Value isInside = d.compare(arith::CmpFPredicate::OLE, d.abs(x), d.number(1));
  Value valid = d.select(isInside, x, d.number(0));
  Value result = angle(d, otherLeg(d, valid), p.single(valid));
  return d.select(isInside, result, d.nan());
}

} // namespace fly::f64
