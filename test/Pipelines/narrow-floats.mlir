// Instructions where the chip has them for the type, integer code elsewhere.
// RUN: fly-translate %s --fly-to-isa --chip=gfx942 | FileCheck %s --check-prefixes=FNUZ
// RUN: fly-translate %s --fly-to-isa --chip=gfx950 | FileCheck %s --check-prefixes=OCP
// RUN: fly-translate %s --fly-to-isa --chip=gfx1201 | FileCheck %s --check-prefixes=OCP
// RUN: fly-translate %s --fly-to-isa --chip=gfx1250 | FileCheck %s --check-prefixes=OCP
// RUN: fly-translate %s --fly-to-isa --chip=gfx1100 | FileCheck %s --check-prefix=NONE
// RUN: fly-opt %s -pass-pipeline='builtin.module(fly-attach-target{chip=gfx950},gpu.module(fly-expand-narrow-floats))' 2>&1 | FileCheck %s

// FNUZ-LABEL: ocp:
// FNUZ-NOT: v_cvt_{{.*}}8
// FNUZ-LABEL: fnuz:
// FNUZ-DAG: v_cvt_pk_f32_bf8
// FNUZ-DAG: v_cvt_pk_fp8_f32
// FNUZ: s_endpgm

// OCP-LABEL: ocp:
// OCP-DAG: v_cvt_f32_fp8
// OCP-DAG: v_cvt_pk_fp8_f32
// OCP: s_endpgm
// OCP-LABEL: fnuz:
// OCP-NOT: v_cvt_{{(pk_)?}}{{(f32_)?}}{{[fb]+}}p8
// OCP: s_endpgm

// NONE-NOT: {{[fb]p?}}8_f32
// NONE-NOT: f32_{{[fb]p?}}8

// CHECK-LABEL: gpu.func @ocp
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f8E4M3FN to i8
// CHECK: %[[WORD:.*]] = arith.extui %[[BITS]] : i8 to i32
// CHECK: rocdl.cvt.f32.fp8 %[[WORD]][0] : f32
// CHECK: %[[OLD:.*]] = arith.constant 0 : i32
// CHECK: %[[PAIR:.*]] = rocdl.cvt.pk.fp8.f32 %[[X:.*]], %[[X]] -> %[[OLD]][false] : i32
// CHECK: %[[BYTE:.*]] = arith.trunci %[[PAIR]] : i32 to i8
// CHECK: arith.bitcast %[[BYTE]] : i8 to f8E4M3FN
gpu.module @kernels {
  gpu.func @ocp(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %code = llvm.load %p : !llvm.ptr<1> -> i8
    %v = arith.bitcast %code : i8 to f8E4M3FN
    %f = arith.extf %v : f8E4M3FN to f32
    %g = arith.mulf %f, %f : f32
    %n = arith.truncf %g : f32 to f8E4M3FN
    %c = arith.bitcast %n : f8E4M3FN to i8
    llvm.store %c, %q : i8, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @fnuz(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %codes = llvm.load %p : !llvm.ptr<1> -> vector<4xi8>
    %v = arith.bitcast %codes : vector<4xi8> to vector<4xf8E5M2FNUZ>
    %f = arith.extf %v : vector<4xf8E5M2FNUZ> to vector<4xf16>
    %g = arith.extf %f : vector<4xf16> to vector<4xf32>
    %n = arith.truncf %g : vector<4xf32> to vector<4xf8E4M3FNUZ>
    %c = arith.bitcast %n : vector<4xf8E4M3FNUZ> to vector<4xi8>
    llvm.store %c, %q : vector<4xi8>, !llvm.ptr<1>
    gpu.return
  }
}
