// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code generator for AMD chips may take for granted (llvm.intr.assume)
// the CPU checks: such a lane has no defined result on the device.

#include "HostModule.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

#include "fly_cpu_abi.h"

using namespace mlir;
using namespace fly::host;

/// The text of an assumption that does not hold.
static std::string describeAssumption(Value condition) {
  std::string text = "the operation assumes what does not hold";
  auto compare = condition.getDefiningOp<LLVM::ICmpOp>();
  APInt bound;
  if (!compare || !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
    return text;
  StringRef predicate = LLVM::stringifyICmpPredicate(compare.getPredicate());
  bool isUnsigned = predicate.consume_front("u");
  if (!isUnsigned && predicate.size() == 3)
    predicate = predicate.drop_front(); // 's'
  StringRef words = llvm::StringSwitch<StringRef>(predicate)
                        .Case("eq", "")
                        .Case("ne", "other than ")
                        .Case("lt", "less than ")
                        .Case("le", "at most ")
                        .Case("gt", "more than ")
                        .Default("at least ");
  llvm::SmallString<24> number;
  bound.toString(number, 10, /*Signed=*/!isUnsigned);
  return text + (": a value that is " + words + number).str() +
         (isUnsigned ? " without sign" : "");
}

void fly::host::rewriteAssume(HostModule &host, LLVM::AssumeOp op, Value lane) {
  OpBuilder b(op);
  // Alignment and the like, without a condition.
  if (matchPattern(op.getCond(), m_One())) {
    op->erase();
    return;
  }
  Location loc = op.getLoc();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()),
      {host.pointerType(), b.getI1Type(), b.getI32Type(), b.getI64Type()});
  LLVM::LLVMFuncOp helper = host.getHelper(
      "__fly_check_assumption", type, /*inlined=*/true,
      [&](OpBuilder &b, LLVM::LLVMFuncOp check) {
        Location loc = check.getLoc();
        Block *fails = b.createBlock(&check.getBody(), check.getBody().end());
        Block *holds = b.createBlock(&check.getBody(), check.getBody().end());
        b.setInsertionPointToEnd(&check.getBody().front());
        LLVM::CondBrOp::create(b, loc, check.getArgument(1), holds, fails);
        b.setInsertionPointToEnd(fails);
        host.emitLaneFault(b, loc, check.getArgument(0), check.getArgument(2),
                           FlyCpuFaultAssertion, check.getArgument(3));
        LLVM::UnreachableOp::create(b, loc);
        b.setInsertionPointToEnd(holds);
        LLVM::ReturnOp::create(b, loc, ValueRange{});
      });
  uint32_t id = host.table.addAssertion(describeAssumption(op.getCond()));
  LLVM::CallOp::create(b, loc, helper,
                       ValueRange{lane, op.getCond(),
                                  host.locationValue(b, loc),
                                  host.constant(b, loc, b.getI64Type(), id)});
  op->erase();
}
