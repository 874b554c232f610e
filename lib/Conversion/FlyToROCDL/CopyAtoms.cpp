// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of the copy atoms of single lanes: buffer copies and atomics, loads
// to shared memory and transposing reads.

#include "CopyAtoms.h"
#include "Buffer.h"

#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace fly::rocdl {
namespace {

//===----------------------------------------------------------------------===//
// Buffer copies
//===----------------------------------------------------------------------===//

bool isBufferOperand(const CallOperand &operand) {
  MemRefType memref = operand.getMemRef();
  return memref && isBufferSpace(memref.getAddressSpace());
}

/// Checks the buffer side of a copy of `bits` bits.
LogicalResult verifyBuffer(const CallOperand &operand, StringRef what,
                           int64_t bits, EmitErrorFn emitError) {
  MemRefType memref = operand.getMemRef();
  if (failed(verifyContiguous(memref, what, emitError)))
    return failure();
  return verifySwizzledAccess(memref.getPointerType(), bits, emitError);
}

/// Checks the shared side of a copy that does not pass registers: the hardware
/// places the lanes one after the other from one address.
LogicalResult verifyLdsDestination(const CopyCall &call, StringRef name,
                                   EmitErrorFn emitError) {
  MemRefType shared = call.dst ? call.dst->getMemRef() : MemRefType();
  if (!shared || !shared.isIn(AddressSpace::Shared)) {
    InFlightDiagnostic diag = emitError();
    diag << name << " needs a shared destination";
    if (call.dst)
      diag << ", got " << call.dst->type;
    return diag;
  }
  if (!shared.getSwizzle().isTrivial())
    return emitError() << name << " cannot apply the swizzle "
                       << bodyToString(shared.getSwizzle())
                       << " of its destination";
  return verifyContiguous(shared, "destination", emitError);
}

/// Field `index` of the atom's state.
Value getStateField(OpBuilder &builder, Location loc, Value state,
                    int64_t index) {
  return LLVM::ExtractValueOp::create(builder, loc, state, index);
}

struct BufferCopyEmission
    : CopyAtomEmissionInterface::ExternalModel<BufferCopyEmission,
                                               BufferCopyType> {
  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    auto atom = cast<BufferCopyType>(type);
    bool fromBuffer = isBufferOperand(call.src);
    bool toBuffer = call.dst && isBufferOperand(*call.dst);
    if (fromBuffer == toBuffer) {
      emitError() << "buffer_copy needs exactly one of source and destination "
                     "in #fly_rocdl.buffer_desc";
      return failure();
    }
    if (fromBuffer ? !call.resultType
                   : isa<MemRefType, CoordTensorType>(call.src.type)) {
      emitError() << "buffer_copy needs its other side in registers, got "
                  << (fromBuffer ? call.dst->type : call.src.type);
      return failure();
    }
    const CallOperand &buffer = fromBuffer ? call.src : *call.dst;
    if (failed(verifyBuffer(buffer, fromBuffer ? "source" : "destination",
                            atom.getBitSize(), emitError)))
      return failure();

    const arch::CopyInstruction &row =
        *arch::lookupCopy(arch::CopyFamily::BufferCopy, atom.getBitSize());
    Type moved = builder.getIntegerType(row.bits);
    Value data;
    if (toBuffer) {
      FailureOr<Value> cast = castRegister(builder, loc, call.src.value, moved,
                                           "source", emitError);
      if (failed(cast))
        return failure();
      data = *cast;
    }
    PointerType pointer = buffer.getMemRef().getPointerType();
    Value soffset =
        scaleToBytes(builder, loc, pointer.getElementType(),
                     getStateField(builder, loc, call.state, /*soffset*/ 0));
    Value resource = getResource(builder, loc, buffer.value);
    Value offset = getByteOffset(builder, loc, pointer, buffer.value);
    Value aux = i32Constant(builder, loc, atom.getCache());

    OperationState state(loc, fromBuffer ? row.loadOp : row.storeOp);
    if (toBuffer)
      state.addOperands(data);
    state.addOperands({resource, offset, soffset, aux});
    if (fromBuffer)
      state.addTypes(moved);
    Operation *op = builder.create(state);
    if (toBuffer)
      return Value();
    return castRegister(builder, loc, op->getResult(0), call.resultType,
                        "result", emitError);
  }
};

