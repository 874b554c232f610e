// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on int tuples: element-wise operations, reductions, division of
// shapes, packed strides, comparison.

#include "Fly/Layout/IntTuple.h"

#include "BasisPaths.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

static Error basisError(const char *op, const IntTuple &a, const IntTuple &b) {
  return fail("basis_c1", llvm::Twine(op) + " of " + a.str() + " and " +
                              b.str() + " is not defined on basis elements");
}

//===----------------------------------------------------------------------===//
// Basis elements
//===----------------------------------------------------------------------===//

Result<Leaf> fly::layout::mul(const Leaf &a, const Leaf &b) {
  if (a.isBasis() && b.isBasis())
    return basisError("product", a, b);
  FLY_TRY(value, mul(a.getInt(), b.getInt()));
  if (a.isBasis())
    return a.withInt(value);
  return b.withInt(value);
}

std::optional<Error> fly::layout::checkBasisPaths(const IntTuple &tuple) {
  if (!tuple.hasBasis())
    return std::nullopt;
  llvm::SmallVector<Leaf> elements;
  tuple.forEachLeaf([&](const Leaf &leaf) {
    if (leaf.isBasis() && !leaf.getInt().isStatic(0))
      elements.push_back(leaf);
  });
  // In the order of the paths, what a path begins comes right after it.
  llvm::sort(elements, [](const Leaf &x, const Leaf &y) {
    return x.getModes() < y.getModes();
  });
  for (size_t i = 1; i < elements.size(); ++i) {
    auto path = elements[i - 1].getModes(), next = elements[i].getModes();
    if (path.size() < next.size() && next.take_front(path.size()) == path)
      return fail("basis_c3", "basis elements " +
                                  IntTuple(elements[i - 1]).str() + " and " +
                                  IntTuple(elements[i]).str() +
                                  " do not add up: the one is a number where "
                                  "the other is a tuple");
  }
  return std::nullopt;
}

