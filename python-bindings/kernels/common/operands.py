# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""What a matrix product may be called with, and checks of it."""
import flydsl.compiler as flyc
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
        if not isinstance(size, int):
            raise TypeError(f"{name} is {size!r}, expected an int")
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


def check_rank(kernel, name, tensor, rank):
    if tensor.rank != rank:
        raise ValueError(f"{kernel}: {name} has {tensor.rank} axes, expected {rank}")


@flyc.jit
def check_extents(kernel, name, tensor, sizes):
    """In a launcher: the call fails unless ``tensor`` has an axis of at least each of ``sizes``, of which some are known at
    run time only. A kernel that is given greater numbers than its arrays have reads and writes what is not theirs."""
    check_rank(kernel, name, tensor, len(sizes))
    for axis, size in enumerate(sizes):
        assert tensor.shape[axis] >= size, f"{kernel}: axis {axis} of {name} is shorter than the size given"


@flyc.jit
def check_rows(kernel, name, tensor, rows, columns):
    """In a launcher: the call fails unless ``tensor`` is a row-major matrix of ``columns`` columns and at least ``rows`` rows,
    or has the rows of one behind each other in one axis. For kernels that make their own layout of an array's memory."""
    if fx.const_expr(tensor.rank == 1):
        assert fx.Int64(tensor.shape[0]) >= fx.Int64(rows) * columns, f"{kernel}: {name} is shorter than the sizes given"
        check_neighbours(kernel, name, tensor)
    else:
        check_extents(kernel, name, tensor, (rows, columns))
        assert tensor.shape[1] == columns, f"{kernel}: {name} has more columns than the size given"
        # An axis of one element may have any stride, and so may those of an empty matrix.
        assert columns == 0 or ((tensor.shape[1] == 1 or tensor.stride[1] == 1) and
                                (tensor.shape[0] == 1 or tensor.stride[0] == columns)), (
            f"{kernel}: {name} is not row-major and contiguous")


@flyc.jit
def check_neighbours(kernel, name, tensor):
    """In a launcher: the call fails unless the values of ``tensor``, which has one axis, lie side by side."""
    assert tensor.shape[0] <= 1 or tensor.stride[0] == 1, f"{kernel}: the values of {name} are not contiguous"


@flyc.jit
def check_values(kernel, name, tensor, count):
    """In a launcher: the call fails unless ``tensor`` has one axis of at least ``count`` neighbouring values."""
    check_extents(kernel, name, tensor, (count,))
    check_neighbours(kernel, name, tensor)
