// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Coalesce, composition, complement, inverses and recast.

// CHECK-LABEL: func.func @coalesce(
func.func @coalesce(%a0: !fly.layout<(3,1,5):(1,9,3)>,
    %a1: !fly.layout<(3,(1,5)):(2,(7,6))>,
    %a2: !fly.layout<(3,5):(5,1)>,
    %a3: !fly.layout<(3,5):(0,0)>,
    %a4: !fly.layout<(3,?,5):(1,3,15)>,
    %a5: !fly.layout<((6)):((5))>,
    %a6: !fly.layout<(1,1):(4,9)>,
    %a7: !fly.layout<(1,6):(0,2)>,
    %a8: !fly.layout<(3,5):(-1,-3)>,
    %a9: !fly.layout<((2,3),(5,7)):((1,2),(6,30))>,
    %a10: !fly.int_tuple<(1,1)>,
    %a11: !fly.int_tuple<((1,1),1)>,
    %a12: !fly.layout<((2,3),(5,7),9):((1,2),(6,30),210)>,
    %a13: !fly.layout<6:1>,
    %a14: !fly.layout<((3),2):((2),1)>,
    %a15: !fly.layout<((4,1,4),(1,2,4),3):((?{i64},?{i64},4),(?,3,4),3)>,
    %a16: !fly.layout<((4,2),?,6):((1E0,2E2),1E2,1E2)>,
    %a17: !fly.layout<(4,2,?):(1,4,8)>,
    %a18: !fly.int_tuple<(6,6)>,
    %a19: !fly.layout<(6,8):(1,6)>,
    %a20: !fly.layout<1:1>,
    %a21: !fly.layout<2:4>,
    %a22: !fly.layout<3:1>,
    %a23: !fly.layout<4:1>,
    %a24: !fly.int_tuple<((2,1),(1,3),5)>) {
  // CHECK: fly.coalesce(%arg0) : (!fly.layout<(3,1,5):(1,9,3)>) -> !fly.layout<15:1>
  %0 = fly.coalesce(%a0) : (!fly.layout<(3,1,5):(1,9,3)>) -> !fly.layout<15:1>
  // CHECK: fly.coalesce(%arg1) : (!fly.layout<(3,(1,5)):(2,(7,6))>) -> !fly.layout<15:2>
  %1 = fly.coalesce(%a1) : (!fly.layout<(3,(1,5)):(2,(7,6))>) -> !fly.layout<15:2>
  // CHECK: fly.coalesce(%arg2) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(3,5):(5,1)>
  %2 = fly.coalesce(%a2) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(3,5):(5,1)>
  // CHECK: fly.coalesce(%arg3) : (!fly.layout<(3,5):(0,0)>) -> !fly.layout<15:0>
  %3 = fly.coalesce(%a3) : (!fly.layout<(3,5):(0,0)>) -> !fly.layout<15:0>
  // CHECK: fly.coalesce(%arg4) : (!fly.layout<(3,?,5):(1,3,15)>) -> !fly.layout<(3,?,5):(1,3,15)>
  %4 = fly.coalesce(%a4) : (!fly.layout<(3,?,5):(1,3,15)>) -> !fly.layout<(3,?,5):(1,3,15)>
  // CHECK: fly.coalesce(%arg5) : (!fly.layout<((6)):((5))>) -> !fly.layout<((6)):((5))>
  %5 = fly.coalesce(%a5) : (!fly.layout<((6)):((5))>) -> !fly.layout<((6)):((5))>
  // CHECK: fly.coalesce(%arg6) : (!fly.layout<(1,1):(4,9)>) -> !fly.layout<1:0>
  %6 = fly.coalesce(%a6) : (!fly.layout<(1,1):(4,9)>) -> !fly.layout<1:0>
  // CHECK: fly.coalesce(%arg7) : (!fly.layout<(1,6):(0,2)>) -> !fly.layout<6:2>
  %7 = fly.coalesce(%a7) : (!fly.layout<(1,6):(0,2)>) -> !fly.layout<6:2>
  // CHECK: fly.coalesce(%arg8) : (!fly.layout<(3,5):(-1,-3)>) -> !fly.layout<15:-1>
  %8 = fly.coalesce(%a8) : (!fly.layout<(3,5):(-1,-3)>) -> !fly.layout<15:-1>
  // CHECK: fly.coalesce(%arg9, %arg10) : (!fly.layout<((2,3),(5,7)):((1,2),(6,30))>, !fly.int_tuple<(1,1)>) -> !fly.layout<(6,35):(1,6)>
  %9 = fly.coalesce(%a9, %a10) : (!fly.layout<((2,3),(5,7)):((1,2),(6,30))>, !fly.int_tuple<(1,1)>) -> !fly.layout<(6,35):(1,6)>
  // CHECK: fly.coalesce(%arg9, %arg11) : (!fly.layout<((2,3),(5,7)):((1,2),(6,30))>, !fly.int_tuple<((1,1),1)>) -> !fly.layout<((2,3),35):((1,2),6)>
  %10 = fly.coalesce(%a9, %a11) : (!fly.layout<((2,3),(5,7)):((1,2),(6,30))>, !fly.int_tuple<((1,1),1)>) -> !fly.layout<((2,3),35):((1,2),6)>
  // CHECK: fly.coalesce(%arg12, %arg10) : (!fly.layout<((2,3),(5,7),9):((1,2),(6,30),210)>, !fly.int_tuple<(1,1)>) -> !fly.layout<(6,35,9):(1,6,210)>
  %11 = fly.coalesce(%a12, %a10) : (!fly.layout<((2,3),(5,7),9):((1,2),(6,30),210)>, !fly.int_tuple<(1,1)>) -> !fly.layout<(6,35,9):(1,6,210)>
  // CHECK: fly.coalesce(%arg13, %arg10) : (!fly.layout<6:1>, !fly.int_tuple<(1,1)>) -> !fly.layout<(6):(1)>
  %12 = fly.coalesce(%a13, %a10) : (!fly.layout<6:1>, !fly.int_tuple<(1,1)>) -> !fly.layout<(6):(1)>
  // CHECK: fly.coalesce(%arg14) : (!fly.layout<((3),2):((2),1)>) -> !fly.layout<(3,2):(2,1)>
  %13 = fly.coalesce(%a14) : (!fly.layout<((3),2):((2),1)>) -> !fly.layout<(3,2):(2,1)>
  // CHECK: fly.coalesce(%arg15) : (!fly.layout<((4,1,4),(1,2,4),3):((?{i64},?{i64},4),(?,3,4),3)>) -> !fly.layout<(4,4,2,4,3):(?{i64},4,3,4,3)>
  %14 = fly.coalesce(%a15) : (!fly.layout<((4,1,4),(1,2,4),3):((?{i64},?{i64},4),(?,3,4),3)>) -> !fly.layout<(4,4,2,4,3):(?{i64},4,3,4,3)>
  // CHECK: fly.coalesce(%arg16) : (!fly.layout<((4,2),?,6):((1E0,2E2),1E2,1E2)>) -> !fly.layout<(4,2,?,6):(1E0,2E2,1E2,1E2)>
  %15 = fly.coalesce(%a16) : (!fly.layout<((4,2),?,6):((1E0,2E2),1E2,1E2)>) -> !fly.layout<(4,2,?,6):(1E0,2E2,1E2,1E2)>
  // CHECK: fly.coalesce(%arg17, %arg18) : (!fly.layout<(4,2,?):(1,4,8)>, !fly.int_tuple<(6,6)>) -> !fly.layout<(4,2,?):(1,4,8)>
  %16 = fly.coalesce(%a17, %a18) : (!fly.layout<(4,2,?):(1,4,8)>, !fly.int_tuple<(6,6)>) -> !fly.layout<(4,2,?):(1,4,8)>
  // CHECK: fly.coalesce(%arg19) : (!fly.layout<(6,8):(1,6)>) -> !fly.layout<48:1>
  %17 = fly.coalesce(%a19) : (!fly.layout<(6,8):(1,6)>) -> !fly.layout<48:1>
  // CHECK: fly.coalesce(%arg20) : (!fly.layout<1:1>) -> !fly.layout<1:0>
  %18 = fly.coalesce(%a20) : (!fly.layout<1:1>) -> !fly.layout<1:0>
  // CHECK: fly.coalesce(%arg21) : (!fly.layout<2:4>) -> !fly.layout<2:4>
  %19 = fly.coalesce(%a21) : (!fly.layout<2:4>) -> !fly.layout<2:4>
  // CHECK: fly.coalesce(%arg22) : (!fly.layout<3:1>) -> !fly.layout<3:1>
  %20 = fly.coalesce(%a22) : (!fly.layout<3:1>) -> !fly.layout<3:1>
  // CHECK: fly.coalesce(%arg23, %arg24) : (!fly.layout<4:1>, !fly.int_tuple<((2,1),(1,3),5)>) -> !fly.layout<((4)):((1))>
  %21 = fly.coalesce(%a23, %a24) : (!fly.layout<4:1>, !fly.int_tuple<((2,1),(1,3),5)>) -> !fly.layout<((4)):((1))>
  return
}

