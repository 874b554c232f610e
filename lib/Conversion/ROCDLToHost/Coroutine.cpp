// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as a coroutine. The shape, for one suspension:
//
//     entry(lane, arguments):  id = coro.id
//                              lane null? -> query, start
//     query:      return coro.size                (frame bytes, as a pointer)
//     start:      frame = coro.begin(lane.frame)
//                 parameters = loads from the argument block
//                 ... the kernel's code ...
//                 slot fields = operands; lane.site = number
//                 coro.suspend -> suspended, or resumed
//     resumed:    results = slot fields
//                 ... the kernel's code ...
//     ended:      lane.site = ended
//     suspended:  coro.end; return frame
//
// Frames are never freed by the lane: the runtime owns them all.

#include "DeviceTypes.h"
#include "HostModule.h"
#include "MatrixBatches.h"
#include "OperationTable.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly::host;

namespace {
/// One value in a slot.
struct Field {
  Type type;
  uint32_t offset;
  uint32_t bytes;
};

/// Converts one kernel.
class KernelConverter {
public:
  KernelConverter(HostModule &host, LLVM::LLVMFuncOp kernel)
      : host(host), kernel(kernel), b(kernel.getContext()),
        pointer(host.pointerType()), i32(b.getI32Type()) {}

  LogicalResult run();

private:
  LogicalResult addParameters();
  LogicalResult readWorkgroupSize();
  void makeFrame();
  void hoistAllocas();
  void convertReturns();
  void convertSites();
  void describeSite(Operation *op, uint32_t number);
  void suspendAt(ArrayRef<Operation *> ops, uint32_t number);
  void storeField(Location loc, Value slot, const Field &field, Value value);
  Value loadField(Location loc, Value slot, const Field &field);
  void storeSite(Location loc, uint32_t number);
  SmallVector<Field> placeFields(TypeRange types, uint32_t &next);

  HostModule &host;
  LLVM::LLVMFuncOp kernel;
  OpBuilder b;
  Type pointer, i32;
  KernelEntry entry;
  SiteNumbering numbering;
  /// Matrix operations that share a suspension with the next one.
  llvm::DenseSet<Operation *> chained;
  Block *entryBlock = nullptr;
  Block *suspended = nullptr;
  Value lane, arguments, frame;
};
} // namespace

//===----------------------------------------------------------------------===//
// What the table says of a kernel
//===----------------------------------------------------------------------===//

LogicalResult KernelConverter::addParameters() {
  uint64_t bytes = 0;
  for (Type type : kernel.getFunctionType().getParams()) {
    TypeLayout layout = *deviceLayout(type);
    uint64_t offset = llvm::alignTo(bytes, layout.align);
    // The device's argument block is far smaller; this keeps every number in
    // 32 bits.
    if (layout.size > (1u << 20) || offset > (1u << 20))
      return kernel.emitError("has more than 1 MiB of parameters");
    entry.params.push_back({uint32_t(offset), uint32_t(layout.size)});
    bytes = offset + layout.size;
  }
  entry.argumentBytes = uint32_t(llvm::alignTo(bytes, 16));
  return success();
}

LogicalResult KernelConverter::readWorkgroupSize() {
  if (auto block = kernel->getAttrOfType<DenseI32ArrayAttr>(
          "rocdl.reqd_work_group_size")) {
    if (block.size() != 3 ||
        llvm::any_of(block.asArrayRef(), [](int32_t n) { return n < 1; }))
      return kernel.emitError("attribute 'rocdl.reqd_work_group_size' is ")
             << block << ", expected three positive numbers";
    uint64_t lanes = 1;
    for (auto [i, n] : llvm::enumerate(block.asArrayRef())) {
      entry.requiredBlock[i] = uint32_t(n);
      lanes = std::min<uint64_t>(lanes * uint64_t(n), 1025);
    }
    if (lanes > 1024)
      return kernel.emitError("requires a workgroup of more than 1024 lanes");
    entry.maxWorkgroup = uint32_t(lanes);
  }
  if (auto size =
          kernel->getAttrOfType<IntegerAttr>("rocdl.max_flat_work_group_size"))
    entry.maxWorkgroup = uint32_t(size.getValue().getLimitedValue(1024));
  // "smallest,largest"
  if (auto range =
          kernel->getAttrOfType<StringAttr>("rocdl.flat_work_group_size")) {
    StringRef largest = range.getValue().split(',').second.trim();
    uint32_t number = 0;
    if (largest.getAsInteger(10, number) || number < 1 || number > 1024)
      return kernel.emitError("attribute 'rocdl.flat_work_group_size' is \"")
             << range.getValue() << "\", expected \"1,N\" with N up to 1024";
    entry.maxWorkgroup = number;
  }
  return success();
}

