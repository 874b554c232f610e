// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of the attributes of the dialect `fly`.

#include "Fly-c/Attributes.h"

#include "Support.h"

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"

using namespace fly;
using namespace fly::capi;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::ArrayAttr;
using mlir::Attribute;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

// The attribute class of an enumeration, with constructor and accessor. The C
// enumeration has the numbers of the C++ one.
#define FLY_CAPI_ENUM(NAME)                                                    \
  FLY_CAPI_ATTRIBUTE(fly, NAME, NAME##Attr)                                    \
  MlirAttribute fly##NAME##AttrGet(MlirLocation location, Fly##NAME value) {   \
    Construction construction(location, __func__);                             \
    return construction.makeUnverified<NAME##Attr>(                            \
        construction.getEnum(symbolize##NAME(value), value, #NAME));           \
  }                                                                            \
  Fly##NAME fly##NAME##AttrGetValue(MlirAttribute attr) {                      \
    return read<NAME##Attr>(attr, __func__, [](NAME##Attr symbol) {            \
      return static_cast<Fly##NAME>(symbol.getValue());                        \
    });                                                                        \
  }

FLY_CAPI_ENUM(AddressSpace)
FLY_CAPI_ENUM(MmaOperand)
FLY_CAPI_ENUM(AtomicOp)
FLY_CAPI_ENUM(GemmTraversalOrder)
FLY_CAPI_ENUM(CachePolicy)

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

FLY_CAPI_ATTRIBUTE(fly, Int, IntAttr)

MlirAttribute flyIntAttrGetNone(MlirLocation location) {
  Construction construction(location, __func__);
  return construction.makeFrom<IntAttr>(IntAttr::getNone);
}

MlirAttribute flyIntAttrGetStatic(MlirLocation location, int64_t value) {
  Construction construction(location, __func__);
  return construction.makeFrom<IntAttr>([&](mlir::MLIRContext *context) {
    return IntAttr::getStatic(context, value);
  });
}

MlirAttribute flyIntAttrGetDynamic(MlirLocation location, int32_t width,
                                   int64_t divisibility) {
  Construction construction(location, __func__);
  return construction.make<IntAttr>(int64_t(0), width, divisibility, false);
}

bool flyIntAttrIsNone(MlirAttribute attr) {
  return read<IntAttr>(attr, __func__,
                       [](IntAttr leaf) { return leaf.isNone(); });
}

bool flyIntAttrIsStatic(MlirAttribute attr) {
  return read<IntAttr>(attr, __func__,
                       [](IntAttr leaf) { return leaf.isStatic(); });
}

FLY_CAPI_ATTRIBUTE_GET(int64_t, fly, Int, Value)
FLY_CAPI_ATTRIBUTE_GET(int32_t, fly, Int, Width)
FLY_CAPI_ATTRIBUTE_GET(int64_t, fly, Int, Divisibility)

FLY_CAPI_ATTRIBUTE(fly, Basis, BasisAttr)

MlirAttribute flyBasisAttrGet(MlirLocation location, MlirAttribute value,
                              intptr_t numModes, const int32_t *modes) {
  Construction construction(location, __func__);
  auto leaf = construction.get<IntAttr>(value, "value");
  auto path = construction.getList(numModes, modes, "modes");
  return construction.make<BasisAttr>(leaf, path);
}

FLY_CAPI_ATTRIBUTE_GET(MlirAttribute, fly, Basis, Value)

intptr_t flyBasisAttrGetNumModes(MlirAttribute attr) {
  return read<BasisAttr>(attr, __func__, [](BasisAttr basis) {
    return static_cast<intptr_t>(basis.getModes().size());
  });
}

