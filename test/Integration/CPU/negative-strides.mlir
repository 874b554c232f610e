// New memory for layouts of negative strides: the indices below 0 lie in it, and
// no store reaches into what is beside it. Each kernel stores 12 or 64 numbers in
// the order of the coordinates and reads them back.

// RUN: fly-run %s --chip=gfx942 --device=cpu --function=promoted --input=12xi32=10,11,12,13,14,15,16,17,18,19,20,21 --input=12xi32=0 --input=12xi32=0 --expected=1:12xi32=10,11,12,13,14,15,16,17,18,19,20,21 --expected=2:12xi32=10,14,18,11,15,19,12,16,20,13,17,21
// RUN: fly-run %s --chip=gfx942 --device=cpu --function=memory --input=12xi32=10,11,12,13,14,15,16,17,18,19,20,21 --input=12xi32=0 --input=12xi32=0 --expected=1:12xi32=10,11,12,13,14,15,16,17,18,19,20,21 --expected=2:12xi32=10,14,18,11,15,19,12,16,20,13,17,21
// RUN: fly-run %s --chip=gfx942 --device=cpu --function=shared --input=12xi32=10,11,12,13,14,15,16,17,18,19,20,21 --input=12xi32=0 --input=12xi32=0 --expected=1:12xi32=10,11,12,13,14,15,16,17,18,19,20,21 --expected=2:12xi32=7,7,7,7,7,7,7,7,9,9,9,9
// RUN: fly-run %s --chip=gfx942 --device=cpu --function=swizzled --input=12xi32=10,11,12,13,14,15,16,17,18,19,20,21 --input=12xi32=0 --input=12xi32=0 --expected=1:12xi32=10,11,12,13,14,15,16,17,18,19,20,21 --expected=2:12xi32=7,7,7,7,7,7,7,7,9,9,9,9

!G = !fly.memref<i32, global, 12:1>
!V = !fly.memref<i32, global, (4,3):(1,4)>
!R = !fly.memref<i32, register, (4,3):(-3,1)>
!S = !fly.memref<i32, shared, (4,3):(-3,1), align<16>>
!W = !fly.memref<i32, shared, (4,3):(-3,-12), S<2,3,2>>
!A = !fly.memref<i32, shared, 8:1, align<16>>
!B = !fly.memref<i32, shared, 4:1>

