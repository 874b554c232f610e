# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every public name of `fx.rocdl` is used by a kernel that runs on the CPU target; the table names the test that does."""

import ast
import functools
import re
from pathlib import Path

import pytest

from flydsl.expr import rocdl

FOLDER = Path(__file__).parent

# Test: the names whose kernel it runs. A name stands once.
USES = {
    "test_copies_on_cpu.py::test_buffer_copy": "BufferCopy BufferCopy8b BufferCopy16b BufferCopy32b BufferCopy64b BufferCopy128b make_buffer_tensor",
    "test_copies_on_cpu.py::test_raw_resources": "make_buffer_ptr get_buffer_rsrc s_buffer_load raw_ptr_buffer_load raw_ptr_buffer_store",
    "test_copies_on_cpu.py::test_buffer_atomics": "BufferAtomic BufferAtomicAdd BufferAtomicMax BufferAtomicMin",
    "test_copies_on_cpu.py::test_packed_buffer_addition": "BufferAtomicPkAdd",
    "test_copies_on_cpu.py::test_copies_to_shared_memory": """BufferCopyLDS BufferCopyLDS32b BufferCopyLDS128b BufferLoadAsyncLDS BufferLoadAsyncLDS32b
        BufferLoadAsyncLDS96b BufferLoadAsyncLDS128b GlobalLoadAsyncLDS GlobalLoadAsyncLDS32b GlobalLoadAsyncLDS96b GlobalLoadAsyncLDS128b asyncmark
        wait_asyncmark""",
    "test_copies_on_cpu.py::test_raw_copies_to_shared_memory": "raw_ptr_buffer_load_lds buffer_load_to_lds",
    "test_copies_on_cpu.py::test_transposing_reads": "LDSReadTrans LDSReadTrans4_64b LDSReadTrans8_64b LDSReadTrans6_96b LDSReadTrans16_64b",
    "test_tensor_copies_on_cpu.py::test_tiles_of_all_ranks": "make_tdm_atom tdm_ops.tensor_wait",
    "test_tensor_copies_on_cpu.py::test_tiled_copies_of_a_matrix": "TensorLoad make_tiled_tdm_atom tdm_partition",
    "test_tensor_copies_on_cpu.py::test_tiled_stores": "TensorStore",
    "test_tensor_copies_on_cpu.py::test_atom_from_its_type": "TDM",
    "test_tensor_copies_on_cpu.py::test_descriptors": "tdm_ops.TDMDescriptor2D tdm_ops.make_tensor_descriptor_2d tdm_ops.tensor_load_2d",
    "test_tensor_copies_on_cpu.py::test_stores_and_changed_addresses": """tdm_ops.tensor_store_2d tdm_ops.add_addr_with_carry
        tdm_ops.update_tensor_descriptor_2d_addr64 tdm_ops.update_tensor_descriptor_2d_addr_lo tdm_ops.update_tensor_descriptor_2d_addr_lo_hi
        tdm_ops.update_tensor_descriptor_2d_lds_addr tdm_ops.l2_prefetch_tile tdm_ops.PREFETCH_SCOPE_SE tdm_ops.PREFETCH_SCOPE_DEVICE""",
    "test_tensor_copies_on_cpu.py::test_words_by_the_instructions": "tensor_load_to_lds tensor_store_from_lds s_wait_tensorcnt",
    "test_tensor_copies_on_cpu.py::test_gathering_loads": "tdm_ops.make_tensor_gather_descriptor tdm_ops.tensor_load_gather",
    "test_tensor_copies_on_cpu.py::test_scattering_stores": """tdm_ops.TDMGatherDescriptor tdm_ops.make_tensor_gather_dgroup0 tdm_ops.tensor_store_gather
        tdm_ops.update_tensor_gather_descriptor_lds_addr""",
    "test_tensor_copies_on_cpu.py::test_changed_addresses_of_gathers": """tdm_ops.update_tensor_gather_descriptor_addr64
        tdm_ops.update_tensor_gather_descriptor_addr_lo tdm_ops.update_tensor_gather_descriptor_addr_lo_hi""",
    "test_tensor_copies_on_cpu.py::test_helpers_of_descriptors": "tdm_ops.compute_padding_encoding tdm_ops.compute_warp_distribution",
    "test_matrix_instructions_on_cpu.py::test_atoms": "MFMA WMMA",
    "test_matrix_instructions_on_cpu.py::test_mfma": """mfma_f32_16x16x16f16 mfma_f32_16x16x16bf16_1k mfma_f32_16x16x32_f16 mfma_f32_16x16x32_bf16
        mfma_f32_16x16x32_fp8_fp8 mfma_i32_16x16x32_i8 mfma_f32_32x32x8f16 mfma_f32_32x32x8bf16_1k mfma_f32_32x32x16_f16 mfma_f32_32x32x16_bf16""",
    "test_matrix_instructions_on_cpu.py::test_scaled_mfma_of_32_rows": "mfma_scale_f32_32x32x64_f8f6f4",
    "test_matrix_instructions_on_cpu.py::test_wmma_of_eight_bit_floats": "wmma_f32_16x16x128_fp8_fp8",
    "test_matrix_instructions_on_cpu.py::test_scaled_wmma_of_32_rows": "wmma_scale_f32_32x16x128_f4",
    "test_matrices_on_cpu.py::test_scaled_mfma": "MFMA_Scale MFMAScale mfma_scale_f32_16x16x128_f8f6f4",
    "test_matrices_on_cpu.py::test_scaled_wmma": "WMMAScale wmma_scale_f32_16x16x128_f8f6f4",
    "test_instructions_on_cpu.py::test_lanes": "ds_bpermute readfirstlane readlane dpp ballot",
    "test_instructions_on_cpu.py::test_swapped_rows": "permlane16_swap permlane32_swap",
    "test_instructions_on_cpu.py::test_permuted_bytes": "perm_b32 call_intrinsic",
    "test_instructions_on_cpu.py::test_number_of_the_wave": "wave_id",
    "test_instructions_on_cpu.py::test_math": "exp2 rcp",
    "test_instructions_on_cpu.py::test_small_integers_and_bfloats": "cvt_off_f32_i4 cvt_pk_bf16_f32",
    "test_instructions_on_cpu.py::test_stochastic_rounding": "cvt_sr_f32_to_bf16",
    "test_instructions_on_cpu.py::test_eight_bit_floats": "cvt_pk_fp8_f32 cvt_pk_f32_fp8",
    "test_instructions_on_cpu.py::test_four_bit_floats": "cvt_scalef32_pk_f32_fp4 cvt_scalef32_pk_bf16_fp4",
    "test_instructions_on_cpu.py::test_rounding_to_four_bits": "cvt_scalef32_pk_fp4_f32",
    "test_instructions_on_cpu.py::test_raw_buffer_atomics": "raw_ptr_buffer_atomic_fadd raw_ptr_buffer_atomic_fmax make_buffer_rsrc",
    "test_instructions_on_cpu.py::test_transposing_loads": "lds_transpose_load",
    "test_instructions_on_cpu.py::test_positions_in_a_cluster": """cluster_workgroup_id_x cluster_workgroup_id_y cluster_workgroup_id_z
        cluster.compute_cluster_position""",
    "test_instructions_on_cpu.py::test_loads_for_a_cluster": "cluster_load_async_to_lds",
    "test_instructions_on_cpu.py::test_barrier_of_a_cluster": """cluster.cluster_barrier cluster.cluster_signal_once_per_wg cluster.cluster_wait
        cluster.is_wave_leader cluster.CLUSTER_BARRIER_ID cluster.CLUSTER_WAIT_ALL""",
    "test_instructions_on_cpu.py::test_hints_change_nothing": """sched_barrier sched_group_barrier sched_mfma sched_vmem sched_dsrd sched_dswr mask_mfma
        mask_vmem_rd mask_dsrd mask_dswr s_barrier s_setprio s_waitcnt s_wait_asynccnt s_wait_dscnt s_wait_expcnt s_wait_loadcnt s_wait_storecnt
        disable_xdl_arb_stall inline_asm SyncScope""",
}

