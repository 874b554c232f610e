// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The atoms of `fly` as Python classes: atoms, tiled atoms, universal operations.

#include "Atoms.h"

#include "Fly-c/Types.h"

using namespace fly::python;
using namespace nanobind::literals;

nb::list fly::python::getStateFields(const mp::PyMlirContextRef &context,
                                     MlirType atom) {
  nb::list fields;
  for (intptr_t i = 0, e = flyAtomGetNumStateFields(atom); i < e; ++i)
    fields.append(nb::make_tuple(
        toStr(flyAtomGetStateFieldName(atom, i)),
        wrap(context, flyAtomGetStateFieldType(atom, i))));
  return fields;
}

/// A type, or the type of a value.
static MlirType toType(nb::handle object, const char *function,
                       const char *expected) {
  MlirType type = getHeldType(object);
  if (!type.ptr)
    raiseType(function, expected, object);
  return type;
}

/// A layout type from a layout type, attribute, value or (shape, stride).
static MlirType toLayoutType(MlirContext context, nb::handle object,
                             const char *function) {
  MlirAttribute layout = toLayout(context, object, function);
  return construct(context, function, [&](MlirLocation location) {
    return flyLayoutTypeGet(location, layout);
  });
}

static MlirType toTileType(MlirContext context, nb::handle object,
                           const char *function) {
  MlirAttribute tile = toTile(context, object, function);
  return construct(context, function, [&](MlirLocation location) {
    return flyTileTypeGet(location, tile);
  });
}

namespace {

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

FLY_PYTHON_TYPE(CopyAtomType, "CopyAtomType", flyTypeIsACopyAtom,
                flyCopyAtomTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object copyOp, int valBits, mp::DefaultingPyMlirContext context) {
        const char *function = "CopyAtomType.get";
        MlirType op = toType(copyOp, function, "the type of a copy operation");
        return CopyAtomType(
            context->getRef(),
            construct(context->get(), function, [&](MlirLocation location) {
              return flyCopyAtomTypeGet(location, op, valBits);
            }));
      },
      "copy_op"_a, "val_bits"_a, "context"_a = nb::none(),
      "The copy operation `copy_op` on values of `val_bits` bits.");
  c.def_prop_ro("copy_op", [](CopyAtomType &self) {
    return wrap(self.getContext(), flyCopyAtomTypeGetCopyOp(self));
  });
  c.def_prop_ro("val_bits", [](CopyAtomType &self) {
    return flyCopyAtomTypeGetValBits(self);
  });
  bindCopy<CopyAtomType>(c);
  auto tv = [](CopyAtomType &self, FlyCopySide side, const char *name) {
    return wrapAsType(
        self.getContext(),
        construct(self.getContext()->get(), name, [&](MlirLocation location) {
          return flyCopyAtomGetThrValLayout(location, self, side);
        }));
  };
  c.def_prop_ro(
      "layout_src_tv",
      [tv](CopyAtomType &self) {
        return tv(self, FlyCopySideSource, "layout_src_tv");
      },
      "(thread, value) to the number of the value in the source tile.");
  c.def_prop_ro(
      "layout_dst_tv",
      [tv](CopyAtomType &self) {
        return tv(self, FlyCopySideDestination, "layout_dst_tv");
      },
      "(thread, value) to the number of the value in the destination tile.");
  c.def_prop_ro(
      "layout_ref_tv",
      [tv](CopyAtomType &self) {
        return tv(self, FlyCopySideReference, "layout_ref_tv");
      },
      "The same for the side that a tiled copy's layout is stated for.");
}

FLY_PYTHON_TYPE(MmaAtomType, "MmaAtomType", flyTypeIsAMmaAtom,
                flyMmaAtomTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object mmaOp, mp::DefaultingPyMlirContext context) {
        const char *function = "MmaAtomType.get";
        MlirType op = toType(mmaOp, function, "the type of a matrix operation");
        return MmaAtomType(
            context->getRef(),
            construct(context->get(), function, [&](MlirLocation location) {
              return flyMmaAtomTypeGet(location, op);
            }));
      },
      "mma_op"_a, "context"_a = nb::none(),
      "The atom of the matrix operation `mma_op`.");
  c.def_prop_ro("mma_op", [](MmaAtomType &self) {
    return wrap(self.getContext(), flyMmaAtomTypeGetMmaOp(self));
  });
  bindMma<MmaAtomType>(c);
}

//===----------------------------------------------------------------------===//
// Tiled atoms
//===----------------------------------------------------------------------===//

