// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of the universal atoms: plain loads, stores, atomic updates and
// multiply-adds of LLVM.

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"
#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace fly {
namespace {

/// Checks that `type` is a register value of `bits` bits.
LogicalResult verifyBits(Type type, int64_t bits, StringRef what,
                         EmitErrorFn emitError) {
  std::optional<int64_t> found = getRegisterBits(type);
  if (found && *found == bits)
    return success();
  return emitError() << "the " << what << " of the atom must have " << bits
                     << " bits, got " << type;
}

/// Checks a memory operand: a contiguous memref behind a plain pointer.
LogicalResult verifyMemory(const CallOperand &operand, StringRef what,
                           EmitErrorFn emitError) {
  MemRefType memref = operand.getMemRef();
  if (!memref)
    return emitError() << "the " << what
                       << " of the atom must be a memref, got " << operand.type;
  if (!isa<LLVM::LLVMPointerType>(operand.value.getType()))
    return emitError() << "the " << what
                       << " of the atom must be in memory with "
                       << "plain addresses, got address space "
                       << memref.getAddressSpace();
  return verifyContiguous(memref, what, emitError);
}

//===----------------------------------------------------------------------===//
// universal_copy
//===----------------------------------------------------------------------===//

struct UniversalCopyEmission
    : CopyAtomEmissionInterface::ExternalModel<UniversalCopyEmission,
                                               UniversalCopyType> {
  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    int64_t bits = cast<UniversalCopyType>(type).getBitSize();
    Value value = call.src.value;
    if (isa<MemRefType, CoordTensorType>(call.src.type)) {
      if (failed(verifyMemory(call.src, "source", emitError)))
        return failure();
      if (!call.resultType && bits > IntegerType::kMaxWidth)
        return emitError() << "the atom moves " << bits
                           << " bits, more than one integer has";
      Type loadType =
          call.resultType ? call.resultType : builder.getIntegerType(bits);
      if (failed(verifyBits(loadType, bits, "result", emitError)))
        return failure();
      FailureOr<Value> loaded =
          emitLoad(builder, loc, call.src.getMemRef().getPointerType(), value,
                   loadType, emitError);
      if (failed(loaded))
        return failure();
      value = *loaded;
    } else if (failed(verifyBits(value.getType(), bits, "source", emitError))) {
      return failure();
    }
    if (call.resultType)
      return castRegister(builder, loc, value, call.resultType, "result",
                          emitError);
    if (failed(verifyMemory(*call.dst, "destination", emitError)) ||
        failed(emitStore(builder, loc, call.dst->getMemRef().getPointerType(),
                         call.dst->value, value, emitError)))
      return failure();
    return Value();
  }

