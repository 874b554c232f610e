// A first kernel: every lane doubles one element of x. The host function launches it with two workgroups of 64 lanes.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @twice(%x: !fly.memref<f32, global, (64,2):(1,64)>) kernel {
      %lane = gpu.thread_id x
      %group = gpu.block_id x
      %i = arith.index_cast %lane : index to i32
      %j = arith.index_cast %group : index to i32
      %at = fly.make_coord(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
      %v = fly.memref.load(%x, %at) : (!fly.memref<f32, global, (64,2):(1,64)>, !fly.int_tuple<(?,?)>) -> f32
      %w = arith.addf %v, %v : f32
      fly.memref.store(%w, %x, %at) : (f32, !fly.memref<f32, global, (64,2):(1,64)>, !fly.int_tuple<(?,?)>) -> ()
      gpu.return
    }
  }
  func.func @main(%p: !fly.ptr<f32, global>) {
    %groups = arith.constant 2 : index
    %lanes = arith.constant 64 : index
    %one = arith.constant 1 : index
    %l = fly.static : !fly.layout<(64,2):(1,64)>
    %x = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(64,2):(1,64)>) -> !fly.memref<f32, global, (64,2):(1,64)>
    gpu.launch_func @kernels::@twice blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<f32, global, (64,2):(1,64)>)
    return
  }
}
