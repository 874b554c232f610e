// Intrinsics of gfx1250 whose operands do not fit.

// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx1250}))'

gpu.module @operands {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @operands(%g: !llvm.ptr<1>, %x: i32) attributes {rocdl.kernel} {
    %l = llvm.mlir.addressof @lds : !llvm.ptr<3>
    %zero = llvm.mlir.constant(0 : i32) : i32
    // expected-error @+1 {{must have no operands and no result}}
    llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"(%x) : (i32) -> ()
    // expected-error @+1 {{must have operands of types !llvm.ptr<1>, !llvm.ptr<3>, i32, i32 and no result}}
    llvm.call_intrinsic "llvm.amdgcn.global.store.async.from.lds.b32"(%l, %g, %zero, %zero) : (!llvm.ptr<3>, !llvm.ptr<1>, i32, i32) -> ()
    // expected-error @+1 {{operand #2 must be an integer constant of at most 32 bits}}
    llvm.call_intrinsic "llvm.amdgcn.global.store.async.from.lds.b32"(%g, %l, %x, %zero) : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i32) -> ()
    // expected-error @+1 {{has 2 operands, expected operand #2}}
    llvm.call_intrinsic "llvm.amdgcn.global.store.async.from.lds.b64"(%g, %l) : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
    // expected-error @+1 {{must have 0 operands of type i32}}
    %a = llvm.call_intrinsic "llvm.amdgcn.cluster.id.z"(%x) : (i32) -> i32
    // expected-error @+1 {{use the rocdl operation}}
    llvm.call_intrinsic "llvm.amdgcn.global.load.async.to.lds.b32"(%g, %l, %zero, %zero) : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i32) -> ()
    llvm.return
  }
}

// -----

// A wave stops at these in kernels only.
gpu.module @functions {
  llvm.func @inner(%g: !llvm.ptr<1>, %l: !llvm.ptr<3>) {
    // expected-error @+1 {{moves values between lanes inside of a function that is no kernel; inline the function first}}
    rocdl.global.load.async.to.lds.b128 %g, %l, 0, 0 : !llvm.ptr<1>, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// Kernels that say their clusters.
gpu.module @dims {
  // expected-error @+1 {{has cluster dimensions "2x1", expected three positive numbers as "2,1,1", "0,0,0" for no cluster or "1024,1024,1024" for any}}
  llvm.func @text() attributes {rocdl.kernel, rocdl.cluster_dims = "2x1"} {
    llvm.return
  }
}

// -----

gpu.module @dims {
  // expected-error @+1 {{has cluster dimensions "2,0,1", expected three positive numbers}}
  llvm.func @zero() attributes {rocdl.kernel, passthrough = [["amdgpu-cluster-dims", "2,0,1"]]} {
    llvm.return
  }
}

// -----

gpu.module @dims {
  // expected-error @+1 {{has cluster dimensions 2 : i32, expected a string as "2,1,1"}}
  llvm.func @type() attributes {rocdl.kernel, rocdl.cluster_dims = 2 : i32} {
    llvm.return
  }
}

// -----

gpu.module @barriers {
  llvm.func @barriers() attributes {rocdl.kernel} {
    // expected-error @+1 {{names barrier 2; the CPU target has the barriers of the workgroup, -1, and of the cluster, -3}}
    rocdl.s.barrier.signal id = 2
    rocdl.s.barrier.wait id = -1
    llvm.return
  }
}

// -----

gpu.module @scopes {
  llvm.func @scopes(%g: !llvm.ptr<1>, %x: i32) attributes {rocdl.kernel} {
    %0 = llvm.atomicrmw add %g, %x syncscope("cluster") monotonic : !llvm.ptr<1>, i32
    // expected-error @+1 {{names the synchronisation scope "block", which gfx1250 does not have; it has "", "agent", "agent-one-as", "cluster", "cluster-one-as",}}
    %1 = llvm.atomicrmw add %g, %x syncscope("block") monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}
