// Elements of tensors by value: vectors of views in column-major order, register
// arrays at a run-time index, run-time slices of swizzled layouts, predicated
// copies, and an index beyond 2^31.

// RUN: fly-run %s --chip=gfx942 --function=vectors --input=16xi32=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --input=8xi32=-1 --expected=1:8xi32=0,8,1,9,2,10,3,11
// RUN: fly-run %s --chip=gfx942 --function=registers --input=5 --input=2xi32=0 --expected=1:2xi32=105,100
// RUN: fly-run %s --chip=gfx942 --function=registers --input=0 --input=2xi32=0 --expected=1:2xi32=100,100
// RUN: fly-run %s --chip=gfx942 --function=slices --input=5 --input=8xi32=0 --expected=1:8xi32=5,53,109,133,221,237,293,349
// RUN: fly-run %s --chip=gfx942 --function=slices --input=0 --input=8xi32=0 --expected=1:8xi32=0,48,104,128,216,232,288,344
// RUN: fly-run %s --chip=gfx942 --function=predicates --input=13 --input=16xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --input=16xi32=-1 --expected=2:16xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,-1,-1,-1
// RUN: fly-run %s --chip=gfx942 --function=predicates --input=0 --input=16xi32=7 --input=16xi32=-1 --expected=2:16xi32=-1
// RUN: fly-run %s --chip=gfx942 --function=nested_predicates --input=6xi32=10,11,12,13,14,15 --input=6xi32=-1 --expected=1:6xi32=10,-1,12,-1,-1,15
// RUN: fly-run %s --chip=gfx942 --function=coordinates --input=4 --input=6 --input=2xi32=0 --expected=2:2xi32=12,12
// RUN: fly-run %s --chip=gfx942 --function=wide --input=3 --input=2xi64=0 --expected=1:2xi64=3221225472,6442450944

!X = !fly.memref<i32, global, ?:1>

module attributes {gpu.container_module} {
  gpu.module @k {
    // The first mode runs fastest, whatever its stride.
    gpu.func @vectors(%x: !fly.ptr<i32, global>, %out: !fly.ptr<i32, global>) kernel {
      %l = fly.static : !fly.layout<(2,4):(8,1)>
      %o = fly.static : !fly.layout<8:1>
      %s = fly.make_view(%x, %l) : (!fly.ptr<i32, global>, !fly.layout<(2,4):(8,1)>) -> !fly.memref<i32, global, (2,4):(8,1)>
      %d = fly.make_view(%out, %o) : (!fly.ptr<i32, global>, !fly.layout<8:1>) -> !fly.memref<i32, global, 8:1>
      %v = fly.memref.load_vec(%s) : (!fly.memref<i32, global, (2,4):(8,1)>) -> vector<8xi32>
      fly.memref.store_vec(%v, %d) : (vector<8xi32>, !fly.memref<i32, global, 8:1>) -> ()
      gpu.return
    }

    // A run-time index keeps the array in memory.
    gpu.func @registers(%n: i32, %out: !fly.ptr<i32, global>) kernel {
      %l = fly.static : !fly.layout<8:1>
      %o = fly.static : !fly.layout<2:1>
      %r = fly.memref.alloca(%l) : (!fly.layout<8:1>) -> !fly.memref<i32, register, 8:1>
      %d = fly.make_view(%out, %o) : (!fly.ptr<i32, global>, !fly.layout<2:1>) -> !fly.memref<i32, global, 2:1>
      %v = arith.constant dense<[100, 101, 102, 103, 104, 105, 106, 107]> : vector<8xi32>
      fly.memref.store_vec(%v, %r) : (vector<8xi32>, !fly.memref<i32, register, 8:1>) -> ()
      %c = fly.make_coord(%n) : (i32) -> !fly.int_tuple<?>
      %c0 = fly.static : !fly.int_tuple<0>
      %c1 = fly.static : !fly.int_tuple<1>
      %a = fly.memref.load(%r, %c) : (!fly.memref<i32, register, 8:1>, !fly.int_tuple<?>) -> i32
      %b = fly.memref.load(%r, %c0) : (!fly.memref<i32, register, 8:1>, !fly.int_tuple<0>) -> i32
      fly.memref.store(%a, %d, %c0) : (i32, !fly.memref<i32, global, 2:1>, !fly.int_tuple<0>) -> ()
      fly.memref.store(%b, %d, %c1) : (i32, !fly.memref<i32, global, 2:1>, !fly.int_tuple<1>) -> ()
      gpu.return
    }

    // Column n of a swizzled layout: its indices.
    gpu.func @slices(%n: i32, %out: !fly.ptr<i32, global>) kernel {
      %l = fly.static : !fly.composed_layout<S<2,3,3> o 0 o (8,48):(48,1)>
      %c = fly.make_coord(%n) : (i32) -> !fly.int_tuple<(*,?)>
      %s = fly.slice(%l, %c) : (!fly.composed_layout<S<2,3,3> o 0 o (8,48):(48,1)>, !fly.int_tuple<(*,?)>) -> !fly.composed_layout<S<2,3,3> o ? o 8:48>
      %o = fly.static : !fly.layout<8:1>
      %d = fly.make_view(%out, %o) : (!fly.ptr<i32, global>, !fly.layout<8:1>) -> !fly.memref<i32, global, 8:1>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %j = arith.index_cast %i : index to i32
        %at = fly.make_coord(%j) : (i32) -> !fly.int_tuple<?>
        %k = fly.crd2idx(%at, %s) : (!fly.int_tuple<?>, !fly.composed_layout<S<2,3,3> o ? o 8:48>) -> !fly.int_tuple<?>
        %v = fly.get_scalar(%k) : (!fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %d, %at) : (i32, !fly.memref<i32, global, 8:1>, !fly.int_tuple<?>) -> ()
      }
      gpu.return
    }

