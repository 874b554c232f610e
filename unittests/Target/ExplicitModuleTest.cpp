// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR of binaries whose module the host program loads itself.

#include "Fly/Target/ExplicitModule.h"

#include "Fly/Dialect/Fly/IR/FlyDialect.h"
#include "Fly/Target/Serialize.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

/// The LLVM IR of a module that holds `body`, or "error: " and the first error.
std::string translate(llvm::StringRef body) {
  DialectRegistry registry;
  registry.insert<fly::FlyDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  ROCDL::ROCDLDialect>();
  fly::registerCodeGenTranslations(registry);
  fly::registerExplicitModuleModel(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string error;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (error.empty())
      error = diagnostic.str();
    return success();
  });
  std::string source =
      ("module attributes {gpu.container_module} {\n" + body + "}\n").str();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source, ParserConfig(&context));
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> result;
  if (module)
    result = translateModuleToLLVMIR(*module, llvmContext);
  if (!result)
    return "error: " + error;
  EXPECT_FALSE(llvm::verifyModule(*result, &llvm::errs()));
  std::string text;
  llvm::raw_string_ostream os(text);
  os << *result;
  return text;
}

/// Expects each of `parts` in `text`, behind the one before it.
void expectInOrder(llvm::StringRef text, llvm::ArrayRef<const char *> parts) {
  llvm::StringRef rest = text;
  for (llvm::StringRef part : parts) {
    size_t at = rest.find(part);
    ASSERT_NE(at, llvm::StringRef::npos)
        << "no '" << part.str() << "' in order in\n"
        << text.str();
    rest = rest.drop_front(at + part.size());
  }
}

TEST(ExplicitModule, EmbedsTheFirstObjectAndTwoFunctions) {
  std::string text = translate(R"mlir(
  gpu.binary @bin <#fly.explicit_module> [#gpu.object<#rocdl.target, properties = {section = "fatbin"}, "object">, #gpu.object<#rocdl.target, "other">]
)mlir");
  expectInOrder(
      text,
      {"@bin_binary = internal constant [6 x i8] c\"object\", section "
       "\"fatbin\", align 8",
       "@bin_module = internal global ptr null",
       "define void @flydsl_gpu_module_init(ptr %module_out, ptr %err)",
       "store ptr null, ptr %module_out", "store i32 0, ptr %err",
       "define void @flydsl_gpu_module_load_to_device(ptr %module_out, ptr "
       "%err)",
       "%0 = call ptr @mgpuModuleLoad(ptr @bin_binary, i64 6)",
       "store ptr %0, ptr @bin_module", "store ptr %0, ptr %module_out",
       "%1 = icmp eq ptr %0, null", "%2 = select i1 %1, i32 -1, i32 0",
       "store i32 %2, ptr %err", "ret void"});
  EXPECT_EQ(text.find("llvm.global_ctors"), std::string::npos);
  EXPECT_EQ(text.find("other"), std::string::npos);
}

// DIFF: module-load-jit
TEST(ExplicitModule, AssemblyEndsWithZeroAndIsCompiledAtLoad) {
  std::string text = translate(R"mlir(
  gpu.binary @text <#fly.explicit_module> [#gpu.object<#rocdl.target, properties = {O = 2 : i32}, assembly = "text">]
)mlir");
  expectInOrder(
      text, {"@text_binary = internal constant [5 x i8] c\"text\\00\", align 8",
             "call ptr @mgpuModuleLoadJIT(ptr @text_binary, i32 2, i64 4)"});
}

constexpr const char *kLaunches = R"mlir(
  gpu.binary @bin <#fly.explicit_module> [#gpu.object<#rocdl.target, "object">]
  llvm.func @launch(%n: i64, %x: i32, %p: !llvm.ptr) {
    gpu.launch_func @bin::@f blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%x : i32, %p : !llvm.ptr)
    gpu.launch_func @bin::@f blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%x : i32, %p : !llvm.ptr)
    llvm.return
  }
  llvm.func @streams(%n: i64, %d: i32, %s: !llvm.ptr, %t: !llvm.ptr) {
    gpu.launch_func <%t : !llvm.ptr> @bin::@g blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 dynamic_shared_memory_size %d
    gpu.launch_func <%s : !llvm.ptr> @bin::@g clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%d : i32, %s : !llvm.ptr)
    llvm.return
  }
  llvm.func @in_loop(%n: i64, %x: i32, %c: i1) {
    llvm.br ^loop
  ^loop:
    gpu.launch_func @bin::@f blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%x : i32)
    llvm.cond_br %c, ^loop, ^end
  ^end:
    llvm.return
  }
)mlir";

TEST(ExplicitModule, LaunchesTakeTheHandle) {
  std::string text = translate(kLaunches);
  expectInOrder(
      text,
      {"define void @launch(i64 %0, i32 %1, ptr %2)",
       "= load ptr, ptr @bin_module", "call ptr @mgpuModuleGetFunction(ptr ",
       "ptr @bin_f_name)", "call void @mgpuLaunchKernel(ptr ",
       "i64 %0, i64 %0, i64 %0, i64 %0, "
       "i64 %0, i64 %0, i32 0, ptr null, ptr ",
       "ptr null, i64 2)",
       // A cluster's sizes come before the grid's.
       "define void @streams(i64 %0, i32 %1, ptr %2, ptr %3)",
       "call void @mgpuLaunchKernel(ptr ",
       "i64 %0, i64 %0, i64 %0, i64 %0, i64 %0, i64 %0, i32 %1, ptr %3, ptr ",
       "ptr null, i64 0)", "call void @mgpuLaunchClusterKernel(ptr ",
       "i64 %0, i64 %0, i64 %0, i64 %0, i64 %0, i64 %0, i64 %0, i64 %0, i64 "
       "%0, i32 0, ptr %2, ptr ",
       "ptr null, i64 2)", "define void @in_loop("});
  // Launches of one kernel share its name.
  size_t first = text.find("@bin_f_name = internal constant [2 x i8]");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("@bin_f_name = ", first + 1), std::string::npos);
  EXPECT_EQ(text.find("@bin_f_name.1"), std::string::npos);
}

TEST(ExplicitModule, LaunchInALoopDoesNotGrowTheStack) {
  std::string text = translate(kLaunches);
  llvm::StringRef function = text;
  function = function.drop_front(function.find("define void @in_loop("));
  function = function.take_front(function.find("\n}\n"));
  auto [entry, rest] = function.split("br label");
  EXPECT_EQ(entry.count("alloca"), 2u);
  EXPECT_EQ(rest.count("alloca"), 0u);
  EXPECT_TRUE(rest.contains("@mgpuLaunchKernel"));
}

// DIFF: one-explicit-module
TEST(ExplicitModule, Refusals) {
  EXPECT_EQ(translate(R"mlir(
  gpu.binary @a <#fly.explicit_module> [#gpu.object<#rocdl.target, "object">]
  gpu.binary @b <#fly.explicit_module> [#gpu.object<#rocdl.target, "object">]
)mlir"),
            "error: 'flydsl_gpu_module_init' is defined already; a program can "
            "have one explicit module");
}

} // namespace
