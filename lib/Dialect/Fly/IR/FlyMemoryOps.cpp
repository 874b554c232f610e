// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers and memory: conversions, accesses through iterators and tensors,
// and their checks.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "OpSupport.h"

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

std::optional<int64_t> MakePtrOp::getDictInt(StringRef key) {
  DictionaryAttr dict = getDictAttrsAttr();
  auto value = dict ? dict.getAs<IntegerAttr>(key) : IntegerAttr();
  if (!value || !value.getType().isSignlessInteger(64))
    return std::nullopt;
  return value.getInt();
}

LogicalResult MakePtrOp::verify() {
  DictionaryAttr dict = getDictAttrsAttr();
  for (StringRef key : {"allocSize", "allocBytes", "allocAlign"}) {
    if (!dict || !dict.get(key))
      continue;
    // make_ptr_c1
    std::optional<int64_t> value = getDictInt(key);
    if (!value)
      return emitOpError("'") << key << "' must be an i64 integer, got "
                              << dict.get(key) << " [make_ptr_c1]";
    // make_ptr_c2
    bool isAlign = key == "allocAlign";
    if (isAlign ? !llvm::isPowerOf2_64(std::max<int64_t>(*value, 0))
                : *value < 0)
      return emitOpError("'")
             << key << "' must "
             << (isAlign ? "be a positive power of two" : "not be negative")
             << ", got " << *value << " [make_ptr_c2]";
  }
  return success();
}

LogicalResult GetDynSharedOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location>,
                                               GetDynSharedOp::Adaptor,
                                               SmallVectorImpl<Type> &results) {
  results.push_back(fly::PointerType::get(IntegerType::get(context, 8),
                                          AddressSpace::Shared,
                                          AlignAttr::get(context, 1024)));
  return success();
}

LogicalResult PtrToIntOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> location,
                                           PtrToIntOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &results) {
  StringRef name = opClassName<PtrToIntOp>();
  auto pointer = dyn_cast<fly::PointerType>(adaptor.getPtr().getType());
  if (!pointer)
    return emitOptionalError(location, name, ": expected a pointer, got ",
                             adaptor.getPtr().getType());
  // ptrtoint_c1
  bool shared = pointer.isIn(AddressSpace::Shared);
  if (!shared && !pointer.isIn(AddressSpace::Global))
    return emitOptionalError(location, name,
                             ": expected Shared or Global address space, got ",
                             pointer.getAddressSpace(), " [ptrtoint_c1]");
  results.push_back(IntegerType::get(context, shared ? 32 : 64));
  return success();
}

LogicalResult ToLLVMPtrOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> location,
                                            ToLLVMPtrOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &results) {
  StringRef name = opClassName<ToLLVMPtrOp>();
  auto space = static_cast<int32_t>(adaptor.getLlvmAddressSpace());
  // to_llvm_ptr_c1
  if (space < 0)
    return emitOptionalError(location, name,
                             ": llvm_address_space must be non-negative, got ",
                             space, " [to_llvm_ptr_c1]");
  // The type's storage lives in the LLVM dialect, which a parsed result type
  // has loaded; a builder must have.
  if (!context->getLoadedDialect("llvm"))
    return emitOptionalError(location, name,
                             ": the LLVM dialect is not loaded");
  results.push_back(LLVM::LLVMPointerType::get(context, space));
  return success();
}

LogicalResult ApplySwizzleOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> location,
                                               ApplySwizzleOp::Adaptor adaptor,
                                               SmallVectorImpl<Type> &results) {
  auto pointer = dyn_cast<fly::PointerType>(adaptor.getPtr().getType());
  auto swizzle = dyn_cast<SwizzleType>(adaptor.getSwizzle().getType());
  if (!pointer || !swizzle)
    return emitOptionalError(location, opClassName<ApplySwizzleOp>(),
                             ": expected a pointer and a swizzle, got ",
                             adaptor.getPtr().getType(), " and ",
                             adaptor.getSwizzle().getType());
  results.push_back(swizzlePointer(pointer, swizzle.getAttr()));
  return success();
}

LogicalResult RecastIterOp::verify() {
  // recast_iter_c1
  if (getPtr().getType().getAddressSpace() != getType().getAddressSpace())
    return emitOpError("address spaces differ: ")
           << getPtr().getType() << " and " << getType() << " [recast_iter_c1]";
  return success();
}

//===----------------------------------------------------------------------===//
// Access through an iterator
//===----------------------------------------------------------------------===//

LogicalResult PtrLoadOp::verify() {
  Type iter = getIter().getType(), result = getType();
  // ptr_load_c1
  if (auto pointer = dyn_cast<fly::PointerType>(iter)) {
    if (!isElementOrVector(result, pointer.getElementType()))
      return emitOpError("result must be an element or vector of elements of ")
             << pointer << ", got " << result << " [ptr_load_c1]";
  } else if (result != iter) {
    return emitOpError("result must be the int tuple ")
           << iter << ", got " << result << " [ptr_load_c1]";
  }
  return success();
}

LogicalResult PtrStoreOp::verify() {
  // ptr_store_c1
  if (!isElementOrVector(getValue().getType(),
                         getPtr().getType().getElementType()))
    return emitOpError("value must be an element or vector of elements of ")
           << getPtr().getType() << ", got " << getValue().getType()
           << " [ptr_store_c1]";
  return success();
}

//===----------------------------------------------------------------------===//
// Access through a tensor
//===----------------------------------------------------------------------===//

LogicalResult MemRefAllocaOp::verify() {
  // memref_alloca_c1
  if (getType().getLayout() != getLayout().getType().getAttr())
    return emitOpError("result of layout ")
           << getType() << " differs from the operand " << getLayout().getType()
           << " [memref_alloca_c1]";
  return success();
}

