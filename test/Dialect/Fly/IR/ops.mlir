// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Text forms of constructors, arithmetic, atoms and memory operations.

// CHECK-LABEL: func.func @constructors(
func.func @constructors(%m: i32, %n: i64, %p: !fly.ptr<f16, shared, align<8>, S<2,3,3>>) {
  // CHECK: fly.make_int_tuple(%arg0, %arg1) : (i32, i64) -> !fly.int_tuple<(?,3,?{i64 div=2})>
  %t = fly.make_int_tuple(%m, %n) : (i32, i64) -> !fly.int_tuple<(?,3,?{i64 div=2})>
  // CHECK: fly.make_shape(%arg0) : (i32) -> !fly.int_tuple<(6,?)>
  %s = fly.make_shape(%m) : (i32) -> !fly.int_tuple<(6,?)>
  // CHECK: fly.make_stride() : () -> !fly.int_tuple<(1,6)>
  %d = fly.make_stride() : () -> !fly.int_tuple<(1,6)>
  // CHECK: fly.make_coord(%arg0) : (i32) -> !fly.int_tuple<(?,*)>
  %c = fly.make_coord(%m) : (i32) -> !fly.int_tuple<(?,*)>
  // CHECK: fly.make_layout(%1, %2) : (!fly.int_tuple<(6,?)>, !fly.int_tuple<(1,6)>) -> !fly.layout<(6,?):(1,6)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(6,?)>, !fly.int_tuple<(1,6)>) -> !fly.layout<(6,?):(1,6)>
  // CHECK: fly.make_layout_like(%4) : (!fly.layout<(6,?):(1,6)>) -> !fly.layout<(6,?):(1,6)>
  %ll = fly.make_layout_like(%l) : (!fly.layout<(6,?):(1,6)>) -> !fly.layout<(6,?):(1,6)>
  // CHECK: fly.static : !fly.int_tuple<(1,0)>
  %o = fly.static : !fly.int_tuple<(1,0)>
  // CHECK: fly.make_ordered_layout(%1, %6) : (!fly.int_tuple<(6,?)>, !fly.int_tuple<(1,0)>) -> !fly.layout<(6,?):(?,1)>
  %lo = fly.make_ordered_layout(%s, %o) : (!fly.int_tuple<(6,?)>, !fly.int_tuple<(1,0)>) -> !fly.layout<(6,?):(?,1)>
  // CHECK: fly.make_identity_layout(%1) : (!fly.int_tuple<(6,?)>) -> !fly.layout<(6,?):(1E0,1E1)>
  %li = fly.make_identity_layout(%s) : (!fly.int_tuple<(6,?)>) -> !fly.layout<(6,?):(1E0,1E1)>
  // CHECK: fly.static : !fly.swizzle<S<2,3,3>>
  %sw = fly.static : !fly.swizzle<S<2,3,3>>
  // CHECK: fly.static : !fly.int_tuple<0>
  %z = fly.static : !fly.int_tuple<0>
  // CHECK: fly.make_composed_layout(%9, %10, %4) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<0>, !fly.layout<(6,?):(1,6)>) -> !fly.composed_layout<S<2,3,3> o 0 o (6,?):(1,6)>
  %cl = fly.make_composed_layout(%sw, %z, %l) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<0>, !fly.layout<(6,?):(1,6)>) -> !fly.composed_layout<S<2,3,3> o 0 o (6,?):(1,6)>
  // CHECK: fly.make_view(%arg2, %11) : (!fly.ptr<f16, shared, align<8>, S<2,3,3>>, !fly.composed_layout<S<2,3,3> o 0 o (6,?):(1,6)>) -> !fly.memref<f16, shared, S<2,3,3> o 0 o (6,?):(1,6), align<8>, S<2,3,3>>
  %v = fly.make_view(%p, %cl) : (!fly.ptr<f16, shared, align<8>, S<2,3,3>>, !fly.composed_layout<S<2,3,3> o 0 o (6,?):(1,6)>) -> !fly.memref<f16, shared, S<2,3,3> o 0 o (6,?):(1,6), align<8>, S<2,3,3>>
  // CHECK: fly.make_view(%3, %8) : (!fly.int_tuple<(?,*)>, !fly.layout<(6,?):(1E0,1E1)>) -> !fly.coord_tensor<(?,*), (6,?):(1E0,1E1)>
  %ct = fly.make_view(%c, %li) : (!fly.int_tuple<(?,*)>, !fly.layout<(6,?):(1E0,1E1)>) -> !fly.coord_tensor<(?,*), (6,?):(1E0,1E1)>
  // CHECK: fly.static : !fly.layout<(6,5):(10,2)>
  %sl = fly.static : !fly.layout<(6,5):(10,2)>
  // CHECK: fly.make_fragment_like(%14, bf16) : (!fly.layout<(6,5):(10,2)>) -> !fly.memref<bf16, register, (6,5):(1,6)>
  %f = fly.make_fragment_like(%sl, bf16) : (!fly.layout<(6,5):(10,2)>) -> !fly.memref<bf16, register, (6,5):(1,6)>
  // CHECK: fly.make_fragment_layout_like(%14) : (!fly.layout<(6,5):(10,2)>) -> !fly.layout<(6,5):(1,6)>
  %fl = fly.make_fragment_layout_like(%sl) : (!fly.layout<(6,5):(10,2)>) -> !fly.layout<(6,5):(1,6)>
  return
}
// CHECK-LABEL: func.func @arith(
func.func @arith(%a: !fly.int_tuple<(?,6)>, %b: !fly.int_tuple<(4,?{div=3})>) -> i1 {
  // CHECK: fly.int_tuple_add(%arg0, %arg1) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?{div=3})>
  %0 = fly.int_tuple_add(%a, %b) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?{div=3})>
  // CHECK: fly.int_tuple_sub(%arg0, %arg1) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?{div=3})>
  %1 = fly.int_tuple_sub(%a, %b) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?{div=3})>
  // CHECK: fly.int_tuple_mul(%arg0, %arg1) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?{div=4},?{div=18})>
  %2 = fly.int_tuple_mul(%a, %b) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?{div=4},?{div=18})>
  // CHECK: fly.int_tuple_div(%arg0, %arg1) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?)>
  %3 = fly.int_tuple_div(%a, %b) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?)>
  // CHECK: fly.int_tuple_mod(%arg0, %arg1) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?{div=3})>
  %4 = fly.int_tuple_mod(%a, %b) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?{div=3})>
  // CHECK: fly.ceil_div(%arg0, %arg1) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?)>
  %5 = fly.ceil_div(%a, %b) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> !fly.int_tuple<(?,?)>
  // CHECK: fly.int_tuple_product(%arg0) : (!fly.int_tuple<(?,6)>) -> !fly.int_tuple<?{div=6}>
  %6 = fly.int_tuple_product(%a) : (!fly.int_tuple<(?,6)>) -> !fly.int_tuple<?{div=6}>
  // CHECK: fly.elem_less(%arg0, %arg1) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> i1
  %7 = fly.elem_less(%a, %b) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> i1
  // CHECK: fly.equal(%arg0, %arg1) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> i1
  %8 = fly.equal(%a, %b) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(4,?{div=3})>) -> i1
  return %7 : i1
}
!U = !fly.copy_atom<!fly.universal_copy<64>, 16>
!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
// CHECK-LABEL: func.func @atoms(
func.func @atoms(%s: !fly.memref<f16, global, 4:1>, %r: !fly.memref<f16, register, 4:1>, %p: !fly.memref<i1, register, 1:0>, %x: !fly.memref<f32, register, 1:0>, %v: vector<4xf16>, %f: f32, %tm: !fly.tiled_mma<!F, !fly.layout<(2,3,1):(1,2,0)>>, %sm: !fly.memref<f32, shared, (6,4):(4,1)>, %i: !fly.int_tuple<?>) {
  // CHECK: fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
  %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
  // CHECK: fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  %m = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  // CHECK: fly.atom.set_value(%0, "field", %arg5) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, f32) -> !fly.copy_atom<!fly.universal_copy<64>, 16>
  %w = fly.atom.set_value(%u, "field", %f) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, f32) -> !fly.copy_atom<!fly.universal_copy<64>, 16>
  // CHECK: fly.copy_atom_call(%0, %arg0, %arg1, %arg2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<i1, register, 1:0>) -> ()
  fly.copy_atom_call(%u, %s, %r, %p) : (!U, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<i1, register, 1:0>) -> ()
  // CHECK: fly.copy(%0, %arg0, %arg1) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:1>) -> ()
  fly.copy(%u, %s, %r) : (!U, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:1>) -> ()
  // CHECK: fly.copy_atom_call_ssa(%0, %arg0) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>) -> vector<4xf16>
  %q = fly.copy_atom_call_ssa(%u, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!U, !fly.memref<f16, global, 4:1>) -> vector<4xf16>
  // CHECK: fly.copy_atom_call_ssa(%0, %arg4, %arg0) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, vector<4xf16>, !fly.memref<f16, global, 4:1>) -> ()
  fly.copy_atom_call_ssa(%u, %v, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!U, vector<4xf16>, !fly.memref<f16, global, 4:1>) -> ()
  // CHECK: fly.mma_atom_call(%1, %arg3, %arg3, [%arg3, %arg3], %arg3) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  fly.mma_atom_call(%m, %x, %x, [%x, %x], %x) : (!F, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  // CHECK: fly.mma_atom_call_ssa(%1, %arg5, %arg5, %arg5) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, f32, f32, f32) -> f32
  %y = fly.mma_atom_call_ssa(%m, %f, %f, %f) : (!F, f32, f32, f32) -> f32
  // CHECK: fly.mma_atom_call_ssa(%1, %arg5, %arg5, %arg5) dst = %arg3 : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, f32, f32, f32) -> ()
  fly.mma_atom_call_ssa(%m, %f, %f, %f) dst = %x : (!F, !fly.memref<f32, register, 1:0>, f32, f32, f32) -> ()
  // CHECK: fly.gemm(%1, %arg3, %arg3, %arg3, %arg3) {traversalOrder = #fly<gemm_traversal_order kmn>} : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  fly.gemm(%m, %x, %x, %x, %x) {traversalOrder = #fly<gemm_traversal_order kmn>} : (!F, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  // CHECK: fly.tiled_mma.partition(a, %arg6, %arg7, %arg8) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, (1,3,4):(0,8,1)>
  %pt = fly.tiled_mma.partition(a, %tm, %sm, %i) : (!fly.tiled_mma<!F, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, (1,3,4):(0,8,1)>
  // CHECK: fly.static : !fly.int_tuple<(6,9)>
  %ps = fly.static : !fly.int_tuple<(6,9)>
  // CHECK: fly.tiled_mma.partition_shape(%arg6, %6) {operand_id = #fly<mma_operand c>} : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.int_tuple<(6,9)>) -> !fly.int_tuple<(1,3,3)>
  %sh = fly.tiled_mma.partition_shape(%tm, %ps) {operand_id = #fly<mma_operand c>} : (!fly.tiled_mma<!F, !fly.layout<(2,3,1):(1,2,0)>>, !fly.int_tuple<(6,9)>) -> !fly.int_tuple<(1,3,3)>
  // CHECK: fly.mma.make_fragment(a, %arg6, %arg7, stages = 2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
  %fr = fly.mma.make_fragment(a, %tm, %sm, stages = 2) : (!fly.tiled_mma<!F, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
  return
}
// CHECK-LABEL: func.func @mem(
func.func @mem(%b: i64, %g: !fly.ptr<f32, global>, %r: !fly.memref<f32, register, (2,3):(1,2)>, %v: vector<6xf32>, %c: !fly.int_tuple<(?,1)>) {
  // CHECK: fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<f32, register>
  %a = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<f32, register>
  // CHECK: fly.inttoptr(%arg0) : (i64) -> !fly.ptr<bf16, global, align<16>>
  %i = fly.inttoptr(%b) : (i64) -> !fly.ptr<bf16, global, align<16>>
  // CHECK: fly.ptrtoint(%arg1) : (!fly.ptr<f32, global>) -> i64
  %p = fly.ptrtoint(%g) : (!fly.ptr<f32, global>) -> i64
  // CHECK: fly.to_llvm_ptr(%arg1) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<1>
  %l = fly.to_llvm_ptr(%g) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<1>
  // CHECK: fly.recast_iter(%arg1) : (!fly.ptr<f32, global>) -> !fly.ptr<i16, global, align<4>>
  %q = fly.recast_iter(%g) : (!fly.ptr<f32, global>) -> !fly.ptr<i16, global, align<4>>
  // CHECK: fly.ptr.load(%arg1) : (!fly.ptr<f32, global>) -> vector<2xf32>
  %x = fly.ptr.load(%g) : (!fly.ptr<f32, global>) -> vector<2xf32>
  // CHECK: fly.ptr.store(%5, %0) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
  fly.ptr.store(%x, %a) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
  // CHECK: fly.static : !fly.layout<(2,3):(1,2)>
  %lay = fly.static : !fly.layout<(2,3):(1,2)>
  // CHECK: fly.memref.alloca(%6) : (!fly.layout<(2,3):(1,2)>) -> !fly.memref<f32, register, (2,3):(1,2)>
  %al = fly.memref.alloca(%lay) : (!fly.layout<(2,3):(1,2)>) -> !fly.memref<f32, register, (2,3):(1,2)>
  // CHECK: fly.memref.load(%7, %arg4) : (!fly.memref<f32, register, (2,3):(1,2)>, !fly.int_tuple<(?,1)>) -> f32
  %e = fly.memref.load(%al, %c) : (!fly.memref<f32, register, (2,3):(1,2)>, !fly.int_tuple<(?,1)>) -> f32
  // CHECK: fly.memref.store(%8, %arg2, %arg4) : (f32, !fly.memref<f32, register, (2,3):(1,2)>, !fly.int_tuple<(?,1)>) -> ()
  fly.memref.store(%e, %r, %c) : (f32, !fly.memref<f32, register, (2,3):(1,2)>, !fly.int_tuple<(?,1)>) -> ()
  // CHECK: fly.memref.load_vec(%arg2) : (!fly.memref<f32, register, (2,3):(1,2)>) -> vector<6xf32>
  %w = fly.memref.load_vec(%r) : (!fly.memref<f32, register, (2,3):(1,2)>) -> vector<6xf32>
  // CHECK: fly.memref.store_vec(%arg3, %7) : (vector<6xf32>, !fly.memref<f32, register, (2,3):(1,2)>) -> ()
  fly.memref.store_vec(%v, %al) : (vector<6xf32>, !fly.memref<f32, register, (2,3):(1,2)>) -> ()
  // CHECK: fly.print(%8, %arg4) {format = "e={} c={}"} : (f32, !fly.int_tuple<(?,1)>) -> ()
  fly.print(%e, %c) {format = "e={} c={}"} : (f32, !fly.int_tuple<(?,1)>) -> ()
  // CHECK: fly.assume(%8, %8) : (f32, f32) -> f32
  %as = fly.assume(%e, %e) : (f32, f32) -> f32
  // CHECK: fly.extract_aligned_pointer_as_index %arg2 : <f32, register, (2,3):(1,2)> -> index
  %ix = fly.extract_aligned_pointer_as_index %r : <f32, register, (2,3):(1,2)> -> index
  return
}
