// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-insert-runtime-checks`: assertions for what only run-time values can
// break. Each algebra op is evaluated as in lowering while its requirements are
// collected; their conditions and the steps of the result become arith ops
// with an assertion each where something can go wrong. The algebra ops stay.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "AlgebraEmitter.h"

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Layout/Requirements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/DenseSet.h"

namespace fly {
#define GEN_PASS_DEF_FLYINSERTRUNTIMECHECKSPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;
using fly::layout::Expr;
using fly::layout::ExprKind;
using fly::layout::Int;

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

namespace {

/// Builds conditions and assertions for one op, at its place.
struct Asserter {
  OpBuilder &builder;
  Location loc;
  /// Who requires: "'fly.composition'".
  std::string subject;

  void require(Value holds, const Twine &text) {
    std::string message = subject + " requires that " + text.str();
    cf::AssertOp::create(builder, loc, holds, message);
  }
  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, int64_t rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs,
                                 constant(lhs.getType(), rhs));
  }

  void requireMultiple(Value value, int64_t divisor, const Twine &what);
  Value isQuotient(Value lhs, Value rhs);
  Value isExact(ExprKind kind, Value lhs, Value rhs, Value result);
};

} // namespace

/// `value` keeps the promise of `?{div=divisor}`.
void Asserter::requireMultiple(Value value, int64_t divisor,
                               const Twine &what) {
  if (divisor == 1 || divisor == -1)
    return;
  Value rest = value;
  if (divisor != 0) {
    if (layout::exceeds32(divisor) && value.getType().isInteger(32))
      rest = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
    rest = arith::RemSIOp::create(builder, loc, rest,
                                  constant(rest.getType(), divisor));
  }
  require(compare(arith::CmpIPredicate::eq, rest, 0),
          what + " is a multiple of " + Twine(divisor) + " [divisibility]");
}

/// The quotient fits its width: the smallest number is not divided by -1.
Value Asserter::isQuotient(Value lhs, Value rhs) {
  int64_t smallest = lhs.getType().isInteger(32) ? INT32_MIN : INT64_MIN;
  return arith::OrIOp::create(builder, loc,
                              compare(arith::CmpIPredicate::ne, lhs, smallest),
                              compare(arith::CmpIPredicate::ne, rhs, -1));
}

/// The sum, difference or product did not leave its width.
Value Asserter::isExact(ExprKind kind, Value lhs, Value rhs, Value result) {
  Type wide = builder.getI64Type();
  if (result.getType() != wide) {
    Value a = arith::ExtSIOp::create(builder, loc, wide, lhs);
    Value b = arith::ExtSIOp::create(builder, loc, wide, rhs);
    Value exact;
    if (kind == ExprKind::Add)
      exact = arith::AddIOp::create(builder, loc, a, b);
    else if (kind == ExprKind::Sub)
      exact = arith::SubIOp::create(builder, loc, a, b);
    else
      exact = arith::MulIOp::create(builder, loc, a, b);
    Value kept = arith::ExtSIOp::create(builder, loc, wide, result);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, exact,
                                 kept);
  }
  if (kind == ExprKind::Mul) {
    auto product = arith::MulSIExtendedOp::create(builder, loc, lhs, rhs);
    Value sign = arith::ShRSIOp::create(builder, loc, product.getLow(),
                                        constant(wide, 63));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                 product.getHigh(), sign);
  }
  // The signs tell: of a sum with operands alike, of a difference with operands
  // unlike, the result has the sign of the first.
  Value moved = arith::XOrIOp::create(builder, loc, lhs, result);
  Value other = kind == ExprKind::Add
                    ? Value(arith::XOrIOp::create(builder, loc, rhs, result))
                    : Value(arith::XOrIOp::create(builder, loc, lhs, rhs));
  Value both = arith::AndIOp::create(builder, loc, moved, other);
  return compare(arith::CmpIPredicate::sge, both, 0);
}

//===----------------------------------------------------------------------===//
// Which expressions can go wrong
//===----------------------------------------------------------------------===//

static bool isDivision(ExprKind kind) {
  return kind == ExprKind::Div || kind == ExprKind::Rem ||
         kind == ExprKind::CeilDiv;
}

static bool canOverflow(ExprKind kind) {
  return kind == ExprKind::Add || kind == ExprKind::Sub ||
         kind == ExprKind::Mul;
}

