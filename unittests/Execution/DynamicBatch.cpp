// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From algebra values to a compiled module and back.

#include "DynamicBatch.h"

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/Transforms/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fly;
using namespace fly::test;

/// The most leaves of a result.
static constexpr unsigned kMaxResults = 256;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static layout::IntTuple assignTuple(const layout::IntTuple &tuple,
                                    const Assignment &values) {
  return tuple.map([&](const layout::Leaf &leaf) {
    if (!leaf.isDynamic())
      return leaf;
    return leaf.withInt(layout::Int::constant(
        values.at(leaf.getInt().getExpr()->getSymbolId())));
  });
}

static layout::AnyLayout assignLayout(const layout::AnyLayout &layout,
                                      const Assignment &values) {
  if (layout.isPlain())
    return layout::Layout(assignTuple(layout.getPlain().getShape(), values),
                          assignTuple(layout.getPlain().getStride(), values));
  const layout::ComposedLayout &composed = layout.getComposed();
  layout::InnerMap inner = composed.getInner();
  if (auto *map = std::get_if<layout::AnyLayout>(&inner))
    inner = assignLayout(layout::AnyLayout(*map), values);
  return layout::ComposedLayout(inner,
                                assignTuple(composed.getOffset(), values),
                                assignLayout(composed.getOuter(), values));
}

AlgebraValue fly::test::assign(const AlgebraValue &value,
                               const Assignment &values) {
  if (auto *tuple = value.getIf<layout::IntTuple>())
    return assignTuple(*tuple, values);
  if (auto *layout = value.getIf<layout::AnyLayout>())
    return assignLayout(*layout, values);
  return value;
}

std::string Case::str(const Assignment &values) const {
  auto print = [](const AlgebraValue &value) -> std::string {
    if (auto *tuple = value.getIf<layout::IntTuple>())
      return tuple->str();
    if (auto *layout = value.getIf<layout::AnyLayout>())
      return layout->str();
    if (auto *tile = value.getIf<layout::Tile>())
      return tile->str();
    if (auto *swizzle = value.getIf<layout::Swizzle>())
      return swizzle->str();
    if (auto *swizzle = value.getIf<layout::CoordSwizzle>())
      return swizzle->str();
    return "?";
  };
  std::string text = name + " (";
  for (const AlgebraValue &operand : operands)
    text += print(operand) + "; ";
  text += ") on (";
  for (const AlgebraValue &operand : operands)
    text += print(assign(operand, values)) + "; ";
  return text + ")";
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Batch::Batch(MLIRContext &context) : context(context) {
  context.loadDialect<FlyDialect, arith::ArithDialect, cf::ControlFlowDialect,
                      func::FuncDialect, LLVM::LLVMDialect>();
  module = ModuleOp::create(UnknownLoc::get(&context));
  scratch = ModuleOp::create(UnknownLoc::get(&context));
}

Batch::~Batch() = default;

/// The address of 64-bit element `index`.
static Value getElement(OpBuilder &builder, Value base, unsigned index) {
  Location loc = builder.getUnknownLoc();
  return LLVM::GEPOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      builder.getI64Type(), base,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
}

Value Batch::load(OpBuilder &builder, const layout::Int &symbol, Value input) {
  Location loc = builder.getUnknownLoc();
  Value wide = LLVM::LoadOp::create(
      builder, loc, builder.getI64Type(),
      getElement(builder, input, symbol.getExpr()->getSymbolId()));
  if (symbol.getWidth() == 64)
    return wide;
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(), wide);
}

