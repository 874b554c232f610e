// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffer pointers: their parts, and the operations of `fly` on them.

#include "Buffer.h"

#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

#include <numeric>

using namespace mlir;

namespace fly::rocdl {

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Type getBufferType(MLIRContext *context) {
  return LLVM::LLVMStructType::getLiteral(
      context,
      {LLVM::LLVMPointerType::get(context, 8), IntegerType::get(context, 32)});
}

bool isBuffer(Value value) {
  return value.getType() == getBufferType(value.getContext());
}

Value packBuffer(OpBuilder &builder, Location loc, Value resource,
                 Value offset) {
  Value buffer =
      LLVM::UndefOp::create(builder, loc, getBufferType(builder.getContext()));
  buffer = LLVM::InsertValueOp::create(builder, loc, buffer, resource,
                                       ArrayRef<int64_t>{0});
  return LLVM::InsertValueOp::create(builder, loc, buffer, offset,
                                     ArrayRef<int64_t>{1});
}

Value getResource(OpBuilder &builder, Location loc, Value buffer) {
  return LLVM::ExtractValueOp::create(builder, loc, buffer,
                                      ArrayRef<int64_t>{0});
}

Value getElementOffset(OpBuilder &builder, Location loc, Value buffer) {
  return LLVM::ExtractValueOp::create(builder, loc, buffer,
                                      ArrayRef<int64_t>{1});
}

Value i32Constant(OpBuilder &builder, Location loc, int32_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

Value scaleToBytes(OpBuilder &builder, Location loc, Type elementType,
                   Value elements) {
  // Elements of less than a byte come in whole bytes, so the division is exact;
  // it comes first, as the number of bits may have more than 32.
  int64_t bits = getStorageBits(elementType);
  int64_t group = 8 / std::gcd(bits, int64_t(8));
  int64_t groupBytes = group * bits / 8;
  if (group > 1)
    elements = arith::ShRSIOp::create(
        builder, loc, elements,
        i32Constant(builder, loc, int32_t(llvm::Log2_64(group))));
  if (groupBytes > 1)
    elements = arith::MulIOp::create(
        builder, loc, elements, i32Constant(builder, loc, int32_t(groupBytes)));
  return elements;
}

Value getByteOffset(OpBuilder &builder, Location loc, PointerType type,
                    Value buffer) {
  Value offset = scaleToBytes(builder, loc, type.getElementType(),
                              getElementOffset(builder, loc, buffer));
  return emitSwizzle(builder, loc, type.getSwizzle(), offset);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

struct MakeBufferPtr : ReportingPattern<MakePtrOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(MakePtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto pointer = cast<PointerType>(op.getType());
    if (!isBufferSpace(pointer.getAddressSpace()))
      return failure();
    ValueRange args = adaptor.getArgs();
    if (args.size() != 4 || !isa<LLVM::LLVMPointerType>(args[0].getType()) ||
        !args[1].getType().isInteger(16) || !args[2].getType().isInteger(64) ||
        !args[3].getType().isInteger(32))
      return error(op) << "of a buffer needs a pointer, a stride (i16), the "
                          "number of records (i64) and flags (i32)";
    Location loc = op.getLoc();
    Value resource = ROCDL::MakeBufferRsrcOp::create(
        rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext(), 8),
        args[0], args[1], args[2], args[3]);
    rewriter.replaceOp(
        op, packBuffer(rewriter, loc, resource, i32Constant(rewriter, loc, 0)));
    return success();
  }
};

struct GetResource : OpConversionPattern<GetBufferRsrcOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(GetBufferRsrcOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op,
                       getResource(rewriter, op.getLoc(), adaptor.getPtr()));
    return success();
  }
};

struct AddBufferOffset : ReportingPattern<AddOffsetOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(AddOffsetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isBuffer(adaptor.getIter()))
      return failure();
    auto tuple = cast<IntTupleType>(op.getOffset().getType()).getAttr();
    auto leaf = dyn_cast<IntAttr>(tuple.getValue());
    if (!leaf)
      return failure();
    auto pointer = cast<PointerType>(op.getIter().getType());
    if (failed(verifyByteOffset(pointer.getElementType(), leaf,
                                [&] { return error(op); })))
      return failure();
    // Offsets of buffers have 32 bits.
    if (leaf.isStatic() && !llvm::isInt<32>(leaf.getValue()))
      return error(op) << "moves a buffer pointer by " << leaf.getValue()
                       << " elements, but its offset has 32 bits";
    Location loc = op.getLoc();
    Value delta = getLeafValue(rewriter, loc, op.getOffset(), leaf);
    if (!delta)
      return failure();
    if (delta.getType().isInteger(64))
      delta =
          arith::TruncIOp::create(rewriter, loc, rewriter.getI32Type(), delta);
    Value offset = getElementOffset(rewriter, loc, adaptor.getIter());
    Value sum = arith::AddIOp::create(rewriter, loc, offset, delta);
    Value resource = getResource(rewriter, loc, adaptor.getIter());
    rewriter.replaceOp(op, packBuffer(rewriter, loc, resource, sum));
    return success();
  }
};

