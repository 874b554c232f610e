// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays in host memory as the tools give them to kernels: an element type, a
// shape and row-major bytes; reading and writing them as .npy files, and
// comparing two of them. Knows nothing of fly types or devices.

#ifndef FLY_EXECUTION_HOSTARRAY_H
#define FLY_EXECUTION_HOSTARRAY_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace fly {

/// A dense row-major array. Elements are whole bytes; `data` has exactly
/// numElements() * elementBytes() of them, little endian.
struct HostArray {
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  std::vector<char> data;

  int64_t numElements() const;
  int64_t elementBytes() const;
  /// `96x64xf32`; a rank-0 array prints its type alone.
  std::string str() const;
  /// Element `index` (row-major) as a double; integers by their signless
  /// two's complement value.
  double getAsDouble(int64_t index) const;
  /// The same without loss: a long double holds every 64-bit integer.
  long double getExactly(int64_t index) const;
  /// The same as text, enough digits to tell two f32 values apart.
  std::string getText(int64_t index) const;
};

/// Bytes of one element of `type`, or nullopt if it is no float or integer
/// type of whole bytes (sub-byte elements have no array form).
std::optional<int64_t> getElementBytes(mlir::Type type);

/// Parses an element type as the command line writes it: `f32`, `bf16`,
/// `f8E4M3FN`, `i32`, ...
llvm::Expected<mlir::Type> parseElementType(mlir::MLIRContext *context,
                                            llvm::StringRef text);

/// Encodes the number `text` as one element of `type` at `out`. An integer
/// that does not fit the type (as signed or unsigned) is an error.
llvm::Error encodeElement(mlir::Type type, llvm::StringRef text, char *out);

/// Reads a .npy file (format 1.0 to 3.0, C order). `type`, if given, is what
/// its elements are: it must fit the file's dtype, where bf16 and the 8-bit
/// floats are raw `u2` and `u1`. Without it the dtype decides.
llvm::Expected<HostArray> readNpy(mlir::MLIRContext *context,
                                  llvm::StringRef path, mlir::Type type = {});

/// Writes `array` as a .npy file of format 1.0.
llvm::Error writeNpy(const HostArray &array, llvm::StringRef path);

/// What a comparison found.
struct Comparison {
  int64_t mismatches = 0;
  /// Row-major index of the worst element: one that does not match before one
  /// that does, one without a finite error before others, then the largest
  /// |got - want|.
  int64_t worstIndex = 0;
  /// |got - want| of that element; NaN if only one side is.
  double worstError = 0;
  bool matches() const { return mismatches == 0; }
};

/// Compares element by element: equal, both NaN, or
/// |got - want| <= atol + rtol * |want|. The shapes must be equal.
llvm::Expected<Comparison> compareArrays(const HostArray &got,
                                         const HostArray &want, double rtol,
                                         double atol);

/// `[3, 5]`: the row-major `index` as a coordinate of `shape`.
std::string formatCoordinate(llvm::ArrayRef<int64_t> shape, int64_t index);

} // namespace fly

#endif // FLY_EXECUTION_HOSTARRAY_H
