// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that algebra operations compute on. An `AlgebraValue` is what an
// SSA value of one of the dialect's types stands for: an int tuple, a layout,
// a swizzle, a tile, a pointer or a tensor, with run-time leaves as symbolic
// expressions. Type inference makes one from each operand type with fresh
// symbols, evaluates the op and reads the results as types; lowering binds the
// symbols to SSA values, evaluates the same op and emits the expressions.

#ifndef FLY_DIALECT_FLY_IR_FLYALGEBRA_H
#define FLY_DIALECT_FLY_IR_FLYALGEBRA_H

#include "Fly/Dialect/Fly/IR/FlyTypes.h"
#include "Fly/Layout/Layout.h"
#include "Fly/Layout/Swizzle.h"
#include "Fly/Layout/Tile.h"
#include "Fly/Layout/Tiled.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/Support/TypeName.h"

#include <variant>

namespace fly {

/// A pointer, perhaps with an offset that is still to be added.
struct Pointer {
  /// Element type, space, alignment and swizzle after the offset.
  PointerType type;
  /// The SSA pointer before the offset; null when only types are known.
  mlir::Value base;
  /// Elements to add to `base`, if any.
  std::optional<layout::Int> offset;
};

/// An iterator seen through a layout.
struct Tensor {
  std::variant<Pointer, layout::IntTuple> iter;
  layout::AnyLayout layout;

  /// True for a coordinate tensor.
  bool isCoord() const { return iter.index() == 1; }
  const Pointer &pointer() const { return std::get<Pointer>(iter); }
  const layout::IntTuple &base() const {
    return std::get<layout::IntTuple>(iter);
  }
};

/// One integer of `width` bits (1, 32 or 64) outside of any tuple.
struct Scalar {
  layout::Int value;
  unsigned width;
};

/// A value known by its type alone: atoms, tiled atoms, and all that is not of
/// this dialect.
struct Opaque {
  mlir::Type type;
};

/// What an operand or result of an algebra op stands for.
class AlgebraValue {
public:
  using Storage =
      std::variant<Opaque, Scalar, layout::IntTuple, layout::AnyLayout,
                   layout::Swizzle, layout::CoordSwizzle, layout::Tile, Pointer,
                   Tensor>;

  template <typename T,
            typename = std::enable_if_t<std::is_constructible_v<Storage, T &&>>>
  AlgebraValue(T &&value) : storage(std::forward<T>(value)) {}

  /// The value as a T, or null if it is of another kind.
  template <typename T>
  const T *getIf() const {
    return std::get_if<T>(&storage);
  }
  template <typename T>
  const T &get() const {
    return std::get<T>(storage);
  }

private:
  Storage storage;
};

/// The results of an algebra op, or the violated precondition.
using AlgebraResult = layout::Result<llvm::SmallVector<AlgebraValue, 1>>;

/// The value of `type` with a fresh symbol for each run-time leaf. Symbols are
/// numbered from `nextSymbol` on, which is advanced, in the order of leaves:
/// depth first; shape before stride; inner, offset, outer; iterator, layout.
/// Scalars get one symbol. A pointer's `base` stays null.
AlgebraValue readType(mlir::Type type, unsigned &nextSymbol);

/// The type that `value` has.
mlir::Type getTypeOf(mlir::MLIRContext *context, const AlgebraValue &value);

/// The run-time leaves of `value` in the order of `readType`, a pending offset
/// of a pointer first. Static leaves are left out.
llvm::SmallVector<layout::Int> getDynamicLeaves(const AlgebraValue &value);

//===----------------------------------------------------------------------===//
// Pieces that several ops and passes share
//===----------------------------------------------------------------------===//

/// `iter + offset` in elements, pointer alignment adjusted.
layout::Result<Pointer> movePointer(const Pointer &pointer,
                                    const layout::Int &offset);

/// `tensor` with its iterator moved by `offset`: elements of a pointer (an
/// integer), or a coordinate added to the base.
layout::Result<Tensor> moveIterator(const Tensor &tensor,
                                    const layout::IntTuple &offset);

/// `type` with the alignment that `divisibility` elements give, and `swizzle`.
PointerType withDivisibility(PointerType type, int64_t divisibility,
                             SwizzleAttr swizzle);

/// `type` with its swizzle replaced; elements are then aligned at most to
/// 2^base of it.
PointerType swizzlePointer(PointerType type, SwizzleAttr swizzle);

/// The int tuple at `coord` of a coordinate tensor: base + crd2idx.
layout::Result<layout::IntTuple>
evaluateCoordElement(const Tensor &tensor, const layout::IntTuple &coord);

/// The element offset of `coord` in a memref with `layout`, an integer leaf.
layout::Result<layout::Int>
evaluateElementOffset(const layout::AnyLayout &layout,
                      const layout::IntTuple &coord);

/// What lib/Layout needs to know of a tiled copy or tiled mma. An error if the
/// atom's layouts do not fit together.
layout::Result<layout::TiledCopyDesc> describe(TiledCopyType type);
layout::Result<layout::TiledMmaDesc> describe(TiledMmaType type);

namespace detail {
/// Infers result types by evaluation; see OpTrait::AlgebraInference.
mlir::LogicalResult inferByEvaluation(
    mlir::MLIRContext *context, std::optional<mlir::Location> location,
    llvm::StringRef opClass, mlir::ValueRange operands,
    llvm::function_ref<AlgebraResult(llvm::ArrayRef<AlgebraValue>)> evaluate,
    llvm::SmallVectorImpl<mlir::Type> &results);

/// Folds an op without effects; see OpTrait::Folding.
mlir::LogicalResult
foldWithoutEffects(mlir::Operation *op,
                   llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

/// "GetOp" for `fly::GetOp`: the name that inference errors begin with.
template <typename OpT>
llvm::StringRef opClassName() {
  return llvm::getTypeName<OpT>().rsplit(':').second;
}
} // namespace detail

namespace OpTrait {
/// Supplies `inferReturnTypes`: the operand types with fresh symbols, through
/// the op's `evaluate`, read as types.
template <typename ConcreteType>
class AlgebraInference
    : public mlir::OpTrait::TraitBase<ConcreteType, AlgebraInference> {
public:
  static mlir::LogicalResult
  inferReturnTypes(mlir::MLIRContext *context,
                   std::optional<mlir::Location> location,
                   mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                   mlir::OpaqueProperties properties, mlir::RegionRange regions,
                   llvm::SmallVectorImpl<mlir::Type> &results) {
    typename ConcreteType::Adaptor adaptor(operands, attributes, properties,
                                           regions);
    return detail::inferByEvaluation(
        context, location, detail::opClassName<ConcreteType>(), operands,
        [&](llvm::ArrayRef<AlgebraValue> values) {
          return ConcreteType::evaluate(adaptor, values);
        },
        results);
  }
};

/// Supplies the folder of an op without effects from its types and, if it is an
/// algebra op, its `evaluate`. Types are kept exactly.
template <typename ConcreteType>
class Folding : public mlir::OpTrait::TraitBase<ConcreteType, Folding> {
public:
  static mlir::LogicalResult
  foldTrait(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute>,
            llvm::SmallVectorImpl<mlir::OpFoldResult> &results) {
    return detail::foldWithoutEffects(op, results);
  }
};
} // namespace OpTrait

} // namespace fly

#endif // FLY_DIALECT_FLY_IR_FLYALGEBRA_H
