// RUN: fly-opt %s -convert-fly-to-rocdl | FileCheck %s
//
// Pointers, views and accesses in the spaces that are plain LLVM pointers.

// CHECK-LABEL: func @spaces(
// CHECK-SAME: !llvm.ptr, %{{[^:]*}}: !llvm.ptr<1>, %{{[^:]*}}: !llvm.ptr<3>, %{{[^:]*}}: !llvm.ptr<5>, %{{[^:]*}}: !llvm.ptr<1>)
func.func @spaces(%a: !fly.ptr<f32, generic>, %b: !fly.ptr<f32, global>,
                  %c: !fly.ptr<f32, shared>, %d: !fly.ptr<f32, register>,
                  %e: !fly.memref<f32, global, 8:1>) {
  return
}

// CHECK-LABEL: func @register_memory(
// CHECK-SAME: %[[X:[^:]*]]: f32)
func.func @register_memory(%x: f32) {
  // CHECK: %[[N:.*]] = arith.constant 6 : i64
  // CHECK: %[[P:.*]] = llvm.alloca %[[N]] x f32 : (i64) -> !llvm.ptr<5>
  // CHECK: llvm.store %[[X]], %[[P]] {alignment = 4 : i64} : f32, !llvm.ptr<5>
  %p = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
  return
}

// Memory of a loop's body lives in the frame: one allocation, at the start.
// CHECK-LABEL: func @register_memory_in_loop(
// CHECK: llvm.alloca %{{.*}} x i8 {alignment = 16 : i64} : (i64) -> !llvm.ptr<5>
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
// DIFF: register-entry
func.func @register_memory_in_loop(%n: index, %x: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %p = fly.make_ptr() {dictAttrs = {allocSize = 32 : i64}} : () -> !fly.ptr<f8E4M3FN, register, align<16>>
    fly.ptr.store(%x, %p) : (i8, !fly.ptr<f8E4M3FN, register, align<16>>) -> ()
  }
  return
}

// CHECK-LABEL: func @offset_static(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>)
func.func @offset_static(%p: !fly.ptr<f16, global>) -> !fly.ptr<f16, global, align<16>> {
  // CHECK: %[[C:.*]] = arith.constant 8 : i32
  // CHECK-NEXT: %[[Q:.*]] = llvm.getelementptr %[[P]][%[[C]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
  // CHECK-NEXT: return %[[Q]] : !llvm.ptr<1>
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  %r = fly.recast_iter(%p) : (!fly.ptr<f16, global>) -> !fly.ptr<f16, global, align<16>>
  %q = fly.add_offset(%r, %o) : (!fly.ptr<f16, global, align<16>>, !fly.int_tuple<8>) -> !fly.ptr<f16, global, align<16>>
  return %q : !fly.ptr<f16, global, align<16>>
}

// A run-time and a static offset stay two steps; a step beyond 32 bits is i64.
// CHECK-LABEL: func @offset_chain(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>, %[[I:[^:]*]]: i64)
func.func @offset_chain(%p: !fly.ptr<f8E5M2, global>, %i: i64) -> !fly.ptr<f8E5M2, global> {
  // CHECK: %[[A:.*]] = llvm.getelementptr %[[P]][%[[I]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  // CHECK: %[[C:.*]] = arith.constant 4294967296 : i64
  // CHECK: llvm.getelementptr %[[A]][%[[C]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %o = fly.make_int_tuple(%i) : (i64) -> !fly.int_tuple<?{i64}>
  %a = fly.add_offset(%p, %o) : (!fly.ptr<f8E5M2, global>, !fly.int_tuple<?{i64}>) -> !fly.ptr<f8E5M2, global>
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<4294967296>
  %b = fly.add_offset(%a, %s) : (!fly.ptr<f8E5M2, global>, !fly.int_tuple<4294967296>) -> !fly.ptr<f8E5M2, global>
  return %b : !fly.ptr<f8E5M2, global>
}

// Elements of four bits are packed: the step is counted in bytes.
// CHECK-LABEL: func @offset_packed(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>, %[[I:[^:]*]]: i32)
func.func @offset_packed(%p: !fly.ptr<i4, global, align<4>>, %i: i32) -> vector<8xi4> {
  // CHECK: %[[W:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: %[[M:.*]] = arith.muli %[[W]], %{{.*}} : i64
  // CHECK: %[[B:.*]] = arith.divsi %[[M]], %{{.*}} : i64
  // CHECK: %[[Q:.*]] = llvm.getelementptr %[[P]][%[[B]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  // CHECK: llvm.load %[[Q]] {alignment = 4 : i64} : !llvm.ptr<1> -> vector<8xi4>
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=8}>
  %q = fly.add_offset(%p, %o) : (!fly.ptr<i4, global, align<4>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<i4, global, align<4>>
  %v = fly.ptr.load(%q) : (!fly.ptr<i4, global, align<4>>) -> vector<8xi4>
  return %v : vector<8xi4>
}

