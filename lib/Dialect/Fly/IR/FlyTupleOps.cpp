// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Int tuples: construction, extraction, arithmetic, comparison, and the
// structural operations on tuples, layouts and tensors.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "OpSupport.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

/// One operand per dynamic leaf, as wide as the leaf (c1, c2 of each
/// constructor).
static LogicalResult verifyLeaves(Operation *op, ValueRange leaves,
                                  IntTupleType type) {
  SmallVector<IntAttr> dynamic;
  type.getAttr().walkLeaves([&](Attribute leaf) {
    if (auto basis = dyn_cast<BasisAttr>(leaf))
      leaf = basis.getValue();
    if (cast<IntAttr>(leaf).isDynamic())
      dynamic.push_back(cast<IntAttr>(leaf));
  });
  StringRef name = op->getName().stripDialect();
  // make_int_tuple_c1 make_shape_c1 make_stride_c1 make_coord_c1
  if (dynamic.size() != leaves.size())
    return op->emitOpError("expected ")
           << dynamic.size() << " operands, one per dynamic leaf of " << type
           << ", got " << leaves.size() << " [" << name << "_c1]";
  // make_int_tuple_c2 make_shape_c2 make_stride_c2 make_coord_c2
  for (auto [index, operand, leaf] : llvm::enumerate(leaves, dynamic))
    if (!operand.getType().isSignlessInteger(leaf.getWidth()))
      return op->emitOpError("operand #")
             << index << " must be i" << leaf.getWidth() << " as dynamic leaf "
             << index << " of " << type << ", got " << operand.getType() << " ["
             << name << "_c2]";
  return success();
}

/// The tuple of `type` with `operands` at its dynamic leaves.
static AlgebraResult evaluateConstructor(Operation *op,
                                         ArrayRef<AlgebraValue> operands) {
  auto type = cast<IntTupleType>(op->getResult(0).getType());
  unsigned nextSymbol = 0;
  layout::IntTuple spelled = toValue(type.getAttr(), nextSymbol);
  size_t next = 0;
  layout::IntTuple tuple = spelled.map([&](const layout::Leaf &leaf) {
    if (!leaf.isDynamic() || next >= operands.size())
      return leaf;
    auto *scalar = operands[next++].getIf<Scalar>();
    return scalar ? leaf.withInt(scalar->value) : leaf;
  });
  return single(tuple);
}

LogicalResult MakeIntTupleOp::verify() {
  return verifyLeaves(*this, getLeaves(), getType());
}
AlgebraResult MakeIntTupleOp::evaluate(Operation *op,
                                       ArrayRef<AlgebraValue> operands) {
  return evaluateConstructor(op, operands);
}

LogicalResult MakeShapeOp::verify() {
  return verifyLeaves(*this, getLeaves(), getType());
}
AlgebraResult MakeShapeOp::evaluate(Operation *op,
                                    ArrayRef<AlgebraValue> operands) {
  return evaluateConstructor(op, operands);
}

LogicalResult MakeStrideOp::verify() {
  return verifyLeaves(*this, getLeaves(), getType());
}
AlgebraResult MakeStrideOp::evaluate(Operation *op,
                                     ArrayRef<AlgebraValue> operands) {
  return evaluateConstructor(op, operands);
}

LogicalResult MakeCoordOp::verify() {
  return verifyLeaves(*this, getLeaves(), getType());
}
AlgebraResult MakeCoordOp::evaluate(Operation *op,
                                    ArrayRef<AlgebraValue> operands) {
  return evaluateConstructor(op, operands);
}

//===----------------------------------------------------------------------===//
// Extractors
//===----------------------------------------------------------------------===//

/// A leaf outside of its tuple: `*` is 0, a basis element its value.
static Scalar toScalar(const layout::Leaf &leaf) {
  const layout::Int &value = leaf.getInt();
  if (value.isNone())
    return Scalar{layout::Int::constant(0), 32};
  return Scalar{value, value.getWidth()};
}

AlgebraResult GetScalarOp::evaluate(Adaptor adaptor,
                                    ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(tuple, in.tuple(0, "input"));
  layout::IntTuple leaf = layout::unwrap(tuple);
  // get_scalar_c1
  if (!leaf.isLeaf())
    return in.wrong(0, "expected a scalar IntTuple", "get_scalar_c1");
  return single(toScalar(leaf.getLeaf()));
}

