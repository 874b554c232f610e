// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of matrix atom types, and their layouts, which are read from them.

#include "MmaRows.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly::rocdl;
using fly::arch::ElemKind;
using fly::arch::MatrixFamily;
using fly::arch::MatrixInstruction;
namespace arch = fly::arch;
namespace layout = fly::layout;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

std::optional<ElemKinds> fly::rocdl::getElemKinds(Type a, Type b, Type acc,
                                                  bool xf32) {
  std::optional<ElemKind> kindA = getElemKind(a), kindB = getElemKind(b),
                          kindAcc = getElemKind(acc);
  if (!kindA || !kindB || !kindAcc)
    return std::nullopt;
  // Only f32 operands have a short form.
  if (xf32 && (*kindA != ElemKind::F32 || *kindB != ElemKind::F32))
    return std::nullopt;
  if (xf32)
    return ElemKinds{ElemKind::XF32, ElemKind::XF32, *kindAcc};
  return ElemKinds{*kindA, *kindB, *kindAcc};
}

const MatrixInstruction *
fly::rocdl::lookupMatrixRow(MatrixFamily family, int32_t m, int32_t n,
                            int32_t k, Type a, Type b, Type acc, int32_t blocks,
                            bool xf32, int32_t scaleBlock) {
  std::optional<ElemKinds> kinds = getElemKinds(a, b, acc, xf32);
  if (!kinds)
    return nullptr;
  return arch::lookupMatrix(
      {family, m, n, k, kinds->a, kinds->b, kinds->acc, blocks, scaleBlock});
}

const MatrixInstruction *fly::rocdl::getMatrixInstruction(Type mmaOp) {
  return TypeSwitch<Type, const MatrixInstruction *>(mmaOp)
      .Case<MfmaType, MfmaScaleType, WmmaGfx11Type, WmmaGfx120xType,
            WmmaGfx1250Type, WmmaScaleGfx1250Type>(
          [](auto type) { return &type.getInstruction(); })
      .Default([](Type) { return nullptr; });
}

//===----------------------------------------------------------------------===//
// Description, the same for all families
//===----------------------------------------------------------------------===//

/// The lane map as a layout ((lanes), values) to column-major positions. A
/// value of one mode is a leaf.
static layout::Layout toLayout(const arch::LaneMap &map) {
  using layout::IntTuple;
  auto tuple = [](const arch::Mode(&modes)[3], int rank,
                  int32_t arch::Mode::*field) {
    SmallVector<IntTuple> leaves;
    for (const arch::Mode &mode : ArrayRef(modes).take_front(rank))
      leaves.push_back(IntTuple(mode.*field));
    return rank == 1 ? leaves.front() : IntTuple::tuple(leaves);
  };
  auto both = [&](int32_t arch::Mode::*field) {
    return IntTuple::tuple(
        ArrayRef<IntTuple>{tuple(map.thread, map.threadRank, field),
                           tuple(map.value, map.valueRank, field)});
  };
  return layout::Layout(both(&arch::Mode::shape), both(&arch::Mode::stride));
}

static layout::IntTuple shapeOf(const MatrixInstruction &row) {
  return layout::IntTuple::tuple(
      ArrayRef<layout::IntTuple>{row.m, row.n, row.k});
}

const MatrixInstruction &MfmaType::getInstruction() const {
  return *lookupMatrixRow(MatrixFamily::Mfma, getM(), getN(), getK(),
                          getElemTyA(), getElemTyB(), getElemTyAcc(),
                          getBlocks(), getXf32());
}
const MatrixInstruction &MfmaScaleType::getInstruction() const {
  return *lookupMatrixRow(MatrixFamily::MfmaScale, getM(), getN(), getK(),
                          getElemTyA(), getElemTyB(), getElemTyAcc());
}
const MatrixInstruction &WmmaGfx11Type::getInstruction() const {
  return *lookupMatrixRow(MatrixFamily::WmmaGfx11, getM(), getN(), getK(),
                          getElemTyA(), getElemTyB(), getElemTyAcc());
}
const MatrixInstruction &WmmaGfx120xType::getInstruction() const {
  return *lookupMatrixRow(MatrixFamily::WmmaGfx120x, getM(), getN(), getK(),
                          getElemTyA(), getElemTyB(), getElemTyAcc());
}
const MatrixInstruction &WmmaGfx1250Type::getInstruction() const {
  return *lookupMatrixRow(MatrixFamily::WmmaGfx1250, getM(), getN(), getK(),
                          getElemTyA(), getElemTyB(), getElemTyAcc());
}
const MatrixInstruction &WmmaScaleGfx1250Type::getInstruction() const {
  return *lookupMatrixRow(MatrixFamily::WmmaScaleGfx1250, getM(), getN(),
                          getK(), getElemTyA(), getElemTyB(), getElemTyAcc(),
                          /*blocks=*/1,
                          /*xf32=*/false, getBlockSize());
}

/// The state of a block-scaled atom: the scales of a lane.
static SmallVector<fly::AtomStateField>
getScaleFields(MLIRContext *context, const MatrixInstruction &row) {
  Type type = IntegerType::get(context, row.scaleBits);
  return {{"scale_a", type}, {"scale_b", type}};
}

SmallVector<fly::AtomStateField> MfmaScaleType::getStateFields() const {
  return getScaleFields(getContext(), getInstruction());
}
SmallVector<fly::AtomStateField> WmmaScaleGfx1250Type::getStateFields() const {
  return getScaleFields(getContext(), getInstruction());
}

// TableGen declares the same interface methods in each type; each forwards to
// its row.
#define FLY_ROCDL_MATRIX_TYPE(TYPE)                                            \
  layout::Layout TYPE::getThrLayout() const {                                  \
    return layout::Layout(getInstruction().lanes(), 1);                        \
  }                                                                            \
  StringRef TYPE::getRequiredFeature() const {                                 \
    return arch::featureName(getInstruction().feature);                        \
  }                                                                            \
  layout::IntTuple TYPE::getShapeMNK() const {                                 \
    return shapeOf(getInstruction());                                          \
  }                                                                            \
  Type TYPE::getValTypeA() const { return getElemTyA(); }                      \
  Type TYPE::getValTypeB() const { return getElemTyB(); }                      \
  Type TYPE::getValTypeC() const { return getElemTyAcc(); }                    \
  Type TYPE::getValTypeD() const { return getElemTyAcc(); }                    \
  layout::Layout TYPE::getThrValLayoutA() const {                              \
    return toLayout(getInstruction().mapA);                                    \
  }                                                                            \
  layout::Layout TYPE::getThrValLayoutB() const {                              \
    return toLayout(getInstruction().mapB);                                    \
  }                                                                            \
  layout::Layout TYPE::getThrValLayoutC() const {                              \
    return toLayout(getInstruction().mapC);                                    \
  }

FLY_ROCDL_MATRIX_TYPE(MfmaType)
FLY_ROCDL_MATRIX_TYPE(MfmaScaleType)
FLY_ROCDL_MATRIX_TYPE(WmmaGfx11Type)
FLY_ROCDL_MATRIX_TYPE(WmmaGfx120xType)
FLY_ROCDL_MATRIX_TYPE(WmmaGfx1250Type)
FLY_ROCDL_MATRIX_TYPE(WmmaScaleGfx1250Type)

#undef FLY_ROCDL_MATRIX_TYPE
