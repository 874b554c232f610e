// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores through pointers of the dialect.

#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"

#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Dialect/Fly/Analysis/Runs.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Layout/Algebra.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// Elements in memory
//===----------------------------------------------------------------------===//

int64_t getStorageBits(Type elementType) {
  int64_t bits = elementType.getIntOrFloatBitWidth();
  return bits == 1 ? 8 : bits;
}

Type getMemoryType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    if (vector.getElementType().isInteger(1))
      return vector.clone(IntegerType::get(type.getContext(), 8));
  return type;
}

LogicalResult verifyByteOffset(Type elementType, IntAttr offset,
                               EmitErrorFn emitError) {
  int64_t bits = getStorageBits(elementType);
  int64_t known =
      offset.isStatic() ? offset.getValue() : offset.getDivisibility();
  if (bits % 8 == 0 || known % 8 * bits % 8 == 0)
    return success();
  return emitError() << "moves by an offset that is not known to be a whole "
                        "number of bytes, as elements have "
                     << bits << " bits";
}

//===----------------------------------------------------------------------===//
// Alignment and swizzle
//===----------------------------------------------------------------------===//

int64_t getAccessAlignment(PointerType type) {
  uint64_t alignment = getKnownAlignment(type);
  SwizzleAttr swizzle = type.getSwizzle();
  // The swizzle XORs bits from its base on, so only lower ones are known.
  if (!swizzle.isTrivial())
    alignment |= uint64_t(1) << swizzle.getBase();
  return int64_t(alignment & (~alignment + 1));
}

LogicalResult verifySwizzledAccess(PointerType type, int64_t bits,
                                   EmitErrorFn emitError) {
  if (swizzleKeepsRun(type, bits))
    return success();
  return emitError() << "access of " << llvm::divideCeil(bits, 8)
                     << " bytes may be torn by the swizzle "
                     << bodyToString(type.getSwizzle())
                     << ", which moves pieces of 2^"
                     << type.getSwizzle().getBase()
                     << " bytes; the address is known to be a multiple of "
                     << getKnownAlignment(type);
}

Value emitSwizzle(OpBuilder &builder, Location loc, SwizzleAttr swizzle,
                  Value value) {
  if (swizzle.isTrivial())
    return value;
  auto type = cast<IntegerType>(value.getType());
  APInt mask = APInt::getBitsSet(
      type.getWidth(),
      std::min<unsigned>(swizzle.getBase() + swizzle.getShift(),
                         type.getWidth()),
      std::min<unsigned>(swizzle.getBase() + swizzle.getShift() +
                             swizzle.getMask(),
                         type.getWidth()));
  // Bits beyond the width are zero and take no part.
  if (mask.isZero())
    return value;
  Value maskValue =
      arith::ConstantOp::create(builder, loc, IntegerAttr::get(type, mask));
  Value masked = arith::AndIOp::create(builder, loc, value, maskValue);
  Value shift = arith::ConstantOp::create(
      builder, loc, IntegerAttr::get(type, swizzle.getShift()));
  Value shifted = arith::ShRUIOp::create(builder, loc, masked, shift);
  return arith::XOrIOp::create(builder, loc, value, shifted);
}

Value emitSwizzledAddress(OpBuilder &builder, Location loc, PointerType type,
                          Value pointer) {
  if (type.getSwizzle().isTrivial())
    return pointer;
  Value address =
      LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer);
  Value swizzled = emitSwizzle(builder, loc, type.getSwizzle(), address);
  return LLVM::IntToPtrOp::create(builder, loc, pointer.getType(), swizzled);
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

/// Elements of 2 to 7 bits are packed; one alone shares its byte with others.
static bool isPackedScalar(Type type) {
  return type.isInteger() && type.getIntOrFloatBitWidth() > 1 &&
         type.getIntOrFloatBitWidth() < 8;
}

