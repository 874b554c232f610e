// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays: elements of every format as numbers and back, .npy files in and
// out with each refusal, and the comparison's rule.

#include "Fly/Execution/HostArray.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace fly;

namespace {

class HostArrayTest : public ::testing::Test {
protected:
  mlir::MLIRContext context;

  mlir::Type type(llvm::StringRef text) {
    auto parsed = parseElementType(&context, text);
    EXPECT_TRUE(bool(parsed)) << text.str();
    return parsed ? *parsed : mlir::Type();
  }

  /// An array of one mode with the given numbers.
  HostArray make(llvm::StringRef elementType,
                 llvm::ArrayRef<llvm::StringRef> numbers) {
    HostArray array;
    array.elementType = type(elementType);
    array.shape = {int64_t(numbers.size())};
    array.data.resize(numbers.size() * array.elementBytes());
    for (size_t i = 0; i < numbers.size(); ++i)
      EXPECT_FALSE(bool(encodeElement(array.elementType, numbers[i],
                                      array.data.data() +
                                          i * array.elementBytes())));
    return array;
  }

  std::string temporary() {
    llvm::SmallString<64> path;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fly", "npy", path));
    return std::string(path);
  }

  /// Writes raw bytes and gives the error of reading them as .npy.
  std::string readError(llvm::StringRef bytes, mlir::Type elementType = {}) {
    std::string path = temporary();
    {
      std::error_code code;
      llvm::raw_fd_ostream os(path, code);
      os << bytes;
    }
    auto array = readNpy(&context, path, elementType);
    llvm::sys::fs::remove(path);
    return array ? "" : llvm::toString(array.takeError());
  }

  static std::string npy(llvm::StringRef header, llvm::StringRef data) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += char(header.size() & 0xff);
    bytes += char(header.size() >> 8);
    return bytes + header.str() + data.str();
  }
};

TEST_F(HostArrayTest, ElementsOfEveryFormat) {
  EXPECT_EQ(make("f32", {"1.5"}).getAsDouble(0), 1.5);
  EXPECT_EQ(make("f16", {"65504"}).getAsDouble(0), 65504);
  EXPECT_EQ(make("bf16", {"-3"}).getAsDouble(0), -3);
  EXPECT_EQ(make("f8E4M3FN", {"448"}).getAsDouble(0), 448);
  EXPECT_EQ(make("f8E4M3FNUZ", {"240"}).getAsDouble(0), 240);
  EXPECT_EQ(make("i8", {"-128"}).getAsDouble(0), -128);
  EXPECT_EQ(make("i8", {"255"}).getAsDouble(0), -1);
  EXPECT_EQ(make("ui8", {"255"}).getAsDouble(0), 255);
  EXPECT_EQ(make("i64", {"-5"}).getAsDouble(0), -5);
  EXPECT_TRUE(std::isnan(make("f32", {"nan"}).getAsDouble(0)));
}

TEST_F(HostArrayTest, RoundsToNearestEven) {
  // 2049 lies between 2048 and 2050, the neighbours of 11 bits.
  EXPECT_EQ(make("f16", {"2049"}).getAsDouble(0), 2048);
  EXPECT_EQ(make("f16", {"2051"}).getAsDouble(0), 2052);
}

TEST_F(HostArrayTest, RefusesWhatDoesNotFit) {
  char out[8];
  EXPECT_EQ(llvm::toString(encodeElement(type("i8"), "256", out)),
            "'256' does not fit i8");
  EXPECT_EQ(llvm::toString(encodeElement(type("i8"), "-129", out)),
            "'-129' does not fit i8");
  EXPECT_EQ(llvm::toString(encodeElement(type("i32"), "1.5", out)),
            "'1.5' is no integer for i32");
  EXPECT_EQ(llvm::toString(encodeElement(type("f32"), "one", out)),
            "'one' is no number for f32");
}

TEST_F(HostArrayTest, RefusesElementTypesWithoutBytes) {
  for (llvm::StringRef text : {"i4", "vector<4xf32>", "index", "gibberish", ""}) {
    auto parsed = parseElementType(&context, text);
    EXPECT_FALSE(bool(parsed)) << text.str();
    llvm::consumeError(parsed.takeError());
  }
}

