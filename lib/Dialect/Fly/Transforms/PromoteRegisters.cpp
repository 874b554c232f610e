// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-promote-registers`: one SSA vector for each register allocation,
// threaded through structured control flow. What may be promoted and where the
// accesses lie comes from RegisterAllocations; this file only rewrites.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "RegisterAllocations.h"
#include "Simplify.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/BitVector.h"

namespace fly {
#define GEN_PASS_DEF_FLYPROMOTEREGISTERSPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

/// Rewrites one function. `states` holds, for each allocation, the vector with
/// its content at the current point of the walk.
class Promoter {
public:
  Promoter(FunctionOpInterface function, const RegisterAllocations &analysis)
      : function(function), analysis(analysis),
        states(analysis.getAllocations().size()),
        builder(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkRegions();
  void rewriteBlock(Block &block);
  void rewriteLoad(PtrLoadOp op, RegisterAddress address);
  void rewriteStore(PtrStoreOp op, RegisterAddress address);
  void rewriteControlFlow(Operation *op);
  void appendToTerminator(Operation *terminator, ArrayRef<unsigned> touched,
                          const llvm::BitVector &dropped,
                          unsigned fixedOperands);
  llvm::BitVector getTracked(ValueRange values);
  static SmallVector<Value>
  keep(ValueRange values, const llvm::BitVector &dropped, unsigned fixed);
  Value castElements(Location loc, Value value, VectorType type);
  Value getPoison(Type type);

  FunctionOpInterface function;
  const RegisterAllocations &analysis;
  SmallVector<Value> states;
  OpBuilder builder;
  llvm::DenseMap<Type, Value> poisons;
  /// Erased at the end only: the analysis knows its values by their address in
  /// memory, which must not be used again meanwhile.
  SmallVector<Operation *> deadOps;
  SmallVector<BlockArgument> deadArguments;
};

} // namespace

/// The ops through which states can be threaded.
static bool isThreadable(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op);
}

/// The first register type among operands and results, or null.
static Type getRegisterType(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isRegisterType(type))
        return type;
  return {};
}

/// No region but those of `scf.for`, `scf.while` and `scf.if` may hold register
/// values, and control flow between blocks cannot be threaded.
LogicalResult Promoter::checkRegions() {
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock())
    return function->emitOpError("register memory can only be promoted in a "
                                 "function of one block, got ")
           << body.getBlocks().size();
  WalkResult result = body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumRegions() == 0 || isThreadable(op))
      return WalkResult::advance();
    Operation *user = nullptr;
    op->walk([&](Operation *nested) {
      if (!getRegisterType(nested))
        return WalkResult::advance();
      user = nested;
      return WalkResult::interrupt();
    });
    if (user) {
      InFlightDiagnostic error = op->emitOpError(
          "unsupported region op with register values during rmem SSA; "
          "expected scf.for, scf.while or scf.if");
      error.attachNote(user->getLoc())
          << "here is a value of type " << getRegisterType(user);
      return WalkResult::interrupt();
    }
    // Nothing below it concerns registers.
    return WalkResult::skip();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The vector `value` with its bits seen as elements of `type`.
Value Promoter::castElements(Location loc, Value value, VectorType type) {
  if (value.getType() == type)
    return value;
  return vector::BitCastOp::create(builder, loc, type, value);
}

/// The vector of `element`s that covers the bits of a scalar or vector type.
static VectorType getCoveringVector(Type type, Type element) {
  int64_t bits;
  if (auto vector = dyn_cast<VectorType>(type))
    bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  else
    bits = type.getIntOrFloatBitWidth();
  return VectorType::get(bits / element.getIntOrFloatBitWidth(), element);
}

void Promoter::rewriteStore(PtrStoreOp op, RegisterAddress address) {
  Location loc = op.getLoc();
  Value value = op.getValue();
  Value &state = states[address.allocation];
  Type element = cast<VectorType>(state.getType()).getElementType();
  builder.setInsertionPoint(op);
  if (value.getType() == element) {
    state =
        vector::InsertOp::create(builder, loc, value, state, address.offset);
  } else {
    Type valueType = value.getType();
    if (!isa<VectorType>(valueType))
      value = vector::BroadcastOp::create(builder, loc,
                                          VectorType::get(1, valueType), value);
    if (cast<VectorType>(value.getType()).getElementType() != element)
      value = castElements(loc, value, getCoveringVector(valueType, element));
    state = vector::InsertStridedSliceOp::create(
        builder, loc, value, state, ArrayRef<int64_t>{address.offset},
        ArrayRef<int64_t>{1});
  }
  op.erase();
}