//===----------------------------------------------------------------------===//
// Loads to shared memory
//===----------------------------------------------------------------------===//

/// Both kinds of buffer loads to shared memory; the asynchronous one is the
/// same instruction.
template <typename TypeT, arch::CopyFamily family>
struct BufferLdsEmission
    : CopyAtomEmissionInterface::ExternalModel<BufferLdsEmission<TypeT, family>,
                                               TypeT> {
  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    auto atom = cast<TypeT>(type);
    StringRef name = arch::familyMnemonic(family).split('.').second;
    if (!isBufferOperand(call.src)) {
      emitError() << name << " needs a source in #fly_rocdl.buffer_desc, got "
                  << call.src.type;
      return failure();
    }
    if (failed(verifyLdsDestination(call, name, emitError)) ||
        failed(verifyBuffer(call.src, "source", atom.getBitSize(), emitError)))
      return failure();
    const arch::CopyInstruction &row =
        *arch::lookupCopy(family, atom.getBitSize());
    PointerType pointer = call.src.getMemRef().getPointerType();
    Value rawSoffset = getStateField(builder, loc, call.state, /*soffset*/ 0);
    Value immOffset = getStateField(builder, loc, call.state, /*imm_offset*/ 1);
    Value soffset =
        scaleToBytes(builder, loc, pointer.getElementType(), rawSoffset);
    Value size = i32Constant(builder, loc, row.bits / 8);
    Value aux = i32Constant(builder, loc, 0);
    Value resource = getResource(builder, loc, call.src.value);
    Value offset = getByteOffset(builder, loc, pointer, call.src.value);
    OperationState state(loc, row.loadOp);
    state.addOperands(
        {resource, call.dst->value, size, offset, soffset, immOffset, aux});
    builder.create(state);
    return Value();
  }
};

struct GlobalLdsEmission
    : CopyAtomEmissionInterface::ExternalModel<GlobalLdsEmission,
                                               GlobalLoadAsyncLdsType> {
  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    auto atom = cast<GlobalLoadAsyncLdsType>(type);
    constexpr arch::CopyFamily family = arch::CopyFamily::GlobalLoadAsyncLds;
    StringRef name = arch::familyMnemonic(family).split('.').second;
    MemRefType source = call.src.getMemRef();
    if (!source || !source.isIn(AddressSpace::Global)) {
      emitError() << name << " needs a global source, got " << call.src.type;
      return failure();
    }
    PointerType pointer = source.getPointerType();
    if (failed(verifyLdsDestination(call, name, emitError)) ||
        failed(verifyContiguous(source, "source", emitError)) ||
        failed(verifySwizzledAccess(pointer, atom.getBitSize(), emitError)))
      return failure();
    const arch::CopyInstruction &row =
        *arch::lookupCopy(family, atom.getBitSize());
    Value address = emitSwizzledAddress(builder, loc, pointer, call.src.value);
    OperationState state(loc, row.loadOp);
    state.addOperands({address, call.dst->value});
    state.addAttribute("size", builder.getI32IntegerAttr(row.bits / 8));
    state.addAttribute("offset", builder.getI32IntegerAttr(0));
    state.addAttribute("aux", builder.getI32IntegerAttr(0));
    builder.create(state);
    return Value();
  }
};

//===----------------------------------------------------------------------===//
// Transposing reads of shared memory
//===----------------------------------------------------------------------===//

