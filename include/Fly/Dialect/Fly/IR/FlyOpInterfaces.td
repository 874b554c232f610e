// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The op interface through which type inference and lowering share one
// definition of every algebra op.

#ifndef FLY_DIALECT_FLY_IR_FLYOPINTERFACES_TD
#define FLY_DIALECT_FLY_IR_FLYOPINTERFACES_TD

include "mlir/IR/OpBase.td"

def Fly_AlgebraOpInterface : OpInterface<"AlgebraOpInterface"> {
  let cppNamespace = "::fly";
  let description = [{
    An op that computes on int tuples, layouts and views without touching
    memory. Its results follow from its attributes and the values of its
    operands alone.

    `evaluateAlgebra` takes one value per operand, in operand order. With
    fresh symbols for the run-time leaves the results give the inferred types;
    with symbols bound to SSA values they give the expressions to emit. Both
    readers call the same code, so a type and the code behind it agree.
  }];
  let methods = [
    InterfaceMethod<[{
        Evaluates the op on `operands` (one per SSA operand). Returns one value
        per result, or the error that names the violated precondition.
      }],
      /*retTy=*/"::fly::AlgebraResult",
      /*methodName=*/"evaluateAlgebra",
      /*args=*/(ins "::llvm::ArrayRef<::fly::AlgebraValue>":$operands),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ConcreteOp::evaluate(typename ConcreteOp::Adaptor($_op),
                                    operands);
      }]>
  ];
}

#endif // FLY_DIALECT_FLY_IR_FLYOPINTERFACES_TD
