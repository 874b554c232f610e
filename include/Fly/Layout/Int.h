// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One integer of the layout algebra. An `Int` is a static 64-bit number, the
// marker "none" (`*`), or a run-time value: a reference to an expression node
// with a bit width and a known divisor. The leaf operations here are the only
// arithmetic of the algebra. Each builds at most one node and settles at that
// moment what is known of its value ("type reading"); a reader of the nodes
// turns the very same graph into code. So an inferred type and the code that
// is emitted for it cannot disagree.

#ifndef FLY_LAYOUT_INT_H
#define FLY_LAYOUT_INT_H

#include "Fly/Layout/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace fly::layout {

class Expr;

/// What an expression node computes from its operands.
enum class ExprKind : uint8_t {
  Symbol,  ///< an opaque run-time value, no operands
  Extend,  ///< sign extension to 64 bits
  Add,     ///< a + b
  Sub,     ///< a - b
  Mul,     ///< a * b
  Div,     ///< a / b, toward zero (also the exact division)
  Rem,     ///< a % b, sign of the dividend
  CeilDiv, ///< quotient toward plus infinity (also the division of shapes)
  Min,
  Max,
  Lt, ///< comparisons give 0 or 1
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  And, ///< logical: 1 if both operands are non-zero
  Or,
  Not,    ///< logical: 1 if the operand is zero
  BitAnd, ///< pieces of swizzles, on the bits of the operands
  BitXor,
  ShiftLeft,
  ShiftRight, ///< logical shift
};

/// Static integer, none, or reference to an expression. Cheap to copy.
class Int {
public:
  /// Static 0.
  Int() = default;
  Int(const Int &other);
  Int(Int &&other) noexcept;
  Int &operator=(const Int &other);
  Int &operator=(Int &&other) noexcept;
  ~Int();

  /// The marker `*`; takes part in arithmetic as static 0.
  static Int none();
  static Int constant(int64_t value);
  /// A new opaque run-time value of 32 or 64 bits that is a multiple of
  /// `divisibility`. `id` is the caller's: the number of the operand.
  static Int symbol(unsigned id, unsigned width = 32, int64_t divisibility = 1);

  bool isNone() const { return noneFlag; }
  /// None or a number.
  bool isStatic() const { return !node; }
  bool isDynamic() const { return node != nullptr; }
  /// Static (or none, for 0) and equal to `number`.
  bool isStatic(int64_t number) const { return !node && value == number; }

  /// The static value; 0 for none. Only if static.
  int64_t getValue() const {
    assert(!node && "run-time value");
    return value;
  }
  /// 0 for none; 32 or 64 else. A number beyond 32 bits has width 64.
  unsigned getWidth() const;
  /// Known divisor of a run-time value; of a static one the value itself.
  int64_t getDivisibility() const;
  /// The expression of a run-time value, null if static.
  const Expr *getExpr() const { return node; }

  /// `*`, the decimal number, or `?`, `?{i64}`, `?{div=8}`, `?{i64 div=8}`.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

  /// The same number, none or the very same node.
  bool operator==(const Int &other) const {
    return node == other.node && value == other.value &&
           noneFlag == other.noneFlag;
  }
  bool operator!=(const Int &other) const { return !(*this == other); }

private:
  friend class Expr;
  const Expr *node = nullptr;
  int64_t value = 0;
  bool noneFlag = false;
};

/// A node of a run-time expression: immutable, reference counted, shared.
/// Nodes carry a number that grows with their creation, so visiting them in
/// that order visits operands before users.
class Expr {
public:
  ExprKind getKind() const { return kind; }
  llvm::ArrayRef<Int> getOperands() const { return {operands, numOperands}; }
  /// 32 or 64: the width in which the node computes and of its result. A
  /// narrower operand is sign-extended first. Comparisons are the exception:
  /// they compute in the larger width of their operands and give 32 bits.
  unsigned getWidth() const { return width; }
  int64_t getDivisibility() const { return divisibility; }
  /// Creation number; operands have smaller ones than their users.
  uint64_t getNumber() const { return number; }
  /// The id that was given to Int::symbol.
  unsigned getSymbolId() const {
    assert(kind == ExprKind::Symbol);
    return symbolId;
  }

