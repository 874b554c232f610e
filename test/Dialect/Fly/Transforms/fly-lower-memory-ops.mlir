// RUN: fly-opt %s -fly-layout-lowering -split-input-file | FileCheck %s

// Access through tensors as access through pointers.

// Without a mode of stride 1 each element is one access; element i is the one
// at column-major coordinate i.

// CHECK-LABEL: func.func @load_vec_single_elements
// CHECK-SAME: (%[[P:.*]]: !fly.ptr<f32, global>)
// CHECK-DAG:  %[[Z:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG:  %[[K0:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK:      %[[P0:.*]] = fly.add_offset(%[[P]], %[[K0]])
// CHECK:      %[[X0:.*]] = fly.ptr.load(%[[P0]]) : (!fly.ptr<f32, global>) -> f32
// CHECK:      %[[V0:.*]] = vector.insert %[[X0]], %[[Z]] [0]
// CHECK:      %[[K1:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<4>
// CHECK:      %[[P1:.*]] = fly.add_offset(%[[P]], %[[K1]])
// CHECK:      %[[X1:.*]] = fly.ptr.load(%[[P1]])
// CHECK:      %[[V1:.*]] = vector.insert %[[X1]], %[[V0]] [1]
// CHECK:      %[[K2:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<10>
// CHECK:      %[[P2:.*]] = fly.add_offset(%[[P]], %[[K2]])
// CHECK:      %[[X2:.*]] = fly.ptr.load(%[[P2]])
// CHECK:      %[[V2:.*]] = vector.insert %[[X2]], %[[V1]] [2]
// CHECK:      %[[K3:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<14>
// CHECK:      %[[P3:.*]] = fly.add_offset(%[[P]], %[[K3]])
// CHECK:      %[[X3:.*]] = fly.ptr.load(%[[P3]])
// CHECK:      %[[V3:.*]] = vector.insert %[[X3]], %[[V2]] [3]
// CHECK:      return %[[V3]]
func.func @load_vec_single_elements(%p: !fly.ptr<f32, global>) -> vector<4xf32> {
  %l = fly.static : !fly.layout<(2,2):(4,10)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,2):(4,10)>) -> !fly.memref<f32, global, (2,2):(4,10)>
  %v = fly.memref.load_vec(%m) : (!fly.memref<f32, global, (2,2):(4,10)>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// -----

// One flat mode of stride 1 is one access.

// CHECK-LABEL: func.func @load_vec_contiguous
// CHECK-SAME:  (%[[P:.*]]: !fly.ptr<f16, shared, align<8>>)
// CHECK-NEXT:  %[[V:.*]] = fly.ptr.load(%[[P]]) : (!fly.ptr<f16, shared, align<8>>) -> vector<4xf16>
// CHECK-NEXT:  return %[[V]]
func.func @load_vec_contiguous(%p: !fly.ptr<f16, shared, align<8>>) -> vector<4xf16> {
  %l = fly.static : !fly.layout<4:1>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f16, shared, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, shared, 4:1, align<8>>
  %v = fly.memref.load_vec(%m) : (!fly.memref<f16, shared, 4:1, align<8>>) -> vector<4xf16>
  return %v : vector<4xf16>
}

// -----

// A store goes from the order of elements back to the order of runs.

// CHECK-LABEL: func.func @store_vec_runs
// CHECK-SAME:  (%[[P:.*]]: !fly.ptr<f32, global>, %[[X:.*]]: vector<12xf32>)
// CHECK:       %[[A:.*]] = vector.shape_cast %[[X]] : vector<12xf32> to vector<2x3x2xf32>
// CHECK-NEXT:  %[[B:.*]] = vector.transpose %[[A]], [0, 2, 1] : vector<2x3x2xf32> to vector<2x2x3xf32>
// CHECK-NEXT:  %[[C:.*]] = vector.shape_cast %[[B]] : vector<2x2x3xf32> to vector<12xf32>
// CHECK-NEXT:  %[[R0:.*]] = vector.extract_strided_slice %[[C]] {offsets = [0], sizes = [3], strides = [1]}
// CHECK:       %[[K0:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK:       %[[P0:.*]] = fly.add_offset(%[[P]], %[[K0]])
// CHECK:       fly.ptr.store(%[[R0]], %[[P0]]) : (vector<3xf32>, !fly.ptr<f32, global>) -> ()
// CHECK:       %[[R1:.*]] = vector.extract_strided_slice %[[C]] {offsets = [3], sizes = [3], strides = [1]}
// CHECK:       %[[K1:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<3>
// CHECK:       %[[P1:.*]] = fly.add_offset(%[[P]], %[[K1]])
// CHECK:       fly.ptr.store(%[[R1]], %[[P1]])
// CHECK:       %[[R2:.*]] = vector.extract_strided_slice %[[C]] {offsets = [6], sizes = [3], strides = [1]}
// CHECK:       %[[K2:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<20>
// CHECK:       %[[P2:.*]] = fly.add_offset(%[[P]], %[[K2]])
// CHECK:       fly.ptr.store(%[[R2]], %[[P2]])
// CHECK:       %[[R3:.*]] = vector.extract_strided_slice %[[C]] {offsets = [9], sizes = [3], strides = [1]}
// CHECK:       %[[K3:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<23>
// CHECK:       %[[P3:.*]] = fly.add_offset(%[[P]], %[[K3]])
// CHECK:       fly.ptr.store(%[[R3]], %[[P3]])
func.func @store_vec_runs(%p: !fly.ptr<f32, global>, %x: vector<12xf32>) {
  %l = fly.static : !fly.layout<(2,3,2):(3,1,20)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,3,2):(3,1,20)>) -> !fly.memref<f32, global, (2,3,2):(3,1,20)>
  fly.memref.store_vec(%x, %m) : (vector<12xf32>, !fly.memref<f32, global, (2,3,2):(3,1,20)>) -> ()
  return
}

