"""Holds the registers of the example kernels to a budget: no spill, no scratch
memory, and not more vector registers than are stated here.

usage: check-budgets.py FLY_TRANSLATE EXAMPLES
"""

import json
import subprocess
import sys

# Module, chip, vector registers: what LLVM 22.1 takes and some room.
BUDGETS = [
    *(("vector_add", chip, 12) for chip in ("gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250")),
    *(("transpose", chip, 16) for chip in ("gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250")),
    *(("softmax.wave64", chip, 16) for chip in ("gfx942", "gfx950")),
    *(("softmax.wave32", chip, 24) for chip in ("gfx1100", "gfx1201", "gfx1250")),
    ("gemm.gfx942", "gfx942", 52),
    ("gemm.gfx942", "gfx950", 52),
    ("gemm_512.gfx942", "gfx942", 54),
    ("gemm.gfx1100", "gfx1100", 104),
    ("gemm.gfx1201", "gfx1201", 88),
    ("gemm.gfx1250", "gfx1250", 80),
]


def main():
    tool, examples = sys.argv[1:]
    kernels, faults = 0, 0
    for name, chip, budget in BUDGETS:
        done = subprocess.run(
            [tool, f"{examples}/kernels/{name}.mlir", "--fly-report", "--json", f"--chip={chip}"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        for kernel in json.loads(done.stdout)["kernels"]:
            kernels += 1
            spills = [kernel[key] for key in ("vgpr_spills", "sgpr_spills", "scratch_bytes")]
            if any(spills) or kernel["vgprs"] > budget:
                faults += 1
                print(f"{name} {chip}: {kernel['vgprs']} vector registers of {budget}, spills {spills}")
    print(f"{kernels} kernels, {faults} over their budget")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
