// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator of modules. It builds IR in memory, since only so inference can
// be asked for the types of results, and prints it.

#include "Generate.h"

#include "OpTable.h"
#include "TypeText.h"

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fly;
using namespace fly::fuzz;

/// The kind of a value of `type`, or 0.
static char kindOf(Type type) {
  if (isa<IntTupleType>(type))
    return TupleKind;
  if (isa<LayoutType>(type))
    return LayoutKind;
  if (isa<ComposedLayoutType>(type))
    return ComposedKind;
  if (isa<SwizzleType>(type))
    return SwizzleKind;
  if (isa<CoordSwizzleType>(type))
    return CoordSwizzleKind;
  if (isa<TileType>(type))
    return TileKind;
  if (isa<fly::PointerType>(type))
    return PointerKind;
  if (isa<fly::MemRefType>(type))
    return MemRefKind;
  if (isa<CoordTensorType>(type))
    return CoordTensorKind;
  if (isa<CopyAtomType>(type))
    return CopyAtomKind;
  if (isa<MmaAtomType>(type))
    return MmaAtomKind;
  if (isa<TiledCopyType>(type))
    return TiledCopyKind;
  if (isa<TiledMmaType>(type))
    return TiledMmaKind;
  if (type.isSignlessInteger(32) || type.isSignlessInteger(64))
    return IntegerKind;
  if (type.isInteger(1))
    return BoolKind;
  if (isa<VectorType>(type))
    return VectorKind;
  return isa<FloatType, IntegerType>(type) ? FloatKind : 0;
}

namespace {

class Generator {
public:
  Generator(const DialectRegistry &registry, uint64_t seed);
  std::string run();

private:
  // Functions.
  void addHostFunction(ModuleOp module, unsigned index);
  void addKernels(ModuleOp module);
  void addBody(int length, int depth);

  // Operations.
  void addRandomOp(int depth);
  bool addFromTable(const OpRow &row);
  void addUse(Value value);
  void addLoop(int depth);
  void addBranch(int depth);
  void addCall();
  void addCopies();
  void addMatrixProduct();
  void addTiledCopy();
  void addTiledProduct();

  /// The results of a new op join the values. Null if inference or the verifier
  /// refuses it.
  Operation *makeOp(StringRef name, ValueRange operands,
                    ArrayRef<NamedAttribute> attributes = {},
                    std::optional<TypeRange> types = std::nullopt);
  ValueRange make(StringRef name, ValueRange operands,
                  ArrayRef<NamedAttribute> attributes = {},
                  std::optional<TypeRange> types = std::nullopt) {
    Operation *op = makeOp(name, operands, attributes, types);
    return op ? ValueRange(op->getResults()) : ValueRange();
  }
  Value makeOne(StringRef name, ValueRange operands,
                ArrayRef<NamedAttribute> attributes = {},
                std::optional<TypeRange> types = std::nullopt) {
    ValueRange results = make(name, operands, attributes, types);
    return results.size() == 1 ? results[0] : Value();
  }
  bool infer(StringRef name, ValueRange operands,
             ArrayRef<NamedAttribute> attributes, SmallVectorImpl<Type> &types);

  // Operands.
  Value operand(StringRef kinds);
  Value source(Kind kind) { return source(type(kind)); }
  /// A value of this type: static, made of scalars, or an argument.
  Value source(Type type);
  Value integer(Type type);
  Type type(Kind kind);
  Type parseType(StringRef text) { return mlir::parseType(text, &context); }
  Attribute attribute(const std::string &spec) {
    return parseAttribute(text.attribute(spec), &context);
  }
  NamedAttribute named(StringRef name, Attribute attribute) {
    return builder.getNamedAttr(name, attribute);
  }
  Value oneOf(Type type);

  Random random;
  TypeText text;
  MLIRContext context;
  ScopedDiagnosticHandler quiet;
  OpBuilder builder;
  Location loc;
  /// What may be used at the insertion point.
  SmallVector<Value> values;
  Block *entry = nullptr;
  bool inKernel = false;
  /// Operations that the verifier refuses stay.
  const bool keepRefused;
  /// All that is made can go through a pipeline to its end: no operation is
  /// there that nobody lowers.
  const bool lowerable;
  SmallVector<func::FuncOp> functions;
  SmallVector<gpu::GPUFuncOp> kernels;
};

} // namespace

