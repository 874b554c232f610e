// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of operations. The cross-lane rows are those of the runtime's
// fly_cpu_handlers.def; the rest stands here.

#include "OperationTable.h"
#include "DeviceTypes.h"
#include "HostModule.h"

#include "Fly/Arch/MatrixInstructions.h"
#include "Fly/Arch/MatrixUse.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include "fly_cpu_abi.h"

using namespace mlir;
using namespace fly::host;
namespace arch = fly::arch;

/// Waits, scheduling hints and prefetches: nothing to a lane that runs in
/// order on coherent memory.
static constexpr llvm::StringLiteral noEffectOps[] = {
    "rocdl.flat.prefetch",      "rocdl.global.prefetch",
    "rocdl.iglp.opt",           "rocdl.s.nop",
    "rocdl.s.setprio",          "rocdl.s.sleep",
    "rocdl.s.wait.asynccnt",    "rocdl.s.wait.dscnt",
    "rocdl.s.wait.expcnt",      "rocdl.s.wait.loadcnt",
    "rocdl.s.wait.storecnt",    "rocdl.s.wait.tensorcnt",
    "rocdl.s.waitcnt",          "rocdl.sched.barrier",
    "rocdl.sched.group.barrier"};

/// ROCDL operations that LaneLocal.cpp, Buffers.cpp and Conversions.cpp
/// rewrite.
static constexpr llvm::StringLiteral laneLocalOps[] = {
    "rocdl.cluster.id.x",
    "rocdl.cluster.id.y",
    "rocdl.cluster.id.z",
    "rocdl.cos",
    "rocdl.cvt.f32.bf8",
    "rocdl.cvt.f32.fp8",
    "rocdl.cvt.pk.bf8.f32",
    "rocdl.cvt.pk.f32.bf8",
    "rocdl.cvt.pk.f32.fp8",
    "rocdl.cvt.pk.fp8.f32",
    "rocdl.cvt.pkrtz",
    "rocdl.cvt.sr.bf8.f32",
    "rocdl.cvt.sr.fp8.f32",
    "rocdl.exp2",
    "rocdl.fmed3",
    "rocdl.grid.dim.x",
    "rocdl.grid.dim.y",
    "rocdl.grid.dim.z",
    "rocdl.log",
    "rocdl.make.buffer.rsrc",
    "rocdl.mbcnt.hi",
    "rocdl.mbcnt.lo",
    "rocdl.raw.buffer.load",
    "rocdl.raw.buffer.store",
    "rocdl.raw.ptr.buffer.atomic.cmpswap",
    "rocdl.raw.ptr.buffer.atomic.fadd",
    "rocdl.raw.ptr.buffer.atomic.fmax",
    "rocdl.raw.ptr.buffer.atomic.smax",
    "rocdl.raw.ptr.buffer.atomic.umin",
    "rocdl.raw.ptr.buffer.load",
    "rocdl.raw.ptr.buffer.store",
    "rocdl.rcp",
    "rocdl.sin",
    "rocdl.sqrt",
    "rocdl.tanh",
    "rocdl.wavefrontsize",
    "rocdl.workgroup.dim.x",
    "rocdl.workgroup.dim.y",
    "rocdl.workgroup.dim.z",
    "rocdl.workgroup.id.x",
    "rocdl.workgroup.id.y",
    "rocdl.workgroup.id.z",
    "rocdl.workitem.id.x",
    "rocdl.workitem.id.y",
    "rocdl.workitem.id.z"};

/// LLVM operations that have no meaning in a lane's coroutine.
static constexpr llvm::StringLiteral refusedLLVMOps[] = {
    "llvm.blockaddress", "llvm.blocktag", "llvm.indirectbr", "llvm.invoke",
    "llvm.landingpad",   "llvm.resume",   "llvm.va_arg"};

namespace {
enum class HandlerClass { None, Barrier, Exchange, Matrix, Move, Wait, Sleep };
enum class MoveQueue { None, Vector, Tensor, AsyncLoad, AsyncStore };

struct HandlerRow {
  llvm::StringLiteral name;
  HandlerClass kind;
  llvm::StringLiteral immediates;
  arch::Feature needs;
  MoveQueue queue;
};
} // namespace

static constexpr HandlerRow handlers[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue)             \
  {Name, HandlerClass::Class, Immediates, arch::Feature::Needs,                \
   MoveQueue::Queue},
#include "fly_cpu_handlers.def"
};

static llvm::StringMap<OperationRow> makeTable() {
  llvm::StringMap<OperationRow> table;
  for (StringRef name : noEffectOps)
    table[name] = {OperationKind::NoEffect};
  for (StringRef name : laneLocalOps)
    table[name] = {OperationKind::LaneLocal};
  for (auto [id, row] : llvm::enumerate(handlers))
    if (!row.name.empty())
      table[row.name] = {OperationKind::CrossLane,          uint32_t(id),
                         row.kind == HandlerClass::Matrix,  row.immediates,
                         row.kind == HandlerClass::Barrier, row.needs,
                         row.queue != MoveQueue::None};
  return table;
}