AlgebraResult GetLeavesOp::evaluate(Adaptor adaptor,
                                    ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(tuple, in.tuple(0, "input"));
  // Builders of the C API infer without properties if there are no attributes;
  // the accessor of the default value reads them.
  BoolAttr attr = adaptor.getProperties().dynamicOnly;
  bool dynamicOnly = attr && attr.getValue();
  SmallVector<AlgebraValue, 1> leaves;
  tuple.forEachLeaf([&](const layout::Leaf &leaf) {
    if (!dynamicOnly || leaf.isDynamic())
      leaves.push_back(toScalar(leaf));
  });
  return leaves;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

using BinaryFn = layout::Result<layout::IntTuple> (*)(const layout::IntTuple &,
                                                      const layout::IntTuple &);

static AlgebraResult evaluateBinary(const Operands &in, BinaryFn fn) {
  FLY_TRY(lhs, in.tuple(0, "lhs"));
  FLY_TRY(rhs, in.tuple(1, "rhs"));
  return single(fn(lhs, rhs));
}

AlgebraResult IntTupleAddOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  return evaluateBinary({adaptor.getOperands(), operands}, layout::add);
}

AlgebraResult IntTupleSubOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  return evaluateBinary({adaptor.getOperands(), operands}, layout::sub);
}

AlgebraResult IntTupleMulOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  return evaluateBinary({adaptor.getOperands(), operands}, layout::mul);
}

AlgebraResult IntTupleDivOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  return evaluateBinary({adaptor.getOperands(), operands}, layout::div);
}

AlgebraResult IntTupleModOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  return evaluateBinary({adaptor.getOperands(), operands}, layout::mod);
}

AlgebraResult IntTupleProductLikeOp::evaluate(Adaptor adaptor,
                                              ArrayRef<AlgebraValue> operands) {
  return evaluateBinary({adaptor.getOperands(), operands}, layout::productLike);
}

AlgebraResult ShapeDivOp::evaluate(Adaptor adaptor,
                                   ArrayRef<AlgebraValue> operands) {
  return evaluateBinary({adaptor.getOperands(), operands}, layout::shapeDiv);
}

AlgebraResult CeilDivOp::evaluate(Adaptor adaptor,
                                  ArrayRef<AlgebraValue> operands) {
  return evaluateBinary({adaptor.getOperands(), operands}, layout::ceilDiv);
}

AlgebraResult IntTupleProductOp::evaluate(Adaptor adaptor,
                                          ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(input, in.tuple(0, "input"));
  FLY_TRY(product, layout::product(input));
  return single(layout::IntTuple(product));
}

