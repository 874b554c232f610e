// RUN: fly-translate %s --fly-to-llvmir --chip=gfx942 | FileCheck %s --check-prefix=LLVMIR
// RUN: fly-translate %s --fly-to-isa --chip=gfx1100 | FileCheck %s --check-prefix=ISA
// RUN: fly-translate %s --fly-to-isa --chip=gfx1100 --opt-level=0 | FileCheck %s --check-prefix=ISA
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx942 -o %t.hsaco
// RUN: llvm-readelf --notes %t.hsaco | FileCheck %s --check-prefix=NOTES
// RUN: llvm-objdump -d %t.hsaco | FileCheck %s --check-prefix=CODE
// RUN: fly-translate %s --fly-report --chip=gfx942 | FileCheck %s --check-prefix=REPORT
// RUN: fly-translate %s --fly-report --json --chip=gfx1250 | FileCheck %s --check-prefix=JSON
// RUN: fly-opt %s -fly-to-binary=chip=gfx950 | fly-translate --fly-report | FileCheck %s --check-prefix=OBJECT
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx942 --debug-info -o %t.debug
// RUN: llvm-objdump -d -l %t.debug | FileCheck %s --check-prefix=LINES

// LLVMIR: target triple = "amdgcn-amd-amdhsa"
// LLVMIR: define amdgpu_kernel void @add(float %{{.*}}, ptr addrspace(1)
// LLVMIR: fadd float

// ISA: .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
// ISA: v_add_f32
// ISA: .wavefront_size: 32

// NOTES: .name: add
// NOTES: .wavefront_size: 64
// NOTES: amdhsa.target: amdgcn-amd-amdhsa--gfx942

// CODE: <add>:
// CODE: v_add_f32
// CODE: s_endpgm

// REPORT: chip gfx942
// REPORT-NEXT: kernel VGPR AGPR SGPR spills v/s LDS scratch occupancy code matrix valu salu smem load store atomic lds wait barrier branch other
// REPORT-NEXT: add {{[1-9][0-9]*}} 0 {{[1-9][0-9]*}} 0/0 0 0 8 (waves) {{[1-9][0-9]*}} 0 {{[1-9][0-9]*}} {{[0-9]+}} {{[1-9][0-9]*}} 1 1 0 0

// JSON: "name": "add"
// JSON: "chip": "gfx1250"
// JSON: "wave_size": 32
// JSON: "instructions": {
// JSON-NEXT: "matrix": 0
// JSON: "store": 1

// OBJECT: chip gfx950
// OBJECT: add {{[1-9]}}

// LINES: kernel.py:7
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%x: f32, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i64
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %v = llvm.load %q : !llvm.ptr<1> -> f32
      %s = arith.addf %v, %x : f32 loc("kernel.py":7:3)
      llvm.store %s, %q : f32, !llvm.ptr<1>
      gpu.return
    } loc("kernel.py":1:1)
  }
}
