// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-lower-memory-ops`: element and vector access through tensors as access
// through pointers, and new tensors as new pointers. Addresses are left to the
// algebra ops that this pass creates.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "InferredOp.h"
#include "Simplify.h"

#include "Fly/Dialect/Fly/Analysis/Runs.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

namespace fly {
#define GEN_PASS_DEF_FLYLOWERMEMORYOPSPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

namespace {

/// A tensor taken apart, for any number of accesses.
class TensorAccess {
public:
  TensorAccess(OpBuilder &builder, Location loc, Value tensor)
      : builder(builder), loc(loc), tensor(tensor) {}

  /// The pointer to, or the coordinate of, the element at `coord`.
  FailureOr<Value> getElement(Value coord) {
    FailureOr<Value> iter = getIter();
    if (failed(iter))
      return failure();
    if (!layout) {
      FailureOr<Value> read = createInferred<GetLayoutOp>(builder, loc, tensor);
      if (failed(read))
        return failure();
      layout = *read;
    }
    FailureOr<Value> index =
        createInferred<Crd2IdxOp>(builder, loc, {coord, layout});
    if (failed(index))
      return failure();
    if (isa<CoordTensorType>(tensor.getType()))
      return createInferred<IntTupleAddOp>(builder, loc, {*iter, *index});
    return createInferred<AddOffsetOp>(builder, loc, {*iter, *index});
  }

  /// The same for a column-major number.
  FailureOr<Value> getElement(int64_t number) {
    return getElement(createStaticLeaf(builder, loc, number));
  }

