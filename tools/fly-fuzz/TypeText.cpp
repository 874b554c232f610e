// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random texts of types and attributes.

#include "TypeText.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"

#include <vector>

using namespace fly::fuzz;

using Strings = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Tuples, layouts, tiles
//===----------------------------------------------------------------------===//

std::string TypeText::leaf() {
  static const Strings usual{"0", "1", "1",  "2",  "2",  "3", "4",
                             "4", "8", "16", "32", "64", "?", "?{div=4}"};
  static const Strings strange{"-1",
                               "-8",
                               "*",
                               "?{i64 div=8}",
                               "?{i64}",
                               "?{div=0}",
                               "?{div=-3}",
                               "1E0",
                               "2E1",
                               "?E0",
                               "3E1E0",
                               "0E1",
                               "65536",
                               "2147483648",
                               "1E65535",
                               "4611686018427387904",
                               "9223372036854775807",
                               "-9223372036854775808"};
  return random.chance(88) ? random.pick(usual) : random.pick(strange);
}

std::string TypeText::tuple(int depth) {
  if (depth == 0 || random.chance(30))
    return leaf();
  std::string text = "(";
  for (int i = 0, n = random.between(1, 4); i < n; ++i)
    text += (i ? "," : "") + tuple(depth - 1);
  return text + ")";
}

/// A tuple of the profile of `shape`.
std::string TypeText::strideLike(const std::string &shape) {
  std::string text;
  for (size_t i = 0; i < shape.size();) {
    char c = shape[i];
    if (c == '(' || c == ')' || c == ',') {
      text += c;
      ++i;
      continue;
    }
    text += leaf();
    while (i < shape.size() && shape[i] != ')' && shape[i] != ',')
      ++i;
  }
  return text;
}

/// A static layout whose modes lie one behind the other, in random order.
std::string TypeText::packedLayout() {
  static const std::vector<int> extents{1, 2, 2, 3, 4, 4, 8, 16};
  int rank = random.between(1, 3);
  std::vector<int> shape, order;
  for (int i = 0; i < rank; ++i) {
    shape.push_back(random.pick(extents));
    order.insert(order.begin() + random.below(i + 1), i);
  }
  std::vector<long> stride(rank);
  long next = 1;
  for (int mode : order) {
    stride[mode] = next;
    next *= shape[mode];
    if (random.chance(15))
      next *= 2;
  }
  if (rank == 1 && random.chance(50))
    return std::to_string(shape[0]) + ":" + std::to_string(stride[0]);
  // The first mode may be a pair.
  bool nest = rank == 3 && random.chance(40);
  std::string left, right;
  for (int i = 0; i < rank; ++i) {
    std::string before = i ? "," : nest ? "(" : "";
    std::string after = nest && i == 1 ? ")" : "";
    left += before + std::to_string(shape[i]) + after;
    right += before + std::to_string(stride[i]) + after;
  }
  return "(" + left + "):(" + right + ")";
}

std::string TypeText::layout() {
  if (random.chance(65))
    return packedLayout();
  std::string shape = tuple();
  return shape + ":" + strideLike(shape);
}

std::string TypeText::swizzle() {
  static const Strings choices{"S<1,4,3>", "S<2,3,3>",  "S<3,3,3>",
                               "S<1,0,4>", "S<0,63,0>", "S<20,20,20>",
                               "S<3,0,1>", "S<0,0,0>"};
  return random.pick(choices);
}

std::string TypeText::coordSwizzle() {
  static const Strings choices{"CS<2,1,[0],2,[1]>", "CS<0,0,[],0,[]>",
                               "CS<3,0,[1, 0],0,[0]>", "CS<1,0,[7],0,[0]>"};
  return random.pick(choices);
}

std::string TypeText::composed() {
  std::string inner = random.chance(60)   ? swizzle()
                      : random.chance(30) ? coordSwizzle()
                                          : layout();
  std::string outer = random.chance(85)
                          ? layout()
                          : "[" + swizzle() + " o 0 o " + layout() + "]";
  return inner + " o " + (random.chance(70) ? leaf() : tuple(1)) + " o " +
         outer;
}

