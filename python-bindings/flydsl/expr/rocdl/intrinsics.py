# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instruction wrappers whose signature differs from MLIR's builders, or that MLIR lacks.

Operands may be DSL values and Python numbers, result types DSL classes. `res_type` comes first; where the result is
as wide as the source it may be left out.
"""

from __future__ import annotations

from ..._mlir import ir
from .atom_types import require_feature
from .builders import constant, find, i32, i32_type, ir_type, module, static_int, value
from .pointers import global_pointer, lds_pointer

__all__ = [
    "ballot", "buffer_load_to_lds", "call_intrinsic", "cluster_load_async_to_lds", "cluster_workgroup_id_x", "cluster_workgroup_id_y",
    "cluster_workgroup_id_z", "cvt_off_f32_i4", "cvt_pk_bf16_f32", "cvt_pk_f32_fp8", "cvt_pk_fp8_f32", "cvt_scalef32_pk_bf16_fp4",
    "cvt_scalef32_pk_f32_fp4", "cvt_scalef32_pk_fp4_f32", "dpp", "ds_bpermute", "exp2", "lds_transpose_load", "make_buffer_rsrc", "perm_b32",
    "permlane16_swap", "permlane32_swap", "raw_ptr_buffer_atomic_fadd", "raw_ptr_buffer_atomic_fmax", "raw_ptr_buffer_load", "raw_ptr_buffer_load_lds",
    "raw_ptr_buffer_store", "rcp", "readfirstlane", "readlane", "tensor_load_to_lds", "tensor_store_from_lds", "wave_id",
]


def call_intrinsic(name, result_type, operands):
    """Calls the LLVM intrinsic `name`; gives its result, None if `result_type` is None."""
    from ..._mlir.dialects import llvm

    op = llvm.CallIntrinsicOp(None if result_type is None else ir_type(result_type), name, [value(operand) for operand in operands], [], [])
    return op.results[0] if len(op.results) else None


def _bits(type) -> int:
    if isinstance(type, ir.VectorType):
        return _bits(type.element_type) * type.shape[0]
    if isinstance(type, ir.IndexType):
        return 64
    return type.width


#===----------------------------------------------------------------------===#
# Lanes
#===----------------------------------------------------------------------===#

def _words(source, what):
    """`source` cut into i32 values, and a function that puts such values together again."""
    from ..._mlir.dialects import arith, vector

    kind = source.type
    if isinstance(kind, ir.IntegerType) and kind.width == 32:
        return [source], lambda words: words[0]
    bits = _bits(kind)
    if isinstance(kind, (ir.IndexType,)) or bits not in (8, 16) and bits % 32:
        raise TypeError(f"{what}: cannot move a value of type {kind}; expected 8, 16 or a multiple of 32 bits")
    if bits < 32:
        narrow = ir.IntegerType.get_signless(bits)
        flat = source if kind == narrow else _bitcast(narrow, source)

        def join(words):
            cut = arith.trunci(narrow, words[0])
            return cut if kind == narrow else _bitcast(kind, cut)

        return [arith.extui(i32_type(), flat)], join
    if bits == 32:
        return [_bitcast(i32_type(), source)], lambda words: _bitcast(kind, words[0])
    count = bits // 32
    packed = ir.VectorType.get([count], i32_type())
    flat = _bitcast(packed, source)
    parts = [vector.extract(flat, [], [index]) for index in range(count)]
    return parts, lambda words: _bitcast(kind, vector.from_elements(packed, words))


def _bitcast(type, source):
    """A bitcast between any types of equal width, scalars and vectors alike."""
    from ..._mlir.dialects import llvm

    return source if source.type == type else llvm.bitcast(type, source)


def _typed(res_type, source, result):
    """`result` as the DSL value that `source` was, or raw if a result type was given."""
    from ..meta import as_dsl_value

    if res_type is not None or isinstance(source, (int, float)):
        return result
    return result if type(source) is ir.Value else as_dsl_value(result, source)


def _split_arguments(name, arguments, count):
    """(result type or None, operands) of a wrapper that takes the result type first, or not at all."""
    if len(arguments) == count + 1:
        return ir_type(arguments[0]), arguments[1:]
    if len(arguments) == count:
        return None, arguments
    raise TypeError(f"rocdl.{name} takes {count} operands after an optional result type, got {len(arguments)} arguments")


def ds_bpermute(*arguments):
    """`ds_bpermute([res_type,] index, src)`: the value that lane `index / 4` has in `src`; `index` is a byte address
    (i32).

    `src` may have any number of 32-bit words, or 8 or 16 bits. Without `res_type` the result is of the class of `src`.
    """
    res_type, (index, src) = _split_arguments("ds_bpermute", arguments, 2)
    words, join = _words(value(src), "ds_bpermute")
    index = i32(index, "ds_bpermute: index")
    result = join([module().ds_bpermute(i32_type(), index, word) for word in words])
    return _typed(res_type, src, _check_result("ds_bpermute", res_type, result))


def _check_result(name, res_type, result):
    if res_type is not None and result.type != res_type:
        if _bits(res_type) != _bits(result.type):
            raise TypeError(f"rocdl.{name}: the result type {res_type} is not as wide as the source, {result.type}")
        return _bitcast(res_type, result)
    return result


def readfirstlane(*arguments):
    """`readfirstlane([res_type,] src)`: the value that the first active lane has in `src`."""
    res_type, (src,) = _split_arguments("readfirstlane", arguments, 1)
    source = _plain(src)
    return _typed(res_type, src, _check_result("readfirstlane", res_type, module().readfirstlane(source.type, source)))


def readlane(*arguments):
    """`readlane([res_type,] src, lane)`: the value that lane `lane` has in `src`."""
    res_type, (src, lane) = _split_arguments("readlane", arguments, 2)
    source = _plain(src)
    result = module().readlane(source.type, source, i32(lane, "readlane: lane"))
    return _typed(res_type, src, _check_result("readlane", res_type, result))


def _plain(src):
    """A raw value of an LLVM type: `index` becomes i32."""
    from ..._mlir.dialects import arith

    source = value(src)
    return arith.index_cast(i32_type(), source) if isinstance(source.type, ir.IndexType) else source


def ballot(*arguments):
    """`ballot([res_type,] pred)`: bit l says whether `pred` is true in lane l. The result is i32 or i64; without
    `res_type` as wide as the wave.
    """
    from ..._mlir.dialects import arith
    from ..chip import chip_facts

    res_type, (pred,) = _split_arguments("ballot", arguments, 1)
    if res_type is None:
        res_type = ir.IntegerType.get_signless(chip_facts()["wave_size"])
    pred = value(pred, ir.IntegerType.get_signless(1))
    if pred.type != ir.IntegerType.get_signless(1):
        pred = arith.cmpi(arith.CmpIPredicate.ne, pred, constant(pred.type, 0))
    return module().ballot(res_type, pred)


def dpp(src, dpp_ctrl, row_mask=0xF, bank_mask=0xF, bound_ctrl=False, *, old=None):
    """`src` of another lane, chosen by the data-parallel control `dpp_ctrl` (quad permutation, row shift, …).

    Lanes that the masks exclude, or without a source, keep `old` (default: `src`, with `bound_ctrl` 0).
    """
    source = _plain(src)
    kept = source if old is None else _plain(old)
    result = module().update_dpp(source.type, kept, source, static_int(dpp_ctrl, "dpp: dpp_ctrl"), static_int(row_mask, "dpp: row_mask"),
                                 static_int(bank_mask, "dpp: bank_mask"), bool(bound_ctrl))
    return _typed(None, src, result)


def _pair_of_i32():
    return ir.Type.parse("!llvm.struct<(i32, i32)>")


def _swap(name, old, src, fi, bound_control):
    pair = getattr(module(), name)(_pair_of_i32(), i32(old, f"{name}: old"), i32(src, f"{name}: src"), bool(fi), bool(bound_control))
    from ..._mlir.dialects import llvm

    return tuple(llvm.extractvalue(i32_type(), pair, [index]) for index in (0, 1))


def permlane16_swap(*arguments, fi=False, bound_control=False):
    """`permlane16_swap([res_type,] old, src, fi, bound_control)`: odd rows of 16 lanes of `old` exchanged with even
    rows of `src`.

    With a result type: the pair as MLIR has it; without: two i32 values.
    """
    return _permlane("permlane16_swap", arguments, fi, bound_control)


def permlane32_swap(*arguments, fi=False, bound_control=False):
    """`permlane32_swap([res_type,] old, src, fi, bound_control)`: upper 32 lanes of `old` exchanged with lower 32 lanes
    of `src`.

    With a result type: the pair as MLIR has it; without: two i32 values.
    """
    return _permlane("permlane32_swap", arguments, fi, bound_control)


def _permlane(name, arguments, fi, bound_control):
    arguments = list(arguments)
    if arguments and isinstance(arguments[0], ir.Type):
        return find(name)(*arguments, *([fi, bound_control][len(arguments) - 3:] if len(arguments) < 5 else []))
    if not 2 <= len(arguments) <= 4:
        raise TypeError(f"rocdl.{name} takes old, src and optionally fi and bound_control")
    arguments += [fi, bound_control][len(arguments) - 2:]
    return _swap(name, *arguments)


def perm_b32(hi, lo, sel):
    """Four bytes chosen out of eight: byte i of the result is the one that byte i of `sel` names, 0 to 3 in `lo`, 4 to
    7 in `hi`. Gives i32.
    """
    return call_intrinsic("llvm.amdgcn.perm", i32_type(), [i32(hi, "perm_b32: hi"), i32(lo, "perm_b32: lo"), i32(sel, "perm_b32: sel")])


def wave_id():
    """The number of the wave in its workgroup, i32 (gfx120x, gfx1250)."""
    require_feature("rocdl.wave_id", "split-barrier")
    return call_intrinsic("llvm.amdgcn.wave.id", i32_type(), [])


#===----------------------------------------------------------------------===#
# Math
#===----------------------------------------------------------------------===#

def _unary(name, arguments):
    res_type, (x,) = _split_arguments(name, arguments, 1)
    source = value(x, res_type)
    return _typed(res_type, x, getattr(module(), name)(source.type if res_type is None else res_type, source))


def exp2(*arguments):
    """`exp2([res_type,] x)`: 2 to the power x by the chip's instruction (f32, f16), less exact than `fx.exp2`."""
    return _unary("exp2", arguments)


