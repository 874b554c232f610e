// RUN: fly-opt %s -fly-layout-lowering -fly-convert-atom-call-to-ssa-form -split-input-file | FileCheck %s

// The parts of a copy in ascending order, with the predicate of each.

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>

// CHECK-LABEL: func.func @reduced_predicate
// CHECK-SAME: (%[[U:.*]]: !fly.copy_atom<{{.*}}>, %[[S:.*]]: !fly.ptr<f32, global>, %[[D:.*]]: !fly.ptr<f32, global>, %[[P:.*]]: !fly.ptr<i1, global>)
// CHECK-DAG: %[[S0:.*]] = fly.add_offset(%[[S]], %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<0>)
// CHECK-DAG: %[[SV0:.*]] = fly.make_view(%[[S0]], %{{.*}}) : {{.*}} -> !fly.memref<f32, global, 1:0>
// CHECK-DAG: %[[D0:.*]] = fly.add_offset(%[[D]], %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<0>)
// CHECK-DAG: %[[DV0:.*]] = fly.make_view(%[[D0]], %{{.*}}) : {{.*}} -> !fly.memref<f32, global, 1:0>
// CHECK-DAG: %[[P0:.*]] = fly.add_offset(%[[P]], %{{.*}}) : (!fly.ptr<i1, global>, !fly.int_tuple<0>)
// CHECK-DAG: %[[PV0:.*]] = fly.make_view(%[[P0]], %{{.*}}) : {{.*}} -> !fly.memref<i1, global, 1:0>
// CHECK:     fly.copy_atom_call(%[[U]], %[[SV0]], %[[DV0]], %[[PV0]])
// CHECK-DAG: %[[S1:.*]] = fly.add_offset(%[[S]], %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<5>)
// CHECK-DAG: %[[SV1:.*]] = fly.make_view(%[[S1]],
// CHECK-DAG: %[[D1:.*]] = fly.add_offset(%[[D]], %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<1>)
// CHECK-DAG: %[[DV1:.*]] = fly.make_view(%[[D1]],
// CHECK-DAG: %[[P1:.*]] = fly.add_offset(%[[P]], %{{.*}}) : (!fly.ptr<i1, global>, !fly.int_tuple<3>)
// CHECK-DAG: %[[PV1:.*]] = fly.make_view(%[[P1]],
// CHECK:     fly.copy_atom_call(%[[U]], %[[SV1]], %[[DV1]], %[[PV1]])
// CHECK-NEXT: return
func.func @reduced_predicate(%u: !U, %sp: !fly.ptr<f32, global>, %dp: !fly.ptr<f32, global>, %pp: !fly.ptr<i1, global>) {
  %sl = fly.static : !fly.layout<(1,2):(0,5)>
  %dl = fly.static : !fly.layout<(1,2):(0,1)>
  %pl = fly.static : !fly.layout<2:3>
  %s = fly.make_view(%sp, %sl) : (!fly.ptr<f32, global>, !fly.layout<(1,2):(0,5)>) -> !fly.memref<f32, global, (1,2):(0,5)>
  %d = fly.make_view(%dp, %dl) : (!fly.ptr<f32, global>, !fly.layout<(1,2):(0,1)>) -> !fly.memref<f32, global, (1,2):(0,1)>
  %p = fly.make_view(%pp, %pl) : (!fly.ptr<i1, global>, !fly.layout<2:3>) -> !fly.memref<i1, global, 2:3>
  fly.copy(%u, %s, %d, %p) : (!U, !fly.memref<f32, global, (1,2):(0,5)>, !fly.memref<f32, global, (1,2):(0,1)>, !fly.memref<i1, global, 2:3>) -> ()
  return
}

// -----

// A tiled copy gives its atom; a rank-1 tuple its one mode.

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>
!T = !fly.tiled_copy<!U, !fly.layout<(4,1):(1,1)>, !fly.tile<[4]>>

// CHECK-LABEL: func.func @tiled
// CHECK:      %[[U:.*]] = fly.make_copy_atom {valBits = 32 : i32}
// CHECK:      fly.copy_atom_call(%[[U]], %{{.*}}, %{{.*}}) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<f32, global, 1:0>, !fly.memref<f32, global, 1:0>) -> ()
// CHECK-NEXT: return
func.func @tiled(%t: !T, %s: !fly.memref<f32, global, (1):(0)>) {
  fly.copy(%t, %s, %s) : (!T, !fly.memref<f32, global, (1):(0)>, !fly.memref<f32, global, (1):(0)>) -> ()
  return
}

// -----

// The default order is k outermost, then m, then n; the first visit of (m, n)
// takes c, all further ones d.

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>

