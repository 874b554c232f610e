# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/Python.md: its fragments run, and its tables are those of the code."""
import builtins
import importlib
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

import flydsl.compiler as flyc
from flydsl.utils import env

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "Python.md"


def fragments(language):
    """The fenced blocks of a language: (number of the first line, text)."""
    found, start = [], None
    lines = PAGE.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        if line == f"```{language}":
            start = number
        elif line == "```" and start is not None:
            found.append((start + 1, "\n".join(lines[start:number - 1]) + "\n"))
            start = None
    return found


def expected_error(text):
    """Type and text of the error that the last line of a fragment announces, or None."""
    found = re.fullmatch(r"# (\w+Error): (.*)", text.rstrip().split("\n")[-1])
    if found is None:
        return None
    return getattr(builtins, found.group(1), None) or getattr(flyc, found.group(1)), found.group(2)


def test_fragments_run(chip, tmp_path, capfd):
    # A file with each fragment at its own line, so that its text can be read and errors name the page's lines.
    path = tmp_path / "python_page.py"
    found = fragments("python")
    last = found[-1][0] + found[-1][1].count("\n")
    lines = [""] * last
    for number, text in found:
        for offset, line in enumerate(text.split("\n")[:-1]):
            lines[number - 1 + offset] = line
    path.write_text("\n".join(lines))
    scope = {"__name__": "python_page", "__file__": str(path)}
    for number, text in found:
        code = compile("\n" * (number - 1) + text, str(path), "exec")
        error = expected_error(text)
        if error is None:
            exec(code, scope)
            continue
        with pytest.raises(error[0]) as caught:
            exec(code, scope)
        assert error[1] in str(caught.value), f"{PAGE.name}:{number}: {caught.value}"
    assert len(found) > 15
    assert "lane 0 of 2\nlane 1 of 2\n" in capfd.readouterr().out


def test_commands(chip, tmp_path):
    commands = [line.split("#")[0].split() for _, text in fragments("sh") for line in text.splitlines()]
    commands = [command[command.index("python") + 1:] for command in commands if "python" in command]
    assert len(commands) >= 5
    for command in commands:
        done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0 or "explain" in command, (command, done.stderr)


def table(header):
    """The rows of the table with that first column's header, as lists of cells."""
    lines = [line.strip() for line in PAGE.read_text(encoding="utf-8").split("\n")]
    rows = []
    for start, line in enumerate(lines):
        if line.startswith(f"| {header} |"):
            for row in lines[start + 2:]:
                if not row.startswith("|"):
                    break
                rows.append([cell.strip() for cell in row.strip("|").split(" | ")])
    return rows


def shown(default):
    if isinstance(default, bool):
        return "1" if default else "0"
    return f"`{default}`" if default != "" else "–"


def test_environment_variables_are_those_of_the_code():
    variables = [v for group in env.groups.values() for v in group.variables().values()]
    rows = table("variable")
    assert rows[:len(variables)] == [[f"`{v.name}`", shown(v.default), v.doc] for v in variables]
    named = {name for row in rows for name in re.findall(r"`([A-Z_0-9]+)`", row[0])}
    # What the package reads without that table has a row, too.
    for path in (ROOT / "python-bindings" / "flydsl").rglob("*.py"):
        for name in re.findall(r"environ(?:\.get)?[\[(]\s*\"([A-Z_0-9]+)\"", path.read_text(encoding="utf-8")):
            assert name in named, f"{path.name} reads {name}"


def test_hints_are_those_of_the_code():
    from flydsl.compiler import hints
    source = pathlib.Path(hints.__file__).read_text(encoding="utf-8")
    for name, _ in table("hint"):
        assert f'"{name.strip("`")}"' in source


