# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions on the disk.

An entry is named by a hash of everything that its code depends on, so it is
never out of date; it is only ever written whole, by renaming. A file is

    magic, SHA-256 of the header, header length, header (JSON), sections

and the header has the size and SHA-256 of each section. Nothing that is read
is executed before all of them have been checked. A file that does not check is
deleted and made again. The folder belongs to the user alone.
"""
from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import re
import stat
import struct
import time
from typing import NamedTuple, Optional

from ..utils import env
from ..utils.file import write_atomically
from ..utils.logger import log
from .locations import warn

FORMAT = 1
FOLDER = f"fly-v{FORMAT}"
_MAGIC = b"FLYDSLC1"
_SUFFIX = ".flyc"
_LOCK_SECONDS = 600
# Temporary files of processes that were killed.
_STALE_SECONDS = 3600


class CacheEntry(NamedTuple):
    """A file of the cache: launcher, key, path, bytes, time of last use."""
    name: str
    key: str
    path: str
    size: int
    used: float


class Corrupt(Exception):
    """A file is not what was written."""


def _safe_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:100] or "_"


class DiskCache:
    """The cache in one folder."""

    def __init__(self, root: str):
        self.root = os.path.join(root, FOLDER)

    @classmethod
    def current(cls) -> Optional["DiskCache"]:
        """The cache that the environment asks for, or None if it is off or its folder is not private."""
        root = env.runtime.cache_dir
        if not root or not env.runtime.enable_cache:
            return None
        try:
            return _open(os.path.abspath(root))
        except OSError as error:  # a relative folder, and the working folder is gone
            warn(f"flydsl: the disk cache {root} is not used: {error.strerror} (the working folder)")
            return None

    def prepare(self) -> bool:
        """Makes the folder; False, with a warning, if it cannot be made or others could write to it."""
        try:
            os.makedirs(self.root, mode=0o700, exist_ok=True)
            for folder in (os.path.dirname(self.root), self.root):
                info = os.stat(folder)
                if info.st_uid not in (os.getuid(), 0) or stat.S_IMODE(info.st_mode) & 0o022:
                    warn(f"flydsl: the disk cache {folder} is not used: others than you can write to it "
                                  f"(owner {info.st_uid}, mode {stat.S_IMODE(info.st_mode):o}); run 'chmod go-w "
                                  f"{folder}' or set FLYDSL_RUNTIME_CACHE_DIR to a private folder")
                    return False
            os.chmod(self.root, 0o700)
            os.makedirs(os.path.join(self.root, "locks"), mode=0o700, exist_ok=True)
            return True
        except OSError as error:
            warn(f"flydsl: the disk cache {self.root} is not used: {error}")
            return False

    def path(self, name: str, key: str) -> str:
        """The file of an entry."""
        return os.path.join(self.root, _safe_name(name), key + _SUFFIX)

    # Reading.

    def load(self, name: str, key: str) -> Optional[tuple]:
        """`(header, sections by name)` of an entry, or None. A file that does not check is deleted."""
        path = self.path(name, key)
        try:
            data = _read_regular(path)
        except OSError:
            return None
        try:
            header, sections = parse(data)
            if header.get("key") != key:
                raise Corrupt("the key is another")
        except Corrupt as error:
            log().warning("cache file %s is damaged (%s) and made again", path, error)
            with contextlib.suppress(OSError):
                os.unlink(path)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return header, sections

    # Writing.

    def store(self, name: str, key: str, header: dict, sections: dict) -> None:
        """Writes an entry. A failure is logged, since the compiled code is there all the same."""
        path = self.path(name, key)
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            write_atomically(path, serialize({**header, "key": key, "name": name}, sections))
            self.shrink(keep=path)
        except OSError as error:
            log().warning("cache file %s cannot be written: %s", path, error)

    def shrink(self, keep: str = "") -> None:
        """Deletes the entries that were used longest ago until the cache is as small as it may be."""
        limit = env.runtime.cache_bytes
        entries = sorted(self.entries(), key=lambda entry: entry.used)
        total = sum(entry.size for entry in entries)
        for entry in entries:
            if total <= limit:
                break
            if entry.path == keep:
                continue
            with contextlib.suppress(OSError):
                os.unlink(entry.path)
                total -= entry.size

    @contextlib.contextmanager
    def compiling(self, key: str):
        """Lets one process at a time compile a key. It is released if the process dies."""
        path = os.path.join(self.root, "locks", key[:2] + ".lock")
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            yield
            return
        try:
            deadline = time.monotonic() + _LOCK_SECONDS
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError:
                    if time.monotonic() > deadline:
                        # Compiling twice is better than waiting for ever.
                        break
                    time.sleep(0.01)
            yield
        finally:
            os.close(descriptor)

    # Looking after it.

    def entries(self, name: Optional[str] = None) -> list:
        """All entries, or those of the launcher `name`. Old temporary files are removed on the way."""
        found = []
        try:
            folders = [_safe_name(name)] if name is not None else os.listdir(self.root)
        except OSError:
            return found
        for folder in folders:
            if folder == "locks":
                continue
            try:
                with os.scandir(os.path.join(self.root, folder)) as files:
                    for file in files:
                        info = file.stat()
                        if file.name.endswith(_SUFFIX):
                            found.append(CacheEntry(folder, file.name[:-len(_SUFFIX)], file.path, info.st_size,
                                                    info.st_mtime))
                        elif file.name.startswith(".tmp-") and time.time() - info.st_mtime > _STALE_SECONDS:
                            os.unlink(file.path)
            except OSError:
                continue
        return found

    def clear(self) -> int:
        """Deletes every entry; returns their number."""
        count = 0
        for entry in self.entries():
            with contextlib.suppress(OSError):
                os.unlink(entry.path)
                count += 1
        return count


@functools.lru_cache(maxsize=64)
def _read_regular(path: str) -> bytes:
    """The bytes of a file. OSError for a link, a pipe or a device, which might never end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path} is no regular file")
        return file.read()


