// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations around atoms, with operands that fit together.

#include "Generator.h"

#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace fly;
using namespace fly::fuzz;

void Generator::addCopies() {
  Type element = parseType(text.element());
  if (!element || !getElementBits(element))
    return;
  unsigned bits = *getElementBits(element), count = 1 << random.below(3);
  // The first mode is what one atom moves.
  std::string count1 = std::to_string(count),
              rest = std::to_string(random.between(1, 8)),
              step = std::to_string(count * random.between(1, 3));
  auto layout = dyn_cast<LayoutType>(
      lowerable ? parseType("!fly.layout<(" + count1 + "," + rest + "):(1," +
                            step + ")>")
                : type(LayoutKind));
  if (!layout)
    return;
  AddressSpace space =
      random.chance(70) ? AddressSpace::Global : AddressSpace::Shared;
  Type memoryType = memrefType(element, space, layout.getAttr());
  if (!memoryType)
    return;
  Value memory = source(memoryType);
  Value fragment = makeOne("fly.make_fragment_like", memory);
  if (!fragment)
    return;
  Type atomType = parseType("!fly.copy_atom<!fly.universal_copy<" +
                            std::to_string(bits * count) + ">, " +
                            std::to_string(bits) + ">");
  Value atom = atomType ? source(atomType) : operand("c");
  SmallVector<Value> in{atom, memory, fragment}, out{atom, fragment, memory};
  if (random.chance(30)) {
    // One element of the mask belongs to each atom.
    auto single = dyn_cast_if_present<LayoutType>(
        parseType("!fly.layout<(1," + rest + "):(0,1)>"));
    Value mask = source(
        memrefType(builder.getI1Type(), AddressSpace::Register,
                   lowerable && single ? single.getAttr() : layout.getAttr()));
    in.push_back(mask);
    out.push_back(mask);
  }
  make("fly.copy", in, {}, TypeRange());
  make("fly.copy", out, {}, TypeRange());
  if (Value vector = makeOne("fly.memref.load_vec", fragment))
    make("fly.memref.store_vec", {vector, fragment}, {}, TypeRange());
}

/// One copy atom between memory and registers that hold as much as it moves.
void Generator::addAtomCalls() {
  Type element = parseType(random.chance(50) ? "f32" : "f16");
  unsigned bits = *getElementBits(element), count = 1 << random.below(3);
  bool buffer = random.chance(40) && bits * count >= 32;
  std::string width = std::to_string(bits * count);
  auto memory = [&](StringRef space) -> Value {
    std::string form;
    llvm::raw_string_ostream(form)
        << "!fly.memref<" << element << ", " << space << ", " << count << ":1>";
    return source(parseType(form));
  };
  Value atom =
      source(parseType("!fly.copy_atom<!" +
                       std::string(buffer ? "fly_rocdl.cdna3.buffer_copy<"
                                          : "fly.universal_copy<") +
                       width + ">, " + std::to_string(bits) + ">"));
  if (buffer && random.chance(50))
    atom = makeOne("fly.atom.set_value", {atom, integer(builder.getI32Type())},
                   {named("field", builder.getStringAttr("soffset"))});
  Value outside = memory(buffer              ? "#fly_rocdl.buffer_desc"
                         : random.chance(50) ? "global"
                                             : "shared");
  Value inside = memory("register");
  if (!atom || !outside || !inside)
    return;
  SmallVector<Value> mask;
  if (random.chance(30))
    mask.push_back(source(parseType("!fly.memref<i1, register, 1:1>")));
  auto withMask = [&](SmallVector<Value> operands) {
    llvm::append_range(operands, mask);
    return operands;
  };
  if (random.chance(60)) {
    make("fly.copy_atom_call", withMask({atom, outside, inside}), {},
         TypeRange());
    make("fly.copy_atom_call", withMask({atom, inside, outside}), {},
         TypeRange());
    return;
  }
  Type vector = VectorType::get({count}, element);
  Value loaded = makeOne("fly.copy_atom_call_ssa", {atom, outside},
                         {named("operandSegmentSizes",
                                builder.getDenseI32ArrayAttr({1, 1, 0, 0}))},
                         TypeRange(vector));
  if (loaded)
    make("fly.copy_atom_call_ssa", {atom, loaded, outside},
         {named("operandSegmentSizes",
                builder.getDenseI32ArrayAttr({1, 1, 1, 0}))},
         TypeRange());
}

