// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Sizes of layouts, and coordinates to indices and back.

// CHECK-LABEL: func.func @crd2idx(
func.func @crd2idx(%a0: !fly.int_tuple<130>,
    %a1: !fly.swizzle<S<2,3,4>>,
    %a2: !fly.int_tuple<?{i64 div=24}>,
    %a3: !fly.int_tuple<(6,5)>,
    %a4: !fly.coord_swizzle<CS<2,1,[0],2,[1]>>,
    %a5: !fly.int_tuple<(?,6)>,
    %a6: !fly.int_tuple<(1,(2,3))>,
    %a7: !fly.coord_swizzle<CS<1,0,[0],0,[1, 1]>>,
    %a8: !fly.coord_swizzle<CS<0,0,[],0,[]>>,
    %a9: !fly.int_tuple<(2,4)>,
    %a10: !fly.layout<(3,5):(7,2)>,
    %a11: !fly.int_tuple<11>,
    %a12: !fly.int_tuple<40>,
    %a13: !fly.int_tuple<-4>,
    %a14: !fly.int_tuple<(?,4)>,
    %a15: !fly.layout<(3,(2,5)):(6,(3,?))>,
    %a16: !fly.int_tuple<(1,*)>,
    %a17: !fly.int_tuple<(2,?)>,
    %a18: !fly.layout<(3,5):(1E0,2E1)>,
    %a19: !fly.int_tuple<7>,
    %a20: !fly.layout<(3,5):(1E1,3E1)>,
    %a21: !fly.int_tuple<(?{div=4},0)>,
    %a22: !fly.layout<(12,5):(6,1)>,
    %a23: !fly.int_tuple<(2,3)>,
    %a24: !fly.composed_layout<S<2,2,2> o 16 o (6,5):(5,1)>,
    %a25: !fly.composed_layout<64:3 o 1 o [32:2 o 4 o (6,5):(5,1)]>,
    %a26: !fly.int_tuple<(5,2)>,
    %a27: !fly.composed_layout<CS<2,0,[0],1,[1]> o (1,0) o (6,5):(1E0,1E1)>,
    %a28: !fly.int_tuple<((1,*,1),0)>,
    %a29: !fly.layout<((4,5,8),3):((120,1,5),40)>,
    %a30: !fly.int_tuple<(*,*,?{i64})>,
    %a31: !fly.layout<(1,3,4):(1,4,1)>,
    %a32: !fly.int_tuple<(0,?)>,
    %a33: !fly.layout<(5,4):(2,8)>,
    %a34: !fly.int_tuple<(1,(?{i64},*,?))>,
    %a35: !fly.layout<(1,(8,5,1)):(1,(1,8,40))>,
    %a36: !fly.int_tuple<(1,19,*)>,
    %a37: !fly.layout<(5,2,?):(?{i64},6,3)>,
    %a38: !fly.int_tuple<(?{i64},*,?)>,
    %a39: !fly.layout<(1,?,3):(-2,?,2)>,
    %a40: !fly.int_tuple<*>,
    %a41: !fly.layout<5:2>,
    %a42: !fly.int_tuple<?>,
    %a43: !fly.layout<(2,2,(8,2)):(1E1,2E1,(2E1,2E0))>,
    %a44: !fly.layout<6:1>) {
  // CHECK: fly.crd2idx(%arg0, %arg1) : (!fly.int_tuple<130>, !fly.swizzle<S<2,3,4>>) -> !fly.int_tuple<138>
  %0 = fly.crd2idx(%a0, %a1) : (!fly.int_tuple<130>, !fly.swizzle<S<2,3,4>>) -> !fly.int_tuple<138>
  // CHECK: fly.crd2idx(%arg2, %arg1) : (!fly.int_tuple<?{i64 div=24}>, !fly.swizzle<S<2,3,4>>) -> !fly.int_tuple<?{i64 div=8}>
  %1 = fly.crd2idx(%a2, %a1) : (!fly.int_tuple<?{i64 div=24}>, !fly.swizzle<S<2,3,4>>) -> !fly.int_tuple<?{i64 div=8}>
  // CHECK: fly.crd2idx(%arg3, %arg4) : (!fly.int_tuple<(6,5)>, !fly.coord_swizzle<CS<2,1,[0],2,[1]>>) -> !fly.int_tuple<(6,9)>
  %2 = fly.crd2idx(%a3, %a4) : (!fly.int_tuple<(6,5)>, !fly.coord_swizzle<CS<2,1,[0],2,[1]>>) -> !fly.int_tuple<(6,9)>
  // CHECK: fly.crd2idx(%arg5, %arg4) : (!fly.int_tuple<(?,6)>, !fly.coord_swizzle<CS<2,1,[0],2,[1]>>) -> !fly.int_tuple<(?,?{div=2})>
  %3 = fly.crd2idx(%a5, %a4) : (!fly.int_tuple<(?,6)>, !fly.coord_swizzle<CS<2,1,[0],2,[1]>>) -> !fly.int_tuple<(?,?{div=2})>
  // CHECK: fly.crd2idx(%arg6, %arg7) : (!fly.int_tuple<(1,(2,3))>, !fly.coord_swizzle<CS<1,0,[0],0,[1, 1]>>) -> !fly.int_tuple<(1,(2,2))>
  %4 = fly.crd2idx(%a6, %a7) : (!fly.int_tuple<(1,(2,3))>, !fly.coord_swizzle<CS<1,0,[0],0,[1, 1]>>) -> !fly.int_tuple<(1,(2,2))>
  // CHECK: fly.crd2idx(%arg3, %arg8) : (!fly.int_tuple<(6,5)>, !fly.coord_swizzle<CS<0,0,[],0,[]>>) -> !fly.int_tuple<(6,5)>
  %5 = fly.crd2idx(%a3, %a8) : (!fly.int_tuple<(6,5)>, !fly.coord_swizzle<CS<0,0,[],0,[]>>) -> !fly.int_tuple<(6,5)>
  // CHECK: fly.crd2idx(%arg9, %arg10) : (!fly.int_tuple<(2,4)>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<22>
  %6 = fly.crd2idx(%a9, %a10) : (!fly.int_tuple<(2,4)>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<22>
  // CHECK: fly.crd2idx(%arg11, %arg10) : (!fly.int_tuple<11>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<20>
  %7 = fly.crd2idx(%a11, %a10) : (!fly.int_tuple<11>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<20>
  // CHECK: fly.crd2idx(%arg12, %arg10) : (!fly.int_tuple<40>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<33>
  %8 = fly.crd2idx(%a12, %a10) : (!fly.int_tuple<40>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<33>
  // CHECK: fly.crd2idx(%arg13, %arg10) : (!fly.int_tuple<-4>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<-9>
  %9 = fly.crd2idx(%a13, %a10) : (!fly.int_tuple<-4>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<-9>
  // CHECK: fly.crd2idx(%arg14, %arg15) : (!fly.int_tuple<(?,4)>, !fly.layout<(3,(2,5)):(6,(3,?))>) -> !fly.int_tuple<?{div=2}>
  %10 = fly.crd2idx(%a14, %a15) : (!fly.int_tuple<(?,4)>, !fly.layout<(3,(2,5)):(6,(3,?))>) -> !fly.int_tuple<?{div=2}>
  // CHECK: fly.crd2idx(%arg16, %arg10) : (!fly.int_tuple<(1,*)>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<7>
  %11 = fly.crd2idx(%a16, %a10) : (!fly.int_tuple<(1,*)>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<7>
  // CHECK: fly.crd2idx(%arg17, %arg18) : (!fly.int_tuple<(2,?)>, !fly.layout<(3,5):(1E0,2E1)>) -> !fly.int_tuple<(2,?{div=2})>
  %12 = fly.crd2idx(%a17, %a18) : (!fly.int_tuple<(2,?)>, !fly.layout<(3,5):(1E0,2E1)>) -> !fly.int_tuple<(2,?{div=2})>
  // CHECK: fly.crd2idx(%arg19, %arg20) : (!fly.int_tuple<7>, !fly.layout<(3,5):(1E1,3E1)>) -> !fly.int_tuple<(0,7)>
  %13 = fly.crd2idx(%a19, %a20) : (!fly.int_tuple<7>, !fly.layout<(3,5):(1E1,3E1)>) -> !fly.int_tuple<(0,7)>
  // CHECK: fly.crd2idx(%arg21, %arg22) : (!fly.int_tuple<(?{div=4},0)>, !fly.layout<(12,5):(6,1)>) -> !fly.int_tuple<?{div=24}>
  %14 = fly.crd2idx(%a21, %a22) : (!fly.int_tuple<(?{div=4},0)>, !fly.layout<(12,5):(6,1)>) -> !fly.int_tuple<?{div=24}>
  // CHECK: fly.crd2idx(%arg23, %arg24) : (!fly.int_tuple<(2,3)>, !fly.composed_layout<S<2,2,2> o 16 o (6,5):(5,1)>) -> !fly.int_tuple<25>
  %15 = fly.crd2idx(%a23, %a24) : (!fly.int_tuple<(2,3)>, !fly.composed_layout<S<2,2,2> o 16 o (6,5):(5,1)>) -> !fly.int_tuple<25>
  // CHECK: fly.crd2idx(%arg23, %arg25) : (!fly.int_tuple<(2,3)>, !fly.composed_layout<64:3 o 1 o [32:2 o 4 o (6,5):(5,1)]>) -> !fly.int_tuple<105>
  %16 = fly.crd2idx(%a23, %a25) : (!fly.int_tuple<(2,3)>, !fly.composed_layout<64:3 o 1 o [32:2 o 4 o (6,5):(5,1)]>) -> !fly.int_tuple<105>
  // CHECK: fly.crd2idx(%arg26, %arg27) : (!fly.int_tuple<(5,2)>, !fly.composed_layout<CS<2,0,[0],1,[1]> o (1,0) o (6,5):(1E0,1E1)>) -> !fly.int_tuple<(6,6)>
  %17 = fly.crd2idx(%a26, %a27) : (!fly.int_tuple<(5,2)>, !fly.composed_layout<CS<2,0,[0],1,[1]> o (1,0) o (6,5):(1E0,1E1)>) -> !fly.int_tuple<(6,6)>
  // CHECK: fly.crd2idx(%arg28, %arg29) : (!fly.int_tuple<((1,*,1),0)>, !fly.layout<((4,5,8),3):((120,1,5),40)>) -> !fly.int_tuple<125>
  %18 = fly.crd2idx(%a28, %a29) : (!fly.int_tuple<((1,*,1),0)>, !fly.layout<((4,5,8),3):((120,1,5),40)>) -> !fly.int_tuple<125>
  // CHECK: fly.crd2idx(%arg30, %arg31) : (!fly.int_tuple<(*,*,?{i64})>, !fly.layout<(1,3,4):(1,4,1)>) -> !fly.int_tuple<?{i64}>
  %19 = fly.crd2idx(%a30, %a31) : (!fly.int_tuple<(*,*,?{i64})>, !fly.layout<(1,3,4):(1,4,1)>) -> !fly.int_tuple<?{i64}>
  // CHECK: fly.crd2idx(%arg32, %arg33) : (!fly.int_tuple<(0,?)>, !fly.layout<(5,4):(2,8)>) -> !fly.int_tuple<?{div=8}>
  %20 = fly.crd2idx(%a32, %a33) : (!fly.int_tuple<(0,?)>, !fly.layout<(5,4):(2,8)>) -> !fly.int_tuple<?{div=8}>
  // CHECK: fly.crd2idx(%arg34, %arg35) : (!fly.int_tuple<(1,(?{i64},*,?))>, !fly.layout<(1,(8,5,1)):(1,(1,8,40))>) -> !fly.int_tuple<?{i64}>
  %21 = fly.crd2idx(%a34, %a35) : (!fly.int_tuple<(1,(?{i64},*,?))>, !fly.layout<(1,(8,5,1)):(1,(1,8,40))>) -> !fly.int_tuple<?{i64}>
  // CHECK: fly.crd2idx(%arg36, %arg37) : (!fly.int_tuple<(1,19,*)>, !fly.layout<(5,2,?):(?{i64},6,3)>) -> !fly.int_tuple<?{i64}>
  %22 = fly.crd2idx(%a36, %a37) : (!fly.int_tuple<(1,19,*)>, !fly.layout<(5,2,?):(?{i64},6,3)>) -> !fly.int_tuple<?{i64}>
  // CHECK: fly.crd2idx(%arg38, %arg39) : (!fly.int_tuple<(?{i64},*,?)>, !fly.layout<(1,?,3):(-2,?,2)>) -> !fly.int_tuple<?{i64 div=2}>
  %23 = fly.crd2idx(%a38, %a39) : (!fly.int_tuple<(?{i64},*,?)>, !fly.layout<(1,?,3):(-2,?,2)>) -> !fly.int_tuple<?{i64 div=2}>
  // CHECK: fly.crd2idx(%arg40, %arg41) : (!fly.int_tuple<*>, !fly.layout<5:2>) -> !fly.int_tuple<0>
  %24 = fly.crd2idx(%a40, %a41) : (!fly.int_tuple<*>, !fly.layout<5:2>) -> !fly.int_tuple<0>
  // CHECK: fly.crd2idx(%arg42, %arg43) : (!fly.int_tuple<?>, !fly.layout<(2,2,(8,2)):(1E1,2E1,(2E1,2E0))>) -> !fly.int_tuple<(?{div=2},?)>
  %25 = fly.crd2idx(%a42, %a43) : (!fly.int_tuple<?>, !fly.layout<(2,2,(8,2)):(1E1,2E1,(2E1,2E0))>) -> !fly.int_tuple<(?{div=2},?)>
  // CHECK: fly.crd2idx(%arg42, %arg44) : (!fly.int_tuple<?>, !fly.layout<6:1>) -> !fly.int_tuple<?>
  %26 = fly.crd2idx(%a42, %a44) : (!fly.int_tuple<?>, !fly.layout<6:1>) -> !fly.int_tuple<?>
  return
}

// CHECK-LABEL: func.func @idx2crd(
func.func @idx2crd(%a0: !fly.int_tuple<23>,
    %a1: !fly.layout<(3,5):(1,6)>,
    %a2: !fly.int_tuple<?>,
    %a3: !fly.layout<(3,(2,5)):(1,(3,6))>,
    %a4: !fly.int_tuple<9>,
    %a5: !fly.layout<(1,7):(0,2)>,
    %a6: !fly.int_tuple<26>,
    %a7: !fly.layout<((4,4,2),(?{i64},2,4)):((24,?{div=4},?{i64}),(16,4,8))>,
    %a8: !fly.int_tuple<5>,
    %a9: !fly.layout<3:1>,
    %a10: !fly.layout<2:1>,
    %a11: !fly.int_tuple<?{i64 div=6}>,
    %a12: !fly.layout<((8,1)):((1,1))>) {
  // CHECK: fly.idx2crd(%arg0, %arg1) : (!fly.int_tuple<23>, !fly.layout<(3,5):(1,6)>) -> !fly.int_tuple<(2,3)>
  %0 = fly.idx2crd(%a0, %a1) : (!fly.int_tuple<23>, !fly.layout<(3,5):(1,6)>) -> !fly.int_tuple<(2,3)>
  // CHECK: fly.idx2crd(%arg2, %arg3) : (!fly.int_tuple<?>, !fly.layout<(3,(2,5)):(1,(3,6))>) -> !fly.int_tuple<(?,(?,?))>
  %1 = fly.idx2crd(%a2, %a3) : (!fly.int_tuple<?>, !fly.layout<(3,(2,5)):(1,(3,6))>) -> !fly.int_tuple<(?,(?,?))>
  // CHECK: fly.idx2crd(%arg4, %arg5) : (!fly.int_tuple<9>, !fly.layout<(1,7):(0,2)>) -> !fly.int_tuple<(0,4)>
  %2 = fly.idx2crd(%a4, %a5) : (!fly.int_tuple<9>, !fly.layout<(1,7):(0,2)>) -> !fly.int_tuple<(0,4)>
  // CHECK: fly.idx2crd(%arg6, %arg7) : (!fly.int_tuple<26>, !fly.layout<((4,4,2),(?{i64},2,4)):((24,?{div=4},?{i64}),(16,4,8))>) -> !fly.int_tuple<((1,?,?{i64}),(?{i64},0,3))>
  %3 = fly.idx2crd(%a6, %a7) : (!fly.int_tuple<26>, !fly.layout<((4,4,2),(?{i64},2,4)):((24,?{div=4},?{i64}),(16,4,8))>) -> !fly.int_tuple<((1,?,?{i64}),(?{i64},0,3))>
  // CHECK: fly.idx2crd(%arg8, %arg9) : (!fly.int_tuple<5>, !fly.layout<3:1>) -> !fly.int_tuple<2>
  %4 = fly.idx2crd(%a8, %a9) : (!fly.int_tuple<5>, !fly.layout<3:1>) -> !fly.int_tuple<2>
  // CHECK: fly.idx2crd(%arg2, %arg10) : (!fly.int_tuple<?>, !fly.layout<2:1>) -> !fly.int_tuple<?>
  %5 = fly.idx2crd(%a2, %a10) : (!fly.int_tuple<?>, !fly.layout<2:1>) -> !fly.int_tuple<?>
  // CHECK: fly.idx2crd(%arg11, %arg12) : (!fly.int_tuple<?{i64 div=6}>, !fly.layout<((8,1)):((1,1))>) -> !fly.int_tuple<((?{i64},0))>
  %6 = fly.idx2crd(%a11, %a12) : (!fly.int_tuple<?{i64 div=6}>, !fly.layout<((8,1)):((1,1))>) -> !fly.int_tuple<((?{i64},0))>
  return
}

// CHECK-LABEL: func.func @get_flat_coord(
func.func @get_flat_coord(%a0: !fly.int_tuple<23>,
    %a1: !fly.layout<((3,2),5):((1,3),6)>,
    %a2: !fly.int_tuple<?>,
    %a3: !fly.layout<(6,4,5):(3,?{i64},?)>,
    %a4: !fly.int_tuple<?{i64 div=6}>,
    %a5: !fly.layout<((2,6)):((4,16))>) {
  // CHECK: fly.get_flat_coord(%arg0, %arg1) : (!fly.int_tuple<23>, !fly.layout<((3,2),5):((1,3),6)>) -> !fly.int_tuple<(5,3)>
  %0 = fly.get_flat_coord(%a0, %a1) : (!fly.int_tuple<23>, !fly.layout<((3,2),5):((1,3),6)>) -> !fly.int_tuple<(5,3)>
  // CHECK: fly.get_flat_coord(%arg2, %arg3) : (!fly.int_tuple<?>, !fly.layout<(6,4,5):(3,?{i64},?)>) -> !fly.int_tuple<(?,?{i64},?)>
  %1 = fly.get_flat_coord(%a2, %a3) : (!fly.int_tuple<?>, !fly.layout<(6,4,5):(3,?{i64},?)>) -> !fly.int_tuple<(?,?{i64},?)>
  // CHECK: fly.get_flat_coord(%arg4, %arg5) : (!fly.int_tuple<?{i64 div=6}>, !fly.layout<((2,6)):((4,16))>) -> !fly.int_tuple<(?{i64})>
  %2 = fly.get_flat_coord(%a4, %a5) : (!fly.int_tuple<?{i64 div=6}>, !fly.layout<((2,6)):((4,16))>) -> !fly.int_tuple<(?{i64})>
  return
}

// CHECK-LABEL: func.func @get_1d_coord(
func.func @get_1d_coord(%a0: !fly.int_tuple<23>,
    %a1: !fly.layout<((3,2),5):((15,5),1)>,
    %a2: !fly.int_tuple<?>,
    %a3: !fly.layout<(3,?):(1,3)>,
    %a4: !fly.int_tuple<(1,?{div=4},26)>,
    %a5: !fly.layout<(6,4,(2,8)):(8,2,(1,48))>,
    %a6: !fly.int_tuple<11>,
    %a7: !fly.layout<(3,2,8):(8,2,?{i64})>,
    %a8: !fly.int_tuple<1>,
    %a9: !fly.layout<2:3>,
    %a10: !fly.int_tuple<38>,
    %a11: !fly.layout<((1,5),4):((12,4),?)>,
    %a12: !fly.int_tuple<43>,
    %a13: !fly.layout<(5,2):(2,1)>,
    %a14: !fly.int_tuple<59>,
    %a15: !fly.layout<((4,?{i64}),(3,4,2)):((1,4),(?{i64 div=4},?{i64 div=12},?{i64 div=48}))>,
    %a16: !fly.int_tuple<?{i64 div=6}>,
    %a17: !fly.layout<2:?>) {
  // DIFF: line-get-1d-coord-23
  // CHECK: fly.get_1d_coord(%arg0, %arg1) : (!fly.int_tuple<23>, !fly.layout<((3,2),5):((15,5),1)>) -> !fly.int_tuple<22>
  %0 = fly.get_1d_coord(%a0, %a1) : (!fly.int_tuple<23>, !fly.layout<((3,2),5):((15,5),1)>) -> !fly.int_tuple<22>
  // CHECK: fly.get_1d_coord(%arg2, %arg3) : (!fly.int_tuple<?>, !fly.layout<(3,?):(1,3)>) -> !fly.int_tuple<?>
  %1 = fly.get_1d_coord(%a2, %a3) : (!fly.int_tuple<?>, !fly.layout<(3,?):(1,3)>) -> !fly.int_tuple<?>
  // CHECK: fly.get_1d_coord(%arg4, %arg5) : (!fly.int_tuple<(1,?{div=4},26)>, !fly.layout<(6,4,(2,8)):(8,2,(1,48))>) -> !fly.int_tuple<?{div=6}>
  %2 = fly.get_1d_coord(%a4, %a5) : (!fly.int_tuple<(1,?{div=4},26)>, !fly.layout<(6,4,(2,8)):(8,2,(1,48))>) -> !fly.int_tuple<?{div=6}>
  // CHECK: fly.get_1d_coord(%arg6, %arg7) : (!fly.int_tuple<11>, !fly.layout<(3,2,8):(8,2,?{i64})>) -> !fly.int_tuple<?{i64}>
  %3 = fly.get_1d_coord(%a6, %a7) : (!fly.int_tuple<11>, !fly.layout<(3,2,8):(8,2,?{i64})>) -> !fly.int_tuple<?{i64}>
  // CHECK: fly.get_1d_coord(%arg8, %arg9) : (!fly.int_tuple<1>, !fly.layout<2:3>) -> !fly.int_tuple<0>
  %4 = fly.get_1d_coord(%a8, %a9) : (!fly.int_tuple<1>, !fly.layout<2:3>) -> !fly.int_tuple<0>
  // CHECK: fly.get_1d_coord(%arg10, %arg11) : (!fly.int_tuple<38>, !fly.layout<((1,5),4):((12,4),?)>) -> !fly.int_tuple<?>
  %5 = fly.get_1d_coord(%a10, %a11) : (!fly.int_tuple<38>, !fly.layout<((1,5),4):((12,4),?)>) -> !fly.int_tuple<?>
  // CHECK: fly.get_1d_coord(%arg12, %arg13) : (!fly.int_tuple<43>, !fly.layout<(5,2):(2,1)>) -> !fly.int_tuple<6>
  %6 = fly.get_1d_coord(%a12, %a13) : (!fly.int_tuple<43>, !fly.layout<(5,2):(2,1)>) -> !fly.int_tuple<6>
  // CHECK: fly.get_1d_coord(%arg14, %arg15) : (!fly.int_tuple<59>, !fly.layout<((4,?{i64}),(3,4,2)):((1,4),(?{i64 div=4},?{i64 div=12},?{i64 div=48}))>) -> !fly.int_tuple<?{i64}>
  %7 = fly.get_1d_coord(%a14, %a15) : (!fly.int_tuple<59>, !fly.layout<((4,?{i64}),(3,4,2)):((1,4),(?{i64 div=4},?{i64 div=12},?{i64 div=48}))>) -> !fly.int_tuple<?{i64}>
  // CHECK: fly.get_1d_coord(%arg16, %arg17) : (!fly.int_tuple<?{i64 div=6}>, !fly.layout<2:?>) -> !fly.int_tuple<?{i64}>
  %8 = fly.get_1d_coord(%a16, %a17) : (!fly.int_tuple<?{i64 div=6}>, !fly.layout<2:?>) -> !fly.int_tuple<?{i64}>
  return
}

// CHECK-LABEL: func.func @size(
func.func @size(%a0: !fly.layout<(3,(2,?)):(1,(3,6))>,
    %a1: !fly.memref<f32, global, S<1,2,3> o 8 o (3,5):(5,1)>,
    %a2: !fly.layout<((8,2,5),5):((-2,0,24),-2)>,
    %a3: !fly.layout<(1,4,2):(1,1,4)>,
    %a4: !fly.layout<(6,(6,?{i64})):(1,(6,36))>,
    %a5: !fly.layout<4:4>) {
  // CHECK: fly.size(%arg0) : (!fly.layout<(3,(2,?)):(1,(3,6))>) -> !fly.int_tuple<?{div=6}>
  %0 = fly.size(%a0) : (!fly.layout<(3,(2,?)):(1,(3,6))>) -> !fly.int_tuple<?{div=6}>
  // CHECK: fly.size(%arg1) : (!fly.memref<f32, global, S<1,2,3> o 8 o (3,5):(5,1)>) -> !fly.int_tuple<15>
  %1 = fly.size(%a1) : (!fly.memref<f32, global, S<1,2,3> o 8 o (3,5):(5,1)>) -> !fly.int_tuple<15>
  // CHECK: fly.size(%arg2) : (!fly.layout<((8,2,5),5):((-2,0,24),-2)>) -> !fly.int_tuple<400>
  %2 = fly.size(%a2) : (!fly.layout<((8,2,5),5):((-2,0,24),-2)>) -> !fly.int_tuple<400>
  // CHECK: fly.size(%arg3) : (!fly.layout<(1,4,2):(1,1,4)>) -> !fly.int_tuple<8>
  %3 = fly.size(%a3) : (!fly.layout<(1,4,2):(1,1,4)>) -> !fly.int_tuple<8>
  // CHECK: fly.size(%arg4) : (!fly.layout<(6,(6,?{i64})):(1,(6,36))>) -> !fly.int_tuple<?{i64 div=36}>
  %4 = fly.size(%a4) : (!fly.layout<(6,(6,?{i64})):(1,(6,36))>) -> !fly.int_tuple<?{i64 div=36}>
  // CHECK: fly.size(%arg5) : (!fly.layout<4:4>) -> !fly.int_tuple<4>
  %5 = fly.size(%a5) : (!fly.layout<4:4>) -> !fly.int_tuple<4>
  return
}

// CHECK-LABEL: func.func @coshape(
func.func @coshape(%a0: !fly.layout<(3,5):(1,6)>,
    %a1: !fly.layout<(3,5):(2E0,1E1E1)>,
    %a2: !fly.layout<(8,2):(2,1)>) {
  // CHECK: fly.coshape(%arg0) : (!fly.layout<(3,5):(1,6)>) -> !fly.int_tuple<27>
  %0 = fly.coshape(%a0) : (!fly.layout<(3,5):(1,6)>) -> !fly.int_tuple<27>
  // CHECK: fly.coshape(%arg1) : (!fly.layout<(3,5):(2E0,1E1E1)>) -> !fly.int_tuple<(5,(1,5))>
  %1 = fly.coshape(%a1) : (!fly.layout<(3,5):(2E0,1E1E1)>) -> !fly.int_tuple<(5,(1,5))>
  // CHECK: fly.coshape(%arg2) : (!fly.layout<(8,2):(2,1)>) -> !fly.int_tuple<16>
  %2 = fly.coshape(%a2) : (!fly.layout<(8,2):(2,1)>) -> !fly.int_tuple<16>
  return
}

// CHECK-LABEL: func.func @cosize(
func.func @cosize(%a0: !fly.layout<(3,5):(0,2)>,
    %a1: !fly.layout<(3,5):(-1,6)>,
    %a2: !fly.layout<(3,?{div=5}):(1,?{i64})>,
    %a3: !fly.layout<(3,5):(2E0,1E1E1)>,
    %a4: !fly.composed_layout<100:7 o 8 o (3,5):(5,1)>,
    %a5: !fly.layout<1:1>) {
  // CHECK: fly.cosize(%arg0) : (!fly.layout<(3,5):(0,2)>) -> !fly.int_tuple<9>
  %0 = fly.cosize(%a0) : (!fly.layout<(3,5):(0,2)>) -> !fly.int_tuple<9>
  // DIFF: line-cosize-negative-stride
  // CHECK: fly.cosize(%arg1) : (!fly.layout<(3,5):(-1,6)>) -> !fly.int_tuple<27>
  %1 = fly.cosize(%a1) : (!fly.layout<(3,5):(-1,6)>) -> !fly.int_tuple<27>
  // CHECK: fly.cosize(%arg2) : (!fly.layout<(3,?{div=5}):(1,?{i64})>) -> !fly.int_tuple<?{i64}>
  %2 = fly.cosize(%a2) : (!fly.layout<(3,?{div=5}):(1,?{i64})>) -> !fly.int_tuple<?{i64}>
  // CHECK: fly.cosize(%arg3) : (!fly.layout<(3,5):(2E0,1E1E1)>) -> !fly.int_tuple<25>
  %3 = fly.cosize(%a3) : (!fly.layout<(3,5):(2E0,1E1E1)>) -> !fly.int_tuple<25>
  // DIFF: line-cosize-composed
  // CHECK: fly.cosize(%arg4) : (!fly.composed_layout<100:7 o 8 o (3,5):(5,1)>) -> !fly.int_tuple<155>
  %4 = fly.cosize(%a4) : (!fly.composed_layout<100:7 o 8 o (3,5):(5,1)>) -> !fly.int_tuple<155>
  // CHECK: fly.cosize(%arg5) : (!fly.layout<1:1>) -> !fly.int_tuple<1>
  %5 = fly.cosize(%a5) : (!fly.layout<1:1>) -> !fly.int_tuple<1>
  return
}

// CHECK-LABEL: func.func @coprofile(
func.func @coprofile(%a0: !fly.layout<(3,5):(2E0,1E1E1)>,
    %a1: !fly.layout<(4,(2,5)):(6,(1,0))>,
    %a2: !fly.layout<(5,(3)):(3,(1))>,
    %a3: !fly.layout<(8,(2,5,5)):(-2,(3,-1,0))>,
    %a4: !fly.layout<(8,2):(1,8)>) {
  // CHECK: fly.coprofile(%arg0) : (!fly.layout<(3,5):(2E0,1E1E1)>) -> !fly.int_tuple<(0,(0,0))>
  %0 = fly.coprofile(%a0) : (!fly.layout<(3,5):(2E0,1E1E1)>) -> !fly.int_tuple<(0,(0,0))>
  // CHECK: fly.coprofile(%arg1) : (!fly.layout<(4,(2,5)):(6,(1,0))>) -> !fly.int_tuple<0>
  %1 = fly.coprofile(%a1) : (!fly.layout<(4,(2,5)):(6,(1,0))>) -> !fly.int_tuple<0>
  // CHECK: fly.coprofile(%arg2) : (!fly.layout<(5,(3)):(3,(1))>) -> !fly.int_tuple<0>
  %2 = fly.coprofile(%a2) : (!fly.layout<(5,(3)):(3,(1))>) -> !fly.int_tuple<0>
  // CHECK: fly.coprofile(%arg3) : (!fly.layout<(8,(2,5,5)):(-2,(3,-1,0))>) -> !fly.int_tuple<0>
  %3 = fly.coprofile(%a3) : (!fly.layout<(8,(2,5,5)):(-2,(3,-1,0))>) -> !fly.int_tuple<0>
  // CHECK: fly.coprofile(%arg4) : (!fly.layout<(8,2):(1,8)>) -> !fly.int_tuple<0>
  %4 = fly.coprofile(%a4) : (!fly.layout<(8,2):(1,8)>) -> !fly.int_tuple<0>
  return
}
