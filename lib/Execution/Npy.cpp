// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The .npy format: a magic string, a version, a Python dictionary literal with
// dtype, order and shape, then the bytes. Big-endian, Fortran-ordered,
// structured and object arrays are refused with the reason.

#include "Fly/Arch/ByteCount.h"
#include "Fly/Execution/HostArray.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fly {
namespace {

constexpr llvm::StringLiteral kMagic("\x93NUMPY");

llvm::Error npyError(StringRef path, const llvm::Twine &what) {
  return llvm::createStringError("'" + path + "': " + what);
}

/// The text behind `'key':` in the header dictionary.
std::optional<StringRef> valueOf(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef rest = header.substr(at + key.size() + 2).ltrim();
  if (!rest.consume_front(":"))
    return std::nullopt;
  return rest.ltrim();
}

/// dtype text (`<f4`, `|u1`, ...) to the type that it means by itself.
Type typeOfDescr(MLIRContext *context, StringRef descr) {
  Builder b(context);
  if (descr.size() < 3)
    return {};
  StringRef kind = descr.drop_front();
  return llvm::StringSwitch<Type>(kind)
      .Case("f2", b.getF16Type())
      .Case("f4", b.getF32Type())
      .Case("f8", b.getF64Type())
      .Case("b1", b.getI1Type())
      .Cases("i1", "u1", b.getIntegerType(8))
      .Cases("i2", "u2", b.getIntegerType(16))
      .Cases("i4", "u4", b.getI32Type())
      .Cases("i8", "u8", b.getI64Type())
      .Default({});
}

/// The dtype under which elements of `type` are stored.
std::string descrOfType(Type type) {
  if (type.isF16())
    return "<f2";
  if (type.isF32())
    return "<f4";
  if (type.isF64())
    return "<f8";
  if (type.isInteger(1))
    return "|b1";
  int64_t bytes = *getElementBytes(type);
  // Float formats that NumPy lacks are raw unsigned words.
  char kind = isa<FloatType>(type) || type.isUnsignedInteger() ? 'u' : 'i';
  return std::string(bytes == 1 ? "|" : "<") + kind + std::to_string(bytes);
}

/// True if elements of `type` may come from a file of dtype `descr`.
bool fits(Type type, StringRef descr, Type own) {
  if (!own || *getElementBytes(own) != *getElementBytes(type))
    return false;
  if (isa<FloatType>(type) && !type.isF16() && !type.isF32() && !type.isF64())
    return descr[1] == 'u';
  if (type.isInteger(1))
    return descr[1] == 'b' || descr[1] == 'u';
  return isa<FloatType>(type) == isa<FloatType>(own) && !own.isInteger(1);
}

} // namespace

llvm::Expected<HostArray> readNpy(MLIRContext *context, StringRef path,
                                  Type type) {
  // A device or a pipe may have no end.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      status.type() != llvm::sys::fs::file_type::regular_file)
    return npyError(path, "no regular file");
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + file.getError().message());
  StringRef bytes = (*file)->getBuffer();
  if (!bytes.consume_front(kMagic) || bytes.size() < 4)
    return npyError(path, "no .npy file");
  unsigned major = uint8_t(bytes[0]);
  bytes = bytes.drop_front(2);
  if (major < 1 || major > 3)
    return npyError(path, "unknown .npy format version " + llvm::Twine(major));
  size_t headerSize, lengthSize = major == 1 ? 2 : 4;
  if (bytes.size() < lengthSize)
    return npyError(path, "the header is cut off");
  headerSize = major == 1 ? llvm::support::endian::read16le(bytes.data())
                          : llvm::support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(lengthSize);
  if (bytes.size() < headerSize)
    return npyError(path, "the header is cut off");
  StringRef header = bytes.take_front(headerSize);
  bytes = bytes.drop_front(headerSize);

  auto descrText = valueOf(header, "descr");
  auto orderText = valueOf(header, "fortran_order");
  auto shapeText = valueOf(header, "shape");
  if (!descrText || !orderText || !shapeText)
    return npyError(path, "the header lacks descr, fortran_order or shape");
  if (!descrText->consume_front("'"))
    return npyError(path, "structured dtypes are not supported");
  StringRef descr = descrText->take_until([](char c) { return c == '\''; });
  Type own = typeOfDescr(context, descr);
  if (!own || descr.starts_with(">"))
    return npyError(path, "dtype '" + descr +
                              "' is not supported; expected a little-endian "
                              "b1, i1..i8, u1..u8, f2, f4 or f8");

  HostArray array;
  array.elementType = type ? type : own;
  if (type && !fits(type, descr, own)) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return npyError(path, "dtype is '" + descr + "', expected '" +
                              descrOfType(type) + "' for " + text);
  }
  if (!shapeText->consume_front("("))
    return npyError(path, "the shape is no tuple");
  if (!shapeText->contains(')'))
    return npyError(path, "the shape is no tuple");
  StringRef extents = shapeText->take_until([](char c) { return c == ')'; });
  int64_t count = 1;
  while (!(extents = extents.ltrim(" ,")).empty()) {
    int64_t extent;
    if (extents.consumeInteger(10, extent) || extent < 0)
      return npyError(path, "the shape holds something that is no extent");
    array.shape.push_back(extent);
    if (llvm::MulOverflow(count, extent, count))
      return npyError(path, "the shape is too large");
  }
  if (!orderText->starts_with("True") && !orderText->starts_with("False"))
    return npyError(path, "fortran_order is neither True nor False");
  // An array of one mode is contiguous in either order.
  if (orderText->starts_with("True") && array.shape.size() > 1)
    return npyError(path, "the array is in Fortran order; save it with "
                          "numpy.ascontiguousarray");
  int64_t size;
  if (llvm::MulOverflow(count, array.elementBytes(), size) ||
      uint64_t(size) != bytes.size())
    return npyError(path, "the file holds " + arch::byteCount(bytes.size()) +
                              " of data, expected " + llvm::Twine(count) +
                              " elements of " +
                              arch::byteCount(array.elementBytes()));
  array.data.assign(bytes.begin(), bytes.end());
  return array;
}

llvm::Error writeNpy(const HostArray &array, StringRef path) {
  std::string header = "{'descr': '" + descrOfType(array.elementType) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : array.shape)
    header += std::to_string(extent) + (array.shape.size() == 1 ? "," : ", ");
  if (array.shape.size() > 1)
    header.resize(header.size() - 2);
  header += "), }";
  // Magic, version, length, header and the final newline fill whole 64 bytes.
  size_t used = kMagic.size() + 4 + header.size() + 1;
  header.append((64 - used % 64) % 64, ' ');
  header += '\n';

  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return llvm::createStringError("cannot write '" + path +
                                   "': " + code.message());
  char length[2];
  llvm::support::endian::write16le(length, uint16_t(header.size()));
  os << kMagic << '\x01' << '\0';
  os.write(length, 2);
  os << header;
  os.write(array.data.data(), array.data.size());
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return llvm::createStringError("cannot write '" + path +
                                   "': " + code.message());
  }
  return llvm::Error::success();
}

} // namespace fly
