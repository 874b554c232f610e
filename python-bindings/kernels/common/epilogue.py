# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""What a matrix product may do with its float32 results before it stores them."""
import math

import flydsl.expr as fx

EPILOGUES = ("none", "bias", "bias_relu", "bias_silu", "bias_gelu")


def check_epilogue(name):
    """Raises ValueError unless ``name`` is one of EPILOGUES."""
    if name not in EPILOGUES:
        raise ValueError(f"epilogue is {name!r}, expected one of {', '.join(EPILOGUES)}")


def activate(x, epilogue):
    """The activation of ``epilogue`` for a float32 number or vector x; x itself for "none" and "bias".

    silu(x) = x / (1 + exp(-x)); gelu(x) = x / 2 * (1 + erf(x / sqrt 2)).
    """
    if fx.const_expr(epilogue == "bias_relu"):
        return fx.maximumf(x, fx.zeros_like(x))
    if fx.const_expr(epilogue == "bias_silu"):
        return x / (fx.exp(-x) + 1.0)
    if fx.const_expr(epilogue == "bias_gelu"):
        return x * 0.5 * (fx.erf(x * math.sqrt(0.5)) + 1.0)
    return x


def reference(x, bias, epilogue):
    """The same with NumPy: x (m, n) float64, bias (n) or None."""
    import numpy as np

    check_epilogue(epilogue)
    if epilogue == "none":
        return x
    x = x + bias.astype(np.float64)
    if epilogue == "bias_relu":
        return np.maximum(x, 0)
    if epilogue == "bias_silu":
        return x / (1 + np.exp(-x))
    if epilogue == "bias_gelu":
        return x * 0.5 * (1 + np.vectorize(math.erf)(x * math.sqrt(0.5)))
    return x
