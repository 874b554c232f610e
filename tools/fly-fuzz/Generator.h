// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What builds the module of one seed. Generator.cpp makes operands and single
// operations, GenerateAtoms.cpp groups of operations around atoms, Generate.cpp
// all around them.

#ifndef FLY_TOOLS_FUZZ_GENERATOR_H
#define FLY_TOOLS_FUZZ_GENERATOR_H

#include "OpTable.h"
#include "Random.h"
#include "TypeText.h"

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace fly::fuzz {

class Generator {
public:
  Generator(const mlir::DialectRegistry &registry, uint64_t seed);
  std::string run();

private:
  // Functions.
  void addHostFunction(mlir::ModuleOp module, unsigned index);
  void addKernels(mlir::ModuleOp module);
  void addBody(int length, int depth);

  // Operations.
  void addRandomOp(int depth);
  bool addFromTable(const OpRow &row);
  void addUse(mlir::Value value);
  void addLoop(int depth);
  void addBranch(int depth);
  void addCall();
  void addCopies();
  void addMatrixProduct();
  void addAtomCalls();
  void addMatrixCalls();
  void addTensorCopyAtom(llvm::StringRef name);
  void addTiledCopy();
  void addTiledProduct();

  /// The results of a new op join the values. Null if inference or the verifier
  /// refuses it.
  mlir::Operation *makeOp(llvm::StringRef name, mlir::ValueRange operands,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                          std::optional<mlir::TypeRange> types = std::nullopt);
  mlir::ValueRange make(llvm::StringRef name, mlir::ValueRange operands,
                        llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                        std::optional<mlir::TypeRange> types = std::nullopt) {
    mlir::Operation *op = makeOp(name, operands, attributes, types);
    return op ? mlir::ValueRange(op->getResults()) : mlir::ValueRange();
  }
  mlir::Value makeOne(llvm::StringRef name, mlir::ValueRange operands,
                      llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                      std::optional<mlir::TypeRange> types = std::nullopt) {
    mlir::ValueRange results = make(name, operands, attributes, types);
    return results.size() == 1 ? results[0] : mlir::Value();
  }
  bool infer(llvm::StringRef name, mlir::ValueRange operands,
             llvm::ArrayRef<mlir::NamedAttribute> attributes,
             llvm::SmallVectorImpl<mlir::Type> &types);

  // Operands.
  mlir::Value operand(llvm::StringRef kinds);
  mlir::Value source(Kind kind) { return source(type(kind)); }
  /// A value of this type: static, made of scalars, or an argument.
  mlir::Value source(mlir::Type type);
  mlir::Value slicingCoordinate(mlir::Value of);
  mlir::Value integer(mlir::Type type);
  mlir::Type type(Kind kind);
  mlir::Type parseType(llvm::StringRef text) {
    return mlir::parseType(text, &context);
  }
  /// The memref type, or null where the layout is none of memory.
  fly::MemRefType memrefType(mlir::Type element, AddressSpace space,
                             mlir::Attribute layout) {
    return fly::MemRefType::getChecked([&] { return mlir::emitError(loc); },
                                       element, space, layout, {}, {});
  }
  mlir::Attribute attribute(const std::string &spec) {
    return mlir::parseAttribute(text.attribute(spec), &context);
  }
  mlir::NamedAttribute named(llvm::StringRef name, mlir::Attribute attribute) {
    return builder.getNamedAttr(name, attribute);
  }
  mlir::Value oneOf(mlir::Type type);

  Random random;
  TypeText text;
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler quiet;
  mlir::OpBuilder builder;
  mlir::Location loc;
  /// What may be used at the insertion point.
  llvm::SmallVector<mlir::Value> values;
  mlir::Block *entry = nullptr;
  bool inKernel = false;
  /// Operations that the verifier refuses stay.
  const bool keepRefused;
  /// All that is made can go through a pipeline to its end: no operation is
  /// there that nobody lowers.
  const bool lowerable;
  llvm::SmallVector<mlir::func::FuncOp> functions;
  llvm::SmallVector<mlir::gpu::GPUFuncOp> kernels;
};

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_GENERATOR_H
