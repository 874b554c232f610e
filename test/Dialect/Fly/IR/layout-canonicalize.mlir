// RUN: fly-opt %s -canonicalize -split-input-file | FileCheck %s
// RUN: fly-opt %s -canonicalize -fly-canonicalize -canonicalize -split-input-file | FileCheck %s

// What the stock canonicaliser makes of layouts.
// DIFF: static-folds

// CHECK-LABEL: func.func @algebra(
// CHECK-NEXT: %[[A:.*]] = fly.static : !fly.layout<((3,2),(5,2)):((10,30),(1,5))>
// CHECK-NEXT: return %[[A]]
func.func @algebra() -> !fly.layout<((3,2),(5,2)):((10,30),(1,5))> {
  %0 = fly.make_int_tuple() : () -> !fly.int_tuple<(6,10)>
  %1 = fly.make_int_tuple() : () -> !fly.int_tuple<(10,1)>
  %2 = fly.make_layout(%0, %1) : (!fly.int_tuple<(6,10)>, !fly.int_tuple<(10,1)>) -> !fly.layout<(6,10):(10,1)>
  %3 = fly.static : !fly.tile<[3|5]>
  %4 = fly.logical_divide(%2, %3) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,2),(5,2)):((10,30),(1,5))>
  return %4 : !fly.layout<((3,2),(5,2)):((10,30),(1,5))>
}

// -----

// Equal constants are one.
// CHECK-LABEL: func.func @one_constant(
// CHECK-NEXT: %[[A:.*]] = fly.static : !fly.layout<(3,5):(5,1)>
// CHECK-NEXT: return %[[A]], %[[A]], %[[A]]
func.func @one_constant(%l: !fly.layout<(3,5):(5,1)>) -> (!fly.layout<(3,5):(5,1)>, !fly.layout<(3,5):(5,1)>, !fly.layout<(3,5):(5,1)>) {
  %0 = fly.static : !fly.layout<(3,5):(5,1)>
  %1 = fly.coalesce(%l) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(3,5):(5,1)>
  %2 = fly.static : !fly.layout<(3,5):(10,2)>
  %3 = fly.make_layout_like(%2) : (!fly.layout<(3,5):(10,2)>) -> !fly.layout<(3,5):(5,1)>
  return %0, %1, %3 : !fly.layout<(3,5):(5,1)>, !fly.layout<(3,5):(5,1)>, !fly.layout<(3,5):(5,1)>
}

// -----

// CHECK-LABEL: func.func @composed(
// CHECK-NEXT: %[[A:.*]] = fly.static : !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>
// CHECK-NEXT: return %[[A]]
func.func @composed() -> !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)> {
  %0 = fly.static : !fly.swizzle<S<2,3,3>>
  %1 = fly.make_int_tuple() : () -> !fly.int_tuple<8>
  %2 = fly.static : !fly.layout<(6,8):(8,1)>
  %3 = fly.make_composed_layout(%0, %1, %2) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<8>, !fly.layout<(6,8):(8,1)>) -> !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>
  return %3 : !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>
}

// -----

// Parts of what was put together, and what was put together from its parts.
!S = !fly.int_tuple<(?,6)>
!D = !fly.int_tuple<(1,?)>
!L = !fly.layout<(?,6):(1,?)>
// CHECK-LABEL: func.func @parts(
// CHECK-NEXT: return %arg0, %arg1, %arg2
func.func @parts(%s: !S, %d: !D, %l: !L) -> (!S, !D, !L) {
  %0 = fly.make_layout(%s, %d) : (!S, !D) -> !L
  %1 = fly.get_shape(%0) : (!L) -> !S
  %2 = fly.get_stride(%0) : (!L) -> !D
  %3 = fly.get_shape(%l) : (!L) -> !S
  %4 = fly.get_stride(%l) : (!L) -> !D
  %5 = fly.make_layout(%3, %4) : (!S, !D) -> !L
  return %1, %2, %5 : !S, !D, !L
}

// -----

!L = !fly.layout<(?,6):(1,?)>
!C = !fly.composed_layout<S<2,3,3> o ? o (?,6):(1,?)>
// CHECK-LABEL: func.func @parts_of_composed(
// CHECK: %[[S:.*]] = fly.static : !fly.swizzle<S<2,3,3>>
// CHECK-NEXT: return %[[S]], %arg0, %arg1, %arg2
func.func @parts_of_composed(%o: !fly.int_tuple<?>, %l: !L, %c: !C) -> (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<?>, !L, !C) {
  %s = fly.static : !fly.swizzle<S<2,3,3>>
  %0 = fly.make_composed_layout(%s, %o, %l) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<?>, !L) -> !C
  %1 = fly.composed_get_inner(%0) : (!C) -> !fly.swizzle<S<2,3,3>>
  %2 = fly.composed_get_offset(%0) : (!C) -> !fly.int_tuple<?>
  %3 = fly.composed_get_outer(%0) : (!C) -> !L
  %4 = fly.composed_get_inner(%c) : (!C) -> !fly.swizzle<S<2,3,3>>
  %5 = fly.composed_get_offset(%c) : (!C) -> !fly.int_tuple<?>
  %6 = fly.composed_get_outer(%c) : (!C) -> !L
  %7 = fly.make_composed_layout(%4, %5, %6) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<?>, !L) -> !C
  return %1, %2, %3, %7 : !fly.swizzle<S<2,3,3>>, !fly.int_tuple<?>, !L, !C
}

// -----

// Layouts that an operation leaves as they are.
!L = !fly.layout<(?,6):(6,1)>
// CHECK-LABEL: func.func @identities(
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0
func.func @identities(%l: !L) -> (!L, !L, !L, !L) {
  %0 = fly.coalesce(%l) : (!L) -> !L
  %1 = fly.static : !fly.tile<[*|*]>
  %2 = fly.composition(%l, %1) : (!L, !fly.tile<[*|*]>) -> !L
  %3 = fly.static : !fly.tile<*>
  %4 = fly.logical_divide(%l, %3) : (!L, !fly.tile<*>) -> !L
  %5 = fly.static : !fly.int_tuple<(*,*)>
  %6 = fly.slice(%l, %5) : (!L, !fly.int_tuple<(*,*)>) -> !L
  return %0, %2, %4, %6 : !L, !L, !L, !L
}

// -----

// Composition with the identity on the same modes.
!L = !fly.layout<(4,6):(?,1)>
// CHECK-LABEL: func.func @composition_with_identity(
// CHECK-NEXT: return %arg0
func.func @composition_with_identity(%l: !L) -> !L {
  %0 = fly.static : !fly.layout<(4,6):(1E0,1E1)>
  %1 = fly.composition(%l, %0) : (!L, !fly.layout<(4,6):(1E0,1E1)>) -> !L
  return %1 : !L
}

// -----

// A layout made of other leaves is another one.
!L = !fly.layout<(?,?):(1,?)>
// CHECK-LABEL: func.func @not_identities(
func.func @not_identities(%l: !L, %k: !L) -> !L {
  // CHECK: %[[S:.*]] = fly.get_shape(%arg0)
  // CHECK: %[[D:.*]] = fly.get_stride(%arg1)
  // CHECK: %[[R:.*]] = fly.make_layout(%[[S]], %[[D]])
  // CHECK: return %[[R]]
  %0 = fly.get_shape(%l) : (!L) -> !fly.int_tuple<(?,?)>
  %1 = fly.get_stride(%k) : (!L) -> !fly.int_tuple<(1,?)>
  %2 = fly.make_layout(%0, %1) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(1,?)>) -> !L
  return %2 : !L
}
