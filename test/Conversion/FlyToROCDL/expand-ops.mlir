// RUN: fly-opt %s -fly-rocdl-expand-ops | FileCheck %s
// RUN: fly-opt %s | FileCheck %s --check-prefix=INFER
//
// Constructors of tensor copies. The inferred types are the table of the
// reference: how the modes of tensor, shared tile and tiler meet.

!T = !fly.memref<f16, global, (256,512):(512,1)>
!LA = !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>
!CA = !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>

// CHECK-LABEL: func @two_waves(
// CHECK-SAME: %[[T:[^:]*]]: !fly.memref
// CHECK: %[[P:.*]] = fly.get_iter(%[[T]])
// CHECK: %[[S:.*]] = arith.constant 512 : i64
// CHECK: %[[E0:.*]] = arith.constant 256 : i32
// CHECK: %[[E1:.*]] = arith.constant 512 : i32
// CHECK: %[[A:.*]] = fly.make_copy_atom(%[[P]], %[[S]], %[[E0]], %[[E1]] : !fly.ptr<f16, global>, i64, i32, i32) {valBits = 16 : i32}
// CHECK: %[[F:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,1)>
// CHECK: %[[B:.*]] = fly.atom.set_value(%[[A]], "boundary_check_axes", %[[F]])
// CHECK: %[[Z:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<(0,0)>
// CHECK: %[[SH:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<(256,512)>
// CHECK: %[[ST:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1E1,1E0)>
// CHECK: %[[LY:.*]] = fly.make_layout(%[[SH]], %[[ST]])
// CHECK: %[[V:.*]] = fly.make_view(%[[Z]], %[[LY]])
// CHECK: return %[[B]], %[[V]]
// INFER-LABEL: func @two_waves(
// INFER: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} {numWarps = 2 : i32} : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
func.func @two_waves(%t: !T) -> (!LA, !CA) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {numWarps = 2 : i32} : !T, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return %a, %c : !LA, !CA
}

// A dead constructor goes.
// CHECK-LABEL: func @dead(
// CHECK-NOT: fly_rocdl.make_tiled
// CHECK-NOT: make_copy_atom
// CHECK: return
func.func @dead(%t: !T) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !T, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return
}

// Run-time strides and extents are read from the tensor; no clipping on demand.
// CHECK-LABEL: func @dynamic(
// CHECK: %[[LS:.*]] = fly.get_layout
// CHECK: %[[ST:.*]] = fly.get_stride(%[[LS]])
// CHECK: %[[SV:.*]]:2 = fly.get_leaves(%[[ST]])
// CHECK: %[[W:.*]] = arith.extsi %[[SV]]#0 : i32 to i64
// CHECK: %[[EV:.*]]:2 = fly.get_leaves(
// CHECK: fly.make_copy_atom(%{{.*}}, %[[W]], %[[EV]]#0, %{{.*}} : !fly.ptr<f16, global>, i64, i32, i32)
// CHECK: fly.make_int_tuple() : () -> !fly.int_tuple<(0,0)>
// CHECK: "boundary_check_axes"
func.func @dynamic(%t: !fly.memref<f16, global, (?,512):(?{div=8},1)>) -> !fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16> {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_store_atom %t, %l, %b {initBoundaryCheck = false} : !fly.memref<f16, global, (?,512):(?{div=8},1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return %a : !fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>
}

// The flags of the tensor's modes become those of the dimensions.
// CHECK-LABEL: func @check(
// CHECK-SAME: %[[A:[^:]*]]: !fly.copy_atom{{.*}}, %[[X:[^:]*]]: i32)
// CHECK: %[[V:.*]]:3 = fly.get_leaves(
// CHECK: %[[Z:.*]] = arith.constant 0 : i32
// CHECK: %[[N:.*]] = arith.cmpi ne, %[[V]]#2, %[[Z]] : i32
// CHECK: %[[F:.*]] = arith.extui %[[N]] : i1 to i32
// CHECK: %[[T:.*]] = fly.make_int_tuple(%[[F]]) : (i32) -> !fly.int_tuple<(1,?)>
// CHECK: fly.atom.set_value(%[[A]], "boundary_check_axes", %[[T]])
!M = !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (16E0,1E0,1E1)>, 16>
func.func @check(%a: !M, %x: i32) -> !M {
  %t = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<(1,0,?)>
  %b = fly.atom.set_value(%a, "boundary_check", %t) : (!M, !fly.int_tuple<(1,0,?)>) -> !M
  return %b : !M
}
