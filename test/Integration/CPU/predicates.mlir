// RUN: fly-run %s --function=flat --chip=gfx942 --input=16xi32=5,1,9,3,7,2,8,4,6,0,11,10,15,13,12,14 --input=16xi32=-1 --input=4 --expected=1:16xi32=5,-1,9,-1,7,-1,8,-1,6,-1,11,10,15,13,12,14
// RUN: fly-run %s --function=nested --chip=gfx942 --input=16xi32=5,1,9,3,7,2,8,4,6,0,11,10,15,13,12,14 --input=16xi32=-1 --input=4 --expected=1:16xi32=5,-1,9,-1,7,-1,8,-1,6,-1,11,10,15,13,12,14
// RUN: fly-run %s --function=uniform --chip=gfx942 --input=16xi32=5,1,9,3,7,2,8,4,6,0,11,10,15,13,12,14 --input=16xi32=-1 --input=4 --expected=1:16xi32=5,1,9,3,7,2,8,4,6,0,11,10,15,13,12,14
// RUN: fly-run %s --function=uniform --chip=gfx942 --input=16xi32=5,1,9,3,7,2,8,4,6,0,11,10,15,13,12,14 --input=16xi32=-1 --input=5 --expected=1:16xi32=-1

// Each atom of a copy takes the predicate of its own place: flat, in a
// hierarchy whose levels are sliced one after the other, and one for all.

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>
!V = !fly.memref<i32, global, 16:1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Predicate i: element i is larger than the limit.
    gpu.func @flat_kernel(%in: !V, %out: !V, %limit: i32) kernel {
      %first = arith.constant 0 : i32
      %last = arith.constant 16 : i32
      %step = arith.constant 1 : i32
      %pl = fly.static : !fly.layout<16:1>
      %p = fly.memref.alloca(%pl) : (!fly.layout<16:1>) -> !fly.memref<i1, register, 16:1>
      scf.for %i = %first to %last step %step : i32 {
        %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%in, %at) : (!V, !fly.int_tuple<?>) -> i32
        %larger = arith.cmpi sgt, %x, %limit : i32
        fly.memref.store(%larger, %p, %at) : (i1, !fly.memref<i1, register, 16:1>, !fly.int_tuple<?>) -> ()
      }
      %l = fly.static : !fly.layout<(1,16):(0,1)>
      %si = fly.get_iter(%in) : (!V) -> !fly.ptr<i32, global>
      %di = fly.get_iter(%out) : (!V) -> !fly.ptr<i32, global>
      %s = fly.make_view(%si, %l) : (!fly.ptr<i32, global>, !fly.layout<(1,16):(0,1)>) -> !fly.memref<i32, global, (1,16):(0,1)>
      %d = fly.make_view(%di, %l) : (!fly.ptr<i32, global>, !fly.layout<(1,16):(0,1)>) -> !fly.memref<i32, global, (1,16):(0,1)>
      %u = fly.make_copy_atom {valBits = 32 : i32} : !U
      fly.copy(%u, %s, %d, %p) : (!U, !fly.memref<i32, global, (1,16):(0,1)>, !fly.memref<i32, global, (1,16):(0,1)>, !fly.memref<i1, register, 16:1>) -> ()
      gpu.return
    }
    gpu.func @nested_kernel(%in: !V, %out: !V, %limit: i32) kernel {
      %first = arith.constant 0 : i32
      %last = arith.constant 16 : i32
      %step = arith.constant 1 : i32
      %pl = fly.static : !fly.layout<(4,(2,2)):(1,(4,8))>
      %p = fly.memref.alloca(%pl) : (!fly.layout<(4,(2,2)):(1,(4,8))>) -> !fly.memref<i1, register, (4,(2,2)):(1,(4,8))>
      scf.for %i = %first to %last step %step : i32 {
        %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
        %x = fly.memref.load(%in, %at) : (!V, !fly.int_tuple<?>) -> i32
        %larger = arith.cmpi sgt, %x, %limit : i32
        fly.memref.store(%larger, %p, %at) : (i1, !fly.memref<i1, register, (4,(2,2)):(1,(4,8))>, !fly.int_tuple<?>) -> ()
      }
      %l = fly.static : !fly.layout<((1,4),(2,2)):((0,1),(4,8))>
      %si = fly.get_iter(%in) : (!V) -> !fly.ptr<i32, global>
      %di = fly.get_iter(%out) : (!V) -> !fly.ptr<i32, global>
      %s = fly.make_view(%si, %l) : (!fly.ptr<i32, global>, !fly.layout<((1,4),(2,2)):((0,1),(4,8))>) -> !fly.memref<i32, global, ((1,4),(2,2)):((0,1),(4,8))>
      %d = fly.make_view(%di, %l) : (!fly.ptr<i32, global>, !fly.layout<((1,4),(2,2)):((0,1),(4,8))>) -> !fly.memref<i32, global, ((1,4),(2,2)):((0,1),(4,8))>
      %u = fly.make_copy_atom {valBits = 32 : i32} : !U
      fly.copy(%u, %s, %d, %p) : (!U, !fly.memref<i32, global, ((1,4),(2,2)):((0,1),(4,8))>, !fly.memref<i32, global, ((1,4),(2,2)):((0,1),(4,8))>, !fly.memref<i1, register, (4,(2,2)):(1,(4,8))>) -> ()
      gpu.return
    }
    // One predicate of extent 1: the first element is larger.
    gpu.func @uniform_kernel(%in: !V, %out: !V, %limit: i32) kernel {
      %zero = fly.make_int_tuple() : () -> !fly.int_tuple<0>
      %pl = fly.static : !fly.layout<(1,1):(0,0)>
      %p = fly.memref.alloca(%pl) : (!fly.layout<(1,1):(0,0)>) -> !fly.memref<i1, register, (1,1):(0,0)>
      %x = fly.memref.load(%in, %zero) : (!V, !fly.int_tuple<0>) -> i32
      %larger = arith.cmpi sgt, %x, %limit : i32
      fly.memref.store(%larger, %p, %zero) : (i1, !fly.memref<i1, register, (1,1):(0,0)>, !fly.int_tuple<0>) -> ()
      %l = fly.static : !fly.layout<(1,16):(0,1)>
      %si = fly.get_iter(%in) : (!V) -> !fly.ptr<i32, global>
      %di = fly.get_iter(%out) : (!V) -> !fly.ptr<i32, global>
      %s = fly.make_view(%si, %l) : (!fly.ptr<i32, global>, !fly.layout<(1,16):(0,1)>) -> !fly.memref<i32, global, (1,16):(0,1)>
      %d = fly.make_view(%di, %l) : (!fly.ptr<i32, global>, !fly.layout<(1,16):(0,1)>) -> !fly.memref<i32, global, (1,16):(0,1)>
      %u = fly.make_copy_atom {valBits = 32 : i32} : !U
      fly.copy(%u, %s, %d, %p) : (!U, !fly.memref<i32, global, (1,16):(0,1)>, !fly.memref<i32, global, (1,16):(0,1)>, !fly.memref<i1, register, (1,1):(0,0)>) -> ()
      gpu.return
    }
  }
  func.func @flat(%in: !V, %out: !V, %limit: i32) {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@flat_kernel blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%in : !V, %out : !V, %limit : i32)
    return
  }
  func.func @nested(%in: !V, %out: !V, %limit: i32) {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@nested_kernel blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%in : !V, %out : !V, %limit : i32)
    return
  }
  func.func @uniform(%in: !V, %out: !V, %limit: i32) {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@uniform_kernel blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%in : !V, %out : !V, %limit : i32)
    return
  }
}
