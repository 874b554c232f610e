// RUN: fly-opt %s -split-input-file -verify-diagnostics
//
// Tiles that are no tensor copy.

func.func @flat_rank(%t: !fly.memref<f16, global, (2,2,2,2,2,64):(2048,1024,512,256,128,1)>) {
  %l = fly.static : !fly.layout<(2,64):(64,1)>
  %b = fly.static : !fly.tile<[1|1|1|1|2|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: tiled TDM currently supports global tensor flat-rank <= 5, got 6}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (2,2,2,2,2,64):(2048,1024,512,256,128,1)>, !fly.layout<(2,64):(64,1)>, !fly.tile<[1|1|1|1|2|64]>
  return
}

// -----

func.func @warps(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: num_warps must be positive, got 0}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {numWarps = 0 : i32} : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @uneven(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: num_warps cuts a descriptor axis unevenly}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {numWarps = 3 : i32} : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @too_many(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(2,4):(4,1)>
  %b = fly.static : !fly.tile<[2|4]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: num_warps exceeds the logical descriptor box}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {numWarps = 16 : i32} : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(2,4):(4,1)>, !fly.tile<[2|4]>
  return
}

// -----

func.func @pad_box(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<((8,16),64):((64,576),1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: padInterval must divide each warp's physical TDM box}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {numWarps = 32 : i32} : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<((8,16),64):((64,576),1)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @too_long(%t: !fly.memref<f16, global, (131072,8):(8,1)>) {
  %l = fly.static : !fly.layout<(131072,8):(8,1)>
  %b = fly.static : !fly.tile<[131072|8]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: physical TDM tile dimension exceeds 65535}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (131072,8):(8,1)>, !fly.layout<(131072,8):(8,1)>, !fly.tile<[131072|8]>
  return
}

// -----

func.func @count(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|32]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: the tiler holds 4096 elements but the LDS tile holds 8192; a tiler reshapes the tile, it does not shrink it}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|32]>
  return
}

// -----

func.func @tiler_rank(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64|1]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: the tiler has 3 modes at nesting depth 0 but the tensor has 2; a tiler selects from a mode's leading sub-modes}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64|1]>
  return
}

// -----

func.func @tiler_depth(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[[64|2]|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: the tiler is deeper than the tensor at nesting depth 1; the tensor has a single extent there but the tiler has 2 sub-modes}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[[64|2]|64]>
  return
}

// -----

func.func @empty_tensor(%t: !fly.memref<f16, global, (4,(0,256)):(0,(1,512))>) {
  %l = fly.static : !fly.layout<(2,4):(4,1)>
  %b = fly.static : !fly.tile<[2|4]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: the tensor is empty: the extent of its mode 1 is 0}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (4,(0,256)):(0,(1,512))>, !fly.layout<(2,4):(4,1)>, !fly.tile<[2|4]>
  return
}

// -----

func.func @empty_tile(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(0,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{the tiler holds 8192 elements but the LDS tile holds 0}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(0,64):(64,1)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @tiler_layout(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128:2|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: the tiler's mode at nesting depth 1 must be an extent or a nested tile, got 128:2; a strided (layout) tiler mode is not modelled}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128:2|64]>
  return
}

// -----

func.func @broadcast(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(0,1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: LDS mode 0 has extent 128 and stride 0; TDM walks LDS linearly and cannot broadcast one location over several tile elements}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(0,1)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @not_contiguous(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(128,2)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: the LDS tile must be contiguous along its fastest axis, but its smallest stride is 2 (mode 1)}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(128,2)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @overlap(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(32,1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: LDS mode 0 has stride 32, smaller than the 64 elements inside it; the tile overlaps itself}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(32,1)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @two_pads(%t: !fly.memref<f16, global, (8,16,64):(1024,64,1)>) {
  %l = fly.static : !fly.layout<(8,16,64):(1200,72,1)>
  %b = fly.static : !fly.tile<[8|16|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: the LDS tile's stride (modes sorted by stride) is not a single-pad form; TDM can express one constant skip every pad_interval elements, so mode 0 must have stride 1152, got 1200}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (8,16,64):(1024,64,1)>, !fly.layout<(8,16,64):(1200,72,1)>, !fly.tile<[8|16|64]>
  return
}

// -----

func.func @majorness(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(1,128)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: the innermost descriptor dim must be contiguous in global memory (stride 1), got global mode 0 — the LDS tile's majorness does not match the global tensor's}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(1,128)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @stride_range(%t: !fly.memref<f16, global, (256,512):(281474976710656,1)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: descriptor dim 0 stride 281474976710656 is outside the unsigned 48-bit tensor_dim_stride range}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(281474976710656,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @internal(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(64,1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_load_atom: internal_type must be omitted until rational basis strides are supported}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b {internalType = f16} : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(64,1)>, !fly.tile<[128|64]>
  return
}

// -----

func.func @padded_store(%t: !fly.memref<f16, global, (256,512):(512,1)>) {
  %l = fly.static : !fly.layout<(128,64):(72,1)>
  %b = fly.static : !fly.tile<[128|64]>
  // expected-error@+1 {{fly_rocdl.make_tiled_tdm_store_atom: a TDM store cannot drain a padded LDS tile (pad interval 64, amount 8); TENSOR_STORE_FROM_LDS has no de-padding, it walks LDS with the packed tile stride}}
  %a, %c = fly_rocdl.make_tiled_tdm_store_atom %t, %l, %b : !fly.memref<f16, global, (256,512):(512,1)>, !fly.layout<(128,64):(72,1)>, !fly.tile<[128|64]>
  return
}

// -----

// DIFF: tiled-tdm-split
func.func @split(%t: !fly.memref<f16, global, (16,64):(64,1)>) {
  %l = fly.static : !fly.layout<(16,(8,8)):(8,(1,128))>
  %b = fly.static : !fly.tile<[16|64]>
  // expected-error@+1 {{tensor mode 1 is split over several descriptor dims, which one coordinate cannot move}}
  %a, %c = fly_rocdl.make_tiled_tdm_load_atom %t, %l, %b : !fly.memref<f16, global, (16,64):(64,1)>, !fly.layout<(16,(8,8)):(8,(1,128))>, !fly.tile<[16|64]>
  return
}
