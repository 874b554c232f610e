// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emission of `gfx1250.tdm`: a whole tile between a global and a shared memref.

#include "Buffer.h"
#include "CopyAtoms.h"
#include "TensorDescriptor.h"
#include "TensorMaps.h"

#include "Fly/Conversion/FlyToLLVM/MemoryAccess.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace fly::rocdl {
namespace {

// State fields by index.
constexpr int64_t kMask = 0, kExtent = 1, kStride = 6, kImmOffset = 10;
/// A stride that the layout's replaces.
constexpr int64_t kUnsetStride = -2147483648ll;
constexpr int32_t kNoBound = 0x7FFFFFFF;

/// One side of a copy by `rank` modes.
struct Tile {
  SmallVector<int64_t, 5> extents; ///< outermost first
  /// Strides of the layout; none for a run-time one.
  SmallVector<std::optional<int64_t>, 5> strides;
};

/// The emission of one call.
struct TdmCall {
  TdmType atom;
  OpBuilder &builder;
  Location loc;
  const CopyCall &call;
  EmitErrorFn emitError;

  LogicalResult emit();

private:
  FailureOr<Tile> readTile(MemRefType global);
  LogicalResult verifyShared(MemRefType shared, const Tile &tile,
                             int64_t interval, int64_t amount);
  bool isStrideUnset(int64_t mode);

  Value i64(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value field(int64_t index) {
    return LLVM::ExtractValueOp::create(builder, loc, call.state, index);
  }
  void checkField(Value value, unsigned bits);
};

/// Bits of a value that its field of the descriptor does not hold: AMD code
/// leaves them out; for the CPU their absence is assumed, which it checks.
void TdmCall::checkField(Value value, unsigned bits) {
  auto module = builder.getInsertionBlock()
                    ->getParentOp()
                    ->getParentOfType<gpu::GPUModuleOp>();
  ArrayAttr targets = module ? module.getTargetsAttr() : ArrayAttr();
  if (!targets || llvm::none_of(targets, llvm::IsaPred<CPUTargetAttr>))
    return;
  Value most = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(value.getType(),
                             llvm::maskTrailingOnes<uint64_t>(bits)));
  LLVM::AssumeOp::create(builder, loc,
                         arith::CmpIOp::create(builder, loc,
                                               arith::CmpIPredicate::ule, value,
                                               most));
}

FailureOr<Tile> TdmCall::readTile(MemRefType global) {
  auto fail = [&](const Twine &what) -> FailureOr<Tile> {
    emitError() << "gfx1250.tdm needs a global memref with " << what << ", got "
                << global;
    return failure();
  };
  auto layout = dyn_cast<LayoutAttr>(global.getLayout());
  if (!layout || !global.getSwizzle().isTrivial())
    return fail("a plain layout");
  int32_t rank = atom.getRank();
  bool isLeaf = rank == 1 && layout.isLeaf();
  if (layout.rank() != rank)
    return fail(Twine(rank) + " modes");
  Tile tile;
  for (int32_t i = 0; i < rank; ++i) {
    LayoutAttr mode = isLeaf ? layout : layout.at(i);
    std::optional<int64_t> extent = mode.getShape().getStaticLeaf();
    if (!extent || *extent < 1)
      return fail("static modes without parts");
    tile.extents.push_back(*extent);
    tile.strides.push_back(mode.getStride().getStaticLeaf());
    // The descriptor has 48 bits, and no sign.
    if (*extent > 1 && tile.strides.back() &&
        (*tile.strides.back() < 0 || *tile.strides.back() >> 48))
      return fail("strides in [0, 2^48)");
  }
  if (tile.extents.back() > 1 && tile.strides.back() != 1)
    return fail("a contiguous last mode (stride 1)");
  return tile;
}

/// The shared side must hold the tile row after row, with the padding or, where
/// the view only says where the tile begins, without it.
LogicalResult TdmCall::verifyShared(MemRefType shared, const Tile &tile,
                                    int64_t interval, int64_t amount) {
  if (!shared.getSwizzle().isTrivial())
    return emitError() << "gfx1250.tdm cannot apply the swizzle "
                       << bodyToString(shared.getSwizzle())
                       << " of its shared operand";
  auto layout = dyn_cast<LayoutAttr>(shared.getLayout());
  if (layout && layout.isStatic()) {
    layout::Layout value = toStaticValue(layout);
    if (isTiledRowMajor(value, tile.extents, interval, amount) ||
        isTiledRowMajor(value, tile.extents, 0, 0))
      return success();
  }
  InFlightDiagnostic diag = emitError();
  diag << "gfx1250.tdm writes shared memory row after row of the tile (";
  llvm::interleave(
      tile.extents, diag, [&](int64_t extent) { diag << extent; }, "x");
  diag << ")";
  if (interval)
    diag << ", " << amount << " elements left out after every " << interval;
  return diag << "; the shared operand is " << shared;
}

/// True if the state is seen to be made here and the stride not set.
bool TdmCall::isStrideUnset(int64_t mode) {
  Value state = call.state;
  while (auto insert = state.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == ArrayRef<int64_t>{kStride + mode}) {
      APInt value;
      return matchPattern(insert.getValue(), m_ConstantInt(&value)) &&
             value.getSExtValue() == kUnsetStride;
    }
    state = insert.getContainer();
  }
  return false;
}