    // Item i is copied where i < n.
    gpu.func @predicates(%n: i32, %x: !fly.ptr<i32, global>, %out: !fly.ptr<i32, global>) kernel {
      %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
      %l = fly.static : !fly.layout<(1,16):(0,1)>
      %s = fly.make_view(%x, %l) : (!fly.ptr<i32, global>, !fly.layout<(1,16):(0,1)>) -> !fly.memref<i32, global, (1,16):(0,1)>
      %d = fly.make_view(%out, %l) : (!fly.ptr<i32, global>, !fly.layout<(1,16):(0,1)>) -> !fly.memref<i32, global, (1,16):(0,1)>
      %pl = fly.static : !fly.layout<16:1>
      %p = fly.memref.alloca(%pl) : (!fly.layout<16:1>) -> !fly.memref<i1, register, 16:1>
      %ids = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
      %limit = vector.broadcast %n : i32 to vector<16xi32>
      %in = arith.cmpi slt, %ids, %limit : vector<16xi32>
      fly.memref.store_vec(%in, %p) : (vector<16xi1>, !fly.memref<i1, register, 16:1>) -> ()
      fly.copy(%a, %s, %d, %p) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<i32, global, (1,16):(0,1)>, !fly.memref<i32, global, (1,16):(0,1)>, !fly.memref<i1, register, 16:1>) -> ()
      gpu.return
    }

    // The predicate of item (i,j) stands at 3 i + j: set for (0,0), (0,1), (1,2).
    gpu.func @nested_predicates(%x: !fly.ptr<i32, global>, %out: !fly.ptr<i32, global>) kernel {
      %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<32>, 32>
      %l = fly.static : !fly.layout<(1,(2,3)):(0,(1,2))>
      %s = fly.make_view(%x, %l) : (!fly.ptr<i32, global>, !fly.layout<(1,(2,3)):(0,(1,2))>) -> !fly.memref<i32, global, (1,(2,3)):(0,(1,2))>
      %d = fly.make_view(%out, %l) : (!fly.ptr<i32, global>, !fly.layout<(1,(2,3)):(0,(1,2))>) -> !fly.memref<i32, global, (1,(2,3)):(0,(1,2))>
      %fl = fly.static : !fly.layout<6:1>
      %f = fly.memref.alloca(%fl) : (!fly.layout<6:1>) -> !fly.memref<i1, register, 6:1>
      %bits = arith.constant dense<[true, true, false, false, false, true]> : vector<6xi1>
      fly.memref.store_vec(%bits, %f) : (vector<6xi1>, !fly.memref<i1, register, 6:1>) -> ()
      %fp = fly.get_iter(%f) : (!fly.memref<i1, register, 6:1>) -> !fly.ptr<i1, register>
      %pl = fly.static : !fly.layout<((2,3)):((3,1))>
      %p = fly.make_view(%fp, %pl) : (!fly.ptr<i1, register>, !fly.layout<((2,3)):((3,1))>) -> !fly.memref<i1, register, ((2,3)):((3,1))>
      fly.copy(%a, %s, %d, %p) : (!fly.copy_atom<!fly.universal_copy<32>, 32>, !fly.memref<i32, global, (1,(2,3)):(0,(1,2))>, !fly.memref<i32, global, (1,(2,3)):(0,(1,2))>, !fly.memref<i1, register, ((2,3)):((3,1))>) -> ()
      gpu.return
    }

    // Basis strides keep their scale at run time.
    gpu.func @coordinates(%i: i32, %j: i32, %out: !fly.ptr<i32, global>) kernel {
      %l = fly.static : !fly.layout<(5,7):(3E1,2E0)>
      %c = fly.make_coord(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
      %k = fly.crd2idx(%c, %l) : (!fly.int_tuple<(?,?)>, !fly.layout<(5,7):(3E1,2E0)>) -> !fly.int_tuple<(?{div=2},?{div=3})>
      %v:2 = fly.get_leaves(%k) : (!fly.int_tuple<(?{div=2},?{div=3})>) -> (i32, i32)
      %w = vector.from_elements %v#0, %v#1 : vector<2xi32>
      fly.ptr.store(%w, %out) : (vector<2xi32>, !fly.ptr<i32, global>) -> ()
      gpu.return
    }

    // Run-time coordinates beyond 2^31 elements.
    gpu.func @wide(%i: i32, %out: !fly.ptr<i64, global>) kernel {
      %l = fly.static : !fly.layout<(8,2):(1073741824,2147483648)>
      %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<?>
      %a = fly.crd2idx(%c, %l) : (!fly.int_tuple<?>, !fly.layout<(8,2):(1073741824,2147483648)>) -> !fly.int_tuple<?{i64 div=1073741824}>
      %d = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(0,?)>
      %b = fly.crd2idx(%d, %l) : (!fly.int_tuple<(0,?)>, !fly.layout<(8,2):(1073741824,2147483648)>) -> !fly.int_tuple<?{i64 div=2147483648}>
      %x = fly.get_scalar(%a) : (!fly.int_tuple<?{i64 div=1073741824}>) -> i64
      %y = fly.get_scalar(%b) : (!fly.int_tuple<?{i64 div=2147483648}>) -> i64
      %w = vector.from_elements %x, %y : vector<2xi64>
      fly.ptr.store(%w, %out) : (vector<2xi64>, !fly.ptr<i64, global>) -> ()
      gpu.return
    }
  }

  func.func @vectors(%x: !X, %out: !X) {
    %one = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!X) -> !fly.ptr<i32, global>
    %q = fly.get_iter(%out) : (!X) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@vectors blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%p : !fly.ptr<i32, global>, %q : !fly.ptr<i32, global>)
    return
  }
  func.func @registers(%n: i32, %out: !X) {
    %one = arith.constant 1 : index
    %q = fly.get_iter(%out) : (!X) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@registers blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%n : i32, %q : !fly.ptr<i32, global>)
    return
  }
  func.func @slices(%n: i32, %out: !X) {
    %one = arith.constant 1 : index
    %q = fly.get_iter(%out) : (!X) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@slices blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%n : i32, %q : !fly.ptr<i32, global>)
    return
  }
  func.func @predicates(%n: i32, %x: !X, %out: !X) {
    %one = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!X) -> !fly.ptr<i32, global>
    %q = fly.get_iter(%out) : (!X) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@predicates blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%n : i32, %p : !fly.ptr<i32, global>, %q : !fly.ptr<i32, global>)
    return
  }
  func.func @nested_predicates(%x: !X, %out: !X) {
    %one = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!X) -> !fly.ptr<i32, global>
    %q = fly.get_iter(%out) : (!X) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@nested_predicates blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%p : !fly.ptr<i32, global>, %q : !fly.ptr<i32, global>)
    return
  }
  func.func @coordinates(%i: i32, %j: i32, %out: !X) {
    %one = arith.constant 1 : index
    %q = fly.get_iter(%out) : (!X) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@coordinates blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%i : i32, %j : i32, %q : !fly.ptr<i32, global>)
    return
  }
  func.func @wide(%i: i32, %out: !fly.memref<i64, global, ?:1>) {
    %one = arith.constant 1 : index
    %q = fly.get_iter(%out) : (!fly.memref<i64, global, ?:1>) -> !fly.ptr<i64, global>
    gpu.launch_func @k::@wide blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%i : i32, %q : !fly.ptr<i64, global>)
    return
  }
}
