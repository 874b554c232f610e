// RUN: fly-opt %s | fly-opt | FileCheck %s
//
// The types of tensor copies of tiles: which modes of the tensor share a
// dimension of the descriptor, padding, and the part of one wave. The result
// types are inferred, so a wrong one is an error.

// CHECK-LABEL: func @row_0(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} {numWarps = 2 : i32} :
func.func @row_0(%t: !fly.memref<f16, global, (256,512):(512,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>, !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {numWarps = 2 : i32} : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>, !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>
}

// CHECK-LABEL: func @row_1(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} {numWarps = 256 : i32} :
func.func @row_1(%t: !fly.memref<f16, global, (256,512):(512,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [1, 16], elem = f16, tensor2tdm = (1E0,1E1)>, 16>, !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>) {
  %l = fly.static : !fly.layout<(128,32):(32,1)>
  %b = fly.static : !fly.tile<[128|32]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {numWarps = 256 : i32} : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,32):(32,1)>, !fly.tile<[128|32]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [1, 16], elem = f16, tensor2tdm = (1E0,1E1)>, 16>, !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>
}

// CHECK-LABEL: func @row_2(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_2(%t: !fly.memref<f16, global, (512,256):(1,512)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 32], elem = f16, tensor2tdm = (1E1,1E0)>, 16>, !fly.coord_tensor<(0,0), (512,256):(1E0,1E1)>) {
  %l = fly.static : !fly.layout<(32,128):(1,32)>
  %b = fly.static : !fly.tile<[32|128]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (512,256):(1,512)>, !fly.layout<(32,128):(1,32)>, !fly.tile<[32|128]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 32], elem = f16, tensor2tdm = (1E1,1E0)>, 16>, !fly.coord_tensor<(0,0), (512,256):(1E0,1E1)>
}

