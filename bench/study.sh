#!/bin/sh
# Studies, measured: sh bench/study.sh [ROWS [SEED]]. The double pendulum over e and μ on one and on two threads,
# against the same runs without a study; then killed ten times at random moments and resumed, each time on another
# number of threads. Prints rows per second, the overhead, the largest memory and whether each bound is met; fails where
# bytes differ. `sh bench/study.sh 100000` is the whole of it: about 20 minutes.
#
# Needs cargo; on a machine that does other work the ratio of two threads to one says nothing.
set -eu
cd "$(dirname "$0")/.."
rows=${1:-4000}
seed=${2:-1}
each=$(awk -v n="$rows" 'BEGIN { s = int(sqrt(n)); print s + (s * s < n) }')
cargo build --quiet --release -p carom-cli
cargo build --quiet --release -p carom-study --example bare
out=target/bench/study
time=/usr/bin/time
rm -rf "$out"
mkdir -p "$out"
timed() {
  name=$1
  shift
  "$time" -f "%e %U %S %M" -o "$out/$name.time" "$@"
}
# The study of so many values each way, on so many threads, into a folder, started by the rest of the arguments.
study() {
  side=$1 threads=$2 name=$3
  shift 3
  "$@" target/release/carom study scenes/double_pendulum.toml \
    --vary contact.0.restitution=0:0.95:"$side" --vary contact.0.friction=0:1:"$side" \
    --result 'rest=time(rest, 1)' --result lost=energy.lost --result impacts='count(impact)' \
    --threads "$threads" --out "$out/$name.study" -q
}
timed bare target/release/examples/bare scenes/double_pendulum.toml "$each" > "$out/bare.txt"
few=$(awk -v s="$each" 'BEGIN { print int(s / 4) + 2 }')
study "$few" 1 few timed few
study "$each" 1 1 timed 1
study "$each" 2 2 timed 2
diff -r "$out/1.study" "$out/2.study"
wall=$(cut -d' ' -f1 "$out/2.time")
kills=0
for round in 1 2 3 4 5 6 7 8 9 10; do
  wait=$(awk -v seed="$seed" -v k="$round" -v wall="$wall" 'BEGIN { srand(1000 * seed + k); print wall / 11 * (0.1 + 1.6 * rand()) }')
  study "$each" $((round % 3 + 1)) killed exec &
  process=$!
  sleep "$wait"
  if kill -9 "$process" 2>/dev/null; then kills=$((kills + 1)); fi
  wait "$process" 2>/dev/null || true
done
study "$each" 2 killed timed killed
diff -r "$out/1.study" "$out/killed.study"
awk -v side="$each" -v few="$few" -v kills="$kills" '
  function verdict(met) { return met ? "met" : "MISSED" }
  { wall[FILENAME] = $1; cpu[FILENAME] = $2 + $3; memory[FILENAME] = $4 / 1024; name[++n] = FILENAME }
  END {
    rows = side * side
    bare = name[1]; little = name[2]; one = name[3]; two = name[4]
    printf "%d rows\n", rows
    printf "bare runs, 1 thread   %7.1f rows/s  %6.3f ms of CPU per row  %3.0f MB\n", rows / wall[bare], 1e3 * cpu[bare] / rows, memory[bare]
    printf "study, 1 thread       %7.1f rows/s  %6.3f ms of CPU per row  %3.0f MB\n", rows / wall[one], 1e3 * cpu[one] / rows, memory[one]
    printf "study, 2 threads      %7.1f rows/s  %6.3f ms of CPU per row  %3.0f MB\n", rows / wall[two], 1e3 * cpu[two] / rows, memory[two]
    ratio = wall[one] / wall[two]; over = cpu[one] / cpu[bare] - 1; grown = memory[one] / memory[little]
    printf "two threads to one    %.2f, bound 1.9: %s\n", ratio, verdict(ratio >= 1.9)
    printf "overhead              %.1f %% of CPU, bound 20 %%: %s\n", 100 * over, verdict(over <= 0.2)
    printf "memory                %.2f times that of %d rows, bound 1.5: %s\n", grown, few * few, verdict(grown <= 1.5)
    printf "killed %d times and resumed: same bytes\n", kills
  }' "$out/bare.time" "$out/few.time" "$out/1.time" "$out/2.time"
