// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-canonicalize`: the constructor synonyms and all static values in the one
// form that is easiest to read for a person and for later passes. One walk in
// program order; nothing later depends on this pass having run.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "Simplify.h"

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fly {
#define GEN_PASS_DEF_FLYCANONICALIZEPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

/// A field that the atom does not have must not vanish with a rebuilt atom.
static LogicalResult verifyField(AtomSetValueOp op) {
  Type atom = op.getAtom().getType();
  if (auto tiled = dyn_cast<TiledCopyType>(atom))
    atom = tiled.getAtom();
  if (auto tiled = dyn_cast<TiledMmaType>(atom))
    atom = tiled.getAtom();
  SmallVector<AtomStateField> fields;
  if (auto copy = dyn_cast<CopyAtomType>(atom))
    fields = copy.getCopyOpInterface().getStateFields();
  else if (auto mma = dyn_cast<MmaAtomType>(atom))
    fields = mma.getMmaOpInterface().getStateFields();
  else
    return success();
  if (llvm::any_of(fields, [&](const AtomStateField &field) {
        return field.name == op.getField();
      }))
    return success();
  // atom_set_value_c1
  InFlightDiagnostic diag = op.emitOpError("the atom ")
                            << atom << " has no state field \"" << op.getField()
                            << "\"; it has ";
  if (fields.empty())
    return diag << "no state [atom_set_value_c1]";
  llvm::interleaveComma(
      fields, diag, [&](const AtomStateField &field) { diag << field.name; });
  return diag << " [atom_set_value_c1]";
}

/// The value in normal form that can replace the result of `op`, created before
/// it; null if there is none or the op is in normal form already.
static Value getReplacement(Operation *op) {
  OpBuilder builder(op);
  if (isa<MakeShapeOp, MakeStrideOp, MakeCoordOp>(op))
    return MakeIntTupleOp::create(builder, op->getLoc(), op->getResultTypes(),
                                  op->getOperands(), op->getAttrs());
  if (op->getNumResults() != 1 || !isPure(op) || isa<AtomSetValueOp>(op))
    return {};
  auto type = dyn_cast<MayBeStaticTypeInterface>(op->getResult(0).getType());
  if (!type || !type.isStatic())
    return {};
  Value value =
      type.rebuildStaticValue(builder, op->getLoc(), op->getResult(0));
  // The description of an atom op rebuilds as the atom, another type.
  return value && value.getType() == type ? value : Value();
}

namespace {

struct CanonicalizePass : fly::impl::FlyCanonicalizePassBase<CanonicalizePass> {
  void runOnOperation() override {
    Operation *root = getOperation();
    WalkResult fields = root->walk([](AtomSetValueOp op) {
      return failed(verifyField(op)) ? WalkResult::interrupt()
                                     : WalkResult::advance();
    });
    if (fields.wasInterrupted())
      return signalPassFailure();
    bool changed = false;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == root)
        return WalkResult::advance();
      Value replacement = getReplacement(op);
      if (!replacement)
        return WalkResult::advance();
      op->getResult(0).replaceAllUsesWith(replacement);
      op->erase();
      changed = true;
      return WalkResult::skip();
    });
    changed |= eraseDeadOps(root);
    if (!changed)
      markAllAnalysesPreserved();
  }
};

} // namespace
