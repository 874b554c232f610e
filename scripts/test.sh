#!/usr/bin/env bash
# scripts/test.sh: set-up, build and every test.
#
# usage: scripts/test.sh [--preset=release|dev|asan] [--no-setup] [--filter=REGEX] [--help]
#
#   --preset=P      the build to test (default release)
#   --no-setup      skip the package check
#   --filter=REGEX  only lit tests and unit tests whose name matches, no tests of
#                   the Python package
#
# Runs the unit tests, the lit suite and the tests of the Python package (not with
# sanitizers), each failure with its output, and prints as its last line "N passed, M failed". Exit status 0 if none failed.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=release setup=1 filter=
for arg in "$@"; do
  case "$arg" in
    --preset=release | --preset=dev | --preset=asan) preset="${arg#*=}" ;;
    --no-setup) setup=0 ;;
    --filter=*) filter="${arg#*=}" ;;
    -h | --help) print_help "$0"; exit 0 ;;
    *) die "unknown argument '$arg' (see --help)" ;;
  esac
done

cd "$root"
[ "$setup" = 0 ] || scripts/setup.sh
scripts/build.sh "$preset"
dir="$root/build/$preset"
results="$dir/test-results"
rm -rf "$results" && mkdir -p "$results"

limit=300 # seconds for a lit test
if [ "$preset" = asan ]; then
  limit=1200
  # libMLIR and libLLVM are not instrumented: containers that cross the border
  # look overflowed, what their allocators hand out of a slab that our code took
  # looks poisoned, and what they keep until exit looks leaked. LLVM puts its own
  # signal stack in the place of the sanitizer's, which would then be freed twice.
  options=detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0:use_sigaltstack=0
  export ASAN_OPTIONS="$options:${ASAN_OPTIONS:-}"
  export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}"
fi

step "test: unit tests and checks"
ctest_args=(--test-dir "$dir" -j"$(jobs)" --output-on-failure --no-tests=error
  --output-junit "$results/ctest.xml" -E '^lit$')
[ -z "$filter" ] || ctest_args+=(-R "$filter")
ctest "${ctest_args[@]}" >"$results/ctest.log" 2>&1 || true
sed -n '/\*\*\*\(Failed\|Exception\|Timeout\)/,/^ *[0-9]*\/[0-9]* Test/p' "$results/ctest.log" | head -n 400

step "test: lit suite"
lit_args=(-q -j"$(jobs)" --timeout "$limit" --xunit-xml-output "$results/lit.xml")
[ -z "$filter" ] || lit_args+=(--filter "$filter")
"$venv/bin/python" "$llvm_prefix/bin/lit" "${lit_args[@]}" "$dir/test" 2>&1 | head -n 2000 || true

files=("$results/ctest.xml" "$results/lit.xml")
if [ -z "$filter" ] && [ "$preset" != asan ]; then
  step "test: Python package"
  files+=("$results/pytest.xml")
  PYTHONPATH="$dir/python_packages" "$venv/bin/python" -m pytest -q -p no:cacheprovider \
    --junit-xml="$results/pytest.xml" python-bindings/tests >"$results/pytest.log" 2>&1 || true
  sed -n '/^=* \(FAILURES\|ERRORS\) =*$/,$p' "$results/pytest.log" | head -n 1000
fi

"$venv/bin/python" utils/summarize-tests.py "${files[@]}"
