// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs from text, and binding them to the parameter types of a host
// function: what is accepted, the carriers' bytes, and each refusal's text.

#include "Fly/Execution/Arguments.h"
#include "Fly/InitAll.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace fly;

namespace {

class ArgumentsTest : public ::testing::Test {
protected:
  ArgumentsTest() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  mlir::MLIRContext context;

  InputValue input(llvm::StringRef text) {
    auto value = parseInput(&context, text);
    if (!value) {
      ADD_FAILURE() << llvm::toString(value.takeError());
      return std::string();
    }
    return std::move(*value);
  }
  std::string parseError(llvm::StringRef text) {
    auto value = parseInput(&context, text);
    return value ? "" : llvm::toString(value.takeError());
  }

  /// Binds and gives the error's text, or "" and the carriers' bytes.
  std::string bind(llvm::ArrayRef<llvm::StringRef> types,
                   llvm::ArrayRef<llvm::StringRef> texts,
                   llvm::ArrayRef<size_t> sizes = {}) {
    llvm::SmallVector<mlir::Type> signature;
    for (llvm::StringRef type : types)
      signature.push_back(mlir::parseType(type, &context));
    std::vector<InputValue> inputs;
    for (llvm::StringRef text : texts)
      inputs.push_back(input(text));
    auto pack = ArgumentPack::bind(signature, inputs);
    if (!pack)
      return llvm::toString(pack.takeError());
    EXPECT_EQ(pack->getPointers().size(), sizes.size());
    values.clear();
    for (size_t i = 0; i < sizes.size(); ++i) {
      const char *bytes = static_cast<char *>(pack->getPointers()[i]);
      std::vector<int32_t> words;
      for (size_t at = 0; at + 4 <= sizes[i]; at += 4) {
        int32_t word;
        std::memcpy(&word, bytes + at, 4);
        words.push_back(word);
      }
      values.push_back(words);
    }
    return "";
  }
  std::vector<std::vector<int32_t>> values;
};

TEST_F(ArgumentsTest, ParsesEveryForm) {
  EXPECT_EQ(std::get<std::string>(input("5000")), "5000");
  EXPECT_EQ(std::get<std::string>(input("-1.5e3")), "-1.5e3");
  HostArray number = std::get<HostArray>(input("i32=7"));
  EXPECT_EQ(number.str(), "i32");
  EXPECT_EQ(number.getAsDouble(0), 7);
  HostArray splat = std::get<HostArray>(input("2x3xf32=1.5"));
  EXPECT_EQ(splat.str(), "2x3xf32");
  EXPECT_EQ(splat.getAsDouble(5), 1.5);
  HostArray list = std::get<HostArray>(input("2x2xi32=1,2,3,4"));
  EXPECT_EQ(list.getAsDouble(2), 3);
  HostArray spaces = std::get<HostArray>(input("3xf16=1 2 3"));
  EXPECT_EQ(spaces.getAsDouble(1), 2);
}

TEST_F(ArgumentsTest, IntegersAreDecimalUnlessPrefixed) {
  HostArray array = std::get<HostArray>(input("4xi32=010,0x10,-0x10,0b101"));
  EXPECT_EQ(array.getAsDouble(0), 10);
  EXPECT_EQ(array.getAsDouble(1), 16);
  EXPECT_EQ(array.getAsDouble(2), -16);
  EXPECT_EQ(array.getAsDouble(3), 5);
}

TEST_F(ArgumentsTest, ParseErrors) {
  EXPECT_NE(parseError("abc").find("is no number and no array"),
            std::string::npos);
  EXPECT_NE(parseError("2x3xq7=0").find("'q7' is no element type"),
            std::string::npos);
  EXPECT_NE(parseError("4xf32=1,2").find("has 2 values; expected one for all "
                                         "elements or one for each of the 4"),
            std::string::npos);
  EXPECT_NE(parseError("4xi8=300").find("does not fit i8"), std::string::npos);
  EXPECT_NE(parseError("3xi32=1,,2").find("'' is no integer for i32"),
            std::string::npos);
  EXPECT_NE(parseError("2xf32=0,").find("'' is no number for f32"),
            std::string::npos);
  EXPECT_NE(parseError("1xf32=1e400").find("'1e400' does not fit f32"),
            std::string::npos);
  EXPECT_NE(parseError("1xf16=70000").find("'70000' does not fit f16"),
            std::string::npos);
  EXPECT_NE(parseError("1xf8E4M3FN=inf").find("'inf' does not fit"),
            std::string::npos);
  EXPECT_NE(parseError("1xf8E8M0FNU=0").find("'0' does not fit"),
            std::string::npos);
  EXPECT_NE(parseError("1xf8E8M0FNU=-1").find("'-1' does not fit"),
            std::string::npos);
  EXPECT_NE(parseError("4xi24=1").find("is no element type"),
            std::string::npos);
  EXPECT_NE(parseError("@/nonexistent.npy").find("cannot read"),
            std::string::npos);
  EXPECT_NE(parseError("999999999x999999999xf32=0").find("too large"),
            std::string::npos);
}

TEST_F(ArgumentsTest, StaticMemRefIsOnePointer) {
  EXPECT_EQ(bind({"!fly.memref<f32, global, (4,6):(6,1)>", "i32",
                  "!gpu.async.token"},
                 {"4x6xf32=0", "-7"}, {8, 4, 8}),
            "");
  EXPECT_EQ(values[1], std::vector<int32_t>{-7});
}

TEST_F(ArgumentsTest, DynamicLeavesArePackedShapeFirst) {
  EXPECT_EQ(bind({"!fly.memref<f32, global, (?,6):(?,1)>"}, {"4x6xf32=0"},
                 {8, 8}),
            "");
  EXPECT_EQ(values[1], (std::vector<int32_t>{4, 6}));
  // A 64-bit stride takes two words.
  EXPECT_EQ(bind({"!fly.memref<f32, global, (?,?):(?{i64},1)>"}, {"4x6xf32=0"},
                 {8, 16}),
            "");
  EXPECT_EQ(values[1], (std::vector<int32_t>{4, 6, 6, 0}));
}

TEST_F(ArgumentsTest, NestedModeTakesTheProductOfItsLeaves) {
  EXPECT_EQ(bind({"!fly.memref<f32, global, ((2,?),3):((3,?),1)>"},
                 {"8x3xf32=0"}, {8, 8}),
            "");
  EXPECT_EQ(values[1], (std::vector<int32_t>{4, 6}));
}

TEST_F(ArgumentsTest, StaticFlyTypesTakeNoInput) {
  EXPECT_EQ(bind({"!fly.int_tuple<(2,3)>", "f32"}, {"1.0"}, {4}), "");
}

TEST_F(ArgumentsTest, BindErrorsNameTheArgument) {
  llvm::StringRef memref = "!fly.memref<f32, global, (4,6):(6,1)>";
  auto has = [](const std::string &text, llvm::StringRef part) {
    return llvm::StringRef(text).contains(part);
  };
  EXPECT_TRUE(has(bind({memref, "i32"}, {"4x6xf32=0"}),
                  "takes 2 inputs, 1 were given"));
  EXPECT_TRUE(has(bind({"i32", memref}, {"1", "4x5xf32=0"}),
                  "argument 1 (parameter type !fly.memref<f32, global, "
                  "(4,6):(6,1)>): extent 1 is 5, expected 6"));
  EXPECT_TRUE(has(bind({memref}, {"24xf32=0"}), "has rank 1, expected 2"));
  EXPECT_TRUE(has(bind({memref}, {"4x6xf16=0"}),
                  "has elements of type f16, expected f32"));
  EXPECT_TRUE(has(bind({memref}, {"3"}), "is the number 3, expected an array"));
  EXPECT_TRUE(has(bind({"i32"}, {"4xf32=0"}),
                  "is the array 4xf32, expected a number"));
  EXPECT_TRUE(has(bind({"i32"}, {"1.5"}), "'1.5' is no integer for i32"));
  EXPECT_TRUE(has(bind({"!fly.memref<f32, global, (4,6):(1,4)>"},
                       {"4x6xf32=0"}),
                  "mode 0 has the stride 1, a row-major array has 6"));
  EXPECT_TRUE(has(bind({"!fly.memref<f32, global, (?{div=8}):(1)>"},
                       {"12xf32=0"}),
                  "a size of 12 is no multiple of 8"));
  EXPECT_TRUE(has(bind({"!fly.memref<f32, global, ((?,?)):((1,?))>"},
                       {"12xf32=0"}),
                  "mode 0 has 2 run-time extents"));
  EXPECT_TRUE(has(bind({"!fly.int_tuple<(?,3)>"}, {"1"}), "cannot be given"));
}

} // namespace
