#!/bin/sh
# What link-time optimisation, codegen units and the panic strategy do to the kernels: a table of
# ns/call per profile: sh bench/profiles.sh [ROUNDS]. Builds go to target/bench/profiles.
# Names are lto-units; false-16 is what cargo does by default (thin LTO within the crate).
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-5}
out=target/bench/profiles
mkdir -p "$out"
profiles="false-16 off-1 off-16 thin-1 thin-16 fat-1 fat-16 fat-1-abort"
for profile in $profiles; do
    lto=${profile%%-*}
    rest=${profile#*-}
    # A bench keeps unwinding unless the library's own flag says otherwise.
    flags=
    case $rest in *-abort) flags="-C panic=abort" ;; esac
    CARGO_PROFILE_BENCH_LTO=$lto CARGO_PROFILE_BENCH_CODEGEN_UNITS=${rest%%-*} RUSTFLAGS=$flags \
        cargo bench --quiet -p carom --bench kernels --no-run --target-dir "$out/$profile" \
        --message-format json | python3 bench/table.py executable >"$out/$profile.path"
done
: >"$out/profiles.txt"
i=0
while [ "$i" -lt "$rounds" ]; do
    for profile in $profiles; do
        "$(cat "$out/$profile.path")" >"$out/run.txt"
        sed "s/^/$profile /" "$out/run.txt" >>"$out/profiles.txt"
    done
    i=$((i + 1))
done
python3 bench/table.py profiles "$out/profiles.txt"