// A view is its base, whatever its layout.
// CHECK-LABEL: func @view(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<3>)
// CHECK-NEXT: llvm.load %[[P]] {alignment = 2 : i64} : !llvm.ptr<3> -> f16
func.func @view(%p: !fly.ptr<f16, shared>) -> f16 {
  %l = fly.static : !fly.layout<(4,8):(1,4)>
  %v = fly.make_view(%p, %l) : (!fly.ptr<f16, shared>, !fly.layout<(4,8):(1,4)>) -> !fly.memref<f16, shared, (4,8):(1,4)>
  %q = fly.get_iter(%v) : (!fly.memref<f16, shared, (4,8):(1,4)>) -> !fly.ptr<f16, shared>
  %x = fly.ptr.load(%q) : (!fly.ptr<f16, shared>) -> f16
  return %x : f16
}

// CHECK-LABEL: func @integers(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>, %[[S:[^:]*]]: !llvm.ptr<3>, %[[A:[^:]*]]: i64)
func.func @integers(%p: !fly.ptr<f32, global>, %s: !fly.ptr<f32, shared>, %a: i64)
    -> (i64, i32, !fly.ptr<f32, global>, !llvm.ptr<1>) {
  // CHECK: %[[X:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
  // CHECK: %[[Y:.*]] = llvm.ptrtoint %[[S]] : !llvm.ptr<3> to i32
  // CHECK: %[[Z:.*]] = llvm.inttoptr %[[A]] : i64 to !llvm.ptr<1>
  // CHECK: return %[[X]], %[[Y]], %[[Z]], %[[P]]
  %x = fly.ptrtoint(%p) : (!fly.ptr<f32, global>) -> i64
  %y = fly.ptrtoint(%s) : (!fly.ptr<f32, shared>) -> i32
  %z = fly.inttoptr(%a) : (i64) -> !fly.ptr<f32, global>
  %l = fly.to_llvm_ptr(%p) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<1>
  return %x, %y, %z, %l : i64, i32, !fly.ptr<f32, global>, !llvm.ptr<1>
}

// The alignment is the largest power of two in the pointer's.
// CHECK-LABEL: func @alignment(
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// DIFF: access-alignment
func.func @alignment(%p: !fly.ptr<f32, global, align<12>>, %q: !fly.ptr<f32, global, align<48>>) -> (f32, vector<4xf32>) {
  %x = fly.ptr.load(%p) : (!fly.ptr<f32, global, align<12>>) -> f32
  %y = fly.ptr.load(%q) : (!fly.ptr<f32, global, align<48>>) -> vector<4xf32>
  return %x, %y : f32, vector<4xf32>
}

// Not more than a swizzle leaves, nor more than the pointer promises.
// User report 23.
// CHECK-LABEL: func @alignment_limits(
// CHECK: llvm.load %{{.*}} {alignment = 32 : i64} : !llvm.ptr<3> -> vector<16xf16>
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<4xf32>
func.func @alignment_limits(%p: !fly.ptr<f16, shared, align<64>, S<2,5,3>>, %q: !fly.ptr<f32, global, align<40>>) -> (vector<16xf16>, vector<4xf32>) {
  %x = fly.ptr.load(%p) : (!fly.ptr<f16, shared, align<64>, S<2,5,3>>) -> vector<16xf16>
  %y = fly.ptr.load(%q) : (!fly.ptr<f32, global, align<40>>) -> vector<4xf32>
  return %x, %y : vector<16xf16>, vector<4xf32>
}

// A swizzle acts on the address at the access and limits what is known of it.
// CHECK-LABEL: func @swizzle(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<3>)
func.func @swizzle(%p: !fly.ptr<f16, shared, align<16>, S<3,3,3>>) -> vector<4xf16> {
  // CHECK: %[[A:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<3> to i64
  // CHECK: %[[M:.*]] = arith.constant 448 : i64
  // CHECK: %[[B:.*]] = arith.andi %[[A]], %[[M]] : i64
  // CHECK: %[[S:.*]] = arith.constant 3 : i64
  // CHECK: %[[C:.*]] = arith.shrui %[[B]], %[[S]] : i64
  // CHECK: %[[D:.*]] = arith.xori %[[A]], %[[C]] : i64
  // CHECK: %[[Q:.*]] = llvm.inttoptr %[[D]] : i64 to !llvm.ptr<3>
  // CHECK: llvm.load %[[Q]] {alignment = 8 : i64} : !llvm.ptr<3> -> vector<4xf16>
  %v = fly.ptr.load(%p) : (!fly.ptr<f16, shared, align<16>, S<3,3,3>>) -> vector<4xf16>
  return %v : vector<4xf16>
}

// Elements of i1 take a byte each.
// CHECK-LABEL: func @booleans(
// CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<5> -> vector<4xi8>
// CHECK: arith.trunci %[[V]] : vector<4xi8> to vector<4xi1>
func.func @booleans(%p: !fly.ptr<i1, register>) -> vector<4xi1> {
  %v = fly.ptr.load(%p) : (!fly.ptr<i1, register>) -> vector<4xi1>
  return %v : vector<4xi1>
}