Value Batch::materialize(OpBuilder &builder, const AlgebraValue &value,
                         Value input) {
  Location loc = builder.getUnknownLoc();
  Type type = getTypeOf(&context, value);
  if (auto *tuple = value.getIf<layout::IntTuple>()) {
    SmallVector<Value> leaves;
    for (const layout::Int &leaf : tuple->dynamicInts())
      leaves.push_back(load(builder, leaf, input));
    return MakeIntTupleOp::create(builder, loc, type, leaves);
  }
  auto *layout = value.getIf<layout::AnyLayout>();
  if (!layout)
    return StaticOp::create(builder, loc, type);
  if (layout->isPlain()) {
    Value shape = materialize(builder, layout->getPlain().getShape(), input);
    Value stride = materialize(builder, layout->getPlain().getStride(), input);
    return MakeLayoutOp::create(builder, loc, type, shape, stride);
  }
  const layout::ComposedLayout &composed = layout->getComposed();
  Value inner = std::visit(
      [&](const auto &map) {
        return materialize(builder, AlgebraValue(map), input);
      },
      composed.getInner());
  Value offset = materialize(builder, composed.getOffset(), input);
  Value outer = materialize(builder, composed.getOuter(), input);
  return MakeComposedLayoutOp::create(builder, loc, type, inner, offset, outer);
}

/// All leaves of a result, static ones too, as 64-bit numbers from element 1.
void Batch::storeResult(OpBuilder &builder, Value result, Value output) {
  Location loc = builder.getUnknownLoc();
  unsigned next = 1;
  auto store = [&](Value number) {
    if (!number.getType().isInteger(64)) {
      Type wide = builder.getI64Type();
      number = number.getType().isInteger(1)
                   ? Value(arith::ExtUIOp::create(builder, loc, wide, number))
                   : Value(arith::ExtSIOp::create(builder, loc, wide, number));
    }
    LLVM::StoreOp::create(builder, loc, number,
                          getElement(builder, output, next++));
  };
  auto storeTuple = [&](Value tuple) {
    SmallVector<Type> types;
    cast<IntTupleType>(tuple.getType()).getAttr().walkLeaves([&](Attribute a) {
      auto leaf =
          isa<BasisAttr>(a) ? cast<BasisAttr>(a).getValue() : cast<IntAttr>(a);
      types.push_back(builder.getIntegerType(leaf.getWidth() == 64 ? 64 : 32));
    });
    auto leaves = GetLeavesOp::create(builder, loc, types, tuple,
                                      /*dynamicOnly=*/false);
    for (Value leaf : leaves.getLeaves())
      store(leaf);
  };
  if (auto layout = dyn_cast<LayoutType>(result.getType())) {
    storeTuple(GetShapeOp::create(
        builder, loc, IntTupleType::get(layout.getAttr().getShape()), result));
    storeTuple(GetStrideOp::create(
        builder, loc, IntTupleType::get(layout.getAttr().getStride()), result));
  } else if (isa<IntTupleType>(result.getType())) {
    storeTuple(result);
  } else {
    store(result);
  }
  assert(next <= kMaxResults);
}