def rcp(*arguments):
    """`rcp([res_type,] x)`: 1 / x by the chip's instruction (f32, f16, f64), less exact than a division."""
    return _unary("rcp", arguments)


def cvt_pk_fp8_f32(res, src_a, src_b, old, word_sel):
    """Two f32 as 8-bit floats in the half of `old` (i32) that `word_sel` names (0 low, 1 high)."""
    f32 = ir.F32Type.get()
    return module().cvt_pk_fp8_f32(ir_type(res), value(src_a, f32), value(src_b, f32), i32(old), _flag(word_sel, "cvt_pk_fp8_f32: word_sel"))


def cvt_pk_f32_fp8(res, src, word_sel):
    """The two 8-bit floats in the half of `src` (i32) that `word_sel` names, as a vector of two f32."""
    return module().cvt_pk_f32_fp8(ir_type(res), i32(src), _flag(word_sel, "cvt_pk_f32_fp8: word_sel"))


def _flag(flag, what):
    if isinstance(flag, bool):
        return flag
    return bool(static_int(flag, what))


def _fp4_byte(name, sel) -> int:
    """The byte that a conversion of 4-bit floats selects, if the chip has it."""
    require_feature(f"rocdl.{name}", "mfma-scale")
    byte = static_int(sel, f"{name}: sel")
    if not 0 <= byte <= 3:
        raise ValueError(f"{name}: sel must be 0 to 3, got {byte}")
    return byte


