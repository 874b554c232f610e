// The coordinates that each of 256 threads gets of the operands of a tiled matrix
// operation of 2 x 2 waves, against the instruction's register layout written out:
// lane 16 y + x holds A[x][4 y + v], B[x][4 y + v] and C[4 y + v][x]. An output is 0
// where both coordinates are right.

// RUN: fly-run %s --chip=gfx942 --function=a --input=256xi32=-1 --expected=0:256xi32=0
// RUN: fly-run %s --chip=gfx942 --function=b --input=256xi32=-1 --expected=0:256xi32=0
// RUN: fly-run %s --chip=gfx942 --function=c --input=256xi32=-1 --expected=0:256xi32=0

!M = !fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, <(2,2,1):(1,2,0)>>

module attributes {gpu.container_module} {
  gpu.module @k {
    // Value 1 of the second tile along M and K: 32 rows, 16 columns further.
    gpu.func @a(%out: !fly.ptr<i32, global>) kernel {
      %thread = gpu.thread_id x
      %t = arith.index_cast %thread : index to i32
      %tc = fly.make_coord(%t) : (i32) -> !fly.int_tuple<?>
      %mma = fly.static : !M
      %all = fly.static : !fly.coord_tensor<(0,0), (64,32):(1E0,1E1)>
      %part = fly.tiled_mma.partition(a, %mma, %all, %tc) : (!M, !fly.coord_tensor<(0,0), (64,32):(1E0,1E1)>, !fly.int_tuple<?>) -> !fly.coord_tensor<(?,?{div=4}), (4,2,2):(1E1,32E0,16E1)>
      %at = fly.static : !fly.int_tuple<(1,1,1)>
      %c = fly.memref.load(%part, %at) : (!fly.coord_tensor<(?,?{div=4}), (4,2,2):(1E1,32E0,16E1)>, !fly.int_tuple<(1,1,1)>) -> !fly.int_tuple<(?,?)>
      %v:2 = fly.get_leaves(%c) : (!fly.int_tuple<(?,?)>) -> (i32, i32)
      %k4 = arith.constant 4 : i32
      %k16 = arith.constant 16 : i32
      %k2 = arith.constant 2 : i32
      %k64 = arith.constant 64 : i32
      %lane = arith.remui %t, %k64 : i32
      %wave = arith.divui %t, %k64 : i32
      %wm = arith.remui %wave, %k2 : i32
      %wn = arith.divui %wave, %k2 : i32
      %x = arith.remui %lane, %k16 : i32
      %y = arith.divui %lane, %k16 : i32
      %y4 = arith.muli %y, %k4 : i32
      %wo = arith.muli %wm, %k16 : i32
      %r0 = arith.addi %x, %wo : i32
      %k32 = arith.constant 32 : i32
      %row = arith.addi %r0, %k32 : i32
      %k17 = arith.constant 17 : i32
      %col = arith.addi %y4, %k17 : i32
      %dr = arith.subi %v#0, %row : i32
      %dc = arith.subi %v#1, %col : i32
      %k1000 = arith.constant 1000 : i32
      %dm = arith.muli %dr, %k1000 : i32
      %d = arith.addi %dm, %dc : i32
      %q = fly.add_offset(%out, %tc) : (!fly.ptr<i32, global>, !fly.int_tuple<?>) -> !fly.ptr<i32, global>
      fly.ptr.store(%d, %q) : (i32, !fly.ptr<i32, global>) -> ()
      gpu.return
    }

    gpu.func @b(%out: !fly.ptr<i32, global>) kernel {
      %thread = gpu.thread_id x
      %t = arith.index_cast %thread : index to i32
      %tc = fly.make_coord(%t) : (i32) -> !fly.int_tuple<?>
      %mma = fly.static : !M
      %all = fly.static : !fly.coord_tensor<(0,0), (64,32):(1E0,1E1)>
      %part = fly.tiled_mma.partition(b, %mma, %all, %tc) : (!M, !fly.coord_tensor<(0,0), (64,32):(1E0,1E1)>, !fly.int_tuple<?>) -> !fly.coord_tensor<(?,?{div=4}), (4,2,2):(1E1,32E0,16E1)>
      %at = fly.static : !fly.int_tuple<(1,1,1)>
      %c = fly.memref.load(%part, %at) : (!fly.coord_tensor<(?,?{div=4}), (4,2,2):(1E1,32E0,16E1)>, !fly.int_tuple<(1,1,1)>) -> !fly.int_tuple<(?,?)>
      %v:2 = fly.get_leaves(%c) : (!fly.int_tuple<(?,?)>) -> (i32, i32)
      %k4 = arith.constant 4 : i32
      %k16 = arith.constant 16 : i32
      %k2 = arith.constant 2 : i32
      %k64 = arith.constant 64 : i32
      %lane = arith.remui %t, %k64 : i32
      %wave = arith.divui %t, %k64 : i32
      %wm = arith.remui %wave, %k2 : i32
      %wn = arith.divui %wave, %k2 : i32
      %x = arith.remui %lane, %k16 : i32
      %y = arith.divui %lane, %k16 : i32
      %y4 = arith.muli %y, %k4 : i32
      %wo = arith.muli %wn, %k16 : i32
      %r0 = arith.addi %x, %wo : i32
      %k32 = arith.constant 32 : i32
      %row = arith.addi %r0, %k32 : i32
      %k17 = arith.constant 17 : i32
      %col = arith.addi %y4, %k17 : i32
      %dr = arith.subi %v#0, %row : i32
      %dc = arith.subi %v#1, %col : i32
      %k1000 = arith.constant 1000 : i32
      %dm = arith.muli %dr, %k1000 : i32
      %d = arith.addi %dm, %dc : i32
      %q = fly.add_offset(%out, %tc) : (!fly.ptr<i32, global>, !fly.int_tuple<?>) -> !fly.ptr<i32, global>
      fly.ptr.store(%d, %q) : (i32, !fly.ptr<i32, global>) -> ()
      gpu.return
    }

    // Value 3 of the second tile along M and N.
    gpu.func @c(%out: !fly.ptr<i32, global>) kernel {
      %thread = gpu.thread_id x
      %t = arith.index_cast %thread : index to i32
      %tc = fly.make_coord(%t) : (i32) -> !fly.int_tuple<?>
      %mma = fly.static : !M
      %all = fly.static : !fly.coord_tensor<(0,0), (64,64):(1E0,1E1)>
      %part = fly.tiled_mma.partition(c, %mma, %all, %tc) : (!M, !fly.coord_tensor<(0,0), (64,64):(1E0,1E1)>, !fly.int_tuple<?>) -> !fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),32E0,32E1)>
      %at = fly.static : !fly.int_tuple<((3,0),1,1)>
      %c = fly.memref.load(%part, %at) : (!fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),32E0,32E1)>, !fly.int_tuple<((3,0),1,1)>) -> !fly.int_tuple<(?,?)>
      %v:2 = fly.get_leaves(%c) : (!fly.int_tuple<(?,?)>) -> (i32, i32)
      %k4 = arith.constant 4 : i32
      %k16 = arith.constant 16 : i32
      %k2 = arith.constant 2 : i32
      %k64 = arith.constant 64 : i32
      %lane = arith.remui %t, %k64 : i32
      %wave = arith.divui %t, %k64 : i32
      %wm = arith.remui %wave, %k2 : i32
      %wn = arith.divui %wave, %k2 : i32
      %x = arith.remui %lane, %k16 : i32
      %y = arith.divui %lane, %k16 : i32
      %y4 = arith.muli %y, %k4 : i32
      %wo = arith.muli %wm, %k16 : i32
      %r0 = arith.addi %y4, %wo : i32
      %k35 = arith.constant 35 : i32
      %row = arith.addi %r0, %k35 : i32
      %wp = arith.muli %wn, %k16 : i32
      %c0 = arith.addi %x, %wp : i32
      %k32 = arith.constant 32 : i32
      %col = arith.addi %c0, %k32 : i32
      %dr = arith.subi %v#0, %row : i32
      %dc = arith.subi %v#1, %col : i32
      %k1000 = arith.constant 1000 : i32
      %dm = arith.muli %dr, %k1000 : i32
      %d = arith.addi %dm, %dc : i32
      %q = fly.add_offset(%out, %tc) : (!fly.ptr<i32, global>, !fly.int_tuple<?>) -> !fly.ptr<i32, global>
      fly.ptr.store(%d, %q) : (i32, !fly.ptr<i32, global>) -> ()
      gpu.return
    }
  }
  func.func @a(%x: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 256 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@a blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<i32, global>)
    return
  }
  func.func @b(%x: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 256 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@b blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<i32, global>)
    return
  }
  func.func @c(%x: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 256 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@c blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<i32, global>)
    return
  }
}
