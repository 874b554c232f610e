// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digits, quotients and carries of an index.

#include "Carries.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

/// Combinations that are tried, at most.
static constexpr int64_t trialLimit = int64_t(1) << 20;

//===----------------------------------------------------------------------===//
// Quotients and weights
//===----------------------------------------------------------------------===//

/// A run-time stride as a static factor times the rest.
static std::pair<int64_t, Int> splitFactor(const Int &value) {
  if (const Expr *expr = value.getExpr();
      expr && expr->getKind() == ExprKind::Mul)
    for (size_t i : {0, 1})
      if (expr->getOperands()[i].isStatic())
        return {expr->getOperands()[i].getValue(), expr->getOperands()[1 - i]};
  return {1, value};
}

size_t Carries::partOf(const Mode &mode) {
  Leaf part =
      mode.stride.isStatic()
          ? mode.stride.withInt(Int())
          : mode.stride.withInt(splitFactor(mode.stride.getInt()).second);
  for (auto [i, known] : llvm::enumerate(parts))
    if (known.getModes() == part.getModes() &&
        sameValue(known.getInt(), part.getInt()))
      return i;
  parts.push_back(std::move(part));
  return parts.size() - 1;
}

std::optional<Carries> Carries::get(llvm::ArrayRef<Mode> modes) {
  for (const Mode &mode : modes.drop_back())
    if (!mode.size.isStatic() || mode.size.getValue() < 1)
      return std::nullopt;
  Carries result;
  result.modes.assign(modes.begin(), modes.end());
  auto factorOf = [](const Mode &mode) -> Wide {
    const Int &stride = mode.stride.getInt();
    return stride.isStatic() ? stride.getValue() : splitFactor(stride).first;
  };
  Wide extent = 1;
  for (size_t i = 0; i + 1 < modes.size(); ++i) {
    Wide size = modes[i].size.getValue();
    // No index reaches as far as 2^126.
    if (size > (Wide(1) << 126) / extent)
      break;
    extent *= size;
    Jump jump{i,
              extent,
              result.partOf(modes[i]),
              result.partOf(modes[i + 1]),
              -size * factorOf(modes[i]),
              factorOf(modes[i + 1])};
    if (!jump.isNothing())
      result.jumps.push_back(jump);
  }
  return result;
}

Result<Leaf> Carries::valueAt(int64_t step) const {
  Leaf total;
  int64_t rest = step;
  for (auto [i, mode] : llvm::enumerate(modes)) {
    int64_t digit = rest;
    if (i + 1 < modes.size()) {
      digit = rest % mode.size.getValue();
      rest /= mode.size.getValue();
    }
    if (digit == 0 || mode.stride.getInt().isStatic(0))
      continue;
    FLY_TRY(part, mul(Leaf(Int::constant(digit)), mode.stride));
    if (total.isStatic(0)) {
      total = std::move(part);
      continue;
    }
    if (total.getModes() != part.getModes())
      return fail("composition_c1", "leads along two coordinates of A");
    FLY_TRY(sum, add(total.getInt(), part.getInt()));
    total = sum.isStatic(0) ? Leaf() : total.withInt(std::move(sum));
  }
  return total;
}

/// Whether the weighted carries, one per jump, sum up to 0.
Carries::Answer Carries::cancel(llvm::ArrayRef<Wide> carries) const {
  size_t active = llvm::count_if(carries, [](Wide c) { return c != 0; });
  if (active < 2)
    return active == 0 ? Answer::Yes : Answer::No;
  const Wide small = Wide(1) << 62;
  llvm::SmallVector<Wide> sums(parts.size(), 0);
  for (auto [carry, jump] : llvm::zip(carries, jumps))
    if (carry != 0) {
      for (Wide factor : {carry, jump.from, jump.to})
        if (factor > small || factor < -small)
          return Answer::Unknown;
      sums[jump.fromPart] += carry * jump.from;
      sums[jump.toPart] += carry * jump.to;
    }
  return llvm::all_of(sums, [](Wide sum) { return sum == 0; }) ? Answer::Yes
                                                               : Answer::No;
}

//===----------------------------------------------------------------------===//
// One step, repeated
//===----------------------------------------------------------------------===//