/// Checks that values of `type` can be accessed, and gives the address.
static FailureOr<Value> prepareAccess(OpBuilder &builder, Location loc,
                                      PointerType pointerType, Value pointer,
                                      Type type, EmitErrorFn emitError) {
  if (!isa<LLVM::LLVMPointerType>(pointer.getType())) {
    emitError() << "expected a plain pointer, got one in "
                << pointerType.getAddressSpace();
    return failure();
  }
  std::optional<int64_t> bits = getRegisterBits(getMemoryType(type));
  if (!bits) {
    emitError() << "cannot access a value of type " << type << " in memory";
    return failure();
  }
  if (isPackedScalar(type)) {
    emitError() << "cannot access a single element of " << *bits
                << " bits, as it shares its byte with others";
    return failure();
  }
  if (failed(verifySwizzledAccess(pointerType, *bits, emitError)))
    return failure();
  return emitSwizzledAddress(builder, loc, pointerType, pointer);
}

FailureOr<Value> emitLoad(OpBuilder &builder, Location loc, PointerType type,
                          Value pointer, Type resultType,
                          EmitErrorFn emitError) {
  FailureOr<Value> address =
      prepareAccess(builder, loc, type, pointer, resultType, emitError);
  if (failed(address))
    return failure();
  Type memoryType = getMemoryType(resultType);
  Value loaded = LLVM::LoadOp::create(builder, loc, memoryType, *address,
                                      getAccessAlignment(type));
  if (memoryType == resultType)
    return loaded;
  return Value(arith::TruncIOp::create(builder, loc, resultType, loaded));
}

LogicalResult emitStore(OpBuilder &builder, Location loc, PointerType type,
                        Value pointer, Value value, EmitErrorFn emitError) {
  FailureOr<Value> address =
      prepareAccess(builder, loc, type, pointer, value.getType(), emitError);
  if (failed(address))
    return failure();
  Type memoryType = getMemoryType(value.getType());
  if (memoryType != value.getType())
    value = arith::ExtUIOp::create(builder, loc, memoryType, value);
  LLVM::StoreOp::create(builder, loc, value, *address,
                        getAccessAlignment(type));
  return success();
}

//===----------------------------------------------------------------------===//
// Memrefs as one value
//===----------------------------------------------------------------------===//

/// The number of elements of a contiguous memref, or an error.
static FailureOr<int64_t> getContiguousSize(MemRefType memref, StringRef what,
                                            EmitErrorFn emitError) {
  auto plain = dyn_cast<LayoutAttr>(memref.getLayout());
  if (!plain || !plain.isStaticShape()) {
    emitError() << "the " << what
                << " of an atom needs a plain layout of static "
                << "shape, got " << bodyToString(memref.getLayout());
    return failure();
  }
  unsigned nextSymbol = 0;
  layout::Result<layout::Layout> flat =
      layout::coalesce(toValue(plain, nextSymbol));
  if (!flat) {
    emitError() << flat.error().str();
    return failure();
  }
  if (flat->isLeaf() && flat->getShape().getLeaf().isStatic(1))
    return int64_t(1);
  if (!flat->isLeaf() || !flat->getStride().isStaticLeaf(1)) {
    emitError() << "the elements of the " << what << " of an atom must lie one "
                << "after the other, but its layout is "
                << bodyToString(memref.getLayout());
    return failure();
  }
  return flat->getShape().getInt().getValue();
}

LogicalResult verifyContiguous(MemRefType memref, StringRef what,
                               EmitErrorFn emitError) {
  return getContiguousSize(memref, what, emitError);
}

LogicalResult verifyAtomicElement(MemRefType memref, Type value,
                                  EmitErrorFn emitError) {
  Type number = getElementTypeOrSelf(value);
  Type element = getElementTypeOrSelf(memref.getElementType());
  if (number == element ||
      (isa<IntegerType>(number) && isa<IntegerType>(element)))
    return success();
  emitError() << "the atomic update is one of " << number
              << ", but the destination has elements of " << element << ": "
              << memref << "; recast its pointer where its bits are meant";
  return failure();
}

FailureOr<Type> getValueType(MemRefType memref, StringRef what,
                             EmitErrorFn emitError) {
  FailureOr<int64_t> size = getContiguousSize(memref, what, emitError);
  if (failed(size))
    return failure();
  Type element = toStorageType(memref.getElementType());
  if (*size == 1)
    return element;
  return Type(VectorType::get({*size}, element));
}

} // namespace fly
