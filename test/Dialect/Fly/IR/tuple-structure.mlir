// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Extraction from int tuples and the structural operations on tuples,
// layouts and tensors.

// CHECK-LABEL: func.func @group(
func.func @group(%a0: !fly.int_tuple<(3,5,7)>,
    %a1: !fly.memref<f32, register, (3,5,7):(1,3,15)>) {
  // CHECK: fly.group(%arg0) {begin = 1 : i32, end = 2 : i32} : (!fly.int_tuple<(3,5,7)>) -> !fly.int_tuple<(3,(5),7)>
  %0 = fly.group(%a0) {begin = 1 : i32, end = 2 : i32} : (!fly.int_tuple<(3,5,7)>) -> !fly.int_tuple<(3,(5),7)>
  // CHECK: fly.group(%arg0) {begin = 0 : i32, end = -1 : i32} : (!fly.int_tuple<(3,5,7)>) -> !fly.int_tuple<((3,5,7))>
  %1 = fly.group(%a0) {begin = 0 : i32, end = -1 : i32} : (!fly.int_tuple<(3,5,7)>) -> !fly.int_tuple<((3,5,7))>
  // CHECK: fly.group(%arg1) {begin = 1 : i32, end = 3 : i32} : (!fly.memref<f32, register, (3,5,7):(1,3,15)>) -> !fly.memref<f32, register, (3,(5,7)):(1,(3,15))>
  %2 = fly.group(%a1) {begin = 1 : i32, end = 3 : i32} : (!fly.memref<f32, register, (3,5,7):(1,3,15)>) -> !fly.memref<f32, register, (3,(5,7)):(1,(3,15))>
  return
}

// CHECK-LABEL: func.func @take(
func.func @take(%a0: !fly.int_tuple<(3,(5,?),7)>,
    %a1: !fly.coord_tensor<(4,?,0), (3,5,7):(1E0,1E1,1E2)>) {
  // CHECK: fly.take(%arg0) {begin = 1 : i32, end = 2 : i32} : (!fly.int_tuple<(3,(5,?),7)>) -> !fly.int_tuple<(5,?)>
  %0 = fly.take(%a0) {begin = 1 : i32, end = 2 : i32} : (!fly.int_tuple<(3,(5,?),7)>) -> !fly.int_tuple<(5,?)>
  // CHECK: fly.take(%arg0) {begin = 1 : i32, end = -1 : i32} : (!fly.int_tuple<(3,(5,?),7)>) -> !fly.int_tuple<((5,?),7)>
  %1 = fly.take(%a0) {begin = 1 : i32, end = -1 : i32} : (!fly.int_tuple<(3,(5,?),7)>) -> !fly.int_tuple<((5,?),7)>
  // CHECK: fly.take(%arg1) {begin = 0 : i32, end = 2 : i32} : (!fly.coord_tensor<(4,?,0), (3,5,7):(1E0,1E1,1E2)>) -> !fly.coord_tensor<(4,?,0), (3,5):(1E0,1E1)>
  %2 = fly.take(%a1) {begin = 0 : i32, end = 2 : i32} : (!fly.coord_tensor<(4,?,0), (3,5,7):(1E0,1E1,1E2)>) -> !fly.coord_tensor<(4,?,0), (3,5):(1E0,1E1)>
  return
}

// CHECK-LABEL: func.func @select(
func.func @select(%a0: !fly.int_tuple<(3,(5,?),7)>,
    %a1: !fly.layout<(3,5):(1,3)>) {
  // CHECK: fly.select(%arg0) {indices = array<i32: 2, 0, 2>} : (!fly.int_tuple<(3,(5,?),7)>) -> !fly.int_tuple<(7,3,7)>
  %0 = fly.select(%a0) {indices = array<i32: 2, 0, 2>} : (!fly.int_tuple<(3,(5,?),7)>) -> !fly.int_tuple<(7,3,7)>
  // CHECK: fly.select(%arg1) {indices = array<i32: 1, 0>} : (!fly.layout<(3,5):(1,3)>) -> !fly.layout<(5,3):(3,1)>
  %1 = fly.select(%a1) {indices = array<i32: 1, 0>} : (!fly.layout<(3,5):(1,3)>) -> !fly.layout<(5,3):(3,1)>
  return
}

