#!/bin/sh
# Passive robots of the package example-robot-data fall to the ground: sh bench/falls.sh [ATTITUDES].
# Writes the table of falls in docs/robots.md; fails if a run did not reach its end.
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
"$venv/bin/python" bench/falls.py target/release/carom "$robots" --attitudes "${1:-10}" --table docs/robots.md
