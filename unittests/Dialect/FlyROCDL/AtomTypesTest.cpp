// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts, features and state that the atom types state, against written
// out values, and every instruction of the tables as a type.

#include "Fly/Dialect/Fly/IR/FlyDialect.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace fly::rocdl;
namespace arch = fly::arch;

namespace {

class AtomTypes : public ::testing::Test {
protected:
  AtomTypes() : builder(&context) {
    context.loadDialect<fly::FlyDialect, FlyROCDLDialect>();
  }

  /// Silences the diagnostics of types that are expected to be refused.
  template <typename TypeT, typename... Args>
  bool isValid(Args... args) {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    return TypeT::getChecked([&] { return emitError(builder.getUnknownLoc()); },
                             &context, args...) != TypeT();
  }

  Type f16() { return builder.getF16Type(); }
  Type f32() { return builder.getF32Type(); }

  MLIRContext context;
  Builder builder;
};

/// The type of a row.
Type makeType(MLIRContext *context, const arch::MatrixInstruction &row) {
  Type a = getElemType(context, row.a), b = getElemType(context, row.b),
       acc = getElemType(context, row.acc);
  switch (row.family) {
  case arch::MatrixFamily::Mfma:
    return MfmaType::get(context, row.m, row.n, row.k, a, b, acc, row.blocks,
                         row.a == arch::ElemKind::XF32);
  case arch::MatrixFamily::MfmaScale:
    return MfmaScaleType::get(context, row.m, row.n, row.k, a, b, acc, 0, 0);
  case arch::MatrixFamily::WmmaGfx11:
    return WmmaGfx11Type::get(context, row.m, row.n, row.k, a, b, acc, false,
                              false, false);
  case arch::MatrixFamily::WmmaGfx120x:
    return WmmaGfx120xType::get(context, row.m, row.n, row.k, a, b, acc, false,
                                false, false);
  case arch::MatrixFamily::WmmaGfx1250:
    return WmmaGfx1250Type::get(context, row.m, row.n, row.k, a, b, acc, false,
                                false, false, 0, false, false);
  case arch::MatrixFamily::WmmaScaleGfx1250:
    return WmmaScaleGfx1250Type::get(context, row.m, row.n, row.k, a, b, acc, 0,
                                     0, 0, false, false, row.scaleBlock);
  default:
    return {};
  }
}

} // namespace

TEST_F(AtomTypes, EveryRowIsAType) {
  for (const arch::MatrixInstruction &row : arch::matrixInstructions()) {
    if (!row.hasAtom)
      continue;
    Type type = makeType(&context, row);
    EXPECT_EQ(getMatrixInstruction(type), &row) << arch::describe(row);
    auto mma = cast<fly::MmaAtomTypeInterface>(type);
    EXPECT_EQ(mma.getRequiredFeature(), arch::featureName(row.feature));
    EXPECT_EQ(mma.getThrLayout().str(), std::to_string(row.lanes()) + ":1");
    EXPECT_EQ(mma.getStateFields().size(), row.scaleBits ? 2u : 0u);
    for (const fly::AtomStateField &field : mma.getStateFields())
      EXPECT_TRUE(field.type.isSignlessInteger(row.scaleBits));
    EXPECT_EQ(isa<fly::MayBeStaticTypeInterface>(type), row.scaleBits == 0);
  }
}

