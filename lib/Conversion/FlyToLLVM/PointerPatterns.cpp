// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers and views in terms of LLVM pointers. A pattern here leaves alone
// what is no LLVM pointer after conversion; a target has patterns for that.

#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Conversion/FlyToLLVM/Patterns.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Dialect/Fly/Analysis/Runs.h"
#include "Fly/Dialect/Fly/IR/FlyNormalForm.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace fly {
namespace {

bool isLLVMPointer(Value value) {
  return isa<LLVM::LLVMPointerType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Making pointers
//===----------------------------------------------------------------------===//

struct MakeRegisterPtr : ReportingPattern<MakePtrOp> {
  using ReportingPattern::ReportingPattern;

  LogicalResult
  matchAndRewrite(MakePtrOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto pointer = cast<PointerType>(op.getType());
    if (!pointer.isIn(AddressSpace::Register))
      return failure();
    std::optional<int64_t> size = op.getDictInt("allocSize");
    if (!size)
      return error(op) << "needs an integer 'allocSize' in 'dictAttrs' for "
                          "register memory";
    // The memory lives as long as the function's frame, so one allocation at
    // the start serves every pass through a loop.
    if (auto function = op->getParentOfType<FunctionOpInterface>();
        function && op->getBlock() != &function.getFunctionBody().front())
      rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
    Type element = toStorageType(pointer.getElementType());
    int64_t alignment = getAllocaAlignment(pointer);
    if (SwizzleAttr swizzle = pointer.getSwizzle(); !swizzle.isTrivial()) {
      int64_t block = getSwizzleBlock(swizzle);
      if (block > kMaxSwizzleBlock)
        return error(op) << "register memory cannot have the swizzle "
                         << bodyToString(swizzle) << ", whose blocks of "
                         << block << " bytes are larger than "
                         << kMaxSwizzleBlock;
      alignment = std::max(alignment, block);
      // Elements of a power of two of bytes fill a block or hold some.
      int64_t perBlock =
          std::max<int64_t>(1, block / llvm::PowerOf2Ceil(getBytes(element)));
      *size = llvm::alignTo(*size, perBlock);
    }
    Value count = arith::ConstantOp::create(rewriter, op.getLoc(),
                                            rewriter.getI64IntegerAttr(*size));
    rewriter.replaceOpWithNewOp<LLVM::AllocaOp>(
        op, getTypeConverter()->convertType(pointer), element, count,
        alignment);
    return success();
  }

private:
  static constexpr int64_t kMaxSwizzleBlock = int64_t(1) << 16;

  static int64_t getBytes(Type element) {
    return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  }

  /// 0, LLVM's choice by the element type, unless the pointer promises more.
  /// The promise is of the address before a swizzle.
  static int64_t getAllocaAlignment(PointerType pointer) {
    uint64_t known = getKnownAlignment(pointer);
    int64_t promised = known & (~known + 1);
    return promised > getBytes(pointer.getElementType()) ? promised : 0;
  }
};

struct IntToPtr : OpConversionPattern<IntToPtrOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(IntToPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast_or_null<LLVM::LLVMPointerType>(
        getTypeConverter()->convertType(op.getType()));
    if (!type)
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::IntToPtrOp>(op, type,
                                                  adaptor.getAddress());
    return success();
  }
};

struct PtrToInt : OpConversionPattern<PtrToIntOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PtrToIntOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isLLVMPointer(adaptor.getPtr()))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, op.getType(),
                                                  adaptor.getPtr());
    return success();
  }
};

struct ToLLVMPtr : ReportingPattern<ToLLVMPtrOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(ToLLVMPtrOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto from = cast<PointerType>(op.getPtr().getType());
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(adaptor.getPtr().getType());
    if (!pointer)
      return error(op)
             << "pointer address space does not lower to a bare ROCDL LLVM "
                "pointer: "
             << from.getAddressSpace();
    auto wanted = dyn_cast<LLVM::LLVMPointerType>(op.getType());
    if (!wanted)
      return error(op) << "expected an LLVM pointer result, got "
                       << op.getType();
    if (wanted.getAddressSpace() != pointer.getAddressSpace())
      return error(op) << "requested LLVM address space "
                       << wanted.getAddressSpace()
                       << " but ROCDL conversion requires "
                       << pointer.getAddressSpace();
    rewriter.replaceOp(op, adaptor.getPtr());
    return success();
  }
};

struct ExtractPointer : OpConversionPattern<ExtractAlignedPointerAsIndexOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ExtractAlignedPointerAsIndexOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value pointer = adaptor.getSource();
    if (!isLLVMPointer(pointer))
      return failure();
    if (op.getType().isIndex()) {
      Value address = LLVM::PtrToIntOp::create(rewriter, op.getLoc(),
                                               rewriter.getI64Type(), pointer);
      rewriter.replaceOpWithNewOp<arith::IndexCastOp>(op, op.getType(),
                                                      address);
      return success();
    }
    if (!isa<LLVM::LLVMPointerType>(op.getType()))
      return failure();
    if (pointer.getType() != op.getType())
      pointer = LLVM::AddrSpaceCastOp::create(rewriter, op.getLoc(),
                                              op.getType(), pointer);
    rewriter.replaceOp(op, pointer);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Moving and viewing pointers
//===----------------------------------------------------------------------===//