AlgebraResult IntTupleProductEachOp::evaluate(Adaptor adaptor,
                                              ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(input, in.tuple(0, "input"));
  return single(layout::productEach(input));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

AlgebraResult ElemLessOp::evaluate(Adaptor adaptor,
                                   ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(lhs, in.tuple(0, "lhs"));
  FLY_TRY(rhs, in.tuple(1, "rhs"));
  FLY_TRY(less, layout::elemLess(lhs, rhs));
  return single(Scalar{less, 1});
}

AlgebraResult EqualOp::evaluate(Adaptor adaptor,
                                ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(lhs, in.tuple(0, "lhs"));
  FLY_TRY(rhs, in.tuple(1, "rhs"));
  return single(Scalar{layout::equal(lhs, rhs), 1});
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// An operation that exists on tuples and, on shape and stride, on layouts: on
/// a tensor it acts on the layout, the iterator is kept.
template <typename Fn>
static AlgebraResult onTupleOrLayout(const Operands &in, Fn &&fn) {
  if (in.size() > 0) {
    if (auto *tuple = in[0].getIf<layout::IntTuple>())
      return single(fn(*tuple));
    if (auto *layout = in[0].getIf<layout::AnyLayout>())
      return single(fn(*layout));
    if (auto *tensor = in[0].getIf<Tensor>()) {
      FLY_TRY(layout, fn(tensor->layout));
      return single(Tensor{tensor->iter, layout});
    }
  }
  return in.unsupported(0);
}

AlgebraResult GetOp::evaluate(Adaptor adaptor,
                              ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  ArrayRef<int32_t> mode = adaptor.getMode();
  auto *tensor = in.size() ? in[0].getIf<Tensor>() : nullptr;
  if (tensor && tensor->isCoord()) {
    // The one operation that takes the base of a coordinate tensor along.
    FLY_TRY(base, layout::get(tensor->base(), mode));
    FLY_TRY(layout, layout::get(tensor->layout, mode));
    return single(Tensor{base, layout});
  }
  return onTupleOrLayout(
      in, [&](const auto &input) { return layout::get(input, mode); });
}

AlgebraResult TakeOp::evaluate(Adaptor adaptor,
                               ArrayRef<AlgebraValue> operands) {
  int32_t begin = adaptor.getBegin(), end = adaptor.getEnd();
  return onTupleOrLayout(
      {adaptor.getOperands(), operands},
      [&](const auto &input) { return layout::take(input, begin, end); });
}

AlgebraResult SelectOp::evaluate(Adaptor adaptor,
                                 ArrayRef<AlgebraValue> operands) {
  ArrayRef<int32_t> indices = adaptor.getIndices();
  return onTupleOrLayout(
      {adaptor.getOperands(), operands},
      [&](const auto &input) { return layout::select(input, indices); });
}

AlgebraResult GroupOp::evaluate(Adaptor adaptor,
                                ArrayRef<AlgebraValue> operands) {
  int32_t begin = adaptor.getBegin(), end = adaptor.getEnd();
  return onTupleOrLayout(
      {adaptor.getOperands(), operands},
      [&](const auto &input) { return layout::group(input, begin, end); });
}

ParseResult fly::parseExtendRank(OpAsmParser &parser, IntegerAttr &n) {
  bool isAngle = succeeded(parser.parseOptionalLess());
  if (!isAngle && failed(parser.parseOptionalLSquare()))
    return success();
  if (parser.parseAttribute(n, parser.getBuilder().getI32Type()))
    return failure();
  return isAngle ? parser.parseGreater() : parser.parseRSquare();
}

void fly::printExtendRank(OpAsmPrinter &printer, Operation *, IntegerAttr n) {
  if (n)
    printer << "[" << n.getInt() << "]";
  printer << " ";
}

/// `append` and `prepend`: `fn(tuple, elem)` on tuples and on layouts.
template <typename Fn>
static AlgebraResult evaluateExtend(const Operands &in, const char *label,
                                    Fn &&fn) {
  if (in.size() < 2)
    return in.unsupported(1);
  auto *elemLayout = in[1].getIf<layout::AnyLayout>();
  if (auto *tuple = in[0].getIf<layout::IntTuple>()) {
    if (auto *elem = in[1].getIf<layout::IntTuple>())
      return single(fn(*tuple, *elem));
  } else if (auto *layout = in[0].getIf<layout::AnyLayout>()) {
    if (elemLayout && elemLayout->isPlain())
      return single(fn(*layout, elemLayout->getPlain()));
    if (layout->isComposed())
      return in.wrong(1, "elem must be LayoutType when tuple is ComposedLayout",
                      label);
  } else {
    return in.unsupported(0);
  }
  return in.wrong(1,
                  "tuple and elem must be the same category; elem must be " +
                      StringRef(in[0].getIf<layout::IntTuple>() ? "IntTupleType"
                                                                : "LayoutType"),
                  label);
}

/// The optional rank of `append` and `prepend`.
static std::optional<int32_t> toRank(std::optional<uint32_t> n) {
  if (!n)
    return std::nullopt;
  return static_cast<int32_t>(*n);
}

AlgebraResult AppendOp::evaluate(Adaptor adaptor,
                                 ArrayRef<AlgebraValue> operands) {
  std::optional<int32_t> n = toRank(adaptor.getN());
  return evaluateExtend({adaptor.getOperands(), operands}, "append_c2",
                        [&](const auto &tuple, const auto &elem) {
                          return layout::append(tuple, elem, n);
                        });
}

AlgebraResult PrependOp::evaluate(Adaptor adaptor,
                                  ArrayRef<AlgebraValue> operands) {
  std::optional<int32_t> n = toRank(adaptor.getN());
  return evaluateExtend({adaptor.getOperands(), operands}, "prepend_c2",
                        [&](const auto &tuple, const auto &elem) {
                          return layout::prepend(tuple, elem, n);
                        });
}

AlgebraResult SliceOp::evaluate(Adaptor adaptor,
                                ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(coord, in.tuple(1, "coord"));
  auto *tensor = in[0].getIf<Tensor>();
  if (!tensor || tensor->layout.isComposed())
    return onTupleOrLayout(
        in, [&](const auto &src) { return layout::slice(src, coord); });

  // The fixed coordinates of a plain layout move the iterator.
  FLY_TRY(layout, layout::slice(tensor->layout, coord));
  FLY_TRY(offset, layout::sliceOffset(tensor->layout.getPlain(), coord));
  FLY_TRY(moved, moveIterator(*tensor, offset));
  moved.layout = layout;
  return single(moved);
}

AlgebraResult DiceOp::evaluate(Adaptor adaptor,
                               ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(coord, in.tuple(1, "coord"));
  if (auto *tuple = in[0].getIf<layout::IntTuple>())
    return single(layout::dice(*tuple, coord));
  auto *layout = in[0].getIf<layout::AnyLayout>();
  if (!layout || !layout->isPlain())
    return in.wrong(0, "expected IntTupleType or LayoutType");
  FLY_TRY(diced, layout::dice(layout->getPlain(), coord));
  return single(layout::AnyLayout(diced));
}
