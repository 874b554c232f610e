// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisors of integer values, computed once for each value and without
// recursion, so that long chains of additions are no burden on the stack.

#include "Fly/Dialect/Fly/Analysis/Divisibility.h"

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;
using namespace fly;

/// The largest divisor that is kept.
static constexpr int64_t kMax = INT32_MAX;

DivisibilityAnalysis::DivisibilityAnalysis(Operation *root) {
  root->walk([&](Operation *op) {
    if (!isa<MakeIntTupleOp, MakeShapeOp, MakeStrideOp, MakeCoordOp>(op))
      return;
    unsigned operand = 0;
    cast<IntTupleType>(op->getResult(0).getType())
        .getAttr()
        .walkLeaves([&](Attribute leaf) {
          auto integer = isa<BasisAttr>(leaf) ? cast<BasisAttr>(leaf).getValue()
                                              : cast<IntAttr>(leaf);
          if (!integer.isDynamic() || operand >= op->getNumOperands())
            return;
          int64_t &divisor =
              promised.try_emplace(op->getOperand(operand++), 1).first->second;
          int64_t promise = integer.getDivisibility();
          if (promise != INT64_MIN && std::abs(promise) <= kMax)
            divisor = std::max(divisor, std::abs(promise));
        });
  });
}

/// The operands whose divisors determine that of `value`.
static SmallVector<Value, 2> getSources(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::MulIOp>(op))
    return {op->getOperand(0), op->getOperand(1)};
  if (isa_and_nonnull<arith::ShLIOp>(op))
    return {op->getOperand(0)};
  if (isa_and_nonnull<arith::SelectOp>(op))
    return {op->getOperand(1), op->getOperand(2)};
  return {};
}

/// From the definition alone; the divisors of the sources are known. One that
/// is not is on the way to itself and counts as 1.
int64_t DivisibilityAnalysis::computeForward(Value value) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.isZero())
      return kMax;
    APInt magnitude = constant.abs();
    return magnitude.isNegative() || magnitude.ugt(kMax)
               ? kMax
               : static_cast<int64_t>(magnitude.getZExtValue());
  }
  auto divisorOf = [&](Value source) {
    auto it = known.find(source);
    return it == known.end() ? 1 : it->second;
  };
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp>(op))
    return std::gcd(divisorOf(op->getOperand(0)), divisorOf(op->getOperand(1)));
  if (isa_and_nonnull<arith::SelectOp>(op))
    return std::gcd(divisorOf(op->getOperand(1)), divisorOf(op->getOperand(2)));
  if (isa_and_nonnull<arith::MulIOp>(op))
    return std::min(kMax, divisorOf(op->getOperand(0)) *
                              divisorOf(op->getOperand(1)));
  if (isa_and_nonnull<arith::ShLIOp>(op)) {
    int64_t divisor = divisorOf(op->getOperand(0));
    if (matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
        constant.ult(31))
      return std::min(kMax, divisor << constant.getZExtValue());
    return divisor;
  }
  return 1;
}

int64_t DivisibilityAnalysis::getDivisibility(Value value) {
  SmallVector<Value> stack = {value};
  DenseSet<Value> entered;
  while (!stack.empty()) {
    Value current = stack.back();
    if (known.contains(current)) {
      stack.pop_back();
      continue;
    }
    if (entered.insert(current).second) {
      for (Value source : getSources(current))
        if (!known.contains(source) && !entered.contains(source))
          stack.push_back(source);
      continue;
    }
    stack.pop_back();
    int64_t divisor = computeForward(current);
    auto it = promised.find(current);
    if (it != promised.end())
      divisor = std::max(divisor, it->second);
    known[current] = divisor;
  }
  return known[value];
}

void DivisibilityAnalysis::replaced(Value from, Value to) {
  auto it = promised.find(from);
  if (it == promised.end())
    return;
  int64_t divisor = it->second;
  int64_t &target = promised.try_emplace(to, 1).first->second;
  target = std::max(target, divisor);
  known.erase(to);
}