  /// Between two memories nothing needs to pass registers by name.
  LogicalResult emitMemory(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    int64_t bits = cast<UniversalCopyType>(type).getBitSize();
    if (failed(verifyMemory(call.src, "source", emitError)) ||
        failed(verifyMemory(*call.dst, "destination", emitError)))
      return failure();
    PointerType src = call.src.getMemRef().getPointerType(),
                dst = call.dst->getMemRef().getPointerType();
    // i1 elements take a byte each, so their bits are not the bits of memory.
    if (bits % 8 || src.getElementType().isInteger(1) ||
        dst.getElementType().isInteger(1))
      return emitMemoryFromSSA(type, builder, loc, call, emitError);
    if (failed(verifySwizzledAccess(src, bits, emitError)) ||
        failed(verifySwizzledAccess(dst, bits, emitError)))
      return failure();
    Value from = emitSwizzledAddress(builder, loc, src, call.src.value);
    Value to = emitSwizzledAddress(builder, loc, dst, call.dst->value);
    Value length = arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(bits / 8));
    auto copy = LLVM::MemcpyOp::create(builder, loc, to, from, length,
                                       /*isVolatile=*/false);
    auto aligned = [&](PointerType pointer) -> Attribute {
      return builder.getDictionaryAttr(builder.getNamedAttr(
          LLVM::LLVMDialect::getAlignAttrName(),
          builder.getI64IntegerAttr(getAccessAlignment(pointer))));
    };
    copy.setArgAttrsAttr(builder.getArrayAttr(
        {aligned(dst), aligned(src), builder.getDictionaryAttr({})}));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// universal_atomic
//===----------------------------------------------------------------------===//

/// LLVM's operation; the type's verifier guarantees that there is one. Integers
/// compare as signed unless their type is unsigned.
LLVM::AtomicBinOp getAtomicBinOp(AtomicOp op, Type type) {
  bool isFloat = isa<FloatType>(type);
  bool isUnsigned = type.isUnsignedInteger();
  switch (op) {
  case AtomicOp::Add:
    return isFloat ? LLVM::AtomicBinOp::fadd : LLVM::AtomicBinOp::add;
  case AtomicOp::Max:
    if (isUnsigned)
      return LLVM::AtomicBinOp::umax;
    return isFloat ? LLVM::AtomicBinOp::fmax : LLVM::AtomicBinOp::max;
  case AtomicOp::Min:
    if (isUnsigned)
      return LLVM::AtomicBinOp::umin;
    return isFloat ? LLVM::AtomicBinOp::fmin : LLVM::AtomicBinOp::min;
  case AtomicOp::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicOp::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicOp::Inc:
    return LLVM::AtomicBinOp::uinc_wrap;
  case AtomicOp::Dec:
    return LLVM::AtomicBinOp::udec_wrap;
  }
  llvm_unreachable("all atomic operations are listed");
}

struct UniversalAtomicEmission
    : CopyAtomEmissionInterface::ExternalModel<UniversalAtomicEmission,
                                               UniversalAtomicType> {
  bool givesOldValue(Type) const { return true; }

  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    auto atomic = cast<UniversalAtomicType>(type);
    if (!call.dst || !call.dst->getMemRef()) {
      emitError() << "the destination of a universal_atomic must be a memref";
      return failure();
    }
    if (isa<MemRefType, CoordTensorType>(call.src.type)) {
      emitError() << "the source of a universal_atomic must be in registers, "
                     "got "
                  << call.src.type;
      return failure();
    }
    Type valueType = atomic.getValType();
    // LLVM updates 8, 16, 32 or 64 bits at once.
    unsigned width = valueType.getIntOrFloatBitWidth();
    bool hasUpdate = toStorageType(valueType) == valueType && width >= 8 &&
                     width <= 64 && llvm::isPowerOf2_32(width);
    if (auto integer = dyn_cast<IntegerType>(valueType))
      valueType = builder.getIntegerType(integer.getWidth());
    if (!hasUpdate) {
      emitError() << "no atomic update of " << atomic.getValType() << " exists";
      return failure();
    }
    if (failed(verifyMemory(*call.dst, "destination", emitError)) ||
        failed(
            verifyAtomicElement(call.dst->getMemRef(), valueType, emitError)))
      return failure();
    FailureOr<Value> value = castRegister(builder, loc, call.src.value,
                                          valueType, "source", emitError);
    if (failed(value))
      return failure();
    PointerType pointer = call.dst->getMemRef().getPointerType();
    int64_t bits = valueType.getIntOrFloatBitWidth();
    if (failed(verifySwizzledAccess(pointer, bits, emitError)))
      return failure();
    Value address = emitSwizzledAddress(builder, loc, pointer, call.dst->value);
    auto update = LLVM::AtomicRMWOp::create(
        builder, loc, getAtomicBinOp(atomic.getAtomicOp(), atomic.getValType()),
        address, *value, LLVM::AtomicOrdering::monotonic,
        atomic.getSyncscope());
    if (!call.resultType)
      return Value();
    return castRegister(builder, loc, update, call.resultType, "result",
                        emitError);
  }
};

//===----------------------------------------------------------------------===//
// universal_fma
//===----------------------------------------------------------------------===//

struct UniversalFMAEmission
    : MmaAtomEmissionInterface::ExternalModel<UniversalFMAEmission,
                                              UniversalFMAType> {
  Type getRegisterType(Type type, MmaOperand) const {
    return cast<UniversalFMAType>(type).getElemTy();
  }

  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const MmaCall &call, EmitErrorFn emitError) const {
    Type element = cast<UniversalFMAType>(type).getElemTy();
    if (toStorageType(element) != element) {
      emitError() << "no multiply-add of " << element << " exists";
      return failure();
    }
    Value product = LLVM::FMulOp::create(builder, loc, call.a, call.b);
    return Value(LLVM::FAddOp::create(builder, loc, product, call.c));
  }
};

} // namespace

void registerFlyToLLVMModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FlyDialect *) {
    UniversalCopyType::attachInterface<UniversalCopyEmission>(*context);
    UniversalAtomicType::attachInterface<UniversalAtomicEmission>(*context);
    UniversalFMAType::attachInterface<UniversalFMAEmission>(*context);
  });
}

} // namespace fly
