// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Swizzles of indices and coordinates.

#include "Fly/Layout/Swizzle.h"

using namespace fly::layout;

Result<Swizzle> Swizzle::get(int64_t mask, int64_t base, int64_t shift) {
  bool small = mask >= 0 && base >= 0 && shift >= 0 && mask <= 63 &&
               base <= 63 && shift <= 63;
  if (!small || (mask > 0 && shift < 1) || mask + base + shift > 63)
    return fail("swizzle_c1",
                "swizzle S<" + llvm::Twine(mask) + "," + llvm::Twine(base) +
                    "," + llvm::Twine(shift) +
                    "> needs mask, base and shift of at least 0, a shift of at "
                    "least 1 if mask is not 0, and a sum of at most 63");
  Swizzle result;
  result.mask = mask;
  result.base = base;
  result.shift = shift;
  return result;
}

void Swizzle::print(llvm::raw_ostream &os) const {
  os << "S<" << mask << ',' << base << ',' << shift << '>';
}

std::string Swizzle::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

Result<CoordSwizzle> CoordSwizzle::get(int64_t mask, int64_t baseRow,
                                       llvm::ArrayRef<int32_t> modeRow,
                                       int64_t baseCol,
                                       llvm::ArrayRef<int32_t> modeCol) {
  CoordSwizzle result;
  bool legal = mask >= 0 && mask <= 63 && baseRow >= 0 && baseRow <= 63 &&
               baseCol >= 0 && baseCol <= 63 && mask + baseRow <= 63 &&
               mask + baseCol <= 63 && (mask == 0 || modeRow != modeCol);
  for (llvm::ArrayRef<int32_t> path : {modeRow, modeCol})
    for (int32_t mode : path)
      legal &= mode >= 0;
  result.mask = mask;
  result.baseRow = baseRow;
  result.modeRow.assign(modeRow.begin(), modeRow.end());
  result.baseCol = baseCol;
  result.modeCol.assign(modeCol.begin(), modeCol.end());
  if (!legal)
    return fail("coord_swizzle_c1",
                "coordinate swizzle needs mask, bases and modes of at least 0, "
                "mask + base of at most 63, and two different coordinates");
  return result;
}

bool CoordSwizzle::operator==(const CoordSwizzle &o) const {
  return mask == o.mask && baseRow == o.baseRow && modeRow == o.modeRow &&
         baseCol == o.baseCol && modeCol == o.modeCol;
}

static void printPath(llvm::raw_ostream &os, llvm::ArrayRef<int32_t> path) {
  os << '[';
  for (size_t i = 0; i < path.size(); ++i)
    os << (i ? ", " : "") << path[i];
  os << ']';
}

void CoordSwizzle::print(llvm::raw_ostream &os) const {
  os << "CS<" << mask << ',' << baseRow << ',';
  printPath(os, modeRow);
  os << ',' << baseCol << ',';
  printPath(os, modeCol);
  os << '>';
}

std::string CoordSwizzle::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

/// The lowest `count` bits set; count is at most 63.
static uint64_t lowBits(int32_t count) { return (uint64_t(1) << count) - 1; }

Int fly::layout::apply(const Swizzle &swizzle, const Int &index) {
  if (swizzle.isTrivial())
    return index;
  uint64_t mask = lowBits(swizzle.mask) << (swizzle.base + swizzle.shift);
  if (index.isStatic()) {
    uint64_t x = index.getValue();
    return Int::constant(x ^ ((x & mask) >> swizzle.shift));
  }
  // Bits that a 32-bit value does not hold are its sign: take them along.
  Int x = exceeds32(mask) ? extendTo64(index) : index;
  unsigned width = x.getWidth();
  Int picked =
      Expr::create(ExprKind::BitAnd,
                   {x, Int::constant(static_cast<int64_t>(mask))}, width, 1);
  Int moved = Expr::create(ExprKind::ShiftRight,
                           {picked, Int::constant(swizzle.shift)}, width, 1);
  int64_t divisor = gcd(x.getDivisibility(),
                        static_cast<int64_t>(uint64_t(1) << swizzle.base));
  return Expr::create(ExprKind::BitXor, {x, moved}, width, divisor);
}

/// The path leads to a leaf (the caller has read it).
static IntTuple replaceAt(const IntTuple &tuple, llvm::ArrayRef<int32_t> path,
                          const Int &value) {
  if (path.empty())
    return value;
  std::vector<IntTuple> modes = tuple.modes().vec();
  modes[path[0]] = replaceAt(modes[path[0]], path.drop_front(), value);
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::apply(const CoordSwizzle &swizzle,
                                    const IntTuple &coord) {
  if (swizzle.isTrivial())
    return coord;
  auto leafAt = [&](llvm::ArrayRef<int32_t> path) -> Result<Int> {
    auto leaf = get(coord, path);
    if (!leaf || !leaf->isLeaf() || leaf->getLeaf().isBasis())
      return fail("coord_swizzle_c2", swizzle.str() +
                                          " finds no integer at its modes in " +
                                          coord.str());
    return leaf->getInt();
  };
  FLY_TRY(row, leafAt(swizzle.modeRow));
  FLY_TRY(col, leafAt(swizzle.modeCol));
  if (row.isStatic() && col.isStatic()) {
    uint64_t bits = (static_cast<uint64_t>(row.getValue()) >> swizzle.baseRow) &
                    lowBits(swizzle.mask);
    return replaceAt(coord, swizzle.modeCol,
                     Int::constant(static_cast<uint64_t>(col.getValue()) ^
                                   (bits << swizzle.baseCol)));
  }
  // Beyond bit 30 a 32-bit value has only its sign.
  if (swizzle.mask + swizzle.baseRow > 31)
    row = extendTo64(row);
  if (swizzle.mask + swizzle.baseCol > 31) {
    row = extendTo64(row);
    col = extendTo64(col);
  }
  unsigned rowWidth = row.getWidth() == 64 ? 64 : 32;
  unsigned width = col.getWidth() == 64 ? 64 : rowWidth;
  Int moved = Int::constant(
      row.isStatic()
          ? static_cast<int64_t>(
                ((static_cast<uint64_t>(row.getValue()) >> swizzle.baseRow) &
                 lowBits(swizzle.mask))
                << swizzle.baseCol)
          : 0);
  if (row.isDynamic()) {
    Int down = Expr::create(ExprKind::ShiftRight,
                            {row, Int::constant(swizzle.baseRow)}, rowWidth, 1);
    Int picked = Expr::create(
        ExprKind::BitAnd,
        {down, Int::constant(static_cast<int64_t>(lowBits(swizzle.mask)))},
        rowWidth, 1);
    moved = Expr::create(ExprKind::ShiftLeft,
                         {picked, Int::constant(swizzle.baseCol)}, rowWidth, 1);
  }
  int64_t divisor = gcd(col.getDivisibility(),
                        static_cast<int64_t>(uint64_t(1) << swizzle.baseCol));
  return replaceAt(
      coord, swizzle.modeCol,
      Expr::create(ExprKind::BitXor, {moved, col}, width, divisor));
}
