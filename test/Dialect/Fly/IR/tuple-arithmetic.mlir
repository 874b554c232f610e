// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Arithmetic on int tuples: inferred results, including divisibility and
// width of run-time leaves.

// CHECK-LABEL: func.func @int_tuple_add(
func.func @int_tuple_add(%a0: !fly.int_tuple<?{div=12}>,
    %a1: !fly.int_tuple<8>,
    %a2: !fly.int_tuple<0>,
    %a3: !fly.int_tuple<?{i64 div=6}>,
    %a4: !fly.int_tuple<2E0>,
    %a5: !fly.int_tuple<5E2>,
    %a6: !fly.int_tuple<(7,8)>,
    %a7: !fly.int_tuple<1E2>,
    %a8: !fly.int_tuple<2E1E0>,
    %a9: !fly.int_tuple<3E0>,
    %a10: !fly.int_tuple<(3,5,7)>,
    %a11: !fly.int_tuple<(1,1)>,
    %a12: !fly.int_tuple<(3,5)>,
    %a13: !fly.int_tuple<10>,
    %a14: !fly.int_tuple<4>,
    %a15: !fly.int_tuple<-3>,
    %a16: !fly.int_tuple<?>,
    %a17: !fly.int_tuple<-2>) {
  // CHECK: fly.int_tuple_add(%arg0, %arg1) : (!fly.int_tuple<?{div=12}>, !fly.int_tuple<8>) -> !fly.int_tuple<?{div=4}>
  %0 = fly.int_tuple_add(%a0, %a1) : (!fly.int_tuple<?{div=12}>, !fly.int_tuple<8>) -> !fly.int_tuple<?{div=4}>
  // CHECK: fly.int_tuple_add(%arg2, %arg3) : (!fly.int_tuple<0>, !fly.int_tuple<?{i64 div=6}>) -> !fly.int_tuple<?{i64 div=6}>
  %1 = fly.int_tuple_add(%a2, %a3) : (!fly.int_tuple<0>, !fly.int_tuple<?{i64 div=6}>) -> !fly.int_tuple<?{i64 div=6}>
  // CHECK: fly.int_tuple_add(%arg4, %arg5) : (!fly.int_tuple<2E0>, !fly.int_tuple<5E2>) -> !fly.int_tuple<(2,0,5)>
  %2 = fly.int_tuple_add(%a4, %a5) : (!fly.int_tuple<2E0>, !fly.int_tuple<5E2>) -> !fly.int_tuple<(2,0,5)>
  // CHECK: fly.int_tuple_add(%arg6, %arg7) : (!fly.int_tuple<(7,8)>, !fly.int_tuple<1E2>) -> !fly.int_tuple<(7,8,1)>
  %3 = fly.int_tuple_add(%a6, %a7) : (!fly.int_tuple<(7,8)>, !fly.int_tuple<1E2>) -> !fly.int_tuple<(7,8,1)>
  // CHECK: fly.int_tuple_add(%arg8, %arg9) : (!fly.int_tuple<2E1E0>, !fly.int_tuple<3E0>) -> !fly.int_tuple<(3,(2))>
  %4 = fly.int_tuple_add(%a8, %a9) : (!fly.int_tuple<2E1E0>, !fly.int_tuple<3E0>) -> !fly.int_tuple<(3,(2))>
  // CHECK: fly.int_tuple_add(%arg10, %arg11) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(1,1)>) -> !fly.int_tuple<(4,6,7)>
  %5 = fly.int_tuple_add(%a10, %a11) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(1,1)>) -> !fly.int_tuple<(4,6,7)>
  // CHECK: fly.int_tuple_add(%arg12, %arg13) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<10>) -> !fly.int_tuple<(13,5)>
  %6 = fly.int_tuple_add(%a12, %a13) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<10>) -> !fly.int_tuple<(13,5)>
  // CHECK: fly.int_tuple_add(%arg14, %arg15) : (!fly.int_tuple<4>, !fly.int_tuple<-3>) -> !fly.int_tuple<1>
  %7 = fly.int_tuple_add(%a14, %a15) : (!fly.int_tuple<4>, !fly.int_tuple<-3>) -> !fly.int_tuple<1>
  // CHECK: fly.int_tuple_add(%arg16, %arg17) : (!fly.int_tuple<?>, !fly.int_tuple<-2>) -> !fly.int_tuple<?>
  %8 = fly.int_tuple_add(%a16, %a17) : (!fly.int_tuple<?>, !fly.int_tuple<-2>) -> !fly.int_tuple<?>
  return
}

