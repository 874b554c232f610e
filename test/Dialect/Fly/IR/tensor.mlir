// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Tensors and pointers: extraction, moving, element access.

// CHECK-LABEL: func.func @get_layout(
func.func @get_layout(%a0: !fly.coord_tensor<(0,?), (3,5):(1E0,1E1)>) {
  // CHECK: fly.get_layout(%arg0) : (!fly.coord_tensor<(0,?), (3,5):(1E0,1E1)>) -> !fly.layout<(3,5):(1E0,1E1)>
  %0 = fly.get_layout(%a0) : (!fly.coord_tensor<(0,?), (3,5):(1E0,1E1)>) -> !fly.layout<(3,5):(1E0,1E1)>
  return
}

// CHECK-LABEL: func.func @get_iter(
func.func @get_iter(%a0: !fly.coord_tensor<(0,?), (3,5):(1E0,1E1)>,
    %a1: !fly.memref<f32, shared, (3,5):(5,1), align<16>, S<1,2,3>>) {
  // CHECK: fly.get_iter(%arg0) : (!fly.coord_tensor<(0,?), (3,5):(1E0,1E1)>) -> !fly.int_tuple<(0,?)>
  %0 = fly.get_iter(%a0) : (!fly.coord_tensor<(0,?), (3,5):(1E0,1E1)>) -> !fly.int_tuple<(0,?)>
  // CHECK: fly.get_iter(%arg1) : (!fly.memref<f32, shared, (3,5):(5,1), align<16>, S<1,2,3>>) -> !fly.ptr<f32, shared, align<16>, S<1,2,3>>
  %1 = fly.get_iter(%a1) : (!fly.memref<f32, shared, (3,5):(5,1), align<16>, S<1,2,3>>) -> !fly.ptr<f32, shared, align<16>, S<1,2,3>>
  return
}

// CHECK-LABEL: func.func @get_dyn_shared(
func.func @get_dyn_shared() {
  // CHECK: fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
  %0 = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
  return
}

// CHECK-LABEL: func.func @ptrtoint(
func.func @ptrtoint(%a0: !fly.ptr<i8, shared, align<16>>) {
  // CHECK: fly.ptrtoint(%arg0) : (!fly.ptr<i8, shared, align<16>>) -> i32
  %0 = fly.ptrtoint(%a0) : (!fly.ptr<i8, shared, align<16>>) -> i32
  return
}

// CHECK-LABEL: func.func @to_llvm_ptr(
func.func @to_llvm_ptr(%a0: !fly.ptr<f32, register>) {
  // CHECK: fly.to_llvm_ptr(%arg0) {llvm_address_space = 0 : i32} : (!fly.ptr<f32, register>) -> !llvm.ptr
  %0 = fly.to_llvm_ptr(%a0) {llvm_address_space = 0 : i32} : (!fly.ptr<f32, register>) -> !llvm.ptr
  return
}

// CHECK-LABEL: func.func @add_offset(
func.func @add_offset(%a0: !fly.ptr<f16, shared, align<32>, S<2,3,3>>,
    %a1: !fly.int_tuple<12>,
    %a2: !fly.ptr<f16, shared, align<32>>,
    %a3: !fly.int_tuple<-6>,
    %a4: !fly.int_tuple<0>,
    %a5: !fly.int_tuple<?{i64 div=8}>,
    %a6: !fly.ptr<i4, shared, align<8>>,
    %a7: !fly.int_tuple<6>,
    %a8: !fly.int_tuple<(3,?)>,
    %a9: !fly.int_tuple<2E1>) {
  // CHECK: fly.add_offset(%arg0, %arg1) : (!fly.ptr<f16, shared, align<32>, S<2,3,3>>, !fly.int_tuple<12>) -> !fly.ptr<f16, shared, align<8>, S<2,3,3>>
  %0 = fly.add_offset(%a0, %a1) : (!fly.ptr<f16, shared, align<32>, S<2,3,3>>, !fly.int_tuple<12>) -> !fly.ptr<f16, shared, align<8>, S<2,3,3>>
  // CHECK: fly.add_offset(%arg2, %arg3) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<-6>) -> !fly.ptr<f16, shared, align<4>>
  %1 = fly.add_offset(%a2, %a3) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<-6>) -> !fly.ptr<f16, shared, align<4>>
  // CHECK: fly.add_offset(%arg2, %arg4) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<0>) -> !fly.ptr<f16, shared, align<32>>
  %2 = fly.add_offset(%a2, %a4) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<0>) -> !fly.ptr<f16, shared, align<32>>
  // CHECK: fly.add_offset(%arg2, %arg5) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<?{i64 div=8}>) -> !fly.ptr<f16, shared, align<16>>
  %3 = fly.add_offset(%a2, %a5) : (!fly.ptr<f16, shared, align<32>>, !fly.int_tuple<?{i64 div=8}>) -> !fly.ptr<f16, shared, align<16>>
  // CHECK: fly.add_offset(%arg6, %arg7) : (!fly.ptr<i4, shared, align<8>>, !fly.int_tuple<6>) -> !fly.ptr<i4, shared>
  %4 = fly.add_offset(%a6, %a7) : (!fly.ptr<i4, shared, align<8>>, !fly.int_tuple<6>) -> !fly.ptr<i4, shared>
  // CHECK: fly.add_offset(%arg8, %arg9) : (!fly.int_tuple<(3,?)>, !fly.int_tuple<2E1>) -> !fly.int_tuple<(3,?)>
  %5 = fly.add_offset(%a8, %a9) : (!fly.int_tuple<(3,?)>, !fly.int_tuple<2E1>) -> !fly.int_tuple<(3,?)>
  return
}

