// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of pipelines: each reaches the pass or the code that it is for; a
// value that cannot be, and an option without effect, is an error.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %capi/options %examples/kernels/vector_add.mlir "%t/a folder" | FileCheck %s \
// RUN:   --implicit-check-not=error --implicit-check-not=unexpected
// RUN: ls "%t/a folder" | FileCheck %s --check-prefix=TEMPS

// TEMPS: {{.*}}.mlir
// TEMPS: {{.*}}.opt.ll

#include "Fly-c/Passes.h"
#include "Fly-c/Pipelines.h"
#include "Fly-c/Registration.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/GPU.h"

#include "Support.h"

static MlirContext context;
static MlirLocation loc;
static const char *file;

/// Compiles the module of `file` and says which of `pieces` the code holds.
static void compile(const char *name, FlyPipelineOptions options,
                    const char *const *pieces, int count) {
  FlyPipeline pipeline = flyPipelineCreateWithOptions(loc, str(name), options);
  char source[1 << 16];
  FILE *stream = fopen(file, "rb");
  if (!stream || flyPipelineIsNull(pipeline)) {
    printf("unexpected: no module or no pipeline\n");
    exit(1);
  }
  size_t length = fread(source, 1, sizeof(source) - 1, stream);
  source[length] = 0;
  fclose(stream);
  MlirOperation op = mlirOperationCreateParse(context, str(source), str(file));
  bool ran = true;
  for (intptr_t i = 0; ran && i < flyPipelineGetNumStages(pipeline); ++i)
    ran = mlirLogicalResultIsSuccess(
        flyRunPasses(op, flyPipelineGetStage(pipeline, i)));
  printf("ran: %d\n", ran);
  MlirModule module = mlirModuleFromOperation(op);
  MlirOperation binary = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(binary);
       binary = mlirOperationGetNextInBlock(binary)) {
    MlirStringRef kind = mlirIdentifierStr(mlirOperationGetName(binary));
    if (!mlirStringRefEqual(kind, str("gpu.binary")))
      continue;
    MlirAttribute objects =
        mlirOperationGetAttributeByName(binary, str("objects"));
    MlirStringRef bytes =
        mlirGPUObjectAttrGetObject(mlirArrayAttrGetElement(objects, 0));
    for (int i = 0; i < count; ++i) {
      size_t size = strlen(pieces[i]);
      bool found = false;
      for (size_t at = 0; at + size <= bytes.length && !found; ++at)
        found = !memcmp(bytes.data + at, pieces[i], size);
      printf("  %s: %d\n", pieces[i], found);
    }
  }
  mlirModuleDestroy(module);
  flyPipelineDestroy(pipeline);
}

