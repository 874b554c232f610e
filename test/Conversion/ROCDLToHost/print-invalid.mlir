// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host))'

gpu.module @kernels [#fly_rocdl.cpu<chip = "gfx942">] {
  llvm.func @__ockl_printf_begin(i32) -> i64
  llvm.func @k(%x: i32) attributes {rocdl.kernel} {
    // expected-error @+1 {{operation 'llvm.call' calls '__ockl_printf_begin' of type '!llvm.func<i64 (i32)>', expected a declaration of type '!llvm.func<i64 (i64)>'}}
    %0 = llvm.call @__ockl_printf_begin(%x) : (i32) -> i64
    llvm.return
  }
}

// -----

gpu.module @kernels [#fly_rocdl.cpu<chip = "gfx942">] {
  llvm.func @__ockl_get_local_size(i32) -> i64
  llvm.func @k(%x: i32) attributes {rocdl.kernel} {
    // expected-error @+1 {{calls '__ockl_get_local_size' of the device library, which the CPU target does not have}}
    %0 = llvm.call @__ockl_get_local_size(%x) : (i32) -> i64
    llvm.return
  }
}
