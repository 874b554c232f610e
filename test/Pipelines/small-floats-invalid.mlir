// Floats of less than 16 bits are bits without arithmetic; each computation with
// them is refused at its own line.
// RUN: fly-opt %s -split-input-file -verify-diagnostics -fly-to-binary=chip=gfx942
// RUN: fly-opt %s -split-input-file -verify-diagnostics -fly-to-cpu=chip=gfx942

!M = !fly.memref<f8E4M3FNUZ, global, 4:1>
gpu.module @functions {
  gpu.func @k(%x: !M, %y: !M) kernel {
    %c = fly.make_coord() : () -> !fly.int_tuple<1>
    %v = fly.memref.load(%x, %c) : (!M, !fly.int_tuple<1>) -> f8E4M3FNUZ
    // expected-error @+1 {{'math.exp' op cannot compute with 'f8E4M3FNUZ', whose values are kept as 8 bits without arithmetic; compute in f32 or f16}}
    %e = math.exp %v : f8E4M3FNUZ
    // expected-error @+1 {{'math.absf' op cannot compute with 'f8E4M3FNUZ'}}
    %a = math.absf %e : f8E4M3FNUZ
    // expected-error @+1 {{'arith.addf' op cannot compute with 'f8E4M3FNUZ'}}
    %s = arith.addf %a, %v : f8E4M3FNUZ
    fly.memref.store(%s, %y, %c) : (f8E4M3FNUZ, !M, !fly.int_tuple<1>) -> ()
    gpu.return
  }
}

// -----

!M = !fly.memref<f8E5M2, global, 4:1>
gpu.module @vectors {
  gpu.func @k(%x: !M, %y: !fly.memref<i8, global, 4:1>) kernel {
    %v = fly.memref.load_vec(%x) : (!M) -> vector<4xf8E5M2>
    // expected-error @+1 {{'arith.negf' op cannot compute with 'f8E5M2'}}
    %n = arith.negf %v : vector<4xf8E5M2>
    %b = arith.bitcast %n : vector<4xf8E5M2> to vector<4xi8>
    fly.memref.store_vec(%b, %y) : (vector<4xi8>, !fly.memref<i8, global, 4:1>) -> ()
    gpu.return
  }
}
