// RUN: fly-opt %s -convert-fly-to-rocdl -canonicalize -split-input-file | FileCheck %s
//
// Copies driven by coordinates: construction, state, descriptor words.

!L = !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [4, 16, 64], elem = f16, tensor2tdm = (1E0,1E1,1E2), atomicBarrier = true, padInterval = 64, padAmount = 8>, 16>
!C = !fly.coord_tensor<(?,0,?), (4,16,64):(1E2,1E1,1E0)>
!S = !fly.memref<f16, shared, (4,16,64):(1152,72,1)>

// CHECK-LABEL: func @load(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>, %[[S0:[^:]*]]: i64, %[[E0:[^:]*]]: i32, %[[X:[^:]*]]: i32, %[[Z:[^:]*]]: i32, %[[S:[^:]*]]: !llvm.ptr<3>, %[[BAR:[^:]*]]: !llvm.ptr<3>, %[[M:[^:]*]]: i32)
// Config: barrier, padding 64/8, 2 bytes; tile dims 16 and 4.
// CHECK-DAG: %[[CFG:.*]] = arith.constant 118816768 : i32
// CHECK-DAG: %[[TILE:.*]] = arith.constant 262160 : i32
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[MAX:.*]] = arith.constant 281474976710655 : i64
// The stride that is known at run time only is promised to fit.
// CHECK: %[[FITS:.*]] = arith.cmpi ule, %[[S0]], %[[MAX]] : i64
// CHECK: llvm.intr.assume %[[FITS]] : i1
// CHECK: %[[B:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr<1> to i64
// The coordinate's last leaf is the outermost dimension.
// CHECK: %[[ZP:.*]] = arith.cmpi sge, %[[Z]], %{{.*}} : i32
// CHECK: llvm.intr.assume %[[ZP]]
// CHECK: %[[ZW:.*]] = arith.extui %[[Z]] : i32 to i64
// CHECK: %[[ZM:.*]] = arith.muli %[[ZW]], %[[S0]] : i64
// CHECK: %[[XW:.*]] = arith.extui %[[X]] : i32 to i64
// CHECK: %[[SUM:.*]] = arith.addi %[[ZM]], %[[XW]] : i64
// CHECK: %[[BYTES:.*]] = arith.muli %[[SUM]], %{{.*}} : i64
// CHECK: %[[ADDR:.*]] = arith.addi %[[B]], %[[BYTES]] : i64
// Only dimension 0 is clipped.
// CHECK: %[[LEFT:.*]] = arith.subi %[[E0]], %[[Z]] : i32
// CHECK: %[[D2:.*]] = arith.maxsi %[[LEFT]], %{{.*}} : i32
// CHECK: %[[LDS:.*]] = llvm.ptrtoint %[[S]] : !llvm.ptr<3> to i32
// CHECK: arith.cmpi ule, %[[M]], %{{.*}} : i32
// CHECK: %[[BA:.*]] = llvm.ptrtoint %[[BAR]] : !llvm.ptr<3> to i32
// CHECK: vector.from_elements %[[C1]], %[[LDS]], %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK: %[[MASK:.*]] = arith.andi %[[M]], %{{.*}} : i32
// CHECK: %[[W0:.*]] = arith.ori %[[MASK]], %[[CFG]] : i32
// CHECK: %[[BH:.*]] = arith.shrui %[[BA]], %{{.*}} : i32
// CHECK: %[[BM:.*]] = arith.andi %[[BH]], %{{.*}} : i32
// CHECK: %[[W1:.*]] = arith.ori %[[BM]], %{{.*}} : i32
// CHECK: vector.from_elements %[[W0]], %[[W1]], %{{.*}}, %{{.*}}, %[[TILE]], {{.*}} : vector<8xi32>
// CHECK: vector.from_elements %[[D2]], {{.*}} : vector<4xi32>
// CHECK: rocdl.tensor.load.to.lds {{.*}} cachepolicy 0 : vector<4xi32>, vector<8xi32>
func.func @load(%p: !fly.ptr<f16, global>, %s0: i64, %e0: i32, %x: i32, %z: i32, %s: !S, %bar: !fly.ptr<i64, shared>, %m: i32) {
  %s1 = arith.constant 64 : i64
  %e1 = arith.constant 16 : i32
  %e2 = arith.constant 64 : i32
  %a = fly.make_copy_atom(%p, %s0, %s1, %e0, %e1, %e2 : !fly.ptr<f16, global>, i64, i64, i32, i32, i32) {valBits = 16 : i32} : !L
  %axes = fly.make_int_tuple() : () -> !fly.int_tuple<(1,0,0)>
  %b = fly.atom.set_value(%a, "boundary_check_axes", %axes) : (!L, !fly.int_tuple<(1,0,0)>) -> !L
  %c = fly.atom.set_value(%b, "atomic_barrier_addr", %bar) : (!L, !fly.ptr<i64, shared>) -> !L
  %d = fly.atom.set_value(%c, "workgroup_mask", %m) : (!L, i32) -> !L
  %base = fly.make_int_tuple(%x, %z) : (i32, i32) -> !fly.int_tuple<(?,0,?)>
  %l = fly.static : !fly.layout<(4,16,64):(1E2,1E1,1E0)>
  %ct = fly.make_view(%base, %l) : (!fly.int_tuple<(?,0,?)>, !fly.layout<(4,16,64):(1E2,1E1,1E0)>) -> !C
  fly.copy_atom_call(%d, %ct, %s) : (!L, !C, !S) -> ()
  return
}