// -----

// Several modes of stride 1: runs along the first of them.

// DIFF: load-vec-unit-strides
// CHECK-LABEL: func.func @load_vec_aliased
// CHECK-SAME:  (%[[P:.*]]: !fly.ptr<f32, global>)
// CHECK:       %[[P0:.*]] = fly.add_offset(%[[P]], %{{.*}}) : {{.*}}!fly.int_tuple<0>
// CHECK:       %[[E0:.*]] = fly.ptr.load(%[[P0]]) : (!fly.ptr<f32, global>) -> vector<2xf32>
// CHECK:       %[[V0:.*]] = vector.insert_strided_slice %[[E0]], %{{.*}} {offsets = [0], strides = [1]}
// CHECK:       %[[P1:.*]] = fly.add_offset(%[[P]], %{{.*}}) : {{.*}}!fly.int_tuple<1>
// CHECK:       %[[E1:.*]] = fly.ptr.load(%[[P1]]) : (!fly.ptr<f32, global>) -> vector<2xf32>
// CHECK:       %[[V1:.*]] = vector.insert_strided_slice %[[E1]], %[[V0]] {offsets = [2], strides = [1]}
// CHECK-NOT:   vector.transpose
// CHECK:       return %[[V1]]
func.func @load_vec_aliased(%p: !fly.ptr<f32, global>) -> vector<4xf32> {
  %l = fly.static : !fly.layout<(2,2):(1,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,2):(1,1)>) -> !fly.memref<f32, global, (2,2):(1,1)>
  %v = fly.memref.load_vec(%m) : (!fly.memref<f32, global, (2,2):(1,1)>) -> vector<4xf32>
  return %v : vector<4xf32>
}

// -----

// Elements that the layout names twice are stored one by one: the last stays.

// CHECK-LABEL: func.func @store_vec_aliased
// CHECK-SAME:  (%[[P:.*]]: !fly.ptr<f32, global>, %[[X:.*]]: vector<4xf32>)
// CHECK:       %[[E0:.*]] = vector.extract %[[X]][0]
// CHECK:       %[[P0:.*]] = fly.add_offset(%[[P]], %{{.*}}) : {{.*}}!fly.int_tuple<0>
// CHECK:       fly.ptr.store(%[[E0]], %[[P0]])
// CHECK:       %[[E1:.*]] = vector.extract %[[X]][1]
// CHECK:       %[[P1:.*]] = fly.add_offset(%[[P]], %{{.*}}) : {{.*}}!fly.int_tuple<1>
// CHECK:       fly.ptr.store(%[[E1]], %[[P1]])
// CHECK:       %[[E2:.*]] = vector.extract %[[X]][2]
// CHECK:       fly.ptr.store(%[[E2]], %[[P1]])
// CHECK:       %[[E3:.*]] = vector.extract %[[X]][3]
// CHECK:       %[[P3:.*]] = fly.add_offset(%[[P]], %{{.*}}) : {{.*}}!fly.int_tuple<2>
// CHECK:       fly.ptr.store(%[[E3]], %[[P3]])
func.func @store_vec_aliased(%p: !fly.ptr<f32, global>, %x: vector<4xf32>) {
  %l = fly.static : !fly.layout<(2,2):(1,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,2):(1,1)>) -> !fly.memref<f32, global, (2,2):(1,1)>
  fly.memref.store_vec(%x, %m) : (vector<4xf32>, !fly.memref<f32, global, (2,2):(1,1)>) -> ()
  return
}

