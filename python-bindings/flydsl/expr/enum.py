# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Enumerations of the layout dialect and of memory operations. The numbers are those of the IR."""
from __future__ import annotations

import enum as _enum
import re

__all__ = ["AddressSpace", "AtomicOp", "AtomicOrdering", "CachePolicy", "GemmTraversalOrder", "MmaOperand", "SyncScope"]


_MNEMONICS = {
    "AddressSpace": "address_space",
    "AtomicOp": "atomic_op",
    "CachePolicy": "cache_policy",
    "GemmTraversalOrder": "gemm_traversal_order",
    "MmaOperand": "mma_operand",
}


class _FlyEnum(_enum.IntEnum):
    """A case of an enumeration of the dialect `fly`."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    @property
    def keyword(self) -> str:
        """The case as the IR spells it, for example "global"."""
        return re.sub("(?<=[a-z])(?=[A-Z])", "_", self.name).lower()

    @property
    def attr(self):
        """The case as an attribute of the current context, for example `#fly<address_space global>`."""
        from .._mlir import ir
        return ir.Attribute.parse(f"#fly<{_MNEMONICS[type(self).__name__]} {self.keyword}>")

    @classmethod
    def from_attr(cls, attr):
        """The case that `attr` holds; None if it is an attribute of another kind."""
        prefix, text = f"#fly<{_MNEMONICS[cls.__name__]} ", str(attr)
        if not text.startswith(prefix):
            return None
        keyword = text[len(prefix):-1]
        return next((case for case in cls if case.keyword == keyword), None)

    @classmethod
    def of(cls, value, where: str):
        """`value` (a case, its number, its name or keyword, or its attribute) as a case. TypeError if it is none."""
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            case = next((case for case in cls if value in (case.name, case.keyword)), None)
        elif isinstance(value, int) and not isinstance(value, (bool, _enum.Enum)):
            case = next((case for case in cls if case.value == value), None)
        else:
            case = cls.from_attr(value)
        if case is None:
            raise TypeError(f"{where}: expected one of {', '.join(map(str, cls))}, got {value!r}")
        return case


class AddressSpace(_FlyEnum):
    """The memory that a pointer is in."""

    Generic = 0
    Global = 1
    Shared = 2
    Register = 3


class AtomicOp(_FlyEnum):
    """A read-modify-write operation on memory."""

    Add = 0
    Max = 1
    Min = 2
    And = 3
    Or = 4
    Inc = 5
    Dec = 6


class CachePolicy(_FlyEnum):
    """How a load or store is cached."""

    CacheGlobal = 0
    CacheAlways = 1


class MmaOperand(_FlyEnum):
    """An operand of D = A * B + C."""

    A = 0
    B = 1
    C = 2
    D = 3


class GemmTraversalOrder(_FlyEnum):
    """The order in which `gemm` walks its atoms: the first letter is the innermost loop, the last the outermost.

    Serpentine orders turn round at the end of each row.
    """

    KMN = 0
    KNM = 1
    MKN = 2
    MNK = 3
    NKM = 4
    NMK = 5
    KMN_Serpentine = 6
    KNM_Serpentine = 7
    MKN_Serpentine = 8
    MNK_Serpentine = 9
    NKM_Serpentine = 10
    NMK_Serpentine = 11


class AtomicOrdering(_enum.IntEnum):
    """The memory ordering of an atomic operation, with LLVM's numbers."""

    NotAtomic = 0
    Unordered = 1
    Monotonic = 2
    Acquire = 4
    Release = 5
    AcqRel = 6
    SeqCst = 7

    def __str__(self) -> str:
        return f"AtomicOrdering.{self.name}"

    @property
    def keyword(self) -> str:
        """The case as LLVM's dialect spells it, for example "acq_rel"."""
        return _ORDERINGS[self.value]


_ORDERINGS = {0: "not_atomic", 1: "unordered", 2: "monotonic", 4: "acquire", 5: "release", 6: "acq_rel", 7: "seq_cst"}


class SyncScope(str, _enum.Enum):
    """The threads that an atomic operation synchronises with, as LLVM names them; targets have more."""

    System = ""
    SingleThread = "singlethread"

    def __str__(self) -> str:
        return self.value