static bool canGoWrong(const Expr &node) {
  return canOverflow(node.getKind()) ||
         (isDivision(node.getKind()) && node.getOperands()[1].isDynamic());
}

static StringRef getSign(ExprKind kind) {
  switch (kind) {
  case ExprKind::Add:
    return " + ";
  case ExprKind::Sub:
    return " - ";
  case ExprKind::Mul:
    return " * ";
  default:
    return " / ";
  }
}

/// The run-time extents of a layout or tensor.
static SmallVector<Int> getExtents(const AlgebraValue &value) {
  if (auto *layout = value.getIf<layout::AnyLayout>())
    return layout->getLinear().getShape().dynamicInts();
  if (auto *tensor = value.getIf<Tensor>())
    return tensor->layout.getLinear().getShape().dynamicInts();
  return {};
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {

class CheckInserter {
public:
  LogicalResult check(AlgebraOpInterface op);
  LogicalResult checkEvaluation(AlgebraOpInterface op);
  void checkExtents(MakeLayoutOp op);

  void checkAssume(AssumeOp op);

private:
  void checkConstructor(Operation *op);
  void checkOrigin(Value value);
  void emit(Asserter &asserter, const Expr &node);

  AlgebraEmitter emitter;
  llvm::DenseSet<Value> checked;
};

} // namespace

/// The operands of `op` have the divisors that its result type promises.
void CheckInserter::checkConstructor(Operation *op) {
  auto type = cast<IntTupleType>(op->getResult(0).getType());
  unsigned nextSymbol = 0;
  SmallVector<Int> leaves = toValue(type.getAttr(), nextSymbol).dynamicInts();
  OpBuilder builder(op);
  Asserter asserter{builder, op->getLoc(),
                    "'" + op->getName().getStringRef().str() + "'"};
  for (auto [index, leaf, operand] : llvm::enumerate(leaves, op->getOperands()))
    asserter.requireMultiple(operand, leaf.getDivisibility(),
                             "operand #" + Twine(index));
}

/// Both values of an assumption are equal and what its type promises.
void CheckInserter::checkAssume(AssumeOp op) {
  OpBuilder builder(op);
  Asserter asserter{builder, op->getLoc(), "'fly.assume'"};
  auto requireEqual = [&](Value x, Value y, const Twine &what) {
    if (x == y)
      return;
    if (x.getType() != y.getType())
      for (Value *value : {&x, &y})
        if (value->getType() != builder.getI64Type())
          *value = arith::ExtSIOp::create(builder, op->getLoc(),
                                          builder.getI64Type(), *value);
    asserter.require(arith::CmpIOp::create(builder, op->getLoc(),
                                           arith::CmpIPredicate::eq, x, y),
                     "'dst' and 'src' are equal" + what + " [assume_c2]");
  };
  Value dst = op.getDst(), src = op.getSrc();
  if (src.getType().isSignlessIntOrIndex())
    return requireEqual(dst, src, "");
  auto type = dyn_cast<IntTupleType>(op.getType());
  if (!type)
    return;
  auto getLeaves = [&](Value tuple) -> ValueRange {
    SmallVector<Type> types;
    cast<IntTupleType>(tuple.getType())
        .getAttr()
        .walkLeaves([&](Attribute leaf) {
          auto basis = dyn_cast<BasisAttr>(leaf);
          IntAttr integer = basis ? basis.getValue() : cast<IntAttr>(leaf);
          types.push_back(
              builder.getIntegerType(integer.getWidth() == 64 ? 64 : 32));
        });
    return GetLeavesOp::create(builder, op->getLoc(), types, tuple,
                               /*dynamicOnly=*/false)
        .getLeaves();
  };
  ValueRange values = getLeaves(src);
  if (dst != src)
    for (auto [index, x, y] : llvm::enumerate(getLeaves(dst), values))
      requireEqual(x, y, " in leaf #" + Twine(index));
  size_t index = 0;
  type.getAttr().walkLeaves([&](Attribute leaf) {
    auto basis = dyn_cast<BasisAttr>(leaf);
    IntAttr integer = basis ? basis.getValue() : cast<IntAttr>(leaf);
    Value value = values[index];
    if (integer.isDynamic())
      asserter.requireMultiple(value, integer.getDivisibility(),
                               "leaf #" + Twine(index));
    else if (!integer.isNone())
      asserter.require(
          asserter.compare(arith::CmpIPredicate::eq, value, integer.getValue()),
          "leaf #" + Twine(index) + " is " + Twine(integer.getValue()) +
              " [assume_c2]");
    ++index;
  });
}

/// The run-time extents of a new layout are not negative.
void CheckInserter::checkExtents(MakeLayoutOp op) {
  if (isStaticType(op.getShape().getType()))
    return;
  emitter.begin();
  AlgebraValue shape = emitter.read(op.getShape());
  OpBuilder builder(op);
  Asserter asserter{builder, op->getLoc(),
                    "'" + op->getName().getStringRef().str() + "'"};
  for (const Int &extent : getDynamicLeaves(shape)) {
    emitter.emitNode(builder, op->getLoc(), *extent.getExpr());
    Value value = emitter.getEmitted(*extent.getExpr());
    asserter.require(asserter.compare(arith::CmpIPredicate::sge, value, 0),
                     "the extent " + extent.str() +
                         " is not negative [layout_c3]");
  }
}

/// The leaves of a value that comes from outside of the dialect are what its
/// type says.
void CheckInserter::checkOrigin(Value value) {
  if (!isa<IntTupleType, LayoutType, ComposedLayoutType, CoordTensorType,
           fly::MemRefType>(value.getType()) ||
      isStaticType(value.getType()))
    return;
  Operation *definition = value.getDefiningOp();
  if (definition && isa<FlyDialect>(definition->getDialect()))
    return;
  if (!checked.insert(value).second)
    return;
  unsigned nextSymbol = 0;
  AlgebraValue read = readType(value.getType(), nextSymbol);
  SmallVector<Int> leaves = getDynamicLeaves(read), extents = getExtents(read);
  bool promises = !extents.empty() || llvm::any_of(leaves, [](const Int &leaf) {
    return leaf.getDivisibility() != 1;
  });
  if (leaves.empty() || !promises)
    return;
  ArrayRef<Value> values = emitter.extractLeaves(value);
  OpBuilder builder(value.getContext());
  // Behind the extractors, which stand in the order of the leaves.
  builder.setInsertionPointAfterValue(values.back());
  std::string type;
  llvm::raw_string_ostream(type) << value.getType();
  Asserter asserter{builder, value.getLoc(), "the value of type " + type};
  for (auto [index, leaf, part] : llvm::enumerate(leaves, values)) {
    asserter.requireMultiple(part, leaf.getDivisibility(),
                             "run-time leaf #" + Twine(index));
    if (llvm::is_contained(extents, leaf))
      asserter.require(asserter.compare(arith::CmpIPredicate::sge, part, 0),
                       "the extent in run-time leaf #" + Twine(index) +
                           " is not negative [layout_c3]");
  }
}

/// `node` with an assertion before it for what it divides by and one behind it
/// for what it gives.
void CheckInserter::emit(Asserter &asserter, const Expr &node) {
  if (!canGoWrong(node)) {
    emitter.emitNode(asserter.builder, asserter.loc, node);
    return;
  }
  ArrayRef<Int> operands = node.getOperands();
  ExprKind kind = node.getKind();
  auto get = [&](const Int &value) {
    return emitter.getInteger(asserter.builder, asserter.loc, value,
                              node.getWidth());
  };
  Value lhs = get(operands[0]), rhs = get(operands[1]);
  std::string step =
      operands[0].str() + getSign(kind).str() + operands[1].str();
  std::string bits = std::to_string(node.getWidth());
  if (isDivision(kind)) {
    asserter.require(
        asserter.compare(arith::CmpIPredicate::ne, rhs, 0),
        "the divisor " + operands[1].str() + " is not 0 [" +
            (kind == ExprKind::CeilDiv ? "ceil_div_c1" : "div_c1") + "]");
    asserter.require(asserter.isQuotient(lhs, rhs),
                     step + " stays within " + bits + " bits [int_overflow]");
  }
  emitter.emitNode(asserter.builder, asserter.loc, node);
  if (canOverflow(kind)) {
    Value result = emitter.getEmitted(node);
    asserter.require(asserter.isExact(kind, lhs, rhs, result),
                     step + " stays within " + bits + " bits [int_overflow]");
  }
}

/// The expressions that the results of an op and their requirements need.
static SmallVector<const Expr *>
getNodes(ArrayRef<AlgebraValue> results,
         ArrayRef<layout::Requirement> requirements) {
  SmallVector<Int> roots;
  for (const AlgebraValue &result : results)
    llvm::append_range(roots, getDynamicLeaves(result));
  for (const layout::Requirement &requirement : requirements)
    roots.push_back(requirement.holds);
  return layout::collectExprs(roots);
}

LogicalResult CheckInserter::checkEvaluation(AlgebraOpInterface op) {
  // On the types alone first: most ops have nothing that can go wrong.
  {
    layout::RequirementScope scope;
    SmallVector<AlgebraValue> operands;
    unsigned nextSymbol = 0;
    for (Value operand : op->getOperands())
      operands.push_back(readType(operand.getType(), nextSymbol));
    AlgebraResult results = op.evaluateAlgebra(operands);
    if (results.hasError())
      return op->emitOpError() << results.error().str();
    if (scope.get().empty() &&
        llvm::none_of(getNodes(*results, {}),
                      [](const Expr *node) { return canGoWrong(*node); }))
      return success();
  }

  emitter.begin();
  SmallVector<AlgebraValue> operands;
  for (Value operand : op->getOperands())
    operands.push_back(emitter.read(operand));
  layout::RequirementScope scope;
  AlgebraResult results = op.evaluateAlgebra(operands);
  if (results.hasError())
    return op->emitOpError() << results.error().str();
  OpBuilder builder(op);
  Asserter asserter{builder, op->getLoc(),
                    "'" + op->getName().getStringRef().str() + "'"};
  auto assertAll = [&](const Expr *node) {
    for (const layout::Requirement &requirement : scope.get())
      if (requirement.holds.getExpr() == node)
        asserter.require(
            emitter.getBoolean(builder, op->getLoc(), requirement.holds),
            requirement.str());
  };
  // In the order in which the algebra states and relies on them; what is known
  // to be broken comes first.
  assertAll(nullptr);
  for (const Expr *node : getNodes(*results, scope.get())) {
    emit(asserter, *node);
    assertAll(node);
  }
  return success();
}

LogicalResult CheckInserter::check(AlgebraOpInterface op) {
  for (Value operand : op->getOperands())
    checkOrigin(operand);
  if (isa<MakeIntTupleOp, MakeShapeOp, MakeStrideOp, MakeCoordOp>(op)) {
    checkConstructor(op);
    return success();
  }
  if (auto layout = dyn_cast<MakeLayoutOp>(op.getOperation()))
    checkExtents(layout);
  return checkEvaluation(op);
}

/// True if all results are static and some operand is not.
static bool isRemovedByFolds(Operation *op) {
  return op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), isStaticType) &&
         !llvm::all_of(op->getOperandTypes(), isStaticType);
}

