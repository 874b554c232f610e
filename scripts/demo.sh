#!/usr/bin/env bash
# scripts/demo.sh: set-up, build and the main job.
#
# usage: scripts/demo.sh [--no-setup] [--help]
#
#   --no-setup   skip the package check
#
# The main job compiles the example kernels for five chips, runs each on the CPU
# target and compares it with NumPy; it shows a table, one row a module and chip.
# At the end a matrix product written in Python is traced, compiled and run on the
# CPU target. Exit status 0 if every result is right.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

setup=1
for arg in "$@"; do
  case "$arg" in
    --no-setup) setup=0 ;;
    -h | --help) print_help "$0"; exit 0 ;;
    *) die "unknown argument '$arg' (see --help)" ;;
  esac
done

cd "$root"
[ "$setup" = 0 ] || scripts/setup.sh
scripts/build.sh release
step "demo: every example on every chip"
"$venv/bin/python" examples/run.py --bin build/bin
step "demo: a kernel in Python"
FLYDSL_DEVICE=cpu FLYDSL_GPU_ARCH=gfx942 PYTHONPATH=build/python_packages \
  "$venv/bin/python" examples/kernels/gemm.py
