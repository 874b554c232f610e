// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collecting run-time preconditions.

#include "Fly/Layout/Requirements.h"

using namespace fly::layout;

static thread_local RequirementScope *innermost = nullptr;

RequirementScope::RequirementScope() : outer(innermost) { innermost = this; }

RequirementScope::~RequirementScope() { innermost = outer; }

void fly::layout::require(const char *label,
                          llvm::function_ref<Result<Int>()> condition,
                          llvm::function_ref<std::string()> text) {
  RequirementScope *scope = innermost;
  if (!scope)
    return;
  // What the condition itself relies on is no requirement of the operation.
  RequirementScope unheard;
  Result<Int> holds = condition();
  if (holds && holds->isStatic() && !holds->isStatic(0))
    return;
  scope->requirements.push_back({holds ? *holds : Int(), label, text()});
}

Result<Int> fly::layout::isMultiple(const Int &a, const Int &b) {
  FLY_TRY(rest, mod(extendTo64(a), extendTo64(b)));
  return cmp(ExprKind::Eq, rest, Int());
}

Int fly::layout::isAtLeast(const Int &a, int64_t number) {
  return cmp(ExprKind::Ge, a, Int::constant(number));
}

Int fly::layout::areAtLeast(const IntTuple &tuple, int64_t number) {
  Int all = Int::constant(1);
  for (const Int &leaf : tuple.dynamicInts()) {
    Int one = isAtLeast(leaf, number);
    // A static 1 would make a node of its own.
    all = all.isStatic() ? one : logicalAnd(all, one);
  }
  return all;
}
