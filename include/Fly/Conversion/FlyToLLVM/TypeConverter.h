// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of the types of the `fly` dialect to the LLVM dialect.

#ifndef FLY_CONVERSION_FLYTOLLVM_TYPECONVERTER_H
#define FLY_CONVERSION_FLYTOLLVM_TYPECONVERTER_H

#include "Fly/Dialect/Fly/IR/FlyTypes.h"

#include "mlir/Transforms/DialectConversion.h"

namespace fly {

/// Converts
///  - pointers and memrefs to LLVM pointers: generic 0, global 1, shared 3,
///    register 5 (a target adds conversions for spaces of its own);
///  - atoms and tiled atoms to the struct of their state;
///  - floats narrower than 16 bits, and vectors of them, to integers.
/// All other types stay. Values whose type changes only between float and
/// integer are cast with `arith.bitcast`.
class FlyTypeConverter : public mlir::TypeConverter {
public:
  FlyTypeConverter();
};

/// `type` as LLVM stores it: small floats (and vectors of them) as integers.
mlir::Type toStorageType(mlir::Type type);

/// The LLVM address space of one of the dialect's own.
unsigned getLLVMAddressSpace(AddressSpace space);

/// Total bits of a scalar or a fixed-size vector of integers or floats, of an
/// index or pointer nothing.
std::optional<int64_t> getRegisterBits(mlir::Type type);

} // namespace fly

#endif // FLY_CONVERSION_FLYTOLLVM_TYPECONVERTER_H