TEST_F(AtomTypes, MfmaLayouts) {
  struct Expected {
    int m, k;
    const char *a, *c;
  };
  for (Expected e :
       {Expected{16, 4, "((16,4),1):((1,16),16)",
                 "((16,4),(4,1)):((16,4),(1,16))"},
        {32, 2, "((32,2),1):((1,32),32)", "((32,2),(4,4)):((32,4),(1,8))"}}) {
    auto type = MfmaType::get(&context, e.m, e.m, e.k, f32(), f32(), f32());
    EXPECT_EQ(type.getThrValLayoutA().str(), e.a);
    EXPECT_EQ(type.getThrValLayoutB().str(), e.a);
    EXPECT_EQ(type.getThrValLayoutC().str(), e.c);
  }
  for (Expected e :
       {Expected{16, 16, "((16,4),4):((1,64),16)",
                 "((16,4),(4,1)):((16,4),(1,16))"},
        {16, 32, "((16,4),8):((1,128),16)", "((16,4),(4,1)):((16,4),(1,16))"},
        {32, 8, "((32,2),4):((1,128),32)", "((32,2),(4,4)):((32,4),(1,8))"},
        {32, 16, "((32,2),8):((1,256),32)", "((32,2),(4,4)):((32,4),(1,8))"}}) {
    auto type = MfmaType::get(&context, e.m, e.m, e.k, f16(), f16(), f32());
    EXPECT_EQ(type.getThrValLayoutA().str(), e.a);
    EXPECT_EQ(type.getThrValLayoutB().str(), e.a);
    EXPECT_EQ(type.getThrValLayoutC().str(), e.c);
    EXPECT_EQ(type.getShapeMNK().str(), "(" + std::to_string(e.m) + "," +
                                            std::to_string(e.m) + "," +
                                            std::to_string(e.k) + ")");
  }
}

TEST_F(AtomTypes, ScaledLayouts) {
  Type fp8 = getElemType(&context, arch::ElemKind::F8E4M3FN),
       fp6 = getElemType(&context, arch::ElemKind::F6E2M3FN),
       fp4 = getElemType(&context, arch::ElemKind::F4E2M1FN);
  // DIFF: mfma-scale-8bit
  auto mfma16 =
      MfmaScaleType::get(&context, 16, 16, 128, fp8, fp4, f32(), 0, 0);
  EXPECT_EQ(mfma16.getThrValLayoutA().str(),
            "((16,4),(16,2)):((1,256),(16,1024))");
  EXPECT_EQ(mfma16.getThrValLayoutB().str(), "((16,4),32):((1,512),16)");
  EXPECT_EQ(mfma16.getThrValLayoutC().str(), "((16,4),(4,1)):((16,4),(1,16))");
  auto mfma32 = MfmaScaleType::get(&context, 32, 32, 64, fp6, fp8, f32(), 0, 0);
  EXPECT_EQ(mfma32.getThrValLayoutA().str(), "((32,2),32):((1,1024),32)");
  EXPECT_EQ(mfma32.getThrValLayoutB().str(),
            "((32,2),(16,2)):((1,512),(32,1024))");
  EXPECT_EQ(mfma32.getThrValLayoutC().str(), "((32,2),(4,4)):((32,4),(1,8))");
  // DIFF: wmma-scale-8bit
  auto wmma = WmmaScaleGfx1250Type::get(&context, 16, 16, 128, fp8, fp6, f32(),
                                        0, 0, 0, false, false, 16);
  EXPECT_EQ(wmma.getThrValLayoutA().str(),
            "((16,2),(16,4)):((1,256),(16,512))");
  EXPECT_EQ(wmma.getThrValLayoutB().str(),
            "((16,2),(32,2)):((1,512),(16,1024))");
  EXPECT_EQ(wmma.getThrValLayoutC().str(), "((16,2),8):((16,8),1)");
  EXPECT_EQ(wmma.getStateFields()[0].name, "scale_a");
  EXPECT_EQ(wmma.getStateFields()[1].name, "scale_b");
  // DIFF: wmma-scale-tall
  auto tall = WmmaScaleGfx1250Type::get(&context, 32, 16, 128, fp4, fp4, f32(),
                                        0, 0, 0, false, false, 32);
  EXPECT_EQ(tall.getThrValLayoutA().str(),
            "((16,2),(32,2,2)):((1,1024),(32,2048,16))");
  EXPECT_EQ(tall.getThrValLayoutB().str(),
            "((16,2),(32,2)):((1,512),(16,1024))");
  EXPECT_EQ(tall.getThrValLayoutC().str(), "((16,2),(8,2)):((32,8),(1,16))");
}

