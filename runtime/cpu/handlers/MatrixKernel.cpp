// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of the matrix operations. This file is compiled once for each
// instruction set level, with FLY_MATRIX_KERNELS naming the table that it then
// defines; everything else in it has internal linkage, and it uses no inline
// function of the C++ library, so that no code of a higher level can be linked
// into a lower one. Sizes and lane maps are constants here: the cost of an
// operation is that of moving 64 small registers, and a loop whose length is
// known is a few moves.
//
// The registers of a wave hold columns of C and D, rows of A and columns of B.
// Turned over, D^T = B^T A^T + C^T needs one transposition only, that of A:
// D^T and C^T are read and written in the order of the registers, B^T too.

#include "Float.h"
#include "MatrixForm.h"

using namespace fly::cpu;

namespace {
/// 16 values: one register with AVX-512, two with AVX2; and what most lanes
/// hold in a row.
typedef float Vector __attribute__((vector_size(64)));
typedef uint32_t VectorBits __attribute__((vector_size(64)));
typedef float Quad __attribute__((vector_size(16)));
constexpr uint32_t vectorSize = 16;
} // namespace

/// The vector of four quads. Vectors are put together in registers: read back
/// from the memory that the parts were just written to, they would wait.
static inline Vector join(Quad a, Quad b, Quad c, Quad d) {
  auto low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  auto high = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                 11, 12, 13, 14, 15);
}

//===----------------------------------------------------------------------===//
// Registers to numbers
//===----------------------------------------------------------------------===//

/// Elements [first, first + Count) of a lane's registers as numbers. Integers
/// are numbers too: see storeIntegers.
template <Element Kind, uint32_t Count>
static inline void readElements(const unsigned char *registers, uint32_t first,
                                [[maybe_unused]] OperandReader reader,
                                float *out) {
  const unsigned char *in = registers + first * elementBits(Kind) / 8;
  if constexpr (Kind == Element::F32) {
    std::memcpy(out, in, 4 * Count);
  } else if constexpr (Kind == Element::F16) {
    uint32_t i = 0;
#if defined(__F16C__)
    typedef _Float16 Halves __attribute__((vector_size(8)));
    for (; i + 4 <= Count; i += 4) {
      Halves halves;
      std::memcpy(&halves, in + 2 * i, sizeof(halves));
      Quad values = __builtin_convertvector(halves, Quad);
      std::memcpy(out + i, &values, sizeof(values));
    }
#endif
    for (; i < Count; ++i) {
      uint16_t half;
      std::memcpy(&half, in + 2 * i, sizeof(half));
      out[i] = halfToFloat(half);
    }
  } else if constexpr (Kind == Element::Bf16) {
    for (uint32_t i = 0; i < Count; ++i) {
      uint16_t bfloat;
      std::memcpy(&bfloat, in + 2 * i, sizeof(bfloat));
      out[i] = bfloatToFloat(bfloat);
    }
  } else {
    // Through local arrays, which the vectoriser knows to be distinct.
    constexpr uint32_t byteCount = Count * elementBits(Kind) / 8;
    unsigned char bytes[byteCount];
    float values[Count];
    std::memcpy(bytes, in, byteCount);
    // (x ^ s) - s with the sign bit s extends the sign, with 0 nothing.
    const int32_t sign = reader.isSigned ? 1 << (elementBits(Kind) - 1) : 0;
    for (uint32_t i = 0; i < Count; ++i) {
      if constexpr (Kind == Element::I8)
        values[i] = static_cast<float>((bytes[i] ^ sign) - sign);
      else if constexpr (Kind == Element::I4)
        values[i] = static_cast<float>(
            ((bytes[i / 2] >> 4 * (i & 1) & 15) ^ sign) - sign);
      else
        values[i] = float8ToFloat(bytes[i], reader.float8);
    }
    std::memcpy(out, values, sizeof(values));
  }
}

/// Gathers A or B from the lanes into `Rows` rows of k numbers by the input
/// map of `Form`.
template <typename Form, uint32_t Rows, Element Kind>
static inline void gather(const MatrixCall &call, uint32_t offset,
                          OperandReader reader, float *out) {
  constexpr LaneMap map = Form::row.inputMap();
  for (uint32_t group = 0; group < map.groups; ++group)
    for (uint32_t row = 0; row < Rows; ++row) {
      const unsigned char *registers = call.slots[group * Rows + row] + offset;
      float *line = out + row * Form::row.k + group * map.run;
      for (uint32_t first = 0; first < map.elements; first += map.run) {
        readElements<Kind, map.run>(registers, first, reader, line);
        line += map.stride;
      }
    }
}

