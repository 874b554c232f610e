# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pointers: arithmetic, access, casts, address spaces."""
import pytest

from flydsl._mlir import ir
import flydsl.expr as fx
from layout_support import layout, trace  # noqa: F401


def pointer(trace, element="f32", space="global", extra=""):
    return trace.argument(f"!fly.ptr<{element}, {space}{extra}>")


def test_properties(trace):
    p = pointer(trace, "f16", "shared", ", align<16>")
    assert isinstance(p, fx.Pointer) and p.dtype is p.element_type is p.value_type is fx.Float16
    assert p.address_space is p.memspace is fx.AddressSpace.Shared and p.alignment == 16
    assert str(p.llvm_ptr.type) == "!llvm.ptr<3>"
    buffer = pointer(trace, "f32", "#fly_rocdl.buffer_desc")
    assert "buffer_desc" in str(buffer.address_space)
    assert fx.is_target_address_space(buffer, buffer.address_space) and not fx.is_target_address_space(p, buffer.address_space)
    assert fx.is_generic_address_space(p, fx.AddressSpace.Shared) and not fx.is_generic_address_space(buffer, fx.AddressSpace.Shared)
    assert fx.is_generic_address_space(p.type.address_space, fx.AddressSpace.Shared)


def test_arithmetic(trace):
    p, n = pointer(trace, "f16", "shared", ", align<32>"), trace.int32()
    assert str((p + 12).type) == "!fly.ptr<f16, shared, align<8>>" and str((4 + p).type) == "!fly.ptr<f16, shared, align<8>>"
    assert str((p - 6).type) == "!fly.ptr<f16, shared, align<4>>" and str((p + n).type) == str((p - n).type) == "!fly.ptr<f16, shared>"
    assert str(fx.add_offset(p, fx.make_int_tuple(8)).type) == "!fly.ptr<f16, shared, align<16>>"
    assert str(fx.add_offset((3, n), fx.E(1) * 2)) == "(3,?)"
    with pytest.raises(TypeError, match="Pointer - Pointer is not supported"):
        p - p
    with pytest.raises(TypeError, match=r"Pointer \+ offset: expected an int"):
        p + 1.5
    with pytest.raises(ir.MLIRError, match="add_offset_c1|scalar"):
        p + (1, 2)
    with pytest.raises(TypeError, match="has no length"):
        list(p)


def test_access(trace):
    p = pointer(trace, "f32", "global", ", align<16>")
    assert isinstance(p[3], fx.Float32) and isinstance(p.load(), fx.Float32) and isinstance(fx.ptr_load(p), fx.Float32)
    p[2] = 1
    p.store(2.5)
    fx.ptr_store(trace.float32(), p)
    vector = p.load(fx.Float32x4)
    assert isinstance(vector, fx.Vector) and vector.shape == (4, ) and vector.dtype is fx.Float32
    p.store(vector)
    assert isinstance(fx.ptr_load(p, fx.T.vec(4, fx.T.f32)), fx.Vector)
    assert isinstance(p.load(fx.T.f32), fx.Float32)
    # Other elements are read from the same address.
    assert isinstance(p.load(fx.Uint32), fx.Uint32) and p.load(fx.Uint8x4).dtype is fx.Uint8
    assert "fly.recast_iter" in trace.text()
    with pytest.raises(TypeError, match="Pointer.store to !fly.ptr<f32, global, align<16>>: expected an element of type f32, got Int32"):
        p.store(fx.Int32(1))
    with pytest.raises(ValueError, match="300"):
        pointer(trace, "i8").store(300)
    with pytest.raises(TypeError, match="expected a numeric class, a vector class or an IR type"):
        p.load("f32")
    with pytest.raises(TypeError, match="ptr_load: expected a Pointer"):
        fx.ptr_load(trace.tensor("4:1"))


def test_recasts(trace):
    # DIFF: py-recast-alignment
    p = pointer(trace, "f32", "shared", ", align<16>, S<2,3,3>")
    assert str(fx.recast_iter(fx.Float16, p).type) == "!fly.ptr<f16, shared, align<16>, S<2,3,3>>"
    assert str(fx.recast_iter(ir.IntegerType.get_signless(64), p).type) == "!fly.ptr<i64, shared, align<16>, S<2,3,3>>"
    assert str(fx.recast_iter(fx.PointerType.get(fx.T.f16, fx.AddressSpace.Shared, 32), p).type) == "!fly.ptr<f16, shared, align<32>>"
    with pytest.raises(ValueError, match="recast_iter: a pointer to f32 is aligned to at least 4 bytes, but !fly.ptr<i8, global> only to 1"):
        fx.recast_iter(fx.Float32, pointer(trace, "i8"))
    with pytest.raises(ValueError, match="expected a pointer type in the memory of"):
        fx.recast_iter(fx.PointerType.get(fx.T.f16, fx.AddressSpace.Global), p)
    with pytest.raises(TypeError, match="recast_iter: expected a numeric class"):
        fx.recast_iter("f32", p)
    with pytest.raises(TypeError, match="recast_iter: expected a Pointer, got .*; use fx.get_iter"):
        fx.recast_iter(fx.Float32, trace.tensor("4:1"))


