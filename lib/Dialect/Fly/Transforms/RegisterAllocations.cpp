// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis behind register promotion: from each allocation forward along
// offsets, views and structured control flow to its loads and stores. A value
// that joins two ways (a loop argument, the result of an `scf.if`) is first
// assumed to be the same address on both and checked at the end; one that is
// not counts as a use that needs memory.

#include "RegisterAllocations.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace fly {

Type getRegisterElementType(Type elementType) {
  if (auto floatType = dyn_cast<FloatType>(elementType))
    if (floatType.getWidth() < 16)
      return IntegerType::get(elementType.getContext(), floatType.getWidth());
  return elementType;
}

bool isRegisterType(Type type) {
  if (auto pointer = dyn_cast<PointerType>(type))
    return pointer.isIn(AddressSpace::Register);
  if (auto memref = dyn_cast<fly::MemRefType>(type))
    return memref.isIn(AddressSpace::Register);
  return false;
}

/// The bits that a lane's registers hold at most: 512 vector registers of 32
/// bits on every chip. What is larger lives in scratch memory anyway, and a
/// value of its size costs the code generator minutes.
static constexpr int64_t kMaxStateBits = 512 * 32;

/// True if `state` is larger than what a lane's registers hold.
static bool exceedsRegisters(VectorType state) {
  Type element = state.getElementType();
  int64_t width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  int64_t bits;
  return llvm::MulOverflow(state.getNumElements(), width, bits) ||
         bits > kMaxStateBits;
}

/// The number of elements of an allocation, or nothing if `op` is none.
static std::optional<int64_t> getAllocSize(MakePtrOp op) {
  if (!isRegisterType(op.getResult().getType()) || !op.getDictAttrs())
    return std::nullopt;
  auto size =
      dyn_cast_or_null<IntegerAttr>(op.getDictAttrs()->get("allocSize"));
  if (!size || size.getInt() <= 0)
    return std::nullopt;
  return size.getInt();
}

//===----------------------------------------------------------------------===//
// Following an allocation
//===----------------------------------------------------------------------===//

void RegisterAllocations::reach(Value value, RegisterAddress address) {
  auto [it, inserted] = addresses.try_emplace(value, address);
  if (inserted)
    worklist.push_back(value);
  else if (it->second != address)
    joins.push_back({value, {Value()}});
}

void RegisterAllocations::join(Value target, ValueRange sources,
                               RegisterAddress address) {
  reach(target, address);
  joins.push_back({target, llvm::to_vector(sources)});
}

/// The value at `index` that the terminator of `region` hands to its parent.
static Value getYielded(Region &region, unsigned index) {
  return region.front().getTerminator()->getOperand(index);
}

void RegisterAllocations::followUse(OpOperand &use, RegisterAddress address) {
  Operation *user = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (auto offset = dyn_cast<AddOffsetOp>(user)) {
    std::optional<int64_t> value =
        cast<IntTupleType>(offset.getOffset().getType())
            .getAttr()
            .getStaticLeaf();
    int64_t sum;
    if (!value || llvm::AddOverflow(address.offset, *value, sum)) {
      allocations[address.allocation].excluded = true;
      return;
    }
    return reach(offset.getResult(), {address.allocation, sum});
  }
  if (isa<RecastIterOp>(user)) {
    if (!user->use_empty())
      allocations[address.allocation].excluded = true;
    return;
  }
  if (isa<MakeViewOp, GetIterOp>(user))
    return reach(user->getResult(0), address);
  if (isa<PtrLoadOp>(user) || (isa<PtrStoreOp>(user) && index == 1)) {
    accesses.push_back({user, address.allocation});
    return;
  }

  // Structured control flow hands addresses on.
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    unsigned iter = index - loop.getNumControlOperands();
    Value sources[] = {loop.getInitArgs()[iter],
                       getYielded(loop.getRegion(), iter)};
    join(loop.getRegionIterArg(iter), sources, address);
    return join(loop.getResult(iter), sources, address);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(user)) {
    Value sources[] = {loop.getInits()[index],
                       getYielded(loop.getAfter(), index)};
    return join(loop.getBeforeArguments()[index], sources, address);
  }
  if (isa<scf::ConditionOp>(user) && index > 0) {
    auto loop = cast<scf::WhileOp>(user->getParentOp());
    join(loop.getAfterArguments()[index - 1], use.get(), address);
    return join(loop.getResult(index - 1), use.get(), address);
  }
  if (isa<scf::YieldOp>(user)) {
    Operation *parent = user->getParentOp();
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      Value sources[] = {getYielded(branch.getThenRegion(), index),
                         getYielded(branch.getElseRegion(), index)};
      return join(branch.getResult(index), sources, address);
    }
    // Whatever enters a loop by its back edge is compared with the initial
    // value, which is followed from the loop's operand.
    if (isa<scf::ForOp, scf::WhileOp>(parent)) {
      Value initial = isa<scf::ForOp>(parent)
                          ? cast<scf::ForOp>(parent).getInitArgs()[index]
                          : cast<scf::WhileOp>(parent).getInits()[index];
      joins.push_back({use.get(), {initial}});
      return;
    }
  }
  escapes.try_emplace(address.allocation, user);
}

