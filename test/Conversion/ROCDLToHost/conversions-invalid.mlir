// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host))'

// The scales of v_cvt_scale_* are bytes of other lanes' registers: only where all of
// them are one constant, the result is known.
gpu.module @scales_of_lanes [#fly_rocdl.cpu<chip = "gfx1250">] {
  llvm.func @scales_of_lanes(%code: i32, %codes: vector<3xi32>, %scale: i32) attributes {rocdl.kernel} {
    // expected-error @+1 {{operation 'rocdl.cvt.scale.pk8.f32.fp4' takes a byte of another lane's scale, and public descriptions of which one differ; the CPU target runs it with a constant scale of four equal bytes}}
    %v = rocdl.cvt.scale.pk8.f32.fp4 %code, %scale[0] : vector<8xf32>
    %mixed = llvm.mlir.constant(0x7f7f7f80 : i32) : i32
    // expected-error @+1 {{'rocdl.cvt.scale.pk16.bf16.bf6' takes a byte of another lane's scale}}
    %w = rocdl.cvt.scale.pk16.bf16.bf6 %codes, %mixed[0] : vector<16xbf16>
    %one = llvm.mlir.constant(0x7f7f7f7f : i32) : i32
    // expected-error @+1 {{has scaleSel 16, expected 0 to 15}}
    %x = rocdl.cvt.scale.pk8.f32.fp4 %code, %one[16] : vector<8xf32>
    llvm.return
  }
}

// -----

gpu.module @places [#fly_rocdl.cpu<chip = "gfx950">] {
  llvm.func @places(%word: i32, %x: f32, %pair: vector<2xf16>, %seed: i32) attributes {rocdl.kernel} {
    // expected-error @+1 {{'rocdl.cvt.sr.fp8.f32' selects byte 4, expected 0 to 3}}
    %a = rocdl.cvt.sr.fp8.f32 %x, %seed -> %word[4] : i32
    // expected-error @+1 {{'rocdl.cvt.scalef32.sr.bf8.f32' selects byte -1, expected 0 to 3}}
    %b = rocdl.cvt.scalef32.sr.bf8.f32 %x, %seed, %x -> %word[-1] : i32
    // expected-error @+1 {{'rocdl.cvt.scalef32.sr.pk.fp4.f16' selects byte 4, expected 0 to 3}}
    %c = rocdl.cvt.scalef32.sr.pk.fp4.f16 %pair, %seed, %x -> %word[4] : i32
    // expected-error @+1 {{'rocdl.cvt.sr.bf8.f32' gives a 'i64', expected 'i32'}}
    %d = rocdl.cvt.sr.bf8.f32 %x, %seed -> %word[0] : i64
    // expected-error @+1 {{'rocdl.cvt.pkrtz' gives a 'i32', expected 'vector<2xf16>'}}
    %e = rocdl.cvt.pkrtz %x, %x : i32
    %g = llvm.mlir.poison : vector<8xf32>
    // expected-error @+1 {{'rocdl.cvt.scalef32.pk8.fp8.f32' is no instruction of gfx950}}
    %f = rocdl.cvt.scalef32.pk8.fp8.f32 %g, %x : vector<2xi32>
    llvm.return
  }
}
