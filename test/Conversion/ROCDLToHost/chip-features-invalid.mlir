// Cross-lane operations that the chip does not have.

// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host))'

gpu.module @cdna3 [#fly_rocdl.cpu<chip = "gfx942">] {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<64 x f32>
  llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {rocdl.kernel} {
    %l = llvm.mlir.addressof @lds : !llvm.ptr<3>
    // expected-error @+1 {{operation 'rocdl.s.barrier.signal' is no instruction of gfx942, which lacks the feature 'split-barrier'}}
    rocdl.s.barrier.signal id = -1
    // expected-error @+1 {{operation 'rocdl.s.barrier.wait' is no instruction of gfx942, which lacks the feature 'split-barrier'}}
    rocdl.s.barrier.wait id = -1
    // expected-error @+1 {{operation 'rocdl.ds.read.tr16.b64' is no instruction of gfx942, which lacks the feature 'lds-read-trans'}}
    %0 = rocdl.ds.read.tr16.b64 %l : !llvm.ptr<3> -> vector<4xf16>
    // expected-error @+1 {{is no instruction of gfx942, which lacks the feature 'permlane32-swap'}}
    %1 = rocdl.permlane32.swap %x, %x, 0, 0 : (i32, i32) -> !llvm.struct<(i32, i32)>
    // expected-error @+1 {{is no instruction of gfx942, which lacks the feature 'permlane16-swap'}}
    %2 = rocdl.permlane16.swap %x, %x, 0, 0 : (i32, i32) -> !llvm.struct<(i32, i32)>
    // expected-error @+1 {{is no instruction of gfx942, which lacks the feature 'permlanex16'}}
    %3 = rocdl.permlanex16 %x, %x, %x, %x, 0, 0 : i32, i32
    rocdl.global.load.lds %p, %l, 4, 0, 0
    llvm.return
  }
}

// -----

gpu.module @rdna4 [#fly_rocdl.cpu<chip = "gfx1201">] {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<64 x f32>
  llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {rocdl.kernel} {
    %l = llvm.mlir.addressof @lds : !llvm.ptr<3>
    // expected-error @+1 {{operation 'rocdl.ds.load.tr16.b128' is no instruction of gfx1201, which lacks the feature 'lds-load-trans'}}
    %0 = rocdl.ds.load.tr16.b128 %l : !llvm.ptr<3> -> vector<8xf16>
    // expected-error @+1 {{operation 'rocdl.global.load.lds' is no instruction of gfx1201, which lacks the feature 'lds-dma-32'}}
    rocdl.global.load.lds %p, %l, 4, 0, 0
    // expected-error @+1 {{operation 'rocdl.s.barrier.signal' is no instruction of gfx1201, which has no clusters of workgroups}}
    rocdl.s.barrier.signal id = -3
    // expected-error @+1 {{operation 'rocdl.cluster.id.y' is no instruction of gfx1201, which has no clusters of workgroups}}
    %1 = rocdl.cluster.id.y : i32
    // expected-error @+1 {{calls 'llvm.amdgcn.cluster.workgroup.flat.id', which is no instruction of gfx1201, which has no clusters of workgroups}}
    %2 = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.flat.id"() : () -> i32
    // expected-error @+1 {{operation 'rocdl.ds.atomic.async.barrier.arrive.b64' is no instruction of gfx1201, which has no clusters of workgroups}}
    rocdl.ds.atomic.async.barrier.arrive.b64 %l : !llvm.ptr<3>
    %3 = rocdl.permlanex16 %x, %x, %x, %x, 0, 0 : i32, i32
    rocdl.s.barrier.signal id = -1
    llvm.return
  }
}

// -----

gpu.module @gfx1250 [#fly_rocdl.cpu<chip = "gfx1250">] {
  llvm.func @k(%x: i32) attributes {rocdl.kernel} {
    %0 = rocdl.permlane16.swap %x, %x, 0, 0 : (i32, i32) -> !llvm.struct<(i32, i32)>
    // expected-error @+1 {{is no instruction of gfx1250, which lacks the feature 'permlane32-swap'}}
    %1 = rocdl.permlane32.swap %x, %x, 0, 0 : (i32, i32) -> !llvm.struct<(i32, i32)>
    llvm.return
  }
}

// -----

gpu.module @dims [#fly_rocdl.cpu<chip = "gfx1201">] {
  llvm.func @none() attributes {rocdl.kernel, rocdl.cluster_dims = "0,0,0"} {
    llvm.return
  }
  llvm.func @any() attributes {rocdl.kernel, rocdl.cluster_dims = "1024,1024,1024"} {
    llvm.return
  }
  // expected-error @+1 {{has cluster dimensions "1,2,1", but gfx1201 has no clusters of workgroups}}
  llvm.func @two() attributes {rocdl.kernel, rocdl.cluster_dims = "1,2,1"} {
    llvm.return
  }
}
