// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips' conversions of 8-bit floats without scales as calls of the
// runtime, which has them in the formats of every chip, and that of pairs to
// f16 which rounds towards zero.

#include "HostModule.h"

#include "Fly/Arch/SmallFloats.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly::host;

bool fly::host::isFloat8Conversion(Operation *op) {
  return isa<ROCDL::CvtF32Fp8Op, ROCDL::CvtF32Bf8Op, ROCDL::CvtPkF32Fp8Op,
             ROCDL::CvtPkF32Bf8Op, ROCDL::CvtPkFp8F32Op, ROCDL::CvtPkBf8F32Op,
             ROCDL::CvtSrFp8F32Op, ROCDL::CvtSrBf8F32Op>(op);
}

namespace {
/// Rewrites one operation.
class Converter {
public:
  Converter(HostModule &host, Operation *op)
      : host(host), op(op), b(op), loc(op->getLoc()) {
    bool isBf8 = isa<ROCDL::CvtF32Bf8Op, ROCDL::CvtPkF32Bf8Op,
                     ROCDL::CvtPkBf8F32Op, ROCDL::CvtSrBf8F32Op>(op);
    bool isFnuz =
        fly::arch::getFloat8Family(host.chip) == fly::arch::Float8Family::Fnuz;
    format = isBf8 ? (isFnuz ? FlyCpuFloat8E5M2FNUZ : FlyCpuFloat8E5M2)
                   : (isFnuz ? FlyCpuFloat8E4M3FNUZ : FlyCpuFloat8E4M3FN);
  }

  /// The byte `index` of `word` as f32.
  Value extend(Value word, unsigned index) {
    Value byte = LLVM::LShrOp::create(b, loc, word, number(8 * index));
    return host.callRuntime(b, loc, offsetof(fly_cpu_runtime, extend_float8),
                            b.getF32Type(), {number(format), byte});
  }

  Value extendPair(Value word, bool high) {
    Type type = op->getResult(0).getType();
    Value pair = LLVM::PoisonOp::create(b, loc, type);
    for (unsigned i = 0; i < 2; ++i)
      pair = LLVM::InsertElementOp::create(
          b, loc, pair, extend(word, 2 * high + i), number(i));
    return pair;
  }

  /// `old` with two bytes replaced.
  Value truncatePair(Value x, Value y, Value old, bool high) {
    auto truncate = [&](Value value) {
      return host.callRuntime(b, loc,
                              offsetof(fly_cpu_runtime, truncate_to_float8),
                              b.getI32Type(), {number(format), value});
    };
    Value second = LLVM::ShlOp::create(b, loc, truncate(y), number(8));
    Value pair = LLVM::OrOp::create(b, loc, truncate(x), second);
    return replaceBits(old, pair, high ? 16 : 0, 0xffff);
  }

  /// `old` with the byte `index` replaced.
  Value truncateStochastic(Value x, Value seed, Value old, unsigned index) {
    Value code = host.callRuntime(
        b, loc, offsetof(fly_cpu_runtime, truncate_to_float8_stochastic),
        b.getI32Type(), {number(format), x, seed});
    return replaceBits(old, code, 8 * index, 0xff);
  }

private:
  Value number(int64_t value) {
    return host.constant(b, loc, b.getI32Type(), value);
  }

  /// `old` with the bits of `mask` from `shift` on replaced by `bits`, which
  /// has no others.
  Value replaceBits(Value old, Value bits, unsigned shift, uint32_t mask) {
    Value kept =
        LLVM::AndOp::create(b, loc, old, number(int32_t(~(mask << shift))));
    if (shift)
      bits = LLVM::ShlOp::create(b, loc, bits, number(shift));
    return LLVM::OrOp::create(b, loc, kept, bits);
  }

  HostModule &host;
  Operation *op;
  OpBuilder b;
  Location loc;
  int64_t format;
};
} // namespace

bool fly::host::rewriteFloat8Conversion(HostModule &host, Operation *op) {
  if (!isFloat8Conversion(op))
    return false;
  Converter c(host, op);
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<ROCDL::CvtF32Fp8Op, ROCDL::CvtF32Bf8Op>([&](auto one) {
            return c.extend(one.getSrcA(), one.getByteSel());
          })
          .Case<ROCDL::CvtPkF32Fp8Op, ROCDL::CvtPkF32Bf8Op>([&](auto pair) {
            return c.extendPair(pair.getSrc(), pair.getWordSel());
          })
          .Case<ROCDL::CvtPkFp8F32Op, ROCDL::CvtPkBf8F32Op>([&](auto pair) {
            return c.truncatePair(pair.getSrcA(), pair.getSrcB(), pair.getOld(),
                                  pair.getWordSel());
          })
          .Case<ROCDL::CvtSrFp8F32Op, ROCDL::CvtSrBf8F32Op>([&](auto one) {
            return c.truncateStochastic(one.getSrcA(), one.getSrcB(),
                                        one.getOld(), one.getByteSel());
          });
  op->replaceAllUsesWith(ValueRange{result});
  op->erase();
  return true;
}

/// `value`, f32, as f16, rounded towards zero.
static Value truncateToZero(HostModule &host, OpBuilder &b, Location loc,
                            Value value) {
  Type i16 = b.getI16Type(), f32 = b.getF32Type();
  Value near = LLVM::FPTruncOp::create(b, loc, b.getF16Type(), value);
  Value back = LLVM::FPExtOp::create(b, loc, f32, near);
  // One below in magnitude: below infinity, too, is the largest number.
  Value isLarger = LLVM::FCmpOp::create(b, loc, LLVM::FCmpPredicate::ogt,
                                        LLVM::FAbsOp::create(b, loc, back),
                                        LLVM::FAbsOp::create(b, loc, value));
  Value bits = LLVM::BitcastOp::create(b, loc, i16, near);
  Value below =
      LLVM::SubOp::create(b, loc, bits, host.constant(b, loc, i16, 1));
  return LLVM::BitcastOp::create(
      b, loc, b.getF16Type(),
      LLVM::SelectOp::create(b, loc, isLarger, below, bits));
}

void fly::host::rewritePairToHalf(HostModule &host, Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  Value pair = LLVM::PoisonOp::create(b, loc, op->getResult(0).getType());
  for (unsigned i = 0; i < 2; ++i)
    pair = LLVM::InsertElementOp::create(
        b, loc, pair, truncateToZero(host, b, loc, op->getOperand(i)),
        host.constant(b, loc, b.getI32Type(), i));
  op->replaceAllUsesWith(ValueRange{pair});
  op->erase();
}