def cvt_scalef32_pk_f32_fp4(res, src, scale, sel):
    """Two 4-bit floats of byte `sel` of `src` (i32), times the power of two in `scale` (f32, of which the exponent
    counts): a vector of two f32 (gfx950).
    """
    return module().cvt_scalef32_pk_f32_fp4(ir_type(res), i32(src), value(scale, ir.F32Type.get()), _fp4_byte("cvt_scalef32_pk_f32_fp4", sel))


def cvt_scalef32_pk_bf16_fp4(res, src, scale, sel):
    """Two 4-bit floats of byte `sel` of `src` (i32), times the power of two in `scale` (f32, of which the exponent
    counts): a vector of two bf16 (gfx950).
    """
    return module().cvt_scalef32_pk_bf16_fp4(ir_type(res), i32(src), value(scale, ir.F32Type.get()), _fp4_byte("cvt_scalef32_pk_bf16_fp4", sel))


def cvt_scalef32_pk_fp4_f32(res, old, s0, s1, scale, sel):
    """Two f32 divided by the power of two in `scale` (f32, of which the exponent counts) as 4-bit floats in byte `sel` of
    `old` (i32); rounded to the nearest, at most 6 (gfx950).
    """
    f32 = ir.F32Type.get()
    return module().cvt_scalef32_pk_fp4_f32(ir_type(res), i32(old), value(s0, f32), value(s1, f32), value(scale, f32),
                                            _fp4_byte("cvt_scalef32_pk_fp4_f32", sel))


