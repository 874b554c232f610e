// A pipeline for modules under another operation is an error, not the end of
// the process.
//
// RUN: not fly-opt %s --pass-pipeline='builtin.module(func.func(fly-to-rocdl{chip=gfx942}))' 2>&1 | FileCheck %s -DNAME=fly-to-rocdl -DOP=func.func
// RUN: not fly-opt %s --pass-pipeline='builtin.module(gpu.module(fly-to-binary{chip=gfx942}))' 2>&1 | FileCheck %s -DNAME=fly-to-binary -DOP=gpu.module
// RUN: not fly-opt %s --pass-pipeline='builtin.module(func.func(fly-to-cpu{chip=gfx942}))' 2>&1 | FileCheck %s -DNAME=fly-to-cpu -DOP=func.func

// CHECK-NOT: LLVM ERROR
// CHECK: error: pipeline '[[NAME]]' runs on 'builtin.module', not on '[[OP]]'
func.func @f() {
  return
}
