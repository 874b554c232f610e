// RUN: fly-opt %s -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx1250 memory-hooks=true}))' | FileCheck %s
// RUN: fly-opt %s -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx1250}))' | FileCheck %s --check-prefix=OFF
//
// gfx1250: asynchronous copies, the waits for them (counter 2) and for tensor
// copies (1), which no fence is, pauses and the cluster's barrier are sites.
// Without memory hooks the waits are none.

// Of a site: handler, place, sizes, operands, results, immediates. The load has
// its offset, the store offset and cache policy, a wait counter and count.
// Handlers are told by their distances in the table of the runtime.
// CHECK: @__fly_cpu_pool(dense<[8, 4, 12, 0, 0, 2, 3, 1, 2, 2, 5]> : tensor<11xi32>)
// CHECK: @__fly_cpu_sites(dense<[[[#LOAD:]],
// CHECK-SAME: 1, 0, 2, 0, 2, 1, 0, [[#LOAD+2]], 2, 0, 2, 0, 3, 2, 0,
// CHECK-SAME: [[#LOAD-4]], 3, 5, 0, 0, 5, 2, 0, [[#LOAD-4]], 4, 5, 0, 0, 7, 2, 0, [[#LOAD-4]], 5, 5, 0, 0, 9, 2, 0,
// CHECK-SAME: [[#LOAD+8]], 6, 5, 0, 0, 5, 0, 0, [[#LOAD-3]], 7, 5, 0, 0, 5, 0, 0]> : tensor<56xi32>)
// OFF: @__fly_cpu_pool(dense<[8, 4, 12, 0, 0]> : tensor<5xi32>)
// OFF: @__fly_cpu_sites(dense<[[[#LOAD:]],
// OFF-SAME: 1, 0, 2, 0, 2, 1, 0, [[#LOAD+2]], 2, 0, 2, 0, 3, 2, 0, [[#LOAD+8]], 3, 5, 0, 0, 5, 0, 0, [[#LOAD-3]], 4, 5, 0, 0, 5, 0, 0]> : tensor<32xi32>)
gpu.module @waits {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<256 x i32>
  llvm.func @waits(%g: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %lds = llvm.mlir.addressof @lds : !llvm.ptr<3>
    rocdl.global.load.async.to.lds.b64 %g, %lds, 12, 0 : !llvm.ptr<1>, !llvm.ptr<3>
    llvm.call_intrinsic "llvm.amdgcn.global.store.async.from.lds.b8"(%g, %lds, %zero, %zero) : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i32) -> ()
    rocdl.s.wait.asynccnt 3
    rocdl.s.wait.tensorcnt 2
    rocdl.s.wait.dscnt 0
    llvm.fence syncscope("workgroup") release
    llvm.inline_asm has_side_effects "s_wait_asynccnt 5", "" : () -> ()
    rocdl.s.sleep 1
    llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
    llvm.return
  }
}
