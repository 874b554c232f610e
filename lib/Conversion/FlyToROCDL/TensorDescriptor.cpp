// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of tensor descriptors. Source: the descriptor of the amdgpu dialect of
// MLIR ("amdgpu.make_dma_descriptor") and LLVM's tests of tensor_load_to_lds.
//
//   G0[0]        count: 1            G0[3] 24:0   global address 56:32
//   G0[1]        LDS address               31:30  type: 2
//   G0[2]        global address 31:0
//   G1[0] 15:0   workgroup mask      G1[1] 15:0   barrier address >> 3
//         17:16  log2(element bytes)       31:16  tensor dim 0, low half
//         18     barrier, 19 iterate G1[2]        dim 0 high, dim 1 low
//         20     pad, 21 timeout     G1[3]        dim 1 high, tile dim 0
//         24:22  pad interval code   G1[4]        tile dims 1 and 2
//         31:25  pad amount code     G1[5..7]     strides of dims 1 and 2,
//                                                 48 bits each
//   G2           dim 2, dim 3, stride of dim 3 (48 bits), tile dim 3; with
//                iteration: 0, LDS increment, global increment, count - 1
//   G3           stride of dim 4, dim 4, tile dim 4

#include "TensorDescriptor.h"

#include "Buffer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fly::rocdl {

FailureOr<int32_t> encodeConfig(const TensorDescriptor &d, StringRef prefix,
                                EmitErrorFn emitError) {
  uint32_t config = llvm::Log2_64(d.elementBits / 8) << 16;
  config |= uint32_t(d.atomicBarrier) << 18;
  config |= uint32_t(d.iterCount > 1) << 19;
  config |= uint32_t(d.earlyTimeout) << 21;
  if (!d.padInterval)
    return int32_t(config);
  int64_t intervalBits = d.padInterval * d.elementBits;
  int64_t amountBits = d.padAmount * d.elementBits;
  int64_t interval = intervalBits / 32, amount = amountBits / 32;
  if (intervalBits % 32 || amountBits % 32 || !llvm::isPowerOf2_64(interval) ||
      interval < 2 || interval > 256 || amount < 1 || amount > 128) {
    emitError() << prefix << ": padding (interval=" << d.padInterval
                << ", amount=" << d.padAmount << " elements at "
                << d.elementBits
                << "-bit) is not encodable — the dword interval must be a "
                   "power of two and the encoded fields must fit the "
                   "descriptor bitfield";
    return failure();
  }
  config |= 1u << 20;
  config |= uint32_t(llvm::Log2_64(interval) - 1) << 22;
  config |= uint32_t(amount - 1) << 25;
  return int32_t(config);
}

LogicalResult verifyFieldConstant(StringRef field, Value value,
                                  EmitErrorFn emitError) {
  // What has no bits of its own here is computed with before it is written.
  unsigned bits = llvm::StringSwitch<unsigned>(field)
                      .Case("workgroup_mask", 16)
                      .Case("early_timeout", 1)
                      .StartsWith("stride_", 48)
                      .Default(0);
  APInt constant;
  if (!bits || !matchPattern(value, m_ConstantInt(&constant)) ||
      constant.isIntN(bits))
    return success();
  return emitError() << "state field \"" << field << "\" is "
                     << constant.getSExtValue() << ", expected 0 to "
                     << llvm::maskTrailingOnes<uint64_t>(bits)
                     << ": the descriptor has " << bits
                     << (bits == 1 ? " bit" : " bits") << " for it";
}

namespace {
/// Emits words.
struct Words {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) {
    return i32Constant(builder, loc, int32_t(uint32_t(value)));
  }
  Value both(Value a, Value b) {
    return arith::OrIOp::create(builder, loc, a, b);
  }
  Value shiftLeft(Value value, int64_t by) {
    return arith::ShLIOp::create(builder, loc, value, constant(by));
  }
  Value shiftRight(Value value, int64_t by) {
    return arith::ShRUIOp::create(builder, loc, value, constant(by));
  }
  Value mask16(Value value) {
    return arith::AndIOp::create(builder, loc, value, constant(0xFFFF));
  }
  /// Bits 31..0 of an i64.
  Value low32(Value value) {
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(), value);
  }
  /// Bits 63..32 of an i64.
  Value high32(Value value) {
    Value by =
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(32));
    return low32(arith::ShRUIOp::create(builder, loc, value, by));
  }
  /// Bits 47..32 of an i64.
  Value high16(Value value) { return mask16(high32(value)); }

  Value group(ArrayRef<Value> words) {
    auto type = VectorType::get(int64_t(words.size()), builder.getI32Type());
    return vector::FromElementsOp::create(builder, loc, type, words);
  }
};
} // namespace

