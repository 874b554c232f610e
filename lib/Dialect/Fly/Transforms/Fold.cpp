// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-fold`, which runs the folders of the ops around the dialect without any
// pattern, and the removal of dead ops that other passes of this folder share.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "Simplify.h"

#include "Fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/ADT/SetVector.h"

namespace fly {
#define GEN_PASS_DEF_FLYFOLDPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;

bool fly::eraseDeadOps(Operation *root) {
  bool erased = false;
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op == root || !isOpTriviallyDead(op))
      return;
    op->erase();
    erased = true;
  });
  return erased;
}

namespace {

struct FoldPass : fly::impl::FlyFoldPassBase<FoldPass> {
  void runOnOperation() override {
    Operation *root = getOperation();
    fly::eraseDeadOps(root);
    for (Region &region : root->getRegions())
      fold(region);
    fly::eraseDeadOps(root);
  }

private:
  /// Folds the ops of `region`, the last one first and the users of what was
  /// folded next: new constants then stand in the order of their first use.
  /// Constants that are there already keep their order.
  void fold(Region &region) {
    OperationFolder folder(&getContext());
    llvm::SetVector<Operation *> worklist;
    region.walk([&](Operation *op) {
      Attribute constant;
      if (matchPattern(op, m_Constant(&constant)))
        folder.insertKnownConstant(op, constant); // may erase the op
      else if (isFolded(op))
        worklist.insert(op);
    });
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      SmallVector<Operation *> users(op->getUsers());
      if (failed(folder.tryToFold(op)))
        continue;
      for (Operation *user : users)
        if (user != op && isFolded(user))
          worklist.insert(user);
    }
  }

  /// The constructors of the dialect are the form that this pass keeps.
  static bool isFolded(Operation *op) {
    return !isa_and_nonnull<fly::FlyDialect>(op->getDialect());
  }
};

} // namespace
