// What a line leaves out is warned of; the rest is printed.
// RUN: fly-opt %s -fly-lower-print -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @surplus_placeholders
// CHECK: vector.print str "a="
// CHECK: vector.print %arg0 : f32 punctuation <no_punctuation>
// CHECK: vector.print str " b="
// CHECK: vector.print{{$}}
func.func @surplus_placeholders(%x: f32) {
  // DIFF: print-omissions
  // expected-warning @+1 {{'fly.print' has 2 placeholders for 1 operands; the surplus ones print nothing}}
  fly.print(%x) {format = "a={} b={}"} : (f32) -> ()
  return
}

// CHECK-LABEL: func.func @surplus_operands
// CHECK: vector.print str "a="
// CHECK: vector.print %arg0 : f32
// CHECK-NOT: %arg1
// CHECK: return
func.func @surplus_operands(%x: f32, %y: f32) {
  // expected-warning @+1 {{'fly.print' has 1 placeholders for 2 operands; the last 1 are not printed}}
  fly.print(%x, %y) {format = "a={}"} : (f32, f32) -> ()
  return
}

// CHECK-LABEL: func.func @no_text
// CHECK: vector.print str "p="
// CHECK: vector.print{{$}}
func.func @no_text(%p: !fly.ptr<f32, global>) {
  // expected-warning @+1 {{'fly.print' prints nothing for operand #0 of type '!fly.ptr<f32, global>'; expected a number, a vector of one dimension, an int tuple or a layout}}
  fly.print(%p) {format = "p={}"} : (!fly.ptr<f32, global>) -> ()
  return
}

// CHECK-LABEL: func.func @all
// CHECK: vector.print %arg0 : f32 punctuation <no_punctuation>
// CHECK: vector.print str " "
// CHECK: vector.print %arg1 : i32
func.func @all(%x: f32, %y: i32) {
  fly.print(%x, %y) {format = ""} : (f32, i32) -> ()
  return
}