std::string TypeText::tile(int depth) {
  static const Strings numbers{"*", "2",  "4", "8", "3",
                               "1", "16", "?", "0", "-2"};
  auto element = [&]() -> std::string {
    if (depth > 0 && random.chance(8))
      return tile(depth - 1);
    return random.chance(25) ? layout() : random.pick(numbers);
  };
  if (random.chance(10))
    return random.chance(50) ? layout() : random.pick(numbers);
  std::string text = "[";
  for (int i = 0, n = random.between(1, 3); i < n; ++i)
    text += (i ? "|" : "") + element();
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Pointers and atoms
//===----------------------------------------------------------------------===//

std::string TypeText::element() {
  static const Strings usual{"f32", "f32", "f16", "bf16", "i8", "i32"};
  static const Strings strange{"f64",  "i1",  "i4",         "i64",
                               "i7",   "i65", "f8E4M3FNUZ", "f4E2M1FN",
                               "tf32", "ui8", "f8E4M3FN"};
  return oneChip || random.chance(85) ? random.pick(usual)
                                      : random.pick(strange);
}

std::string TypeText::space() {
  static const Strings choices{"global",
                               "global",
                               "register",
                               "register",
                               "shared",
                               "generic",
                               "#fly_rocdl.buffer_desc"};
  return random.pick(choices);
}

std::string TypeText::alignment(const std::string &element) {
  if (random.chance(70))
    return "";
  // 8 bytes are a multiple of the size of all usual elements.
  return ", align<" + std::to_string(8 << random.below(3)) + ">";
}

static std::string asMultiply(const std::string &extent, const std::string &a,
                              const std::string &c) {
  return "<" + extent + ", (" + a + ", " + a + ") -> " + c;
}

std::string TypeText::matrixOp() {
  static const Strings choices{
      "!fly_rocdl.cdna3.mfma" + asMultiply("16x16x16", "f16", "f32>"),
      "!fly_rocdl.cdna3.mfma" + asMultiply("32x32x8", "f16", "f32>"),
      "!fly_rocdl.cdna3.mfma" + asMultiply("16x16x32", "i8", "i32>"),
      "!fly_rocdl.cdna3.mfma" + asMultiply("4x4x4", "f16", "f32>"),
      "!fly_rocdl.gfx11.wmma" + asMultiply("16x16x16", "f16", "f32") +
          ", signA = false, signB = false, clamp = false>",
      "!fly_rocdl.gfx120x.wmma" + asMultiply("16x16x16", "f16", "f32") +
          ", signA = false, signB = false, clamp = false>",
      "!fly_rocdl.gfx1250.wmma" + asMultiply("16x16x32", "f16", "f32>")};
  // The first four are those of gfx942.
  if (random.chance(35))
    return choices[random.below(oneChip ? 4 : choices.size())];
  std::string element = random.chance(80)   ? "f32"
                        : random.chance(50) ? "f16"
                                            : "f64";
  return "!fly.universal_fma" + asMultiply("1x1x1", element, element + ">");
}

std::string TypeText::copyAtom() {
  static const std::vector<int> widths{8, 16, 32, 32, 64, 128};
  int bits = random.pick(widths);
  int value = random.chance(60) ? bits : random.pick(widths);
  std::string op = "!fly.universal_copy<" + std::to_string(bits) + ">";
  if (random.chance(15))
    op = "!fly.universal_atomic<add, " + element() + ">";
  else if (random.chance(20))
    op = "!fly_rocdl.cdna3.buffer_copy<" + std::to_string(bits) + ">";
  else if (random.chance(8))
    op = "!fly_rocdl.cdna3.buffer_copy_lds<" + std::to_string(bits) + ">";
  else if (random.chance(8))
    op = "!fly_rocdl.cdna3.buffer_atomic<add, " + element() + ">";
  if (random.chance(4))
    value = random.between(0, 200);
  return "!fly.copy_atom<" + op + ", " + std::to_string(value) + ">";
}

std::string TypeText::mmaAtom() { return "!fly.mma_atom<" + matrixOp() + ">"; }

//===----------------------------------------------------------------------===//
// Types and attributes by name
//===----------------------------------------------------------------------===//

std::string TypeText::type(Kind kind) {
  static const Strings integers{"i32", "i32", "i64"};
  static const Strings threads{"(4,2):(2,1)", "((4,3),4):((4,16),1)",
                               "(8,4):(4,1)", "(64,1):(1,1)"};
  static const Strings grids{"(1,1,1):(0,0,0)", "(2,3,1):(1,2,0)",
                             "(2,2,1):(1,2,0)", "(1,1,2):(0,0,1)"};
  switch (kind) {
  case TupleKind:
    return "!fly.int_tuple<" + tuple() + ">";
  case LayoutKind:
    return "!fly.layout<" + layout() + ">";
  case ComposedKind:
    return "!fly.composed_layout<" + composed() + ">";
  case SwizzleKind:
    return "!fly.swizzle<" + swizzle() + ">";
  case CoordSwizzleKind:
    return "!fly.coord_swizzle<" + coordSwizzle() + ">";
  case TileKind:
    return "!fly.tile<" + tile() + ">";
  case PointerKind: {
    std::string of = element();
    return "!fly.ptr<" + of + ", " + space() + alignment(of) +
           (random.chance(8) ? ", " + swizzle() : "") + ">";
  }
  case MemRefKind: {
    std::string of = element();
    return "!fly.memref<" + of + ", " + space() + ", " + anyLayout() +
           alignment(of) + (random.chance(8) ? ", " + swizzle() : "") + ">";
  }
  case CoordTensorKind:
    return "!fly.coord_tensor<" + tuple(1) + ", " + anyLayout() + ">";
  case CopyAtomKind:
    return copyAtom();
  case MmaAtomKind:
    return mmaAtom();
  case TiledCopyKind:
    return "!fly.tiled_copy<" + copyAtom() + ", <" +
           (random.chance(70) ? random.pick(threads) : packedLayout()) +
           ">, <" + tile() + ">>";
  case TiledMmaKind:
    return "!fly.tiled_mma<" + mmaAtom() + ", <" +
           (random.chance(80) ? random.pick(grids) : packedLayout()) + ">" +
           (random.chance(20) ? ", <" + tile() + ">>" : ">");
  case IntegerKind:
    return random.pick(integers);
  case BoolKind:
    return "i1";
  case FloatKind:
    return element();
  case VectorKind:
    return "vector<" + std::to_string(1 << random.below(4)) + "x" + element() +
           ">";
  }
  llvm_unreachable("unknown kind");
}

std::string TypeText::attribute(const std::string &spec) {
  static const Strings numbers{"0",     "1",          "1",          "2",
                               "2",     "3",          "-1",         "4",
                               "65536", "2147483647", "-2147483648"};
  static const Strings bits{"1", "4", "8", "16", "32", "64", "24", "0", "-8"};
  static const Strings orders{"kmn", "nmk", "mnk_serpentine", "knm_serpentine"};
  static const Strings strings{"\"x\"", "\"{} {}\"", "\"\"", "\"%d {} }{\\n\"",
                               "\"soffset\""};
  if (spec == "number")
    return random.pick(numbers) + " : i32";
  if (spec == "bits")
    return random.pick(bits) + " : i32";
  if (spec == "modes") {
    std::string text;
    for (int i = 0, n = random.between(0, 3); i < n; ++i)
      text += (i ? ", " : ": ") + (random.chance(90)
                                       ? std::to_string(random.below(3))
                                       : random.pick(numbers));
    return "array<i32" + text + ">";
  }
  if (spec == "operand")
    return std::string("#fly<mma_operand ") + "abcd"[random.below(4)] + ">";
  if (spec == "order")
    return "#fly<gemm_traversal_order " + random.pick(orders) + ">";
  if (spec == "string")
    return random.pick(strings);
  if (spec == "bool")
    return random.chance(50) ? "true" : "false";
  if (spec == "type")
    return element();
  if (spec == "alloc")
    return random.chance(80)
               ? "{allocSize = " + std::to_string(random.between(0, 64)) +
                     " : i64, allocAlign = 16 : i64}"
               : "{allocBytes = -1 : i64}";
  llvm_unreachable("unknown attribute");
}