// CHECK-LABEL: func.func @composition(
func.func @composition(%a0: !fly.layout<(6,5):(5,1)>,
    %a1: !fly.layout<(3,10):(2,6)>,
    %a2: !fly.layout<(6,5):(1,7)>,
    %a3: !fly.layout<15:2>,
    %a4: !fly.layout<(2,3):(0,1)>,
    %a5: !fly.layout<60:1>,
    %a6: !fly.layout<10:3>,
    %a7: !fly.layout<(2,(5,4)):(5,(1,10))>,
    %a8: !fly.layout<(6,?):(5,1)>,
    %a9: !fly.layout<12:1>,
    %a10: !fly.layout<(?,6):(1,?)>,
    %a11: !fly.layout<4:1>,
    %a12: !fly.layout<(6,5):(1E0,1E1)>,
    %a13: !fly.layout<(3,5):(2,6)>,
    %a14: !fly.layout<(6,5):(1,6)>,
    %a15: !fly.layout<1:9>,
    %a16: !fly.layout<?:1>,
    %a17: !fly.layout<(6,1):(1,0)>,
    %a18: !fly.layout<(6,10):(10,1)>,
    %a19: !fly.tile<[3|5:2]>,
    %a20: !fly.tile<[3]>,
    %a21: !fly.layout<(6,(2,5)):(10,(1,2))>,
    %a22: !fly.tile<[*|[2|5]]>,
    %a23: !fly.layout<12:2>,
    %a24: !fly.tile<[4]>,
    %a25: !fly.composed_layout<S<2,2,2> o 4 o (6,8):(8,1)>,
    %a26: !fly.layout<(3,4):(2,6)>,
    %a27: !fly.layout<(2,(2,5),1):(1,(2,4),20)>,
    %a28: !fly.layout<((6,2),(4,2,2),2):((3,?),(12,6,1),6)>,
    %a29: !fly.layout<(3,?{i64}):(24,3)>,
    %a30: !fly.layout<(4,2,4):(1,4,8)>,
    %a31: !fly.tile<[3|2:2]>,
    %a32: !fly.layout<(4,4,(4,3,6)):(2E2,4E2,(1E1,2E2,2E0))>,
    %a33: !fly.layout<(2,(1,2),?):(1,(4,2),4)>,
    %a34: !fly.layout<(6,6,(?{i64 div=6},4)):(12,?{div=4},(24,0))>,
    %a35: !fly.layout<(8,(8,2,4),(?{div=4},?,4)):(1,(8,64,128),(512,?{div=2048},?{div=2048}))>,
    %a36: !fly.tile<[2:4|2]>,
    %a37: !fly.layout<1:1>,
    %a38: !fly.layout<((2,?),(6,8),2):((1,2),(?{div=2},?{div=12}),?{div=96})>,
    %a39: !fly.tile<[(2,2):(1,4)|*]>,
    %a40: !fly.layout<3:1>,
    %a41: !fly.layout<((8,4),(2,6,6)):((16,3),(16,8,0))>) {
  // CHECK: fly.composition(%arg0, %arg1) : (!fly.layout<(6,5):(5,1)>, !fly.layout<(3,10):(2,6)>) -> !fly.layout<(3,10):(10,1)>
  %0 = fly.composition(%a0, %a1) : (!fly.layout<(6,5):(5,1)>, !fly.layout<(3,10):(2,6)>) -> !fly.layout<(3,10):(10,1)>
  // CHECK: fly.composition(%arg2, %arg3) : (!fly.layout<(6,5):(1,7)>, !fly.layout<15:2>) -> !fly.layout<(3,5):(2,7)>
  %1 = fly.composition(%a2, %a3) : (!fly.layout<(6,5):(1,7)>, !fly.layout<15:2>) -> !fly.layout<(3,5):(2,7)>
  // CHECK: fly.composition(%arg0, %arg4) : (!fly.layout<(6,5):(5,1)>, !fly.layout<(2,3):(0,1)>) -> !fly.layout<(2,3):(0,5)>
  %2 = fly.composition(%a0, %a4) : (!fly.layout<(6,5):(5,1)>, !fly.layout<(2,3):(0,1)>) -> !fly.layout<(2,3):(0,5)>
  // CHECK: fly.composition(%arg0, %arg5) : (!fly.layout<(6,5):(5,1)>, !fly.layout<60:1>) -> !fly.layout<(6,10):(5,1)>
  %3 = fly.composition(%a0, %a5) : (!fly.layout<(6,5):(5,1)>, !fly.layout<60:1>) -> !fly.layout<(6,10):(5,1)>
  // CHECK: fly.composition(%arg6, %arg7) : (!fly.layout<10:3>, !fly.layout<(2,(5,4)):(5,(1,10))>) -> !fly.layout<(2,(5,4)):(15,(3,30))>
  %4 = fly.composition(%a6, %a7) : (!fly.layout<10:3>, !fly.layout<(2,(5,4)):(5,(1,10))>) -> !fly.layout<(2,(5,4)):(15,(3,30))>
  // CHECK: fly.composition(%arg8, %arg9) : (!fly.layout<(6,?):(5,1)>, !fly.layout<12:1>) -> !fly.layout<(6,2):(5,1)>
  %5 = fly.composition(%a8, %a9) : (!fly.layout<(6,?):(5,1)>, !fly.layout<12:1>) -> !fly.layout<(6,2):(5,1)>
  // CHECK: fly.composition(%arg10, %arg11) : (!fly.layout<(?,6):(1,?)>, !fly.layout<4:1>) -> !fly.layout<(?,?):(1,?)>
  %6 = fly.composition(%a10, %a11) : (!fly.layout<(?,6):(1,?)>, !fly.layout<4:1>) -> !fly.layout<(?,?):(1,?)>
  // CHECK: fly.composition(%arg12, %arg13) : (!fly.layout<(6,5):(1E0,1E1)>, !fly.layout<(3,5):(2,6)>) -> !fly.layout<(3,5):(2E0,1E1)>
  %7 = fly.composition(%a12, %a13) : (!fly.layout<(6,5):(1E0,1E1)>, !fly.layout<(3,5):(2,6)>) -> !fly.layout<(3,5):(2E0,1E1)>
  // CHECK: fly.composition(%arg14, %arg15) : (!fly.layout<(6,5):(1,6)>, !fly.layout<1:9>) -> !fly.layout<1:0>
  %8 = fly.composition(%a14, %a15) : (!fly.layout<(6,5):(1,6)>, !fly.layout<1:9>) -> !fly.layout<1:0>
  // CHECK: fly.composition(%arg14, %arg16) : (!fly.layout<(6,5):(1,6)>, !fly.layout<?:1>) -> !fly.layout<?:1>
  %9 = fly.composition(%a14, %a16) : (!fly.layout<(6,5):(1,6)>, !fly.layout<?:1>) -> !fly.layout<?:1>
  // CHECK: fly.composition(%arg17, %arg9) : (!fly.layout<(6,1):(1,0)>, !fly.layout<12:1>) -> !fly.layout<(6,2):(1,0)>
  %10 = fly.composition(%a17, %a9) : (!fly.layout<(6,1):(1,0)>, !fly.layout<12:1>) -> !fly.layout<(6,2):(1,0)>
  // CHECK: fly.composition(%arg18, %arg19) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5:2]>) -> !fly.layout<(3,5):(10,2)>
  %11 = fly.composition(%a18, %a19) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5:2]>) -> !fly.layout<(3,5):(10,2)>
  // CHECK: fly.composition(%arg18, %arg20) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<(3,10):(10,1)>
  %12 = fly.composition(%a18, %a20) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<(3,10):(10,1)>
  // CHECK: fly.composition(%arg21, %arg22) : (!fly.layout<(6,(2,5)):(10,(1,2))>, !fly.tile<[*|[2|5]]>) -> !fly.layout<(6,(2,5)):(10,(1,2))>
  %13 = fly.composition(%a21, %a22) : (!fly.layout<(6,(2,5)):(10,(1,2))>, !fly.tile<[*|[2|5]]>) -> !fly.layout<(6,(2,5)):(10,(1,2))>
  // CHECK: fly.composition(%arg23, %arg24) : (!fly.layout<12:2>, !fly.tile<[4]>) -> !fly.layout<4:2>
  %14 = fly.composition(%a23, %a24) : (!fly.layout<12:2>, !fly.tile<[4]>) -> !fly.layout<4:2>
  // CHECK: fly.composition(%arg25, %arg26) : (!fly.composed_layout<S<2,2,2> o 4 o (6,8):(8,1)>, !fly.layout<(3,4):(2,6)>) -> !fly.composed_layout<S<2,2,2> o 4 o (3,4):(16,1)>
  %15 = fly.composition(%a25, %a26) : (!fly.composed_layout<S<2,2,2> o 4 o (6,8):(8,1)>, !fly.layout<(3,4):(2,6)>) -> !fly.composed_layout<S<2,2,2> o 4 o (3,4):(16,1)>
  // CHECK: fly.composition(%arg27, %arg28) : (!fly.layout<(2,(2,5),1):(1,(2,4),20)>, !fly.layout<((6,2),(4,2,2),2):((3,?),(12,6,1),6)>) -> !fly.layout<((6,2),(4,2,2),2):((3,?),(12,6,1),6)>
  %16 = fly.composition(%a27, %a28) : (!fly.layout<(2,(2,5),1):(1,(2,4),20)>, !fly.layout<((6,2),(4,2,2),2):((3,?),(12,6,1),6)>) -> !fly.layout<((6,2),(4,2,2),2):((3,?),(12,6,1),6)>
  // CHECK: fly.composition(%arg29, %arg24) : (!fly.layout<(3,?{i64}):(24,3)>, !fly.tile<[4]>) -> !fly.layout<(4,?{i64}):(24,3)>
  %17 = fly.composition(%a29, %a24) : (!fly.layout<(3,?{i64}):(24,3)>, !fly.tile<[4]>) -> !fly.layout<(4,?{i64}):(24,3)>
  // CHECK: fly.composition(%arg30, %arg31) : (!fly.layout<(4,2,4):(1,4,8)>, !fly.tile<[3|2:2]>) -> !fly.layout<(3,2,4):(1,8,8)>
  %18 = fly.composition(%a30, %a31) : (!fly.layout<(4,2,4):(1,4,8)>, !fly.tile<[3|2:2]>) -> !fly.layout<(3,2,4):(1,8,8)>
  // CHECK: fly.composition(%arg32, %arg33) : (!fly.layout<(4,4,(4,3,6)):(2E2,4E2,(1E1,2E2,2E0))>, !fly.layout<(2,(1,2),?):(1,(4,2),4)>) -> !fly.layout<(2,(1,2),(?,?,?,?)):(2E2,(0,4E2),(4E2,1E1,2E2,2E0))>
  %19 = fly.composition(%a32, %a33) : (!fly.layout<(4,4,(4,3,6)):(2E2,4E2,(1E1,2E2,2E0))>, !fly.layout<(2,(1,2),?):(1,(4,2),4)>) -> !fly.layout<(2,(1,2),(?,?,?,?)):(2E2,(0,4E2),(4E2,1E1,2E2,2E0))>
  // CHECK: fly.composition(%arg34, %arg31) : (!fly.layout<(6,6,(?{i64 div=6},4)):(12,?{div=4},(24,0))>, !fly.tile<[3|2:2]>) -> !fly.layout<(3,2,(?{i64 div=6},4)):(12,?{div=8},(24,0))>
  %20 = fly.composition(%a34, %a31) : (!fly.layout<(6,6,(?{i64 div=6},4)):(12,?{div=4},(24,0))>, !fly.tile<[3|2:2]>) -> !fly.layout<(3,2,(?{i64 div=6},4)):(12,?{div=8},(24,0))>
  // CHECK: fly.composition(%arg35, %arg36) : (!fly.layout<(8,(8,2,4),(?{div=4},?,4)):(1,(8,64,128),(512,?{div=2048},?{div=2048}))>, !fly.tile<[2:4|2]>) -> !fly.layout<(2,2,(?{div=4},?,4)):(4,8,(512,?{div=2048},?{div=2048}))>
  %21 = fly.composition(%a35, %a36) : (!fly.layout<(8,(8,2,4),(?{div=4},?,4)):(1,(8,64,128),(512,?{div=2048},?{div=2048}))>, !fly.tile<[2:4|2]>) -> !fly.layout<(2,2,(?{div=4},?,4)):(4,8,(512,?{div=2048},?{div=2048}))>
  // CHECK: fly.composition(%arg37, %arg38) : (!fly.layout<1:1>, !fly.layout<((2,?),(6,8),2):((1,2),(?{div=2},?{div=12}),?{div=96})>) -> !fly.layout<((2,?),(6,8),2):((1,2),(?{div=2},?{div=12}),?{div=96})>
  %22 = fly.composition(%a37, %a38) : (!fly.layout<1:1>, !fly.layout<((2,?),(6,8),2):((1,2),(?{div=2},?{div=12}),?{div=96})>) -> !fly.layout<((2,?),(6,8),2):((1,2),(?{div=2},?{div=12}),?{div=96})>
  // CHECK: fly.composition(%arg37, %arg39) : (!fly.layout<1:1>, !fly.tile<[(2,2):(1,4)|*]>) -> !fly.layout<(2,2):(1,4)>
  %23 = fly.composition(%a37, %a39) : (!fly.layout<1:1>, !fly.tile<[(2,2):(1,4)|*]>) -> !fly.layout<(2,2):(1,4)>
  // CHECK: fly.composition(%arg40, %arg41) : (!fly.layout<3:1>, !fly.layout<((8,4),(2,6,6)):((16,3),(16,8,0))>) -> !fly.layout<((8,4),(2,6,6)):((16,3),(16,8,0))>
  %24 = fly.composition(%a40, %a41) : (!fly.layout<3:1>, !fly.layout<((8,4),(2,6,6)):((16,3),(16,8,0))>) -> !fly.layout<((8,4),(2,6,6)):((16,3),(16,8,0))>
  return
}