// -----

!S1 = !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64], elem = f16, tensor2tdm = 1E0, iterCount = 4>, 16>

// One dimension, four iterations: config 589824, group 2 has the increments.
// CHECK-LABEL: func @iterate(
// CHECK-SAME: %{{.*}}: !llvm.ptr<1>, %{{.*}}: i32, %[[IT:[^:]*]]: i64
// CHECK-DAG: %[[CFG:.*]] = arith.constant 589824 : i32
// CHECK-DAG: %[[COUNT:.*]] = arith.constant 196608 : i32
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i32
// CHECK: %[[LO:.*]] = arith.trunci %[[IT]] : i64 to i32
// CHECK: %[[LAST:.*]] = arith.ori %{{.*}}, %[[COUNT]] : i32
// CHECK: vector.from_elements %{{.*}}, %[[C64]], %[[LO]], %[[LAST]] : vector<4xi32>
// CHECK: rocdl.tensor.load.to.lds
func.func @iterate(%g: !fly.ptr<f16, global>, %e: i32, %it: i64, %s: !fly.memref<f16, shared, 256:1>) {
  %a = fly.make_copy_atom(%g, %e, %it : !fly.ptr<f16, global>, i32, i64) {valBits = 16 : i32} : !S1
  %base = fly.make_int_tuple() : () -> !fly.int_tuple<(0)>
  %l = fly.static : !fly.layout<(256):(1E0)>
  %ct = fly.make_view(%base, %l) : (!fly.int_tuple<(0)>, !fly.layout<(256):(1E0)>) -> !fly.coord_tensor<(0), (256):(1E0)>
  fly.copy_atom_call(%a, %ct, %s) : (!S1, !fly.coord_tensor<(0), (256):(1E0)>, !fly.memref<f16, shared, 256:1>) -> ()
  return
}

// -----

!T = !fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [8, 32], elem = f32, tensor2tdm = (1E0,1E1), cacheModifier = 3>, 32>
!C = !fly.coord_tensor<(0,8), (8,32):(1E1,1E0)>
!S = !fly.memref<f32, shared, (8,32):(32,1)>

// CHECK-LABEL: func @store(
// CHECK: scf.if
// CHECK: rocdl.tensor.store.from.lds {{.*}} cachepolicy 3
func.func @store(%g: !fly.ptr<f32, global>, %st: i64, %e0: i32, %e1: i32, %s: !S, %p: i1) {
  %a = fly.make_copy_atom(%g, %st, %e0, %e1 : !fly.ptr<f32, global>, i64, i32, i32) {valBits = 32 : i32} : !T
  %base = fly.make_int_tuple() : () -> !fly.int_tuple<(0,8)>
  %l = fly.static : !fly.layout<(8,32):(1E1,1E0)>
  %ct = fly.make_view(%base, %l) : (!fly.int_tuple<(0,8)>, !fly.layout<(8,32):(1E1,1E0)>) -> !C
  fly.copy_atom_call_ssa(%a, %s, %ct, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!T, !S, !C, i1) -> ()
  return
}
