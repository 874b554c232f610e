// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lane does by itself: ids and sizes from its context, pointers into
// LDS, lane counts, approximate mathematics, traps; and the operations that
// mean nothing to it. Types are still those of the device here; the driver
// replaces them at the end.

#include "DeviceTypes.h"
#include "HostModule.h"
#include "OperationTable.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly::host;

void fly::host::passLaneToFunctions(HostModule &host,
                                    ArrayRef<LLVM::LLVMFuncOp> functions) {
  for (LLVM::LLVMFuncOp func : functions) {
    LLVM::LLVMFunctionType type = func.getFunctionType();
    SmallVector<Type> parameters{host.pointerType()};
    llvm::append_range(parameters, type.getParams());
    func.setFunctionType(LLVM::LLVMFunctionType::get(
        type.getReturnType(), parameters, type.isVarArg()));
    func.getBody().front().insertArgument(0u, host.pointerType(),
                                          func.getLoc());
    func.removeArgAttrsAttr();
    func.setLinkage(LLVM::Linkage::Internal);
  }
}

namespace {
/// Rewrites the operations of one function.
class LaneRewriter {
public:
  LaneRewriter(HostModule &host, LLVM::LLVMFuncOp func, Value lane)
      : host(host), func(func), lane(lane), b(func.getContext()) {}

