// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executables: a host function and its kernel compiled, kept as bytes, read
// again and called; the code of kernels as text; LLVM's options.
//
// RUN: env FLY_DEVICE=cpu %capi/execution | FileCheck %s --implicit-check-not=unexpected

#include "Fly-c/Execution.h"
#include "Fly-c/Passes.h"
#include "Fly-c/Pipelines.h"
#include "Fly-c/Registration.h"

#include "Support.h"

static MlirContext context;

// What comes before an error that a callback gets.
static char inRead[] = "read: ", inLookup[] = "lookup: ", inCall[] = "call: ";

static const char *source =
    "module attributes {gpu.container_module} {\n"
    "  gpu.module @kernels {\n"
    "    gpu.func @fill(%m: !fly.ptr<i32, global>, %v: i32) kernel {\n"
    "      fly.ptr.store(%v, %m) : (i32, !fly.ptr<i32, global>) -> ()\n"
    "      gpu.return\n"
    "    }\n"
    "  }\n"
    "  func.func @run(%m: !fly.ptr<i32, global>, %v: i32, %d: i32) {\n"
    "    %one = arith.constant 1 : index\n"
    "    %q = arith.divsi %v, %d : i32\n"
    "    gpu.launch_func @kernels::@fill blocks in (%one, %one, %one)\n"
    "      threads in (%one, %one, %one)\n"
    "      args(%m : !fly.ptr<i32, global>, %q : i32)\n"
    "    return\n"
    "  }\n"
    "}\n";

static MlirModule lower(const char *passes) {
  MlirModule module = mlirModuleCreateParse(context, str(source));
  if (mlirModuleIsNull(module) ||
      mlirLogicalResultIsFailure(
          flyRunPasses(mlirModuleGetOperation(module), str(passes)))) {
    printf("unexpected: not lowered\n");
    exit(1);
  }
  return module;
}

static void printError(MlirStringRef text, void *userData) {
  printf("%s", (char *)userData);
  printPart(text, NULL);
  printf("\n");
}

static void run(FlyExecutable executable, int32_t value, int32_t divisor) {
  FlyPackedFunction function =
      flyExecutableLookup(executable, str("run"), printError, inLookup);
  if (!function)
    return;
  int32_t result = -1;
  int32_t *target = &result;
  void *arguments[] = {&target, &value, &divisor};
  MlirLogicalResult called = flyExecutableCall(executable, function, arguments,
                                               printError, inCall);
  printf("called: %d, result %d\n", mlirLogicalResultIsSuccess(called), result);
}

static void testExecutables(void) {
  // CHECK: error: 'gpu.module' op is not compiled: run fly-to-binary or fly-to-cpu first at
  MlirModule bare = mlirModuleCreateParse(context, str(source));
  if (!flyExecutableIsNull(flyExecutableCompile(bare, 2)))
    printf("unexpected: an executable\n");
  mlirModuleDestroy(bare);

  MlirModule module = lower("fly-to-cpu{chip=gfx942}");
  // CHECK-NEXT: error: optimisation level 4 is not between 0 and 3 at
  if (!flyExecutableIsNull(flyExecutableCompile(module, 4)))
    printf("unexpected: an executable\n");
  FlyExecutable first = flyExecutableCompile(module, 2);
  mlirModuleDestroy(module);
  // CHECK-NEXT: functions: 1 'run' ''
  printf("functions: %d '%.*s' '%.*s'\n",
         (int)flyExecutableGetNumFunctions(first),
         (int)flyExecutableGetFunctionName(first, 0).length,
         flyExecutableGetFunctionName(first, 0).data,
         (int)flyExecutableGetFunctionName(first, 1).length, "?");

  // The bytes alone are enough.
  MlirStringRef bytes = flyExecutableGetBytes(first);
  char *kept = malloc(bytes.length);
  if (!kept)
    exit(1);
  memcpy(kept, bytes.data, bytes.length);
  MlirStringRef copy = mlirStringRefCreate(kept, bytes.length);
  flyExecutableDestroy(first);
  FlyExecutable second = flyExecutableRead(copy, printError, inRead);
  // CHECK-NEXT: called: 1, result 6
  run(second, 42, 7);
  // CHECK-NEXT: call: the host function stopped: an integer division without a result
  // CHECK-NEXT: called: 0, result -1
  run(second, 42, 0);
  // CHECK-NEXT: called: 1, result 21
  run(second, 42, 2);
  // CHECK-NEXT: lookup: no function 'walk' in the executable, which has 'run'
  if (flyExecutableLookup(second, str("walk"), printError, inLookup))
    printf("unexpected: a function\n");
  flyExecutableDestroy(second);

  // CHECK-NEXT: read: the executable is damaged: its checksum does not match
  kept[bytes.length - 1] ^= 1;
  if (!flyExecutableIsNull(flyExecutableRead(copy, printError, inRead)))
    printf("unexpected: an executable\n");
  // CHECK-NEXT: read: these bytes are no Fly executable
  flyExecutableRead(str("bytes"), printError, inRead);
  free(kept);

  FlyExecutable none = {NULL};
  flyExecutableDestroy(none);
  void *nothing[] = {NULL};
  // CHECK-NEXT: null: 0 0 1 0
  printf("null: %d %d %d %d\n", (int)flyExecutableGetBytes(none).length,
         (int)flyExecutableGetNumFunctions(none),
         flyExecutableLookup(none, str("run"), NULL, NULL) == NULL,
         mlirLogicalResultIsSuccess(
             flyExecutableCall(none, NULL, nothing, NULL, NULL)));
}

static void testText(void) {
  MlirModule module = lower("fly-to-rocdl{chip=gfx942}");
  Text text = {NULL, 0};
  MlirStringRef none = {NULL, 0};
  // CHECK: llvm ir: 1 1
  bool printed = mlirLogicalResultIsSuccess(
      flyPrintKernels(module, FlyKernelTextLLVMIR, none, appendText, &text));
  printf("llvm ir: %d %d\n", printed, strstr(text.data, "amdgpu_kernel") != NULL);
  // CHECK-NEXT: assembly: 1 1
  printed = mlirLogicalResultIsSuccess(
      flyPrintKernels(module, FlyKernelTextAssembly, none, appendText, &text));
  printf("assembly: %d %d\n", printed, strstr(text.data, "s_endpgm") != NULL);
  free(text.data);
  // CHECK-NEXT: error: flyPrintKernels: FlyKernelText has no case 7 at
  flyPrintKernels(module, (FlyKernelText)7, none, printPart, NULL);
  // CHECK-NEXT: error: llvm-options: LLVM has no option 'unroll-treshold'; did you mean 'unroll-threshold'? at
  flyPrintKernels(module, FlyKernelTextAssembly, str("unroll-treshold=9"),
                  printPart, NULL);
  // CHECK-NEXT: error: llvm-options: LLVM's option 'unroll-threshold' does not take the value 'nine' at
  flyPrintKernels(module, FlyKernelTextAssembly, str("unroll-threshold=nine"),
                  printPart, NULL);
  mlirModuleDestroy(module);

  module = lower("fly-to-binary{chip=gfx942}");
  // CHECK-NEXT: error: 'gpu.binary' op holds a linked object, which cannot be printed as assembly at
  flyPrintKernels(module, FlyKernelTextAssembly, none, printPart, NULL);
  mlirModuleDestroy(module);
}

int main(void) {
  flyRegisterAllPasses();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  flyRegisterAllDialects(registry);
  context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  printErrors(context);
  testExecutables();
  testText();
  mlirContextDestroy(context);
  return 0;
}
