# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of the autotuner. Autotuning is not supported yet: using one is an error that says so."""

__all__ = ["Autotuner", "Config", "autotune", "do_bench"]


def _refuse(what: str):
    raise NotImplementedError(f"{what}: autotuning is not supported yet; measure the variants of a kernel with "
                              "flydsl.compiler.compile and choose one")


class Config:
    """One configuration of a search. NotImplementedError."""

    def __init__(self, *, num_warps=None, waves_per_eu=None, pre_hook=None, **kwargs):
        _refuse("flydsl.Config")


class Autotuner:
    """A tuned function. NotImplementedError."""

    def __init__(self, *args, **kwargs):
        _refuse("flydsl.autotune.Autotuner")


def autotune(configs=None, key=None, **options):
    """Would try `configs` and keep the fastest. NotImplementedError."""
    _refuse("flydsl.autotune")


def do_bench(fn=None, warmup=5, rep=25, quantiles=None):
    """Would measure `fn` on the device, in milliseconds. NotImplementedError."""
    _refuse("flydsl.autotune.do_bench")