FLY_PYTHON_TYPE(TiledCopyType, "TiledCopyType", flyTypeIsATiledCopy,
                flyTiledCopyTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object copyAtom, nb::object layoutThrVal, nb::object tileMN,
         mp::DefaultingPyMlirContext context) {
        const char *function = "TiledCopyType.get";
        MlirType atom = toType(copyAtom, function, "a copy atom");
        MlirType layout = toLayoutType(context->get(), layoutThrVal, function);
        MlirType tile = toTileType(context->get(), tileMN, function);
        return TiledCopyType(
            context->getRef(),
            construct(context->get(), function, [&](MlirLocation location) {
              return flyTiledCopyTypeGet(location, atom, layout, tile);
            }));
      },
      "copy_atom"_a, "layout_thr_val"_a, "tile_mn"_a, "context"_a = nb::none(),
      "`copy_atom` repeated over the tile `tile_mn`; the static layout "
      "`layout_thr_val` of rank 2 takes (thread, value) to the column-major "
      "index in the tile.");
  c.def_prop_ro("copy_atom", [](TiledCopyType &self) {
    return wrap(self.getContext(), flyTiledCopyTypeGetCopyAtom(self));
  });
  c.def_prop_ro("layout_thr_val", [](TiledCopyType &self) {
    return wrap(self.getContext(), flyTiledCopyTypeGetLayoutThrVal(self));
  });
  c.def_prop_ro("tile_mn", [](TiledCopyType &self) {
    return wrap(self.getContext(), flyTiledCopyTypeGetTileMN(self));
  });
  auto tv = [](TiledCopyType &self, FlyCopySide side, const char *name) {
    return wrapAsType(
        self.getContext(),
        construct(self.getContext()->get(), name, [&](MlirLocation location) {
          return flyTiledCopyGetThrValLayout(location, self, side);
        }));
  };
  c.def_prop_ro(
      "layout_src_tv_tiled",
      [tv](TiledCopyType &self) {
        return tv(self, FlyCopySideSource, "layout_src_tv_tiled");
      },
      "(thread, value) to the column-major index in the tile, as the source "
      "side is read.");
  c.def_prop_ro(
      "layout_dst_tv_tiled",
      [tv](TiledCopyType &self) {
        return tv(self, FlyCopySideDestination, "layout_dst_tv_tiled");
      },
      "(thread, value) to the column-major index in the tile, as the "
      "destination side is written.");
  c.def_prop_ro("is_static",
                [](TiledCopyType &self) { return flyTypeIsStatic(self); });
  c.def_prop_ro(
      "layout_tv_tiled",
      [tv](TiledCopyType &self) {
        return tv(self, FlyCopySideReference, "layout_tv_tiled");
      },
      "(thread, value) to the column-major index in the tile, as stated.");
}

FLY_PYTHON_TYPE(TiledMmaType, "TiledMmaType", flyTypeIsATiledMma,
                flyTiledMmaTypeGetTypeID) {
  c.def_static(
      "get",
      [](nb::object mmaAtom, nb::object atomLayout, nb::object permutation,
         mp::DefaultingPyMlirContext context) {
        const char *function = "TiledMmaType.get";
        MlirType atom = toType(mmaAtom, function, "a matrix atom");
        MlirType layout = toLayoutType(context->get(), atomLayout, function);
        MlirType tile{nullptr};
        if (!permutation.is_none())
          tile = toTileType(context->get(), permutation, function);
        return TiledMmaType(
            context->getRef(),
            construct(context->get(), function, [&](MlirLocation location) {
              return flyTiledMmaTypeGet(location, atom, layout, tile);
            }));
      },
      "mma_atom"_a, "atom_layout"_a, "permutation"_a = nb::none(),
      "context"_a = nb::none(),
      "`mma_atom` repeated by the static layout `atom_layout` of rank 3 (M, N, "
      "K), with a tile of at most three elements as permutation.");
  c.def_prop_ro("mma_atom", [](TiledMmaType &self) {
    return wrap(self.getContext(), flyTiledMmaTypeGetMmaAtom(self));
  });
  c.def_prop_ro("atom_layout", [](TiledMmaType &self) {
    return wrap(self.getContext(), flyTiledMmaTypeGetAtomLayout(self));
  });
  c.def_prop_ro("permutation", [](TiledMmaType &self) {
    return wrap(self.getContext(), flyTiledMmaTypeGetPermutation(self));
  });
  c.def_prop_ro(
      "tile_size_mnk",
      [](TiledMmaType &self) {
        return wrapAsType(self.getContext(),
                          construct(self.getContext()->get(), "tile_size_mnk",
                                    [&](MlirLocation location) {
                                      return flyTiledMmaGetTileSizeMNK(location,
                                                                       self);
                                    }));
      },
      "The extents (M, N, K) that one call of all threads covers.");
  c.def_prop_ro(
      "thr_layout_vmnk",
      [](TiledMmaType &self) {
        return wrapAsType(
            self.getContext(),
            construct(self.getContext()->get(), "thr_layout_vmnk",
                      [&](MlirLocation location) {
                        return flyTiledMmaGetThrLayoutVMNK(location, self);
                      }));
      },
      "(thread in the atom, atom of M, of N, of K) to the number of the thread.");
  auto tv = [](TiledMmaType &self, FlyMmaOperand operand, const char *name) {
    return wrapAsType(
        self.getContext(),
        construct(self.getContext()->get(), name, [&](MlirLocation location) {
          return flyTiledMmaGetThrValLayout(location, self, operand);
        }));
  };
  c.def_prop_ro(
      "tv_layout_A_tiled",
      [tv](TiledMmaType &self) {
        return tv(self, FlyMmaOperandA, "tv_layout_A_tiled");
      },
      "(thread, value) to the column-major index in the M x K tile of A.");
  c.def_prop_ro(
      "tv_layout_B_tiled",
      [tv](TiledMmaType &self) {
        return tv(self, FlyMmaOperandB, "tv_layout_B_tiled");
      },
      "(thread, value) to the column-major index in the N x K tile of B.");
  c.def_prop_ro(
      "tv_layout_C_tiled",
      [tv](TiledMmaType &self) {
        return tv(self, FlyMmaOperandC, "tv_layout_C_tiled");
      },
      "(thread, value) to the column-major index in the M x N tile of C.");
  c.def_prop_ro("is_static",
                [](TiledMmaType &self) { return flyTypeIsStatic(self); });
}

