// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaf arithmetic: what is known of a result, and the expression node that
// computes it when it is not static.

#include "Fly/Layout/Int.h"

#include "Fly/Layout/Requirements.h"
#include "IntNumbers.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Int
//===----------------------------------------------------------------------===//

Int::Int(const Int &other)
    : node(other.node), value(other.value), noneFlag(other.noneFlag) {
  if (node)
    node->retain();
}

Int::Int(Int &&other) noexcept
    : node(std::exchange(other.node, nullptr)), value(other.value),
      noneFlag(other.noneFlag) {}

Int &Int::operator=(const Int &other) {
  Int copy(other);
  return *this = std::move(copy);
}

Int &Int::operator=(Int &&other) noexcept {
  std::swap(node, other.node);
  value = other.value;
  noneFlag = other.noneFlag;
  return *this;
}

Int::~Int() {
  if (node)
    Expr::release(node);
}

Int Int::none() {
  Int result;
  result.noneFlag = true;
  return result;
}

Int Int::constant(int64_t value) {
  Int result;
  result.value = value;
  return result;
}

Int Int::symbol(unsigned id, unsigned width, int64_t divisibility) {
  assert((width == 32 || width == 64) && "widths are 32 and 64");
  return Expr::create(ExprKind::Symbol, {}, width, divisibility, id);
}

unsigned Int::getWidth() const {
  if (node)
    return node->getWidth();
  if (noneFlag)
    return 0;
  return exceeds32(value) ? 64 : 32;
}

int64_t Int::getDivisibility() const {
  return node ? node->getDivisibility() : value;
}

void Int::print(llvm::raw_ostream &os) const {
  if (noneFlag) {
    os << '*';
    return;
  }
  if (!node) {
    os << value;
    return;
  }
  os << '?';
  bool wide = node->getWidth() != 32;
  bool divided = node->getDivisibility() != 1;
  if (!wide && !divided)
    return;
  os << '{';
  if (wide)
    os << "i64";
  if (wide && divided)
    os << ' ';
  if (divided)
    os << "div=" << node->getDivisibility();
  os << '}';
}

std::string Int::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << *this;
  return text;
}

