// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operation files share: reading operands of `evaluate`, pieces of
// assembly, and sizes and widths that verifiers read off types. Private to the
// IR library.

#ifndef FLY_LIB_DIALECT_FLY_IR_OPSUPPORT_H
#define FLY_LIB_DIALECT_FLY_IR_OPSUPPORT_H

#include "Fly/Dialect/Fly/IR/FlyOps.h"

namespace fly {

//===----------------------------------------------------------------------===//
// Pieces of assembly that generated parsers call
//===----------------------------------------------------------------------===//

/// A bare `a`, `b`, `c` or `d`.
mlir::ParseResult parseMmaOperandKeyword(mlir::OpAsmParser &parser,
                                         MmaOperandAttr &attr);
void printMmaOperandKeyword(mlir::OpAsmPrinter &printer, mlir::Operation *,
                            MmaOperandAttr attr);

/// The optional rank of `append` and `prepend`, `[n]` or, on input, `<n>`, and
/// the space behind it.
mlir::ParseResult parseExtendRank(mlir::OpAsmParser &parser,
                                  mlir::IntegerAttr &n);
void printExtendRank(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     mlir::IntegerAttr n);

/// One operand, or a list of them in brackets; a group of one prints bare.
mlir::ParseResult parseOperandGroup(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &group);
void printOperandGroup(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       mlir::OperandRange group);

namespace detail {

//===----------------------------------------------------------------------===//
// Operands of `evaluate`
//===----------------------------------------------------------------------===//

/// The operands of an algebra op, read by kind. An operand of another kind,
/// which only a builder can bring, is an error with the specification's text.
/// `role` is the operand's name in that text, " for role", and may be empty.
class Operands {
public:
  Operands(mlir::ValueRange operands, llvm::ArrayRef<AlgebraValue> values)
      : operands(operands), values(values) {}

  size_t size() const { return values.size(); }
  const AlgebraValue &operator[](size_t i) const { return values[i]; }

  layout::Result<layout::IntTuple> tuple(size_t i, llvm::StringRef role) const;
  /// A plain layout.
  layout::Result<layout::Layout> layout(size_t i, llvm::StringRef role) const;
  /// A plain or composed layout.
  layout::Result<layout::AnyLayout> narrow(size_t i,
                                           llvm::StringRef role = {}) const;
  /// The layout of a plain or composed layout or of a tensor.
  layout::Result<layout::AnyLayout> layoutLike(size_t i,
                                               llvm::StringRef role = {}) const;
  layout::Result<Tensor> tensor(size_t i) const;
  /// The operand's type if it is a T.
  template <typename T>
  layout::Result<T> type(size_t i, llvm::StringRef kind) const {
    if (auto type = i < operands.size()
                        ? mlir::dyn_cast<T>(operands[i].getType())
                        : T())
      return type;
    return wrong(i, llvm::Twine("expected ") + kind);
  }

  /// "<text>, got <type of operand i>".
  layout::Error wrong(size_t i, const llvm::Twine &text,
                      const char *label = "") const;
  /// "unsupported input type <type of operand i>".
  layout::Error unsupported(size_t i) const;

private:
  mlir::ValueRange operands;
  llvm::ArrayRef<AlgebraValue> values;
};

/// A single result.
inline AlgebraResult single(AlgebraValue value) {
  llvm::SmallVector<AlgebraValue, 1> values;
  values.push_back(std::move(value));
  return values;
}

/// The single result of an operation that may fail.
template <typename T>
AlgebraResult single(layout::Result<T> result) {
  if (!result)
    return result.takeError();
  return single(AlgebraValue(std::move(*result)));
}

/// `layoutLike` (operand `i`) with its layout replaced; iterators are kept.
AlgebraValue withLayout(const AlgebraValue &layoutLike,
                        layout::AnyLayout layout);

/// Applies `fn` (Layout -> Result<Layout>) to the linear part of operand `i`,
/// a layout, composed layout or tensor; all else is kept.
template <typename Fn>
AlgebraResult onLinearPart(const Operands &in, size_t i, llvm::StringRef role,
                           Fn &&fn) {
  FLY_TRY(layout, in.layoutLike(i, role));
  FLY_TRY(mapped, layout::onLinear(layout, fn));
  return single(withLayout(in[i], std::move(mapped)));
}

//===----------------------------------------------------------------------===//
// Sizes and widths
//===----------------------------------------------------------------------===//

/// The number of elements of a shape if it is static and fits 64 bits.
std::optional<int64_t> getStaticSize(IntTupleAttr shape);

/// The layout attribute (LayoutAttr or ComposedLayoutAttr) of a tensor type.
mlir::Attribute getTensorLayout(mlir::Type tensor);

/// The number of elements of a memref or coordinate tensor, if static.
std::optional<int64_t> getStaticTensorSize(mlir::Type tensor);

/// The rank of a memref or coordinate tensor (of its linear part).
int32_t getTensorRank(mlir::Type tensor);

/// The bits of a scalar or of a vector of static shape of integer or float
/// elements.
std::optional<int64_t> getRegisterBits(mlir::Type type);

/// True if a value of type `type` is one element, or a one-dimensional vector
/// of elements, of `element`; an integer of the same width may stand for it.
bool isElementOrVector(mlir::Type type, mlir::Type element);

/// The value type of the atom for an operand.
mlir::Type getMmaValueType(MmaAtomTypeInterface atom, MmaOperand kind);

} // namespace detail
} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_IR_OPSUPPORT_H
