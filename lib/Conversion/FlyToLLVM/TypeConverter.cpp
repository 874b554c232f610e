// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type converter from `fly` to the LLVM dialect.

#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"

#include "Fly/Conversion/FlyToLLVM/AtomEmission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

Type fly::toStorageType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    Type element = toStorageType(vector.getElementType());
    return element == vector.getElementType() ? type : vector.clone(element);
  }
  if (auto number = dyn_cast<FloatType>(type))
    if (number.getWidth() < 16)
      return IntegerType::get(type.getContext(), number.getWidth());
  return type;
}

unsigned fly::getLLVMAddressSpace(AddressSpace space) {
  switch (space) {
  case AddressSpace::Generic:
    return 0;
  case AddressSpace::Global:
    return 1;
  case AddressSpace::Shared:
    return 3;
  case AddressSpace::Register:
    return 5;
  }
  llvm_unreachable("all address spaces are listed");
}

std::optional<int64_t> fly::getRegisterBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable() || !vector.getElementType().isIntOrFloat())
      return std::nullopt;
    int64_t bits;
    if (llvm::MulOverflow<int64_t>(vector.getNumElements(),
                                   vector.getElementTypeBitWidth(), bits))
      return std::nullopt;
    return bits;
  }
  if (!type.isIntOrFloat())
    return std::nullopt;
  return type.getIntOrFloatBitWidth();
}

/// An LLVM pointer for one of the dialect's own spaces; null for others.
static Type convertPointer(MLIRContext *context, Attribute space) {
  auto own = dyn_cast<fly::AddressSpaceAttr>(space);
  if (!own)
    return {};
  return LLVM::LLVMPointerType::get(context,
                                    fly::getLLVMAddressSpace(own.getValue()));
}

/// The state struct of an atom; null if the operation's type has no emission.
static Type convertAtom(Type atomOp) {
  if (auto copy = dyn_cast<fly::CopyAtomEmissionInterface>(atomOp))
    return copy.getStateType();
  if (auto mma = dyn_cast<fly::MmaAtomEmissionInterface>(atomOp))
    return mma.getStateType();
  return {};
}

/// A cast between types of equal bits where one is a small float, else an
/// unrealised cast that later conversions remove.
static Value materialize(OpBuilder &builder, Type type, ValueRange inputs,
                         Location loc) {
  if (inputs.size() == 1) {
    Type from = inputs[0].getType();
    if (fly::toStorageType(from) == type || fly::toStorageType(type) == from)
      return arith::BitcastOp::create(builder, loc, type, inputs[0]);
  }
  return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
      .getResult(0);
}

fly::FlyTypeConverter::FlyTypeConverter() {
  // The conversion added last is tried first.
  addConversion([](Type type) { return toStorageType(type); });
  addConversion([](PointerType type) {
    return convertPointer(type.getContext(), type.getAddressSpace());
  });
  addConversion([](MemRefType type) {
    return convertPointer(type.getContext(), type.getAddressSpace());
  });
  addConversion(
      [](CopyAtomType type) { return convertAtom(type.getCopyOp()); });
  addConversion([](MmaAtomType type) { return convertAtom(type.getMmaOp()); });
  addConversion([](TiledCopyType type) {
    return convertAtom(type.getAtom().getCopyOp());
  });
  addConversion(
      [](TiledMmaType type) { return convertAtom(type.getAtom().getMmaOp()); });
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}
