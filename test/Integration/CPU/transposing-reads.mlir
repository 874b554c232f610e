// Transposing reads of shared memory by value.

// RUN: fly-run %s --chip=gfx950 --function=transpose --input=256xi16=3,10,17,24,31,38,45,52,59,66,73,80,87,94,101,108,115,122,129,136,143,150,157,164,171,178,185,192,199,206,213,220,227,234,241,248,255,262,269,276,283,290,297,304,311,318,325,332,339,346,353,360,367,374,381,388,395,402,409,416,423,430,437,444,451,458,465,472,479,486,493,500,507,514,521,528,535,542,549,556,563,570,577,584,591,598,605,612,619,626,633,640,647,654,661,668,675,682,689,696,703,710,717,724,731,738,745,752,759,766,773,780,787,794,801,808,815,822,829,836,843,850,857,864,871,878,885,892,899,906,913,920,927,934,941,948,955,962,969,976,983,990,997,4,11,18,25,32,39,46,53,60,67,74,81,88,95,102,109,116,123,130,137,144,151,158,165,172,179,186,193,200,207,214,221,228,235,242,249,256,263,270,277,284,291,298,305,312,319,326,333,340,347,354,361,368,375,382,389,396,403,410,417,424,431,438,445,452,459,466,473,480,487,494,501,508,515,522,529,536,543,550,557,564,571,578,585,592,599,606,613,620,627,634,641,648,655,662,669,676,683,690,697,704,711,718,725,732,739,746,753,760,767,774,781,788 --input=256xi16=-1 --expected=1:256xi16=3,115,227,339,10,122,234,346,17,129,241,353,24,136,248,360,31,143,255,367,38,150,262,374,45,157,269,381,52,164,276,388,59,171,283,395,66,178,290,402,73,185,297,409,80,192,304,416,87,199,311,423,94,206,318,430,101,213,325,437,108,220,332,444,451,563,675,787,458,570,682,794,465,577,689,801,472,584,696,808,479,591,703,815,486,598,710,822,493,605,717,829,500,612,724,836,507,619,731,843,514,626,738,850,521,633,745,857,528,640,752,864,535,647,759,871,542,654,766,878,549,661,773,885,556,668,780,892,899,11,123,235,906,18,130,242,913,25,137,249,920,32,144,256,927,39,151,263,934,46,158,270,941,53,165,277,948,60,172,284,955,67,179,291,962,74,186,298,969,81,193,305,976,88,200,312,983,95,207,319,990,102,214,326,997,109,221,333,4,116,228,340,347,459,571,683,354,466,578,690,361,473,585,697,368,480,592,704,375,487,599,711,382,494,606,718,389,501,613,725,396,508,620,732,403,515,627,739,410,522,634,746,417,529,641,753,424,536,648,760,431,543,655,767,438,550,662,774,445,557,669,781,452,564,676,788

!R = !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>

module attributes {gpu.container_module} {
  gpu.module @k {
    // Each lane writes four halves, then reads the transposed ones.
    gpu.func @transpose(%x: !fly.ptr<i16, global, align<8>>, %out: !fly.ptr<i16, global, align<8>>) kernel {
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c4 = arith.constant 4 : i32
      %first = arith.muli %tid, %c4 : i32
      %fours = fly.make_int_tuple(%first) : (i32) -> !fly.int_tuple<?{div=4}>
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 512 : i64}} : () -> !fly.ptr<i16, shared, align<16>>
      %l = fly.static : !fly.layout<4:1>
      %from = fly.add_offset(%x, %fours) : (!fly.ptr<i16, global, align<8>>, !fly.int_tuple<?{div=4}>) -> !fly.ptr<i16, global, align<8>>
      %to = fly.add_offset(%out, %fours) : (!fly.ptr<i16, global, align<8>>, !fly.int_tuple<?{div=4}>) -> !fly.ptr<i16, global, align<8>>
      %mine = fly.add_offset(%p, %fours) : (!fly.ptr<i16, shared, align<16>>, !fly.int_tuple<?{div=4}>) -> !fly.ptr<i16, shared, align<8>>
      %v = fly.ptr.load(%from) : (!fly.ptr<i16, global, align<8>>) -> vector<4xi16>
      fly.ptr.store(%v, %mine) : (vector<4xi16>, !fly.ptr<i16, shared, align<8>>) -> ()
      gpu.barrier
      %s = fly.make_view(%mine, %l) : (!fly.ptr<i16, shared, align<8>>, !fly.layout<4:1>) -> !fly.memref<i16, shared, 4:1, align<8>>
      %r = fly.memref.alloca(%l) : (!fly.layout<4:1>) -> !fly.memref<i16, register, 4:1>
      %a = fly.make_copy_atom {valBits = 16 : i32} : !R
      fly.copy_atom_call(%a, %s, %r) : (!R, !fly.memref<i16, shared, 4:1, align<8>>, !fly.memref<i16, register, 4:1>) -> ()
      %w = fly.memref.load_vec(%r) : (!fly.memref<i16, register, 4:1>) -> vector<4xi16>
      fly.ptr.store(%w, %to) : (vector<4xi16>, !fly.ptr<i16, global, align<8>>) -> ()
      gpu.return
    }
  }

  func.func @transpose(%x: !fly.memref<i16, global, ?:1, align<8>>, %out: !fly.memref<i16, global, ?:1, align<8>>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i16, global, ?:1, align<8>>) -> !fly.ptr<i16, global, align<8>>
    %q = fly.get_iter(%out) : (!fly.memref<i16, global, ?:1, align<8>>) -> !fly.ptr<i16, global, align<8>>
    gpu.launch_func @k::@transpose blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%p : !fly.ptr<i16, global, align<8>>, %q : !fly.ptr<i16, global, align<8>>)
    return
  }
}
