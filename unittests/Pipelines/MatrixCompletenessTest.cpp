// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix instruction table against the LLVM that Fly is built with: every
// matrix intrinsic of AMDGPU and every matrix operation of ROCDL has a row, and
// every row names one of them.

#include "Fly/Arch/MatrixInstructions.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Intrinsics.h"
#include "gtest/gtest.h"

using namespace fly::arch;

static constexpr llvm::StringLiteral kinds[] = {"mfma.", "smfmac.", "wmma.",
                                                "swmmac."};

static bool isMatrixName(llvm::StringRef name, llvm::StringRef prefix) {
  return name.consume_front(prefix) &&
         llvm::any_of(kinds, [&](llvm::StringRef kind) {
           return name.starts_with(kind);
         });
}

/// The matrix intrinsics of LLVM.
static llvm::StringSet<> listIntrinsics() {
  llvm::StringSet<> names;
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
    llvm::StringRef name = llvm::Intrinsic::getBaseName(id);
    if (isMatrixName(name, "llvm.amdgcn."))
      names.insert(name);
  }
  return names;
}

/// The matrix operations of ROCDL.
static llvm::StringSet<> listOperations() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::ROCDL::ROCDLDialect>();
  llvm::StringSet<> names;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations())
    if (isMatrixName(op.getStringRef(), "rocdl."))
      names.insert(op.getStringRef());
  return names;
}

TEST(MatrixCompleteness, EveryIntrinsicHasARow) {
  llvm::StringSet<> intrinsics = listIntrinsics();
  EXPECT_GT(intrinsics.size(), 100u);
  for (const auto &entry : intrinsics)
    EXPECT_EQ(intrinsicName(matrixOperation(entry.getKey())),
              entry.getKey().str());
  for (const MatrixInstruction &row : matrixInstructions())
    EXPECT_TRUE(intrinsics.contains(intrinsicName(row.op)))
        << intrinsicName(row.op);
}

TEST(MatrixCompleteness, EveryOperationHasARow) {
  llvm::StringSet<> operations = listOperations(), named;
  EXPECT_GT(operations.size(), 100u);
  for (const auto &entry : operations) {
    EXPECT_EQ(matrixOperation(entry.getKey()).str(), entry.getKey().str());
    named.insert(intrinsicName(entry.getKey()));
  }
  for (const MatrixInstruction &row : matrixInstructions()) {
    // An intrinsic stands in a row only where ROCDL has no operation for it.
    if (row.isIntrinsic())
      EXPECT_FALSE(named.contains(row.op)) << row.op.str();
    else
      EXPECT_TRUE(operations.contains(row.op)) << row.op.str();
  }
}
