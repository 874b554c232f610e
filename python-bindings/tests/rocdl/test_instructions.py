# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each instruction wrapper: the operation that it emits, its operands and attributes."""

import re

import pytest
from harness import tracing

from flydsl._mlir import ir
from flydsl.expr import numeric as nm
from flydsl.expr import rocdl

# name, types of the block arguments, call on (rocdl, arguments, T), expected text.
F32, F16, BF16, I32, I64 = "f32", "f16", "bf16", "i32", "i64"
V4F32, V16F32, V4F16, V8F16, V4I16, V8BF16 = "vector<4xf32>", "vector<16xf32>", "vector<4xf16>", "vector<8xf16>", "vector<4xi16>", "vector<8xbf16>"


def parse(text):
    return ir.Type.parse(text)


MFMA = [
    ("mfma_f32_16x16x16f16", V4F16, V4F32), ("mfma_f32_16x16x16bf16_1k", V4I16, V4F32), ("mfma_f32_16x16x32_f16", V8F16, V4F32),
    ("mfma_f32_16x16x32_bf16", V8BF16, V4F32), ("mfma_f32_16x16x32_fp8_fp8", I64, V4F32), ("mfma_i32_16x16x32_i8", I64, "vector<4xi32>"),
    ("mfma_f32_32x32x8f16", V4F16, V16F32), ("mfma_f32_32x32x8bf16_1k", V4I16, V16F32), ("mfma_f32_32x32x16_f16", V8F16, V16F32),
    ("mfma_f32_32x32x16_bf16", V8BF16, V16F32),
]


@pytest.mark.parametrize("name, a, c", MFMA)
def test_mfma(name, a, c):
    with tracing("gfx950", a, a, c, to_binary=True) as traced:
        result = getattr(rocdl, name)(parse(c), traced.arguments)
        assert result.type == parse(c)
        getattr(rocdl, name)(parse(c), [*traced.arguments, 0, 0, nm.Int32(3)])
    text = traced.text
    assert text.count(" rocdl.mfma.") == 2 and text.count(" %arg0, %arg1, %arg2, ") == 2
    for number in (0, 3):
        assert f"arith.constant {number} : i32" in text


def test_mfma_of_several_blocks():
    with tracing("gfx950", V4F16, V4F16, V4F32, to_binary=True) as traced:
        rocdl.mfma_f32_4x4x4f16(parse(V4F32), [*traced.arguments, 2, 1, nm.Int32(3)])
    numbers = dict(re.findall(r"(%\S+) = arith.constant (\d) : i32", traced.text))
    operands = re.search(r"rocdl.mfma.f32.4x4x4f16 %arg0, %arg1, %arg2, (%\S+), (%\S+), (%\S+) :", traced.text).groups()
    assert [numbers[operand] for operand in operands] == ["2", "1", "3"]


def test_mfma_wants_three_operands():
    with tracing("gfx942", V4F16, V4F32, to_binary=True) as traced:
        with pytest.raises(TypeError, match="takes 3 to 6 operands, got 2"):
            rocdl.mfma_f32_16x16x16f16(parse(V4F32), traced.arguments)


@pytest.mark.parametrize("arch, name", [("gfx942", "mfma_f32_16x16x32_f16"), ("gfx942", "mfma_f32_16x16x8bf16"), ("gfx1100", "mfma_f32_16x16x16f16"),
                                        ("gfx1250", "mfma_i32_16x16x32_i8")])
def test_mfma_that_the_chip_lacks(arch, name):
    with tracing(arch, V8F16, V4F32) as traced:
        a, c = traced.arguments
        with pytest.raises(ValueError, match=f"rocdl.{name} is not available on {arch}: the chip lacks the feature 'mfma"):
            getattr(rocdl, name)(parse(V4F32), [a, a, c])


@pytest.mark.parametrize("name, c", [("mfma_scale_f32_16x16x128_f8f6f4", V4F32), ("mfma_scale_f32_32x32x64_f8f6f4", V16F32)])
def test_scaled_mfma(name, c):
    with tracing("gfx950", "vector<8xi32>", c, I32, to_binary=True) as traced:
        a, c_value, scale = traced.arguments
        result = getattr(rocdl, name)(parse(c), [a, a, c_value, 4, 4, 0, scale, 1, scale])
        assert result.type == parse(c)
    assert f"rocdl.{name.replace('_f8f6f4', '.f8f6f4').replace('mfma_scale_f32_', 'mfma.scale.f32.')} %arg0, %arg0, %arg1, " in traced.text


