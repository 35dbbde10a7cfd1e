#!/bin/sh
# Race carom's kernels against Pinocchio C++ and print one table: sh bench/kernels.sh [ROUNDS]
#
# Needs cargo, python3 and a C++ compiler (CXX chooses it; else the newest clang, else g++). All
# that is installed or built goes to target/bench. Rounds alternate between the programs, so that
# a busy machine slows all of them; the best round of each counts.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-7}
out=target/bench
venv=$out/venv
mkdir -p "$out"

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet pin==4.1.0 cmeel-eigen==3.4.1
prefix=$(echo "$venv"/lib/python3*/site-packages/cmeel.prefix)

if [ -z "${CXX:-}" ]; then
    for CXX in clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++ g++; do
        command -v "$CXX" >/dev/null && break
    done
fi
# The definitions are those of the package's own build files; no precompiled templates, so that
# all of Pinocchio is compiled for this machine.
if [ ! -x "$out/pinocchio" ] || [ bench/kernels.cpp -nt "$out/pinocchio" ]; then
    "$CXX" -std=c++17 -O3 -march=native -DNDEBUG -w \
        -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 \
        -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12 \
        -isystem "$prefix/include" -isystem "$prefix/include/eigen3" \
        bench/kernels.cpp -o "$out/pinocchio"
fi

# The path of the bench program that cargo builds into the folder $1.
build() {
    cargo bench --quiet -p carom --bench kernels --no-run --target-dir "$1" \
        --message-format json | "$venv/bin/python" bench/table.py executable
}
carom=$(build "$out/default")
native=$(RUSTFLAGS="-C target-cpu=native" build "$out/native")

echo "Pinocchio 4.1.0, $("$CXX" --version | head -n 1), -O3 -march=native"
echo "carom, $(rustc --version)"
# One run of the program $2, its lines marked with the name $1.
race() {
    "$2" >"$out/run.txt"
    sed "s/^/$1 /" "$out/run.txt" >>"$out/kernels.txt"
}
: >"$out/kernels.txt"
i=0
while [ "$i" -lt "$rounds" ]; do
    race pinocchio "$out/pinocchio"
    race default "$carom"
    race native "$native"
    i=$((i + 1))
done
"$venv/bin/python" bench/table.py table "$out/kernels.txt"
