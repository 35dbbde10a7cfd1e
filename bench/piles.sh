#!/bin/sh
# Piles of spheres that fall into a bin, by time steps, beside MuJoCo: sh bench/piles.sh [UNTIL] [N...].
# Needs cargo and python3; MuJoCo goes to target/bench/venv. CPU is user time of one process.
set -eu
cd "$(dirname "$0")/.."
until=${1:-3}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- 200 1000
step=0.002
venv=target/bench/venv
mkdir -p target/bench/piles
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet mujoco numpy
cargo build --quiet --release -p carom-cli
cargo run --quiet --release -p carom --example stacks -- 200 128
for n in "$@"; do
  folder=target/bench/piles/$n
  python3 bench/pile.py scene "$n" $step > "$folder.toml"
  rm -rf "$folder.run"
  "$venv/bin/python" bench/pile.py run "$n" "$until" target/release/carom "$folder.toml" "$folder.run"
  "$venv/bin/python" bench/pile.py mujoco "$n" $step "$until"
done
