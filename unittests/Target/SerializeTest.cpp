// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation in one process: good modules compile after and beside ones
// that end LLVM's code generator with a fatal error.

#include "Fly/Target/Serialize.h"
#include "Fly/Target/Report.h"

#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <thread>

using namespace mlir;

namespace {

constexpr llvm::StringLiteral kGood = R"mlir(
gpu.module @kernels [#rocdl.target<chip = "gfx1201", flags = {no_wave64}>] {
  llvm.func @good(%x: f32, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    llvm.store %x, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
)mlir";

/// An MFMA on a chip without one: "Cannot select" ends LLVM.
constexpr llvm::StringLiteral kBad = R"mlir(
gpu.module @kernels [#rocdl.target<chip = "gfx1201", flags = {no_wave64}>] {
  llvm.func @bad(%lds: !llvm.ptr<3>, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %d = rocdl.ds.read.tr16.b64 %lds : !llvm.ptr<3> -> vector<4xf16>
    llvm.store %d, %p : vector<4xf16>, !llvm.ptr<1>
    llvm.return
  }
}
)mlir";

/// What one compilation gave: the object, or the errors.
struct Outcome {
  std::string object;
  std::vector<std::string> errors;
};

Outcome compile(llvm::StringRef source,
                fly::SerializeOptions options = fly::SerializeOptions()) {
  DialectRegistry registry;
  registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, ROCDL::ROCDLDialect,
                  fly::rocdl::FlyROCDLDialect>();
  fly::registerCodeGenTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  Outcome outcome;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    outcome.errors.push_back(diagnostic.str());
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  if (!module)
    return outcome;
  auto bytes = fly::serializeModule(*module->getOps<gpu::GPUModuleOp>().begin(),
                                    options);
  if (succeeded(bytes))
    outcome.object.assign(bytes->begin(), bytes->end());
  return outcome;
}

void expectGood(const Outcome &outcome) {
  ASSERT_TRUE(outcome.errors.empty()) << outcome.errors[0];
  llvm::Expected<fly::CodeObjectReport> report =
      fly::readCodeObject(outcome.object);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  ASSERT_EQ(report->kernels.size(), 1u);
  EXPECT_EQ(report->kernels[0].name, "good");
}

void expectBad(const Outcome &outcome) {
  EXPECT_TRUE(outcome.object.empty());
  ASSERT_EQ(outcome.errors.size(), 1u);
  EXPECT_NE(outcome.errors[0].find("Cannot select"), std::string::npos)
      << outcome.errors[0];
}

TEST(SerializeTest, LivesAfterFatalErrors) {
  for (unsigned i = 0; i != 3; ++i) {
    expectBad(compile(kBad));
    expectGood(compile(kGood));
  }
}

TEST(SerializeTest, ManyThreads) {
  std::vector<Outcome> good(4), bad(4);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != 4; ++i)
    threads.emplace_back([&, i] {
      bad[i] = compile(kBad);
      good[i] = compile(kGood);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i != 4; ++i) {
    expectBad(bad[i]);
    expectGood(good[i]);
    EXPECT_EQ(good[i].object, good[0].object);
  }
}

TEST(SerializeTest, RefusesLevels) {
  fly::SerializeOptions options;
  options.optLevel = 4;
  Outcome outcome = compile(kGood, options);
  ASSERT_EQ(outcome.errors.size(), 1u);
  EXPECT_NE(outcome.errors[0].find("cannot be optimised at level 4"),
            std::string::npos);
}

TEST(SerializeTest, EveryLevelAndFormat) {
  for (int level = 0; level <= 3; ++level) {
    fly::SerializeOptions options;
    options.optLevel = level;
    expectGood(compile(kGood, options));
    options.format = fly::CodeFormat::Assembly;
    EXPECT_NE(compile(kGood, options).object.find(".amdhsa_kernel good"),
              std::string::npos);
    options.format = fly::CodeFormat::Bitcode;
    EXPECT_EQ(compile(kGood, options).object.substr(0, 2), "BC");
  }
}

} // namespace
