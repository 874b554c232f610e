# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m flydsl`: what is installed, and the disk cache.

usage: python -m flydsl                      version, chips, device, cache
       python -m flydsl cache list           entries of the disk cache
       python -m flydsl cache explain [NAME]  what the keys of a launcher's entries are made of
       python -m flydsl cache clear          deletes every entry
"""
from __future__ import annotations

import argparse
import os
import sys
import time


def _size(count: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def _attempt(read) -> str:
    """What `read` returns, or why it cannot: this page must come up whatever is missing."""
    try:
        return str(read())
    except Exception as error:
        return f"none ({error})"


def show() -> int:
    """Prints version, chips, device and cache."""
    from .utils import env
    from .version import __version__
    print(f"flydsl {__version__}, Python {sys.version.split()[0]}, {sys.executable}")

    def chips() -> str:
        from .runtime import device
        return ", ".join(f"{name} (wave {device.get_warp_size(name)}, LDS {device.SMEM_CAPACITY_MAP[name] >> 10} KiB)"
                         for name in device.known_chips())

    def target() -> str:
        from .compiler.backends import get_backend
        return get_backend().target.arch

    def device() -> str:
        from .runtime import device_runtime, native
        kind = device_runtime.device_kind()
        return f"{kind}, {native.device_count()} device(s), FLYDSL_DEVICE={env.runtime.device or 'not set'}"

    def library() -> str:
        from .runtime import native
        return native.library_path()

    print("chips:   " + _attempt(chips))
    print("target:  " + _attempt(target))
    print("device:  " + _attempt(device))
    print("runtime: " + _attempt(library))
    from .compiler.disk_cache import DiskCache
    cache = DiskCache.current()
    if cache is None:
        print("cache:   off")
    else:
        entries = cache.entries()
        print(f"cache:   {cache.root}, {_entries(len(entries))}, {_size(sum(e.size for e in entries))} of "
              f"{_size(env.runtime.cache_bytes)}")
    return 0


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def _cache():
    from .compiler.disk_cache import DiskCache
    cache = DiskCache.current()
    if cache is None:
        print("the disk cache is off (FLYDSL_RUNTIME_CACHE_DIR, FLYDSL_RUNTIME_ENABLE_CACHE)", file=sys.stderr)
        sys.exit(1)
    return cache


def _header(entry) -> dict:
    from .compiler.disk_cache import Corrupt, parse
    try:
        with open(entry.path, "rb") as file:
            return parse(file.read())[0]
    except (OSError, Corrupt) as error:
        return {"error": str(error)}


def list_entries() -> int:
    """Prints one line for each entry, the last used first."""
    cache = _cache()
    for entry in sorted(cache.entries(), key=lambda e: -e.used):
        header = _header(entry)
        what = header.get("error") or f"{header['arch']} {header['device']} {','.join(header['kernels'])}"
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        print(f"{entry.name:24} {entry.key[:16]} {_size(entry.size):>10} {used}  {what}")
    return 0


def explain(name) -> int:
    """Prints what the keys are made of, and where the entries of one launcher differ."""
    cache = _cache()
    groups: dict = {}
    for entry in sorted(cache.entries(), key=lambda e: -e.used):
        if name is None or entry.name == name or entry.key.startswith(name):
            groups.setdefault(entry.name, []).append((entry, _header(entry)))
    if not groups:
        print(f"no entry {'' if name is None else name + ' '}in {cache.root}")
        return 1
    for launcher, entries in groups.items():
        print(f"{launcher}: {_entries(len(entries))}")
        parts = [header.get("parts", {}) for _, header in entries]
        differing = {part for p in parts for part in p if any(p.get(part) != q.get(part) for q in parts)}
        for (entry, header), part in zip(entries, parts):
            print(f"  {entry.key}")
            if "error" in header:
                print(f"    damaged: {header['error']}")
            for key, value in sorted(part.items()):
                print(f"    {key:10}{' *' if key in differing else '  '} {value}")
        if differing:
            print("  * differs between the entries. module: the traced code (what it reads, argument types, "
                  "constants); toolchain: native libraries, processor, FLYDSL_EXTRA_SOURCE_DIRS; options: passes and "
                  "variables")
    return 0


def clear() -> int:
    """Deletes every entry."""
    cache = _cache()
    print(f"{_entries(cache.clear())} deleted from {cache.root}")
    return 0


def main(argv=None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m flydsl", description="What is installed, and the disk cache.")
    commands = parser.add_subparsers(dest="command")
    cache = commands.add_parser("cache", help="the disk cache").add_subparsers(dest="action", required=True)
    cache.add_parser("list", help="entries, the last used first")
    what = cache.add_parser("explain", help="what the keys are made of")
    what.add_argument("name", nargs="?", help="a launcher's name, or the beginning of a key")
    cache.add_parser("clear", help="delete every entry")
    arguments = parser.parse_args(argv)
    if arguments.command is None:
        return show()
    return {"list": list_entries, "explain": lambda: explain(arguments.name), "clear": clear}[arguments.action]()


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
