// Four and six bits: whole registers by the chip's scaling instructions with the
// scale 1, anything else by integer code.
// RUN: fly-translate %s --fly-to-isa --chip=gfx950 | FileCheck %s --check-prefix=GFX950
// RUN: fly-translate %s --fly-to-isa --chip=gfx1250 | FileCheck %s --check-prefix=GFX1250
// RUN: fly-translate %s --fly-to-isa --chip=gfx942 | FileCheck %s --check-prefix=NONE
// RUN: fly-opt %s -pass-pipeline='builtin.module(fly-attach-target{chip=gfx950},gpu.module(fly-expand-narrow-floats))' | FileCheck %s
// The CPU runs the same instructions as gfx1250.
// RUN: fly-opt %s -pass-pipeline='builtin.module(fly-attach-target{chip=gfx1250 device=cpu},gpu.module(fly-expand-narrow-floats))' | FileCheck %s --check-prefix=CPU

// GFX950-LABEL: {{^}}four:
// GFX950-DAG: v_cvt_scalef32_pk_f32_fp4 v[{{[0-9:]+}}], {{[sv][0-9]+}}, 1.0{{$}}
// GFX950-DAG: v_cvt_scalef32_pk_f32_fp4 v[{{[0-9:]+}}], {{[sv][0-9]+}}, 1.0 op_sel:[1,0,0]
// GFX950-DAG: v_cvt_scalef32_pk_f32_fp4 v[{{[0-9:]+}}], {{[sv][0-9]+}}, 1.0 op_sel:[0,1,0]
// GFX950-DAG: v_cvt_scalef32_pk_f32_fp4 v[{{[0-9:]+}}], {{[sv][0-9]+}}, 1.0 op_sel:[1,1,0]
// GFX950-DAG: v_cvt_scalef32_pk_fp4_f32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, 1.0{{$}}
// GFX950-DAG: v_cvt_scalef32_pk_fp4_f32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, 1.0 op_sel:[0,0,1,1]
// GFX950: s_endpgm
// GFX950-LABEL: {{^}}six:
// GFX950: v_cvt_scalef32_pk32_f32_fp6 v[{{[0-9:]+}}], v[{{[0-9:]+}}], 1.0
// GFX950: v_cvt_scalef32_2xpk16_bf6_f32 v[{{[0-9:]+}}], v[{{[0-9:]+}}], v[{{[0-9:]+}}], 1.0
// GFX950: s_endpgm
// GFX950-LABEL: {{^}}odd:
// GFX950-NOT: v_cvt_scale
// GFX950: s_endpgm

// GFX1250-LABEL: {{^}}four:
// GFX1250-DAG: v_cvt_scale_pk8_f32_fp4
// GFX1250-DAG: v_cvt_scalef32_pk8_fp4_f32
// GFX1250: s_endpgm
// GFX1250-LABEL: {{^}}six:
// GFX1250-DAG: v_cvt_scale_pk16_f32_fp6
// GFX1250-DAG: v_cvt_scalef32_pk16_bf6_f32
// GFX1250: s_endpgm
// GFX1250-LABEL: {{^}}odd:
// GFX1250-NOT: v_cvt_scale
// GFX1250: s_endpgm

// NONE-NOT: v_cvt_scale
// CPU-LABEL: gpu.func @four
// CPU-DAG: %[[SCALE:.*]] = arith.constant 2139062143 : i32
// CPU: rocdl.cvt.scale.pk8.f32.fp4 %{{.*}}, %{{.*}}[0] : vector<8xf32>
// CPU: rocdl.cvt.scalef32.pk8.fp4.f32 %{{.*}} : i32
// CPU-LABEL: gpu.func @six
// CPU: rocdl.cvt.scale.pk16.f32.fp6
// CPU-LABEL: gpu.func @odd
// CPU-NOT: rocdl.cvt

// CHECK-LABEL: gpu.func @four
// CHECK: %[[WORD:.*]] = vector.extract %{{.*}}[0] : i32 from vector<2xi32>
// CHECK: rocdl.cvt.scalef32.pk.f32.fp4 %[[WORD]][0], %{{.*}} : vector<2xf32>
// CHECK: rocdl.cvt.scalef32.pk.f32.fp4 %[[WORD]][1], %{{.*}} : vector<2xf32>
// CHECK-LABEL: gpu.func @six
// The even elements and the odd ones.
// CHECK: %[[EVEN:.*]] = vector.shuffle %[[X:.*]], %[[X]] [0, 2, 4,
// CHECK: %[[ODD:.*]] = vector.shuffle %[[X]], %[[X]] [1, 3, 5,
// CHECK: rocdl.cvt.scalef32.2xpk16.bf6.f32 %[[EVEN]], %[[ODD]], %{{.*}} : vector<6xi32>
// NaN is the zero of its sign.
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[V:.*]], %[[V]] : vector<32xf32>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[V]] : vector<32xf32> to vector<32xi32>
// CHECK: %[[BY:.*]] = arith.constant dense<26> : vector<32xi32>
// CHECK: %[[TOP:.*]] = arith.shrui %[[BITS]], %[[BY]]
// CHECK: %[[CUT:.*]] = arith.trunci %[[TOP]] : vector<32xi32> to vector<32xi6>
// CHECK: %[[MASK:.*]] = arith.constant dense<-32> : vector<32xi6>
// CHECK: %[[ZERO:.*]] = arith.andi %[[CUT]], %[[MASK]]
// CHECK: arith.select %[[NAN]], %[[ZERO]], %{{.*}} : vector<32xi1>, vector<32xi6>
gpu.module @kernels {
  gpu.func @four(%p: !llvm.ptr<1>) kernel {
    %words = llvm.load %p : !llvm.ptr<1> -> vector<2xi32>
    %codes = vector.bitcast %words : vector<2xi32> to vector<16xi4>
    %v = arith.bitcast %codes : vector<16xi4> to vector<16xf4E2M1FN>
    %f = arith.extf %v : vector<16xf4E2M1FN> to vector<16xf32>
    %g = arith.mulf %f, %f : vector<16xf32>
    %n = arith.truncf %g : vector<16xf32> to vector<16xf4E2M1FN>
    %c = arith.bitcast %n : vector<16xf4E2M1FN> to vector<16xi4>
    %w = vector.bitcast %c : vector<16xi4> to vector<2xi32>
    llvm.store %w, %p : vector<2xi32>, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @six(%p: !llvm.ptr<1>) kernel {
    %words = llvm.load %p : !llvm.ptr<1> -> vector<6xi32>
    %codes = vector.bitcast %words : vector<6xi32> to vector<32xi6>
    %v = arith.bitcast %codes : vector<32xi6> to vector<32xf6E2M3FN>
    %f = arith.extf %v : vector<32xf6E2M3FN> to vector<32xf32>
    %g = arith.mulf %f, %f : vector<32xf32>
    %n = arith.truncf %g : vector<32xf32> to vector<32xf6E3M2FN>
    %c = arith.bitcast %n : vector<32xf6E3M2FN> to vector<32xi6>
    %w = vector.bitcast %c : vector<32xi6> to vector<6xi32>
    llvm.store %w, %p : vector<6xi32>, !llvm.ptr<1>
    gpu.return
  }
  gpu.func @odd(%p: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> vector<4xf32>
    %n = arith.truncf %x : vector<4xf32> to vector<4xf4E2M1FN>
    %c = arith.bitcast %n : vector<4xf4E2M1FN> to vector<4xi4>
    %w = arith.extui %c : vector<4xi4> to vector<4xi8>
    llvm.store %w, %p : vector<4xi8>, !llvm.ptr<1>
    gpu.return
  }
}