// CHECK-LABEL: func.func @int_tuple_sub(
func.func @int_tuple_sub(%a0: !fly.int_tuple<0>,
    %a1: !fly.int_tuple<?{div=6}>,
    %a2: !fly.int_tuple<((?{i64 div=6},?{i64}),(4,?{i64}),(?{i64}))>,
    %a3: !fly.int_tuple<((5,-3),(4,?),(5))>) {
  // CHECK: fly.int_tuple_sub(%arg0, %arg1) : (!fly.int_tuple<0>, !fly.int_tuple<?{div=6}>) -> !fly.int_tuple<?{div=6}>
  %0 = fly.int_tuple_sub(%a0, %a1) : (!fly.int_tuple<0>, !fly.int_tuple<?{div=6}>) -> !fly.int_tuple<?{div=6}>
  // CHECK: fly.int_tuple_sub(%arg2, %arg3) : (!fly.int_tuple<((?{i64 div=6},?{i64}),(4,?{i64}),(?{i64}))>, !fly.int_tuple<((5,-3),(4,?),(5))>) -> !fly.int_tuple<((?{i64},?{i64}),(0,?{i64}),(?{i64}))>
  %1 = fly.int_tuple_sub(%a2, %a3) : (!fly.int_tuple<((?{i64 div=6},?{i64}),(4,?{i64}),(?{i64}))>, !fly.int_tuple<((5,-3),(4,?),(5))>) -> !fly.int_tuple<((?{i64},?{i64}),(0,?{i64}),(?{i64}))>
  return
}

