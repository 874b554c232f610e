// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-fold`, which runs the folders of all ops without any pattern, and the
// removal of dead ops that other passes of this folder share.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "Simplify.h"

#include "mlir/IR/Iterators.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fly {
#define GEN_PASS_DEF_FLYFOLDPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;

void fly::eraseDeadOps(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([root](Operation *op) {
    if (op != root && isOpTriviallyDead(op))
      op->erase();
  });
}

namespace {

struct FoldPass : fly::impl::FlyFoldPassBase<FoldPass> {
  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    FrozenRewritePatternSet none{RewritePatternSet(&getContext())};
    // Each fold removes an op or replaces one by a constant, so this ends.
    for (Region &region : getOperation()->getRegions())
      if (failed(applyPatternsGreedily(region, none, config)))
        return signalPassFailure();
  }
};

} // namespace
