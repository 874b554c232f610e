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

/// Both offsets are of one kind: one link from the pointer below both, with
/// their sum. Left alone where a sum would promise another alignment than the
/// two steps did, or leaves 64 bits.
static bool fuse(AddOffsetOp inner, AddOffsetOp outer) {
  AlgebraEmitter emitter;
  emitter.begin();
  layout::Int first = readOffset(emitter, inner);
  layout::Int second = readOffset(emitter, outer);
  layout::Result<layout::Int> sum = layout::add(first, second);
  if (sum.hasError())
    return false;
  auto base = cast<PointerType>(inner.getIter().getType());
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