static void testText(void) {
  FlyPipelineOptions o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetChip(o, str("gfx90a"));
  flyPipelineOptionsSetChip(o, str("gfx942"));
  flyPipelineOptionsSetOptLevel(o, 3);
  flyPipelineOptionsSetFormat(o, FlyCodeFormatBitcode);
  flyPipelineOptionsSetRuntimeChecks(o, true);
  flyPipelineOptionsSetTrapOnAssert(o, true);
  flyPipelineOptionsSetWavesPerEu(o, 2, 4);
  flyPipelineOptionsSetFastMath(o, true);
  flyPipelineOptionsSetUnsafeMath(o, true);
  flyPipelineOptionsSetLLVMOptions(o, str("amdgpu-early-ifcvt;inline-cost=1"));
  flyPipelineOptionsSetDenormalsF32(o, FlyDenormalModeFlush);
  flyPipelineOptionsSetDenormalsF16(o, FlyDenormalModePreserve);
  flyPipelineOptionsAddLink(o, str("one.bc"));
  flyPipelineOptionsAddLink(o, str("the other.bc"));
  flyPipelineOptionsSetSaveTemps(o, str("a folder"));
  flyPipelineOptionsSetDebugInfo(o, true);
  FlyPipeline binary =
      flyPipelineCreateWithOptions(loc, str("fly-to-binary"), o);
  // CHECK: binary: 'builtin.module(
  // CHECK-SAME: fly-attach-target{chip=gfx942 device=amdgpu fast-math=true link={one.bc,{the other.bc}} opt-level=3 unsafe-math=true}
  // CHECK-SAME: fly-insert-runtime-checks
  // CHECK-SAME: fly-lower-assert-calls{trap=true}
  // CHECK-SAME: fly-set-waves-per-eu{waves-per-eu=2,4}
  // CHECK-SAME: fly-set-denormals{f16=preserve f32=flush}
  // CHECK-SAME: ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly}
  // CHECK-SAME: fly-module-to-binary{cpu=native format=llvm llvm-options=amdgpu-early-ifcvt;inline-cost=1 opt-level=3 save-temps={a folder}}
  showString("binary", flyPipelineGetText(binary));
  flyPipelineDestroy(binary);
  flyPipelineOptionsDestroy(o);

  o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetChip(o, str("gfx942"));
  flyPipelineOptionsSetCpu(o, str("x86-64-v3"));
  flyPipelineOptionsSetMemoryHooks(o, true);
  flyPipelineOptionsSetWavesPerEu(o, 3, 0);
  // CHECK-NEXT: error: flyPipelineCreate: option 'waves-per-eu' has no effect in the pipeline 'fly-to-cpu'
  // CHECK-NEXT: failed to add `fly-to-cpu` with options {{.*}} at loc("here":1:2)
  if (!flyPipelineIsNull(
          flyPipelineCreateWithOptions(loc, str("fly-to-cpu"), o)))
    printf("unexpected pipeline\n");
  flyPipelineOptionsDestroy(o);
  o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetChip(o, str("gfx942"));
  flyPipelineOptionsSetCpu(o, str("x86-64-v3"));
  flyPipelineOptionsSetMemoryHooks(o, true);
  FlyPipeline cpu = flyPipelineCreateWithOptions(loc, str("fly-to-cpu"), o);
  // CHECK-NEXT: cpu: 'builtin.module({{.*}}convert-rocdl-to-host{chip= memory-hooks=true skip-converted=true}{{.*}}fly-module-to-binary{cpu=x86-64-v3
  showString("cpu", flyPipelineGetText(cpu));
  flyPipelineDestroy(cpu);
  flyPipelineOptionsDestroy(o);

  // None are those of the text without any.
  FlyPipelineOptions none = {NULL};
  FlyPipeline bare =
      flyPipelineCreateWithOptions(loc, str("fly-to-rocdl"), none);
  FlyPipeline text = flyPipelineCreate(loc, str("fly-to-rocdl"));
  // CHECK-NEXT: same: 1 1
  printf(
      "same: %d %d\n", flyPipelineOptionsIsNull(none),
      mlirStringRefEqual(flyPipelineGetText(bare), flyPipelineGetText(text)));
  flyPipelineDestroy(bare);
  flyPipelineDestroy(text);
  flyPipelineOptionsSetOptLevel(none, 2);
  flyPipelineOptionsSetFastMath(none, true);
  flyPipelineOptionsSetChip(none, str("gfx942"));
  flyPipelineOptionsAddLink(none, str("x"));
  flyPipelineOptionsSetFormat(none, FlyCodeFormatObject);
  flyPipelineOptionsDestroy(none);
}

static void refuse(const char *pipeline, FlyPipelineOptions options) {
  FlyPipeline created =
      flyPipelineCreateWithOptions(loc, str(pipeline), options);
  if (!flyPipelineIsNull(created))
    showString("unexpected", flyPipelineGetText(created));
  flyPipelineOptionsDestroy(options);
}