def cvt_off_f32_i4(src, byte_sel=None):
    """The low four bits of `src` (of its byte `byte_sel`, if given) as (i4 value) / 16: an f32 in [-0.5, 0.5)."""
    from ..._mlir.dialects import arith

    source = i32(src, "cvt_off_f32_i4: src")
    if byte_sel is not None:
        byte = static_int(byte_sel, "cvt_off_f32_i4: byte_sel")
        if not 0 <= byte <= 3:
            raise ValueError(f"cvt_off_f32_i4: byte_sel must be 0 to 3, got {byte}")
        if byte:
            source = arith.shrui(source, constant(i32_type(), 8 * byte))
    return call_intrinsic("llvm.amdgcn.cvt.off.f32.i4", ir.F32Type.get(), [source])


def cvt_pk_bf16_f32(a, b):
    """Two f32 rounded to bf16 (nearest, ties to even) in one i32, `a` in the low half."""
    from ..._mlir.dialects import arith, vector

    f32, bf16 = ir.F32Type.get(), ir.BF16Type.get()
    # The compiler selects the packed instruction where the chip has it.
    both = vector.from_elements(ir.VectorType.get([2], f32), [value(a, f32), value(b, f32)])
    pair = arith.truncf(ir.VectorType.get([2], bf16), both)
    return _bitcast(i32_type(), pair)


#===----------------------------------------------------------------------===#
# Buffers
#===----------------------------------------------------------------------===#

def make_buffer_rsrc(base, stride=0, num_records=0xFFFFFFFF, flags=None, *, res_type=None):
    """The resource (`!llvm.ptr<8>`) at an LLVM pointer; `num_records` in bytes; `flags` default to those of raw access
    on the current chip.
    """
    from .buffers import UNCHECKED, descriptor_flags, record_bytes

    if isinstance(base, ir.Type):
        raise TypeError("make_buffer_rsrc takes the pointer first; the result type is the keyword res_type")
    if flags is None:
        flags = descriptor_flags(not (isinstance(num_records, int) and num_records == UNCHECKED))
    return module().make_buffer_rsrc(ir.Type.parse("!llvm.ptr<8>") if res_type is None else res_type, value(base),
                                     value(stride, ir.IntegerType.get_signless(16)), record_bytes(num_records, "make_buffer_rsrc"),
                                     value(flags, i32_type()))


def _is_type(argument):
    return isinstance(argument, (ir.Type, type)) and not isinstance(argument, ir.Value)


def raw_ptr_buffer_load(*arguments, aux=None):
    """`raw_ptr_buffer_load([res_type,] rsrc, offset, soffset, aux=None)`: a value at `offset` + `soffset` bytes of a
    resource; i32 without a result type.

    `aux` is the cache policy. Offsets beyond the resource's size give 0.
    """
    arguments = list(arguments)
    res_type = ir_type(arguments.pop(0)) if arguments and _is_type(arguments[0]) else i32_type()
    rsrc, offset, soffset, aux = _buffer_operands("raw_ptr_buffer_load", arguments, aux)
    return module().raw_ptr_buffer_load(res_type, rsrc, offset, soffset, aux)


