# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""What a matrix product may be called with, and checks of it."""
import flydsl.expr as fx

# The results' types, by the names that `out_dtype` takes.
OUTPUTS = {"f16": fx.Float16, "bf16": fx.BFloat16, "f32": fx.Float32}


def check_types(kernel, **operands):
    """Raises TypeError unless each operand, given as (tensor, class or classes), has such elements. For launchers.

    A copy moves bits whatever they mean: an fp8 array of another chip's format would be read as other numbers.
    """
    for name, (tensor, expected) in operands.items():
        found, classes = tensor.element_type, expected if isinstance(expected, tuple) else (expected,)
        if found not in classes:
            names = " or ".join(c.__name__ for c in classes)
            raise TypeError(f"{kernel}: {name} has elements of {found.__name__}, expected {names}")


def check_multiples(*sizes):
    """Raises ValueError unless each of ``sizes``, given as (name, size, divisor), is a positive multiple."""
    for name, size, of in sizes:
        if size <= 0 or size % of:
            raise ValueError(f"{name} is {size}, expected a positive multiple of {of}")


def check_choice(name, value, choices):
    """Raises ValueError unless ``value`` is one of ``choices``."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r}, expected one of {', '.join(map(str, choices))}")


def choose(name, value, table):
    """``table[value]``, or a ValueError with the keys of the table."""
    check_choice(name, value, table)
    return table[value]
