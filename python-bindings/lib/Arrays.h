// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that Python objects hold: NumPy arrays (with ml_dtypes), torch tensors,
// objects with `__dlpack__`, and wrappers with the attribute `_flydsl_array`.

#ifndef FLY_PYTHON_BINDINGS_LIB_ARRAYS_H
#define FLY_PYTHON_BINDINGS_LIB_ARRAYS_H

#include "mlir/Bindings/Python/Nanobind.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fly::python {

namespace nb = nanobind;

/// An element type as DLPack names it.
struct ElementKind {
  int code = -1;
  int bits = 0;
  bool operator==(const ElementKind &other) const {
    return code == other.code && bits == other.bits;
  }
};

/// The name of a kind in NumPy and ml_dtypes; "code … bits …" for another.
std::string getKindName(ElementKind kind);

/// What an array argument must be.
struct ArraySpec {
  /// The name of the argument, for errors.
  std::string name;
  int64_t itemBytes = 0;
  /// Code -1: any elements of itemBytes.
  ElementKind kind;
  int rank = 0;
  /// By axis; kDynamic where the compiled code takes the array's.
  std::vector<int64_t> shape, strides;
  /// Bits of a run-time stride: 64 or 32.
  int strideBits = 64;
  int64_t alignment = 1;

  /// The type object (a dtype) that was found to fit last.
  nb::object fittingType;
};
constexpr int64_t kDynamic = INT64_MIN;

/// Checks `object` against `spec` and writes its address to `pointer` and its
/// run-time sizes (32 bits each) and then strides to `dynamic`. TypeError or
/// ValueError that names the argument.
void readArray(ArraySpec &spec, nb::handle object, void **pointer,
               char *dynamic);

} // namespace fly::python

#endif // FLY_PYTHON_BINDINGS_LIB_ARRAYS_H