/// Places one field for each type (of a struct: each member) from `next` on.
SmallVector<Field> KernelConverter::placeFields(TypeRange types,
                                                uint32_t &next) {
  SmallVector<Field> fields;
  auto place = [&](Type type) {
    uint32_t bytes = *fieldBytes(type);
    fields.push_back({type, next, bytes});
    next += uint32_t(llvm::alignTo(bytes, 8));
  };
  for (Type type : types) {
    if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
      llvm::for_each(structure.getBody(), place);
    else
      place(type);
  }
  return fields;
}

void KernelConverter::describeSite(Operation *op, uint32_t number) {
  fly_cpu_site &site = entry.sites[number];
  site.location = host.table.addLocation(op->getLoc());
  if (!isCrossLane(op)) {
    site.handler = FlyCpuHandlerLatch;
    return;
  }
  OperationRow row = *lookupOperation(op);
  CrossLaneOperands operands = *splitOperands(op, row);
  uint32_t bytes = 0;
  SmallVector<Field> fields =
      placeFields(ValueRange(operands.fields).getTypes(), bytes);
  site.num_operands = uint32_t(fields.size());
  fields.append(placeFields(op->getResultTypes(), bytes));
  site.num_results = uint32_t(fields.size()) - site.num_operands;
  SmallVector<int32_t> sizes;
  for (const Field &field : fields)
    sizes.push_back(int32_t(field.bytes));
  site.handler = row.handler;
  site.sizes = host.table.addValues(sizes);
  site.immediates = host.table.addValues(operands.immediates);
  site.num_immediates = uint32_t(operands.immediates.size());
  site.chained = chained.contains(op);
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

/// Puts entry, query, start and suspended around the kernel's blocks and
/// replaces its parameters by loads.
void KernelConverter::makeFrame() {
  Location loc = kernel.getLoc();
  Region &body = kernel.getBody();
  Block *start = &body.front();
  entryBlock =
      b.createBlock(&body, body.begin(), {pointer, pointer}, {loc, loc});
  Block *query = b.createBlock(&body, start->getIterator());
  suspended = b.createBlock(&body, body.end());
  lane = entryBlock->getArgument(0);
  arguments = entryBlock->getArgument(1);

  b.setInsertionPointToEnd(entryBlock);
  Value null = LLVM::ZeroOp::create(b, loc, pointer);
  Value align = host.constant(b, loc, i32, FLY_CPU_ALIGN);
  Type token = LLVM::LLVMTokenType::get(b.getContext());
  Value id = LLVM::CoroIdOp::create(b, loc, token, align, null, null, null);
  Value isQuery =
      LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, lane, null);
  LLVM::CondBrOp::create(b, loc, isQuery, query, ValueRange{}, start,
                         ValueRange{});

  b.setInsertionPointToEnd(query);
  Value size = LLVM::CoroSizeOp::create(b, loc, b.getI64Type());
  Value asPointer = LLVM::IntToPtrOp::create(b, loc, pointer, size);
  LLVM::ReturnOp::create(b, loc, asPointer);

  b.setInsertionPointToStart(start);
  Value memory = host.loadField(b, loc, lane, offsetof(fly_cpu_lane, frame),
                                pointer, /*invariant=*/false);
  frame = LLVM::CoroBeginOp::create(b, loc, pointer, id, memory);
  for (auto [i, parameter] : llvm::enumerate(start->getArguments())) {
    Value value = host.loadField(b, loc, arguments, entry.params[i].offset,
                                 parameter.getType(), /*invariant=*/true);
    parameter.replaceAllUsesWith(value);
  }
  start->eraseArguments(0, start->getNumArguments());

  b.setInsertionPointToEnd(suspended);
  Value no =
      LLVM::ConstantOp::create(b, loc, b.getI1Type(), b.getBoolAttr(false));
  Value none = LLVM::NoneTokenOp::create(b, loc, token);
  LLVM::CoroEndOp::create(b, loc, b.getI1Type(), frame, no, none);
  LLVM::ReturnOp::create(b, loc, frame);

  kernel.setFunctionType(
      LLVM::LLVMFunctionType::get(pointer, {pointer, pointer}));
  kernel.removeArgAttrsAttr();
  kernel.removeResAttrsAttr();
}

