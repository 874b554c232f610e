// RUN: fly-opt %s -canonicalize -cse -split-input-file | FileCheck %s

// Which operations vanish when unused, which are merged, and which stay.

// CHECK-LABEL: func.func @unused_values_vanish(
// CHECK-NEXT: return
func.func @unused_values_vanish(%i: i32, %p: !fly.ptr<f32, global>, %m: !fly.memref<f32, global, 4:1>) {
  %0 = fly.static : !fly.layout<(4,8):(1,4)>
  %1 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(?,2)>
  %2 = fly.crd2idx(%1, %0) : (!fly.int_tuple<(?,2)>, !fly.layout<(4,8):(1,4)>) -> !fly.int_tuple<?>
  %3 = fly.add_offset(%p, %2) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %4 = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
  %5 = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %6 = fly.make_fragment_like(%m) : (!fly.memref<f32, global, 4:1>) -> !fly.memref<f32, register, 4:1>
  %7 = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> f32
  return
}

// -----

// CHECK-LABEL: func.func @accesses_stay(
func.func @accesses_stay(%p: !fly.ptr<f32, global>, %x: f32, %m: !fly.memref<f32, global, 1:0>) {
  // CHECK: fly.static : !fly.copy_atom<
  %u = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
  // CHECK: fly.ptr.store(%arg1, %arg0)
  fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, global>) -> ()
  // CHECK: fly.copy(%{{.*}}, %arg2, %arg2)
  fly.copy(%u, %m, %m) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, 1:0>, !fly.memref<f32, global, 1:0>) -> ()
  // CHECK: fly.copy_atom_call(%{{.*}}, %arg2, %arg2)
  fly.copy_atom_call(%u, %m, %m) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, 1:0>, !fly.memref<f32, global, 1:0>) -> ()
  // CHECK: fly.print(%arg1) {format = "{}"}
  fly.print(%x) {format = "{}"} : (f32) -> ()
  return
}

// -----

// Two allocations are two memories; two equal pure values are one.
// CHECK-LABEL: func.func @allocations_do_not_merge(
func.func @allocations_do_not_merge(%x: f32) -> (!fly.ptr<f32, register>, !fly.ptr<f32, register>, !fly.int_tuple<3>, !fly.int_tuple<3>) {
  // CHECK: %[[T:.*]] = fly.static : !fly.int_tuple<3>
  // CHECK: %[[A:.*]] = fly.make_ptr()
  // CHECK: %[[B:.*]] = fly.make_ptr()
  %a = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %b = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %t = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %u = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  // CHECK: return %[[A]], %[[B]], %[[T]], %[[T]]
  return %a, %b, %t, %u : !fly.ptr<f32, register>, !fly.ptr<f32, register>, !fly.int_tuple<3>, !fly.int_tuple<3>
}

// -----

// A load between two stores is not taken from before the first one.
// CHECK-LABEL: func.func @store_clobbers(
func.func @store_clobbers(%p: !fly.ptr<f32, global>, %x: f32) -> (f32, f32) {
  // CHECK: %[[A:.*]] = fly.ptr.load(%arg0)
  %a = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> f32
  // CHECK: fly.ptr.store(%arg1, %arg0)
  fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, global>) -> ()
  // CHECK: %[[B:.*]] = fly.ptr.load(%arg0)
  %b = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> f32
  // CHECK: return %[[A]], %[[B]]
  return %a, %b : f32, f32
}

// -----

// DIFF: fragments-allocate
// CHECK-LABEL: func.func @fragments_do_not_merge(
func.func @fragments_do_not_merge(%l: !fly.layout<(2,3):(3,1)>) -> (!fly.memref<f32, register, (2,3):(1,2)>, !fly.memref<f32, register, (2,3):(1,2)>) {
  // CHECK: %[[A:.*]] = fly.make_fragment_like(
  // CHECK: %[[B:.*]] = fly.make_fragment_like(
  // CHECK: return %[[A]], %[[B]]
  %a = fly.make_fragment_like(%l, f32) : (!fly.layout<(2,3):(3,1)>) -> !fly.memref<f32, register, (2,3):(1,2)>
  %b = fly.make_fragment_like(%l, f32) : (!fly.layout<(2,3):(3,1)>) -> !fly.memref<f32, register, (2,3):(1,2)>
  return %a, %b : !fly.memref<f32, register, (2,3):(1,2)>, !fly.memref<f32, register, (2,3):(1,2)>
}
