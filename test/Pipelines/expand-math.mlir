// RUN: fly-opt %s -fly-expand-math | FileCheck %s

// CHECK-LABEL: func.func @root(
// CHECK: %[[R:.*]] = math.sqrt %{{.*}} : f32
// CHECK: arith.divf %{{.*}}, %[[R]] : f32
// CHECK-NOT: math.rsqrt
func.func @root(%x: f32) -> f32 {
  %0 = math.rsqrt %x : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @tangent(
// CHECK: math.sin
// CHECK: math.cos
// CHECK: arith.divf
func.func @tangent(%x: f32) -> f32 {
  %0 = math.tan %x : f32
  return %0 : f32
}

// An f16 is computed in f32.
// CHECK-LABEL: func.func @hyperbolic(
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK-NOT: math.tanh
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @hyperbolic(%x: f16) -> f16 {
  %0 = math.tanh %x : f16
  return %0 : f16
}

// CHECK-LABEL: func.func @error_function(
// CHECK-NOT: math.erf
// CHECK: math.copysign %{{.*}}, %arg0 : vector<4xf32>
// CHECK: return %{{.*}} : vector<4xf32>
func.func @error_function(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.erf %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// These are computed in f64.
// CHECK-LABEL: func.func @in_double(
// CHECK-NOT: math.{{(powf|fpowi|sinh|cosh|asinh|acosh|atanh|cbrt)}}
// CHECK: return
func.func @in_double(%x: f32, %h: vector<4xbf16>, %n: i32) -> (f32, vector<4xbf16>) {
  %0 = math.powf %x, %x : f32
  %1 = math.sinh %0 : f32
  %2 = math.cosh %1 : f32
  %3 = math.asinh %2 : f32
  %4 = math.acosh %3 : f32
  %5 = math.atanh %4 : f32
  %6 = math.cbrt %5 : f32
  %7 = math.fpowi %6, %n : f32, i32
  %8 = math.powf %h, %h : vector<4xbf16>
  return %7, %8 : f32, vector<4xbf16>
}

// CHECK-LABEL: func.func @predicates(
// CHECK-SAME: %[[X:.*]]: f16
// CHECK-DAG: %[[INF:.*]] = arith.constant 0x7C00 : f16
// CHECK-DAG: %[[MIN:.*]] = arith.constant 6.103520e-05 : f16
// CHECK: %[[A:.*]] = math.absf %[[X]] : f16
// CHECK-NEXT: arith.cmpf oeq, %[[A]], %[[INF]] : f16
// CHECK-DAG: arith.cmpf uno, %[[X]], %[[X]] : f16
// CHECK-DAG: arith.cmpf oge, %{{.*}}, %[[MIN]] : f16
func.func @predicates(%x: f16) -> (i1, i1, i1, i1) {
  %0 = math.isinf %x : f16
  %1 = math.isnan %x : f16
  %2 = math.isfinite %x : f16
  %3 = math.isnormal %x : f16
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// CHECK-LABEL: func.func @integer_power(
// CHECK-NOT: math.ipowi
// CHECK: arith.muli
// CHECK: arith.cmpi slt
func.func @integer_power(%x: i8, %n: i8) -> i8 {
  %0 = math.ipowi %x, %n : i8
  return %0 : i8
}

// What a chip has stays, and so does what has no accurate expansion.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT: math.exp
// CHECK-NEXT: math.sin
// CHECK-NEXT: math.fpowi
// CHECK-NEXT: return
func.func @stays(%x: f32, %d: f64, %bit: i1) -> (f32, f64) {
  %0 = math.exp %x : f32
  %1 = math.sin %0 : f32
  %4 = math.fpowi %1, %bit : f32, i1
  return %4, %d : f32, f64
}

// f64 by itself: nothing is left that AMD chips lack.
// CHECK-LABEL: func.func @of_double(
// CHECK-NOT: math.{{(exp|log|sin|cos|tan|asin|acos|atan|pow|fpowi|cbrt)}}
// CHECK: return
func.func @of_double(%x: f64, %v: vector<2xf64>, %n: vector<2xi64>) -> (f64, vector<2xf64>) {
  %0 = math.exp %x : f64
  %1 = math.log %0 : f64
  %2 = math.sin %1 : f64
  %3 = math.atan2 %2, %x : f64
  %4 = math.tan %v : vector<2xf64>
  %5 = math.fpowi %4, %n : vector<2xf64>, vector<2xi64>
  return %3, %5 : f64, vector<2xf64>
}

// DIFF: math-clamp
// A NaN becomes the lower bound, as with the instruction for f32.
// CHECK-LABEL: func.func @clamp(
// CHECK-SAME: %[[X:.*]]: f64, %[[LOW:.*]]: f64, %[[HIGH:.*]]: f64, %[[F:.*]]: f32, %[[V:.*]]: vector<2xf16>, %[[L:.*]]: vector<2xf16>)
// CHECK: %[[M:.*]] = arith.maxnumf %[[X]], %[[LOW]] fastmath<nsz> : f64
// CHECK: %[[R:.*]] = arith.minnumf %[[M]], %[[HIGH]] fastmath<nsz> : f64
// CHECK: %[[S:.*]] = math.clampf %[[F]] to [%[[F]], %[[F]]] : f32
// CHECK: %[[N:.*]] = arith.maxnumf %[[V]], %[[L]] : vector<2xf16>
// CHECK: %[[W:.*]] = arith.minnumf %[[N]], %[[V]] : vector<2xf16>
// CHECK: return %[[R]], %[[S]], %[[W]]
func.func @clamp(%x: f64, %low: f64, %high: f64, %f: f32, %v: vector<2xf16>, %l: vector<2xf16>) -> (f64, f32, vector<2xf16>) {
  %0 = math.clampf %x to [%low, %high] fastmath<nsz> : f64
  %1 = math.clampf %f to [%f, %f] : f32
  %2 = math.clampf %v to [%l, %v] : vector<2xf16>
  return %0, %1, %2 : f64, f32, vector<2xf16>
}

// CHECK-LABEL: func.func @sincos(
// CHECK-SAME: %[[X:.*]]: f32, %[[D:.*]]: f64)
// CHECK-DAG: %[[S:.*]] = math.sin %[[X]] : f32
// CHECK-DAG: %[[C:.*]] = math.cos %[[X]] : f32
// CHECK-NOT: math.sin
// CHECK: return %[[S]], %[[C]]
func.func @sincos(%x: f32, %d: f64) -> (f32, f32, f64, f64) {
  %0, %1 = math.sincos %x : f32
  %2, %3 = math.sincos %d : f64
  return %0, %1, %2, %3 : f32, f32, f64, f64
}
