// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes and types of `fly_rocdl` as Python classes. Each atom
// operation has two names: that of the dialect's class (MfmaType) and that of
// the public Python interface (MmaOpCDNA3_MFMAType).

#include "Atoms.h"

#include "Fly-c/ROCDL.h"

using namespace fly::python;
using namespace nanobind::literals;

/// The extents and element types that all matrix operations have.
#define FLY_PYTHON_MMA_ACCESSORS(CLASS, PREFIX)                                \
  c.def_prop_ro("m", [](CLASS &self) { return PREFIX##GetM(self); });          \
  c.def_prop_ro("n", [](CLASS &self) { return PREFIX##GetN(self); });          \
  c.def_prop_ro("k", [](CLASS &self) { return PREFIX##GetK(self); });          \
  c.def_prop_ro("elem_ty_a", [](CLASS &self) {                                 \
    return wrap(self.getContext(), PREFIX##GetElemTyA(self));                  \
  });                                                                          \
  c.def_prop_ro("elem_ty_b", [](CLASS &self) {                                 \
    return wrap(self.getContext(), PREFIX##GetElemTyB(self));                  \
  });                                                                          \
  c.def_prop_ro("elem_ty_acc", [](CLASS &self) {                               \
    return wrap(self.getContext(), PREFIX##GetElemTyAcc(self));                \
  });                                                                          \
  bindMma<CLASS>(c);

#define FLY_PYTHON_SIGN_ACCESSORS(CLASS, PREFIX)                               \
  c.def_prop_ro("sign_a", [](CLASS &self) { return PREFIX##GetSignA(self); }); \
  c.def_prop_ro("sign_b", [](CLASS &self) { return PREFIX##GetSignB(self); }); \
  c.def_prop_ro("clamp", [](CLASS &self) { return PREFIX##GetClamp(self); });

#define FLY_PYTHON_OPSEL_ACCESSORS(CLASS, PREFIX)                              \
  c.def_prop_ro("opsel_a",                                                     \
                [](CLASS &self) { return PREFIX##GetOpselA(self); });          \
  c.def_prop_ro("opsel_b", [](CLASS &self) { return PREFIX##GetOpselB(self); });

namespace {

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

FLY_PYTHON_ATTRIBUTE(BufferDescAttr, "BufferDescAttr",
                     flyROCDLAttributeIsABufferDesc,
                     flyROCDLBufferDescAttrGetTypeID) {
  c.def_static(
      "get",
      [](mp::DefaultingPyMlirContext context) {
        return BufferDescAttr(context->getRef(),
                              construct(context->get(), "BufferDescAttr.get",
                                        flyROCDLBufferDescAttrGet));
      },
      "context"_a = nb::none(), "The address space of buffer pointers.");
}

FLY_PYTHON_ATTRIBUTE(CPUTargetAttr, "CPUTargetAttr",
                     flyROCDLAttributeIsACPUTarget,
                     flyROCDLCPUTargetAttrGetTypeID) {
  c.def_static(
      "get",
      [](const std::string &chip, mp::DefaultingPyMlirContext context) {
        return CPUTargetAttr(context->getRef(),
                             construct(context->get(), "CPUTargetAttr.get",
                                       [&](MlirLocation location) {
                                         return flyROCDLCPUTargetAttrGet(
                                             location, toStringRef(chip));
                                       }));
      },
      "chip"_a, "context"_a = nb::none(),
      "A module with this target runs on the host and behaves like `chip`.");
  c.def_prop_ro("chip", [](CPUTargetAttr &self) {
    return toStr(flyROCDLCPUTargetAttrGetChip(self));
  });
}

//===----------------------------------------------------------------------===//
// Matrix operations
//===----------------------------------------------------------------------===//

FLY_PYTHON_TYPE(MfmaType, "MmaOpCDNA3_MFMAType", flyROCDLTypeIsAMfma,
                flyROCDLMfmaTypeGetTypeID) {
  c.def_static(
      "get",
      [](int m, int n, int k, mp::PyType &elemTyA, mp::PyType &elemTyB,
         mp::PyType &elemTyAcc, int blocks, bool xf32,
         mp::DefaultingPyMlirContext context) {
        return MfmaType(context->getRef(),
                        construct(context->get(), "MmaOpCDNA3_MFMAType.get",
                                  [&](MlirLocation location) {
                                    return flyROCDLMfmaTypeGetVariant(
                                        location, m, n, k, elemTyA, elemTyB,
                                        elemTyAcc, blocks, xf32);
                                  }));
      },
      "m"_a, "n"_a, "k"_a, "elem_ty_a"_a, "elem_ty_b"_a, "elem_ty_acc"_a,
      "blocks"_a = 1, "xf32"_a = false, "context"_a = nb::none(),
      "v_mfma of CDNA: D = A * B + C with these extents and element types, "
      "`blocks` independent products, `xf32` with short mantissas of f32.");
  FLY_PYTHON_MMA_ACCESSORS(MfmaType, flyROCDLMfmaType)
  c.def_prop_ro("blocks",
                [](MfmaType &self) { return flyROCDLMfmaTypeGetBlocks(self); });
  c.def_prop_ro("xf32",
                [](MfmaType &self) { return flyROCDLMfmaTypeGetXf32(self); });
}

FLY_PYTHON_TYPE(MfmaScaleType, "MmaOpCDNA4_MFMAScaleType",
                flyROCDLTypeIsAMfmaScale, flyROCDLMfmaScaleTypeGetTypeID) {
  c.def_static(
      "get",
      [](int m, int n, int k, mp::PyType &elemTyA, mp::PyType &elemTyB,
         mp::PyType &elemTyAcc, int opselA, int opselB,
         mp::DefaultingPyMlirContext context) {
        return MfmaScaleType(
            context->getRef(),
            construct(context->get(), "MmaOpCDNA4_MFMAScaleType.get",
                      [&](MlirLocation location) {
                        return flyROCDLMfmaScaleTypeGet(
                            location, m, n, k, elemTyA, elemTyB, elemTyAcc,
                            opselA, opselB);
                      }));
      },
      "m"_a, "n"_a, "k"_a, "elem_ty_a"_a, "elem_ty_b"_a, "elem_ty_acc"_a,
      "opsel_a"_a = 0, "opsel_b"_a = 0, "context"_a = nb::none(),
      "v_mfma_scale of gfx950: 8-, 6- or 4-bit floats with a scale for each 32 "
      "k; `opsel_a` and `opsel_b` choose the byte of the scale words.");
  FLY_PYTHON_MMA_ACCESSORS(MfmaScaleType, flyROCDLMfmaScaleType)
  FLY_PYTHON_OPSEL_ACCESSORS(MfmaScaleType, flyROCDLMfmaScaleType)
}

#define FLY_PYTHON_WMMA(CLASS, NAME, SUFFIX, DOC)                              \
  FLY_PYTHON_TYPE(CLASS, NAME, flyROCDLTypeIsAWmma##SUFFIX,                    \
                  flyROCDLWmma##SUFFIX##TypeGetTypeID) {                       \
    c.def_static(                                                              \
        "get",                                                                 \
        [](int m, int n, int k, mp::PyType &elemTyA, mp::PyType &elemTyB,      \
           mp::PyType &elemTyAcc, bool signA, bool signB, bool clamp,          \
           mp::DefaultingPyMlirContext context) {                              \
          return CLASS(context->getRef(),                                      \
                       construct(context->get(), NAME ".get",                  \
                                 [&](MlirLocation location) {                  \
                                   return flyROCDLWmma##SUFFIX##TypeGet(       \
                                       location, m, n, k, elemTyA, elemTyB,    \
                                       elemTyAcc, signA, signB, clamp);        \
                                 }));                                          \
        },                                                                     \
        "m"_a, "n"_a, "k"_a, "elem_ty_a"_a, "elem_ty_b"_a, "elem_ty_acc"_a,    \
        "sign_a"_a = false, "sign_b"_a = false, "clamp"_a = false,             \
        "context"_a = nb::none(),                                              \
        DOC " For integers `sign_a` and `sign_b` say whether A and B are "     \
            "signed, `clamp` whether the sum saturates.");                     \
    FLY_PYTHON_MMA_ACCESSORS(CLASS, flyROCDLWmma##SUFFIX##Type)                \
    FLY_PYTHON_SIGN_ACCESSORS(CLASS, flyROCDLWmma##SUFFIX##Type)               \
  }

FLY_PYTHON_WMMA(WmmaGfx11Type, "MmaOpGFX11_WMMAType", Gfx11, "v_wmma of RDNA3.")
FLY_PYTHON_WMMA(WmmaGfx120xType, "MmaOpGFX120X_WMMAType", Gfx120x,
                "v_wmma of RDNA4.")

FLY_PYTHON_TYPE(WmmaGfx1250Type, "MmaOpGFX1250_WMMAType",
                flyROCDLTypeIsAWmmaGfx1250, flyROCDLWmmaGfx1250TypeGetTypeID) {
  c.def_static(
      "get",
      [](int m, int n, int k, mp::PyType &elemTyA, mp::PyType &elemTyB,
         mp::PyType &elemTyAcc, bool signA, bool signB, bool clamp, int modC,
         bool reuseA, bool reuseB, mp::DefaultingPyMlirContext context) {
        return WmmaGfx1250Type(
            context->getRef(),
            construct(context->get(), "MmaOpGFX1250_WMMAType.get",
                      [&](MlirLocation location) {
                        return flyROCDLWmmaGfx1250TypeGet(
                            location, m, n, k, elemTyA, elemTyB, elemTyAcc,
                            signA, signB, clamp, modC, reuseA, reuseB);
                      }));
      },
      "m"_a, "n"_a, "k"_a, "elem_ty_a"_a, "elem_ty_b"_a, "elem_ty_acc"_a,
      "sign_a"_a = false, "sign_b"_a = false, "clamp"_a = false, "mod_c"_a = 0,
      "reuse_a"_a = false, "reuse_b"_a = false, "context"_a = nb::none(),
      "v_wmma of gfx1250. `mod_c` changes C before the addition: 0 nothing, 1 "
      "negate, 2 absolute value, 3 both; `reuse_a` and `reuse_b` hint that the "
      "operand is the one of the instruction before.");
  FLY_PYTHON_MMA_ACCESSORS(WmmaGfx1250Type, flyROCDLWmmaGfx1250Type)
  FLY_PYTHON_SIGN_ACCESSORS(WmmaGfx1250Type, flyROCDLWmmaGfx1250Type)
  c.def_prop_ro("mod_c", [](WmmaGfx1250Type &self) {
    return flyROCDLWmmaGfx1250TypeGetModC(self);
  });
  c.def_prop_ro("reuse_a", [](WmmaGfx1250Type &self) {
    return flyROCDLWmmaGfx1250TypeGetReuseA(self);
  });
  c.def_prop_ro("reuse_b", [](WmmaGfx1250Type &self) {
    return flyROCDLWmmaGfx1250TypeGetReuseB(self);
  });
}

FLY_PYTHON_TYPE(WmmaScaleGfx1250Type, "MmaOpGFX1250_WMMAScaleType",
                flyROCDLTypeIsAWmmaScaleGfx1250,
                flyROCDLWmmaScaleGfx1250TypeGetTypeID) {
  c.def_static(
      "get",
      [](int m, int n, int k, mp::PyType &elemTyA, mp::PyType &elemTyB,
         mp::PyType &elemTyAcc, int opselA, int opselB, int modC, bool reuseA,
         bool reuseB, int blockSize, mp::DefaultingPyMlirContext context) {
        return WmmaScaleGfx1250Type(
            context->getRef(),
            construct(context->get(), "MmaOpGFX1250_WMMAScaleType.get",
                      [&](MlirLocation location) {
                        return flyROCDLWmmaScaleGfx1250TypeGet(
                            location, m, n, k, elemTyA, elemTyB, elemTyAcc,
                            opselA, opselB, modC, reuseA, reuseB, blockSize);
                      }));
      },
      "m"_a, "n"_a, "k"_a, "elem_ty_a"_a, "elem_ty_b"_a, "elem_ty_acc"_a,
      "opsel_a"_a = 0, "opsel_b"_a = 0, "mod_c"_a = 0, "reuse_a"_a = false,
      "reuse_b"_a = false, "block_size"_a = 32, "context"_a = nb::none(),
      "v_wmma_scale of gfx1250: 8-, 6- or 4-bit floats with a scale for each "
      "`block_size` k; `opsel_a` and `opsel_b` choose the half of the wave "
      "that "
      "holds the scales.");
  FLY_PYTHON_MMA_ACCESSORS(WmmaScaleGfx1250Type, flyROCDLWmmaScaleGfx1250Type)
  FLY_PYTHON_OPSEL_ACCESSORS(WmmaScaleGfx1250Type, flyROCDLWmmaScaleGfx1250Type)
  c.def_prop_ro("mod_c", [](WmmaScaleGfx1250Type &self) {
    return flyROCDLWmmaScaleGfx1250TypeGetModC(self);
  });
  c.def_prop_ro("reuse_a", [](WmmaScaleGfx1250Type &self) {
    return flyROCDLWmmaScaleGfx1250TypeGetReuseA(self);
  });
  c.def_prop_ro("reuse_b", [](WmmaScaleGfx1250Type &self) {
    return flyROCDLWmmaScaleGfx1250TypeGetReuseB(self);
  });
  c.def_prop_ro("block_size", [](WmmaScaleGfx1250Type &self) {
    return flyROCDLWmmaScaleGfx1250TypeGetBlockSize(self);
  });
}

//===----------------------------------------------------------------------===//
// Copy operations
//===----------------------------------------------------------------------===//

FLY_PYTHON_TYPE(BufferCopyType, "CopyOpCDNA3BufferCopyType",
                flyROCDLTypeIsABufferCopy, flyROCDLBufferCopyTypeGetTypeID) {
  c.def_static(
      "get",
      [](int bitSize, int cacheModifier, mp::DefaultingPyMlirContext context) {
        return BufferCopyType(
            context->getRef(),
            construct(context->get(), "CopyOpCDNA3BufferCopyType.get",
                      [&](MlirLocation location) {
                        return flyROCDLBufferCopyTypeGet(location, bitSize,
                                                         cacheModifier);
                      }));
      },
      "bit_size"_a, "cache_modifier"_a = 0, "context"_a = nb::none(),
      "Each lane copies `bit_size` bits between a buffer and registers; "
      "`cache_modifier` is the instruction's cache policy.");
  c.def_prop_ro("bit_size", [](BufferCopyType &self) {
    return flyROCDLBufferCopyTypeGetBitSize(self);
  });
  c.def_prop_ro("cache", [](BufferCopyType &self) {
    return flyROCDLBufferCopyTypeGetCache(self);
  });
  bindCopy<BufferCopyType>(c);
}

FLY_PYTHON_TYPE(BufferCopyLdsType, "CopyOpCDNA3BufferCopyLDSType",
                flyROCDLTypeIsABufferCopyLds,
                flyROCDLBufferCopyLdsTypeGetTypeID) {
  c.def_static(
      "get",
      [](int bitSize, mp::DefaultingPyMlirContext context) {
        return BufferCopyLdsType(
            context->getRef(),
            construct(context->get(), "CopyOpCDNA3BufferCopyLDSType.get",
                      [&](MlirLocation location) {
                        return flyROCDLBufferCopyLdsTypeGet(location, bitSize);
                      }));
      },
      "bit_size"_a, "context"_a = nb::none(),
      "Each lane moves `bit_size` bits from a buffer to shared memory.");
  c.def_prop_ro("bit_size", [](BufferCopyLdsType &self) {
    return flyROCDLBufferCopyLdsTypeGetBitSize(self);
  });
  bindCopy<BufferCopyLdsType>(c);
}

FLY_PYTHON_TYPE(BufferAtomicType, "CopyOpCDNA3BufferAtomicType",
                flyROCDLTypeIsABufferAtomic,
                flyROCDLBufferAtomicTypeGetTypeID) {
  c.def_static(
      "get",
      [](int atomicOp, mp::PyType &valType,
         mp::DefaultingPyMlirContext context) {
        return BufferAtomicType(
            context->getRef(),
            construct(context->get(), "CopyOpCDNA3BufferAtomicType.get",
                      [&](MlirLocation location) {
                        return flyROCDLBufferAtomicTypeGet(
                            location, static_cast<FlyAtomicOp>(atomicOp),
                            valType);
                      }));
      },
      "atomic_op"_a, "val_type"_a, "context"_a = nb::none(),
      "Each lane combines a value of `val_type` with a buffer; `atomic_op` is "
      "a "
      "member of AtomicOp or its number.");
  c.def_prop_ro("atomic_op", [](BufferAtomicType &self) {
    return static_cast<int>(flyROCDLBufferAtomicTypeGetAtomicOp(self));
  });
  c.def_prop_ro("val_type", [](BufferAtomicType &self) {
    return wrap(self.getContext(), flyROCDLBufferAtomicTypeGetValType(self));
  });
  c.def_prop_ro(
      "has_instruction",
      [](BufferAtomicType &self) {
        return flyROCDLBufferAtomicTypeHasInstruction(self);
      },
      "True if some chip has an instruction for the operation on this type.");
  bindCopy<BufferAtomicType>(c);
}

} // namespace

void fly::python::bindROCDL(nb::module_ &m) {
  BufferDescAttr::bind(m);
  CPUTargetAttr::bind(m);
  MfmaType::bind(m);
  MfmaScaleType::bind(m);
  WmmaGfx11Type::bind(m);
  WmmaGfx120xType::bind(m);
  WmmaGfx1250Type::bind(m);
  WmmaScaleGfx1250Type::bind(m);
  BufferCopyType::bind(m);
  BufferCopyLdsType::bind(m);
  BufferAtomicType::bind(m);

  const char *aliases[][2] = {
      {"MfmaType", MfmaType::pyClassName},
      {"MfmaScaleType", MfmaScaleType::pyClassName},
      {"WmmaGfx11Type", WmmaGfx11Type::pyClassName},
      {"WmmaGfx120xType", WmmaGfx120xType::pyClassName},
      {"WmmaGfx1250Type", WmmaGfx1250Type::pyClassName},
      {"WmmaScaleGfx1250Type", WmmaScaleGfx1250Type::pyClassName},
      {"BufferCopyType", BufferCopyType::pyClassName},
      {"BufferCopyLdsType", BufferCopyLdsType::pyClassName},
      {"BufferAtomicType", BufferAtomicType::pyClassName}};
  for (auto &alias : aliases)
    m.attr(alias[0]) = m.attr(alias[1]);
}