// CHECK-LABEL: func.func @int_tuple_mul(
func.func @int_tuple_mul(%a0: !fly.int_tuple<?{div=3}>,
    %a1: !fly.int_tuple<?{i64 div=5}>,
    %a2: !fly.int_tuple<?>,
    %a3: !fly.int_tuple<-6>,
    %a4: !fly.int_tuple<?{div=2}>,
    %a5: !fly.int_tuple<3E1>,
    %a6: !fly.int_tuple<46341>,
    %a7: !fly.int_tuple<((2,3),4)>,
    %a8: !fly.int_tuple<((5,?),6)>,
    %a9: !fly.int_tuple<(4,(?{i64},?{i64}))>,
    %a10: !fly.int_tuple<(?,(0,4))>,
    %a11: !fly.int_tuple<(?,?,(4,?))>,
    %a12: !fly.int_tuple<(?{i64 div=6},?,(?,8))>,
    %a13: !fly.int_tuple<(?{i64},?,4)>,
    %a14: !fly.int_tuple<?{i64 div=6}>) {
  // CHECK: fly.int_tuple_mul(%arg0, %arg1) : (!fly.int_tuple<?{div=3}>, !fly.int_tuple<?{i64 div=5}>) -> !fly.int_tuple<?{i64 div=15}>
  %0 = fly.int_tuple_mul(%a0, %a1) : (!fly.int_tuple<?{div=3}>, !fly.int_tuple<?{i64 div=5}>) -> !fly.int_tuple<?{i64 div=15}>
  // CHECK: fly.int_tuple_mul(%arg2, %arg3) : (!fly.int_tuple<?>, !fly.int_tuple<-6>) -> !fly.int_tuple<?{div=-6}>
  %1 = fly.int_tuple_mul(%a2, %a3) : (!fly.int_tuple<?>, !fly.int_tuple<-6>) -> !fly.int_tuple<?{div=-6}>
  // CHECK: fly.int_tuple_mul(%arg4, %arg5) : (!fly.int_tuple<?{div=2}>, !fly.int_tuple<3E1>) -> !fly.int_tuple<?{div=6}E1>
  %2 = fly.int_tuple_mul(%a4, %a5) : (!fly.int_tuple<?{div=2}>, !fly.int_tuple<3E1>) -> !fly.int_tuple<?{div=6}E1>
  // DIFF: line-mul-46341
  // CHECK: fly.int_tuple_mul(%arg6, %arg6) : (!fly.int_tuple<46341>, !fly.int_tuple<46341>) -> !fly.int_tuple<2147488281>
  %3 = fly.int_tuple_mul(%a6, %a6) : (!fly.int_tuple<46341>, !fly.int_tuple<46341>) -> !fly.int_tuple<2147488281>
  // CHECK: fly.int_tuple_mul(%arg7, %arg8) : (!fly.int_tuple<((2,3),4)>, !fly.int_tuple<((5,?),6)>) -> !fly.int_tuple<((10,?{div=3}),24)>
  %4 = fly.int_tuple_mul(%a7, %a8) : (!fly.int_tuple<((2,3),4)>, !fly.int_tuple<((5,?),6)>) -> !fly.int_tuple<((10,?{div=3}),24)>
  // CHECK: fly.int_tuple_mul(%arg9, %arg10) : (!fly.int_tuple<(4,(?{i64},?{i64}))>, !fly.int_tuple<(?,(0,4))>) -> !fly.int_tuple<(?{div=4},(0,?{i64 div=4}))>
  %5 = fly.int_tuple_mul(%a9, %a10) : (!fly.int_tuple<(4,(?{i64},?{i64}))>, !fly.int_tuple<(?,(0,4))>) -> !fly.int_tuple<(?{div=4},(0,?{i64 div=4}))>
  // CHECK: fly.int_tuple_mul(%arg11, %arg12) : (!fly.int_tuple<(?,?,(4,?))>, !fly.int_tuple<(?{i64 div=6},?,(?,8))>) -> !fly.int_tuple<(?{i64 div=6},?,(?{div=4},?{div=8}))>
  %6 = fly.int_tuple_mul(%a11, %a12) : (!fly.int_tuple<(?,?,(4,?))>, !fly.int_tuple<(?{i64 div=6},?,(?,8))>) -> !fly.int_tuple<(?{i64 div=6},?,(?{div=4},?{div=8}))>
  // CHECK: fly.int_tuple_mul(%arg13, %arg2) : (!fly.int_tuple<(?{i64},?,4)>, !fly.int_tuple<?>) -> !fly.int_tuple<(?{i64},?,4)>
  %7 = fly.int_tuple_mul(%a13, %a2) : (!fly.int_tuple<(?{i64},?,4)>, !fly.int_tuple<?>) -> !fly.int_tuple<(?{i64},?,4)>
  // CHECK: fly.int_tuple_mul(%arg14, %arg2) : (!fly.int_tuple<?{i64 div=6}>, !fly.int_tuple<?>) -> !fly.int_tuple<?{i64 div=6}>
  %8 = fly.int_tuple_mul(%a14, %a2) : (!fly.int_tuple<?{i64 div=6}>, !fly.int_tuple<?>) -> !fly.int_tuple<?{i64 div=6}>
  return
}

