# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffer tensors, raw buffer access, copy and matrix atoms."""

import re

import pytest
from harness import tracing

import flydsl.expr as fx
from flydsl._mlir import ir
from flydsl.expr import buffer_ops, rocdl
from flydsl.expr.typing import T

GLOBAL = "!fly.memref<f32, global, (128,96):(96,1)>"
DYNAMIC = "!fly.memref<f16, global, (?,64):(64,1)>"


def constants(text):
    return re.findall(r"arith.constant (-?\d+) : (i\d+)", text)


@pytest.mark.parametrize("arch, unchecked, checked", [
    ("gfx942", 0x27000, 0x27000), ("gfx950", 0x27000, 0x27000), ("gfx1250", 0x27000, 0x27000), ("gfx1100", 0x21027000, 0x31027000),
    ("gfx1201", 0x21027000, 0x31027000),
])
def test_buffer_tensors(arch, unchecked, checked):
    with tracing(arch, GLOBAL, to_binary=True) as traced:
        buffer = rocdl.make_buffer_tensor(traced.arguments[0])
        assert str(buffer.type) == "!fly.memref<f32, #fly_rocdl.buffer_desc, (128,96):(96,1)>"
        assert str(rocdl.get_buffer_rsrc(buffer).type) == "!llvm.ptr<8>"
    assert constants(traced.text) == [("4294967295", "i64"), ("0", "i16"), (str(unchecked), "i32")]
    for keywords, size in (({"max_size": False}, 128 * 96 * 4), ({"num_records_bytes": 100}, 100)):
        with tracing(arch, GLOBAL, to_binary=True) as traced:
            rocdl.make_buffer_tensor(traced.arguments[0], **keywords)
        assert constants(traced.text) == [(str(size), "i64"), ("0", "i16"), (str(checked), "i32")]


def test_buffer_size_of_a_run_time_shape():
    with tracing("gfx942", DYNAMIC, "i32", "i64", to_binary=True) as traced:
        tensor, n, wide = traced.arguments
        rocdl.make_buffer_tensor(tensor, max_size=False)
        rocdl.make_buffer_tensor(tensor, num_records_bytes=fx.Int32(n) * 128)
        rocdl.make_buffer_tensor(tensor, num_records_bytes=wide)
    text = traced.text
    assert "fly.cosize" in text and "arith.extui" in text and text.count("fly.make_ptr") == 3


def test_buffer_refusals():
    # DIFF: py-buffer-over-4-gib
    huge = "!fly.memref<f32, global, (1073741825):(1)>"
    with tracing("gfx942", GLOBAL, "!fly.memref<f32, shared, 8:1>", huge) as traced:
        tensor, shared, big = traced.arguments
        with pytest.raises(ValueError, match="needs a global pointer, got !fly.ptr<f32, shared"):
            rocdl.make_buffer_tensor(shared)
        with pytest.raises(ValueError, match="reaches 4294967300 bytes, but a buffer descriptor addresses 4 GiB; copy it with fx.UniversalCopy"):
            rocdl.make_buffer_tensor(big)
        with pytest.raises(ValueError, match="num_records_bytes is 4294967296"):
            rocdl.make_buffer_tensor(tensor, num_records_bytes=1 << 32)
        with pytest.raises(ValueError, match="num_records_bytes is -1"):
            rocdl.make_buffer_tensor(tensor, num_records_bytes=-1)


def test_s_buffer_load():
    # DIFF: py-s-buffer-load
    with tracing("gfx942", GLOBAL, "i32", to_binary=True) as traced:
        buffer = rocdl.make_buffer_tensor(traced.arguments[0])
        assert str(rocdl.s_buffer_load(fx.get_iter(buffer), 16).type) == "i32"
        assert str(rocdl.s_buffer_load(rocdl.get_buffer_rsrc(buffer), fx.Int32(traced.arguments[1]), count=4).type) == "vector<4xi32>"
        with pytest.raises(ValueError, match="count must be 1 or 4, got 2"):
            rocdl.s_buffer_load(fx.get_iter(buffer), 0, count=2)
    assert traced.text.count("rocdl.raw.ptr.buffer.load") == 2