// -----

// A swizzle moves blocks of 2^base bytes: a run that leaves its block is taken
// apart, one that does not stays whole.

// CHECK-LABEL: func.func @load_vec_swizzled
// CHECK-COUNT-4: fly.ptr.load(%{{.*}}) : {{.*}} -> f32
// CHECK:       fly.ptr.load(%{{.*}}) : {{.*}} -> vector<4xf32>
func.func @load_vec_swizzled(%p: !fly.ptr<f32, shared, align<16>, S<2,3,3>>, %q: !fly.ptr<f32, shared, align<16>, S<2,4,3>>) -> (vector<4xf32>, vector<4xf32>) {
  %l = fly.static : !fly.layout<4:1>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f32, shared, align<16>, S<2,3,3>>, !fly.layout<4:1>) -> !fly.memref<f32, shared, 4:1, align<16>, S<2,3,3>>
  %n = fly.make_view(%q, %l) : (!fly.ptr<f32, shared, align<16>, S<2,4,3>>, !fly.layout<4:1>) -> !fly.memref<f32, shared, 4:1, align<16>, S<2,4,3>>
  %v = fly.memref.load_vec(%m) : (!fly.memref<f32, shared, 4:1, align<16>, S<2,3,3>>) -> vector<4xf32>
  %w = fly.memref.load_vec(%n) : (!fly.memref<f32, shared, 4:1, align<16>, S<2,4,3>>) -> vector<4xf32>
  return %v, %w : vector<4xf32>, vector<4xf32>
}

// -----

// Static coordinates become one constant, run-time ones are computed.

// CHECK-LABEL: func.func @load_vec_coords
// CHECK-SAME:  (%[[B:.*]]: i32)
// CHECK-DAG:   %[[V:.*]] = arith.constant dense<[5, 6, 15, 16]> : vector<4xi32>
// CHECK-DAG:   %[[C10:.*]] = arith.constant 10 : i32
// CHECK-DAG:   %[[S:.*]] = arith.addi %[[B]], %[[C10]] : i32
// CHECK-DAG:   %[[W0:.*]] = vector.insert %[[B]], %{{.*}} [0]
// CHECK-DAG:   %[[W1:.*]] = vector.insert %[[S]], %[[W0]] [1]
// CHECK:       return %[[V]], %[[W1]]
func.func @load_vec_coords(%b: i32) -> (vector<4xi32>, vector<2xi32>) {
  %b5 = fly.static : !fly.int_tuple<5>
  %l = fly.static : !fly.layout<(2,2):(1,10)>
  %t = fly.make_view(%b5, %l) : (!fly.int_tuple<5>, !fly.layout<(2,2):(1,10)>) -> !fly.coord_tensor<5, (2,2):(1,10)>
  %v = fly.memref.load_vec(%t) : (!fly.coord_tensor<5, (2,2):(1,10)>) -> vector<4xi32>
  %bb = fly.make_coord(%b) : (i32) -> !fly.int_tuple<?>
  %k = fly.static : !fly.layout<2:10>
  %u = fly.make_view(%bb, %k) : (!fly.int_tuple<?>, !fly.layout<2:10>) -> !fly.coord_tensor<?, 2:10>
  %w = fly.memref.load_vec(%u) : (!fly.coord_tensor<?, 2:10>) -> vector<2xi32>
  return %v, %w : vector<4xi32>, vector<2xi32>
}

// -----

// The coordinate of an element is base + crd2idx.

// CHECK-LABEL: func.func @load_coord
// CHECK-SAME:  (%[[B:.*]]: i32, %[[I:.*]]: i32)
// CHECK:       %[[S:.*]] = arith.addi %[[B]], %[[I]] : i32
// CHECK:       %[[R:.*]] = fly.make_int_tuple(%[[S]]) : (i32) -> !fly.int_tuple<(?,13)>
// CHECK:       return %[[R]]
func.func @load_coord(%b: i32, %i: i32) -> !fly.int_tuple<(?,13)> {
  %base = fly.make_coord(%b) : (i32) -> !fly.int_tuple<(?,7)>
  %l = fly.static : !fly.layout<(6,8):(1E0,2E1)>
  %t = fly.make_view(%base, %l) : (!fly.int_tuple<(?,7)>, !fly.layout<(6,8):(1E0,2E1)>) -> !fly.coord_tensor<(?,7), (6,8):(1E0,2E1)>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,3)>
  %r = fly.memref.load(%t, %c) : (!fly.coord_tensor<(?,7), (6,8):(1E0,2E1)>, !fly.int_tuple<(?,3)>) -> !fly.int_tuple<(?,13)>
  return %r : !fly.int_tuple<(?,13)>
}