TEST_F(AtomTypes, LayoutsOfSeveralBlocks) {
  // The block is the slowest coordinate of each tile.
  auto get = [&](int m, int k, Type type, Type acc, int blocks) {
    return MfmaType::get(&context, m, m, k, type, type, acc, blocks, false);
  };
  Type f64 = builder.getF64Type();
  auto two = get(32, 1, f32(), f32(), 2);
  EXPECT_EQ(two.getThrValLayoutA().str(), "((32,2),1):((1,32),32)");
  EXPECT_EQ(two.getThrValLayoutC().str(),
            "((32,2),(4,4,2)):((32,4),(1,8,1024))");
  auto four = get(16, 4, f16(), f32(), 4);
  EXPECT_EQ(four.getThrValLayoutA().str(), "((16,4),4):((1,64),16)");
  EXPECT_EQ(four.getThrValLayoutC().str(), "((16,4),(4,4)):((16,4),(1,256))");
  auto sixteen = get(4, 4, f16(), f32(), 16);
  EXPECT_EQ(sixteen.getThrValLayoutA().str(), "((4,16),4):((1,16),4)");
  EXPECT_EQ(sixteen.getThrValLayoutC().str(), "((4,16),4):((4,16),1)");
  auto doubles = get(4, 4, f64, f64, 4);
  EXPECT_EQ(doubles.getThrValLayoutA().str(), "((4,4,4),1):((1,16,4),4)");
  EXPECT_EQ(doubles.getThrValLayoutC().str(), "((4,4,4),1):((4,16,1),1)");
  EXPECT_EQ(doubles.getShapeMNK().str(), "(4,4,4)");
}

TEST_F(AtomTypes, WmmaLayouts) {
  Type i4 = builder.getIntegerType(4), i32 = builder.getI32Type();
  auto gfx11 = WmmaGfx11Type::get(&context, 16, 16, 16, f16(), f16(), f32(),
                                  false, false, false);
  EXPECT_EQ(gfx11.getThrValLayoutA().str(), "((16,2),16):((1,0),16)");
  EXPECT_EQ(gfx11.getThrValLayoutC().str(), "((16,2),8):((16,1),2)");

  auto gfx12 = WmmaGfx120xType::get(&context, 16, 16, 16, f16(), f16(), f32(),
                                    false, false, false);
  EXPECT_EQ(gfx12.getThrValLayoutB().str(), "((16,2),8):((1,128),16)");
  EXPECT_EQ(gfx12.getThrValLayoutC().str(), "((16,2),8):((16,8),1)");
  auto iu4 = WmmaGfx120xType::get(&context, 16, 16, 32, i4, i4, i32, true, true,
                                  false);
  EXPECT_EQ(iu4.getThrValLayoutA().str(), "((16,2),16):((1,256),16)");

  auto wide = WmmaGfx1250Type::get(&context, 16, 16, 32, f16(), f16(), f32(),
                                   false, false, false, 0, false, false);
  EXPECT_EQ(wide.getThrValLayoutA().str(), "((16,2),(8,2)):((1,128),(16,256))");
  auto single = WmmaGfx1250Type::get(&context, 16, 16, 4, f32(), f32(), f32(),
                                     false, false, false, 0, false, false);
  EXPECT_EQ(single.getThrValLayoutA().str(), "((16,2),2):((1,32),16)");
  // Packed 16-bit results: element i of a lane is row 8 * (lane / 16) + i.
  auto packed = WmmaGfx1250Type::get(&context, 16, 16, 32, f16(), f16(), f16(),
                                     false, false, false, 0, false, false);
  // DIFF: wmma-packed-accumulator
  EXPECT_EQ(packed.getThrValLayoutC().str(), "((16,2),8):((16,8),1)");
}

TEST_F(AtomTypes, SignsOfIntegersAreFlags) {
  Type si8 = builder.getIntegerType(8, true),
       ui8 = builder.getIntegerType(8, false), i32 = builder.getI32Type();
  EXPECT_TRUE(
      (isValid<WmmaGfx11Type>(16, 16, 16, si8, ui8, i32, true, false, true)));
  EXPECT_FALSE((isValid<MfmaType>(16, 16, 32, si8, si8, i32)));
}

