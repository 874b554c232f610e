#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes type stubs for the extension modules of flydsl._mlir.

usage: generate-stubs.py --packages PYTHON_PACKAGES --into DIR

nanobind writes them from the modules themselves. It leaves some upstream classes
without the module that they are in: that is set right here, and a name in our
own stubs that means nothing is an error.
"""

import argparse
import ast
import builtins
import os
import re
import subprocess
import sys

LIBS = "flydsl._mlir._mlir_libs"
UPSTREAM = ("_mlir", "_mlirDialectsGPU", "_mlirDialectsLLVM")
OURS = ("_fly", "_flyNative", "_flyRegister")
IR = f"{LIBS}._mlir.ir"


def qualify(text):
    """The stub with every upstream class as `ir.Name`."""
    text = text.replace(f"import {IR}\n", "")
    text = text.replace(f"{IR}.", "ir.")
    text = re.sub(r"(?<![\w.\"`])(Context|TypeID|DialectRegistry)\b", r"ir.\1", text)
    return f"from {LIBS}._mlir import ir\n{text}" if re.search(r"\bir\.", text) else text


def unknown_names(text):
    """Names that the stub uses and nothing in it defines."""
    tree = ast.parse(text)
    known = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            known.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            known.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.arg):
            known.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            known.add(node.id)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return sorted(used - known)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", required=True)
    parser.add_argument("--into", required=True)
    args = parser.parse_args()
    os.makedirs(args.into, exist_ok=True)
    # pip's isolated builds find nanobind through PYTHONPATH alone.
    path = os.pathsep.join(filter(None, [args.packages, os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "PYTHONPATH": path}
    for name in UPSTREAM + OURS:
        subprocess.run(
            [sys.executable, "-m", "nanobind.stubgen", "--quiet", "--module", f"{LIBS}.{name}", "--recursive",
             "--include-private", "--output-dir", args.into],
            check=True, env=env)
        if name == "_mlir":
            continue
        stub = os.path.join(args.into, name + ".pyi")
        with open(stub) as file:
            text = qualify(file.read())
        if name in OURS and unknown_names(text):
            sys.exit(f"error: {stub}: names that nothing defines: {', '.join(unknown_names(text))}")
        with open(stub, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
