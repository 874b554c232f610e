// RUN: fly-opt %s -canonicalize | FileCheck %s

// An atom with run-time state is no constant: it keeps its constructor, and a
// tiled operation gives back the atom it was made from.

!U = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>
!T = !fly.tiled_copy<!U, <((4,3),8):((8,32),1)>, <[32|3]>>
// CHECK-LABEL: func.func @state(
func.func @state(%x: i32) -> (!U, !U) {
  // CHECK: %[[A:.*]] = fly.make_copy_atom {valBits = 16 : i32}
  // CHECK: %[[B:.*]] = fly.atom.set_value(%[[A]], "soffset", %arg0)
  // CHECK-NOT: = fly
  // CHECK: return %[[A]], %[[B]]
  %0 = fly.make_copy_atom {valBits = 16 : i32} : !U
  %1 = fly.atom.set_value(%0, "soffset", %x) : (!U, i32) -> !U
  %2 = fly.static : !fly.layout<((4,3),8):((8,32),1)>
  %3 = fly.static : !fly.tile<[32|3]>
  %4 = fly.make_tiled_copy(%1, %2, %3) : (!U, !fly.layout<((4,3),8):((8,32),1)>, !fly.tile<[32|3]>) -> !T
  %5 = fly.get_copy_atom(%4) : (!T) -> !U
  return %0, %5 : !U, !U
}