// -----

// New shared memory of a swizzled tensor has whole blocks of 2^(base+mask) bytes.

// DIFF: swizzled-memory
// CHECK-LABEL: func.func @swizzled_allocation
// CHECK:       fly.make_ptr() {dictAttrs = {allocAlign = 32 : i64, allocBytes = 64 : i64}} : () -> !fly.ptr<f16, shared, S<2,3,3>>
// CHECK:       fly.make_ptr() {dictAttrs = {allocAlign = 64 : i64, allocBytes = 64 : i64}} : () -> !fly.ptr<f16, shared, align<64>, S<2,3,3>>
func.func @swizzled_allocation() -> (!fly.memref<f16, shared, (4,3):(1,10), S<2,3,3>>, !fly.memref<f16, shared, (4,3):(1,10), align<64>, S<2,3,3>>) {
  %l = fly.static : !fly.layout<(4,3):(1,10)>
  %s = fly.memref.alloca(%l) : (!fly.layout<(4,3):(1,10)>) -> !fly.memref<f16, shared, (4,3):(1,10), S<2,3,3>>
  %t = fly.memref.alloca(%l) : (!fly.layout<(4,3):(1,10)>) -> !fly.memref<f16, shared, (4,3):(1,10), align<64>, S<2,3,3>>
  return %s, %t : !fly.memref<f16, shared, (4,3):(1,10), S<2,3,3>>, !fly.memref<f16, shared, (4,3):(1,10), align<64>, S<2,3,3>>
}

// -----

// New memory counts the elements up to the last index.

// DIFF: alloca-space
// CHECK-LABEL: func.func @allocations
// CHECK:       fly.make_ptr() {dictAttrs = {allocSize = 24 : i64}} : () -> !fly.ptr<f16, register>
// CHECK:       fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 48 : i64}} : () -> !fly.ptr<f16, shared, align<16>>
func.func @allocations() -> (!fly.memref<f16, register, (4,3):(1,10)>, !fly.memref<f16, shared, (4,3):(1,10), align<16>>) {
  %l = fly.static : !fly.layout<(4,3):(1,10)>
  %r = fly.memref.alloca(%l) : (!fly.layout<(4,3):(1,10)>) -> !fly.memref<f16, register, (4,3):(1,10)>
  %s = fly.memref.alloca(%l) : (!fly.layout<(4,3):(1,10)>) -> !fly.memref<f16, shared, (4,3):(1,10), align<16>>
  return %r, %s : !fly.memref<f16, register, (4,3):(1,10)>, !fly.memref<f16, shared, (4,3):(1,10), align<16>>
}

// -----

// Index 0 lies behind the indices of negative strides: 6 elements, and where the
// alignment asks for it, 8.

// DIFF: alloca-negative
// CHECK-LABEL: func.func @negative_strides
// CHECK:       %[[R:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 27 : i64}} : () -> !fly.ptr<f16, register>
// CHECK:       %[[SIX:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<6>
// CHECK:       %[[RO:.*]] = fly.add_offset(%[[R]], %[[SIX]])
// CHECK:       fly.make_view(%[[RO]],
// CHECK:       %[[S:.*]] = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 58 : i64}} : () -> !fly.ptr<f16, shared, align<16>>
// CHECK:       %[[EIGHT:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<8>
// CHECK:       %[[SO:.*]] = fly.add_offset(%[[S]], %[[EIGHT]]) {{.*}} -> !fly.ptr<f16, shared, align<16>>
// CHECK:       fly.make_view(%[[SO]],
func.func @negative_strides() -> (!fly.memref<f16, register, (4,3):(-2,10)>, !fly.memref<f16, shared, (4,3):(-2,10), align<16>>) {
  %l = fly.static : !fly.layout<(4,3):(-2,10)>
  %r = fly.memref.alloca(%l) : (!fly.layout<(4,3):(-2,10)>) -> !fly.memref<f16, register, (4,3):(-2,10)>
  %s = fly.memref.alloca(%l) : (!fly.layout<(4,3):(-2,10)>) -> !fly.memref<f16, shared, (4,3):(-2,10), align<16>>
  return %r, %s : !fly.memref<f16, register, (4,3):(-2,10)>, !fly.memref<f16, shared, (4,3):(-2,10), align<16>>
}
