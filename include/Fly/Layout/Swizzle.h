// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XOR swizzles of indices and of coordinates. `S<M,B,S>` maps x to
// x ^ ((x & mask) >> S) with the M mask bits at B+S; `CS<...>` does the same
// with the bits of one coordinate on another one. Both are bijections.

#ifndef FLY_LAYOUT_SWIZZLE_H
#define FLY_LAYOUT_SWIZZLE_H

#include "Fly/Layout/IntTuple.h"

namespace fly::layout {

/// `S<mask,base,shift>`: `mask` bits at `base` are XORed with as many bits at
/// `base + shift`. Trivial (the identity) iff mask is 0.
struct Swizzle {
  int32_t mask = 0;
  int32_t base = 0;
  int32_t shift = 0;

  /// Legal: mask, base, shift >= 0, shift >= 1 where mask > 0, and
  /// mask + base + shift <= 63. Error swizzle_c1 else.
  static Result<Swizzle> get(int64_t mask, int64_t base, int64_t shift);
  bool isTrivial() const { return mask == 0; }
  bool operator==(const Swizzle &o) const {
    return mask == o.mask && base == o.base && shift == o.shift;
  }
  bool operator!=(const Swizzle &o) const { return !(*this == o); }
  /// `S<3,3,3>`
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
};

/// `CS<mask,baseRow,[modeRow],baseCol,[modeCol]>`: the bits of the row
/// coordinate change the column coordinate.
struct CoordSwizzle {
  int32_t mask = 0;
  int32_t baseRow = 0;
  llvm::SmallVector<int32_t, 2> modeRow;
  int32_t baseCol = 0;
  llvm::SmallVector<int32_t, 2> modeCol;

  /// Legal: mask, bases and modes >= 0, mask + base <= 63 for both bases,
  /// paths of different coordinates where mask > 0. Error coord_swizzle_c1.
  static Result<CoordSwizzle> get(int64_t mask, int64_t baseRow,
                                  llvm::ArrayRef<int32_t> modeRow,
                                  int64_t baseCol,
                                  llvm::ArrayRef<int32_t> modeCol);
  bool isTrivial() const { return mask == 0; }
  bool operator==(const CoordSwizzle &o) const;
  bool operator!=(const CoordSwizzle &o) const { return !(*this == o); }
  /// `CS<3,0,[1],0,[2, 1]>`
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
};

/// The swizzled index. A static one is computed on 64 bits.
Int apply(const Swizzle &swizzle, const Int &index);
/// The swizzled coordinate. Errors coord_swizzle_c2 (a path that leads to no
/// integer leaf of `coord`).
Result<IntTuple> apply(const CoordSwizzle &swizzle, const IntTuple &coord);

} // namespace fly::layout

#endif // FLY_LAYOUT_SWIZZLE_H