// CHECK-LABEL: func.func @append(
func.func @append(%a0: !fly.int_tuple<(3,5)>,
    %a1: !fly.int_tuple<(1,?)>,
    %a2: !fly.layout<(3,5):(1,3)>,
    %a3: !fly.layout<2:15>,
    %a4: !fly.composed_layout<S<1,2,3> o 0 o (3,5):(1,3)>,
    %a5: !fly.layout<1:0>) {
  // CHECK: fly.append[4] (%arg0, %arg1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(1,?)>) -> !fly.int_tuple<(3,5,(1,?),(1,?))>
  %0 = fly.append[4] (%a0, %a1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(1,?)>) -> !fly.int_tuple<(3,5,(1,?),(1,?))>
  // CHECK: fly.append (%arg2, %arg3) : (!fly.layout<(3,5):(1,3)>, !fly.layout<2:15>) -> !fly.layout<(3,5,2):(1,3,15)>
  %1 = fly.append (%a2, %a3) : (!fly.layout<(3,5):(1,3)>, !fly.layout<2:15>) -> !fly.layout<(3,5,2):(1,3,15)>
  // CHECK: fly.append[4] (%arg4, %arg5) : (!fly.composed_layout<S<1,2,3> o 0 o (3,5):(1,3)>, !fly.layout<1:0>) -> !fly.composed_layout<S<1,2,3> o 0 o (3,5,1,1):(1,3,0,0)>
  %2 = fly.append[4] (%a4, %a5) : (!fly.composed_layout<S<1,2,3> o 0 o (3,5):(1,3)>, !fly.layout<1:0>) -> !fly.composed_layout<S<1,2,3> o 0 o (3,5,1,1):(1,3,0,0)>
  return
}

// CHECK-LABEL: func.func @prepend(
func.func @prepend(%a0: !fly.int_tuple<3>,
    %a1: !fly.int_tuple<9>,
    %a2: !fly.layout<(3,5):(1,3)>,
    %a3: !fly.layout<1:0>) {
  // CHECK: fly.prepend (%arg0, %arg1) : (!fly.int_tuple<3>, !fly.int_tuple<9>) -> !fly.int_tuple<(9,3)>
  %0 = fly.prepend (%a0, %a1) : (!fly.int_tuple<3>, !fly.int_tuple<9>) -> !fly.int_tuple<(9,3)>
  // CHECK: fly.prepend[3] (%arg2, %arg3) : (!fly.layout<(3,5):(1,3)>, !fly.layout<1:0>) -> !fly.layout<(1,3,5):(0,1,3)>
  %1 = fly.prepend[3] (%a2, %a3) : (!fly.layout<(3,5):(1,3)>, !fly.layout<1:0>) -> !fly.layout<(1,3,5):(0,1,3)>
  return
}