// CHECK-LABEL: func.func @complement(
func.func @complement(%a0: !fly.layout<3:1>,
    %a1: !fly.int_tuple<30>,
    %a2: !fly.layout<3:2>,
    %a3: !fly.layout<(3,2):(1,15)>,
    %a4: !fly.int_tuple<60>,
    %a5: !fly.layout<(2,3):(6,1)>,
    %a6: !fly.int_tuple<?>,
    %a7: !fly.layout<3:0>,
    %a8: !fly.layout<(3,2):(0,1)>,
    %a9: !fly.layout<3:?>,
    %a10: !fly.layout<?:1>,
    %a11: !fly.int_tuple<10>,
    %a12: !fly.int_tuple<2>,
    %a13: !fly.layout<((6,4,2),2):((16,1,4),8)>,
    %a14: !fly.int_tuple<?{i64}>,
    %a15: !fly.layout<(3,2,(2,4,8)):(1,3,(6,12,48))>,
    %a16: !fly.int_tuple<7>,
    %a17: !fly.layout<(6,6):(6,1)>,
    %a18: !fly.int_tuple<48>,
    %a19: !fly.layout<(8):(1)>,
    %a20: !fly.layout<2:1>,
    %a21: !fly.layout<4:1>,
    %a22: !fly.layout<5:6>,
    %a23: !fly.layout<8:2>,
    %a24: !fly.int_tuple<64>) {
  // CHECK: fly.complement(%arg0, %arg1) : (!fly.layout<3:1>, !fly.int_tuple<30>) -> !fly.layout<10:3>
  %0 = fly.complement(%a0, %a1) : (!fly.layout<3:1>, !fly.int_tuple<30>) -> !fly.layout<10:3>
  // CHECK: fly.complement(%arg2, %arg1) : (!fly.layout<3:2>, !fly.int_tuple<30>) -> !fly.layout<(2,5):(1,6)>
  %1 = fly.complement(%a2, %a1) : (!fly.layout<3:2>, !fly.int_tuple<30>) -> !fly.layout<(2,5):(1,6)>
  // CHECK: fly.complement(%arg3, %arg4) : (!fly.layout<(3,2):(1,15)>, !fly.int_tuple<60>) -> !fly.layout<(5,2):(3,30)>
  %2 = fly.complement(%a3, %a4) : (!fly.layout<(3,2):(1,15)>, !fly.int_tuple<60>) -> !fly.layout<(5,2):(3,30)>
  // CHECK: fly.complement(%arg5, %arg6) : (!fly.layout<(2,3):(6,1)>, !fly.int_tuple<?>) -> !fly.layout<(2,?):(3,12)>
  %3 = fly.complement(%a5, %a6) : (!fly.layout<(2,3):(6,1)>, !fly.int_tuple<?>) -> !fly.layout<(2,?):(3,12)>
  // CHECK: fly.complement(%arg7, %arg1) : (!fly.layout<3:0>, !fly.int_tuple<30>) -> !fly.layout<30:1>
  %4 = fly.complement(%a7, %a1) : (!fly.layout<3:0>, !fly.int_tuple<30>) -> !fly.layout<30:1>
  // CHECK: fly.complement(%arg8, %arg1) : (!fly.layout<(3,2):(0,1)>, !fly.int_tuple<30>) -> !fly.layout<15:2>
  %5 = fly.complement(%a8, %a1) : (!fly.layout<(3,2):(0,1)>, !fly.int_tuple<30>) -> !fly.layout<15:2>
  // CHECK: fly.complement(%arg2) : (!fly.layout<3:2>) -> !fly.layout<2:1>
  %6 = fly.complement(%a2) : (!fly.layout<3:2>) -> !fly.layout<2:1>
  // CHECK: fly.complement(%arg9, %arg1) : (!fly.layout<3:?>, !fly.int_tuple<30>) -> !fly.layout<(?,?):(1,?{div=3})>
  %7 = fly.complement(%a9, %a1) : (!fly.layout<3:?>, !fly.int_tuple<30>) -> !fly.layout<(?,?):(1,?{div=3})>
  // CHECK: fly.complement(%arg10, %arg1) : (!fly.layout<?:1>, !fly.int_tuple<30>) -> !fly.layout<?:?>
  %8 = fly.complement(%a10, %a1) : (!fly.layout<?:1>, !fly.int_tuple<30>) -> !fly.layout<?:?>
  // CHECK: fly.complement(%arg0, %arg11) : (!fly.layout<3:1>, !fly.int_tuple<10>) -> !fly.layout<4:3>
  %9 = fly.complement(%a0, %a11) : (!fly.layout<3:1>, !fly.int_tuple<10>) -> !fly.layout<4:3>
  // CHECK: fly.complement(%arg0, %arg12) : (!fly.layout<3:1>, !fly.int_tuple<2>) -> !fly.layout<1:0>
  %10 = fly.complement(%a0, %a12) : (!fly.layout<3:1>, !fly.int_tuple<2>) -> !fly.layout<1:0>
  // CHECK: fly.complement(%arg13, %arg14) : (!fly.layout<((6,4,2),2):((16,1,4),8)>, !fly.int_tuple<?{i64}>) -> !fly.layout<?{i64}:96>
  %11 = fly.complement(%a13, %a14) : (!fly.layout<((6,4,2),2):((16,1,4),8)>, !fly.int_tuple<?{i64}>) -> !fly.layout<?{i64}:96>
  // CHECK: fly.complement(%arg15, %arg16) : (!fly.layout<(3,2,(2,4,8)):(1,3,(6,12,48))>, !fly.int_tuple<7>) -> !fly.layout<1:0>
  %12 = fly.complement(%a15, %a16) : (!fly.layout<(3,2,(2,4,8)):(1,3,(6,12,48))>, !fly.int_tuple<7>) -> !fly.layout<1:0>
  // CHECK: fly.complement(%arg17, %arg18) : (!fly.layout<(6,6):(6,1)>, !fly.int_tuple<48>) -> !fly.layout<2:36>
  %13 = fly.complement(%a17, %a18) : (!fly.layout<(6,6):(6,1)>, !fly.int_tuple<48>) -> !fly.layout<2:36>
  // CHECK: fly.complement(%arg19) : (!fly.layout<(8):(1)>) -> !fly.layout<1:0>
  %14 = fly.complement(%a19) : (!fly.layout<(8):(1)>) -> !fly.layout<1:0>
  // CHECK: fly.complement(%arg20, %arg18) : (!fly.layout<2:1>, !fly.int_tuple<48>) -> !fly.layout<24:2>
  %15 = fly.complement(%a20, %a18) : (!fly.layout<2:1>, !fly.int_tuple<48>) -> !fly.layout<24:2>
  // CHECK: fly.complement(%arg21) : (!fly.layout<4:1>) -> !fly.layout<1:0>
  %16 = fly.complement(%a21) : (!fly.layout<4:1>) -> !fly.layout<1:0>
  // CHECK: fly.complement(%arg22) : (!fly.layout<5:6>) -> !fly.layout<6:1>
  %17 = fly.complement(%a22) : (!fly.layout<5:6>) -> !fly.layout<6:1>
  // CHECK: fly.complement(%arg23, %arg24) : (!fly.layout<8:2>, !fly.int_tuple<64>) -> !fly.layout<(2,4):(1,16)>
  %18 = fly.complement(%a23, %a24) : (!fly.layout<8:2>, !fly.int_tuple<64>) -> !fly.layout<(2,4):(1,16)>
  return
}

