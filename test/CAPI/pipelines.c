// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration, pipelines as text and their runs: a kernel to assembly and to a
// CPU object, at once and stage by stage.
//
// RUN: %capi/pipelines %examples/kernels/vector_add.mlir | FileCheck %s \
// RUN:   --implicit-check-not=error --implicit-check-not=unexpected
//
// The first lines stand last in this file.
// RUN: %capi/pipelines %examples/kernels/vector_add.mlir | FileCheck %s --check-prefix=FIRST
//
// The same where upstream's passes have been registered before.
// RUN: %capi/pipelines %examples/kernels/vector_add.mlir upstream | FileCheck %s

#include "Fly-c/Pipelines.h"
#include "Fly-c/Passes.h"
#include "Fly-c/Registration.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/RegisterEverything.h"

#include "Support.h"

static MlirContext context;
static MlirLocation loc;
static const char *file;

static MlirModule readModule(void) {
  MlirOperation op = {NULL};
  char source[1 << 16];
  FILE *stream = fopen(file, "rb");
  if (stream) {
    size_t length = fread(source, 1, sizeof(source) - 1, stream);
    source[length] = 0;
    fclose(stream);
    op = mlirOperationCreateParse(context, str(source), str(file));
  }
  if (mlirOperationIsNull(op)) {
    printf("unexpected: no module in %s\n", file);
    exit(1);
  }
  return mlirModuleFromOperation(op);
}

static MlirLogicalResult run(MlirModule module, MlirStringRef passes) {
  return flyRunPasses(mlirModuleGetOperation(module), passes);
}

static Text print(MlirModule module) {
  Text text = {NULL, 0};
  mlirOperationPrint(mlirModuleGetOperation(module), appendText, &text);
  return text;
}

/// True if the first object of the module's `gpu.binary` holds `piece`.
static bool binaryHolds(MlirModule module, const char *piece) {
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirIdentifier name = mlirOperationGetName(op);
    if (!mlirStringRefEqual(mlirIdentifierStr(name), str("gpu.binary")))
      continue;
    MlirAttribute objects = mlirOperationGetAttributeByName(op, str("objects"));
    MlirStringRef bytes =
        mlirGPUObjectAttrGetObject(mlirArrayAttrGetElement(objects, 0));
    size_t length = strlen(piece);
    for (size_t i = 0; i + length <= bytes.length; ++i)
      if (!memcmp(bytes.data + i, piece, length))
        return true;
  }
  return false;
}

static void testText(void) {
  FlyPipeline pipeline =
      flyPipelineCreate(loc, str("canonicalize,fly-to-binary{chip=gfx942}"));
  // CHECK: text: 'builtin.module(canonicalize{{.*}},fly-record-signature,fly-attach-target{chip=gfx942 {{.*}}},{{.*}},fly-module-to-binary{{.*}})'
  showString("text", flyPipelineGetText(pipeline));
  // CHECK-NEXT: 'canonicalize': 'canonicalize{{.*}}'
  // CHECK-NEXT: 'fly_record_signature': 'fly-record-signature'
  // CHECK-NEXT: 'fly_attach_target': 'fly-attach-target{chip=gfx942 {{.*}}}'
  // CHECK: 'cse': 'gpu.module(cse)'
  // CHECK: 'fly_module_to_binary': 'fly-module-to-binary{{.*}}'
  for (intptr_t i = 0; i < flyPipelineGetNumStages(pipeline); ++i) {
    printf("'");
    printPart(flyPipelineGetStageLabel(pipeline, i), NULL);
    showString("'", flyPipelineGetStage(pipeline, i));
  }
  // CHECK-NEXT: past the end: '' ''
  intptr_t end = flyPipelineGetNumStages(pipeline);
  printf("past the end: '%.*s' '%.*s'\n",
         (int)flyPipelineGetStage(pipeline, end).length, "?",
         (int)flyPipelineGetStageLabel(pipeline, -1).length, "?");

  // The order of the options and their defaults do not matter.
  FlyPipeline same = flyPipelineCreate(
      loc, str("canonicalize,fly-to-binary{format=hsaco chip=gfx942}"));
  FlyPipeline other = flyPipelineCreate(
      loc, str("canonicalize,fly-to-binary{chip=gfx942 opt-level=3}"));
  // CHECK-NEXT: same: 1 0
  printf("same: %d %d\n",
         mlirStringRefEqual(flyPipelineGetText(pipeline),
                            flyPipelineGetText(same)),
         mlirStringRefEqual(flyPipelineGetText(pipeline),
                            flyPipelineGetText(other)));
  flyPipelineDestroy(pipeline);
  flyPipelineDestroy(same);
  flyPipelineDestroy(other);

  FlyPipeline none = {NULL};
  // CHECK-NEXT: null: 1 0 0
  printf("null: %d %d %d\n", flyPipelineIsNull(none),
         (int)flyPipelineGetNumStages(none),
         (int)flyPipelineGetText(none).length);
  flyPipelineDestroy(none);
}

static void refuse(const char *passes) {
  FlyPipeline pipeline = flyPipelineCreate(loc, str(passes));
  if (!flyPipelineIsNull(pipeline))
    showString("unexpected", flyPipelineGetText(pipeline));
}