/// `pointer` moved by `offset` elements (an integer value of any width).
/// Packed elements of less than a byte are counted in bytes.
Value emitMove(OpBuilder &builder, Location loc, Type elementType,
               Value pointer, Value offset) {
  int64_t bits = getStorageBits(elementType);
  if (bits % 8 == 0)
    return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                               toStorageType(elementType), pointer,
                               ArrayRef<LLVM::GEPArg>{offset});
  Type wide = builder.getI64Type();
  if (offset.getType() != wide)
    offset = arith::ExtSIOp::create(builder, loc, wide, offset);
  Value scale =
      arith::ConstantOp::create(builder, loc, IntegerAttr::get(wide, bits));
  Value eight =
      arith::ConstantOp::create(builder, loc, IntegerAttr::get(wide, 8));
  Value moved = arith::MulIOp::create(builder, loc, offset, scale);
  Value bytes = arith::DivSIOp::create(builder, loc, moved, eight);
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

struct AddOffset : ReportingPattern<AddOffsetOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(AddOffsetOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto pointer = dyn_cast<PointerType>(op.getIter().getType());
    if (!pointer || !isLLVMPointer(adaptor.getIter()))
      return failure();
    auto tuple = cast<IntTupleType>(op.getOffset().getType()).getAttr();
    auto leaf = dyn_cast<IntAttr>(tuple.getValue());
    if (!leaf)
      return failure();
    if (failed(verifyByteOffset(pointer.getElementType(), leaf,
                                [&] { return error(op); })))
      return failure();
    Value offset = getLeafValue(rewriter, op.getLoc(), op.getOffset(), leaf);
    if (!offset)
      return failure();
    rewriter.replaceOp(op,
                       emitMove(rewriter, op.getLoc(), pointer.getElementType(),
                                adaptor.getIter(), offset));
    return success();
  }
};

/// Views are their base; coordinate tensors have none and are left to die.
template <typename OpT>
struct ForwardIterator : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<PointerType, MemRefType>(op.getType()))
      return failure();
    Value base = adaptor.getOperands().front();
    if (base.getType() != this->getTypeConverter()->convertType(op.getType()))
      return failure();
    rewriter.replaceOp(op, base);
    return success();
  }
};

/// Register memory is laid out for the swizzle that it is made with.
static LogicalResult
verifyRegisterSwizzle(PointerType from, PointerType to,
                      llvm::function_ref<InFlightDiagnostic()> emitError) {
  SwizzleAttr swizzle = to.getSwizzle();
  if (!to.isIn(AddressSpace::Register) || swizzle.isTrivial() ||
      swizzle == from.getSwizzle())
    return success();
  return emitError() << "the swizzle " << bodyToString(swizzle)
                     << " may lead out of register memory that was made "
                        "without it";
}

struct ApplySwizzle : ReportingPattern<ApplySwizzleOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(ApplySwizzleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyRegisterSwizzle(op.getPtr().getType(), op.getType(),
                                     [&] { return error(op); })) ||
        adaptor.getPtr().getType() !=
            getTypeConverter()->convertType(op.getType()))
      return failure();
    rewriter.replaceOp(op, adaptor.getPtr());
    return success();
  }
};

struct RecastIter : ReportingPattern<RecastIterOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(RecastIterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Any other pointer counts in elements, which change.
    if (!isLLVMPointer(adaptor.getPtr()))
      return failure();
    if (failed(verifyRegisterSwizzle(op.getPtr().getType(), op.getType(),
                                     [&] { return error(op); })))
      return failure();
    rewriter.replaceOp(op, adaptor.getPtr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

struct PtrLoad : ReportingPattern<PtrLoadOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(PtrLoadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto pointer = dyn_cast<PointerType>(op.getIter().getType());
    Type type = getTypeConverter()->convertType(op.getType());
    if (!pointer || !isLLVMPointer(adaptor.getIter()) || !type)
      return failure();
    FailureOr<Value> loaded =
        emitLoad(rewriter, op.getLoc(), pointer, adaptor.getIter(), type,
                 [&] { return error(op); });
    if (failed(loaded))
      return failure();
    rewriter.replaceOp(op, *loaded);
    return success();
  }
};

struct PtrStore : ReportingPattern<PtrStoreOp> {
  using ReportingPattern::ReportingPattern;
  LogicalResult
  matchAndRewrite(PtrStoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isLLVMPointer(adaptor.getPtr()))
      return failure();
    if (failed(emitStore(
            rewriter, op.getLoc(), cast<PointerType>(op.getPtr().getType()),
            adaptor.getPtr(), adaptor.getValue(), [&] { return error(op); })))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

Value getLeafValue(OpBuilder &builder, Location loc, Value tuple,
                   IntAttr leaf) {
  if (leaf.isStatic()) {
    Type type = llvm::isInt<32>(leaf.getValue()) ? builder.getI32Type()
                                                 : builder.getI64Type();
    return arith::ConstantOp::create(builder, loc,
                                     IntegerAttr::get(type, leaf.getValue()));
  }
  if (Operation *make = tuple.getDefiningOp(); isTupleConstructor(make))
    return make->getOperand(0);
  return {};
}

void populateFlyPointerToLLVMPatterns(const TypeConverter &converter,
                                      RewritePatternSet &patterns,
                                      ConversionErrors &errors) {
  MLIRContext *context = patterns.getContext();
  patterns.add<MakeRegisterPtr, ToLLVMPtr, AddOffset, ApplySwizzle, RecastIter,
               PtrLoad, PtrStore>(converter, context, errors);
  patterns.add<IntToPtr, PtrToInt, ExtractPointer, ForwardIterator<MakeViewOp>,
               ForwardIterator<GetIterOp>>(converter, context);
}

} // namespace fly