namespace {

struct InsertRuntimeChecksPass
    : fly::impl::FlyInsertRuntimeChecksPassBase<InsertRuntimeChecksPass> {
  using FlyInsertRuntimeChecksPassBase::FlyInsertRuntimeChecksPassBase;

  void runOnOperation() override {
    // The extractors that are inserted on the way need no checks of their own.
    SmallVector<AlgebraOpInterface> ops;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](AlgebraOpInterface op) { ops.push_back(op); });
    SmallVector<AssumeOp> assumptions;
    getOperation()->walk([&](AssumeOp op) { assumptions.push_back(op); });
    CheckInserter inserter;
    for (AssumeOp op : assumptions)
      if (!staticResults || isRemovedByFolds(op))
        inserter.checkAssume(op);
    for (AlgebraOpInterface op : ops) {
      // A layout goes with its users.
      if (auto layout = dyn_cast<MakeLayoutOp>(op.getOperation());
          staticResults && layout && !layout->use_empty() &&
          llvm::all_of(layout->getUsers(), isRemovedByFolds))
        inserter.checkExtents(layout);
      if (staticResults && !isRemovedByFolds(op))
        continue;
      if (failed(staticResults ? inserter.checkEvaluation(op)
                               : inserter.check(op)))
        return signalPassFailure();
    }
  }
};

} // namespace
