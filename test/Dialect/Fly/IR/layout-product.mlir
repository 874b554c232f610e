// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// The products.

// CHECK-LABEL: func.func @logical_product(
func.func @logical_product(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.layout<(2,4):(4,1)>,
    %a2: !fly.layout<?:1>,
    %a3: !fly.layout<4:1>,
    %a4: !fly.layout<(3,5):(1,3)>,
    %a5: !fly.layout<3:1>,
    %a6: !fly.layout<4:0>,
    %a7: !fly.layout<3:0>,
    %a8: !fly.composed_layout<S<2,2,2> o 0 o (4,8):(8,1)>,
    %a9: !fly.layout<((4,6),5):((1,4),24)>,
    %a10: !fly.layout<(3):(12)>) {
  // CHECK: fly.logical_product(%arg0, %arg1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),(2,4)):((5,1),(60,15))>
  %0 = fly.logical_product(%a0, %a1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),(2,4)):((5,1),(60,15))>
  // CHECK: fly.logical_product(%arg2, %arg3) : (!fly.layout<?:1>, !fly.layout<4:1>) -> !fly.layout<(?,4):(1,?)>
  %1 = fly.logical_product(%a2, %a3) : (!fly.layout<?:1>, !fly.layout<4:1>) -> !fly.layout<(?,4):(1,?)>
  // CHECK: fly.logical_product(%arg4, %arg2) : (!fly.layout<(3,5):(1,3)>, !fly.layout<?:1>) -> !fly.layout<((3,5),?):((1,3),15)>
  %2 = fly.logical_product(%a4, %a2) : (!fly.layout<(3,5):(1,3)>, !fly.layout<?:1>) -> !fly.layout<((3,5),?):((1,3),15)>
  // CHECK: fly.logical_product(%arg5, %arg6) : (!fly.layout<3:1>, !fly.layout<4:0>) -> !fly.layout<(3,4):(1,0)>
  %3 = fly.logical_product(%a5, %a6) : (!fly.layout<3:1>, !fly.layout<4:0>) -> !fly.layout<(3,4):(1,0)>
  // CHECK: fly.logical_product(%arg7, %arg3) : (!fly.layout<3:0>, !fly.layout<4:1>) -> !fly.layout<(3,4):(0,1)>
  %4 = fly.logical_product(%a7, %a3) : (!fly.layout<3:0>, !fly.layout<4:1>) -> !fly.layout<(3,4):(0,1)>
  // CHECK: fly.logical_product(%arg8, %arg5) : (!fly.composed_layout<S<2,2,2> o 0 o (4,8):(8,1)>, !fly.layout<3:1>) -> !fly.composed_layout<S<2,2,2> o 0 o ((4,8),3):((8,1),32)>
  %5 = fly.logical_product(%a8, %a5) : (!fly.composed_layout<S<2,2,2> o 0 o (4,8):(8,1)>, !fly.layout<3:1>) -> !fly.composed_layout<S<2,2,2> o 0 o ((4,8),3):((8,1),32)>
  // CHECK: fly.logical_product(%arg9, %arg10) : (!fly.layout<((4,6),5):((1,4),24)>, !fly.layout<(3):(12)>) -> !fly.layout<(((4,6),5),3):(((1,4),24),1440)>
  %6 = fly.logical_product(%a9, %a10) : (!fly.layout<((4,6),5):((1,4),24)>, !fly.layout<(3):(12)>) -> !fly.layout<(((4,6),5),3):(((1,4),24),1440)>
  return
}

// CHECK-LABEL: func.func @zipped_product(
func.func @zipped_product(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.layout<(2,4):(4,1)>,
    %a2: !fly.layout<((1,2),2):((1,1),2)>,
    %a3: !fly.layout<(4,(1,1,8)):(16,(1,8,16))>,
    %a4: !fly.layout<2:1>,
    %a5: !fly.layout<?:1>) {
  // CHECK: fly.zipped_product(%arg0, %arg1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),(2,4)):((5,1),(60,15))>
  %0 = fly.zipped_product(%a0, %a1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),(2,4)):((5,1),(60,15))>
  // CHECK: fly.zipped_product(%arg2, %arg3) : (!fly.layout<((1,2),2):((1,1),2)>, !fly.layout<(4,(1,1,8)):(16,(1,8,16))>) -> !fly.layout<(((1,2),2),(4,(1,1,8))):(((0,1),2),(64,(0,0,64)))>
  %1 = fly.zipped_product(%a2, %a3) : (!fly.layout<((1,2),2):((1,1),2)>, !fly.layout<(4,(1,1,8)):(16,(1,8,16))>) -> !fly.layout<(((1,2),2),(4,(1,1,8))):(((0,1),2),(64,(0,0,64)))>
  // CHECK: fly.zipped_product(%arg4, %arg5) : (!fly.layout<2:1>, !fly.layout<?:1>) -> !fly.layout<(2,?):(1,2)>
  %2 = fly.zipped_product(%a4, %a5) : (!fly.layout<2:1>, !fly.layout<?:1>) -> !fly.layout<(2,?):(1,2)>
  return
}