void Promoter::rewriteLoad(PtrLoadOp op, RegisterAddress address) {
  Location loc = op.getLoc();
  Type type = op.getResult().getType();
  Value state = states[address.allocation];
  Type element = cast<VectorType>(state.getType()).getElementType();
  builder.setInsertionPoint(op);
  Value value;
  if (type == element) {
    value = vector::ExtractOp::create(builder, loc, state, address.offset);
  } else {
    auto vectorType = dyn_cast<VectorType>(type);
    VectorType covering = vectorType && vectorType.getElementType() == element
                              ? vectorType
                              : getCoveringVector(type, element);
    value = vector::ExtractStridedSliceOp::create(
        builder, loc, state, ArrayRef<int64_t>{address.offset},
        ArrayRef<int64_t>{covering.getNumElements()}, ArrayRef<int64_t>{1});
    if (vectorType) {
      value = castElements(loc, value, vectorType);
    } else {
      value = castElements(loc, value, VectorType::get(1, type));
      value = vector::ExtractOp::create(builder, loc, value, 0);
    }
  }
  op.getResult().replaceAllUsesWith(value);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// A value that stands for a register pointer whose uses are all dead.
Value Promoter::getPoison(Type type) {
  Value &poison = poisons[type];
  if (!poison) {
    OpBuilder entry =
        OpBuilder::atBlockBegin(&function.getFunctionBody().front());
    poison = ub::PoisonOp::create(entry, function.getLoc(), type);
  }
  return poison;
}

/// Which of `values` are addresses in promoted allocations.
llvm::BitVector Promoter::getTracked(ValueRange values) {
  llvm::BitVector tracked(values.size());
  for (auto [index, value] : llvm::enumerate(values))
    if (analysis.lookup(value))
      tracked.set(index);
  return tracked;
}

/// The first `fixed` values and those behind them whose bit is not set.
SmallVector<Value> Promoter::keep(ValueRange values,
                                  const llvm::BitVector &dropped,
                                  unsigned fixed) {
  SmallVector<Value> kept(values.take_front(fixed));
  for (auto [index, value] : llvm::enumerate(values.drop_front(fixed)))
    if (!dropped.test(index))
      kept.push_back(value);
  return kept;
}

/// Appends the current states to the operands of a region's terminator and
/// leaves those out whose bit in `dropped` is set; the first `fixedOperands`
/// operands are no carried values and have no bit.
void Promoter::appendToTerminator(Operation *terminator,
                                  ArrayRef<unsigned> touched,
                                  const llvm::BitVector &dropped,
                                  unsigned fixedOperands) {
  SmallVector<Value> operands =
      keep(terminator->getOperands(), dropped, fixedOperands);
  for (unsigned index : touched)
    operands.push_back(states[index]);
  terminator->setOperands(operands);
}

void Promoter::rewriteControlFlow(Operation *op) {
  ArrayRef<unsigned> touched = analysis.getTouched(op);
  // Carried pointers of promoted allocations are dropped: an scf.while has one
  // list for the values entering `before`, one for those leaving it.
  llvm::BitVector droppedResults = getTracked(op->getResults());
  llvm::BitVector droppedInits = droppedResults;
  unsigned fixedOperands = 0;
  if (isa<scf::ForOp>(op))
    fixedOperands = 3;
  else if (isa<scf::IfOp>(op))
    fixedOperands = 1;
  else
    droppedInits = getTracked(cast<scf::WhileOp>(op).getBeforeArguments());
  if (touched.empty() && droppedResults.none() && droppedInits.none()) {
    // An allocation of its own may still lie inside.
    for (Region &region : op->getRegions())
      for (Block &block : region)
        rewriteBlock(block);
    return;
  }

  // The new op: operands and results without tracked pointers, states behind.
  bool isIf = isa<scf::IfOp>(op);
  OperationState state(op->getLoc(), op->getName());
  state.operands = isIf ? SmallVector<Value>(op->getOperands())
                        : keep(op->getOperands(), droppedInits, fixedOperands);
  if (!isIf)
    for (unsigned index : touched)
      state.operands.push_back(states[index]);
  for (Value result : keep(op->getResults(), droppedResults, 0))
    state.types.push_back(result.getType());
  for (unsigned index : touched)
    state.types.push_back(states[index].getType());
  state.attributes = op->getAttrDictionary();
  for (unsigned i = 0, e = op->getNumRegions(); i < e; ++i)
    state.addRegion();
  builder.setInsertionPoint(op);
  Operation *newOp = builder.create(state);

  SmallVector<Value> incoming = states;
  for (auto [oldRegion, newRegion] :
       llvm::zip(op->getRegions(), newOp->getRegions())) {
    newRegion.takeBody(oldRegion);
    states = incoming;
    if (newRegion.empty()) {
      // The else of an scf.if without one: it hands the states on.
      if (state.types.empty())
        continue;
      OpBuilder inner = OpBuilder::atBlockEnd(&newRegion.emplaceBlock());
      scf::YieldOp::create(inner, op->getLoc());
    }
    Block &block = newRegion.front();
    for (BlockArgument argument : block.getArguments())
      if (analysis.lookup(argument))
        deadArguments.push_back(argument);
    if (!isIf)
      for (unsigned index : touched)
        states[index] =
            block.addArgument(incoming[index].getType(), op->getLoc());
    rewriteBlock(block);
    Operation *terminator = block.getTerminator();
    if (isa<scf::ConditionOp>(terminator))
      appendToTerminator(terminator, touched, droppedResults, 1);
    else
      appendToTerminator(terminator, touched, droppedInits, 0);
  }

  states = incoming;
  unsigned next = 0;
  for (Value result : op->getResults())
    if (!droppedResults.test(cast<OpResult>(result).getResultNumber()))
      result.replaceAllUsesWith(newOp->getResult(next++));
  for (unsigned index : touched)
    states[index] = newOp->getResult(next++);
  deadOps.push_back(op);
}

void Promoter::rewriteBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isThreadable(&op)) {
      rewriteControlFlow(&op);
      continue;
    }
    if (auto load = dyn_cast<PtrLoadOp>(op)) {
      if (auto address = analysis.lookup(load.getIter()))
        rewriteLoad(load, *address);
      continue;
    }
    if (auto store = dyn_cast<PtrStoreOp>(op)) {
      if (auto address = analysis.lookup(store.getPtr()))
        rewriteStore(store, *address);
      continue;
    }
    if (auto make = dyn_cast<MakePtrOp>(op)) {
      auto address = analysis.lookup(make.getResult());
      if (!address)
        continue;
      builder.setInsertionPoint(make);
      states[address->allocation] = ub::PoisonOp::create(
          builder, make.getLoc(),
          analysis.getAllocations()[address->allocation].stateType);
    }
  }
}