// CHECK-LABEL: func.func @gemm_nmk
// CHECK-SAME: (%[[M:.*]]: !fly.mma_atom<{{.*}}>, %[[D:.*]]: !fly.ptr<f32, global>, %[[A:.*]]: !fly.ptr<f32, shared>, %[[B:.*]]: !fly.ptr<f32, generic>, %[[C:.*]]: !fly.ptr<f32, register>)
// CHECK-DAG: %[[PA00:.*]] = fly.add_offset(%[[A]], %{{.*}}) : {{.*}}!fly.int_tuple<0>)
// CHECK-DAG: %[[A00:.*]] = fly.make_view(%[[PA00]],
// CHECK-DAG: %[[PB00:.*]] = fly.add_offset(%[[B]], %{{.*}}) : {{.*}}!fly.int_tuple<0>)
// CHECK-DAG: %[[B00:.*]] = fly.make_view(%[[PB00]],
// CHECK-DAG: %[[PD00:.*]] = fly.add_offset(%[[D]], %{{.*}}) : {{.*}}!fly.int_tuple<0>)
// CHECK-DAG: %[[D00:.*]] = fly.make_view(%[[PD00]],
// CHECK-DAG: %[[PC00:.*]] = fly.add_offset(%[[C]], %{{.*}}) : {{.*}}!fly.int_tuple<0>)
// CHECK-DAG: %[[C00:.*]] = fly.ptr.load(%[[PC00]]) : {{.*}} -> f32
// CHECK:     fly.mma_atom_call_ssa(%[[M]], %[[A00]], %[[B00]], %[[C00]]) dst = %[[D00]]
// CHECK-DAG: %[[PB10:.*]] = fly.add_offset(%[[B]], %{{.*}}) : {{.*}}!fly.int_tuple<1>)
// CHECK-DAG: %[[B10:.*]] = fly.make_view(%[[PB10]],
// CHECK-DAG: %[[PD01:.*]] = fly.add_offset(%[[D]], %{{.*}}) : {{.*}}!fly.int_tuple<2>)
// CHECK-DAG: %[[D01:.*]] = fly.make_view(%[[PD01]],
// CHECK-DAG: %[[PC01:.*]] = fly.add_offset(%[[C]], %{{.*}}) : {{.*}}!fly.int_tuple<2>)
// CHECK-DAG: %[[C01:.*]] = fly.ptr.load(%[[PC01]]) : {{.*}} -> f32
// CHECK:     fly.mma_atom_call_ssa(%[[M]], %[[A00]], %[[B10]], %[[C01]]) dst = %[[D01]]
// CHECK-DAG: %[[PA10:.*]] = fly.add_offset(%[[A]], %{{.*}}) : {{.*}}!fly.int_tuple<1>)
// CHECK-DAG: %[[A10:.*]] = fly.make_view(%[[PA10]],
// CHECK-DAG: %[[PD10:.*]] = fly.add_offset(%[[D]], %{{.*}}) : {{.*}}!fly.int_tuple<1>)
// CHECK-DAG: %[[D10:.*]] = fly.make_view(%[[PD10]],
// CHECK-DAG: %[[PC10:.*]] = fly.add_offset(%[[C]], %{{.*}}) : {{.*}}!fly.int_tuple<1>)
// CHECK-DAG: %[[C10:.*]] = fly.ptr.load(%[[PC10]]) : {{.*}} -> f32
// CHECK:     fly.mma_atom_call_ssa(%[[M]], %[[A10]], %[[B00]], %[[C10]]) dst = %[[D10]]
// CHECK-DAG: %[[PD11:.*]] = fly.add_offset(%[[D]], %{{.*}}) : {{.*}}!fly.int_tuple<3>)
// CHECK-DAG: %[[D11:.*]] = fly.make_view(%[[PD11]],
// CHECK-DAG: %[[PC11:.*]] = fly.add_offset(%[[C]], %{{.*}}) : {{.*}}!fly.int_tuple<3>)
// CHECK-DAG: %[[C11:.*]] = fly.ptr.load(%[[PC11]]) : {{.*}} -> f32
// CHECK:     fly.mma_atom_call_ssa(%[[M]], %[[A10]], %[[B10]], %[[C11]]) dst = %[[D11]]
// CHECK-DAG: %[[PA01:.*]] = fly.add_offset(%[[A]], %{{.*}}) : {{.*}}!fly.int_tuple<2>)
// CHECK-DAG: %[[A01:.*]] = fly.make_view(%[[PA01]],
// CHECK-DAG: %[[PB01:.*]] = fly.add_offset(%[[B]], %{{.*}}) : {{.*}}!fly.int_tuple<2>)
// CHECK-DAG: %[[B01:.*]] = fly.make_view(%[[PB01]],
// CHECK:     fly.mma_atom_call(%[[M]], %[[D00]], %[[A01]], %[[B01]], %[[D00]])
// CHECK-DAG: %[[PB11:.*]] = fly.add_offset(%[[B]], %{{.*}}) : {{.*}}!fly.int_tuple<3>)
// CHECK-DAG: %[[B11:.*]] = fly.make_view(%[[PB11]],
// CHECK:     fly.mma_atom_call(%[[M]], %[[D01]], %[[A01]], %[[B11]], %[[D01]])
// CHECK-DAG: %[[PA11:.*]] = fly.add_offset(%[[A]], %{{.*}}) : {{.*}}!fly.int_tuple<3>)
// CHECK-DAG: %[[A11:.*]] = fly.make_view(%[[PA11]],
// CHECK:     fly.mma_atom_call(%[[M]], %[[D10]], %[[A11]], %[[B01]], %[[D10]])
// CHECK:     fly.mma_atom_call(%[[M]], %[[D11]], %[[A11]], %[[B11]], %[[D11]])
// CHECK-NOT: mma_atom_call
func.func @gemm_nmk(%m: !F, %dp: !fly.ptr<f32, global>, %ap: !fly.ptr<f32, shared>, %bp: !fly.ptr<f32, generic>, %cp: !fly.ptr<f32, register>) {
  %l = fly.static : !fly.layout<(1,2,2):(0,1,2)>
  %d = fly.make_view(%dp, %l) : (!fly.ptr<f32, global>, !fly.layout<(1,2,2):(0,1,2)>) -> !fly.memref<f32, global, (1,2,2):(0,1,2)>
  %a = fly.make_view(%ap, %l) : (!fly.ptr<f32, shared>, !fly.layout<(1,2,2):(0,1,2)>) -> !fly.memref<f32, shared, (1,2,2):(0,1,2)>
  %b = fly.make_view(%bp, %l) : (!fly.ptr<f32, generic>, !fly.layout<(1,2,2):(0,1,2)>) -> !fly.memref<f32, generic, (1,2,2):(0,1,2)>
  %c = fly.make_view(%cp, %l) : (!fly.ptr<f32, register>, !fly.layout<(1,2,2):(0,1,2)>) -> !fly.memref<f32, register, (1,2,2):(0,1,2)>
  fly.gemm(%m, %d, %a, %b, %c) : (!F, !fly.memref<f32, global, (1,2,2):(0,1,2)>, !fly.memref<f32, shared, (1,2,2):(0,1,2)>, !fly.memref<f32, generic, (1,2,2):(0,1,2)>, !fly.memref<f32, register, (1,2,2):(0,1,2)>) -> ()
  return
}

