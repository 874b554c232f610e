// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942 memory-hooks=true}))' | FileCheck %s
// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942}))' | FileCheck %s --check-prefix=OFF
//
// With memory hooks the waits that cover moves to LDS are sites of the lanes,
// each with the counter (0, vector memory) and how many may be left. The
// module says so: flags 1 for the hooks, 2 for the waits.

// vmcnt(0), (3) and (16), from bits 3:0 and 15:14; lgkmcnt(0) alone, and vmcnt
// with all bits, wait for no move. Fences that release wait for all.
// Of a site: handler, place, sizes, operands, results, immediates. The last
// two fields but one of each wait are where its counter and count are in the
// pool.
// CHECK: @__fly_cpu_pool(dense<[16, 4, 4, 4, 4, 0, 0, 0, 0, 0, 3, 0, 16, 0, 5]> : tensor<15xi32>)
// CHECK: @__fly_cpu_sites(dense<[14, 1, 0, 4, 0, 4, 3, 0,
// CHECK-SAME: [[W:[0-9]+]], 2, 7, 0, 0, 7, 2, 0, [[W]], 3, 7, 0, 0, 9, 2, 0, [[W]], 4, 7, 0, 0, 11, 2, 0,
// CHECK-SAME: [[W]], 5, 7, 0, 0, 7, 2, 0, [[W]], 6, 7, 0, 0, 7, 2, 0, 1, 6, 7, 0, 0, 7, 0, 0,
// CHECK-SAME: [[W]], 7, 7, 0, 0, 13, 2, 0, [[W]], 8, 7, 0, 0, 7, 2, 0]> : tensor<72xi32>)
// CHECK: llvm.mlir.global external @fly_cpu_module
// CHECK: llvm.mlir.constant(65536 : i32) : i32
// CHECK-NEXT: %[[FLAGS:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK: llvm.insertvalue %[[FLAGS]], %{{.*}}[12]
// OFF: @__fly_cpu_sites({{.*}} : tensor<16xi32>)
// OFF: llvm.mlir.global external @fly_cpu_module
// OFF: llvm.mlir.constant(65536 : i32) : i32
// OFF-NEXT: %[[FLAGS:.*]] = llvm.mlir.constant(0 : i32) : i32
// OFF: llvm.insertvalue %[[FLAGS]], %{{.*}}[12]
gpu.module @waits {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<256 x i32>
  llvm.func @waits(%rsrc: !llvm.ptr<8>) attributes {rocdl.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %lds = llvm.mlir.addressof @lds : !llvm.ptr<3>
    rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %four, %zero, %zero, %zero, %zero
    rocdl.s.waitcnt 0
    rocdl.s.waitcnt 3
    rocdl.s.waitcnt 16384
    rocdl.s.waitcnt 49279
    llvm.fence syncscope("workgroup") release
    llvm.fence syncscope("workgroup") acquire
    llvm.fence syncscope("wavefront") release
    rocdl.barrier
    llvm.inline_asm has_side_effects "s_waitcnt vmcnt(5) lgkmcnt(0)", "" : () -> ()
    llvm.inline_asm has_side_effects "s_waitcnt lgkmcnt(0)", "" : () -> ()
    llvm.inline_asm has_side_effects "s_waitcnt vmcnt(0)", "" : () -> ()
    llvm.return
  }
}

// -----

// Without a move there is nothing to follow.
// CHECK: llvm.mlir.global external @fly_cpu_module
// CHECK: llvm.mlir.constant(65536 : i32) : i32
// CHECK-NEXT: %[[FLAGS:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK: llvm.insertvalue %[[FLAGS]], %{{.*}}[12]
gpu.module @no_move {
  llvm.func @no_move() attributes {rocdl.kernel} {
    rocdl.s.waitcnt 0
    llvm.return
  }
}

// -----

// A wait in a function that is no kernel cannot be followed.
// CHECK: @__fly_cpu_sites({{.*}} : tensor<8xi32>)
// CHECK: llvm.mlir.global external @fly_cpu_module
// CHECK: llvm.mlir.constant(65536 : i32) : i32
// CHECK-NEXT: %[[FLAGS:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK: llvm.insertvalue %[[FLAGS]], %{{.*}}[12]
gpu.module @elsewhere {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<256 x i32>
  llvm.func internal @helper() {
    rocdl.s.waitcnt 0
    llvm.return
  }
  llvm.func @elsewhere(%rsrc: !llvm.ptr<8>) attributes {rocdl.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %lds = llvm.mlir.addressof @lds : !llvm.ptr<3>
    rocdl.raw.ptr.buffer.load.lds %rsrc, %lds, %four, %zero, %zero, %zero, %zero
    rocdl.s.waitcnt 0
    llvm.call @helper() : () -> ()
    llvm.return
  }
}
