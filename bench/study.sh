#!/bin/sh
# Throughput of studies: sh bench/study.sh [ROWS]. Double pendulum over e and μ on one and on two threads, against the
# same runs without a study; prints rows per second, the overhead and the largest memory, fails where the bytes differ.
#
# Needs cargo; on a machine that does other work the ratio of two threads to one says nothing.
set -eu
cd "$(dirname "$0")/.."
rows=${1:-4000}
side=$(awk -v n="$rows" 'BEGIN { printf "%d", sqrt(n) }')
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
study() {
  timed "$1" target/release/carom study scenes/double_pendulum.toml \
    --vary contact.0.restitution=0:0.95:"$side" --vary contact.0.friction=0:1:"$side" \
    --result 'rest=time(rest, 1)' --result lost=energy.lost --result impacts='count(impact)' \
    --threads "$1" --out "$out/$1.study" -q
}
timed bare target/release/examples/bare scenes/double_pendulum.toml "$side" > "$out/bare.txt"
study 1
study 2
diff -r "$out/1.study" "$out/2.study"
awk -v side="$side" '
  { wall[FNR + n] = $1; cpu[FNR + n] = $2 + $3; memory[FNR + n] = $4 / 1024; n++ }
  END {
    rows = side * side
    printf "%d rows\n", rows
    printf "bare runs, 1 thread   %7.1f rows/s  %6.3f ms of CPU per row  %3.0f MB\n", rows / wall[1], 1e3 * cpu[1] / rows, memory[1]
    printf "study, 1 thread       %7.1f rows/s  %6.3f ms of CPU per row  %3.0f MB  overhead %.1f %% of CPU\n", rows / wall[2], 1e3 * cpu[2] / rows, memory[2], 100 * (cpu[2] / cpu[1] - 1)
    printf "study, 2 threads      %7.1f rows/s  %6.3f ms of CPU per row  %3.0f MB  %.2f times one thread\n", rows / wall[3], 1e3 * cpu[3] / rows, memory[3], wall[2] / wall[3]
  }' "$out/bare.time" "$out/1.time" "$out/2.time"