def raw_ptr_buffer_store(data, *arguments, aux=None):
    """`raw_ptr_buffer_store(data, rsrc, offset, soffset, aux=None)`: stores at `offset` + `soffset` bytes of a
    resource; beyond its size nothing is stored.
    """
    rsrc, offset, soffset, aux = _buffer_operands("raw_ptr_buffer_store", arguments, aux)
    return module().raw_ptr_buffer_store(value(data), rsrc, offset, soffset, aux)


def raw_ptr_buffer_atomic_fadd(data, *arguments, aux=None):
    """`raw_ptr_buffer_atomic_fadd(data, rsrc, offset, soffset, aux=None)`: adds a float to a buffer."""
    data = _atomic_data("Add", data)
    rsrc, offset, soffset, aux = _buffer_operands("raw_ptr_buffer_atomic_fadd", arguments, aux)
    return module().raw_ptr_buffer_atomic_fadd(data, rsrc, offset, soffset, aux)


def raw_ptr_buffer_atomic_fmax(data, *arguments, aux=None):
    """`raw_ptr_buffer_atomic_fmax(data, rsrc, offset, soffset, aux=None)`: the larger of a float and a buffer's."""
    data = _atomic_data("Max", data)
    rsrc, offset, soffset, aux = _buffer_operands("raw_ptr_buffer_atomic_fmax", arguments, aux)
    return module().raw_ptr_buffer_atomic_fmax(data, rsrc, offset, soffset, aux)


def _atomic_data(op, data):
    """`data` as a raw value; ValueError if the chip has no such atomic on its type, as the atom of the same instruction
    says.
    """
    from ..enum import AtomicOp
    from .copy_atoms import BufferAtomic

    data = value(data)
    BufferAtomic(AtomicOp[op], data.type)
    return data


def _buffer_operands(name, arguments, aux):
    if not 2 <= len(arguments) <= 4 or len(arguments) == 4 and aux is not None:
        raise TypeError(f"rocdl.{name} takes rsrc, offset, soffset and optionally aux")
    rsrc, offset, *rest = arguments
    soffset = rest[0] if rest else 0
    aux = rest[1] if len(rest) == 2 else aux
    return _resource(rsrc), i32(offset, f"{name}: offset"), i32(soffset, f"{name}: soffset"), i32(0 if aux is None else aux, f"{name}: aux")


def _resource(rsrc):
    """The bare resource of a resource, buffer pointer or buffer tensor."""
    text = str(getattr(rsrc, "type", ""))
    if text.startswith("!fly."):
        from .buffers import get_buffer_rsrc

        return get_buffer_rsrc(rsrc)
    return value(rsrc)


def raw_ptr_buffer_load_lds(rsrc, lds_ptr, size, voffset, soffset, offset, aux=None):
    """Each lane moves `size` bytes from a buffer to shared memory: from `voffset` + `soffset` + `offset` bytes. `size`,
    `offset`, `aux` are constants.
    """
    return module().raw_ptr_buffer_load_lds(_resource(rsrc), lds_pointer(lds_ptr, "raw_ptr_buffer_load_lds: lds_ptr"), i32(size), i32(voffset),
                                            i32(soffset), i32(offset), i32(0 if aux is None else aux))


def buffer_load_to_lds(rsrc, lds_ptr, voffset, size_bytes=4, soffset=0, offset=0):
    """`raw_ptr_buffer_load_lds` with the usual defaults: 4 bytes a lane (16 on gfx950)."""
    size = static_int(size_bytes, "buffer_load_to_lds: size_bytes")
    if size not in (1, 2, 4, 12, 16):
        raise ValueError(f"buffer_load_to_lds: size_bytes must be 1, 2, 4, 12 or 16, got {size}")
    return raw_ptr_buffer_load_lds(rsrc, lds_ptr, size, voffset, soffset, offset)


