// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host))'

// Which bytes of which lanes some selections take is not known: they run only where
// all of them are one constant.
gpu.module @scales_of_lanes [#fly_rocdl.cpu<chip = "gfx1250">] {
  llvm.func @scales_of_lanes(%code: i32, %codes: vector<3xi32>, %bytes: vector<2xi32>, %scale: i32) attributes {rocdl.kernel} {
    %runs = rocdl.cvt.scale.pk8.f32.fp4 %code, %scale[7] : vector<8xf32>
    // expected-error @+1 {{operation 'rocdl.cvt.scale.pk8.f32.fp4' has scaleSel 8, and no public description says which lane and byte the scale then comes from; the CPU target runs it with a constant scale of four equal bytes, and scaleSel 0 to 7 with every scale}}
    %v = rocdl.cvt.scale.pk8.f32.fp4 %code, %scale[8] : vector<8xf32>
    %mixed = llvm.mlir.constant(0x7f7f7f80 : i32) : i32
    %runs_mixed = rocdl.cvt.scale.pk16.bf16.bf6 %codes, %mixed[0] : vector<16xbf16>
    // expected-error @+1 {{'rocdl.cvt.scale.pk16.bf16.bf6' has scaleSel 15, and no public description}}
    %w = rocdl.cvt.scale.pk16.bf16.bf6 %codes, %mixed[15] : vector<16xbf16>
    %runs_bytes = rocdl.cvt.scale.pk8.f16.bf8 %bytes, %scale[11] : vector<8xf16>
    // expected-error @+1 {{'rocdl.cvt.scale.pk8.f16.bf8' has scaleSel 12, and no public description says which lane and byte the scale then comes from; the CPU target runs it with a constant scale of four equal bytes, and scaleSel 0 to 11 with every scale}}
    %y = rocdl.cvt.scale.pk8.f16.bf8 %bytes, %scale[12] : vector<8xf16>
    %one = llvm.mlir.constant(0x7f7f7f7f : i32) : i32
    %runs_one = rocdl.cvt.scale.pk8.f32.fp4 %code, %one[15] : vector<8xf32>
    // expected-error @+1 {{has scaleSel 16, expected 0 to 15}}
    %x = rocdl.cvt.scale.pk8.f32.fp4 %code, %one[16] : vector<8xf32>
    llvm.return
  }
  llvm.func @no_kernel(%code: i32, %scale: i32) {
    %one = llvm.mlir.constant(0x7f7f7f7f : i32) : i32
    %runs = rocdl.cvt.scale.pk8.f32.fp4 %code, %one[0] : vector<8xf32>
    // expected-error @+1 {{operation 'rocdl.cvt.scale.pk8.f32.fp4' moves values between lanes inside of a function that is no kernel; inline the function first}}
    %v = rocdl.cvt.scale.pk8.f32.fp4 %code, %scale[0] : vector<8xf32>
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
