#!/bin/sh
# Compare carom with MuJoCo on every MJCF model of the packages gymnasium and dm-control:
# sh bench/mjcf.sh. Writes the table of docs/robots.md; fails if a model disagrees without a reason.
#
# Needs cargo and python3; packages go to target/bench/mujoco. No model is kept in the repository.
set -eu
cd "$(dirname "$0")/.."
venv=target/bench/mujoco
mkdir -p target/bench
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet mujoco gymnasium dm-control
cargo build --quiet -p carom-scene --example dynamics_dump
"$venv/bin/python" bench/mjcf.py target/debug/examples/dynamics_dump docs/robots.md