void emitTensorCopy(OpBuilder &builder, Location loc, StringRef op,
                    const TensorDescriptor &d, int32_t config,
                    int32_t cachePolicy) {
  Words w{builder, loc};
  size_t rank = d.tileDims.size();
  Value zero = w.constant(0);
  auto tile = [&](size_t i) { return i < rank ? d.tileDims[i] : 0; };
  auto dim = [&](size_t i) { return i < rank ? d.tensorDims[i] : Value(); };
  auto stride = [&](size_t i) { return i + 1 < rank ? d.strides[i] : Value(); };

  Value g0 =
      w.group({w.constant(1), d.ldsAddress, w.low32(d.globalAddress),
               w.both(w.high32(d.globalAddress), w.constant(0x80000000))});

  Value first = w.constant(config);
  if (d.workgroupMask)
    first = w.both(first, w.mask16(d.workgroupMask));
  if (d.earlyTimeoutFlag) {
    Value bit =
        arith::AndIOp::create(builder, loc, d.earlyTimeoutFlag, w.constant(1));
    first = w.both(first, w.shiftLeft(bit, 21));
  }
  Value second = w.shiftLeft(dim(0), 16);
  if (d.barrierAddress)
    second = w.both(w.mask16(w.shiftRight(d.barrierAddress, 3)), second);
  Value third = w.shiftRight(dim(0), 16);
  Value fourth = w.constant(tile(0) << 16);
  if (rank >= 2) {
    third = w.both(third, w.shiftLeft(dim(1), 16));
    fourth = w.both(w.shiftRight(dim(1), 16), fourth);
  }
  Value fifth = w.constant((tile(1) & 0xFFFF) | tile(2) << 16);
  Value sixth = zero, seventh = zero, eighth = zero;
  if (rank >= 2) {
    sixth = w.low32(stride(0));
    seventh = w.high16(stride(0));
  }
  if (rank >= 3) {
    Value low = w.low32(stride(1));
    seventh = w.both(seventh, w.shiftLeft(low, 16));
    eighth =
        w.both(w.shiftRight(low, 16), w.shiftLeft(w.high16(stride(1)), 16));
  }
  Value g1 =
      w.group({first, second, third, fourth, fifth, sixth, seventh, eighth});

  Value g2;
  if (d.iterCount > 1) {
    int64_t increment = 1;
    for (int64_t extent : d.tileDims)
      increment *= extent;
    g2 = w.group(
        {zero, w.constant(increment), w.low32(d.iterStride),
         w.both(w.high16(d.iterStride), w.constant((d.iterCount - 1) << 16))});
  } else {
    g2 = w.group({rank >= 3 ? dim(2) : zero, rank >= 4 ? dim(3) : zero,
                  rank >= 4 ? w.low32(stride(2)) : zero,
                  rank >= 4
                      ? w.both(w.high16(stride(2)), w.constant(tile(3) << 16))
                      : zero});
  }
  Value g3 =
      rank < 5 ? w.group({zero, zero, zero, zero})
               : w.group({w.low32(stride(3)),
                          w.both(w.high16(stride(3)), w.shiftLeft(dim(4), 16)),
                          w.both(w.shiftRight(dim(4), 16),
                                 w.constant(tile(4) << 16)),
                          zero});
  OperationState state(loc, op);
  state.addOperands({g0, g1, g2, g3});
  state.addAttribute("cachePolicy", builder.getI32IntegerAttr(cachePolicy));
  builder.create(state);
}

} // namespace fly::rocdl
