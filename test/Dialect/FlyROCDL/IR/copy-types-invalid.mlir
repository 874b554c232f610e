// RUN: fly-opt %s -split-input-file -verify-diagnostics
//
// Copy types that no chip has.

// expected-error@+1 {{unsupported bitSize = 64 for BufferLoadAsyncLDS; expected 32, 96 or 128 (there is no 8-byte LDS DMA instruction)}}
func.func private @buffer_async_64(!fly_rocdl.cdna4.buffer_load_async_lds<64>)

// -----

// expected-error@+1 {{unsupported bitSize = 16 for GlobalLoadAsyncLDS; expected 32, 96 or 128 (there is no 8-byte LDS DMA instruction)}}
func.func private @global_async_16(!fly_rocdl.cdna4.global_load_async_lds<16>)

// -----

// expected-error@+1 {{unsupported (bitSize, transGranularity) = (64, 6) for LDS read transpose; the widths are 4b 64, 8b 64, 6b 96, 16b 64}}
func.func private @trans_pair(!fly_rocdl.cdna4.lds_read_trans<trans = 6b, 64>)

// -----

// expected-error@+1 {{unsupported (bitSize, transGranularity) = (64, 0) for LDS read transpose}}
func.func private @trans_zero(!fly_rocdl.cdna4.lds_read_trans<trans = 0b, 64>)

// -----

// expected-error@+1 {{TDM rank must be in [1, 5], got 6}}
func.func private @tdm_rank(!fly_rocdl.gfx1250.tdm<rank = 6, warps = 1>)

// -----

// expected-error@+1 {{numWarps must be a positive power of two, got 3}}
func.func private @tdm_warps(!fly_rocdl.gfx1250.tdm<rank = 2, warps = 3>)

// -----

// expected-error@+1 {{padInterval and padAmount must both be zero or both non-zero}}
func.func private @tdm_pad_one(!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 64, 0>)

// -----

// expected-error@+1 {{padInterval and padAmount must be non-negative, got 64, -8}}
func.func private @tdm_pad_negative(!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 64, -8>)

// -----

// expected-error@+1 {{padInterval must be a power of two (in elements), got 48}}
func.func private @tdm_pad_power(!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 48, 8>)

// -----

// expected-error@+1 {{expected pad, cache, barrier and timeout in this order, got 'cache'}}
func.func private @tdm_order(!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, barrier = true, cache = 1>)

// -----

// expected-error@+1 {{TDM rank must be in [1, 5], got 6}}
func.func private @tensor_rank(!fly_rocdl.cdna5.tensor_load<shape = [1, 1, 1, 1, 1, 1], elem = f16, tensor2tdm = (1E0,1E1)>)

// -----

// expected-error@+1 {{TDM tile shape dims must be in [1, 65535], got 65536}}
func.func private @tensor_dims(!fly_rocdl.cdna5.tensor_load<shape = [65536, 64], elem = f16, tensor2tdm = (1E0,1E1)>)

// -----

// expected-error@+1 {{TDM dataType must be an integer or float type, got 'index'}}
func.func private @tensor_type(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = index, tensor2tdm = (1E0,1E1)>)

// -----

// expected-error@+1 {{TDM element width must be one of 8, 16, 32 or 64 bits, got}}
func.func private @tensor_width(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = i4, tensor2tdm = (1E0,1E1)>)

// -----

// expected-error@+1 {{TDM iterCount must be in [1, 256], got 257}}
func.func private @tensor_iter(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1), iterCount = 257>)

// -----

// expected-error@+1 {{TDM descriptor iteration takes dim 2's stride for its own, so it needs a descriptor of at most 2 dims, got 3}}
func.func private @tensor_iter_rank(!fly_rocdl.cdna5.tensor_load<shape = [2, 4, 8], elem = f16, tensor2tdm = (1E0,1E1,1E2), iterCount = 2>)

// -----

// expected-error@+1 {{TDM descriptor iteration and LDS padding are not modelled together}}
func.func private @tensor_iter_pad(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1), iterCount = 2, padInterval = 64, padAmount = 8>)

// -----

// expected-error@+1 {{padInterval and padAmount must both be zero or both non-zero}}
func.func private @tensor_pad_one(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 64>)

// -----

// expected-error@+1 {{padInterval must be a power of two (in elements), got 48}}
func.func private @tensor_pad_power(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 48, padAmount = 8>)

// -----

// expected-error@+1 {{padInterval must divide the descriptor's tile (96 elements), so every call starts on a pad boundary, got 64}}
func.func private @tensor_pad_divides(!fly_rocdl.cdna5.tensor_load<shape = [3, 32], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 64, padAmount = 8>)

// -----

// expected-error@+1 {{padded TDM tile_dim0 must span a whole number of dwords, got 3 elements at 16 bits}}
func.func private @tensor_pad_dwords(!fly_rocdl.cdna5.tensor_load<shape = [64, 3], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 64, padAmount = 8>)

// -----

// expected-error@+1 {{TDM tile bit count exceeds the layout integer range}}
func.func private @tensor_too_large(!fly_rocdl.cdna5.tensor_load<shape = [65535, 65535], elem = f16, tensor2tdm = (1E0,1E1)>)

// -----

// expected-error@+1 {{TDM tensor2tdm has 1 modes but the descriptor has 2 dims}}
func.func private @tensor_modes(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = 1E0>)

// -----

// expected-error@+1 {{TDM tensor2tdm mode 1 must have a static scale, got ?}}
func.func private @tensor_scale(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,?)>)

// -----

// expected-error@+1 {{TDM tensor2tdm mode 0 must be a basis stride or 0, got 2}}
func.func private @tensor_plain(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (2,1E1)>)

// -----

// expected-error@+1 {{TDM tensor2tdm mode 0 must name one descriptor dim, got 1E0E1}}
func.func private @tensor_path(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0E1,1E1)>)

// -----

// expected-error@+1 {{TDM tensor2tdm mode 1 lands on dim 2, which is not a descriptor dim in [0, 2)}}
func.func private @tensor_lands(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E2)>)

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: iterCount}}
func.func private @tensor_option(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1), iterCount = 2, iterCount = 2>)

// -----

// expected-error@+1 {{duplicate or unknown struct parameter name: padInterval}}
func.func private @store_pad(!fly_rocdl.cdna5.tensor_store<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 64, padAmount = 8>)