/// A coroutine's allocas must stand in its entry block. Their number of
/// elements is a constant (checked), and nothing else may be kept of it.
void KernelConverter::hoistAllocas() {
  SmallVector<LLVM::AllocaOp> allocas(kernel.getOps<LLVM::AllocaOp>());
  for (LLVM::AllocaOp alloca : allocas) {
    Operation *size = alloca.getArraySize().getDefiningOp();
    b.setInsertionPointToStart(entryBlock);
    Operation *hoisted = b.clone(*size);
    alloca->moveAfter(hoisted);
    alloca.getArraySizeMutable().assign(hoisted->getResult(0));
  }
}

void KernelConverter::storeSite(Location loc, uint32_t number) {
  Value site = host.constant(b, loc, i32, int32_t(number));
  Value field = host.addBytes(b, loc, lane, offsetof(fly_cpu_lane, site));
  LLVM::StoreOp::create(b, loc, site, field);
}

void KernelConverter::convertReturns() {
  for (auto ret : llvm::to_vector(kernel.getOps<LLVM::ReturnOp>())) {
    if (ret->getBlock() == suspended || ret.getNumOperands() != 0)
      continue;
    b.setInsertionPoint(ret);
    storeSite(ret.getLoc(), FLY_CPU_SITE_ENDED);
    LLVM::BrOp::create(b, ret.getLoc(), ValueRange{}, suspended);
    ret.erase();
  }
}

//===----------------------------------------------------------------------===//
// Suspensions
//===----------------------------------------------------------------------===//

void KernelConverter::storeField(Location loc, Value slot, const Field &field,
                                 Value value) {
  if (isPointerTo(field.type, LdsSpace))
    value = host.ldsOffset(b, loc, lane, value);
  else if (field.type.isInteger(1))
    value = LLVM::ZExtOp::create(b, loc, b.getI8Type(), value);
  LLVM::StoreOp::create(b, loc, value,
                        host.addBytes(b, loc, slot, field.offset),
                        /*alignment=*/8);
}

Value KernelConverter::loadField(Location loc, Value slot, const Field &field) {
  bool isFlag = field.type.isInteger(1);
  Value value = LLVM::LoadOp::create(
      b, loc, isFlag ? b.getI8Type() : field.type,
      host.addBytes(b, loc, slot, field.offset), /*alignment=*/8);
  if (isFlag)
    value = LLVM::TruncOp::create(b, loc, field.type, value);
  return value;
}

