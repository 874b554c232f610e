// The stages of a compilation as files, each of which gives the next one bit for
// bit when it is fed back.
// User report 97.
// RUN: rm -rf %t && mkdir %t
// RUN: fly-opt %s -fly-to-binary='chip=gfx942 save-temps=%t/a/b' -o %t/binary.mlir
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx942 -o %t/direct.hsaco
// RUN: cmp %t/direct.hsaco %t/a/b/kernels.hsaco
// RUN: fly-translate --fly-to-hsaco %t/a/b/kernels.mlir -o %t/again.hsaco
// RUN: cmp %t/direct.hsaco %t/again.hsaco
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx942 -filetype=obj %t/a/b/kernels.s -o %t/mc.o
// RUN: ld.lld -shared --no-undefined %t/a/b/kernels.o -o %t/linked.hsaco
// RUN: cmp %t/direct.hsaco %t/linked.hsaco
// RUN: llc -mcpu=gfx942 %t/a/b/kernels.opt.ll -o - | FileCheck %s --check-prefix=ISA
// RUN: FileCheck %s --check-prefix=ISA < %t/a/b/kernels.s
// RUN: FileCheck %s --check-prefix=LL < %t/a/b/kernels.ll
// RUN: FileCheck %s --check-prefix=OPT < %t/a/b/kernels.opt.ll
// RUN: fly-translate %s --fly-to-isa --chip=gfx942 --save-temps=%t/isa -o %t/direct.s
// RUN: cmp %t/direct.s %t/isa/kernels.s
// RUN: not ls %t/isa/kernels.o
// RUN: fly-opt %s -fly-to-cpu='chip=gfx942 save-temps=%t/cpu' -o %t/cpu.mlir
// RUN: ls %t/cpu/kernels.mlir %t/cpu/kernels.ll %t/cpu/kernels.opt.ll %t/cpu/kernels.s %t/cpu/kernels.o %t/cpu/kernels.so
// RUN: not fly-opt %s -fly-to-binary='chip=gfx942 save-temps=%s' 2>&1 | FileCheck %s --check-prefix=ERROR

// ISA: v_add_f32
// ISA: global_store_dword
// LL: define amdgpu_kernel void @k
// LL: fadd float
// OPT: define amdgpu_kernel void @k
// OPT: fadd float
// ERROR: save-temps.mlir:[[#@LINE+1]]:1: error: save-temps cannot write '{{.*}}save-temps.mlir
gpu.module @kernels {
  gpu.func @k(%x: f32, %p: !llvm.ptr<1>) kernel {
    %y = arith.addf %x, %x : f32
    %z = arith.addf %y, %x : f32
    llvm.store %z, %p : f32, !llvm.ptr<1>
    gpu.return
  }
}
