// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Layouts from shapes, orders and other layouts, and their parts.

// CHECK-LABEL: func.func @make_identity_layout(
func.func @make_identity_layout(%a0: !fly.int_tuple<(3,(5,?))>,
    %a1: !fly.int_tuple<9>) {
  // CHECK: fly.make_identity_layout(%arg0) : (!fly.int_tuple<(3,(5,?))>) -> !fly.layout<(3,(5,?)):(1E0,(1E1E0,1E1E1))>
  %0 = fly.make_identity_layout(%a0) : (!fly.int_tuple<(3,(5,?))>) -> !fly.layout<(3,(5,?)):(1E0,(1E1E0,1E1E1))>
  // CHECK: fly.make_identity_layout(%arg1) : (!fly.int_tuple<9>) -> !fly.layout<9:1>
  %1 = fly.make_identity_layout(%a1) : (!fly.int_tuple<9>) -> !fly.layout<9:1>
  return
}

// CHECK-LABEL: func.func @make_ordered_layout(
func.func @make_ordered_layout(%a0: !fly.int_tuple<(3,5,7)>,
    %a1: !fly.int_tuple<(1,2,0)>,
    %a2: !fly.int_tuple<(3,(5,7))>,
    %a3: !fly.int_tuple<(1,0)>,
    %a4: !fly.int_tuple<(0,(2,1))>,
    %a5: !fly.int_tuple<(?,0,?)>,
    %a6: !fly.int_tuple<(3,5)>,
    %a7: !fly.int_tuple<(4,4)>,
    %a8: !fly.int_tuple<(3,?)>,
    %a9: !fly.int_tuple<((8,2,1),(1,2,5))>,
    %a10: !fly.int_tuple<((?,3,1),(?,3,0))>,
    %a11: !fly.int_tuple<((?,1),(4,4,1))>,
    %a12: !fly.int_tuple<(?,?)>,
    %a13: !fly.int_tuple<(2,2)>,
    %a14: !fly.int_tuple<(0,?)>,
    %a15: !fly.int_tuple<(6,1)>,
    %a16: !fly.int_tuple<(0,2)>,
    %a17: !fly.int_tuple<(?{i64 div=6},(5,6),?{div=4})>,
    %a18: !fly.int_tuple<(0,(3,?),0)>,
    %a19: !fly.int_tuple<(?{i64 div=6},4,1)>,
    %a20: !fly.int_tuple<(0,2,1)>,
    %a21: !fly.int_tuple<1>,
    %a22: !fly.int_tuple<0>,
    %a23: !fly.int_tuple<2>,
    %a24: !fly.int_tuple<3>) {
  // CHECK: fly.make_ordered_layout(%arg0, %arg1) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(1,2,0)>) -> !fly.layout<(3,5,7):(7,21,1)>
  %0 = fly.make_ordered_layout(%a0, %a1) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(1,2,0)>) -> !fly.layout<(3,5,7):(7,21,1)>
  // CHECK: fly.make_ordered_layout(%arg2, %arg3) : (!fly.int_tuple<(3,(5,7))>, !fly.int_tuple<(1,0)>) -> !fly.layout<(3,(5,7)):(35,(1,5))>
  %1 = fly.make_ordered_layout(%a2, %a3) : (!fly.int_tuple<(3,(5,7))>, !fly.int_tuple<(1,0)>) -> !fly.layout<(3,(5,7)):(35,(1,5))>
  // CHECK: fly.make_ordered_layout(%arg2, %arg4) : (!fly.int_tuple<(3,(5,7))>, !fly.int_tuple<(0,(2,1))>) -> !fly.layout<(3,(5,7)):(1,(21,3))>
  %2 = fly.make_ordered_layout(%a2, %a4) : (!fly.int_tuple<(3,(5,7))>, !fly.int_tuple<(0,(2,1))>) -> !fly.layout<(3,(5,7)):(1,(21,3))>
  // CHECK: fly.make_ordered_layout(%arg0, %arg5) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(?,0,?)>) -> !fly.layout<(3,5,7):(5,1,15)>
  %3 = fly.make_ordered_layout(%a0, %a5) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(?,0,?)>) -> !fly.layout<(3,5,7):(5,1,15)>
  // DIFF: line-ordered-equal
  // CHECK: fly.make_ordered_layout(%arg6, %arg7) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(4,4)>) -> !fly.layout<(3,5):(1,3)>
  %4 = fly.make_ordered_layout(%a6, %a7) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(4,4)>) -> !fly.layout<(3,5):(1,3)>
  // CHECK: fly.make_ordered_layout(%arg8, %arg3) : (!fly.int_tuple<(3,?)>, !fly.int_tuple<(1,0)>) -> !fly.layout<(3,?):(?,1)>
  %5 = fly.make_ordered_layout(%a8, %a3) : (!fly.int_tuple<(3,?)>, !fly.int_tuple<(1,0)>) -> !fly.layout<(3,?):(?,1)>
  // DIFF: line-ordered-equal-nested
  // CHECK: fly.make_ordered_layout(%arg9, %arg10) : (!fly.int_tuple<((8,2,1),(1,2,5))>, !fly.int_tuple<((?,3,1),(?,3,0))>) -> !fly.layout<((8,2,1),(1,2,5)):((20,5,5),(160,10,1))>
  %6 = fly.make_ordered_layout(%a9, %a10) : (!fly.int_tuple<((8,2,1),(1,2,5))>, !fly.int_tuple<((?,3,1),(?,3,0))>) -> !fly.layout<((8,2,1),(1,2,5)):((20,5,5),(160,10,1))>
  // CHECK: fly.make_ordered_layout(%arg11, %arg12) : (!fly.int_tuple<((?,1),(4,4,1))>, !fly.int_tuple<(?,?)>) -> !fly.layout<((?,1),(4,4,1)):((1,?),(?,?{div=4},?{div=16}))>
  %7 = fly.make_ordered_layout(%a11, %a12) : (!fly.int_tuple<((?,1),(4,4,1))>, !fly.int_tuple<(?,?)>) -> !fly.layout<((?,1),(4,4,1)):((1,?),(?,?{div=4},?{div=16}))>
  // CHECK: fly.make_ordered_layout(%arg13, %arg14) : (!fly.int_tuple<(2,2)>, !fly.int_tuple<(0,?)>) -> !fly.layout<(2,2):(1,2)>
  %8 = fly.make_ordered_layout(%a13, %a14) : (!fly.int_tuple<(2,2)>, !fly.int_tuple<(0,?)>) -> !fly.layout<(2,2):(1,2)>
  // CHECK: fly.make_ordered_layout(%arg15, %arg16) : (!fly.int_tuple<(6,1)>, !fly.int_tuple<(0,2)>) -> !fly.layout<(6,1):(1,6)>
  %9 = fly.make_ordered_layout(%a15, %a16) : (!fly.int_tuple<(6,1)>, !fly.int_tuple<(0,2)>) -> !fly.layout<(6,1):(1,6)>
  // DIFF: line-ordered-equal-run-time
  // CHECK: fly.make_ordered_layout(%arg17, %arg18) : (!fly.int_tuple<(?{i64 div=6},(5,6),?{div=4})>, !fly.int_tuple<(0,(3,?),0)>) -> !fly.layout<(?{i64 div=6},(5,6),?{div=4}):(1,(?{i64 div=24},?{i64 div=120}),?{i64 div=6})>
  %10 = fly.make_ordered_layout(%a17, %a18) : (!fly.int_tuple<(?{i64 div=6},(5,6),?{div=4})>, !fly.int_tuple<(0,(3,?),0)>) -> !fly.layout<(?{i64 div=6},(5,6),?{div=4}):(1,(?{i64 div=24},?{i64 div=120}),?{i64 div=6})>
  // DIFF: line-ordered-equal-run-time
  // CHECK: fly.make_ordered_layout(%arg19, %arg20) : (!fly.int_tuple<(?{i64 div=6},4,1)>, !fly.int_tuple<(0,2,1)>) -> !fly.layout<(?{i64 div=6},4,1):(1,?{i64 div=6},?{i64 div=6})>
  %11 = fly.make_ordered_layout(%a19, %a20) : (!fly.int_tuple<(?{i64 div=6},4,1)>, !fly.int_tuple<(0,2,1)>) -> !fly.layout<(?{i64 div=6},4,1):(1,?{i64 div=6},?{i64 div=6})>
  // CHECK: fly.make_ordered_layout(%arg21, %arg22) : (!fly.int_tuple<1>, !fly.int_tuple<0>) -> !fly.layout<1:1>
  %12 = fly.make_ordered_layout(%a21, %a22) : (!fly.int_tuple<1>, !fly.int_tuple<0>) -> !fly.layout<1:1>
  // CHECK: fly.make_ordered_layout(%arg23, %arg24) : (!fly.int_tuple<2>, !fly.int_tuple<3>) -> !fly.layout<2:1>
  %13 = fly.make_ordered_layout(%a23, %a24) : (!fly.int_tuple<2>, !fly.int_tuple<3>) -> !fly.layout<2:1>
  // CHECK: fly.make_ordered_layout(%arg24, %arg21) : (!fly.int_tuple<3>, !fly.int_tuple<1>) -> !fly.layout<3:1>
  %14 = fly.make_ordered_layout(%a24, %a21) : (!fly.int_tuple<3>, !fly.int_tuple<1>) -> !fly.layout<3:1>
  return
}

