// Every type parses, prints and is read back: as text, in generic form, with
// locations and as bytecode.
//
// RUN: fly-opt %s | FileCheck %s
// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -mlir-print-debuginfo | fly-opt | FileCheck %s
// RUN: fly-opt %s --emit-bytecode | fly-opt | FileCheck %s

//===----------------------------------------------------------------------===//
// Values of the algebra
//===----------------------------------------------------------------------===//

// CHECK: @types_a(!fly.int_tuple<(3,(?,?{i64 div=8}),*)>, !fly.layout<(6,(2,?)):(1,(?{div=2}E1,12))>, !fly.basis<5E1E0>)
func.func private @types_a(!fly.int_tuple<(3,(?,?{i64 div=8}),*)>, !fly.layout<(6,(2,?)):(1,(?{div=2}E1,12))>, !fly.basis<5E1E0>)
// CHECK: @types_b(!fly.swizzle<S<2,4,3>>, !fly.coord_swizzle<CS<2,1,[0],3,[1, 0]>>, !fly.tile<[6|*|(2,3):(1,4)|[2|5:2]]>, !fly.tile<6>)
func.func private @types_b(!fly.swizzle<S<2,4,3>>, !fly.coord_swizzle<CS<2,1,[0],3,[1, 0]>>, !fly.tile<[6|*|(2,3):(1,4)|[2|5:2]]>, !fly.tile<6>)
// CHECK: @types_c(!fly.composed_layout<S<2,4,3> o 16 o (6,16):(16,1)>, !fly.composed_layout<64:3 o (1,2) o [10:1 o ? o (5,2):(2,1)]>)
func.func private @types_c(!fly.composed_layout<S<2,4,3> o 16 o (6,16):(16,1)>, !fly.composed_layout<64:3 o (1,2) o [10:1 o ? o (5,2):(2,1)]>)

// A leaf, its synonyms on input, and 64-bit values.
// CHECK: @leaves(!fly.int_tuple<4>, !fly.int_tuple<-4>, !fly.int_tuple<*>, !fly.int_tuple<?>, !fly.int_tuple<?>, !fly.int_tuple<?{div=8}>, !fly.int_tuple<?{i64}>, !fly.int_tuple<?{div=-3}>, !fly.int_tuple<?{div=0}>, !fly.int_tuple<0>)
func.func private @leaves(!fly.int_tuple<4>, !fly.int_tuple< - 4 >, !fly.int_tuple<*>, !fly.int_tuple<?{}>, !fly.int_tuple<?{i32}>, !fly.int_tuple<?{i32 div=8}>, !fly.int_tuple<?{i64 div=1}>, !fly.int_tuple<?{div=-3}>, !fly.int_tuple<?{div = 0}>, !fly.int_tuple<0>)
// CHECK: @wide(!fly.int_tuple<(2147483648,-2147483649,9223372036854775807,-9223372036854775808)>, !fly.int_tuple<?{i64 div=4294967296}>)
func.func private @wide(!fly.int_tuple<(2147483648,-2147483649,9223372036854775807,-9223372036854775808)>, !fly.int_tuple<?{i64 div=4294967296}>)
// CHECK: @basis(!fly.int_tuple<(1E0,-3E1E0,?{div=4}E2,0E0)>, !fly.basis<?{i64}E0E12>, !fly.basis<0E3>)
func.func private @basis(!fly.int_tuple<(1E0,-3E1E0,?{div=4}E2,*E0)>, !fly.basis<?{i64}E0E12>, !fly.basis<*E3>)
// A tuple of one mode is not a leaf.
// CHECK: @rank_one(!fly.int_tuple<(4)>, !fly.layout<(4):(1)>, !fly.tile<[8]>)
func.func private @rank_one(!fly.int_tuple<(4)>, !fly.layout<( 4 ) : ( 1 )>, !fly.tile<[ 8 ]>)
// CHECK: @swizzles(!fly.swizzle<S<0,0,0>>, !fly.swizzle<S<0,3,3>>, !fly.coord_swizzle<CS<0,0,[],0,[]>>, !fly.swizzle<S<31,1,31>>)
func.func private @swizzles(!fly.swizzle<S<0,0,0>>, !fly.swizzle<S<0,3,3>>, !fly.coord_swizzle<CS<0,0,[],0,[]>>, !fly.swizzle<S < 31 , 1 , 31 >>)
// Repetition of 'o' associates to the left and prints without brackets.
// CHECK: @compositions(!fly.composed_layout<32:2 o 0 o [32:1 o 4 o (6,4):(1,6)]>, !fly.composed_layout<S<1,2,3> o 1 o 8:1 o 2 o 8:2>, !fly.composed_layout<CS<1,0,[0],0,[1]> o (0,0) o (4,4):(1E0,1E1)>)
func.func private @compositions(!fly.composed_layout<32:2 o 0 o [32:1 o 4 o (6,4):(1,6)]>, !fly.composed_layout<S<1,2,3> o 1 o 8:1 o 2 o 8:2>, !fly.composed_layout<CS<1,0,[0],0,[1]>o(0,0)o(4,4):(1E0,1E1)>)
// CHECK{LITERAL}: @tiles(!fly.tile<*>, !fly.tile<8:2>, !fly.tile<[*|*|*]>, !fly.tile<[[4|*]|(2,2):(1,4)]>, !fly.tile<[?{div=2}|4]>)
func.func private @tiles(!fly.tile<*>, !fly.tile<8:2>, !fly.tile<[*|*|*]>, !fly.tile<[[4|*]|(2,2):(1,4)]>, !fly.tile<[?{div=2}|4]>)

