// RUN: fly-opt %s -fly-module-to-binary -split-input-file -verify-diagnostics

// expected-error @+1 {{'gpu.module' op has no target: name the chip with fly-attach-target{chip=…}}}
gpu.module @no_target {
  llvm.func @k() attributes {rocdl.kernel} {
    llvm.return
  }
}

// -----

// expected-error @+1 {{'gpu.module' op has 2 targets, expected one}}
gpu.module @two_targets [#rocdl.target<chip = "gfx942">, #rocdl.target<chip = "gfx950">] {
  llvm.func @k() attributes {rocdl.kernel} {
    llvm.return
  }
}

// -----

// expected-error @+1 {{targets the unknown chip 'gfx000': expected one of gfx90a, gfx942}}
gpu.module @unknown_chip [#rocdl.target<chip = "gfx000">] {
  llvm.func @k() attributes {rocdl.kernel} {
    llvm.return
  }
}

// -----

// expected-error @+1 {{has the target #nvvm.target, expected #rocdl.target or #fly_rocdl.cpu}}
gpu.module @other_target [#nvvm.target] {
  llvm.func @k() {
    llvm.return
  }
}

// -----

gpu.module @undefined [#rocdl.target<chip = "gfx942">] {
  llvm.func @helper(f32) -> f32
  llvm.func @k(%x: f32, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    // expected-error @+1 {{undefined function 'helper' is called by 'k'}}
    %y = llvm.call @helper(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @library [#rocdl.target<chip = "gfx1100", flags = {no_wave64}>] {
  llvm.func @__ocml_pow_f32(f32, f32) -> f32
  llvm.func @k(%x: f32, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    // expected-error @+2 {{undefined function '__ocml_pow_f32' is called by 'k'}}
    // expected-note @+1 {{it belongs to ROCm's device libraries (Debian's package rocm-device-libs), which were not found}}
    %y = llvm.call @__ocml_pow_f32(%x, %x) : (f32, f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @lds [#rocdl.target<chip = "gfx942">] {
  // expected-error @+2 {{shared memory of kernel 'k' takes 70000 bytes, but a workgroup of gfx942 has 65536}}
  // expected-note @+1 {{'buffer' is an allocation of 70000 bytes aligned to 16}}
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<70000 x i8>
  llvm.func @k(%i: i64) attributes {rocdl.kernel} {
    %b = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %p = llvm.getelementptr %b[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
    %zero = llvm.mlir.constant(0 : i8) : i8
    llvm.store volatile %zero, %p : i8, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// An instruction that the chip lacks is an error at the operation, and the
// process lives on to report the next module.
gpu.module @select [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%q: !llvm.ptr<3>, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    // expected-error @+1 {{code generation failed: Cannot select: intrinsic %llvm.amdgcn.ds.read.tr16.b64: chip 'gfx942', whose waves have 64 lanes, has no instruction for 'rocdl.ds.read.tr16.b64'}}
    %d = rocdl.ds.read.tr16.b64 %q : !llvm.ptr<3> -> vector<4xf16>
    llvm.store %d, %p : vector<4xf16>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Matrix operations are held against the table before LLVM sees them.
// DIFF: matrix-operations
gpu.module @matrices [#rocdl.target<chip = "gfx1201", flags = {no_wave64}>] {
  llvm.func @k(%x: f32, %acc: vector<4xf32>, %a: vector<4xf16>, %b: vector<8xf16>, %h: vector<16xf16>, %c: vector<8xf32>, %i: i32, %s: i16) attributes {rocdl.kernel} {
    %z = llvm.mlir.constant(0 : i32) : i32
    %f = llvm.mlir.constant(false) : i1
    // expected-error @+1 {{'rocdl.mfma.f32.16x16x4f32' op is no instruction of gfx1201, which has none for its operand types}}
    %0 = rocdl.mfma.f32.16x16x4f32 %x, %x, %acc, %z, %z, %z : (f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{'rocdl.smfmac.f32.16x16x32.f16' op is no instruction of gfx1201; for its operand types the chip has llvm.amdgcn.swmmac.f32.16x16x32.f16, llvm.amdgcn.swmmac.f16.16x16x32.f16}}
    %1 = rocdl.smfmac.f32.16x16x32.f16 %a, %b, %acc, %i, %z, %z : (vector<4xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @+1 {{'llvm.call_intrinsic' op calls 'llvm.amdgcn.wmma.f16.16x16x16.f16.tied', which is no instruction of gfx1201; for its operand types the chip has rocdl.wmma.f32.16x16x16.f16, rocdl.wmma.f16.16x16x16.f16}}
    %2 = llvm.call_intrinsic "llvm.amdgcn.wmma.f16.16x16x16.f16.tied"(%h, %h, %h, %f) : (vector<16xf16>, vector<16xf16>, vector<16xf16>, i1) -> vector<16xf16>
    // The index of a lane has two bits for each of its eight elements.
    // expected-error @+1 {{'llvm.call_intrinsic' op calls 'llvm.amdgcn.swmmac.f32.16x16x32.f16', which has operands of 16, 32, 32 and 4 bytes a lane; that of gfx1201 takes 16, 32, 32 and 2}}
    %3 = llvm.call_intrinsic "llvm.amdgcn.swmmac.f32.16x16x32.f16"(%b, %h, %c, %i) : (vector<8xf16>, vector<16xf16>, vector<8xf32>, i32) -> vector<8xf32>
    // expected-error @+1 {{takes 8, 16, 32 and 2, as its operands 1, 3, 4 and 5, counted from 0, between its flags}}
    %5 = llvm.call_intrinsic "llvm.amdgcn.swmmac.i32.16x16x32.iu8"(%b, %h, %c, %i) : (vector<8xf16>, vector<16xf16>, vector<8xf32>, i32) -> vector<8xi32>
    %4 = llvm.call_intrinsic "llvm.amdgcn.swmmac.f32.16x16x32.f16.v8f32.v8f16.v16f16.i16"(%b, %h, %c, %s) : (vector<8xf16>, vector<16xf16>, vector<8xf32>, i16) -> vector<8xf32>
    llvm.return
  }
}

// -----

gpu.module @assembly [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {rocdl.kernel} {
    // expected-error @+1 {{invalid instruction}}
    llvm.inline_asm has_side_effects "no_such_instruction v0", "" : () -> ()
    llvm.return
  }
}

// -----

gpu.module @leftover [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {rocdl.kernel} {
    // expected-error @+1 {{cannot be converted to LLVM IR}}
    %x = arith.constant 1 : i32
    llvm.return
  }
}

// -----

// Hyperbolic tangents of f64 have no code on the chip; LLVM's
// message names no function, so it stands at the only one.
gpu.module @libcall [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{no libcall available for ftanh}}
  llvm.func @k(%x: f64, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %y = llvm.intr.tanh(%x) : (f64) -> f64
    llvm.store %y, %p : f64, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// expected-error @+1 {{no 'fly_cpu_module' in the module: run convert-rocdl-to-host before code generation}}
gpu.module @not_host [#fly_rocdl.cpu<chip = "gfx942">] {
  llvm.func @k() {
    llvm.return
  }
}

// -----

gpu.module @host_undefined [#fly_rocdl.cpu<chip = "gfx942">] {
  llvm.mlir.global external constant @fly_cpu_module() : !llvm.ptr {
    %k = llvm.mlir.addressof @k : !llvm.ptr
    llvm.return %k : !llvm.ptr
  }
  llvm.func @getpid() -> i32
  llvm.func @k() -> i32 {
    // expected-error @+1 {{undefined symbol 'getpid' is used by 'k': a CPU object may use only functions of the C and math libraries}}
    %y = llvm.call @getpid() : () -> i32
    llvm.return %y : i32
  }
}

// -----

// The library functions behind ROCDL's own operations, at the operation.
gpu.module @sizes [#rocdl.target<chip = "gfx1100">] {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    // expected-error @+2 {{undefined function '__ockl_get_local_size' is called by 'k'}}
    // expected-note @+1 {{it belongs to ROCm's device libraries}}
    %x = rocdl.workgroup.dim.x : i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The variables of what the kernel calls count, the unused one does not; the
// second one goes over the limit.
gpu.module @lists [#rocdl.target<chip = "gfx942">] {
  // expected-note @+1 {{'first' is an allocation of 40000 bytes aligned to 16}}
  llvm.mlir.global internal @first() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<40000 x i8>
  // expected-error @+2 {{shared memory of kernel 'k' takes 72024 bytes, but a workgroup of gfx942 has 65536}}
  // expected-note @+1 {{'second' is an allocation of 32000 bytes aligned to 4}}
  llvm.mlir.global internal @second() {addr_space = 3 : i32} : !llvm.array<8000 x f32>
  // expected-note @+1 {{'third' is an allocation of 24 bytes aligned to 8}}
  llvm.mlir.global internal @third() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  llvm.mlir.global internal @unused() {addr_space = 3 : i32} : !llvm.array<60000 x i8>
  llvm.func @callee() {
    %s = llvm.mlir.addressof @second : !llvm.ptr<3>
    %t = llvm.mlir.addressof @third : !llvm.ptr<3>
    llvm.call @callee() : () -> ()
    llvm.return
  }
  llvm.func @k() attributes {rocdl.kernel} {
    %b = llvm.mlir.addressof @first : !llvm.ptr<3>
    llvm.call @callee() : () -> ()
    llvm.return
  }
}

// -----

// A launch asks for more in addition.
module attributes {gpu.container_module} {
  gpu.module @dynamic [#rocdl.target<chip = "gfx942">] {
    llvm.mlir.global internal @fixed() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<65000 x i8>
    llvm.func @k() attributes {gpu.kernel, rocdl.kernel} {
      %b = llvm.mlir.addressof @fixed : !llvm.ptr<3>
      llvm.return
    }
  }
  llvm.func @host() {
    %one = llvm.mlir.constant(1 : index) : i64
    %fits = llvm.mlir.constant(536 : i32) : i32
    %more = llvm.mlir.constant(537 : i32) : i32
    gpu.launch_func @dynamic::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) : i64 dynamic_shared_memory_size %fits
    // expected-error @below {{the launch of kernel 'k' asks for 537 bytes of dynamic shared memory; with the kernel's own 65000 it is more than the 65536 of a workgroup of gfx942}}
    gpu.launch_func @dynamic::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) : i64 dynamic_shared_memory_size %more
    llvm.return
  }
}