// CHECK-LABEL: func.func @slice(
func.func @slice(%a0: !fly.int_tuple<(3,(5,6),7)>,
    %a1: !fly.int_tuple<(*,(2,*),?)>,
    %a2: !fly.int_tuple<(0,*,1)>,
    %a3: !fly.layout<(3,(5,7)):(1,(3,15))>,
    %a4: !fly.int_tuple<(2,(*,4))>,
    %a5: !fly.composed_layout<S<1,2,3> o 4 o (3,5):(1,3)>,
    %a6: !fly.int_tuple<(2,*)>,
    %a7: !fly.composed_layout<64:3 o 2 o [32:1 o 4 o (3,5):(1,3)]>,
    %a8: !fly.int_tuple<(*,2)>,
    %a9: !fly.memref<f32, global, (3,5):(8,1), align<32>>,
    %a10: !fly.int_tuple<(1,*)>,
    %a11: !fly.memref<f32, global, (3,5):(8,2), align<32>>,
    %a12: !fly.int_tuple<(*,?)>,
    %a13: !fly.memref<f32, global, S<1,2,3> o 0 o (3,5):(8,1), align<32>>,
    %a14: !fly.int_tuple<(?,*)>,
    %a15: !fly.coord_tensor<(4,?), (3,5):(1E0,1E1)>) {
  // CHECK: fly.slice(%arg0, %arg1) : (!fly.int_tuple<(3,(5,6),7)>, !fly.int_tuple<(*,(2,*),?)>) -> !fly.int_tuple<(3,6)>
  %0 = fly.slice(%a0, %a1) : (!fly.int_tuple<(3,(5,6),7)>, !fly.int_tuple<(*,(2,*),?)>) -> !fly.int_tuple<(3,6)>
  // CHECK: fly.slice(%arg0, %arg2) : (!fly.int_tuple<(3,(5,6),7)>, !fly.int_tuple<(0,*,1)>) -> !fly.int_tuple<(5,6)>
  %1 = fly.slice(%a0, %a2) : (!fly.int_tuple<(3,(5,6),7)>, !fly.int_tuple<(0,*,1)>) -> !fly.int_tuple<(5,6)>
  // CHECK: fly.slice(%arg3, %arg4) : (!fly.layout<(3,(5,7)):(1,(3,15))>, !fly.int_tuple<(2,(*,4))>) -> !fly.layout<5:3>
  %2 = fly.slice(%a3, %a4) : (!fly.layout<(3,(5,7)):(1,(3,15))>, !fly.int_tuple<(2,(*,4))>) -> !fly.layout<5:3>
  // CHECK: fly.slice(%arg5, %arg6) : (!fly.composed_layout<S<1,2,3> o 4 o (3,5):(1,3)>, !fly.int_tuple<(2,*)>) -> !fly.composed_layout<S<1,2,3> o 6 o 5:3>
  %3 = fly.slice(%a5, %a6) : (!fly.composed_layout<S<1,2,3> o 4 o (3,5):(1,3)>, !fly.int_tuple<(2,*)>) -> !fly.composed_layout<S<1,2,3> o 6 o 5:3>
  // CHECK: fly.slice(%arg7, %arg8) : (!fly.composed_layout<64:3 o 2 o [32:1 o 4 o (3,5):(1,3)]>, !fly.int_tuple<(*,2)>) -> !fly.composed_layout<64:3 o 2 o [32:1 o 10 o 3:1]>
  %4 = fly.slice(%a7, %a8) : (!fly.composed_layout<64:3 o 2 o [32:1 o 4 o (3,5):(1,3)]>, !fly.int_tuple<(*,2)>) -> !fly.composed_layout<64:3 o 2 o [32:1 o 10 o 3:1]>
  // CHECK: fly.slice(%arg9, %arg10) : (!fly.memref<f32, global, (3,5):(8,1), align<32>>, !fly.int_tuple<(1,*)>) -> !fly.memref<f32, global, 5:1, align<32>>
  %5 = fly.slice(%a9, %a10) : (!fly.memref<f32, global, (3,5):(8,1), align<32>>, !fly.int_tuple<(1,*)>) -> !fly.memref<f32, global, 5:1, align<32>>
  // CHECK: fly.slice(%arg11, %arg12) : (!fly.memref<f32, global, (3,5):(8,2), align<32>>, !fly.int_tuple<(*,?)>) -> !fly.memref<f32, global, 3:8, align<8>>
  %6 = fly.slice(%a11, %a12) : (!fly.memref<f32, global, (3,5):(8,2), align<32>>, !fly.int_tuple<(*,?)>) -> !fly.memref<f32, global, 3:8, align<8>>
  // CHECK: fly.slice(%arg13, %arg14) : (!fly.memref<f32, global, S<1,2,3> o 0 o (3,5):(8,1), align<32>>, !fly.int_tuple<(?,*)>) -> !fly.memref<f32, global, S<1,2,3> o ?{div=8} o 5:1, align<32>>
  %7 = fly.slice(%a13, %a14) : (!fly.memref<f32, global, S<1,2,3> o 0 o (3,5):(8,1), align<32>>, !fly.int_tuple<(?,*)>) -> !fly.memref<f32, global, S<1,2,3> o ?{div=8} o 5:1, align<32>>
  // CHECK: fly.slice(%arg15, %arg6) : (!fly.coord_tensor<(4,?), (3,5):(1E0,1E1)>, !fly.int_tuple<(2,*)>) -> !fly.coord_tensor<(6,?), 5:1E1>
  %8 = fly.slice(%a15, %a6) : (!fly.coord_tensor<(4,?), (3,5):(1E0,1E1)>, !fly.int_tuple<(2,*)>) -> !fly.coord_tensor<(6,?), 5:1E1>
  return
}

// CHECK-LABEL: func.func @dice(
func.func @dice(%a0: !fly.int_tuple<(3,(5,6),7)>,
    %a1: !fly.int_tuple<(*,(2,*),?)>,
    %a2: !fly.int_tuple<4>,
    %a3: !fly.layout<(3,(5,7)):(1,(3,15))>,
    %a4: !fly.int_tuple<(2,(*,4))>) {
  // CHECK: fly.dice(%arg0, %arg1) : (!fly.int_tuple<(3,(5,6),7)>, !fly.int_tuple<(*,(2,*),?)>) -> !fly.int_tuple<(5,7)>
  %0 = fly.dice(%a0, %a1) : (!fly.int_tuple<(3,(5,6),7)>, !fly.int_tuple<(*,(2,*),?)>) -> !fly.int_tuple<(5,7)>
  // CHECK: fly.dice(%arg0, %arg2) : (!fly.int_tuple<(3,(5,6),7)>, !fly.int_tuple<4>) -> !fly.int_tuple<(3,(5,6),7)>
  %1 = fly.dice(%a0, %a2) : (!fly.int_tuple<(3,(5,6),7)>, !fly.int_tuple<4>) -> !fly.int_tuple<(3,(5,6),7)>
  // CHECK: fly.dice(%arg3, %arg4) : (!fly.layout<(3,(5,7)):(1,(3,15))>, !fly.int_tuple<(2,(*,4))>) -> !fly.layout<(3,7):(1,15)>
  %2 = fly.dice(%a3, %a4) : (!fly.layout<(3,(5,7)):(1,(3,15))>, !fly.int_tuple<(2,(*,4))>) -> !fly.layout<(3,7):(1,15)>
  return
}