LogicalResult Promoter::run() {
  if (failed(checkRegions()))
    return failure();
  rewriteBlock(function.getFunctionBody().front());
  for (BlockArgument argument : deadArguments) {
    argument.replaceAllUsesWith(getPoison(argument.getType()));
    argument.getOwner()->eraseArgument(argument.getArgNumber());
  }
  for (Operation *op : deadOps) {
    for (Value result : op->getResults())
      if (!result.use_empty())
        result.replaceAllUsesWith(getPoison(result.getType()));
    op->erase();
  }
  // The addresses of promoted allocations have no use but each other.
  for (const RegisterAllocation &allocation : analysis.getAllocations()) {
    if (allocation.excluded)
      continue;
    MakePtrOp make = allocation.op;
    make.getResult().replaceAllUsesWith(getPoison(make.getResult().getType()));
    make.erase();
  }
  eraseDeadOps(function);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// With every allocation promoted, no register pointer or view may be left.
static LogicalResult checkNothingRemains(FunctionOpInterface function) {
  WalkResult result = function.walk<WalkOrder::PreOrder>([](Operation *op) {
    Type remaining =
        isa<FunctionOpInterface>(op) ? Type() : getRegisterType(op);
    if (remaining) {
      op->emitOpError("register operand/result remain after rmem SSA "
                      "promotion, of type ")
          << remaining;
      return WalkResult::interrupt();
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (llvm::any_of(block.getArgumentTypes(), isRegisterType)) {
          op->emitOpError(
              "register block arguments remain after rmem SSA promotion");
          return WalkResult::interrupt();
        }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static bool hasRegisters(FunctionOpInterface function) {
  return function
      .walk([](MakePtrOp op) {
        return isRegisterType(op.getResult().getType())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult promoteRegisters(FunctionOpInterface function) {
  // A dead view or recast is no use of an allocation.
  function->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<AddOffsetOp, GetIterOp, MakeViewOp, RecastIterOp>(op) &&
        op->use_empty())
      op->erase();
  });
  FailureOr<RegisterAllocations> analysis =
      RegisterAllocations::analyze(function);
  if (failed(analysis))
    return failure();
  if (!analysis->anyPromoted())
    return success();
  if (failed(Promoter(function, *analysis).run()))
    return failure();
  if (analysis->anyExcluded())
    return success();
  return checkNothingRemains(function);
}

namespace {

struct PromoteRegistersPass
    : fly::impl::FlyPromoteRegistersPassBase<PromoteRegistersPass> {
  void runOnOperation() override {
    SmallVector<gpu::GPUFuncOp> functions;
    getOperation()->walk([&](gpu::GPUFuncOp op) {
      if (!op.getBody().empty() && hasRegisters(op))
        functions.push_back(op);
    });
    if (functions.empty())
      return markAllAnalysesPreserved();
    for (gpu::GPUFuncOp function : functions)
      if (failed(promoteRegisters(function)))
        return signalPassFailure();
  }
};

} // namespace
