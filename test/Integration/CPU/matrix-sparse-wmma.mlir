// Sparse WMMA, by value: A is 1 and B is k modulo 4, so that each sum
// counts the indices of A; C is 100.

// RUN: fly-run %s --chip=gfx1201 --function=middle --input=256xf32=0 --expected=0:256xf32=124
// RUN: not fly-run %s --chip=gfx1201 --function=descending --input=256xf32=0 2>&1 | FileCheck %s

// CHECK: entries 0 and 1 of the index register of a sparse A, 1 and 0, do not ascend

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @middle(%p: !fly.ptr<f32, global>) kernel {
      %a = arith.constant dense<1.0> : vector<8xf16>
      %b = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]> : vector<16xf16>
      %c = arith.constant dense<100.0> : vector<8xf32>
      // 0x9999: 1 and 2.
      %i = arith.constant -26215 : i16
      %d = llvm.call_intrinsic "llvm.amdgcn.swmmac.f32.16x16x32.f16"(%a, %b, %c, %i) : (vector<8xf16>, vector<16xf16>, vector<8xf32>, i16) -> vector<8xf32>
      %t = gpu.thread_id x
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
    gpu.func @descending(%p: !fly.ptr<f32, global>) kernel {
      %a = arith.constant dense<1.0> : vector<8xf16>
      %b = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]> : vector<16xf16>
      %c = arith.constant dense<100.0> : vector<8xf32>
      // 0x1111: 1 and 0.
      %i = arith.constant 4369 : i16
      %d = llvm.call_intrinsic "llvm.amdgcn.swmmac.f32.16x16x32.f16"(%a, %b, %c, %i) : (vector<8xf16>, vector<16xf16>, vector<8xf32>, i16) -> vector<8xf32>
      %t = gpu.thread_id x
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
  func.func @middle(%out: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    %p = fly.get_iter(%out) : (!fly.memref<f32, global, ?:1>) -> !fly.ptr<f32, global>
    gpu.launch_func @k::@middle blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<f32, global>)
    return
  }
  func.func @descending(%out: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    %p = fly.get_iter(%out) : (!fly.memref<f32, global, ?:1>) -> !fly.ptr<f32, global>
    gpu.launch_func @k::@descending blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<f32, global>)
    return
  }
}
