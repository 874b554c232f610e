// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator of modules. It builds IR in memory, since only so inference can
// be asked for the types of results, and prints it.

#include "Generate.h"

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fly;
using namespace fly::fuzz;

Generator::Generator(const DialectRegistry &registry, uint64_t seed)
    : random(seed), text(random),
      context(registry, MLIRContext::Threading::DISABLED),
      quiet(&context, [](Diagnostic &) { return success(); }),
      builder(&context), loc(UnknownLoc::get(&context)),
      keepRefused(seed % 5 == 4), lowerable(!keepRefused && seed % 5 != 3) {
  text.oneChip = lowerable;
  context.allowUnregisteredDialects();
  context.loadDialect<FlyDialect, arith::ArithDialect, func::FuncDialect,
                      gpu::GPUDialect, LLVM::LLVMDialect, scf::SCFDialect,
                      vector::VectorDialect>();
  context.getOrLoadDialect("fly_rocdl");
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Generator::addLoop(int depth) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  SmallVector<Value> carried;
  for (int i = random.between(0, 2); i > 0 && !values.empty(); --i)
    carried.push_back(random.pick(values));
  Value low = index(0), high = index(random.between(0, 4)), step = index(1);
  auto loop = scf::ForOp::create(builder, loc, low, high, step, carried);
  if (loop.getBody()->mightHaveTerminator())
    loop.getBody()->getTerminator()->erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  size_t outside = values.size();
  llvm::append_range(values, loop.getRegionIterArgs());
  addBody(random.between(1, 5), depth - 1);
  SmallVector<Value> yielded;
  for (Value value : carried)
    yielded.push_back(oneOf(value.getType()));
  scf::YieldOp::create(builder, loc, yielded);
  values.truncate(outside);
  llvm::append_range(values, loop.getResults());
}

void Generator::addBranch(int depth) {
  SmallVector<Type> types;
  for (int i = random.between(0, 2); i > 0 && !values.empty(); --i)
    types.push_back(random.pick(values).getType());
  Value condition = operand("b");
  if (!condition.getType().isInteger(1))
    return;
  auto branch = scf::IfOp::create(builder, loc, types, condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  size_t outside = values.size();
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    OpBuilder::InsertionGuard guard(builder);
    Block &block = region->front();
    if (block.mightHaveTerminator())
      block.getTerminator()->erase();
    builder.setInsertionPointToEnd(&block);
    addBody(random.between(1, 4), depth - 1);
    SmallVector<Value> yielded;
    for (Type type : types)
      yielded.push_back(oneOf(type));
    scf::YieldOp::create(builder, loc, yielded);
    values.truncate(outside);
  }
  llvm::append_range(values, branch.getResults());
}

void Generator::addCall() {
  if (inKernel || functions.empty())
    return;
  func::FuncOp callee = random.pick(functions);
  SmallVector<Value> operands;
  for (Type type : callee.getFunctionType().getInputs()) {
    Value value = oneOf(type);
    operands.push_back(value ? value : source(type));
  }
  auto call = func::CallOp::create(builder, loc, callee, operands);
  llvm::append_range(values, call.getResults());
}

/// Keeps a value alive: what hangs on it must be lowered.
void Generator::addUse(Value value) {
  if (!lowerable) {
    OperationState state(loc, "test.use", value, TypeRange());
    builder.create(state);
    return;
  }
  Type type = value.getType();
  if (isa<LayoutType, ComposedLayoutType, CoordTensorType>(type)) {
    // The index of a random coordinate, which all of the layout goes into.
    Value shape = makeOne("fly.get_shape", value);
    Value size = shape ? makeOne("fly.size", shape) : Value();
    Value index =
        makeOne("fly.crd2idx", {source(parseType("!fly.int_tuple<?>")), value});
    value = index && random.chance(80) ? index : size;
  } else if (isa<fly::MemRefType>(type)) {
    value = makeOne("fly.memref.load_vec", value);
  } else if (auto pointer = dyn_cast<fly::PointerType>(type)) {
    value =
        makeOne("fly.ptr.load", value, {}, TypeRange(pointer.getElementType()));
  }
  if (!value)
    return;
  SmallVector<Value> scalars{value};
  if (isa<IntTupleType>(value.getType())) {
    auto leaves = make("fly.get_leaves", value);
    scalars.assign(leaves.begin(), leaves.end());
  }
  for (Value scalar : scalars) {
    Type element = getElementTypeOrSelf(scalar.getType());
    if (!isa<FloatType, IntegerType>(element))
      continue;
    Value memory = source(fly::PointerType::get(element, AddressSpace::Global));
    make("fly.ptr.store", {scalar, memory}, {}, TypeRange());
  }
}

