// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(fly-expand-narrow-floats))'

gpu.module @powers {
  gpu.func @k(%x: f32) kernel {
    // expected-error @below {{'arith.truncf' op converts to 'f8E8M0FNU', which has only powers of two: there is no agreed rounding (MLIR folds to the nearest and expands to the exponent's bits); compute the exponent with integers and arith.bitcast}}
    %0 = arith.truncf %x : f32 to f8E8M0FNU
    gpu.return
  }
}

// -----

gpu.module @rounding {
  gpu.func @k(%x: f32) kernel {
    // expected-error @below {{'arith.truncf' op rounds toward_zero, but conversions to 'f8E4M3FN' round to_nearest_even}}
    %0 = arith.truncf %x toward_zero : f32 to f8E4M3FN
    gpu.return
  }
}

// -----

gpu.module @scalable {
  gpu.func @k(%x: vector<[4]xf32>) kernel {
    // expected-error @below {{'arith.truncf' op converts between 'vector<[4]xf32>' and 'vector<[4]xf8E5M2>', expected scalars or vectors of fixed length}}
    %0 = arith.truncf %x : vector<[4]xf32> to vector<[4]xf8E5M2>
    gpu.return
  }
}
