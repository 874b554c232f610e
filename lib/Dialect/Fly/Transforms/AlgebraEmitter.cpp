// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading operands and emitting results of algebra ops. Expressions are emitted
// as they are, without simplification: `fly-fold` runs behind.

#include "AlgebraEmitter.h"

#include "Fly/Dialect/Fly/IR/FlyNormalForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using fly::layout::Expr;
using fly::layout::ExprKind;
using fly::layout::Int;

namespace fly {

//===----------------------------------------------------------------------===//
// Reading operands
//===----------------------------------------------------------------------===//

void AlgebraEmitter::begin() {
  symbols.clear();
  constants.clear();
  integers.clear();
  booleans.clear();
}

/// Leaves of `value`, in the order of `readType`, by extractor ops.
ArrayRef<Value> AlgebraEmitter::extractLeaves(Value value) {
  auto it = extracted.find(value);
  if (it != extracted.end())
    return it->second;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  SmallVector<Value> leaves;
  // The parts of a part are extracted in turn; a static part needs no op.
  auto extract = [&](auto &&self, Value part) -> void {
    Type type = part.getType();
    if (auto tuple = dyn_cast<IntTupleType>(type)) {
      SmallVector<Type> types;
      tuple.getAttr().walkLeaves([&](Attribute leaf) {
        auto integer = isa<BasisAttr>(leaf) ? cast<BasisAttr>(leaf).getValue()
                                            : cast<IntAttr>(leaf);
        if (integer.isDynamic())
          types.push_back(builder.getIntegerType(integer.getWidth()));
      });
      if (!types.empty())
        llvm::append_range(leaves,
                           GetLeavesOp::create(builder, loc, types, part,
                                               /*dynamicOnly=*/true)
                               .getLeaves());
    } else if (auto layout = dyn_cast<LayoutType>(type)) {
      LayoutAttr attr = layout.getAttr();
      if (!attr.getShape().isStatic())
        self(self, GetShapeOp::create(
                       builder, loc, IntTupleType::get(attr.getShape()), part));
      if (!attr.getStride().isStatic())
        self(self,
             GetStrideOp::create(builder, loc,
                                 IntTupleType::get(attr.getStride()), part));
    } else if (auto composed = dyn_cast<ComposedLayoutType>(type)) {
      ComposedLayoutAttr attr = composed.getAttr();
      auto getType = [](Attribute attr) -> Type {
        if (auto layout = dyn_cast<LayoutAttr>(attr))
          return LayoutType::get(layout);
        return ComposedLayoutType::get(cast<ComposedLayoutAttr>(attr));
      };
      if (isNarrowLayout(attr.getInner()) && !isStaticLayout(attr.getInner()))
        self(self, ComposedGetInnerOp::create(builder, loc,
                                              getType(attr.getInner()), part));
      if (!attr.getOffset().isStatic())
        self(self,
             ComposedGetOffsetOp::create(
                 builder, loc, IntTupleType::get(attr.getOffset()), part));
      if (!isStaticLayout(attr.getOuter()))
        self(self, ComposedGetOuterOp::create(builder, loc,
                                              getType(attr.getOuter()), part));
    } else {
      auto coords = dyn_cast<CoordTensorType>(type);
      if (coords && !coords.getBase().isStatic())
        self(self,
             GetIterOp::create(builder, loc,
                               IntTupleType::get(coords.getBase()), part));
      Attribute layout =
          coords ? coords.getLayout() : cast<MemRefType>(type).getLayout();
      if (!isStaticLayout(layout)) {
        Type layoutType = isa<LayoutAttr>(layout)
                              ? Type(LayoutType::get(cast<LayoutAttr>(layout)))
                              : Type(ComposedLayoutType::get(
                                    cast<ComposedLayoutAttr>(layout)));
        self(self, GetLayoutOp::create(builder, loc, layoutType, part));
      }
    }
  };
  extract(extract, value);
  return extracted[value] = std::move(leaves);
}

void AlgebraEmitter::appendLeaves(Value value, SmallVectorImpl<Value> &out) {
  Type type = value.getType();
  if (!isa<IntTupleType, LayoutType, ComposedLayoutType, CoordTensorType,
           MemRefType>(type) ||
      isStaticType(type))
    return;
  Operation *definition = value.getDefiningOp();
  if (isTupleConstructor(definition))
    return out.append(definition->operand_begin(), definition->operand_end());
  if (isa_and_nonnull<MakeLayoutOp, MakeComposedLayoutOp, MakeViewOp>(
          definition)) {
    for (Value operand : definition->getOperands())
      appendLeaves(operand, out);
    return;
  }
  llvm::append_range(out, extractLeaves(value));
}

Value AlgebraEmitter::getPointer(Value memref) {
  if (auto view = memref.getDefiningOp<MakeViewOp>())
    return view.getIter();
  Value &pointer = pointers[memref];
  if (!pointer) {
    OpBuilder builder(memref.getContext());
    builder.setInsertionPointAfterValue(memref);
    pointer = GetIterOp::create(
        builder, memref.getLoc(),
        cast<MemRefType>(memref.getType()).getPointerType(), memref);
  }
  return pointer;
}

AlgebraValue AlgebraEmitter::read(Value value) {
  unsigned next = symbols.size();
  AlgebraValue read = readType(value.getType(), next);
  if (read.getIf<Scalar>()) {
    symbols.push_back(value);
    return read;
  }
  if (auto *pointer = read.getIf<Pointer>())
    return Pointer{pointer->type, value, std::nullopt};
  appendLeaves(value, symbols);
  assert(symbols.size() == next && "one SSA value for each run-time leaf");
  auto *tensor = read.getIf<Tensor>();
  if (!tensor || tensor->isCoord())
    return read;
  return Tensor{
      Pointer{tensor->pointer().type, getPointer(value), std::nullopt},
      tensor->layout};
}

//===----------------------------------------------------------------------===//
// Emitting expressions
//===----------------------------------------------------------------------===//

Value AlgebraEmitter::getInteger(OpBuilder &builder, Location loc,
                                 const Int &value, unsigned width) {
  Type type = builder.getIntegerType(width);
  if (value.isStatic()) {
    Value &constant = constants[{value.getValue(), width}];
    if (!constant)
      constant = arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(type, value.getValue()));
    return constant;
  }
  Value &integer = integers[value.getExpr()];
  if (!integer)
    integer = arith::ExtUIOp::create(builder, loc, builder.getI32Type(),
                                     booleans.lookup(value.getExpr()));
  if (integer.getType() == type)
    return integer;
  return arith::ExtSIOp::create(builder, loc, type, integer);
}

