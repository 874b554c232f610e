#!/usr/bin/env bash
# scripts/setup.sh: installs what Fly needs on a Debian 12 machine.
#
# usage: scripts/setup.sh [--check] [--help]
#
#   --check   only tell what is missing; install nothing, exit 1 if anything is
#
# Debian packages (scripts/packages.txt) come from the configured apt sources
# and need root; Python packages (scripts/requirements.txt) go into .venv of
# this checkout. Running it again does nothing when all is there.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

check=0
for arg in "$@"; do
  case "$arg" in
    --check) check=1 ;;
    -h | --help) print_help "$0"; exit 0 ;;
    *) die "unknown argument '$arg' (see --help)" ;;
  esac
done

mapfile -t packages < <(grep -v '^#' "$root/scripts/packages.txt" | grep .)

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

command -v dpkg-query >/dev/null || die "this set-up is for Debian 12: dpkg-query not found"
missing=()
for package in "${packages[@]}"; do
  installed "$package" || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
  [ "$check" = 0 ] || die "missing Debian packages: ${missing[*]}"
  sudo=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "root is needed to install: ${missing[*]}"
    sudo=(sudo)
  fi
  step "set-up: reading the package lists"
  # A broken third-party source must not stop us: what counts is whether the packages can be had.
  "${sudo[@]}" apt-get update -qq >/dev/null 2>&1 || step "set-up: warning: 'apt-get update' reported errors"
  for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 ||
      die "Debian package '$package' cannot be had from this machine's apt sources (Fly needs Debian 12 with its security updates, which carry LLVM 22)"
  done
  step "set-up: installing ${#missing[@]} Debian packages: ${missing[*]}"
  run_quiet "installing Debian packages" "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
fi

version="$("$llvm_prefix/bin/llvm-config" --version 2>/dev/null || true)"
case "$version" in
  22.1.*) ;;
  *) die "LLVM 22.1.x is needed in $llvm_prefix, found '${version:-nothing}'" ;;
esac
"$llvm_prefix/bin/mlir-opt" --version 2>/dev/null | grep -q 'version 22\.1\.' ||
  die "MLIR 22.1.x is needed: $llvm_prefix/bin/mlir-opt is missing or of another version"

stamp="$venv/.requirements"
if ! cmp -s "$root/scripts/requirements.txt" "$stamp"; then
  [ "$check" = 0 ] || die "the virtual environment $venv is missing or out of date"
  step "set-up: Python packages into .venv"
  # Debian's own interpreter, whatever else is first on PATH.
  run_quiet "making the virtual environment" /usr/bin/python3 -m venv "$venv"
  run_quiet "installing the pinned Python packages (from PyPI)" \
    "$venv/bin/pip" install --disable-pip-version-check -q -r "$root/scripts/requirements.txt"
  cp "$root/scripts/requirements.txt" "$stamp"
fi

sources="$venv/share/mlir-python"
if [ ! -e "$sources/package.txt" ]; then
  [ "$check" = 0 ] || die "the sources of MLIR's Python binding are missing in $sources"
  step "set-up: sources of MLIR's Python binding"
fi
[ "$check" = 1 ] || run_quiet "fetching the sources of MLIR's Python binding" \
  "$venv/bin/python" "$root/utils/fetch-mlir-python.py" --into "$sources" --headers "$llvm_prefix/include"
step "set-up: LLVM/MLIR $version, $("$venv/bin/python" --version), all packages there"