def test_buffer_ops():
    with tracing("gfx942", GLOBAL, "i32", "i1", "i64", "!llvm.ptr<1>", to_binary=True) as traced:
        tensor, i, p, addr, ptr = traced.arguments
        rsrc = buffer_ops.create_buffer_resource(tensor)
        bounded = buffer_ops.create_buffer_resource(tensor, max_size=False, base_byte_offset=64)
        assert str(rsrc.type) == str(bounded.type) == str(buffer_ops.create_buffer_resource_from_addr(addr, num_records_bytes=64).type) == "!llvm.ptr<8>"
        assert str(buffer_ops.buffer_load(rsrc, i).type) == "vector<4xf32>"
        assert str(buffer_ops.buffer_load(rsrc, fx.Int32(i), vec_width=1, dtype=T.f16, mask=p).type) == "f16"
        assert str(buffer_ops.buffer_load(rsrc, 3, vec_width=2, dtype=fx.BFloat16, soffset_bytes=8, cache_modifier=2).type) == "vector<2xbf16>"
        assert str(buffer_ops.buffer_load(rsrc, i, vec_width=4, dtype=T.i8).type) == "vector<4xi8>"
        assert str(buffer_ops.buffer_load(rsrc, i, vec_width=1, dtype=T.i8, is_scalar=True).type) == "i8"
        buffer_ops.buffer_store(fx.Float32(1.0), rsrc, i, mask=fx.Int32(i) < 3)
        buffer_ops.buffer_store(fx.Float16x2(0.0), buffer_ops.BufferResourceDescriptor.from_memref(tensor), 8, offset_is_bytes=True)
        assert str(buffer_ops.create_llvm_ptr(addr, 1).type) == "!llvm.ptr<1>" and isinstance(buffer_ops.extract_base_index(tensor).type, ir.IndexType)
        assert str(buffer_ops.get_element_ptr(ptr, i, elem_type=T.f32, static_byte_offset=4).type) == "!llvm.ptr<1>"
        with pytest.raises(ValueError, match="vec_width must be 1, 2 or 4"):
            buffer_ops.buffer_load(rsrc, i, vec_width=3)
        with pytest.raises(ValueError, match="at most 128 bits"):
            buffer_ops.buffer_load(rsrc, i, vec_width=4, dtype=T.f64)
        with pytest.raises(ValueError, match="is not known; pass num_records_bytes"):
            buffer_ops.create_buffer_resource(ptr, max_size=False)
        with pytest.raises(TypeError, match="offset must be an integer, got float"):
            buffer_ops.buffer_load(rsrc, 1.0)
    text = traced.text
    assert text.count("rocdl.raw.ptr.buffer.load") == 5 and text.count("rocdl.raw.ptr.buffer.store") == 2
    # Masked-off lanes have the offset at which the largest resource ends.
    assert text.count("arith.select") == 2 and "constant -16 : i32" in text and "constant 4294967280 : i64" in text
    assert str(128 * 96 * 4 - 64) in text


#===----------------------------------------------------------------------===#
# Copy atoms
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("bits", [8, 16, 32, 64, 128])
def test_buffer_copies(bits):
    with tracing("gfx942"):
        named = getattr(rocdl, f"BufferCopy{bits}b")
        assert str(named()) == f"!fly_rocdl.cdna3.buffer_copy<{bits}>" == str(rocdl.BufferCopy(bits))
        assert str(named(2)) == f"!fly_rocdl.cdna3.buffer_copy<{bits}, cache = 2>" == str(rocdl.BufferCopy(bits, cache_modifier=2))
        atom = fx.make_copy_atom(named(), fx.Float32 if bits >= 32 else bits)
        fx.atom_set_value(atom, "soffset", fx.Int32(3))


