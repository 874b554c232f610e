#!/usr/bin/env bash
# scripts/build.sh: configures and builds Fly.
#
# usage: scripts/build.sh [release|dev|asan|fuzz] [--help]
#
#   release   optimised (default); build/bin, build/lib and build/python_packages
#             are links to this build
#   dev       optimised, with debug information and Fly's assertions
#   asan      address and undefined-behaviour sanitizers, assertions on
#   fuzz      the same with libFuzzer's counters: builds fly-libfuzzer only
#
# Outputs: build/<preset>/{bin,lib,python_packages}. scripts/setup.sh first.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=release
for arg in "$@"; do
  case "$arg" in
    release | dev | asan | fuzz) preset="$arg" ;;
    -h | --help) print_help "$0"; exit 0 ;;
    *) die "unknown argument '$arg' (see --help)" ;;
  esac
done

cd "$root"
dir="build/$preset"
targets=()
if [ "$preset" = fuzz ]; then targets=(fly-libfuzzer); fi
step "build: configuring $dir"
run_quiet "configuring" cmake --preset "$preset" -DPython3_EXECUTABLE="$venv/bin/python" -DPython_EXECUTABLE="$venv/bin/python"
step "build: compiling with $(jobs) jobs"
# ninja's own status line shows the progress on a terminal; a log gets a line a minute.
if [ -t 1 ]; then
  ninja -C "$dir" -j"$(jobs)" "${targets[@]}" || die "the build failed"
else
  NINJA_STATUS='[%f/%t] ' ninja -C "$dir" -j"$(jobs)" "${targets[@]}" >"$dir/build.log" 2>&1 &
  pid=$!
  trap 'kill $pid 2>/dev/null || true' EXIT
  last=0
  while kill -0 "$pid" 2>/dev/null; do
    sleep 2
    now=$SECONDS
    if [ $((now - last)) -ge 60 ]; then
      last=$now
      step "build: $(grep -oE '^\[[0-9]+/[0-9]+\]' "$dir/build.log" | tail -n 1)"
    fi
  done
  trap - EXIT
  if ! wait "$pid"; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating|Copying)' "$dir/build.log" | tail -n 80 >&2
    die "the build failed; the whole log is $dir/build.log"
  fi
fi
if [ "$preset" = release ]; then
  for part in bin lib python_packages; do
    mkdir -p "$dir/$part"
    ln -sfn "release/$part" "build/$part"
  done
fi
step "build: done, $dir"
