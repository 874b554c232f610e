// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packing and unpacking of the run-time leaves of tuples, layouts and tensors.
// All three functions walk the same attribute the same way: a part without
// run-time leaves has no field, every other part one.

#include "ValueCarriers.h"

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// Parts: the sub-attributes of a layout or tensor, in carrier order
//===----------------------------------------------------------------------===//

static bool isStaticPart(Attribute part) {
  if (auto tuple = dyn_cast<IntTupleAttr>(part))
    return tuple.isStatic();
  if (auto layout = dyn_cast<LayoutAttr>(part))
    return layout.isStatic();
  if (auto composed = dyn_cast<ComposedLayoutAttr>(part))
    return composed.isStatic();
  // Swizzles.
  return true;
}

/// The parts of a layout or composed layout that may have fields.
static SmallVector<Attribute> getParts(Attribute attr) {
  if (auto layout = dyn_cast<LayoutAttr>(attr))
    return {layout.getShape(), layout.getStride()};
  auto composed = cast<ComposedLayoutAttr>(attr);
  return {composed.getOuter(), composed.getOffset(), composed.getInner()};
}

static Type getPartType(Attribute part) {
  if (auto tuple = dyn_cast<IntTupleAttr>(part))
    return IntTupleType::get(tuple);
  if (auto layout = dyn_cast<LayoutAttr>(part))
    return LayoutType::get(layout);
  if (auto composed = dyn_cast<ComposedLayoutAttr>(part))
    return ComposedLayoutType::get(composed);
  if (auto swizzle = dyn_cast<SwizzleAttr>(part))
    return SwizzleType::get(swizzle);
  return CoordSwizzleType::get(cast<CoordSwizzleAttr>(part));
}

/// The parts of a value that travels as one struct.
static SmallVector<Attribute> getPartsOfType(Type type) {
  if (auto layout = dyn_cast<LayoutType>(type))
    return getParts(layout.getAttr());
  if (auto composed = dyn_cast<ComposedLayoutType>(type))
    return getParts(composed.getAttr());
  auto tensor = cast<CoordTensorType>(type);
  return {tensor.getBase(), tensor.getLayout()};
}

/// The packed struct with a field for each dynamic leaf or part.
static LLVM::LLVMStructType getStruct(MLIRContext *context,
                                      ArrayRef<Attribute> parts);

static LLVM::LLVMStructType getStruct(Attribute attr) {
  MLIRContext *context = attr.getContext();
  auto tuple = dyn_cast<IntTupleAttr>(attr);
  if (!tuple)
    return getStruct(context, getParts(attr));
  SmallVector<Type> fields;
  tuple.walkLeaves([&](Attribute leaf) {
    auto integer = isa<BasisAttr>(leaf) ? cast<BasisAttr>(leaf).getValue()
                                        : cast<IntAttr>(leaf);
    if (integer.isDynamic())
      fields.push_back(IntegerType::get(context, integer.getWidth()));
  });
  return LLVM::LLVMStructType::getLiteral(context, fields, /*isPacked=*/true);
}

static LLVM::LLVMStructType getStruct(MLIRContext *context,
                                      ArrayRef<Attribute> parts) {
  SmallVector<Type> fields;
  for (Attribute part : parts)
    if (!isStaticPart(part))
      fields.push_back(getStruct(part));
  return LLVM::LLVMStructType::getLiteral(context, fields, /*isPacked=*/true);
}

void getCarrierTypes(Type type, SmallVectorImpl<Type> &types) {
  if (isStaticType(type))
    return;
  if (auto memref = dyn_cast<fly::MemRefType>(type)) {
    types.push_back(memref.getPointerType());
    if (!isStaticPart(memref.getLayout()))
      types.push_back(getStruct(memref.getLayout()));
    return;
  }
  if (auto tuple = dyn_cast<IntTupleType>(type))
    types.push_back(getStruct(tuple.getAttr()));
  else if (isa<LayoutType, ComposedLayoutType, CoordTensorType>(type))
    types.push_back(getStruct(type.getContext(), getPartsOfType(type)));
  else
    types.push_back(type);
}

//===----------------------------------------------------------------------===//
// Unpacking
//===----------------------------------------------------------------------===//

static Value unpackTuple(OpBuilder &builder, Location loc, IntTupleAttr tuple,
                         Value carrier) {
  SmallVector<Value> leaves;
  for (int64_t i = 0, e = tuple.getNumDynamicLeaves(); i < e; ++i)
    leaves.push_back(LLVM::ExtractValueOp::create(builder, loc, carrier, i));
  return MakeIntTupleOp::create(builder, loc, IntTupleType::get(tuple), leaves);
}

/// The value of the part `attr`; `carrier` is null if it is static.
static Value unpackPart(OpBuilder &builder, Location loc, Attribute attr,
                        Value carrier) {
  Type type = getPartType(attr);
  if (auto tuple = dyn_cast<IntTupleAttr>(attr))
    return unpackTuple(builder, loc, tuple, carrier);
  if (!carrier)
    return StaticOp::create(builder, loc, type);
  SmallVector<Value> parts;
  int64_t field = 0;
  for (Attribute part : getParts(attr)) {
    Value inner;
    if (!isStaticPart(part))
      inner = LLVM::ExtractValueOp::create(builder, loc, carrier, field++);
    parts.push_back(unpackPart(builder, loc, part, inner));
  }
  if (isa<LayoutAttr>(attr))
    return MakeLayoutOp::create(builder, loc, type, parts[0], parts[1]);
  return MakeComposedLayoutOp::create(builder, loc, type, parts[2], parts[1],
                                      parts[0]);
}

