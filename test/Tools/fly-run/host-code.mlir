// Host code that LLVM cannot compile is an error with exit status 2, and so are
// names that would take the place of the runtime's.

// RUN: split-file %s %t
// RUN: not fly-run %t/intrinsic.mlir --chip=gfx942 2>&1 | FileCheck %s --check-prefix=INTRINSIC
// RUN: not fly-run %t/asm.mlir --chip=gfx942 2>&1 | FileCheck %s --check-prefix=ASM
// RUN: not fly-run %t/constraint.mlir --chip=gfx942 2>&1 | FileCheck %s --check-prefix=CONSTRAINT
// RUN: not fly-run %t/name.mlir --chip=gfx942 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not fly-run %t/zero.mlir --chip=gfx942 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not fly-run /dev/zero --chip=gfx942 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not fly-run %t/taken.mlir --chip=gfx942 --function=k_module 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: fly-run %t/empty.mlir --chip=gfx942 --input=4x0xf32=0 --expected=0:4x0xf32=0 | FileCheck %s --check-prefix=EMPTY
// RUN: not fly-run %t/empty.mlir --chip=gfx942 --input=f32=0 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not fly-run %t/wide.mlir --chip=gfx942 --input=1xi64=9007199254740993 --expected=0:1xf64=9007199254740992 | FileCheck %s --check-prefix=WIDE
// RUN: not fly-run %t/shared.mlir --chip=gfx942 --input=4xf32=0 2>&1 | FileCheck %s --check-prefix=SHARED

// INTRINSIC: fly-run: error: host code: {{.*}}Cannot select: {{.*}}llvm.amdgcn.s.barrier
// ASM: fly-run: error: host code: {{.*}}no_such_instruction
// CONSTRAINT: fly-run: error: host code: {{.*}}couldn't allocate
// NAME: name.mlir:1:1: error: 'func.func' op is called 'mgpuStreamCreate'; names that begin with mgpu or flyRuntime are those of the runtime library
// ZERO: zero.mlir:1:1: error: 'func.func' op has a name with a zero byte
// DEVICE: fly-run: error: the module '/dev/zero' is no regular file
// TAKEN: taken.mlir:3:1: error: 'func.func' op is called 'k_module', which the code of gpu.module 'k' needs for itself
// EMPTY: argument 0 (4x0xf32): matches; worst error 0.000000e+00 at no element: got nothing, expected nothing
// NUMBER: fly-run: error: argument 0 (parameter type !fly.ptr<f32, global>): is a number of type f32, expected an array
// WIDE: argument 0 (1xi64): 1 of 1 elements differ; worst error 1.000000e+00 at [0]: got 9007199254740993, expected 9.00719925e+15
// SHARED: fly-run: error: argument 0 (parameter type !fly.memref<f32, shared, 4:1>): cannot be given: an array lies in global memory

//--- intrinsic.mlir
func.func @main() {
  llvm.call_intrinsic "llvm.amdgcn.s.barrier"() : () -> ()
  return
}
//--- asm.mlir
func.func @main() {
  llvm.inline_asm has_side_effects "no_such_instruction", "" : () -> ()
  return
}
//--- constraint.mlir
func.func @main() {
  %c = arith.constant 1 : i32
  llvm.inline_asm has_side_effects "nop", "=zzz,q" %c : (i32) -> ()
  return
}
//--- name.mlir
func.func @mgpuStreamCreate() {
  return
}
//--- zero.mlir
func.func @"a\00b"() {
  return
}
//--- shared.mlir
func.func @main(%x: !fly.memref<f32, shared, 4:1>) {
  return
}
//--- taken.mlir
gpu.module @k {
}
func.func @k_module() {
  return
}
//--- empty.mlir
func.func @main(%x: !fly.ptr<f32, global>) {
  return
}
//--- wide.mlir
func.func @main(%x: !fly.ptr<i64, global>) {
  return
}