/// The offset counts elements, so it is scaled. The type of the pointer
/// promises that the offset in bytes is a multiple of the alignment.
struct RecastBuffer : ReportingPattern<RecastIterOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(RecastIterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value buffer = adaptor.getPtr();
    if (!isBuffer(buffer))
      return failure();
    auto from = cast<PointerType>(op.getPtr().getType()),
         to = cast<PointerType>(op.getType());
    int64_t fromBits = getStorageBits(from.getElementType()),
            toBits = getStorageBits(to.getElementType());
    if (fromBits == toBits) {
      rewriter.replaceOp(op, buffer);
      return success();
    }
    bool widens = toBits % fromBits == 0;
    if ((!widens && fromBits % toBits) ||
        (widens && from.getAlignment().getAlignment() * 8 % toBits))
      return error(op) << "the offset of the buffer pointer is not known to be "
                          "a whole number of elements of "
                       << to.getElementType();
    Location loc = op.getLoc();
    Value offset = getElementOffset(rewriter, loc, buffer);
    if (widens)
      offset = arith::DivSIOp::create(
          rewriter, loc, offset, i32Constant(rewriter, loc, toBits / fromBits));
    else
      offset = arith::MulIOp::create(
          rewriter, loc, offset, i32Constant(rewriter, loc, fromBits / toBits));
    rewriter.replaceOp(
        op,
        packBuffer(rewriter, loc, getResource(rewriter, loc, buffer), offset));
    return success();
  }
};

/// The type that stands in a buffer for a register value of `type`. No buffer
/// instruction moves less than a byte.
Type getBufferMemoryType(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8)
                           : getMemoryType(type);
}

/// The type with which a buffer instruction moves a value of `type`: the type
/// itself, or an integer for vectors of small elements or of one. Null if no
/// instruction has its size.
Type getTransferType(Type type) {
  std::optional<int64_t> bits = getRegisterBits(type);
  if (!bits)
    return {};
  auto vector = dyn_cast<VectorType>(type);
  if (*bits == 96 && vector && vector.getElementTypeBitWidth() == 32)
    return type;
  if (!arch::lookupCopy(arch::CopyFamily::BufferCopy, *bits))
    return {};
  if (vector &&
      (vector.getElementTypeBitWidth() < 16 || vector.getNumElements() == 1))
    return IntegerType::get(type.getContext(), *bits);
  return type;
}

struct BufferLoad : ReportingPattern<PtrLoadOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(PtrLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto pointer = dyn_cast<PointerType>(op.getIter().getType());
    Type type = getTypeConverter()->convertType(op.getType());
    if (!pointer || !type || !isBuffer(adaptor.getIter()))
      return failure();
    auto emitError = [&] { return error(op); };
    Type memoryType = getBufferMemoryType(type);
    Type transferType = getTransferType(memoryType);
    if (!transferType)
      return emitError() << "no buffer load has the size of " << op.getType();
    if (failed(verifySwizzledAccess(pointer, *getRegisterBits(memoryType),
                                    emitError)))
      return failure();
    Location loc = op.getLoc();
    Value resource = getResource(rewriter, loc, adaptor.getIter());
    Value offset = getByteOffset(rewriter, loc, pointer, adaptor.getIter());
    Value zero = i32Constant(rewriter, loc, 0);
    Value loaded = ROCDL::RawPtrBufferLoadOp::create(
        rewriter, loc, TypeRange(transferType),
        ValueRange{resource, offset, zero, zero});
    if (transferType != memoryType)
      loaded = LLVM::BitcastOp::create(rewriter, loc, memoryType, loaded);
    if (memoryType != type)
      loaded = arith::TruncIOp::create(rewriter, loc, type, loaded);
    rewriter.replaceOp(op, loaded);
    return success();
  }
};

struct BufferStore : ReportingPattern<PtrStoreOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(PtrStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isBuffer(adaptor.getPtr()))
      return failure();
    auto pointer = cast<PointerType>(op.getPtr().getType());
    auto emitError = [&] { return error(op); };
    Value value = adaptor.getValue();
    Type memoryType = getBufferMemoryType(value.getType());
    Type transferType = getTransferType(memoryType);
    if (!transferType)
      return emitError() << "no buffer store has the size of "
                         << op.getValue().getType();
    if (failed(verifySwizzledAccess(pointer, *getRegisterBits(memoryType),
                                    emitError)))
      return failure();
    Location loc = op.getLoc();
    if (memoryType != value.getType())
      value = arith::ExtUIOp::create(rewriter, loc, memoryType, value);
    if (transferType != memoryType)
      value = LLVM::BitcastOp::create(rewriter, loc, transferType, value);
    Value resource = getResource(rewriter, loc, adaptor.getPtr());
    Value offset = getByteOffset(rewriter, loc, pointer, adaptor.getPtr());
    Value zero = i32Constant(rewriter, loc, 0);
    ROCDL::RawPtrBufferStoreOp::create(
        rewriter, loc, TypeRange(),
        ValueRange{value, resource, offset, zero, zero});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateBufferPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns,
                            ConversionErrors &errors) {
  MLIRContext *context = patterns.getContext();
  patterns.add<MakeBufferPtr, AddBufferOffset, RecastBuffer, BufferLoad,
               BufferStore>(converter, context, errors);
  patterns.add<GetResource>(converter, context);
}

} // namespace fly::rocdl