static void testErrors(void) {
  FlyPipelineOptions o = flyPipelineOptionsCreate();
  // CHECK-NEXT: error: flyPipelineCreateWithOptions: there is no pipeline 'canonicalize', expected 'fly-to-rocdl', 'fly-to-binary' or 'fly-to-cpu' at loc("here":1:2)
  refuse("canonicalize", o);
  o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetOptLevel(o, -1);
  // CHECK-NEXT: error: flyPipelineCreate: option 'opt-level' is -1, expected 0 to 3
  // CHECK-NEXT: failed to add `fly-to-binary` with options `opt-level={-1}` at
  refuse("fly-to-binary", o);
  o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetFormat(o, (FlyCodeFormat)7);
  // Only the first is told.
  flyPipelineOptionsSetDenormalsF16(o, (FlyDenormalMode)3);
  // CHECK-NEXT: error: flyPipelineCreateWithOptions: FlyCodeFormat has no case 7 at
  refuse("fly-to-binary", o);
  o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetDenormalsF16(o, (FlyDenormalMode)3);
  // CHECK-NEXT: error: flyPipelineCreateWithOptions: FlyDenormalMode has no case 3 at
  refuse("fly-to-binary", o);
  o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetSaveTemps(o, str("a} chip={b"));
  // CHECK-NEXT: error: flyPipelineCreateWithOptions: option 'save-temps' is 'a} chip={b', which has the character '}' that no pipeline's text can hold at
  refuse("fly-to-binary", o);
  o = flyPipelineOptionsCreate();
  flyPipelineOptionsAddLink(o, str("a,b"));
  // CHECK-NEXT: error: flyPipelineCreateWithOptions: option 'link' is 'a,b', which has the character ',' that
  refuse("fly-to-binary", o);
  o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetCpu(o, mlirStringRefCreate(NULL, 0));
  // CHECK-NEXT: error: flyPipelineCreateWithOptions: option 'cpu' is null at
  refuse("fly-to-cpu", o);
}

static void verify(const char *llvmOptions) {
  printf("'%s': ", llvmOptions);
  if (mlirLogicalResultIsSuccess(
          flyVerifyLLVMOptions(str(llvmOptions), printPart, NULL)))
    printf("good");
  printf("\n");
}

static void testLLVMOptions(void) {
  // CHECK-NEXT: '': good
  verify("");
  // CHECK-NEXT: 'unroll-threshold=7;-enable-misched=0': good
  verify("unroll-threshold=7;-enable-misched=0");
  // CHECK-NEXT: 'unroll-threshold=7;enable-mishced=0': LLVM has no option 'enable-mishced'; did you mean 'enable-misched'?
  verify("unroll-threshold=7;enable-mishced=0");
  // CHECK-NEXT: 'unroll-threshold=seven': LLVM's option 'unroll-threshold' does not take the value 'seven'
  verify("unroll-threshold=seven");
  // CHECK-NEXT: failure without a callback: 1
  printf("failure without a callback: %d\n",
         mlirLogicalResultIsFailure(
             flyVerifyLLVMOptions(str("no-such-option"), NULL, NULL)));
}

static void testCode(const char *folder) {
  const char *pieces[] = {".amdhsa_float_denorm_mode_32 0",
                          ".amdhsa_float_denorm_mode_16_64 3", ".loc\t"};
  FlyPipelineOptions o = flyPipelineOptionsCreate();
  flyPipelineOptionsSetChip(o, str("gfx942"));
  flyPipelineOptionsSetFormat(o, FlyCodeFormatAssembly);
  // CHECK: ran: 1
  // CHECK-NEXT: denorm_mode_32 0: 0
  // CHECK-NEXT: denorm_mode_16_64 3: 1
  // CHECK-NEXT: .loc{{.*}}: 0
  compile("fly-to-binary", o, pieces, 3);
  flyPipelineOptionsSetDenormalsF32(o, FlyDenormalModeFlush);
  flyPipelineOptionsSetDebugInfo(o, true);
  flyPipelineOptionsSetSaveTemps(o, str(folder));
  // CHECK-NEXT: ran: 1
  // CHECK-NEXT: denorm_mode_32 0: 1
  // CHECK-NEXT: denorm_mode_16_64 3: 1
  // CHECK-NEXT: .loc{{.*}}: 1
  compile("fly-to-binary", o, pieces, 3);
  flyPipelineOptionsAddLink(o, str("no such file.bc"));
  // CHECK-NEXT: error: {{.*}}no such file.bc
  // CHECK-NEXT: ran: 0
  compile("fly-to-binary", o, pieces, 3);
  flyPipelineOptionsDestroy(o);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  file = argv[1];
  flyRegisterAllPasses();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  flyRegisterAllDialects(registry);
  context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  printErrors(context);
  loc = mlirLocationFileLineColGet(context, str("here"), 1, 2);
  testText();
  testErrors();
  testLLVMOptions();
  testCode(argv[2]);
  mlirContextDestroy(context);
  return 0;
}
