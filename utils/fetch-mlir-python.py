#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fetches the sources of MLIR's own Python binding, which the Debian packages leave out.

usage: fetch-mlir-python.py --into DIR [--headers INCLUDE_DIR] [--wheel FILE]

They come from a pinned Python package (PACKAGE below), by pip. Only its folder
src/python is kept, without the file lists of one package each: DIR/lib/*.cpp and
DIR/mlir/**/*.py. With --headers, the binding headers in the package must equal
those of the installed MLIR; if they do, the sources fit it. Does nothing if DIR
is complete. --wheel takes a package file that is already there.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "xtc-mlir-dev==22.1.8.4"
# What the unpacked files are, so that an older folder is made anew.
CONTENTS = PACKAGE + ", NumPy at first use\n"
SOURCES = "mlir/src/python/"
HEADERS = "mlir/include/mlir/Bindings/Python/"


def download(folder):
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "-q",
               "--no-deps", "--only-binary", ":all:", "-d", folder, PACKAGE]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wheels = glob.glob(os.path.join(folder, "*.whl"))
    if done.returncode or len(wheels) != 1:
        sys.exit(f"error: cannot get the Python package {PACKAGE}, which has the sources of MLIR's "
                 f"Python binding; '{' '.join(command)}' said:\n{done.stdout.strip()}")
    return wheels[0]


def check_headers(wheel, include):
    """The headers decide whether the sources fit; a patch release seldom changes them."""
    names = [n for n in wheel.namelist() if n.startswith(HEADERS) and n.endswith(".h")]
    if not names:
        sys.exit(f"error: {PACKAGE} has no {HEADERS}*.h")
    for name in names:
        here = os.path.join(include, "mlir/Bindings/Python", os.path.basename(name))
        if not os.path.exists(here):
            sys.exit(f"error: the installed MLIR has no {here}; the package libmlir-22-dev has it")
        with open(here, "rb") as file:
            if file.read() != wheel.read(name):
                sys.exit(f"error: {here} differs from the one in {PACKAGE}: the installed MLIR is not "
                         "22.1.8; install that version, or pin a package that fits in utils/fetch-mlir-python.py")


def load_numpy_at_first_use(text):
    """ir.py needs NumPy for four kinds of attributes only; importing it takes longer than all of MLIR."""
    before = "    import numpy as np\n"
    if text.count(before) != 1:
        sys.exit(f"error: {PACKAGE}: ir.py does not import NumPy as expected")
    return text.replace(before, """\
    class _NumPy:
        def __getattr__(self, name):
            import numpy

            return getattr(numpy, name)

    np = _NumPy()
""")


def unpack(wheel, into):
    for name in wheel.namelist():
        if not name.startswith(SOURCES) or name.endswith("/"):
            continue
        group, _, path = name[len(SOURCES):].partition("/")
        if group.startswith("MLIRPythonExtension.") and path.endswith((".cpp", ".h")):
            target = os.path.join(into, "lib", path)
        elif group.startswith("MLIRPythonSources.") and path.endswith(".py") and "ops_gen" not in group:
            target = os.path.join(into, "mlir", path)
        else:
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        content = wheel.read(name)
        if path == "ir.py":
            content = load_numpy_at_first_use(content.decode()).encode()
        with open(target, "wb") as file:
            file.write(content)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", required=True)
    parser.add_argument("--headers")
    parser.add_argument("--wheel")
    args = parser.parse_args()
    into = os.path.abspath(args.into)
    stamp = os.path.join(into, "package.txt")
    if os.path.exists(stamp) and open(stamp).read() == CONTENTS:
        return
    os.makedirs(os.path.dirname(into), exist_ok=True)
    # Beside the target: the last step is one rename, never a half-filled folder.
    with tempfile.TemporaryDirectory(dir=os.path.dirname(into)) as scratch:
        with zipfile.ZipFile(args.wheel or download(scratch)) as wheel:
            if args.headers:
                check_headers(wheel, args.headers)
            fresh = os.path.join(scratch, "fresh")
            unpack(wheel, fresh)
        with open(os.path.join(fresh, "package.txt"), "w") as file:
            file.write(CONTENTS)
        shutil.rmtree(into, ignore_errors=True)
        os.rename(fresh, into)


if __name__ == "__main__":
    main()
