#!/bin/sh
# Capabilities against the conic solver clarabel, in Python, on the leg and three quadrupeds:
# sh bench/capability.sh. Prints name, carom, clarabel, relative difference; fails above 1e-8.
#
# Needs cargo and python3; packages go to target/bench/venv. CAROM names another binary.
set -eu
cd "$(dirname "$0")/.."
venv=target/bench/venv
out=target/bench/capability
mkdir -p "$out"
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet clarabel==0.11.1 numpy scipy
if [ -z "${CAROM:-}" ]; then
    cargo build --quiet --release -p carom-cli
    CAROM=target/release/carom
fi
list=""

# ask NAME SCENE ARGUMENTS...: one capability and its problem.
ask() {
    name=$1
    shift
    mkdir -p "$out/$name"
    "$CAROM" capability "$@" -q --json --problem "$out/$name/problem.json" >"$out/$name/capability.json"
    list="$list $name=$out/$name"
}

leg=scenes/jumper.toml
quadruped=crates/carom-cli/tests/agility/quadruped.toml
for hold in nothing line; do
    ask "leg-up-$hold" $leg --direction 0,1,0 --hold $hold
    ask "leg-goal-$hold" $leg --direction -1,1,0 --hold $hold
done
for hold in nothing line body; do
    for d in 0,0,1 1,0,1 0,1,0.5 -1,0.3,2; do
        ask "quadruped-$d-$hold" $quadruped --contacts all --settle --direction "$d" --hold $hold
    done
done
# Robots of example-robot-data, where bench/agility.sh has put their scenes.
for robot in anymal a1; do
    scene=target/bench/agility/$robot.toml
    [ -f "$scene" ] || continue
    for d in 0,0,1 1,0,1; do
        ask "$robot-$d" "$scene" --contacts all --settle --direction "$d"
    done
done
# shellcheck disable=SC2086
"$venv/bin/python" bench/capability.py $list