  void run() {
    SmallVector<Operation *> ops;
    func.walk([&](Operation *op) {
      if (op != func)
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      b.setInsertionPoint(op);
      if (lookupOperation(op)->kind == OperationKind::NoEffect) {
        op->erase();
        continue;
      }
      hookAccess(op);
      if (!rewriteBufferOp(host, op, lane) &&
          !rewriteFloat8Conversion(host, op) &&
          !rewriteScaledConversion(host, op, lane))
        rewrite(op);
    }
  }

private:
  void replace(Operation *op, Value value) {
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
  }

  /// Replaces a pointer by a new value that stands for it. The value keeps the
  /// pointer's type of the device, by which later operations know what it
  /// points to, until the driver replaces all pointer types.
  void replacePointer(Operation *op, Value value) {
    value.setType(op->getResult(0).getType());
    replace(op, value);
  }

  /// An i32 value as `type`, an integer of at least 32 bits or less.
  Value resize(Location loc, Value value, Type type) {
    unsigned from = value.getType().getIntOrFloatBitWidth();
    unsigned to = type.getIntOrFloatBitWidth();
    if (from == to)
      return value;
    if (from < to)
      return LLVM::ZExtOp::create(b, loc, type, value);
    return LLVM::TruncOp::create(b, loc, type, value);
  }

  void replaceByLaneField(Operation *op, uint64_t offset) {
    Value value = host.loadField(b, op->getLoc(), lane, offset, b.getI32Type(),
                                 /*invariant=*/true);
    replace(op, resize(op->getLoc(), value, op->getResult(0).getType()));
  }

  void replaceByWorkgroupField(Operation *op, uint64_t offset) {
    Value workgroup =
        host.loadField(b, op->getLoc(), lane, offsetof(fly_cpu_lane, workgroup),
                       host.pointerType(), /*invariant=*/true);
    Value value = host.loadField(b, op->getLoc(), workgroup, offset,
                                 b.getI32Type(), /*invariant=*/true);
    replace(op, resize(op->getLoc(), value, op->getResult(0).getType()));
  }

  /// The number of the cluster in the grid.
  void rewriteClusterId(Operation *op, unsigned axis) {
    Location loc = op->getLoc();
    Value workgroup =
        host.loadField(b, loc, lane, offsetof(fly_cpu_lane, workgroup),
                       host.pointerType(), /*invariant=*/true);
    auto field = [&](uint64_t offset) {
      return host.loadField(b, loc, workgroup, offset + 4 * axis,
                            b.getI32Type(), /*invariant=*/true);
    };
    Value id = LLVM::UDivOp::create(
        b, loc, field(offsetof(fly_cpu_workgroup, block_id)),
        field(offsetof(fly_cpu_workgroup, cluster_dim)));
    replace(op, resize(loc, id, op->getResult(0).getType()));
  }

  /// in1 plus the number of bits of in0 that belong to lanes below this one,
  /// in the low or in the high half of the wave.
  void rewriteMbcnt(Operation *op, bool high) {
    Location loc = op->getLoc();
    Type i32 = b.getI32Type(), i64 = b.getI64Type();
    Value number = host.loadField(b, loc, lane, offsetof(fly_cpu_lane, lane),
                                  i32, /*invariant=*/true);
    Value one = host.constant(b, loc, i64, 1);
    Value below = LLVM::SubOp::create(
        b, loc, LLVM::ShlOp::create(b, loc, one, resize(loc, number, i64)),
        one);
    if (high)
      below =
          LLVM::LShrOp::create(b, loc, below, host.constant(b, loc, i64, 32));
    Value bits = LLVM::AndOp::create(b, loc, op->getOperand(0),
                                     LLVM::TruncOp::create(b, loc, i32, below));
    Value count = LLVM::CtPopOp::create(b, loc, i32, bits);
    replace(op, LLVM::AddOp::create(b, loc, count, op->getOperand(1)));
  }

  Value floatConstant(Location loc, Type type, double value) {
    return LLVM::ConstantOp::create(b, loc, type, b.getFloatAttr(type, value));
  }

  template <typename HostOp>
  void rewriteUnary(Operation *op, double scale = 1.0) {
    Location loc = op->getLoc();
    Value argument = op->getOperand(0);
    Type type = argument.getType();
    if (scale != 1.0)
      argument = LLVM::FMulOp::create(b, loc, argument,
                                      floatConstant(loc, type, scale));
    replace(op, HostOp::create(b, loc, type, argument));
  }

  void rewriteMed3(ROCDL::FMed3Op op) {
    Location loc = op.getLoc();
    Type type = op.getType();
    Value x = op.getSrc0(), y = op.getSrc1(), z = op.getSrc2();
    Value low = LLVM::MinNumOp::create(b, loc, type, x, y);
    Value high = LLVM::MaxNumOp::create(b, loc, type, x, y);
    Value middle = LLVM::MinNumOp::create(b, loc, type, high, z);
    replace(op, LLVM::MaxNumOp::create(b, loc, type, low, middle));
  }

  void rewriteAddressOf(LLVM::AddressOfOp op) {
    if (!isPointerTo(op.getType(), LdsSpace))
      return;
    auto kernel = host.kernelLds.find(func);
    const LdsLayout &layout =
        kernel == host.kernelLds.end() ? host.sharedLds : kernel->second;
    uint64_t offset = layout.offsets.lookup(op.getGlobalNameAttr().getAttr());
    Value base = host.ldsBase(b, op.getLoc(), lane);
    replacePointer(op, host.addBytes(b, op.getLoc(), base, offset));
  }

  void rewritePtrToInt(LLVM::PtrToIntOp op) {
    Location loc = op.getLoc();
    Value pointer = op.getArg();
    Type type = op.getType();
    if (isPointerTo(pointer.getType(), ResourceSpace)) {
      Value bits =
          LLVM::BitcastOp::create(b, loc, b.getIntegerType(128), pointer);
      replace(op, resize(loc, bits, type));
    } else if (isPointerTo(pointer.getType(), LdsSpace)) {
      replace(op, resize(loc, host.ldsOffset(b, loc, lane, pointer), type));
    }
  }

  void rewriteIntToPtr(LLVM::IntToPtrOp op) {
    Location loc = op.getLoc();
    Value number = op.getArg();
    if (isPointerTo(op.getType(), ResourceSpace)) {
      Value bits = resize(loc, number, b.getIntegerType(128));
      replacePointer(op, LLVM::BitcastOp::create(
                             b, loc, VectorType::get(4, b.getI32Type()), bits));
    } else if (isPointerTo(op.getType(), LdsSpace)) {
      Value offset =
          resize(loc, resize(loc, number, b.getI32Type()), b.getI64Type());
      Value base = host.ldsBase(b, loc, lane);
      replacePointer(op, LLVM::GEPOp::create(b, loc, host.pointerType(),
                                             b.getI8Type(), base,
                                             ArrayRef<LLVM::GEPArg>{offset}));
    }
  }

  /// Pointer zero of LDS is its first byte, not the host's null.
  void rewriteZero(LLVM::ZeroOp op) {
    if (isPointerTo(op.getType(), LdsSpace))
      replacePointer(op, host.ldsBase(b, op.getLoc(), lane));
  }

  void emitFault(Location loc, uint32_t fault, Value detail) {
    host.emitLaneFault(b, loc, lane, host.locationValue(b, loc), fault, detail);
  }

  void rewriteTrap(Operation *op) {
    emitFault(op->getLoc(), FlyCpuFaultUnreachable,
              host.constant(b, op->getLoc(), b.getI64Type(), 0));
    if (!op->hasTrait<OpTrait::IsTerminator>())
      op->erase();
  }

  void rewriteCall(LLVM::CallOp op) {
    StringRef callee = *op.getCallee();
    if (callee == "__fly_assert") {
      emitFault(op.getLoc(), FlyCpuFaultAssertion,
                resize(op.getLoc(), op.getArgOperands()[0], b.getI64Type()));
      op->erase();
      return;
    }
    if (std::optional<PrintFunction> print = lookupPrintFunction(callee)) {
      Value message =
          host.callRuntime(b, op.getLoc(), print->offset,
                           op.getResult().getType(), op.getArgOperands());
      op.getResult().replaceAllUsesWith(message);
      op->erase();
      return;
    }
    auto target = cast<LLVM::LLVMFuncOp>(
        SymbolTable::lookupSymbolIn(host.module, op.getCalleeAttr()));
    if (target.isExternal())
      return;
    SmallVector<Value> operands{lane};
    llvm::append_range(operands, op.getArgOperands());
    op.getCalleeOperandsMutable().assign(operands);
    op.removeArgAttrsAttr();
  }

  /// Inline assembly that passed the check: nothing, or a value as it is.
  void rewriteInlineAsm(LLVM::InlineAsmOp op) {
    if (op.getNumResults() == 1)
      op->getResult(0).replaceAllUsesWith(op.getOperands()[0]);
    op->erase();
  }

  void hookAccess(Operation *op);
  void rewrite(Operation *op);

  HostModule &host;
  LLVM::LLVMFuncOp func;
  Value lane;
  OpBuilder b;
};
} // namespace

/// Calls the memory hook before an access of LLVM's own operations.
void LaneRewriter::hookAccess(Operation *op) {
  if (!host.memoryHooks)
    return;
  Location loc = op->getLoc();
  auto hook = [&](Value pointer, Value bytes, uint32_t access) {
    if (isPointerTo(pointer.getType(), PrivateSpace))
      return;
    if (isPointerTo(pointer.getType(), LdsSpace))
      access |= FlyCpuAccessLds;
    host.emitMemoryHook(b, loc, lane, host.locationValue(b, loc), pointer,
                        bytes, access);
  };
  auto sizeOf = [&](Type type) -> Value {
    std::optional<TypeLayout> layout = deviceLayout(type);
    std::optional<uint32_t> packed = fieldBytes(type);
    uint64_t bytes = packed ? *packed : layout ? layout->size : 0;
    return host.constant(b, loc, b.getI64Type(), int64_t(bytes));
  };
  constexpr uint32_t atomic =
      FlyCpuAccessRead | FlyCpuAccessWrite | FlyCpuAccessAtomic;
  TypeSwitch<Operation *>(op)
      .Case([&](LLVM::LoadOp load) {
        hook(load.getAddr(), sizeOf(load.getType()), FlyCpuAccessRead);
      })
      .Case([&](LLVM::StoreOp store) {
        hook(store.getAddr(), sizeOf(store.getValue().getType()),
             FlyCpuAccessWrite);
      })
      .Case([&](LLVM::AtomicRMWOp rmw) {
        hook(rmw.getPtr(), sizeOf(rmw.getVal().getType()), atomic);
      })
      .Case([&](LLVM::AtomicCmpXchgOp swap) {
        hook(swap.getPtr(), sizeOf(swap.getVal().getType()), atomic);
      })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>([&](auto copy) {
        Value bytes = resize(loc, copy.getLen(), b.getI64Type());
        hook(copy.getSrc(), bytes, FlyCpuAccessRead);
        hook(copy.getDst(), bytes, FlyCpuAccessWrite);
      })
      .Case([&](LLVM::MemsetOp set) {
        hook(set.getDst(), resize(loc, set.getLen(), b.getI64Type()),
             FlyCpuAccessWrite);
      });
}

void LaneRewriter::rewrite(Operation *op) {
  constexpr uint64_t thread = offsetof(fly_cpu_lane, thread_id);
  constexpr uint64_t blockId = offsetof(fly_cpu_workgroup, block_id);
  constexpr uint64_t blockDim = offsetof(fly_cpu_workgroup, block_dim);
  constexpr uint64_t gridDim = offsetof(fly_cpu_workgroup, grid_dim);
  TypeSwitch<Operation *>(op)
      .Case([&](ROCDL::ThreadIdXOp) { replaceByLaneField(op, thread); })
      .Case([&](ROCDL::ThreadIdYOp) { replaceByLaneField(op, thread + 4); })
      .Case([&](ROCDL::ThreadIdZOp) { replaceByLaneField(op, thread + 8); })
      .Case([&](ROCDL::BlockIdXOp) { replaceByWorkgroupField(op, blockId); })
      .Case(
          [&](ROCDL::BlockIdYOp) { replaceByWorkgroupField(op, blockId + 4); })
      .Case(
          [&](ROCDL::BlockIdZOp) { replaceByWorkgroupField(op, blockId + 8); })
      .Case([&](ROCDL::BlockDimXOp) { replaceByWorkgroupField(op, blockDim); })
      .Case([&](ROCDL::BlockDimYOp) {
        replaceByWorkgroupField(op, blockDim + 4);
      })
      .Case([&](ROCDL::BlockDimZOp) {
        replaceByWorkgroupField(op, blockDim + 8);
      })
      .Case([&](ROCDL::GridDimXOp) { replaceByWorkgroupField(op, gridDim); })
      .Case(
          [&](ROCDL::GridDimYOp) { replaceByWorkgroupField(op, gridDim + 4); })
      .Case(
          [&](ROCDL::GridDimZOp) { replaceByWorkgroupField(op, gridDim + 8); })
      .Case([&](ROCDL::ClusterIdXOp) { rewriteClusterId(op, 0); })
      .Case([&](ROCDL::ClusterIdYOp) { rewriteClusterId(op, 1); })
      .Case([&](ROCDL::ClusterIdZOp) { rewriteClusterId(op, 2); })
      .Case([&](ROCDL::WavefrontSizeOp) {
        replace(op, host.constant(b, op->getLoc(), op->getResult(0).getType(),
                                  host.chip.waveSize));
      })
      .Case([&](ROCDL::MbcntLoOp) { rewriteMbcnt(op, /*high=*/false); })
      .Case([&](ROCDL::MbcntHiOp) { rewriteMbcnt(op, /*high=*/true); })
      .Case([&](ROCDL::FMed3Op med) { rewriteMed3(med); })
      .Case([&](ROCDL::CvtPkRtz) { rewritePairToHalf(host, op); })
      .Case([&](ROCDL::ROCDLExp2) { rewriteUnary<LLVM::Exp2Op>(op); })
      // v_log is the logarithm to base 2; v_sin and v_cos count revolutions.
      .Case([&](ROCDL::ROCDLLog) { rewriteUnary<LLVM::Log2Op>(op); })
      .Case([&](ROCDL::ROCDLSqrt) { rewriteUnary<LLVM::SqrtOp>(op); })
      .Case([&](ROCDL::ROCDLTanh) { rewriteUnary<LLVM::TanhOp>(op); })
      .Case([&](ROCDL::ROCDLSin) {
        rewriteUnary<LLVM::SinOp>(op, 2 * llvm::numbers::pi);
      })
      .Case([&](ROCDL::ROCDLCos) {
        rewriteUnary<LLVM::CosOp>(op, 2 * llvm::numbers::pi);
      })
      .Case([&](ROCDL::ROCDLRcp rcp) {
        Value one = floatConstant(op->getLoc(), rcp.getType(), 1.0);
        replace(op, LLVM::FDivOp::create(b, op->getLoc(), one, rcp.getArg()));
      })
      .Case([&](LLVM::AddressOfOp address) { rewriteAddressOf(address); })
      .Case([&](LLVM::PtrToIntOp cast) { rewritePtrToInt(cast); })
      .Case([&](LLVM::IntToPtrOp cast) { rewriteIntToPtr(cast); })
      .Case([&](LLVM::ZeroOp zero) { rewriteZero(zero); })
      .Case<LLVM::Trap, LLVM::DebugTrap, LLVM::UBSanTrap, LLVM::UnreachableOp>(
          [&](auto) { rewriteTrap(op); })
      .Case([&](LLVM::CallOp call) { rewriteCall(call); })
      .Case([&](LLVM::AssumeOp assume) { rewriteAssume(host, assume, lane); })
      .Case([&](LLVM::InlineAsmOp assembly) { rewriteInlineAsm(assembly); })
      .Case([&](LLVM::CallIntrinsicOp call) {
        rewriteIntrinsic(host, call, lane);
      })
      // Scopes and cache hints are the device's.
      .Case([&](LLVM::FenceOp fence) { fence.removeSyncscopeAttr(); })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
          [&](auto atomic) { atomic.removeSyncscopeAttr(); })
      .Case<LLVM::LoadOp, LLVM::StoreOp>([&](auto access) {
        access.removeSyncscopeAttr();
        access.setNontemporal(false);
      });
}

void fly::host::rewriteLaneLocal(HostModule &host, LLVM::LLVMFuncOp func,
                                 Value lane) {
  LaneRewriter(host, func, lane).run();
}
