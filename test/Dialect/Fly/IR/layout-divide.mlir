// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// The four divisions.

// CHECK-LABEL: func.func @logical_divide(
func.func @logical_divide(%a0: !fly.layout<(6,10):(10,1)>,
    %a1: !fly.layout<3:2>,
    %a2: !fly.tile<[3|5]>,
    %a3: !fly.tile<[3|*]>,
    %a4: !fly.tile<[4|7]>,
    %a5: !fly.layout<12:1>,
    %a6: !fly.tile<[5]>,
    %a7: !fly.tile<3>,
    %a8: !fly.tile<*>,
    %a9: !fly.layout<10:1>,
    %a10: !fly.layout<20:1>,
    %a11: !fly.layout<5:0>,
    %a12: !fly.layout<(2,2):(1,2)>,
    %a13: !fly.tile<4>,
    %a14: !fly.layout<(6,5):(24,1)>,
    %a15: !fly.tile<[*|(2,2):(1,4)]>,
    %a16: !fly.layout<2:8>,
    %a17: !fly.tile<[*|4:4]>,
    %a18: !fly.layout<4:4>,
    %a19: !fly.tile<[(2,2):(1,4)]>) {
  // CHECK: fly.logical_divide(%arg0, %arg1) : (!fly.layout<(6,10):(10,1)>, !fly.layout<3:2>) -> !fly.layout<(3,(2,10)):(20,(10,1))>
  %0 = fly.logical_divide(%a0, %a1) : (!fly.layout<(6,10):(10,1)>, !fly.layout<3:2>) -> !fly.layout<(3,(2,10)):(20,(10,1))>
  // CHECK: fly.logical_divide(%arg0, %arg2) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,2),(5,2)):((10,30),(1,5))>
  %1 = fly.logical_divide(%a0, %a2) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,2),(5,2)):((10,30),(1,5))>
  // CHECK: fly.logical_divide(%arg0, %arg3) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|*]>) -> !fly.layout<((3,2),10):((10,30),1)>
  %2 = fly.logical_divide(%a0, %a3) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|*]>) -> !fly.layout<((3,2),10):((10,30),1)>
  // CHECK: fly.logical_divide(%arg0, %arg4) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[4|7]>) -> !fly.layout<((4,2),(7,2)):((10,40),(1,7))>
  %3 = fly.logical_divide(%a0, %a4) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[4|7]>) -> !fly.layout<((4,2),(7,2)):((10,40),(1,7))>
  // CHECK: fly.logical_divide(%arg5, %arg6) : (!fly.layout<12:1>, !fly.tile<[5]>) -> !fly.layout<((5,3)):((1,5))>
  %4 = fly.logical_divide(%a5, %a6) : (!fly.layout<12:1>, !fly.tile<[5]>) -> !fly.layout<((5,3)):((1,5))>
  // CHECK: fly.logical_divide(%arg0, %arg7) : (!fly.layout<(6,10):(10,1)>, !fly.tile<3>) -> !fly.layout<(3,(2,10)):(10,(30,1))>
  %5 = fly.logical_divide(%a0, %a7) : (!fly.layout<(6,10):(10,1)>, !fly.tile<3>) -> !fly.layout<(3,(2,10)):(10,(30,1))>
  // CHECK: fly.logical_divide(%arg0, %arg8) : (!fly.layout<(6,10):(10,1)>, !fly.tile<*>) -> !fly.layout<(6,10):(10,1)>
  %6 = fly.logical_divide(%a0, %a8) : (!fly.layout<(6,10):(10,1)>, !fly.tile<*>) -> !fly.layout<(6,10):(10,1)>
  // CHECK: fly.logical_divide(%arg9, %arg10) : (!fly.layout<10:1>, !fly.layout<20:1>) -> !fly.layout<(20,1):(1,0)>
  %7 = fly.logical_divide(%a9, %a10) : (!fly.layout<10:1>, !fly.layout<20:1>) -> !fly.layout<(20,1):(1,0)>
  // CHECK: fly.logical_divide(%arg9, %arg11) : (!fly.layout<10:1>, !fly.layout<5:0>) -> !fly.layout<(5,10):(0,1)>
  %8 = fly.logical_divide(%a9, %a11) : (!fly.layout<10:1>, !fly.layout<5:0>) -> !fly.layout<(5,10):(0,1)>
  // CHECK: fly.logical_divide(%arg12, %arg13) : (!fly.layout<(2,2):(1,2)>, !fly.tile<4>) -> !fly.layout<(4,1):(1,0)>
  %9 = fly.logical_divide(%a12, %a13) : (!fly.layout<(2,2):(1,2)>, !fly.tile<4>) -> !fly.layout<(4,1):(1,0)>
  // CHECK: fly.logical_divide(%arg14, %arg15) : (!fly.layout<(6,5):(24,1)>, !fly.tile<[*|(2,2):(1,4)]>) -> !fly.layout<(6,((2,2),2)):(24,((1,4),2))>
  %10 = fly.logical_divide(%a14, %a15) : (!fly.layout<(6,5):(24,1)>, !fly.tile<[*|(2,2):(1,4)]>) -> !fly.layout<(6,((2,2),2)):(24,((1,4),2))>
  // CHECK: fly.logical_divide(%arg16, %arg17) : (!fly.layout<2:8>, !fly.tile<[*|4:4]>) -> !fly.layout<(2):(8)>
  %11 = fly.logical_divide(%a16, %a17) : (!fly.layout<2:8>, !fly.tile<[*|4:4]>) -> !fly.layout<(2):(8)>
  // CHECK: fly.logical_divide(%arg18, %arg19) : (!fly.layout<4:4>, !fly.tile<[(2,2):(1,4)]>) -> !fly.layout<(((2,2),2)):(((4,16),8))>
  %12 = fly.logical_divide(%a18, %a19) : (!fly.layout<4:4>, !fly.tile<[(2,2):(1,4)]>) -> !fly.layout<(((2,2),2)):(((4,16),8))>
  return
}