llvm::raw_ostream &fly::layout::operator<<(llvm::raw_ostream &os,
                                           const Int &value) {
  value.print(os);
  return os;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

int64_t fly::layout::gcd(int64_t a, int64_t b) {
  auto magnitude = [](int64_t v) {
    return v < 0 ? 0 - static_cast<uint64_t>(v) : static_cast<uint64_t>(v);
  };
  uint64_t result = std::gcd(magnitude(a), magnitude(b));
  // Only gcd of INT64_MIN with itself or 0 leaves the range; half of it still
  // divides both.
  return result > static_cast<uint64_t>(INT64_MAX)
             ? static_cast<int64_t>(result / 2)
             : static_cast<int64_t>(result);
}

std::optional<int64_t> fly::layout::mulChecked(int64_t a, int64_t b) {
  int64_t result;
  if (llvm::MulOverflow(a, b, result))
    return std::nullopt;
  return result;
}

std::optional<int64_t> fly::layout::addChecked(int64_t a, int64_t b) {
  int64_t result;
  if (llvm::AddOverflow(a, b, result))
    return std::nullopt;
  return result;
}

std::optional<int64_t> fly::layout::subChecked(int64_t a, int64_t b) {
  int64_t result;
  if (llvm::SubOverflow(a, b, result))
    return std::nullopt;
  return result;
}

static Error overflow(const char *op, const Int &a, const Int &b) {
  return fail("int_overflow", llvm::Twine(a.str()) + " " + op + " " + b.str() +
                                  " exceeds 64 bits");
}

static Result<Int> checked(std::optional<int64_t> value, const char *op,
                           const Int &a, const Int &b) {
  if (!value)
    return overflow(op, a, b);
  return Int::constant(*value);
}

static unsigned commonWidth(const Int &a, const Int &b) {
  return std::max(a.getWidth(), b.getWidth()) == 64 ? 64 : 32;
}

static Int binary(ExprKind kind, const Int &a, const Int &b,
                  int64_t divisibility) {
  return Expr::create(kind, {a, b}, commonWidth(a, b), divisibility);
}

static int64_t commonDivisor(const Int &a, const Int &b) {
  return gcd(a.getDivisibility(), b.getDivisibility());
}

//===----------------------------------------------------------------------===//
// Leaf operations
//===----------------------------------------------------------------------===//

Result<Int> fly::layout::add(const Int &a, const Int &b) {
  if (a.isStatic() && b.isStatic())
    return checked(addChecked(a.getValue(), b.getValue()), "+", a, b);
  if (a.isStatic(0))
    return b;
  if (b.isStatic(0))
    return a;
  return binary(ExprKind::Add, a, b, commonDivisor(a, b));
}

Result<Int> fly::layout::sub(const Int &a, const Int &b) {
  if (a.isStatic() && b.isStatic())
    return checked(subChecked(a.getValue(), b.getValue()), "-", a, b);
  if (b.isStatic(0))
    return a;
  if (a.isStatic(0))
    return Expr::create(ExprKind::Sub, {Int::constant(0), b}, b.getWidth(),
                        b.getDivisibility());
  return binary(ExprKind::Sub, a, b, commonDivisor(a, b));
}

Result<Int> fly::layout::mul(const Int &a, const Int &b) {
  if (a.isStatic() && b.isStatic())
    return checked(mulChecked(a.getValue(), b.getValue()), "*", a, b);
  if (a.isStatic(0) || b.isStatic(0))
    return Int::constant(0);
  if (a.isStatic(1))
    return b;
  if (b.isStatic(1))
    return a;
  int64_t da = a.getDivisibility(), db = b.getDivisibility();
  // Beyond 64 bits either factor alone is still a divisor of the product.
  int64_t divisibility = mulChecked(da, db).value_or(
      da == INT64_MIN || (db != INT64_MIN && std::abs(da) > std::abs(db)) ? da
                                                                          : db);
  unsigned width = exceeds32(divisibility) ? 64 : commonWidth(a, b);
  return Expr::create(ExprKind::Mul, {a, b}, width, divisibility);
}

/// A divisor that no operation is made for is not 0 either.
static void requireDivisor(const char *label, const Int &b) {
  if (b.isDynamic())
    require(
        label,
        [&]() -> Result<Int> { return cmp(ExprKind::Ne, b, Int::constant(0)); },
        [&] { return "the divisor " + b.str() + " is not 0"; });
}

Result<Int> fly::layout::div(const Int &a, const Int &b) {
  if (b.isStatic(0))
    return fail("div_c1", "division of " + a.str() + " by 0");
  if (a.isStatic() && b.isStatic()) {
    if (a.getValue() == INT64_MIN && b.getValue() == -1)
      return overflow("/", a, b);
    return Int::constant(a.getValue() / b.getValue());
  }
  if (a.isStatic(0)) {
    requireDivisor("div_c1", b);
    return Int::constant(0);
  }
  // Dividing by 1 forgets the divisor; without one there is nothing to forget.
  if (b.isStatic(1) && a.getDivisibility() == 1)
    return a;
  return binary(ExprKind::Div, a, b, 1);
}

Result<Int> fly::layout::mod(const Int &a, const Int &b) {
  if (b.isStatic(0))
    return fail("mod_c1", "remainder of " + a.str() + " by 0");
  if (b.isStatic(1))
    return Int::constant(0);
  if (a.isStatic() && b.isStatic())
    return Int::constant(b.getValue() == -1 ? 0 : a.getValue() % b.getValue());
  if (a.isStatic(0)) {
    requireDivisor("mod_c1", b);
    return Int::constant(0);
  }
  return binary(ExprKind::Rem, a, b, commonDivisor(a, b));
}

Result<Int> fly::layout::min(const Int &a, const Int &b) {
  if (a.isStatic() && b.isStatic())
    return Int::constant(std::min(a.getValue(), b.getValue()));
  return binary(ExprKind::Min, a, b, commonDivisor(a, b));
}

Result<Int> fly::layout::max(const Int &a, const Int &b) {
  if (a.isStatic() && b.isStatic())
    return Int::constant(std::max(a.getValue(), b.getValue()));
  return binary(ExprKind::Max, a, b, commonDivisor(a, b));
}

Result<Int> fly::layout::safeDiv(const Int &a, const Int &b) {
  if (b.isStatic(0))
    return fail("safe_div_c1", "division of " + a.str() + " by 0");
  if (b.isStatic() && b.getValue() != -1 &&
      a.getDivisibility() % b.getValue() != 0)
    return fail("safe_div_c1", llvm::Twine(a.str()) +
                                   " is not known to be a multiple of " +
                                   b.str());
  if (b.isDynamic())
    require(
        "safe_div_c1", [&] { return isMultiple(a, b); },
        [&] { return a.str() + " is a multiple of " + b.str(); });
  return div(a, b);
}

Result<Int> fly::layout::ceilDiv(const Int &a, const Int &b) {
  if (b.isStatic(0))
    return fail("ceil_div_c1", "division of " + a.str() + " by 0");
  if (a.isStatic() && b.isStatic())
    return checked(ceilQuotient(a.getValue(), b.getValue()), "ceildiv", a, b);
  if (a.isStatic(0) || a.isStatic(1)) {
    requireDivisor("ceil_div_c1", b);
    if (a.isStatic(1) && b.isDynamic())
      require(
          "ceil_div_c1", [&]() -> Result<Int> { return isAtLeast(b, 0); },
          [&] { return "the divisor " + b.str() + " of 1 is not negative"; });
    return Int::constant(a.getValue());
  }
  return binary(ExprKind::CeilDiv, a, b, 1);
}

/// 1 if one number divides the other or `a` is 0.
static Result<Int> eitherDivides(const Int &a, const Int &b) {
  FLY_TRY(down, isMultiple(a, b));
  // Of 0 everything is a multiple; what 0 divides does not matter then.
  FLY_TRY(divisor, add(extendTo64(a), cmp(ExprKind::Eq, a, Int::constant(0))));
  FLY_TRY(up, isMultiple(b, divisor));
  return logicalOr(down, up);
}

Result<Int> fly::layout::shapeDiv(const Int &a, const Int &b) {
  if (a.isStatic() && b.isStatic() && !b.isStatic(0) && !a.isStatic(0)) {
    int64_t x = a.getValue(), y = b.getValue();
    bool divides = x == -1 || y == -1 || x % y == 0 || y % x == 0;
    if (!divides)
      return fail("shape_div_c1", llvm::Twine("neither of ") + a.str() +
                                      " and " + b.str() + " divides the other");
  } else if (!a.isStatic(0) && !b.isStatic(0)) {
    require(
        "shape_div_c1", [&] { return eitherDivides(a, b); },
        [&] {
          return "one of " + a.str() + " and " + b.str() + " divides the other";
        });
  }
  return ceilDiv(a, b);
}

Int fly::layout::cmp(ExprKind kind, const Int &a, const Int &b) {
  if (a.isStatic() && b.isStatic())
    return Int::constant(holds(kind, a.getValue(), b.getValue()));
  return Expr::create(kind, {a, b}, 32, 1);
}

Int fly::layout::logicalAnd(const Int &a, const Int &b) {
  if (a.isStatic(0) || b.isStatic(0))
    return Int::constant(0);
  if (a.isStatic() && b.isStatic())
    return Int::constant(1);
  return Expr::create(ExprKind::And, {a, b}, 32, 1);
}

Int fly::layout::logicalOr(const Int &a, const Int &b) {
  if ((a.isStatic() && !a.isStatic(0)) || (b.isStatic() && !b.isStatic(0)))
    return Int::constant(1);
  if (a.isStatic() && b.isStatic())
    return Int::constant(0);
  return Expr::create(ExprKind::Or, {a, b}, 32, 1);
}

Int fly::layout::logicalNot(const Int &a) {
  if (a.isStatic())
    return Int::constant(a.isStatic(0));
  return Expr::create(ExprKind::Not, {a}, 32, 1);
}

Int fly::layout::extendTo64(const Int &a) {
  if (a.isStatic() || a.getWidth() == 64)
    return a;
  return Expr::create(ExprKind::Extend, {a}, 64, a.getDivisibility());
}
