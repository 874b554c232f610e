// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of `fly_rocdl` for copies that pass by registers or transpose, as
// Python classes: loads to shared memory, transposing reads, tensor copies.
// Their names are as in ROCDL.cpp.

#include "Atoms.h"

#include "Fly-c/ROCDLCopies.h"

using namespace fly::python;
using namespace nanobind::literals;

namespace {

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

#define FLY_PYTHON_ASYNC_LDS(CLASS, NAME, PREFIX, ISA, DOC)                    \
  FLY_PYTHON_TYPE(CLASS, NAME, ISA, PREFIX##GetTypeID) {                       \
    c.def_static(                                                              \
        "get",                                                                 \
        [](int bitSize, mp::DefaultingPyMlirContext context) {                 \
          return CLASS(context->getRef(),                                      \
                       construct(context->get(), NAME ".get",                  \
                                 [&](MlirLocation location) {                  \
                                   return PREFIX##Get(location, bitSize);      \
                                 }));                                          \
        },                                                                     \
        "bit_size"_a, "context"_a = nb::none(), DOC);                          \
    c.def_prop_ro("bit_size",                                                  \
                  [](CLASS &self) { return PREFIX##GetBitSize(self); });       \
    bindCopy<CLASS>(c);                                                        \
  }

FLY_PYTHON_ASYNC_LDS(BufferLoadAsyncLdsType,
                     "CopyOpCDNA4BufferLoadAsyncLDSType",
                     flyROCDLBufferLoadAsyncLdsType,
                     flyROCDLTypeIsABufferLoadAsyncLds,
                     "Each lane moves `bit_size` bits (32, 96, 128) from a "
                     "buffer to shared memory.")
FLY_PYTHON_ASYNC_LDS(
    GlobalLoadAsyncLdsType, "CopyOpCDNA4GlobalLoadAsyncLDSType",
    flyROCDLGlobalLoadAsyncLdsType, flyROCDLTypeIsAGlobalLoadAsyncLds,
    "Each lane moves `bit_size` bits (32, 96, 128) from global "
    "to shared memory.")

FLY_PYTHON_TYPE(LdsReadTransType, "CopyOpCDNA4LdsReadTransposeType",
                flyROCDLTypeIsALdsReadTrans,
                flyROCDLLdsReadTransTypeGetTypeID) {
  c.def_static(
      "get",
      [](int granularity, int bitSize, mp::DefaultingPyMlirContext context) {
        return LdsReadTransType(context->getRef(),
                                construct(context->get(),
                                          "CopyOpCDNA4LdsReadTransposeType.get",
                                          [&](MlirLocation location) {
                                            return flyROCDLLdsReadTransTypeGet(
                                                location, granularity, bitSize);
                                          }));
      },
      "trans_granularity"_a, "bit_size"_a, "context"_a = nb::none(),
      "16 lanes read `bit_size` bits each of shared memory and transpose "
      "elements of `trans_granularity` bits.");
  c.def_prop_ro("trans_granularity", [](LdsReadTransType &self) {
    return flyROCDLLdsReadTransTypeGetGranularity(self);
  });
  c.def_prop_ro("bit_size", [](LdsReadTransType &self) {
    return flyROCDLLdsReadTransTypeGetBitSize(self);
  });
  bindCopy<LdsReadTransType>(c);
}

//===----------------------------------------------------------------------===//
// Tensor copies
//===----------------------------------------------------------------------===//

FLY_PYTHON_TYPE(TdmType, "CopyOpGFX1250TDMType", flyROCDLTypeIsATdm,
                flyROCDLTdmTypeGetTypeID) {
  c.def_static(
      "get",
      [](int rank, int numWarps, int padInterval, int padAmount,
         int cacheModifier, bool atomicBarrier, bool earlyTimeout,
         mp::DefaultingPyMlirContext context) {
        return TdmType(context->getRef(),
                       construct(context->get(), "CopyOpGFX1250TDMType.get",
                                 [&](MlirLocation location) {
                                   return flyROCDLTdmTypeGet(
                                       location, rank, numWarps, padInterval,
                                       padAmount, cacheModifier, atomicBarrier,
                                       earlyTimeout);
                                 }));
      },
      "rank"_a, "num_warps"_a, "pad_interval"_a = 0, "pad_amount"_a = 0,
      "cache_modifier"_a = 0, "atomic_barrier"_a = false,
      "early_timeout"_a = false, "context"_a = nb::none(),
      "A whole tile of `rank` modes between global and shared memory, shared "
      "by `num_warps` waves; after `pad_interval` elements `pad_amount` are "
      "left out in shared memory.");
  c.def_prop_ro("rank",
                [](TdmType &self) { return flyROCDLTdmTypeGetRank(self); });
  c.def_prop_ro("num_warps",
                [](TdmType &self) { return flyROCDLTdmTypeGetNumWarps(self); });
  c.def_prop_ro("pad_interval", [](TdmType &self) {
    return flyROCDLTdmTypeGetPadInterval(self);
  });
  c.def_prop_ro("pad_amount", [](TdmType &self) {
    return flyROCDLTdmTypeGetPadAmount(self);
  });
  c.def_prop_ro("cache_modifier",
                [](TdmType &self) { return flyROCDLTdmTypeGetCache(self); });
  c.def_prop_ro("atomic_barrier",
                [](TdmType &self) { return flyROCDLTdmTypeGetBarrier(self); });
  c.def_prop_ro("early_timeout",
                [](TdmType &self) { return flyROCDLTdmTypeGetTimeout(self); });
  bindCopy<TdmType>(c);
}

/// What loads and stores have in common.
#define FLY_PYTHON_TENSOR_COPY_ACCESSORS(CLASS, PREFIX)                        \
  c.def_prop_ro(                                                               \
      "tile_shape",                                                            \
      [](CLASS &self) {                                                        \
        nb::list shape;                                                        \
        for (intptr_t pos = 0, end = PREFIX##GetNumShape(self); pos < end;     \
             ++pos)                                                            \
          shape.append(PREFIX##GetShape(self, pos));                           \
        return shape;                                                          \
      },                                                                       \
      "The extents of one call's box, outermost first.");                      \
  c.def_prop_ro("data_type", [](CLASS &self) {                                 \
    return wrap(self.getContext(), PREFIX##GetElem(self));                     \
  });                                                                          \
  c.def_prop_ro(                                                               \
      "tensor2tdm",                                                            \
      [](CLASS &self) {                                                        \
        return wrapAsType(self.getContext(), PREFIX##GetTensor2tdm(self));     \
      },                                                                       \
      "Which dimension each mode of the tensor moves, an IntTupleType.");      \
  c.def_prop_ro("atomic_barrier",                                              \
                [](CLASS &self) { return PREFIX##GetAtomicBarrier(self); });   \
  c.def_prop_ro("cache_modifier",                                              \
                [](CLASS &self) { return PREFIX##GetCacheModifier(self); });   \
  c.def_prop_ro("iter_count",                                                  \
                [](CLASS &self) { return PREFIX##GetIterCount(self); });       \
  bindCopy<CLASS>(c);

FLY_PYTHON_TYPE(TensorLoadType, "CopyOpCDNA5TensorLoadType",
                flyROCDLTypeIsATensorLoad, flyROCDLTensorLoadTypeGetTypeID) {
  c.def_static(
      "get",
      [](const std::vector<int32_t> &tileShape, mp::PyType &dataType,
         nb::object tensor2tdm, bool atomicBarrier, int cacheModifier,
         int iterCount, int padInterval, int padAmount,
         mp::DefaultingPyMlirContext context) {
        const char *name = "CopyOpCDNA5TensorLoadType.get";
        MlirAttribute modes = toIntTuple(context->get(), tensor2tdm, name);
        return TensorLoadType(
            context->getRef(),
            construct(context->get(), name, [&](MlirLocation location) {
              return flyROCDLTensorLoadTypeGet(
                  location, tileShape.size(), tileShape.data(), dataType, modes,
                  atomicBarrier, cacheModifier, iterCount, padInterval,
                  padAmount);
            }));
      },
      "tile_shape"_a, "data_type"_a, "tensor2tdm"_a, "atomic_barrier"_a = false,
      "cache_modifier"_a = 0, "iter_count"_a = 1, "pad_interval"_a = 0,
      "pad_amount"_a = 0, "context"_a = nb::none(),
      "A box of `tile_shape` (outermost first) elements of `data_type` from "
      "the "
      "tensor that the atom holds to shared memory. Leaf m of `tensor2tdm`, an "
      "int tuple shaped like the tensor, says which dimension mode m moves.");
  FLY_PYTHON_TENSOR_COPY_ACCESSORS(TensorLoadType, flyROCDLTensorLoadType)
  c.def_prop_ro("pad_interval", [](TensorLoadType &self) {
    return flyROCDLTensorLoadTypeGetPadInterval(self);
  });
  c.def_prop_ro("pad_amount", [](TensorLoadType &self) {
    return flyROCDLTensorLoadTypeGetPadAmount(self);
  });
}

FLY_PYTHON_TYPE(TensorStoreType, "CopyOpCDNA5TensorStoreType",
                flyROCDLTypeIsATensorStore, flyROCDLTensorStoreTypeGetTypeID) {
  c.def_static(
      "get",
      [](const std::vector<int32_t> &tileShape, mp::PyType &dataType,
         nb::object tensor2tdm, bool atomicBarrier, int cacheModifier,
         int iterCount, mp::DefaultingPyMlirContext context) {
        const char *name = "CopyOpCDNA5TensorStoreType.get";
        MlirAttribute modes = toIntTuple(context->get(), tensor2tdm, name);
        return TensorStoreType(
            context->getRef(),
            construct(context->get(), name, [&](MlirLocation location) {
              return flyROCDLTensorStoreTypeGet(
                  location, tileShape.size(), tileShape.data(), dataType, modes,
                  atomicBarrier, cacheModifier, iterCount);
            }));
      },
      "tile_shape"_a, "data_type"_a, "tensor2tdm"_a, "atomic_barrier"_a = false,
      "cache_modifier"_a = 0, "iter_count"_a = 1, "context"_a = nb::none(),
      "The reverse of CopyOpCDNA5TensorLoadType, without padding.");
  FLY_PYTHON_TENSOR_COPY_ACCESSORS(TensorStoreType, flyROCDLTensorStoreType)
}

/// The type of a type, attribute-holding or value, or a TypeError.
MlirType requireType(nb::handle object, const char *expected) {
  MlirType type = getHeldType(object);
  if (!type.ptr)
    raiseType("tdm_partition_layout", expected, object);
  return type;
}

} // namespace

void fly::python::bindROCDLCopies(nb::module_ &m) {
  BufferLoadAsyncLdsType::bind(m);
  GlobalLoadAsyncLdsType::bind(m);
  LdsReadTransType::bind(m);
  TdmType::bind(m);
  TensorLoadType::bind(m);
  TensorStoreType::bind(m);

  const char *aliases[][2] = {
      {"BufferLoadAsyncLdsType", BufferLoadAsyncLdsType::pyClassName},
      {"GlobalLoadAsyncLdsType", GlobalLoadAsyncLdsType::pyClassName},
      {"LdsReadTransType", LdsReadTransType::pyClassName},
      {"TdmType", TdmType::pyClassName},
      {"TensorLoadType", TensorLoadType::pyClassName},
      {"TensorStoreType", TensorStoreType::pyClassName}};
  for (auto &alias : aliases)
    m.attr(alias[0]) = m.attr(alias[1]);

  m.def(
      "tdm_partition_layout",
      [](nb::object atom, nb::object stensor, nb::object gtensor, int numWarps,
         mp::DefaultingPyMlirContext context) {
        MlirType atomType = requireType(atom, "a copy atom type");
        MlirType shared = requireType(stensor, "the type of the shared tensor");
        MlirType coords =
            requireType(gtensor, "the type of the coordinate tensor");
        MlirAttribute layout = construct(
            context->get(), "tdm_partition_layout", [&](MlirLocation location) {
              return flyROCDLTdmPartitionLayout(location, atomType, shared,
                                                coords, numWarps);
            });
        return wrapAsType(context->getRef(), layout);
      },
      "atom_type"_a, "stensor_type"_a, "gtensor_type"_a, "num_warps"_a,
      "context"_a = nb::none(),
      "The layout type (ATOM, WARP, ITER) of a tensor copy that `num_warps` "
      "waves share: from (value, wave, call) to the index in mode 0 of the "
      "shared tensor. ValueError if mode 0 of both tensors is no multiple of "
      "what the waves copy at once.");
}
