// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructors of the algebra's attributes from Python values.

#include "Structure.h"

using namespace fly::python;

MlirAttribute fly::python::makeBasis(MlirContext context, nb::handle value,
                                     const std::vector<int32_t> &modes,
                                     const char *function) {
  MlirAttribute leaf = toIntLeaf(context, value, function);
  return construct(context, function, [&](MlirLocation location) {
    return flyBasisAttrGet(location, leaf, modes.size(), modes.data());
  });
}

std::vector<int32_t> fly::python::getBasisModes(MlirAttribute basis) {
  std::vector<int32_t> modes(flyBasisAttrGetNumModes(basis));
  for (size_t i = 0; i < modes.size(); ++i)
    modes[i] = flyBasisAttrGetMode(basis, i);
  return modes;
}

MlirAttribute fly::python::makeLayout(MlirContext context, nb::handle shape,
                                      nb::handle stride,
                                      const char *function) {
  MlirAttribute shapeAttr = toIntTuple(context, shape, function);
  MlirAttribute strideAttr = toIntTuple(context, stride, function);
  return construct(context, function, [&](MlirLocation location) {
    return flyLayoutAttrGet(location, shapeAttr, strideAttr);
  });
}

MlirAttribute fly::python::makeSwizzle(MlirContext context, int mask, int base,
                                       int shift, const char *function) {
  return construct(context, function, [&](MlirLocation location) {
    return flySwizzleAttrGet(location, mask, base, shift);
  });
}

/// A mode number or a path of them.
static std::vector<int32_t> toPath(nb::handle object, const char *function) {
  int32_t mode;
  if (nb::try_cast(object, mode))
    return {mode};
  std::vector<int32_t> path;
  if (nb::try_cast(object, path))
    return path;
  raiseType(function, "a mode number or a sequence of mode numbers", object);
}

MlirAttribute fly::python::makeCoordSwizzle(MlirContext context, int mask,
                                            int baseRow, nb::handle modeRow,
                                            int baseCol, nb::handle modeCol,
                                            const char *function) {
  std::vector<int32_t> row = toPath(modeRow, function);
  std::vector<int32_t> col = toPath(modeCol, function);
  return construct(context, function, [&](MlirLocation location) {
    return flyCoordSwizzleAttrGet(location, mask, baseRow, row.size(),
                                  row.data(), baseCol, col.size(), col.data());
  });
}

std::vector<int32_t> fly::python::getModeRow(MlirAttribute attr) {
  std::vector<int32_t> path(flyCoordSwizzleAttrGetNumModeRow(attr));
  for (size_t i = 0; i < path.size(); ++i)
    path[i] = flyCoordSwizzleAttrGetModeRow(attr, i);
  return path;
}

std::vector<int32_t> fly::python::getModeCol(MlirAttribute attr) {
  std::vector<int32_t> path(flyCoordSwizzleAttrGetNumModeCol(attr));
  for (size_t i = 0; i < path.size(); ++i)
    path[i] = flyCoordSwizzleAttrGetModeCol(attr, i);
  return path;
}

MlirAttribute fly::python::makeComposedLayout(MlirContext context,
                                              nb::handle inner,
                                              nb::handle offset,
                                              nb::handle outer,
                                              const char *function) {
  MlirAttribute innerAttr = getHeldAttribute(inner);
  if (!innerAttr.ptr)
    raiseType(function, "a swizzle or a layout as inner map", inner);
  MlirAttribute offsetAttr = toIntTuple(context, offset, function);
  MlirAttribute outerAttr = toLayout(context, outer, function);
  return construct(context, function, [&](MlirLocation location) {
    return flyComposedLayoutAttrGet(location, innerAttr, offsetAttr, outerAttr);
  });
}

nb::object fly::python::wrapAsType(const mp::PyMlirContextRef &context,
                                   MlirAttribute attr) {
  MlirType (*get)(MlirLocation, MlirAttribute) = nullptr;
  if (flyAttributeIsAInt(attr))
    return fromIntLeaf(context, attr);
  if (flyAttributeIsAIntTuple(attr))
    get = flyIntTupleTypeGet;
  else if (flyAttributeIsABasis(attr))
    get = flyBasisTypeGet;
  else if (flyAttributeIsALayout(attr))
    get = flyLayoutTypeGet;
  else if (flyAttributeIsAComposedLayout(attr))
    get = flyComposedLayoutTypeGet;
  else if (flyAttributeIsASwizzle(attr))
    get = flySwizzleTypeGet;
  else if (flyAttributeIsACoordSwizzle(attr))
    get = flyCoordSwizzleTypeGet;
  else if (flyAttributeIsATile(attr))
    get = flyTileTypeGet;
  if (!get)
    return wrap(context, attr);
  MlirContext raw = mlirAttributeGetContext(attr);
  return wrap(context, construct(raw, "type", [&](MlirLocation location) {
                return get(location, attr);
              }));
}

nb::object fly::python::toPython(const mp::PyMlirContextRef &context,
                                 MlirAttribute tuple) {
  if (flyAttributeIsAIntTuple(tuple) && !flyAttributeIsLeaf(tuple)) {
    nb::list modes;
    for (int32_t i = 0, e = flyAttributeGetRank(tuple); i < e; ++i)
      modes.append(toPython(context, flyAttributeGetMode(tuple, i)));
    return nb::tuple(modes);
  }
  if (flyAttributeIsAIntTuple(tuple))
    tuple = flyIntTupleAttrGetValue(tuple);
  return fromIntLeaf(context, tuple);
}
