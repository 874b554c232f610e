// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of `cdna5.tensor_load` and `cdna5.tensor_store`: copies whose tensor
// is in the atom's state and whose global operand is a coordinate.

#include "Buffer.h"
#include "CopyAtoms.h"
#include "TensorDescriptor.h"
#include "TensorMaps.h"

#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace fly::rocdl {
namespace {

constexpr int64_t kMaxRank = 5;

/// Where the state's fields are; a load has two more in front.
struct StateIndex {
  int64_t mask = -1, timeout = -1, barrier, base, stride, extent, check,
          iterate;

  explicit StateIndex(bool isLoad) {
    int64_t first = isLoad ? 2 : 0;
    if (isLoad) {
      mask = 0;
      timeout = 1;
    }
    barrier = first;
    base = first + 1;
    stride = first + 2;
    extent = stride + kMaxRank - 1;
    check = extent + kMaxRank;
    iterate = check + kMaxRank;
  }
};

template <typename TypeT>
constexpr bool isLoadType = std::is_same_v<TypeT, TensorLoadType>;

int32_t getPadInterval(TensorLoadType type) { return type.getPadInterval(); }
int32_t getPadAmount(TensorLoadType type) { return type.getPadAmount(); }
int32_t getPadInterval(TensorStoreType) { return 0; }
int32_t getPadAmount(TensorStoreType) { return 0; }

/// The leaves of an int tuple as values: constants, or the operands of its
/// constructor. Nothing if they cannot be seen.
std::optional<SmallVector<Value>> getLeaves(OpBuilder &builder, Location loc,
                                            Value tuple, IntTupleAttr attr) {
  Operation *make = tuple ? tuple.getDefiningOp() : nullptr;
  bool isMade =
      isa_and_nonnull<MakeIntTupleOp, MakeShapeOp, MakeStrideOp, MakeCoordOp>(
          make);
  SmallVector<Value> values;
  unsigned next = 0;
  bool isSeen = true;
  attr.walkLeaves([&](Attribute leaf) {
    auto integer = dyn_cast<IntAttr>(leaf);
    if (integer && integer.isStatic() && llvm::isInt<32>(integer.getValue())) {
      values.push_back(i32Constant(builder, loc, int32_t(integer.getValue())));
      return;
    }
    isSeen &= integer && integer.isDynamic() && isMade &&
              next < make->getNumOperands();
    if (isSeen)
      values.push_back(make->getOperand(next++));
  });
  if (!isSeen)
    return std::nullopt;
  return values;
}

/// The base tuple of a coordinate tensor, or null if it is static.
Value getBaseTuple(Value tensor) {
  if (auto view = tensor.getDefiningOp<MakeViewOp>())
    return view.getOperand(0);
  return {};
}

/// The emission of one call.
template <typename TypeT>
struct TensorCall {
  TypeT atom;
  OpBuilder &builder;
  Location loc;
  const CopyCall &call;
  EmitErrorFn emitError;
  StateIndex index{isLoadType<TypeT>};

  LogicalResult emit();

private:
  LogicalResult verifyViews(CoordTensorType coords, MemRefType shared);