// CHECK-LABEL: func.func @apply_swizzle(
func.func @apply_swizzle(%a0: !fly.ptr<bf16, shared, align<64>>,
    %a1: !fly.swizzle<S<2,3,3>>,
    %a2: !fly.ptr<bf16, shared, align<64>, S<1,1,4>>,
    %a3: !fly.swizzle<S<2,5,3>>) {
  // CHECK: fly.apply_swizzle(%arg0, %arg1) : (!fly.ptr<bf16, shared, align<64>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<bf16, shared, align<16>, S<2,3,3>>
  %0 = fly.apply_swizzle(%a0, %a1) : (!fly.ptr<bf16, shared, align<64>>, !fly.swizzle<S<2,3,3>>) -> !fly.ptr<bf16, shared, align<16>, S<2,3,3>>
  // CHECK: fly.apply_swizzle(%arg2, %arg3) : (!fly.ptr<bf16, shared, align<64>, S<1,1,4>>, !fly.swizzle<S<2,5,3>>) -> !fly.ptr<bf16, shared, align<64>, S<2,5,3>>
  %1 = fly.apply_swizzle(%a2, %a3) : (!fly.ptr<bf16, shared, align<64>, S<1,1,4>>, !fly.swizzle<S<2,5,3>>) -> !fly.ptr<bf16, shared, align<64>, S<2,5,3>>
  return
}

// CHECK-LABEL: func.func @decomposition(
func.func @decomposition(%a0: !fly.memref<f32, global, 64:3 o 4 o (6,5):(5,1), align<32>>,
    %a1: !fly.memref<f32, shared, S<2,2,2> o ?{div=8} o (6,8):(8,1), align<32>>,
    %a2: !fly.coord_tensor<(2,?), CS<2,0,[0],1,[1]> o (1,4) o (6,8):(1E0,1E1)>) {
  // CHECK: fly.decomposition(%arg0) : (!fly.memref<f32, global, 64:3 o 4 o (6,5):(5,1), align<32>>) -> !fly.memref<f32, global, (6,5):(5,1), align<16>>
  %0 = fly.decomposition(%a0) : (!fly.memref<f32, global, 64:3 o 4 o (6,5):(5,1), align<32>>) -> !fly.memref<f32, global, (6,5):(5,1), align<16>>
  // CHECK: fly.decomposition(%arg1) : (!fly.memref<f32, shared, S<2,2,2> o ?{div=8} o (6,8):(8,1), align<32>>) -> !fly.memref<f32, shared, (6,8):(8,1), align<16>>
  %1 = fly.decomposition(%a1) : (!fly.memref<f32, shared, S<2,2,2> o ?{div=8} o (6,8):(8,1), align<32>>) -> !fly.memref<f32, shared, (6,8):(8,1), align<16>>
  // CHECK: fly.decomposition(%arg2) : (!fly.coord_tensor<(2,?), CS<2,0,[0],1,[1]> o (1,4) o (6,8):(1E0,1E1)>) -> !fly.coord_tensor<(3,?), (6,8):(1E0,1E1)>
  %2 = fly.decomposition(%a2) : (!fly.coord_tensor<(2,?), CS<2,0,[0],1,[1]> o (1,4) o (6,8):(1E0,1E1)>) -> !fly.coord_tensor<(3,?), (6,8):(1E0,1E1)>
  return
}

// CHECK-LABEL: func.func @memref_load(
func.func @memref_load(%a0: !fly.memref<f16, global, S<2,2,2> o 0 o (6,8):(8,1)>,
    %a1: !fly.int_tuple<(1,?)>,
    %a2: !fly.coord_tensor<(2,?), (6,8):(1E0,2E1)>,
    %a3: !fly.int_tuple<(1,3)>) {
  // CHECK: fly.memref.load(%arg0, %arg1) : (!fly.memref<f16, global, S<2,2,2> o 0 o (6,8):(8,1)>, !fly.int_tuple<(1,?)>) -> f16
  %0 = fly.memref.load(%a0, %a1) : (!fly.memref<f16, global, S<2,2,2> o 0 o (6,8):(8,1)>, !fly.int_tuple<(1,?)>) -> f16
  // CHECK: fly.memref.load(%arg2, %arg3) : (!fly.coord_tensor<(2,?), (6,8):(1E0,2E1)>, !fly.int_tuple<(1,3)>) -> !fly.int_tuple<(3,?)>
  %1 = fly.memref.load(%a2, %a3) : (!fly.coord_tensor<(2,?), (6,8):(1E0,2E1)>, !fly.int_tuple<(1,3)>) -> !fly.int_tuple<(3,?)>
  return
}

// CHECK-LABEL: func.func @memref_load_vec(
func.func @memref_load_vec(%a0: !fly.memref<f16, register, (2,(3,1)):(3,(1,0))>,
    %a1: !fly.coord_tensor<?{i64}, (2,3):(1,10)>) {
  // CHECK: fly.memref.load_vec(%arg0) : (!fly.memref<f16, register, (2,(3,1)):(3,(1,0))>) -> vector<6xf16>
  %0 = fly.memref.load_vec(%a0) : (!fly.memref<f16, register, (2,(3,1)):(3,(1,0))>) -> vector<6xf16>
  // CHECK: fly.memref.load_vec(%arg1) : (!fly.coord_tensor<?{i64}, (2,3):(1,10)>) -> vector<6xi64>
  %1 = fly.memref.load_vec(%a1) : (!fly.coord_tensor<?{i64}, (2,3):(1,10)>) -> vector<6xi64>
  return
}
