// RUN: fly-opt %s -convert-fly-to-rocdl -canonicalize -split-input-file | FileCheck %s
//
// Tiles by gfx1250.tdm: state, descriptor words, waves.

!A = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, 0>
!G = !fly.memref<f16, global, (128,64):(256,1)>
!S = !fly.memref<f16, shared, (128,64):(64,1)>

// CHECK-LABEL: func @state(
// CHECK-SAME: %[[X:[^:]*]]: i32, %[[Y:[^:]*]]: i64)
// CHECK-DAG: %[[MASK:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[END:.*]] = arith.constant 2147483647 : i32
// CHECK-DAG: %[[UNSET:.*]] = arith.constant -2147483648 : i64
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : i64
// CHECK: llvm.insertvalue %[[MASK]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[END]], %{{.*}}[1]
// CHECK: llvm.insertvalue %[[END]], %{{.*}}[5]
// CHECK: llvm.insertvalue %[[UNSET]], %{{.*}}[6]
// CHECK: llvm.insertvalue %[[UNSET]], %{{.*}}[9]
// CHECK: llvm.insertvalue %[[NONE]], %{{.*}}[10]
// CHECK: %[[E:.*]] = llvm.insertvalue %[[X]], %{{.*}}[2]
// CHECK: %[[R:.*]] = llvm.insertvalue %[[Y]], %[[E]][10]
// CHECK: return %[[R]] : !llvm.struct<(i32, i32, i32, i32, i32, i32, i64, i64, i64, i64, i64)>
func.func @state(%x: i32, %y: i64) -> !A {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !A
  %b = fly.atom.set_value(%a, "extent_1", %x) : (!A, i32) -> !A
  %c = fly.atom.set_value(%b, "imm_offset", %y) : (!A, i64) -> !A
  return %c : !A
}

// Tile 128x64 of f16: config 65536, tile dim 0 = 64 << 16, tile dim 1 = 128,
// stride 256.
// DIFF: tensor-groups
// CHECK-LABEL: func @load(
// CHECK-SAME: %[[G:[^:]*]]: !llvm.ptr<1>, %[[S:[^:]*]]: !llvm.ptr<3>, %[[E0:[^:]*]]: i32)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[CFG:.*]] = arith.constant 65536 : i32
// CHECK-DAG: %[[T1:.*]] = arith.constant 128 : i32
// CHECK-DAG: %[[ST:.*]] = arith.constant 256 : i32
// CHECK-DAG: %[[TYPE:.*]] = arith.constant -2147483648 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : vector<4xi32>
// CHECK: %[[A:.*]] = llvm.ptrtoint %[[G]] : !llvm.ptr<1> to i64
// CHECK: %[[L:.*]] = llvm.ptrtoint %[[S]] : !llvm.ptr<3> to i32
// CHECK: %[[D1:.*]] = arith.maxsi %[[E0]], %{{.*}} : i32
// CHECK: %[[LO:.*]] = arith.trunci %[[A]] : i64 to i32
// CHECK: %[[HI:.*]] = arith.ori %{{.*}}, %[[TYPE]] : i32
// CHECK: %[[G0:.*]] = vector.from_elements %[[C1]], %[[L]], %[[LO]], %[[HI]] : vector<4xi32>
// CHECK: %[[W2:.*]] = arith.shli %[[D1]], %{{.*}} : i32
// CHECK: %[[W3H:.*]] = arith.shrui %[[D1]], %{{.*}} : i32
// CHECK: %[[G1:.*]] = vector.from_elements %[[CFG]], %{{.*}}, %{{.*}}, %{{.*}}, %[[T1]], %[[ST]], %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK: rocdl.tensor.load.to.lds %[[G0]], %[[G1]], %{{.*}}, %{{.*}} cachepolicy 0 : vector<4xi32>, vector<8xi32>
func.func @load(%g: !G, %s: !S, %e: i32) {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !A
  %b = fly.atom.set_value(%a, "extent_0", %e) : (!A, i32) -> !A
  fly.copy_atom_call(%b, %g, %s) : (!A, !G, !S) -> ()
  return
}