// CHECK-LABEL: func.func @zipped_divide(
func.func @zipped_divide(%a0: !fly.layout<(6,10):(10,1)>,
    %a1: !fly.layout<3:2>,
    %a2: !fly.tile<[3|5]>,
    %a3: !fly.layout<12:1>,
    %a4: !fly.tile<[5]>,
    %a5: !fly.tile<[3]>,
    %a6: !fly.layout<(6,(4,10)):(40,(1,4))>,
    %a7: !fly.tile<[3|[2|5]]>,
    %a8: !fly.layout<(?,?{i64}):(?{i64},1)>,
    %a9: !fly.layout<(6,10):(1E0,1E1)>,
    %a10: !fly.memref<f16, global, (?,10):(10,1), align<4>>,
    %a11: !fly.coord_tensor<(0,?), (6,10):(1E0,1E1)>,
    %a12: !fly.layout<((3,4),(2,3),3):((8,12),(6,16),0)>,
    %a13: !fly.layout<2:0>,
    %a14: !fly.layout<5:24>,
    %a15: !fly.tile<[2]>) {
  // CHECK: fly.zipped_divide(%arg0, %arg1) : (!fly.layout<(6,10):(10,1)>, !fly.layout<3:2>) -> !fly.layout<(3,(2,10)):(20,(10,1))>
  %0 = fly.zipped_divide(%a0, %a1) : (!fly.layout<(6,10):(10,1)>, !fly.layout<3:2>) -> !fly.layout<(3,(2,10)):(20,(10,1))>
  // CHECK: fly.zipped_divide(%arg0, %arg2) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(2,2)):((10,1),(30,5))>
  %1 = fly.zipped_divide(%a0, %a2) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(2,2)):((10,1),(30,5))>
  // CHECK: fly.zipped_divide(%arg3, %arg4) : (!fly.layout<12:1>, !fly.tile<[5]>) -> !fly.layout<((5),(3)):((1),(5))>
  %2 = fly.zipped_divide(%a3, %a4) : (!fly.layout<12:1>, !fly.tile<[5]>) -> !fly.layout<((5),(3)):((1),(5))>
  // CHECK: fly.zipped_divide(%arg0, %arg5) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<((3),(2,10)):((10),(30,1))>
  %3 = fly.zipped_divide(%a0, %a5) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3]>) -> !fly.layout<((3),(2,10)):((10),(30,1))>
  // CHECK: fly.zipped_divide(%arg6, %arg7) : (!fly.layout<(6,(4,10)):(40,(1,4))>, !fly.tile<[3|[2|5]]>) -> !fly.layout<((3,(2,5)),(2,(2,2))):((40,(1,4)),(120,(2,20)))>
  %4 = fly.zipped_divide(%a6, %a7) : (!fly.layout<(6,(4,10)):(40,(1,4))>, !fly.tile<[3|[2|5]]>) -> !fly.layout<((3,(2,5)),(2,(2,2))):((40,(1,4)),(120,(2,20)))>
  // CHECK: fly.zipped_divide(%arg8, %arg2) : (!fly.layout<(?,?{i64}):(?{i64},1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(?,?{i64})):((?{i64},1),(?{i64 div=3},5))>
  %5 = fly.zipped_divide(%a8, %a2) : (!fly.layout<(?,?{i64}):(?{i64},1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(?,?{i64})):((?{i64},1),(?{i64 div=3},5))>
  // CHECK: fly.zipped_divide(%arg9, %arg2) : (!fly.layout<(6,10):(1E0,1E1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(2,2)):((1E0,1E1),(3E0,5E1))>
  %6 = fly.zipped_divide(%a9, %a2) : (!fly.layout<(6,10):(1E0,1E1)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),(2,2)):((1E0,1E1),(3E0,5E1))>
  // CHECK: fly.zipped_divide(%arg10, %arg2) : (!fly.memref<f16, global, (?,10):(10,1), align<4>>, !fly.tile<[3|5]>) -> !fly.memref<f16, global, ((3,5),(?,2)):((10,1),(30,5)), align<4>>
  %7 = fly.zipped_divide(%a10, %a2) : (!fly.memref<f16, global, (?,10):(10,1), align<4>>, !fly.tile<[3|5]>) -> !fly.memref<f16, global, ((3,5),(?,2)):((10,1),(30,5)), align<4>>
  // CHECK: fly.zipped_divide(%arg11, %arg2) : (!fly.coord_tensor<(0,?), (6,10):(1E0,1E1)>, !fly.tile<[3|5]>) -> !fly.coord_tensor<(0,?), ((3,5),(2,2)):((1E0,1E1),(3E0,5E1))>
  %8 = fly.zipped_divide(%a11, %a2) : (!fly.coord_tensor<(0,?), (6,10):(1E0,1E1)>, !fly.tile<[3|5]>) -> !fly.coord_tensor<(0,?), ((3,5),(2,2)):((1E0,1E1),(3E0,5E1))>
  // CHECK: fly.zipped_divide(%arg12, %arg13) : (!fly.layout<((3,4),(2,3),3):((8,12),(6,16),0)>, !fly.layout<2:0>) -> !fly.layout<(2,(3,4,2,3,3)):(0,(8,12,6,16,0))>
  %9 = fly.zipped_divide(%a12, %a13) : (!fly.layout<((3,4),(2,3),3):((8,12),(6,16),0)>, !fly.layout<2:0>) -> !fly.layout<(2,(3,4,2,3,3)):(0,(8,12,6,16,0))>
  // CHECK: fly.zipped_divide(%arg14, %arg15) : (!fly.layout<5:24>, !fly.tile<[2]>) -> !fly.layout<((2),(3)):((24),(48))>
  %10 = fly.zipped_divide(%a14, %a15) : (!fly.layout<5:24>, !fly.tile<[2]>) -> !fly.layout<((2),(3)):((24),(48))>
  return
}

