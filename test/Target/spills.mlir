// 160 live values do not fit the 64 registers of 8 waves a SIMD: the kernel says so
// where it stands.
// User report 100.
// RUN: %python %S/Inputs/make_spills.py > %t.mlir
// RUN: fly-opt %t.mlir -fly-module-to-binary 2>&1 | FileCheck %s

// CHECK: spills.mlir:1:1: remark: kernel 'k' spills {{[1-9][0-9]*}} vector and {{[0-9]+}} scalar registers; scratch memory is {{[1-9][0-9]*}} bytes a lane
// CHECK: gpu.binary @kernels
// DIFF: waves-per-eu