def test_kernels_are_there(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python-bindings"))
    rows = table("module")
    folder = ROOT / "python-bindings"
    files = [path.relative_to(folder).with_suffix("") for path in (folder / "kernels").glob("*/*.py") if path.name != "__init__.py"]
    assert sorted(row[0].strip("`") for row in rows) == sorted(".".join(path.parts) for path in files if path.parts[1] != "common")
    for module, builder, _ in rows:
        name, parameters = re.match(r"`(\w+)\(([^)]*)\)`", builder).groups()
        function = getattr(importlib.import_module(module.strip("`")), name)
        assert {p.strip().rstrip("=") for p in parameters.split(",")} <= set(inspect.signature(function).parameters), builder


def test_chips_of_kernels(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python-bindings"))
    from kernels.gemm import blockscale_fp8_gemm, preshuffle_gemm, rdna_f16_gemm, wmma_tdm_gemm
    chips = {row[0].strip("`"): row[2].split(", ") for row in table("module")}
    for module in (blockscale_fp8_gemm, wmma_tdm_gemm):
        assert chips[module.__name__] == list(module.INSTRUCTIONS)
    families = tuple(chips[rdna_f16_gemm.__name__])
    assert all(chip.startswith(families) for chip in rdna_f16_gemm.INSTRUCTIONS)
    operands = preshuffle_gemm.OPERANDS
    assert chips[preshuffle_gemm.__name__] == sorted({chip for table_ in operands.values() for chip in table_})
    listed = {name: row[2].split(", ") for row in table("`in_dtype`") for name in re.findall(r"`(\w+)`", row[0])}
    assert listed == {name: list(table_) for name, table_ in operands.items()}


def test_links():
    text = re.sub(r"(?s)```.*?```|`[^`]*`", "", PAGE.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (PAGE.parent / target).exists(), target


# The public release's, which later releases of this package keep.
VARIABLES = """
    ARCH FLYDSL_GPU_ARCH HSA_OVERRIDE_GFX_VERSION COMPILE_ONLY FLYDSL_COMPILE_BACKEND FLYDSL_COMPILE_OPT_LEVEL
    FLYDSL_COMPILE_LLVM_DIR FLYDSL_DUMP_IR FLYDSL_DUMP_DIR FLYDSL_DEBUG_DUMP_ASM FLYDSL_DEBUG_AST_DIFF
    FLYDSL_DEBUG_LOG_LEVEL FLYDSL_DEBUG_LOG_TO_FILE FLYDSL_DEBUG_LOG_TO_CONSOLE FLYDSL_DEBUG_PRINT_ORIGIN_IR
    FLYDSL_DEBUG_PRINT_AFTER_ALL FLYDSL_DEBUG_ENABLE_DEBUG_INFO FLYDSL_DEBUG_ENABLE_VERIFIER
    FLYDSL_DEBUG_SHOW_STACKTRACE FLYDSL_DEBUG_MAX_LOC_DEPTH FLYDSL_RUNTIME_KIND FLYDSL_RUNTIME_CACHE_DIR
    FLYDSL_RUNTIME_ENABLE_CACHE FLYDSL_RUNTIME_RUN_ONLY FLYDSL_EXTRA_SOURCE_DIRS FLYDSL_AUTOTUNE
    FLYDSL_AUTOTUNE_CACHE_DIR FLYDSL_AUTOTUNE_CONFIG_DIR FLYDSL_KTRACE_ENABLE FLYDSL_KTRACE_BUFFER_BYTES
    FLYDSL_KTRACE_BLOCKS FLYDSL_KTRACE_DUMP_DIR FLYDSL_ROCM_AGENT_TIMEOUT LLVM_GFX1250_ANY_XNACK_CODEGEN ROCM_PATH
    HIP_PATH
""".split()
COMPILER = """
    BaseBackend CompiledFunction compile_backend_name get_backend GPUTarget register_backend JitArgumentRegistry from_dlpack
    from_torch_tensor from_c_void_p jit kernel compile
""".split()
# Of LLVM, and of Windows.
NOT_OURS = {"LLVM_GFX1250_ANY_XNACK_CODEGEN", "HIP_PATH"}


def test_report_85_public_names_and_variables():
    named = {name for row in table("variable") for name in re.findall(r"`([A-Z_0-9]+)`", row[0])}
    assert not [name for name in VARIABLES if name not in named | NOT_OURS]
    assert sorted(flyc.__all__) == sorted(COMPILER) and not [name for name in COMPILER if not hasattr(flyc, name)]
