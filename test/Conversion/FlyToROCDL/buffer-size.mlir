// RUN: fly-opt %s -fly-rocdl-check-target=chip=gfx942 -split-input-file -verify-diagnostics
// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx942 -split-input-file -verify-diagnostics | FileCheck %s
//
// DIFF: buffer-size
// A constant size of a buffer must fit its field, which would lose the upper
// bits: 32 bits, on gfx1250 45.

// CHECK-LABEL: func @largest
// CHECK: %[[N:.*]] = arith.constant 4294967295 : i64
// CHECK: rocdl.make.buffer.rsrc %{{.*}}, %{{.*}}, %[[N]], %{{.*}} : <1> to <8>
func.func @largest(%p: !fly.ptr<f32, global>, %s: i16, %f: i32) -> !llvm.ptr<8> {
  %n = arith.constant 4294967295 : i64
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  %r = fly_rocdl.get_buffer_rsrc(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %r : !llvm.ptr<8>
}

// A size of the run goes in as it is.
// CHECK-LABEL: func @run_time
// CHECK-SAME: %[[N:[a-z0-9]*]]: i64
// CHECK: rocdl.make.buffer.rsrc %{{.*}}, %{{.*}}, %[[N]], %{{.*}} : <1> to <8>
func.func @run_time(%p: !fly.ptr<f32, global>, %s: i16, %n: i64, %f: i32) -> !llvm.ptr<8> {
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  %r = fly_rocdl.get_buffer_rsrc(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %r : !llvm.ptr<8>
}

// -----

func.func @too_large(%p: !fly.ptr<f32, global>, %s: i16, %f: i32) -> !llvm.ptr<8> {
  %n = arith.constant 4294967296 : i64
  // expected-error@+1 {{'fly.make_ptr' op gives a buffer 4294967296 bytes, but the descriptor has 32 bits for them on gfx942}}
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  %r = fly_rocdl.get_buffer_rsrc(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %r : !llvm.ptr<8>
}

// -----

func.func @negative(%p: !fly.ptr<f32, global>, %s: i16, %f: i32) -> !llvm.ptr<8> {
  %n = arith.constant -4 : i64
  // expected-error@+1 {{gives a buffer -4 bytes, but the descriptor has 32 bits for them on gfx942}}
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  %r = fly_rocdl.get_buffer_rsrc(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %r : !llvm.ptr<8>
}

// -----

gpu.module @wide [#rocdl.target<chip = "gfx1250">] {
  func.func @fits(%p: !fly.ptr<f32, global>, %s: i16, %f: i32) -> !llvm.ptr<8> {
    %n = arith.constant 35184372088831 : i64
    %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
    %r = fly_rocdl.get_buffer_rsrc(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
    return %r : !llvm.ptr<8>
  }
  func.func @too_wide(%p: !fly.ptr<f32, global>, %s: i16, %f: i32) -> !llvm.ptr<8> {
    %n = arith.constant 35184372088832 : i64
    // expected-error@+1 {{gives a buffer 35184372088832 bytes, but the descriptor has 45 bits for them on gfx1250}}
    %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
    %r = fly_rocdl.get_buffer_rsrc(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
    return %r : !llvm.ptr<8>
  }
}