  /// A new node. Settles nothing: use the leaf operations below.
  static Int create(ExprKind kind, llvm::ArrayRef<Int> operands, unsigned width,
                    int64_t divisibility, unsigned symbolId = 0);

private:
  friend class Int;
  Expr() = default;
  void retain() const { refs.fetch_add(1, std::memory_order_relaxed); }
  static void release(const Expr *expr);

  Int operands[2];
  uint64_t number = 0;
  int64_t divisibility = 1;
  mutable std::atomic<uint32_t> refs{0};
  unsigned symbolId = 0;
  uint8_t numOperands = 0;
  uint8_t width = 32;
  ExprKind kind = ExprKind::Symbol;
};

//===----------------------------------------------------------------------===//
// Leaf operations
//===----------------------------------------------------------------------===//
// A result is static exactly if both operands are static or one of the special
// cases stated applies. A static result beyond 64 bits is an error
// ("int_overflow"). `gcd` is of the divisibilities of the operands. A run-time
// product whose divisor alone is 2^31 or more has width 64.

/// a + b; a static 0 gives the other operand unchanged; else gcd.
Result<Int> add(const Int &a, const Int &b);
/// a - b; `a - 0` is `a`; `0 - b` has the type of b; else gcd.
Result<Int> sub(const Int &a, const Int &b);
/// a * b; a static 0 gives static 0, a static 1 the other operand; else the
/// product of the divisors.
Result<Int> mul(const Int &a, const Int &b);
/// a / b toward zero. Error div_c1 if b is static 0. A static 0 for a gives 0.
Result<Int> div(const Int &a, const Int &b);
/// a % b with the sign of a. Error mod_c1 if b is static 0. b static 1 or a
/// static 0 give static 0.
Result<Int> mod(const Int &a, const Int &b);
Result<Int> min(const Int &a, const Int &b);
Result<Int> max(const Int &a, const Int &b);
/// a / b that must be exact. Error safe_div_c1 if it is known not to be, or,
/// for static b and run-time a, if the divisor of a does not show that it is.
Result<Int> safeDiv(const Int &a, const Int &b);
/// (a + b - 1) / b toward zero. Error ceil_div_c1 if b is static 0. A static
/// a of 0 or 1 is returned unchanged.
Result<Int> ceilDiv(const Int &a, const Int &b);
/// As ceilDiv; error shape_div_c1 if both are static and neither divides the
/// other.
Result<Int> shapeDiv(const Int &a, const Int &b);
/// Comparisons and logic give 0 or 1, run-time results have width 32.
Int cmp(ExprKind kind, const Int &a, const Int &b);
/// Static 0 if either is static 0, else a run-time value unless both static.
Int logicalAnd(const Int &a, const Int &b);
Int logicalOr(const Int &a, const Int &b);
Int logicalNot(const Int &a);

/// The value sign-extended to 64 bits if it is a run-time value of 32 bits;
/// anything else unchanged.
Int extendTo64(const Int &a);

/// Known at this point to be the same number: equal static values, the same
/// node, or nodes that compute the same from the same.
bool sameValue(const Int &a, const Int &b);

/// True if `value` does not fit into a signed 32-bit integer.
inline bool exceeds32(int64_t value) {
  return value < INT32_MIN || value > INT32_MAX;
}

/// Non-negative greatest common divisor; gcd(0, 0) is 0.
int64_t gcd(int64_t a, int64_t b);
/// a * b, a + b and a - b, or nothing beyond 64 bits.
std::optional<int64_t> mulChecked(int64_t a, int64_t b);
std::optional<int64_t> addChecked(int64_t a, int64_t b);
std::optional<int64_t> subChecked(int64_t a, int64_t b);

//===----------------------------------------------------------------------===//
// Reading expressions
//===----------------------------------------------------------------------===//

/// The nodes reachable from `roots`, each once, in creation order: emit one
/// operation for each in this order. Symbols are included.
llvm::SmallVector<const Expr *> collectExprs(llvm::ArrayRef<Int> roots);

/// Computes `value` on numbers; `symbolValue` gives the value of each symbol
/// node. Computes exactly (64 bits), as the emitted code does while nothing
/// leaves the width of its node. Errors: div_c1/mod_c1 on a zero divisor,
/// int_overflow.
Result<int64_t>
evaluate(const Int &value,
         llvm::function_ref<int64_t(const Expr &symbol)> symbolValue);

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Int &value);

} // namespace fly::layout

#endif // FLY_LAYOUT_INT_H
