// A conversion cast that nothing removes is an error, not a part of the result.
// User report 45.
// RUN: fly-opt %s -fly-to-rocdl=chip=gfx942 -split-input-file -verify-diagnostics
// RUN: fly-opt %s -fly-to-cpu=chip=gfx942 -split-input-file -verify-diagnostics
// RUN: fly-opt %s -pass-pipeline='builtin.module(fly-attach-target{chip=gfx942},convert-fly-to-rocdl,gpu.module(fly-convert-gpu-module))' -split-input-file -verify-diagnostics

gpu.module @takes {
  gpu.func @k(%p: !fly.ptr<f32, global>) kernel {
    // expected-error@+1 {{'builtin.unrealized_conversion_cast' op from '!fly.ptr<f32, global>' to 'f32' is left over: no pass converts it}}
    %x = builtin.unrealized_conversion_cast %p : !fly.ptr<f32, global> to f32
    fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}

// -----

gpu.module @gives {
  gpu.func @k(%x: f32) kernel {
    %p = builtin.unrealized_conversion_cast %x : f32 to !fly.ptr<f32, global>
    // expected-error@+1 {{'builtin.unrealized_conversion_cast' op from '!fly.ptr<f32, global>' to '!llvm.ptr<1>' is left over: no pass converts it}}
    fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}