def test_copy_refusals():
    with tracing("gfx942"):
        with pytest.raises(ValueError, match="unsupported bitSize = 24 for BufferCopy; expected one of 8, 16, 32, 64"):
            rocdl.BufferCopy(24)
        with pytest.raises(ValueError, match="cache must not be negative"):
            rocdl.BufferCopy(32, -1)
        with pytest.raises(ValueError, match="unsupported bitSize = 64 for BufferCopyLDS; expected 32 or 128"):
            rocdl.BufferCopyLDS64b()
        assert str(rocdl.BufferCopyLDS32b()) == "!fly_rocdl.cdna3.buffer_copy_lds<32>"
        with pytest.raises(ValueError, match="BufferCopyLDS128b is not available on gfx942: the chip lacks the feature 'lds-dma-128'"):
            rocdl.BufferCopyLDS128b()
    with tracing("gfx950"):
        assert str(rocdl.BufferCopyLDS128b()) == "!fly_rocdl.cdna3.buffer_copy_lds<128>"
    for arch in ("gfx1100", "gfx1201", "gfx1250"):
        with tracing(arch):
            with pytest.raises(ValueError, match=f"not available on {arch}"):
                rocdl.BufferCopyLDS32b()


def test_buffer_atomics():
    with tracing("gfx950"):
        assert str(rocdl.BufferAtomicAdd(fx.Float32)) == "!fly_rocdl.cdna3.buffer_atomic<add, f32>"
        assert str(rocdl.BufferAtomicMax(fx.Int32)) == "!fly_rocdl.cdna3.buffer_atomic<max, i32>"
        assert str(rocdl.BufferAtomicMin(fx.Uint32)) == "!fly_rocdl.cdna3.buffer_atomic<min, i32>"
        assert str(rocdl.BufferAtomicPkAdd(fx.BFloat16)) == "!fly_rocdl.cdna3.buffer_atomic<add, vector<2xbf16>>"
        assert str(rocdl.BufferAtomic(fx.AtomicOp.Add, T.f16x2)) == "!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>"
    with tracing("gfx942"):
        with pytest.raises(ValueError, match="not available on gfx942"):
            rocdl.BufferAtomicPkAdd(fx.BFloat16)
        assert str(rocdl.BufferAtomicMax(fx.Uint32)) == "!fly_rocdl.cdna3.buffer_atomic<max, ui32>"
        assert str(rocdl.BufferAtomicMin(fx.Int64)) == "!fly_rocdl.cdna3.buffer_atomic<min, si64>"
        assert str(rocdl.BufferAtomicMin(T.i32)) == "!fly_rocdl.cdna3.buffer_atomic<min, i32>"


#===----------------------------------------------------------------------===#
# Matrix atoms
#===----------------------------------------------------------------------===#

def test_mfma():
    with tracing("gfx942"):
        assert str(rocdl.MFMA(16, 16, 16, fx.Float16)) == "!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>"
        # The guide's fragment.
        assert str(rocdl.MFMA(m=16, n=16, k=32, elem_ty_ab=fx.Float8E4M3FNUZ)) == "!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FNUZ, f8E4M3FNUZ) -> f32>"
        assert str(rocdl.MFMA(32, 32, 16, fx.Int8)) == "!fly_rocdl.cdna3.mfma<32x32x16, (i8, i8) -> i32>"
        assert str(rocdl.MFMA(16, 16, 4, T.f32, T.f32)) == "!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>"
        fx.make_mma_atom(rocdl.MFMA(16, 16, 16, fx.BFloat16))


@pytest.mark.parametrize("arch, shape, dtype, pattern", [
    ("gfx942", (16, 16, 5), "Float16", "unsupported CDNA3 MFMA configuration: 16x16x5 .*the shapes that gfx942 has for f16 are 16x16x16, 32x32x8$"),
    ("gfx950", (16, 16, 5), "Float16", "the shapes that gfx950 has for f16 are 16x16x16, 16x16x32, 32x32x8, 32x32x16$"),
    ("gfx942", (16, 16, 32), "Float16", "MFMA 16x16x32 of f16 is not available on gfx942: the chip lacks the feature 'mfma-wide'; the shapes that gfx942"),
    ("gfx942", (16, 32, 16), "Float16", "invalid MNK dimensions for CDNA3 MFMA: 16x32x16"),
    ("gfx1100", (16, 16, 16), "Float16", "not available on gfx1100: the chip lacks the feature 'mfma'; gfx1100 has no shape for f16"),
    ("gfx942", (0, 16, 16), "Float16", "the extents must be positive, got 0x16x16"),
    ("gfx942", (16, 16, 16), "Float64", "the shapes that gfx942 has for f64 are 16x16x4$"),
])
def test_mfma_refusals(arch, shape, dtype, pattern):
    # DIFF: py-mfma-square
    # DIFF: py-atom-chip-check
    with tracing(arch):
        with pytest.raises(ValueError, match=pattern):
            rocdl.MFMA(*shape, getattr(fx, dtype))


