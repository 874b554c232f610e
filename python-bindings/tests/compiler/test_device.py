# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which device runs the code, and what is said when there is none."""
import os
import subprocess
import sys

import numpy as np
import pytest

from flydsl.runtime import device_runtime, native

FAKE_HIP = os.path.join(os.path.dirname(native.library_path()), "..", "unittests", "lib", "libfly_fake_hip.so")


def run(code, **variables):
    """Runs Python code in a process of its own; returns its output, or its error."""
    environment = {k: v for k, v in os.environ.items() if k not in ("FLYDSL_DEVICE", "FLY_DEVICE", "FLYDSL_RUNTIME_KIND")}
    environment.update(variables)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 1), done.stderr
    return (done.stdout or done.stderr).strip()


KIND = "from flydsl.runtime import device_runtime\nprint(device_runtime.device_kind())"


@pytest.mark.parametrize("variables, kind", [
    ({"FLYDSL_DEVICE": "cpu"}, "cpu"), ({"FLYDSL_DEVICE": "auto", "FLY_HIP_LIBRARY": "/nowhere.so"}, "cpu"),
    ({"FLY_DEVICE": "cpu"}, "cpu"), ({"FLYDSL_RUNTIME_KIND": "cpu", "FLY_DEVICE": "hip"}, "cpu"),
    ({"FLYDSL_DEVICE": "cpu", "FLYDSL_RUNTIME_KIND": "rocm"}, "cpu")
])
def test_choice(variables, kind):
    assert run(KIND, **variables) == kind


@pytest.mark.skipif(not os.path.exists(FAKE_HIP), reason="needs the unit tests' HIP library")
@pytest.mark.parametrize("variables", [{"FLYDSL_DEVICE": "hip"}, {"FLYDSL_DEVICE": "auto"}, {},
                                       {"FLYDSL_RUNTIME_KIND": "rocm"}])
def test_hip(variables):
    assert run(KIND, FLY_HIP_LIBRARY=FAKE_HIP, **variables) == "hip"


def test_no_hip_library_is_one_clear_error():
    text = run(KIND, FLYDSL_DEVICE="hip", FLY_HIP_LIBRARY="/nowhere.so")
    assert text.splitlines()[-1].startswith("RuntimeError: cannot load the HIP library")


def test_device_is_fixed_by_first_use():
    text = run(KIND + "\nimport os\nos.environ['FLYDSL_DEVICE'] = 'hip'\ndevice_runtime.device_kind()",
               FLYDSL_DEVICE="cpu", FLY_HIP_LIBRARY="/nowhere.so")
    assert "cpu" in text


def test_unknown_kind():
    text = run(KIND, FLYDSL_RUNTIME_KIND="cuda")
    assert text.endswith("RuntimeError: FLYDSL_RUNTIME_KIND names the unknown device runtime 'cuda'; known: rocm, hip, cpu")


def test_missing_runtime_library(monkeypatch, tmp_path):
    # User report 46: one message with the file searched and the folders.
    monkeypatch.setattr(native, "search_paths", lambda: [str(tmp_path)])
    monkeypatch.setattr(native, "LIBRARY", "libfly_runtime_hidden.so")
    native.library.cache_clear()
    try:
        with pytest.raises(RuntimeError, match=f"not found: libfly_runtime_hidden.so is looked for in {tmp_path}"):
            native.library()
    finally:
        monkeypatch.undo()
        native.library.cache_clear()


def test_missing_native_module():
    text = run("import sys\nimport flydsl._mlir._mlir_libs\nsys.modules['flydsl._mlir._mlir_libs._flyNative'] = None\n"
               "from flydsl.runtime.device import get_rocm_arch\nget_rocm_arch()", FLYDSL_GPU_ARCH="gfx942")
    assert "RuntimeError: the native part of flydsl cannot be loaded" in text and "libfly_runtime.so is looked for" in text


def test_buffers_hold_what_is_copied():
    native.select_device("cpu")
    source, target = np.arange(10, dtype=np.int32), np.zeros(10, np.int32)
    buffer = native.DeviceBuffer(40)
    buffer.copy_from_host(source.ctypes.data, 40)
    buffer.copy_to_host(target.ctypes.data, 40)
    buffer.free()
    buffer.free()
    native.raise_pending()
    np.testing.assert_array_equal(source, target)


