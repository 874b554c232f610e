// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942}))'

gpu.module @unknown_op {
  llvm.func @unknown_op(%x: i32) attributes {rocdl.kernel} {
    // expected-error @+1 {{operation 'rocdl.s.barrier.leave' is unknown to the CPU target}}
    rocdl.s.barrier.leave id = 1
    // expected-error @+1 {{gives a 'f32', expected an integer}}
    %b = rocdl.workitem.id.x : f32
    llvm.return
  }
}

// -----

gpu.module @other_dialect {
  llvm.func @other_dialect() attributes {rocdl.kernel} {
    // expected-error @+1 {{operation 'gpu.barrier' is unknown to the CPU target}}
    gpu.barrier
    llvm.return
  }
}

// -----

gpu.module @irreducible {
  llvm.func @irreducible(%c: i1, %x: i32) attributes {rocdl.kernel} {
    llvm.cond_br %c, ^a, ^b
  ^a:
    // expected-note @+1 {{target of the branch}}
    %v = rocdl.readfirstlane %x : i32
    llvm.cond_br %c, ^b, ^exit
  ^b:
    // expected-error @+1 {{irreducible control flow: this branch closes a loop that can be entered elsewhere than at its target}}
    llvm.br ^a
  ^exit:
    llvm.return
  }
}

// -----

gpu.module @not_a_kernel {
  llvm.func @not_a_kernel(%x: i32) -> i32 {
    // expected-error @+1 {{operation 'rocdl.readfirstlane' moves values between lanes inside of a function that is no kernel; inline the function first}}
    %v = rocdl.readfirstlane %x : i32
    llvm.return %v : i32
  }
}

// -----

gpu.module @inline_asm {
  llvm.func @inline_asm(%x: f32) attributes {rocdl.kernel} {
    // expected-error @+1 {{holds the instruction 'v_exp_f32 $0, $1', which cannot run on the CPU; use rocdl.exp2}}
    %v = llvm.inline_asm "s_nop 0\0Av_exp_f32 $0, $1", "=v,v" %x : (f32) -> f32
    // expected-error @+1 {{has a result that is not its one operand (constraints '=v,v')}}
    %w = llvm.inline_asm "", "=v,v" %x : (f32) -> f32
    // expected-error @+1 {{holds the instruction 's_barrier', which cannot run on the CPU; use rocdl.s.barrier}}
    llvm.inline_asm has_side_effects "s_barrier", "" : () -> ()
    llvm.return
  }
}

// -----

gpu.module @modifiers {
  llvm.func @modifiers(%a: vector<4xf16>, %c: vector<4xf32>, %n: i32) attributes {rocdl.kernel} {
    %0 = llvm.mlir.constant(0 : i32) : i32
    // expected-error @+1 {{takes operand 3, cbsz, as a constant}}
    %y = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %n, %0, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %1 = llvm.mlir.constant(1 : i32) : i32
    // expected-error @+1 {{'rocdl.mfma.f32.16x16x16f16' has 1 for operand 3, cbsz, expected 0 with 1 block}}
    %b = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %1, %0, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{'rocdl.mfma.f32.16x16x16f16' has 1 for operand 4, abid, expected 0 with cbsz 0}}
    %d = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %0, %1, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{has operands of 8, 8 and 16 and a result of 8 bytes a lane; that of gfx942 takes 8, 8 and 16 and gives 16}}
    %e = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %0, %0, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<2xf32>
    // expected-error @+1 {{operand #1 must be an integer constant of at most 32 bits}}
    %z = rocdl.ds_swizzle %n, %n : (i32, i32) -> i32
    llvm.return
  }
}

// -----