// CHECK-LABEL: func.func @recast_layout(
func.func @recast_layout(%a0: !fly.layout<(12,5):(1,12)>,
    %a1: !fly.layout<(6,4):(4,1)>,
    %a2: !fly.layout<(8,4):(1,8)>,
    %a3: !fly.composed_layout<S<2,3,3> o 16 o (6,32):(32,1)>,
    %a4: !fly.composed_layout<S<2,3,3> o ?{div=4} o (6,32):(32,1)>,
    %a5: !fly.layout<8:16>,
    %a6: !fly.layout<(4,8,(4,5)):(1,4,(32,128))>,
    %a7: !fly.layout<((1,5,4),4):((12,3,2),6)>,
    %a8: !fly.layout<(1,2):(3,4)>) {
  // CHECK: fly.recast_layout(%arg0) {new_type_bits = 32 : i32, old_type_bits = 8 : i32} : (!fly.layout<(12,5):(1,12)>) -> !fly.layout<(3,5):(1,3)>
  %0 = fly.recast_layout(%a0) {new_type_bits = 32 : i32, old_type_bits = 8 : i32} : (!fly.layout<(12,5):(1,12)>) -> !fly.layout<(3,5):(1,3)>
  // CHECK: fly.recast_layout(%arg0) {new_type_bits = 8 : i32, old_type_bits = 32 : i32} : (!fly.layout<(12,5):(1,12)>) -> !fly.layout<(48,5):(1,48)>
  %1 = fly.recast_layout(%a0) {new_type_bits = 8 : i32, old_type_bits = 32 : i32} : (!fly.layout<(12,5):(1,12)>) -> !fly.layout<(48,5):(1,48)>
  // CHECK: fly.recast_layout(%arg1) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,4):(4,1)>) -> !fly.layout<(6,2):(2,1)>
  %2 = fly.recast_layout(%a1) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,4):(4,1)>) -> !fly.layout<(6,2):(2,1)>
  // CHECK: fly.recast_layout(%arg2) {new_type_bits = 16 : i32, old_type_bits = 24 : i32} : (!fly.layout<(8,4):(1,8)>) -> !fly.layout<(12,4):(1,12)>
  %3 = fly.recast_layout(%a2) {new_type_bits = 16 : i32, old_type_bits = 24 : i32} : (!fly.layout<(8,4):(1,8)>) -> !fly.layout<(12,4):(1,12)>
  // CHECK: fly.recast_layout(%arg3) {new_type_bits = 16 : i32, old_type_bits = 8 : i32} : (!fly.composed_layout<S<2,3,3> o 16 o (6,32):(32,1)>) -> !fly.composed_layout<S<2,2,3> o 8 o (6,16):(16,1)>
  %4 = fly.recast_layout(%a3) {new_type_bits = 16 : i32, old_type_bits = 8 : i32} : (!fly.composed_layout<S<2,3,3> o 16 o (6,32):(32,1)>) -> !fly.composed_layout<S<2,2,3> o 8 o (6,16):(16,1)>
  // CHECK: fly.recast_layout(%arg4) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,3,3> o ?{div=4} o (6,32):(32,1)>) -> !fly.composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)>
  %5 = fly.recast_layout(%a4) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,3,3> o ?{div=4} o (6,32):(32,1)>) -> !fly.composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)>
  // CHECK: fly.recast_layout(%arg5) {new_type_bits = 16 : i32, old_type_bits = 16 : i32} : (!fly.layout<8:16>) -> !fly.layout<8:16>
  %6 = fly.recast_layout(%a5) {new_type_bits = 16 : i32, old_type_bits = 16 : i32} : (!fly.layout<8:16>) -> !fly.layout<8:16>
  // CHECK: fly.recast_layout(%arg6) {new_type_bits = 64 : i32, old_type_bits = 16 : i32} : (!fly.layout<(4,8,(4,5)):(1,4,(32,128))>) -> !fly.layout<(1,8,(4,5)):(1,1,(8,32))>
  %7 = fly.recast_layout(%a6) {new_type_bits = 64 : i32, old_type_bits = 16 : i32} : (!fly.layout<(4,8,(4,5)):(1,4,(32,128))>) -> !fly.layout<(1,8,(4,5)):(1,1,(8,32))>
  // DIFF: line-recast-8-32-nested
  // CHECK: fly.recast_layout(%arg7) {new_type_bits = 8 : i32, old_type_bits = 32 : i32} : (!fly.layout<((1,5,4),4):((12,3,2),6)>) -> !fly.layout<((4,5,4),4):((1,12,8),24)>
  %8 = fly.recast_layout(%a7) {new_type_bits = 8 : i32, old_type_bits = 32 : i32} : (!fly.layout<((1,5,4),4):((12,3,2),6)>) -> !fly.layout<((4,5,4),4):((1,12,8),24)>
  // DIFF: line-recast-8-32-small
  // CHECK: fly.recast_layout(%arg8) {new_type_bits = 8 : i32, old_type_bits = 32 : i32} : (!fly.layout<(1,2):(3,4)>) -> !fly.layout<(4,2):(1,16)>
  %9 = fly.recast_layout(%a8) {new_type_bits = 8 : i32, old_type_bits = 32 : i32} : (!fly.layout<(1,2):(3,4)>) -> !fly.layout<(4,2):(1,16)>
  return
}

