// RUN: fly-opt %s -fly-promote-regmem-to-vectorssa | FileCheck %s

// States follow the original values, in the order of the allocations, whatever
// the order of their uses; loads count as uses. What is allocated inside a region
// is local to it, and a branch without any state stays as it is.

// CHECK-LABEL: gpu.func @order_and_scope
// CHECK-SAME:  (%[[O:.*]]: !fly.ptr<f32, global>, %[[N:.*]]: index, %[[C:.*]]: i1, %[[X:.*]]: f32, %[[K:.*]]: i32)
// CHECK:       %[[P2:.*]] = ub.poison : vector<2xf32>
// CHECK-NEXT:  %[[P1:.*]] = ub.poison : vector<1xf32>
// CHECK-NOT:   vector<4xf32>
// CHECK:       %[[S:.*]] = vector.insert %[[X]], %[[P1]] [0]
// CHECK-NEXT:  %[[R:.*]] = vector.insert %[[X]], %[[P2]] [0]
// CHECK-NEXT:  %[[F:.*]]:3 = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[A:.*]] = %[[K]], %[[RI:.*]] = %[[R]], %[[SI:.*]] = %[[S]]) -> (i32, vector<2xf32>, vector<1xf32>) {
// CHECK-NEXT:    %[[V:.*]] = vector.extract %[[SI]][0]
// CHECK-NEXT:    %[[RJ:.*]] = vector.insert %[[V]], %[[RI]] [0]
// CHECK-NEXT:    %[[T:.*]] = vector.insert %[[V]], %[[P1]] [0]
// CHECK-NEXT:    %{{.*}} = scf.if %[[C]] -> (vector<1xf32>) {
// CHECK-NEXT:      %[[W:.*]] = vector.extract %[[T]][0]
// CHECK-NEXT:      fly.ptr.store(%[[W]], %[[O]])
// CHECK-NEXT:      scf.yield %[[T]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %[[T]]
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if %[[C]] {
// CHECK-NEXT:      fly.ptr.store(%[[X]], %[[O]])
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.yield %[[A]], %[[RJ]], %[[SI]]
// CHECK-NEXT:  }
// CHECK-NEXT:  %[[E:.*]] = vector.extract_strided_slice %[[F]]#1 {offsets = [0], sizes = [2], strides = [1]}
// CHECK-NEXT:  fly.ptr.store(%[[E]], %[[O]])
// CHECK-NEXT:  gpu.return
gpu.module @m {
  gpu.func @order_and_scope(%o: !fly.ptr<f32, global>, %n: index, %c: i1, %x: f32, %k: i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f32, register>
    %s = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
    %u = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
    fly.ptr.store(%x, %u) : (f32, !fly.ptr<f32, register>) -> ()
    fly.ptr.store(%x, %s) : (f32, !fly.ptr<f32, register>) -> ()
    fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
    %f = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k) -> i32 {
      %v = fly.ptr.load(%s) : (!fly.ptr<f32, register>) -> f32
      fly.ptr.store(%v, %r) : (f32, !fly.ptr<f32, register>) -> ()
      %t = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
      fly.ptr.store(%v, %t) : (f32, !fly.ptr<f32, register>) -> ()
      scf.if %c {
        %w = fly.ptr.load(%t) : (!fly.ptr<f32, register>) -> f32
        fly.ptr.store(%w, %o) : (f32, !fly.ptr<f32, global>) -> ()
      }
      scf.if %c {
        fly.ptr.store(%x, %o) : (f32, !fly.ptr<f32, global>) -> ()
      }
      scf.yield %a : i32
    }
    %v = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> vector<2xf32>
    fly.ptr.store(%v, %o) : (vector<2xf32>, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}