gpu.module @buffers {
  llvm.func @buffers(%r: !llvm.ptr<8>, %o: i32, %p: !llvm.ptr<1>, %words: vector<2xi32>) attributes {rocdl.kernel} {
    %swizzled = llvm.mlir.constant(8 : i32) : i32
    %0 = llvm.mlir.constant(0 : i32) : i32
    // expected-error @+1 {{asks for swizzled access (bit 3 of the cache policy), which is not supported}}
    %a = rocdl.raw.ptr.buffer.load %r, %o, %0, %swizzled : i32
    // expected-error @+1 {{has a cache policy that is not a 32-bit constant}}
    %b = rocdl.raw.ptr.buffer.load %r, %o, %0, %o : i32
    // expected-error @+1 {{moves a value of type 'vector<3xf16>', expected 1, 2, 4, 8, 12 or 16 bytes of plain data}}
    %c = rocdl.raw.ptr.buffer.load %r, %o, %0, %0 : vector<3xf16>
    // expected-error @+1 {{has an address of types 'vector<2xi32>', 'i32', 'i32', 'i32', expected a buffer resource and i32 offsets}}
    %short = "rocdl.raw.buffer.load"(%words, %o, %0, %0) : (vector<2xi32>, i32, i32, i32) -> i32
    // expected-error @+1 {{accesses memory by a buffer resource; use a buffer operation}}
    %d = llvm.load %r : !llvm.ptr<8> -> i32
    // expected-error @+1 {{keeps an LDS, private or buffer pointer in memory, as '!llvm.ptr<8>'}}
    llvm.store %r, %p : !llvm.ptr<8>, !llvm.ptr<1>
    // expected-error @+1 {{takes a buffer resource, which is no address}}
    %e = llvm.getelementptr %r[4] : (!llvm.ptr<8>) -> !llvm.ptr<8>, i8
    llvm.return
  }
}

// -----

gpu.module @address_spaces {
  llvm.func @address_spaces(%p: !llvm.ptr) attributes {rocdl.kernel} {
    // expected-error @+1 {{operation 'llvm.addrspacecast' has a value of type '!llvm.ptr<7>'; address spaces other than 0, 1, 3, 4, 5 and 8 are not supported}}
    %f = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<7>
    llvm.return
  }
}

// -----

gpu.module @private_numbers {
  llvm.func @private_numbers(%x: i32) attributes {rocdl.kernel} {
    %n = llvm.mlir.constant(1 : i32) : i32
    %a = llvm.alloca %n x i32 : (i32) -> !llvm.ptr<5>
    // expected-error @+1 {{converts a private pointer, whose number the host does not keep}}
    %i = llvm.ptrtoint %a : !llvm.ptr<5> to i32
    // expected-error @+1 {{allocates a number of elements that is not a constant}}
    %b = llvm.alloca %x x i32 : (i32) -> !llvm.ptr<5>
    llvm.return
  }
}

// -----

// What only gfx1250 has.
gpu.module @no_clusters {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @no_clusters(%g: !llvm.ptr<1>, %x: i32, %y: i64, %v: vector<4xi32>, %w: vector<8xi32>) attributes {rocdl.kernel} {
    %l = llvm.mlir.addressof @lds : !llvm.ptr<3>
    // expected-error @+1 {{operation 'rocdl.cluster.id.y' is no instruction of gfx942, which has no clusters of workgroups}}
    %a = rocdl.cluster.id.y : i32
    // expected-error @+1 {{calls 'llvm.amdgcn.cluster.workgroup.id.x', which is no instruction of gfx942, which has no clusters of workgroups}}
    %b = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.id.x"() : () -> i32
    // expected-error @+1 {{operation 'rocdl.s.barrier.signal' is no instruction of gfx942, which has no clusters of workgroups}}
    rocdl.s.barrier.signal id = -3
    // expected-error @+1 {{operation 'rocdl.s.barrier.wait' is no instruction of gfx942, which has no clusters of workgroups}}
    rocdl.s.barrier.wait id = -3
    // expected-error @+1 {{is no instruction of gfx942, which has no clusters of workgroups}}
    llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
    // expected-error @+1 {{operation 'rocdl.cluster.load.async.to.lds.b8' is no instruction of gfx942, which has no clusters of workgroups}}
    rocdl.cluster.load.async.to.lds.b8 %g, %l, 0, 0, %x : !llvm.ptr<1>, !llvm.ptr<3>
    // expected-error @+1 {{operation 'rocdl.global.load.async.to.lds.b32' is no instruction of gfx942, which has no clusters of workgroups}}
    rocdl.global.load.async.to.lds.b32 %g, %l, 0, 0 : !llvm.ptr<1>, !llvm.ptr<3>
    // expected-error @+1 {{operation 'rocdl.ds.atomic.barrier.arrive.rtn.b64' is no instruction of gfx942, which has no clusters of workgroups}}
    %c = rocdl.ds.atomic.barrier.arrive.rtn.b64 %l, %y : !llvm.ptr<3>, i64 -> i64
    // expected-error @+1 {{operation 'rocdl.ds.atomic.async.barrier.arrive.b64' is no instruction of gfx942, which has no clusters of workgroups}}
    rocdl.ds.atomic.async.barrier.arrive.b64 %l : !llvm.ptr<3>
    // expected-error @+1 {{operation 'rocdl.tensor.load.to.lds.d2' is no instruction of gfx942, which has no clusters of workgroups}}
    rocdl.tensor.load.to.lds.d2 %v, %w cachepolicy 0 : vector<4xi32>, vector<8xi32>
    llvm.return
  }
}

