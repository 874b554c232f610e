// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random choices of the fuzzer: the same on every machine for the same
// seed, which the distributions of the standard library are not.

#ifndef FLY_TOOLS_FUZZ_RANDOM_H
#define FLY_TOOLS_FUZZ_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace fly::fuzz {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  /// 64 random bits (splitmix64).
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// A number below `count`, which is at least 1.
  size_t below(size_t count) { return next() % count; }
  /// A number from `low` to `high`, both included.
  int between(int low, int high) {
    return low + static_cast<int>(below(high - low + 1));
  }
  /// True in `percent` of 100 cases.
  bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }
  /// An element of a non-empty container.
  template <typename ContainerT>
  const auto &pick(const ContainerT &choices) {
    return *(std::begin(choices) + below(std::size(choices)));
  }

private:
  uint64_t state;
};

} // namespace fly::fuzz

#endif // FLY_TOOLS_FUZZ_RANDOM_H
