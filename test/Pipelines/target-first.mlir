// The chip is known from the first pass on, so what it lacks is an error at the
// user's op, before anything is lowered.
// RUN: fly-opt %s -fly-to-rocdl=chip=gfx1201 -verify-diagnostics
// DIFF: target-first

!M = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>

gpu.module @kernels {
  gpu.func @k(%p: !fly.ptr<f32, global, align<16>>, %a: vector<4xf16>, %c: vector<4xf32>) kernel {
    %m = fly.make_mma_atom : !M
    // expected-error @+1 {{which gfx1201 lacks; for these types gfx1201 has gfx120x.wmma 16x16x16 (f16, f16) -> f32}}
    %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!M, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
    fly.ptr.store(%d, %p) : (vector<4xf32>, !fly.ptr<f32, global, align<16>>) -> ()
    gpu.return
  }
}
