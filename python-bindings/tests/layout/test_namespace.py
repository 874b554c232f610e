# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The flat namespace of `flydsl.expr`, and its enumerations."""
import inspect
import subprocess
import sys

import pytest

import flydsl.expr as fx
from layout_support import trace  # noqa: F401

# Names by the sections of the interface.
NAMES = """
Boolean Int4 Int8 Int16 Int32 Int64 Int128 Uint8 Uint16 Uint32 Uint64 Uint128 Index Float16 BFloat16 Float32 Float64 Float8E5M2 Float8E4M3FN
Float8E4M3FNUZ Float8E4M3B11FNUZ Float8E4M3 Float8E8M0FNU Float6E2M3FN Float6E3M2FN Float4E2M1FN Numeric Integer Float as_numeric T Types
Vector VectorAlias full full_like empty_like ones_like zeros_like ReductionOp Float32x4 Uint8x16 BFloat16x8
IntTuple Layout ComposedLayout Swizzle CoordSwizzle Tile Basis E Pointer Tensor CopyAtom MmaAtom TiledCopy TiledMma ThrCopy ThrMma Stream Constexpr
IntTupleType BasisType TileType LayoutType SwizzleType CoordSwizzleType ComposedLayoutType PointerType MemRefType CoordTensorType CopyAtomType
MmaAtomType TiledCopyType TiledMmaType CopyOpUniversalCopyType CopyOpUniversalAtomicType MmaOpUniversalFMAType
make_int_tuple make_shape make_stride make_coord get_scalar get_leaves int_tuple_add int_tuple_sub int_tuple_mul int_tuple_div int_tuple_mod
int_tuple_product int_tuple_product_each int_tuple_product_like shape_div ceil_div elem_less equal rank depth has_none get get_ take select group
append prepend slice dice make_layout make_ordered_layout make_identity_layout make_layout_like make_composed_layout static make_tile make_view
size cosize coshape coprofile get_shape get_stride get_layout get_iter composed_get_inner composed_get_offset composed_get_outer crd2idx idx2crd
get_flat_coord get_1d_coord coalesce composition complement right_inverse left_inverse logical_divide zipped_divide tiled_divide flat_divide
logical_product zipped_product tiled_product flat_product blocked_product raked_product recast_layout tile_to_shape
ptr_load ptr_store add_offset recast_iter apply_swizzle inttoptr ptrtoint to_llvm_ptr make_ptr get_dyn_shared is_generic_address_space
is_target_address_space memref_load memref_store memref_load_vec memref_store_vec memref_alloca make_rmem_tensor make_fragment_like
make_fragment_layout_like assume AtomicOp AddressSpace CachePolicy MmaOperand GemmTraversalOrder AtomicOrdering SyncScope
UniversalCopy UniversalCopy8b UniversalCopy16b UniversalCopy32b UniversalCopy64b UniversalCopy128b UniversalAtomic UniversalAtomicAdd
UniversalAtomicMax UniversalAtomicMin UniversalAtomicAnd UniversalAtomicOr UniversalAtomicInc UniversalAtomicDec UniversalFMA make_copy_atom
make_mma_atom atom_set_value copy_atom_call mma_atom_call copy gemm make_tiled_copy make_tiled_copy_tv make_layout_tv make_tiled_copy_A
make_tiled_copy_B make_tiled_copy_C make_tiled_mma tiled_copy_partition_src tiled_copy_partition_dst tiled_copy_retile tiled_mma_partition
tiled_mma_partition_shape mma_make_fragment gather scatter thread_idx block_idx block_dim grid_dim barrier lane_id shuffle_xor SharedAllocator
Storage Array Arena Struct Union Align Empty struct union exp exp2 sqrt rsqrt absf fma powf max min ceildiv maxnumf minnumf maximumf minimumf cmpi
cmpf shrui fastmath FastMathFlags RoundingMode printf as_ir_value as_dsl_value const_expr range_constexpr atomic_add atomic_cas generic_load
generic_store memory_fence utils arith gpu math
""".split()


def test_names():
    missing = [name for name in NAMES if not hasattr(fx, name)]
    assert not missing
    assert set(NAMES) <= set(fx.__all__)
    assert all(hasattr(fx, name) for name in fx.__all__)


def test_lazy_submodules():
    code = ("import sys, flydsl.expr as fx; assert 'flydsl.expr.rocdl' not in sys.modules; fx.rocdl.MFMA; fx.tdm_ops; fx.coop; fx.random; fx.ktrace; "
            "fx.extern; fx.buffer_ops; fx.utils.print_typst; fx.utils.arith; assert 'torch' not in sys.modules")
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        fx.no_such_name


def test_layout_names_are_the_layout_functions():
    assert fx.select is fx.primitive.select and fx.get is fx.primitive.get and fx.slice is fx.primitive.slice
    assert fx.arith.select is not fx.select and fx.ceil_div is not fx.ceildiv and fx.get_ is not fx.get


def test_public_functions_have_docstrings():
    for module in (fx.primitive, fx.derived):
        for name in module.__all__:
            assert inspect.getdoc(getattr(module, name)), name
    for cls in (fx.IntTuple, fx.Layout, fx.ComposedLayout, fx.Pointer, fx.Tensor, fx.CopyAtom, fx.MmaAtom, fx.TiledCopy, fx.TiledMma, fx.ThrCopy, fx.ThrMma):
        for name, member in vars(cls).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{cls.__name__}.{name}"


def test_enumerations(trace):
    values = {
        fx.AtomicOp: ["Add", "Max", "Min", "And", "Or", "Inc", "Dec"],
        fx.AddressSpace: ["Generic", "Global", "Shared", "Register"],
        fx.CachePolicy: ["CacheGlobal", "CacheAlways"],
        fx.MmaOperand: ["A", "B", "C", "D"],
        fx.GemmTraversalOrder: ["KMN", "KNM", "MKN", "MNK", "NKM", "NMK"] + [f"{o}_Serpentine" for o in ("KMN", "KNM", "MKN", "MNK", "NKM", "NMK")],
    }
    for cls, names in values.items():
        assert [(case.name, case.value) for case in cls] == [(name, number) for number, name in enumerate(names)]
    for cls in (fx.AtomicOp, fx.AddressSpace, fx.MmaOperand, fx.GemmTraversalOrder, fx.CachePolicy):
        for case in cls:
            assert cls.from_attr(case.attr) is case and cls.of(case.attr, "x") is case and cls.of(case.name, "x") is case
    assert fx.AddressSpace.from_attr(fx.MmaOperand.A.attr) is None
    assert fx.SyncScope.System == "" and fx.SyncScope.SingleThread == "singlethread" and fx.AtomicOrdering.Monotonic == 2