// CHECK-LABEL: func.func @tiled_divide(
func.func @tiled_divide(%a0: !fly.layout<(6,10):(10,1)>,
    %a1: !fly.layout<3:2>,
    %a2: !fly.layout<(6,10,4):(10,1,60)>,
    %a3: !fly.tile<[3|5]>,
    %a4: !fly.layout<(6,(4,10)):(40,(1,4))>,
    %a5: !fly.tile<[3|[2|5]]>,
    %a6: !fly.layout<(4):(12)>,
    %a7: !fly.layout<((3,5,8),2,4):((1,3,15),120,240)>,
    %a8: !fly.layout<(?,3):(1,8)>,
    %a9: !fly.tile<[2:1]>) {
  // CHECK: fly.tiled_divide(%arg0, %arg1) : (!fly.layout<(6,10):(10,1)>, !fly.layout<3:2>) -> !fly.layout<(3,2,10):(20,10,1)>
  %0 = fly.tiled_divide(%a0, %a1) : (!fly.layout<(6,10):(10,1)>, !fly.layout<3:2>) -> !fly.layout<(3,2,10):(20,10,1)>
  // CHECK: fly.tiled_divide(%arg2, %arg3) : (!fly.layout<(6,10,4):(10,1,60)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),2,2,4):((10,1),30,5,60)>
  %1 = fly.tiled_divide(%a2, %a3) : (!fly.layout<(6,10,4):(10,1,60)>, !fly.tile<[3|5]>) -> !fly.layout<((3,5),2,2,4):((10,1),30,5,60)>
  // CHECK: fly.tiled_divide(%arg4, %arg5) : (!fly.layout<(6,(4,10)):(40,(1,4))>, !fly.tile<[3|[2|5]]>) -> !fly.layout<((3,(2,5)),2,(2,2)):((40,(1,4)),120,(2,20))>
  %2 = fly.tiled_divide(%a4, %a5) : (!fly.layout<(6,(4,10)):(40,(1,4))>, !fly.tile<[3|[2|5]]>) -> !fly.layout<((3,(2,5)),2,(2,2)):((40,(1,4)),120,(2,20))>
  // CHECK: fly.tiled_divide(%arg6, %arg7) : (!fly.layout<(4):(12)>, !fly.layout<((3,5,8),2,4):((1,3,15),120,240)>) -> !fly.layout<(((3,5,8),2,4),1):(((12,36,180),1440,2880),0)>
  %3 = fly.tiled_divide(%a6, %a7) : (!fly.layout<(4):(12)>, !fly.layout<((3,5,8),2,4):((1,3,15),120,240)>) -> !fly.layout<(((3,5,8),2,4),1):(((12,36,180),1440,2880),0)>
  // CHECK: fly.tiled_divide(%arg8, %arg9) : (!fly.layout<(?,3):(1,8)>, !fly.tile<[2:1]>) -> !fly.layout<((2),?,3):((1),2,8)>
  %4 = fly.tiled_divide(%a8, %a9) : (!fly.layout<(?,3):(1,8)>, !fly.tile<[2:1]>) -> !fly.layout<((2),?,3):((1),2,8)>
  return
}