// -----

// A swizzle that keeps the values of an atom together: the offset of each atom
// goes through it.

!U = !fly.copy_atom<!fly.universal_copy<64>, 16>

// CHECK-LABEL: func.func @swizzled
// CHECK-SAME:  (%{{.*}}, %[[S:.*]]: !fly.ptr<f16, shared, align<8>>,
// CHECK:       %[[K0:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<20>
// CHECK:       %[[P0:.*]] = fly.add_offset(%[[S]], %[[K0]]) : {{.*}} -> !fly.ptr<f16, shared, align<8>>
// CHECK:       %[[V0:.*]] = fly.make_view(%[[P0]], %{{.*}}) : {{.*}} -> !fly.memref<f16, shared, 4:1, align<8>>
// CHECK:       fly.copy_atom_call(%{{.*}}, %[[V0]],
// CHECK:       %[[K1:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<16>
// CHECK:       %[[P1:.*]] = fly.add_offset(%[[S]], %[[K1]])
// CHECK:       %[[V1:.*]] = fly.make_view(%[[P1]],
// CHECK:       fly.copy_atom_call(%{{.*}}, %[[V1]],
func.func @swizzled(%u: !U, %sp: !fly.ptr<f16, shared, align<8>>, %dp: !fly.ptr<f16, global>) {
  %sw = fly.static : !fly.swizzle<S<1,2,2>>
  %o = fly.static : !fly.int_tuple<16>
  %l = fly.static : !fly.layout<(4,2):(1,4)>
  %c = fly.make_composed_layout(%sw, %o, %l) : (!fly.swizzle<S<1,2,2>>, !fly.int_tuple<16>, !fly.layout<(4,2):(1,4)>) -> !fly.composed_layout<S<1,2,2> o 16 o (4,2):(1,4)>
  %s = fly.make_view(%sp, %c) : (!fly.ptr<f16, shared, align<8>>, !fly.composed_layout<S<1,2,2> o 16 o (4,2):(1,4)>) -> !fly.memref<f16, shared, S<1,2,2> o 16 o (4,2):(1,4), align<8>>
  %d = fly.make_view(%dp, %l) : (!fly.ptr<f16, global>, !fly.layout<(4,2):(1,4)>) -> !fly.memref<f16, global, (4,2):(1,4)>
  fly.copy(%u, %s, %d) : (!U, !fly.memref<f16, shared, S<1,2,2> o 16 o (4,2):(1,4), align<8>>, !fly.memref<f16, global, (4,2):(1,4)>) -> ()
  return
}
