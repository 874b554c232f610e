// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one conversion: the module, its chip, the table that is being
// collected, where LDS globals lie, and the small pieces of code by which a
// lane reaches its context and the runtime.

#ifndef FLY_LIB_CONVERSION_ROCDLTOHOST_HOSTMODULE_H
#define FLY_LIB_CONVERSION_ROCDLTOHOST_HOSTMODULE_H

#include "ObjectTable.h"
#include "SiteNumbering.h"

#include "Fly/Arch/Chips.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fly::host {

/// Static LDS of one kernel, in bytes.
struct LdsLayout {
  llvm::DenseMap<mlir::StringAttr, uint64_t> offsets;
  uint64_t bytes = 0;
  uint64_t align = 1;
};

class HostModule {
public:
  HostModule(mlir::gpu::GPUModuleOp module, const arch::Chip &chip,
             bool memoryHooks)
      : module(module), chip(chip), memoryHooks(memoryHooks) {}

  mlir::gpu::GPUModuleOp module;
  const arch::Chip &chip;
  bool memoryHooks;
  /// Waits are sites (Waits.h).
  bool followsWaits = false;
  ObjectTable table;
  /// One for each kernel; other functions use `sharedLds`, whose offsets every
  /// kernel's layout begins with.
  llvm::DenseMap<mlir::Operation *, LdsLayout> kernelLds;
  LdsLayout sharedLds;

  /// Lays out the LDS globals; an error at a kernel that needs more than the
  /// chip has, or at a global that has a value or no size.
  mlir::LogicalResult layOutLds();

  /// Makes the globals and thunks that every object has. Called once.
  void emitRuntimeAccess();

  /// Plain pointer type of the host.
  mlir::LLVM::LLVMPointerType pointerType();

  // Code of a lane. `lane` is a fly_cpu_lane *, the first argument of every
  // converted function.

  /// The field at `offset` of `base`, with `type`; `invariant` if it does not
  /// change while the lane lives.
  mlir::Value loadField(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value base, uint64_t offset, mlir::Type type,
                        bool invariant);
  /// `base` plus `bytes`.
  mlir::Value addBytes(mlir::OpBuilder &b, mlir::Location loc, mlir::Value base,
                       uint64_t bytes);
  /// The workgroup's LDS.
  mlir::Value ldsBase(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lane);
  /// The 32-bit offset of a pointer into the workgroup's LDS.
  mlir::Value ldsOffset(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value lane, mlir::Value pointer);
  mlir::Value constant(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                       int64_t value);
  /// Calls the function at `offset` of the runtime's table.
  mlir::Value callRuntime(mlir::OpBuilder &b, mlir::Location loc,
                          uint64_t offset, mlir::Type result,
                          mlir::ValueRange arguments);
  /// Reports a fault (a fly_cpu_lane_fault); the call does not return.
  /// `location` is an i32 value.
  void emitLaneFault(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lane,
                     mlir::Value location, uint32_t fault, mlir::Value detail);
  /// Calls the memory hook if the conversion has the option; `access` is a set
  /// of fly_cpu_access, `bytes` an i64.
  void emitMemoryHook(mlir::OpBuilder &b, mlir::Location loc, mlir::Value lane,
                      mlir::Value location, mlir::Value address,
                      mlir::Value bytes, uint32_t access);
  /// The i32 constant that names `loc` in the object's table.
  mlir::Value locationValue(mlir::OpBuilder &b, mlir::Location loc);

  /// The internal function `name`, made by `build` at its first use. `build`
  /// gets a builder at the end of its entry block.
  mlir::LLVM::LLVMFuncOp
  getHelper(llvm::StringRef name, mlir::LLVM::LLVMFunctionType type,
            bool inlined,
            llvm::function_ref<void(mlir::OpBuilder &, mlir::LLVM::LLVMFuncOp)>
                build);

private:
  mlir::LogicalResult place(mlir::LLVM::GlobalOp global, LdsLayout &layout);
  void emitThunk(llvm::StringRef name, mlir::Type argument, mlir::Type result,
                 uint64_t offset);