/// Turns a block of four rows, `pitch` apart, and four columns over.
static inline void transposeBlock(const float *in, uint32_t pitch,
                                  Quad (&turned)[4]) {
  Quad line[4];
  for (uint32_t i = 0; i < 4; ++i)
    std::memcpy(&line[i], in + i * pitch, sizeof(line[i]));
  auto low01 = __builtin_shufflevector(line[0], line[1], 0, 4, 1, 5);
  auto high01 = __builtin_shufflevector(line[0], line[1], 2, 6, 3, 7);
  auto low23 = __builtin_shufflevector(line[2], line[3], 0, 4, 1, 5);
  auto high23 = __builtin_shufflevector(line[2], line[3], 2, 6, 3, 7);
  turned[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
  turned[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
  turned[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
  turned[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

/// out[k][m] = in[m][k].
template <uint32_t M, uint32_t K>
static inline void transpose(const float *in, float *out) {
  if constexpr (K % 4 != 0) {
    for (uint32_t row = 0; row < M; ++row)
      for (uint32_t column = 0; column < K; ++column)
        out[column * M + row] = in[row * K + column];
  } else {
    for (uint32_t row = 0; row < M; row += vectorSize)
      for (uint32_t column = 0; column < K; column += 4) {
        Quad blocks[4][4];
        for (uint32_t i = 0; i < 4; ++i)
          transposeBlock(in + (row + 4 * i) * K + column, K, blocks[i]);
        for (uint32_t i = 0; i < 4; ++i)
          *reinterpret_cast<Vector *>(out + (column + i) * M + row) =
              join(blocks[0][i], blocks[1][i], blocks[2][i], blocks[3][i]);
      }
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
static inline Vector multiplyAdd(Vector a, float b, Vector acc) {
  Vector splat = b - Vector{};
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

//===----------------------------------------------------------------------===//
// C and D
//===----------------------------------------------------------------------===//

/// Calls visit(slot, first, part) for the runs of C or D that make up rows
/// [row, row + 16) of a column: elements [first, first + length) of the lane
/// with `slot` are rows row + part and following, where length is the run or 4.
template <typename Form, typename Visit>
static inline void forEachPart(const MatrixCall &call, uint32_t column,
                               uint32_t row, Visit visit) {
  constexpr LaneMap map = Form::row.outputMap();
  // The runs of the groups follow one another without a gap.
  static_assert(map.stride == map.run * map.groups);
  constexpr uint32_t length = map.run < 4 ? map.run : 4;
  for (uint32_t part = 0; part < vectorSize; part += length) {
    uint32_t run = (row + part) / map.run;
    uint32_t group = run % map.groups;
    uint32_t first = run / map.groups * map.run + (row + part) % map.run;
    visit(call.slots[group * Form::row.n + column], first, part);
  }
}

/// Rows [row, row + 16) of a column of C; zeros for integers, which are added
/// at the end.
template <typename Form>
static inline Vector loadColumn(const MatrixCall &call, uint32_t column,
                                uint32_t row) {
  if constexpr (Form::row.isInteger()) {
    return Vector{};
  } else {
    constexpr uint32_t run = Form::row.outputMap().run;
    constexpr uint32_t length = run < 4 ? run : 4;
    Quad quads[4];
    forEachPart<Form>(
        call, column, row,
        [&](const unsigned char *slot, uint32_t first, uint32_t part) {
          float values[length];
          readElements<Form::row.acc, length>(slot + call.offsetC, first,
                                              OperandReader(), values);
          for (uint32_t i = 0; i < length; ++i)
            quads[(part + i) / 4][(part + i) % 4] = values[i];
        });
    Vector vector = join(quads[0], quads[1], quads[2], quads[3]);
    if (call.absC)
      vector = (Vector)((VectorBits)vector & 0x7fffffffu);
    if (call.negateC)
      vector = (Vector)((VectorBits)vector ^ 0x80000000u);
    return vector;
  }
}

/// One part of a column of D.
template <Element Kind, uint32_t Count>
static inline void storeFloats(unsigned char *registers, uint32_t first,
                               const float *values) {
  if constexpr (Kind == Element::F32) {
    std::memcpy(registers + 4 * first, values, 4 * Count);
    return;
  }
  for (uint32_t i = 0; i < Count; ++i) {
    uint16_t bits = Kind == Element::F16 ? floatToHalf(values[i])
                                         : floatToBfloat(values[i]);
    std::memcpy(registers + 2 * (first + i), &bits, sizeof(bits));
  }
}

/// One part of a column of D = C + products. The sum of the products is exact
/// in float, being below 2^24 in every form (64 * 255 * 255), so that adding C
/// last decides about wrapping or saturation exactly.
template <uint32_t Count>
static inline void storeIntegers(const unsigned char *registersC,
                                 unsigned char *registersD, uint32_t first,
                                 bool clamp, const float *products) {
  for (uint32_t i = 0; i < Count; ++i) {
    int32_t before;
    std::memcpy(&before, registersC + 4 * (first + i), sizeof(before));
    int64_t sum =
        static_cast<int64_t>(before) + static_cast<int32_t>(products[i]);
    if (clamp && sum > INT32_MAX)
      sum = INT32_MAX;
    if (clamp && sum < INT32_MIN)
      sum = INT32_MIN;
    auto result = static_cast<uint32_t>(sum);
    std::memcpy(registersD + 4 * (first + i), &result, sizeof(result));
  }
}

/// Writes rows [row, row + 16) of a column of D.
template <typename Form>
static inline void storeColumn(const MatrixCall &call, uint32_t column,
                               uint32_t row, Vector vector) {
  constexpr uint32_t run = Form::row.outputMap().run;
  constexpr uint32_t length = run < 4 ? run : 4;
  forEachPart<Form>(call, column, row,
                    [&](unsigned char *slot, uint32_t first, uint32_t part) {
                      float values[length];
                      for (uint32_t i = 0; i < length; ++i)
                        values[i] = vector[part + i];
                      if constexpr (Form::row.isInteger())
                        storeIntegers<length>(slot + call.offsetC,
                                              slot + call.offsetD, first,
                                              call.clamp, values);
                      else
                        storeFloats<Form::row.acc, length>(slot + call.offsetD,
                                                           first, values);
                    });
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// D[m][n] = C[m][n] + sum over k, ascending, of a[k][m] * b[n][k]. Four or
/// eight columns at a time: as many chains as the multipliers' latency needs.
template <typename Form>
static inline void multiply(const MatrixCall &call, const float *a,
                            const float *b) {
  constexpr MatrixForm form = Form::row;
  constexpr bool isExact = form.a != Element::F32 && form.a != Element::Bf16;
#if defined(__AVX512F__)
  constexpr uint32_t width = 8;
#else
  constexpr uint32_t width = 4;
#endif
  for (uint32_t row = 0; row < form.m; row += vectorSize)
    for (uint32_t column = 0; column < form.n; column += width) {
      Vector sums[width];
      for (uint32_t i = 0; i < width; ++i)
        sums[i] = loadColumn<Form>(call, column + i, row);
      for (uint32_t step = 0; step < form.k; ++step) {
        auto line = *reinterpret_cast<const Vector *>(a + step * form.m + row);
        for (uint32_t i = 0; i < width; ++i)
          sums[i] = multiplyAdd<isExact>(line, b[(column + i) * form.k + step],
                                         sums[i]);
      }
      for (uint32_t i = 0; i < width; ++i)
        storeColumn<Form>(call, column + i, row, sums[i]);
    }
}

namespace {
/// Both 8-bit floats are read by a decoder: one kernel serves them.
constexpr Element asRead(Element element) {
  return element == Element::Bf8 ? Element::Fp8 : element;
}

template <MatrixFamily Family, uint32_t M, uint32_t N, uint32_t K, Element A,
          Element B, Element Acc>
struct StaticForm {
  static constexpr MatrixForm row = {0, Family, M, N, K, A, B, Acc};
};
} // namespace

/// Gathers A and its transpose as [k][m] and B^T as [n][k], and multiplies.
template <typename Form>
static void runForm(const MatrixCall &call) {
  constexpr MatrixForm form = Form::row;
  alignas(64) float a[form.m * form.k];
  alignas(64) float transposedA[form.m * form.k];
  alignas(64) float b[form.n * form.k];
  gather<Form, form.m, form.a>(call, call.offsetA, call.readerA, a);
  transpose<form.m, form.k>(a, transposedA);
  gather<Form, form.n, form.b>(call, call.offsetB, call.readerB, b);
  multiply<Form>(call, transposedA, b);
}

const MatrixKernel fly::cpu::FLY_MATRIX_KERNELS[] = {
#define FLY_MATRIX_FORM(Operation, Family, M, N, K, A, B, Acc)                 \
  runForm<StaticForm<MatrixFamily::Family, M, N, K, asRead(Element::A),        \
                     asRead(Element::B), Element::Acc>>,
#include "MatrixForms.def"
};
