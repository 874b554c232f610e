// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random texts of Fly's types and attributes: sensible as a rule, strange now
// and then, malformed never on purpose (Mutate.h does that).

#ifndef FLY_TOOLS_FUZZ_TYPETEXT_H
#define FLY_TOOLS_FUZZ_TYPETEXT_H

#include "Random.h"

#include <string>

namespace fly::fuzz {

/// The kinds of SSA values, as letters: the operand table (OpTable.h) spells
/// what an operand may be as a string of them.
enum Kind : char {
  TupleKind = 'T',
  LayoutKind = 'L',
  ComposedKind = 'C',
  SwizzleKind = 'W',
  CoordSwizzleKind = 'V',
  TileKind = 'Q',
  PointerKind = 'P',
  MemRefKind = 'M',
  CoordTensorKind = 'X',
  CopyAtomKind = 'c',
  MmaAtomKind = 'm',
  TiledCopyKind = 'y',
  TiledMmaKind = 'z',
  IntegerKind = 'i',
  BoolKind = 'b',
  FloatKind = 'f',
  VectorKind = 'v',
};
/// All of them.
constexpr char allKinds[] = "TLCWVQPMXcmyzibfv";

class TypeText {
public:
  explicit TypeText(Random &random) : random(random) {}

  /// Only atoms that gfx942 has, and elements of whole bytes.
  bool oneChip = false;

  /// The type of a value of this kind.
  std::string type(Kind kind);
  std::string element();
  /// A body, without the type around it.
  std::string tuple(int depth = 2);
  std::string layout();
  std::string tile(int depth = 1);
  /// `i32`, `[0, 1]` and the like: the attribute that `spec` names.
  std::string attribute(const std::string &spec);

private:
  std::string leaf();
  std::string strideLike(const std::string &shape);
  std::string packedLayout();
  std::string composed();
  std::string swizzle();
  std::string coordSwizzle();
  std::string anyLayout() { return random.chance(80) ? layout() : composed(); }
  std::string space();
  std::string alignment(const std::string &element);
  std::string copyAtom();
  std::string mmaAtom();
  std::string matrixOp();

  Random &random;
};

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_TYPETEXT_H