// CHECK-LABEL: func.func @right_inverse(
func.func @right_inverse(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.layout<(3,5):(1,4)>,
    %a2: !fly.layout<5:2>,
    %a3: !fly.layout<(2,3):(0,1)>,
    %a4: !fly.layout<(?,3):(3,1)>,
    %a5: !fly.layout<5:-1>,
    %a6: !fly.composed_layout<S<2,2,2> o 0 o (4,8):(8,1)>,
    %a7: !fly.layout<((4,8),(1,8)):((1,4),(32,32))>,
    %a8: !fly.layout<((5,3,6),2,?{i64}):((4,2,3),12,8)>,
    %a9: !fly.layout<((8,1,5),(2,6,3)):((0,24,1),(0,2,2))>,
    %a10: !fly.layout<((?{div=4},5),3,5):((1,?{div=4}),?{div=20},?{div=60})>,
    %a11: !fly.layout<(5,5,2):(-1,16,?{div=4})>,
    %a12: !fly.layout<1:12>,
    %a13: !fly.layout<4:16>,
    %a14: !fly.layout<5:16>,
    %a15: !fly.layout<6:1>) {
  // CHECK: fly.right_inverse(%arg0) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(5,3):(3,1)>
  %0 = fly.right_inverse(%a0) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(5,3):(3,1)>
  // CHECK: fly.right_inverse(%arg1) : (!fly.layout<(3,5):(1,4)>) -> !fly.layout<3:1>
  %1 = fly.right_inverse(%a1) : (!fly.layout<(3,5):(1,4)>) -> !fly.layout<3:1>
  // CHECK: fly.right_inverse(%arg2) : (!fly.layout<5:2>) -> !fly.layout<1:0>
  %2 = fly.right_inverse(%a2) : (!fly.layout<5:2>) -> !fly.layout<1:0>
  // CHECK: fly.right_inverse(%arg3) : (!fly.layout<(2,3):(0,1)>) -> !fly.layout<3:2>
  %3 = fly.right_inverse(%a3) : (!fly.layout<(2,3):(0,1)>) -> !fly.layout<3:2>
  // DIFF: line-right-inverse-run-time-size
  // CHECK: fly.right_inverse(%arg4) : (!fly.layout<(?,3):(3,1)>) -> !fly.layout<(3,?):(?,1)>
  %4 = fly.right_inverse(%a4) : (!fly.layout<(?,3):(3,1)>) -> !fly.layout<(3,?):(?,1)>
  // CHECK: fly.right_inverse(%arg5) : (!fly.layout<5:-1>) -> !fly.layout<1:0>
  %5 = fly.right_inverse(%a5) : (!fly.layout<5:-1>) -> !fly.layout<1:0>
  // DIFF: line-right-inverse-swizzled
  // CHECK: fly.right_inverse(%arg6) : (!fly.composed_layout<S<2,2,2> o 0 o (4,8):(8,1)>) -> !fly.composed_layout<(8,4):(4,1) o 0 o [S<2,2,2> o 0 o 32:1]>
  %6 = fly.right_inverse(%a6) : (!fly.composed_layout<S<2,2,2> o 0 o (4,8):(8,1)>) -> !fly.composed_layout<(8,4):(4,1) o 0 o [S<2,2,2> o 0 o 32:1]>
  // CHECK: fly.right_inverse(%arg7) : (!fly.layout<((4,8),(1,8)):((1,4),(32,32))>) -> !fly.layout<256:1>
  %7 = fly.right_inverse(%a7) : (!fly.layout<((4,8),(1,8)):((1,4),(32,32))>) -> !fly.layout<256:1>
  // CHECK: fly.right_inverse(%arg8) : (!fly.layout<((5,3,6),2,?{i64}):((4,2,3),12,8)>) -> !fly.layout<1:0>
  %8 = fly.right_inverse(%a8) : (!fly.layout<((5,3,6),2,?{i64}):((4,2,3),12,8)>) -> !fly.layout<1:0>
  // CHECK: fly.right_inverse(%arg9) : (!fly.layout<((8,1,5),(2,6,3)):((0,24,1),(0,2,2))>) -> !fly.layout<5:8>
  %9 = fly.right_inverse(%a9) : (!fly.layout<((8,1,5),(2,6,3)):((0,24,1),(0,2,2))>) -> !fly.layout<5:8>
  // DIFF: line-right-inverse-first-run-time
  // CHECK: fly.right_inverse(%arg10) : (!fly.layout<((?{div=4},5),3,5):((1,?{div=4}),?{div=20},?{div=60})>) -> !fly.layout<?{div=4}:1>
  %10 = fly.right_inverse(%a10) : (!fly.layout<((?{div=4},5),3,5):((1,?{div=4}),?{div=20},?{div=60})>) -> !fly.layout<?{div=4}:1>
  // CHECK: fly.right_inverse(%arg11) : (!fly.layout<(5,5,2):(-1,16,?{div=4})>) -> !fly.layout<1:0>
  %11 = fly.right_inverse(%a11) : (!fly.layout<(5,5,2):(-1,16,?{div=4})>) -> !fly.layout<1:0>
  // CHECK: fly.right_inverse(%arg12) : (!fly.layout<1:12>) -> !fly.layout<1:0>
  %12 = fly.right_inverse(%a12) : (!fly.layout<1:12>) -> !fly.layout<1:0>
  // CHECK: fly.right_inverse(%arg13) : (!fly.layout<4:16>) -> !fly.layout<1:0>
  %13 = fly.right_inverse(%a13) : (!fly.layout<4:16>) -> !fly.layout<1:0>
  // CHECK: fly.right_inverse(%arg14) : (!fly.layout<5:16>) -> !fly.layout<1:0>
  %14 = fly.right_inverse(%a14) : (!fly.layout<5:16>) -> !fly.layout<1:0>
  // CHECK: fly.right_inverse(%arg15) : (!fly.layout<6:1>) -> !fly.layout<6:1>
  %15 = fly.right_inverse(%a15) : (!fly.layout<6:1>) -> !fly.layout<6:1>
  return
}