// CHECK-LABEL: func.func @make_layout_like(
func.func @make_layout_like(%a0: !fly.layout<(3,5,2):(10,2,1)>,
    %a1: !fly.layout<(3,5,2):(0,2,1)>,
    %a2: !fly.layout<((8,6,4),3):((?{div=4},-2,16),3)>,
    %a3: !fly.layout<((8,?),4,4):((1,8),?{div=8},?{div=32})>,
    %a4: !fly.layout<((?,4),6):((-2,2),4)>,
    %a5: !fly.layout<(3,?):(2,8)>,
    %a6: !fly.layout<(8,6):(1,8)>,
    %a7: !fly.layout<(?,1,4):(3,-1,12)>,
    %a8: !fly.layout<(?{i64 div=6},8):(8,1)>,
    %a9: !fly.layout<4:2>,
    %a10: !fly.layout<8:2E1>) {
  // CHECK: fly.make_layout_like(%arg0) : (!fly.layout<(3,5,2):(10,2,1)>) -> !fly.layout<(3,5,2):(10,2,1)>
  %0 = fly.make_layout_like(%a0) : (!fly.layout<(3,5,2):(10,2,1)>) -> !fly.layout<(3,5,2):(10,2,1)>
  // CHECK: fly.make_layout_like(%arg1) : (!fly.layout<(3,5,2):(0,2,1)>) -> !fly.layout<(3,5,2):(1,2,1)>
  %1 = fly.make_layout_like(%a1) : (!fly.layout<(3,5,2):(0,2,1)>) -> !fly.layout<(3,5,2):(1,2,1)>
  // CHECK: fly.make_layout_like(%arg2) : (!fly.layout<((8,6,4),3):((?{div=4},-2,16),3)>) -> !fly.layout<((8,6,4),3):((72,1,18),6)>
  %2 = fly.make_layout_like(%a2) : (!fly.layout<((8,6,4),3):((?{div=4},-2,16),3)>) -> !fly.layout<((8,6,4),3):((72,1,18),6)>
  // CHECK: fly.make_layout_like(%arg3) : (!fly.layout<((8,?),4,4):((1,8),?{div=8},?{div=32})>) -> !fly.layout<((8,?),4,4):((1,8),?{div=8},?{div=32})>
  %3 = fly.make_layout_like(%a3) : (!fly.layout<((8,?),4,4):((1,8),?{div=8},?{div=32})>) -> !fly.layout<((8,?),4,4):((1,8),?{div=8},?{div=32})>
  // CHECK: fly.make_layout_like(%arg4) : (!fly.layout<((?,4),6):((-2,2),4)>) -> !fly.layout<((?,4),6):((1,?),?{div=4})>
  %4 = fly.make_layout_like(%a4) : (!fly.layout<((?,4),6):((-2,2),4)>) -> !fly.layout<((?,4),6):((1,?),?{div=4})>
  // CHECK: fly.make_layout_like(%arg5) : (!fly.layout<(3,?):(2,8)>) -> !fly.layout<(3,?):(1,3)>
  %5 = fly.make_layout_like(%a5) : (!fly.layout<(3,?):(2,8)>) -> !fly.layout<(3,?):(1,3)>
  // CHECK: fly.make_layout_like(%arg6) : (!fly.layout<(8,6):(1,8)>) -> !fly.layout<(8,6):(1,8)>
  %6 = fly.make_layout_like(%a6) : (!fly.layout<(8,6):(1,8)>) -> !fly.layout<(8,6):(1,8)>
  // CHECK: fly.make_layout_like(%arg7) : (!fly.layout<(?,1,4):(3,-1,12)>) -> !fly.layout<(?,1,4):(1,1,?)>
  %7 = fly.make_layout_like(%a7) : (!fly.layout<(?,1,4):(3,-1,12)>) -> !fly.layout<(?,1,4):(1,1,?)>
  // CHECK: fly.make_layout_like(%arg8) : (!fly.layout<(?{i64 div=6},8):(8,1)>) -> !fly.layout<(?{i64 div=6},8):(8,1)>
  %8 = fly.make_layout_like(%a8) : (!fly.layout<(?{i64 div=6},8):(8,1)>) -> !fly.layout<(?{i64 div=6},8):(8,1)>
  // CHECK: fly.make_layout_like(%arg9) : (!fly.layout<4:2>) -> !fly.layout<4:1>
  %9 = fly.make_layout_like(%a9) : (!fly.layout<4:2>) -> !fly.layout<4:1>
  // CHECK: fly.make_layout_like(%arg10) : (!fly.layout<8:2E1>) -> !fly.layout<8:1>
  %10 = fly.make_layout_like(%a10) : (!fly.layout<8:2E1>) -> !fly.layout<8:1>
  return
}