WMMA = [
    ("gfx1100", "wmma_f32_16x16x16_f16", "vector<16xf16>", "vector<8xf32>", {}, ""),
    ("gfx1201", "wmma_f32_16x16x16_bf16", "vector<8xi16>", "vector<8xf32>", {}, ""),
    ("gfx1100", "wmma_i32_16x16x16_iu8", "vector<4xi32>", "vector<8xi32>", {"sign_a": True, "clamp": True}, "{clamp = true, signA = true}"),
    ("gfx1250", "wmma_f32_16x16x32_f16", "vector<16xf16>", "vector<8xf32>", {"mod_c": 1}, "modC = 1"),
    ("gfx1250", "wmma_f32_16x16x128_fp8_fp8", "vector<16xi32>", "vector<8xf32>", {"modC": 1, "reuseA": True}, "modC = 1 : i16, reuseA = true"),
]


@pytest.mark.parametrize("arch, name, a, c, keywords, expected", WMMA)
def test_wmma(arch, name, a, c, keywords, expected):
    with tracing(arch, a, a, c, to_binary=True) as traced:
        assert getattr(rocdl, name)(parse(c), *traced.arguments, **keywords).type == parse(c)
    assert expected in traced.text and " rocdl.wmma." in traced.text


def test_scaled_wmma():
    with tracing("gfx1250", "vector<16xi32>", "vector<8xf32>", I32, "vector<16xf32>", "vector<8xi32>", to_binary=True) as traced:
        a, c, scale, wide, b = traced.arguments
        assert rocdl.wmma_scale_f32_16x16x128_f8f6f4(c.type, a, a, c, scale, scale, fmtA=0, fmtB=0, scaleBType=1).type == c.type
        assert rocdl.wmma_scale_f32_32x16x128_f4(wide.type, a, b, wide, scale, scale).type == wide.type
    text = traced.text
    assert "rocdl.wmma.scale.f32.16x16x128.f8f6f4" in text and "scaleBType = 1" in text and "rocdl.wmma.scale.f32.32x16x128.f4" in text


def test_scheduling():
    with tracing("gfx942", to_binary=True) as traced:
        rocdl.sched_mfma(2)
        rocdl.sched_vmem(3)
        rocdl.sched_dsrd(4)
        rocdl.sched_dswr(nm.Int32(5))
        rocdl.sched_barrier(0)
        rocdl.sched_group_barrier(rocdl.mask_mfma, 1, 7)
        rocdl.s_barrier()
        rocdl.s_setprio(3)
        rocdl.s_nop(1)
    text = traced.text
    assert (rocdl.mask_mfma, rocdl.mask_vmem_rd, rocdl.mask_dsrd, rocdl.mask_dswr) == (0x008, 0x020, 0x100, 0x200)
    for line in ("sched.group.barrier 8, 2, 0", "sched.group.barrier 32, 3, 0", "sched.group.barrier 256, 4, 0", "sched.group.barrier 512, 5, 0",
                 "sched.barrier 0", "sched.group.barrier 8, 1, 7", "s.barrier", "s.setprio 3", "s.nop 1"):
        assert f"rocdl.{line}\n" in text, line


@pytest.mark.parametrize("arch, counts, field", [
    ("gfx942", {"vmcnt": 0}, 0x0F70), ("gfx942", {"vmcnt": 63}, 0xCF7F), ("gfx950", {"vmcnt": 18, "lgkmcnt": 3}, 0x4372), ("gfx942", {"lgkmcnt": 0}, 0xC07F),
    ("gfx942", {"expcnt": 0, "vmcnt": 1, "lgkmcnt": 2}, 0x0201), ("gfx1100", {"vmcnt": 0}, 0x03F7), ("gfx1100", {"lgkmcnt": 0}, 0xFC07),
    ("gfx1201", {"vmcnt": 5, "expcnt": 1, "lgkmcnt": 9}, 0x1491),
])
def test_waitcnt(arch, counts, field):
    with tracing(arch, to_binary=True) as traced:
        rocdl.s_waitcnt(**counts)
    assert f"rocdl.s.waitcnt {field}\n" in traced.text


