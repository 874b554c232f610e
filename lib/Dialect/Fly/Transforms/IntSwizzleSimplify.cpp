// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-int-swizzle-simplify`: a swizzle x ^ ((x & mask) >> shift) only looks at
// the bits of x below its period, so terms of x that are multiples of the
// period can be added behind it. That leaves less to compute in a loop whose
// step is such a term.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "Fly/Dialect/Fly/Analysis/Divisibility.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"

namespace fly {
#define GEN_PASS_DEF_FLYINTSWIZZLESIMPLIFYPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

/// x ^ ((x & mask) >> shift), and the power of two above the mask.
struct SwizzleMatch {
  Value x, mask, shift;
  int64_t period;
};

} // namespace

static std::optional<SwizzleMatch> matchSwizzle(arith::XOrIOp op) {
  auto shifted = op.getRhs().getDefiningOp<arith::ShRUIOp>();
  if (!shifted)
    return std::nullopt;
  auto masked = shifted.getLhs().getDefiningOp<arith::AndIOp>();
  if (!masked || masked.getLhs() != op.getLhs())
    return std::nullopt;
  APInt mask, shift;
  unsigned first, count;
  if (!matchPattern(masked.getRhs(), m_ConstantInt(&mask)) ||
      !matchPattern(shifted.getRhs(), m_ConstantInt(&shift)) ||
      !mask.isShiftedMask(first, count) || shift.ugt(first))
    return std::nullopt;
  // The period must be a positive 32-bit number.
  if (first + count > 30)
    return std::nullopt;
  return SwizzleMatch{op.getLhs(), masked.getRhs(), shifted.getRhs(),
                      int64_t(1) << (first + count)};
}

/// Rewrites `op` if terms can be moved; true if it did. The old op stays, dead.
static bool simplify(arith::XOrIOp op, DivisibilityAnalysis &divisibility) {
  std::optional<SwizzleMatch> match = matchSwizzle(op);
  if (!match)
    return false;
  auto isMultiple = [&](Value value) {
    return divisibility.getDivisibility(value) % match->period == 0;
  };
  // Peel multiples of the period off the sum.
  Value base = match->x;
  SmallVector<Value> peeled;
  while (auto sum = base.getDefiningOp<arith::AddIOp>()) {
    if (isMultiple(sum.getRhs())) {
      peeled.push_back(sum.getRhs());
      base = sum.getLhs();
    } else if (isMultiple(sum.getLhs())) {
      peeled.push_back(sum.getLhs());
      base = sum.getRhs();
    } else {
      break;
    }
  }
  if (!base.getDefiningOp<arith::AddIOp>() && isMultiple(base)) {
    peeled.push_back(base);
    base = {};
  }
  if (peeled.empty())
    return false;

  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value result;
  if (base) {
    Value masked = arith::AndIOp::create(builder, loc, base, match->mask);
    Value shifted = arith::ShRUIOp::create(builder, loc, masked, match->shift);
    result = arith::XOrIOp::create(builder, loc, base, shifted);
  } else {
    result = arith::ConstantOp::create(builder, loc,
                                       builder.getZeroAttr(match->x.getType()));
  }
  for (Value term : llvm::reverse(peeled))
    result = arith::AddIOp::create(builder, loc, result, term);
  divisibility.replaced(op.getResult(), result);
  op.getResult().replaceAllUsesWith(result);
  return true;
}

namespace {

struct IntSwizzleSimplifyPass
    : fly::impl::FlyIntSwizzleSimplifyPassBase<IntSwizzleSimplifyPass> {
  void runOnOperation() override {
    bool changed = false;
    getOperation()->walk([&](gpu::GPUFuncOp function) {
      SmallVector<arith::XOrIOp> candidates, dead;
      function.walk([&](arith::XOrIOp op) { candidates.push_back(op); });
      if (candidates.empty())
        return;
      DivisibilityAnalysis divisibility(function);
      for (arith::XOrIOp op : candidates)
        if (simplify(op, divisibility))
          dead.push_back(op);
      for (arith::XOrIOp op : dead)
        op.erase();
      changed |= !dead.empty();
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};

} // namespace