static void testErrors(void) {
  // CHECK: error: flyPipelineCreate: {{.*}}'fly-to-nowhere' does not refer to a registered pass or pass pipeline
  // CHECK: at loc("here":1:2)
  refuse("fly-to-nowhere");
  // CHECK: error: flyPipelineCreate: {{.*}}no such option chop
  // CHECK-NEXT: failed to add `fly-to-binary` with options `chop=gfx942`
  refuse("fly-to-binary{chop=gfx942}");
  // CHECK: error: flyPipelineCreate: {{.*}}'' does not refer to a registered pass or pass pipeline
  refuse("canonicalize,");
  // CHECK: error: flyPipelineCreate: {{.*}}runs on 'builtin.module', not on 'func.func'
  refuse("func.func(fly-to-binary{chip=gfx942})");

  MlirModule module = readModule();
  // CHECK: error: flyRunPasses: {{.*}}'fly-to-nowhere' does not refer
  if (mlirLogicalResultIsSuccess(run(module, str("fly-to-nowhere"))))
    printf("unexpected success\n");
  // CHECK: error: {{.*}}has no target and no chip was named{{.*}} at
  if (mlirLogicalResultIsSuccess(run(module, str("fly-to-binary"))))
    printf("unexpected success\n");
  MlirOperation none = {NULL};
  if (mlirLogicalResultIsSuccess(flyRunPasses(none, str("canonicalize"))))
    printf("unexpected success\n");
  mlirModuleDestroy(module);
}

static void testRuns(void) {
  const char *passes = "fly-to-binary{chip=gfx942 format=isa}";
  MlirModule whole = readModule(), staged = readModule();
  // CHECK: whole: 1, s_endpgm: 1
  bool ran = mlirLogicalResultIsSuccess(run(whole, str(passes)));
  printf("whole: %d, s_endpgm: %d\n", ran, binaryHolds(whole, "s_endpgm"));

  FlyPipeline pipeline = flyPipelineCreate(loc, str(passes));
  for (intptr_t i = 0; i < flyPipelineGetNumStages(pipeline); ++i)
    if (mlirLogicalResultIsFailure(
            run(staged, flyPipelineGetStage(pipeline, i))))
      showString("unexpected failure of", flyPipelineGetStage(pipeline, i));
  flyPipelineDestroy(pipeline);
  Text first = print(whole), second = print(staged);
  // CHECK-NEXT: staged the same: 1
  printf("staged the same: %d\n",
         first.length == second.length && !strcmp(first.data, second.data));
  free(first.data);
  free(second.data);
  mlirModuleDestroy(whole);
  mlirModuleDestroy(staged);

  MlirModule cpu = readModule();
  // CHECK-NEXT: cpu: 1, fly_cpu_module: 1
  ran = mlirLogicalResultIsSuccess(run(cpu, str("fly-to-cpu{chip=gfx942}")));
  printf("cpu: %d, fly_cpu_module: %d\n", ran,
         binaryHolds(cpu, "fly_cpu_module"));
  mlirModuleDestroy(cpu);
}

/// A context with what `fill` inserts into its registry.
static MlirContext makeContext(void (*fill)(MlirDialectRegistry)) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  fill(registry);
  MlirContext result = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  printErrors(result);
  return result;
}

static void insertByHandles(MlirDialectRegistry registry) {
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__fly__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__fly_rocdl__(), registry);
}

static void insertFly(MlirDialectRegistry registry) {
  flyRegisterDialects(registry);
  flyRegisterLLVMTranslations(registry);
}

/// A target that its dialect only promises to be one.
static void readTarget(MlirContext where) {
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__gpu__(), where);
  mlirContextGetOrLoadDialect(where, str("fly_rocdl"));
  MlirOperation op = mlirOperationCreateParse(
      where, str("gpu.module @m [#fly_rocdl.cpu<chip = \"gfx942\">] {}"),
      str("text"));
  printf("target: %d\n", !mlirOperationIsNull(op));
  if (!mlirOperationIsNull(op))
    mlirOperationDestroy(op);
  mlirContextDestroy(where);
}

int main(int argc, char **argv) {
  file = argc > 1 ? argv[1] : "";
  if (argc > 2)
    mlirRegisterAllPasses();
  // Any number of times.
  flyRegisterAllPasses();
  flyRegisterPasses();
  flyRegisterAllPasses();

  // FIRST: version: '{{[0-9]+\.[0-9]+\.[0-9]+}}'
  showString("version", flyGetVersion());
  // FIRST-NEXT: 'fly' 'fly_rocdl'
  printf("'");
  printPart(mlirDialectHandleGetNamespace(mlirGetDialectHandle__fly__()), NULL);
  printf("' '");
  printPart(mlirDialectHandleGetNamespace(mlirGetDialectHandle__fly_rocdl__()),
            NULL);
  printf("'\n");
  // FIRST-NEXT: target: 1
  // FIRST-NEXT: target: 1
  readTarget(makeContext(insertByHandles));
  readTarget(makeContext(insertFly));

  context = makeContext(flyRegisterAllDialects);
  loc = mlirLocationFileLineColGet(context, str("here"), 1, 2);
  testText();
  testErrors();
  testRuns();
  mlirContextDestroy(context);
  return 0;
}
