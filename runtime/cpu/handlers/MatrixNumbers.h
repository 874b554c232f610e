// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of matrix operations as numbers in double precision, which hold
// every format exactly.

#ifndef FLY_RUNTIME_CPU_HANDLERS_MATRIXNUMBERS_H
#define FLY_RUNTIME_CPU_HANDLERS_MATRIXNUMBERS_H

#include "MatrixForm.h"

#include <vector>

namespace fly::cpu {

/// A matrix of each block, rows of `columns` numbers.
struct Numbers {
  Numbers(uint32_t blocks, uint32_t rows, uint32_t columns)
      : rows(rows), columns(columns), values(blocks * rows * columns) {}
  double &at(uint32_t block, uint32_t row, uint32_t column) {
    return values[(block * rows + row) * columns + column];
  }
  uint32_t rows, columns;
  std::vector<double> values;
};

/// Element i of a lane's registers on `chip`, whose 8-bit floats it may be.
/// `isSigned` counts for I8 and I4.
double readElement(const unsigned char *registers, uint32_t i, Element element,
                   uint32_t chip, bool isSigned = true);

/// Writes element i of a result, rounded once, or wrapped: a whole number is
/// below 2^53.
void storeElement(unsigned char *registers, uint32_t i, Element element,
                  double value);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_HANDLERS_MATRIXNUMBERS_H
