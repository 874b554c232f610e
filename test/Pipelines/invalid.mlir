// RUN: fly-opt %s -fly-to-binary -split-input-file -verify-diagnostics

// expected-error @+1 {{has no target and no chip was named: give the option chip= (fly-opt), --chip= (fly-translate, fly-run)}}
gpu.module @no_chip {
  gpu.func @k() kernel {
    gpu.return
  }
}

// -----

// What is in the device library only is refused where it stands.
gpu.module @gamma [#rocdl.target<chip = "gfx942">] {
  llvm.func @__ocml_tgamma_f64(f64) -> f64
  gpu.func @k(%x: f64, %p: !llvm.ptr<1>) kernel {
    // DIFF: math-refused
    // expected-error @+2 {{undefined function '__ocml_tgamma_f64' is called by 'k'}}
    // expected-note @+1 {{it belongs to ROCm's device libraries}}
    %y = llvm.call @__ocml_tgamma_f64(%x) : (f64) -> f64
    llvm.store %y, %p : f64, !llvm.ptr<1>
    gpu.return
  }
}

// -----

gpu.module @lds [#rocdl.target<chip = "gfx950">] {
  // expected-error @+2 {{shared memory of kernel 'k' takes 163841 bytes, but a workgroup of gfx950 has 163840}}
  // expected-note @+1 {{'buffer' is an allocation of 163841 bytes aligned to 16}}
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<163841 x i8>
  gpu.func @k(%i: i64) kernel {
    %b = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %p = llvm.getelementptr %b[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
    %zero = llvm.mlir.constant(0 : i8) : i8
    llvm.store volatile %zero, %p : i8, !llvm.ptr<3>
    gpu.return
  }
}
