# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix instructions: `mfma_*` and `smfmac_*` take their operands in a list with trailing ints that default to 0,
`wmma_*` take them one by one.

Which of them the current chip has is the compiler's to say.
"""

from __future__ import annotations

import functools
import re

from .builders import find, i32_type, ir_type, module, value

__all__ = ["wmma_f32_16x16x128_fp8_fp8", "wmma_scale_f32_16x16x128_f8f6f4", "wmma_scale_f32_32x16x128_f4"]


def is_listed(name: str) -> bool:
    """True for instructions that take a list of operands."""
    return name.startswith(("mfma_", "smfmac_")) and hasattr(module(), name + "_")


# Instructions that an atom stands for too: the atom knows the chips.
_ATOM = re.compile(r"mfma_(f32|i32|f64)_(\d+x\d+x\d+)_?(xf32|f32|f16|bf16|i8|f64)(_1k)?$")


def _check_chip(name: str) -> None:
    """ValueError if the current chip is known to lack the matrix instruction."""
    from .atom_types import make_type, require_chip

    found = _ATOM.match(name)
    if not found:
        return
    acc, shape, kind, later = found.groups()
    kind, short = ("f32", ", xf32 = true") if kind == "xf32" else (kind, "")
    # The name does not tell the number of products. 32x32x4 of bf16 computes one, its later form two.
    for blocks in (2, 4, 16, 1) if later else (1, 2, 4, 16):
        try:
            atom = make_type(name, "cdna3.mfma", f"{shape}, ({kind}, {kind}) -> {acc}, blocks = {blocks}{short}")
        except ValueError:
            continue
        require_chip(f"rocdl.{name}", atom)
        return


@functools.cache
def listed(name: str):
    """The wrapper of a matrix instruction that takes a list of operands."""
    builder = getattr(module(), name + "_")
    scaled = name.startswith("mfma_scale_")
    # a, b, c; then cbsz, abid, blgp; or for scaled ones cbsz, blgp, opselA, scaleA, opselB, scaleB; or for sparse ones index, cbsz, abid.
    required, total = (3, 9) if scaled else (4, 6) if name.startswith("smfmac_") else (3, 6)

    def instruction(result_type, operands, **keywords):
        operands = list(operands)
        _check_chip(name)
        if not required <= len(operands) <= total:
            raise TypeError(f"rocdl.{name} takes {required} to {total} operands, got {len(operands)}")
        operands += [0] * (total - len(operands))
        # Operands are values, the trailing ones constants of the instruction.
        return builder(ir_type(result_type), [value(operand, i32_type() if position >= 3 else None) for position, operand in enumerate(operands)],
                       **keywords)

    instruction.__name__ = name
    tail = "cbsz=0, blgp=0, opselA=0, scaleA=0, opselB=0, scaleB=0" if scaled else "index, cbsz=0, abid=0" if required == 4 else \
        "cbsz=0, abid=0, blgp=0"
    instruction.__doc__ = f"`{name}(result_type, [a, b, c, {tail}])`: the matrix instruction D = A * B + C."
    return instruction


def _scale_flags(modC, scaleAType, fmtScaleA, scaleBType, fmtScaleB, reuseA, reuseB):
    return {"mod_c": modC, "scale_a_type": scaleAType, "fmt_scale_a": fmtScaleA, "scale_b_type": scaleBType, "fmt_scale_b": fmtScaleB,
            "reuse_a": reuseA, "reuse_b": reuseB}


def wmma_scale_f32_16x16x128_f8f6f4(result_type, a, b, c, scaleA, scaleB, *, fmtA=4, fmtB=4, modC=0, scaleAType=0, fmtScaleA=0, scaleBType=0,
                                    fmtScaleB=0, reuseA=False, reuseB=False):
    """Scaled matrix instruction of gfx1250; formats 0 fp8 e4m3, 1 fp8 e5m2, 2 fp6 e2m3, 3 fp6 e3m2, 4 fp4."""
    return find("wmma_scale_f32_16x16x128_f8f6f4")(result_type, a, b, c, scaleA, scaleB, fmt_a=fmtA, fmt_b=fmtB,
                                                    **_scale_flags(modC, scaleAType, fmtScaleA, scaleBType, fmtScaleB, reuseA, reuseB))


def wmma_scale_f32_32x16x128_f4(result_type, a, b, c, scaleA, scaleB, *, modC=0, scaleAType=0, fmtScaleA=0, scaleBType=0, fmtScaleB=0, reuseA=False,
                                reuseB=False):
    """Scaled matrix instruction of gfx1250 on 4-bit floats, 32 rows."""
    return find("wmma_scale_f32_32x16x128_f4")(result_type, a, b, c, scaleA, scaleB,
                                                **_scale_flags(modC, scaleAType, fmtScaleA, scaleBType, fmtScaleB, reuseA, reuseB))


def wmma_f32_16x16x128_fp8_fp8(result_type, a, b, c, *, modC=0, reuseA=False, reuseB=False):
    """Matrix instruction of gfx1250 on 8-bit floats, K = 128."""
    return find("wmma_f32_16x16x128_fp8_fp8")(result_type, a, b, c, mod_c=modC, reuse_a=reuseA, reuse_b=reuseB)
