// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel report: classes of instructions, a compiled kernel whose resources
// are known, and damaged objects, which must be errors and never a crash.

#include "Fly/Target/Report.h"
#include "Fly/Target/Serialize.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using fly::CodeObjectReport;
using fly::InstructionClass;
using fly::KernelReport;

namespace {

/// A kernel with 4096 bytes of LDS, one multiplication, one load and one store
/// of global memory, one of LDS each, one barrier.
constexpr llvm::StringLiteral kSource = R"mlir(
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x f32>
  llvm.func @scale(%a: f32, %x: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.flat_work_group_size = "256,256"} {
    %t = rocdl.workitem.id.x : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %l = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    llvm.store volatile %v, %l : f32, !llvm.ptr<3>
    rocdl.s.barrier
    %w = llvm.load volatile %l : !llvm.ptr<3> -> f32
    %m = llvm.fmul %w, %a : f32
    llvm.store %m, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
)mlir";

/// Compiles kSource to a code object.
class ReportTest : public ::testing::Test {
protected:
  void SetUp() override {
    DialectRegistry registry;
    registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, ROCDL::ROCDLDialect,
                    fly::rocdl::FlyROCDLDialect>();
    fly::registerCodeGenTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(kSource, &context);
    ASSERT_TRUE(module);
    auto gpuModule = *module->getOps<gpu::GPUModuleOp>().begin();
    auto bytes = fly::serializeModule(gpuModule, fly::SerializeOptions());
    ASSERT_TRUE(succeeded(bytes));
    object.assign(bytes->begin(), bytes->end());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string object;
};

uint64_t count(const KernelReport &kernel, InstructionClass kind) {
  return kernel.instructions[static_cast<unsigned>(kind)];
}

TEST(InstructionClassTest, NamesOfEveryUnit) {
  using C = InstructionClass;
  std::pair<const char *, C> rows[] = {
      {"v_mfma_f32_32x32x8_f16", C::Matrix},
      {"v_smfmac_f32_16x16x32_f16", C::Matrix},
      {"v_wmma_f32_16x16x16_f16", C::Matrix},
      {"v_swmmac_f32_16x16x32_f16", C::Matrix},
      {"v_add_f32_e32", C::Vector},
      {"v_nop", C::Other},
      {"s_add_u32", C::Scalar},
      {"s_load_dwordx4", C::ScalarMemory},
      {"s_buffer_load_b128", C::ScalarMemory},
      {"global_load_dwordx4", C::VectorLoad},
      {"buffer_load_format_xyzw", C::VectorLoad},
      {"tensor_load_to_lds", C::VectorLoad},
      {"flat_store_b32", C::VectorStore},
      {"buffer_atomic_add_f32", C::VectorAtomic},
      {"buffer_wbl2", C::Other},
      {"ds_read_b128", C::LDS},
      {"ds_swizzle_b32", C::LDS},
      {"s_waitcnt", C::Wait},
      {"s_wait_loadcnt", C::Wait},
      {"s_barrier", C::Barrier},
      {"s_barrier_signal", C::Barrier},
      {"s_cbranch_scc1", C::Branch},
      {"s_setpc_b64", C::Branch},
      {"s_endpgm", C::Other},
      {"s_nop", C::Other},
      {"s_delay_alu", C::Other}};
  for (auto [name, kind] : rows)
    EXPECT_EQ(fly::classifyInstruction(name), kind) << name;
}

TEST_F(ReportTest, ReadsResourcesAndInstructions) {
  llvm::Expected<CodeObjectReport> report = fly::readCodeObject(object);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->chip, "gfx942");
  ASSERT_EQ(report->kernels.size(), 1u);
  const KernelReport &kernel = report->kernels[0];
  EXPECT_EQ(kernel.name, "scale");
  EXPECT_EQ(kernel.ldsBytes, 4096u);
  EXPECT_EQ(kernel.scratchBytes, 0u);
  EXPECT_EQ(kernel.vgprSpills, 0u);
  EXPECT_EQ(kernel.agprs, 0u);
  EXPECT_EQ(kernel.waveSize, 64u);
  EXPECT_EQ(kernel.maxWorkgroup, 256u);
  EXPECT_GT(kernel.vgprs, 0u);
  EXPECT_GT(kernel.codeBytes, 0u);
  EXPECT_EQ(count(kernel, InstructionClass::VectorLoad), 1u);
  EXPECT_EQ(count(kernel, InstructionClass::VectorStore), 1u);
  EXPECT_EQ(count(kernel, InstructionClass::LDS), 2u);
  EXPECT_EQ(count(kernel, InstructionClass::Barrier), 1u);
  EXPECT_EQ(count(kernel, InstructionClass::Matrix), 0u);
  EXPECT_GE(count(kernel, InstructionClass::Vector), 1u);
  EXPECT_GE(count(kernel, InstructionClass::ScalarMemory), 1u);
  // 4096 bytes let 16 workgroups of 4 waves share a unit of 4 SIMDs.
  ASSERT_TRUE(kernel.occupancy.has_value());
  EXPECT_EQ(*kernel.occupancy, 8u);
  EXPECT_EQ(kernel.limitedBy, "waves");
}

TEST_F(ReportTest, PrintsTableAndJSON) {
  llvm::Expected<CodeObjectReport> report = fly::readCodeObject(object);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  std::string text;
  llvm::raw_string_ostream stream(text);
  fly::printReportText(stream, *report);
  EXPECT_NE(text.find("chip gfx942"), std::string::npos);
  EXPECT_NE(text.find("8 (waves)"), std::string::npos);

  std::string jsonText;
  llvm::raw_string_ostream jsonStream(jsonText);
  fly::printReportJSON(jsonStream, *report);
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(jsonText);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Array *kernels = json->getAsObject()->getArray("kernels");
  ASSERT_TRUE(kernels);
  ASSERT_EQ(kernels->size(), 1u);
  const llvm::json::Object *kernel = (*kernels)[0].getAsObject();
  EXPECT_EQ(kernel->getString("name"), "scale");
  EXPECT_EQ(kernel->getInteger("lds_bytes"), 4096);
  EXPECT_EQ(kernel->getObject("instructions")->getInteger("lds"), 2);
}

TEST_F(ReportTest, RefusesWhatIsNoCodeObject) {
  for (llvm::StringRef bytes : {"", "text",
                                "\x7f"
                                "ELF"}) {
    llvm::Expected<CodeObjectReport> report = fly::readCodeObject(bytes);
    EXPECT_FALSE(bool(report));
    llvm::consumeError(report.takeError());
  }
}

TEST_F(ReportTest, SurvivesDamage) {
  unsigned errors = 0;
  auto read = [&](llvm::StringRef bytes) {
    llvm::Expected<CodeObjectReport> report = fly::readCodeObject(bytes);
    if (!report) {
      ++errors;
      llvm::consumeError(report.takeError());
    }
  };
  for (size_t size = 0; size < object.size(); size += 16)
    read(llvm::StringRef(object).take_front(size));
  EXPECT_GT(errors, 0u);
  std::mt19937 random(2024);
  for (unsigned i = 0; i != 2000; ++i) {
    std::string damaged = object;
    for (unsigned k = 0; k != 4; ++k)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    read(damaged);
  }
}

} // namespace