// Small floats are integers of their width.
// CHECK-LABEL: func @small_float(
// CHECK-SAME: %[[X:[^:]*]]: f32, %[[P:[^:]*]]: !llvm.ptr<1>)
// CHECK: %[[Y:.*]] = arith.truncf %[[X]] : f32 to f8E4M3FN
// CHECK: %[[Z:.*]] = arith.bitcast %[[Y]] : f8E4M3FN to i8
// CHECK: llvm.store %[[Z]], %[[P]] {alignment = 1 : i64} : i8, !llvm.ptr<1>
func.func @small_float(%x: f32, %p: !fly.ptr<f8E4M3FN, global>) {
  %y = arith.truncf %x : f32 to f8E4M3FN
  fly.ptr.store(%y, %p) : (f8E4M3FN, !fly.ptr<f8E4M3FN, global>) -> ()
  return
}

// Two elements of 12 bits end at byte 3: the alignment of the type, a rounded
// one, says nothing there.
// CHECK-LABEL: func @odd_elements(
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> vector<2xi12>
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<4xi12>
func.func @odd_elements(%p: !fly.ptr<i12, global, align<6>>) -> (vector<2xi12>, vector<4xi12>) {
  %o = fly.static : !fly.int_tuple<2>
  %q = fly.add_offset(%p, %o) : (!fly.ptr<i12, global, align<6>>, !fly.int_tuple<2>) -> !fly.ptr<i12, global>
  %v = fly.ptr.load(%q) : (!fly.ptr<i12, global>) -> vector<2xi12>
  %w = fly.ptr.load(%p) : (!fly.ptr<i12, global, align<6>>) -> vector<4xi12>
  return %v, %w : vector<2xi12>, vector<4xi12>
}

// After a slice the alignment is what pointer, offset and swizzle leave.
// CHECK-LABEL: func @sliced_swizzle(
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> vector<2xf16>
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<8xf16>
// CHECK: llvm.load %{{.*}} {alignment = 32 : i64} : !llvm.ptr<3> -> vector<8xf16>
func.func @sliced_swizzle(%p: !fly.ptr<f16, shared, align<64>, S<2,5,3>>, %i: i32, %j: i32, %k: i32) -> (vector<2xf16>, vector<8xf16>, vector<8xf16>) {
  %a = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?{div=6}>
  %b = fly.make_int_tuple(%j) : (i32) -> !fly.int_tuple<?{div=8}>
  %c = fly.make_int_tuple(%k) : (i32) -> !fly.int_tuple<?{div=64}>
  %pa = fly.add_offset(%p, %a) : (!fly.ptr<f16, shared, align<64>, S<2,5,3>>, !fly.int_tuple<?{div=6}>) -> !fly.ptr<f16, shared, align<4>, S<2,5,3>>
  %pb = fly.add_offset(%p, %b) : (!fly.ptr<f16, shared, align<64>, S<2,5,3>>, !fly.int_tuple<?{div=8}>) -> !fly.ptr<f16, shared, align<16>, S<2,5,3>>
  %pc = fly.add_offset(%p, %c) : (!fly.ptr<f16, shared, align<64>, S<2,5,3>>, !fly.int_tuple<?{div=64}>) -> !fly.ptr<f16, shared, align<64>, S<2,5,3>>
  %x = fly.ptr.load(%pa) : (!fly.ptr<f16, shared, align<4>, S<2,5,3>>) -> vector<2xf16>
  %y = fly.ptr.load(%pb) : (!fly.ptr<f16, shared, align<16>, S<2,5,3>>) -> vector<8xf16>
  %z = fly.ptr.load(%pc) : (!fly.ptr<f16, shared, align<64>, S<2,5,3>>) -> vector<8xf16>
  return %x, %y, %z : vector<2xf16>, vector<8xf16>, vector<8xf16>
}

// Private memory of a swizzled pointer has whole blocks of 2^(base+mask) bytes,
// aligned to one, or to what the pointer promises.
// CHECK-LABEL: func @register_swizzle(
// CHECK: %[[N:.*]] = arith.constant 8 : i64
// CHECK: llvm.alloca %[[N]] x i32 {alignment = 16 : i64}
// CHECK: %[[M:.*]] = arith.constant 8 : i64
// CHECK: llvm.alloca %[[M]] x i32 {alignment = 64 : i64}
// DIFF: swizzled-memory
func.func @register_swizzle(%x: i32) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<i32, register, S<2,2,1>>
  %q = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<i32, register, align<64>, S<1,2,1>>
  fly.ptr.store(%x, %p) : (i32, !fly.ptr<i32, register, S<2,2,1>>) -> ()
  fly.ptr.store(%x, %q) : (i32, !fly.ptr<i32, register, align<64>, S<1,2,1>>) -> ()
  return
}