// CHECK-LABEL: func.func @int_tuple_div(
func.func @int_tuple_div(%a0: !fly.int_tuple<?{div=8}>,
    %a1: !fly.int_tuple<1>,
    %a2: !fly.int_tuple<-9>,
    %a3: !fly.int_tuple<2>,
    %a4: !fly.int_tuple<(3,3)>,
    %a5: !fly.int_tuple<(?{div=4},1)>,
    %a6: !fly.int_tuple<(?{div=4},?{i64})>,
    %a7: !fly.int_tuple<(5,?)>,
    %a8: !fly.int_tuple<4>,
    %a9: !fly.int_tuple<?{div=4}>) {
  // CHECK: fly.int_tuple_div(%arg0, %arg1) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<1>) -> !fly.int_tuple<?>
  %0 = fly.int_tuple_div(%a0, %a1) : (!fly.int_tuple<?{div=8}>, !fly.int_tuple<1>) -> !fly.int_tuple<?>
  // CHECK: fly.int_tuple_div(%arg2, %arg3) : (!fly.int_tuple<-9>, !fly.int_tuple<2>) -> !fly.int_tuple<-4>
  %1 = fly.int_tuple_div(%a2, %a3) : (!fly.int_tuple<-9>, !fly.int_tuple<2>) -> !fly.int_tuple<-4>
  // CHECK: fly.int_tuple_div(%arg4, %arg5) : (!fly.int_tuple<(3,3)>, !fly.int_tuple<(?{div=4},1)>) -> !fly.int_tuple<(?,3)>
  %2 = fly.int_tuple_div(%a4, %a5) : (!fly.int_tuple<(3,3)>, !fly.int_tuple<(?{div=4},1)>) -> !fly.int_tuple<(?,3)>
  // CHECK: fly.int_tuple_div(%arg6, %arg7) : (!fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(5,?)>) -> !fly.int_tuple<(?,?{i64})>
  %3 = fly.int_tuple_div(%a6, %a7) : (!fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(5,?)>) -> !fly.int_tuple<(?,?{i64})>
  // CHECK: fly.int_tuple_div(%arg8, %arg9) : (!fly.int_tuple<4>, !fly.int_tuple<?{div=4}>) -> !fly.int_tuple<?>
  %4 = fly.int_tuple_div(%a8, %a9) : (!fly.int_tuple<4>, !fly.int_tuple<?{div=4}>) -> !fly.int_tuple<?>
  return
}

// CHECK-LABEL: func.func @int_tuple_mod(
func.func @int_tuple_mod(%a0: !fly.int_tuple<-9>,
    %a1: !fly.int_tuple<2>,
    %a2: !fly.int_tuple<?{div=12}>,
    %a3: !fly.int_tuple<8>,
    %a4: !fly.int_tuple<(17,?)>,
    %a5: !fly.int_tuple<(5,4)>,
    %a6: !fly.int_tuple<?>,
    %a7: !fly.int_tuple<-2>) {
  // CHECK: fly.int_tuple_mod(%arg0, %arg1) : (!fly.int_tuple<-9>, !fly.int_tuple<2>) -> !fly.int_tuple<-1>
  %0 = fly.int_tuple_mod(%a0, %a1) : (!fly.int_tuple<-9>, !fly.int_tuple<2>) -> !fly.int_tuple<-1>
  // CHECK: fly.int_tuple_mod(%arg2, %arg3) : (!fly.int_tuple<?{div=12}>, !fly.int_tuple<8>) -> !fly.int_tuple<?{div=4}>
  %1 = fly.int_tuple_mod(%a2, %a3) : (!fly.int_tuple<?{div=12}>, !fly.int_tuple<8>) -> !fly.int_tuple<?{div=4}>
  // CHECK: fly.int_tuple_mod(%arg4, %arg5) : (!fly.int_tuple<(17,?)>, !fly.int_tuple<(5,4)>) -> !fly.int_tuple<(2,?)>
  %2 = fly.int_tuple_mod(%a4, %a5) : (!fly.int_tuple<(17,?)>, !fly.int_tuple<(5,4)>) -> !fly.int_tuple<(2,?)>
  // CHECK: fly.int_tuple_mod(%arg6, %arg7) : (!fly.int_tuple<?>, !fly.int_tuple<-2>) -> !fly.int_tuple<?>
  %3 = fly.int_tuple_mod(%a6, %a7) : (!fly.int_tuple<?>, !fly.int_tuple<-2>) -> !fly.int_tuple<?>
  return
}

