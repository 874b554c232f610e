// RUN: fly-opt %s -fly-to-binary="chip=gfx942 format=isa runtime-checks trap-on-assert" | FileCheck %s --check-prefix=TRAP
// RUN: fly-opt %s -fly-to-binary="chip=gfx942 format=isa runtime-checks" | FileCheck %s --check-prefix=NONE
// RUN: fly-opt %s -fly-to-binary="chip=gfx942 format=isa trap-on-assert" | FileCheck %s --check-prefix=NONE
// RUN: fly-opt %s -fly-to-cpu="chip=gfx942 runtime-checks" | FileCheck %s --check-prefix=CPU
// RUN: fly-opt %s -pass-pipeline="builtin.module(fly-layout-lowering{runtime-checks})" | FileCheck %s --check-prefix=LAYOUT

// The checks of run-time values in each pipeline.

// TRAP: s_trap
// NONE-NOT: s_trap
// NONE: global_store_dword
// NONE-NOT: s_trap
// CPU: 'fly.make_int_tuple' requires that operand #0 is a multiple of 4 [divisibility]
// LAYOUT: cf.assert %{{.*}}, "'fly.make_int_tuple' requires that operand #0 is a multiple of 4 [divisibility]"
gpu.module @kernels {
  gpu.func @k(%p: !fly.ptr<i32, global>, %n: i32) kernel {
    %o = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?{div=4}>
    %q = fly.add_offset(%p, %o) : (!fly.ptr<i32, global>, !fly.int_tuple<?{div=4}>) -> !fly.ptr<i32, global>
    %one = arith.constant 1 : i32
    fly.ptr.store(%one, %q) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }
}