int32_t flyBasisAttrGetMode(MlirAttribute attr, intptr_t pos) {
  return readElement<BasisAttr>(
      attr, pos, __func__, [](BasisAttr basis) { return basis.getModes(); });
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

FLY_CAPI_ATTRIBUTE(fly, IntTuple, IntTupleAttr)

MlirAttribute flyIntTupleAttrGet(MlirLocation location, MlirAttribute value) {
  Construction construction(location, __func__);
  auto held = construction.get(value, "value");
  return construction.make<IntTupleAttr>(held);
}

MlirAttribute flyIntTupleAttrGetStatic(MlirLocation location, int64_t value) {
  Construction construction(location, __func__);
  return construction.makeFrom<IntTupleAttr>([&](mlir::MLIRContext *context) {
    return IntTupleAttr::getStatic(context, value);
  });
}

MlirAttribute flyIntTupleAttrGetFromModes(MlirLocation location,
                                          intptr_t numModes,
                                          const MlirAttribute *modes) {
  Construction construction(location, __func__);
  SmallVector<Attribute> elements;
  for (MlirAttribute mode : construction.getList(numModes, modes, "modes")) {
    auto element = construction.get(mode, "mode");
    // A bare leaf is the tuple of that leaf.
    if (llvm::isa_and_nonnull<IntAttr, BasisAttr>(element))
      element = IntTupleAttr::get(element.getContext(), element);
    elements.push_back(element);
  }
  if (construction.hasFailed())
    return {};
  return construction.make<IntTupleAttr>(
      Attribute(ArrayAttr::get(construction.getContext(), elements)));
}

FLY_CAPI_ATTRIBUTE_GET(MlirAttribute, fly, IntTuple, Value)

intptr_t flyIntTupleAttrGetNumLeaves(MlirAttribute attr) {
  return read<IntTupleAttr>(attr, __func__, [](IntTupleAttr tuple) {
    intptr_t count = 0;
    tuple.walkLeaves([&](Attribute) { ++count; });
    return count;
  });
}

MlirAttribute flyIntTupleAttrGetLeaf(MlirAttribute attr, intptr_t pos) {
  auto tuple = getArgument<IntTupleAttr>(attr, __func__);
  if (!tuple)
    return {};
  SmallVector<Attribute> leaves;
  tuple.walkLeaves([&](Attribute leaf) { leaves.push_back(leaf); });
  if (pos >= 0 && static_cast<size_t>(pos) < leaves.size())
    return wrap(leaves[pos]);
  emitQueryError(tuple.getContext(), __func__)
      << "index " << pos << " is not in [0, " << leaves.size() << ")";
  return {};
}

bool flyIntTupleAttrIsCongruent(MlirAttribute attr, MlirAttribute other) {
  auto tuple = getArgument<IntTupleAttr>(attr, __func__);
  auto otherTuple = getArgument<IntTupleAttr>(other, __func__);
  return tuple && otherTuple && tuple.isCongruent(otherTuple);
}

//===----------------------------------------------------------------------===//
// Layouts and swizzles
//===----------------------------------------------------------------------===//

FLY_CAPI_ATTRIBUTE(fly, Layout, LayoutAttr)

MlirAttribute flyLayoutAttrGet(MlirLocation location, MlirAttribute shape,
                               MlirAttribute stride) {
  Construction construction(location, __func__);
  auto shapeTuple = construction.get<IntTupleAttr>(shape, "shape");
  auto strideTuple = construction.get<IntTupleAttr>(stride, "stride");
  return construction.make<LayoutAttr>(shapeTuple, strideTuple);
}

FLY_CAPI_ATTRIBUTE_GET(MlirAttribute, fly, Layout, Shape)
FLY_CAPI_ATTRIBUTE_GET(MlirAttribute, fly, Layout, Stride)

FLY_CAPI_ATTRIBUTE(fly, Swizzle, SwizzleAttr)

MlirAttribute flySwizzleAttrGet(MlirLocation location, int32_t mask,
                                int32_t base, int32_t shift) {
  Construction construction(location, __func__);
  return construction.make<SwizzleAttr>(mask, base, shift);
}

FLY_CAPI_ATTRIBUTE_GET(int32_t, fly, Swizzle, Mask)
FLY_CAPI_ATTRIBUTE_GET(int32_t, fly, Swizzle, Base)
FLY_CAPI_ATTRIBUTE_GET(int32_t, fly, Swizzle, Shift)

FLY_CAPI_ATTRIBUTE(fly, CoordSwizzle, CoordSwizzleAttr)

MlirAttribute flyCoordSwizzleAttrGet(MlirLocation location, int32_t mask,
                                     int32_t baseRow, intptr_t numModeRow,
                                     const int32_t *modeRow, int32_t baseCol,
                                     intptr_t numModeCol,
                                     const int32_t *modeCol) {
  Construction construction(location, __func__);
  auto row = construction.getList(numModeRow, modeRow, "modeRow");
  auto col = construction.getList(numModeCol, modeCol, "modeCol");
  return construction.make<CoordSwizzleAttr>(mask, baseRow, row, baseCol, col);
}

FLY_CAPI_ATTRIBUTE_GET(int32_t, fly, CoordSwizzle, Mask)
FLY_CAPI_ATTRIBUTE_GET(int32_t, fly, CoordSwizzle, BaseRow)
FLY_CAPI_ATTRIBUTE_GET(int32_t, fly, CoordSwizzle, BaseCol)

intptr_t flyCoordSwizzleAttrGetNumModeRow(MlirAttribute attr) {
  return read<CoordSwizzleAttr>(attr, __func__, [](CoordSwizzleAttr swizzle) {
    return static_cast<intptr_t>(swizzle.getModeRow().size());
  });
}

int32_t flyCoordSwizzleAttrGetModeRow(MlirAttribute attr, intptr_t pos) {
  return readElement<CoordSwizzleAttr>(
      attr, pos, __func__,
      [](CoordSwizzleAttr swizzle) { return swizzle.getModeRow(); });
}

intptr_t flyCoordSwizzleAttrGetNumModeCol(MlirAttribute attr) {
  return read<CoordSwizzleAttr>(attr, __func__, [](CoordSwizzleAttr swizzle) {
    return static_cast<intptr_t>(swizzle.getModeCol().size());
  });
}

int32_t flyCoordSwizzleAttrGetModeCol(MlirAttribute attr, intptr_t pos) {
  return readElement<CoordSwizzleAttr>(
      attr, pos, __func__,
      [](CoordSwizzleAttr swizzle) { return swizzle.getModeCol(); });
}

FLY_CAPI_ATTRIBUTE(fly, ComposedLayout, ComposedLayoutAttr)

MlirAttribute flyComposedLayoutAttrGet(MlirLocation location,
                                       MlirAttribute inner,
                                       MlirAttribute offset,
                                       MlirAttribute outer) {
  Construction construction(location, __func__);
  auto innerMap = construction.get(inner, "inner");
  auto offsetTuple = construction.get<IntTupleAttr>(offset, "offset");
  auto outerLayout = construction.get(outer, "outer");
  return construction.make<ComposedLayoutAttr>(innerMap, offsetTuple,
                                               outerLayout);
}

FLY_CAPI_ATTRIBUTE_GET(MlirAttribute, fly, ComposedLayout, Inner)
FLY_CAPI_ATTRIBUTE_GET(MlirAttribute, fly, ComposedLayout, Offset)
FLY_CAPI_ATTRIBUTE_GET(MlirAttribute, fly, ComposedLayout, Outer)

//===----------------------------------------------------------------------===//
// Tiles and alignments
//===----------------------------------------------------------------------===//

FLY_CAPI_ATTRIBUTE(fly, Tile, TileAttr)

MlirAttribute flyTileAttrGet(MlirLocation location, MlirAttribute value) {
  Construction construction(location, __func__);
  auto held = construction.get(value, "value");
  return construction.make<TileAttr>(held);
}

MlirAttribute flyTileAttrGetFromElements(MlirLocation location,
                                         intptr_t numElements,
                                         const MlirAttribute *elements) {
  Construction construction(location, __func__);
  SmallVector<Attribute> list;
  for (MlirAttribute element :
       construction.getList(numElements, elements, "elements"))
    list.push_back(construction.get(element, "element"));
  if (construction.hasFailed())
    return {};
  return construction.make<TileAttr>(
      Attribute(ArrayAttr::get(construction.getContext(), list)));
}

FLY_CAPI_ATTRIBUTE_GET(MlirAttribute, fly, Tile, Value)

FLY_CAPI_ATTRIBUTE(fly, Align, AlignAttr)

MlirAttribute flyAlignAttrGet(MlirLocation location, int64_t alignment) {
  Construction construction(location, __func__);
  return construction.make<AlignAttr>(alignment);
}

FLY_CAPI_ATTRIBUTE_GET(int64_t, fly, Align, Alignment)

FLY_CAPI_ATTRIBUTE(fly, ExplicitModule, ExplicitModuleAttr)

MlirAttribute flyExplicitModuleAttrGet(MlirLocation location) {
  Construction construction(location, __func__);
  return construction.makeUnverified<ExplicitModuleAttr>();
}
