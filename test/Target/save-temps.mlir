// The stages of a compilation as files, each of which gives the next one bit for
// bit when it is fed back.
// User report 97.
// RUN: rm -rf %t && mkdir %t
// RUN: fly-opt %s -fly-to-binary='chip=gfx942 save-temps=%t/a/b' -o %t/binary.mlir
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx942 -o %t/direct.hsaco
// RUN: cmp %t/direct.hsaco %t/a/b/kernels.hsaco
// RUN: fly-translate --fly-to-hsaco %t/a/b/kernels.mlir -o %t/again.hsaco
// RUN: cmp %t/direct.hsaco %t/again.hsaco
// opt gives the same but for the name of the module and its attribute "target-cpu".
// RUN: opt -S -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 -passes='default<O2>' %t/a/b/kernels.ll -o - | sed -e 's/ "target-cpu"="gfx942"//' -e 1d > %t/opt.ll
// RUN: sed 1d %t/a/b/kernels.opt.ll > %t/without-name.ll
// RUN: cmp %t/opt.ll %t/without-name.ll
// RUN: llc -O2 -mcpu=gfx942 -asm-verbose=0 %t/a/b/kernels.opt.ll -o %t/llc.s
// RUN: cmp %t/llc.s %t/a/b/kernels.s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx942 -filetype=obj %t/a/b/kernels.s -o %t/mc.o
// RUN: cmp %t/mc.o %t/a/b/kernels.o
// RUN: ld.lld -shared --no-undefined --discard-all %t/a/b/kernels.o -o %t/linked.hsaco
// RUN: cmp %t/direct.hsaco %t/linked.hsaco
// With line tables, too.
// RUN: fly-opt %s -fly-to-binary='chip=gfx942 debug-info=true save-temps=%t/g' -o %t/lines.mlir
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx942 -filetype=obj %t/g/kernels.s -o %t/lines.o
// RUN: cmp %t/lines.o %t/g/kernels.o
// RUN: ld.lld -shared --no-undefined --discard-all %t/g/kernels.o -o %t/lines.hsaco
// RUN: cmp %t/lines.hsaco %t/g/kernels.hsaco
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
