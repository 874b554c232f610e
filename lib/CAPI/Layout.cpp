// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C API of queries and computations on tuples, layouts and tiles: lib/Layout on
// the values of attributes.

#include "Fly-c/Layout.h"

#include "Support.h"

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"

#include "mlir/CAPI/Utils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace fly;
using namespace fly::capi;
using mlir::Attribute;

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

void flyAttributePrintBody(MlirAttribute attr, MlirStringCallback callback,
                           void *userData) {
  if (!attr.ptr)
    return;
  mlir::detail::CallbackOstream stream(callback, userData);
  printBody(stream, unwrap(attr));
}

/// What `query` answers of the attribute as the class that it is, one of Ts.
template <typename... Ts, typename FnT>
static auto readAny(MlirAttribute wrapped, const char *function,
                    const char *expected, FnT query)
    -> decltype(query(LayoutAttr())) {
  using ResultT = decltype(query(LayoutAttr()));
  Attribute attr = unwrap(wrapped);
  if (!attr)
    return ResultT{};
  return llvm::TypeSwitch<Attribute, ResultT>(attr)
      .template Case<Ts...>(query)
      .Default([&](Attribute) {
        emitQueryError(attr.getContext(), function)
            << "expected " << expected << ", got " << attr;
        return ResultT{};
      });
}

template <typename FnT>
static auto readStructure(MlirAttribute attr, const char *function, FnT query) {
  return readAny<IntTupleAttr, LayoutAttr, ComposedLayoutAttr, TileAttr>(
      attr, function, "an int tuple, a layout or a tile", query);
}

bool flyAttributeIsLeaf(MlirAttribute structure) {
  return readStructure(structure, __func__,
                       [](auto attr) { return attr.isLeaf(); });
}

int32_t flyAttributeGetRank(MlirAttribute structure) {
  return readStructure(structure, __func__,
                       [](auto attr) { return attr.rank(); });
}

int32_t flyAttributeGetDepth(MlirAttribute structure) {
  return readStructure(structure, __func__, [](auto attr) -> int32_t {
    if constexpr (std::is_same_v<decltype(attr), TileAttr>) {
      unsigned nextSymbol = 0;
      return toValue(attr, nextSymbol).depth();
    } else {
      return attr.depth();
    }
  });
}

MlirAttribute flyAttributeGetMode(MlirAttribute structure, int32_t pos) {
  return readStructure(structure, __func__, [&](auto attr) -> MlirAttribute {
    if (pos >= 0 && pos < attr.rank())
      return wrap(Attribute(attr.at(pos)));
    emitQueryError(attr.getContext(), "flyAttributeGetMode")
        << "index " << pos << " is not in [0, " << attr.rank() << ")";
    return {};
  });
}

bool flyAttributeIsStatic(MlirAttribute structure) {
  return readStructure(structure, __func__, [](auto attr) {
    if constexpr (std::is_same_v<decltype(attr), TileAttr>) {
      unsigned nextSymbol = 0;
      return toValue(attr, nextSymbol).isStatic();
    } else {
      return attr.isStatic();
    }
  });
}

intptr_t flyAttributeGetNumDynamicLeaves(MlirAttribute structure) {
  return readStructure(structure, __func__, [](auto attr) {
    // Reading numbers the run-time leaves.
    unsigned nextSymbol = 0;
    (void)toValue(attr, nextSymbol);
    return static_cast<intptr_t>(nextSymbol);
  });
}

MlirAttribute flyLayoutGetLinear(MlirAttribute layout) {
  return readAny<LayoutAttr, ComposedLayoutAttr>(
      layout, __func__, "a layout",
      [](auto attr) { return wrap(getLinearLayout(attr)); });
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

/// The attribute of a result, or null with its error at the location.
template <typename T>
static MlirAttribute finish(Construction &construction,
                            layout::Result<T> result) {
  if (result)
    return wrap(Attribute(toAttr(construction.getContext(), *result)));
  mlir::emitError(construction.getLocation()) << result.error().str();
  return {};
}

/// The argument `name`, which must be a plain or a composed layout.
static Attribute getLayout(Construction &construction, MlirAttribute wrapped,
                           const char *name) {
  Attribute attr = construction.get(wrapped, name);
  if (!construction.hasFailed() && !isNarrowLayout(attr))
    construction.error() << name << " must be a layout, got " << attr;
  return attr;
}

MlirAttribute flyLayoutGetSize(MlirLocation location,
                               MlirAttribute layoutOrShape) {
  Construction construction(location, __func__);
  Attribute attr = construction.get(layoutOrShape, "layoutOrShape");
  if (construction.hasFailed())
    return {};
  auto shape = llvm::dyn_cast<IntTupleAttr>(attr);
  if (!shape) {
    attr = getLayout(construction, layoutOrShape, "layoutOrShape");
    if (construction.hasFailed())
      return {};
    shape = getLinearLayout(attr).getShape();
  }
  unsigned nextSymbol = 0;
  return finish(construction, layout::size(toValue(shape, nextSymbol)));
}

MlirAttribute flyLayoutGetCosize(MlirLocation location, MlirAttribute layout) {
  Construction construction(location, __func__);
  Attribute attr = getLayout(construction, layout, "layout");
  if (construction.hasFailed())
    return {};
  unsigned nextSymbol = 0;
  return finish(construction, layout::cosize(toLayoutValue(attr, nextSymbol)));
}

MlirAttribute flyLayoutCrd2Idx(MlirLocation location, MlirAttribute coord,
                               MlirAttribute layout) {
  Construction construction(location, __func__);
  auto coordinate = construction.get<IntTupleAttr>(coord, "coord");
  Attribute attr = getLayout(construction, layout, "layout");
  if (construction.hasFailed())
    return {};
  unsigned nextSymbol = 0;
  layout::IntTuple value = toValue(coordinate, nextSymbol);
  return finish(construction,
                layout::crd2idx(value, toLayoutValue(attr, nextSymbol)));
}

MlirAttribute flyLayoutIdx2Crd(MlirLocation location, MlirAttribute index,
                               MlirAttribute layout) {
  Construction construction(location, __func__);
  auto tuple = construction.get<IntTupleAttr>(index, "index");
  auto plain = construction.get<LayoutAttr>(layout, "layout");
  if (construction.hasFailed())
    return {};
  unsigned nextSymbol = 0;
  layout::IntTuple value = toValue(tuple, nextSymbol);
  return finish(construction,
                layout::idx2crd(value, toValue(plain, nextSymbol)));
}