def lds_transpose_load(result_type, lds_memref, elem_offset, elem_bytes):
    """16 lanes read a tile from shared memory and transpose it: elements of `elem_bytes` (1 or 2) at `elem_offset`
    elements from `lds_memref`.

    gfx950 reads 64 bits a lane; gfx1250 64 bits for bytes and 128 for 16-bit elements.
    """
    from ..._mlir.dialects import llvm
    from ..chip import chip_has_feature, current_arch

    elem_bytes = static_int(elem_bytes, "lds_transpose_load: elem_bytes")
    if elem_bytes not in (1, 2):
        raise ValueError(f"lds_transpose_load: elem_bytes must be 1 or 2, got {elem_bytes}")
    if chip_has_feature("mfma-wide"):
        name = "ds_read_tr8_b64" if elem_bytes == 1 else "ds_read_tr16_b64"
    elif chip_has_feature("wmma-gfx1250"):
        name = "ds_load_tr8_b64" if elem_bytes == 1 else "ds_load_tr16_b128"
    else:
        raise ValueError(f"lds_transpose_load is not available on {current_arch()}; gfx950 and gfx1250 have it")
    base = lds_pointer(lds_memref, "lds_transpose_load: lds_memref")
    pointer = llvm.GEPOp(base.type, base, [i32(elem_offset)], [-2147483648], ir.IntegerType.get_signless(8 * elem_bytes), None).results[0]
    return find(name)(result_type, pointer)


#===----------------------------------------------------------------------===#
# gfx1250
#===----------------------------------------------------------------------===#

def _cluster_workgroup_id(axis):
    require_feature(f"rocdl.cluster_workgroup_id_{axis}", "clusters")
    return call_intrinsic(f"llvm.amdgcn.cluster.workgroup.id.{axis}", i32_type(), [])


def cluster_workgroup_id_x():
    """The workgroup's number in its cluster along x, i32 (gfx1250)."""
    return _cluster_workgroup_id("x")


def cluster_workgroup_id_y():
    """The workgroup's number in its cluster along y, i32 (gfx1250)."""
    return _cluster_workgroup_id("y")


def cluster_workgroup_id_z():
    """The workgroup's number in its cluster along z, i32 (gfx1250)."""
    return _cluster_workgroup_id("z")


def cluster_load_async_to_lds(global_ptr, lds_ptr, size_bytes, offset=0, cpol=0, mask=None):
    """Each lane moves `size_bytes` (1, 4, 8, 16) from global memory to the shared memory of the workgroups in `mask` of
    the cluster (gfx1250).

    `offset` counts in both addresses. Each workgroup in `mask` issues the load; without a mask it is the workgroup's
    own. `s_wait_asynccnt` awaits it.
    """
    size = static_int(size_bytes, "cluster_load_async_to_lds: size_bytes")
    require_feature("rocdl.cluster_load_async_to_lds", "clusters")
    builders = {1: "b8", 4: "b32", 8: "b64", 16: "b128"}
    if size not in builders:
        raise ValueError(f"cluster_load_async_to_lds: size_bytes must be 1, 4, 8 or 16, got {size}")
    builder = getattr(module(), f"cluster_load_async_to_lds_{builders[size]}")
    return builder(global_pointer(global_ptr, "cluster_load_async_to_lds: global_ptr"), lds_pointer(lds_ptr, "cluster_load_async_to_lds: lds_ptr"),
                   static_int(offset, "cluster_load_async_to_lds: offset"), static_int(cpol, "cluster_load_async_to_lds: cpol"),
                   i32(0 if mask is None else mask))


def tensor_load_to_lds(g0, g1, g2=None, g3=None, g4=None, cache_policy=None):
    """Starts a copy from global to shared memory that the descriptor words `g0` … `g3` (and `g4`, all zero) state
    (gfx1250).
    """
    _tensor_copy("tensor_load_to_lds", g0, g1, g2, g3, cache_policy)


def tensor_store_from_lds(g0, g1, g2=None, g3=None, g4=None, cache_policy=None):
    """Starts a copy from shared to global memory that the descriptor words `g0` … `g3` (and `g4`, all zero) state
    (gfx1250).
    """
    _tensor_copy("tensor_store_from_lds", g0, g1, g2, g3, cache_policy)


def _tensor_copy(name, g0, g1, g2, g3, cache_policy):
    require_feature(f"rocdl.{name}", "tensor-copy")
    policy = 0 if cache_policy is None else static_int(cache_policy, f"{name}: cache_policy")
    if g2 is None and g3 is None:
        getattr(module(), f"{name}_d2")(value(g0), value(g1), policy)
    else:
        getattr(module(), name)(value(g0), value(g1), value(g2), value(g3), policy)
