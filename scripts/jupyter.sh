#!/usr/bin/env bash
# The package in JupyterLab, in Chromium: the page of a run inline, plots, the live widget with its kernel; and the
# notebooks as pages by nbconvert. Not part of check.sh: JupyterLab is large. CAROM_SHOTS=folder keeps pictures.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
. scripts/interpreter.sh

venv=$PWD/target/jupyter
pins=python/requirements-jupyter.txt
if ! cmp --silent "$pins" "$venv/pins"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$pins"
  cp "$pins" "$venv/pins"
fi
export PATH="$venv/bin:$PATH"
options=(--quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall)
"$venv/bin/pip" install "${options[@]}" --config-settings build-args="--profile dev" .

pages=$PWD/target/notebooks
rm -rf "$pages"
"$venv/bin/jupyter" nbconvert --to html --execute --log-level=ERROR --output-dir="$pages" notebooks/*.ipynb
echo "nbconvert: $(ls "$pages" | wc -l) pages in target/notebooks"

cd viewer
. ../scripts/node.sh
JUPYTER="$venv/bin/jupyter" exec timeout 300 node test/jupyter.mjs