// CHECK-LABEL: func.func @flat_divide(
func.func @flat_divide(%a0: !fly.layout<(6,10):(10,1)>,
    %a1: !fly.layout<3:2>,
    %a2: !fly.layout<(6,10,4):(10,1,60)>,
    %a3: !fly.tile<[3|5]>,
    %a4: !fly.layout<(2,(?{div=4},2,?{div=4})):(?{div=8},(2,1,?{div=16}))>,
    %a5: !fly.tile<(2,2):(1,4)>,
    %a6: !fly.layout<(3,4):(4E0,4E1)>,
    %a7: !fly.tile<[4:1]>) {
  // CHECK: fly.flat_divide(%arg0, %arg1) : (!fly.layout<(6,10):(10,1)>, !fly.layout<3:2>) -> !fly.layout<(3,2,10):(20,10,1)>
  %0 = fly.flat_divide(%a0, %a1) : (!fly.layout<(6,10):(10,1)>, !fly.layout<3:2>) -> !fly.layout<(3,2,10):(20,10,1)>
  // CHECK: fly.flat_divide(%arg2, %arg3) : (!fly.layout<(6,10,4):(10,1,60)>, !fly.tile<[3|5]>) -> !fly.layout<(3,5,2,2,4):(10,1,30,5,60)>
  %1 = fly.flat_divide(%a2, %a3) : (!fly.layout<(6,10,4):(10,1,60)>, !fly.tile<[3|5]>) -> !fly.layout<(3,5,2,2,4):(10,1,30,5,60)>
  // CHECK: fly.flat_divide(%arg4, %arg5) : (!fly.layout<(2,(?{div=4},2,?{div=4})):(?{div=8},(2,1,?{div=16}))>, !fly.tile<(2,2):(1,4)>) -> !fly.layout<(2,(?,?,?),(?,?,?),(?,?,?)):(?{div=8},(4,?,?{div=16}),(2,1,?{div=16}),(8,?,?{div=16}))>
  %2 = fly.flat_divide(%a4, %a5) : (!fly.layout<(2,(?{div=4},2,?{div=4})):(?{div=8},(2,1,?{div=16}))>, !fly.tile<(2,2):(1,4)>) -> !fly.layout<(2,(?,?,?),(?,?,?),(?,?,?)):(?{div=8},(4,?,?{div=16}),(2,1,?{div=16}),(8,?,?{div=16}))>
  // CHECK: fly.flat_divide(%arg6, %arg7) : (!fly.layout<(3,4):(4E0,4E1)>, !fly.tile<[4:1]>) -> !fly.layout<(4,1,4):(4E0,0,4E1)>
  %3 = fly.flat_divide(%a6, %a7) : (!fly.layout<(3,4):(4E0,4E1)>, !fly.tile<[4:1]>) -> !fly.layout<(4,1,4):(4E0,0,4E1)>
  return
}