/// The text of an error; a wrong kind of operand has no label.
static std::string getText(const layout::Error &error) {
  return error.label.empty() ? error.message : error.str();
}

/// The element type of a memref, or the int tuple that a coordinate tensor
/// gives, at `coord`.
static layout::Result<Type> inferElement(MLIRContext *context, Type tensorType,
                                         Type coordType) {
  auto unexpected = [](StringRef kind, Type got) {
    std::string message;
    llvm::raw_string_ostream os(message);
    os << "expected " << kind << ", got '" << got << "'";
    return layout::Error{"", message};
  };
  if (!isa<fly::MemRefType, CoordTensorType>(tensorType))
    return unexpected("memref or coordinate tensor", tensorType);
  auto coordTuple = dyn_cast<IntTupleType>(coordType);
  if (!coordTuple)
    return unexpected("IntTupleType for indices", coordType);
  unsigned nextSymbol = 0;
  AlgebraValue value = readType(tensorType, nextSymbol);
  const Tensor &tensor = value.get<Tensor>();
  layout::IntTuple coord = toValue(coordTuple.getAttr(), nextSymbol);
  if (tensor.isCoord()) {
    FLY_TRY(element, evaluateCoordElement(tensor, coord));
    return getTypeOf(context, element);
  }
  FLY_TRY(offset, evaluateElementOffset(tensor.layout, coord));
  (void)offset;
  return cast<fly::MemRefType>(tensorType).getElementType();
}

LogicalResult MemRefLoadOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location> location,
                                             MemRefLoadOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &results) {
  // crd2idx_c1 element_offset_c1
  layout::Result<Type> element = inferElement(
      context, adaptor.getTensor().getType(), adaptor.getCoord().getType());
  if (!element)
    return emitOptionalError(location, opClassName<MemRefLoadOp>(), ": ",
                             getText(element.error()));
  results.push_back(*element);
  return success();
}

LogicalResult MemRefStoreOp::verify() {
  // memref_store_c1
  Type element = getMemref().getType().getElementType();
  if (getValue().getType() != element)
    return emitOpError("value of type ")
           << getValue().getType() << " does not match the elements of "
           << getMemref().getType() << " [memref_store_c1]";
  // memref_store_c2
  layout::Result<Type> stored =
      inferElement(getContext(), getMemref().getType(), getCoord().getType());
  if (!stored)
    return emitOpError(getText(stored.error()));
  return success();
}

LogicalResult MemRefLoadVecOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location,
    MemRefLoadVecOp::Adaptor adaptor, SmallVectorImpl<Type> &results) {
  StringRef name = opClassName<MemRefLoadVecOp>();
  Type type = adaptor.getTensor().getType();
  auto memref = dyn_cast<fly::MemRefType>(type);
  auto tensor = dyn_cast<CoordTensorType>(type);
  if (!memref && !tensor)
    return emitOptionalError(location, name, ": expected a tensor, got ", type);
  Attribute layout = getTensorLayout(type);
  // memref_load_vec_c2
  if (!isa<LayoutAttr>(layout))
    return emitOptionalError(location, name, ": ",
                             memref ? "MemRefType" : "CoordTensorTy",
                             " with ComposedLayout is not supported"
                             " [memref_load_vec_c2]");
  // memref_load_vec_c1
  unsigned nextSymbol = 0;
  layout::Layout value = toValue(cast<LayoutAttr>(layout), nextSymbol);
  layout::Result<layout::Int> size = layout::size(value);
  if (!size)
    return emitOptionalError(location, name, ": ", size.error().str());
  if (!size->isStatic() || size->getValue() <= 0)
    return emitOptionalError(
        location, name, ": layout size must be static and leaf int, got ",
        IntTupleAttr::get(toAttr(context, *size)), " [memref_load_vec_c1]");
  Type element = memref ? memref.getElementType() : Type();
  if (tensor) {
    // memref_load_vec_c3
    layout::IntTuple base = toValue(tensor.getBase(), nextSymbol);
    if (!base.isLeaf() || base.getLeaf().isBasis())
      return emitOptionalError(location, name,
                               ": CoordTensor base must be a leaf int, got ",
                               tensor.getBase(), " [memref_load_vec_c3]");
    if (value.getStride().hasBasis())
      return emitOptionalError(location, name,
                               ": strides must be integers, got ", type,
                               " [memref_load_vec_c3]");
    bool wide = base.getInt().getWidth() == 64;
    for (const layout::IntTuple &part : {value.getShape(), value.getStride()})
      part.forEachLeaf([&](const layout::Leaf &leaf) {
        wide |= leaf.getInt().getWidth() == 64;
      });
    element = IntegerType::get(context, wide ? 64 : 32);
  }
  results.push_back(VectorType::get({size->getValue()}, element));
  return success();
}

LogicalResult MemRefStoreVecOp::verify() {
  auto vector = cast<VectorType>(getVector().getType());
  fly::MemRefType memref = getMemref().getType();
  // memref_store_vec_c1
  if (vector.getRank() != 1 || vector.isScalable() ||
      vector.getElementType() != memref.getElementType())
    return emitOpError("vector ")
           << vector << " must have one dimension and the elements of "
           << memref << " [memref_store_vec_c1]";
  // memref_store_vec_c2
  std::optional<int64_t> size = getStaticTensorSize(memref);
  if (!isa<LayoutAttr>(memref.getLayout()) || size != vector.getNumElements())
    return emitOpError("vector ")
           << vector << " needs a plain layout of static size "
           << vector.getNumElements() << ", got " << memref
           << " [memref_store_vec_c2]";
  return success();
}
