// RUN: fly-opt %s -convert-fly-to-rocdl | FileCheck %s
//
// Buffer pointers (resource and offset in elements) and buffer copies.

!C = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128, cache = 2>, 16>
!S = !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1>
!R = !fly.memref<f16, register, 8:1>

// CHECK-LABEL: func @make(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>, %[[N:[^:]*]]: i64)
func.func @make(%p: !fly.ptr<f32, global>, %n: i64) -> !fly.ptr<f32, #fly_rocdl.buffer_desc> {
  // CHECK: %[[ST:.*]] = arith.constant 0 : i16
  // CHECK: %[[F:.*]] = arith.constant 159744 : i32
  // CHECK: %[[R:.*]] = rocdl.make.buffer.rsrc %[[P]], %[[ST]], %[[N]], %[[F]] : <1> to <8>
  // CHECK: %[[Z:.*]] = arith.constant 0 : i32
  // CHECK: %[[U:.*]] = llvm.mlir.undef : !llvm.struct<(ptr<8>, i32)>
  // CHECK: %[[V:.*]] = llvm.insertvalue %[[R]], %[[U]][0]
  // CHECK: %[[W:.*]] = llvm.insertvalue %[[Z]], %[[V]][1]
  // CHECK: return %[[W]]
  %s = arith.constant 0 : i16
  %f = arith.constant 159744 : i32
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  return %b : !fly.ptr<f32, #fly_rocdl.buffer_desc>
}

// CHECK-LABEL: func @offset(
// CHECK-SAME: %[[B:[^:]*]]: !llvm.struct<(ptr<8>, i32)>, %[[I:[^:]*]]: i64)
func.func @offset(%b: !fly.ptr<f32, #fly_rocdl.buffer_desc>, %i: i64) -> !llvm.ptr<8> {
  // CHECK: %[[C:.*]] = arith.constant 5 : i32
  // CHECK: %[[O:.*]] = llvm.extractvalue %[[B]][1]
  // CHECK: %[[S:.*]] = arith.addi %[[O]], %[[C]] : i32
  // CHECK: %[[R:.*]] = llvm.extractvalue %[[B]][0]
  // CHECK: %[[U:.*]] = llvm.mlir.undef
  // CHECK: %[[V:.*]] = llvm.insertvalue %[[R]], %[[U]][0]
  // CHECK: %[[W:.*]] = llvm.insertvalue %[[S]], %[[V]][1]
  // CHECK: %[[T:.*]] = arith.trunci %[[I]] : i64 to i32
  // CHECK: %[[P:.*]] = llvm.extractvalue %[[W]][1]
  // CHECK: arith.addi %[[P]], %[[T]] : i32
  %k = fly.make_int_tuple() : () -> !fly.int_tuple<5>
  %p = fly.add_offset(%b, %k) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>, !fly.int_tuple<5>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  %l = fly.make_int_tuple(%i) : (i64) -> !fly.int_tuple<?{i64}>
  %q = fly.add_offset(%p, %l) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>, !fly.int_tuple<?{i64}>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  %r = fly_rocdl.get_buffer_rsrc(%q) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %r : !llvm.ptr<8>
}