// CHECK-LABEL: func.func @make_fragment_layout_like(
func.func @make_fragment_layout_like(%a0: !fly.layout<(3,5,7):(1,21,3)>,
    %a1: !fly.layout<((2,3),5,7):((1,0),?,30)>,
    %a2: !fly.memref<f16, global, (3,1,7):(7,0,1)>,
    %a3: !fly.layout<((5,3)):((3,1))>,
    %a4: !fly.layout<((1,8,6),(6,2,2),2):((3,4,6),(6,6,4),-1)>,
    %a5: !fly.layout<((4,4,6)):((1,4,16))>,
    %a6: !fly.layout<((4,5),4):((4,16),1)>,
    %a7: !fly.layout<(2,(6,5,2)):(8,(4,6,24))>,
    %a8: !fly.layout<(6,2,6):(16,3,2)>,
    %a9: !fly.layout<(8,3,(2,6,3)):(1,8,(24,48,288))>,
    %a10: !fly.layout<1:-1>,
    %a11: !fly.layout<1:1>,
    %a12: !fly.layout<3:0>) {
  // CHECK: fly.make_fragment_layout_like(%arg0) : (!fly.layout<(3,5,7):(1,21,3)>) -> !fly.layout<(3,5,7):(1,21,3)>
  %0 = fly.make_fragment_layout_like(%a0) : (!fly.layout<(3,5,7):(1,21,3)>) -> !fly.layout<(3,5,7):(1,21,3)>
  // CHECK: fly.make_fragment_layout_like(%arg1) : (!fly.layout<((2,3),5,7):((1,0),?,30)>) -> !fly.layout<((2,3),5,7):((1,2),42,6)>
  %1 = fly.make_fragment_layout_like(%a1) : (!fly.layout<((2,3),5,7):((1,0),?,30)>) -> !fly.layout<((2,3),5,7):((1,2),42,6)>
  // CHECK: fly.make_fragment_layout_like(%arg2) : (!fly.memref<f16, global, (3,1,7):(7,0,1)>) -> !fly.layout<(3,1,7):(1,0,3)>
  %2 = fly.make_fragment_layout_like(%a2) : (!fly.memref<f16, global, (3,1,7):(7,0,1)>) -> !fly.layout<(3,1,7):(1,0,3)>
  // CHECK: fly.make_fragment_layout_like(%arg3) : (!fly.layout<((5,3)):((3,1))>) -> !fly.layout<((5,3)):((1,5))>
  %3 = fly.make_fragment_layout_like(%a3) : (!fly.layout<((5,3)):((3,1))>) -> !fly.layout<((5,3)):((1,5))>
  // DIFF: line-fragment-equal-strides
  // CHECK: fly.make_fragment_layout_like(%arg4) : (!fly.layout<((1,8,6),(6,2,2),2):((3,4,6),(6,6,4),-1)>) -> !fly.layout<((1,8,6),(6,2,2),2):((0,1,8),(192,1152,96),48)>
  %4 = fly.make_fragment_layout_like(%a4) : (!fly.layout<((1,8,6),(6,2,2),2):((3,4,6),(6,6,4),-1)>) -> !fly.layout<((1,8,6),(6,2,2),2):((0,1,8),(192,1152,96),48)>
  // CHECK: fly.make_fragment_layout_like(%arg5) : (!fly.layout<((4,4,6)):((1,4,16))>) -> !fly.layout<((4,4,6)):((1,4,16))>
  %5 = fly.make_fragment_layout_like(%a5) : (!fly.layout<((4,4,6)):((1,4,16))>) -> !fly.layout<((4,4,6)):((1,4,16))>
  // CHECK: fly.make_fragment_layout_like(%arg6) : (!fly.layout<((4,5),4):((4,16),1)>) -> !fly.layout<((4,5),4):((1,4),20)>
  %6 = fly.make_fragment_layout_like(%a6) : (!fly.layout<((4,5),4):((4,16),1)>) -> !fly.layout<((4,5),4):((1,4),20)>
  // DIFF: line-fragment-nested
  // CHECK: fly.make_fragment_layout_like(%arg7) : (!fly.layout<(2,(6,5,2)):(8,(4,6,24))>) -> !fly.layout<(2,(6,5,2)):(1,(2,12,60))>
  %7 = fly.make_fragment_layout_like(%a7) : (!fly.layout<(2,(6,5,2)):(8,(4,6,24))>) -> !fly.layout<(2,(6,5,2)):(1,(2,12,60))>
  // CHECK: fly.make_fragment_layout_like(%arg8) : (!fly.layout<(6,2,6):(16,3,2)>) -> !fly.layout<(6,2,6):(1,36,6)>
  %8 = fly.make_fragment_layout_like(%a8) : (!fly.layout<(6,2,6):(16,3,2)>) -> !fly.layout<(6,2,6):(1,36,6)>
  // CHECK: fly.make_fragment_layout_like(%arg9) : (!fly.layout<(8,3,(2,6,3)):(1,8,(24,48,288))>) -> !fly.layout<(8,3,(2,6,3)):(1,8,(24,48,288))>
  %9 = fly.make_fragment_layout_like(%a9) : (!fly.layout<(8,3,(2,6,3)):(1,8,(24,48,288))>) -> !fly.layout<(8,3,(2,6,3)):(1,8,(24,48,288))>
  // CHECK: fly.make_fragment_layout_like(%arg10) : (!fly.layout<1:-1>) -> !fly.layout<1:1>
  %10 = fly.make_fragment_layout_like(%a10) : (!fly.layout<1:-1>) -> !fly.layout<1:1>
  // CHECK: fly.make_fragment_layout_like(%arg11) : (!fly.layout<1:1>) -> !fly.layout<1:1>
  %11 = fly.make_fragment_layout_like(%a11) : (!fly.layout<1:1>) -> !fly.layout<1:1>
  // CHECK: fly.make_fragment_layout_like(%arg12) : (!fly.layout<3:0>) -> !fly.layout<3:1>
  %12 = fly.make_fragment_layout_like(%a12) : (!fly.layout<3:0>) -> !fly.layout<3:1>
  return
}