// CHECK-LABEL: func.func @ceil_div(
func.func @ceil_div(%a0: !fly.int_tuple<-9>,
    %a1: !fly.int_tuple<2>,
    %a2: !fly.int_tuple<1>,
    %a3: !fly.int_tuple<?>,
    %a4: !fly.int_tuple<(6,10)>,
    %a5: !fly.int_tuple<4>,
    %a6: !fly.int_tuple<20>,
    %a7: !fly.int_tuple<30>,
    %a8: !fly.int_tuple<(4,2)>,
    %a9: !fly.int_tuple<(7,9,2)>,
    %a10: !fly.int_tuple<(2,4)>,
    %a11: !fly.int_tuple<((4,4),2)>,
    %a12: !fly.int_tuple<(?)>,
    %a13: !fly.int_tuple<(2,(4,2,6),2)>,
    %a14: !fly.int_tuple<((3,?{div=4},6),(3,8))>,
    %a15: !fly.int_tuple<(4,(5,?{i64}),4)>,
    %a16: !fly.int_tuple<((1,1),(4,1,8),(?{i64},2))>,
    %a17: !fly.int_tuple<((2,3,?))>,
    %a18: !fly.int_tuple<(2,(1,?{i64}))>) {
  // CHECK: fly.ceil_div(%arg0, %arg1) : (!fly.int_tuple<-9>, !fly.int_tuple<2>) -> !fly.int_tuple<-4>
  %0 = fly.ceil_div(%a0, %a1) : (!fly.int_tuple<-9>, !fly.int_tuple<2>) -> !fly.int_tuple<-4>
  // CHECK: fly.ceil_div(%arg2, %arg3) : (!fly.int_tuple<1>, !fly.int_tuple<?>) -> !fly.int_tuple<1>
  %1 = fly.ceil_div(%a2, %a3) : (!fly.int_tuple<1>, !fly.int_tuple<?>) -> !fly.int_tuple<1>
  // CHECK: fly.ceil_div(%arg4, %arg5) : (!fly.int_tuple<(6,10)>, !fly.int_tuple<4>) -> !fly.int_tuple<(2,10)>
  %2 = fly.ceil_div(%a4, %a5) : (!fly.int_tuple<(6,10)>, !fly.int_tuple<4>) -> !fly.int_tuple<(2,10)>
  // CHECK: fly.ceil_div(%arg4, %arg6) : (!fly.int_tuple<(6,10)>, !fly.int_tuple<20>) -> !fly.int_tuple<(1,3)>
  %3 = fly.ceil_div(%a4, %a6) : (!fly.int_tuple<(6,10)>, !fly.int_tuple<20>) -> !fly.int_tuple<(1,3)>
  // CHECK: fly.ceil_div(%arg7, %arg8) : (!fly.int_tuple<30>, !fly.int_tuple<(4,2)>) -> !fly.int_tuple<4>
  %4 = fly.ceil_div(%a7, %a8) : (!fly.int_tuple<30>, !fly.int_tuple<(4,2)>) -> !fly.int_tuple<4>
  // CHECK: fly.ceil_div(%arg9, %arg10) : (!fly.int_tuple<(7,9,2)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(4,3,2)>
  %5 = fly.ceil_div(%a9, %a10) : (!fly.int_tuple<(7,9,2)>, !fly.int_tuple<(2,4)>) -> !fly.int_tuple<(4,3,2)>
  // CHECK: fly.ceil_div(%arg11, %arg12) : (!fly.int_tuple<((4,4),2)>, !fly.int_tuple<(?)>) -> !fly.int_tuple<((?,?),2)>
  %6 = fly.ceil_div(%a11, %a12) : (!fly.int_tuple<((4,4),2)>, !fly.int_tuple<(?)>) -> !fly.int_tuple<((?,?),2)>
  // CHECK: fly.ceil_div(%arg13, %arg14) : (!fly.int_tuple<(2,(4,2,6),2)>, !fly.int_tuple<((3,?{div=4},6),(3,8))>) -> !fly.int_tuple<(?,(2,1,6),2)>
  %7 = fly.ceil_div(%a13, %a14) : (!fly.int_tuple<(2,(4,2,6),2)>, !fly.int_tuple<((3,?{div=4},6),(3,8))>) -> !fly.int_tuple<(?,(2,1,6),2)>
  // CHECK: fly.ceil_div(%arg15, %arg16) : (!fly.int_tuple<(4,(5,?{i64}),4)>, !fly.int_tuple<((1,1),(4,1,8),(?{i64},2))>) -> !fly.int_tuple<(4,(2,?{i64}),?{i64})>
  %8 = fly.ceil_div(%a15, %a16) : (!fly.int_tuple<(4,(5,?{i64}),4)>, !fly.int_tuple<((1,1),(4,1,8),(?{i64},2))>) -> !fly.int_tuple<(4,(2,?{i64}),?{i64})>
  // CHECK: fly.ceil_div(%arg2, %arg17) : (!fly.int_tuple<1>, !fly.int_tuple<((2,3,?))>) -> !fly.int_tuple<1>
  %9 = fly.ceil_div(%a2, %a17) : (!fly.int_tuple<1>, !fly.int_tuple<((2,3,?))>) -> !fly.int_tuple<1>
  // CHECK: fly.ceil_div(%arg5, %arg18) : (!fly.int_tuple<4>, !fly.int_tuple<(2,(1,?{i64}))>) -> !fly.int_tuple<?{i64}>
  %10 = fly.ceil_div(%a5, %a18) : (!fly.int_tuple<4>, !fly.int_tuple<(2,(1,?{i64}))>) -> !fly.int_tuple<?{i64}>
  return
}

