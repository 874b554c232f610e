// Sparse MFMA, by value: A is 1 and B is k modulo 4, so that each sum
// counts the indices of A; C is 100.

// RUN: fly-run %s --chip=gfx942 --function=first --input=256xf32=0 --expected=0:256xf32=108
// RUN: fly-run %s --chip=gfx942 --function=third --input=256xf32=0 --expected=0:256xf32=140
// RUN: fly-run %s --chip=gfx950 --function=third --input=256xf32=0 --expected=0:256xf32=140
// RUN: not fly-run %s --chip=gfx90a --function=first --input=256xf32=0 2>&1 | FileCheck %s

// CHECK: error: 'rocdl.smfmac.f32.16x16x32.f16' op is no instruction of gfx90a; for its operand types the chip has rocdl.mfma.f32.32x32x8f16

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @first(%p: !fly.ptr<f32, global>) kernel {
      %a = arith.constant dense<1.0> : vector<4xf16>
      %b = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]> : vector<8xf16>
      %c = arith.constant dense<100.0> : vector<4xf32>
      // Indices 0 and 1 in the first byte, 2 and 3 in the third.
      %i = arith.constant 0x00EE0044 : i32
      %zero = llvm.mlir.constant(0 : i32) : i32
      %set = llvm.mlir.constant(0 : i32) : i32
      %d = rocdl.smfmac.f32.16x16x32.f16 %a, %b, %c, %i, %zero, %set : (vector<4xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %t = gpu.thread_id x
      %l = arith.index_cast %t : index to i32
      %w = arith.constant 4 : i32
      %x = arith.muli %l, %w : i32
      %o = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
      %y = fly.static : !fly.layout<4:1>
      %v = fly.make_view(%q, %y) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
      fly.memref.store_vec(%d, %v) : (vector<4xf32>, !fly.memref<f32, global, 4:1>) -> ()
      gpu.return
    }
    gpu.func @third(%p: !fly.ptr<f32, global>) kernel {
      %a = arith.constant dense<1.0> : vector<4xf16>
      %b = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]> : vector<8xf16>
      %c = arith.constant dense<100.0> : vector<4xf32>
      // Indices 0 and 1 in the first byte, 2 and 3 in the third.
      %i = arith.constant 0x00EE0044 : i32
      %zero = llvm.mlir.constant(0 : i32) : i32
      %set = llvm.mlir.constant(2 : i32) : i32
      %d = rocdl.smfmac.f32.16x16x32.f16 %a, %b, %c, %i, %zero, %set : (vector<4xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      %t = gpu.thread_id x
      %l = arith.index_cast %t : index to i32
      %w = arith.constant 4 : i32
      %x = arith.muli %l, %w : i32
      %o = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
      %y = fly.static : !fly.layout<4:1>
      %v = fly.make_view(%q, %y) : (!fly.ptr<f32, global>, !fly.layout<4:1>) -> !fly.memref<f32, global, 4:1>
      fly.memref.store_vec(%d, %v) : (vector<4xf32>, !fly.memref<f32, global, 4:1>) -> ()
      gpu.return
    }
  }
  func.func @first(%out: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%out) : (!fly.memref<f32, global, ?:1>) -> !fly.ptr<f32, global>
    gpu.launch_func @k::@first blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<f32, global>)
    return
  }
  func.func @third(%out: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%out) : (!fly.memref<f32, global, ?:1>) -> !fly.ptr<f32, global>
    gpu.launch_func @k::@third blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<f32, global>)
    return
  }
}
