// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file -verify-diagnostics

func.func @outside(%x: i8) {
  // expected-error@+1 {{shared make_ptr must be inside a gpu.module}}
  %a = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 4096 : i64}} : () -> !fly.ptr<i8, shared>
  fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared>) -> ()
  return
}

// -----

func.func @dynamic_outside() -> !fly.ptr<i8, shared, align<1024>> {
  // expected-error@+1 {{get_dyn_shared must be inside a gpu.module}}
  %a = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
  return %a : !fly.ptr<i8, shared, align<1024>>
}

// -----

gpu.module @kernels {
  gpu.func @without_size(%x: i8) kernel {
    // expected-error@+1 {{needs integers 'allocBytes' and 'allocAlign' in 'dictAttrs' for shared memory}}
    %a = fly.make_ptr() {dictAttrs = {allocBytes = 4096 : i64}} : () -> !fly.ptr<i8, shared>
    fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared>) -> ()
    gpu.return
  }
}

// -----

gpu.module @kernels [#fly_rocdl.cpu<chip = "gfx942">] {
  gpu.func @too_much(%x: i8) kernel {
    // expected-note@+1 {{allocation of 65520 bytes aligned to 16}}
    %a = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 65520 : i64}} : () -> !fly.ptr<i8, shared>
    // expected-error@+2 {{shared memory of kernel 'too_much' takes 65552 bytes, but a workgroup of gfx942 has 65536}}
    // expected-note@+1 {{allocation of 32 bytes aligned to 16}}
    %b = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 32 : i64}} : () -> !fly.ptr<i8, shared>
    fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared>) -> ()
    fly.ptr.store(%x, %b) : (i8, !fly.ptr<i8, shared>) -> ()
    gpu.return
  }
}

// -----

// What a kernel calls counts with it.
gpu.module @kernels [#rocdl.target<chip = "gfx1100">] {
  func.func @helper(%x: i8) {
    // expected-error@+2 {{shared memory of kernel 'caller' takes 98304 bytes, but a workgroup of gfx1100 has 65536}}
    // expected-note@+1 {{allocation of 65536 bytes aligned to 16}}
    %a = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 65536 : i64}} : () -> !fly.ptr<i8, shared>
    fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared>) -> ()
    return
  }
  gpu.func @caller(%x: i8) kernel {
    // expected-note@+1 {{allocation of 32768 bytes aligned to 16}}
    %b = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 32768 : i64}} : () -> !fly.ptr<i8, shared>
    fly.ptr.store(%x, %b) : (i8, !fly.ptr<i8, shared>) -> ()
    func.call @helper(%x) : (i8) -> ()
    gpu.return
  }
}

// -----

// What the type of the pointer promises is compared with the memory.

gpu.module @promises [#rocdl.target<chip = "gfx942">] {
  gpu.func @alignment(%x: i8) kernel {
    // expected-error@+1 {{the result is aligned to 16 bytes, 'allocAlign' to 8}}
    %a = fly.make_ptr() {dictAttrs = {allocAlign = 8 : i64, allocBytes = 64 : i64}} : () -> !fly.ptr<i8, shared, align<16>>
    fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared, align<16>>) -> ()
    // expected-error@+1 {{the swizzle S<2,4,3> of the result needs 'allocBytes' to be a multiple of its blocks of 64 bytes, got 96}}
    %b = fly.make_ptr() {dictAttrs = {allocAlign = 64 : i64, allocBytes = 96 : i64}} : () -> !fly.ptr<i8, shared, S<2,4,3>>
    fly.ptr.store(%x, %b) : (i8, !fly.ptr<i8, shared, S<2,4,3>>) -> ()
    // expected-error@+1 {{the swizzle S<2,4,3> of the result needs 'allocAlign' to be a multiple of its blocks of 64 bytes, got 32}}
    %c = fly.make_ptr() {dictAttrs = {allocAlign = 32 : i64, allocBytes = 128 : i64}} : () -> !fly.ptr<i8, shared, S<2,4,3>>
    fly.ptr.store(%x, %c) : (i8, !fly.ptr<i8, shared, S<2,4,3>>) -> ()
    // Nothing is said of whole blocks.
    %d = fly.make_ptr() {dictAttrs = {allocAlign = 128 : i64, allocBytes = 192 : i64}} : () -> !fly.ptr<i8, shared, align<32>, S<2,4,3>>
    fly.ptr.store(%x, %d) : (i8, !fly.ptr<i8, shared, align<32>, S<2,4,3>>) -> ()
    gpu.return
  }
}