Value unpackValue(OpBuilder &builder, Location loc, Type type,
                  ValueRange carriers) {
  if (carriers.empty())
    return StaticOp::create(builder, loc, type);
  if (auto memref = dyn_cast<fly::MemRefType>(type)) {
    Value layout = unpackPart(builder, loc, memref.getLayout(),
                              carriers.size() > 1 ? carriers[1] : Value());
    return MakeViewOp::create(builder, loc, type, carriers[0], layout);
  }
  if (auto tuple = dyn_cast<IntTupleType>(type))
    return unpackTuple(builder, loc, tuple.getAttr(), carriers[0]);
  if (auto layout = dyn_cast<LayoutType>(type))
    return unpackPart(builder, loc, layout.getAttr(), carriers[0]);
  if (auto composed = dyn_cast<ComposedLayoutType>(type))
    return unpackPart(builder, loc, composed.getAttr(), carriers[0]);
  if (!isa<CoordTensorType>(type))
    return carriers[0];
  SmallVector<Value> parts;
  int64_t field = 0;
  for (Attribute part : getPartsOfType(type)) {
    Value inner;
    if (!isStaticPart(part))
      inner = LLVM::ExtractValueOp::create(builder, loc, carriers[0], field++);
    parts.push_back(unpackPart(builder, loc, part, inner));
  }
  return MakeViewOp::create(builder, loc, type, parts[0], parts[1]);
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// Inserts the dynamic leaves of `value`, a (part of a) tuple, into `carrier`
/// from field `next` on.
static void packLeaves(OpBuilder &builder, Location loc, Value value,
                       Value &carrier, int64_t &next) {
  IntTupleAttr tuple = cast<IntTupleType>(value.getType()).getAttr();
  if (tuple.isStatic())
    return;
  if (tuple.isLeaf()) {
    Attribute leaf = tuple.getValue();
    auto integer = isa<BasisAttr>(leaf) ? cast<BasisAttr>(leaf).getValue()
                                        : cast<IntAttr>(leaf);
    Value scalar = GetScalarOp::create(
        builder, loc, builder.getIntegerType(integer.getWidth()), value);
    carrier =
        LLVM::InsertValueOp::create(builder, loc, carrier, scalar, next++);
    return;
  }
  for (int32_t i = 0, e = tuple.rank(); i < e; ++i) {
    if (tuple.at(i).isStatic())
      continue;
    Value mode = GetOp::create(builder, loc, IntTupleType::get(tuple.at(i)),
                               value, builder.getDenseI32ArrayAttr({i}));
    packLeaves(builder, loc, mode, carrier, next);
  }
}

static Value packPart(OpBuilder &builder, Location loc, Value value);

/// Inserts the non-static ones of `parts` as fields; `read` gives the value of
/// part i.
static Value packParts(OpBuilder &builder, Location loc,
                       ArrayRef<Attribute> parts,
                       function_ref<Value(unsigned, Type)> read) {
  Value carrier = LLVM::UndefOp::create(builder, loc,
                                        getStruct(builder.getContext(), parts));
  int64_t field = 0;
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (isStaticPart(part))
      continue;
    Value inner = packPart(builder, loc, read(index, getPartType(part)));
    carrier =
        LLVM::InsertValueOp::create(builder, loc, carrier, inner, field++);
  }
  return carrier;
}

/// The struct of `value`, which is not static.
static Value packPart(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  if (auto tuple = dyn_cast<IntTupleType>(type)) {
    Value carrier =
        LLVM::UndefOp::create(builder, loc, getStruct(tuple.getAttr()));
    int64_t next = 0;
    packLeaves(builder, loc, value, carrier, next);
    return carrier;
  }
  SmallVector<Attribute> parts = getPartsOfType(type);
  return packParts(
      builder, loc, parts, [&](unsigned index, Type part) -> Value {
        if (isa<LayoutType>(type)) {
          if (index == 0)
            return GetShapeOp::create(builder, loc, part, value);
          return GetStrideOp::create(builder, loc, part, value);
        }
        if (isa<ComposedLayoutType>(type)) {
          if (index == 0)
            return ComposedGetOuterOp::create(builder, loc, part, value);
          if (index == 1)
            return ComposedGetOffsetOp::create(builder, loc, part, value);
          return ComposedGetInnerOp::create(builder, loc, part, value);
        }
        if (index == 0)
          return GetIterOp::create(builder, loc, part, value);
        return GetLayoutOp::create(builder, loc, part, value);
      });
}

SmallVector<Value> packValue(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  if (isStaticType(type))
    return {};
  if (auto memref = dyn_cast<fly::MemRefType>(type)) {
    SmallVector<Value> carriers;
    carriers.push_back(
        GetIterOp::create(builder, loc, memref.getPointerType(), value));
    if (!isStaticPart(memref.getLayout())) {
      Value layout = GetLayoutOp::create(
          builder, loc, getPartType(memref.getLayout()), value);
      carriers.push_back(packPart(builder, loc, layout));
    }
    return carriers;
  }
  if (isa<IntTupleType, LayoutType, ComposedLayoutType, CoordTensorType>(type))
    return {packPart(builder, loc, value)};
  return {value};
}

} // namespace fly