def test_wmma_by_chip():
    expected = {
        "gfx1100": "!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>",
        "gfx1151": "!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>",
        "gfx1201": "!fly_rocdl.gfx120x.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>",
        "gfx1250": "!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>",
    }
    for arch, text in expected.items():
        with tracing(arch):
            assert str(rocdl.WMMA(16, 16, 32 if arch == "gfx1250" else 16, fx.Float16, fx.Float32)) == text
    with tracing("gfx942"):
        with pytest.raises(ValueError, match="WMMA is not available on target arch gfx942"):
            rocdl.WMMA(16, 16, 16, fx.Float16)


@pytest.mark.parametrize("dtype_a, dtype_b, acc, k", [
    ("Float32", None, "Float32", 4), ("Float16", None, "Float16", 32), ("BFloat16", None, "BFloat16", 32), ("Float8E4M3FN", "Float8E5M2", "Float32", 64),
    ("Float8E5M2", None, "Float16", 128), ("Int8", "Uint8", None, 64),
])
def test_gfx1250_wmma_table(dtype_a, dtype_b, acc, k):
    with tracing("gfx1250"):
        kinds = [None if name is None else getattr(fx, name) for name in (dtype_a, acc, dtype_b)]
        text = str(rocdl.WMMA(16, 16, k, kinds[0], kinds[1], elem_ty_b=kinds[2]))
    assert f"16x16x{k}" in text
    if dtype_a == "Int8":
        assert "signA = true, signB = false" in text


def test_wmma_options():
    # DIFF: py-wmma-sign-of-class
    with tracing("gfx1250"):
        # The guide's fragments; the chip has no 4-bit form, which the compiler says.
        fx.make_mma_atom(rocdl.WMMA(16, 16, 32, fx.Float16))
        fx.make_mma_atom(rocdl.WMMA(16, 16, 128, fx.Float8E4M3FN))
        assert "modC = 3" in str(rocdl.WMMA(16, 16, 32, fx.Float16, mod_c=3, reuse_a=True))
        with pytest.raises(ValueError, match="modC must be in"):
            rocdl.WMMA(16, 16, 32, fx.Float16, mod_c=4)
        with pytest.raises(ValueError, match="signA/signB/clamp are only valid for integer"):
            rocdl.WMMA(16, 16, 32, fx.Float16, sign_a=True)
        with pytest.raises(ValueError, match="GFX1250 WMMA requires M=N=16, got 32x16"):
            rocdl.WMMA(32, 16, 32, fx.Float16)
        with pytest.raises(ValueError, match="the shapes that gfx1250 has for f16 are 16x16x32"):
            rocdl.WMMA(16, 16, 16, fx.Float16)
    with tracing("gfx1201"):
        fx.make_mma_atom(rocdl.WMMA(16, 16, 16, fx.BFloat16, fx.Float32))
        assert "signA = true, signB = true, clamp = true" in str(rocdl.WMMA(16, 16, 32, T.i4, T.i32, sign_a=True, sign_b=True, clamp=True))
        with pytest.raises(ValueError, match="GFX120X WMMA floating-point forms require M=N=K=16"):
            rocdl.WMMA(16, 16, 32, fx.Float16)
        with pytest.raises(ValueError, match="are of gfx1250"):
            rocdl.WMMA(16, 16, 16, fx.Float16, mod_c=1)
    with tracing("gfx1100"):
        assert "signA = true, signB = true" in str(rocdl.WMMA(16, 16, 16, fx.Int4))
        assert "signA = false, signB = false" in str(rocdl.WMMA(16, 16, 16, fx.Uint8))


