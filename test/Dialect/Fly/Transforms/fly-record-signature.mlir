// RUN: fly-opt %s -fly-record-signature | FileCheck %s
// RUN: fly-opt %s -fly-record-signature -fly-rewrite-func-signature -fly-record-signature -convert-func-to-llvm | FileCheck %s --check-prefix=LATER

// The types that the user wrote stay readable at every later stage.

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @host
  // CHECK-SAME:  attributes {fly.signature = [!fly.int_tuple<(?,2)>, i32, !fly.int_tuple<(3,5)>]}
  // LATER-LABEL: llvm.func @host
  // LATER-SAME:  (%{{.*}}: !llvm.struct<packed (i32)>, %{{.*}}: i32) attributes {fly.signature = [!fly.int_tuple<(?,2)>, i32, !fly.int_tuple<(3,5)>]}
  func.func @host(%m: !fly.int_tuple<(?,2)>, %n: i32, %t: !fly.int_tuple<(3,5)>) {
    return
  }
  // CHECK: func.func @no_arguments() attributes {fly.signature = []}
  func.func @no_arguments() {
    return
  }
  // CHECK: func.func private @declared(!fly.int_tuple<?>){{$}}
  func.func private @declared(!fly.int_tuple<?>)
  // CHECK: func.func private @internal(%{{.*}}: i32) {
  func.func private @internal(%n: i32) {
    return
  }
  // CHECK: func.func @kept(%{{.*}}: i64) attributes {fly.signature = [i32]}
  func.func @kept(%n: i64) attributes {fly.signature = [i32]} {
    return
  }
  gpu.module @kernels {
    // CHECK: gpu.func @kernel(%{{.*}}: i32) kernel {
    gpu.func @kernel(%n: i32) kernel {
      gpu.return
    }
    // CHECK: func.func @device(%{{.*}}: i32) {
    func.func @device(%n: i32) {
      return
    }
  }
}