void RegisterAllocations::follow(unsigned index) {
  reach(allocations[index].op.getResult(), {index, 0});
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    RegisterAddress address = addresses.lookup(value);
    for (OpOperand &use : value.getUses())
      followUse(use, address);
  }
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The number of elements of `stateElement` that a value of type `accessed`
/// covers, or nothing if they do not share their bits evenly.
static std::optional<int64_t> getCoveredElements(Type accessed,
                                                 Type stateElement) {
  int64_t count = 1;
  Type element = accessed;
  if (auto vector = dyn_cast<VectorType>(accessed)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return std::nullopt;
    count = vector.getNumElements();
    element = vector.getElementType();
  }
  if (element == stateElement)
    return count;
  if (!element.isIntOrFloat() || !stateElement.isIntOrFloat())
    return std::nullopt;
  int64_t bits;
  if (llvm::MulOverflow<int64_t>(count, element.getIntOrFloatBitWidth(), bits))
    return std::nullopt;
  int64_t width = stateElement.getIntOrFloatBitWidth();
  if (bits % width != 0)
    return std::nullopt;
  return bits / width;
}

LogicalResult RegisterAllocations::checkAccess(Operation *op, Type accessed,
                                               RegisterAddress address) {
  RegisterAllocation &allocation = allocations[address.allocation];
  int64_t size = allocation.stateType.getNumElements();
  Type element = allocation.stateType.getElementType();
  std::optional<int64_t> count = getCoveredElements(accessed, element);
  if (!count)
    return op->emitOpError("accesses register memory of ")
           << element << " as " << accessed
           << ", which is not a whole number of its elements";
  int64_t end;
  if (address.offset >= 0 && !llvm::AddOverflow(address.offset, *count, end) &&
      end <= size)
    return success();
  InFlightDiagnostic diag = op->emitOpError("accesses ")
                            << *count << " register elements at offset "
                            << address.offset
                            << ", outside of an allocation of " << size;
  diag.attachNote(allocation.op.getLoc()) << "allocated here";
  return diag;
}

FailureOr<RegisterAllocations>
RegisterAllocations::analyze(FunctionOpInterface function) {
  RegisterAllocations result;
  function.walk<WalkOrder::PreOrder>([&](MakePtrOp op) {
    std::optional<int64_t> size = getAllocSize(op);
    if (!size)
      return;
    Type element = getRegisterElementType(
        cast<PointerType>(op.getResult().getType()).getElementType());
    auto state = VectorType::get(*size, element);
    result.allocations.push_back({op, state, exceedsRegisters(state)});
  });
  for (unsigned index = 0, e = result.allocations.size(); index < e; ++index)
    result.follow(index);

  // A join whose sources disagree needs the pointer as a value.
  for (auto &[target, sources] : result.joins) {
    RegisterAddress address = result.addresses.lookup(target);
    for (Value source : sources) {
      auto it = source ? result.addresses.find(source) : result.addresses.end();
      if (it != result.addresses.end() && it->second == address)
        continue;
      Operation *place = target.getParentBlock()->getParentOp();
      if (Operation *definition = target.getDefiningOp())
        place = definition;
      result.escapes.try_emplace(address.allocation, place);
      if (it != result.addresses.end())
        result.escapes.try_emplace(it->second.allocation, place);
    }
  }
  // With every allocation else promoted, nothing may need memory.
  bool anyExcluded = result.anyExcluded();
  for (unsigned index = 0, e = result.allocations.size(); index < e; ++index) {
    RegisterAllocation &allocation = result.allocations[index];
    auto it = result.escapes.find(index);
    if (it == result.escapes.end() || allocation.excluded)
      continue;
    if (anyExcluded) {
      allocation.excluded = true;
      continue;
    }
    InFlightDiagnostic diag = it->second->emitOpError(
        "register operand/result remain after rmem SSA promotion");
    diag.attachNote(allocation.op.getLoc()) << "allocated here";
    return failure();
  }

  for (auto [op, index] : result.accesses) {
    if (result.allocations[index].excluded)
      continue;
    auto load = dyn_cast<PtrLoadOp>(op);
    Value pointer = load ? load.getIter() : cast<PtrStoreOp>(op).getPtr();
    Type accessed = load ? load.getResult().getType()
                         : cast<PtrStoreOp>(op).getValue().getType();
    if (failed(
            result.checkAccess(op, accessed, result.addresses.lookup(pointer))))
      return failure();
  }
  result.recordTouched();
  return result;
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool RegisterAllocations::anyExcluded() const {
  return llvm::any_of(allocations, [](const RegisterAllocation &allocation) {
    return allocation.excluded;
  });
}

bool RegisterAllocations::anyPromoted() const {
  return llvm::any_of(allocations, [](const RegisterAllocation &allocation) {
    return !allocation.excluded;
  });
}

std::optional<RegisterAddress>
RegisterAllocations::lookup(Value pointer) const {
  auto it = addresses.find(pointer);
  if (it == addresses.end() || allocations[it->second.allocation].excluded)
    return std::nullopt;
  return it->second;
}

void RegisterAllocations::recordTouched() {
  llvm::DenseMap<Operation *, llvm::SmallSetVector<unsigned, 4>> found;
  for (auto [op, index] : accesses) {
    const RegisterAllocation &allocation = allocations[index];
    if (allocation.excluded)
      continue;
    MakePtrOp make = allocation.op;
    Region *home = make->getParentRegion();
    // Stop early where an earlier access has already marked the way up.
    for (Operation *parent = op->getParentOp();
         parent && !parent->isAncestor(home->getParentOp());
         parent = parent->getParentOp())
      if (!found[parent].insert(index))
        break;
  }
  for (auto &[op, indices] : found) {
    SmallVector<unsigned> sorted(indices.begin(), indices.end());
    llvm::sort(sorted);
    touched[op] = std::move(sorted);
  }
}

ArrayRef<unsigned> RegisterAllocations::getTouched(Operation *op) const {
  auto it = touched.find(op);
  if (it == touched.end())
    return {};
  return it->second;
}

} // namespace fly