Result<IntTuple> fly::layout::expandBasis(const Leaf &leaf) {
  // A short text must not make a huge tuple.
  int64_t total = 0;
  for (int32_t mode : leaf.getModes())
    total += mode < 0 ? maxRank : mode + int64_t(1);
  if (total > maxRank || leaf.getModes().size() > maxDepth)
    return fail("basis_c2", "basis element " + IntTuple(leaf).str() +
                                " needs more than " + llvm::Twine(maxRank) +
                                " modes or " + llvm::Twine(maxDepth) +
                                " levels");
  IntTuple result = leaf.getInt();
  for (int32_t mode : llvm::reverse(leaf.getModes())) {
    std::vector<IntTuple> modes(mode + 1, IntTuple(0));
    modes.back() = std::move(result);
    result = IntTuple::tuple(std::move(modes));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Element-wise operations
//===----------------------------------------------------------------------===//

using LeafOp = llvm::function_ref<Result<IntTuple>(const Leaf &, const Leaf &)>;

static Result<IntTuple> elementWise(const IntTuple &a, const IntTuple &b,
                                    const char *name, LeafOp op) {
  if (a.isLeaf()) {
    if (!b.isLeaf())
      return fail("ew_c1", llvm::Twine(name) + " of the leaf " + a.str() +
                               " and the tuple " + b.str());
    return op(a.getLeaf(), b.getLeaf());
  }
  size_t common = std::min(a.rank(), b.rank());
  std::vector<IntTuple> modes;
  modes.reserve(std::max(a.rank(), b.rank()));
  for (size_t i = 0; i < common; ++i) {
    FLY_TRY(mode, elementWise(a[i], b[i], name, op));
    modes.push_back(std::move(mode));
  }
  const IntTuple &longer = a.rank() >= b.rank() ? a : b;
  llvm::append_range(modes, longer.modes().drop_front(common));
  return IntTuple::tuple(std::move(modes));
}

/// Lifts an operation on integers to leaves; basis elements are refused.
template <typename Op>
static Result<IntTuple> integersOnly(const IntTuple &a, const IntTuple &b,
                                     const char *name, Op op) {
  return elementWise(a, b, name,
                     [&](const Leaf &x, const Leaf &y) -> Result<IntTuple> {
                       if (x.isBasis() || y.isBasis())
                         return basisError(name, x, y);
                       FLY_TRY(value, op(x.getInt(), y.getInt()));
                       return IntTuple(std::move(value));
                     });
}

/// The sum of two coordinates x and y, which are `a` and `b` spelled out: no
/// number meets a tuple.
static Result<IntTuple> addCoordinates(const IntTuple &x, const IntTuple &y,
                                       const IntTuple &a, const IntTuple &b) {
  if (x.isStaticLeaf(0))
    return y;
  if (y.isStaticLeaf(0))
    return x;
  if ((x.isLeaf() && x.hasBasis()) || (y.isLeaf() && y.hasBasis()))
    return add(x, y);
  if (x.isLeaf() != y.isLeaf())
    return fail("basis_c3", "sum of " + a.str() + " and " + b.str() + ": " +
                                x.str() + " meets " + y.str() +
                                ", a number where the other is a tuple");
  if (x.isLeaf())
    return add(x, y);
  size_t common = std::min(x.rank(), y.rank());
  std::vector<IntTuple> modes;
  modes.reserve(std::max(x.rank(), y.rank()));
  for (size_t i = 0; i < common; ++i) {
    FLY_TRY(mode, addCoordinates(x[i], y[i], a, b));
    modes.push_back(std::move(mode));
  }
  const IntTuple &longer = x.rank() >= y.rank() ? x : y;
  llvm::append_range(modes, longer.modes().drop_front(common));
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::add(const IntTuple &a, const IntTuple &b) {
  bool integers = a.isLeaf() && b.isLeaf() && !a.hasBasis() && !b.hasBasis();
  if (integers) {
    FLY_TRY(value, add(a.getInt(), b.getInt()));
    return IntTuple(std::move(value));
  }
  if (a.isStaticLeaf(0))
    return b;
  if (b.isStaticLeaf(0))
    return a;
  bool basis = (a.isLeaf() && a.hasBasis()) || (b.isLeaf() && b.hasBasis());
  if (basis) {
    for (const IntTuple *operand : {&a, &b})
      if (operand->isLeaf() && !operand->hasBasis())
        return basisError("sum", a, b);
    if (a.isLeaf() && b.isLeaf())
      if (auto error = checkBasisPaths(IntTuple::tuple({a, b})))
        return *error;
    IntTuple x = a, y = b;
    if (a.isLeaf())
      FLY_TRY_SET(x, expandBasis(a.getLeaf()));
    if (b.isLeaf())
      FLY_TRY_SET(y, expandBasis(b.getLeaf()));
    return addCoordinates(x, y, a, b);
  }
  if (a.isLeaf())
    return fail("ew_c1",
                "sum of the leaf " + a.str() + " and the tuple " + b.str());
  // Coordinates of different depth meet here too, so each mode is added by
  // the same rule.
  size_t common = std::min(a.rank(), b.rank());
  std::vector<IntTuple> modes;
  modes.reserve(std::max(a.rank(), b.rank()));
  for (size_t i = 0; i < common; ++i) {
    FLY_TRY(mode, add(a[i], b[i]));
    modes.push_back(std::move(mode));
  }
  const IntTuple &longer = a.rank() >= b.rank() ? a : b;
  llvm::append_range(modes, longer.modes().drop_front(common));
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::sub(const IntTuple &a, const IntTuple &b) {
  return integersOnly(a, b, "difference",
                      [](const Int &x, const Int &y) { return sub(x, y); });
}

Result<IntTuple> fly::layout::mul(const IntTuple &a, const IntTuple &b) {
  return elementWise(a, b, "product",
                     [](const Leaf &x, const Leaf &y) -> Result<IntTuple> {
                       FLY_TRY(leaf, mul(x, y));
                       return IntTuple(std::move(leaf));
                     });
}

Result<IntTuple> fly::layout::div(const IntTuple &a, const IntTuple &b) {
  return integersOnly(a, b, "quotient",
                      [](const Int &x, const Int &y) { return div(x, y); });
}

Result<IntTuple> fly::layout::mod(const IntTuple &a, const IntTuple &b) {
  return integersOnly(a, b, "remainder",
                      [](const Int &x, const Int &y) { return mod(x, y); });
}

Result<IntTuple> fly::layout::min(const IntTuple &a, const IntTuple &b) {
  return integersOnly(a, b, "minimum",
                      [](const Int &x, const Int &y) { return min(x, y); });
}

Result<IntTuple> fly::layout::max(const IntTuple &a, const IntTuple &b) {
  return integersOnly(a, b, "maximum",
                      [](const Int &x, const Int &y) { return max(x, y); });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static Result<IntTuple> sumLeaves(const IntTuple &tuple) {
  if (tuple.isLeaf())
    return tuple;
  FLY_TRY(total, sumLeaves(tuple[0]));
  for (const IntTuple &mode : tuple.modes().drop_front()) {
    FLY_TRY(part, sumLeaves(mode));
    FLY_TRY_SET(total, add(total, part));
  }
  return total;
}

Result<IntTuple> fly::layout::sum(const IntTuple &tuple) {
  if (auto error = checkBasisPaths(tuple))
    return *error;
  return sumLeaves(tuple);
}

/// Product of the static leaves; saturates beyond 64 bits.
static int64_t staticProduct(const IntTuple &tuple) {
  int64_t result = 1;
  tuple.forEachLeaf([&](const Leaf &leaf) {
    if (leaf.isStatic())
      result = mulChecked(result, leaf.getInt().getValue()).value_or(INT64_MAX);
  });
  return result;
}

static Result<Int> multiplyLeaves(const IntTuple &tuple) {
  if (tuple.isLeaf()) {
    if (tuple.hasBasis())
      return fail("basis_c1", "product over the basis element " + tuple.str());
    return tuple.getInt();
  }
  FLY_TRY(total, multiplyLeaves(tuple[0]));
  for (const IntTuple &mode : tuple.modes().drop_front()) {
    FLY_TRY(part, multiplyLeaves(mode));
    FLY_TRY_SET(total, mul(total, part));
  }
  return total;
}

Result<Int> fly::layout::product(const IntTuple &tuple) {
  // The early factors must not overflow 32 bits before a late one widens the
  // product.
  if (tuple.isDynamic() && !tuple.isLeaf() && exceeds32(staticProduct(tuple)))
    return multiplyLeaves(extendTo64(tuple));
  return multiplyLeaves(tuple);
}

Result<IntTuple> fly::layout::productEach(const IntTuple &tuple) {
  if (tuple.isLeaf())
    return tuple;
  std::vector<IntTuple> modes;
  modes.reserve(tuple.rank());
  for (const IntTuple &mode : tuple.modes()) {
    FLY_TRY(value, product(mode));
    modes.push_back(std::move(value));
  }
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::productLike(const IntTuple &tuple,
                                          const IntTuple &guide) {
  if (guide.isLeaf()) {
    FLY_TRY(value, product(tuple));
    return IntTuple(std::move(value));
  }
  if (guide.rank() != tuple.rank())
    return fail("product_like_c1",
                guide.str() + " does not have the modes of " + tuple.str());
  std::vector<IntTuple> modes;
  modes.reserve(tuple.rank());
  for (size_t i = 0; i < guide.rank(); ++i) {
    FLY_TRY(mode, productLike(tuple[i], guide[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::innerProduct(const IntTuple &a,
                                           const IntTuple &b) {
  if (a.isLeaf() && b.isLeaf())
    return mul(a, b);
  if (a.rank() != b.rank())
    return fail("inner_product_c1", "inner product of " + a.str() + " and " +
                                        b.str() + ", whose ranks differ");
  FLY_TRY(total, innerProduct(a[0], b[0]));
  for (size_t i = 1; i < a.rank(); ++i) {
    FLY_TRY(part, innerProduct(a[i], b[i]));
    FLY_TRY_SET(total, add(total, part));
  }
  return total;
}

//===----------------------------------------------------------------------===//
// Division of shapes
//===----------------------------------------------------------------------===//

using IntOp = Result<Int> (*)(const Int &, const Int &);

/// Divides a leaf; of a basis element its value.
static Result<IntTuple> divideLeaf(const Leaf &leaf, const Int &divisor,
                                   IntOp op) {
  FLY_TRY(value, op(leaf.getInt(), divisor));
  return IntTuple(leaf.withInt(std::move(value)));
}

/// Divides the leaves left to right; what a leaf uses up of the divisor is
/// gone for the next one.
static Result<IntTuple> foldDivisor(const IntTuple &tuple, Int &divisor,
                                    IntOp op) {
  if (tuple.isLeaf()) {
    FLY_TRY(result, divideLeaf(tuple.getLeaf(), divisor, op));
    FLY_TRY_SET(divisor, op(divisor, tuple.getInt()));
    return result;
  }
  std::vector<IntTuple> modes;
  modes.reserve(tuple.rank());
  for (const IntTuple &mode : tuple.modes()) {
    FLY_TRY(divided, foldDivisor(mode, divisor, op));
    modes.push_back(std::move(divided));
  }
  return IntTuple::tuple(std::move(modes));
}

static Result<IntTuple> divideShape(const IntTuple &a, const IntTuple &b,
                                    IntOp op) {
  if (a.isLeaf()) {
    FLY_TRY(divisor, product(b));
    return divideLeaf(a.getLeaf(), divisor, op);
  }
  if (b.isLeaf()) {
    if (b.hasBasis())
      return basisError("quotient", a, b);
    Int divisor = b.getInt();
    return foldDivisor(a, divisor, op);
  }
  std::vector<IntTuple> modes;
  modes.reserve(a.rank());
  size_t common = std::min(a.rank(), b.rank());
  for (size_t i = 0; i < common; ++i) {
    FLY_TRY(mode, divideShape(a[i], b[i], op));
    modes.push_back(std::move(mode));
  }
  llvm::append_range(modes, a.modes().drop_front(common));
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::ceilDiv(const IntTuple &a, const IntTuple &b) {
  return divideShape(a, b, &ceilDiv);
}

Result<IntTuple> fly::layout::shapeDiv(const IntTuple &a, const IntTuple &b) {
  return divideShape(a, b, &shapeDiv);
}

//===----------------------------------------------------------------------===//
// Packed strides
//===----------------------------------------------------------------------===//

namespace {
/// Running product of shape leaves. When the static factors alone reach 2^31
/// the product is formed anew from 64-bit factors, so that no partial product
/// wraps before.
class RunningProduct {
public:
  explicit RunningProduct(const Int &start) : factors{start}, value(start) {}
  const Int &get() const { return value; }

  std::optional<Error> multiply(const Int &factor) {
    auto product = mul(value, factor);
    if (!product)
      return product.takeError();
    factors.push_back(factor);
    bool widened = product->isDynamic() && product->getWidth() == 64 &&
                   value.isDynamic() && value.getWidth() == 32;
    if (widened) {
      Int wide = Int::constant(1);
      for (const Int &known : factors) {
        auto next = mul(wide, extendTo64(known));
        if (!next)
          return next.takeError();
        wide = *next;
      }
      value = std::move(wide);
      return std::nullopt;
    }
    value = *product;
    return std::nullopt;
  }

private:
  llvm::SmallVector<Int> factors;
  Int value;
};
} // namespace

static Result<IntTuple> packed(const IntTuple &shape, RunningProduct &running,
                               size_t &leavesLeft) {
  if (shape.isLeaf()) {
    if (shape.hasBasis())
      return fail("basis_c1", "basis element " + shape.str() + " as a size");
    IntTuple stride = running.get();
    // The size of the whole is nobody's stride.
    if (--leavesLeft > 0)
      if (auto error = running.multiply(shape.getInt()))
        return *error;
    return stride;
  }
  std::vector<IntTuple> modes;
  modes.reserve(shape.rank());
  for (const IntTuple &mode : shape.modes()) {
    FLY_TRY(stride, packed(mode, running, leavesLeft));
    modes.push_back(std::move(stride));
  }
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::compactColMajor(const IntTuple &shape,
                                              const Int &start) {
  RunningProduct running(start);
  size_t leavesLeft = shape.numLeaves();
  return packed(shape, running, leavesLeft);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// And of truth values that are 0 or 1; a known 1 leaves the other as it is.
static Int both(const Int &a, const Int &b) {
  if (a.isStatic(1))
    return b;
  if (b.isStatic(1))
    return a;
  return logicalAnd(a, b);
}

Result<Int> fly::layout::elemLess(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() && b.isLeaf()) {
    if (a.hasBasis() || b.hasBasis())
      return basisError("order", a, b);
    return cmp(ExprKind::Lt, a.getInt(), b.getInt());
  }
  if (a.rank() > b.rank())
    return Int::constant(0);
  Int result = Int::constant(1);
  for (size_t i = 0; i < a.rank(); ++i) {
    FLY_TRY(less, elemLess(a[i], b[i]));
    result = both(result, less);
  }
  return result;
}

Int fly::layout::equal(const IntTuple &a, const IntTuple &b) {
  if (a.isLeaf() && b.isLeaf()) {
    if (a.getLeaf().getModes() != b.getLeaf().getModes())
      return Int::constant(0);
    return cmp(ExprKind::Eq, a.getInt(), b.getInt());
  }
  if (a.isLeaf() || b.isLeaf() || a.rank() != b.rank())
    return Int::constant(0);
  Int result = Int::constant(1);
  for (size_t i = 0; i < a.rank(); ++i)
    result = both(result, equal(a[i], b[i]));
  return result;
}
