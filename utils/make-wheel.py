#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel of the package flydsl from a finished build, in seconds.

usage: make-wheel.py --build build/release --into DIR

It has what `pip wheel .` gives, by the same install rules, for the interpreter
that runs this script, which must be the one that the build was made for. Prints
the path of the wheel.
"""

import argparse
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMPONENT = "FlyPythonModules"


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def collect(build, staging):
    """(name in the wheel, path) of each file of the package."""
    subprocess.run(["cmake", "--install", build, "--component", COMPONENT, "--strip", "--prefix", staging], check=True,
                   stdout=subprocess.DEVNULL)
    for base, prefix in ((staging, ""), (os.path.join(ROOT, "python-bindings", "flydsl"), "flydsl")):
        for folder, folders, files in os.walk(base):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(files):
                path = os.path.join(folder, name)
                if not name.endswith((".pyc", ".swp")):
                    yield os.path.join(prefix, os.path.relpath(path, base)), path


def metadata(version, tag):
    """The files of dist-info, by name."""
    project = read("pyproject.toml")
    requires = re.search(r"^dependencies = \[(.*)\]", project, re.M).group(1)
    python = re.search(r'^requires-python = "(.*)"', project, re.M).group(1)
    lines = ["Metadata-Version: 2.1", "Name: flydsl", f"Version: {version}", f"Requires-Python: {python}"]
    lines += [f"Requires-Dist: {name}" for name in re.findall(r'"([^"]+)"', requires)]
    wheel = ["Wheel-Version: 1.0", "Generator: make-wheel", "Root-Is-Purelib: false", f"Tag: {tag}"]
    return {"METADATA": "\n".join(lines) + "\n", "WHEEL": "\n".join(wheel) + "\n", "LICENSE": read("LICENSE")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--into", required=True)
    args = parser.parse_args()
    version = read("VERSION").strip()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    tag = f"{python}-{python}-{platform}"
    os.makedirs(args.into, exist_ok=True)
    path = os.path.join(args.into, f"flydsl-{version}-{tag}.whl")
    record = []

    def add(wheel, name, data, mode=0o644):
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(info, data, compresslevel=1)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}")

    info = f"flydsl-{version}.dist-info"
    with tempfile.TemporaryDirectory() as staging, zipfile.ZipFile(path, "w") as wheel:
        for name, source in collect(args.build, staging):
            with open(source, "rb") as file:
                add(wheel, name, file.read(), 0o755 if ".so" in name else 0o644)
        for name, text in metadata(version, tag).items():
            add(wheel, f"{info}/{name}", text.encode())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(f"{info}/RECORD", "\n".join(record) + "\n")
    print(path)


if __name__ == "__main__":
    main()
