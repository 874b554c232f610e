// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy atom types: verification and description, read from the rows of room
// Arch.

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fly::rocdl;
namespace arch = fly::arch;
namespace layout = fly::layout;
using fly::AtomStateField;

//===----------------------------------------------------------------------===//
// Shared parts
//===----------------------------------------------------------------------===//

/// The layout (1,bits):(1,1) of atoms whose lanes copy for themselves.
static layout::Layout laneBits(int64_t bits) {
  using layout::IntTuple;
  return layout::Layout(IntTuple::tuple(ArrayRef<IntTuple>{1, bits}),
                        IntTuple::tuple(ArrayRef<IntTuple>{1, 1}));
}

static layout::Layout oneLane() { return layout::Layout(1, 1); }

static AtomStateField i32Field(MLIRContext *context, StringRef name) {
  return {name, IntegerType::get(context, 32)};
}

/// Total bits of a scalar or vector of integers or floats; 0 for other types.
static int64_t totalBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable() || !vector.getElementType().isIntOrFloat())
      return 0;
    return vector.getNumElements() * vector.getElementTypeBitWidth();
  }
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

//===----------------------------------------------------------------------===//
// BufferCopy
//===----------------------------------------------------------------------===//

LogicalResult
BufferCopyType::verify(function_ref<InFlightDiagnostic()> emitError,
                       int32_t bitSize, int32_t cache) {
  if (!arch::lookupCopy(arch::CopyFamily::BufferCopy, bitSize))
    return emitError() << "unsupported bitSize = " << bitSize
                       << " for BufferCopy; expected one of "
                       << arch::copyWidths(arch::CopyFamily::BufferCopy);
  if (cache < 0)
    return emitError() << "cache must not be negative, got " << cache;
  return success();
}

layout::Layout BufferCopyType::getThrLayout() const { return oneLane(); }
layout::Layout BufferCopyType::getThrBitLayoutSrc() const {
  return laneBits(getBitSize());
}
layout::Layout BufferCopyType::getThrBitLayoutDst() const {
  return laneBits(getBitSize());
}
layout::Layout BufferCopyType::getThrBitLayoutRef() const {
  return laneBits(getBitSize());
}
int32_t BufferCopyType::getDefaultValBits() const { return getBitSize(); }
SmallVector<AtomStateField> BufferCopyType::getStateFields() const {
  return {i32Field(getContext(), "soffset")};
}
StringRef BufferCopyType::getRequiredFeature() const {
  return arch::featureName(
      arch::lookupCopy(arch::CopyFamily::BufferCopy, getBitSize())->feature);
}

//===----------------------------------------------------------------------===//
// BufferCopyLds
//===----------------------------------------------------------------------===//

LogicalResult
BufferCopyLdsType::verify(function_ref<InFlightDiagnostic()> emitError,
                          int32_t bitSize) {
  if (!arch::lookupCopy(arch::CopyFamily::BufferCopyLds, bitSize))
    return emitError() << "unsupported bitSize = " << bitSize
                       << " for BufferCopyLDS; expected 32 or 128 (there is no "
                          "8-byte LDS DMA instruction, and 128 requires "
                          "gfx950)";
  return success();
}

layout::Layout BufferCopyLdsType::getThrLayout() const { return oneLane(); }
layout::Layout BufferCopyLdsType::getThrBitLayoutSrc() const {
  return laneBits(getBitSize());
}
layout::Layout BufferCopyLdsType::getThrBitLayoutDst() const {
  return laneBits(getBitSize());
}
layout::Layout BufferCopyLdsType::getThrBitLayoutRef() const {
  return laneBits(getBitSize());
}
int32_t BufferCopyLdsType::getDefaultValBits() const { return getBitSize(); }
SmallVector<AtomStateField> BufferCopyLdsType::getStateFields() const {
  return {i32Field(getContext(), "soffset"),
          i32Field(getContext(), "imm_offset")};
}
StringRef BufferCopyLdsType::getRequiredFeature() const {
  return arch::featureName(
      arch::lookupCopy(arch::CopyFamily::BufferCopyLds, getBitSize())->feature);
}

//===----------------------------------------------------------------------===//
// BufferAtomic
//===----------------------------------------------------------------------===//

LogicalResult
BufferAtomicType::verify(function_ref<InFlightDiagnostic()> emitError,
                         AtomicOp atomicOp, Type valType) {
  if (totalBits(valType) <= 0)
    return emitError() << "valType must be an integer, a float or a vector of "
                          "these, got "
                       << valType;
  return success();
}

const arch::BufferAtomic *BufferAtomicType::getInstruction() const {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(getValType()));
  arch::BufferAtomicKind kind;
  switch (getAtomicOp()) {
  case AtomicOp::Add:
    if (!isFloat)
      return nullptr;
    kind = arch::BufferAtomicKind::FAdd;
    break;
  case AtomicOp::Max:
    kind =
        isFloat ? arch::BufferAtomicKind::FMax : arch::BufferAtomicKind::SMax;
    break;
  case AtomicOp::Min:
    if (isFloat)
      return nullptr;
    kind = arch::BufferAtomicKind::UMin;
    break;
  case AtomicOp::And:
  case AtomicOp::Or:
  case AtomicOp::Inc:
  case AtomicOp::Dec:
    return nullptr;
  }
  std::string spelling;
  llvm::raw_string_ostream(spelling) << getValType();
  return arch::lookupBufferAtomic(kind, spelling);
}

layout::Layout BufferAtomicType::getThrLayout() const { return oneLane(); }
layout::Layout BufferAtomicType::getThrBitLayoutSrc() const {
  return laneBits(totalBits(getValType()));
}
layout::Layout BufferAtomicType::getThrBitLayoutDst() const {
  return laneBits(totalBits(getValType()));
}
layout::Layout BufferAtomicType::getThrBitLayoutRef() const {
  return laneBits(totalBits(getValType()));
}
int32_t BufferAtomicType::getDefaultValBits() const {
  return totalBits(getValType());
}
SmallVector<AtomStateField> BufferAtomicType::getStateFields() const {
  return {i32Field(getContext(), "soffset")};
}
StringRef BufferAtomicType::getRequiredFeature() const {
  const arch::BufferAtomic *row = getInstruction();
  return arch::featureName(row ? row->feature : arch::Feature::Buffer);
}
