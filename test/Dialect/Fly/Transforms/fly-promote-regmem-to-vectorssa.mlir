// RUN: fly-opt %s -allow-unregistered-dialect -fly-convert-atom-call-to-ssa-form -fly-promote-regmem-to-vectorssa -split-input-file | FileCheck %s

// Register allocations as vectors through loops and branches.

// CHECK-LABEL: gpu.func @f
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.ptr<f32, global>, %[[ARG1:[A-Za-z0-9_]+]]: index, %[[ARG2:[A-Za-z0-9_]+]]: i1) kernel {
// CHECK-NEXT:  %[[C0:[A-Za-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:  %[[C1:[A-Za-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT:  %[[CST:[A-Za-z0-9_]+]] = arith.constant dense<0.000000e+00> : vector<2xf32>
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = ub.poison : vector<3xf32>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = vector.insert_strided_slice %[[CST]], %[[V0]] {offsets = [0], strides = [1]} : vector<2xf32> into vector<3xf32>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = scf.for %[[ARG3:[A-Za-z0-9_]+]] = %[[C0]] to %[[ARG1]] step %[[C1]] iter_args(%[[ARG4:[A-Za-z0-9_]+]] = %[[V1]]) -> (vector<3xf32>) {
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = vector.extract %[[ARG4]][0] : f32 from vector<3xf32>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = scf.if %[[ARG2]] -> (vector<3xf32>) {
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = vector.insert %[[V4]], %[[ARG4]] [2] : f32 into vector<3xf32>
// CHECK-NEXT:  scf.yield %[[V6]] : vector<3xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT:  scf.yield %[[ARG4]] : vector<3xf32>
// CHECK-NEXT: }
// CHECK-NEXT:  scf.yield %[[V5]] : vector<3xf32>
// CHECK-NEXT: }
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = vector.extract %[[V2]][2] : f32 from vector<3xf32>
// CHECK-NEXT:  fly.ptr.store(%[[V3]], %[[ARG0]]) : (f32, !fly.ptr<f32, global>) -> ()
// CHECK-NEXT:  gpu.return

gpu.module @m {
  gpu.func @f(%o: !fly.ptr<f32, global>, %n: index, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant dense<0.0> : vector<2xf32>
    %f = arith.constant 1.0 : f32
    %r = fly.make_ptr() {dictAttrs = {allocSize = 3 : i64}} : () -> !fly.ptr<f32, register>
    fly.ptr.store(%z, %r) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
    %k = fly.make_int_tuple() : () -> !fly.int_tuple<2>
    %q = fly.add_offset(%r, %k) : (!fly.ptr<f32, register>, !fly.int_tuple<2>) -> !fly.ptr<f32, register>
    scf.for %i = %c0 to %n step %c1 {
      %x = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
      scf.if %c {
        fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, register>) -> ()
      }
    }
    %y = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> f32
    fly.ptr.store(%y, %o) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}

// -----

// The states of two allocations pass through an scf.while.

// CHECK-LABEL: gpu.func @while_loop
// CHECK-SAME: (%[[O:.*]]: !fly.ptr<f32, global>, %[[X:.*]]: f32, %[[L:.*]]: f32)
// CHECK:      %[[P0:.*]] = ub.poison : vector<1xf32>
// CHECK:      %[[S0:.*]] = vector.insert %[[X]], %[[P0]] [0]
// CHECK:      %[[W:.*]] = scf.while (%[[A:.*]] = %[[S0]]) : (vector<1xf32>) -> vector<1xf32> {
// CHECK-NEXT:   %[[V:.*]] = vector.extract %[[A]][0]
// CHECK-NEXT:   %[[C:.*]] = arith.cmpf olt, %[[V]], %[[L]]
// CHECK-NEXT:   scf.condition(%[[C]]) %[[A]] : vector<1xf32>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%[[B:.*]]: vector<1xf32>):
// CHECK-NEXT:   %[[V2:.*]] = vector.extract %[[B]][0]
// CHECK-NEXT:   %[[D:.*]] = arith.addf %[[V2]], %[[V2]]
// CHECK-NEXT:   %[[S1:.*]] = vector.insert %[[D]], %[[B]] [0]
// CHECK-NEXT:   scf.yield %[[S1]] : vector<1xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[R:.*]] = vector.extract %[[W]][0]
// CHECK-NEXT: fly.ptr.store(%[[R]], %[[O]])
gpu.module @m {
  gpu.func @while_loop(%o: !fly.ptr<f32, global>, %x: f32, %l: f32) {
    %r = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
    fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
    scf.while : () -> () {
      %v = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
      %c = arith.cmpf olt, %v, %l : f32
      scf.condition(%c)
    } do {
      %v = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
      %d = arith.addf %v, %v : f32
      fly.ptr.store(%d, %r) : (f32, !fly.ptr<f32, register>) -> ()
      scf.yield
    }
    %v = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
    fly.ptr.store(%v, %o) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}

// -----

// A pointer that control flow hands on unchanged is the same allocation.

// CHECK-LABEL: gpu.func @forwarded_pointers
// CHECK-SAME: (%[[O:.*]]: !fly.ptr<f32, global>, %[[C:.*]]: i1, %[[N:.*]]: index, %[[X:.*]]: f32)
// CHECK:      %[[P:.*]] = ub.poison : vector<2xf32>
// CHECK:      %[[I:.*]]:2 = scf.if %[[C]] -> (i32, vector<2xf32>) {
// CHECK-NEXT:   %[[S:.*]] = vector.insert %[[X]], %[[P]] [1]
// CHECK-NEXT:   scf.yield %{{.*}}, %[[S]] : i32, vector<2xf32>
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.yield %{{.*}}, %[[P]] : i32, vector<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[F:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[A:.*]] = %[[I]]#0, %[[T:.*]] = %[[I]]#1) -> (i32, vector<2xf32>) {
// CHECK-NEXT:   %[[T2:.*]] = vector.insert %[[X]], %[[T]] [0]
// CHECK-NEXT:   scf.yield %[[A]], %[[T2]] : i32, vector<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[V:.*]] = vector.extract %[[F]]#1[1]
// CHECK-NEXT: fly.ptr.store(%[[V]], %[[O]])
// CHECK-NEXT: "test.use"(%[[F]]#0)
gpu.module @m {
  gpu.func @forwarded_pointers(%o: !fly.ptr<f32, global>, %c: i1, %n: index, %x: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 7 : i32
    %y = arith.constant 9 : i32
    %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
    %k = fly.make_int_tuple() : () -> !fly.int_tuple<1>
    %q = fly.add_offset(%r, %k) : (!fly.ptr<f32, register>, !fly.int_tuple<1>) -> !fly.ptr<f32, register>
    %i:3 = scf.if %c -> (!fly.ptr<f32, register>, i32, !fly.ptr<f32, register>) {
      fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, register>) -> ()
      scf.yield %r, %z, %q : !fly.ptr<f32, register>, i32, !fly.ptr<f32, register>
    } else {
      scf.yield %r, %y, %q : !fly.ptr<f32, register>, i32, !fly.ptr<f32, register>
    }
    %f:3 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %i#1, %b = %i#0, %d = %i#2) -> (i32, !fly.ptr<f32, register>, !fly.ptr<f32, register>) {
      fly.ptr.store(%x, %b) : (f32, !fly.ptr<f32, register>) -> ()
      scf.yield %a, %b, %d : i32, !fly.ptr<f32, register>, !fly.ptr<f32, register>
    }
    %v = fly.ptr.load(%f#2) : (!fly.ptr<f32, register>) -> f32
    fly.ptr.store(%v, %o) : (f32, !fly.ptr<f32, global>) -> ()
    "test.use"(%f#0) : (i32) -> ()
    gpu.return
  }
}

// -----

// A run-time offset and a used recast keep their allocation in memory; so does
// a pointer that two ways leave different, if another one stays anyway.

// CHECK-LABEL: gpu.func @excluded
// CHECK-DAG:  %[[R:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
// CHECK-DAG:  %[[Q:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 3 : i64}} : () -> !fly.ptr<f32, register>
// CHECK-DAG:  %[[T:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
// CHECK-NOT:  allocSize = 5
// CHECK:      %[[P:.*]] = ub.poison : vector<5xf32>
// CHECK:      vector.insert %{{.*}}, %[[P]] [0]
gpu.module @m {
  gpu.func @excluded(%o: !fly.ptr<f32, global>, %i: i32, %c: i1, %x: f32) {
    %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
    %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
    %a = fly.add_offset(%r, %t) : (!fly.ptr<f32, register>, !fly.int_tuple<?>) -> !fly.ptr<f32, register>
    fly.ptr.store(%x, %a) : (f32, !fly.ptr<f32, register>) -> ()
    %q = fly.make_ptr() {dictAttrs = {allocSize = 3 : i64}} : () -> !fly.ptr<f32, register>
    %b = fly.recast_iter(%q) : (!fly.ptr<f32, register>) -> !fly.ptr<i32, register>
    fly.ptr.store(%i, %b) : (i32, !fly.ptr<i32, register>) -> ()
    %s = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
    %d = arith.select %c, %s, %r : !fly.ptr<f32, register>
    fly.ptr.store(%x, %d) : (f32, !fly.ptr<f32, register>) -> ()
    %p = fly.make_ptr() {dictAttrs = {allocSize = 5 : i64}} : () -> !fly.ptr<f32, register>
    fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
    %v = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> vector<5xf32>
    fly.ptr.store(%v, %o) : (vector<5xf32>, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}

// -----

// Small floats are kept as integers of their width.

// CHECK-LABEL: gpu.func @small_floats
// CHECK-SAME: (%[[X:.*]]: f8E4M3FN, %[[O:.*]]: !fly.ptr<f8E4M3FN, global>)
// CHECK:      %[[P:.*]] = ub.poison : vector<4xi8>
// CHECK:      %[[B:.*]] = vector.broadcast %[[X]] : f8E4M3FN to vector<1xf8E4M3FN>
// CHECK-NEXT: %[[C:.*]] = vector.bitcast %[[B]] : vector<1xf8E4M3FN> to vector<1xi8>
// CHECK-NEXT: %[[S:.*]] = vector.insert_strided_slice %[[C]], %[[P]] {offsets = [2], strides = [1]}
// CHECK-NEXT: %[[E:.*]] = vector.extract_strided_slice %[[S]] {offsets = [2], sizes = [2], strides = [1]}
// CHECK-NEXT: %[[R:.*]] = vector.bitcast %[[E]] : vector<2xi8> to vector<2xf8E4M3FN>
// CHECK-NEXT: fly.ptr.store(%[[R]], %[[O]])
gpu.module @m {
  gpu.func @small_floats(%x: f8E4M3FN, %o: !fly.ptr<f8E4M3FN, global>) {
    %r = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f8E4M3FN, register>
    %k = fly.make_int_tuple() : () -> !fly.int_tuple<2>
    %q = fly.add_offset(%r, %k) : (!fly.ptr<f8E4M3FN, register>, !fly.int_tuple<2>) -> !fly.ptr<f8E4M3FN, register>
    fly.ptr.store(%x, %q) : (f8E4M3FN, !fly.ptr<f8E4M3FN, register>) -> ()
    %v = fly.ptr.load(%q) : (!fly.ptr<f8E4M3FN, register>) -> vector<2xf8E4M3FN>
    fly.ptr.store(%v, %o) : (vector<2xf8E4M3FN>, !fly.ptr<f8E4M3FN, global>) -> ()
    gpu.return
  }
}

// -----

// A function without allocations is not touched, whatever it holds.

// CHECK-LABEL: gpu.func @untouched
// CHECK-SAME: (%[[P:.*]]: !fly.ptr<f32, register>)
// CHECK-NEXT: fly.ptr.load(%[[P]])
gpu.module @m {
  gpu.func @untouched(%p: !fly.ptr<f32, register>) {
    %v = fly.ptr.load(%p) : (!fly.ptr<f32, register>) -> f32
    "test.use"(%v) : (f32) -> ()
    gpu.return
  }
}

// -----

// 512 registers of 32 bits are what a lane has at most: what is larger stays
// in memory.

// DIFF: large-register-arrays
// CHECK-LABEL: gpu.func @limit
// CHECK-SAME: (%[[X:.*]]: f16, %[[O:.*]]: !fly.ptr<f16, global>)
// CHECK:      %[[P:.*]] = ub.poison : vector<1024xf16>
// CHECK:      %[[R:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 1025 : i64}}
// CHECK-NEXT: %[[I:.*]] = vector.insert %[[X]], %[[P]] [0]
// CHECK-NEXT: fly.ptr.store(%[[X]], %[[R]])
// CHECK-NEXT: %[[E:.*]] = vector.extract %[[I]][0]
// CHECK-NEXT: %[[V:.*]] = fly.ptr.load(%[[R]])
// CHECK-NEXT: fly.ptr.store(%[[E]], %[[O]])
// CHECK-NEXT: fly.ptr.store(%[[V]], %[[O]])
gpu.module @m {
  gpu.func @limit(%x: f16, %o: !fly.ptr<f16, global>) {
    %q = fly.make_ptr() {dictAttrs = {allocSize = 1024 : i64}} : () -> !fly.ptr<f16, register>
    %r = fly.make_ptr() {dictAttrs = {allocSize = 1025 : i64}} : () -> !fly.ptr<f16, register>
    fly.ptr.store(%x, %q) : (f16, !fly.ptr<f16, register>) -> ()
    fly.ptr.store(%x, %r) : (f16, !fly.ptr<f16, register>) -> ()
    %u = fly.ptr.load(%q) : (!fly.ptr<f16, register>) -> f16
    %v = fly.ptr.load(%r) : (!fly.ptr<f16, register>) -> f16
    fly.ptr.store(%u, %o) : (f16, !fly.ptr<f16, global>) -> ()
    fly.ptr.store(%v, %o) : (f16, !fly.ptr<f16, global>) -> ()
    gpu.return
  }
}
