// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942}))' | FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx1201}))' | FileCheck %s --check-prefixes=CHECK,GFX12
// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx1250}))' | FileCheck %s --check-prefixes=GFX1250

// A descriptor with the device's bits: 48-bit base and stride, or the wide form
// of gfx1250.

gpu.module @descriptor {
  llvm.func @descriptor(%out: !llvm.ptr<1>, %base: !llvm.ptr<1>, %n: i64, %flags: i32) attributes {rocdl.kernel} {
    %stride = llvm.mlir.constant(0 : i16) : i16
    %rsrc = rocdl.make.buffer.rsrc %base, %stride, %n, %flags : !llvm.ptr<1> to <8>
    %bits = llvm.ptrtoint %rsrc : !llvm.ptr<8> to i128
    llvm.store %bits, %out : i128, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @descriptor(
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr to i64
// CHECK: %[[STRIDE:.*]] = llvm.zext %{{.*}} : i16 to i32
// CHECK: %[[W0:.*]] = llvm.trunc %[[ADDRESS]] : i64 to i32
// CHECK: %[[HIGH:.*]] = llvm.lshr %[[ADDRESS]], %{{.*}} : i64
// CHECK: %[[HIGH32:.*]] = llvm.trunc %[[HIGH]] : i64 to i32
// CHECK: %[[MASK:.*]] = llvm.mlir.constant(65535 : i32) : i32
// CHECK: %[[SHIFT:.*]] = llvm.mlir.constant(16 : i32) : i32
// CHECK: %[[SHIFTED:.*]] = llvm.shl %[[STRIDE]], %[[SHIFT]] : i32
// CHECK: %[[W1:.*]] = llvm.or %{{.*}}, %[[SHIFTED]] : i32
// CHECK: %[[W2:.*]] = llvm.trunc %{{.*}} : i64 to i32
// CHECK: %[[V0:.*]] = llvm.insertelement %[[W0]]
// CHECK: %[[V1:.*]] = llvm.insertelement %[[W1]], %[[V0]]
// CHECK: %[[V2:.*]] = llvm.insertelement %[[W2]], %[[V1]]
// CHECK: %[[V3:.*]] = llvm.insertelement %{{.*}}, %[[V2]]
// CHECK: llvm.bitcast %[[V3]] : vector<4xi32> to i128
// GFX1250-LABEL: llvm.func internal @descriptor(
// GFX1250-DAG: llvm.mlir.constant(33554431 : i64) : i64
// GFX1250-DAG: llvm.mlir.constant(25 : i64) : i64
// GFX1250-DAG: llvm.mlir.constant(12 : i32) : i32
// GFX1250-DAG: llvm.mlir.constant(28 : i32) : i32

// -----

// An access is a call of a function for its size; the value travels as
// integers.

gpu.module @access {
  llvm.func @access(%rsrc: !llvm.ptr<8>, %offset: i32, %soffset: i32) attributes {rocdl.kernel} {
    %aux = llvm.mlir.constant(1 : i32) : i32
    %x = rocdl.raw.ptr.buffer.load %rsrc, %offset, %soffset, %aux : vector<8xf16>
    rocdl.raw.ptr.buffer.store %x, %rsrc, %offset, %soffset, %aux : vector<8xf16>
    %y = rocdl.raw.ptr.buffer.load %rsrc, %offset, %soffset, %aux : f16
    rocdl.raw.ptr.buffer.store %y, %rsrc, %offset, %soffset, %aux : f16
    %z = rocdl.raw.ptr.buffer.load %rsrc, %offset, %soffset, %aux : f32
    rocdl.raw.ptr.buffer.atomic.fadd %z, %rsrc, %offset, %soffset, %aux : f32
    %i = llvm.bitcast %z : f32 to i32
    %old = rocdl.raw.ptr.buffer.atomic.cmpswap %i, %aux, %rsrc, %offset, %soffset, %aux : i32
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @access(
// CHECK-SAME: %[[LANE:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: %[[RSRC:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> vector<4xi32>
// CHECK: %[[OFFSET:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
// CHECK: %[[SOFFSET:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
// CHECK: %[[RAW:.*]] = llvm.call @__fly_buffer_load_16(%[[LANE]], %[[RSRC]], %[[OFFSET]], %[[SOFFSET]], %{{.*}}) : (!llvm.ptr, vector<4xi32>, i32, i32, i32) -> vector<4xi32>
// CHECK: %[[X:.*]] = llvm.bitcast %[[RAW]] : vector<4xi32> to vector<8xf16>
// CHECK: %[[XBITS:.*]] = llvm.bitcast %[[X]] : vector<8xf16> to vector<4xi32>
// CHECK: llvm.call @__fly_buffer_store_16(%[[LANE]], %[[XBITS]], %[[RSRC]], %[[OFFSET]], %[[SOFFSET]], %{{.*}})
// CHECK: llvm.call @__fly_buffer_load_2({{.*}}) : (!llvm.ptr, vector<4xi32>, i32, i32, i32) -> i16
// CHECK: llvm.call @__fly_buffer_store_2(
// CHECK: %[[Z:.*]] = llvm.call @__fly_buffer_load_4({{.*}}) : (!llvm.ptr, vector<4xi32>, i32, i32, i32) -> i32
// CHECK: llvm.call @__fly_buffer_atomic_fadd_f32(%[[LANE]], %{{.*}}, %[[RSRC]]
// CHECK: llvm.call @__fly_buffer_atomic_cmpswap_i32(%[[LANE]], %{{.*}}, %{{.*}}, %[[RSRC]]

// The function: what has a stride is a fault (1); the checked offset plus the
// size against num_records; out of range, gfx9 goes on dword by dword and later
// chips give zero.
// CHECK-LABEL: llvm.func internal @__fly_buffer_load_16(
// CHECK-SAME: %[[L:.*]]: !llvm.ptr, %[[R:.*]]: vector<4xi32>, %[[O:.*]]: i32, %[[S:.*]]: i32, %[[W:.*]]: i32) -> vector<4xi32> attributes {always_inline
// CHECK: %[[STRIDED:.*]] = llvm.icmp "ne" %{{.*}}, %{{.*}} : i32
// CHECK: llvm.cond_br %[[STRIDED]], ^[[OTHER:.*]], ^[[PLAIN:.*]]
// CHECK: ^[[OTHER]]:
// CHECK: %[[KIND:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK: llvm.call %{{.*}}(%[[L]], %[[W]], %[[KIND]], %{{.*}})
// CHECK: llvm.unreachable
// CHECK: ^[[PLAIN]]:
// CHECK: %[[O64:.*]] = llvm.zext %[[O]] : i32 to i64
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(16 : i64) : i64
// CHECK: %[[END:.*]] = llvm.add %[[O64]], %[[BYTES]] : i64
// CHECK: %[[INRANGE:.*]] = llvm.icmp "ule" %[[END]], %{{.*}} : i64
// CHECK: %[[S64:.*]] = llvm.zext %[[S]] : i32 to i64
// CHECK: llvm.cond_br %[[INRANGE]], ^[[IN:.*]], ^[[OUT:.*]]
// CHECK: ^[[IN]]:
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xi32>
// CHECK: ^[[OUT]]:
// GFX9: llvm.call @__fly_buffer_load_16_dwords(%{{.*}}, %[[O64]], %{{.*}})
// GFX12: %[[ZERO:.*]] = llvm.mlir.zero : vector<4xi32>
// GFX12: llvm.return %[[ZERO]]

// GFX9-LABEL: llvm.func internal @__fly_buffer_load_16_dwords(
// GFX9: llvm.icmp "ule" %{{.*}}, %{{.*}} : i64
// GFX9: llvm.intr.masked.load

// CHECK-LABEL: llvm.func internal @__fly_buffer_store_16(
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<4xi32>
// A single dword needs no second look.
// CHECK-LABEL: llvm.func internal @__fly_buffer_load_4(
// CHECK-NOT: _dwords
// CHECK-LABEL: llvm.func internal @__fly_buffer_atomic_fadd_f32(
// CHECK: llvm.atomicrmw fadd %{{.*}}, %{{.*}} monotonic : !llvm.ptr, f32
// CHECK-LABEL: llvm.func internal @__fly_buffer_atomic_cmpswap_i32(
// CHECK: llvm.cmpxchg