//===----------------------------------------------------------------------===//
// Pointers and tensors
//===----------------------------------------------------------------------===//

// CHECK: @types_d(!fly.ptr<f32, global>, !fly.ptr<i4, shared, align<8>>, !fly.ptr<bf16, register, S<1,2,3>>, !fly.ptr<f64, generic, align<24>, S<1,3,2>>)
func.func private @types_d(!fly.ptr<f32, global>, !fly.ptr<i4, shared, align<8>>, !fly.ptr<bf16, register, S<1,2,3>>, !fly.ptr<f64, generic, align<24>, S<1,3,2>>)
// CHECK: @types_e(!fly.memref<i8, shared, (6,16):(16,1), align<16>>, !fly.coord_tensor<(0,?), (6,5):(1E0,1E1)>)
func.func private @types_e(!fly.memref<i8, shared, (6,16):(16,1), align<16>>, !fly.coord_tensor<(0,?), (6,5):(1E0,1E1)>)
// CHECK: @memrefs(!fly.memref<bf16, shared, S<3,3,3> o ? o (4,8):(8,1), align<16>, S<1,2,3>>, !fly.memref<f32, register, 4:1>, !fly.coord_tensor<0, S<1,0,1> o 2 o 4:1>)
func.func private @memrefs(!fly.memref<bf16, shared, S<3,3,3> o ? o (4,8):(8,1), align<16>, S<1,2,3>>, !fly.memref<f32, register, 4:1>, !fly.coord_tensor<0, S<1,0,1> o 2 o 4:1>)
// What is trivial is elided: the alignment of the element's size, the swizzle
// S<0,0,0>. The space may be given as an attribute.
// CHECK: @elided(!fly.ptr<f16, shared>, !fly.ptr<i1, global>, !fly.ptr<i12, global>, !fly.ptr<f32, global, S<0,1,1>>, !fly.memref<f32, register, 4:1>)
func.func private @elided(!fly.ptr<f16, #fly<address_space shared>, align<2>, S<0,0,0>>, !fly.ptr<i1, global, align<1>>, !fly.ptr<i12, global, align<2>>, !fly.ptr<f32, global, S<0,1,1>>, !fly.memref<f32, register, 4:1, align<4>>)
// CHECK: @foreign_space(!fly.ptr<f32, #gpu.address_space<workgroup>>, !fly.memref<f32, #gpu.address_space<private>, 4:1>)
func.func private @foreign_space(!fly.ptr<f32, #gpu.address_space<workgroup>>, !fly.memref<f32, #gpu.address_space<private>, 4:1>)

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

// CHECK: @types_f(!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.copy_atom<!fly.universal_atomic<max, i32, "agent">, 32>, !fly.mma_atom<!fly.universal_fma<1x1x1, (f64, f64) -> f64>>)
func.func private @types_f(!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.copy_atom<!fly.universal_atomic<max, i32, "agent">, 32>, !fly.mma_atom<!fly.universal_fma<1x1x1, (f64, f64) -> f64>>)
// CHECK: @types_g(!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f64, f64) -> f64>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[4|6|*]>>)
func.func private @types_g(!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f64, f64) -> f64>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[4|6|*]>>)
// Short forms are read and printed in full; the default permutation is elided.
// CHECK: @short(!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<*>>)
func.func private @short(!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>, <[*|*|*]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>, <*>>)
// CHECK: @atomics(!fly.universal_atomic<add, f32>, !fly.universal_atomic<and, i64>, !fly.universal_atomic<dec, i32, "a\22b">, !fly.universal_atomic<min, bf16>)
func.func private @atomics(!fly.universal_atomic<add, f32, "">, !fly.universal_atomic<and, i64>, !fly.universal_atomic<dec, i32, "a\22b">, !fly.universal_atomic<min, bf16>)
