// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static values and assumptions.

#include "OpSupport.h"

using namespace mlir;
using namespace fly;

LogicalResult StaticOp::verify() {
  // static_c1
  if (!isStaticType(getType()))
    return emitOpError("type must be static, got ")
           << getType() << " [static_c1]";
  return success();
}

/// Whether a leaf of one type can be the same number as one of another.
static bool canBeEqual(Attribute lhs, Attribute rhs) {
  auto lhsBasis = dyn_cast<BasisAttr>(lhs), rhsBasis = dyn_cast<BasisAttr>(rhs);
  if (!lhsBasis != !rhsBasis)
    return false;
  if (lhsBasis)
    return lhsBasis.getModes() == rhsBasis.getModes() &&
           canBeEqual(lhsBasis.getValue(), rhsBasis.getValue());
  auto x = cast<IntAttr>(lhs), y = cast<IntAttr>(rhs);
  if (x.isNone() || y.isNone())
    return x == y;
  if (x.isStatic() && y.isStatic())
    return x.getValue() == y.getValue();
  if (!x.isStatic() && !y.isStatic())
    return x.getWidth() == y.getWidth();
  // A static number fits the run-time leaf.
  return x.isStatic() ? x.getWidth() <= y.getWidth()
                      : y.getWidth() <= x.getWidth();
}

static bool canBeEqual(Type lhs, Type rhs) {
  if (lhs == rhs)
    return true;
  auto x = dyn_cast<IntTupleType>(lhs), y = dyn_cast<IntTupleType>(rhs);
  if (!x || !y || !x.getAttr().isCongruent(y.getAttr()))
    return false;
  SmallVector<Attribute> left, right;
  x.getAttr().walkLeaves([&](Attribute leaf) { left.push_back(leaf); });
  y.getAttr().walkLeaves([&](Attribute leaf) { right.push_back(leaf); });
  return llvm::all_of(llvm::zip_equal(left, right), [](auto pair) {
    return canBeEqual(std::get<0>(pair), std::get<1>(pair));
  });
}

LogicalResult AssumeOp::verify() {
  // assume_c1
  for (auto [name, type] :
       {std::pair<StringRef, Type>("dst", getDst().getType()),
        std::pair<StringRef, Type>("src", getSrc().getType())})
    if (!canBeEqual(type, getType()))
      return emitOpError("'")
             << name << "' of type " << type << " cannot be the result of type "
             << getType()
             << "; expected that type, or int tuples of one profile whose "
                "leaves can be equal [assume_c1]";
  return success();
}
