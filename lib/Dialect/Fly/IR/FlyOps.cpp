// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the operations and small checks that the verifiers share.

#include "Fly/Dialect/Fly/IR/FlyOps.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "OpSupport.h"

using namespace mlir;
using namespace fly;

#include "Fly/Dialect/Fly/IR/FlyOpInterfaces.cpp.inc"

void FlyDialect::registerOperations() { registerFlyDialectOperations(this); }

//===----------------------------------------------------------------------===//
// Operands of `evaluate`
//===----------------------------------------------------------------------===//

/// "<text><type of operand i>", or "nothing" for the type.
static layout::Error withType(ValueRange operands, size_t i, const Twine &text,
                              const char *label) {
  std::string message;
  llvm::raw_string_ostream os(message);
  os << text;
  if (i < operands.size())
    os << "'" << operands[i].getType() << "'";
  else
    os << "nothing";
  return layout::Error{label, message};
}

layout::Error fly::detail::Operands::wrong(size_t i, const Twine &text,
                                           const char *label) const {
  return withType(operands, i, text + ", got ", label);
}

layout::Error fly::detail::Operands::unsupported(size_t i) const {
  return withType(operands, i, "unsupported input type ", "");
}

static std::string expected(StringRef kind, StringRef role) {
  return ("expected " + kind + (role.empty() ? "" : " for ") + role).str();
}

layout::Result<layout::IntTuple>
fly::detail::Operands::tuple(size_t i, StringRef role) const {
  if (i < values.size())
    if (auto *tuple = values[i].getIf<layout::IntTuple>())
      return *tuple;
  return wrong(i, expected("IntTupleType", role));
}

layout::Result<layout::Layout>
fly::detail::Operands::layout(size_t i, StringRef role) const {
  if (i < values.size())
    if (auto *layout = values[i].getIf<layout::AnyLayout>())
      if (layout->isPlain())
        return layout->getPlain();
  return wrong(i, expected("LayoutType", role));
}

layout::Result<layout::AnyLayout>
fly::detail::Operands::narrow(size_t i, StringRef role) const {
  if (i < values.size())
    if (auto *layout = values[i].getIf<layout::AnyLayout>())
      return *layout;
  return wrong(i, expected("NarrowLayoutType", role));
}

layout::Result<layout::AnyLayout>
fly::detail::Operands::layoutLike(size_t i, StringRef role) const {
  if (i < values.size()) {
    if (auto *layout = values[i].getIf<layout::AnyLayout>())
      return *layout;
    if (auto *tensor = values[i].getIf<Tensor>())
      return tensor->layout;
  }
  return wrong(i, expected("LayoutLikeType", role));
}

layout::Result<Tensor> fly::detail::Operands::tensor(size_t i) const {
  if (i < values.size())
    if (auto *tensor = values[i].getIf<Tensor>())
      return *tensor;
  return wrong(i, "expected memref or coordinate tensor");
}

AlgebraValue fly::detail::withLayout(const AlgebraValue &layoutLike,
                                     layout::AnyLayout layout) {
  if (auto *tensor = layoutLike.getIf<Tensor>())
    return Tensor{tensor->iter, std::move(layout)};
  return layout;
}

//===----------------------------------------------------------------------===//
// Shared checks
//===----------------------------------------------------------------------===//

std::optional<int64_t> fly::detail::getStaticSize(IntTupleAttr shape) {
  unsigned nextSymbol = 0;
  layout::Result<layout::Int> size = layout::size(toValue(shape, nextSymbol));
  if (!size || !size->isStatic())
    return std::nullopt;
  return size->getValue();
}

Attribute fly::detail::getTensorLayout(Type tensor) {
  if (auto memref = dyn_cast<fly::MemRefType>(tensor))
    return memref.getLayout();
  return cast<CoordTensorType>(tensor).getLayout();
}

std::optional<int64_t> fly::detail::getStaticTensorSize(Type tensor) {
  return getStaticSize(getLinearLayout(getTensorLayout(tensor)).getShape());
}

int32_t fly::detail::getTensorRank(Type tensor) {
  return getLinearLayout(getTensorLayout(tensor)).rank();
}

std::optional<int64_t> fly::detail::getRegisterBits(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return getElementBits(type);
  std::optional<int64_t> bits = getElementBits(vector.getElementType());
  if (!bits || vector.isScalable())
    return std::nullopt;
  return layout::mulChecked(*bits, vector.getNumElements());
}

bool fly::detail::isElementOrVector(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return false;
    type = vector.getElementType();
  }
  return type == element || (type.isSignlessInteger() &&
                             getElementBits(type) == getElementBits(element));
}
