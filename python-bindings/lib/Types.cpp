// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of `fly` as Python classes: values of the algebra, pointers and
// tensors. Accessors of a type answer types (`LayoutType.shape` is an
// IntTupleType), those of an attribute attributes.

#include "Structure.h"
#include "Support.h"

#include "Fly-c/Attributes.h"
#include "Fly-c/ROCDL.h"
#include "Fly-c/Types.h"

using namespace fly::python;
using namespace nanobind::literals;

/// The type that `get` makes of an attribute of the same name.
static MlirType hold(MlirContext context, MlirAttribute attr,
                     MlirType (*get)(MlirLocation, MlirAttribute),
                     const char *function) {
  return construct(context, function, [&](MlirLocation location) {
    return get(location, attr);
  });
}

/// An address space: a number or member of the enumeration, or an attribute;
/// `None` is global memory.
static MlirAttribute toAddressSpace(MlirContext context, nb::handle object,
                                    const char *function) {
  int64_t number = FlyAddressSpaceGlobal;
  if (!object.is_none()) {
    MlirAttribute held = getHeldAttribute(object);
    if (held.ptr)
      return held;
    if (!nb::try_cast(object, number))
      raiseType(function, "an address space, an int or an attribute", object);
  }
  return construct(context, function, [&](MlirLocation location) {
    return flyAddressSpaceAttrGet(location,
                                  static_cast<FlyAddressSpace>(number));
  });
}

/// An alignment in bytes or an AlignAttr; `None` is null, the element's size.
static MlirAttribute toAlignment(MlirContext context, nb::handle object,
                                 const char *function) {
  if (object.is_none())
    return {nullptr};
  MlirAttribute held = getHeldAttribute(object);
  if (held.ptr)
    return held;
  int64_t bytes;
  if (!nb::try_cast(object, bytes))
    raiseType(function, "an alignment in bytes", object);
  return construct(context, function, [&](MlirLocation location) {
    return flyAlignAttrGet(location, bytes);
  });
}

static MlirAttribute toSwizzle(nb::handle object, const char *function) {
  if (object.is_none())
    return {nullptr};
  MlirAttribute held = getHeldAttribute(object);
  if (!held.ptr)
    raiseType(function, "a swizzle", object);
  return held;
}

/// Every type of `fly` has the property `is_static`; those with a structure
/// have it from there.
template <typename SelfT>
static void bindIsStatic(typename SelfT::ClassTy &c) {
  c.def_prop_ro(
      "is_static", [](SelfT &self) { return flyTypeIsStatic(self); },
      "True if the type has exactly one value, which `fly.static` makes.");
}

namespace {

//===----------------------------------------------------------------------===//
// Values of the algebra
//===----------------------------------------------------------------------===//

FLY_PYTHON_TYPE(BasisType, "BasisType", flyTypeIsABasis,
                flyBasisTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object value, nb::object modes,
         mp::DefaultingPyMlirContext context) {
        MlirAttribute attr;
        if (modes.is_none()) {
          attr = getHeldAttribute(value);
          if (!attr.ptr)
            raiseType("BasisType.get", "a BasisAttr, or a value and modes",
                      value);
        } else {
          std::vector<int32_t> path;
          int32_t mode;
          if (nb::try_cast(modes, mode))
            path.push_back(mode);
          else if (!nb::try_cast(modes, path))
            raiseType("BasisType.get", "a sequence of mode numbers", modes);
          attr = makeBasis(context->get(), value, path, "BasisType.get");
        }
        return BasisType(context->getRef(),
                         hold(context->get(), attr, flyBasisTypeGet,
                              "BasisType.get"));
      },
      "value"_a, "modes"_a = nb::none(), "context"_a = nb::none(),
      "`value` in the coordinate that the path `modes` reaches: (1, [0, 1]) is "
      "1E0E1.");
  c.def_prop_ro("attr", [](BasisType &self) {
    return wrap(self.getContext(), flyBasisTypeGetAttr(self));
  });
  c.def_prop_ro("value", [](BasisType &self) {
    return fromIntLeaf(self.getContext(),
                       flyBasisAttrGetValue(flyBasisTypeGetAttr(self)));
  });
  c.def_prop_ro("modes", [](BasisType &self) {
    return getBasisModes(flyBasisTypeGetAttr(self));
  });
  bindIsStatic<BasisType>(c);
}