/// `value != 0` as i1.
Value AlgebraEmitter::getBoolean(OpBuilder &builder, Location loc,
                                 const Int &value) {
  if (value.isStatic())
    return arith::ConstantOp::create(
        builder, loc, builder.getBoolAttr(value.getValue() != 0));
  if (Value boolean = booleans.lookup(value.getExpr()))
    return boolean;
  Value integer = getInteger(builder, loc, value, value.getWidth());
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(integer.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, integer,
                               zero);
}

static std::optional<arith::CmpIPredicate> getPredicate(ExprKind kind) {
  switch (kind) {
  case ExprKind::Lt:
    return arith::CmpIPredicate::slt;
  case ExprKind::Le:
    return arith::CmpIPredicate::sle;
  case ExprKind::Gt:
    return arith::CmpIPredicate::sgt;
  case ExprKind::Ge:
    return arith::CmpIPredicate::sge;
  case ExprKind::Eq:
    return arith::CmpIPredicate::eq;
  case ExprKind::Ne:
    return arith::CmpIPredicate::ne;
  default:
    return std::nullopt;
  }
}

static Value createBinary(OpBuilder &builder, Location loc, ExprKind kind,
                          Value lhs, Value rhs) {
  switch (kind) {
  case ExprKind::Add:
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case ExprKind::Sub:
    return arith::SubIOp::create(builder, loc, lhs, rhs);
  case ExprKind::Mul:
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case ExprKind::Div:
    return arith::DivSIOp::create(builder, loc, lhs, rhs);
  case ExprKind::Rem:
    return arith::RemSIOp::create(builder, loc, lhs, rhs);
  case ExprKind::CeilDiv:
    return arith::CeilDivSIOp::create(builder, loc, lhs, rhs);
  case ExprKind::Min:
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  case ExprKind::Max:
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  case ExprKind::BitAnd:
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  case ExprKind::BitXor:
    return arith::XOrIOp::create(builder, loc, lhs, rhs);
  case ExprKind::ShiftLeft:
    return arith::ShLIOp::create(builder, loc, lhs, rhs);
  case ExprKind::ShiftRight:
    return arith::ShRUIOp::create(builder, loc, lhs, rhs);
  default:
    llvm_unreachable("handled by emitNode");
  }
}

