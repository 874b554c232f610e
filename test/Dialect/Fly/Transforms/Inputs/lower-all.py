"""Lowers every op of the given .mlir files with all results in use.

Usage: lower-all.py FLY_OPT FILE...

Inference and lowering evaluate the same function. The files hold ops with
stated result types; here each result gets a use, so that lowering cannot drop
it, and the module is lowered with and without the signature pass. Lowering
fails if a value is of another type than inference said. With the signature
pass no op but those of the lowered form may be left.
"""

import re
import subprocess
import sys

LOWERED = {
    "make_int_tuple", "make_layout", "make_composed_layout", "make_view",
    "make_ptr", "add_offset", "apply_swizzle", "recast_iter", "ptr.load",
    "ptr.store", "make_copy_atom", "make_mma_atom", "make_tiled_copy",
    "make_tiled_mma", "atom.set_value", "copy_atom_call", "mma_atom_call",
    "copy_atom_call_ssa", "mma_atom_call_ssa", "static", "inttoptr",
    "ptrtoint", "to_llvm_ptr", "get_dyn_shared", "assume",
    "extract_aligned_pointer_as_index",
}  # fmt: skip


def result_types(text):
    """The part of an op's functional type behind the arrow."""
    depth, arrow = 0, -1
    for i, c in enumerate(text):
        if c == "<":
            depth += 1
        elif c == ">" and text[i - 1] != "-":
            depth -= 1
        elif text[i : i + 2] == "->" and depth == 0:
            arrow = i
    return text[arrow + 2 :].strip()


def add_uses(text):
    lines, uses = [], 0
    for line in text.split("\n"):
        lines.append(line)
        match = re.match(r'\s*(%\d+) = "fly\.', line)
        if match and not line.rstrip().endswith("{"):
            types = result_types(line.rsplit(" : ", 1)[-1])
            lines.append(f'"test.use"({match.group(1)}) : ({types}) -> ()')
            uses += 1
    return "\n".join(lines), uses


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    flags = ["-split-input-file", "-allow-unregistered-dialect"]
    total = 0
    for name in files:
        generic = subprocess.run(
            [tool, name, "-mlir-print-op-generic"] + flags,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        module, uses = add_uses(generic.stdout)
        total += uses
        for passes in (
            "fly-layout-lowering",
            "fly-rewrite-func-signature,fly-layout-lowering",
        ):
            done = subprocess.run(
                [tool, "-", f"--pass-pipeline=builtin.module({passes})"] + flags,
                input=module, capture_output=True, text=True,
            )  # fmt: skip
            if done.returncode != 0:
                print(f"{name}: {passes} failed\n{done.stderr}")
                return 1
        left = set(re.findall(r"(?<![!#\w.])fly\.([a-z_0-9.]+)", done.stdout))
        if not left <= LOWERED:
            print(f"{name}: left behind: {sorted(left - LOWERED)}")
            return 1
    print(f"{total} results lowered")
    return 0


if __name__ == "__main__":
    sys.exit(main())
