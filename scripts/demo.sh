#!/usr/bin/env bash
# scripts/demo.sh: set-up, build and the main job.
#
# usage: scripts/demo.sh [--no-setup] [--help]
#
#   --no-setup   skip the package check
#
# The main job compiles the example kernels for five chips, runs each on the CPU
# target and compares it with NumPy; it ends with a table, one row a module and
# chip. Exit status 0 if every row is right.
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
