// RUN: fly-opt %s -fly-promote-regmem-to-vectorssa -split-input-file -verify-diagnostics

gpu.module @m {
  gpu.func @unsupported_region(%c: index) {
    %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
    // expected-error @+1 {{unsupported region op with register values during rmem SSA}}
    scf.execute_region {
      // expected-note @+1 {{here is a value of type '!fly.ptr<f32, register>'}}
      %x = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
      scf.yield
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @view_remains(%a: !fly.copy_atom<!fly.universal_copy<32>, 32>, %g: !fly.memref<f32, global, 1:1>) {
    // expected-note @+1 {{allocated here}}
    %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
    %l = fly.static : !fly.layout<1:1>
    %v = fly.make_view(%r, %l) : (!fly.ptr<f32, register>, !fly.layout<1:1>) -> !fly.memref<f32, register, 1:1>
    // expected-error @+1 {{register operand/result remain after rmem SSA promotion}}
    fly.copy_atom_call(%a, %v, %g) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, register, 1:1>, !fly.memref<f32, global, 1:1>) -> ()
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @other_pointer_remains(%q: !fly.ptr<f32, global>) {
    %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
    %x = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
    fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, global>) -> ()
    // expected-error @+1 {{register operand/result remain after rmem SSA promotion}}
    %p = fly.make_ptr() : () -> !fly.ptr<f32, register>
    fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{register block arguments remain after rmem SSA promotion}}
  gpu.func @argument_remains(%q: !fly.ptr<f32, register>) {
    %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @load_past_the_end() {
    // expected-note @+1 {{allocated here}}
    %r = fly.make_ptr() {dictAttrs = {allocSize = 3 : i64}} : () -> !fly.ptr<f32, register>
    %k = fly.make_int_tuple() : () -> !fly.int_tuple<2>
    %p = fly.add_offset(%r, %k) : (!fly.ptr<f32, register>, !fly.int_tuple<2>) -> !fly.ptr<f32, register>
    // DIFF: register-bounds
    // expected-error @+1 {{accesses 2 register elements at offset 2, outside of an allocation of 3}}
    %x = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<2xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @store_before_the_start(%x: f32) {
    // expected-note @+1 {{allocated here}}
    %r = fly.make_ptr() {dictAttrs = {allocSize = 3 : i64}} : () -> !fly.ptr<f32, register>
    %k = fly.make_int_tuple() : () -> !fly.int_tuple<-1>
    %p = fly.add_offset(%r, %k) : (!fly.ptr<f32, register>, !fly.int_tuple<-1>) -> !fly.ptr<f32, register>
    // expected-error @+1 {{accesses 1 register elements at offset -1, outside of an allocation of 3}}
    fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{register memory can only be promoted in a function of one block, got 2}}
  gpu.func @several_blocks(%c: i1) {
    %r = fly.make_ptr() {dictAttrs = {allocSize = 3 : i64}} : () -> !fly.ptr<f32, register>
    cf.br ^next
  ^next:
    %x = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
    gpu.return
  }
}
