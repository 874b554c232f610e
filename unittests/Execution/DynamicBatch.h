// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algebra ops on run-time operands, run: a batch of them is one module with a
// function for each, lowered with the run-time checks and compiled once. The
// run-time leaves of a case's operands are symbols; a run gives them numbers.

#ifndef FLY_UNITTESTS_EXECUTION_DYNAMICBATCH_H
#define FLY_UNITTESTS_EXECUTION_DYNAMICBATCH_H

#include "../Layout/Oracle.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace fly::test {

using layout::test::Assignment;

/// Creates an op on operands, or fails if the op refuses their types.
using OpMaker = std::function<mlir::FailureOr<mlir::Value>(mlir::OpBuilder &,
                                                           mlir::ValueRange)>;

/// The maker of `OpT` with its properties set by `set`.
template <typename OpT>
OpMaker
makerOf(std::function<void(mlir::OpBuilder &, mlir::OperationState &)> set =
            nullptr) {
  return [set](mlir::OpBuilder &builder,
               mlir::ValueRange operands) -> mlir::FailureOr<mlir::Value> {
    mlir::OperationState state(builder.getUnknownLoc(),
                               OpT::getOperationName());
    state.addOperands(operands);
    if (set)
      set(builder, state);
    llvm::SmallVector<mlir::Type> types;
    if (failed(OpT::inferReturnTypes(
            builder.getContext(), std::nullopt, operands,
            state.attributes.getDictionary(builder.getContext()),
            state.getRawProperties(), {}, types)))
      return mlir::failure();
    state.addTypes(types);
    return builder.create(state)->getResult(0);
  };
}

/// An op on operands whose run-time leaves are symbols.
struct Case {
  std::string name;
  OpMaker make;
  std::vector<AlgebraValue> operands;

  /// "name (operand; operand) where #0 = 3, ...".
  std::string str(const Assignment &values) const;
};

/// The value with its symbols replaced by their numbers.
AlgebraValue assign(const AlgebraValue &value, const Assignment &values);

/// What a run gave.
struct Outcome {
  /// The message of the first check that failed; empty if all held.
  std::string failure;
  /// The result on numbers; a comparison is an int tuple leaf.
  AlgebraValue value = layout::IntTuple(0);
};

class Batch {
public:
  explicit Batch(mlir::MLIRContext &context);
  ~Batch();

  /// Adds a case; false if the op refuses the types.
  bool add(const Case &added);
  size_t size() const { return results.size(); }
  /// Lowers and compiles all cases. Records a test failure if that fails.
  bool compile();
  /// Runs case `index` with these numbers.
  Outcome run(size_t index, const Assignment &values);
  /// The inferred result of the op on static operands, or nothing if it
  /// refuses them or these numbers make no type.
  std::optional<AlgebraValue> evaluate(const Case &of,
                                       const Assignment &values);

private:
  mlir::Value materialize(mlir::OpBuilder &builder, const AlgebraValue &value,
                          mlir::Value input);
  mlir::Value load(mlir::OpBuilder &builder, const layout::Int &symbol,
                   mlir::Value input);
  void storeResult(mlir::OpBuilder &builder, mlir::Value result,
                   mlir::Value output);
  void lowerAsserts();

  mlir::MLIRContext &context;
  mlir::OwningOpRef<mlir::ModuleOp> module, scratch;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  std::vector<mlir::Type> results;
  std::vector<void (*)(void **)> entries;
  std::vector<std::string> messages;
};

} // namespace fly::test

#endif // FLY_UNITTESTS_EXECUTION_DYNAMICBATCH_H
