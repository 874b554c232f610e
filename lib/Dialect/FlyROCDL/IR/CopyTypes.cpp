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
using fly::AtomicOp;
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
// Loads to shared memory
//===----------------------------------------------------------------------===//

/// Checks that `family` has an instruction of this width; `rest` ends the
/// message.
static LogicalResult verifyWidth(function_ref<InFlightDiagnostic()> emitError,
                                 arch::CopyFamily family, int32_t bitSize,
                                 StringRef name, StringRef rest) {
  if (arch::lookupCopy(family, bitSize))
    return success();
  return emitError() << "unsupported bitSize = " << bitSize << " for " << name
                     << "; expected " << rest;
}

static StringRef widthFeature(arch::CopyFamily family, int32_t bitSize) {
  return arch::featureName(arch::lookupCopy(family, bitSize)->feature);
}

static constexpr llvm::StringLiteral kAsyncWidths =
    "32, 96 or 128 (there is no 8-byte LDS DMA instruction)";

LogicalResult
BufferCopyLdsType::verify(function_ref<InFlightDiagnostic()> emitError,
                          int32_t bitSize) {
  return verifyWidth(emitError, arch::CopyFamily::BufferCopyLds, bitSize,
                     "BufferCopyLDS",
                     "32 or 128 (there is no 8-byte LDS DMA instruction, "
                     "and 128 requires gfx950)");
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
StringRef BufferCopyLdsType::getRequiredFeature() const {
  return widthFeature(arch::CopyFamily::BufferCopyLds, getBitSize());
}
SmallVector<AtomStateField> BufferCopyLdsType::getStateFields() const {
  return {i32Field(getContext(), "soffset"),
          i32Field(getContext(), "imm_offset")};
}

LogicalResult
BufferLoadAsyncLdsType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int32_t bitSize) {
  return verifyWidth(emitError, arch::CopyFamily::BufferLoadAsyncLds, bitSize,
                     "BufferLoadAsyncLDS", kAsyncWidths);
}

layout::Layout BufferLoadAsyncLdsType::getThrLayout() const {
  return oneLane();
}
layout::Layout BufferLoadAsyncLdsType::getThrBitLayoutSrc() const {
  return laneBits(getBitSize());
}
layout::Layout BufferLoadAsyncLdsType::getThrBitLayoutDst() const {
  return laneBits(getBitSize());
}
layout::Layout BufferLoadAsyncLdsType::getThrBitLayoutRef() const {
  return laneBits(getBitSize());
}
int32_t BufferLoadAsyncLdsType::getDefaultValBits() const {
  return getBitSize();
}
StringRef BufferLoadAsyncLdsType::getRequiredFeature() const {
  return widthFeature(arch::CopyFamily::BufferLoadAsyncLds, getBitSize());
}
SmallVector<AtomStateField> BufferLoadAsyncLdsType::getStateFields() const {
  return {i32Field(getContext(), "soffset"),
          i32Field(getContext(), "imm_offset")};
}

LogicalResult
GlobalLoadAsyncLdsType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int32_t bitSize) {
  return verifyWidth(emitError, arch::CopyFamily::GlobalLoadAsyncLds, bitSize,
                     "GlobalLoadAsyncLDS", kAsyncWidths);
}

layout::Layout GlobalLoadAsyncLdsType::getThrLayout() const {
  return oneLane();
}
layout::Layout GlobalLoadAsyncLdsType::getThrBitLayoutSrc() const {
  return laneBits(getBitSize());
}
layout::Layout GlobalLoadAsyncLdsType::getThrBitLayoutDst() const {
  return laneBits(getBitSize());
}
layout::Layout GlobalLoadAsyncLdsType::getThrBitLayoutRef() const {
  return laneBits(getBitSize());
}
int32_t GlobalLoadAsyncLdsType::getDefaultValBits() const {
  return getBitSize();
}
StringRef GlobalLoadAsyncLdsType::getRequiredFeature() const {
  return widthFeature(arch::CopyFamily::GlobalLoadAsyncLds, getBitSize());
}

