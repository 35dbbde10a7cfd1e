#!/bin/sh
# Compare carom with Pinocchio on every robot of the package example-robot-data, fixed and floating:
# sh bench/robots.sh. Writes docs/robots.md; fails if a compared robot disagrees.
#
# Needs cargo and python3; packages go to target/bench/venv. No robot file is kept in the repository.
set -eu
cd "$(dirname "$0")/.."
venv=target/bench/venv
mkdir -p target/bench
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet pin==4.1.0 example-robot-data==6.0.0
cargo build --quiet --release -p carom-scene --example dynamics_dump --target-dir target/bench/robots
"$venv/bin/python" bench/robots.py target/bench/robots/release/examples/dynamics_dump docs/robots.md
