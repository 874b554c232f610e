// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of the matrix operations. This file is compiled once for each
// instruction set level, with FLY_MATRIX_KERNEL naming the function it then
// defines; everything else in it has internal linkage, and it uses no inline
// function of the C++ library, so that no code of a higher level can be linked
// into a lower one.
//
// The registers of a wave hold columns of C and D, rows of A and columns of B.
// Turned over, D^T = B^T A^T + C^T needs one transposition only, that of A:
// D^T and C^T are read and written in the order of the registers, B^T too.

#include "Float.h"
#include "MatrixForm.h"

using namespace fly::cpu;

namespace {
/// 16 values: one register with AVX-512, two with AVX2.
typedef float Floats __attribute__((vector_size(64)));
typedef int32_t Ints __attribute__((vector_size(64)));
typedef uint32_t Words __attribute__((vector_size(64)));
template <typename T> struct VectorOf;
template <> struct VectorOf<float> {
  using Type = Floats;
};
template <> struct VectorOf<int32_t> {
  using Type = Ints;
};
constexpr uint32_t vectorSize = 16;

/// The dense matrices of one operation: A and its transpose as [k][m], B^T as
/// [n][k], C^T and D^T as [n][m].
template <typename T> struct Tiles {
  alignas(64) T a[maxInputElements];
  alignas(64) T transposedA[maxInputElements];
  alignas(64) T b[maxInputElements];
  alignas(64) T acc[maxOutputElements];
};
} // namespace

//===----------------------------------------------------------------------===//
// Registers to numbers
//===----------------------------------------------------------------------===//

/// Elements [first, first + count) of a lane's registers as numbers. `float8`
/// holds the values of 8-bit floats.
template <Element Kind>
static inline void readElements(const unsigned char *registers, uint32_t first,
                                uint32_t count, const float *float8,
                                float *out) {
  (void)float8;
  if constexpr (Kind == Element::F32) {
    std::memcpy(out, registers + 4 * first, 4 * count);
  } else if constexpr (Kind == Element::F16) {
    const unsigned char *in = registers + 2 * first;
    uint32_t i = 0;
#if defined(__F16C__)
    typedef _Float16 Halves __attribute__((vector_size(8)));
    typedef float Quad __attribute__((vector_size(16)));
    for (; i + 4 <= count; i += 4) {
      Halves halves;
      std::memcpy(&halves, in + 2 * i, sizeof(halves));
      Quad values = __builtin_convertvector(halves, Quad);
      std::memcpy(out + i, &values, sizeof(values));
    }
#endif
    for (; i < count; ++i) {
      uint16_t half;
      std::memcpy(&half, in + 2 * i, sizeof(half));
      out[i] = halfToFloat(half);
    }
  } else if constexpr (Kind == Element::Bf16) {
    for (uint32_t i = 0; i < count; ++i) {
      uint16_t bfloat;
      std::memcpy(&bfloat, registers + 2 * (first + i), sizeof(bfloat));
      out[i] = bfloatToFloat(bfloat);
    }
  } else {
    for (uint32_t i = 0; i < count; ++i)
      out[i] = float8[registers[first + i]];
  }
}

static inline void readIntegers(const unsigned char *registers, uint32_t first,
                                uint32_t count, Element kind, bool isSigned,
                                int32_t *out) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t index = first + i;
    // Bits in the upper end, so that the shift back extends the sign.
    uint32_t upper = kind == Element::I8
                         ? static_cast<uint32_t>(registers[index]) << 24
                         : (registers[index / 2] >> 4 * (index & 1) & 15u)
                               << 28;
    int shift = kind == Element::I8 ? 24 : 28;
    out[i] = isSigned ? static_cast<int32_t>(upper) >> shift
                      : static_cast<int32_t>(upper >> shift);
  }
}

/// Gathers A or B from the lanes into rows of `k` numbers by the input map.
template <typename T, typename Read>
static inline void gatherRows(const MatrixForm &form, const MatrixCall &call,
                              uint32_t offset, uint32_t rows, T *out,
                              Read read) {
  const LaneMap map = form.inputMap();
  for (uint32_t group = 0; group < map.groups; ++group)
    for (uint32_t row = 0; row < rows; ++row) {
      const unsigned char *registers = call.slots[group * rows + row] + offset;
      T *line = out + row * form.k + group * map.run;
      for (uint32_t first = 0; first < map.elements; first += map.run) {
        read(registers, first, map.run, line);
        line += map.stride;
      }
    }
}

template <Element Kind>
static void gatherFloats(const MatrixForm &form, const MatrixCall &call,
                         uint32_t offset, uint32_t rows, const float *float8,
                         float *out) {
  gatherRows(form, call, offset, rows, out,
             [=](const unsigned char *registers, uint32_t first,
                 uint32_t count, float *line) {
               readElements<Kind>(registers, first, count, float8, line);
             });
}