// CHECK-LABEL: func.func @left_inverse(
func.func @left_inverse(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.layout<(3,5):(1,4)>,
    %a2: !fly.layout<5:2>,
    %a3: !fly.layout<(2,3):(0,1)>,
    %a4: !fly.layout<(?,3):(3,1)>,
    %a5: !fly.layout<(2,(2,3),2):(1,(2,4),12)>,
    %a6: !fly.layout<(4):(1)>,
    %a7: !fly.layout<(4,1):(8,3)>,
    %a8: !fly.layout<(6,1):(16,?{div=4})>,
    %a9: !fly.layout<3:16>,
    %a10: !fly.layout<8:6>,
    %a11: !fly.layout<?:?>) {
  // CHECK: fly.left_inverse(%arg0) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(5,3):(3,1)>
  %0 = fly.left_inverse(%a0) : (!fly.layout<(3,5):(5,1)>) -> !fly.layout<(5,3):(3,1)>
  // CHECK: fly.left_inverse(%arg1) : (!fly.layout<(3,5):(1,4)>) -> !fly.layout<(4,5):(1,3)>
  %1 = fly.left_inverse(%a1) : (!fly.layout<(3,5):(1,4)>) -> !fly.layout<(4,5):(1,3)>
  // CHECK: fly.left_inverse(%arg2) : (!fly.layout<5:2>) -> !fly.layout<(2,5):(0,1)>
  %2 = fly.left_inverse(%a2) : (!fly.layout<5:2>) -> !fly.layout<(2,5):(0,1)>
  // CHECK: fly.left_inverse(%arg3) : (!fly.layout<(2,3):(0,1)>) -> !fly.layout<3:2>
  %3 = fly.left_inverse(%a3) : (!fly.layout<(2,3):(0,1)>) -> !fly.layout<3:2>
  // CHECK: fly.left_inverse(%arg4) : (!fly.layout<(?,3):(3,1)>) -> !fly.layout<(3,?):(?,1)>
  %4 = fly.left_inverse(%a4) : (!fly.layout<(?,3):(3,1)>) -> !fly.layout<(3,?):(?,1)>
  // CHECK: fly.left_inverse(%arg5) : (!fly.layout<(2,(2,3),2):(1,(2,4),12)>) -> !fly.layout<24:1>
  %5 = fly.left_inverse(%a5) : (!fly.layout<(2,(2,3),2):(1,(2,4),12)>) -> !fly.layout<24:1>
  // CHECK: fly.left_inverse(%arg6) : (!fly.layout<(4):(1)>) -> !fly.layout<4:1>
  %6 = fly.left_inverse(%a6) : (!fly.layout<(4):(1)>) -> !fly.layout<4:1>
  // CHECK: fly.left_inverse(%arg7) : (!fly.layout<(4,1):(8,3)>) -> !fly.layout<(8,4):(0,1)>
  %7 = fly.left_inverse(%a7) : (!fly.layout<(4,1):(8,3)>) -> !fly.layout<(8,4):(0,1)>
  // CHECK: fly.left_inverse(%arg8) : (!fly.layout<(6,1):(16,?{div=4})>) -> !fly.layout<(16,6):(0,1)>
  %8 = fly.left_inverse(%a8) : (!fly.layout<(6,1):(16,?{div=4})>) -> !fly.layout<(16,6):(0,1)>
  // CHECK: fly.left_inverse(%arg9) : (!fly.layout<3:16>) -> !fly.layout<(16,3):(0,1)>
  %9 = fly.left_inverse(%a9) : (!fly.layout<3:16>) -> !fly.layout<(16,3):(0,1)>
  // CHECK: fly.left_inverse(%arg10) : (!fly.layout<8:6>) -> !fly.layout<(6,8):(0,1)>
  %10 = fly.left_inverse(%a10) : (!fly.layout<8:6>) -> !fly.layout<(6,8):(0,1)>
  // DIFF: line-left-inverse-run-time-mode
  // CHECK: fly.left_inverse(%arg11) : (!fly.layout<?:?>) -> !fly.layout<(?,?):(0,1)>
  %11 = fly.left_inverse(%a11) : (!fly.layout<?:?>) -> !fly.layout<(?,?):(0,1)>
  return
}
