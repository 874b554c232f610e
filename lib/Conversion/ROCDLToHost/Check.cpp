// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that the conversion refuses, reported before anything is changed:
// each problem at its operation, all of them in one run. What passes here, the
// rest of the conversion can rewrite.

#include "DeviceTypes.h"
#include "HostModule.h"
#include "OperationTable.h"

#include "Fly/Arch/CopyInstructions.h"
#include "Fly/Arch/MatrixInstructions.h"
#include "Fly/Arch/SmallFloats.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fly::host;
namespace arch = fly::arch;

namespace {
/// Checks the operations of one module.
class Checker {
public:
  explicit Checker(HostModule &host) : host(host) {}

  LogicalResult run() {
    for (Operation &op : *host.module.getBody()) {
      if (auto func = dyn_cast<LLVM::LLVMFuncOp>(op))
        checkFunction(func);
      else if (auto global = dyn_cast<LLVM::GlobalOp>(op))
        checkGlobal(global);
      else
        fail(&op) << "is not supported in a module for the CPU target";
    }
    return success(!failed);
  }

private:
  InFlightDiagnostic fail(Operation *op) { return fail(op, op->getLoc()); }
  InFlightDiagnostic fail(Operation *op, Location place) {
    failed = true;
    return emitError(place) << "operation '" << op->getName() << "' ";
  }

  void checkGlobal(LLVM::GlobalOp global);
  void checkFunction(LLVM::LLVMFuncOp func);
  void checkKernel(LLVM::LLVMFuncOp func);
  void checkOperation(Operation *op, bool inKernel);
  void checkTypes(Operation *op);
  void checkMatrixCall(Operation *op);
  void checkCrossLane(Operation *op, const OperationRow &row, bool inKernel);
  void checkInlineAsm(LLVM::InlineAsmOp op);
  void checkCall(LLVM::CallOp op);
  void checkBuffer(Operation *op, Value value, ValueRange address);
  void checkMemory(Operation *op, Value pointer, Type type);
  void checkLaneLocal(Operation *op, bool inKernel);
  bool isOutsideKernel(Operation *op, bool inKernel);
  void checkFloat8Conversion(Operation *op);

  HostModule &host;
  bool failed = false;
};
} // namespace

static bool isSupportedSpace(unsigned space) {
  return space == GenericSpace || space == GlobalSpace || space == LdsSpace ||
         space == ConstantSpace || space == PrivateSpace ||
         space == ResourceSpace;
}

/// Pointers whose size on the device is not the host's.
static bool isOffsetPointer(unsigned space) {
  return space == LdsSpace || space == PrivateSpace || space == ResourceSpace;
}

static bool isAnyPointer(unsigned) { return true; }

//===----------------------------------------------------------------------===//
// Globals and functions
//===----------------------------------------------------------------------===//

void Checker::checkGlobal(LLVM::GlobalOp global) {
  unsigned space = global.getAddrSpace();
  if (space != LdsSpace && space != GenericSpace && space != GlobalSpace &&
      space != ConstantSpace) {
    fail(global) << "has address space " << space << ", expected 0, 1, 3 or 4";
    return;
  }
  Region &region = global.getInitializerRegion();
  bool isUnset = !global.getValueOrNull();
  if (!region.empty())
    for (Operation &op : region.front())
      isUnset &= isa<LLVM::UndefOp, LLVM::PoisonOp, LLVM::ReturnOp>(op);
  if (space == LdsSpace && !isUnset)
    fail(global) << "gives LDS an initial value, which the device cannot";
  if (space == LdsSpace)
    return;
  if (global.getThreadLocal_())
    fail(global) << "is thread local";
  if (containsPointer(global.getGlobalType(), isOffsetPointer))
    fail(global) << "holds an LDS, private or buffer pointer in type "
                 << global.getGlobalType();
  for (auto address : region.getOps<LLVM::AddressOfOp>())
    if (isPointerTo(address.getType(), LdsSpace))
      fail(address) << "takes the address of LDS outside of a function";
}

