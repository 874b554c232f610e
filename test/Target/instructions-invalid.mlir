// RUN: fly-opt %s -fly-module-to-binary=format=isa -split-input-file -verify-diagnostics

// LLVM would crash.
gpu.module @split [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {rocdl.kernel} {
    // expected-error @below {{'rocdl.s.barrier.signal' op is no instruction of the chip 'gfx942': split and named barriers begin with gfx12}}
    rocdl.s.barrier.signal id = -1
    // expected-error @below {{'rocdl.s.barrier.wait' op is no instruction of the chip 'gfx942'}}
    rocdl.s.barrier.wait id = -1
    llvm.return
  }
}

// -----

// The same by their intrinsics.
gpu.module @called [#rocdl.target<chip = "gfx1100">] {
  llvm.func @k() attributes {rocdl.kernel} {
    %own = llvm.mlir.constant(-1 : i32) : i32
    // expected-error @below {{'llvm.call_intrinsic' op is no instruction of the chip 'gfx1100': split and named barriers begin with gfx12}}
    llvm.call_intrinsic "llvm.amdgcn.s.barrier.signal"(%own) : (i32) -> ()
    llvm.return
  }
}

// -----

// LLVM would store nothing at all, or signal a barrier that the chip does not have.
gpu.module @clusters [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    // expected-error @below {{'rocdl.cluster.id.x' op is no instruction of the chip 'gfx942': clusters of workgroups, and the copies and barriers that came with them, begin with gfx1250}}
    %0 = rocdl.cluster.id.x : i32
    // expected-error @below {{'llvm.call_intrinsic' op is no instruction of the chip 'gfx942': clusters of workgroups}}
    %1 = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.max.id.y"() : () -> i32
    %2 = llvm.add %0, %1 : i32
    llvm.store %2, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @cluster_barriers [#rocdl.target<chip = "gfx1201">] {
  llvm.func @k(%g: !llvm.ptr<1>, %d: vector<4xi32>, %e: vector<8xi32>) attributes {rocdl.kernel} {
    %cluster = llvm.mlir.constant(-3 : i32) : i32
    // expected-error @below {{'rocdl.s.barrier.signal' op is no instruction of the chip 'gfx1201': clusters of workgroups}}
    rocdl.s.barrier.signal id = -3
    // expected-error @below {{'rocdl.s.barrier.wait' op is no instruction of the chip 'gfx1201': clusters of workgroups}}
    rocdl.s.barrier.wait id = -3
    // expected-error @below {{is no instruction of the chip 'gfx1201': clusters of workgroups}}
    llvm.call_intrinsic "llvm.amdgcn.s.barrier.signal"(%cluster) : (i32) -> ()
    // expected-error @below {{is no instruction of the chip 'gfx1201': clusters of workgroups}}
    llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
    // expected-error @below {{'rocdl.tensor.load.to.lds.d2' op is no instruction of the chip 'gfx1201': clusters of workgroups}}
    rocdl.tensor.load.to.lds.d2 %d, %e cachepolicy 0 : vector<4xi32>, vector<8xi32>
    llvm.return
  }
}

// -----

// LLVM would compile a kernel without clusters.
gpu.module @cluster_dims [#rocdl.target<chip = "gfx942">] {
  // expected-error @below {{'llvm.func' op has cluster dimensions "2,1,1", but gfx942 has no clusters of workgroups}}
  llvm.func @two() attributes {rocdl.kernel, passthrough = [["amdgpu-cluster-dims", "2,1,1"]]} {
    llvm.return
  }
  // expected-error @below {{'llvm.func' op has cluster dimensions "2,1", expected three positive numbers as "2,1,1"}}
  llvm.func @text() attributes {rocdl.kernel, passthrough = [["amdgpu-cluster-dims", "2,1"]]} {
    llvm.return
  }
  // expected-error @below {{'llvm.func' op has the attribute 'rocdl.cluster_dims', of which fly-rocdl-cluster-attr makes LLVM's if it is a string as "2,1,1"}}
  llvm.func @left() attributes {rocdl.kernel, rocdl.cluster_dims = 2 : i32} {
    llvm.return
  }
  llvm.func @one() attributes {rocdl.kernel, passthrough = [["amdgpu-cluster-dims", "1,1,1"]]} {
    llvm.return
  }
}

// -----

gpu.module @has_clusters [#rocdl.target<chip = "gfx1250">] {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %0 = rocdl.cluster.id.z : i32
    llvm.store %0, %p : i32, !llvm.ptr<1>
    rocdl.s.barrier.signal id = -3
    rocdl.s.barrier.wait id = -3
    llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
    llvm.return
  }
}

// -----

gpu.module @has [#rocdl.target<chip = "gfx1201">] {
  llvm.func @k() attributes {rocdl.kernel} {
    rocdl.s.barrier.signal id = -1
    rocdl.s.barrier.wait id = -1
    llvm.return
  }
}