def test_waitcnt_refusals():
    with tracing("gfx942", I32, to_binary=True) as traced:
        rocdl.s_waitcnt(0x3F70)
        for field in (-1, 1 << 16):
            with pytest.raises(ValueError, match=f"s_waitcnt: bitfield must have 16 bits, got {field}"):
                rocdl.s_waitcnt(field)
        with pytest.raises(ValueError, match="vmcnt must be 0 to 63 on gfx942, got 64"):
            rocdl.s_waitcnt(vmcnt=64)
        with pytest.raises(TypeError, match="lgkmcnt must be an int known while tracing"):
            rocdl.s_waitcnt(lgkmcnt=nm.Int32(traced.arguments[0]))
        with pytest.raises(TypeError, match="not both"):
            rocdl.s_waitcnt(0, vmcnt=1)
        with pytest.raises(TypeError, match="at least one"):
            rocdl.s_waitcnt()
    assert "rocdl.s.waitcnt 16240" in traced.text
    with tracing("gfx1250"):
        with pytest.raises(ValueError, match="gfx1250 have no common field"):
            rocdl.s_waitcnt(vmcnt=0)
        rocdl.s_wait_asynccnt()
        rocdl.s_wait_dscnt(3)
        rocdl.s_wait_tensorcnt(1)


def test_not_in_this_llvm():
    with tracing("gfx950"):
        # DIFF: py-register-hints
        with pytest.raises(NotImplementedError, match="sched_vgpr is not supported yet"):
            rocdl.experimental.sched_vgpr(1, 2)


@pytest.mark.parametrize("arch, wait", [("gfx942", "rocdl.s.waitcnt 3952"), ("gfx950", "rocdl.s.waitcnt 3952"), ("gfx1250", "rocdl.s.wait.asynccnt 0")])
def test_asynchronous_groups(arch, wait):
    # DIFF: py-asyncmark
    # A mark needs no instruction, since a wait is for all groups.
    with tracing(arch, to_binary=True) as traced:
        rocdl.asyncmark()
        before = str(traced.module)
        rocdl.wait_asyncmark(2)
    assert "rocdl" not in before.split("gpu.func")[1] and f"{wait}\n" in traced.text
    with tracing("gfx1201"):
        with pytest.raises(ValueError, match="asyncmark is not available on gfx1201: the chip has no copies to shared memory"):
            rocdl.asyncmark()


def test_math():
    with tracing("gfx942", F32, F16, to_binary=True) as traced:
        x, h = traced.arguments
        assert str(rocdl.exp2(parse(F32), x).type) == "f32"
        assert type(rocdl.rcp(nm.Float32(x))) is nm.Float32
        rocdl.rcp(nm.Float32, 2.0)
        rocdl.rcp(parse(F16), h)
        rocdl.sqrt(parse(F32), x)
    text = traced.text
    assert "rocdl.exp2 %arg0 f32" in text and text.count("rocdl.rcp") == 3 and "rocdl.sqrt" in text