struct LdsReadTransEmission
    : CopyAtomEmissionInterface::ExternalModel<LdsReadTransEmission,
                                               LdsReadTransType> {
  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    auto atom = cast<LdsReadTransType>(type);
    MemRefType source = call.src.getMemRef();
    if (!source || !source.isIn(AddressSpace::Shared)) {
      emitError() << "lds_read_trans needs a shared source, got "
                  << call.src.type;
      return failure();
    }
    if (!call.resultType) {
      emitError() << "lds_read_trans needs a destination in registers, got "
                  << call.dst->type;
      return failure();
    }
    PointerType pointer = source.getPointerType();
    if (failed(verifyContiguous(source, "source", emitError)) ||
        failed(verifySwizzledAccess(pointer, atom.getBitSize(), emitError)))
      return failure();
    const arch::CopyInstruction &row = atom.getInstruction();
    int64_t part = row.granularity == 16 ? 16 : 32;
    Type loaded =
        VectorType::get(row.bits / part, builder.getIntegerType(part));
    Value address = emitSwizzledAddress(builder, loc, pointer, call.src.value);
    OperationState state(loc, row.loadOp);
    state.addOperands(address);
    state.addTypes(loaded);
    return castRegister(builder, loc, builder.create(state)->getResult(0),
                        call.resultType, "result", emitError);
  }
};

//===----------------------------------------------------------------------===//
// Buffer atomics
//===----------------------------------------------------------------------===//

struct BufferAtomicEmission
    : CopyAtomEmissionInterface::ExternalModel<BufferAtomicEmission,
                                               BufferAtomicType> {
  bool givesOldValue(Type) const { return true; }

  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    auto atom = cast<BufferAtomicType>(type);
    if (!call.dst || !isBufferOperand(*call.dst)) {
      emitError() << "the destination of a buffer_atomic must be in "
                     "#fly_rocdl.buffer_desc";
      return failure();
    }
    if (isa<MemRefType, CoordTensorType>(call.src.type)) {
      emitError() << "the source of a buffer_atomic must be in registers, got "
                  << call.src.type;
      return failure();
    }
    const arch::BufferAtomic *row = atom.getInstruction();
    if (!row) {
      emitError() << "no buffer instruction does '"
                  << stringifyAtomicOp(atom.getAtomicOp()) << "' of "
                  << atom.getValType();
      return failure();
    }
    Type valueType = atom.getRegisterType();
    if (failed(
            verifyAtomicElement(call.dst->getMemRef(), valueType, emitError)))
      return failure();
    FailureOr<Value> value = castRegister(builder, loc, call.src.value,
                                          valueType, "source", emitError);
    if (failed(value) ||
        failed(verifyBuffer(*call.dst, "destination",
                            *getRegisterBits(valueType), emitError)))
      return failure();
    PointerType pointer = call.dst->getMemRef().getPointerType();
    Value resource = getResource(builder, loc, call.dst->value);
    Value offset = getByteOffset(builder, loc, pointer, call.dst->value);
    Value soffset =
        scaleToBytes(builder, loc, pointer.getElementType(),
                     getStateField(builder, loc, call.state, /*soffset*/ 0));
    Value aux = i32Constant(builder, loc, 0);
    SmallVector<Value> operands{*value, resource, offset, soffset, aux};
    // The ROCDL operations have no result; the intrinsics give the old value.
    if (!call.resultType && !row->op.empty()) {
      OperationState state(loc, row->op);
      state.addOperands(operands);
      builder.create(state);
      return Value();
    }
    auto intrinsic = LLVM::CallIntrinsicOp::create(
        builder, loc, valueType, builder.getStringAttr(row->intrinsic),
        operands);
    if (!call.resultType)
      return Value();
    return castRegister(builder, loc, intrinsic.getResult(0), call.resultType,
                        "result", emitError);
  }
};

} // namespace

void attachCopyModels(MLIRContext &context) {
  using Family = arch::CopyFamily;
  BufferCopyType::attachInterface<BufferCopyEmission>(context);
  BufferCopyLdsType::attachInterface<
      BufferLdsEmission<BufferCopyLdsType, Family::BufferCopyLds>>(context);
  BufferLoadAsyncLdsType::attachInterface<
      BufferLdsEmission<BufferLoadAsyncLdsType, Family::BufferLoadAsyncLds>>(
      context);
  GlobalLoadAsyncLdsType::attachInterface<GlobalLdsEmission>(context);
  LdsReadTransType::attachInterface<LdsReadTransEmission>(context);
  BufferAtomicType::attachInterface<BufferAtomicEmission>(context);
}

} // namespace fly::rocdl