std::optional<int64_t> Carries::linearRun(int64_t size, int64_t step) const {
  // Carries come at x = ceil(n * extent / remainder) for n = 1, 2, ...
  llvm::SmallVector<Wide> carries(jumps.size(), 0);
  for (int64_t trial = 0; trial < trialLimit; ++trial) {
    Wide first = size;
    for (auto [carry, jump] : llvm::zip(carries, jumps)) {
      Wide remainder = jump.remainder(step), next = (carry + 1) * jump.extent;
      if (remainder * (size - 1) >= next)
        first = std::min(first, (next + remainder - 1) / remainder);
      // The first carries of the larger extents come later.
      if (trial == 0 && jump.extent > step)
        break;
    }
    if (first == size)
      return size;
    for (auto [carry, jump] : llvm::zip(carries, jumps)) {
      Wide reach = jump.remainder(step) * first;
      if (reach >= jump.extent)
        carry = reach / jump.extent;
    }
    Answer cancelled = cancel(carries);
    if (cancelled == Answer::Unknown)
      return std::nullopt;
    if (cancelled == Answer::No)
      return static_cast<int64_t>(first);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Several steps together
//===----------------------------------------------------------------------===//

Carries::Sums Carries::crossing(llvm::ArrayRef<Wide> carries) const {
  for (auto [carry, jump] : llvm::zip(carries, jumps))
    if (carry != 0)
      return {Answer::No, jump.below};
  llvm_unreachable("there is a carry");
}

Carries::Sums Carries::addUp(llvm::ArrayRef<StaticMode> steps) const {
  bool forward = llvm::all_of(steps, [](auto &s) { return s.stride > 0; });
  bool backward = llvm::all_of(steps, [](auto &s) { return s.stride < 0; });
  if (forward)
    return addUpForward(steps);
  if (!backward)
    return addUpBothWays(steps);
  // A(-k) = -A(k).
  llvm::SmallVector<StaticMode> turned(steps);
  for (StaticMode &step : turned)
    step.stride = -step.stride;
  return addUpForward(turned);
}

Carries::Sums Carries::addUpForward(llvm::ArrayRef<StaticMode> steps) const {
  // Where the remainders fill an extent, the largest coordinate carries.
  llvm::SmallVector<Wide> carries(jumps.size(), 0);
  llvm::SmallVector<size_t> inPlay;
  for (auto [i, jump] : llvm::enumerate(jumps)) {
    Wide reach = 0;
    for (const StaticMode &step : steps)
      reach += Wide(jump.remainder(step.stride)) * (step.size - 1);
    if (reach < jump.extent)
      continue;
    carries[i] = reach / jump.extent;
    inPlay.push_back(i);
  }
  Answer atLast = cancel(carries);
  if (atLast == Answer::No)
    return crossing(carries);
  if (inPlay.empty())
    return {Answer::Yes};
  return tryAll(steps, inPlay);
}

Carries::Sums Carries::addUpBothWays(llvm::ArrayRef<StaticMode> steps) const {
  // Truncation adds up where remainders stay within the extent on both sides
  // and never pull against the quotients.
  llvm::SmallVector<size_t> inPlay;
  for (auto [i, jump] : llvm::enumerate(jumps)) {
    Wide up = 0, down = 0;
    bool quotients = false, remainders = false, forward = false,
         backward = false;
    for (const StaticMode &step : steps) {
      Wide remainder = jump.remainder(step.stride);
      (remainder > 0 ? up : down) += remainder * (step.size - 1);
      bool moves = jump.quotient(step.stride) != 0;
      quotients |= moves;
      remainders |= remainder != 0;
      (step.stride > 0 ? forward : backward) |= moves || remainder != 0;
    }
    bool within = up < jump.extent && -down < jump.extent;
    bool quiet =
        !remainders || (within && (!quotients || !forward || !backward));
    if (!quiet)
      inPlay.push_back(i);
  }
  return inPlay.empty() ? Sums{Answer::Yes} : tryAll(steps, inPlay);
}

/// Visits the coordinates along the steps that enter one of the quotients in
/// play; the others cannot carry.
Carries::Sums Carries::tryAll(llvm::ArrayRef<StaticMode> steps,
                              llvm::ArrayRef<size_t> inPlay) const {
  bool forward = llvm::all_of(steps, [](auto &s) { return s.stride > 0; });
  llvm::SmallVector<StaticMode> moving;
  int64_t count = 1;
  for (const StaticMode &step : steps) {
    // Where both directions meet, whole extents count too.
    bool enters = llvm::any_of(inPlay, [&](size_t i) {
      return jumps[i].remainder(step.stride) != 0 ||
             (!forward && jumps[i].quotient(step.stride) != 0);
    });
    if (!enters)
      continue;
    moving.push_back(step);
    auto next = mulChecked(count, step.size);
    count = next && *next <= trialLimit ? *next : trialLimit + 1;
  }
  // Of too many, the corners may still show that the answer is no.
  bool complete = count <= trialLimit;
  size_t sides = std::min<size_t>(moving.size(), 16);
  int64_t trials = complete ? count : int64_t(1) << sides;
  bool known = complete;
  llvm::SmallVector<int64_t> coord(moving.size(), 0);
  llvm::SmallVector<Wide> carries(jumps.size(), 0);
  for (int64_t trial = 0; trial < trials; ++trial) {
    if (!complete)
      for (size_t j = 0; j < sides; ++j)
        coord[j] = trial >> j & 1 ? moving[j].size - 1 : 0;
    Wide index = 0;
    for (auto [step, c] : llvm::zip(moving, coord))
      index += Wide(step.stride) * c;
    for (size_t i : inPlay) {
      carries[i] = index / jumps[i].extent;
      for (auto [step, c] : llvm::zip(moving, coord))
        carries[i] -= Wide(jumps[i].quotient(step.stride)) * c;
    }
    Answer cancelled = cancel(carries);
    if (cancelled == Answer::No)
      return crossing(carries);
    known &= cancelled == Answer::Yes;
    for (size_t j = 0; complete && j < coord.size(); ++j) {
      if (++coord[j] < moving[j].size)
        break;
      coord[j] = 0;
    }
  }
  return {known ? Answer::Yes : Answer::Unknown};
}
