// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second reader of the layout algebra: SSA values in, SSA values out. An
// operand becomes an AlgebraValue whose symbols stand for its run-time leaves;
// the expressions of a result become arith ops, one per node, in the order in
// which the algebra made them. Type inference is the first reader and calls the
// same `evaluate`, so this file holds no algebra. Private to the folder.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_ALGEBRAEMITTER_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_ALGEBRAEMITTER_H

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace fly {

/// Reads the operands of one op at a time and builds its results.
class AlgebraEmitter {
public:
  /// Forgets the symbols and expressions of the op before.
  void begin();

  /// The value that `value` stands for, with a fresh symbol for each run-time
  /// leaf. Leaves of a value that no constructor made are read by extractor ops
  /// placed directly behind it, once for each value.
  AlgebraValue read(mlir::Value value);

  /// Emits every expression that `results` need, at the insertion point.
  void emit(mlir::OpBuilder &builder, mlir::Location loc,
            llvm::ArrayRef<AlgebraValue> results);

  /// Builds the SSA value of one of the results that `emit` was called with;
  /// null for a value that has no constructor.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                          const AlgebraValue &value);

  // One expression at a time, for a reader that looks at each.

  /// The leaves of a value that no constructor made, by extractor ops.
  llvm::ArrayRef<mlir::Value> extractLeaves(mlir::Value value);
  /// Emits `node`, whose operands were emitted.
  void emitNode(mlir::OpBuilder &builder, mlir::Location loc,
                const layout::Expr &node);
  /// The integer that `emitNode` made of a node that is no comparison.
  mlir::Value getEmitted(const layout::Expr &node) const {
    return integers.lookup(&node);
  }
  /// An emitted or static value, extended to `width` bits.
  mlir::Value getInteger(mlir::OpBuilder &builder, mlir::Location loc,
                         const layout::Int &value, unsigned width);
  /// `value != 0`, emitted or static, as i1.
  mlir::Value getBoolean(mlir::OpBuilder &builder, mlir::Location loc,
                         const layout::Int &value);

private:
  void appendLeaves(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &out);
  mlir::Value getPointer(mlir::Value memref);

  mlir::Value materializeTuple(mlir::OpBuilder &builder, mlir::Location loc,
                               const layout::IntTuple &tuple);
  mlir::Value materializeLayout(mlir::OpBuilder &builder, mlir::Location loc,
                                const layout::AnyLayout &layout);
  mlir::Value materializePointer(mlir::OpBuilder &builder, mlir::Location loc,
                                 const Pointer &pointer);

  /// Values of the current op's symbols, by their number.
  llvm::SmallVector<mlir::Value> symbols;
  /// Constants of the current op, by value and width.
  llvm::DenseMap<std::pair<int64_t, unsigned>, mlir::Value> constants;
  /// Integer and i1 form of the current op's expressions.
  llvm::DenseMap<const layout::Expr *, mlir::Value> integers;
  llvm::DenseMap<const layout::Expr *, mlir::Value> booleans;
  /// Leaves and pointers of values of unknown origin, of the whole walk.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> extracted;
  llvm::DenseMap<mlir::Value, mlir::Value> pointers;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_ALGEBRAEMITTER_H
