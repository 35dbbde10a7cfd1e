#!/usr/bin/env bash
# The Python package: a virtual environment under target/ with pinned versions, the wheel, its types, its tests,
# the notebooks.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
. scripts/interpreter.sh

venv=$PWD/target/python
pins=python/requirements-test.txt
if ! cmp --silent "$pins" "$venv/pins"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$pins"
  cp "$pins" "$venv/pins"
fi

# The development profile, which is optimised and which the other gates have built already.
export PATH="$venv/bin:$PATH"
options=(--quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall)
"$venv/bin/pip" install "${options[@]}" --config-settings build-args="--profile dev" .
"$venv/bin/mypy"
"$venv/bin/python" -m mypy.stubtest carom._carom
"$venv/bin/python" -m pytest -n 2 "$@"