// CHECK-LABEL: func @row_3(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_3(%t: !fly.memref<f16, global, (8,16,64):(1024,64,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [8192], elem = f16, tensor2tdm = (1024E0,64E0,1E0)>, 16>, !fly.coord_tensor<(0), (8,16,64):(1024E0,64E0,1E0)>) {
  %l = fly.static : !fly.layout<(8,16,64):(1024,64,1)>
  %b = fly.static : !fly.tile<[8|16|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (8,16,64):(1024,64,1)>, !fly.layout<(8,16,64):(1024,64,1)>, !fly.tile<[8|16|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [8192], elem = f16, tensor2tdm = (1024E0,64E0,1E0)>, 16>, !fly.coord_tensor<(0), (8,16,64):(1024E0,64E0,1E0)>
}

// CHECK-LABEL: func @row_4(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_4(%t: !fly.memref<f16, global, (8,16,64):(2048,128,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (16E0,1E0,1E1)>, 16>, !fly.coord_tensor<(0,0), (8,16,64):(16E1,1E1,1E0)>) {
  %l = fly.static : !fly.layout<(4,16,64):(1024,64,1)>
  %b = fly.static : !fly.tile<[4|16|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (8,16,64):(2048,128,1)>, !fly.layout<(4,16,64):(1024,64,1)>, !fly.tile<[4|16|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (16E0,1E0,1E1)>, 16>, !fly.coord_tensor<(0,0), (8,16,64):(16E1,1E1,1E0)>
}

// CHECK-LABEL: func @row_5(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_5(%t: !fly.memref<f16, global, (8,16,64):(2048,128,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [2, 8, 64], elem = f16, tensor2tdm = (1E0,1E1,1E2)>, 16>, !fly.coord_tensor<(0,0,0), (8,16,64):(1E2,1E1,1E0)>) {
  %l = fly.static : !fly.layout<(2,8,64):(512,64,1)>
  %b = fly.static : !fly.tile<[2|8|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (8,16,64):(2048,128,1)>, !fly.layout<(2,8,64):(512,64,1)>, !fly.tile<[2|8|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [2, 8, 64], elem = f16, tensor2tdm = (1E0,1E1,1E2)>, 16>, !fly.coord_tensor<(0,0,0), (8,16,64):(1E2,1E1,1E0)>
}

// CHECK-LABEL: func @row_6(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_6(%t: !fly.memref<f16, global, (8,16,64):(4096,128,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [16, 4, 64], elem = f16, tensor2tdm = (1E1,1E0,1E2)>, 16>, !fly.coord_tensor<(0,0,0), (8,16,64):(1E1,1E2,1E0)>) {
  %l = fly.static : !fly.layout<(16,4,64):(64,1024,1)>
  %b = fly.static : !fly.tile<[4|16|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (8,16,64):(4096,128,1)>, !fly.layout<(16,4,64):(64,1024,1)>, !fly.tile<[4|16|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [16, 4, 64], elem = f16, tensor2tdm = (1E1,1E0,1E2)>, 16>, !fly.coord_tensor<(0,0,0), (8,16,64):(1E1,1E2,1E0)>
}

// CHECK-LABEL: func @row_7(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_7(%t: !fly.memref<f16, global, (256,512):(512,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 64, padAmount = 8>, 16>, !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>) {
  %l = fly.static : !fly.layout<(128,64):(72,1)>
  %b = fly.static : !fly.tile<[128|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(72,1)>, !fly.tile<[128|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 64, padAmount = 8>, 16>, !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>
}

// CHECK-LABEL: func @row_8(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_8(%t: !fly.memref<f16, global, (256,512):(512,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 512, padAmount = 64>, 16>, !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>) {
  %l = fly.static : !fly.layout<((8,16),64):((64,576),1)>
  %b = fly.static : !fly.tile<[128|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<((8,16),64):((64,576),1)>, !fly.tile<[128|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 512, padAmount = 64>, 16>, !fly.coord_tensor<(0,0), (256,512):(1E1,1E0)>
}

// CHECK-LABEL: func @row_9(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_9(%t: !fly.memref<f16, global, (256,512):(0,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (0,1E1)>, 16>, !fly.coord_tensor<(0,0), (256,512):(0,1E0)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(0,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [128, 64], elem = f16, tensor2tdm = (0,1E1)>, 16>, !fly.coord_tensor<(0,0), (256,512):(0,1E0)>
}

// CHECK-LABEL: func @row_10(
// CHECK: make_tiled_tdm_load_atom %{{.*}}, %{{.*}}, %{{.*}} :
func.func @row_10(%t: !fly.memref<f16, global, (4,256,512):(131072,512,1)>) -> (!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [1, 128, 64], elem = f16, tensor2tdm = (1E0,1E1,1E2)>, 16>, !fly.coord_tensor<(0,0,0), (4,256,512):(1E2,1E1,1E0)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[1|128|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (4,256,512):(131072,512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[1|128|64]>
  return %a, %c : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [1, 128, 64], elem = f16, tensor2tdm = (1E0,1E1,1E2)>, 16>, !fly.coord_tensor<(0,0,0), (4,256,512):(1E2,1E1,1E0)>
}

// The tile takes half of mode 1, so mode 0 keeps a bound of its own.
// DIFF: tiled-tdm-partial
// CHECK-LABEL: func @partial(
func.func @partial(%t: !fly.memref<f16, global, (8,16,64):(512,64,1)>) -> !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [4, 512], elem = f16, tensor2tdm = (1E0,64E1,1E1)>, 16> {
  %l = fly.static : !fly.layout<(4,8,64):(512,64,1)>
  %b = fly.static : !fly.tile<[4|8|64]>
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (8,16,64):(512,64,1)>, !fly.layout<(4,8,64):(512,64,1)>, !fly.tile<[4|8|64]>
  return %a : !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [4, 512], elem = f16, tensor2tdm = (1E0,64E1,1E1)>, 16>
}