TEST_F(AtomTypes, BufferCopies) {
  Type i32 = builder.getI32Type();
  auto copy = BufferCopyType::get(&context, 128, 2);
  EXPECT_EQ(copy.getThrLayout().str(), "1:1");
  EXPECT_EQ(copy.getThrBitLayoutSrc().str(), "(1,128):(1,1)");
  EXPECT_EQ(copy.getThrBitLayoutRef().str(), "(1,128):(1,1)");
  ASSERT_EQ(copy.getStateFields().size(), 1u);
  EXPECT_EQ(copy.getStateFields()[0].name, "soffset");
  EXPECT_EQ(copy.getStateFields()[0].type, i32);
  EXPECT_EQ(copy.getRequiredFeature(), "buffer");
  EXPECT_FALSE(isa<fly::MayBeStaticTypeInterface>(Type(copy)));

  auto lds = BufferCopyLdsType::get(&context, 128);
  ASSERT_EQ(lds.getStateFields().size(), 2u);
  EXPECT_EQ(lds.getStateFields()[1].name, "imm_offset");
  EXPECT_EQ(lds.getRequiredFeature(), "lds-dma-128");

  auto pair = VectorType::get({2}, f16());
  auto atomic = BufferAtomicType::get(&context, fly::AtomicOp::Add, pair);
  EXPECT_EQ(atomic.getThrBitLayoutDst().str(), "(1,32):(1,1)");
  EXPECT_EQ(atomic.getRequiredFeature(), "buffer-atomic-pk-add-f16");
  ASSERT_NE(atomic.getInstruction(), nullptr);
  EXPECT_EQ(atomic.getInstruction()->op, "rocdl.raw.ptr.buffer.atomic.fadd");
  auto add = BufferAtomicType::get(&context, fly::AtomicOp::Add, i32);
  ASSERT_NE(add.getInstruction(), nullptr);
  EXPECT_EQ(add.getInstruction()->intrinsic,
            "llvm.amdgcn.raw.ptr.buffer.atomic.add");
  auto bits = BufferAtomicType::get(&context, fly::AtomicOp::And, f16());
  EXPECT_EQ(bits.getInstruction(), nullptr);
}

// The family rows, which the page of copy instructions shows.
TEST_F(AtomTypes, StateOfEachCopyFamily) {
  using Family = arch::CopyFamily;
  auto text = [](Family family) -> std::string {
    switch (family) {
    case Family::BufferCopy:
    case Family::BufferCopyLds:
    case Family::BufferLoadAsyncLds:
    case Family::GlobalLoadAsyncLds:
      return "32";
    case Family::LdsReadTrans:
      return "trans = 16b, 64";
    case Family::Tdm:
      return "rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, "
             "timeout = false";
    case Family::TensorLoad:
    case Family::TensorStore:
      return "shape = [4, 8], elem = f32, tensor2tdm = (1E0,1E1), "
             "atomicBarrier = true";
    }
    llvm_unreachable("all families are listed");
  };
  for (auto [index, row] : llvm::enumerate(arch::copyFamilies())) {
    EXPECT_EQ(size_t(row.family), index);
    EXPECT_EQ(&arch::familyRow(row.family), &row);
    Type type = parseType(
        ("!fly_rocdl." + row.mnemonic + "<" + text(row.family) + ">").str(),
        &context);
    auto copy = dyn_cast_or_null<fly::CopyAtomTypeInterface>(type);
    ASSERT_TRUE(copy) << row.mnemonic.str();
    std::string names;
    for (const fly::AtomStateField &field : copy.getStateFields())
      names += (names.empty() ? "" : ", ") + field.name.str();
    EXPECT_EQ(names, row.state.str()) << row.mnemonic.str();
  }
}

TEST_F(AtomTypes, TargetNamesAKnownChip) {
  EXPECT_EQ(CPUTargetAttr::get(&context, "gfx1250").getChip(), "gfx1250");
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  EXPECT_FALSE(CPUTargetAttr::getChecked(
      [&] { return emitError(builder.getUnknownLoc()); }, &context,
      StringRef("gfx7")));
}