//===----------------------------------------------------------------------===//
// LdsReadTrans
//===----------------------------------------------------------------------===//

LogicalResult
LdsReadTransType::verify(function_ref<InFlightDiagnostic()> emitError,
                         int32_t granularity, int32_t bitSize) {
  if (granularity > 0 &&
      arch::lookupCopy(arch::CopyFamily::LdsReadTrans, bitSize, granularity))
    return success();
  return emitError() << "unsupported (bitSize, transGranularity) = (" << bitSize
                     << ", " << granularity
                     << ") for LDS read transpose; the widths are "
                     << arch::copyWidths(arch::CopyFamily::LdsReadTrans);
}

const arch::CopyInstruction &LdsReadTransType::getInstruction() const {
  return *arch::lookupCopy(arch::CopyFamily::LdsReadTrans, getBitSize(),
                           getGranularity());
}

layout::Layout LdsReadTransType::getThrLayout() const {
  return layout::Layout(16, 1);
}
/// Each lane reads bits of its own.
layout::Layout LdsReadTransType::getThrBitLayoutSrc() const {
  using layout::IntTuple;
  int64_t bits = getBitSize();
  return layout::Layout(IntTuple::tuple(ArrayRef<IntTuple>{16, bits}),
                        IntTuple::tuple(ArrayRef<IntTuple>{bits, 1}));
}
/// Element i of lane l is element l + 16 i of the group:
/// (16,(g,n)):(g,(1,16g)).
layout::Layout LdsReadTransType::getThrBitLayoutDst() const {
  using layout::IntTuple;
  int64_t bits = getGranularity(), count = getBitSize() / bits;
  return layout::Layout(
      IntTuple::tuple(ArrayRef<IntTuple>{
          16, IntTuple::tuple(ArrayRef<IntTuple>{bits, count})}),
      IntTuple::tuple(ArrayRef<IntTuple>{
          bits, IntTuple::tuple(ArrayRef<IntTuple>{1, 16 * bits})}));
}
layout::Layout LdsReadTransType::getThrBitLayoutRef() const {
  return getThrBitLayoutDst();
}
int32_t LdsReadTransType::getDefaultValBits() const { return getGranularity(); }
StringRef LdsReadTransType::getRequiredFeature() const {
  return arch::featureName(getInstruction().feature);
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

Type BufferAtomicType::getRegisterType() const {
  auto integer = dyn_cast<IntegerType>(getValType());
  return integer ? IntegerType::get(getContext(), integer.getWidth())
                 : getValType();
}

/// The instruction kind. Of integers without a sign, `max` compares as signed
/// and `min` as unsigned, as the operations of the ROCDL dialect do.
static std::optional<arch::BufferAtomicKind> getAtomicKind(AtomicOp op,
                                                           Type type) {
  using Kind = arch::BufferAtomicKind;
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
  switch (op) {
  case AtomicOp::Add:
    return isFloat ? Kind::FAdd : Kind::Add;
  case AtomicOp::Max:
    if (isFloat)
      return Kind::FMax;
    return type.isUnsignedInteger() ? Kind::UMax : Kind::SMax;
  case AtomicOp::Min:
    if (isFloat)
      return Kind::FMin;
    return type.isSignedInteger() ? Kind::SMin : Kind::UMin;
  case AtomicOp::And:
    return isFloat ? std::nullopt : std::optional(Kind::And);
  case AtomicOp::Or:
    return isFloat ? std::nullopt : std::optional(Kind::Or);
  case AtomicOp::Inc:
    return isFloat ? std::nullopt : std::optional(Kind::Inc);
  case AtomicOp::Dec:
    return isFloat ? std::nullopt : std::optional(Kind::Dec);
  }
  llvm_unreachable("all atomic operations are listed");
}

const arch::BufferAtomic *BufferAtomicType::getInstruction() const {
  std::optional<arch::BufferAtomicKind> kind =
      getAtomicKind(getAtomicOp(), getValType());
  if (!kind)
    return nullptr;
  std::string spelling;
  llvm::raw_string_ostream(spelling) << getRegisterType();
  return arch::lookupBufferAtomic(*kind, spelling);
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