/// A tensor copy of a tile, by waves that cut it evenly as a rule.
void Generator::addTensorCopyAtom(StringRef name) {
  static const char *const tiles[][2] = {{"(64,32):(32,1)", "[64|32]"},
                                         {"(32,64):(64,1)", "[32|64]"},
                                         {"(128,16):(16,1)", "[128|16]"}};
  const auto &[layout, tile] = random.pick(tiles);
  Value tensor = source(parseType(
      "!fly.memref<f16, global, " +
      std::string(random.chance(70) ? "(256,512):(512,1)" : "(?,256):(256,1)") +
      ">"));
  make(name,
       {tensor, source(parseType("!fly.layout<" + std::string(layout) + ">")),
        source(parseType("!fly.tile<" + std::string(tile) + ">"))},
       {named("numWarps", builder.getI32IntegerAttr(1 << random.below(3)))});
}

/// One matrix atom on registers, or on vectors, of its size.
void Generator::addMatrixCalls() {
  Value atom = source(MmaAtomKind);
  auto atomType = dyn_cast<MmaAtomType>(atom.getType());
  if (!atomType)
    return;
  MmaAtomTypeInterface op = atomType.getMmaOpInterface();
  bool vectors = random.chance(50);
  auto operandOf = [&](Type element, const layout::Layout &values) -> Value {
    auto count = layout::size(values.getShape()[1]);
    if (!count || !count->isStatic())
      return {};
    std::string form;
    llvm::raw_string_ostream os(form);
    if (vectors && count->getValue() == 1)
      return source(element);
    if (vectors)
      return source(VectorType::get({count->getValue()}, element));
    os << "!fly.memref<" << element << ", register, " << count->getValue()
       << ":1>";
    return source(parseType(form));
  };
  Value a = operandOf(op.getValTypeA(), op.getThrValLayoutA());
  Value b = operandOf(op.getValTypeB(), op.getThrValLayoutB());
  Value c = operandOf(op.getValTypeC(), op.getThrValLayoutC());
  if (!a || !b || !c)
    return;
  NamedAttribute sizes =
      named("operandSegmentSizes",
            vectors ? builder.getDenseI32ArrayAttr({1, 0, 1, 1, 1})
                    : builder.getDenseI32ArrayAttr({1, 1, 1, 1, 1}));
  if (vectors)
    make("fly.mma_atom_call_ssa", {atom, a, b, c}, {sizes},
         TypeRange(c.getType()));
  else
    make("fly.mma_atom_call", {atom, c, a, b, c}, {sizes}, TypeRange());
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
    // The values of one atom lie one after the other.
    bool three = StringRef(shape).contains(',');
    Value order = lowerable ? source(parseType(three ? "!fly.int_tuple<(0,1,2)>"
                                                     : "!fly.int_tuple<(0,1)>"))
                            : tuple;
    Value layout = makeOne("fly.make_ordered_layout", {tuple, order});
    if (!layout)
      return {};
    Type memory = memrefType(element, AddressSpace::Register,
                             cast<LayoutType>(layout.getType()).getAttr());
    return memory ? source(memory) : Value();
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
  static const char *const tiledCopies[] = {"<(8,4):(4,1)>, <[8|4]>",
                                            "<(32,4):(4,1)>, <[8|16]>",
                                            "<((4,8),4):((16,1),4)>, <[4|8]>"};
  Value tiled =
      lowerable ? source(parseType("!fly.tiled_copy<!fly.copy_atom<!fly."
                                   "universal_copy<32>, 32>, " +
                                   std::string(random.pick(tiledCopies)) + ">"))
                : source(TiledCopyKind);
  Value tensor =
      lowerable ? source(parseType("!fly.memref<f32, global, (32,64):(64,1)>"))
                : operand("MMMX");
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