FLY_PYTHON_TYPE(IntTupleType, "IntTupleType", flyTypeIsAIntTuple,
                flyIntTupleTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object value, mp::DefaultingPyMlirContext context) {
        return IntTupleType(
            context->getRef(),
            hold(context->get(),
                 toIntTuple(context->get(), value, "IntTupleType.get"),
                 flyIntTupleTypeGet, "IntTupleType.get"));
      },
      "value"_a.none(), "context"_a = nb::none(),
      "The type of an int, `None` (the wildcard `*`), an IntAttr (for `?`), a "
      "basis element or a nested tuple of them.");
  c.def_prop_ro("attr", [](IntTupleType &self) {
    return wrap(self.getContext(), flyIntTupleTypeGetAttr(self));
  });
  bindStructure<IntTupleType>(c);
  bindIntTuple<IntTupleType>(c);
}

FLY_PYTHON_TYPE(LayoutType, "LayoutType", flyTypeIsALayout,
                flyLayoutTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object shape, nb::object stride,
         mp::DefaultingPyMlirContext context) {
        MlirAttribute attr = getHeldAttribute(shape);
        // One argument: an attribute or another type that holds a layout.
        if (!stride.is_none() || !attr.ptr || !flyAttributeIsALayout(attr))
          attr = makeLayout(context->get(), shape, stride, "LayoutType.get");
        return LayoutType(
            context->getRef(),
            hold(context->get(), attr, flyLayoutTypeGet, "LayoutType.get"));
      },
      "shape"_a.none(), "stride"_a = nb::none(), "context"_a = nb::none(),
      "The layout `shape:stride`; both as IntTupleType.get takes them and of "
      "the same profile.");
  c.def_prop_ro("attr", [](LayoutType &self) {
    return wrap(self.getContext(), flyLayoutTypeGetAttr(self));
  });
  c.def_prop_ro("shape", [](LayoutType &self) {
    return wrapAsType(self.getContext(),
                      flyLayoutAttrGetShape(flyLayoutTypeGetAttr(self)));
  });
  c.def_prop_ro("stride", [](LayoutType &self) {
    return wrapAsType(self.getContext(),
                      flyLayoutAttrGetStride(flyLayoutTypeGetAttr(self)));
  });
  bindStructure<LayoutType>(c);
  bindLayout<LayoutType>(c);
}

FLY_PYTHON_TYPE(SwizzleType, "SwizzleType", flyTypeIsASwizzle,
                flySwizzleTypeGetTypeID) {
  c.def_static(
      "get",
      [](int mask, int base, int shift, mp::DefaultingPyMlirContext context) {
        return SwizzleType(
            context->getRef(),
            hold(context->get(),
                 makeSwizzle(context->get(), mask, base, shift,
                             "SwizzleType.get"),
                 flySwizzleTypeGet, "SwizzleType.get"));
      },
      "mask"_a, "base"_a, "shift"_a, "context"_a = nb::none(),
      "x -> x ^ ((x & ((2^mask - 1) << (base + shift))) >> shift).");
  c.def_prop_ro("attr", [](SwizzleType &self) {
    return wrap(self.getContext(), flySwizzleTypeGetAttr(self));
  });
  bindSwizzle<SwizzleType>(c);
  bindIsStatic<SwizzleType>(c);
}

FLY_PYTHON_TYPE(CoordSwizzleType, "CoordSwizzleType", flyTypeIsACoordSwizzle,
                flyCoordSwizzleTypeGetTypeID) {
  c.def_static(
      "get",
      [](int mask, int baseRow, nb::object modeRow, int baseCol,
         nb::object modeCol, mp::DefaultingPyMlirContext context) {
        return CoordSwizzleType(
            context->getRef(),
            hold(context->get(),
                 makeCoordSwizzle(context->get(), mask, baseRow, modeRow,
                                  baseCol, modeCol, "CoordSwizzleType.get"),
                 flyCoordSwizzleTypeGet, "CoordSwizzleType.get"));
      },
      "mask"_a, "base_row"_a, "mode_row"_a, "base_col"_a, "mode_col"_a,
      "context"_a = nb::none(),
      "col ^ (((row >> base_row) & (2^mask - 1)) << base_col); a mode is a "
      "number or a path of numbers.");
  c.def_prop_ro("attr", [](CoordSwizzleType &self) {
    return wrap(self.getContext(), flyCoordSwizzleTypeGetAttr(self));
  });
  bindCoordSwizzle<CoordSwizzleType>(c);
  bindIsStatic<CoordSwizzleType>(c);
}