def test_lanes():
    with tracing("gfx942", I32, F32, "i1", "f64", "vector<4xf16>", I64, to_binary=True) as traced:
        i, x, p, d, v, wide = traced.arguments
        assert str(rocdl.ds_bpermute(parse(I32), i, i).type) == "i32"
        moved = rocdl.ds_bpermute(nm.Int32(i), nm.Float32(x))
        assert type(moved) is nm.Float32
        assert str(rocdl.ds_bpermute(parse("f64"), i, d).type) == "f64"
        assert str(rocdl.ds_bpermute(parse("vector<4xf16>"), i, v).type) == "vector<4xf16>"
        assert str(rocdl.ds_bpermute(parse("f16"), i, nm.Float16(1.0)).type) == "f16"
        assert type(rocdl.readfirstlane(nm.Uint32(i))) is nm.Uint32
        rocdl.readfirstlane(parse(I32), i)
        rocdl.readlane(parse(I32), i, 3)
        rocdl.ballot(parse(I64), p)
        assert str(rocdl.ballot(nm.Int32(i) > 0).type) == "i64"
        rocdl.dpp(nm.Float32(x), 0x111, 0xF, 0xF, True)
        assert len(rocdl.permlane32_swap(i, i)) == 2
        assert rocdl.permlane16_swap(parse("!llvm.struct<(i32, i32)>"), i, i, False, False).type == parse("!llvm.struct<(i32, i32)>")
        assert str(rocdl.perm_b32(i, i, 0x01020304).type) == "i32"
        with pytest.raises(TypeError, match="takes 2 operands"):
            rocdl.ds_bpermute(i)
        with pytest.raises(TypeError, match="not as wide"):
            rocdl.readfirstlane(parse(I32), wide)
    text = traced.text
    assert text.count("rocdl.ds_bpermute") == 7 and text.count("rocdl.readfirstlane") == 3 and "llvm.amdgcn.perm" in text
    assert "rocdl.update.dpp" in text and "rocdl.readlane %arg0" in text


def test_conversions():
    # DIFF: py-cvt-pk-bf16
    with tracing("gfx950", I32, F32, to_binary=True) as traced:
        i, x = traced.arguments
        assert str(rocdl.cvt_pk_fp8_f32(parse(I32), x, nm.Float32(x), i, False).type) == "i32"
        assert str(rocdl.cvt_pk_f32_fp8(parse("vector<2xf32>"), i, 1).type) == "vector<2xf32>"
        assert str(rocdl.cvt_scalef32_pk_f32_fp4(parse("vector<2xf32>"), i, x, 0).type) == "vector<2xf32>"
        assert str(rocdl.cvt_scalef32_pk_bf16_fp4(parse("vector<2xbf16>"), i, x, 2).type) == "vector<2xbf16>"
        assert str(rocdl.cvt_scalef32_pk_fp4_f32(parse(I32), i, x, x, 1.0, 3).type) == "i32"
        assert str(rocdl.cvt_off_f32_i4(i).type) == "f32"
        assert str(rocdl.cvt_off_f32_i4(i, byte_sel=2).type) == "f32"
        assert str(rocdl.cvt_pk_bf16_f32(x, 1.0).type) == "i32"
        assert str(rocdl.cdna4.cvt_sr_f32_to_bf16(x, i).type) == "bf16"
        with pytest.raises(ValueError, match="byte_sel must be 0 to 3"):
            rocdl.cvt_off_f32_i4(i, byte_sel=4)
    assert "llvm.amdgcn.cvt.off.f32.i4" in traced.text


def test_raw_buffers():
    with tracing("gfx942", "!llvm.ptr<8>", "!llvm.ptr<3>", I32, F32, "!llvm.ptr<1>", to_binary=True) as traced:
        rsrc, lds, i, x, ptr = traced.arguments
        assert str(rocdl.raw_ptr_buffer_load(rsrc, i, 0, 0).type) == "i32"
        assert str(rocdl.raw_ptr_buffer_load(parse(V4F32), rsrc, i, 0).type) == V4F32
        assert str(rocdl.raw_ptr_buffer_load(nm.Float32, rsrc, nm.Int32(i), nm.Int32(4), 2).type) == "f32"
        rocdl.raw_ptr_buffer_store(nm.Float32(x), rsrc, i, 0, 0)
        rocdl.raw_ptr_buffer_store(1.5, rsrc, 8, 0, aux=2)
        rocdl.raw_ptr_buffer_atomic_fadd(x, rsrc, i, 0, 0)
        with pytest.raises(ValueError, match="BufferAtomic Max of f32 is not available on gfx942"):
            rocdl.raw_ptr_buffer_atomic_fmax(x, rsrc, i, 0, 0)
        rocdl.raw_ptr_buffer_load_lds(rsrc, lds, 4, i, 0, 0)
        rocdl.buffer_load_to_lds(rsrc, lds, i)
        assert str(rocdl.make_buffer_rsrc(ptr, num_records=64).type) == "!llvm.ptr<8>"
        with pytest.raises(TypeError, match="takes rsrc, offset, soffset"):
            rocdl.raw_ptr_buffer_load(rsrc)
        with pytest.raises(ValueError, match="size_bytes must be"):
            rocdl.buffer_load_to_lds(rsrc, lds, i, size_bytes=8)
    text = traced.text
    assert text.count("rocdl.raw.ptr.buffer.load %") == 3 and text.count("rocdl.raw.ptr.buffer.store") == 2
    assert text.count("rocdl.raw.ptr.buffer.load.lds") == 2 and "rocdl.make.buffer.rsrc" in text