// -----

// Comments, labels, operands with a dot and data are no directives.
gpu.module @assembly [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {rocdl.kernel} {
    llvm.inline_asm has_side_effects "s_nop 0 ; .section x\0A.long 0xbf800000\0A// .text\0As_nop 1\0A/* .text */ .p2align 6", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op has the directive '.section'; in inline assembly only those of data, alignment to at most 4096 bytes, conditions and .set are allowed}}
    llvm.inline_asm has_side_effects "s_nop 0\0Alabel: .section .data", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op has the directive '.amdhsa_kernel'}}
    llvm.inline_asm has_side_effects ".amdhsa_kernel other", "" : () -> ()
    // More code than there is memory.
    // expected-error @below {{'llvm.inline_asm' op has the directive '.space'}}
    llvm.inline_asm has_side_effects ".space 99999999999", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op has the directive '.fill'}}
    llvm.inline_asm has_side_effects "/* a\0A comment */ .fill 99999999999, 1, 0", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op has the directive '.rept'}}
    llvm.inline_asm has_side_effects ".rept 1000000000\0As_nop 0\0A.endr", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op has the directive '.p2align'}}
    llvm.inline_asm has_side_effects ".p2align 31", "" : () -> ()
    // expected-error @below {{'llvm.inline_asm' op has the directive '.balign'}}
    llvm.inline_asm has_side_effects ".balign 2147483648, 0", "" : () -> ()
    llvm.return
  }
}

// -----

// Operands that an intrinsic takes as constants.
gpu.module @constants [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%n: i32, %b: i1, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    // expected-error @below {{'llvm.amdgcn.s.sleep' takes operand 0 as a constant}}
    llvm.call_intrinsic "llvm.amdgcn.s.sleep"(%n) : (i32) -> ()
    llvm.call_intrinsic "llvm.amdgcn.s.sleep"(%one) : (i32) -> ()
    // expected-error @below {{'llvm.amdgcn.mov.dpp.i32' takes operand 1 as a constant}}
    %0 = llvm.call_intrinsic "llvm.amdgcn.mov.dpp"(%n, %n, %n, %n, %b) : (i32, i32, i32, i32, i1) -> i32
    llvm.store %0, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// LLVM takes these: the ids as zero, the scope as another one, and the
// conversion as an instruction that the chip does not have.
gpu.module @others [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%p: !llvm.ptr<1>, %n: i32, %x: f32, %v: vector<2xi16>) attributes {rocdl.kernel} {
    // expected-error @below {{'rocdl.cluster.id.x' op is no instruction of the chip 'gfx942': clusters of workgroups, and the copies and barriers that came with them, begin with gfx1250}}
    %0 = rocdl.cluster.id.x : i32
    llvm.store %0, %p : i32, !llvm.ptr<1>
    // expected-error @below {{'llvm.call_intrinsic' op is no instruction of the chip 'gfx942': clusters of workgroups, and the copies and barriers that came with them, begin with gfx1250}}
    %1 = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.id.x"() : () -> i32
    llvm.store %1, %p : i32, !llvm.ptr<1>
    // expected-error @below {{'rocdl.cvt.scalef32.pk.fp8.f32' op is no instruction of gfx942 but of gfx950}}
    %2 = rocdl.cvt.scalef32.pk.fp8.f32 %x, %x, %x -> %v[false] : vector<2xi16>
    llvm.store %2, %p : vector<2xi16>, !llvm.ptr<1>
    // expected-error @below {{'llvm.atomicrmw' op names the synchronisation scope "cluster", which gfx942 does not have; it has "", "agent", "agent-one-as", "one-as",}}
    %3 = llvm.atomicrmw add %p, %n syncscope("cluster") monotonic : !llvm.ptr<1>, i32
    // expected-error @below {{'llvm.fence' op names the synchronisation scope "block"}}
    llvm.fence syncscope("block") release
    llvm.return
  }
}

// -----

gpu.module @clusters [#rocdl.target<chip = "gfx1250">] {
  llvm.func @k(%p: !llvm.ptr<1>, %n: i32) attributes {rocdl.kernel} {
    %0 = rocdl.cluster.id.x : i32
    %1 = llvm.atomicrmw add %p, %0 syncscope("cluster") monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// LLVM stops at the second of two functions; the operation is found by the intrinsic that it calls.
gpu.module @stops [#rocdl.target<chip = "gfx942">] {
  llvm.func @first() attributes {rocdl.kernel} {
    llvm.return
  }
  llvm.func @second(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    // expected-error @below {{code generation failed: Cannot select: intrinsic %llvm.amdgcn.wave.id: chip 'gfx942', whose waves have 64 lanes, has no instruction for 'llvm.amdgcn.wave.id'}}
    %0 = llvm.call_intrinsic "llvm.amdgcn.wave.id"() : () -> i32
    llvm.store %0, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