FLY_PYTHON_TYPE(ComposedLayoutType, "ComposedLayoutType",
                flyTypeIsAComposedLayout, flyComposedLayoutTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object inner, nb::object offset, nb::object outer,
         mp::DefaultingPyMlirContext context) {
        return ComposedLayoutType(
            context->getRef(),
            hold(context->get(),
                 makeComposedLayout(context->get(), inner, offset, outer,
                                    "ComposedLayoutType.get"),
                 flyComposedLayoutTypeGet, "ComposedLayoutType.get"));
      },
      "inner"_a, "offset"_a, "outer"_a, "context"_a = nb::none(),
      "c -> inner(offset + outer(c)): `inner` a swizzle or a layout, `offset` "
      "an int tuple, `outer` a layout.");
  c.def_prop_ro("attr", [](ComposedLayoutType &self) {
    return wrap(self.getContext(), flyComposedLayoutTypeGetAttr(self));
  });
  c.def_prop_ro("inner", [](ComposedLayoutType &self) {
    return wrapAsType(self.getContext(), flyComposedLayoutAttrGetInner(
                                             flyComposedLayoutTypeGetAttr(self)));
  });
  c.def_prop_ro("offset", [](ComposedLayoutType &self) {
    return wrapAsType(
        self.getContext(),
        flyComposedLayoutAttrGetOffset(flyComposedLayoutTypeGetAttr(self)));
  });
  c.def_prop_ro("outer", [](ComposedLayoutType &self) {
    return wrapAsType(self.getContext(), flyComposedLayoutAttrGetOuter(
                                             flyComposedLayoutTypeGetAttr(self)));
  });
  bindStructure<ComposedLayoutType>(c);
  bindLayout<ComposedLayoutType>(c);
}

FLY_PYTHON_TYPE(TileType, "TileType", flyTypeIsATile, flyTileTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object modes, mp::DefaultingPyMlirContext context) {
        return TileType(context->getRef(),
                        hold(context->get(),
                             toTile(context->get(), modes, "TileType.get"),
                             flyTileTypeGet, "TileType.get"));
      },
      "modes"_a.none(), "context"_a = nb::none(),
      "The tile of an int, `None`, a layout or a nested sequence of them.");
  c.def_prop_ro("attr", [](TileType &self) {
    return wrap(self.getContext(), flyTileTypeGetAttr(self));
  });
  bindStructure<TileType>(c);
}

//===----------------------------------------------------------------------===//
// Pointers and tensors
//===----------------------------------------------------------------------===//