void Generator::addRandomOp(int depth) {
  int choice = random.below(100);
  if (choice < 4)
    return addCopies();
  if (choice < 7)
    return addMatrixProduct();
  if (choice < 10)
    return addTiledCopy();
  if (choice < 12)
    return addTiledProduct();
  if (choice < 15)
    return addCall();
  if (choice < 19 && depth > 0)
    return addLoop(depth);
  if (choice < 22 && depth > 0)
    return addBranch(depth);
  if (choice < 27 && !values.empty()) {
    return addUse(random.pick(values));
  }
  const OpRow &row = random.pick(getOpTable());
  if (lowerable && row.needsFitting)
    return random.chance(50) ? addAtomCalls() : addMatrixCalls();
  if (StringRef(row.name).contains("make_tiled_tdm") && random.chance(70))
    return addTensorCopyAtom(row.name);
  for (int i = 0; i < 8; ++i)
    if (addFromTable(row))
      return;
}

void Generator::addBody(int length, int depth) {
  for (int i = 0; i < length; ++i)
    addRandomOp(depth);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void Generator::addHostFunction(ModuleOp module, unsigned index) {
  builder.setInsertionPointToEnd(module.getBody());
  auto function =
      func::FuncOp::create(builder, loc, "f" + std::to_string(index),
                           builder.getFunctionType({}, {}));
  entry = function.addEntryBlock();
  inKernel = false;
  values.clear();
  builder.setInsertionPointToEnd(entry);
  addBody(random.between(3, 16), 2);
  if (!kernels.empty() && random.chance(50)) {
    gpu::GPUFuncOp kernel = random.pick(kernels);
    SmallVector<Value> operands;
    for (Type type : kernel.getFunctionType().getInputs()) {
      Value value = oneOf(type);
      operands.push_back(value ? value : source(type));
    }
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    gpu::KernelDim3 grid{one, one, one};
    gpu::LaunchFuncOp::create(builder, loc, kernel, grid, grid, Value(),
                              operands);
  }
  SmallVector<Value> results;
  if (!values.empty() && random.chance(40))
    results.push_back(values.back());
  func::ReturnOp::create(builder, loc, results);
  function.setFunctionType(builder.getFunctionType(
      entry->getArgumentTypes(), ValueRange(results).getTypes()));
  functions.push_back(function);
}

void Generator::addKernels(ModuleOp module) {
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  for (int i = random.between(1, 2); i > 0; --i) {
    builder.setInsertionPointToEnd(module.getBody());
    auto device =
        gpu::GPUModuleOp::create(builder, loc, "m" + std::to_string(i));
    for (int j = random.between(1, 2); j > 0; --j) {
      builder.setInsertionPointToEnd(device.getBody());
      auto kernel =
          gpu::GPUFuncOp::create(builder, loc, "k" + std::to_string(j),
                                 builder.getFunctionType({}, {}));
      kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
      entry = &kernel.getBody().front();
      inKernel = true;
      values.clear();
      builder.setInsertionPointToEnd(entry);
      addBody(random.between(3, 16), 2);
      gpu::ReturnOp::create(builder, loc);
      kernel.setFunctionType(
          builder.getFunctionType(entry->getArgumentTypes(), {}));
      kernels.push_back(kernel);
    }
  }
}

std::string Generator::run() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  if (random.chance(60))
    addKernels(*module);
  for (unsigned i = 0, n = random.between(1, 2); i < n; ++i)
    addHostFunction(*module, i);
  std::string printed;
  llvm::raw_string_ostream os(printed);
  OpPrintingFlags flags;
  flags.printGenericOpForm();
  flags.assumeVerified();
  module->print(os, flags);
  return printed;
}

std::string fly::fuzz::generateModule(const DialectRegistry &registry,
                                      uint64_t seed) {
  return Generator(registry, seed).run();
}
