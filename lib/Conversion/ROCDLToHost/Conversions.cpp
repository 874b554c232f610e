// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chips' conversions of 8-bit floats as calls of the runtime, which has
// them in the formats of every chip.

#include "HostModule.h"

#include "Fly/Arch/SmallFloats.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly::host;

bool fly::host::isFloat8Conversion(Operation *op) {
  return isa<ROCDL::CvtF32Fp8Op, ROCDL::CvtF32Bf8Op, ROCDL::CvtPkF32Fp8Op,
             ROCDL::CvtPkF32Bf8Op, ROCDL::CvtPkFp8F32Op, ROCDL::CvtPkBf8F32Op>(
      op);
}

namespace {
/// Rewrites one operation.
class Converter {
public:
  Converter(HostModule &host, Operation *op)
      : host(host), op(op), b(op), loc(op->getLoc()) {
    bool isBf8 =
        isa<ROCDL::CvtF32Bf8Op, ROCDL::CvtPkF32Bf8Op, ROCDL::CvtPkBf8F32Op>(op);
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
    if (high)
      pair = LLVM::ShlOp::create(b, loc, pair, number(16));
    Value kept =
        LLVM::AndOp::create(b, loc, old, number(high ? 0xffff : -0x10000));
    return LLVM::OrOp::create(b, loc, kept, pair);
  }

private:
  Value number(int64_t value) {
    return host.constant(b, loc, b.getI32Type(), value);
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
          });
  op->replaceAllUsesWith(ValueRange{result});
  op->erase();
  return true;
}