// CHECK-LABEL: func.func @shape_div(
func.func @shape_div(%a0: !fly.int_tuple<3>,
    %a1: !fly.int_tuple<12>,
    %a2: !fly.int_tuple<(3,10)>,
    %a3: !fly.int_tuple<6>,
    %a4: !fly.int_tuple<30>,
    %a5: !fly.int_tuple<(5,2)>,
    %a6: !fly.int_tuple<(2,8,6)>,
    %a7: !fly.int_tuple<4>,
    %a8: !fly.int_tuple<(4,?,?{i64 div=6})>,
    %a9: !fly.int_tuple<2>,
    %a10: !fly.int_tuple<(?,(?,2,5),(?{i64 div=6},8))>,
    %a11: !fly.int_tuple<((6),2)>,
    %a12: !fly.int_tuple<?{i64}>,
    %a13: !fly.int_tuple<(?{i64},(?,3),3)>) {
  // CHECK: fly.shape_div(%arg0, %arg1) : (!fly.int_tuple<3>, !fly.int_tuple<12>) -> !fly.int_tuple<1>
  %0 = fly.shape_div(%a0, %a1) : (!fly.int_tuple<3>, !fly.int_tuple<12>) -> !fly.int_tuple<1>
  // CHECK: fly.shape_div(%arg2, %arg3) : (!fly.int_tuple<(3,10)>, !fly.int_tuple<6>) -> !fly.int_tuple<(1,5)>
  %1 = fly.shape_div(%a2, %a3) : (!fly.int_tuple<(3,10)>, !fly.int_tuple<6>) -> !fly.int_tuple<(1,5)>
  // CHECK: fly.shape_div(%arg4, %arg5) : (!fly.int_tuple<30>, !fly.int_tuple<(5,2)>) -> !fly.int_tuple<3>
  %2 = fly.shape_div(%a4, %a5) : (!fly.int_tuple<30>, !fly.int_tuple<(5,2)>) -> !fly.int_tuple<3>
  // CHECK: fly.shape_div(%arg6, %arg7) : (!fly.int_tuple<(2,8,6)>, !fly.int_tuple<4>) -> !fly.int_tuple<(1,4,6)>
  %3 = fly.shape_div(%a6, %a7) : (!fly.int_tuple<(2,8,6)>, !fly.int_tuple<4>) -> !fly.int_tuple<(1,4,6)>
  // CHECK: fly.shape_div(%arg8, %arg9) : (!fly.int_tuple<(4,?,?{i64 div=6})>, !fly.int_tuple<2>) -> !fly.int_tuple<(2,?,?{i64})>
  %4 = fly.shape_div(%a8, %a9) : (!fly.int_tuple<(4,?,?{i64 div=6})>, !fly.int_tuple<2>) -> !fly.int_tuple<(2,?,?{i64})>
  // CHECK: fly.shape_div(%arg10, %arg11) : (!fly.int_tuple<(?,(?,2,5),(?{i64 div=6},8))>, !fly.int_tuple<((6),2)>) -> !fly.int_tuple<(?,(?,?,?),(?{i64 div=6},8))>
  %5 = fly.shape_div(%a10, %a11) : (!fly.int_tuple<(?,(?,2,5),(?{i64 div=6},8))>, !fly.int_tuple<((6),2)>) -> !fly.int_tuple<(?,(?,?,?),(?{i64 div=6},8))>
  // CHECK: fly.shape_div(%arg12, %arg13) : (!fly.int_tuple<?{i64}>, !fly.int_tuple<(?{i64},(?,3),3)>) -> !fly.int_tuple<?{i64}>
  %6 = fly.shape_div(%a12, %a13) : (!fly.int_tuple<?{i64}>, !fly.int_tuple<(?{i64},(?,3),3)>) -> !fly.int_tuple<?{i64}>
  return
}

