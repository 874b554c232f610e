// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creation of ops whose result types are inferred. The generated builders end
// the process if inference fails; here a failure is the diagnostic that the
// inference gives, at the op that is being lowered. Private to the folder.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_INFERREDOP_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_INFERREDOP_H

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/IR/Builders.h"

namespace fly {

/// The result of a new `OpT` on `operands`, or failure with a diagnostic.
/// `setAttributes` fills the op's properties, for ops that have attributes.
template <typename OpT, typename SetT>
mlir::FailureOr<mlir::Value>
createInferred(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::ValueRange operands, SetT setAttributes) {
  mlir::OperationState state(loc, OpT::getOperationName());
  state.addOperands(operands);
  setAttributes(state);
  llvm::SmallVector<mlir::Type> types;
  if (failed(OpT::inferReturnTypes(
          builder.getContext(), loc, operands,
          state.attributes.getDictionary(builder.getContext()),
          state.getRawProperties(), {}, types)))
    return mlir::failure();
  state.addTypes(types);
  return builder.create(state)->getResult(0);
}

template <typename OpT>
mlir::FailureOr<mlir::Value> createInferred(mlir::OpBuilder &builder,
                                            mlir::Location loc,
                                            mlir::ValueRange operands) {
  return createInferred<OpT>(builder, loc, operands,
                             [](mlir::OperationState &) {});
}

/// The int tuple of static leaf `value`.
inline mlir::Value createStaticLeaf(mlir::OpBuilder &builder,
                                    mlir::Location loc, int64_t value) {
  auto attr = IntTupleAttr::getStatic(builder.getContext(), value);
  return MakeIntTupleOp::create(builder, loc, IntTupleType::get(attr),
                                mlir::ValueRange());
}

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_INFERREDOP_H
