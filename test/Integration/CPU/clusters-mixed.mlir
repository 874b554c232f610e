// Waves of a workgroup of which one waits for the workgroup and one for the cluster:
// on the device the first of them signals the cluster, or does not. A workgroup that
// is alone has no cluster to signal.

// RUN: not fly-run %s --chip=gfx1250 --function=pair --input=1xi32=0 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not fly-run %s --chip=gfx1250 --function=pair --input=1xi32=0 --schedule=random:3 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: waves meet at different barriers, one of the workgroup and one of the cluster: wave {{[01]}} is at {{.*}}clusters-mixed.mlir:{{[0-9]+}}:{{[0-9]+}} (kernel 'mixed', workgroup ({{[01]}}, 0, 0), wave {{[01]}})
// RUN: not fly-run %s --chip=gfx1250 --function=pair --input=1xi32=0 --schedule=reverse 2>&1 | FileCheck %s --check-prefix=REVERSE
// REVERSE: clusters-mixed.mlir:[[#@LINE+13]]:{{[0-9]+}}: rocdl.barrier: waves meet at different barriers, one of the workgroup and one of the cluster: wave 1 is at {{.*}}clusters-mixed.mlir:[[#@LINE+16]]:{{[0-9]+}} (kernel 'mixed', workgroup (1, 0, 0), wave 0)
// RUN: fly-run %s --chip=gfx1250 --function=alone --input=1xi32=0 --expected=0:1xi32=1

!P = !fly.ptr<i32, global>
!M = !fly.memref<i32, global, ?:1>

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @mixed(%out: !P) kernel {
      %t = gpu.thread_id x
      %c32 = arith.constant 32 : index
      %first = arith.cmpi ult, %t, %c32 : index
      scf.if %first {
        gpu.barrier
        llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
      } else {
        llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
        gpu.barrier
      }
      %one = arith.constant 1 : i32
      fly.ptr.store(%one, %out) : (i32, !P) -> ()
      gpu.return
    }
  }

  func.func @pair(%out: !M) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %q = fly.get_iter(%out) : (!M) -> !P
    gpu.launch_func @k::@mixed clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%q : !P)
    return
  }
  func.func @alone(%out: !M) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %q = fly.get_iter(%out) : (!M) -> !P
    gpu.launch_func @k::@mixed blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%q : !P)
    return
  }
}
