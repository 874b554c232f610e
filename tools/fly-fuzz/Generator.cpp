// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands and single operations.

#include "Generator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/ScopeExit.h"

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

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool isRegisterSpace(Attribute space) {
  auto known = dyn_cast<AddressSpaceAttr>(space);
  return known && known.getValue() == AddressSpace::Register;
}

/// Registers that only an argument could give: no pipeline takes them.
static bool isRegisterArgument(Type type) {
  if (auto pointer = dyn_cast<fly::PointerType>(type))
    return isRegisterSpace(pointer.getAddressSpace());
  auto memory = dyn_cast<fly::MemRefType>(type);
  if (!memory || !isRegisterSpace(memory.getAddressSpace()))
    return false;
  auto layout = dyn_cast<LayoutAttr>(memory.getLayout());
  return !layout || !layout.isStatic();
}

Type Generator::type(Kind kind) {
  for (int i = 0; i < 6; ++i)
    if (Type type = parseType(text.type(kind));
        type && !(lowerable && isRegisterArgument(type)))
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
  if (auto memory = dyn_cast<fly::MemRefType>(type);
      memory && lowerable && !isRegisterArgument(type) &&
      isRegisterSpace(memory.getAddressSpace())) {
    Value layout = StaticOp::create(
        builder, loc, LayoutType::get(cast<LayoutAttr>(memory.getLayout())));
    if (Value value = makeOne("fly.memref.alloca", layout, {}, TypeRange(type)))
      return value;
  }
  Value value = entry->addArgument(type, loc);
  values.push_back(value);
  return value;
}

/// For each mode of a value `*`, or a number if the mode is a leaf.
Value Generator::slicingCoordinate(Value of) {
  IntTupleAttr shape;
  if (auto tuple = dyn_cast<IntTupleType>(of.getType()))
    shape = tuple.getAttr();
  else if (auto layout = dyn_cast<LayoutType>(of.getType()))
    shape = layout.getAttr().getShape();
  if (!shape || shape.isLeaf() || random.chance(10))
    return source(parseType("!fly.int_tuple<*>"));
  std::string coordinate;
  for (int32_t i = 0; i < shape.rank(); ++i)
    coordinate += (i ? "," : "(") +
                  std::string(!shape.at(i).isLeaf() || random.chance(50) ? "*"
                              : random.chance(50)                        ? "?"
                                                                         : "0");
  return source(parseType("!fly.int_tuple<" + coordinate + ")>"));
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
  return succeeded(interface->inferReturnTypes(
      &context, loc, operands, dictionary, properties, RegionRange(), types));
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
    if (entry == "~" || entry == "=") {
      operands.push_back(entry == "~" ? slicingCoordinate(operands[0])
                                      : source(operands[0].getType()));
      continue;
    }
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
  case Results::Same:
    types.push_back(operands[0].getType());
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
    Type memory;
    if (layout)
      memory = memrefType(builder.getF32Type(),
                          random.chance(80) ? AddressSpace::Register
                                            : AddressSpace::Shared,
                          layout.getAttr());
    types.push_back(memory ? memory : type(MemRefKind));
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