  Value i64(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value field(int64_t position) {
    return LLVM::ExtractValueOp::create(builder, loc, call.state, position);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  void assume(Value condition) {
    LLVM::AssumeOp::create(builder, loc, condition);
  }
};

/// Value by value, the view must be what the descriptor writes.
template <typename TypeT>
LogicalResult TensorCall<TypeT>::verifyViews(CoordTensorType coords,
                                             MemRefType shared) {
  if (!shared.getSwizzle().isTrivial())
    return emitError() << "cdna5 TDM: the swizzle "
                       << bodyToString(shared.getSwizzle())
                       << " of the LDS view cannot be applied";
  auto layout = dyn_cast<LayoutAttr>(shared.getLayout());
  auto coordLayout = dyn_cast<LayoutAttr>(coords.getLayout());
  if (!layout || !layout.isStatic() || !coordLayout || !coordLayout.isStatic())
    return emitError() << "cdna5 TDM: both operands need static layouts, got "
                       << coords << " and " << shared;
  int64_t bits = getStorageBits(shared.getElementType());
  int64_t total = atom.getNumElements() * atom.getElementBits();
  if (total % bits)
    return emitError() << "cdna5 TDM: " << total
                       << " bits are no whole number of elements of " << shared;
  int64_t count = total / bits;
  layout::Layout place = toStaticValue(layout);
  layout::Layout where = toStaticValue(coordLayout);
  auto cosize = layout::cosize(place);
  int64_t footprint = padIndex(atom.getNumElements() - 1, getPadInterval(atom),
                               getPadAmount(atom)) +
                      1;
  if (!cosize || !cosize->isStatic() ||
      cosize->getValue() * bits < footprint * atom.getElementBits())
    return emitError() << "cdna5 TDM: LDS view holds "
                       << (cosize && cosize->isStatic()
                               ? cosize->getValue() * bits
                               : 0)
                       << " bits, less than the descriptor footprint of "
                       << footprint * atom.getElementBits();
  auto sharedSize = layout::size(place), coordSize = layout::size(where);
  if (!sharedSize || !sharedSize->isStatic(count) || !coordSize ||
      !coordSize->isStatic(atom.getNumElements()) ||
      bits != atom.getElementBits() || count > kMaxSharedElements)
    return emitError() << "cdna5 TDM: the atom moves " << atom.getNumElements()
                       << " elements of " << atom.getElem() << ", got "
                       << coords << " and " << shared;
  // A basis leaf of one level for each mode, or 0.
  bool isFlat = true;
  for (const layout::Leaf &leaf : where.getStride().leaves())
    isFlat &= leaf.isBasis() ? leaf.getModes().size() == 1 : leaf.isStatic(0);
  if (!isFlat)
    return emitError() << "cdna5 TDM: the coordinates of " << coords
                       << " are not flat";
  // What an iteration adds is no coordinate.
  if (atom.getIterCount() > 1)
    return success();
  SmallVector<int64_t> box;
  for (int32_t extent : llvm::reverse(atom.getShape()))
    box.push_back(extent);
  auto mismatch = findMapMismatch(place, where, box, getPadInterval(atom),
                                  getPadAmount(atom));
  if (!mismatch)
    return success();
  InFlightDiagnostic diag = emitError();
  diag << "cdna5 TDM: the LDS view does not have the order in which the "
          "descriptor walks LDS: value "
       << mismatch->value << " is at element " << mismatch->found << " of "
       << shared;
  if (mismatch->expected < 0)
    return diag << ", but its coordinate is outside of the atom's tile";
  return diag << ", the descriptor has it at " << mismatch->expected;
}

template <typename TypeT>
LogicalResult TensorCall<TypeT>::emit() {
  constexpr bool isLoad = isLoadType<TypeT>;
  const CallOperand *global = isLoad     ? &call.src
                              : call.dst ? &*call.dst
                                         : nullptr;
  const CallOperand *lds =
      isLoad ? (call.dst ? &*call.dst : nullptr) : &call.src;
  auto coords =
      global ? dyn_cast<CoordTensorType>(global->type) : CoordTensorType();
  MemRefType shared = lds ? lds->getMemRef() : MemRefType();
  if (!coords || !shared || !shared.isIn(AddressSpace::Shared)) {
    InFlightDiagnostic diag = emitError();
    diag << "cdna5 TDM: "
         << (isLoad ? "tensor_load needs a coord-tensor source and a shared "
                      "destination"
                    : "tensor_store needs a shared source and a coord-tensor "
                      "destination");
    if (global && lds)
      diag << ", got '" << call.src.type << "' -> '" << call.dst->type << "'";
    return diag;
  }
  int32_t rank = atom.getRank();
  // Leaf j is dimension j from the innermost.
  std::optional<SmallVector<Value>> leaves =
      getLeaves(builder, loc, getBaseTuple(global->value), coords.getBase());
  if (!leaves)
    return emitError() << "cdna5 TDM: the coordinate of " << coords
                       << " must be made by fly.make_int_tuple";
  if (static_cast<int32_t>(leaves->size()) != rank)
    return emitError() << "cdna5 TDM: the coordinate has " << leaves->size()
                       << " leaves but the atom's tile is rank " << rank;
  for (auto [i, leaf] : llvm::enumerate(*leaves))
    if (!leaf.getType().isInteger(32))
      return emitError() << "cdna5 TDM: coordinate leaf " << i
                         << " must be i32 (a tile index in elements), got "
                         << leaf.getType();
  if (failed(verifyViews(coords, shared)))
    return failure();

  TensorDescriptor d;
  d.elementBits = atom.getElementBits();
  d.padInterval = getPadInterval(atom);
  d.padAmount = getPadAmount(atom);
  d.atomicBarrier = atom.getAtomicBarrier();
  d.iterCount = atom.getIterCount();
  FailureOr<int32_t> config = encodeConfig(d, "cdna5 TDM", emitError);
  if (failed(config))
    return failure();

  // Outermost first, as the state has them.
  SmallVector<Value> strides;
  for (int32_t i = 0; i + 1 < rank; ++i) {
    Value stride = field(index.stride + i);
    if (!matchPattern(stride, m_Constant()))
      assume(compare(arith::CmpIPredicate::ule, stride,
                     i64((int64_t(1) << 48) - 1)));
    strides.push_back(stride);
  }
  strides.push_back(i64(1));
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                           field(index.base));
  Value zero = i32Constant(builder, loc, 0);
  Value start;
  for (int32_t i = 0; i < rank; ++i) {
    Value coord = (*leaves)[rank - 1 - i];
    assume(compare(arith::CmpIPredicate::sge, coord, zero));
    Value wide =
        arith::ExtUIOp::create(builder, loc, builder.getI64Type(), coord);
    Value move = arith::MulIOp::create(builder, loc, wide, strides[i]);
    start = start ? arith::AddIOp::create(builder, loc, start, move).getResult()
                  : move;
  }
  address = arith::AddIOp::create(
      builder, loc, address,
      arith::MulIOp::create(builder, loc, start, i64(d.elementBits / 8)));
  d.globalAddress = address;
  for (int32_t i = rank - 1; i >= 0; --i) {
    Value extent = field(index.extent + i), check = field(index.check + i);
    Value left = arith::MaxSIOp::create(
        builder, loc,
        arith::SubIOp::create(builder, loc, extent, (*leaves)[rank - 1 - i]),
        zero);
    d.tensorDims.push_back(
        arith::SelectOp::create(builder, loc, check, left, extent));
    d.tileDims.push_back(atom.getShape()[i]);
    if (i + 1 < rank)
      d.strides.push_back(strides[i]);
  }
  d.ldsAddress =
      LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), lds->value);
  if (isLoad) {
    d.workgroupMask = field(index.mask);
    d.earlyTimeoutFlag = field(index.timeout);
    Value one = i32Constant(builder, loc, 1);
    assume(compare(arith::CmpIPredicate::ule, d.workgroupMask,
                   i32Constant(builder, loc, 0xFFFF)));
    assume(compare(arith::CmpIPredicate::ule, d.earlyTimeoutFlag, one));
    // Only a multicast can end early.
    assume(arith::OrIOp::create(
        builder, loc,
        compare(arith::CmpIPredicate::eq, d.earlyTimeoutFlag, zero),
        compare(arith::CmpIPredicate::ne, d.workgroupMask, zero)));
  }
  if (d.atomicBarrier) {
    d.barrierAddress = LLVM::PtrToIntOp::create(
        builder, loc, builder.getI32Type(), field(index.barrier));
    assume(compare(arith::CmpIPredicate::ule, d.barrierAddress,
                   i32Constant(builder, loc, 524280)));
    Value rest = arith::AndIOp::create(builder, loc, d.barrierAddress,
                                       i32Constant(builder, loc, 7));
    assume(compare(arith::CmpIPredicate::eq, rest, zero));
  }
  if (d.iterCount > 1)
    d.iterStride = field(index.iterate);
  const arch::CopyInstruction &row = *arch::lookupCopy(
      isLoad ? arch::CopyFamily::TensorLoad : arch::CopyFamily::TensorStore,
      d.elementBits);
  emitTensorCopy(builder, loc, isLoad ? row.loadOp : row.storeOp, d, *config,
                 atom.getCacheModifier());
  return success();
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

template <typename TypeT>
struct TensorEmission
    : CopyAtomEmissionInterface::ExternalModel<TensorEmission<TypeT>, TypeT> {
  static constexpr bool isLoad = isLoadType<TypeT>;

  Type getStateType(Type type) const {
    MLIRContext *context = type.getContext();
    Type i32 = IntegerType::get(context, 32),
         i64 = IntegerType::get(context, 64), i1 = IntegerType::get(context, 1);
    SmallVector<Type> fields;
    if (isLoad)
      fields.append({i32, i32});
    fields.push_back(LLVM::LLVMPointerType::get(context, 3));
    fields.push_back(LLVM::LLVMPointerType::get(context, 1));
    fields.append(kMaxRank - 1, i64);
    fields.append(kMaxRank, i32);
    fields.append(kMaxRank, i1);
    fields.push_back(i64);
    return LLVM::LLVMStructType::getLiteral(context, fields);
  }

  FailureOr<Value> emitNewState(Type type, OpBuilder &builder, Location loc,
                                ValueRange args, EmitErrorFn emitError) const {
    auto atom = cast<TypeT>(type);
    size_t rank = atom.getRank(), iterates = atom.getIterCount() > 1;
    size_t expected = 1 + (rank - 1) + rank + iterates;
    auto fail = [&]() -> InFlightDiagnostic {
      return emitError() << "cdna5 TDM: ";
    };
    if (args.size() != expected) {
      InFlightDiagnostic diag = fail();
      diag << "expected " << expected << " construction arguments (base + "
           << rank - 1 << " strides + " << rank << " extents";
      if (iterates)
        diag << " + 1 iteration stride";
      diag << "), got " << args.size();
      return failure();
    }
    Type pointer = LLVM::LLVMPointerType::get(type.getContext(), 1);
    if (args[0].getType() != pointer) {
      fail() << "the base must be a pointer, got " << args[0].getType();
      return failure();
    }
    ValueRange strides = args.slice(1, rank - 1),
               extents = args.slice(rank, rank);
    for (auto [i, stride] : llvm::enumerate(strides))
      if (!stride.getType().isInteger(64)) {
        fail() << "stride_" << i << " must be i64, got " << stride.getType();
        return failure();
      }
    for (auto [i, extent] : llvm::enumerate(extents))
      if (!extent.getType().isInteger(32)) {
        fail() << "extent_" << i << " must be i32, got " << extent.getType();
        return failure();
      }
    if (iterates && !args.back().getType().isInteger(64)) {
      fail() << "the iteration stride must be i64, got "
             << args.back().getType();
      return failure();
    }
    auto constant = [&](Type of, int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getIntegerAttr(of, value));
    };
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type(),
         i1 = builder.getI1Type();
    SmallVector<Value> fields;
    if (isLoad)
      fields.append(2, constant(i32, 0));
    fields.push_back(LLVM::ZeroOp::create(
        builder, loc, LLVM::LLVMPointerType::get(type.getContext(), 3)));
    fields.push_back(args[0]);
    llvm::append_range(fields, strides);
    fields.append(kMaxRank - 1 - strides.size(), constant(i64, 0));
    llvm::append_range(fields, extents);
    fields.append(kMaxRank - rank, constant(i32, -1));
    fields.append(rank, constant(i1, 1));
    fields.append(kMaxRank - rank, constant(i1, 0));
    fields.push_back(iterates ? args.back() : constant(i64, 0));
    Value state = LLVM::UndefOp::create(builder, loc, getStateType(type));
    for (auto [i, value] : llvm::enumerate(fields))
      state =
          LLVM::InsertValueOp::create(builder, loc, state, value, int64_t(i));
    return state;
  }