// CHECK-LABEL: func.func @get(
func.func @get(%a0: !fly.int_tuple<(3,(5,6),7)>,
    %a1: !fly.layout<(3,(5,?)):(1,(3,15))>,
    %a2: !fly.composed_layout<S<1,2,3> o 4 o (3,(5,7)):(1,(3,15))>,
    %a3: !fly.memref<f32, global, ((2,3),5):((1,2),6), align<16>>,
    %a4: !fly.coord_tensor<(4,?), (3,5):(1E0,1E1)>) {
  // CHECK: fly.get(%arg0) {mode = array<i32: 1, 0>} : (!fly.int_tuple<(3,(5,6),7)>) -> !fly.int_tuple<5>
  %0 = fly.get(%a0) {mode = array<i32: 1, 0>} : (!fly.int_tuple<(3,(5,6),7)>) -> !fly.int_tuple<5>
  // CHECK: fly.get(%arg0) {mode = array<i32>} : (!fly.int_tuple<(3,(5,6),7)>) -> !fly.int_tuple<(3,(5,6),7)>
  %1 = fly.get(%a0) {mode = array<i32>} : (!fly.int_tuple<(3,(5,6),7)>) -> !fly.int_tuple<(3,(5,6),7)>
  // CHECK: fly.get(%arg1) {mode = array<i32: 1, 0>} : (!fly.layout<(3,(5,?)):(1,(3,15))>) -> !fly.layout<5:3>
  %2 = fly.get(%a1) {mode = array<i32: 1, 0>} : (!fly.layout<(3,(5,?)):(1,(3,15))>) -> !fly.layout<5:3>
  // CHECK: fly.get(%arg2) {mode = array<i32: 1>} : (!fly.composed_layout<S<1,2,3> o 4 o (3,(5,7)):(1,(3,15))>) -> !fly.composed_layout<S<1,2,3> o 4 o (5,7):(3,15)>
  %3 = fly.get(%a2) {mode = array<i32: 1>} : (!fly.composed_layout<S<1,2,3> o 4 o (3,(5,7)):(1,(3,15))>) -> !fly.composed_layout<S<1,2,3> o 4 o (5,7):(3,15)>
  // CHECK: fly.get(%arg3) {mode = array<i32: 0>} : (!fly.memref<f32, global, ((2,3),5):((1,2),6), align<16>>) -> !fly.memref<f32, global, (2,3):(1,2), align<16>>
  %4 = fly.get(%a3) {mode = array<i32: 0>} : (!fly.memref<f32, global, ((2,3),5):((1,2),6), align<16>>) -> !fly.memref<f32, global, (2,3):(1,2), align<16>>
  // CHECK: fly.get(%arg4) {mode = array<i32: 1>} : (!fly.coord_tensor<(4,?), (3,5):(1E0,1E1)>) -> !fly.coord_tensor<?, 5:1E1>
  %5 = fly.get(%a4) {mode = array<i32: 1>} : (!fly.coord_tensor<(4,?), (3,5):(1E0,1E1)>) -> !fly.coord_tensor<?, 5:1E1>
  return
}

// CHECK-LABEL: func.func @get_scalar(
func.func @get_scalar(%a0: !fly.int_tuple<((?{i64 div=4}))>) {
  // CHECK: fly.get_scalar(%arg0) : (!fly.int_tuple<((?{i64 div=4}))>) -> i64
  %0 = fly.get_scalar(%a0) : (!fly.int_tuple<((?{i64 div=4}))>) -> i64
  return
}

// CHECK-LABEL: func.func @get_leaves(
func.func @get_leaves(%a0: !fly.int_tuple<(3,?,(?{i64},*))>) {
  // CHECK: fly.get_leaves(%arg0) : (!fly.int_tuple<(3,?,(?{i64},*))>) -> (i32, i32, i64, i32)
  %0:4 = fly.get_leaves(%a0) : (!fly.int_tuple<(3,?,(?{i64},*))>) -> (i32, i32, i64, i32)
  // CHECK: fly.get_leaves(%arg0) {dynamicOnly = true} : (!fly.int_tuple<(3,?,(?{i64},*))>) -> (i32, i64)
  %1:2 = fly.get_leaves(%a0) {dynamicOnly = true} : (!fly.int_tuple<(3,?,(?{i64},*))>) -> (i32, i64)
  return
}
