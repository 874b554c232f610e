// Fields of a tensor copy that only the run knows: AMD code keeps the bits that the descriptor has; for the CPU, which
// checks it, others are assumed away.

// RUN: fly-opt %s -convert-fly-to-rocdl -canonicalize | FileCheck %s --check-prefix=BOTH --implicit-check-not=assume
// RUN: sed 's/#rocdl.target/#fly_rocdl.cpu/' %s | fly-opt - -convert-fly-to-rocdl -canonicalize | FileCheck %s --check-prefixes=BOTH,CPU

!T = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0>, 0>
!G = !fly.memref<i32, global, (4,8):(?{i64},1)>
!S = !fly.memref<i32, shared, (4,8):(8,1), align<16>>

// BOTH-LABEL: gpu.func @fields
// BOTH-SAME: %[[MASK:[a-z0-9]+]]: i32, %[[STRIDE:[a-z0-9]+]]: i64
// BOTH-DAG: %[[LOW16:.*]] = arith.constant 65535 : i32
// CPU-DAG: %[[MOST:.*]] = arith.constant 281474976710655 : i64
// CPU: %[[FITS:.*]] = arith.cmpi ule, %[[MASK]], %[[LOW16]] : i32
// CPU: llvm.intr.assume %[[FITS]] : i1
// CPU: %[[STRIDE_FITS:.*]] = arith.cmpi ule, %{{.*}}, %[[MOST]] : i64
// CPU: llvm.intr.assume %[[STRIDE_FITS]] : i1
// BOTH: arith.andi %[[MASK]], %[[LOW16]] : i32
// BOTH: rocdl.tensor.load.to.lds 
gpu.module @k [#rocdl.target<chip = "gfx1250">] {
  gpu.func @fields(%mask: i32, %stride: i64, %g: !G, %s: !S) kernel {
    %a = fly.make_copy_atom {valBits = 0 : i32} : !T
    %m = fly.atom.set_value(%a, "workgroup_mask", %mask) : (!T, i32) -> !T
    %n = fly.atom.set_value(%m, "stride_0", %stride) : (!T, i64) -> !T
    fly.copy_atom_call(%n, %g, %s) : (!T, !G, !S) -> ()
    gpu.return
  }
}
