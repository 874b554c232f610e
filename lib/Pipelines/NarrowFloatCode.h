// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of floats of less than 16 bits as operations: exact integer code,
// and the instructions of the chips.

#ifndef FLY_LIB_PIPELINES_NARROWFLOATCODE_H
#define FLY_LIB_PIPELINES_NARROWFLOATCODE_H

#include "Fly/Arch/Chips.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace fly::narrow {

/// Code on scalars, or on vectors of one shape, at one place.
class Code {
public:
  Code(mlir::OpBuilder &b, mlir::Location loc, mlir::Type like)
      : b(b), loc(loc), shape(llvm::dyn_cast<mlir::VectorType>(like)) {}

  mlir::Type withShape(mlir::Type element) const {
    return shape ? mlir::Type(mlir::VectorType::get(shape.getShape(), element))
                 : element;
  }
  mlir::Type i32() const { return withShape(b.getI32Type()); }
  mlir::Type f32() const { return withShape(b.getF32Type()); }

  mlir::Value splat(mlir::TypedAttr value) const {
    if (!shape)
      return mlir::arith::ConstantOp::create(b, loc, value);
    auto type = mlir::VectorType::get(shape.getShape(), value.getType());
    return mlir::arith::ConstantOp::create(
        b, loc, mlir::DenseElementsAttr::get(type, mlir::Attribute(value)));
  }
  mlir::Value integer(uint32_t value) const {
    return splat(b.getIntegerAttr(b.getI32Type(), int32_t(value)));
  }
  mlir::Value real(double value) const {
    return splat(b.getF32FloatAttr(value));
  }

  template <typename Op>
  mlir::Value make(mlir::Value x, mlir::Value y) const {
    return Op::create(b, loc, x, y);
  }
  mlir::Value add(mlir::Value x, uint32_t y) const {
    return make<mlir::arith::AddIOp>(x, integer(y));
  }
  mlir::Value conjoin(mlir::Value x, uint32_t mask) const {
    return make<mlir::arith::AndIOp>(x, integer(mask));
  }
  mlir::Value join(mlir::Value x, mlir::Value y) const {
    return make<mlir::arith::OrIOp>(x, y);
  }
  mlir::Value left(mlir::Value x, unsigned by) const {
    return by ? make<mlir::arith::ShLIOp>(x, integer(by)) : x;
  }
  mlir::Value right(mlir::Value x, unsigned by) const {
    return make<mlir::arith::ShRUIOp>(x, integer(by));
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x,
                      uint32_t y) const {
    return mlir::arith::CmpIOp::create(b, loc, predicate, x, integer(y));
  }
  mlir::Value above(mlir::Value x, uint32_t y) const {
    return compare(mlir::arith::CmpIPredicate::ugt, x, y);
  }
  mlir::Value below(mlir::Value x, uint32_t y) const {
    return compare(mlir::arith::CmpIPredicate::ult, x, y);
  }
  mlir::Value equals(mlir::Value x, uint32_t y) const {
    return compare(mlir::arith::CmpIPredicate::eq, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x,
                     mlir::Value y) const {
    return mlir::arith::SelectOp::create(b, loc, condition, x, y);
  }
  mlir::Value asFloat(mlir::Value x) const {
    return mlir::arith::BitcastOp::create(b, loc, f32(), x);
  }
  mlir::Value asBits(mlir::Value x) const {
    return mlir::arith::BitcastOp::create(b, loc, i32(), x);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::VectorType shape;
};

/// The value of `code`, i32 with the bits of `type`, as f32. Always exact: f32
/// has more exponents and more mantissa than each of these types.
mlir::Value decode(const Code &c, mlir::Value code, mlir::FloatType type);

/// The bits in `type` (i32) of `value`, f32: rounded once, to nearest, ties to
/// even. Beyond the largest number: infinity, or NaN, or the largest number of
/// a type that has neither. NaN in such a type is the zero of its sign.
mlir::Value encode(const Code &c, mlir::Value value, mlir::FloatType type);

/// `value`, f64, as f32 that is rounded to odd: a second rounding to a narrow
/// type then gives what one alone would.
mlir::Value truncateToOdd(const Code &c, mlir::Value value);

/// The same as decode and encode by instructions of `chip`; `codes` are
/// integers of the type's width. Null if it has none for the type and shape.
mlir::Value extendByInstruction(const Code &c, mlir::Value codes,
                                mlir::FloatType type, const arch::Chip *chip);
mlir::Value truncateByInstruction(const Code &c, mlir::Value value,
                                  mlir::FloatType type, const arch::Chip *chip);

} // namespace fly::narrow

#endif // FLY_LIB_PIPELINES_NARROWFLOATCODE_H
