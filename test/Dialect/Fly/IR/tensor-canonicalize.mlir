// RUN: fly-opt %s -canonicalize -split-input-file | FileCheck %s

// What the stock canonicaliser makes of tensors, pointers and atoms.

!P = !fly.ptr<f32, shared, align<16>>
!L = !fly.layout<(?,6):(6,1)>
!M = !fly.memref<f32, shared, (?,6):(6,1), align<16>>
// CHECK-LABEL: func.func @parts(
// CHECK-NEXT: return %arg0, %arg1, %arg2
func.func @parts(%p: !P, %l: !L, %m: !M) -> (!P, !L, !M) {
  %0 = fly.make_view(%p, %l) : (!P, !L) -> !M
  %1 = fly.get_iter(%0) : (!M) -> !P
  %2 = fly.get_layout(%0) : (!M) -> !L
  %3 = fly.get_iter(%m) : (!M) -> !P
  %4 = fly.get_layout(%m) : (!M) -> !L
  %5 = fly.make_view(%3, %4) : (!P, !L) -> !M
  return %1, %2, %5 : !P, !L, !M
}

// -----

// Equal layouts on two pointers are two tensors.
!P = !fly.ptr<f32, shared>
!M = !fly.memref<f32, shared, 4:1>
// CHECK-LABEL: func.func @another_pointer(
func.func @another_pointer(%p: !P, %m: !M) -> !M {
  // CHECK: %[[V:.*]] = fly.make_view(%arg0
  // CHECK: return %[[V]]
  %0 = fly.get_layout(%m) : (!M) -> !fly.layout<4:1>
  %1 = fly.make_view(%p, %0) : (!P, !fly.layout<4:1>) -> !M
  return %1 : !M
}

// -----

// Nothing moves.
!P = !fly.ptr<f16, shared, align<32>>
!M = !fly.memref<f16, shared, (2,3):(1,2), align<32>>
// CHECK-LABEL: func.func @not_moved(
// CHECK-NEXT: return %arg0, %arg1, %arg1, %arg0
func.func @not_moved(%p: !P, %m: !M) -> (!P, !M, !M, !P) {
  %0 = fly.static : !fly.int_tuple<0>
  %1 = fly.add_offset(%p, %0) : (!P, !fly.int_tuple<0>) -> !P
  %2 = fly.decomposition(%m) : (!M) -> !M
  %3 = fly.static : !fly.int_tuple<(*,*)>
  %4 = fly.slice(%m, %3) : (!M, !fly.int_tuple<(*,*)>) -> !M
  %5 = fly.recast_iter(%p) : (!P) -> !P
  return %1, %2, %4, %5 : !P, !M, !M, !P
}

// -----

// A pointer that moves keeps its operation, also where its type stays.
!P = !fly.ptr<f16, shared>
!M = !fly.memref<f16, shared, (2,3):(1,2)>
// CHECK-LABEL: func.func @moved(
func.func @moved(%p: !P, %x: !fly.int_tuple<?>) -> (!P, !P) {
  // CHECK: %[[A:.*]] = fly.add_offset(%arg0, %{{.*}}) : {{.*}}int_tuple<3>
  // CHECK: %[[B:.*]] = fly.add_offset(%arg0, %arg1)
  // CHECK: return %[[A]], %[[B]]
  %0 = fly.static : !fly.int_tuple<3>
  %1 = fly.add_offset(%p, %0) : (!P, !fly.int_tuple<3>) -> !P
  %2 = fly.add_offset(%p, %x) : (!P, !fly.int_tuple<?>) -> !P
  return %1, %2 : !P, !P
}

// -----

// CHECK-LABEL: func.func @coordinates(
// CHECK-DAG: %[[A:.*]] = fly.static : !fly.coord_tensor<(6,4), 5:1E1>
// CHECK-DAG: %[[B:.*]] = fly.static : !fly.int_tuple<(7,8)>
// CHECK-NOT: fly
// CHECK: return %[[A]], %[[B]], %arg0
!T = !fly.coord_tensor<(4,?), (3,5):(1E0,1E1)>
func.func @coordinates(%t: !T) -> (!fly.coord_tensor<(6,4), 5:1E1>, !fly.int_tuple<(7,8)>, !T) {
  %b = fly.make_int_tuple() : () -> !fly.int_tuple<(4,4)>
  %s = fly.static : !fly.int_tuple<(3,5)>
  %l = fly.make_identity_layout(%s) : (!fly.int_tuple<(3,5)>) -> !fly.layout<(3,5):(1E0,1E1)>
  %v = fly.make_view(%b, %l) : (!fly.int_tuple<(4,4)>, !fly.layout<(3,5):(1E0,1E1)>) -> !fly.coord_tensor<(4,4), (3,5):(1E0,1E1)>
  %c = fly.static : !fly.int_tuple<(2,*)>
  %0 = fly.slice(%v, %c) : (!fly.coord_tensor<(4,4), (3,5):(1E0,1E1)>, !fly.int_tuple<(2,*)>) -> !fly.coord_tensor<(6,4), 5:1E1>
  %e = fly.static : !fly.int_tuple<(3,4)>
  %1 = fly.memref.load(%v, %e) : (!fly.coord_tensor<(4,4), (3,5):(1E0,1E1)>, !fly.int_tuple<(3,4)>) -> !fly.int_tuple<(7,8)>
  %2 = fly.get_iter(%t) : (!T) -> !fly.int_tuple<(4,?)>
  %3 = fly.get_layout(%t) : (!T) -> !fly.layout<(3,5):(1E0,1E1)>
  %4 = fly.make_view(%2, %3) : (!fly.int_tuple<(4,?)>, !fly.layout<(3,5):(1E0,1E1)>) -> !T
  return %0, %1, %4 : !fly.coord_tensor<(6,4), 5:1E1>, !fly.int_tuple<(7,8)>, !T
}

// -----

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!U = !fly.copy_atom<!fly.universal_copy<64>, 16>
!TC = !fly.tiled_copy<!U, <((4,3),4):((4,16),1)>, <[16|3]>>
!TM = !fly.tiled_mma<!F, <(2,3,1):(1,2,0)>>
// CHECK-LABEL: func.func @atoms(
// CHECK-DAG: %[[U:.*]] = fly.static : !fly.copy_atom<!fly.universal_copy<64>, 16>
// CHECK-DAG: %[[F:.*]] = fly.static : !fly.mma_atom<
// CHECK-DAG: %[[TC:.*]] = fly.static : !fly.tiled_copy<
// CHECK-DAG: %[[TM:.*]] = fly.static : !fly.tiled_mma<
// CHECK-NOT: fly.make
// CHECK: return %[[TC]], %[[U]], %[[TM]], %[[F]]
func.func @atoms() -> (!TC, !U, !TM, !F) {
  %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
  %l = fly.static : !fly.layout<((4,3),4):((4,16),1)>
  %t = fly.static : !fly.tile<[16|3]>
  %tc = fly.make_tiled_copy(%u, %l, %t) : (!U, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>) -> !TC
  %u1 = fly.get_copy_atom(%tc) : (!TC) -> !U
  %m = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  %k = fly.static : !fly.layout<(2,3,1):(1,2,0)>
  %tm = fly.make_tiled_mma(%m, %k) : (!F, !fly.layout<(2,3,1):(1,2,0)>) -> !TM
  %m1 = fly.get_mma_atom(%tm) : (!TM) -> !F
  return %tc, %u1, %tm, %m1 : !TC, !U, !TM, !F
}