  FailureOr<Value> emitSetField(Type type, OpBuilder &builder, Location loc,
                                Value state, StringRef name, Value value,
                                EmitErrorFn emitError) const {
    auto atom = cast<TypeT>(type);
    StateIndex index(isLoad);
    auto insert = [&](Value container, Value part, int64_t position) -> Value {
      return LLVM::InsertValueOp::create(builder, loc, container, part,
                                         position);
    };
    if (name == "boundary_check") {
      emitError() << "cdna5 TDM: \"boundary_check\" is written in the global "
                     "tensor's modes and has to be translated by "
                     "`fly-rocdl-expand-ops` into \"boundary_check_axes\" "
                     "before it can be lowered";
      return failure();
    }
    if (name == "boundary_check_axes") {
      auto tuple = dyn_cast<IntTupleType>(value.getType());
      IntTupleAttr attr = tuple ? tuple.getAttr() : IntTupleAttr();
      std::optional<SmallVector<Value>> leaves;
      if (attr && !attr.isLeaf() && attr.depth() == 1 &&
          attr.rank() == atom.getRank())
        leaves = getLeaves(builder, loc, value, attr);
      if (!leaves) {
        InFlightDiagnostic diag = emitError();
        diag << "cdna5 TDM: \"boundary_check_axes\" is ";
        if (attr)
          diag << bodyToString(attr);
        else
          diag << value.getType();
        diag << ", expected the flat " << atom.getRank()
             << "-leaf tuple `fly-rocdl-expand-ops` produces, one leaf per "
                "descriptor axis";
        return failure();
      }
      for (auto [i, leaf] : llvm::enumerate(*leaves)) {
        Value zero = arith::ConstantOp::create(
            builder, loc, builder.getZeroAttr(leaf.getType()));
        Value flag = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ne, leaf, zero);
        state = insert(state, flag, index.check + int64_t(i));
      }
      return state;
    }
    if (name == "atomic_barrier_addr" && atom.getAtomicBarrier()) {
      auto pointer = dyn_cast<LLVM::LLVMPointerType>(value.getType());
      if (!pointer || pointer.getAddressSpace() != 3) {
        emitError() << "cdna5 TDM: \"atomic_barrier_addr\" is the barrier "
                       "itself, so it takes a shared-memory pointer, got "
                    << value.getType();
        return failure();
      }
      return insert(state, value, index.barrier);
    }
    bool isMask = isLoad && name == "workgroup_mask";
    if (isMask || (isLoad && name == "early_timeout")) {
      if (!value.getType().isInteger(32)) {
        emitError() << "state field \"" << name << "\" must be i32, got "
                    << value.getType() << " [atom_set_value_c1]";
        return failure();
      }
      if (failed(verifyFieldConstant(name, value, emitError)))
        return failure();
      return insert(state, value, isMask ? index.mask : index.timeout);
    }
    // Reports the unknown field with the list of the known ones.
    return emitInsertField(type, builder, loc, state, name, value, emitError);
  }

  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    if (failed(
            TensorCall<TypeT>{cast<TypeT>(type), builder, loc, call, emitError}
                .emit()))
      return failure();
    return Value();
  }

  LogicalResult emitMemory(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    return emitSSA(type, builder, loc, call, emitError);
  }
};

} // namespace

void attachTensorCopyModels(MLIRContext &context) {
  TensorLoadType::attachInterface<TensorEmission<TensorLoadType>>(context);
  TensorStoreType::attachInterface<TensorEmission<TensorStoreType>>(context);
}

} // namespace fly::rocdl