  FailureOr<Value> getIter() {
    if (!iter) {
      FailureOr<Value> read = createInferred<GetIterOp>(builder, loc, tensor);
      if (failed(read))
        return failure();
      iter = *read;
    }
    return iter;
  }

private:
  OpBuilder &builder;
  Location loc;
  Value tensor;
  Value iter, layout;
};

} // namespace

/// Replaces the result of `op`, whose type was inferred from the same tensor.
static LogicalResult replaceWith(Operation *op, Value value) {
  Value result = op->getResult(0);
  if (value.getType() != result.getType())
    return op->emitOpError("has type ")
           << result.getType() << " but its value is of type "
           << value.getType();
  result.replaceAllUsesWith(value);
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// New memory
//===----------------------------------------------------------------------===//

/// How far the indices of a static layout go below 0. Strides are integers, as
/// in every memref; the cosize fits 64 bits.
static int64_t getReachBelowZero(const layout::Layout &layout) {
  SmallVector<layout::Leaf> sizes = layout.getShape().leaves();
  SmallVector<layout::Leaf> strides = layout.getStride().leaves();
  int64_t reach = 0;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    int64_t steps = std::max<int64_t>(size.getInt().getValue(), 1) - 1;
    reach -= steps * std::min<int64_t>(stride.getInt().getValue(), 0);
  }
  return reach;
}

/// Elements from the start of new memory for `memref` to its index 0: what lies
/// before that index, rounded up so that the alignment of the start holds
/// there.
static std::optional<int64_t> getOrigin(fly::MemRefType memref,
                                        int64_t before) {
  if (before == 0)
    return 0;
  int64_t bits = *getElementBits(memref.getElementType());
  int64_t alignment;
  if (llvm::MulOverflow<int64_t>(getKnownAlignment(memref.getPointerType()), 8,
                                 alignment))
    return std::nullopt;
  int64_t step = alignment / std::gcd(alignment, bits);
  int64_t origin;
  if (llvm::MulOverflow((before - 1) / step + 1, step, origin))
    return std::nullopt;
  return origin;
}

/// Replaces `op` by memory for its result, seen through `layout`.
static LogicalResult lowerAllocation(Operation *op, Value layout) {
  auto memref = cast<fly::MemRefType>(op->getResult(0).getType());
  // alloca_c1: the number of elements is known.
  auto plain = dyn_cast<LayoutAttr>(memref.getLayout());
  if (!plain || !plain.isStatic())
    return op->emitOpError("needs a static plain layout, got ")
           << bodyToString(memref.getLayout()) << " [alloca_c1]";
  layout::Layout value = toStaticValue(plain);
  layout::Result<layout::Int> cosize = layout::cosize(value);
  if (cosize.hasError())
    return op->emitOpError() << cosize.error().str();
  int64_t before = getReachBelowZero(value);
  std::optional<int64_t> origin = getOrigin(memref, before);
  // The extent, and what rounding has put before it.
  int64_t elements;
  if (!origin ||
      llvm::AddOverflow(*origin - before, cosize->getValue(), elements))
    return op->emitOpError("needs more memory than 64 bits can count");
  OpBuilder builder(op);
  SmallVector<NamedAttribute> entries;
  if (memref.isIn(AddressSpace::Register)) {
    entries.push_back(
        builder.getNamedAttr("allocSize", builder.getI64IntegerAttr(elements)));
  } else if (memref.isIn(AddressSpace::Shared)) {
    int64_t bits;
    if (llvm::MulOverflow(elements, *getElementBits(memref.getElementType()),
                          bits))
      return op->emitOpError("needs more memory than 64 bits can count");
    // Whole blocks of the swizzle: none of them reaches into other memory.
    uint64_t block = getSwizzleBlock(memref.getSwizzle());
    uint64_t align = std::max<uint64_t>(
        block, llvm::bit_ceil<uint64_t>(memref.getAlignment().getAlignment()));
    uint64_t bytes = llvm::alignTo(llvm::divideCeil(bits, 8), block);
    if (bytes > INT64_MAX)
      return op->emitOpError("needs more memory than 64 bits can count");
    entries.push_back(
        builder.getNamedAttr("allocAlign", builder.getI64IntegerAttr(align)));
    entries.push_back(
        builder.getNamedAttr("allocBytes", builder.getI64IntegerAttr(bytes)));
  } else {
    // alloca_c2: memory can be had in the space.
    return op->emitOpError("allocates in register or shared memory, got ")
           << memref.getAddressSpace() << " [alloca_c2]";
  }
  Value pointer =
      MakePtrOp::create(builder, op->getLoc(), memref.getPointerType(),
                        ValueRange(), builder.getDictionaryAttr(entries));
  if (*origin != 0)
    pointer = AddOffsetOp::create(
        builder, op->getLoc(), memref.getPointerType(), pointer,
        createStaticLeaf(builder, op->getLoc(), *origin));
  if (!layout)
    layout = StaticOp::create(builder, op->getLoc(), LayoutType::get(plain));
  Value view =
      MakeViewOp::create(builder, op->getLoc(), memref, pointer, layout);
  return replaceWith(op, view);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static LogicalResult lowerLoad(MemRefLoadOp op) {
  OpBuilder builder(op);
  TensorAccess access(builder, op.getLoc(), op.getTensor());
  FailureOr<Value> element = access.getElement(op.getCoord());
  if (failed(element))
    return failure();
  if (isa<CoordTensorType>(op.getTensor().getType()))
    return replaceWith(op, *element);
  return replaceWith(op, PtrLoadOp::create(builder, op.getLoc(),
                                           op.getResult().getType(), *element));
}

static LogicalResult lowerStore(MemRefStoreOp op) {
  OpBuilder builder(op);
  TensorAccess access(builder, op.getLoc(), op.getMemref());
  FailureOr<Value> element = access.getElement(op.getCoord());
  if (failed(element))
    return failure();
  PtrStoreOp::create(builder, op.getLoc(), op.getValue(), *element);
  op.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

namespace {

/// How a memref's elements, in column-major order, are split into runs that
/// are contiguous in memory.
struct ChunkPlan {
  /// Flat extents, and the mode of stride 1; runs lie along it.
  SmallVector<int64_t> sizes;
  unsigned mode = 0;
  /// Elements of a run; 0 if single elements are accessed.
  int64_t width = 0;
  /// Elements in all.
  int64_t total = 1;

  int64_t getNumChunks() const { return width ? total / width : total; }

  /// The column-major number of the first element of run `chunk`: 0 in the
  /// mode of the run, the digits of `chunk` in all others.
  int64_t getFirstElement(int64_t chunk) const {
    int64_t number = 0, scale = 1;
    for (auto [index, size] : llvm::enumerate(sizes)) {
      if (index != mode) {
        number += chunk % size * scale;
        chunk /= size;
      }
      scale *= size;
    }
    return number;
  }

  /// Shape of the vector of all runs, slowest mode first and the run last, and
  /// the permutation that brings the run between the modes above and below.
  SmallVector<int64_t> getChunkedShape() const {
    SmallVector<int64_t> shape;
    for (unsigned i = sizes.size(); i-- > 0;)
      if (i != mode)
        shape.push_back(sizes[i]);
    shape.push_back(width);
    return shape;
  }
  SmallVector<int64_t> getPermutation() const {
    int64_t rank = sizes.size(), above = rank - 1 - mode;
    SmallVector<int64_t> permutation;
    for (int64_t i = 0; i < above; ++i)
      permutation.push_back(i);
    permutation.push_back(rank - 1);
    for (int64_t i = above; i < rank - 1; ++i)
      permutation.push_back(i);
    return permutation;
  }
};

} // namespace

/// The most accesses that one op may expand into.
static constexpr int64_t kMaxAccesses = int64_t(1) << 16;

/// True if every run is in one piece behind the pointer's swizzle. Runs start
/// at multiples of the other modes' strides, which the alignment of the memref
/// does not cover.
static bool keepsRuns(fly::MemRefType memref, const ChunkPlan &plan) {
  if (memref.getSwizzle().isTrivial())
    return true;
  int64_t divisor = 0;
  bool known = true;
  unsigned index = 0;
  cast<LayoutAttr>(memref.getLayout()).getStride().walkLeaves([&](Attribute a) {
    auto stride = dyn_cast<IntAttr>(a);
    if (index++ == plan.mode)
      return;
    known &= static_cast<bool>(stride);
    if (stride)
      divisor =
          layout::gcd(divisor, stride.isStatic() ? stride.getValue()
                                                 : stride.getDivisibility());
  });
  if (!known)
    return false;
  // The alignment of the start of any run.
  std::optional<int64_t> ofStart = memref.getValueDivisibility();
  if (!ofStart)
    return false;
  PointerType start =
      withDivisibility(memref.getPointerType(), layout::gcd(*ofStart, divisor),
                       memref.getSwizzle());
  int64_t bits;
  return !llvm::MulOverflow(plan.width,
                            *getElementBits(memref.getElementType()), bits) &&
         swizzleKeepsRun(start, bits);
}

static FailureOr<ChunkPlan> planChunks(Operation *op, fly::MemRefType memref,
                                       bool isStore) {
  auto plain = dyn_cast<LayoutAttr>(memref.getLayout());
  if (!plain || !plain.isStaticShape())
    return op->emitOpError("needs a plain layout of static shape, got ")
           << bodyToString(memref.getLayout());
  ChunkPlan plan;
  SmallVector<bool> unit;
  plain.getShape().walkLeaves([&](Attribute leaf) {
    plan.sizes.push_back(cast<IntAttr>(leaf).getValue());
  });
  plain.getStride().walkLeaves([&](Attribute leaf) {
    auto stride = dyn_cast<IntAttr>(leaf);
    unit.push_back(stride && stride.isStaticValue(1));
  });
  for (int64_t size : plan.sizes)
    if (size <= 0 || llvm::MulOverflow(plan.total, size, plan.total))
      return op->emitOpError("needs extents that are positive and a size "
                             "within 64 bits, got ")
             << bodyToString(plain.getShape());
  // Several modes of stride 1 name elements twice: single elements in order
  // keep the last store; a load may take any of the modes.
  int64_t count = llvm::count(unit, true);
  if (count == 1 || (count > 1 && !isStore)) {
    for (auto [index, isUnit] : llvm::enumerate(unit))
      if (isUnit && plan.sizes[index] > plan.width) {
        plan.mode = index;
        plan.width = plan.sizes[index];
      }
    // A run that a swizzle tears apart is accessed element by element.
    if (!keepsRuns(memref, plan))
      plan.width = 0;
  }
  // load_vec_c1: the expansion has a sane length.
  if (plan.getNumChunks() > kMaxAccesses)
    return op->emitOpError("expands into ")
           << plan.getNumChunks() << " accesses, more than " << kMaxAccesses
           << " [load_vec_c1]";
  if (!plan.width)
    plan.mode = plan.sizes.size();
  return plan;
}

static LogicalResult lowerLoadVec(MemRefLoadVecOp op) {
  auto memref = cast<fly::MemRefType>(op.getTensor().getType());
  auto type = cast<VectorType>(op.getResult().getType());
  FailureOr<ChunkPlan> plan = planChunks(op, memref, /*isStore=*/false);
  if (failed(plan))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  TensorAccess access(builder, loc, op.getTensor());
  if (plan->sizes.size() == 1 && plan->width) {
    FailureOr<Value> iter = access.getIter();
    if (failed(iter))
      return failure();
    return replaceWith(op, PtrLoadOp::create(builder, loc, type, *iter));
  }

  Value vector =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Type element = type.getElementType();
  for (int64_t chunk = 0, e = plan->getNumChunks(); chunk < e; ++chunk) {
    FailureOr<Value> pointer = access.getElement(plan->getFirstElement(chunk));
    if (failed(pointer))
      return failure();
    if (!plan->width) {
      Value value = PtrLoadOp::create(builder, loc, element, *pointer);
      vector = vector::InsertOp::create(builder, loc, value, vector, chunk);
      continue;
    }
    Value run = PtrLoadOp::create(
        builder, loc, VectorType::get(plan->width, element), *pointer);
    vector = vector::InsertStridedSliceOp::create(
        builder, loc, run, vector, ArrayRef<int64_t>{chunk * plan->width},
        ArrayRef<int64_t>{1});
  }
  if (plan->width && plan->mode != 0) {
    vector = vector::ShapeCastOp::create(
        builder, loc, VectorType::get(plan->getChunkedShape(), element),
        vector);
    vector = vector::TransposeOp::create(builder, loc, vector,
                                         plan->getPermutation());
    vector = vector::ShapeCastOp::create(builder, loc, type, vector);
  }
  return replaceWith(op, vector);
}

static LogicalResult lowerStoreVec(MemRefStoreVecOp op) {
  auto memref = cast<fly::MemRefType>(op.getMemref().getType());
  FailureOr<ChunkPlan> plan = planChunks(op, memref, /*isStore=*/true);
  if (failed(plan))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  TensorAccess access(builder, loc, op.getMemref());
  Value vector = op.getVector();
  auto type = cast<VectorType>(vector.getType());
  if (plan->sizes.size() == 1 && plan->width) {
    FailureOr<Value> iter = access.getIter();
    if (failed(iter))
      return failure();
    PtrStoreOp::create(builder, loc, vector, *iter);
    op.erase();
    return success();
  }

  if (plan->width && plan->mode != 0) {
    // Back from the order of elements to the order of runs.
    SmallVector<int64_t> chunked = plan->getChunkedShape();
    SmallVector<int64_t> permutation = plan->getPermutation();
    SmallVector<int64_t> shape, inverse(permutation.size());
    for (auto [to, from] : llvm::enumerate(permutation)) {
      shape.push_back(chunked[from]);
      inverse[from] = to;
    }
    vector = vector::ShapeCastOp::create(
        builder, loc, VectorType::get(shape, type.getElementType()), vector);
    vector = vector::TransposeOp::create(builder, loc, vector, inverse);
    vector = vector::ShapeCastOp::create(builder, loc, type, vector);
  }
  for (int64_t chunk = 0, e = plan->getNumChunks(); chunk < e; ++chunk) {
    Value part;
    if (plan->width)
      part = vector::ExtractStridedSliceOp::create(
          builder, loc, vector, ArrayRef<int64_t>{chunk * plan->width},
          ArrayRef<int64_t>{plan->width}, ArrayRef<int64_t>{1});
    else
      part = vector::ExtractOp::create(builder, loc, vector, chunk);
    FailureOr<Value> pointer = access.getElement(plan->getFirstElement(chunk));
    if (failed(pointer))
      return failure();
    PtrStoreOp::create(builder, loc, part, *pointer);
  }
  op.erase();
  return success();
}

/// The integers of a coordinate tensor as a vector.
static LogicalResult lowerCoordLoadVec(MemRefLoadVecOp op) {
  auto type = cast<VectorType>(op.getResult().getType());
  if (type.getNumElements() > kMaxAccesses)
    return op->emitOpError("expands into ")
           << type.getNumElements() << " accesses, more than " << kMaxAccesses
           << " [load_vec_c1]";
  OpBuilder builder(op);
  Location loc = op.getLoc();
  TensorAccess access(builder, loc, op.getTensor());
  Type element = type.getElementType();
  Value vector =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    FailureOr<Value> coord = access.getElement(i);
    if (failed(coord))
      return failure();
    FailureOr<Value> scalar = createInferred<GetScalarOp>(builder, loc, *coord);
    if (failed(scalar))
      return failure();
    Value value = *scalar;
    unsigned from = value.getType().getIntOrFloatBitWidth();
    unsigned to = element.getIntOrFloatBitWidth();
    if (from < to)
      value = arith::ExtSIOp::create(builder, loc, element, value);
    else if (from > to)
      value = arith::TruncIOp::create(builder, loc, element, value);
    vector = vector::InsertOp::create(builder, loc, value, vector, i);
  }
  return replaceWith(op, vector);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static LogicalResult lowerMemoryOp(Operation *op) {
  if (auto alloca = dyn_cast<MemRefAllocaOp>(op))
    return lowerAllocation(op, alloca.getLayout());
  if (isa<MakeFragmentLikeOp, MmaMakeFragmentOp>(op))
    return lowerAllocation(op, Value());
  if (auto load = dyn_cast<MemRefLoadOp>(op))
    return lowerLoad(load);
  if (auto store = dyn_cast<MemRefStoreOp>(op))
    return lowerStore(store);
  if (auto load = dyn_cast<MemRefLoadVecOp>(op))
    return isa<CoordTensorType>(load.getTensor().getType())
               ? lowerCoordLoadVec(load)
               : lowerLoadVec(load);
  if (auto store = dyn_cast<MemRefStoreVecOp>(op))
    return lowerStoreVec(store);
  return success();
}

namespace {

struct LowerMemoryOpsPass
    : fly::impl::FlyLowerMemoryOpsPassBase<LowerMemoryOpsPass> {
  void runOnOperation() override {
    Operation *root = getOperation();
    SmallVector<Operation *> ops;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<MemRefAllocaOp, MakeFragmentLikeOp, MmaMakeFragmentOp,
              MemRefLoadOp, MemRefStoreOp, MemRefLoadVecOp, MemRefStoreVecOp>(
              op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(lowerMemoryOp(op)))
        return signalPassFailure();
    if (!eraseDeadOps(root) && ops.empty())
      markAllAnalysesPreserved();
  }
};

} // namespace
