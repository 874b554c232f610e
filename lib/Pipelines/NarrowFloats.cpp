// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-expand-narrow-floats: conversions of floats of less than 16 bits
// as instructions of the chip where it has them, else as exact integer code.

#include "NarrowFloatCode.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"
#include "Fly/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly::narrow;

namespace fly {
#define GEN_PASS_DEF_FLYEXPANDNARROWFLOATSPASS
#include "Fly/Pipelines/Passes.h.inc"

namespace {
/// The element of `type` if it is a float of less than 16 bits, or null.
FloatType getNarrow(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() < 16 ? element : nullptr;
}

struct ExpandNarrowFloats
    : public impl::FlyExpandNarrowFloatsPassBase<ExpandNarrowFloats> {
  void runOnOperation() override {
    llvm::SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
              arith::FPToSIOp, arith::FPToUIOp>(op) &&
          (getNarrow(op->getOperand(0).getType()) ||
           getNarrow(op->getResult(0).getType())))
        ops.push_back(op);
    });
    if (ops.empty())
      return markAllAnalysesPreserved();
    chip = findChip();
    for (Operation *op : ops)
      if (failed(expand(op)))
        return signalPassFailure();
  }

private:
  const arch::Chip *findChip() {
    ArrayAttr targets = getOperation().getTargetsAttr();
    if (!targets || targets.size() != 1)
      return nullptr;
    if (auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0]))
      return arch::lookupChip(target.getChip());
    auto target = dyn_cast<rocdl::CPUTargetAttr>(targets[0]);
    return target ? arch::lookupChip(target.getChip()) : nullptr;
  }

  /// `value`, of a narrow type, as f32.
  Value toFloat(const Code &c, Value value) {
    FloatType type = getNarrow(value.getType());
    Type codes = c.withShape(c.b.getIntegerType(type.getWidth()));
    Value code = arith::BitcastOp::create(c.b, c.loc, codes, value);
    if (Value result = extendByInstruction(c, code, type, chip))
      return result;
    return decode(c, arith::ExtUIOp::create(c.b, c.loc, c.i32(), code), type);
  }

  /// `value`, f32, as `type`, a narrow one.
  Value fromFloat(const Code &c, Value value, Type type) {
    FloatType element = getNarrow(type);
    Type codes = c.withShape(c.b.getIntegerType(element.getWidth()));
    Value code = truncateByInstruction(c, value, element, chip);
    if (!code)
      code =
          arith::TruncIOp::create(c.b, c.loc, codes, encode(c, value, element));
    return arith::BitcastOp::create(c.b, c.loc, type, code);
  }

  LogicalResult expand(Operation *op) {
    Value operand = op->getOperand(0);
    Type type = op->getResult(0).getType();
    FloatType from = getNarrow(operand.getType()), to = getNarrow(type);
    auto vector = dyn_cast<VectorType>(type);
    if (vector && (vector.isScalable() || vector.getNumElements() == 0))
      return op->emitOpError("converts between ")
             << operand.getType() << " and " << type
             << ", expected scalars or vectors of fixed length";
    if (isa_and_nonnull<Float8E8M0FNUType>(to))
      return op->emitOpError("converts to ")
             << to
             << ", which has only powers of two: there is no agreed rounding "
                "(MLIR folds to the nearest and expands to the exponent's "
                "bits); compute the exponent with integers and arith.bitcast";
    auto truncation = dyn_cast<arith::TruncFOp>(op);
    if (truncation && truncation.getRoundingmode().value_or(
                          arith::RoundingMode::to_nearest_even) !=
                          arith::RoundingMode::to_nearest_even)
      return op->emitOpError("rounds ")
             << arith::stringifyRoundingMode(*truncation.getRoundingmode())
             << ", but conversions to " << to << " round to_nearest_even";

    OpBuilder b(op);
    Code c(b, op->getLoc(), type);
    Value value;
    if (from) {
      value = toFloat(c, operand);
    } else if (isa<FloatType>(getElementTypeOrSelf(operand.getType()))) {
      unsigned width =
          getElementTypeOrSelf(operand.getType()).getIntOrFloatBitWidth();
      value = width == 64 ? truncateToOdd(c, operand)
              : width == 32
                  ? operand
                  : Value(arith::ExtFOp::create(b, c.loc, c.f32(), operand));
    } else {
      // An integer that f32 has to round is beyond all of these formats.
      value = isa<arith::SIToFPOp>(op)
                  ? Value(arith::SIToFPOp::create(b, c.loc, c.f32(), operand))
                  : Value(arith::UIToFPOp::create(b, c.loc, c.f32(), operand));
    }
    Value result = to ? fromFloat(c, value, type) : convertTo(c, op, value);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return success();
  }

  /// `value`, f32, as the result type of `op`, which is not narrow.
  static Value convertTo(const Code &c, Operation *op, Value value) {
    Type type = op->getResult(0).getType();
    if (isa<arith::FPToSIOp>(op))
      return arith::FPToSIOp::create(c.b, c.loc, type, value);
    if (isa<arith::FPToUIOp>(op))
      return arith::FPToUIOp::create(c.b, c.loc, type, value);
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (width > 32)
      return arith::ExtFOp::create(c.b, c.loc, type, value);
    if (width < 32)
      return arith::TruncFOp::create(c.b, c.loc, type, value);
    return value;
  }

  const arch::Chip *chip = nullptr;
};
} // namespace
} // namespace fly