/// The accessors that pointers and memrefs have in common.
#define FLY_PYTHON_POINTER_ACCESSORS(CLASS, PREFIX)                            \
  c.def_prop_ro("element_type", [](CLASS &self) {                              \
    return wrap(self.getContext(), PREFIX##GetElementType(self));              \
  });                                                                          \
  c.def_prop_ro(                                                               \
      "address_space",                                                         \
      [](CLASS &self) {                                                        \
        return wrap(self.getContext(), PREFIX##GetAddressSpace(self));         \
      },                                                                       \
      "An AddressSpaceAttr, or the attribute of a target's address space.");   \
  c.def_prop_ro(                                                               \
      "alignment",                                                             \
      [](CLASS &self) {                                                        \
        return flyAlignAttrGetAlignment(PREFIX##GetAlignment(self));           \
      },                                                                       \
      "The alignment of the pointer in bytes.");                               \
  c.def_prop_ro(                                                               \
      "swizzle",                                                               \
      [](CLASS &self) {                                                        \
        return wrapAsType(self.getContext(), PREFIX##GetSwizzle(self));        \
      },                                                                       \
      "The swizzle of addresses, a SwizzleType.");                             \
  bindIsStatic<CLASS>(c);

FLY_PYTHON_TYPE(PointerType, "PointerType", flyTypeIsAPointer,
                flyPointerTypeGetTypeID) {
  c.def_static(
      "get",
      [](mp::PyType &elemTy, nb::object addressSpace, nb::object alignment,
         nb::object swizzle, mp::DefaultingPyMlirContext context) {
        const char *function = "PointerType.get";
        MlirAttribute space =
            toAddressSpace(context->get(), addressSpace, function);
        MlirAttribute align = toAlignment(context->get(), alignment, function);
        MlirAttribute swizzleAttr = toSwizzle(swizzle, function);
        return PointerType(
            context->getRef(),
            construct(context->get(), function, [&](MlirLocation location) {
              return flyPointerTypeGet(location, elemTy, space, align,
                                       swizzleAttr);
            }));
      },
      "elem_ty"_a, "address_space"_a = nb::none(), "alignment"_a = nb::none(),
      "swizzle"_a = nb::none(), "context"_a = nb::none(),
      "A pointer to elements of `elem_ty`. `address_space`: a member of "
      "AddressSpace, its number or an attribute; by default global memory. "
      "`alignment` in bytes, a multiple of the element's size, which is the "
      "default.");
  FLY_PYTHON_POINTER_ACCESSORS(PointerType, flyPointerType)
}

FLY_PYTHON_TYPE(MemRefType, "MemRefType", flyTypeIsAMemRef,
                flyMemRefTypeGetTypeID) {
  c.def_static(
      "get",
      [](mp::PyType &elemTy, nb::object layout, nb::object addressSpace,
         nb::object alignment, nb::object swizzle,
         mp::DefaultingPyMlirContext context) {
        const char *function = "MemRefType.get";
        MlirAttribute layoutAttr = toLayout(context->get(), layout, function);
        MlirAttribute space =
            toAddressSpace(context->get(), addressSpace, function);
        MlirAttribute align = toAlignment(context->get(), alignment, function);
        MlirAttribute swizzleAttr = toSwizzle(swizzle, function);
        return MemRefType(
            context->getRef(),
            construct(context->get(), function, [&](MlirLocation location) {
              return flyMemRefTypeGet(location, elemTy, space, layoutAttr,
                                      align, swizzleAttr);
            }));
      },
      "elem_ty"_a, "layout"_a, "address_space"_a = nb::none(),
      "alignment"_a = nb::none(), "swizzle"_a = nb::none(),
      "context"_a = nb::none(),
      "A tensor in memory: a pointer as of PointerType.get, seen through "
      "`layout`, a layout or (shape, stride).");
  FLY_PYTHON_POINTER_ACCESSORS(MemRefType, flyMemRefType)
  c.def_prop_ro(
      "layout",
      [](MemRefType &self) {
        return wrapAsType(self.getContext(), flyMemRefTypeGetLayout(self));
      },
      "A LayoutType or a ComposedLayoutType.");
  c.def_prop_ro("pointer_type", [](MemRefType &self) {
    return wrap(self.getContext(), flyMemRefTypeGetPointerType(self));
  });
}

FLY_PYTHON_TYPE(CoordTensorType, "CoordTensorType", flyTypeIsACoordTensor,
                flyCoordTensorTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object base, nb::object layout,
         mp::DefaultingPyMlirContext context) {
        const char *function = "CoordTensorType.get";
        MlirAttribute baseAttr = toIntTuple(context->get(), base, function);
        MlirAttribute layoutAttr = toLayout(context->get(), layout, function);
        return CoordTensorType(
            context->getRef(),
            construct(context->get(), function, [&](MlirLocation location) {
              return flyCoordTensorTypeGet(location, baseAttr, layoutAttr);
            }));
      },
      "base"_a.none(), "layout"_a, "context"_a = nb::none(),
      "The tensor whose elements are `base` plus the indices of `layout`.");
  c.def_prop_ro("base", [](CoordTensorType &self) {
    return wrapAsType(self.getContext(), flyCoordTensorTypeGetBase(self));
  });
  c.def_prop_ro("layout", [](CoordTensorType &self) {
    return wrapAsType(self.getContext(), flyCoordTensorTypeGetLayout(self));
  });
  bindIsStatic<CoordTensorType>(c);
}

} // namespace

void fly::python::bindTypes(nb::module_ &m) {
  BasisType::bind(m);
  IntTupleType::bind(m);
  LayoutType::bind(m);
  SwizzleType::bind(m);
  CoordSwizzleType::bind(m);
  ComposedLayoutType::bind(m);
  TileType::bind(m);
  PointerType::bind(m);
  MemRefType::bind(m);
  CoordTensorType::bind(m);
}