// The offset counts elements of the new type.
// CHECK-LABEL: func @recast(
// CHECK-SAME: %[[B:[^:]*]]: !llvm.struct<(ptr<8>, i32)>)
// CHECK: %[[O:.*]] = llvm.extractvalue %[[B]][1]
// CHECK: %[[C4:.*]] = arith.constant 4 : i32
// CHECK: arith.divsi %[[O]], %[[C4]] : i32
func.func @recast(%b: !fly.ptr<i8, #fly_rocdl.buffer_desc, align<4>>) -> !fly.ptr<i32, #fly_rocdl.buffer_desc> {
  %r = fly.recast_iter(%b) : (!fly.ptr<i8, #fly_rocdl.buffer_desc, align<4>>) -> !fly.ptr<i32, #fly_rocdl.buffer_desc>
  return %r : !fly.ptr<i32, #fly_rocdl.buffer_desc>
}

// CHECK-LABEL: func @access(
// CHECK-SAME: %[[B:[^:]*]]: !llvm.struct<(ptr<8>, i32)>, %[[X:[^:]*]]: f32, %[[Y:[^:]*]]: vector<4xi8>, %[[Q:[^:]*]]: !llvm.struct<(ptr<8>, i32)>)
func.func @access(%b: !fly.ptr<f32, #fly_rocdl.buffer_desc>, %x: f32, %y: vector<4xi8>, %q: !fly.ptr<i8, #fly_rocdl.buffer_desc>) -> vector<2xf32> {
  // CHECK: %[[R:.*]] = llvm.extractvalue %[[B]][0]
  // CHECK: %[[O:.*]] = llvm.extractvalue %[[B]][1]
  // CHECK: %[[C4:.*]] = arith.constant 4 : i32
  // CHECK: %[[A:.*]] = arith.muli %[[O]], %[[C4]] : i32
  // CHECK: %[[Z:.*]] = arith.constant 0 : i32
  // CHECK: rocdl.raw.ptr.buffer.store %[[X]], %[[R]], %[[A]], %[[Z]], %[[Z]] : f32
  fly.ptr.store(%x, %b) : (f32, !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> ()
  // CHECK: %[[W:.*]] = llvm.bitcast %[[Y]] : vector<4xi8> to i32
  // CHECK: %[[O8:.*]] = llvm.extractvalue %[[Q]][1]
  // CHECK: rocdl.raw.ptr.buffer.store %[[W]], %{{.*}}, %[[O8]], %{{.*}} : i32
  fly.ptr.store(%y, %q) : (vector<4xi8>, !fly.ptr<i8, #fly_rocdl.buffer_desc>) -> ()
  // CHECK: %[[V:.*]] = rocdl.raw.ptr.buffer.load %{{.*}} : vector<2xf32>
  // CHECK: return %[[V]]
  %v = fly.ptr.load(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> vector<2xf32>
  return %v : vector<2xf32>
}

// Packed elements: the number of their bits may not fit in 32 bits.
// CHECK-LABEL: func @access_packed(
// CHECK-SAME: %[[B:[^:]*]]: !llvm.struct<(ptr<8>, i32)>, %[[Q:[^:]*]]: !llvm.struct<(ptr<8>, i32)>)
// CHECK: %[[O:.*]] = llvm.extractvalue %[[B]][1]
// CHECK: %[[ONE:.*]] = arith.constant 1 : i32
// CHECK: %[[A:.*]] = arith.shrsi %[[O]], %[[ONE]] : i32
// CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[A]], %{{.*}}, %{{.*}} : i32
// CHECK: %[[P:.*]] = llvm.extractvalue %[[Q]][1]
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: %[[C:.*]] = arith.shrsi %[[P]], %[[TWO]] : i32
// CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[C]], %{{.*}}, %{{.*}} : i64
func.func @access_packed(%b: !fly.ptr<f4E2M1FN, #fly_rocdl.buffer_desc>, %q: !fly.ptr<i2, #fly_rocdl.buffer_desc>) -> (vector<8xf4E2M1FN>, vector<32xi2>) {
  %v = fly.ptr.load(%b) : (!fly.ptr<f4E2M1FN, #fly_rocdl.buffer_desc>) -> vector<8xf4E2M1FN>
  %w = fly.ptr.load(%q) : (!fly.ptr<i2, #fly_rocdl.buffer_desc>) -> vector<32xi2>
  return %v, %w : vector<8xf4E2M1FN>, vector<32xi2>
}

// CHECK-LABEL: func @access_one(
// CHECK: %[[V:.*]] = rocdl.raw.ptr.buffer.load %{{.*}} : i32
// CHECK: llvm.bitcast %[[V]] : i32 to vector<1xf32>
// CHECK: %[[B:.*]] = rocdl.raw.ptr.buffer.load %{{.*}} : i8
// CHECK: arith.trunci %[[B]] : i8 to i1
func.func @access_one(%b: !fly.ptr<f32, #fly_rocdl.buffer_desc>, %p: !fly.ptr<i1, #fly_rocdl.buffer_desc>) -> (vector<1xf32>, i1) {
  %v = fly.ptr.load(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> vector<1xf32>
  %c = fly.ptr.load(%p) : (!fly.ptr<i1, #fly_rocdl.buffer_desc>) -> i1
  return %v, %c : vector<1xf32>, i1
}

// CHECK-LABEL: func @copy_state(
// CHECK-SAME: %[[X:[^:]*]]: i32)
// CHECK: %[[U:.*]] = llvm.mlir.undef : !llvm.struct<(i32)>
// CHECK: %[[Z:.*]] = arith.constant 0 : i32
// CHECK: %[[S:.*]] = llvm.insertvalue %[[Z]], %[[U]][0] : !llvm.struct<(i32)>
// CHECK: %[[T:.*]] = llvm.insertvalue %[[X]], %[[S]][0] : !llvm.struct<(i32)>
// CHECK: return %[[T]]
func.func @copy_state(%x: i32) -> !C {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !C
  %b = fly.atom.set_value(%a, "soffset", %x) : (!C, i32) -> !C
  return %b : !C
}

// CHECK-LABEL: func @load_memory(
// CHECK-SAME: %[[A:[^:]*]]: !llvm.struct<(i32)>, %[[S:[^:]*]]: !llvm.struct<(ptr<8>, i32)>, %[[D:[^:]*]]: !llvm.ptr<5>)
func.func @load_memory(%a: !C, %s: !S, %d: !R) {
  // CHECK: %[[SO:.*]] = llvm.extractvalue %[[A]][0] : !llvm.struct<(i32)>
  // CHECK: %[[C2:.*]] = arith.constant 2 : i32
  // CHECK: %[[SB:.*]] = arith.muli %[[SO]], %[[C2]] : i32
  // CHECK: %[[R:.*]] = llvm.extractvalue %[[S]][0]
  // CHECK: %[[O:.*]] = llvm.extractvalue %[[S]][1]
  // CHECK: %[[D2:.*]] = arith.constant 2 : i32
  // CHECK: %[[OB:.*]] = arith.muli %[[O]], %[[D2]] : i32
  // CHECK: %[[AUX:.*]] = arith.constant 2 : i32
  // CHECK: %[[V:.*]] = rocdl.raw.ptr.buffer.load %[[R]], %[[OB]], %[[SB]], %[[AUX]] : i128
  // CHECK: %[[W:.*]] = llvm.bitcast %[[V]] : i128 to vector<8xf16>
  // CHECK: llvm.store %[[W]], %[[D]] {alignment = 2 : i64} : vector<8xf16>, !llvm.ptr<5>
  fly.copy_atom_call(%a, %s, %d) : (!C, !S, !R) -> ()
  return
}

// CHECK-LABEL: func @store_ssa(
// CHECK-SAME: %[[V:[^:]*]]: vector<8xf16>, %[[D:[^:]*]]: !llvm.struct<(ptr<8>, i32)>, %[[P:[^:]*]]: i1)
// CHECK: scf.if %[[P]] {
// CHECK: %[[W:.*]] = llvm.bitcast %[[V]] : vector<8xf16> to i128
// CHECK: rocdl.raw.ptr.buffer.store %[[W]], %{{.*}} : i128
func.func @store_ssa(%a: !C, %v: vector<8xf16>, %d: !S, %p: i1) {
  fly.copy_atom_call_ssa(%a, %v, %d, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!C, vector<8xf16>, !S, i1) -> ()
  return
}

// The swizzle of a buffer acts on the 32-bit byte offset.
// CHECK-LABEL: func @load_swizzled(
// CHECK: %[[OB:.*]] = arith.muli
// CHECK: %[[M:.*]] = arith.constant 1792 : i32
// CHECK: %[[X:.*]] = arith.andi %[[Y:.*]], %[[M]] : i32
// CHECK: %[[S:.*]] = arith.shrui %[[X]], %{{.*}} : i32
// CHECK: %[[Z:.*]] = arith.xori %[[Y]], %[[S]] : i32
// CHECK: rocdl.raw.ptr.buffer.load %{{.*}}, %[[Z]], %{{.*}} : i128
func.func @load_swizzled(%a: !C, %s: !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1, align<16>, S<3,4,4>>) -> vector<8xf16> {
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!C, !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1, align<16>, S<3,4,4>>) -> vector<8xf16>
  return %v : vector<8xf16>
}

!L = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 32>

// CHECK-LABEL: func @load_lds(
// CHECK-SAME: %[[A:[^:]*]]: !llvm.struct<(i32, i32)>, %[[S:[^:]*]]: !llvm.struct<(ptr<8>, i32)>, %[[D:[^:]*]]: !llvm.ptr<3>)
// CHECK: %[[SO:.*]] = llvm.extractvalue %[[A]][0]
// CHECK: %[[IO:.*]] = llvm.extractvalue %[[A]][1]
// CHECK: %[[SB:.*]] = arith.muli %[[SO]],
// CHECK: %[[N:.*]] = arith.constant 4 : i32
// CHECK: %[[Z:.*]] = arith.constant 0 : i32
// CHECK: %[[R:.*]] = llvm.extractvalue %[[S]][0]
// CHECK: %[[OB:.*]] = arith.muli
// CHECK: rocdl.raw.ptr.buffer.load.lds %[[R]], %[[D]], %[[N]], %[[OB]], %[[SB]], %[[IO]], %[[Z]]
func.func @load_lds(%a: !L, %s: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, %d: !fly.memref<f32, shared, 1:0>) {
  fly.copy_atom_call(%a, %s, %d) : (!L, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, !fly.memref<f32, shared, 1:0>) -> ()
  return
}

!A = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>, 16>

// CHECK-LABEL: func @atomic(
// CHECK-SAME: %[[V:[^:]*]]: vector<2xf16>,
// CHECK: rocdl.raw.ptr.buffer.atomic.fadd %[[V]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<2xf16>
func.func @atomic(%a: !A, %v: vector<2xf16>, %d: !fly.memref<f16, #fly_rocdl.buffer_desc, 2:1>) {
  fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!A, vector<2xf16>, !fly.memref<f16, #fly_rocdl.buffer_desc, 2:1>) -> ()
  return
}

!X = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<max, i32>, 32>
!N = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<min, i32>, 32>
!I = !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>

// CHECK-LABEL: func @atomic_integer(
// CHECK: rocdl.raw.ptr.buffer.atomic.smax
// CHECK: rocdl.raw.ptr.buffer.atomic.umin
func.func @atomic_integer(%a: !X, %b: !N, %v: i32, %d: !I) {
  fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!X, i32, !I) -> ()
  fly.copy_atom_call_ssa(%b, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!N, i32, !I) -> ()
  return
}
