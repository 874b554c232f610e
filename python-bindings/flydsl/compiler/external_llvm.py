# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code generation with another LLVM (FLYDSL_COMPILE_LLVM_DIR): not supported yet."""

__all__ = ["external_llvm_fingerprint", "run_external_binary_codegen"]

_TEXT = "compiling with another LLVM (FLYDSL_COMPILE_LLVM_DIR) is not supported yet"


def external_llvm_fingerprint(*args, **kwargs):
    """Would identify another LLVM. NotImplementedError."""
    raise NotImplementedError(_TEXT)


def run_external_binary_codegen(*args, **kwargs):
    """Would run the last step in another LLVM. NotImplementedError."""
    raise NotImplementedError(_TEXT)