void Checker::checkFunction(LLVM::LLVMFuncOp func) {
  if (func.isExternal()) {
    if (isKernel(func))
      fail(func) << "declares a kernel without a body";
    return;
  }
  bool kernel = isKernel(func);
  if (kernel)
    checkKernel(func);
  func.walk([&](Operation *op) {
    if (op != func)
      checkOperation(op, kernel);
  });
  for (Block &block : func.getBody())
    for (Type type : block.getArgumentTypes())
      if (containsPointer(
              type, [](unsigned space) { return !isSupportedSpace(space); }))
        fail(func) << "has a block argument of type " << type
                   << "; address spaces other than 0, 1, 3, 4, 5 and 8 are "
                      "not supported";
}

void Checker::checkKernel(LLVM::LLVMFuncOp func) {
  LLVM::LLVMFunctionType type = func.getFunctionType();
  if (type.isVarArg() || !isa<LLVM::LLVMVoidType>(type.getReturnType()))
    fail(func) << "has type " << type
               << ", a kernel has a fixed list of parameters and returns "
                  "nothing";
  for (unsigned i = 0, e = type.getNumParams(); i < e; ++i) {
    Type parameter = type.getParamType(i);
    auto isWrong = [&](unsigned space) {
      // A buffer resource is passed as its bits.
      return isOffsetPointer(space) && !isPointerTo(parameter, ResourceSpace);
    };
    Location place = func.getArgument(i).getLoc();
    if (containsPointer(parameter, isWrong) || !deviceLayout(parameter))
      fail(func, place) << "has parameter #" << i << " of type " << parameter
                        << ", which a host cannot pass to a kernel";
    if (func.getArgAttr(i, LLVM::LLVMDialect::getByRefAttrName()) ||
        func.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      fail(func, place)
          << "passes parameter #" << i
          << " by reference into the argument block, which is not "
             "supported";
  }
  if (mlir::failed(checkReducible(func.getBody())))
    failed = true;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Checker::checkOperation(Operation *op, bool inKernel) {
  std::optional<OperationRow> row = lookupOperation(op);
  if (!row) {
    fail(op) << "is unknown to the CPU target";
    return;
  }
  checkTypes(op);
  switch (row->kind) {
  case OperationKind::NoEffect:
    if (op->getNumResults() != 0 && !op->use_empty())
      fail(op) << "has a result that is used";
    return;
  case OperationKind::CrossLane:
    checkCrossLane(op, *row, inKernel);
    return;
  case OperationKind::LaneLocal:
    checkLaneLocal(op, inKernel);
    return;
  }
}

void Checker::checkTypes(Operation *op) {
  auto check = [&](Type type) {
    if (containsPointer(
            type, [](unsigned space) { return !isSupportedSpace(space); })) {
      fail(op) << "has a value of type " << type
               << "; address spaces other than 0, 1, 3, 4, 5 and 8 are not "
                  "supported";
      return false;
    }
    auto vector = dyn_cast<VectorType>(type);
    if (vector && isPointerTo(vector.getElementType(), ResourceSpace)) {
      fail(op) << "has a vector of buffer resources";
      return false;
    }
    return true;
  };
  for (Type type : op->getOperandTypes())
    if (!check(type))
      return;
  for (Type type : op->getResultTypes())
    if (!check(type))
      return;
}

/// Reports an operation between lanes that is not in a kernel.
bool Checker::isOutsideKernel(Operation *op, bool inKernel) {
  if (!inKernel)
    fail(op) << "moves values between lanes inside of a function that is no "
                "kernel; inline the function first";
  return !inKernel;
}

void Checker::checkCrossLane(Operation *op, const OperationRow &row,
                             bool inKernel) {
  if (isOutsideKernel(op, inKernel))
    return;
  if (row.isMatrix)
    if (std::string problem = findMatrixProblem(op, host.chip);
        !problem.empty()) {
      fail(op) << problem;
      return;
    }
  FailureOr<CrossLaneOperands> operands = splitOperands(op, row);
  if (mlir::failed(operands)) {
    failed = true;
    return;
  }
  if (std::string problem =
          findCrossLaneProblem(op, row, operands->immediates, host.chip);
      !problem.empty()) {
    fail(op) << problem;
    return;
  }
  auto checkField = [&](Type type, StringRef what) {
    if (!fieldBytes(type))
      fail(op) << "has " << what << " of type " << type
               << ", which is not whole bytes of plain data";
  };
  for (Value field : operands->fields)
    checkField(field.getType(), "an operand");
  for (Type type : op->getResultTypes()) {
    if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
      for (Type member : structure.getBody())
        checkField(member, "a result");
    } else {
      checkField(type, "a result");
    }
  }
  if (isa<ROCDL::BarrierSignalOp, ROCDL::BarrierWaitOp>(op) &&
      operands->immediates[0] != -1 &&
      operands->immediates[0] != FLY_CPU_CLUSTER_BARRIER)
    fail(op)
        << "names barrier " << operands->immediates[0]
        << "; the CPU target has the barriers of the workgroup, -1, and of "
           "the cluster, -3";
}

void Checker::checkFloat8Conversion(Operation *op) {
  if (arch::getFloat8Family(host.chip) == arch::Float8Family::None) {
    fail(op) << "is no instruction of " << host.chip.name
             << ", which does not convert 8-bit floats";
    return;
  }
  Builder b(op->getContext());
  Type f32 = b.getF32Type(), expected = b.getI32Type();
  if (isa<ROCDL::CvtF32Fp8Op, ROCDL::CvtF32Bf8Op>(op))
    expected = f32;
  else if (isa<ROCDL::CvtPkF32Fp8Op, ROCDL::CvtPkF32Bf8Op>(op))
    expected = VectorType::get(2, f32);
  if (op->getResult(0).getType() != expected)
    fail(op) << "gives a " << op->getResult(0).getType() << ", expected "
             << expected;
  auto byte = op->getAttrOfType<IntegerAttr>("byteSel");
  if (byte && (byte.getInt() < 0 || byte.getInt() > 3))
    fail(op) << "selects byte " << byte.getInt() << ", expected 0 to 3";
}

/// ": " and why the result of a matrix operation is not known, if it is so.
static std::string findOpenResult(StringRef name, const fly::arch::Chip &chip) {
  for (const fly::arch::MatrixInstruction &row :
       fly::arch::matrixInstructions())
    if (row.op == name && chip.has(row.feature) && !row.hasKnownResult())
      return ": " + row.openResult.str();
  return "";
}

/// The call of a matrix intrinsic that has no handler.
void Checker::checkMatrixCall(Operation *op) {
  std::string problem = findMatrixProblem(op, host.chip);
  StringRef name = getMatrixOperation(op);
  if (!problem.empty())
    fail(op) << problem;
  else if (name.starts_with("rocdl."))
    fail(op) << "calls an intrinsic that the CPU target takes as '" << name
             << "'; use the rocdl operation";
  else
    fail(op) << "calls '" << name << "', which the CPU target does not run"
             << findOpenResult(name, host.chip);
}

void Checker::checkLaneLocal(Operation *op, bool inKernel) {
  if (isFloat8Conversion(op)) {
    checkFloat8Conversion(op);
    return;
  }
  if (isScaledConversion(op)) {
    if (std::string problem = checkScaledConversion(host, op); !problem.empty())
      fail(op) << problem;
    else if (readsOtherLanes(op))
      isOutsideKernel(op, inKernel);
    return;
  }
  if (auto scope = dyn_cast_or_null<StringAttr>(
          op->getInherentAttr("syncscope").value_or(Attribute())))
    if (!fly::arch::isSyncScope(host.chip, scope.getValue())) {
      fail(op) << "names the synchronisation scope \"" << scope.getValue()
               << "\", which " << host.chip.name << " does not have; it has "
               << fly::arch::syncScopeNames(host.chip);
      return;
    }
  TypeSwitch<Operation *>(op)
      .Case([&](LLVM::InlineAsmOp assembly) { checkInlineAsm(assembly); })
      .Case([&](LLVM::CallOp call) { checkCall(call); })
      .Case([&](LLVM::CallIntrinsicOp call) {
        if (getBufferAtomic(call)) {
          if (call.getArgs().size() != 5 || op->getNumResults() != 1 ||
              op->getResult(0).getType() != op->getOperand(0).getType())
            fail(op) << "must take a value and an address and give a value";
          else
            checkBuffer(op, op->getOperand(0), op->getOperands().drop_front(1));
          return;
        }
        if (!getMatrixOperation(op).empty()) {
          checkMatrixCall(op);
          return;
        }
        std::string problem = checkIntrinsic(host, call);
        if (!problem.empty())
          fail(op) << problem;
      })
      .Case<ROCDL::RawPtrBufferLoadOp, ROCDL::RawBufferLoadOp>(
          [&](auto) { checkBuffer(op, op->getResult(0), op->getOperands()); })
      .Case<ROCDL::RawPtrBufferStoreOp, ROCDL::RawBufferStoreOp,
            ROCDL::RawPtrBufferAtomicFaddOp, ROCDL::RawPtrBufferAtomicFmaxOp,
            ROCDL::RawPtrBufferAtomicSmaxOp, ROCDL::RawPtrBufferAtomicUminOp>(
          [&](auto) {
            checkBuffer(op, op->getOperand(0), op->getOperands().drop_front(1));
          })
      .Case([&](ROCDL::RawPtrBufferAtomicCmpSwap swap) {
        checkBuffer(op, swap.getSrc(), op->getOperands().drop_front(2));
      })
      .Case<ROCDL::ClusterIdXOp, ROCDL::ClusterIdYOp, ROCDL::ClusterIdZOp>(
          [&](auto) {
            std::string problem =
                findFeatureProblem(arch::Feature::Clusters, host.chip);
            if (!problem.empty())
              fail(op) << problem;
            else if (!isa<IntegerType>(op->getResult(0).getType()))
              fail(op) << "gives a " << op->getResult(0).getType()
                       << ", expected an integer";
          })
      .Case<ROCDL::ThreadIdXOp, ROCDL::ThreadIdYOp, ROCDL::ThreadIdZOp,
            ROCDL::BlockIdXOp, ROCDL::BlockIdYOp, ROCDL::BlockIdZOp,
            ROCDL::BlockDimXOp, ROCDL::BlockDimYOp, ROCDL::BlockDimZOp,
            ROCDL::GridDimXOp, ROCDL::GridDimYOp, ROCDL::GridDimZOp,
            ROCDL::WavefrontSizeOp>([&](auto) {
        if (!isa<IntegerType>(op->getResult(0).getType()))
          fail(op) << "gives a " << op->getResult(0).getType()
                   << ", expected an integer";
      })
      .Case([&](ROCDL::CvtPkRtz pair) {
        Type expected = VectorType::get(2, Float16Type::get(op->getContext()));
        if (pair.getType() != expected)
          fail(op) << "gives a " << pair.getType() << ", expected " << expected;
      })
      .Case([&](ROCDL::MakeBufferRsrcOp make) {
        if (!isPointerTo(make.getType(), ResourceSpace))
          fail(op) << "makes a " << make.getType()
                   << ", expected a buffer resource, !llvm.ptr<8>";
      })
      .Case([&](LLVM::LoadOp load) {
        checkMemory(op, load.getAddr(), load.getType());
      })
      .Case([&](LLVM::StoreOp store) {
        checkMemory(op, store.getAddr(), store.getValue().getType());
      })
      .Case([&](LLVM::AtomicRMWOp rmw) {
        checkMemory(op, rmw.getPtr(), rmw.getVal().getType());
      })
      .Case([&](LLVM::AtomicCmpXchgOp swap) {
        checkMemory(op, swap.getPtr(), swap.getVal().getType());
      })
      .Case<LLVM::PtrToIntOp, LLVM::IntToPtrOp>([&](auto cast) {
        for (Type type : {cast.getArg().getType(), cast.getType()}) {
          if (isPointerTo(type, PrivateSpace))
            fail(op) << "converts a private pointer, whose number the host "
                        "does not keep";
          else if (isa<VectorType>(type) &&
                   containsPointer(type, isOffsetPointer))
            fail(op) << "converts a vector of LDS, private or buffer pointers";
        }
      })
      .Case([&](LLVM::AddrSpaceCastOp cast) {
        if (isPointerTo(cast.getArg().getType(), ResourceSpace) ||
            isPointerTo(cast.getType(), ResourceSpace))
          fail(op) << "casts a buffer resource to another address space";
      })
      .Case([&](LLVM::ZeroOp zero) {
        if (!isPointerTo(zero.getType(), LdsSpace) &&
            containsPointer(zero.getType(),
                            [](unsigned space) { return space == LdsSpace; }))
          fail(op) << "holds LDS pointers in type " << zero.getType();
      })
      .Case<LLVM::GEPOp, LLVM::ICmpOp, LLVM::MemcpyOp, LLVM::MemmoveOp,
            LLVM::MemsetOp>([&](auto) {
        for (Value operand : op->getOperands())
          if (isPointerTo(operand.getType(), ResourceSpace))
            fail(op) << "takes a buffer resource, which is no address";
      })
      .Case([&](LLVM::AllocaOp alloca) {
        APInt count;
        if (!matchPattern(alloca.getArraySize(), m_ConstantInt(&count)))
          fail(op) << "allocates a number of elements that is not a constant";
      })
      .Case([&](LLVM::AddressOfOp address) {
        Operation *symbol = SymbolTable::lookupSymbolIn(
            host.module, address.getGlobalNameAttr());
        if (isa_and_nonnull<LLVM::LLVMFuncOp>(symbol))
          fail(op) << "takes the address of a function; calls must be direct";
      });
}

/// `pointer` is where a value of `type` is read or written.
void Checker::checkMemory(Operation *op, Value pointer, Type type) {
  if (isPointerTo(pointer.getType(), ResourceSpace)) {
    fail(op) << "accesses memory by a buffer resource; use a buffer operation";
    return;
  }
  // Memory of the lane itself has the host's sizes throughout.
  if (isPointerTo(pointer.getType(), PrivateSpace))
    return;
  if (containsPointer(type, isOffsetPointer))
    fail(op) << "keeps an LDS, private or buffer pointer in memory, as " << type
             << ", whose size there is the device's";
}

/// `address` holds descriptor, offset, soffset, cache policy.
void Checker::checkBuffer(Operation *op, Value value, ValueRange address) {
  Type type = value.getType();
  Type descriptor = address[0].getType(),
       i32 = IntegerType::get(op->getContext(), 32);
  if ((!isPointerTo(descriptor, ResourceSpace) &&
       descriptor != VectorType::get(4, i32)) ||
      address[1].getType() != i32 || address[2].getType() != i32) {
    fail(op) << "has an address of types " << address.getTypes()
             << ", expected a buffer resource and i32 offsets";
    return;
  }
  std::optional<uint32_t> bytes = fieldBytes(type);
  if (containsPointer(type, isAnyPointer) || !bytes ||
      !llvm::is_contained({1u, 2u, 4u, 8u, 12u, 16u}, *bytes) ||
      type.isInteger(1)) {
    fail(op) << "moves a value of type " << type
             << ", expected 1, 2, 4, 8, 12 or 16 bytes of plain data";
    return;
  }
  APInt policy;
  if (!matchPattern(address[3], m_ConstantInt(&policy)) ||
      policy.getBitWidth() != 32) {
    fail(op) << "has a cache policy that is not a 32-bit constant";
    return;
  }
  if (policy[bufferSwizzleBit(host.chip)])
    fail(op) << "asks for swizzled access (bit " << bufferSwizzleBit(host.chip)
             << " of the cache policy), which is not supported";
}

void Checker::checkCall(LLVM::CallOp op) {
  std::optional<StringRef> callee = op.getCallee();
  if (!callee) {
    fail(op) << "calls through a pointer; calls must be direct";
    return;
  }
  auto target = dyn_cast_or_null<LLVM::LLVMFuncOp>(
      SymbolTable::lookupSymbolIn(host.module, op.getCalleeAttr()));
  if (!target) {
    fail(op) << "calls '" << *callee << "', which the module does not have";
    return;
  }
  if (*callee == "__fly_assert") {
    if (op.getNumResults() != 0 || op.getArgOperands().size() != 1 ||
        !op.getArgOperands()[0].getType().isInteger(32))
      fail(op) << "calls '__fly_assert' with a type other than (i32) -> ()";
    return;
  }
  if (std::optional<PrintFunction> print = lookupPrintFunction(*callee)) {
    LLVM::LLVMFunctionType type = print->getType(op.getContext());
    if (target.getFunctionType() != type || !target.isExternal())
      fail(op) << "calls '" << *callee << "' of type "
               << target.getFunctionType()
               << ", expected a declaration of type " << type;
    return;
  }
  if (isKernel(target))
    fail(op) << "calls kernel '" << *callee << "'";
  else if (callee->starts_with("__ockl_") || callee->starts_with("__ocml_") ||
           callee->starts_with("llvm."))
    fail(op) << "calls '" << *callee
             << "' of the device library, which the CPU target does not have";
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

namespace {
struct AsmAdvice {
  llvm::StringLiteral prefix;
  llvm::StringLiteral instead;
};
} // namespace

/// What to write instead of an instruction; the first prefix that fits counts.
static constexpr AsmAdvice asmAdvice[] = {
    {"s_barrier", "rocdl.s.barrier"},
    {"ds_bpermute", "rocdl.ds_bpermute"},
    {"ds_swizzle", "rocdl.ds_swizzle"},
    {"ds_read_b64_tr", "rocdl.ds.read.tr*"},
    {"ds_read", "llvm.load"},
    {"ds_load", "llvm.load"},
    {"ds_write", "llvm.store"},
    {"ds_store", "llvm.store"},
    {"v_mfma", "rocdl.mfma.*"},
    {"v_wmma", "rocdl.wmma.*"},
    {"v_permlane16_swap", "rocdl.permlane16.swap"},
    {"v_permlane32_swap", "rocdl.permlane32.swap"},
    {"v_permlanex16", "rocdl.permlanex16"},
    {"v_readfirstlane", "rocdl.readfirstlane"},
    {"v_readlane", "rocdl.readlane"},
    {"v_exp_f", "rocdl.exp2"},
    {"v_log_f", "rocdl.log"},
    {"v_rcp_f", "rocdl.rcp"},
    {"v_sqrt_f", "rocdl.sqrt"},
    {"v_mbcnt", "rocdl.mbcnt.lo and rocdl.mbcnt.hi"},
    {"buffer_load", "rocdl.raw.ptr.buffer.load"},
    {"buffer_store", "rocdl.raw.ptr.buffer.store"},
    {"buffer_atomic", "rocdl.raw.ptr.buffer.atomic.*"},
    {"global_load_lds", "rocdl.global.load.lds"},
    {"global_load", "llvm.load"},
    {"global_store", "llvm.store"},
};

/// True if one line of assembly only waits.
static bool isWait(StringRef line) {
  StringRef mnemonic =
      line.take_until([](char c) { return c == ' ' || c == '\t'; });
  return mnemonic.empty() || mnemonic == "s_nop" || mnemonic == "s_waitcnt" ||
         mnemonic.starts_with("s_waitcnt_") || mnemonic.starts_with("s_wait_");
}

void Checker::checkInlineAsm(LLVM::InlineAsmOp op) {
  SmallVector<StringRef> lines;
  llvm::SplitString(op.getAsmString(), lines, "\n;");
  for (StringRef line : lines) {
    line = line.trim();
    if (isWait(line))
      continue;
    InFlightDiagnostic diag = fail(op);
    diag << "holds the instruction '" << line
         << "', which cannot run on the CPU";
    for (const AsmAdvice &advice : asmAdvice)
      if (line.starts_with(advice.prefix)) {
        diag << "; use " << advice.instead;
        return;
      }
    diag << "; use the rocdl operation for it";
    return;
  }
  if (op.getNumResults() == 0)
    return;
  // The idiom that hides a value from the optimiser: one value in, tied to the
  // same register out.
  StringRef constraints = op.getConstraints();
  SmallVector<StringRef> parts;
  constraints.split(parts, ',');
  bool isTied = parts.size() >= 2 && parts[0].starts_with("=") &&
                parts[1] == "0" && op.getOperands().size() == 1 &&
                op.getOperands()[0].getType() == op->getResult(0).getType();
  if (!isTied)
    fail(op) << "has a result that is not its one operand (constraints '"
             << constraints << "'), which cannot run on the CPU";
}

LogicalResult fly::host::checkModule(HostModule &host) {
  return Checker(host).run();
}
