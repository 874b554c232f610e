// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over each block. Between the members of a batch only operations
// without effects on memory may stand: those that use a result of the batch
// sink behind it, the others stay before it, and the members gather at the
// last one.

#include "MatrixBatches.h"
#include "OperationTable.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fly::host;

/// Bounds the slot: the largest members take 64 + 2 * 128 bytes each.
static constexpr unsigned largestBatch = 16;

namespace {
/// The batch that is being collected.
class Batch {
public:
  explicit Batch(llvm::DenseSet<Operation *> &chained) : chained(chained) {}

  void add(Operation *op) {
    if (members.size() == largestBatch || usesBatch(op))
      close();
    members.push_back(op);
    dependent.insert(op);
  }

  /// An operation without effects on memory behind a member.
  void addPure(Operation *op) {
    if (members.empty() || !usesBatch(op))
      return;
    dependent.insert(op);
    sinking.push_back(op);
  }

  void close() {
    if (members.size() > 1) {
      Operation *last = members.back();
      for (Operation *op : ArrayRef<Operation *>(members).drop_back()) {
        op->moveBefore(last);
        chained.insert(op);
      }
      Operation *after = last;
      for (Operation *op : sinking)
        if (op->isBeforeInBlock(last)) {
          op->moveAfter(after);
          after = op;
        }
    }
    members.clear();
    sinking.clear();
    dependent.clear();
  }

private:
  /// True if `op` uses a result of a member, directly or by operations of this
  /// block that do.
  bool usesBatch(Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      return def && dependent.contains(def);
    });
  }

  llvm::DenseSet<Operation *> &chained;
  SmallVector<Operation *> members;
  SmallVector<Operation *> sinking;
  llvm::DenseSet<Operation *> dependent;
};
} // namespace

llvm::DenseSet<Operation *> fly::host::formMatrixBatches(Region &body) {
  llvm::DenseSet<Operation *> chained;
  for (Block &block : body) {
    Batch batch(chained);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      OperationRow row = *lookupOperation(&op);
      if (row.kind == OperationKind::CrossLane && row.isMatrix)
        batch.add(&op);
      else if (row.kind == OperationKind::NoEffect)
        continue;
      else if (row.kind == OperationKind::LaneLocal && isPure(&op) &&
               !op.hasTrait<OpTrait::IsTerminator>())
        batch.addPure(&op);
      else
        batch.close();
    }
    batch.close();
  }
  return chained;
}
