# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The disk cache: files that check, or are made again."""
import os
import signal
import subprocess
import sys
import warnings

import pytest

from flydsl.compiler import disk_cache
from flydsl.compiler.disk_cache import Corrupt, DiskCache, parse, serialize

KEY = "0123456789abcdef" * 4


@pytest.fixture
def cache(cache_dir):
    found = DiskCache.current()
    assert found is not None
    return found


def test_round_trip(cache):
    cache.store("gemm", KEY, {"entry": "gemm"}, {"code": b"\x00\x01", "source": b""})
    header, sections = cache.load("gemm", KEY)
    assert header["entry"] == "gemm" and sections == {"code": b"\x00\x01", "source": b""}


def test_private(cache):
    cache.store("gemm", KEY, {}, {"code": b"x"})
    assert os.stat(cache.root).st_mode & 0o777 == 0o700
    assert os.stat(cache.path("gemm", KEY)).st_mode & 0o777 == 0o600


def test_folder_that_others_can_write_is_refused(tmp_path, monkeypatch):
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setenv("FLYDSL_RUNTIME_CACHE_DIR", str(folder))
    with pytest.warns(UserWarning, match="others than you can write to it"):
        assert DiskCache.current() is None


@pytest.mark.parametrize("name", ["FLYDSL_RUNTIME_CACHE_DIR", "FLYDSL_RUNTIME_ENABLE_CACHE"])
def test_off(monkeypatch, name):
    monkeypatch.setenv(name, "" if name.endswith("DIR") else "0")
    assert DiskCache.current() is None


@pytest.mark.parametrize("place", [0, 10, 45, 60, -1])
def test_flipped_bit_is_noticed_and_removed(cache, place):
    cache.store("gemm", KEY, {"entry": "gemm"}, {"code": b"machine code"})
    path = cache.path("gemm", KEY)
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data[place] ^= 4
    with open(path, "wb") as file:
        file.write(data)
    assert cache.load("gemm", KEY) is None
    assert not os.path.exists(path)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.symlink("/dev/zero", path), os.mkdir],
                         ids=["pipe", "endless device", "folder"])
def test_what_is_no_file_is_not_read(cache, make):
    cache.store("gemm", KEY, {}, {"code": b"x"})
    path = cache.path("gemm", KEY)
    os.unlink(path)
    make(path)
    assert cache.load("gemm", KEY) is None
    # A new entry takes its place, or the failure to write it is logged.
    cache.store("gemm", KEY, {"entry": "gemm"}, {"code": b"y"})
    assert os.path.isdir(path) or cache.load("gemm", KEY)[1] == {"code": b"y"}


@pytest.mark.parametrize("length", [0, 5, 47, 100])
def test_truncated_file(cache, length):
    cache.store("gemm", KEY, {"entry": "gemm"}, {"code": b"machine code" * 20})
    path = cache.path("gemm", KEY)
    os.truncate(path, length)
    assert cache.load("gemm", KEY) is None


def test_pickle_is_not_read(cache):
    # DIFF: py-cache-files
    import pickle
    path = cache.path("gemm", KEY)
    os.makedirs(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(pickle.dumps(["anything"]))
    assert cache.load("gemm", KEY) is None


def test_extra_bytes_are_refused():
    data = b"".join(serialize({"key": KEY}, {"code": b"x"}))
    with pytest.raises(Corrupt, match="behind the last section"):
        parse(data + b"y")


def test_size_is_bounded(cache, monkeypatch):
    monkeypatch.setenv("FLYDSL_RUNTIME_CACHE_BYTES", "5000")
    keys = [f"{i:064x}" for i in range(8)]
    for number, key in enumerate(keys):
        cache.store("gemm", key, {}, {"code": b"x" * 1000})
        os.utime(cache.path("gemm", key), (1e9 + number, 1e9 + number))
    left = {entry.key for entry in cache.entries()}
    assert sum(entry.size for entry in cache.entries()) <= 5000
    assert keys[-1] in left and keys[0] not in left


def test_least_recently_used_goes_first(cache, monkeypatch):
    for number in range(3):
        cache.store("gemm", f"{number:064x}", {}, {"code": b"x" * 1000})
        os.utime(cache.path("gemm", f"{number:064x}"), (1e9 + number, 1e9 + number))
    cache.load("gemm", f"{0:064x}")
    monkeypatch.setenv("FLYDSL_RUNTIME_CACHE_BYTES", "4000")
    cache.store("gemm", f"{9:064x}", {}, {"code": b"x" * 1000})
    assert f"{0:064x}" in {entry.key for entry in cache.entries()}
    assert f"{1:064x}" not in {entry.key for entry in cache.entries()}


def test_temporary_files_of_killed_processes_go(cache):
    os.makedirs(os.path.dirname(cache.path("gemm", KEY)))
    stale = os.path.join(os.path.dirname(cache.path("gemm", KEY)), ".tmp-dead")
    open(stale, "w").close()
    os.utime(stale, (1e9, 1e9))
    cache.entries()
    assert not os.path.exists(stale)


def test_lock_is_released_by_kill(cache):
    # User report 73: a killed process must not block the others.
    code = ("import sys, time\nfrom flydsl.compiler.disk_cache import DiskCache\n"
            f"with DiskCache.current().compiling('{KEY}'):\n print('held', flush=True)\n time.sleep(60)\n")
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.stdout.readline() == b"held\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    with cache.compiling(KEY):
        pass


def test_many_writers_of_one_key(cache):
    # User report 73: no torn file, whoever wins.
    code = ("from flydsl.compiler.disk_cache import DiskCache\nimport os\ncache = DiskCache.current()\n"
            f"for i in range(50):\n cache.store('gemm', '{KEY}', {{}}, {{'code': os.urandom(20000)}})\n"
            f" assert cache.load('gemm', '{KEY}') is not None\n")
    children = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    assert cache.load("gemm", KEY) is not None
    assert not [f for f in os.listdir(os.path.dirname(cache.path("gemm", KEY))) if f.startswith(".tmp")]


def test_launcher_names_are_safe(cache):
    cache.store("../../<lambda>", KEY, {}, {"code": b"x"})
    assert cache.path("../../<lambda>", KEY).startswith(cache.root + os.sep)
    assert cache.load("../../<lambda>", KEY) is not None


def test_extra_source_folders_count(tmp_path, monkeypatch):
    folder = tmp_path / "src"
    folder.mkdir()
    monkeypatch.setenv("FLYDSL_EXTRA_SOURCE_DIRS", str(folder))
    (folder / "a.py").write_text("1")
    before = disk_cache.toolchain()
    (folder / "a.py").write_text("2")
    assert disk_cache.toolchain() != before


def test_no_warning_for_a_private_folder():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DiskCache.current()