def test_guide_fragment_of_tensor_copies():
    m, n = 64, 32
    with tracing("gfx1250", "!fly.memref<f16, global, (64,32):(32,1)>") as traced:
        lds = fx.SharedAllocator().allocate(fx.Array[fx.Float16, m * n]).peek()
        lds2d = fx.make_view(lds.ptr, fx.make_layout((m, n), (n, 1)))
        g2d = fx.make_view(fx.get_iter(traced.arguments[0]), fx.make_layout((m, n), (n, 1)))
        assert "align<16>" in str(lds2d.type)
        assert "gfx1250.tdm<rank = 2, warps = 4, pad = 0, 0" in str(rocdl.make_tdm_atom(g2d, [m, n], num_warps=4).type)
        with pytest.raises(ValueError, match="raw global tensor"):
            rocdl.make_tdm_atom(rocdl.make_buffer_tensor(g2d), [m, n], num_warps=4)
        with pytest.raises(ValueError, match="1 to 5 extents are needed, got 6"):
            rocdl.make_tdm_atom(g2d, [1] * 6, num_warps=4)
        atom, coordinates = rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(), g2d, fx.make_layout((m, n), (n, 1)), fx.make_tile(m, n))
        # A whole row-major tile is one run of 2048 elements.
        assert "fly_rocdl.cdna5.tensor_load<shape = [2048], elem = f16, tensor2tdm = (32E0,1E0)>" in str(atom.type)
        assert str(coordinates.type) == "!fly.coord_tensor<(0), (64,32):(32E0,1E0)>"
        rocdl.tdm_ops.tensor_wait(0)
    assert "rocdl.s.wait.tensorcnt 0" in traced.text


def test_guide_fragment_of_four_bit_wmma():
    # DIFF: py-gfx1250-iu4
    # No gfx1250 has the 4-bit form that the guide names; the compiler says so.
    with tracing("gfx1250"):
        with pytest.raises(ValueError, match="WMMA"):
            rocdl.WMMA(16, 16, 32, T.i4, T.i32, sign_a=True, sign_b=True, clamp=True)


def test_swizzles_survive():
    with tracing("gfx942", "!fly.ptr<f16, global, align<32>, S<2,3,3>>") as traced:
        assert "S<2,3,3>" in str(rocdl.make_buffer_ptr(traced.arguments[0]).type)


def test_namespaces():
    assert rocdl.cdna3.MFMA is rocdl.MFMA and rocdl.rdna4.WMMA is rocdl.WMMA and rocdl.cdna3.BufferCopy32b is rocdl.BufferCopy32b
    assert rocdl.cdna5.TDM is rocdl.TDM and rocdl.cdna4.MFMAScale is rocdl.cdna4.MFMA_Scale
    assert rocdl.universal.make_buffer_ptr is rocdl.make_buffer_ptr and fx.tdm_ops.tensor_wait is rocdl.tdm_ops.tensor_wait
    assert (rocdl.SyncScope.Agent, rocdl.SyncScope.OneAs, rocdl.SyncScope.WorkgroupOneAs) == ("agent", "one-as", "workgroup-one-as")
    for name in rocdl.__all__:
        assert getattr(rocdl, name) is not None
    with ir.Context():
        assert str(rocdl.enum.TargetAddressSpace.BufferDesc) == "#fly_rocdl.buffer_desc"


@pytest.mark.parametrize("use", [
    lambda: fx.coop.warp_reduce(1, fx.ReductionOp.ADD), lambda: fx.coop.BlockScan[fx.Int32, 64], lambda: fx.coop.BlockScan.Algorithm,
    lambda: fx.coop.universal.warp_sum(1), lambda: fx.random.rand(1), lambda: fx.random.universal.randint4x(1, 2), lambda: fx.ktrace.mark("a"),
    lambda: fx.ktrace.capture(), lambda: fx.extern.ffi("f", [], "void"), lambda: fx.coop.BlockRadixSortAlgorithm.A,
])
def test_names_to_come(use):
    with pytest.raises(NotImplementedError, match="is not supported yet"):
        use()


