// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of the buffer copies of `fly_rocdl`, each as the instruction table
// of room Arch describes it, and the registration of all its atoms.

#include "Buffer.h"
#include "MatrixAtoms.h"

#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Conversion/FlyToROCDL/Passes.h"
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

struct BufferCopyLdsEmission
    : CopyAtomEmissionInterface::ExternalModel<BufferCopyLdsEmission,
                                               BufferCopyLdsType> {
  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    auto atom = cast<BufferCopyLdsType>(type);
    MemRefType shared = call.dst ? call.dst->getMemRef() : MemRefType();
    if (!isBufferOperand(call.src) || !shared ||
        !shared.isIn(AddressSpace::Shared)) {
      emitError() << "buffer_copy_lds needs a source in "
                     "#fly_rocdl.buffer_desc and a shared destination";
      return failure();
    }
    if (failed(verifyBuffer(call.src, "source", atom.getBitSize(), emitError)))
      return failure();
    // The hardware places the lanes one after the other from one address.
    if (!shared.getSwizzle().isTrivial()) {
      emitError() << "buffer_copy_lds cannot apply the swizzle "
                  << bodyToString(shared.getSwizzle()) << " of its destination";
      return failure();
    }
    const arch::CopyInstruction &row =
        *arch::lookupCopy(arch::CopyFamily::BufferCopyLds, atom.getBitSize());
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

struct BufferAtomicEmission
    : CopyAtomEmissionInterface::ExternalModel<BufferAtomicEmission,
                                               BufferAtomicType> {
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
    FailureOr<Value> value = castRegister(
        builder, loc, call.src.value, atom.getValType(), "source", emitError);
    if (failed(value) ||
        failed(verifyBuffer(*call.dst, "destination",
                            *getRegisterBits(atom.getValType()), emitError)))
      return failure();
    PointerType pointer = call.dst->getMemRef().getPointerType();
    Value resource = getResource(builder, loc, call.dst->value);
    Value offset = getByteOffset(builder, loc, pointer, call.dst->value);
    Value soffset =
        scaleToBytes(builder, loc, pointer.getElementType(),
                     getStateField(builder, loc, call.state, /*soffset*/ 0));
    Value aux = i32Constant(builder, loc, 0);
    OperationState state(loc, row->op);
    state.addOperands({*value, resource, offset, soffset, aux});
    builder.create(state);
    if (!call.resultType)
      return Value();
    return castRegister(builder, loc, *value, call.resultType, "result",
                        emitError);
  }
};

} // namespace
} // namespace fly::rocdl

void fly::registerFlyToROCDLModels(DialectRegistry &registry) {
  using namespace fly::rocdl;
  registry.addExtension(+[](MLIRContext *context, FlyROCDLDialect *) {
    attachMatrixModels(*context);
    BufferCopyType::attachInterface<BufferCopyEmission>(*context);
    BufferCopyLdsType::attachInterface<BufferCopyLdsEmission>(*context);
    BufferAtomicType::attachInterface<BufferAtomicEmission>(*context);
  });
}