  llvm::StringMap<mlir::LLVM::LLVMFuncOp> helpers;
};

/// Name of the global that holds the pointer to the runtime's table.
inline constexpr llvm::StringLiteral runtimeSymbol = "__fly_cpu_runtime";

/// True if `func` is an entry that the host can launch.
bool isKernel(mlir::LLVM::LLVMFuncOp func);

/// Reports everything in the module that cannot run on the host, each at its
/// operation (Check.cpp).
mlir::LogicalResult checkModule(HostModule &host);

/// Gives functions that are no kernels the lane as first parameter
/// (LaneLocal.cpp); the rewriting of their callers passes it.
void passLaneToFunctions(HostModule &host,
                         llvm::ArrayRef<mlir::LLVM::LLVMFuncOp> functions);

/// Rewrites the lane-local operations of a function (LaneLocal.cpp). `lane` is
/// its value of the lane's context.
void rewriteLaneLocal(HostModule &host, mlir::LLVM::LLVMFuncOp func,
                      mlir::Value lane);

/// Makes an assumption a check (Assumptions.cpp).
void rewriteAssume(HostModule &host, mlir::LLVM::AssumeOp op, mlir::Value lane);

/// Rewrites one buffer operation (Buffers.cpp); false if `op` is none.
bool rewriteBufferOp(HostModule &host, mlir::Operation *op, mlir::Value lane);

/// True if `op` converts 8-bit floats (Conversions.cpp).
bool isFloat8Conversion(mlir::Operation *op);

/// Rewrites a conversion of 8-bit floats; false if `op` is none.
bool rewriteFloat8Conversion(HostModule &host, mlir::Operation *op);

/// Rewrites rocdl.cvt.pkrtz (Conversions.cpp).
void rewritePairToHalf(HostModule &host, mlir::Operation *op);

/// True if `op` is one of the scaling conversions of narrow floats
/// (ScaledConversions.cpp).
bool isScaledConversion(mlir::Operation *op);

/// True if `op` is one of them that takes the scales of other lanes.
bool readsOtherLanes(mlir::Operation *op);

/// What is wrong with a scaling conversion, or "".
std::string checkScaledConversion(const HostModule &host, mlir::Operation *op);

/// Puts a cross-lane operation before each scaling conversion that takes the
/// scales of other lanes, and gives it what that delivers.
void exchangeScales(HostModule &host);

/// Rewrites a scaling conversion; false if `op` is none.
bool rewriteScaledConversion(HostModule &host, mlir::Operation *op,
                             mlir::Value lane);

/// Why the call of an intrinsic of AMD GPUs cannot run on the host, to follow
/// the operation's name; empty if it can (Intrinsics.cpp).
std::string checkIntrinsic(HostModule &host, mlir::LLVM::CallIntrinsicOp call);

/// Rewrites a call that passed `checkIntrinsic`.
void rewriteIntrinsic(HostModule &host, mlir::LLVM::CallIntrinsicOp call,
                      mlir::Value lane);

/// What a call of one of LLVM's buffer atomics does; nothing for other calls.
std::optional<mlir::LLVM::AtomicBinOp>
getBufferAtomic(mlir::LLVM::CallIntrinsicOp call);

/// Bit of the cache policy operand that asks for swizzled access.
unsigned bufferSwizzleBit(const arch::Chip &chip);

/// Turns the body of a kernel into a coroutine, with the lane and the argument
/// block as parameters, and adds it to the table. Runs the lane-local
/// rewriting in between (Coroutine.cpp).
mlir::LogicalResult convertKernel(HostModule &host,
                                  mlir::LLVM::LLVMFuncOp kernel);

} // namespace fly::host

#endif // FLY_LIB_CONVERSION_ROCDLTOHOST_HOSTMODULE_H