std::optional<OperationRow> fly::host::lookupOperation(Operation *op) {
  static const llvm::StringMap<OperationRow> table = makeTable();
  StringRef name = op->getName().getStringRef();
  if (op->hasAttr("fly.counter")) // Waits.h
    name = "fly.wait_counter";
  if (op->hasAttr("fly.sleep"))
    name = "fly.sleep";
  if (op->hasAttr("fly.first_lane")) // ScaledConversions.cpp
    name = "rocdl.cvt.scale";
  // Intrinsics without a ROCDL operation stand under their own names.
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    StringRef matrix = getMatrixOperation(op);
    StringRef intrinsic = matrix.empty() ? call.getIntrin() : matrix;
    if (intrinsic.starts_with("llvm.amdgcn.") && table.contains(intrinsic))
      name = intrinsic;
  }
  if (auto found = table.find(name); found != table.end())
    return found->second;
  // A family of 94 operations, which their own names describe.
  if (isScaledConversion(op))
    return OperationRow{OperationKind::LaneLocal};
  if (!isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()) ||
      llvm::is_contained(refusedLLVMOps, name) ||
      name.starts_with("llvm.intr.coro."))
    return std::nullopt;
  if (name.starts_with("llvm.intr.dbg."))
    return OperationRow{OperationKind::NoEffect};
  return OperationRow{OperationKind::LaneLocal};
}

StringRef fly::host::getMatrixOperation(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return arch::matrixOperation(call.getIntrin());
  StringRef name = op->getName().getStringRef();
  return name.starts_with("rocdl.") ? arch::matrixOperation(name) : StringRef();
}

std::string fly::host::findMatrixProblem(Operation *op,
                                         const arch::Chip &chip) {
  arch::MatrixUse use;
  use.op = getMatrixOperation(op);
  if (use.op.empty())
    return {};
  use.isCall = isa<LLVM::CallIntrinsicOp>(op);
  for (Value operand : op->getOperands()) {
    use.operandBits.push_back(8 * fieldBytes(operand.getType()).value_or(0));
    APInt value;
    use.constants.push_back(matchPattern(operand, m_ConstantInt(&value))
                                ? value.trySExtValue()
                                : std::nullopt);
  }
  if (op->getNumResults() == 1)
    use.resultBits = 8 * fieldBytes(op->getResult(0).getType()).value_or(0);
  return arch::findMatrixProblem(use, chip);
}

bool fly::host::isCrossLane(Operation *op) {
  std::optional<OperationRow> row = lookupOperation(op);
  return row && row->kind == OperationKind::CrossLane;
}

bool fly::host::isBarrier(Operation *op) {
  std::optional<OperationRow> row = lookupOperation(op);
  return row && row->isBarrier;
}

std::optional<PrintFunction> fly::host::lookupPrintFunction(StringRef name) {
  static constexpr unsigned begin[] = {64};
  static constexpr unsigned string[] = {64, 0, 64, 32};
  static constexpr unsigned values[] = {64, 32, 64, 64, 64, 64, 64, 64, 64, 32};
  if (name == "__ockl_printf_begin")
    return PrintFunction{offsetof(fly_cpu_runtime, print_begin), begin};
  if (name == "__ockl_printf_append_string_n")
    return PrintFunction{offsetof(fly_cpu_runtime, print_string), string};
  if (name == "__ockl_printf_append_args")
    return PrintFunction{offsetof(fly_cpu_runtime, print_values), values};
  return std::nullopt;
}

LLVM::LLVMFunctionType PrintFunction::getType(MLIRContext *context) const {
  SmallVector<Type> types;
  for (unsigned bits : parameters)
    types.push_back(bits ? Type(IntegerType::get(context, bits))
                         : Type(LLVM::LLVMPointerType::get(context)));
  return LLVM::LLVMFunctionType::get(IntegerType::get(context, 64), types);
}

/// The value of an attribute that travels as an immediate.
static FailureOr<int32_t> readAttribute(Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<IntegerAttr>(name);
  // ODS gives every listed attribute a value; absent means its default, 0.
  if (!attr)
    return 0;
  APInt value = attr.getValue();
  // A flag is 0 or 1, whatever its one bit means as a signed number.
  return int32_t(value.getBitWidth() == 1 ? value.getZExtValue()
                                          : value.getSExtValue());
}

/// The value of an operand that travels as an immediate.
static FailureOr<int32_t> readConstant(Operation *op, unsigned index) {
  if (index >= op->getNumOperands())
    return op->emitOpError("has ")
           << op->getNumOperands() << " operands, expected operand #" << index;
  APInt value;
  if (!matchPattern(op->getOperand(index), m_ConstantInt(&value)) ||
      value.getSignificantBits() > 32)
    return op->emitOpError("operand #")
           << index << " must be an integer constant of at most 32 bits";
  return int32_t(value.getBitWidth() == 1 ? value.getZExtValue()
                                          : value.getSExtValue());
}

FailureOr<CrossLaneOperands> fly::host::splitOperands(Operation *op,
                                                      const OperationRow &row) {
  CrossLaneOperands split;
  llvm::SmallBitVector isImmediate(op->getNumOperands());
  SmallVector<StringRef> names;
  row.immediates.split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    // "?N:M": whether both operands, which stay fields, are the constant 0.
    if (name.consume_front("?")) {
      auto [first, second] = name.split(':');
      bool areZero = llvm::all_of(ArrayRef({first, second}), [&](StringRef n) {
        unsigned index = 0;
        return !n.getAsInteger(10, index) && index < op->getNumOperands() &&
               matchPattern(op->getOperand(index), m_Zero());
      });
      split.immediates.push_back(areZero);
      continue;
    }
    unsigned index = 0;
    bool isOperand = name.consume_front("#") && !name.getAsInteger(10, index);
    FailureOr<int32_t> value =
        isOperand ? readConstant(op, index) : readAttribute(op, name);
    if (failed(value))
      return failure();
    if (isOperand)
      isImmediate.set(index);
    split.immediates.push_back(*value);
  }
  for (OpOperand &operand : op->getOpOperands())
    if (!isImmediate.test(operand.getOperandNumber()))
      split.fields.push_back(operand.get());
  return split;
}