LogicalResult TdmCall::emit() {
  MemRefType src = call.src.getMemRef();
  MemRefType dst = call.dst ? call.dst->getMemRef() : MemRefType();
  bool isLoad = src && dst && src.isIn(AddressSpace::Global) &&
                dst.isIn(AddressSpace::Shared);
  bool isStore = src && dst && src.isIn(AddressSpace::Shared) &&
                 dst.isIn(AddressSpace::Global);
  if (!isLoad && !isStore)
    return emitError() << "gfx1250.tdm copies between a global and a shared "
                          "memref";
  const CallOperand &global = isLoad ? call.src : *call.dst;
  const CallOperand &shared = isLoad ? *call.dst : call.src;
  Type element = global.getMemRef().getElementType();
  int64_t bits = getStorageBits(element);
  if (getStorageBits(shared.getMemRef().getElementType()) != bits)
    return emitError() << "gfx1250.tdm copies elements of one width, got "
                       << src << " and " << dst;
  const arch::CopyInstruction *row =
      arch::lookupCopy(arch::CopyFamily::Tdm, bits);
  if (!row)
    return emitError() << "gfx1250.tdm copies elements of "
                       << arch::copyWidths(arch::CopyFamily::Tdm)
                       << " bits, got " << element;
  FailureOr<Tile> tile = readTile(global.getMemRef());
  // A store reads shared memory as if there were no padding.
  int64_t interval = isLoad ? atom.getPadInterval() : 0;
  int64_t amount = isLoad ? atom.getPadAmount() : 0;
  if (failed(tile) ||
      failed(verifyShared(shared.getMemRef(), *tile, interval, amount)))
    return failure();
  int32_t rank = atom.getRank();

  // Waves along each mode, outermost modes first.
  int64_t left = atom.getNumWarps();
  SmallVector<int64_t> waves(rank, 1), part(rank);
  for (int32_t i = 0; i < rank; ++i)
    while (left > 1 && 2 * waves[i] <= tile->extents[i]) {
      waves[i] *= 2;
      left /= 2;
    }
  waves.back() *= left;
  for (int32_t i = 0; i < rank; ++i) {
    if (tile->extents[i] % waves[i])
      return emitError() << atom.getNumWarps() << " waves cut mode " << i
                         << " of the tile, of extent " << tile->extents[i]
                         << ", into " << waves[i]
                         << " unequal parts; a wave would copy what is not the "
                            "tile's";
    part[i] = tile->extents[i] / waves[i];
    if (part[i] > 65535)
      return emitError() << "a wave's part of mode " << i << " has " << part[i]
                         << " elements, more than the 65535 of a descriptor";
  }
  // Elements of shared memory from one step of a mode to the next, padding
  // between them included.
  SmallVector<int64_t> sharedPart(rank);
  int64_t packed = 1;
  for (int32_t i = rank - 1; i >= 0; --i) {
    int64_t elements = packed * part[i];
    if (interval && waves[i] > 1 && elements % interval)
      return emitError() << "a wave's part of mode " << i << " holds "
                         << elements << " elements, no multiple of the padding "
                         << "interval " << interval;
    sharedPart[i] = elements + (interval ? elements / interval * amount : 0);
    packed *= tile->extents[i];
  }

  TensorDescriptor d;
  d.elementBits = bits;
  d.padInterval = atom.getPadInterval();
  d.padAmount = atom.getPadAmount();
  d.atomicBarrier = atom.getBarrier();
  d.earlyTimeout = atom.getTimeout();
  FailureOr<int32_t> config = encodeConfig(d, "gfx1250 TDM", emitError);
  if (failed(config))
    return failure();
  for (int32_t i = 0; i + 1 < rank; ++i)
    if (!tile->strides[i] && tile->extents[i] > 1 && isStrideUnset(i))
      return emitError() << "the stride of mode " << i << " of "
                         << global.getMemRef()
                         << " is known at run time only; set the state field "
                            "\"stride_"
                         << i << "\"";

  d.workgroupMask = field(kMask);
  checkField(d.workgroupMask, 16);
  SmallVector<Value> extents, strides;
  for (int32_t i = 0; i < rank; ++i)
    extents.push_back(field(kExtent + i));
  for (int32_t i = 0; i + 1 < rank; ++i) {
    Value stride = field(kStride + i);
    if (tile->strides[i]) {
      Value unset = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, stride, i64(kUnsetStride));
      stride = arith::SelectOp::create(builder, loc, unset,
                                       i64(*tile->strides[i]), stride);
    }
    if (tile->extents[i] > 1)
      checkField(stride, 48);
    strides.push_back(stride);
  }
  strides.push_back(i64(1));
  Value address = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                           global.value);
  address = arith::AddIOp::create(builder, loc, address, field(kImmOffset));
  Value ldsAddress = LLVM::PtrToIntOp::create(
      builder, loc, builder.getI32Type(), shared.value);

  SmallVector<Value> starts(rank);
  if (atom.getNumWarps() > 1) {
    Value wave = LLVM::CallIntrinsicOp::create(
                     builder, loc, builder.getI32Type(),
                     builder.getStringAttr("llvm.amdgcn.wave.id"), ValueRange())
                     .getResult(0);
    Value globalStart, ldsStart;
    for (int32_t i = 0; i < rank; ++i) {
      Value count = i32Constant(builder, loc, int32_t(waves[i]));
      Value coord = arith::RemUIOp::create(builder, loc, wave, count);
      wave = arith::DivUIOp::create(builder, loc, wave, count);
      starts[i] = arith::MulIOp::create(
          builder, loc, coord, i32Constant(builder, loc, int32_t(part[i])));
      Value wide =
          arith::ExtUIOp::create(builder, loc, builder.getI64Type(), starts[i]);
      Value move = arith::MulIOp::create(builder, loc, wide, strides[i]);
      Value ldsMove = arith::MulIOp::create(
          builder, loc, coord,
          i32Constant(builder, loc, int32_t(sharedPart[i])));
      globalStart = globalStart
                        ? arith::AddIOp::create(builder, loc, globalStart, move)
                              .getResult()
                        : move;
      ldsStart = ldsStart
                     ? arith::AddIOp::create(builder, loc, ldsStart, ldsMove)
                           .getResult()
                     : ldsMove;
    }
    address = arith::AddIOp::create(
        builder, loc, address,
        arith::MulIOp::create(builder, loc, globalStart, i64(bits / 8)));
    ldsAddress = arith::AddIOp::create(
        builder, loc, ldsAddress,
        arith::MulIOp::create(builder, loc, ldsStart,
                              i32Constant(builder, loc, int32_t(bits / 8))));
  }
  d.globalAddress = address;
  d.ldsAddress = ldsAddress;
  for (int32_t i = rank - 1; i >= 0; --i) {
    Value end = extents[i];
    if (starts[i])
      end = arith::SubIOp::create(builder, loc, end, starts[i]);
    d.tensorDims.push_back(arith::MaxSIOp::create(
        builder, loc, end, i32Constant(builder, loc, 0)));
    d.tileDims.push_back(part[i]);
    if (i + 1 < rank)
      d.strides.push_back(strides[i]);
  }
  emitTensorCopy(builder, loc, isLoad ? row->loadOp : row->storeOp, d, *config,
                 atom.getCache());
  return success();
}

