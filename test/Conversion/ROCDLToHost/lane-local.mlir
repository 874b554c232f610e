// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942}))' | FileCheck %s
// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx1201}))' | FileCheck %s --check-prefix=WAVE32

// Ids and sizes: thread_id stands at 36 of the lane, the workgroup at 16; in
// the workgroup block_id at 0, block_dim at 12, grid_dim at 24.

gpu.module @ids {
  llvm.func @ids(%out: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %y = rocdl.workitem.id.y : i32
    %z = rocdl.workgroup.id.z : i32
    %d = rocdl.workgroup.dim.x : i32
    %g = rocdl.grid.dim.y : i64
    %w = rocdl.wavefrontsize : i32
    llvm.store %y, %out : i32, !llvm.ptr<1>
    llvm.store %z, %out : i32, !llvm.ptr<1>
    llvm.store %d, %out : i32, !llvm.ptr<1>
    llvm.store %g, %out : i64, !llvm.ptr<1>
    llvm.store %w, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @ids(
// CHECK-SAME: %[[LANE:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: %[[YFIELD:.*]] = llvm.getelementptr %[[LANE]][40]
// CHECK: %[[Y:.*]] = llvm.load %[[YFIELD]] invariant : !llvm.ptr -> i32
// CHECK: llvm.getelementptr %[[LANE]][16]
// CHECK: %[[ZFIELD:.*]] = llvm.getelementptr %{{.*}}[8]
// CHECK: %[[Z:.*]] = llvm.load %[[ZFIELD]] invariant : !llvm.ptr -> i32
// CHECK: %[[DFIELD:.*]] = llvm.getelementptr %{{.*}}[12]
// CHECK: %[[D:.*]] = llvm.load %[[DFIELD]] invariant : !llvm.ptr -> i32
// CHECK: %[[GFIELD:.*]] = llvm.getelementptr %{{.*}}[28]
// CHECK: %[[G:.*]] = llvm.load %[[GFIELD]] invariant : !llvm.ptr -> i32
// CHECK: %[[G64:.*]] = llvm.zext %[[G]] : i32 to i64
// CHECK: %[[W:.*]] = llvm.mlir.constant(64 : i32) : i32
// CHECK: llvm.store %[[Y]]
// CHECK: llvm.store %[[Z]]
// CHECK: llvm.store %[[D]]
// CHECK: llvm.store %[[G64]]
// CHECK: llvm.store %[[W]]
// WAVE32-LABEL: llvm.func internal @ids(
// WAVE32: llvm.mlir.constant(32 : i32) : i32

// -----

// mbcnt: bits of the mask that belong to lanes below this one.

gpu.module @mbcnt {
  llvm.func @mbcnt(%out: !llvm.ptr<1>, %mask: i32, %start: i32) attributes {rocdl.kernel} {
    %lo = rocdl.mbcnt.lo %mask, %start : (i32, i32) -> i32
    %hi = rocdl.mbcnt.hi %mask, %lo : (i32, i32) -> i32
    llvm.store %hi, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @mbcnt(
// CHECK-SAME: %[[LANE:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: %[[NFIELD:.*]] = llvm.getelementptr %[[LANE]][28]
// CHECK: %[[N:.*]] = llvm.load %[[NFIELD]] invariant : !llvm.ptr -> i32
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64) : i64
// CHECK: %[[N64:.*]] = llvm.zext %[[N]] : i32 to i64
// CHECK: %[[BIT:.*]] = llvm.shl %[[ONE]], %[[N64]] : i64
// CHECK: %[[BELOW:.*]] = llvm.sub %[[BIT]], %[[ONE]] : i64
// CHECK: %[[LOW:.*]] = llvm.trunc %[[BELOW]] : i64 to i32
// CHECK: %[[BITS:.*]] = llvm.and %[[MASK:.*]], %[[LOW]] : i32
// CHECK: %[[COUNT:.*]] = llvm.intr.ctpop(%[[BITS]])
// CHECK: %[[SUM:.*]] = llvm.add %[[COUNT]], %{{.*}} : i32
// CHECK: %[[SHIFT:.*]] = llvm.mlir.constant(32 : i64) : i64
// CHECK: llvm.lshr %{{.*}}, %[[SHIFT]] : i64
// CHECK: %[[COUNT2:.*]] = llvm.intr.ctpop
// CHECK: llvm.add %[[COUNT2]], %[[SUM]] : i32

// -----

gpu.module @math {
  llvm.func @math(%out: !llvm.ptr<1>, %x: f32, %y: f32) attributes {rocdl.kernel} {
    %0 = rocdl.exp2 %x f32 -> f32
    %1 = rocdl.log %0 f32 -> f32
    %2 = rocdl.rcp %1 f32 -> f32
    %3 = rocdl.sin %2 f32 -> f32
    %4 = rocdl.fmed3 %3, %x, %y : f32
    llvm.store %4, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @math(
// CHECK: %[[EXP:.*]] = llvm.intr.exp2(%[[X:.*]]) : (f32) -> f32
// CHECK: %[[LOG:.*]] = llvm.intr.log2(%[[EXP]]) : (f32) -> f32
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK: %[[RCP:.*]] = llvm.fdiv %[[ONE]], %[[LOG]] : f32
// CHECK: %[[TURN:.*]] = llvm.mlir.constant(6.28318548 : f32) : f32
// CHECK: %[[ANGLE:.*]] = llvm.fmul %[[RCP]], %[[TURN]] : f32
// CHECK: %[[SIN:.*]] = llvm.intr.sin(%[[ANGLE]]) : (f32) -> f32
// CHECK: %[[LOW:.*]] = llvm.intr.minnum(%[[SIN]], %[[X]])
// CHECK: %[[HIGH:.*]] = llvm.intr.maxnum(%[[SIN]], %[[X]])
// CHECK: %[[MIDDLE:.*]] = llvm.intr.minnum(%[[HIGH]], %[[Y:.*]])
// CHECK: llvm.intr.maxnum(%[[LOW]], %[[MIDDLE]])

// -----

// Waits and hints go, scopes and cache hints too; fences stay for the compiler.

gpu.module @no_effect {
  llvm.func @no_effect(%p: !llvm.ptr<1>, %x: i32) attributes {rocdl.kernel} {
    rocdl.s.waitcnt 0
    rocdl.sched.barrier 0
    rocdl.sched.group.barrier 8, 1, 0
    rocdl.s.setprio 1
    rocdl.s.nop 3
    rocdl.iglp.opt 0
    rocdl.s.wait.dscnt 0
    llvm.inline_asm has_side_effects "s_waitcnt vmcnt(0)\0As_nop 0", "" : () -> ()
    %same = llvm.inline_asm "", "=v,0" %x : (i32) -> i32
    llvm.fence syncscope("workgroup") release
    %old = llvm.atomicrmw add %p, %same syncscope("agent") monotonic : !llvm.ptr<1>, i32
    llvm.store %old, %p {nontemporal} : i32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @no_effect(
// CHECK-NOT: rocdl.
// CHECK-NOT: inline_asm
// CHECK: %[[P:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[X:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
// CHECK: llvm.fence release
// CHECK: %[[OLD:.*]] = llvm.atomicrmw add %[[P]], %[[X]] monotonic : !llvm.ptr, i32
// CHECK: llvm.store %[[OLD]], %[[P]] : i32, !llvm.ptr

// -----

// What must not be reached, and a failed assertion, are faults of the lane
// (fly_cpu_runtime.lane_fault stands at 8): 2 unreachable, 0 assertion.

module {
gpu.module @faults attributes {fly.assertions = [{id = 7 : i32, message = "n is positive"}]} {
  llvm.func @__fly_assert(i32)
  llvm.func @faults(%c: i1) attributes {rocdl.kernel} {
    llvm.cond_br %c, ^bad, ^worse
  ^bad:
    %id = llvm.mlir.constant(7 : i32) : i32
    llvm.call @__fly_assert(%id) : (i32) -> ()
    llvm.return
  ^worse:
    llvm.unreachable
  }
}
}

// CHECK-LABEL: llvm.func internal @faults(
// CHECK: %[[ID:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK: %[[ID64:.*]] = llvm.zext %[[ID]] : i32 to i64
// CHECK: %[[KIND:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: %[[HOLDER:.*]] = llvm.mlir.addressof @__fly_cpu_runtime
// CHECK: %[[TABLE:.*]] = llvm.load %[[HOLDER]]
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[TABLE]][8]
// CHECK: %[[FAULT:.*]] = llvm.load %[[FIELD]] invariant
// CHECK: llvm.call %[[FAULT]](%{{.*}}, %{{.*}}, %[[KIND]], %[[ID64]]) : !llvm.ptr, (!llvm.ptr, i32, i32, i64) -> ()
// CHECK: llvm.mlir.constant(2 : i32) : i32
// CHECK: llvm.unreachable
// CHECK-NOT: @__fly_assert(
// CHECK: @__fly_cpu_assertions(dense<[7, 0, -1]> : tensor<3xi32>)

// -----

// Other functions get the lane as first parameter.

gpu.module @functions {
  llvm.func @lane_id(%x: i32) -> i32 {
    %t = rocdl.workitem.id.x : i32
    %s = llvm.add %t, %x : i32
    llvm.return %s : i32
  }
  llvm.func @functions(%out: !llvm.ptr<1>, %x: i32) attributes {rocdl.kernel} {
    %v = llvm.call @lane_id(%x) : (i32) -> i32
    llvm.store %v, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @lane_id(
// CHECK-SAME: %[[LANE:.*]]: !llvm.ptr, %[[X:.*]]: i32) -> i32
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[LANE]][36]
// CHECK: %[[T:.*]] = llvm.load %[[FIELD]]
// CHECK: llvm.add %[[T]], %[[X]] : i32
// CHECK-LABEL: llvm.func internal @functions(
// CHECK-SAME: %[[CALLER:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: llvm.call @lane_id(%[[CALLER]], %{{.*}}) : (!llvm.ptr, i32) -> i32
