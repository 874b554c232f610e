// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constructors and accessors that an attribute of the algebra and the type that
// holds it have in common.

#ifndef FLY_PYTHON_BINDINGS_LIB_STRUCTURE_H
#define FLY_PYTHON_BINDINGS_LIB_STRUCTURE_H

#include "Support.h"

#include "Fly-c/Attributes.h"
#include "Fly-c/Layout.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <vector>

namespace fly::python {

MlirAttribute makeBasis(MlirContext context, nb::handle value,
                        const std::vector<int32_t> &modes,
                        const char *function);
std::vector<int32_t> getBasisModes(MlirAttribute basis);
MlirAttribute makeLayout(MlirContext context, nb::handle shape,
                         nb::handle stride, const char *function);
MlirAttribute makeSwizzle(MlirContext context, int mask, int base, int shift,
                          const char *function);
MlirAttribute makeCoordSwizzle(MlirContext context, int mask, int baseRow,
                               nb::handle modeRow, int baseCol,
                               nb::handle modeCol, const char *function);
MlirAttribute makeComposedLayout(MlirContext context, nb::handle inner,
                                 nb::handle offset, nb::handle outer,
                                 const char *function);

/// The type that holds this attribute of the algebra, wrapped; other attributes
/// as they are.
nb::object wrapAsType(const mp::PyMlirContextRef &context, MlirAttribute attr);

/// A nested tuple of ints, `None`, BasisAttr and, for run-time leaves, IntAttr.
nb::object toPython(const mp::PyMlirContextRef &context, MlirAttribute tuple);

/// The attribute of a class of either kind.
inline MlirAttribute getAttr(mp::PyAttribute &self) { return self; }
inline MlirAttribute getAttr(mp::PyType &self) {
  return getHeldAttribute(nb::cast(self));
}

/// What accessors of SelfT answer: attributes on attributes, types on types.
template <typename SelfT>
nb::object wrapLike(SelfT &self, MlirAttribute attr) {
  if constexpr (std::is_base_of_v<mp::PyAttribute, SelfT>)
    return wrap(self.getContext(), attr);
  else
    return wrapAsType(self.getContext(), attr);
}

template <typename SelfT>
void bindStructure(typename SelfT::ClassTy &c) {
  using namespace nanobind::literals;
  c.def_prop_ro(
      "body", [](SelfT &self) { return getBody(getAttr(self)); },
      "The text as it stands inside of types, such as \"(4,8):(1,4)\".");
  c.def_prop_ro("is_leaf",
                [](SelfT &self) { return flyAttributeIsLeaf(getAttr(self)); });
  c.def_prop_ro(
      "rank", [](SelfT &self) { return flyAttributeGetRank(getAttr(self)); },
      "The number of modes; 1 for a leaf.");
  c.def_prop_ro(
      "depth", [](SelfT &self) { return flyAttributeGetDepth(getAttr(self)); },
      "The number of nested tuples; 0 for a leaf.");
  c.def_prop_ro(
      "is_static",
      [](SelfT &self) { return flyAttributeIsStatic(getAttr(self)); },
      "True if no leaf is known only at run time.");
  c.def_prop_ro(
      "num_dynamic_leaves",
      [](SelfT &self) {
        return flyAttributeGetNumDynamicLeaves(getAttr(self));
      },
      "The number of leaves that are known only at run time.");
  c.def(
      "mode",
      [](SelfT &self, int pos) {
        MlirAttribute attr = getAttr(self);
        int32_t rank = flyAttributeGetRank(attr);
        if (pos < 0 || pos >= rank)
          throw nb::index_error(("mode " + std::to_string(pos) + " of " +
                                 getBody(attr) + ", which has " +
                                 std::to_string(rank))
                                    .c_str());
        return wrapLike(self, flyAttributeGetMode(attr, pos));
      },
      "pos"_a, "Mode `pos`; a leaf has mode 0, itself. IndexError.");
}

template <typename SelfT>
void bindIntTuple(typename SelfT::ClassTy &c) {
  using namespace nanobind::literals;
  c.def_prop_ro("num_leaves", [](SelfT &self) {
    return flyIntTupleAttrGetNumLeaves(getAttr(self));
  });
  c.def(
      "leaf",
      [](SelfT &self, intptr_t pos) {
        MlirAttribute attr = getAttr(self);
        intptr_t num = flyIntTupleAttrGetNumLeaves(attr);
        if (pos < 0 || pos >= num)
          throw nb::index_error(("leaf " + std::to_string(pos) + " of " +
                                 getBody(attr) + ", which has " +
                                 std::to_string(num))
                                    .c_str());
        return fromIntLeaf(self.getContext(),
                           flyIntTupleAttrGetLeaf(attr, pos));
      },
      "pos"_a, "Leaf `pos`, depth first: an int, `None`, an IntAttr or a BasisAttr.");
  c.def(
      "to_python",
      [](SelfT &self) { return toPython(self.getContext(), getAttr(self)); },
      "A nested tuple of ints, `None` for `*`, BasisAttr, and IntAttr for a "
      "leaf that is known only at run time.");
  c.def(
      "is_congruent",
      [](SelfT &self, nb::object other) {
        MlirContext context = self.getContext()->get();
        MlirAttribute attr = toIntTuple(context, other, "is_congruent");
        return flyIntTupleAttrIsCongruent(getAttr(self), attr);
      },
      "other"_a.none(), "True if both have the same tree shape.");
  c.def(
      "get_size",
      [](SelfT &self) {
        MlirAttribute size = construct(
            self.getContext()->get(), "get_size", [&](MlirLocation location) {
              return flyLayoutGetSize(location, getAttr(self));
            });
        return fromIntLeaf(self.getContext(), size);
      },
      "The number of coordinates of the tuple as a shape. ValueError for basis "
      "elements.");
}

template <typename SelfT>
void bindLayout(typename SelfT::ClassTy &c) {
  using namespace nanobind::literals;
  c.def_prop_ro(
      "linear",
      [](SelfT &self) {
        return wrapLike(self, flyLayoutGetLinear(getAttr(self)));
      },
      "The plain layout: itself, or the last of the chain of outers.");
  c.def_prop_ro(
      "size",
      [](SelfT &self) {
        return fromIntLeaf(self.getContext(),
                           construct(self.getContext()->get(), "size",
                                     [&](MlirLocation location) {
                                       return flyLayoutGetSize(location,
                                                               getAttr(self));
                                     }));
      },
      "The number of coordinates: an int, or an IntAttr if not static.");
  c.def_prop_ro(
      "cosize",
      [](SelfT &self) {
        return fromIntLeaf(self.getContext(),
                           construct(self.getContext()->get(), "cosize",
                                     [&](MlirLocation location) {
                                       return flyLayoutGetCosize(location,
                                                                 getAttr(self));
                                     }));
      },
      "The extent of the indices: an int, or an IntAttr if not static.");
  c.def(
      "crd2idx",
      [](SelfT &self, nb::object coord) {
        MlirContext context = self.getContext()->get();
        MlirAttribute crd = toIntTuple(context, coord, "crd2idx");
        return toPython(self.getContext(),
                        construct(context, "crd2idx", [&](MlirLocation loc) {
                          return flyLayoutCrd2Idx(loc, crd, getAttr(self));
                        }));
      },
      "coord"_a.none(), "The index of a coordinate, as `to_python` gives it.");
  c.def(
      "idx2crd",
      [](SelfT &self, nb::object index) {
        MlirContext context = self.getContext()->get();
        MlirAttribute idx = toIntTuple(context, index, "idx2crd");
        return toPython(self.getContext(),
                        construct(context, "idx2crd", [&](MlirLocation loc) {
                          return flyLayoutIdx2Crd(loc, idx, getAttr(self));
                        }));
      },
      "index"_a.none(), "The coordinate of an index in a plain layout.");
}

template <typename SelfT>
void bindSwizzle(typename SelfT::ClassTy &c) {
  c.def_prop_ro("mask", [](SelfT &self) {
    return flySwizzleAttrGetMask(getAttr(self));
  });
  c.def_prop_ro("base", [](SelfT &self) {
    return flySwizzleAttrGetBase(getAttr(self));
  });
  c.def_prop_ro("shift", [](SelfT &self) {
    return flySwizzleAttrGetShift(getAttr(self));
  });
}

std::vector<int32_t> getModeRow(MlirAttribute attr);
std::vector<int32_t> getModeCol(MlirAttribute attr);

template <typename SelfT>
void bindCoordSwizzle(typename SelfT::ClassTy &c) {
  c.def_prop_ro("mask", [](SelfT &self) {
    return flyCoordSwizzleAttrGetMask(getAttr(self));
  });
  c.def_prop_ro("base_row", [](SelfT &self) {
    return flyCoordSwizzleAttrGetBaseRow(getAttr(self));
  });
  c.def_prop_ro("mode_row",
                [](SelfT &self) { return getModeRow(getAttr(self)); });
  c.def_prop_ro("base_col", [](SelfT &self) {
    return flyCoordSwizzleAttrGetBaseCol(getAttr(self));
  });
  c.def_prop_ro("mode_col",
                [](SelfT &self) { return getModeCol(getAttr(self)); });
}

} // namespace fly::python

#endif // FLY_PYTHON_BINDINGS_LIB_STRUCTURE_H