Generator::Generator(const DialectRegistry &registry, uint64_t seed)
    : random(seed), text(random),
      context(registry, MLIRContext::Threading::DISABLED),
      quiet(&context, [](Diagnostic &) { return success(); }),
      builder(&context), loc(UnknownLoc::get(&context)),
      keepRefused(seed % 5 == 4), lowerable(!keepRefused && seed % 5 != 3) {
  context.allowUnregisteredDialects();
  context.loadDialect<FlyDialect, arith::ArithDialect, func::FuncDialect,
                      gpu::GPUDialect, LLVM::LLVMDialect, scf::SCFDialect,
                      vector::VectorDialect>();
  context.getOrLoadDialect("fly_rocdl");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Type Generator::type(Kind kind) {
  for (int i = 0; i < 6; ++i)
    if (Type type = parseType(text.type(kind)))
      return type;
  return parseType("!fly.int_tuple<(4,?)>");
}

/// A value of this type from those at hand, or null.
Value Generator::oneOf(Type type) {
  SmallVector<Value> fitting;
  for (Value value : values)
    if (value.getType() == type)
      fitting.push_back(value);
  return fitting.empty() ? Value() : random.pick(fitting);
}

Value Generator::integer(Type type) {
  if (Value value = oneOf(type); value && random.chance(60))
    return value;
  if (inKernel && type.isInteger(32) && random.chance(50)) {
    Value id = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    return arith::IndexCastOp::create(builder, loc, type, id);
  }
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, random.between(0, 9)));
}

Value Generator::source(Type type) {
  if (type.isSignlessInteger(32) || type.isSignlessInteger(64))
    return integer(type);
  if (isStaticType(type) && random.chance(85)) {
    Value value = StaticOp::create(builder, loc, type);
    values.push_back(value);
    return value;
  }
  if (auto tuple = dyn_cast<IntTupleType>(type); tuple && random.chance(70)) {
    SmallVector<Value> leaves;
    tuple.getAttr().walkLeaves([&](Attribute leaf) {
      auto basis = dyn_cast<BasisAttr>(leaf);
      IntAttr value = basis ? basis.getValue() : cast<IntAttr>(leaf);
      if (value.isDynamic())
        leaves.push_back(integer(builder.getIntegerType(value.getWidth())));
    });
    if (Value value =
            makeOne("fly.make_int_tuple", leaves, {}, TypeRange(type)))
      return value;
  }
  Value value = entry->addArgument(type, loc);
  values.push_back(value);
  return value;
}

