# Shared by the scripts of this folder; sourced, never run.
# Gives: $root, step (progress line), die (error and exit), run_quiet (show output only on failure).

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
venv="$root/.venv"
llvm_prefix=/usr/lib/llvm-22

step() { printf '[%s] %s\n' "$(date +%H:%M:%S)" "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# run_quiet WHAT CMD...: runs CMD with its output in a log; the log is shown if it fails.
run_quiet() {
  local what="$1" log; shift
  log="$(mktemp)"
  if ! "$@" >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    rm -f "$log"
    die "$what failed; the command was: $*"
  fi
  rm -f "$log"
}

# The number of parallel jobs: one a core, at most one for each 2 GiB of memory.
jobs() {
  local cores mem
  cores="$(nproc)"
  mem="$(awk '/MemTotal/ {print int($2 / 2097152)}' /proc/meminfo)"
  [ "$mem" -ge 1 ] || mem=1
  echo $((cores < mem ? cores : mem))
}

# Prints the comment block at the top of the calling script (its help text).
print_help() { sed -n '2,/^[^#]/ { /^#/ s/^# \{0,1\}//p }' "$1"; }