def test_atomic_maximum():
    with tracing("gfx1100", "!llvm.ptr<8>", I32, to_binary=True) as traced:
        rsrc, i = traced.arguments
        rocdl.raw_ptr_buffer_atomic_fmax(2.5, rsrc, i, 0, 0)
    assert "rocdl.raw.ptr.buffer.atomic.fmax" in traced.text


def test_gfx1250_instructions():
    # DIFF: py-xdl-arb-stall
    with tracing("gfx1250", "!llvm.ptr<1>", "!llvm.ptr<3>", "vector<4xi32>", "vector<8xi32>", I32, to_binary=True) as traced:
        g, lds, g0, g1, mask = traced.arguments
        rocdl.wave_id()
        rocdl.cluster_workgroup_id_x()
        rocdl.cluster.cluster_barrier()
        assert all(isinstance(p.type, ir.IndexType) for p in rocdl.cluster.compute_cluster_position())
        for size in (1, 4, 8, 16):
            rocdl.cluster_load_async_to_lds(g, lds, size, mask=mask)
        with pytest.raises(ValueError, match="must be 1, 4, 8 or 16"):
            rocdl.cluster_load_async_to_lds(g, lds, 2)
        rocdl.tensor_load_to_lds(g0, g1, g0, g0, g1, 1)
        rocdl.tensor_store_from_lds(g0, g1)
        rocdl.disable_xdl_arb_stall()
        rocdl.lds_transpose_load(parse("vector<8xf16>"), lds, mask, 2)
    text = traced.text
    assert "rocdl.s.barrier.signal id = -3" in text and "rocdl.s.barrier.wait id = -3" in text
    assert text.count("rocdl.cluster.load.async.to.lds.b") == 4 and "rocdl.tensor.load.to.lds" in text and "tensor.store.from.lds.d2" in text
    with tracing("gfx942", "!llvm.ptr<3>"):
        with pytest.raises(ValueError, match="gfx1250, not of gfx942"):
            rocdl.disable_xdl_arb_stall()


def test_inline_assembly():
    with tracing("gfx942", F32, to_binary=True) as traced:
        result = rocdl.inline_asm(parse(F32), [traced.arguments[0]], "v_mul_f32 $0, $1, $1", "=v,v")
        assert str(result.type) == "f32"
        rocdl.inline_asm.inline_asm(None, [], "s_nop 0", "")
    assert 'llvm.inline_asm has_side_effects "v_mul_f32 $0, $1, $1", "=v,v"' in traced.text


def test_every_builder_of_the_dialect_is_there():
    from flydsl._mlir.dialects import rocdl as dialect

    builders = [name for name in vars(dialect) if not name.startswith("_") and callable(getattr(dialect, name))]
    assert len(builders) > 440
    for name in builders:
        assert getattr(rocdl, name) is not None
        if name.endswith("_"):
            assert callable(getattr(rocdl, name[:-1]))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        rocdl.nonsense


def test_generic_builders_take_dsl_values():
    with tracing("gfx942", I32, F32, to_binary=True) as traced:
        i, x = traced.arguments
        rocdl.fmed3(nm.Float32, nm.Float32(x), 1.0, 2.0)
        rocdl.mbcnt_lo(parse(I32), -1, nm.Int32(i))
        rocdl.s_sleep(nm.Int32(2))
        rocdl.iglp_opt(1)
        with pytest.raises(TypeError, match="rocdl.s_sleep: count is part of the instruction"):
            rocdl.s_sleep(nm.Int32(i))
    text = traced.text
    assert "rocdl.fmed3" in text and "rocdl.mbcnt.lo" in text and "rocdl.s.sleep 2" in text
