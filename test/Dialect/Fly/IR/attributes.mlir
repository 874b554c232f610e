// The stand-alone form of every attribute; what is printed is read back.
//
// RUN: fly-opt %s | FileCheck %s
// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s --emit-bytecode | fly-opt | FileCheck %s

// CHECK: @enums() attributes {a = #fly<address_space generic>, b = #fly<address_space global>, c = #fly<address_space shared>, d = #fly<address_space register>, e = #fly<mma_operand a>, f = #fly<mma_operand b>, g = #fly<mma_operand c>, h = #fly<mma_operand d>, i = #fly<cache_policy cache_global>, j = #fly<cache_policy cache_always>}
func.func private @enums() attributes {
  a = #fly<address_space generic>, b = #fly<address_space global>,
  c = #fly<address_space shared>, d = #fly<address_space register>,
  e = #fly<mma_operand a>, f = #fly<mma_operand b>, g = #fly<mma_operand c>,
  h = #fly<mma_operand d>, i = #fly<cache_policy cache_global>,
  j = #fly<cache_policy cache_always>}
// CHECK: @atomic_ops() attributes {ops = [#fly<atomic_op add>, #fly<atomic_op max>, #fly<atomic_op min>, #fly<atomic_op and>, #fly<atomic_op or>, #fly<atomic_op inc>, #fly<atomic_op dec>]}
func.func private @atomic_ops() attributes {ops = [
  #fly<atomic_op add>, #fly<atomic_op max>, #fly<atomic_op min>,
  #fly<atomic_op and>, #fly<atomic_op or>, #fly<atomic_op inc>,
  #fly<atomic_op dec>]}
// CHECK: @orders() attributes {orders = [#fly<gemm_traversal_order kmn>, #fly<gemm_traversal_order knm>, #fly<gemm_traversal_order mkn>, #fly<gemm_traversal_order mnk>, #fly<gemm_traversal_order nkm>, #fly<gemm_traversal_order nmk>, #fly<gemm_traversal_order kmn_serpentine>, #fly<gemm_traversal_order knm_serpentine>, #fly<gemm_traversal_order mkn_serpentine>, #fly<gemm_traversal_order mnk_serpentine>, #fly<gemm_traversal_order nkm_serpentine>, #fly<gemm_traversal_order nmk_serpentine>]}
func.func private @orders() attributes {orders = [
  #fly<gemm_traversal_order kmn>, #fly<gemm_traversal_order knm>,
  #fly<gemm_traversal_order mkn>, #fly<gemm_traversal_order mnk>,
  #fly<gemm_traversal_order nkm>, #fly<gemm_traversal_order nmk>,
  #fly<gemm_traversal_order kmn_serpentine>,
  #fly<gemm_traversal_order knm_serpentine>,
  #fly<gemm_traversal_order mkn_serpentine>,
  #fly<gemm_traversal_order mnk_serpentine>,
  #fly<gemm_traversal_order nkm_serpentine>,
  #fly<gemm_traversal_order nmk_serpentine>]}

// CHECK: @structures() attributes {a = #fly<int_tuple(4,?)>, b = #fly<layout(4,8):(1,4)>, c = #fly<tile[4|8]>, d = #fly<align align<16>>, e = #fly.explicit_module}
func.func private @structures() attributes {
  a = #fly<int_tuple(4,?)>, b = #fly<layout(4,8):(1,4)>, c = #fly<tile[4|8]>,
  d = #fly<align align<16>>, e = #fly.explicit_module}
// A body that starts like an identifier is kept apart from the mnemonic.
// DIFF: attribute-space
// CHECK: @spaced() attributes {a = #fly<int 4>, b = #fly<int ?{i64 div=8}>, c = #fly<int *>, d = #fly<basis 1E0>, e = #fly<swizzle S<3,3,3>>, f = #fly<coord_swizzle CS<3,0,[1],0,[2, 1]>>, g = #fly<composed_layout S<3,3,3> o 0 o (4,8):(8,1)>, h = #fly<int_tuple 4>, i = #fly<layout 4:1>, j = #fly<tile 8>}
func.func private @spaced() attributes {
  a = #fly<int 4>, b = #fly<int ?{i64 div=8}>, c = #fly<int *>,
  d = #fly<basis 1E0>, e = #fly<swizzle S<3,3,3>>,
  f = #fly<coord_swizzle CS<3,0,[1],0,[2, 1]>>,
  g = #fly<composed_layout S<3,3,3> o 0 o (4,8):(8,1)>,
  h = #fly<int_tuple 4>, i = #fly<layout 4:1>, j = #fly<tile 8>}
// CHECK: @punctuation() attributes {a = #fly<int_tuple?{div=2}>, b = #fly<int_tuple*>, c = #fly<int_tuple-3>, d = #fly<layout?:1>, e = #fly<tile*>}
func.func private @punctuation() attributes {
  a = #fly<int_tuple?{div=2}>, b = #fly<int_tuple*>, c = #fly<int_tuple-3>,
  d = #fly<layout?:1>, e = #fly<tile*>}
// The spelling with a dot and brackets is read, too.
// CHECK: @dotted() attributes {a = #fly<int_tuple(4,?)>, b = #fly<layout(4,8):(1,4)>, c = #fly<tile[4|8]>, d = #fly<swizzle S<3,3,3>>, e = #fly<composed_layout S<3,3,3> o 0 o (4,8):(8,1)>}
func.func private @dotted() attributes {
  a = #fly.int_tuple<(4,?)>, b = #fly.layout<(4,8):(1,4)>,
  c = #fly.tile<[4|8]>, d = #fly.swizzle<S<3,3,3>>,
  e = #fly.composed_layout<S<3,3,3> o 0 o (4,8):(8,1)>}
