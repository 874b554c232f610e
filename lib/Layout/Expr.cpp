// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expression nodes: their life, what is known to be equal, their order, and
// their value on numbers.

#include "IntNumbers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

Int Expr::create(ExprKind kind, llvm::ArrayRef<Int> operands, unsigned width,
                 int64_t divisibility, unsigned symbolId) {
  assert(operands.size() <= 2 && "nodes have at most two operands");
  static thread_local uint64_t counter = 0;
  auto *expr = new Expr();
  expr->kind = kind;
  expr->width = width;
  expr->divisibility = divisibility;
  expr->symbolId = symbolId;
  expr->number = ++counter;
  expr->numOperands = operands.size();
  llvm::copy(operands, expr->operands);
  expr->retain();
  Int result;
  result.node = expr;
  return result;
}

// Chains of a hundred thousand nodes are ordinary (the product of a long
// tuple), so the operands are released by a loop and not by recursion.
void Expr::release(const Expr *expr) {
  if (expr->refs.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  llvm::SmallVector<Expr *> dead{const_cast<Expr *>(expr)};
  while (!dead.empty()) {
    Expr *current = dead.pop_back_val();
    for (Int &operand : current->operands) {
      const Expr *used = std::exchange(operand.node, nullptr);
      if (used && used->refs.fetch_sub(1, std::memory_order_acq_rel) == 1)
        dead.push_back(const_cast<Expr *>(used));
    }
    delete current;
  }
}

//===----------------------------------------------------------------------===//
// Comparison and evaluation of expressions
//===----------------------------------------------------------------------===//

/// The same number computed without steps that change nothing.
static Int peel(Int value) {
  while (const Expr *expr = value.getExpr()) {
    bool sameNumber = expr->getKind() == ExprKind::Extend ||
                      (expr->getKind() == ExprKind::Div &&
                       expr->getOperands()[1].isStatic(1));
    if (!sameNumber)
      break;
    Int operand = expr->getOperands()[0];
    value = std::move(operand);
  }
  return value;
}

static bool isCommutative(ExprKind kind) {
  switch (kind) {
  case ExprKind::Add:
  case ExprKind::Mul:
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::BitAnd:
  case ExprKind::BitXor:
    return true;
  default:
    return false;
  }
}

/// Gives up (false) when `budget` comparisons are spent, so that shared
/// subexpressions cannot make it exponential.
static bool sameWithin(const Int &x, const Int &y, unsigned &budget) {
  if (budget == 0)
    return false;
  --budget;
  Int a = peel(x), b = peel(y);
  if (a.isStatic() || b.isStatic())
    return a.isStatic() && b.isStatic() && a.getValue() == b.getValue();
  const Expr *ea = a.getExpr(), *eb = b.getExpr();
  if (ea == eb)
    return true;
  if (ea->getKind() != eb->getKind() || ea->getKind() == ExprKind::Symbol)
    return false;
  auto oa = ea->getOperands(), ob = eb->getOperands();
  if (oa.size() != ob.size())
    return false;
  if (llvm::all_of(llvm::zip(oa, ob), [&](auto pair) {
        return sameWithin(std::get<0>(pair), std::get<1>(pair), budget);
      }))
    return true;
  return isCommutative(ea->getKind()) && sameWithin(oa[0], ob[1], budget) &&
         sameWithin(oa[1], ob[0], budget);
}

bool fly::layout::sameValue(const Int &a, const Int &b) {
  unsigned budget = 64;
  return sameWithin(a, b, budget);
}

namespace {
/// A product: a static number times what is no product itself.
struct Factors {
  int64_t number = 1;
  llvm::SmallVector<Int> others;
};
} // namespace

/// False beyond 64 bits or 64 steps.
static bool collectFactors(const Int &value, Factors &factors) {
  llvm::SmallVector<Int> work{value};
  for (unsigned steps = 0; !work.empty(); ++steps) {
    if (steps == 64)
      return false;
    Int next = peel(work.pop_back_val());
    if (next.isStatic()) {
      auto product = mulChecked(factors.number, next.getValue());
      if (!product)
        return false;
      factors.number = *product;
    } else if (next.getExpr()->getKind() == ExprKind::Mul) {
      llvm::append_range(work, next.getExpr()->getOperands());
    } else {
      factors.others.push_back(std::move(next));
    }
  }
  return true;
}

bool fly::layout::isKnownMultiple(const Int &a, const Int &b) {
  Factors whole, part;
  if (!collectFactors(a, whole) || !collectFactors(b, part) || part.number == 0)
    return false;
  for (const Int &factor : part.others) {
    auto *same = llvm::find_if(
        whole.others, [&](const Int &x) { return sameValue(x, factor); });
    if (same == whole.others.end())
      return false;
    whole.others.erase(same);
  }
  // Divisors count once each: what they divide is not a common factor.
  int64_t missing = part.number / gcd(part.number, whole.number);
  for (const Int &factor : whole.others)
    missing /= gcd(missing, factor.getDivisibility());
  return missing == 1 || missing == -1;
}

llvm::SmallVector<const Expr *>
fly::layout::collectExprs(llvm::ArrayRef<Int> roots) {
  llvm::SmallVector<const Expr *> found, work;
  llvm::DenseSet<const Expr *> seen;
  auto visit = [&](const Int &value) {
    if (const Expr *expr = value.getExpr())
      if (seen.insert(expr).second)
        work.push_back(expr);
  };
  llvm::for_each(roots, visit);
  while (!work.empty()) {
    const Expr *expr = work.pop_back_val();
    found.push_back(expr);
    llvm::for_each(expr->getOperands(), visit);
  }
  llvm::sort(found, [](const Expr *a, const Expr *b) {
    return a->getNumber() < b->getNumber();
  });
  return found;
}

std::optional<int64_t> fly::layout::ceilQuotient(int64_t a, int64_t b) {
  if (a == INT64_MIN && b == -1)
    return std::nullopt;
  int64_t quotient = a / b;
  if (a % b != 0 && (a < 0) == (b < 0))
    ++quotient;
  return quotient;
}

bool fly::layout::holds(ExprKind kind, int64_t a, int64_t b) {
  switch (kind) {
  case ExprKind::Lt:
    return a < b;
  case ExprKind::Le:
    return a <= b;
  case ExprKind::Gt:
    return a > b;
  case ExprKind::Ge:
    return a >= b;
  case ExprKind::Eq:
    return a == b;
  case ExprKind::Ne:
    return a != b;
  default:
    llvm_unreachable("not a comparison");
  }
}

/// One node on numbers.
static std::optional<int64_t> compute(ExprKind kind, int64_t a, int64_t b) {
  auto bits = [](int64_t v) { return static_cast<uint64_t>(v); };
  switch (kind) {
  case ExprKind::Symbol:
    llvm_unreachable("symbols are given");
  case ExprKind::Extend:
    return a;
  case ExprKind::Add:
    return addChecked(a, b);
  case ExprKind::Sub:
    return subChecked(a, b);
  case ExprKind::Mul:
    return mulChecked(a, b);
  case ExprKind::Div:
    if (b == 0 || (a == INT64_MIN && b == -1))
      return std::nullopt;
    return a / b;
  case ExprKind::Rem:
    if (b == 0)
      return std::nullopt;
    return b == -1 ? 0 : a % b;
  case ExprKind::CeilDiv:
    if (b == 0)
      return std::nullopt;
    return ceilQuotient(a, b);
  case ExprKind::Min:
    return std::min(a, b);
  case ExprKind::Max:
    return std::max(a, b);
  case ExprKind::Lt:
  case ExprKind::Le:
  case ExprKind::Gt:
  case ExprKind::Ge:
  case ExprKind::Eq:
  case ExprKind::Ne:
    return holds(kind, a, b);
  case ExprKind::And:
    return a && b;
  case ExprKind::Or:
    return a || b;
  case ExprKind::Not:
    return !a;
  case ExprKind::BitAnd:
    return a & b;
  case ExprKind::BitXor:
    return a ^ b;
  case ExprKind::ShiftLeft:
    return b < 64 ? std::optional<int64_t>(bits(a) << b) : std::nullopt;
  case ExprKind::ShiftRight:
    return b < 64 ? std::optional<int64_t>(bits(a) >> b) : std::nullopt;
  }
  llvm_unreachable("unknown kind");
}

Result<int64_t> fly::layout::evaluate(
    const Int &value,
    llvm::function_ref<int64_t(const Expr &symbol)> symbolValue) {
  if (value.isStatic())
    return value.getValue();
  llvm::DenseMap<const Expr *, int64_t> values;
  auto read = [&](const Int &operand) {
    return operand.isStatic() ? operand.getValue()
                              : values.lookup(operand.getExpr());
  };
  for (const Expr *expr : collectExprs(value)) {
    if (expr->getKind() == ExprKind::Symbol) {
      values[expr] = symbolValue(*expr);
      continue;
    }
    auto operands = expr->getOperands();
    int64_t a = read(operands[0]);
    int64_t b = operands.size() > 1 ? read(operands[1]) : 0;
    std::optional<int64_t> result = compute(expr->getKind(), a, b);
    if (!result) {
      bool zero = b == 0 && (expr->getKind() == ExprKind::Div ||
                             expr->getKind() == ExprKind::Rem ||
                             expr->getKind() == ExprKind::CeilDiv);
      return fail(zero ? "div_c1" : "int_overflow",
                  zero ? "division by a run-time 0"
                       : "a run-time value exceeds 64 bits");
    }
    values[expr] = *result;
  }
  return values.lookup(value.getExpr());
}
