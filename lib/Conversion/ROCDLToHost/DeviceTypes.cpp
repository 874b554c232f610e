// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and address spaces of AMDGPU types, and their replacement by those of
// the host.

#include "DeviceTypes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly::host;

/// `a` rounded up to a multiple of `align` (a power of two), if it fits.
static std::optional<uint64_t> checkedAlign(uint64_t a, uint64_t align) {
  std::optional<uint64_t> sum = llvm::checkedAddUnsigned(a, align - 1);
  if (!sum)
    return std::nullopt;
  return *sum & ~(align - 1);
}

static std::optional<TypeLayout> scalarLayout(uint64_t bits) {
  if (bits == 0 || bits > (uint64_t(1) << 32))
    return std::nullopt;
  // The data layout of AMDGPU names i64 (8) and leaves wider integers at their
  // natural size up to 16.
  uint64_t bytes = llvm::divideCeil(bits, 8);
  uint64_t align = std::min<uint64_t>(llvm::PowerOf2Ceil(bytes), 16);
  std::optional<uint64_t> size = checkedAlign(bytes, align);
  return TypeLayout{*size, align};
}

static std::optional<TypeLayout> pointerLayout(unsigned space) {
  switch (space) {
  case GenericSpace:
  case GlobalSpace:
  case ConstantSpace:
    return TypeLayout{8, 8};
  case LdsSpace:
  case PrivateSpace:
    return TypeLayout{4, 4};
  case ResourceSpace:
    return TypeLayout{16, 16};
  }
  return std::nullopt;
}

static std::optional<TypeLayout> structLayout(LLVM::LLVMStructType type) {
  if (type.isOpaque())
    return std::nullopt;
  TypeLayout layout;
  for (Type member : type.getBody()) {
    std::optional<TypeLayout> inner = deviceLayout(member);
    if (!inner)
      return std::nullopt;
    uint64_t align = type.isPacked() ? 1 : inner->align;
    std::optional<uint64_t> offset = checkedAlign(layout.size, align);
    std::optional<uint64_t> end =
        offset ? llvm::checkedAddUnsigned(*offset, inner->size) : std::nullopt;
    if (!end)
      return std::nullopt;
    layout = {*end, std::max(layout.align, align)};
  }
  std::optional<uint64_t> size = checkedAlign(layout.size, layout.align);
  if (!size)
    return std::nullopt;
  return TypeLayout{*size, layout.align};
}

std::optional<TypeLayout> fly::host::deviceLayout(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointerLayout(pointer.getAddressSpace());
  if (type.isIntOrFloat())
    return scalarLayout(type.getIntOrFloatBitWidth());
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable() || vector.getRank() != 1)
      return std::nullopt;
    std::optional<TypeLayout> element = deviceLayout(vector.getElementType());
    if (!element)
      return std::nullopt;
    uint64_t bits = vector.getElementType().isIntOrFloat()
                        ? vector.getElementTypeBitWidth()
                        : element->size * 8;
    std::optional<uint64_t> total =
        llvm::checkedMulUnsigned(bits, uint64_t(vector.getNumElements()));
    if (!total || *total == 0)
      return std::nullopt;
    // Vectors are aligned to their size, rounded up to a power of two.
    uint64_t bytes = llvm::PowerOf2Ceil(llvm::divideCeil(*total, 8));
    return TypeLayout{bytes, bytes};
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    std::optional<TypeLayout> element = deviceLayout(array.getElementType());
    std::optional<uint64_t> size =
        element ? llvm::checkedMulUnsigned(element->size,
                                           uint64_t(array.getNumElements()))
                : std::nullopt;
    if (!size)
      return std::nullopt;
    return TypeLayout{*size, element->align};
  }
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return structLayout(structure);
  return std::nullopt;
}

std::optional<uint32_t> fly::host::fieldBytes(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type)) {
    switch (pointer.getAddressSpace()) {
    case LdsSpace:
      return 4;
    case ResourceSpace:
      return 16;
    default:
      return 8;
    }
  }
  uint64_t bits = 0;
  if (type.isIntOrFloat())
    bits = type.getIntOrFloatBitWidth();
  else if (auto vector = dyn_cast<VectorType>(type);
           vector && !vector.isScalable() &&
           vector.getElementType().isIntOrFloat())
    bits = uint64_t(vector.getNumElements()) * vector.getElementTypeBitWidth();
  if (bits == 1)
    return 1;
  // Fields are loaded and stored as they are: whole bytes only.
  if (bits == 0 || bits % 8 != 0 || bits > 8 * 4096)
    return std::nullopt;
  return uint32_t(bits / 8);
}

bool fly::host::containsPointer(Type type,
                                llvm::function_ref<bool(unsigned)> test) {
  return type
      .walk([&](LLVM::LLVMPointerType pointer) {
        return test(pointer.getAddressSpace()) ? WalkResult::interrupt()
                                               : WalkResult::advance();
      })
      .wasInterrupted();
}

bool fly::host::isPointerTo(Type type, unsigned space) {
  auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
  return pointer && pointer.getAddressSpace() == space;
}

static AttrTypeReplacer makeReplacer() {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](LLVM::LLVMPointerType pointer) -> std::optional<Type> {
        MLIRContext *context = pointer.getContext();
        if (pointer.getAddressSpace() == ResourceSpace)
          return VectorType::get(4, IntegerType::get(context, 32));
        return LLVM::LLVMPointerType::get(context);
      });
  return replacer;
}

void fly::host::convertPointerTypes(Operation *op) {
  AttrTypeReplacer replacer = makeReplacer();
  replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

Type fly::host::hostType(Type type) {
  AttrTypeReplacer replacer = makeReplacer();
  return replacer.replace(type);
}
