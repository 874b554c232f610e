// RUN: fly-opt %s -fly-layout-lowering | FileCheck %s

// Formats of fly.print: more and fewer places than operands, what has no text,
// and each type's specifier.

gpu.module @m {
  // CHECK-LABEL: gpu.func @places
  // CHECK-SAME:  (%[[X:.*]]: f32, %[[I:.*]]: i32, %{{.*}}: !fly.ptr<f32, global>)
  gpu.func @places(%x: f32, %i: i32, %p: !fly.ptr<f32, global>) {
    // CHECK: gpu.printf "a=%.2f b=%d c=||\0A", %[[X]], %[[I]] : f32, i32
    fly.print(%x, %i) {format = "a={} b={} c={}|{}|"} : (f32, i32) -> ()
    // CHECK: gpu.printf "only %.2f\0A", %[[X]] : f32
    fly.print(%x, %i) {format = "only {}"} : (f32, i32) -> ()
    // CHECK: gpu.printf "%.2f  %d\0A", %[[X]], %[[I]] : f32, i32
    fly.print(%x, %p, %i) {format = ""} : (f32, !fly.ptr<f32, global>, i32) -> ()
    // CHECK: gpu.printf "nothing\0A"{{$}}
    fly.print() {format = "nothing"} : () -> ()
    // CHECK: gpu.printf "\0A"{{$}}
    fly.print() {format = ""} : () -> ()
    gpu.return
  }

  // CHECK-LABEL: gpu.func @types
  // CHECK-SAME:  (%[[V:.*]]: vector<3xf16>, %[[W:.*]]: vector<2xi64>, %[[H:.*]]: bf16, %[[D:.*]]: f64, %[[B:.*]]: i1, %[[N:.*]]: i64, %[[Q:.*]]: i16)
  gpu.func @types(%v: vector<3xf16>, %w: vector<2xi64>, %h: bf16, %d: f64, %b: i1, %n: i64, %q: i16) {
    // CHECK-DAG: %[[V0:.*]] = vector.extract %[[V]][0]
    // CHECK-DAG: %[[V1:.*]] = vector.extract %[[V]][1]
    // CHECK-DAG: %[[V2:.*]] = vector.extract %[[V]][2]
    // CHECK-DAG: %[[W0:.*]] = vector.extract %[[W]][0]
    // CHECK-DAG: %[[W1:.*]] = vector.extract %[[W]][1]
    // CHECK-DAG: %[[F0:.*]] = arith.extf %[[V0]] : f16 to f32
    // CHECK-DAG: %[[F1:.*]] = arith.extf %[[V1]] : f16 to f32
    // CHECK-DAG: %[[F2:.*]] = arith.extf %[[V2]] : f16 to f32
    // CHECK-DAG: %[[HF:.*]] = arith.extf %[[H]] : bf16 to f32
    // CHECK-DAG: %[[BI:.*]] = arith.extui %[[B]] : i1 to i32
    // CHECK-DAG: %[[QI:.*]] = arith.extsi %[[Q]] : i16 to i32
    // DIFF: print-wide-elements
    // CHECK: gpu.printf "[%.2f, %.2f, %.2f] [%ld, %ld] %.2f %.2lf %d %ld %d\0A", %[[F0]], %[[F1]], %[[F2]], %[[W0]], %[[W1]], %[[HF]], %[[D]], %[[BI]], %[[N]], %[[QI]] : f32, f32, f32, i64, i64, f32, f64, i32, i64, i32
    fly.print(%v, %w, %h, %d, %b, %n, %q) {format = "{} {} {} {} {} {} {}"} : (vector<3xf16>, vector<2xi64>, bf16, f64, i1, i64, i16) -> ()
    gpu.return
  }

  // Static tuples and layouts are text; a percent sign is one.
  // CHECK-LABEL: gpu.func @tuples
  // CHECK-SAME:  (%[[I:.*]]: i32)
  gpu.func @tuples(%i: i32) {
    // CHECK: %[[C3:.*]] = arith.constant 3 : i32
    // CHECK: gpu.printf "(1,7) and (3,5):(1,3)%%d\0A"{{$}}
    %t = fly.static : !fly.int_tuple<(1,7)>
    %l = fly.static : !fly.layout<(3,5):(1,3)>
    fly.print(%t, %l) {format = "{} and {}%d"} : (!fly.int_tuple<(1,7)>, !fly.layout<(3,5):(1,3)>) -> ()
    // CHECK: gpu.printf "(%dE1,%dE0)\0A", %[[I]], %[[C3]] : i32, i32
    %b = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(?E1,3E0)>
    fly.print(%b) {format = "{}"} : (!fly.int_tuple<(?E1,3E0)>) -> ()
    gpu.return
  }
}

// CHECK-LABEL: func.func @host
// CHECK-SAME:  (%[[X:.*]]: f32, %[[N:.*]]: i64)
// CHECK:       vector.print str "n="
// CHECK-NEXT:  vector.print %[[N]] : i64 punctuation <no_punctuation>
// CHECK-NEXT:  vector.print str ", x="
// CHECK-NEXT:  vector.print %[[X]] : f32 punctuation <no_punctuation>
// CHECK-NEXT:  vector.print str "."
// CHECK-NEXT:  vector.print{{$}}
// CHECK-NEXT:  vector.print str "100% "
// CHECK-NEXT:  vector.print{{$}}
// CHECK-NEXT:  vector.print str "last "
// CHECK-NEXT:  vector.print %[[X]] : f32{{$}}
func.func @host(%x: f32, %n: i64) {
  fly.print(%n, %x) {format = "n={}, x={}."} : (i64, f32) -> ()
  fly.print() {format = "100% {}"} : () -> ()
  fly.print(%x) {format = "last {}"} : (f32) -> ()
  return
}
