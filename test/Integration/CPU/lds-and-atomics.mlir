// Loads to shared memory and buffer atomics by value: the end of the buffer, the
// lanes, old values.

// RUN: fly-run %s --chip=gfx942 --function=async --input=64xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64 --input=64xi32=-1 --expected=1:64xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: fly-run %s --chip=gfx942 --function=atomics --input=2xi32=5,-7 --input=6xi32=0 --expected=0:2xi32=9,-7 --expected=1:6xi32=5,5,9,-7,0,0

!P = !fly.ptr<i32, global>
!G = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<32>, 32>
!B = !fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<32>, 32>

module attributes {gpu.container_module} {
  gpu.module @k {
    // A wave moves 64 words to shared memory through a buffer of 40, which gives
    // zeros behind its end; each lane names the place where it writes.
    gpu.func @async(%x: !P, %out: !P) kernel {
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 512 : i64}} : () -> !fly.ptr<i32, shared, align<16>>
      %c64 = fly.make_int_tuple() : () -> !fly.int_tuple<64>
      %q = fly.add_offset(%p, %c64) : (!fly.ptr<i32, shared, align<16>>, !fly.int_tuple<64>) -> !fly.ptr<i32, shared, align<16>>
      %l = fly.static : !fly.layout<1:1>
      %stride = arith.constant 0 : i16
      %bytes = arith.constant 160 : i64
      %flags = arith.constant 159744 : i32
      %b = fly.make_ptr(%x, %stride, %bytes, %flags) : (!P, i16, i64, i32) -> !fly.ptr<i32, #fly_rocdl.buffer_desc>
      %bl = fly.add_offset(%b, %at) : (!fly.ptr<i32, #fly_rocdl.buffer_desc>, !fly.int_tuple<?>) -> !fly.ptr<i32, #fly_rocdl.buffer_desc>
      %gl = fly.add_offset(%x, %at) : (!P, !fly.int_tuple<?>) -> !P
      %pl = fly.add_offset(%p, %at) : (!fly.ptr<i32, shared, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>
      %ql = fly.add_offset(%q, %at) : (!fly.ptr<i32, shared, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>
      %buffer = fly.make_view(%bl, %l) : (!fly.ptr<i32, #fly_rocdl.buffer_desc>, !fly.layout<1:1>) -> !fly.memref<i32, #fly_rocdl.buffer_desc, 1:1>
      %global = fly.make_view(%gl, %l) : (!P, !fly.layout<1:1>) -> !fly.memref<i32, global, 1:1>
      %s0 = fly.make_view(%pl, %l) : (!fly.ptr<i32, shared>, !fly.layout<1:1>) -> !fly.memref<i32, shared, 1:1>
      %s1 = fly.make_view(%ql, %l) : (!fly.ptr<i32, shared>, !fly.layout<1:1>) -> !fly.memref<i32, shared, 1:1>
      %ba = fly.make_copy_atom {valBits = 32 : i32} : !B
      %ga = fly.make_copy_atom {valBits = 32 : i32} : !G
      fly.copy_atom_call(%ba, %buffer, %s0) : (!B, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:1>, !fly.memref<i32, shared, 1:1>) -> ()
      fly.copy_atom_call(%ga, %global, %s1) : (!G, !fly.memref<i32, global, 1:1>, !fly.memref<i32, shared, 1:1>) -> ()
      gpu.barrier
      %v = fly.ptr.load(%pl) : (!fly.ptr<i32, shared>) -> i32
      %w = fly.ptr.load(%ql) : (!fly.ptr<i32, shared>) -> i32
      // The other copy has all words.
      %one = arith.constant 1 : i32
      %want = arith.addi %tid, %one : i32
      %same = arith.cmpi eq, %w, %want : i32
      %none = arith.constant -2 : i32
      %result = arith.select %same, %v, %none : i32
      %to = fly.add_offset(%out, %at) : (!P, !fly.int_tuple<?>) -> !P
      fly.ptr.store(%result, %to) : (i32, !P) -> ()
      gpu.return
    }

    // Old values: a signed minimum that changes nothing, an unsigned maximum, an
    // increment; outside of the buffer an atomic gives 0 and changes nothing.
    gpu.func @atomics(%x: !P, %out: !P) kernel {
      %stride = arith.constant 0 : i16
      %bytes = arith.constant 8 : i64
      %flags = arith.constant 159744 : i32
      %b = fly.make_ptr(%x, %stride, %bytes, %flags) : (!P, i16, i64, i32) -> !fly.ptr<i32, #fly_rocdl.buffer_desc>
      %l = fly.static : !fly.layout<1:0>
      %m = fly.make_view(%b, %l) : (!fly.ptr<i32, #fly_rocdl.buffer_desc>, !fly.layout<1:0>) -> !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>
      %i1 = fly.make_int_tuple() : () -> !fly.int_tuple<1>
      %i2 = fly.make_int_tuple() : () -> !fly.int_tuple<2>
      %b1 = fly.add_offset(%b, %i1) : (!fly.ptr<i32, #fly_rocdl.buffer_desc>, !fly.int_tuple<1>) -> !fly.ptr<i32, #fly_rocdl.buffer_desc>
      %b2 = fly.add_offset(%b, %i2) : (!fly.ptr<i32, #fly_rocdl.buffer_desc>, !fly.int_tuple<2>) -> !fly.ptr<i32, #fly_rocdl.buffer_desc>
      %m1 = fly.make_view(%b1, %l) : (!fly.ptr<i32, #fly_rocdl.buffer_desc>, !fly.layout<1:0>) -> !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>
      %m2 = fly.make_view(%b2, %l) : (!fly.ptr<i32, #fly_rocdl.buffer_desc>, !fly.layout<1:0>) -> !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>
      %add = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, i32>, 32>
      %max = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<max, ui32>, 32>
      %min = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<min, si32>, 32>
      %four = arith.constant 4 : i32
      %zero = arith.constant 0 : i32
      %three = arith.constant 3 : i32
      %r0 = fly.copy_atom_call_ssa(%max, %three, %m) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<max, ui32>, 32>, i32, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>) -> i32
      %r1 = fly.copy_atom_call_ssa(%add, %four, %m) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, i32>, 32>, i32, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>) -> i32
      %r2 = fly.copy_atom_call_ssa(%add, %zero, %m) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, i32>, 32>, i32, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>) -> i32
      %r3 = fly.copy_atom_call_ssa(%min, %zero, %m1) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<min, si32>, 32>, i32, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>) -> i32
      %r4 = fly.copy_atom_call_ssa(%add, %four, %m2) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, i32>, 32>, i32, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>) -> i32
      %v = vector.from_elements %r0, %r1, %r2, %r3, %r4, %zero : vector<6xi32>
      %ol = fly.static : !fly.layout<6:1>
      %o = fly.make_view(%out, %ol) : (!P, !fly.layout<6:1>) -> !fly.memref<i32, global, 6:1>
      fly.memref.store_vec(%v, %o) : (vector<6xi32>, !fly.memref<i32, global, 6:1>) -> ()
      gpu.return
    }
  }

  func.func @async(%x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@async blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<i32, global>, %q : !fly.ptr<i32, global>)
    return
  }
  func.func @atomics(%x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@atomics blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<i32, global>, %q : !fly.ptr<i32, global>)
    return
  }
}