def test_pairing():
    device_runtime.ensure_compile_runtime_compatible("rocm", "rocm")
    device_runtime.ensure_compile_runtime_compatible("rocm", "cpu")
    with pytest.raises(RuntimeError, match="FLYDSL_COMPILE_BACKEND.*FLYDSL_RUNTIME_KIND"):
        device_runtime.ensure_compile_runtime_compatible("rocm", "level_zero")
    with pytest.raises(RuntimeError, match="has no device runtime"):
        device_runtime.ensure_compile_runtime_compatible("other", "rocm")
    device_runtime.register_compile_runtime_mapping("other", "rocm")
    try:
        device_runtime.ensure_compile_runtime_compatible("other", "rocm")
    finally:
        device_runtime._EXTRA_MAPPINGS.clear()


def test_register_device_runtime(monkeypatch):
    monkeypatch.setattr(device_runtime, "_instance", None)
    monkeypatch.setattr(device_runtime, "_runtime_cls_override", {})

    class Mine(device_runtime.CpuDeviceRuntime):
        kind = "mine"

    device_runtime.register_device_runtime(Mine)
    with pytest.raises(ValueError, match="already registered"):
        device_runtime.register_device_runtime(Mine)
    device_runtime.register_device_runtime(Mine, force=True)
    monkeypatch.delenv("FLYDSL_DEVICE")
    monkeypatch.setenv("FLYDSL_RUNTIME_KIND", "mine")
    assert type(device_runtime.get_device_runtime()) is Mine
    with pytest.raises(RuntimeError, match="in use already"):
        device_runtime.register_device_runtime(Mine, force=True)
    with pytest.raises(TypeError, match="expected a subclass of DeviceRuntime"):
        device_runtime.register_device_runtime(int)


@pytest.mark.parametrize("arch, count", [("gfx90a", 65536), ("gfx942", 65536), ("gfx950", 163840), ("gfx1100", 65536),
                                         ("gfx1151", 65536), ("gfx1200", 65536), ("gfx1201", 65536), ("gfx1250", 327680)])
def test_shared_memory_of_chips(arch, count):
    # User report 65.
    from flydsl.runtime.device import SMEM_CAPACITY_MAP, check_smem_capacity
    assert SMEM_CAPACITY_MAP[arch] == SMEM_CAPACITY_MAP.get(arch.upper()) == count and arch in SMEM_CAPACITY_MAP
    check_smem_capacity(count, arch)
    with pytest.raises(RuntimeError, match=f"Shared Memory Overflow: Requested {count + 1} bytes, but device {arch} limit "
                       f"is {count} bytes"):
        check_smem_capacity(count + 1, arch)


@pytest.mark.parametrize("arch, wave, rdna", [("gfx90a", 64, False), ("gfx942", 64, False), ("gfx950", 64, False),
                                              ("gfx1100", 32, True), ("gfx1151", 32, True), ("gfx1200", 32, True),
                                              ("gfx1201", 32, True), ("gfx1250", 32, False)])
def test_waves_of_chips(arch, wave, rdna):
    # User reports 86 and 87.
    from flydsl.runtime.device import get_warp_size, is_rdna_arch
    assert get_warp_size(arch) == wave and is_rdna_arch(arch) == rdna


def test_backends(monkeypatch):
    from flydsl.compiler import BaseBackend, GPUTarget, compile_backend_name, get_backend, register_backend
    assert compile_backend_name() == "rocm"
    backend = get_backend(arch="gfx1201")
    assert isinstance(backend, BaseBackend) and backend.target == GPUTarget("rocm", "gfx1201", 32)
    assert [backend.llvm_address_space(s) for s in ("Generic", "Global", "Shared", "Register")] == [0, 1, 3, 5]
    with pytest.raises(ValueError, match="has no LLVM address space"):
        backend.llvm_address_space("BufferDesc")
    with pytest.raises(ValueError, match="already registered"):
        register_backend("rocm", type(backend))
    with pytest.raises(TypeError, match="expected a subclass of BaseBackend"):
        register_backend("mine", int)
    assert get_backend(arch="gfx1201") is backend and "gfx1201" in backend.hash()
    for use in (backend.aot_runtime_config, backend.ktrace_backend):
        with pytest.raises(NotImplementedError, match="not supported yet"):
            use()
