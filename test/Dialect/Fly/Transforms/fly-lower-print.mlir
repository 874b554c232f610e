// RUN: fly-opt %s -fly-layout-lowering -split-input-file | FileCheck %s

// fly.print in a kernel is one gpu.printf.

gpu.module @m {
  // DIFF: print-specifiers
  // CHECK-LABEL: gpu.func @kernel
  // CHECK-SAME: (%[[X:.*]]: f32, %[[I:.*]]: i32, %[[J:.*]]: i64, %[[H:.*]]: f16, %[[B:.*]]: i8, %[[N:.*]]: index, %[[D:.*]]: f64)
  gpu.func @kernel(%x: f32, %i: i32, %j: i64, %h: f16, %b: i8, %n: index, %d: f64) {
    %c = fly.make_int_tuple(%i, %j) : (i32, i64) -> !fly.int_tuple<(?,(7,?{i64}),*)>
    // CHECK: gpu.printf "x=%.2f c=(%d,(%d,%ld),*) 100%%\0A", %[[X]], %[[I]], %{{.*}}, %[[J]] : f32, i32, i32, i64
    fly.print(%x, %c) {format = "x={} c={} 100%"} : (f32, !fly.int_tuple<(?,(7,?{i64}),*)>) -> ()
    %s = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
    %l = fly.make_ordered_layout(%s, %s) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.layout<?:1>
    // CHECK: gpu.printf "%d:%d (3,5):(1,3)\0A", %[[I]], %{{.*}} : i32, i32
    %k = fly.static : !fly.layout<(3,5):(1,3)>
    fly.print(%l, %k) {format = ""} : (!fly.layout<?:1>, !fly.layout<(3,5):(1,3)>) -> ()
    // CHECK-DAG: %[[HF:.*]] = arith.extf %[[H]] : f16 to f32
    // CHECK-DAG: %[[BI:.*]] = arith.extsi %[[B]] : i8 to i32
    // CHECK-DAG: %[[NI:.*]] = arith.index_cast %[[N]] : index to i64
    // CHECK: gpu.printf "%.2f %d %ld %.2lf\0A", %[[HF]], %[[BI]], %[[NI]], %[[D]] : f32, i32, i64, f64
    fly.print(%h, %b, %n, %d) {format = ""} : (f16, i8, index, f64) -> ()
    // Surplus holes vanish, surplus operands are not printed.
    // CHECK: gpu.printf "a%d b\0A", %[[I]] : i32
    fly.print(%i) {format = "a{} b{}"} : (i32) -> ()
    // CHECK: gpu.printf "%d\0A", %[[I]] : i32
    fly.print(%i, %j) {format = "{}"} : (i32, i64) -> ()
    gpu.return
  }
}

// -----

// On the host it is a row of vector.print.

// CHECK-LABEL: func.func @host
// CHECK-SAME: (%[[X:.*]]: f32, %[[I:.*]]: i32, %[[V:.*]]: vector<2xi32>)
// CHECK:      %[[C3:.*]] = arith.constant 3 : i32
// CHECK:      vector.print str "x="
// CHECK-NEXT: vector.print %[[X]] : f32 punctuation <no_punctuation>
// CHECK-NEXT: vector.print str " c=("
// CHECK-NEXT: vector.print %[[C3]] : i32 punctuation <no_punctuation>
// CHECK-NEXT: vector.print str ","
// CHECK-NEXT: vector.print %[[I]] : i32 punctuation <no_punctuation>
// CHECK-NEXT: vector.print str ")"
// CHECK-NEXT: vector.print{{$}}
// CHECK:      vector.print %[[I]] : i32{{$}}
// CHECK-DAG:  %[[E0:.*]] = vector.extract %[[V]][0]
// CHECK-DAG:  %[[E1:.*]] = vector.extract %[[V]][1]
// CHECK:      vector.print str "["
// CHECK-NEXT: vector.print %[[E0]] : i32 punctuation <no_punctuation>
// CHECK-NEXT: vector.print str ", "
// CHECK-NEXT: vector.print %[[E1]] : i32 punctuation <no_punctuation>
// CHECK-NEXT: vector.print str "]"
// CHECK-NEXT: vector.print{{$}}
func.func @host(%x: f32, %i: i32, %v: vector<2xi32>) {
  %c = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(3,?)>
  fly.print(%x, %c) {format = "x={} c={}"} : (f32, !fly.int_tuple<(3,?)>) -> ()
  fly.print(%i) {format = ""} : (i32) -> ()
  fly.print(%v) {format = ""} : (vector<2xi32>) -> ()
  return
}
