// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an index unfolds along the modes of a layout, private to the library.
//
// Along coalesced modes n0:d0, n1:d1, ... an index k has the digits k mod n0,
// (k div n0) mod n1, ..., the last one without an end. With N1 = n0,
// N2 = n0 n1, ... the layout is
//
//   A(k) = d0 k + w1 (k div N1) + w2 (k div N2) + ...
//
// where wi = di - n(i-1) d(i-1). So A follows steps of an index linearly as far
// as the quotients do, or as far as their weighted carries cancel. Both are
// decided here on the numbers themselves, without a table of the indices.

#ifndef FLY_LIB_LAYOUT_CARRIES_H
#define FLY_LIB_LAYOUT_CARRIES_H

#include "ModeList.h"
#include "StaticLayout.h"

namespace fly::layout {

class Carries {
public:
  /// Nothing if a size before the last one is run-time or below 1. Run-time
  /// strides are numbers of which nothing is known.
  static std::optional<Carries> get(llvm::ArrayRef<Mode> modes);

  /// A(step) as a stride; step is positive. Error composition_c1 if it leads
  /// along two coordinates (the caller says where).
  Result<Leaf> valueAt(int64_t step) const;

  /// The largest r up to `size` with A(x * step) = x * A(step) for all x below
  /// r; step is positive. Nothing if 2^20 carries in a row cancel.
  std::optional<int64_t> linearRun(int64_t size, int64_t step) const;

  enum class Answer { Yes, No, Unknown };
  struct Sums {
    Answer addUp;
    /// Of `No`: the lowest mode of A that the steps run across.
    size_t crossed = 0;
  };
  /// Whether A(sum of x_j * stride_j) = sum of x_j * A(stride_j) for all x_j
  /// below size_j; no x_j * stride_j leaves 64 bits. `Unknown` only where
  /// carries of several quotients cancel, or strides of both signs meet, in
  /// more than 2^20 combinations.
  Sums addUp(llvm::ArrayRef<StaticMode> steps) const;

private:
  using Wide = __int128;

  /// The quotient by `extent`, where mode `below` ends, and its weight: `from`
  /// along the part of that mode, `to` along that of the mode above.
  struct Jump {
    size_t below;
    Wide extent;
    size_t fromPart, toPart;
    Wide from, to;
    bool isNothing() const {
      return fromPart == toPart ? from + to == 0 : from == 0 && to == 0;
    }
    // In 64 bits where the extent fits: a division of 128 is slow.
    int64_t quotient(int64_t step) const {
      return extent > INT64_MAX ? 0 : step / static_cast<int64_t>(extent);
    }
    int64_t remainder(int64_t step) const {
      return extent > INT64_MAX ? step : step % static_cast<int64_t>(extent);
    }
  };
  size_t partOf(const Mode &mode);
  Answer cancel(llvm::ArrayRef<Wide> carries) const;
  Sums crossing(llvm::ArrayRef<Wide> carries) const;
  Sums addUpForward(llvm::ArrayRef<StaticMode> steps) const;
  Sums addUpBothWays(llvm::ArrayRef<StaticMode> steps) const;
  Sums tryAll(llvm::ArrayRef<StaticMode> steps,
              llvm::ArrayRef<size_t> jumpsInPlay) const;

  llvm::SmallVector<Mode> modes;
  llvm::SmallVector<Jump> jumps;
  /// What is told apart: a coordinate path, or one run-time stride.
  llvm::SmallVector<Leaf> parts;
};

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_CARRIES_H
