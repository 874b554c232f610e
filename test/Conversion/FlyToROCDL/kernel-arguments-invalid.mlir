// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx942 -split-input-file -verify-diagnostics
// RUN: fly-opt %s -fly-rewrite-func-signature -split-input-file -verify-diagnostics
// RUN: fly-opt %s -fly-to-cpu=chip=gfx942 -split-input-file -verify-diagnostics

// Register memory ends with its lane: no host has an address of it, used or not.
// A helper of the device may take it. The number is that of the source, where a
// static layout counts, too.
gpu.module @kernels {
  gpu.func @two(
      %l: !fly.layout<4:1>,
      %n: i32,
      // expected-error@+1 {{argument #2 of kernel 'two' has type '!fly.memref<f32, register, 4:1>': register memory belongs to a lane, a host cannot pass it to a kernel}}
      %a: !fly.memref<f32, register, 4:1>,
      // expected-error@+1 {{argument #3 of kernel 'two' has type '!fly.ptr<i8, register>': register memory belongs to a lane}}
      %b: !fly.ptr<i8, register>) kernel {
    gpu.return
  }
  gpu.func @helper(%a: !fly.ptr<f32, register>) {
    gpu.return
  }
}