// CHECK-LABEL: func.func @tile_to_shape(
func.func @tile_to_shape(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.int_tuple<(6,20)>,
    %a2: !fly.int_tuple<(1,0)>,
    %a3: !fly.int_tuple<(7,20)>,
    %a4: !fly.int_tuple<(0,1)>,
    %a5: !fly.layout<3:1>,
    %a6: !fly.int_tuple<(6,4)>,
    %a7: !fly.int_tuple<(?,20)>,
    %a8: !fly.layout<((2,6,2),6,4):((1,2,12),24,144)>,
    %a9: !fly.int_tuple<(16,24,8)>,
    %a10: !fly.int_tuple<(0,2,1)>,
    %a11: !fly.layout<((3,8,2),5,1):((16,1,8),48,8)>,
    %a12: !fly.int_tuple<32>,
    %a13: !fly.int_tuple<0>,
    %a14: !fly.layout<(4,(2,1),6):(1,(4,8),8)>,
    %a15: !fly.int_tuple<(24,24)>,
    %a16: !fly.layout<(4,(3,8)):(24,(8,1))>,
    %a17: !fly.int_tuple<(16,8)>,
    %a18: !fly.layout<1:3>,
    %a19: !fly.int_tuple<(24,16,32)>,
    %a20: !fly.int_tuple<(1,0,2)>,
    %a21: !fly.layout<3:12>,
    %a22: !fly.int_tuple<8>,
    %a23: !fly.int_tuple<(24,24,24)>,
    %a24: !fly.int_tuple<(2,1,0)>,
    %a25: !fly.layout<4:0>,
    %a26: !fly.layout<4:1>,
    %a27: !fly.int_tuple<(32,8)>) {
  // CHECK: fly.tile_to_shape(%arg0, %arg1, %arg2) : (!fly.layout<(3,5):(5,1)>, !fly.int_tuple<(6,20)>, !fly.int_tuple<(1,0)>) -> !fly.layout<((3,2),(5,4)):((5,60),(1,15))>
  %0 = fly.tile_to_shape(%a0, %a1, %a2) : (!fly.layout<(3,5):(5,1)>, !fly.int_tuple<(6,20)>, !fly.int_tuple<(1,0)>) -> !fly.layout<((3,2),(5,4)):((5,60),(1,15))>
  // CHECK: fly.tile_to_shape(%arg0, %arg3, %arg4) : (!fly.layout<(3,5):(5,1)>, !fly.int_tuple<(7,20)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((3,3),(5,4)):((5,15),(1,45))>
  %1 = fly.tile_to_shape(%a0, %a3, %a4) : (!fly.layout<(3,5):(5,1)>, !fly.int_tuple<(7,20)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((3,3),(5,4)):((5,15),(1,45))>
  // CHECK: fly.tile_to_shape(%arg5, %arg6, %arg4) : (!fly.layout<3:1>, !fly.int_tuple<(6,4)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((3,2),(1,4)):((1,3),(0,6))>
  %2 = fly.tile_to_shape(%a5, %a6, %a4) : (!fly.layout<3:1>, !fly.int_tuple<(6,4)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((3,2),(1,4)):((1,3),(0,6))>
  // CHECK: fly.tile_to_shape(%arg0, %arg7, %arg4) : (!fly.layout<(3,5):(5,1)>, !fly.int_tuple<(?,20)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((3,?),(5,4)):((5,15),(1,?{div=15}))>
  %3 = fly.tile_to_shape(%a0, %a7, %a4) : (!fly.layout<(3,5):(5,1)>, !fly.int_tuple<(?,20)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((3,?),(5,4)):((5,15),(1,?{div=15}))>
  // CHECK: fly.tile_to_shape(%arg8, %arg9, %arg10) : (!fly.layout<((2,6,2),6,4):((1,2,12),24,144)>, !fly.int_tuple<(16,24,8)>, !fly.int_tuple<(0,2,1)>) -> !fly.layout<(((2,6,2),1),(6,4),(4,2)):(((1,2,12),0),(24,1152),(144,576))>
  %4 = fly.tile_to_shape(%a8, %a9, %a10) : (!fly.layout<((2,6,2),6,4):((1,2,12),24,144)>, !fly.int_tuple<(16,24,8)>, !fly.int_tuple<(0,2,1)>) -> !fly.layout<(((2,6,2),1),(6,4),(4,2)):(((1,2,12),0),(24,1152),(144,576))>
  // CHECK: fly.tile_to_shape(%arg11, %arg12, %arg13) : (!fly.layout<((3,8,2),5,1):((16,1,8),48,8)>, !fly.int_tuple<32>, !fly.int_tuple<0>) -> !fly.layout<(((3,8,2),1),(5,1),(1,1)):(((16,1,8),0),(48,0),(0,0))>
  %5 = fly.tile_to_shape(%a11, %a12, %a13) : (!fly.layout<((3,8,2),5,1):((16,1,8),48,8)>, !fly.int_tuple<32>, !fly.int_tuple<0>) -> !fly.layout<(((3,8,2),1),(5,1),(1,1)):(((16,1,8),0),(48,0),(0,0))>
  // CHECK: fly.tile_to_shape(%arg14, %arg15, %arg2) : (!fly.layout<(4,(2,1),6):(1,(4,8),8)>, !fly.int_tuple<(24,24)>, !fly.int_tuple<(1,0)>) -> !fly.layout<((4,6),((2,1),12),(6,1)):((1,576),((4,0),48),(8,0))>
  %6 = fly.tile_to_shape(%a14, %a15, %a2) : (!fly.layout<(4,(2,1),6):(1,(4,8),8)>, !fly.int_tuple<(24,24)>, !fly.int_tuple<(1,0)>) -> !fly.layout<((4,6),((2,1),12),(6,1)):((1,576),((4,0),48),(8,0))>
  // CHECK: fly.tile_to_shape(%arg16, %arg17, %arg4) : (!fly.layout<(4,(3,8)):(24,(8,1))>, !fly.int_tuple<(16,8)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((4,4),((3,8),1)):((24,96),((8,1),0))>
  %7 = fly.tile_to_shape(%a16, %a17, %a4) : (!fly.layout<(4,(3,8)):(24,(8,1))>, !fly.int_tuple<(16,8)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((4,4),((3,8),1)):((24,96),((8,1),0))>
  // CHECK: fly.tile_to_shape(%arg18, %arg19, %arg20) : (!fly.layout<1:3>, !fly.int_tuple<(24,16,32)>, !fly.int_tuple<(1,0,2)>) -> !fly.layout<((1,24),(1,16),(1,32)):((0,16),(0,1),(0,384))>
  %8 = fly.tile_to_shape(%a18, %a19, %a20) : (!fly.layout<1:3>, !fly.int_tuple<(24,16,32)>, !fly.int_tuple<(1,0,2)>) -> !fly.layout<((1,24),(1,16),(1,32)):((0,16),(0,1),(0,384))>
  // CHECK: fly.tile_to_shape(%arg21, %arg22, %arg13) : (!fly.layout<3:12>, !fly.int_tuple<8>, !fly.int_tuple<0>) -> !fly.layout<(3,3):(12,1)>
  %9 = fly.tile_to_shape(%a21, %a22, %a13) : (!fly.layout<3:12>, !fly.int_tuple<8>, !fly.int_tuple<0>) -> !fly.layout<(3,3):(12,1)>
  // CHECK: fly.tile_to_shape(%arg5, %arg23, %arg24) : (!fly.layout<3:1>, !fly.int_tuple<(24,24,24)>, !fly.int_tuple<(2,1,0)>) -> !fly.layout<((3,8),(1,24),(1,24)):((1,1728),(0,72),(0,3))>
  %10 = fly.tile_to_shape(%a5, %a23, %a24) : (!fly.layout<3:1>, !fly.int_tuple<(24,24,24)>, !fly.int_tuple<(2,1,0)>) -> !fly.layout<((3,8),(1,24),(1,24)):((1,1728),(0,72),(0,3))>
  // CHECK: fly.tile_to_shape(%arg25, %arg12, %arg13) : (!fly.layout<4:0>, !fly.int_tuple<32>, !fly.int_tuple<0>) -> !fly.layout<(4,8):(0,1)>
  %11 = fly.tile_to_shape(%a25, %a12, %a13) : (!fly.layout<4:0>, !fly.int_tuple<32>, !fly.int_tuple<0>) -> !fly.layout<(4,8):(0,1)>
  // CHECK: fly.tile_to_shape(%arg26, %arg27, %arg4) : (!fly.layout<4:1>, !fly.int_tuple<(32,8)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((4,8),(1,8)):((1,4),(0,32))>
  %12 = fly.tile_to_shape(%a26, %a27, %a4) : (!fly.layout<4:1>, !fly.int_tuple<(32,8)>, !fly.int_tuple<(0,1)>) -> !fly.layout<((4,8),(1,8)):((1,4),(0,32))>
  return
}

// CHECK-LABEL: func.func @get_shape(
func.func @get_shape(%a0: !fly.memref<f32, global, 100:7 o 8 o [S<1,2,3> o 0 o (3,5):(5,1)]>) {
  // CHECK: fly.get_shape(%arg0) : (!fly.memref<f32, global, 100:7 o 8 o [S<1,2,3> o 0 o (3,5):(5,1)]>) -> !fly.int_tuple<(3,5)>
  %0 = fly.get_shape(%a0) : (!fly.memref<f32, global, 100:7 o 8 o [S<1,2,3> o 0 o (3,5):(5,1)]>) -> !fly.int_tuple<(3,5)>
  return
}

// CHECK-LABEL: func.func @composed_get_outer(
func.func @composed_get_outer(%a0: !fly.composed_layout<100:7 o 8 o [S<1,2,3> o 0 o (3,5):(5,1)]>) {
  // CHECK: fly.composed_get_outer(%arg0) : (!fly.composed_layout<100:7 o 8 o [S<1,2,3> o 0 o (3,5):(5,1)]>) -> !fly.composed_layout<S<1,2,3> o 0 o (3,5):(5,1)>
  %0 = fly.composed_get_outer(%a0) : (!fly.composed_layout<100:7 o 8 o [S<1,2,3> o 0 o (3,5):(5,1)]>) -> !fly.composed_layout<S<1,2,3> o 0 o (3,5):(5,1)>
  return
}

// CHECK-LABEL: func.func @composed_get_inner(
func.func @composed_get_inner(%a0: !fly.composed_layout<100:7 o 8 o (3,5):(5,1) o 2 o 6:2>) {
  // CHECK: fly.composed_get_inner(%arg0) : (!fly.composed_layout<100:7 o 8 o (3,5):(5,1) o 2 o 6:2>) -> !fly.composed_layout<100:7 o 8 o (3,5):(5,1)>
  %0 = fly.composed_get_inner(%a0) : (!fly.composed_layout<100:7 o 8 o (3,5):(5,1) o 2 o 6:2>) -> !fly.composed_layout<100:7 o 8 o (3,5):(5,1)>
  return
}