def test_swizzles(trace):
    p = pointer(trace, "bf16", "shared", ", align<64>")
    assert str(fx.apply_swizzle(p, fx.SwizzleType.get(2, 3, 3)).type) == "!fly.ptr<bf16, shared, align<16>, S<2,3,3>>"
    swizzle = fx.static(fx.SwizzleType.get(2, 3, 3))
    assert isinstance(swizzle, fx.Swizzle) and (swizzle.mask, swizzle.base, swizzle.shift) == (2, 3, 3)
    assert fx.get_scalar(swizzle(200)) == 200 ^ (((200 >> 6) & 3) << 3)
    fx.apply_swizzle(p, swizzle)
    with pytest.raises(TypeError, match="apply_swizzle: expected a swizzle"):
        fx.apply_swizzle(p, 3)


def test_swizzles_follow_the_bit_formula(trace):
    # User report 17: tables of swizzles against the formula.
    for mask in range(5):
        for shift in range(1, 5):
            swizzle = fx.static(fx.SwizzleType.get(mask, 1, shift))
            for x in (0, 5, 77, 1023):
                assert fx.get_scalar(swizzle(x)) == x ^ ((x & (((1 << mask) - 1) << (1 + shift))) >> shift)


def test_addresses(trace):
    kind = fx.PointerType.get(fx.T.f32, fx.AddressSpace.Global, 16)
    assert str(fx.inttoptr(kind, 4096).type) == str(kind) and str(fx.inttoptr(kind, trace.int64()).type) == str(kind)
    assert isinstance(fx.ptrtoint(pointer(trace)), fx.Int64) and isinstance(fx.ptrtoint(pointer(trace, "f32", "shared")), fx.Int32)
    assert str(fx.to_llvm_ptr(pointer(trace)).type) == "!llvm.ptr<1>" and str(fx.to_llvm_ptr(pointer(trace, "f32", "generic")).type) == "!llvm.ptr"
    register = fx.PointerType.get(fx.T.f32, fx.AddressSpace.Register)
    for wrong, text in ((lambda: fx.inttoptr(register, 0), "Register memory has no addresses"), (lambda: fx.ptrtoint(pointer(trace, "f32", "register")), "expected Global or Shared"),
                        (lambda: fx.inttoptr(kind, -1), "is no address"), (lambda: fx.to_llvm_ptr(pointer(trace, "f32", "#fly_rocdl.buffer_desc")), "to_llvm_ptr: expected")):
        with pytest.raises(ValueError, match=text):
            wrong()
    with pytest.raises(TypeError, match="inttoptr: expected a pointer type"):
        fx.inttoptr(fx.T.f32, 0)


def test_memory(trace):
    kind = fx.PointerType.get(fx.T.f32, fx.AddressSpace.Register)
    assert str(fx.make_ptr(kind, [], dict_attrs={"allocSize": 4}).type) == str(kind)
    assert "{dictAttrs = {allocSize = 4 : i64}}" in trace.text()
    assert str(fx.get_dyn_shared().type) == "!fly.ptr<i8, shared, align<1024>>"
    assert str(fx.get_dyn_shared(fx.Float32).type) == "!fly.ptr<f32, shared, align<1024>>"
    with pytest.raises(TypeError, match="make_ptr: expected a pointer type"):
        fx.make_ptr(fx.T.f32, [])


def test_stored_pointers(trace):
    kind = fx.Pointer[fx.Float32, fx.AddressSpace.Global]
    shared = fx.Pointer[fx.Float16, fx.AddressSpace.Shared, 16]
    assert kind is fx.Pointer[fx.Float32, fx.AddressSpace.Global] and kind.__name__ == "Pointer[Float32, Global]"
    assert (kind.__dsl_size_of__(), kind.__dsl_align_of__(), shared.__dsl_size_of__(), shared.__dsl_align_of__()) == (8, 8, 4, 4)
    place = pointer(trace, "i8", "shared", ", align<8>")
    assert str(kind.__peek_from_ptr__(place).type) == "!fly.ptr<f32, global>"
    assert str(shared.__peek_from_ptr__(place).type) == "!fly.ptr<f16, shared, align<16>>"
    kind.__poke_into_ptr__(place, pointer(trace))
    with pytest.raises(TypeError, match="expected a pointer in Global memory"):
        kind.__poke_into_ptr__(place, pointer(trace, "f32", "shared"))
    with pytest.raises(TypeError, match="expected a pointer to Float32"):
        kind.__poke_into_ptr__(place, pointer(trace, "f16"))
    for wrong, error in ((lambda: fx.Pointer[fx.Float32], TypeError), (lambda: fx.Pointer[3, fx.AddressSpace.Global], TypeError),
                         (lambda: fx.Pointer[fx.Float32, fx.AddressSpace.Register], ValueError), (lambda: fx.Pointer[fx.Float32, fx.AddressSpace.Global, 3], ValueError)):
        with pytest.raises(error):
            wrong()
