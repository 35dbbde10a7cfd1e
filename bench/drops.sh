#!/bin/sh
# The quadruped A1 dropped in random attitudes, as a study: sh bench/drops.sh [ROWS]. Needs cargo and python3 (packages go
# to target/bench/venv); no robot file is kept in the repository.
set -eu
cd "$(dirname "$0")/.."
venv=target/bench/venv
mkdir -p target/bench/drops
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --no-deps example-robot-data==6.0.0
cargo build --quiet --release -p carom-cli
robots=$("$venv/bin/python" -c 'import pathlib, sysconfig; print(pathlib.Path(sysconfig.get_path("purelib"), "cmeel.prefix/share/example-robot-data/robots"))')
cp bench/a1_drops.toml target/bench/drops/
ln -sfn "$(realpath "$robots")" target/bench/drops/robots
carom=target/release/carom
$carom study target/bench/drops/a1_drops.toml --samples "${1:-16}" --out target/bench/drops/a1.study
$carom study show target/bench/drops/a1.study
$carom study plot target/bench/drops/a1.study --kind histogram --x height,up --label height='height of the trunk/m' \
  --label up='upward part of its axis' --title 'A1 dropped in random attitudes' --out target/bench/drops/a1