module attributes {gpu.container_module} {
  gpu.module @k {
    // Registers that become a vector; the second output is the transpose.
    gpu.func @promoted(%in: !G, %out: !G, %turned: !G) kernel {
      %g = fly.static : !fly.layout<(4,3):(1,4)>
      %l = fly.static : !fly.layout<(4,3):(-3,1)>
      %p = fly.get_iter(%in) : (!G) -> !fly.ptr<i32, global>
      %from = fly.make_view(%p, %g) : (!fly.ptr<i32, global>, !fly.layout<(4,3):(1,4)>) -> !V
      %q = fly.get_iter(%out) : (!G) -> !fly.ptr<i32, global>
      %to = fly.make_view(%q, %g) : (!fly.ptr<i32, global>, !fly.layout<(4,3):(1,4)>) -> !V
      %r = fly.memref.alloca(%l) : (!fly.layout<(4,3):(-3,1)>) -> !R
      %v = fly.memref.load_vec(%from) : (!V) -> vector<12xi32>
      fly.memref.store_vec(%v, %r) : (vector<12xi32>, !R) -> ()
      %w = fly.memref.load_vec(%r) : (!R) -> vector<12xi32>
      fly.memref.store_vec(%w, %to) : (vector<12xi32>, !V) -> ()
      %t = fly.get_iter(%turned) : (!G) -> !fly.ptr<i32, global>
      %tl = fly.static : !fly.layout<(4,3):(3,1)>
      %rows = fly.make_view(%t, %tl) : (!fly.ptr<i32, global>, !fly.layout<(4,3):(3,1)>) -> !fly.memref<i32, global, (4,3):(3,1)>
      fly.memref.store_vec(%w, %rows) : (vector<12xi32>, !fly.memref<i32, global, (4,3):(3,1)>) -> ()
      gpu.return
    }

    // Run-time coordinates keep the registers in memory.
    gpu.func @memory(%in: !G, %out: !G, %turned: !G) kernel {
      %l = fly.static : !fly.layout<(4,3):(-3,1)>
      %r = fly.memref.alloca(%l) : (!fly.layout<(4,3):(-3,1)>) -> !R
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c12 = arith.constant 12 : index
      scf.for %i = %c0 to %c12 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%in, %at) : (!G, !fly.int_tuple<?>) -> i32
        fly.memref.store(%x, %r, %at) : (i32, !R, !fly.int_tuple<?>) -> ()
      }
      %t = fly.get_iter(%turned) : (!G) -> !fly.ptr<i32, global>
      %tl = fly.static : !fly.layout<(4,3):(3,1)>
      %rows = fly.make_view(%t, %tl) : (!fly.ptr<i32, global>, !fly.layout<(4,3):(3,1)>) -> !fly.memref<i32, global, (4,3):(3,1)>
      scf.for %i = %c0 to %c12 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%r, %at) : (!R, !fly.int_tuple<?>) -> i32
        fly.memref.store(%x, %out, %at) : (i32, !G, !fly.int_tuple<?>) -> ()
        fly.memref.store(%x, %rows, %at) : (i32, !fly.memref<i32, global, (4,3):(3,1)>, !fly.int_tuple<?>) -> ()
      }
      gpu.return
    }

    // Shared memory between two other arrays.
    gpu.func @shared(%in: !G, %out: !G, %beside: !G) kernel {
      %l8 = fly.static : !fly.layout<8:1>
      %l4 = fly.static : !fly.layout<4:1>
      %l = fly.static : !fly.layout<(4,3):(-3,1)>
      %a = fly.memref.alloca(%l8) : (!fly.layout<8:1>) -> !A
      %r = fly.memref.alloca(%l) : (!fly.layout<(4,3):(-3,1)>) -> !S
      %b = fly.memref.alloca(%l4) : (!fly.layout<4:1>) -> !B
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c12 = arith.constant 12 : index
      %v7 = arith.constant 7 : i32
      %v9 = arith.constant 9 : i32
      scf.for %i = %c0 to %c8 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        fly.memref.store(%v7, %a, %at) : (i32, !A, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c4 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        fly.memref.store(%v9, %b, %at) : (i32, !B, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c12 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%in, %at) : (!G, !fly.int_tuple<?>) -> i32
        fly.memref.store(%x, %r, %at) : (i32, !S, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c12 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%r, %at) : (!S, !fly.int_tuple<?>) -> i32
        fly.memref.store(%x, %out, %at) : (i32, !G, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c8 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%a, %at) : (!A, !fly.int_tuple<?>) -> i32
        fly.memref.store(%x, %beside, %at) : (i32, !G, !fly.int_tuple<?>) -> ()
      }
      %e = arith.constant 8 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%b, %at) : (!B, !fly.int_tuple<?>) -> i32
        %k = arith.addi %n, %e : i32
        %to = fly.make_coord(%k) : (i32) -> !fly.int_tuple<?>
        fly.memref.store(%x, %beside, %to) : (i32, !G, !fly.int_tuple<?>) -> ()
      }
      gpu.return
    }

    // All strides negative, and a swizzle of the addresses.
    gpu.func @swizzled(%in: !G, %out: !G, %beside: !G) kernel {
      %l8 = fly.static : !fly.layout<8:1>
      %l4 = fly.static : !fly.layout<4:1>
      %l = fly.static : !fly.layout<(4,3):(-3,-12)>
      %a = fly.memref.alloca(%l8) : (!fly.layout<8:1>) -> !A
      %r = fly.memref.alloca(%l) : (!fly.layout<(4,3):(-3,-12)>) -> !W
      %b = fly.memref.alloca(%l4) : (!fly.layout<4:1>) -> !B
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c12 = arith.constant 12 : index
      %v7 = arith.constant 7 : i32
      %v9 = arith.constant 9 : i32
      scf.for %i = %c0 to %c8 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        fly.memref.store(%v7, %a, %at) : (i32, !A, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c4 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        fly.memref.store(%v9, %b, %at) : (i32, !B, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c12 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%in, %at) : (!G, !fly.int_tuple<?>) -> i32
        fly.memref.store(%x, %r, %at) : (i32, !W, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c12 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%r, %at) : (!W, !fly.int_tuple<?>) -> i32
        fly.memref.store(%x, %out, %at) : (i32, !G, !fly.int_tuple<?>) -> ()
      }
      scf.for %i = %c0 to %c8 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%a, %at) : (!A, !fly.int_tuple<?>) -> i32
        fly.memref.store(%x, %beside, %at) : (i32, !G, !fly.int_tuple<?>) -> ()
      }
      %e = arith.constant 8 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %n = arith.index_cast %i : index to i32
        %at = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%b, %at) : (!B, !fly.int_tuple<?>) -> i32
        %k = arith.addi %n, %e : i32
        %to = fly.make_coord(%k) : (i32) -> !fly.int_tuple<?>
        fly.memref.store(%x, %beside, %to) : (i32, !G, !fly.int_tuple<?>) -> ()
      }
      gpu.return
    }
  }
  func.func @promoted(%in: !G, %out: !G, %second: !G) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@promoted blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%in : !G, %out : !G, %second : !G)
    return
  }
  func.func @memory(%in: !G, %out: !G, %second: !G) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@memory blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%in : !G, %out : !G, %second : !G)
    return
  }
  func.func @shared(%in: !G, %out: !G, %second: !G) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@shared blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%in : !G, %out : !G, %second : !G)
    return
  }
  func.func @swizzled(%in: !G, %out: !G, %second: !G) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@swizzled blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%in : !G, %out : !G, %second : !G)
    return
  }
}
