// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments from text: numbers, arrays element by element, arrays of files.

#include "Fly/Execution/Arguments.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace mlir;

namespace fly {

/// Splits `96x64xf32` into its extents and its element type.
static llvm::Expected<std::pair<SmallVector<int64_t>, Type>>
parseArrayType(MLIRContext *context, StringRef text) {
  SmallVector<int64_t> shape;
  StringRef rest = text;
  int64_t count = 1;
  while (!rest.empty() && llvm::isDigit(rest.front())) {
    int64_t extent;
    if (rest.consumeInteger(10, extent) || !rest.consume_front("x"))
      return llvm::createStringError("'" + text +
                                     "' is no array type; expected extents "
                                     "and an element type such as 96x64xf32");
    // 2^33 elements; a literal is for small arrays, a file for large ones.
    if (llvm::MulOverflow(count, extent, count) || count > (int64_t(1) << 33))
      return llvm::createStringError("the array '" + text + "' is too large");
    shape.push_back(extent);
  }
  auto type = parseElementType(context, rest);
  if (!type)
    return type.takeError();
  return std::make_pair(std::move(shape), *type);
}

/// A container that runs out of memory ends the process: ask before.
static bool canAllocate(int64_t bytes) {
  void *probe = std::malloc(bytes > 0 ? static_cast<size_t>(bytes) : 1);
  std::free(probe);
  return probe != nullptr;
}

llvm::Expected<InputValue> parseInput(MLIRContext *context, StringRef text) {
  if (text.starts_with("@")) {
    auto array = readNpy(context, text.drop_front());
    if (!array)
      return array.takeError();
    return InputValue(std::move(*array));
  }
  auto [typeText, values] = text.split('=');
  if (typeText.size() == text.size()) {
    double number;
    if (text.getAsDouble(number))
      return llvm::createStringError(
          "'" + text +
          "' is no number and no array; expected for example 5000, 1.5, "
          "96x64xf32=0, 128x96xf16=@a.npy or @a.npy");
    return InputValue(text.str());
  }
  auto arrayType = parseArrayType(context, typeText);
  if (!arrayType)
    return arrayType.takeError();
  auto &[shape, elementType] = *arrayType;
  if (values.consume_front("@")) {
    auto array = readNpy(context, values, elementType);
    if (!array)
      return array.takeError();
    if (array->shape != shape)
      return llvm::createStringError("'" + values + "' holds " +
                                     array->str() + ", expected " + typeText);
    return InputValue(std::move(*array));
  }
  // A number with its type, such as i32=5, is an array of rank 0.
  HostArray array;
  array.shape = shape;
  array.elementType = elementType;
  int64_t bytes = array.elementBytes(), count = array.numElements();
  // Commas or spaces separate; nothing between two commas is an error.
  SmallVector<StringRef> parts, items;
  values.split(parts, ',');
  for (StringRef part : parts) {
    if (part.trim().empty() && parts.size() > 1)
      items.push_back("");
    llvm::SplitString(part, items);
  }
  if (items.size() != 1 && int64_t(items.size()) != count)
    return llvm::createStringError(
        "'" + text + "' has " + llvm::Twine(items.size()) +
        " values; expected one for all elements or one for each of the " +
        llvm::Twine(count));
  if (!canAllocate(count * bytes))
    return llvm::createStringError("'" + typeText + "' needs " +
                                   llvm::Twine(count * bytes) +
                                   " bytes, which cannot be had");
  array.data.resize(count * bytes);
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0 && items.size() == 1) {
      std::copy_n(array.data.begin(), bytes, array.data.begin() + i * bytes);
      continue;
    }
    if (llvm::Error error = encodeElement(elementType, items[i],
                                          array.data.data() + i * bytes))
      return std::move(error);
  }
  return InputValue(std::move(array));
}

} // namespace fly