bool Batch::add(const Case &added) {
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(module->getBody());
  Location loc = builder.getUnknownLoc();
  Type pointer = LLVM::LLVMPointerType::get(&context);
  auto function = func::FuncOp::create(
      builder, loc, "case" + std::to_string(results.size()),
      builder.getFunctionType({pointer, pointer}, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  SmallVector<Value> operands;
  for (const AlgebraValue &operand : added.operands)
    operands.push_back(materialize(builder, operand, body->getArgument(0)));
  FailureOr<Value> result = added.make(builder, operands);
  if (failed(result)) {
    function.erase();
    return false;
  }
  storeResult(builder, *result, body->getArgument(1));
  func::ReturnOp::create(builder, loc);
  results.push_back(result->getType());
  return true;
}

/// Whether a part of a layout has a negative extent, which no type has.
static bool hasNegativeExtent(const layout::AnyLayout &layout) {
  if (layout.isComposed()) {
    const layout::ComposedLayout &composed = layout.getComposed();
    auto *inner = std::get_if<layout::AnyLayout>(&composed.getInner());
    return (inner && hasNegativeExtent(*inner)) ||
           hasNegativeExtent(composed.getOuter());
  }
  bool found = false;
  layout.getPlain().getShape().forEachLeaf(
      [&](const layout::Leaf &leaf) { found |= leaf.getInt().getValue() < 0; });
  return found;
}

std::optional<AlgebraValue> Batch::evaluate(const Case &of,
                                            const Assignment &values) {
  OpBuilder builder(&context);
  builder.setInsertionPointToEnd(scratch->getBody());
  SmallVector<Value> operands;
  for (const AlgebraValue &operand : of.operands) {
    AlgebraValue numbers = assign(operand, values);
    auto *layout = numbers.getIf<layout::AnyLayout>();
    if (layout && hasNegativeExtent(*layout))
      return std::nullopt;
    operands.push_back(StaticOp::create(builder, builder.getUnknownLoc(),
                                        getTypeOf(&context, numbers)));
  }
  FailureOr<Value> result = of.make(builder, operands);
  std::optional<AlgebraValue> value;
  if (succeeded(result)) {
    unsigned nextSymbol = 0;
    value = readType(result->getType(), nextSymbol);
  }
  scratch->getBody()->clear();
  return value;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// A failed check writes its number to element 0 and returns.
void Batch::lowerAsserts() {
  SmallVector<cf::AssertOp> asserts;
  module->walk([&](cf::AssertOp op) { asserts.push_back(op); });
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  for (cf::AssertOp op : asserts) {
    auto function = cast<func::FuncOp>(op->getParentOp());
    messages.push_back(op.getMsg().str());
    Block *before = op->getBlock();
    Block *after = before->splitBlock(op->getNextNode());
    Block *failed = builder.createBlock(after);
    Value number = arith::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(messages.size()));
    LLVM::StoreOp::create(builder, loc, number, function.getArgument(1));
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPointToEnd(before);
    cf::CondBranchOp::create(builder, loc, op.getArg(), after, failed);
    op.erase();
  }
}

bool Batch::compile() {
  PassManager lower(&context);
  lower.addPass(createFlyCanonicalizePass());
  LayoutLoweringOptions options;
  options.runtimeChecks = true;
  buildLayoutLoweringPipeline(lower, options);
  if (failed(lower.run(*module))) {
    ADD_FAILURE() << "lowering failed";
    return false;
  }
  lowerAsserts();
  PassManager convert(&context);
  convert.addPass(arith::createArithExpandOpsPass());
  convert.addPass(createConvertControlFlowToLLVMPass());
  convert.addPass(createArithToLLVMConversionPass());
  convert.addPass(createConvertFuncToLLVMPass());
  convert.addPass(createReconcileUnrealizedCastsPass());
  if (failed(convert.run(*module))) {
    ADD_FAILURE() << "conversion failed";
    return false;
  }
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  ExecutionEngineOptions engineOptions;
  engineOptions.jitCodeGenOptLevel = llvm::CodeGenOptLevel::None;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto made = ExecutionEngine::create(*module, engineOptions);
  if (!made) {
    ADD_FAILURE() << llvm::toString(made.takeError());
    return false;
  }
  engine = std::move(*made);
  for (size_t i = 0; i < results.size(); ++i) {
    auto entry = engine->lookupPacked("case" + std::to_string(i));
    if (!entry) {
      ADD_FAILURE() << llvm::toString(entry.takeError());
      return false;
    }
    entries.push_back(*entry);
  }
  return true;
}

Outcome Batch::run(size_t index, const Assignment &values) {
  std::vector<int64_t> input(values.size() + 1), output(kMaxResults, 0);
  for (auto [id, value] : values)
    input[id] = value;
  void *in = input.data(), *out = output.data();
  void *arguments[] = {&in, &out};
  entries[index](arguments);

  Outcome outcome;
  if (output[0] != 0) {
    outcome.failure = messages[output[0] - 1];
    return outcome;
  }
  size_t next = 1;
  auto numbers = [&](const layout::IntTuple &tuple) {
    return tuple.map([&](const layout::Leaf &leaf) {
      return leaf.withInt(layout::Int::constant(output[next++]));
    });
  };
  unsigned nextSymbol = 0;
  AlgebraValue type = readType(results[index], nextSymbol);
  if (auto *tuple = type.getIf<layout::IntTuple>()) {
    outcome.value = numbers(*tuple);
  } else if (auto *layout = type.getIf<layout::AnyLayout>()) {
    layout::IntTuple shape = numbers(layout->getPlain().getShape());
    layout::IntTuple stride = numbers(layout->getPlain().getStride());
    outcome.value = layout::AnyLayout(layout::Layout(shape, stride));
  } else {
    outcome.value = layout::IntTuple(output[next]);
  }
  return outcome;
}