def _open(root: str) -> Optional[DiskCache]:
    cache = DiskCache(root)
    return cache if cache.prepare() else None


def serialize(header: dict, sections: dict) -> list:
    """The bytes of a file, in parts."""
    listed = [{"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
              for name, data in sections.items()]
    header = {**header, "format": FORMAT, "sections": listed}
    text = json.dumps(header, sort_keys=True).encode()
    return [_MAGIC, hashlib.sha256(text).digest(), struct.pack("<Q", len(text)), text, *sections.values()]


def parse(data: bytes, only_header: bool = False) -> tuple:
    """`(header, sections by name)` of a file's bytes, all checked. Corrupt if anything is wrong."""
    begin = len(_MAGIC) + 32 + 8
    if len(data) < begin or not data.startswith(_MAGIC):
        raise Corrupt("no cache file of this format")
    (length, ) = struct.unpack_from("<Q", data, begin - 8)
    text = data[begin:begin + length]
    if len(text) != length or hashlib.sha256(text).digest() != data[len(_MAGIC):len(_MAGIC) + 32]:
        raise Corrupt("the header does not match its checksum")
    try:
        header = json.loads(text)
        if header["format"] != FORMAT:
            raise Corrupt(f"format {header['format']}")
        if only_header:
            return header, {}
        sections, place = {}, begin + length
        for section in header["sections"]:
            part = data[place:place + section["size"]]
            if len(part) != section["size"] or hashlib.sha256(part).hexdigest() != section["sha256"]:
                raise Corrupt(f"section {section['name']} does not match its checksum")
            sections[section["name"]] = part
            place += section["size"]
    except (KeyError, TypeError, ValueError) as error:
        raise Corrupt(f"the header is not readable: {error}") from None
    if place != len(data):
        raise Corrupt("bytes behind the last section")
    return header, sections


# What the code of every function depends on.


@functools.lru_cache(maxsize=1)
def _native_state() -> str:
    from ..runtime import native
    from ..version import __version__
    files = set(native.libraries())
    with contextlib.suppress(OSError), open("/proc/self/maps", encoding="utf-8") as maps:
        files |= {line.split(maxsplit=5)[5].strip() for line in maps if "libMLIR" in line or "libLLVM" in line}
    parts = [__version__, str(FORMAT)]
    for path in sorted(files):
        with contextlib.suppress(OSError):
            info = os.stat(path)
            parts.append(f"{os.path.basename(path)}:{info.st_size}:{info.st_mtime_ns}")
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as info:
        # Host code is made for this processor; a home folder may be shared with others.
        text = info.read(8192).partition("\n\n")[0]
        wanted = ("model name", "flags", "Features", "CPU part")
        parts += [line for line in text.splitlines() if line.startswith(wanted)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def toolchain() -> str:
    """A hash of the native libraries, this machine's processor, and FLYDSL_EXTRA_SOURCE_DIRS."""
    folders = env.runtime.extra_source_dirs
    if not folders:
        return _native_state()
    digest = hashlib.sha256(_native_state().encode())
    for folder in filter(None, folders.split(":")):
        if not os.path.isdir(folder):
            raise ValueError(f"environment variable FLYDSL_EXTRA_SOURCE_DIRS: expected folders with colons between, found '{folder}', "
                             "which is no folder")
        for directory, names, files in os.walk(folder):
            names.sort()
            for file in sorted(files):
                if file.endswith(".py"):
                    path = os.path.join(directory, file)
                    with contextlib.suppress(OSError), open(path, "rb") as source:
                        digest.update(path.encode() + b"\0" + hashlib.sha256(source.read()).digest())
    return digest.hexdigest()
