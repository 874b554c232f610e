// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// What a thread sees of a tensor through tiled copies and tiled
// multiplications.

// CHECK-LABEL: func.func @tiled_copy_partition_src(
func.func @tiled_copy_partition_src(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>,
    %a1: !fly.memref<f16, global, (32,6):(6,1), align<8>>,
    %a2: !fly.int_tuple<?>,
    %a3: !fly.coord_tensor<(0,0), (32,6):(1E0,1E1)>,
    %a4: !fly.memref<f16, global, (?,?,5):(?,1,?)>) {
  // CHECK: fly.tiled_copy.partition_src(%arg0, %arg1, %arg2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, global, (32,6):(6,1), align<8>>, !fly.int_tuple<?>) -> !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>
  %0 = fly.tiled_copy.partition_src(%a0, %a1, %a2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.memref<f16, global, (32,6):(6,1), align<8>>, !fly.int_tuple<?>) -> !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>
  // CHECK: fly.tiled_copy.partition_src(%arg0, %arg3, %arg2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.coord_tensor<(0,0), (32,6):(1E0,1E1)>, !fly.int_tuple<?>) -> !fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),16E0,3E1)>
  %1 = fly.tiled_copy.partition_src(%a0, %a3, %a2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.coord_tensor<(0,0), (32,6):(1E0,1E1)>, !fly.int_tuple<?>) -> !fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),16E0,3E1)>
  // CHECK: fly.tiled_copy.partition_src(%arg0, %arg4, %arg2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, global, (?,?,5):(?,1,?)>, !fly.int_tuple<?>) -> !fly.memref<f16, global, ((4,1),?,?,5):((?,0),?{div=16},3,?)>
  %2 = fly.tiled_copy.partition_src(%a0, %a4, %a2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.memref<f16, global, (?,?,5):(?,1,?)>, !fly.int_tuple<?>) -> !fly.memref<f16, global, ((4,1),?,?,5):((?,0),?{div=16},3,?)>
  return
}

// CHECK-LABEL: func.func @tiled_copy_partition_dst(
func.func @tiled_copy_partition_dst(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>,
    %a1: !fly.memref<f16, shared, S<2,3,3> o 0 o (32,6):(6,1), align<8>>,
    %a2: !fly.int_tuple<7>) {
  // CHECK: fly.tiled_copy.partition_dst(%arg0, %arg1, %arg2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, shared, S<2,3,3> o 0 o (32,6):(6,1), align<8>>, !fly.int_tuple<7>) -> !fly.memref<f16, shared, S<2,3,3> o 73 o ((4,1),2,2):((6,0),96,3), align<8>>
  %0 = fly.tiled_copy.partition_dst(%a0, %a1, %a2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.memref<f16, shared, S<2,3,3> o 0 o (32,6):(6,1), align<8>>, !fly.int_tuple<7>) -> !fly.memref<f16, shared, S<2,3,3> o 73 o ((4,1),2,2):((6,0),96,3), align<8>>
  return
}

// CHECK-LABEL: func.func @tiled_copy_retile(
func.func @tiled_copy_retile(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>,
    %a1: !fly.memref<f16, register, (8,1,2):(1,0,8)>) {
  // CHECK: fly.tiled_copy.retile(%arg0, %arg1) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, register, (8,1,2):(1,0,8)>) -> !fly.memref<f16, register, ((4,2),1,2):((1,4),0,8)>
  %0 = fly.tiled_copy.retile(%a0, %a1) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.memref<f16, register, (8,1,2):(1,0,8)>) -> !fly.memref<f16, register, ((4,2),1,2):((1,4),0,8)>
  return
}

// CHECK-LABEL: func.func @tiled_mma_partition(
func.func @tiled_mma_partition(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>,
    %a1: !fly.memref<f32, shared, (6,4):(4,1)>,
    %a2: !fly.int_tuple<?>,
    %a3: !fly.memref<f32, global, (6,9):(9,1)>,
    %a4: !fly.coord_tensor<(0,0), (9,4):(1E0,1E1)>,
    %a5: !fly.int_tuple<4>) {
  // CHECK: fly.tiled_mma.partition(a, %arg0, %arg1, %arg2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, (1,3,4):(0,8,1)>
  %0 = fly.tiled_mma.partition(a, %a0, %a1, %a2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, (1,3,4):(0,8,1)>
  // CHECK: fly.tiled_mma.partition(c, %arg0, %arg3, %arg2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, global, (6,9):(9,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, global, (1,3,3):(0,18,3)>
  %1 = fly.tiled_mma.partition(c, %a0, %a3, %a2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>, !fly.memref<f32, global, (6,9):(9,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, global, (1,3,3):(0,18,3)>
  // DIFF: line-mma-partition-coordinate-4
  // CHECK: fly.tiled_mma.partition(b, %arg0, %arg4, %arg5) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.coord_tensor<(0,0), (9,4):(1E0,1E1)>, !fly.int_tuple<4>) -> !fly.coord_tensor<(2,0), (1,3,4):(0,3E0,1E1)>
  %2 = fly.tiled_mma.partition(b, %a0, %a4, %a5) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>, !fly.coord_tensor<(0,0), (9,4):(1E0,1E1)>, !fly.int_tuple<4>) -> !fly.coord_tensor<(2,0), (1,3,4):(0,3E0,1E1)>
  return
}

// CHECK-LABEL: func.func @tiled_mma_partition_shape(
func.func @tiled_mma_partition_shape(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>,
    %a1: !fly.int_tuple<(6,9)>) {
  // CHECK: fly.tiled_mma.partition_shape(%arg0, %arg1) {operand_id = #fly<mma_operand d>} : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.int_tuple<(6,9)>) -> !fly.int_tuple<(1,3,3)>
  %0 = fly.tiled_mma.partition_shape(%a0, %a1) {operand_id = #fly<mma_operand d>} : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>, !fly.int_tuple<(6,9)>) -> !fly.int_tuple<(1,3,3)>
  return
}

// CHECK-LABEL: func.func @mma_make_fragment(
func.func @mma_make_fragment(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>,
    %a1: !fly.memref<f32, shared, (6,4):(4,1)>) {
  // CHECK: fly.mma.make_fragment(a, %arg0, %arg1) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4):(0,4,1)>
  %0 = fly.mma.make_fragment(a, %a0, %a1) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4):(0,4,1)>
  // CHECK: fly.mma.make_fragment(a, %arg0, %arg1, stages = 2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
  %1 = fly.mma.make_fragment(a, %a0, %a1, stages = 2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
  return
}

// CHECK-LABEL: func.func @get_copy_atom(
func.func @get_copy_atom(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>) {
  // CHECK: fly.get_copy_atom(%arg0) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>) -> !fly.copy_atom<!fly.universal_copy<64>, 16>
  %0 = fly.get_copy_atom(%a0) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>) -> !fly.copy_atom<!fly.universal_copy<64>, 16>
  return
}
