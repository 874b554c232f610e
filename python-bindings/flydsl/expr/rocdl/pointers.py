# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Addresses that instructions take: LLVM pointers of shared and of global memory."""

from __future__ import annotations

from ..._mlir import ir
from .builders import i32_type, value

__all__ = ["global_pointer", "lds_pointer"]


def lds_pointer(memory, what):
    """The LLVM pointer of shared memory: a pointer, tensor, array or allocation, a memref, or an LLVM pointer of address
    space 3. TypeError for anything else.
    """
    found = _from_memory(memory, ("Shared",))
    text = str(getattr(found, "type", ""))
    if text.startswith("memref"):
        from ..._mlir.dialects import arith, llvm, memref

        address = memref.extract_aligned_pointer_as_index(value(found))
        return llvm.inttoptr(ir.Type.parse("!llvm.ptr<3>"), arith.index_cast(i32_type(), address))
    if text != "!llvm.ptr<3>":
        raise _wrong(what, "shared memory (a pointer, a tensor, an array of fx.SharedAllocator, an LLVM pointer of address space 3)", memory)
    return value(found)


def global_pointer(memory, what):
    """The LLVM pointer of global memory: a pointer or tensor, or an LLVM pointer of address space 0, 1 or 4. TypeError
    for anything else.
    """
    found = _from_memory(memory, ("Global", "Generic"))
    if str(getattr(found, "type", "")) not in ("!llvm.ptr", "!llvm.ptr<1>", "!llvm.ptr<4>"):
        raise _wrong(what, "global memory (a pointer, a tensor, an LLVM pointer of address space 0, 1 or 4)", memory)
    return value(found)


def _from_memory(memory, spaces):
    """The LLVM pointer of a pointer, a tensor or an object with a pointer in one of the spaces; others as they are."""
    from .. import primitive
    from ..enum import AddressSpace

    if not isinstance(memory, ir.Value):
        memory = getattr(memory, "ptr", memory)
    text = str(getattr(memory, "type", ""))
    if text.startswith("!fly.memref"):
        memory = primitive.get_iter(memory)
    elif not text.startswith("!fly.ptr"):
        return memory
    if not any(primitive.is_generic_address_space(memory, getattr(AddressSpace, space)) for space in spaces):
        return memory
    return primitive.to_llvm_ptr(memory)


def _wrong(what, expected, found):
    from ..operands import describe

    return TypeError(f"{what}: expected {expected}, got {describe(found)}")