// CHECK-LABEL: func.func @int_tuple_product(
func.func @int_tuple_product(%a0: !fly.int_tuple<((2,7),(3,?))>,
    %a1: !fly.int_tuple<((3,3,6),2)>,
    %a2: !fly.int_tuple<((5,2),3)>,
    %a3: !fly.int_tuple<((?{i64 div=6},5),(3,5))>,
    %a4: !fly.int_tuple<(6,4)>,
    %a5: !fly.int_tuple<(?)>,
    %a6: !fly.int_tuple<1>,
    %a7: !fly.int_tuple<3>) {
  // CHECK: fly.int_tuple_product(%arg0) : (!fly.int_tuple<((2,7),(3,?))>) -> !fly.int_tuple<?{div=42}>
  %0 = fly.int_tuple_product(%a0) : (!fly.int_tuple<((2,7),(3,?))>) -> !fly.int_tuple<?{div=42}>
  // CHECK: fly.int_tuple_product(%arg1) : (!fly.int_tuple<((3,3,6),2)>) -> !fly.int_tuple<108>
  %1 = fly.int_tuple_product(%a1) : (!fly.int_tuple<((3,3,6),2)>) -> !fly.int_tuple<108>
  // CHECK: fly.int_tuple_product(%arg2) : (!fly.int_tuple<((5,2),3)>) -> !fly.int_tuple<30>
  %2 = fly.int_tuple_product(%a2) : (!fly.int_tuple<((5,2),3)>) -> !fly.int_tuple<30>
  // CHECK: fly.int_tuple_product(%arg3) : (!fly.int_tuple<((?{i64 div=6},5),(3,5))>) -> !fly.int_tuple<?{i64 div=450}>
  %3 = fly.int_tuple_product(%a3) : (!fly.int_tuple<((?{i64 div=6},5),(3,5))>) -> !fly.int_tuple<?{i64 div=450}>
  // CHECK: fly.int_tuple_product(%arg4) : (!fly.int_tuple<(6,4)>) -> !fly.int_tuple<24>
  %4 = fly.int_tuple_product(%a4) : (!fly.int_tuple<(6,4)>) -> !fly.int_tuple<24>
  // CHECK: fly.int_tuple_product(%arg5) : (!fly.int_tuple<(?)>) -> !fly.int_tuple<?>
  %5 = fly.int_tuple_product(%a5) : (!fly.int_tuple<(?)>) -> !fly.int_tuple<?>
  // CHECK: fly.int_tuple_product(%arg6) : (!fly.int_tuple<1>) -> !fly.int_tuple<1>
  %6 = fly.int_tuple_product(%a6) : (!fly.int_tuple<1>) -> !fly.int_tuple<1>
  // CHECK: fly.int_tuple_product(%arg7) : (!fly.int_tuple<3>) -> !fly.int_tuple<3>
  %7 = fly.int_tuple_product(%a7) : (!fly.int_tuple<3>) -> !fly.int_tuple<3>
  return
}

