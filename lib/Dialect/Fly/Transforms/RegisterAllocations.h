// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which register allocations of a function can become SSA values, and where
// every access to them lies. Private to the promotion pass, which rewrites what
// this analysis has found; nothing here changes the IR.

#ifndef FLY_LIB_DIALECT_FLY_TRANSFORMS_REGISTERALLOCATIONS_H
#define FLY_LIB_DIALECT_FLY_TRANSFORMS_REGISTERALLOCATIONS_H

#include "Fly/Dialect/Fly/IR/FlyOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace fly {

/// The type in which register memory of `elementType` is kept as a value:
/// itself, or the integer of its width for floats narrower than 16 bits.
mlir::Type getRegisterElementType(mlir::Type elementType);

/// True for a pointer or memref in register space.
bool isRegisterType(mlir::Type type);

/// One `make_ptr` of register space with a known number of elements.
struct RegisterAllocation {
  MakePtrOp op;
  /// The SSA type that holds its whole content.
  mlir::VectorType stateType;
  /// Larger than a lane's registers, reached by a used `recast_iter`, by a
  /// run-time offset, or (with another excluded allocation beside it) by an op
  /// that needs memory: it stays.
  bool excluded = false;
};

/// A pointer or view known to be an allocation plus a static element offset.
struct RegisterAddress {
  unsigned allocation;
  int64_t offset;
  bool operator==(const RegisterAddress &other) const {
    return allocation == other.allocation && offset == other.offset;
  }
  bool operator!=(const RegisterAddress &other) const {
    return !(*this == other);
  }
};

/// All register allocations of one function, in program order.
class RegisterAllocations {
public:
  /// Follows every allocation of `function` to its accesses. Fails with a
  /// diagnostic if an access leaves its allocation, or an allocation is used in
  /// a way that can neither be promoted nor stay in memory.
  static mlir::FailureOr<RegisterAllocations>
  analyze(mlir::FunctionOpInterface function);

  llvm::ArrayRef<RegisterAllocation> getAllocations() const {
    return allocations;
  }
  bool anyExcluded() const;
  bool anyPromoted() const;

  /// The address of `pointer` in a promoted allocation, if it is one.
  std::optional<RegisterAddress> lookup(mlir::Value pointer) const;

  /// The promoted allocations from outside of `op` that are loaded or stored
  /// inside of it, in allocation order.
  llvm::ArrayRef<unsigned> getTouched(mlir::Operation *op) const;

private:
  void follow(unsigned index);
  void followUse(mlir::OpOperand &use, RegisterAddress address);
  void join(mlir::Value target, mlir::ValueRange sources,
            RegisterAddress address);
  void reach(mlir::Value value, RegisterAddress address);
  mlir::LogicalResult checkAccess(mlir::Operation *op, mlir::Type accessed,
                                  RegisterAddress address);
  void recordTouched();

  llvm::SmallVector<RegisterAllocation> allocations;
  llvm::DenseMap<mlir::Value, RegisterAddress> addresses;
  /// Values that wait for their uses to be followed.
  llvm::SmallVector<mlir::Value> worklist;
  /// Control-flow joins to check once every address is known: the target and
  /// all values that flow into it.
  llvm::SmallVector<std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>>
      joins;
  /// Accesses and their allocations.
  llvm::SmallVector<std::pair<mlir::Operation *, unsigned>> accesses;
  /// The first use of each allocation that needs memory.
  llvm::DenseMap<unsigned, mlir::Operation *> escapes;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> touched;
};

} // namespace fly

#endif // FLY_LIB_DIALECT_FLY_TRANSFORMS_REGISTERALLOCATIONS_H
