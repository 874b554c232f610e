// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-convert-atom-call-to-ssa-form`: register operands of atom calls as
// values. A memref is read as one vector if its registers are consecutive; the
// loads and stores around the calls are what register promotion removes.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "RegisterAllocations.h"

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Layout/Algebra.h"

namespace fly {
#define GEN_PASS_DEF_FLYCONVERTATOMCALLTOSSAFORMPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

//===----------------------------------------------------------------------===//
// Promotable memrefs
//===----------------------------------------------------------------------===//

/// The SSA type of a register memref with consecutive elements: a vector, or
/// the element itself if there is one. Null for any other memref.
static Type getSSAType(Type type) {
  auto memref = dyn_cast<fly::MemRefType>(type);
  if (!memref || !memref.isIn(AddressSpace::Register))
    return {};
  auto plain = dyn_cast<LayoutAttr>(memref.getLayout());
  if (!plain || !plain.isStatic())
    return {};
  layout::Layout value = toStaticValue(plain);
  layout::Result<layout::Layout> flat = layout::coalesce(value);
  layout::Result<layout::Int> cosize = layout::cosize(value);
  if (flat.hasError() || cosize.hasError() || !flat->isLeaf())
    return {};
  if (!flat->getStride().isStaticLeaf(1) && !flat->getShape().isStaticLeaf(1))
    return {};
  if (cosize->getValue() <= 0)
    return {};
  Type element = getRegisterElementType(memref.getElementType());
  if (cosize->getValue() == 1)
    return element;
  return VectorType::get(cosize->getValue(), element);
}

static bool isPromotable(Value memref) {
  return static_cast<bool>(getSSAType(memref.getType()));
}

static Value getPointer(OpBuilder &builder, Location loc, Value memref) {
  if (auto view = memref.getDefiningOp<MakeViewOp>())
    return view.getIter();
  return GetIterOp::create(
      builder, loc, cast<fly::MemRefType>(memref.getType()).getPointerType(),
      memref);
}

/// The content of `memref` as a value if it is promotable, else itself.
static Value loadIfPromotable(OpBuilder &builder, Location loc, Value memref) {
  if (!memref || !isPromotable(memref))
    return memref;
  return PtrLoadOp::create(builder, loc, getSSAType(memref.getType()),
                           getPointer(builder, loc, memref));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void convertCall(CopyAtomCallOp op) {
  Value dst = op.getDst();
  // A predicate alone is reason enough: its register would stay in memory.
  if (!isPromotable(op.getSrc()) && !isPromotable(dst) &&
      !(op.getPred() && isPromotable(op.getPred())))
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value src = loadIfPromotable(builder, loc, op.getSrc());
  Value pred = loadIfPromotable(builder, loc, op.getPred());
  if (!isPromotable(dst)) {
    CopyAtomCallSSAOp::create(builder, loc, TypeRange(), op.getCopyAtom(), src,
                              dst, pred);
    op.erase();
    return;
  }
  // Only a predicated copy may keep what the destination held before.
  Value old = pred ? loadIfPromotable(builder, loc, dst) : Value();
  auto call = CopyAtomCallSSAOp::create(builder, loc, getSSAType(dst.getType()),
                                        op.getCopyAtom(), src, old, pred);
  PtrStoreOp::create(builder, loc, call.getResults().front(),
                     getPointer(builder, loc, dst));
  op.erase();
}

static void convertCall(MmaAtomCallOp op) {
  SmallVector<Value> operands = {op.getD(), op.getC()};
  llvm::append_range(operands, op.getA());
  llvm::append_range(operands, op.getB());
  if (llvm::none_of(operands, isPromotable))
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> a, b;
  for (Value operand : op.getA())
    a.push_back(loadIfPromotable(builder, loc, operand));
  for (Value operand : op.getB())
    b.push_back(loadIfPromotable(builder, loc, operand));
  Value c = loadIfPromotable(builder, loc, op.getC());
  Value d = op.getD();
  bool inRegisters = isPromotable(d);
  SmallVector<Type> types;
  if (inRegisters)
    types.push_back(getSSAType(d.getType()));
  auto call = MmaAtomCallSSAOp::create(builder, loc, types, op.getMmaAtom(),
                                       inRegisters ? Value() : d, a, b, c);
  if (inRegisters)
    PtrStoreOp::create(builder, loc, call.getResults().front(),
                       getPointer(builder, loc, d));
  op.erase();
}

namespace {

struct ConvertAtomCallToSSAFormPass
    : fly::impl::FlyConvertAtomCallToSSAFormPassBase<
          ConvertAtomCallToSSAFormPass> {
  void runOnOperation() override {
    bool anyCalls = false;
    getOperation()->walk([&](Operation *op) {
      anyCalls |= isa<CopyAtomCallOp, MmaAtomCallOp>(op);
      if (auto copy = dyn_cast<CopyAtomCallOp>(op))
        convertCall(copy);
      else if (auto mma = dyn_cast<MmaAtomCallOp>(op))
        convertCall(mma);
    });
    if (!anyCalls)
      markAllAnalysesPreserved();
  }
};

} // namespace
