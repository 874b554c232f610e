// RUN: fly-opt %s -fly-lower-memory-ops -split-input-file -verify-diagnostics

func.func @alloca_c1_runtime_layout(%l: !fly.layout<(4,?):(1,4)>) -> !fly.memref<f16, register, (4,?):(1,4)> {
  // expected-error @+1 {{'fly.memref.alloca' op needs a static plain layout, got (4,?):(1,4) [alloca_c1]}}
  %r = fly.memref.alloca(%l) : (!fly.layout<(4,?):(1,4)>) -> !fly.memref<f16, register, (4,?):(1,4)>
  return %r : !fly.memref<f16, register, (4,?):(1,4)>
}

// -----

func.func @alloca_c2_global_memory(%l: !fly.layout<4:1>) -> !fly.memref<f16, global, 4:1> {
  // expected-error @+1 {{'fly.memref.alloca' op allocates in register or shared memory, got #fly<address_space global> [alloca_c2]}}
  %r = fly.memref.alloca(%l) : (!fly.layout<4:1>) -> !fly.memref<f16, global, 4:1>
  return %r : !fly.memref<f16, global, 4:1>
}

// -----

func.func @load_vec_c1_too_many_accesses(%m: !fly.memref<f16, global, 70000:3>) -> vector<70000xf16> {
  // expected-error @+1 {{'fly.memref.load_vec' op expands into 70000 accesses, more than 65536 [load_vec_c1]}}
  %v = fly.memref.load_vec(%m) : (!fly.memref<f16, global, 70000:3>) -> vector<70000xf16>
  return %v : vector<70000xf16>
}

// -----

func.func @alloca_too_large(%l: !fly.layout<(4,3):(-2305843009213693952,1)>) -> !fly.memref<f16, shared, (4,3):(-2305843009213693952,1)> {
  // expected-error @+1 {{needs more memory than 64 bits can count}}
  %r = fly.memref.alloca(%l) : (!fly.layout<(4,3):(-2305843009213693952,1)>) -> !fly.memref<f16, shared, (4,3):(-2305843009213693952,1)>
  return %r : !fly.memref<f16, shared, (4,3):(-2305843009213693952,1)>
}
