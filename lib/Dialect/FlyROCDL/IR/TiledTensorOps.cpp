// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that make tensor copies of tiles: their result types.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"
#include "Fly/Dialect/FlyROCDL/IR/TiledTensorCopies.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fly::rocdl;
namespace layout = fly::layout;

layout::Result<TiledTensorCopy>
fly::rocdl::deriveTiledCopyOf(TypeRange operands, int64_t numWarps,
                              Type internalType, bool isLoad) {
  auto fail = [](StringRef label, const Twine &message) {
    return layout::Error{label.str(), message.str()};
  };
  auto describe = [](Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  };
  if (internalType)
    return fail("tiled_tdm_c1", "internal_type must be omitted until rational "
                                "basis strides are supported");
  auto tensor = dyn_cast<fly::MemRefType>(operands[0]);
  auto plain = tensor ? dyn_cast<fly::LayoutAttr>(tensor.getLayout())
                      : fly::LayoutAttr();
  if (!plain || !tensor.isIn(fly::AddressSpace::Global) ||
      !tensor.getSwizzle().isTrivial())
    return fail("tiled_tdm_c1", "the tensor must be a global memref with a "
                                "plain layout, got " +
                                    describe(operands[0]));
  std::optional<int64_t> bits = fly::getElementBits(tensor.getElementType());
  if (!bits || !arch::lookupCopy(arch::CopyFamily::TensorLoad, *bits))
    return fail("tiled_tdm_c1",
                "TDM element width must be one of 8, 16, 32 or 64 bits, got " +
                    describe(tensor.getElementType()));
  auto lds = dyn_cast<fly::LayoutType>(operands[1]);
  if (!lds)
    return fail("tiled_tdm_c3",
                "the LDS tile must be a layout, got " + describe(operands[1]));
  auto tiler = dyn_cast<fly::TileType>(operands[2]);
  if (!tiler)
    return fail("tiled_tdm_c2",
                "the tiler must be a tile, got " + describe(operands[2]));
  unsigned symbols = 0;
  return deriveTiledCopy(
      fly::toValue(plain, symbols), fly::toValue(lds.getAttr(), symbols),
      fly::toValue(tiler.getAttr(), symbols), numWarps, isLoad);
}

Type fly::rocdl::getTiledAtomType(
    MLIRContext *context, const TiledTensorCopy &copy, Type element,
    bool isLoad, bool atomicBarrier, int32_t cacheModifier,
    function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<int32_t> extents;
  for (const DescriptorAxis &axis : copy.axes)
    extents.push_back(int32_t(axis.extent));
  ArrayRef<int32_t> shape = extents;
  // No larger padding could be encoded either.
  if (!llvm::isInt<32>(copy.padInterval) || !llvm::isInt<32>(copy.padAmount)) {
    emitError() << "TDM padding of " << copy.padAmount << " elements after "
                << copy.padInterval << " is not encodable";
    return {};
  }
  fly::IntTupleAttr tensor2tdm = fly::toAttr(context, copy.tensor2tdm);
  if (isLoad)
    return TensorLoadType::getChecked(
        emitError, context, shape, element, tensor2tdm, atomicBarrier,
        cacheModifier, /*iterCount=*/1, int32_t(copy.padInterval),
        int32_t(copy.padAmount));
  return TensorStoreType::getChecked(emitError, context, shape, element,
                                     tensor2tdm, atomicBarrier, cacheModifier,
                                     /*iterCount=*/1);
}

/// The result types of both operations.
template <typename OpT>
static LogicalResult
infer(MLIRContext *context, std::optional<Location> location,
      typename OpT::Adaptor adaptor, DictionaryAttr attributes, bool isLoad,
      SmallVectorImpl<Type> &results) {
  // The parser asks before attributes have become properties, and those at
  // their default are nowhere.
  auto find = [&](auto attr, StringRef name) {
    if (!attr && attributes)
      attr = attributes.getAs<decltype(attr)>(name);
    return attr;
  };
  auto warps = find(adaptor.getNumWarpsAttr(), "numWarps");
  auto cache = find(adaptor.getCacheModifierAttr(), "cacheModifier");
  auto barrier = find(adaptor.getAtomicBarrierAttr(), "atomicBarrier");
  auto internal = find(adaptor.getInternalTypeAttr(), "internalType");
  auto copy = deriveTiledCopyOf(
      adaptor.getOperands().getTypes(), warps ? warps.getInt() : 1,
      internal ? internal.getValue() : Type(), isLoad);
  if (!copy)
    return emitOptionalError(location, OpT::getOperationName(), ": ",
                             copy.error().str());
  auto tensor = cast<fly::MemRefType>(adaptor.getTensor().getType());
  Type element = tensor.getElementType();
  Location place = location.value_or(UnknownLoc::get(context));
  auto emitChecked = [&] { return emitError(place); };
  Type atom = getTiledAtomType(
      context, *copy, element, isLoad, barrier && barrier.getValue(),
      cache ? int32_t(cache.getInt()) : 0, emitChecked);
  if (!atom)
    return failure();
  results.push_back(
      fly::CopyAtomType::get(atom, int32_t(*fly::getElementBits(element))));
  SmallVector<fly::IntTupleAttr> zeros(
      copy->axes.size(), fly::IntTupleAttr::getStatic(context, 0));
  auto base = fly::IntTupleAttr::get(ArrayRef<fly::IntTupleAttr>(zeros));
  results.push_back(fly::CoordTensorType::get(
      base, fly::LayoutAttr::get(tensor.getLinearLayout().getShape(),
                                 fly::toAttr(context, copy->coordStrides))));
  return success();
}

LogicalResult MakeTiledTdmLoadAtomOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &results) {
  return infer<MakeTiledTdmLoadAtomOp>(
      context, location, Adaptor(operands, attributes, properties, regions),
      attributes,
      /*isLoad=*/true, results);
}

LogicalResult MakeTiledTdmStoreAtomOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &results) {
  return infer<MakeTiledTdmStoreAtomOp>(
      context, location, Adaptor(operands, attributes, properties, regions),
      attributes,
      /*isLoad=*/false, results);
}
