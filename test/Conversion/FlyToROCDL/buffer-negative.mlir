// RUN: fly-opt %s -fly-rocdl-expand-ops -split-input-file -verify-diagnostics
//
// DIFF: buffer-negative
// The hardware adds offsets without a sign: what lies before the base of a
// buffer cannot be reached.

!buffer = !fly.ptr<f32, #fly_rocdl.buffer_desc>

func.func @plain(%p: !fly.ptr<f32, global>, %s: i16, %n: i64, %f: i32, %l: !fly.layout<(4,8):(-1,4)>) {
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !buffer
  // expected-error@+1 {{'fly.make_view' op has elements before the base of its buffer, which no offset reaches: layout (4,8):(-1,4); make the buffer of the element with the lowest address}}
  %v = fly.make_view(%b, %l) : (!buffer, !fly.layout<(4,8):(-1,4)>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, (4,8):(-1,4)>
  return
}

// -----

!buffer = !fly.ptr<f32, #fly_rocdl.buffer_desc>

// Whatever the run-time numbers are.
func.func @mixed(%p: !fly.ptr<f32, global>, %s: i16, %n: i64, %f: i32, %l: !fly.layout<(4,?):(?,-4)>) {
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !buffer
  // expected-error@+1 {{'fly.make_view' op has elements before the base of its buffer, which no offset reaches: layout (4,?):(?,-4)}}
  %v = fly.make_view(%b, %l) : (!buffer, !fly.layout<(4,?):(?,-4)>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, (4,?):(?,-4)>
  return
}

// -----

!buffer = !fly.ptr<f32, #fly_rocdl.buffer_desc>

// Of an offset that is too small.
func.func @composed(%p: !fly.ptr<f32, global>, %s: i16, %n: i64, %f: i32, %l: !fly.composed_layout<8:1 o 2 o 4:-1>) {
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !buffer
  // expected-error@+1 {{'fly.make_view' op has elements before the base of its buffer, which no offset reaches: layout 8:1 o 2 o 4:-1}}
  %v = fly.make_view(%b, %l) : (!buffer, !fly.composed_layout<8:1 o 2 o 4:-1>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, 8:1 o 2 o 4:-1>
  return
}

// -----

!buffer = !fly.ptr<f32, #fly_rocdl.buffer_desc>

// The offset reaches all; one item is at the base; nothing is read; run-time
// strides are the caller's; and a pointer that has been moved may go back.
func.func @good(%p: !fly.ptr<f32, global>, %s: i16, %n: i64, %f: i32, %c: !fly.composed_layout<8:1 o 3 o 4:-1>, %one: !fly.layout<(1,8):(-4,1)>,
                %none: !fly.layout<(4,0):(-1,1)>, %d: !fly.layout<4:?>, %three: !fly.int_tuple<3>, %l: !fly.layout<4:-1>) {
  %b = fly.make_ptr(%p, %s, %n, %f) : (!fly.ptr<f32, global>, i16, i64, i32) -> !buffer
  %0 = fly.make_view(%b, %c) : (!buffer, !fly.composed_layout<8:1 o 3 o 4:-1>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, 8:1 o 3 o 4:-1>
  %1 = fly.make_view(%b, %one) : (!buffer, !fly.layout<(1,8):(-4,1)>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, (1,8):(-4,1)>
  %2 = fly.make_view(%b, %none) : (!buffer, !fly.layout<(4,0):(-1,1)>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, (4,0):(-1,1)>
  %3 = fly.make_view(%b, %d) : (!buffer, !fly.layout<4:?>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, 4:?>
  %m = fly.add_offset(%b, %three) : (!buffer, !fly.int_tuple<3>) -> !buffer
  %4 = fly.make_view(%m, %l) : (!buffer, !fly.layout<4:-1>) -> !fly.memref<f32, #fly_rocdl.buffer_desc, 4:-1>
  %g = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<4:-1>) -> !fly.memref<f32, global, 4:-1>
  return
}