Value Generator::operand(StringRef kinds) {
  if (random.chance(2) || kinds.contains('*'))
    kinds = allKinds;
  SmallVector<Value> fitting;
  for (Value value : values)
    if (kinds.contains(kindOf(value.getType())))
      fitting.push_back(value);
  // The newest values are the least likely to have been used.
  if (!fitting.empty() && random.chance(70))
    return random.chance(50)
               ? fitting[fitting.size() - 1 -
                         random.below(std::min<size_t>(fitting.size(), 4))]
               : random.pick(fitting);
  return source(static_cast<Kind>(random.pick(kinds)));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// As the C API does, on operands that nobody has verified.
bool Generator::infer(StringRef name, ValueRange operands,
                      ArrayRef<NamedAttribute> attributes,
                      SmallVectorImpl<Type> &types) {
  auto info = RegisteredOperationName::lookup(name, &context);
  if (!info)
    return false;
  auto *interface = info->getInterface<InferTypeOpInterface>();
  if (!interface)
    return false;
  DictionaryAttr dictionary = builder.getDictionaryAttr(attributes);
  SmallVector<uint64_t> storage(info->getOpPropertyByteSize() / 8 + 1);
  OpaqueProperties properties(storage.data());
  info->initOpProperties(properties, nullptr);
  llvm::scope_exit destroy([&] { info->destroyOpProperties(properties); });
  auto emitError = [&] { return mlir::emitError(loc); };
  // Those of an operation without any refuse every dictionary.
  if (info->getOpPropertyByteSize() != 0 &&
      failed(info->setOpPropertiesFromAttribute(*info, properties, dictionary,
                                                emitError)))
    return false;
  return succeeded(interface->inferReturnTypes(&context, loc, operands,
                                               dictionary, properties,
                                               RegionRange(), types));
}

Operation *Generator::makeOp(StringRef name, ValueRange operands,
                             ArrayRef<NamedAttribute> attributes,
                             std::optional<TypeRange> types) {
  SmallVector<Type> resultTypes;
  if (types)
    llvm::append_range(resultTypes, *types);
  else if (!infer(name, operands, attributes, resultTypes))
    return nullptr;
  OperationState state(loc, name, operands, resultTypes, attributes);
  Operation *op = builder.create(state);
  // The generator knows what may stand together only roughly: the verifiers
  // tell the rest.
  if (!keepRefused && failed(verify(op, /*verifyRecursively=*/false))) {
    op->erase();
    return nullptr;
  }
  llvm::append_range(values, op->getResults());
  return op;
}

/// False if the operands that were found do not fit together.
bool Generator::addFromTable(const OpRow &row) {
  SmallVector<Value> operands;
  SmallVector<int32_t> segments;
  SmallVector<StringRef> entries;
  StringRef(row.operands).split(entries, ',', -1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    int count = 1;
    if (entry.consume_back("?"))
      count = random.chance(35);
    else if (entry.consume_back("+"))
      count = random.chance(85) ? 1 : 2;
    segments.push_back(count);
    for (int i = 0; i < count; ++i)
      operands.push_back(operand(entry));
  }
  SmallVector<NamedAttribute> attributes;
  bool complete = true;
  SmallVector<StringRef> specs;
  StringRef(row.attributes).split(specs, ';', -1, /*KeepEmpty=*/false);
  for (StringRef spec : specs) {
    auto [name, value] = spec.split('=');
    bool optional = name.consume_back("?");
    if (random.chance(optional ? 40 : 99))
      attributes.push_back(named(name, attribute(value.str())));
    else
      complete &= optional;
  }
  if (row.segments) {
    if (random.chance(1))
      random.pick(segments) ? segments.pop_back() : segments.push_back(1);
    attributes.push_back(
        named("operandSegmentSizes", builder.getDenseI32ArrayAttr(segments)));
  }

  SmallVector<Type> types;
  switch (row.results) {
  case Results::Inferred:
    if (complete && infer(row.name, operands, attributes, types))
      break;
    // An operation that inference refuses is rare: it makes the whole module
    // invalid.
    if (!keepRefused || !random.chance(1))
      return false;
    types.push_back(type(static_cast<Kind>(random.pick(StringRef(allKinds)))));
    break;
  case Results::None:
    break;
  case Results::Random:
    for (const char *kind = row.resultKinds; *kind; ++kind)
      types.push_back(type(static_cast<Kind>(*kind)));
    if (StringRef(row.name) == "fly.static")
      types = {type(static_cast<Kind>(random.pick(StringRef(allKinds))))};
    break;
  case Results::Tuple:
    types.push_back(type(TupleKind));
    if (auto leaves = source(types[0]).getDefiningOp<MakeIntTupleOp>())
      llvm::append_range(operands, leaves->getOperands());
    break;
  case Results::Element:
    if (auto pointer = dyn_cast<fly::PointerType>(operands[0].getType())) {
      Type element = pointer.getElementType();
      types.push_back(element);
      if (random.chance(50) && VectorType::isValidElementType(element))
        types[0] = VectorType::get({random.between(1, 8)}, element);
      break;
    }
    types.push_back(operands[0].getType());
    break;
  case Results::Alloca: {
    auto layout = dyn_cast<LayoutType>(operands[0].getType());
    types.push_back(layout ? Type(fly::MemRefType::get(
                                 builder.getF32Type(),
                                 random.chance(80) ? AddressSpace::Register
                                                   : AddressSpace::Shared,
                                 layout.getAttr()))
                           : type(MemRefKind));
    break;
  }
  case Results::Recast: {
    auto pointer = dyn_cast<fly::PointerType>(operands[0].getType());
    types.push_back(pointer && random.chance(90)
                        ? fly::PointerType::get(builder.getI8Type(),
                                                pointer.getAddressSpace())
                        : type(PointerKind));
    break;
  }
  }
  return makeOp(row.name, operands, attributes, TypeRange(types));
}

//===----------------------------------------------------------------------===//
// Operations that fit together
//===----------------------------------------------------------------------===//

void Generator::addCopies() {
  Type element = parseType(text.element());
  auto layout = dyn_cast<LayoutType>(type(LayoutKind));
  if (!element || !layout || !getElementBits(element))
    return;
  AddressSpace space =
      random.chance(70) ? AddressSpace::Global : AddressSpace::Shared;
  Value memory = source(fly::MemRefType::get(element, space, layout.getAttr()));
  Value fragment = makeOne("fly.make_fragment_like", memory);
  if (!fragment)
    return;
  std::string bits = std::to_string(*getElementBits(element));
  std::string width =
      std::to_string(*getElementBits(element) << random.below(3));
  Type atomType = parseType("!fly.copy_atom<!fly.universal_copy<" + width +
                            ">, " + bits + ">");
  Value atom = atomType ? source(atomType) : operand("c");
  SmallVector<Value> in{atom, memory, fragment}, out{atom, fragment, memory};
  if (random.chance(30)) {
    Value mask = source(fly::MemRefType::get(
        builder.getI1Type(), AddressSpace::Register, layout.getAttr()));
    in.push_back(mask);
    out.push_back(mask);
  }
  make("fly.copy", in, {}, TypeRange());
  make("fly.copy", out, {}, TypeRange());
  if (Value vector = makeOne("fly.memref.load_vec", fragment))
    make("fly.memref.store_vec", {vector, fragment}, {}, TypeRange());
}

void Generator::addMatrixProduct() {
  Value atom = source(MmaAtomKind);
  auto atomType = dyn_cast<MmaAtomType>(atom.getType());
  if (!atomType)
    return;
  MmaAtomTypeInterface op = atomType.getMmaOpInterface();
  std::string m = std::to_string(random.between(1, 3)),
              n = std::to_string(random.between(1, 3)),
              k = std::to_string(random.between(1, 2));
  auto fragment = [&](Type element, const std::string &shape,
                      const layout::Layout &values) -> Value {
    auto count = layout::size(values.getShape()[1]);
    if (!count || !count->isStatic())
      return {};
    std::string text;
    llvm::raw_string_ostream(text)
        << "!fly.int_tuple<(" << count->getValue() << "," << shape << ")>";
    Value tuple = source(parseType(text));
    Value layout = makeOne("fly.make_ordered_layout", {tuple, tuple});
    if (!layout)
      return {};
    return source(
        fly::MemRefType::get(element, AddressSpace::Register,
                             cast<LayoutType>(layout.getType()).getAttr()));
  };
  std::string depth = random.chance(50) ? "," + k : "";
  Value a = fragment(op.getValTypeA(), m + depth, op.getThrValLayoutA());
  Value b = fragment(op.getValTypeB(), n + depth, op.getThrValLayoutB());
  Value c = fragment(op.getValTypeC(), m + "," + n, op.getThrValLayoutC());
  if (!a || !b || !c)
    return;
  SmallVector<NamedAttribute> attributes{named(
      "operandSegmentSizes", builder.getDenseI32ArrayAttr({1, 1, 1, 1, 1, 0}))};
  if (random.chance(50))
    attributes.push_back(named("traversalOrder", attribute("order")));
  make("fly.gemm", {atom, c, a, b, c}, attributes, TypeRange());
}

void Generator::addTiledCopy() {
  Value tiled = source(TiledCopyKind);
  Value tensor = operand("MMMX");
  Value thread = source(parseType("!fly.int_tuple<?>"));
  Value part = makeOne("fly.tiled_copy.partition_src", {tiled, tensor, thread});
  if (!part)
    return;
  Value fragment = makeOne("fly.make_fragment_like", part);
  if (!fragment)
    return;
  Value atom = random.chance(50) ? tiled : makeOne("fly.get_copy_atom", tiled);
  if (!atom)
    return;
  make("fly.copy", {atom, part, fragment}, {}, TypeRange());
  makeOne("fly.tiled_copy.retile", {tiled, fragment});
}

void Generator::addTiledProduct() {
  Value tiled = source(TiledMmaKind);
  Value thread = source(parseType("!fly.int_tuple<?>"));
  SmallVector<Value> fragments;
  for (const char *name : {"a", "b", "c"}) {
    Attribute kind = parseAttribute(
        ("#fly<mma_operand " + Twine(name) + ">").str(), &context);
    NamedAttribute id = named("operand_id", kind);
    static const char *const shapes[] = {"(16,16):(16,1)", "(32,16):(1,32)",
                                         "(64,64):(64,1)", "(4,8):(8,1)"};
    std::string element = name[0] == 'c' || random.chance(50) ? "f32" : "f16";
    Value tensor = source(parseType("!fly.memref<" + element + ", global, " +
                                    random.pick(shapes) + ">"));
    Value part =
        makeOne("fly.tiled_mma.partition", {tiled, tensor, thread}, {id});
    Value fragment =
        part ? makeOne("fly.mma.make_fragment", {tiled, part}, {id}) : Value();
    if (!fragment)
      return;
    fragments.push_back(fragment);
  }
  make("fly.gemm",
       {tiled, fragments[2], fragments[0], fragments[1], fragments[2]},
       {named("operandSegmentSizes",
              builder.getDenseI32ArrayAttr({1, 1, 1, 1, 1, 0}))},
       TypeRange());
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
    Value index = makeOne("fly.crd2idx",
                          {source(parseType("!fly.int_tuple<?>")), value});
    value = index && random.chance(80) ? index : size;
  } else if (isa<fly::MemRefType>(type)) {
    value = makeOne("fly.memref.load_vec", value);
  } else if (auto pointer = dyn_cast<fly::PointerType>(type)) {
    value = makeOne("fly.ptr.load", value, {},
                    TypeRange(pointer.getElementType()));
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
