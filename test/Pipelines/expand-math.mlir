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
func.func @tangent(%x: f64) -> f64 {
  %0 = math.tan %x : f64
  return %0 : f64
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
// CHECK: return %{{.*}} : vector<4xf32>
func.func @error_function(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.erf %x : vector<4xf32>
  return %0 : vector<4xf32>
}

// What a chip has stays, and so does what has no accurate expansion.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT: math.exp
// CHECK-NEXT: math.sin
// CHECK-NEXT: math.powf
// CHECK-NEXT: math.sinh
// CHECK-NEXT: math.cosh
// CHECK-NEXT: math.asinh
// CHECK-NEXT: math.acosh
// CHECK-NEXT: math.atanh
// CHECK-NEXT: math.cbrt
// CHECK-NEXT: return
func.func @stays(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = math.sin %0 : f32
  %2 = math.powf %1, %x : f32
  %3 = math.sinh %2 : f32
  %4 = math.cosh %3 : f32
  %5 = math.asinh %4 : f32
  %6 = math.acosh %5 : f32
  %7 = math.atanh %6 : f32
  %8 = math.cbrt %7 : f32
  return %8 : f32
}
