// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of `fly` as Python classes.

#include "Structure.h"
#include "Support.h"

#include "Fly-c/Attributes.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace fly::python;
using namespace nanobind::literals;

namespace {

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

#define FLY_PYTHON_ENUM(NAME)                                                  \
  FLY_PYTHON_ATTRIBUTE(NAME##Attr, #NAME "Attr", flyAttributeIsA##NAME,        \
                       fly##NAME##AttrGetTypeID) {                             \
    c.def_static(                                                              \
        "get",                                                                 \
        [](int value, mp::DefaultingPyMlirContext context) {                   \
          return NAME##Attr(                                                   \
              context->getRef(),                                               \
              construct(context->get(), #NAME "Attr.get",                      \
                        [&](MlirLocation location) {                           \
                          return fly##NAME##AttrGet(                           \
                              location, static_cast<Fly##NAME>(value));        \
                        }));                                                   \
        },                                                                     \
        "value"_a, "context"_a = nb::none(),                                   \
        "The attribute of the case `value`, a number or a member of the "      \
        "enumeration in `dialects.fly`.");                                     \
    c.def_prop_ro(                                                             \
        "value",                                                               \
        [](NAME##Attr &self) {                                                 \
          return static_cast<int>(fly##NAME##AttrGetValue(self));              \
        },                                                                     \
        "The number of the case.");                                            \
  }

FLY_PYTHON_ENUM(AddressSpace)
FLY_PYTHON_ENUM(MmaOperand)
FLY_PYTHON_ENUM(AtomicOp)
FLY_PYTHON_ENUM(GemmTraversalOrder)
FLY_PYTHON_ENUM(CachePolicy)

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

FLY_PYTHON_ATTRIBUTE(IntAttr, "IntAttr", flyAttributeIsAInt,
                     flyIntAttrGetTypeID) {
  c.def_static(
      "get",
      [](nb::object value, mp::DefaultingPyMlirContext context) {
        return IntAttr(context->getRef(),
                       toIntLeaf(context->get(), value, "IntAttr.get"));
      },
      "value"_a.none(), "context"_a = nb::none(),
      "The static leaf `value`; `None` for the wildcard `*`.");
  c.def_static(
      "get_dynamic",
      [](int width, int64_t divisibility, mp::DefaultingPyMlirContext context) {
        return IntAttr(context->getRef(),
                       construct(context->get(), "IntAttr.get_dynamic",
                                 [&](MlirLocation location) {
                                   return flyIntAttrGetDynamic(location, width,
                                                               divisibility);
                                 }));
      },
      "width"_a = 32, "divisibility"_a = 1, "context"_a = nb::none(),
      "The leaf `?`, known only at run time: `width` (32 or 64) bits, a "
      "multiple of `divisibility`.");
  c.def_prop_ro("is_none", [](IntAttr &self) { return flyIntAttrIsNone(self); });
  c.def_prop_ro("is_static",
                [](IntAttr &self) { return flyIntAttrIsStatic(self); });
  c.def_prop_ro(
      "value", [](IntAttr &self) { return flyIntAttrGetValue(self); },
      "The value of a static leaf; 0 for `*` and for a run-time leaf.");
  c.def_prop_ro(
      "width", [](IntAttr &self) { return flyIntAttrGetWidth(self); },
      "Bits of the leaf as a value: 32 or 64; 0 for `*`.");
  c.def_prop_ro(
      "divisibility",
      [](IntAttr &self) { return flyIntAttrGetDivisibility(self); },
      "A number that divides the leaf; 0 for `*`.");
}

FLY_PYTHON_ATTRIBUTE(BasisAttr, "BasisAttr", flyAttributeIsABasis,
                     flyBasisAttrGetTypeID) {
  c.def_static(
      "get",
      [](nb::object value, const std::vector<int32_t> &modes,
         mp::DefaultingPyMlirContext context) {
        return BasisAttr(context->getRef(), makeBasis(context->get(), value,
                                                      modes, "BasisAttr.get"));
      },
      "value"_a, "modes"_a, "context"_a = nb::none(),
      "`value` (an int or an integer leaf) in the coordinate that the path "
      "`modes` reaches, outermost first.");
  c.def_prop_ro("value", [](BasisAttr &self) {
    return fromIntLeaf(self.getContext(), flyBasisAttrGetValue(self));
  });
  c.def_prop_ro("modes", [](BasisAttr &self) { return getBasisModes(self); });
}

//===----------------------------------------------------------------------===//
// Tuples, layouts, swizzles, tiles
//===----------------------------------------------------------------------===//

FLY_PYTHON_ATTRIBUTE(IntTupleAttr, "IntTupleAttr", flyAttributeIsAIntTuple,
                     flyIntTupleAttrGetTypeID) {
  c.def_static(
      "get",
      [](nb::object value, mp::DefaultingPyMlirContext context) {
        return IntTupleAttr(
            context->getRef(),
            toIntTuple(context->get(), value, "IntTupleAttr.get"));
      },
      "value"_a.none(), "context"_a = nb::none(),
      "The tuple of an int, `None`, a basis element or a nested tuple of them.");
  c.def_prop_ro("value", [](IntTupleAttr &self) {
    return wrap(self.getContext(), flyIntTupleAttrGetValue(self));
  });
  bindStructure<IntTupleAttr>(c);
  bindIntTuple<IntTupleAttr>(c);
}

FLY_PYTHON_ATTRIBUTE(LayoutAttr, "LayoutAttr", flyAttributeIsALayout,
                     flyLayoutAttrGetTypeID) {
  c.def_static(
      "get",
      [](nb::object shape, nb::object stride,
         mp::DefaultingPyMlirContext context) {
        return LayoutAttr(context->getRef(),
                          makeLayout(context->get(), shape, stride,
                                     "LayoutAttr.get"));
      },
      "shape"_a.none(), "stride"_a.none(), "context"_a = nb::none(),
      "The layout `shape:stride` of two int tuples.");
  c.def_prop_ro("shape", [](LayoutAttr &self) {
    return wrap(self.getContext(), flyLayoutAttrGetShape(self));
  });
  c.def_prop_ro("stride", [](LayoutAttr &self) {
    return wrap(self.getContext(), flyLayoutAttrGetStride(self));
  });
  bindStructure<LayoutAttr>(c);
  bindLayout<LayoutAttr>(c);
}

FLY_PYTHON_ATTRIBUTE(SwizzleAttr, "SwizzleAttr", flyAttributeIsASwizzle,
                     flySwizzleAttrGetTypeID) {
  c.def_static(
      "get",
      [](int mask, int base, int shift, mp::DefaultingPyMlirContext context) {
        return SwizzleAttr(
            context->getRef(),
            makeSwizzle(context->get(), mask, base, shift, "SwizzleAttr.get"));
      },
      "mask"_a, "base"_a, "shift"_a, "context"_a = nb::none(),
      "x -> x ^ ((x & ((2^mask - 1) << (base + shift))) >> shift).");
  bindSwizzle<SwizzleAttr>(c);
}

FLY_PYTHON_ATTRIBUTE(CoordSwizzleAttr, "CoordSwizzleAttr",
                     flyAttributeIsACoordSwizzle,
                     flyCoordSwizzleAttrGetTypeID) {
  c.def_static(
      "get",
      [](int mask, int baseRow, nb::object modeRow, int baseCol,
         nb::object modeCol, mp::DefaultingPyMlirContext context) {
        return CoordSwizzleAttr(
            context->getRef(),
            makeCoordSwizzle(context->get(), mask, baseRow, modeRow, baseCol,
                             modeCol, "CoordSwizzleAttr.get"));
      },
      "mask"_a, "base_row"_a, "mode_row"_a, "base_col"_a, "mode_col"_a,
      "context"_a = nb::none(),
      "col ^ (((row >> base_row) & (2^mask - 1)) << base_col); a mode is a "
      "number or a path of numbers.");
  bindCoordSwizzle<CoordSwizzleAttr>(c);
}

FLY_PYTHON_ATTRIBUTE(ComposedLayoutAttr, "ComposedLayoutAttr",
                     flyAttributeIsAComposedLayout,
                     flyComposedLayoutAttrGetTypeID) {
  c.def_static(
      "get",
      [](nb::object inner, nb::object offset, nb::object outer,
         mp::DefaultingPyMlirContext context) {
        return ComposedLayoutAttr(
            context->getRef(),
            makeComposedLayout(context->get(), inner, offset, outer,
                               "ComposedLayoutAttr.get"));
      },
      "inner"_a, "offset"_a, "outer"_a, "context"_a = nb::none(),
      "c -> inner(offset + outer(c)).");
  c.def_prop_ro("inner", [](ComposedLayoutAttr &self) {
    return wrap(self.getContext(), flyComposedLayoutAttrGetInner(self));
  });
  c.def_prop_ro("offset", [](ComposedLayoutAttr &self) {
    return wrap(self.getContext(), flyComposedLayoutAttrGetOffset(self));
  });
  c.def_prop_ro("outer", [](ComposedLayoutAttr &self) {
    return wrap(self.getContext(), flyComposedLayoutAttrGetOuter(self));
  });
  bindStructure<ComposedLayoutAttr>(c);
  bindLayout<ComposedLayoutAttr>(c);
}

FLY_PYTHON_ATTRIBUTE(TileAttr, "TileAttr", flyAttributeIsATile,
                     flyTileAttrGetTypeID) {
  c.def_static(
      "get",
      [](nb::object modes, mp::DefaultingPyMlirContext context) {
        return TileAttr(context->getRef(),
                        toTile(context->get(), modes, "TileAttr.get"));
      },
      "modes"_a.none(), "context"_a = nb::none(),
      "The tile of an int, `None`, a layout or a nested sequence of them.");
  c.def_prop_ro("value", [](TileAttr &self) {
    return wrap(self.getContext(), flyTileAttrGetValue(self));
  });
  bindStructure<TileAttr>(c);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

FLY_PYTHON_ATTRIBUTE(AlignAttr, "AlignAttr", flyAttributeIsAAlign,
                     flyAlignAttrGetTypeID) {
  c.def_static(
      "get",
      [](int64_t alignment, mp::DefaultingPyMlirContext context) {
        return AlignAttr(
            context->getRef(),
            construct(context->get(), "AlignAttr.get",
                      [&](MlirLocation location) {
                        return flyAlignAttrGet(location, alignment);
                      }));
      },
      "alignment"_a, "context"_a = nb::none(), "An alignment in bytes.");
  c.def_prop_ro("alignment",
                [](AlignAttr &self) { return flyAlignAttrGetAlignment(self); });
}

FLY_PYTHON_ATTRIBUTE(ExplicitModuleAttr, "ExplicitModuleAttr",
                     flyAttributeIsAExplicitModule,
                     flyExplicitModuleAttrGetTypeID) {
  c.def_static(
      "get",
      [](mp::DefaultingPyMlirContext context) {
        return ExplicitModuleAttr(context->getRef(),
                                  construct(context->get(),
                                            "ExplicitModuleAttr.get",
                                            flyExplicitModuleAttrGet));
      },
      "context"_a = nb::none(),
      "The offloading handler of a `gpu.binary` that the host loads itself.");
}

} // namespace

void fly::python::bindAttributes(nb::module_ &m) {
  AddressSpaceAttr::bind(m);
  MmaOperandAttr::bind(m);
  AtomicOpAttr::bind(m);
  GemmTraversalOrderAttr::bind(m);
  CachePolicyAttr::bind(m);
  IntAttr::bind(m);
  BasisAttr::bind(m);
  IntTupleAttr::bind(m);
  LayoutAttr::bind(m);
  SwizzleAttr::bind(m);
  CoordSwizzleAttr::bind(m);
  ComposedLayoutAttr::bind(m);
  TileAttr::bind(m);
  AlignAttr::bind(m);
  ExplicitModuleAttr::bind(m);
}
