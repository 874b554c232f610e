#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links each file and folder of one folder into another, and removes links that lead nowhere.

usage: link-python-package.py SOURCE TARGET

TARGET stays a folder of its own, so that generated files can lie beside the links.
The links are relative: a checkout can be moved.
"""

import os
import sys


def main():
    source, target = map(os.path.realpath, sys.argv[1:3])
    os.makedirs(target, exist_ok=True)
    wanted = {name for name in os.listdir(source) if name != "__pycache__"}
    for name in os.listdir(target):
        path = os.path.join(target, name)
        if os.path.islink(path) and name not in wanted:
            os.unlink(path)
    for name in sorted(wanted):
        path = os.path.join(target, name)
        link = os.path.relpath(os.path.join(source, name), target)
        if os.path.islink(path) and os.readlink(path) == link:
            continue
        if os.path.islink(path):
            os.unlink(path)
        os.symlink(link, path)


if __name__ == "__main__":
    main()
