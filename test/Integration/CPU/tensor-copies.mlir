// Tensor copies by value: ends of tensors, padding, waves.

// RUN: fly-run %s --chip=gfx1250 --function=tdm --input=4 --input=8 --input=32xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32 --input=32xi32=-1 --expected=3:32xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32
// RUN: fly-run %s --chip=gfx1250 --function=tdm --input=3 --input=5 --input=32xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32 --input=32xi32=-1 --expected=3:32xi32=1,2,3,4,5,0,0,0,9,10,11,12,13,0,0,0,17,18,19,20,21,0,0,0,0,0,0,0,0,0,0,0
// RUN: fly-run %s --chip=gfx1250 --function=tiled --input=0 --input=0 --input=72xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72 --input=72xi32=-1 --expected=3:72xi32=1,2,3,4,5,6,7,8,-1,-1,-1,-1,13,14,15,16,17,18,19,20,-1,-1,-1,-1,25,26,27,28,29,30,31,32,-1,-1,-1,-1,37,38,39,40,41,42,43,44,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1
// RUN: fly-run %s --chip=gfx1250 --function=tiled --input=4 --input=8 --input=72xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72 --input=72xi32=-1 --expected=3:72xi32=-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,57,58,59,60,-1,-1,-1,-1,-1,-1,-1,-1,69,70,71,72

!P = !fly.ptr<i32, global>
!T = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 2, pad = 8, 1>, 0>
!L = !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [4, 8], elem = i32, tensor2tdm = (1E0,1E1)>, 32>
!S = !fly.copy_atom<!fly_rocdl.cdna5.tensor_store<shape = [4, 8], elem = i32, tensor2tdm = (1E0,1E1)>, 32>

module attributes {gpu.container_module} {
  gpu.module @k {
    // Two waves copy a tile of 4 x 8 whose tensor ends after `rows` x `cols`;
    // shared rows have one element of padding.
    gpu.func @tdm(%rows: i32, %cols: i32, %x: !P, %out: !P) kernel {
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 144 : i64}} : () -> !fly.ptr<i32, shared, align<16>>
      %sl = fly.static : !fly.layout<(4,8):(9,1)>
      %s = fly.make_view(%p, %sl) : (!fly.ptr<i32, shared, align<16>>, !fly.layout<(4,8):(9,1)>) -> !fly.memref<i32, shared, (4,8):(9,1), align<16>>
      %gl = fly.static : !fly.layout<(4,8):(8,1)>
      %g = fly.make_view(%x, %gl) : (!P, !fly.layout<(4,8):(8,1)>) -> !fly.memref<i32, global, (4,8):(8,1)>
      %o = fly.make_view(%out, %gl) : (!P, !fly.layout<(4,8):(8,1)>) -> !fly.memref<i32, global, (4,8):(8,1)>
      %a = fly.make_copy_atom {valBits = 0 : i32} : !T
      %b = fly.atom.set_value(%a, "extent_0", %rows) : (!T, i32) -> !T
      %c = fly.atom.set_value(%b, "extent_1", %cols) : (!T, i32) -> !T
      fly.copy(%c, %g, %s) : (!T, !fly.memref<i32, global, (4,8):(8,1)>, !fly.memref<i32, shared, (4,8):(9,1), align<16>>) -> ()
      rocdl.s.wait.tensorcnt 0
      gpu.barrier
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c31 = arith.constant 31 : i32
      %low = arith.andi %tid, %c31 : i32
      %c8 = arith.constant 8 : i32
      %row = arith.divui %low, %c8 : i32
      %col = arith.remui %low, %c8 : i32
      %at = fly.make_coord(%row, %col) : (i32, i32) -> !fly.int_tuple<(?,?)>
      %v = fly.memref.load(%s, %at) : (!fly.memref<i32, shared, (4,8):(9,1), align<16>>, !fly.int_tuple<(?,?)>) -> i32
      fly.memref.store(%v, %o, %at) : (i32, !fly.memref<i32, global, (4,8):(8,1)>, !fly.int_tuple<(?,?)>) -> ()
      gpu.return
    }

    // The tile of 4 x 8 at (row, col) of a tensor of 6 x 12, to shared memory
    // and to the same place of another tensor; what is outside stays.
    gpu.func @tiled(%row: i32, %col: i32, %x: !P, %out: !P) kernel {
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 128 : i64}} : () -> !fly.ptr<i32, shared, align<16>>
      %sl = fly.static : !fly.layout<(4,8):(8,1)>
      %s = fly.make_view(%p, %sl) : (!fly.ptr<i32, shared, align<16>>, !fly.layout<(4,8):(8,1)>) -> !fly.memref<i32, shared, (4,8):(8,1), align<16>>
      %gl = fly.static : !fly.layout<(6,12):(12,1)>
      %g = fly.make_view(%x, %gl) : (!P, !fly.layout<(6,12):(12,1)>) -> !fly.memref<i32, global, (6,12):(12,1)>
      %o = fly.make_view(%out, %gl) : (!P, !fly.layout<(6,12):(12,1)>) -> !fly.memref<i32, global, (6,12):(12,1)>
      %tile = fly.static : !fly.tile<[4|8]>
      %load, %lc = fly_rocdl.make_tiled_tdm_load_atom %g, %sl, %tile : !fly.memref<i32, global, (6,12):(12,1)>, !fly.layout<(4,8):(8,1)>, !fly.tile<[4|8]>
      %store, %sc = fly_rocdl.make_tiled_tdm_store_atom %o, %sl, %tile : !fly.memref<i32, global, (6,12):(12,1)>, !fly.layout<(4,8):(8,1)>, !fly.tile<[4|8]>
      %base = fly.make_int_tuple(%col, %row) : (i32, i32) -> !fly.int_tuple<(?,?)>
      %cl = fly.static : !fly.layout<(4,8):(1E1,1E0)>
      %ct = fly.make_view(%base, %cl) : (!fly.int_tuple<(?,?)>, !fly.layout<(4,8):(1E1,1E0)>) -> !fly.coord_tensor<(?,?), (4,8):(1E1,1E0)>
      fly.copy(%load, %ct, %s) : (!L, !fly.coord_tensor<(?,?), (4,8):(1E1,1E0)>, !fly.memref<i32, shared, (4,8):(8,1), align<16>>) -> ()
      rocdl.s.wait.tensorcnt 0
      gpu.barrier
      fly.copy(%store, %s, %ct) : (!S, !fly.memref<i32, shared, (4,8):(8,1), align<16>>, !fly.coord_tensor<(?,?), (4,8):(1E1,1E0)>) -> ()
      rocdl.s.wait.tensorcnt 0
      gpu.return
    }
  }

  func.func @tdm(%n0: i32, %n1: i32, %x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@tdm blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%n0 : i32, %n1 : i32, %p : !fly.ptr<i32, global>, %q : !fly.ptr<i32, global>)
    return
  }
  func.func @tiled(%n0: i32, %n1: i32, %x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !fly.ptr<i32, global>
    gpu.launch_func @k::@tiled blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%n0 : i32, %n1 : i32, %p : !fly.ptr<i32, global>, %q : !fly.ptr<i32, global>)
    return
  }
}