// CHECK-LABEL: func.func @tiled_product(
func.func @tiled_product(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.layout<(2,4):(4,1)>,
    %a2: !fly.layout<((2,5),6):((30,6),1)>,
    %a3: !fly.layout<((4,3,8),?):((1,4,12),96)>,
    %a4: !fly.layout<1:1>,
    %a5: !fly.layout<((?,8,?{i64}),6):((16,8,?),2)>) {
  // CHECK: fly.tiled_product(%arg0, %arg1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),2,4):((5,1),60,15)>
  %0 = fly.tiled_product(%a0, %a1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,5),2,4):((5,1),60,15)>
  // CHECK: fly.tiled_product(%arg2, %arg3) : (!fly.layout<((2,5),6):((30,6),1)>, !fly.layout<((4,3,8),?):((1,4,12),96)>) -> !fly.layout<(((2,5),6),(4,3,8),?):(((30,6),1),(60,240,720),5760)>
  %1 = fly.tiled_product(%a2, %a3) : (!fly.layout<((2,5),6):((30,6),1)>, !fly.layout<((4,3,8),?):((1,4,12),96)>) -> !fly.layout<(((2,5),6),(4,3,8),?):(((30,6),1),(60,240,720),5760)>
  // CHECK: fly.tiled_product(%arg4, %arg5) : (!fly.layout<1:1>, !fly.layout<((?,8,?{i64}),6):((16,8,?),2)>) -> !fly.layout<(1,(?,8,?{i64}),6):(0,(16,8,?),2)>
  %2 = fly.tiled_product(%a4, %a5) : (!fly.layout<1:1>, !fly.layout<((?,8,?{i64}),6):((16,8,?),2)>) -> !fly.layout<(1,(?,8,?{i64}),6):(0,(16,8,?),2)>
  return
}

// CHECK-LABEL: func.func @flat_product(
func.func @flat_product(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.layout<(2,4):(4,1)>,
    %a2: !fly.layout<2:1>,
    %a3: !fly.layout<((1,8,1),2):((2,8,0),0)>) {
  // CHECK: fly.flat_product(%arg0, %arg1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<(3,5,2,4):(5,1,60,15)>
  %0 = fly.flat_product(%a0, %a1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<(3,5,2,4):(5,1,60,15)>
  // CHECK: fly.flat_product(%arg2, %arg3) : (!fly.layout<2:1>, !fly.layout<((1,8,1),2):((2,8,0),0)>) -> !fly.layout<(2,(1,8,1),2):(1,(0,16,0),0)>
  %1 = fly.flat_product(%a2, %a3) : (!fly.layout<2:1>, !fly.layout<((1,8,1),2):((2,8,0),0)>) -> !fly.layout<(2,(1,8,1),2):(1,(0,16,0),0)>
  return
}

// CHECK-LABEL: func.func @blocked_product(
func.func @blocked_product(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.layout<(2,4):(4,1)>,
    %a2: !fly.layout<4:1>,
    %a3: !fly.layout<3:1>) {
  // CHECK: fly.blocked_product(%arg0, %arg1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,2),(5,4)):((5,60),(1,15))>
  %0 = fly.blocked_product(%a0, %a1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((3,2),(5,4)):((5,60),(1,15))>
  // CHECK: fly.blocked_product(%arg0, %arg2) : (!fly.layout<(3,5):(5,1)>, !fly.layout<4:1>) -> !fly.layout<((3,4),(5,1)):((5,15),(1,0))>
  %1 = fly.blocked_product(%a0, %a2) : (!fly.layout<(3,5):(5,1)>, !fly.layout<4:1>) -> !fly.layout<((3,4),(5,1)):((5,15),(1,0))>
  // CHECK: fly.blocked_product(%arg3, %arg2) : (!fly.layout<3:1>, !fly.layout<4:1>) -> !fly.layout<(3,4):(1,3)>
  %2 = fly.blocked_product(%a3, %a2) : (!fly.layout<3:1>, !fly.layout<4:1>) -> !fly.layout<(3,4):(1,3)>
  return
}

// CHECK-LABEL: func.func @raked_product(
func.func @raked_product(%a0: !fly.layout<(3,5):(5,1)>,
    %a1: !fly.layout<(2,4):(4,1)>,
    %a2: !fly.layout<3:1>,
    %a3: !fly.layout<(2,4):(1,2)>,
    %a4: !fly.layout<8:12>,
    %a5: !fly.layout<2:4>) {
  // CHECK: fly.raked_product(%arg0, %arg1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((2,3),(4,5)):((60,5),(15,1))>
  %0 = fly.raked_product(%a0, %a1) : (!fly.layout<(3,5):(5,1)>, !fly.layout<(2,4):(4,1)>) -> !fly.layout<((2,3),(4,5)):((60,5),(15,1))>
  // CHECK: fly.raked_product(%arg2, %arg3) : (!fly.layout<3:1>, !fly.layout<(2,4):(1,2)>) -> !fly.layout<((2,3),(4,1)):((3,1),(6,0))>
  %1 = fly.raked_product(%a2, %a3) : (!fly.layout<3:1>, !fly.layout<(2,4):(1,2)>) -> !fly.layout<((2,3),(4,1)):((3,1),(6,0))>
  // CHECK: fly.raked_product(%arg4, %arg5) : (!fly.layout<8:12>, !fly.layout<2:4>) -> !fly.layout<(2,8):(4,12)>
  %2 = fly.raked_product(%a4, %a5) : (!fly.layout<8:12>, !fly.layout<2:4>) -> !fly.layout<(2,8):(4,12)>
  return
}