// -----

gpu.module @lds_too_big {
  llvm.mlir.global internal @a() {addr_space = 3 : i32} : !llvm.array<40000 x i8>
  llvm.mlir.global internal @b() {addr_space = 3 : i32} : !llvm.array<40000 x i8>
  // expected-error @+1 {{needs 80000 bytes of LDS, a workgroup on gfx942 has 65536}}
  llvm.func @lds_too_big() attributes {rocdl.kernel} {
    %a = llvm.mlir.addressof @a : !llvm.ptr<3>
    %b = llvm.mlir.addressof @b : !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @lds_global_too_big {
  // expected-error @+1 {{LDS global of 100000 bytes with alignment 1, a workgroup on gfx942 has 65536 bytes}}
  llvm.mlir.global internal @a() {addr_space = 3 : i32} : !llvm.array<100000 x i8>
  llvm.func @lds_global_too_big() attributes {rocdl.kernel} {
    %a = llvm.mlir.addressof @a : !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @lds_value {
  // expected-error @+1 {{gives LDS an initial value, which the device cannot}}
  llvm.mlir.global internal @a(7 : i32) {addr_space = 3 : i32} : i32
}

// -----

gpu.module @kernel_types {
  llvm.func @lds_parameter(
      %n: i32,
      // expected-error @+1 {{operation 'llvm.func' has parameter #1 of type '!llvm.ptr<3>', which a host cannot pass to a kernel}}
      %p: !llvm.ptr<3>) attributes {rocdl.kernel} {
    llvm.return
  }
  // expected-error @+1 {{has type '!llvm.func<i32 ()>', a kernel has a fixed list of parameters and returns nothing}}
  llvm.func @result() -> i32 attributes {rocdl.kernel} {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.return %0 : i32
  }
}

// -----

gpu.module @calls {
  llvm.func @__ocml_tan_f32(f32) -> f32
  llvm.func @calls(%x: f32, %f: !llvm.ptr) attributes {rocdl.kernel} {
    // expected-error @+1 {{calls '__ocml_tan_f32' of the device library, which the CPU target does not have}}
    %y = llvm.call @__ocml_tan_f32(%x) : (f32) -> f32
    // expected-error @+1 {{calls through a pointer; calls must be direct}}
    llvm.call %f() : !llvm.ptr, () -> ()
    // expected-error @+1 {{calls 'llvm.amdgcn.s.getreg', which is unknown to the CPU target; use the rocdl operation}}
    llvm.call_intrinsic "llvm.amdgcn.s.getreg"() : () -> ()
    // expected-error @+1 {{must have 3 operands of type i32}}
    %p = llvm.call_intrinsic "llvm.amdgcn.perm"(%x) : (f32) -> i32
    // expected-error @+1 {{must have one result of type f32}}
    %o = llvm.call_intrinsic "llvm.amdgcn.cvt.off.f32.i4"(%p) : (i32) -> i32
    %mode = llvm.mlir.constant(1 : i32) : i32
    // expected-error @+1 {{sets a register of the wave other than WAVE_SCHED_MODE, which the CPU target does not have}}
    llvm.call_intrinsic "llvm.amdgcn.s.setreg"(%mode, %p) : (i32, i32) -> ()
    llvm.return
  }
}

// -----

// expected-error @+1 {{attribute 'fly.assertions', element 0: expected {id = N : i32, message = "..."}}}
gpu.module @assertions attributes {fly.assertions = [{id = 1 : i32}]} {
}

// -----

gpu.module @workgroup_size {
  // expected-error @+1 {{attribute 'rocdl.flat_work_group_size' is "1,4096", expected "1,N" with N up to 1024}}
  llvm.func @workgroup_size() attributes {rocdl.kernel, rocdl.flat_work_group_size = "1,4096"} {
    llvm.return
  }
}

// -----

// expected-error @+1 {{already holds host code: it has a symbol 'fly_cpu_module'}}
gpu.module @twice {
  llvm.mlir.global external @fly_cpu_module() : i32
}

// -----

// The instructions are those of the chip.
gpu.module @matrices {
  llvm.func @matrices(%a: vector<8xf16>, %c: vector<4xf32>, %i: vector<8xi32>, %b: vector<16xf16>, %d: vector<8xf32>, %h: i16, %e: f32) attributes {rocdl.kernel} {
    %0 = llvm.mlir.constant(0 : i32) : i32
    // expected-error @+1 {{operation 'rocdl.mfma.f32.16x16x32.f16' is no instruction of gfx942; for its operand types the chip has rocdl.mfma.f32.32x32x8f16, rocdl.mfma.f32.16x16x16f16, rocdl.mfma.f32.32x32x4f16, rocdl.mfma.f32.16x16x4f16, rocdl.mfma.f32.4x4x4f16}}
    %x = rocdl.mfma.f32.16x16x32.f16 %a, %a, %c, %0, %0, %0 : (vector<8xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{operation 'rocdl.wmma.i32.16x16x16.iu4' is no instruction of gfx942, which has none for its operand types}}
    %y = rocdl.wmma.i32.16x16x16.iu4 %0, %0, %i {signA = true} : (i32, i32, vector<8xi32>) -> vector<8xi32>
    // expected-error @+1 {{operation 'rocdl.smfmac.f32.16x16x64.f16' is no instruction of gfx942; for its operand types the chip has rocdl.smfmac.f32.16x16x32.f16, rocdl.smfmac.f32.32x32x16.f16}}
    %s = rocdl.smfmac.f32.16x16x64.f16 %a, %b, %c, %0, %0, %0 : (vector<8xf16>, vector<16xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{operation 'llvm.call_intrinsic' calls 'llvm.amdgcn.swmmac.f32.16x16x32.f16', which is no instruction of gfx942; for its operand types the chip has rocdl.smfmac.f32.16x16x32.f16, rocdl.smfmac.f32.32x32x16.f16}}
    %t = llvm.call_intrinsic "llvm.amdgcn.swmmac.f32.16x16x32.f16"(%a, %b, %d, %h) : (vector<8xf16>, vector<16xf16>, vector<8xf32>, i16) -> vector<8xf32>
    // expected-error @+1 {{operation 'llvm.call_intrinsic' calls an intrinsic that the CPU target takes as 'rocdl.mfma.f32.16x16x4f32'; use the rocdl operation}}
    %u = llvm.call_intrinsic "llvm.amdgcn.mfma.f32.16x16x4f32"(%e, %e, %c, %0, %0, %0) : (f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{operation 'rocdl.mfma.f32.16x16x16f16' has operands of 16, 16 and 16 bytes a lane; that of gfx942 takes 8, 8 and 16}}
    %z = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %0, %0, %0 : (vector<8xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.return
  }
}