void AlgebraEmitter::emitNode(OpBuilder &builder, Location loc,
                              const Expr &node) {
  ExprKind kind = node.getKind();
  ArrayRef<Int> operands = node.getOperands();
  if (kind == ExprKind::Symbol) {
    integers[&node] = symbols[node.getSymbolId()];
    return;
  }
  if (kind == ExprKind::Extend) {
    Value value = getInteger(builder, loc, operands[0], node.getWidth());
    integers[&node] = value;
    return;
  }
  if (kind == ExprKind::And || kind == ExprKind::Or) {
    Value lhs = getBoolean(builder, loc, operands[0]);
    Value rhs = getBoolean(builder, loc, operands[1]);
    booleans[&node] = kind == ExprKind::And
                          ? Value(arith::AndIOp::create(builder, loc, lhs, rhs))
                          : Value(arith::OrIOp::create(builder, loc, lhs, rhs));
    return;
  }
  if (kind == ExprKind::Not) {
    Value value = getInteger(builder, loc, operands[0], operands[0].getWidth());
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(value.getType()));
    booleans[&node] = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, value, zero);
    return;
  }
  std::optional<arith::CmpIPredicate> predicate = getPredicate(kind);
  unsigned width = node.getWidth();
  if (predicate)
    width = std::max(operands[0].getWidth(), operands[1].getWidth());
  // `*` has no width of its own.
  width = std::max(width, 32u);
  Value lhs = getInteger(builder, loc, operands[0], width);
  Value rhs = getInteger(builder, loc, operands[1], width);
  if (predicate) {
    booleans[&node] = arith::CmpIOp::create(builder, loc, *predicate, lhs, rhs);
    return;
  }
  Value value = createBinary(builder, loc, kind, lhs, rhs);
  integers[&node] = value;
}

void AlgebraEmitter::emit(OpBuilder &builder, Location loc,
                          ArrayRef<AlgebraValue> results) {
  SmallVector<Int> roots;
  for (const AlgebraValue &result : results)
    llvm::append_range(roots, getDynamicLeaves(result));
  SmallVector<const Expr *> nodes = layout::collectExprs(roots);
  for (auto [index, node] : llvm::enumerate(nodes)) {
    // The two constants of a swizzle come before its ops: the folder keeps
    // the order of constants that stand together.
    if (node->getKind() == ExprKind::BitAnd && index + 1 < nodes.size() &&
        nodes[index + 1]->getKind() == ExprKind::ShiftRight)
      for (const Int &operand :
           {node->getOperands()[1], nodes[index + 1]->getOperands()[1]})
        if (operand.isStatic())
          getInteger(builder, loc, operand, node->getWidth());
    emitNode(builder, loc, *node);
  }
}

//===----------------------------------------------------------------------===//
// Building results
//===----------------------------------------------------------------------===//

Value AlgebraEmitter::materializeTuple(OpBuilder &builder, Location loc,
                                       const layout::IntTuple &tuple) {
  SmallVector<Value> leaves;
  for (const Int &leaf : tuple.dynamicInts())
    leaves.push_back(getInteger(builder, loc, leaf, leaf.getWidth()));
  return MakeIntTupleOp::create(
      builder, loc, getTypeOf(builder.getContext(), AlgebraValue(tuple)),
      leaves);
}

Value AlgebraEmitter::materializeLayout(OpBuilder &builder, Location loc,
                                        const layout::AnyLayout &layout) {
  Type type = getTypeOf(builder.getContext(), AlgebraValue(layout));
  if (layout.isPlain()) {
    Value stride =
        materializeTuple(builder, loc, layout.getPlain().getStride());
    Value shape = materializeTuple(builder, loc, layout.getPlain().getShape());
    return MakeLayoutOp::create(builder, loc, type, shape, stride);
  }
  const layout::ComposedLayout &composed = layout.getComposed();
  Value inner = std::visit(
      [&](const auto &map) {
        return materialize(builder, loc, AlgebraValue(map));
      },
      composed.getInner());
  Value offset = materializeTuple(builder, loc, composed.getOffset());
  Value outer = materializeLayout(builder, loc, composed.getOuter());
  return MakeComposedLayoutOp::create(builder, loc, type, inner, offset, outer);
}

Value AlgebraEmitter::materializePointer(OpBuilder &builder, Location loc,
                                         const Pointer &pointer) {
  if (!pointer.offset)
    return pointer.base;
  Value offset = materializeTuple(builder, loc, *pointer.offset);
  return AddOffsetOp::create(builder, loc, pointer.type, pointer.base, offset);
}

Value AlgebraEmitter::materialize(OpBuilder &builder, Location loc,
                                  const AlgebraValue &value) {
  if (auto *scalar = value.getIf<Scalar>())
    return scalar->width == 1
               ? getBoolean(builder, loc, scalar->value)
               : getInteger(builder, loc, scalar->value, scalar->width);
  if (auto *tuple = value.getIf<layout::IntTuple>())
    return materializeTuple(builder, loc, *tuple);
  if (auto *layout = value.getIf<layout::AnyLayout>())
    return materializeLayout(builder, loc, *layout);
  if (auto *pointer = value.getIf<Pointer>())
    return materializePointer(builder, loc, *pointer);
  Type type = getTypeOf(builder.getContext(), value);
  if (auto *tensor = value.getIf<Tensor>()) {
    Value iter = tensor->isCoord()
                     ? materializeTuple(builder, loc, tensor->base())
                     : materializePointer(builder, loc, tensor->pointer());
    Value layout = materializeLayout(builder, loc, tensor->layout);
    return MakeViewOp::create(builder, loc, type, iter, layout);
  }
  if (isStaticType(type))
    return StaticOp::create(builder, loc, type);
  return {};
}

} // namespace fly