TEST_F(HostArrayTest, NpyRoundTripKeepsBytesShapeAndType) {
  for (llvm::StringRef text : {"f16", "f32", "f64", "i1", "i8", "i16", "i32",
                               "i64", "bf16", "f8E5M2"}) {
    HostArray array = make(text, {"0", "1", "1", "0", "1", "1"});
    array.shape = {2, 3};
    std::string path = temporary();
    ASSERT_FALSE(bool(writeNpy(array, path)));
    auto back = readNpy(&context, path, array.elementType);
    ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
    EXPECT_EQ(back->shape, array.shape);
    EXPECT_EQ(back->data, array.data);
    // The data starts at a multiple of 64 bytes.
    uint64_t size;
    ASSERT_FALSE(llvm::sys::fs::file_size(path, size));
    EXPECT_EQ((size - array.data.size()) % 64, 0u) << text.str();
    llvm::sys::fs::remove(path);
  }
}

TEST_F(HostArrayTest, NpyRefusals) {
  EXPECT_NE(readError("hello").find("no .npy file"), std::string::npos);
  EXPECT_NE(readError(npy("{'descr': '>f4', 'fortran_order': False, 'shape': "
                          "(1,), }",
                          "abcd"))
                .find("little-endian"),
            std::string::npos);
  EXPECT_NE(readError(npy("{'descr': '<f4', 'fortran_order': True, 'shape': "
                          "(1, 1), }",
                          "abcd"))
                .find("Fortran order"),
            std::string::npos);
  EXPECT_NE(readError(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                          "(2,), }",
                          "abcd"))
                .find("4 bytes of data, expected 2 elements of 4 bytes"),
            std::string::npos);
  EXPECT_NE(readError(npy("{'descr': '<f4', 'shape': (2,), }", "abcdefgh"))
                .find("lacks"),
            std::string::npos);
  EXPECT_NE(readError(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                          "(1,), }",
                          "abcd"),
                      type("bf16"))
                .find("expected '<u2' for bf16"),
            std::string::npos);
  EXPECT_NE(readError(npy("{'descr': '<f4', 'fortran_order': False, 'shape': "
                          "(9999999999, 9999999999), }",
                          "abcd"))
                .find("too large"),
            std::string::npos);
  auto missing = readNpy(&context, "/nonexistent/a.npy");
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("cannot read"),
            std::string::npos);
}

TEST_F(HostArrayTest, ComparisonFollowsTheTolerances) {
  HostArray want = make("f32", {"1", "100", "nan", "inf"});
  auto exact = compareArrays(want, want, 0, 0);
  ASSERT_TRUE(bool(exact));
  EXPECT_TRUE(exact->matches());
  EXPECT_EQ(exact->worstError, 0);

  HostArray close = make("f32", {"1.0625", "100.5", "nan", "inf"});
  auto loose = compareArrays(close, want, 0.01, 0.0625);
  ASSERT_TRUE(bool(loose));
  EXPECT_TRUE(loose->matches());
  EXPECT_EQ(loose->worstIndex, 1);
  EXPECT_EQ(loose->worstError, 0.5);
  auto tight = compareArrays(close, want, 0.001, 0.01);
  ASSERT_TRUE(bool(tight));
  EXPECT_EQ(tight->mismatches, 2);

  HostArray lost = make("f32", {"1", "nan", "nan", "-inf"});
  auto bad = compareArrays(lost, want, 1, 1);
  ASSERT_TRUE(bool(bad));
  EXPECT_EQ(bad->mismatches, 2);
  EXPECT_EQ(bad->worstIndex, 1);

  // The worst element is one that does not match, whatever the others' error.
  auto scaled = compareArrays(make("f32", {"1001", "0.5"}),
                              make("f32", {"1000", "0"}), 0.01, 0);
  ASSERT_TRUE(bool(scaled));
  EXPECT_EQ(scaled->mismatches, 1);
  EXPECT_EQ(scaled->worstIndex, 1);

  // Integers that one double stands for differ.
  auto wide = compareArrays(make("i64", {"9007199254740992"}),
                            make("i64", {"9007199254740993"}), 0, 0.5);
  ASSERT_TRUE(bool(wide));
  EXPECT_EQ(wide->mismatches, 1);
  EXPECT_EQ(wide->worstError, 1);

  HostArray other = make("f32", {"1"});
  auto shapes = compareArrays(other, want, 0, 0);
  ASSERT_FALSE(bool(shapes));
  EXPECT_EQ(llvm::toString(shapes.takeError()),
            "shapes differ: the argument is 1xf32, the expected array is "
            "4xf32");
}

TEST_F(HostArrayTest, Coordinates) {
  EXPECT_EQ(formatCoordinate({3, 5}, 7), "[1, 2]");
  EXPECT_EQ(formatCoordinate({4}, 3), "[3]");
}

} // namespace
