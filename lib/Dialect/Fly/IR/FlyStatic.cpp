// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The normal form of values, and how the one value of a static type is made in
// it.

#include "Fly/Dialect/Fly/IR/FlyNormalForm.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// Normal form
//===----------------------------------------------------------------------===//

bool isTupleConstructor(Operation *op) {
  return isa_and_nonnull<MakeIntTupleOp, MakeShapeOp, MakeStrideOp,
                         MakeCoordOp>(op);
}

// Recursion is bounded by the nesting of composed layouts.
bool isNormalForm(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<MakeIntTupleOp>(op))
    return true;
  if (auto layout = dyn_cast<MakeLayoutOp>(op))
    return isNormalForm(layout.getShape()) && isNormalForm(layout.getStride());
  auto composed = dyn_cast<MakeComposedLayoutOp>(op);
  if (!composed)
    return false;
  Value inner = composed.getInner();
  bool innerNormal = isa<SwizzleType, CoordSwizzleType>(inner.getType()) ||
                     isNormalForm(inner);
  return innerNormal && isNormalForm(composed.getOffset()) &&
         isNormalForm(composed.getOuter());
}

bool isWeaklyNormalTensor(Value value) {
  auto view = value.getDefiningOp<MakeViewOp>();
  return view && isNormalForm(view.getLayout());
}

//===----------------------------------------------------------------------===//
// Static values
//===----------------------------------------------------------------------===//

/// `current` is what an op of type OpT defines.
template <typename OpT>
static bool isDefinedBy(Value current) {
  return current && current.getDefiningOp<OpT>();
}

namespace {
/// Creates static values at one place.
class StaticBuilder {
public:
  StaticBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  Value tuple(IntTupleAttr attr) {
    return MakeIntTupleOp::create(builder, loc, IntTupleType::get(attr),
                                  ValueRange{});
  }

  Value layout(LayoutAttr attr) {
    Value shape = tuple(attr.getShape());
    Value stride = tuple(attr.getStride());
    return MakeLayoutOp::create(builder, loc, LayoutType::get(attr), shape,
                                stride);
  }

  Value composed(ComposedLayoutAttr attr) {
    Value inner = innerMap(attr.getInner());
    Value offset = tuple(attr.getOffset());
    Value outer = narrow(attr.getOuter());
    return MakeComposedLayoutOp::create(
        builder, loc, ComposedLayoutType::get(attr), inner, offset, outer);
  }

  Value narrow(Attribute attr) {
    if (auto plain = dyn_cast<LayoutAttr>(attr))
      return layout(plain);
    return composed(cast<ComposedLayoutAttr>(attr));
  }

  Value constant(Type type) { return StaticOp::create(builder, loc, type); }

  Value coordTensor(CoordTensorType type) {
    Value base = tuple(type.getBase());
    Value layout = narrow(type.getLayout());
    return MakeViewOp::create(builder, loc, type, base, layout);
  }

  Value copyAtom(CopyAtomType type) {
    return MakeCopyAtomOp::create(builder, loc, type, ValueRange{},
                                  builder.getI32IntegerAttr(type.getValBits()));
  }

  Value mmaAtom(MmaAtomType type) {
    return MakeMmaAtomOp::create(builder, loc, type);
  }

  Value tiledCopy(TiledCopyType type) {
    Value atom = copyAtom(type.getAtom());
    Value layoutThrVal = layout(type.getLayoutThrVal().getAttr());
    Value tile = constant(type.getTileMN());
    return MakeTiledCopyOp::create(builder, loc, type, atom, layoutThrVal,
                                   tile);
  }

  Value tiledMma(TiledMmaType type) {
    Value atom = mmaAtom(type.getAtom());
    Value atomLayout = layout(type.getAtomLayout().getAttr());
    Value permutation = constant(type.getPermutation());
    return MakeTiledMmaOp::create(builder, loc, type, atom, atomLayout,
                                  permutation);
  }

private:
  Value innerMap(Attribute attr) {
    if (auto swizzle = dyn_cast<SwizzleAttr>(attr))
      return constant(SwizzleType::get(swizzle));
    if (auto swizzle = dyn_cast<CoordSwizzleAttr>(attr))
      return constant(CoordSwizzleType::get(swizzle));
    return narrow(attr);
  }

  OpBuilder &builder;
  Location loc;
};
} // namespace

Value rebuildStaticValueOf(Type type, OpBuilder &builder, Location loc,
                           Value current) {
  StaticBuilder make(builder, loc);
  bool normal = current && isNormalForm(current);
  return llvm::TypeSwitch<Type, Value>(type)
      .Case([&](IntTupleType tuple) {
        return normal ? Value() : make.tuple(tuple.getAttr());
      })
      .Case([&](LayoutType layout) {
        return normal ? Value() : make.layout(layout.getAttr());
      })
      .Case([&](ComposedLayoutType layout) {
        return normal ? Value() : make.composed(layout.getAttr());
      })
      .Case([&](CoordTensorType tensor) {
        return current && isWeaklyNormalTensor(current)
                   ? Value()
                   : make.coordTensor(tensor);
      })
      .Case<SwizzleType, CoordSwizzleType, TileType>([&](Type constant) {
        return current ? Value() : make.constant(constant);
      })
      .Case([&](CopyAtomType atom) {
        return isDefinedBy<MakeCopyAtomOp>(current) ? Value()
                                                    : make.copyAtom(atom);
      })
      .Case([&](MmaAtomType atom) {
        return isDefinedBy<MakeMmaAtomOp>(current) ? Value()
                                                   : make.mmaAtom(atom);
      })
      .Case([&](TiledCopyType tiled) {
        return isDefinedBy<MakeTiledCopyOp>(current) ? Value()
                                                     : make.tiledCopy(tiled);
      })
      .Case([&](TiledMmaType tiled) {
        return isDefinedBy<MakeTiledMmaOp>(current) ? Value()
                                                    : make.tiledMma(tiled);
      })
      .Case([&](CopyAtomTypeInterface op) {
        if (isDefinedBy<MakeCopyAtomOp>(current))
          return Value();
        return make.copyAtom(CopyAtomType::get(op, op.getDefaultValBits()));
      })
      .Case([&](MmaAtomTypeInterface op) {
        if (isDefinedBy<MakeMmaAtomOp>(current))
          return Value();
        return make.mmaAtom(MmaAtomType::get(op));
      })
      .Default([](Type) { return Value(); });
}

} // namespace fly