struct TdmEmission
    : CopyAtomEmissionInterface::ExternalModel<TdmEmission, TdmType> {
  FailureOr<Value> emitNewState(Type type, OpBuilder &builder, Location loc,
                                ValueRange args, EmitErrorFn emitError) const {
    if (!args.empty()) {
      emitError() << "this atom takes no construction arguments, got "
                  << args.size();
      return failure();
    }
    Value state =
        LLVM::UndefOp::create(builder, loc, getDefaultStateType(type));
    auto fields = cast<TdmType>(type).getStateFields();
    for (auto [index, field] : llvm::enumerate(fields)) {
      int64_t position = int64_t(index), value = 0;
      if (position >= kExtent && position < kStride)
        value = kNoBound;
      else if (position >= kStride && position < kImmOffset)
        value = kUnsetStride;
      Value constant = arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(field.type, value));
      state =
          LLVM::InsertValueOp::create(builder, loc, state, constant, position);
    }
    return state;
  }

  FailureOr<Value> emitSetField(Type type, OpBuilder &builder, Location loc,
                                Value state, StringRef name, Value value,
                                EmitErrorFn emitError) const {
    if (failed(verifyFieldConstant(name, value, emitError)))
      return failure();
    return fly::emitInsertField(type, builder, loc, state, name, value,
                                emitError);
  }

  FailureOr<Value> emitSSA(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    if (failed(
            TdmCall{cast<TdmType>(type), builder, loc, call, emitError}.emit()))
      return failure();
    return Value();
  }

  LogicalResult emitMemory(Type type, OpBuilder &builder, Location loc,
                           const CopyCall &call, EmitErrorFn emitError) const {
    return emitSSA(type, builder, loc, call, emitError);
  }
};

} // namespace

void attachTdmModel(MLIRContext &context) {
  TdmType::attachInterface<TdmEmission>(context);
}

} // namespace fly::rocdl