// -----

!P = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 64, 8, cache = 5, barrier = false, timeout = false>, 0>
!B = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 0, 0, cache = 0, barrier = true, timeout = true>, 0>
!G = !fly.memref<f16, global, (128,64):(64,1)>
!S = !fly.memref<f16, shared, (128,64):(72,1)>
!N = !fly.memref<f16, shared, (128,64):(64,1)>

// The shared view has the padding, or names the tile without it.
// CHECK-LABEL: func @padding(
// No extent is set: 2^31 - 1 in both dimensions. Tile 64 << 16, 128.
// CHECK: %[[G1:.*]] = arith.constant dense<[118554624, -65536, -32769, 4227071, 128, 64, 0, 0]> : vector<8xi32>
// CHECK: rocdl.tensor.load.to.lds %{{.*}}, %[[G1]], {{.*}} cachepolicy 5
// CHECK: rocdl.tensor.load.to.lds %{{.*}}, %[[G1]], {{.*}} cachepolicy 5
func.func @padding(%g: !G, %s: !S, %n: !N) {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !P
  fly.copy_atom_call(%a, %g, %s) : (!P, !G, !S) -> ()
  fly.copy_atom_call(%a, %g, %n) : (!P, !G, !N) -> ()
  return
}

// CHECK-LABEL: func @flags_of_a_store(
// CHECK: %[[G1:.*]] = arith.constant dense<[2424832, -65536, -32769, 4227071, 128, 64, 0, 0]> : vector<8xi32>
// CHECK: rocdl.tensor.store.from.lds %{{.*}}, %[[G1]],
func.func @flags_of_a_store(%g: !G, %n: !N) {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !B
  fly.copy_atom_call(%a, %n, %g) : (!B, !N, !G) -> ()
  return
}

// -----

!W = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 3, warps = 8>, 0>
!G = !fly.memref<i8, global, (2,16,32):(?{i64},512,1)>
!S = !fly.memref<i8, shared, (2,16,32):(512,32,1)>

// Eight waves cut mode 0 into 2 and mode 1 into 4: a wave has (1,4,32). The
// predicate guards everything.
// DIFF: wave-id
// CHECK-LABEL: func @waves(
// CHECK-SAME: %[[P:[^:]*]]: i1
// CHECK-DAG: %[[PART:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[LDS0:.*]] = arith.constant 512 : i32
// CHECK-DAG: %[[LDS1:.*]] = arith.constant 128 : i32
// CHECK-DAG: %[[TILE12:.*]] = arith.constant 65540 : i32
// CHECK: scf.if %[[P]]
// CHECK: %[[ID:.*]] = llvm.call_intrinsic "llvm.amdgcn.wave.id"() : () -> i32
// CHECK: vector.from_elements {{.*}} : vector<4xi32>
// CHECK: vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[TILE12]], {{.*}} : vector<8xi32>
// CHECK: rocdl.tensor.load.to.lds
func.func @waves(%p: i1, %g: !G, %s: !S, %stride: i64) {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !W
  %b = fly.atom.set_value(%a, "stride_0", %stride) : (!W, i64) -> !W
  fly.copy_atom_call_ssa(%b, %g, %s, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!W, !G, !S, i1) -> ()
  return
}

// -----

!M = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 1, warps = 1, pad = 512, 256>, 0>
!G = !fly.memref<f16, global, 1024:1>
!S = !fly.memref<f16, shared, 1024:1>

// The widest padding: 128 dwords after each 256, codes 127 and 7.
// CHECK-LABEL: func @padding_fields(
// CHECK: arith.constant dense<[-3080192, -65536, 32767, 67108864, 0, 0, 0, 0]> : vector<8xi32>
func.func @padding_fields(%g: !G, %s: !S) {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !M
  fly.copy_atom_call(%a, %g, %s) : (!M, !G, !S) -> ()
  return
}