static void gather(const MatrixForm &form, const MatrixCall &call,
                   Element kind, uint32_t offset, uint32_t rows,
                   const float *float8, float *out) {
  switch (kind) {
  case Element::F32:
    return gatherFloats<Element::F32>(form, call, offset, rows, float8, out);
  case Element::F16:
    return gatherFloats<Element::F16>(form, call, offset, rows, float8, out);
  case Element::Bf16:
    return gatherFloats<Element::Bf16>(form, call, offset, rows, float8, out);
  default:
    return gatherFloats<Element::Fp8>(form, call, offset, rows, float8, out);
  }
}

static void gather(const MatrixForm &form, const MatrixCall &call,
                   Element kind, uint32_t offset, uint32_t rows, bool isSigned,
                   int32_t *out) {
  gatherRows(form, call, offset, rows, out,
             [=](const unsigned char *registers, uint32_t first,
                 uint32_t count, int32_t *line) {
               readIntegers(registers, first, count, kind, isSigned, line);
             });
}

/// out[k][m] = in[m][k], in blocks of 4x4.
template <typename T>
static inline void transpose(const T *in, uint32_t m, uint32_t k, T *out) {
  typedef T Quad __attribute__((vector_size(16)));
  if (k % 4) {
    for (uint32_t row = 0; row < m; ++row)
      for (uint32_t column = 0; column < k; ++column)
        out[column * m + row] = in[row * k + column];
    return;
  }
  for (uint32_t row = 0; row < m; row += 4)
    for (uint32_t column = 0; column < k; column += 4) {
      Quad line[4];
      for (uint32_t i = 0; i < 4; ++i)
        std::memcpy(&line[i], in + (row + i) * k + column, sizeof(Quad));
      Quad low01 = __builtin_shufflevector(line[0], line[1], 0, 4, 1, 5);
      Quad high01 = __builtin_shufflevector(line[0], line[1], 2, 6, 3, 7);
      Quad low23 = __builtin_shufflevector(line[2], line[3], 0, 4, 1, 5);
      Quad high23 = __builtin_shufflevector(line[2], line[3], 2, 6, 3, 7);
      Quad turned[4] = {
          __builtin_shufflevector(low01, low23, 0, 1, 4, 5),
          __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
          __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
          __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
      for (uint32_t i = 0; i < 4; ++i)
        std::memcpy(out + (column + i) * m + row, &turned[i], sizeof(Quad));
    }
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

/// acc + a * b with one rounding. Where the product of two elements is exact
/// in float (all formats but f32 and bfloat16, whose products can leave the
/// exponent range), a host without the fused instruction gets the same result
/// from a product and a sum.
template <bool IsExact>
static inline Floats multiplyAdd(Floats a, float b, Floats acc) {
  Floats splat = b - Floats{};
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_elementwise_fma(a, splat, acc);
#else
  if constexpr (IsExact) {
    return a * splat + acc;
  } else {
    for (uint32_t i = 0; i < vectorSize; ++i)
      acc[i] = __builtin_fmaf(a[i], splat[i], acc[i]);
    return acc;
  }
#endif
}

/// Sums of products wrap, as unsigned words do.
template <bool IsExact>
static inline Ints multiplyAdd(Ints a, int32_t b, Ints acc) {
  return (Ints)((Words)acc + (Words)a * static_cast<uint32_t>(b));
}

/// acc[n][m] += sum over k, ascending, of a[k][m] * b[n][k]. Four or eight
/// columns at a time: as many chains as the multipliers' latency needs.
template <bool IsExact, typename T>
static inline void multiply(const T *a, const T *b, T *acc, uint32_t m,
                            uint32_t n, uint32_t k) {
  using Vector = typename VectorOf<T>::Type;
#if defined(__AVX512F__)
  constexpr uint32_t width = 8;
#else
  constexpr uint32_t width = 4;
#endif
  for (uint32_t row = 0; row < m; row += vectorSize)
    for (uint32_t column = 0; column < n; column += width) {
      Vector sums[width];
      for (uint32_t i = 0; i < width; ++i)
        sums[i] = *reinterpret_cast<Vector *>(acc + (column + i) * m + row);
      for (uint32_t step = 0; step < k; ++step) {
        Vector line = *reinterpret_cast<const Vector *>(a + step * m + row);
        for (uint32_t i = 0; i < width; ++i)
          sums[i] = multiplyAdd<IsExact>(line, b[(column + i) * k + step],
                                         sums[i]);
      }
      for (uint32_t i = 0; i < width; ++i)
        *reinterpret_cast<Vector *>(acc + (column + i) * m + row) = sums[i];
    }
}

//===----------------------------------------------------------------------===//
// Numbers to registers
//===----------------------------------------------------------------------===//

/// Calls visit(registers of C, registers of D, first element, position in
/// acc, count) for each run of rows of each lane.
template <typename Visit>
static inline void forEachOutputRun(const MatrixForm &form,
                                    const MatrixCall &call, Visit visit) {
  const LaneMap map = form.outputMap();
  for (uint32_t group = 0; group < map.groups; ++group)
    for (uint32_t column = 0; column < form.n; ++column) {
      unsigned char *slot = call.slots[group * form.n + column];
      uint32_t position = column * form.m + group * map.run;
      for (uint32_t first = 0; first < map.elements; first += map.run) {
        visit(slot + call.offsetC, slot + call.offsetD, first, position,
              map.run);
        position += map.stride;
      }
    }
}

static inline void readAccumulators(const MatrixForm &form,
                                    const MatrixCall &call, float *acc) {
  const Element kind = form.acc;
  forEachOutputRun(form, call,
                   [=](const unsigned char *in, unsigned char *, uint32_t first,
                       uint32_t position, uint32_t count) {
                     if (kind == Element::F32)
                       readElements<Element::F32>(in, first, count, nullptr,
                                                  acc + position);
                     else if (kind == Element::F16)
                       readElements<Element::F16>(in, first, count, nullptr,
                                                  acc + position);
                     else
                       readElements<Element::Bf16>(in, first, count, nullptr,
                                                   acc + position);
                   });
  if (!call.absC && !call.negateC)
    return;
  for (uint32_t i = 0; i < form.m * form.n; ++i) {
    uint32_t bits = floatToBits(acc[i]);
    if (call.absC)
      bits &= 0x7fffffffu;
    if (call.negateC)
      bits ^= 0x80000000u;
    acc[i] = bitsToFloat(bits);
  }
}

static inline void writeAccumulators(const MatrixForm &form,
                                     const MatrixCall &call,
                                     const float *acc) {
  const Element kind = form.acc;
  forEachOutputRun(
      form, call,
      [=](const unsigned char *, unsigned char *out, uint32_t first,
          uint32_t position, uint32_t count) {
        if (kind == Element::F32) {
          std::memcpy(out + 4 * first, acc + position, 4 * count);
          return;
        }
        for (uint32_t i = 0; i < count; ++i) {
          float value = acc[position + i];
          uint16_t bits = kind == Element::F16 ? floatToHalf(value)
                                               : floatToBfloat(value);
          std::memcpy(out + 2 * (first + i), &bits, sizeof(bits));
        }
      });
}

/// D = C + products: the sum of the products fits in 32 bits in every form, so
/// that adding C last decides about wrapping or saturation exactly.
static inline void writeIntegers(const MatrixForm &form,
                                 const MatrixCall &call, const int32_t *acc) {
  const bool clamp = call.clamp;
  forEachOutputRun(
      form, call,
      [=](const unsigned char *in, unsigned char *out, uint32_t first,
          uint32_t position, uint32_t count) {
        for (uint32_t i = 0; i < count; ++i) {
          int32_t before;
          std::memcpy(&before, in + 4 * (first + i), sizeof(before));
          int64_t sum = static_cast<int64_t>(before) + acc[position + i];
          if (clamp && sum > INT32_MAX)
            sum = INT32_MAX;
          if (clamp && sum < INT32_MIN)
            sum = INT32_MIN;
          auto result = static_cast<uint32_t>(sum);
          std::memcpy(out + 4 * (first + i), &result, sizeof(result));
        }
      });
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

static void runFloats(const MatrixForm &form, const MatrixCall &call) {
  Tiles<float> tiles;
  gather(form, call, form.a, call.offsetA, form.m, call.float8A, tiles.a);
  transpose(tiles.a, form.m, form.k, tiles.transposedA);
  gather(form, call, form.b, call.offsetB, form.n, call.float8B, tiles.b);
  readAccumulators(form, call, tiles.acc);
  if (form.a == Element::F32 || form.a == Element::Bf16)
    multiply<false>(tiles.transposedA, tiles.b, tiles.acc, form.m, form.n,
                    form.k);
  else
    multiply<true>(tiles.transposedA, tiles.b, tiles.acc, form.m, form.n,
                   form.k);
  writeAccumulators(form, call, tiles.acc);
}

static void runIntegers(const MatrixForm &form, const MatrixCall &call) {
  Tiles<int32_t> tiles;
  gather(form, call, form.a, call.offsetA, form.m, call.isSignedA, tiles.a);
  transpose(tiles.a, form.m, form.k, tiles.transposedA);
  gather(form, call, form.b, call.offsetB, form.n, call.isSignedB, tiles.b);
  for (uint32_t i = 0; i < form.m * form.n; ++i)
    tiles.acc[i] = 0;
  multiply<true>(tiles.transposedA, tiles.b, tiles.acc, form.m, form.n,
                 form.k);
  writeIntegers(form, call, tiles.acc);
}

void fly::cpu::FLY_MATRIX_KERNEL(const MatrixForm &form,
                                 const MatrixCall &call) {
  if (form.isInteger())
    runIntegers(form, call);
  else
    runFloats(form, call);
}
