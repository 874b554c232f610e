// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the generator knows of each operation: the kinds of its operands, its
// attributes and its results. A test holds the table against the dialects.

#ifndef FLY_TOOLS_FUZZ_OPTABLE_H
#define FLY_TOOLS_FUZZ_OPTABLE_H

#include "llvm/ADT/ArrayRef.h"

namespace fly::fuzz {

/// How the result types of an operation come about.
enum class Results {
  /// From inferReturnTypes.
  Inferred,
  None,
  /// Random types of the kinds of `resultKinds`, one for each letter.
  Random,
  /// A random int tuple; the operands are its run-time leaves.
  Tuple,
  /// An element of operand 0, or a vector of them.
  Element,
  /// The type of operand 0.
  Same,
  /// A memref of operand 0, a layout.
  Alloca,
  /// A pointer in the space of operand 0.
  Recast,
};

struct OpRow {
  const char *name;
  /// Separated by commas; each a choice of kinds (TypeText.h, '*' is any), '?'
  /// for an optional operand, '+' for one or two of them. '~' is a coordinate
  /// that slices operand 0, '=' another operand of the type of operand 0.
  const char *operands;
  Results results = Results::Inferred;
  const char *resultKinds = "";
  /// `name=attribute` (TypeText::attribute), separated by semicolons, '?'
  /// behind the name of an optional one.
  const char *attributes = "";
  /// The op counts the operands of each entry in operandSegmentSizes.
  bool segments = false;
  /// Only operands that fit the atom can be lowered: GenerateAtoms.cpp has
  /// them.
  bool needsFitting = false;
};

llvm::ArrayRef<OpRow> getOpTable();

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_OPTABLE_H
