// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three atom operations that every target has: one thread copies bits,
// updates memory atomically, or multiplies and adds.

#include "Fly/Dialect/Fly/IR/FlyTypes.h"

using namespace mlir;

namespace fly {

/// One thread.
static layout::Layout getOneThread() {
  return layout::Layout(layout::Int::constant(1), layout::Int::constant(1));
}

/// `(1,bits):(1,1)`: one thread, its bits in order.
static layout::Layout getOneThreadLayout(int64_t bits) {
  layout::IntTuple one = layout::Int::constant(1);
  layout::IntTuple size = layout::Int::constant(bits);
  return layout::Layout(
      layout::IntTuple::tuple(ArrayRef<layout::IntTuple>{one, size}),
      layout::IntTuple::tuple(ArrayRef<layout::IntTuple>{one, one}));
}

//===----------------------------------------------------------------------===//
// Universal copy
//===----------------------------------------------------------------------===//

LogicalResult
UniversalCopyType::verify(function_ref<InFlightDiagnostic()> emitError,
                          int32_t bitSize) {
  if (bitSize <= 0)
    return emitError() << "universal copy must move at least one bit, got "
                       << bitSize;
  return success();
}

layout::Layout UniversalCopyType::getThrLayout() const {
  return getOneThread();
}

layout::Layout UniversalCopyType::getThrBitLayoutSrc() const {
  return getOneThreadLayout(getBitSize());
}

layout::Layout UniversalCopyType::getThrBitLayoutDst() const {
  return getOneThreadLayout(getBitSize());
}

layout::Layout UniversalCopyType::getThrBitLayoutRef() const {
  return getOneThreadLayout(getBitSize());
}

int32_t UniversalCopyType::getDefaultValBits() const { return getBitSize(); }

//===----------------------------------------------------------------------===//
// Universal atomic
//===----------------------------------------------------------------------===//

LogicalResult
UniversalAtomicType::verify(function_ref<InFlightDiagnostic()> emitError,
                            AtomicOp atomicOp, Type valType, StringRef) {
  if (!valType || !getElementBits(valType))
    return emitError() << "value type of a universal atomic must be an integer "
                          "or float type, got "
                       << valType;
  bool integerOnly = atomicOp == AtomicOp::And || atomicOp == AtomicOp::Or ||
                     atomicOp == AtomicOp::Inc || atomicOp == AtomicOp::Dec;
  if (integerOnly && !isa<IntegerType>(valType))
    return emitError() << "universal atomic '" << stringifyAtomicOp(atomicOp)
                       << "' needs an integer type, got " << valType;
  return success();
}

layout::Layout UniversalAtomicType::getThrLayout() const {
  return getOneThread();
}

layout::Layout UniversalAtomicType::getThrBitLayoutSrc() const {
  return getOneThreadLayout(*getElementBits(getValType()));
}

layout::Layout UniversalAtomicType::getThrBitLayoutDst() const {
  return getOneThreadLayout(*getElementBits(getValType()));
}

layout::Layout UniversalAtomicType::getThrBitLayoutRef() const {
  return getOneThreadLayout(*getElementBits(getValType()));
}

int32_t UniversalAtomicType::getDefaultValBits() const {
  return *getElementBits(getValType());
}

//===----------------------------------------------------------------------===//
// Universal multiply-add
//===----------------------------------------------------------------------===//

LogicalResult
UniversalFMAType::verify(function_ref<InFlightDiagnostic()> emitError,
                         Type elemTy) {
  if (!isa_and_nonnull<FloatType>(elemTy))
    return emitError() << "element type of a universal FMA must be a float "
                          "type, got "
                       << elemTy;
  return success();
}

layout::Layout UniversalFMAType::getThrLayout() const { return getOneThread(); }

layout::IntTuple UniversalFMAType::getShapeMNK() const {
  layout::IntTuple one = layout::Int::constant(1);
  return layout::IntTuple::tuple(ArrayRef<layout::IntTuple>{one, one, one});
}

Type UniversalFMAType::getValTypeA() const { return getElemTy(); }
Type UniversalFMAType::getValTypeB() const { return getElemTy(); }
Type UniversalFMAType::getValTypeC() const { return getElemTy(); }
Type UniversalFMAType::getValTypeD() const { return getElemTy(); }

layout::Layout UniversalFMAType::getThrValLayoutA() const {
  return getOneThreadLayout(1);
}

layout::Layout UniversalFMAType::getThrValLayoutB() const {
  return getOneThreadLayout(1);
}

layout::Layout UniversalFMAType::getThrValLayoutC() const {
  return getOneThreadLayout(1);
}

} // namespace fly
