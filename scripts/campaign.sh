#!/usr/bin/env bash
# Mutated run folders, scenes and robots, options with problems of impacts, and requests to the viewer:
#
#   scripts/campaign.sh [COUNT] [SEED]
#
# COUNT cases (1 000 000 unless told) of SEED (1): 55 % scenes, half of them changed so little that most are run, by events and by
# time steps, 25 %
# requests, 15 % run folders, 5 % command lines, all four at the same time. No case may panic, compute for more than 10 s,
# hang, take more than 2 GB, or end with a code other than 0, 1 and 2; the fuzzers tell what else is wrong. A campaign that is
# stopped goes on where it was: progress is kept in target/campaign/SEED, with the programs and what they printed. The
# exit code is 1 if anything was found.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
count=${1:-1000000}
seed=${2:-1}
kept=target/campaign/$seed
mkdir -p "$kept"

cargo build --release --locked --quiet -p carom-cli --bin carom
# Together, so that what they have in common is built once.
cargo build --release --locked --quiet -p carom-scene -p carom-report -p carom-cli \
  --example fuzz --example fuzz_runs --example fuzz_options --example fuzz_requests

# Copies, so that a build while the campaign runs does not change what is tried.
fuzzers="fuzz fuzz_runs fuzz_requests fuzz_options"
cp target/release/carom $(printf 'target/release/examples/%s ' $fuzzers) "$kept"

# Folders of cases are small and many: in memory where there is room for that.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ]; then export TMPDIR=/dev/shm; fi

parts=()
part() {
  local name=$1 share=$2
  shift 2
  # In parentheses, so that waiting for it tells how the fuzzer ended, not how tee did.
  ("$@" $((count * share / 100)) "$seed" "$kept/$name.progress" 2>"$kept/$name.stderr" | tee -a "$kept/$name.log") &
  parts+=($!)
}
part scenes 55 "$kept/fuzz"
part requests 25 "$kept/fuzz_requests" "$kept/carom"
part runs 15 "$kept/fuzz_runs"
part options 5 "$kept/fuzz_options" "$kept/carom"
code=0
for part in "${parts[@]}"; do wait "$part" || code=1; done
exit "$code"
