// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-merge-offsets`: chains of `add_offset` on one pointer as at most one
// run-time link followed by one static one. A run-time and a static offset are
// never summed, so a static part stays visible to the instruction that takes an
// immediate offset.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "AlgebraEmitter.h"
#include "Simplify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace fly {
#define GEN_PASS_DEF_FLYMERGEOFFSETSPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// True if the offset of `op` is static.
static bool hasStaticOffset(AddOffsetOp op) {
  return isStaticType(op.getOffset().getType());
}

/// The offset of `op` as the algebra sees it.
static layout::Int readOffset(AlgebraEmitter &emitter, AddOffsetOp op) {
  return emitter.read(op.getOffset()).get<layout::IntTuple>().getInt();
}

//===----------------------------------------------------------------------===//
// Width of a sum
//===----------------------------------------------------------------------===//

/// No chip has a workgroup with more work items on a side.
static constexpr int64_t kMaxThreads = 1 << 16;

/// A number that the absolute value of `value` does not exceed, from the ops
/// that compute it. Few of them are asked, so that a link costs the same in any
/// module.
static int64_t getReach(Value value, unsigned depth = 6) {
  unsigned width = isa<IndexType>(value.getType())
                       ? 64
                       : value.getType().getIntOrFloatBitWidth();
  int64_t all = width >= 64 ? INT64_MAX : int64_t(1) << (width - 1);
  if (width > 64)
    return all;
  /// What leaves the type wraps to anything.
  auto within = [&](int64_t reach, bool overflows = false) {
    return overflows || reach >= all ? all : reach;
  };
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return within(constant.getSExtValue() == INT64_MIN
                      ? INT64_MAX
                      : std::abs(constant.getSExtValue()));
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return all;
  auto ask = [&](unsigned operand) {
    return getReach(op->getOperand(operand), depth - 1);
  };
  if (isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::SubgroupIdOp>(op))
    return within(kMaxThreads);
  if (isa<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(op))
    return within(ask(0));
  int64_t result;
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    bool overflows = llvm::AddOverflow(ask(0), ask(1), result);
    return within(result, overflows);
  }
  if (isa<arith::MulIOp>(op)) {
    bool overflows = llvm::MulOverflow(ask(0), ask(1), result);
    return within(result, overflows);
  }
  // The quotient and the remainder of signed numbers are not larger than the
  // dividend, the remainder not than the divisor.
  if (isa<arith::DivSIOp, arith::ShRSIOp>(op))
    return ask(0);
  if (isa<arith::RemSIOp>(op))
    return std::min(ask(0), ask(1));
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op))
    return std::max(ask(0), ask(1));
  if (isa<arith::SelectOp>(op))
    return std::max(ask(1), ask(2));
  // Unsigned operations on what may be negative: only a constant bounds them.
  if (isa<arith::AndIOp, arith::RemUIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
      constant.isStrictlyPositive())
    return within(constant.getSExtValue());
  return all;
}

/// True if the sum of the two run-time offsets surely fits into 32 bits.
static bool fitsIn32Bits(AddOffsetOp inner, AddOffsetOp outer) {
  int64_t sum = 0;
  for (AddOffsetOp op : {inner, outer}) {
    auto tuple = op.getOffset().getDefiningOp<MakeIntTupleOp>();
    if (!tuple || tuple->getNumOperands() != 1 ||
        llvm::AddOverflow(sum, getReach(tuple->getOperand(0)), sum))
      return false;
  }
  return llvm::isInt<32>(sum);
}

/// True if moves of `pointer` count in 64 bits. In the other memories they count
/// in 32 bits, and a sum that wraps is the same place.
static bool hasWideAddress(PointerType pointer) {
  return pointer.isIn(AddressSpace::Global) ||
         pointer.isIn(AddressSpace::Generic);
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

/// Both offsets are of one kind: one link from the pointer below both, with
/// their sum. Left alone where a sum would promise another alignment than the
/// two steps did, or leaves 64 bits.
static bool fuse(AddOffsetOp inner, AddOffsetOp outer) {
  AlgebraEmitter emitter;
  emitter.begin();
  layout::Int first = readOffset(emitter, inner);
  layout::Int second = readOffset(emitter, outer);
  auto base = cast<PointerType>(inner.getIter().getType());
  // Two steps of 32 bits reach further than one.
  if (first.isDynamic() && hasWideAddress(base) && !fitsIn32Bits(inner, outer))
    first = layout::extendTo64(first);
  layout::Result<layout::Int> sum = layout::add(first, second);
  if (sum.hasError())
    return false;
  layout::Result<Pointer> moved =
      movePointer(Pointer{base, inner.getIter(), std::nullopt}, *sum);
  if (moved.hasError() || moved->type != outer.getResult().getType())
    return false;
  OpBuilder builder(outer);
  AlgebraValue result(*moved);
  emitter.emit(builder, outer.getLoc(), result);
  Value pointer = emitter.materialize(builder, outer.getLoc(), result);
  outer.getResult().replaceAllUsesWith(pointer);
  outer.erase();
  if (inner->use_empty())
    inner.erase();
  return true;
}

/// A static offset below a run-time one, with no other use: the other way
/// round.
static AddOffsetOp swapLinks(AddOffsetOp inner, AddOffsetOp outer) {
  AlgebraEmitter emitter;
  emitter.begin();
  Pointer base{cast<PointerType>(inner.getIter().getType()), inner.getIter(),
               std::nullopt};
  layout::Result<Pointer> first = movePointer(base, readOffset(emitter, outer));
  if (first.hasError())
    return {};
  layout::Result<Pointer> second =
      movePointer(*first, readOffset(emitter, inner));
  if (second.hasError() || second->type != outer.getResult().getType())
    return {};
  OpBuilder builder(outer);
  auto below = AddOffsetOp::create(builder, outer.getLoc(), first->type,
                                   inner.getIter(), outer.getOffset());
  auto above = AddOffsetOp::create(builder, inner.getLoc(), second->type,
                                   below.getResult(), inner.getOffset());
  outer.getResult().replaceAllUsesWith(above.getResult());
  outer.erase();
  inner.erase();
  return below;
}

/// Merges `op` with the link below it, which is in the final form already.
static void mergeWithInner(AddOffsetOp op) {
  while (auto inner = op.getIter().getDefiningOp<AddOffsetOp>()) {
    bool isStatic = hasStaticOffset(op);
    if (isStatic == hasStaticOffset(inner)) {
      fuse(inner, op);
      return;
    }
    // Run-time below static is the final form.
    if (isStatic || !inner->hasOneUse())
      return;
    // The run-time link may now stand on another run-time link.
    op = swapLinks(inner, op);
    if (!op)
      return;
  }
}

namespace {

struct MergeOffsetsPass : fly::impl::FlyMergeOffsetsPassBase<MergeOffsetsPass> {
  void runOnOperation() override {
    Operation *root = getOperation();
    // Dead users would count as other uses of a link.
    eraseDeadOps(root);
    SmallVector<AddOffsetOp> links;
    root->walk<WalkOrder::PreOrder>([&](AddOffsetOp op) {
      if (isa<PointerType>(op.getResult().getType()))
        links.push_back(op);
    });
    for (AddOffsetOp op : links)
      mergeWithInner(op);
    eraseDeadOps(root);
  }
};

} // namespace