//===----------------------------------------------------------------------===//
// Universal operations
//===----------------------------------------------------------------------===//

FLY_PYTHON_TYPE(UniversalCopyType, "CopyOpUniversalCopyType",
                flyTypeIsAUniversalCopy, flyUniversalCopyTypeGetTypeID) {
  c.def_static(
      "get",
      [](int bitSize, mp::DefaultingPyMlirContext context) {
        return UniversalCopyType(
            context->getRef(),
            construct(context->get(), "CopyOpUniversalCopyType.get",
                      [&](MlirLocation location) {
                        return flyUniversalCopyTypeGet(location, bitSize);
                      }));
      },
      "bit_size"_a, "context"_a = nb::none(),
      "One thread copies `bit_size` bits.");
  c.def_prop_ro("bit_size", [](UniversalCopyType &self) {
    return flyUniversalCopyTypeGetBitSize(self);
  });
  bindCopy<UniversalCopyType>(c);
}

FLY_PYTHON_TYPE(UniversalAtomicType, "CopyOpUniversalAtomicType",
                flyTypeIsAUniversalAtomic, flyUniversalAtomicTypeGetTypeID) {
  c.def_static(
      "get",
      [](int atomicOp, mp::PyType &valType, const std::string &syncscope,
         mp::DefaultingPyMlirContext context) {
        return UniversalAtomicType(
            context->getRef(),
            construct(context->get(), "CopyOpUniversalAtomicType.get",
                      [&](MlirLocation location) {
                        return flyUniversalAtomicTypeGet(
                            location, static_cast<FlyAtomicOp>(atomicOp),
                            valType, toStringRef(syncscope));
                      }));
      },
      "atomic_op"_a, "val_type"_a, "syncscope"_a = "", "context"_a = nb::none(),
      "One thread combines a value of `val_type` with memory; `atomic_op` is a "
      "member of AtomicOp or its number, `syncscope` LLVM's name, empty for the "
      "whole system.");
  c.def_prop_ro("atomic_op", [](UniversalAtomicType &self) {
    return static_cast<int>(flyUniversalAtomicTypeGetAtomicOp(self));
  });
  c.def_prop_ro("val_type", [](UniversalAtomicType &self) {
    return wrap(self.getContext(), flyUniversalAtomicTypeGetValType(self));
  });
  c.def_prop_ro("syncscope", [](UniversalAtomicType &self) {
    return toStr(flyUniversalAtomicTypeGetSyncscope(self));
  });
  bindCopy<UniversalAtomicType>(c);
}

FLY_PYTHON_TYPE(UniversalFMAType, "MmaOpUniversalFMAType",
                flyTypeIsAUniversalFMA, flyUniversalFMATypeGetTypeID) {
  c.def_static(
      "get",
      [](mp::PyType &elemTy, mp::DefaultingPyMlirContext context) {
        return UniversalFMAType(
            context->getRef(),
            construct(context->get(), "MmaOpUniversalFMAType.get",
                      [&](MlirLocation location) {
                        return flyUniversalFMATypeGet(location, elemTy);
                      }));
      },
      "elem_ty"_a, "context"_a = nb::none(),
      "One thread computes a * b + c on floats of `elem_ty`.");
  c.def_prop_ro("elem_ty", [](UniversalFMAType &self) {
    return wrap(self.getContext(), flyUniversalFMATypeGetElemTy(self));
  });
  bindMma<UniversalFMAType>(c);
}

} // namespace

void fly::python::bindAtomTypes(nb::module_ &m) {
  CopyAtomType::bind(m);
  MmaAtomType::bind(m);
  TiledCopyType::bind(m);
  TiledMmaType::bind(m);
  UniversalCopyType::bind(m);
  UniversalAtomicType::bind(m);
  UniversalFMAType::bind(m);
}