def test_names_of_the_public_interface():
    names = """cdna3 cdna4 cdna5 rdna3 rdna4 experimental cluster tdm_ops inline_asm SyncScope s_waitcnt asyncmark wait_asyncmark BufferCopy BufferCopyLDS
        BufferAtomic MFMA WMMA WMMAScale MFMA_Scale MFMAScale make_buffer_ptr make_buffer_tensor get_buffer_rsrc s_buffer_load sched_mfma sched_vmem
        sched_dsrd sched_dswr sched_barrier sched_group_barrier mask_mfma mask_vmem_rd mask_dsrd mask_dswr s_wait_asynccnt s_barrier s_setprio s_wait_dscnt
        rcp exp2 ds_bpermute readfirstlane readlane ballot perm_b32 raw_ptr_buffer_load raw_ptr_buffer_store raw_ptr_buffer_load_lds buffer_load_to_lds
        raw_ptr_buffer_atomic_fadd raw_ptr_buffer_atomic_fmax cvt_pk_fp8_f32 cvt_pk_f32_fp8 cvt_scalef32_pk_f32_fp4 cvt_scalef32_pk_bf16_fp4
        cvt_scalef32_pk_fp4_f32 cvt_off_f32_i4 cvt_pk_bf16_f32 tensor_load_to_lds tensor_store_from_lds lds_transpose_load disable_xdl_arb_stall
        TDM make_tdm_atom TensorLoad TensorStore make_tiled_tdm_atom tdm_partition wave_id cluster_workgroup_id_x cluster_workgroup_id_y
        cluster_workgroup_id_z cluster_load_async_to_lds permlane32_swap ds_read_tr8_b64 ds_read_tr16_b64 s_nop cvt_sr_f32_to_bf16 LDSReadTrans
        BufferLoadAsyncLDS32b GlobalLoadAsyncLDS128b wmma_f32_16x16x128_fp8_fp8 wmma_scale_f32_32x16x128_f4 ds_load_tr16_b128 global_load_tr_b128""".split()
    missing = [name for name in names if not hasattr(rocdl, name)]
    assert not missing
    cluster = "CLUSTER_BARRIER_ID CLUSTER_WAIT_ALL is_wave_leader cluster_signal_once_per_wg cluster_wait cluster_barrier compute_cluster_position".split()
    assert not [name for name in cluster if not hasattr(rocdl.cluster, name)]
    assert rocdl.cluster.CLUSTER_BARRIER_ID == rocdl.cluster.CLUSTER_WAIT_ALL == -3
    tdm = """TDMDescriptor2D TDMGatherDescriptor make_tensor_descriptor_2d make_tensor_gather_descriptor make_tensor_gather_dgroup0 tensor_load_2d
        tensor_store_2d tensor_load_gather tensor_store_gather tensor_wait update_tensor_descriptor_2d_addr_lo update_tensor_descriptor_2d_addr_lo_hi
        update_tensor_descriptor_2d_addr64 update_tensor_descriptor_2d_lds_addr add_addr_with_carry compute_padding_encoding compute_warp_distribution
        l2_prefetch_tile""".split()
    assert not [name for name in tdm if not hasattr(rocdl.tdm_ops, name)]
    assert (rocdl.tdm_ops.PREFETCH_SCOPE_SE, rocdl.tdm_ops.PREFETCH_SCOPE_DEVICE) == (8, 16)
    flat = """thread_idx block_idx block_dim grid_dim thread_id block_id barrier lane_id shuffle_xor shuffle_up shuffle_down shuffle_idx known_block_size
        num_warp_threads smem_space lds_space SharedAllocator Arena Storage Array Align Empty Struct Union struct union is_composite_type is_struct_type
        is_specializable_struct_type""".split()
    assert not [name for name in flat if not hasattr(fx, name)]