# Names without a kernel of their own, and why.
WITHOUT = {
    "BufferCopyLDS64b": "always an error: no chip has it (test_buffers_and_atoms.py::test_copy_refusals)",
    "experimental.sched_bank": "not supported yet", "experimental.sched_vgpr": "not supported yet", "experimental.sched_sgpr": "not supported yet",
    "experimental.sched_agpr": "not supported yet",
    # Modules.
    **{name: "a module" for name in ("cdna3", "cdna4", "rdna3", "rdna4", "experimental")},
}

# What a kernel uses without naming it.
IMPLIED = {"tdm_ops.TDMDescriptor2D", "tdm_ops.TDMGatherDescriptor", "cluster.CLUSTER_BARRIER_ID", "cluster.CLUSTER_WAIT_ALL"}


def public_names():
    """The names of `rocdl` and its modules; those of `cluster`, `tdm_ops` and `experimental` with their module."""
    from flydsl.expr.rocdl import cdna3, cdna4, cdna5, cluster, experimental, intrinsics, matrix, rdna3, rdna4, sched, tdm_ops

    names = set(rocdl.__all__)
    for module in (cdna3, cdna4, cdna5, intrinsics, matrix, rdna3, rdna4, sched):
        names |= set(module.__all__)
    for module in (cluster, tdm_ops, experimental):
        names |= {f"{module.__name__.split('.')[-1]}.{name}" for name in module.__all__}
    # Instructions that the interface names; all builders are in test_instructions.py.
    names |= {name for uses in USES.values() for name in uses.split() if name.startswith("mfma_")}
    return names | {"inline_asm"}


@functools.cache
def mentions(file):
    """The names, texts and patterns of texts that a test file has, and its functions."""
    found, patterns, functions = set(), [], set()
    for node in ast.walk(ast.parse((FOLDER / file).read_text())):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            patterns.append("".join(re.escape(part.value) if isinstance(part, ast.Constant) else r"\w*" for part in node.values))
        elif isinstance(node, ast.FunctionDef):
            functions.add(node.name)
    return found, patterns, functions


def test_every_name_has_a_kernel():
    listed = [name for uses in USES.values() for name in uses.split()]
    assert len(listed) == len(set(listed)), "a name stands twice"
    known = set(listed) | set(WITHOUT)
    assert not public_names() - known, "public names without a kernel that runs on the CPU target"
    assert not known - public_names(), "names that are not there"


@pytest.mark.parametrize("test", list(USES))
def test_the_test_uses_them(test):
    file, function = test.split("::")
    found, patterns, functions = mentions(file)
    assert function in functions and "flyc" in (FOLDER / file).read_text()
    for name in USES[test].split():
        short = name.split(".")[-1]
        assert name in IMPLIED or short in found or any(re.fullmatch(pattern, short) for pattern in patterns), f"{file} does not use {name}"


@pytest.mark.parametrize("name", sorted(WITHOUT))
def test_names_without_a_kernel(name):
    import types

    value = rocdl
    for part in name.split("."):
        value = getattr(value, part)
    if WITHOUT[name] == "not supported yet":
        with pytest.raises(NotImplementedError, match=f"rocdl.{name} is not supported yet"):
            value(1, 2)
    else:
        assert WITHOUT[name] != "a module" or isinstance(value, types.ModuleType)
