// Sparse WMMA of gfx1250, by value: A is 1, and the index registers of the lower
// lanes say 0 and 1, those of the upper ones 2 and 3. The lower lanes' are for
// k below 32, where B is k modulo 4, the upper lanes' for the others, where it
// is ten times that: 100 + 8 * (0 + 1) + 8 * (20 + 30). Were they for the k of
// the lanes themselves, the sum would be 364.
// The same with 8-bit elements: 100 + 16 * (0 + 1) + 16 * (16 + 24), and a sum of
// integers that saturates.

// RUN: fly-run %s --chip=gfx1250 --function=halves --input=256xf32=0 --expected=0:256xf32=508
// RUN: fly-run %s --chip=gfx1250 --function=fp8 --input=256xf32=0 --expected=0:256xf32=756
// RUN: fly-run %s --chip=gfx1250 --function=iu8 --input=256xf32=0 --expected=0:256xf32=2147483648

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @halves(%p: !fly.ptr<f32, global>) kernel {
      %a = arith.constant dense<1.0> : vector<16xf16>
      %b = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 10.0, 20.0, 30.0, 0.0, 10.0, 20.0, 30.0, 0.0, 10.0, 20.0, 30.0, 0.0, 10.0, 20.0, 30.0]> : vector<32xf16>
      %c = arith.constant dense<100.0> : vector<8xf32>
      %t = gpu.thread_id x
      %half = arith.constant 16 : index
      %is_lower = arith.cmpi ult, %t, %half : index
      // 0x44444444: 0 and 1, 0xeeeeeeee: 2 and 3.
      %i0 = arith.constant 1145324612 : i32
      %i1 = arith.constant -286331154 : i32
      %i = arith.select %is_lower, %i0, %i1 : i32
      %f = llvm.mlir.constant(false) : i1
      %d = llvm.call_intrinsic "llvm.amdgcn.swmmac.f32.16x16x64.f16"(%f, %a, %f, %b, %c, %i, %f, %f) : (i1, vector<16xf16>, i1, vector<32xf16>, vector<8xf32>, i32, i1, i1) -> vector<8xf32>
      %l = arith.index_cast %t : index to i32
      %w = arith.constant 8 : i32
      %x = arith.muli %l, %w : i32
      %o = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
      %y = fly.static : !fly.layout<8:1>
      %v = fly.make_view(%q, %y) : (!fly.ptr<f32, global>, !fly.layout<8:1>) -> !fly.memref<f32, global, 8:1>
      fly.memref.store_vec(%d, %v) : (vector<8xf32>, !fly.memref<f32, global, 8:1>) -> ()
      gpu.return
    }
    gpu.func @fp8(%p: !fly.ptr<f32, global>) kernel {
      %a = arith.constant dense<943208504> : vector<8xi32>
      %b = arith.constant dense<[1145059328, 1145059328, 1145059328, 1145059328, 1145059328, 1145059328, 1145059328, 1145059328, 1549291520, 1549291520, 1549291520, 1549291520, 1549291520, 1549291520, 1549291520, 1549291520]> : vector<16xi32>
      %c = arith.constant dense<100.0> : vector<8xf32>
      %t = gpu.thread_id x
      %half = arith.constant 16 : index
      %is_lower = arith.cmpi ult, %t, %half : index
      %i0 = arith.constant 4919131752989213764 : i64
      %i1 = arith.constant -1229782938247303442 : i64
      %i = arith.select %is_lower, %i0, %i1 : i64
      %f = llvm.mlir.constant(false) : i1
      %d = llvm.call_intrinsic "llvm.amdgcn.swmmac.f32.16x16x128.fp8.fp8"(%a, %b, %c, %i, %f, %f) : (vector<8xi32>, vector<16xi32>, vector<8xf32>, i64, i1, i1) -> vector<8xf32>
      %l = arith.index_cast %t : index to i32
      %w = arith.constant 8 : i32
      %x = arith.muli %l, %w : i32
      %o = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
      %y = fly.static : !fly.layout<8:1>
      %v = fly.make_view(%q, %y) : (!fly.ptr<f32, global>, !fly.layout<8:1>) -> !fly.memref<f32, global, 8:1>
      fly.memref.store_vec(%d, %v) : (vector<8xf32>, !fly.memref<f32, global, 8:1>) -> ()
      gpu.return
    }
    gpu.func @iu8(%p: !fly.ptr<f32, global>) kernel {
      %a = arith.constant dense<16843009> : vector<8xi32>
      %b = arith.constant dense<[50462976, 50462976, 50462976, 50462976, 50462976, 50462976, 50462976, 50462976, 504629760, 504629760, 504629760, 504629760, 504629760, 504629760, 504629760, 504629760]> : vector<16xi32>
      %c = arith.constant dense<2147483600> : vector<8xi32>
      %t = gpu.thread_id x
      %half = arith.constant 16 : index
      %is_lower = arith.cmpi ult, %t, %half : index
      %i0 = arith.constant 4919131752989213764 : i64
      %i1 = arith.constant -1229782938247303442 : i64
      %i = arith.select %is_lower, %i0, %i1 : i64
      %f = llvm.mlir.constant(false) : i1
      %y0 = llvm.mlir.constant(true) : i1
      %e = llvm.call_intrinsic "llvm.amdgcn.swmmac.i32.16x16x128.iu8"(%f, %a, %f, %b, %c, %i, %f, %f, %y0) : (i1, vector<8xi32>, i1, vector<16xi32>, vector<8xi32>, i64, i1, i1, i1) -> vector<8xi32>
      %d = arith.sitofp %e : vector<8xi32> to vector<8xf32>
      %l = arith.index_cast %t : index to i32
      %w = arith.constant 8 : i32
      %x = arith.muli %l, %w : i32
      %o = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
      %y = fly.static : !fly.layout<8:1>
      %v = fly.make_view(%q, %y) : (!fly.ptr<f32, global>, !fly.layout<8:1>) -> !fly.memref<f32, global, 8:1>
      fly.memref.store_vec(%d, %v) : (vector<8xf32>, !fly.memref<f32, global, 8:1>) -> ()
      gpu.return
    }
  }
  func.func @halves(%out: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    %p = fly.get_iter(%out) : (!fly.memref<f32, global, ?:1>) -> !fly.ptr<f32, global>
    gpu.launch_func @k::@halves blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<f32, global>)
    return
  }
  func.func @fp8(%out: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    %p = fly.get_iter(%out) : (!fly.memref<f32, global, ?:1>) -> !fly.ptr<f32, global>
    gpu.launch_func @k::@fp8 blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<f32, global>)
    return
  }
  func.func @iu8(%out: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    %p = fly.get_iter(%out) : (!fly.memref<f32, global, ?:1>) -> !fly.ptr<f32, global>
    gpu.launch_func @k::@iu8 blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<f32, global>)
    return
  }
}