/// Makes the lane stop before `ops`, which stand in a row: a latch's
/// terminator, or cross-lane operations, which are replaced by what their
/// handlers leave in the slot.
void KernelConverter::suspendAt(ArrayRef<Operation *> ops, uint32_t number) {
  Operation *first = ops.front();
  Location loc = first->getLoc();
  Block *before = first->getBlock();
  Block *resumed = before->splitBlock(first);
  bool isLatch = !isCrossLane(first);

  // The fields of each operation: operands, then results.
  uint32_t bytes = 0;
  SmallVector<SmallVector<Field>> results;
  auto slotOf = [&]() {
    return host.loadField(b, loc, lane, offsetof(fly_cpu_lane, slot), pointer,
                          /*invariant=*/true);
  };
  b.setInsertionPointToEnd(before);
  Value slot;
  for (Operation *op : isLatch ? ArrayRef<Operation *>() : ops) {
    CrossLaneOperands operands = *splitOperands(op, *lookupOperation(op));
    SmallVector<Field> fields =
        placeFields(ValueRange(operands.fields).getTypes(), bytes);
    if (!slot && !fields.empty())
      slot = slotOf();
    for (auto [field, value] : llvm::zip_equal(fields, operands.fields))
      storeField(op->getLoc(), slot, field, value);
    results.push_back(placeFields(op->getResultTypes(), bytes));
  }
  entry.slotBytes = std::max(entry.slotBytes, bytes);
  storeSite(loc, number);
  Type token = LLVM::LLVMTokenType::get(b.getContext());
  Value state = LLVM::CoroSaveOp::create(b, loc, token, frame);
  Value notFinal =
      LLVM::ConstantOp::create(b, loc, b.getI1Type(), b.getBoolAttr(false));
  Value how =
      LLVM::CoroSuspendOp::create(b, loc, b.getI8Type(), state, notFinal);
  LLVM::SwitchOp::create(b, loc, how, suspended, ValueRange{},
                         ArrayRef<APInt>{APInt(8, 0), APInt(8, 1)},
                         {resumed, suspended}, {ValueRange{}, ValueRange{}});
  if (isLatch)
    return;

  b.setInsertionPoint(first);
  slot = Value();
  for (auto [op, fields] : llvm::zip_equal(ops, results)) {
    if (fields.empty())
      continue;
    if (!slot)
      slot = slotOf();
    auto structure = dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType());
    Value result;
    if (structure) {
      result = LLVM::PoisonOp::create(b, loc, structure);
      for (auto [i, field] : llvm::enumerate(fields))
        result = LLVM::InsertValueOp::create(
            b, loc, result, loadField(loc, slot, field), int64_t(i));
    } else {
      result = loadField(loc, slot, fields[0]);
    }
    op->getResult(0).replaceAllUsesWith(result);
  }
  for (Operation *op : ops)
    op->erase();
}

/// Splits each block from its last site on, so that every operation moves
/// once.
void KernelConverter::convertSites() {
  SmallVector<SmallVector<Operation *>> groups;
  for (Block &block : kernel.getBody()) {
    // Walking backwards, an operation that is chained joins the group of the
    // next one.
    for (Operation &op : llvm::reverse(block)) {
      if (!numbering.sites.contains(&op))
        continue;
      if (!chained.contains(&op))
        groups.emplace_back();
      groups.back().push_back(&op);
    }
  }
  for (SmallVector<Operation *> &group : groups) {
    std::reverse(group.begin(), group.end());
    suspendAt(group, numbering.sites.lookup(group.front()));
  }
}

LogicalResult KernelConverter::run() {
  entry.symbol = kernel.getSymName().str();
  entry.location = host.table.addLocation(kernel.getLoc());
  const LdsLayout &lds = host.kernelLds[kernel];
  entry.ldsBytes = uint32_t(lds.bytes);
  entry.ldsAlign = uint32_t(lds.align);
  if (failed(addParameters()) || failed(readWorkgroupSize()) ||
      failed(readClusterSize(kernel, host.chip, entry.requiredCluster)))
    return failure();

  chained = formMatrixBatches(kernel.getBody());
  numbering = numberSites(kernel.getBody());
  entry.sites.resize(numbering.count);
  for (auto [op, number] : numbering.sites)
    describeSite(op, number);

  makeFrame();
  hoistAllocas();
  rewriteLaneLocal(host, kernel, lane);
  convertReturns();
  convertSites();
  host.table.addKernel(std::move(entry));
  return success();
}

LogicalResult fly::host::convertKernel(HostModule &host,
                                       LLVM::LLVMFuncOp kernel) {
  return KernelConverter(host, kernel).run();
}
