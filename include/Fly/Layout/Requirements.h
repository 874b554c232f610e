// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preconditions that run-time values decide. An operation decides on static
// values whether its result meets its definition; where it cannot, the result
// is right only if the caller keeps a promise. Each operation states such a
// promise where it relies on it. Nothing is computed for it unless somebody
// collects: then it is a condition like any other expression, and a reader can
// turn it into code that checks the promise.

#ifndef FLY_LAYOUT_REQUIREMENTS_H
#define FLY_LAYOUT_REQUIREMENTS_H

#include "Fly/Layout/IntTuple.h"

namespace fly::layout {

/// A condition on run-time values that the result of an operation relies on.
struct Requirement {
  /// 1 where the promise is kept. Static 0 if it is known to be broken.
  Int holds;
  /// The precondition, as in Error.
  std::string label;
  /// What is required of which operands, to be read behind "requires that".
  std::string text;

  /// "text [label]".
  std::string str() const { return text + " [" + label + "]"; }
};

/// Collects the requirements of all operations of this thread while it lives.
/// Scopes nest; the innermost one collects.
class RequirementScope {
public:
  RequirementScope();
  ~RequirementScope();
  RequirementScope(const RequirementScope &) = delete;
  RequirementScope &operator=(const RequirementScope &) = delete;

  llvm::ArrayRef<Requirement> get() const { return requirements; }

private:
  friend void require(const char *, llvm::function_ref<Result<Int>()>,
                      llvm::function_ref<std::string()>);
  llvm::SmallVector<Requirement, 4> requirements;
  RequirementScope *outer;
};

/// States that `condition` is not 0. Both functions are called only if somebody
/// collects. A condition that is static and holds is no requirement; one that
/// cannot be expressed in 64 bits counts as broken.
void require(const char *label, llvm::function_ref<Result<Int>()> condition,
             llvm::function_ref<std::string()> text);

//===----------------------------------------------------------------------===//
// Pieces of conditions
//===----------------------------------------------------------------------===//
// They compute in 64 bits, whatever the width of the operands.

/// 1 if `a` is a multiple of `b`, which is not 0.
Result<Int> isMultiple(const Int &a, const Int &b);
/// 1 if a >= number.
Int isAtLeast(const Int &a, int64_t number);
/// 1 if each run-time leaf is at least `number`.
Int areAtLeast(const IntTuple &tuple, int64_t number);

} // namespace fly::layout

#endif // FLY_LAYOUT_REQUIREMENTS_H