// CHECK-LABEL: func.func @int_tuple_product_each(
func.func @int_tuple_product_each(%a0: !fly.int_tuple<((2,7),(3,?),5)>,
    %a1: !fly.int_tuple<((1,8),(?,6,5),8)>,
    %a2: !fly.int_tuple<((4,2,?{i64}),2)>,
    %a3: !fly.int_tuple<((5,2),4,?{i64})>,
    %a4: !fly.int_tuple<((8,2),?)>,
    %a5: !fly.int_tuple<(1,6,?{div=4})>,
    %a6: !fly.int_tuple<(2,?)>,
    %a7: !fly.int_tuple<(8,3)>,
    %a8: !fly.int_tuple<4>,
    %a9: !fly.int_tuple<5>) {
  // CHECK: fly.int_tuple_product_each(%arg0) : (!fly.int_tuple<((2,7),(3,?),5)>) -> !fly.int_tuple<(14,?{div=3},5)>
  %0 = fly.int_tuple_product_each(%a0) : (!fly.int_tuple<((2,7),(3,?),5)>) -> !fly.int_tuple<(14,?{div=3},5)>
  // CHECK: fly.int_tuple_product_each(%arg1) : (!fly.int_tuple<((1,8),(?,6,5),8)>) -> !fly.int_tuple<(8,?{div=30},8)>
  %1 = fly.int_tuple_product_each(%a1) : (!fly.int_tuple<((1,8),(?,6,5),8)>) -> !fly.int_tuple<(8,?{div=30},8)>
  // CHECK: fly.int_tuple_product_each(%arg2) : (!fly.int_tuple<((4,2,?{i64}),2)>) -> !fly.int_tuple<(?{i64 div=8},2)>
  %2 = fly.int_tuple_product_each(%a2) : (!fly.int_tuple<((4,2,?{i64}),2)>) -> !fly.int_tuple<(?{i64 div=8},2)>
  // CHECK: fly.int_tuple_product_each(%arg3) : (!fly.int_tuple<((5,2),4,?{i64})>) -> !fly.int_tuple<(10,4,?{i64})>
  %3 = fly.int_tuple_product_each(%a3) : (!fly.int_tuple<((5,2),4,?{i64})>) -> !fly.int_tuple<(10,4,?{i64})>
  // CHECK: fly.int_tuple_product_each(%arg4) : (!fly.int_tuple<((8,2),?)>) -> !fly.int_tuple<(16,?)>
  %4 = fly.int_tuple_product_each(%a4) : (!fly.int_tuple<((8,2),?)>) -> !fly.int_tuple<(16,?)>
  // CHECK: fly.int_tuple_product_each(%arg5) : (!fly.int_tuple<(1,6,?{div=4})>) -> !fly.int_tuple<(1,6,?{div=4})>
  %5 = fly.int_tuple_product_each(%a5) : (!fly.int_tuple<(1,6,?{div=4})>) -> !fly.int_tuple<(1,6,?{div=4})>
  // CHECK: fly.int_tuple_product_each(%arg6) : (!fly.int_tuple<(2,?)>) -> !fly.int_tuple<(2,?)>
  %6 = fly.int_tuple_product_each(%a6) : (!fly.int_tuple<(2,?)>) -> !fly.int_tuple<(2,?)>
  // CHECK: fly.int_tuple_product_each(%arg7) : (!fly.int_tuple<(8,3)>) -> !fly.int_tuple<(8,3)>
  %7 = fly.int_tuple_product_each(%a7) : (!fly.int_tuple<(8,3)>) -> !fly.int_tuple<(8,3)>
  // CHECK: fly.int_tuple_product_each(%arg8) : (!fly.int_tuple<4>) -> !fly.int_tuple<4>
  %8 = fly.int_tuple_product_each(%a8) : (!fly.int_tuple<4>) -> !fly.int_tuple<4>
  // CHECK: fly.int_tuple_product_each(%arg9) : (!fly.int_tuple<5>) -> !fly.int_tuple<5>
  %9 = fly.int_tuple_product_each(%a9) : (!fly.int_tuple<5>) -> !fly.int_tuple<5>
  return
}

// CHECK-LABEL: func.func @int_tuple_product_like(
func.func @int_tuple_product_like(%a0: !fly.int_tuple<((2,7),(3,5))>,
    %a1: !fly.int_tuple<((1,1),1)>) {
  // CHECK: fly.int_tuple_product_like(%arg0, %arg1) : (!fly.int_tuple<((2,7),(3,5))>, !fly.int_tuple<((1,1),1)>) -> !fly.int_tuple<((2,7),15)>
  %0 = fly.int_tuple_product_like(%a0, %a1) : (!fly.int_tuple<((2,7),(3,5))>, !fly.int_tuple<((1,1),1)>) -> !fly.int_tuple<((2,7),15)>
  return
}
