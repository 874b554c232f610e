// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types as the device sees them: sizes and alignments of its ABI, its address
// spaces, and which host type stands for which.

#ifndef FLY_LIB_CONVERSION_ROCDLTOHOST_DEVICETYPES_H
#define FLY_LIB_CONVERSION_ROCDLTOHOST_DEVICETYPES_H

#include "mlir/IR/Types.h"

#include <optional>

namespace fly::host {

/// The address spaces of AMDGPU that lane code uses.
enum AddressSpace : unsigned {
  GenericSpace = 0,
  GlobalSpace = 1,
  LdsSpace = 3,
  ConstantSpace = 4,
  PrivateSpace = 5,
  ResourceSpace = 8,
};

/// Size and alignment in bytes.
struct TypeLayout {
  uint64_t size = 0; ///< a multiple of `align`
  uint64_t align = 1;
};

/// Size and alignment of `type` by the data layout of AMDGPU (of structs and
/// arrays, too), or nothing for a type without one or beyond 64 bits.
std::optional<TypeLayout> deviceLayout(mlir::Type type);

/// Bytes of `type` as one slot field: without padding; an i1 is one byte, a
/// pointer that of the host, one to LDS four, a buffer resource sixteen.
/// Nothing for types that cannot be a field.
std::optional<uint32_t> fieldBytes(mlir::Type type);

/// True if `type` is, or contains, a pointer for which `test` holds.
bool containsPointer(mlir::Type type,
                     llvm::function_ref<bool(unsigned space)> test);

/// True if `type` is a pointer of address space `space`.
bool isPointerTo(mlir::Type type, unsigned space);

/// Replaces every pointer type of AMDGPU under `op` by the host's: plain
/// pointers, and vector<4xi32> for buffer resources.
void convertPointerTypes(mlir::Operation *op);

/// The host's type for `type`.
mlir::Type hostType(mlir::Type type);

} // namespace fly::host

#endif // FLY_LIB_CONVERSION_ROCDLTOHOST_DEVICETYPES_H
