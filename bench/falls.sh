#!/bin/sh
# Passive robots of the package example-robot-data fall to the ground, by simple shapes and by hulls of their meshes that also
# touch each other: sh bench/falls.sh [ATTITUDES [SEED]].
# Writes the tables of falls in docs/robots.md; fails if a run did not reach its end.
#
# Needs cargo and python3; packages go to target/bench/venv. No robot file is kept in the repository.
set -eu
cd "$(dirname "$0")/.."
venv=target/bench/venv
mkdir -p target/bench
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --no-deps example-robot-data==6.0.0
cargo build --quiet --release -p carom-cli
robots=$("$venv/bin/python" -c 'import pathlib, sysconfig; print(pathlib.Path(sysconfig.get_path("purelib"), "cmeel.prefix/share/example-robot-data/robots"))')
for script in falls self_falls; do
  "$venv/bin/python" "bench/$script.py" target/release/carom "$robots" --attitudes "${1:-10}" --seed "${2:-3}" --table docs/robots.md
done
