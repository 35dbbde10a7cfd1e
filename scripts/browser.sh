#!/usr/bin/env bash
# Browser tests of reports and of the live viewer, in Chromium. Installs Debian's if there is none.
# Arguments go to the test runner: a part of a test's name runs only those tests. --bench runs the
# benchmark of the frame time instead.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh

if [ -z "${CAROM_CHROMIUM:-}" ] && ! command -v chromium >/dev/null 2>&1; then
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "Chromium is missing: install it, or name it in CAROM_CHROMIUM" >&2
    exit 2
  fi
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get update -qq >&2 || true
  $sudo apt-get install -y --no-install-recommends chromium >&2
fi
if [ -z "${CAROM:-}" ]; then
  cargo build --locked --quiet -p carom-cli
  CAROM="${CARGO_TARGET_DIR:-$PWD/target}/debug/carom"
fi
export CAROM
cd viewer
. ../scripts/node.sh
if [ "${1:-}" = --bench ]; then
  exec timeout 300 node bench/frames.mjs
fi
# A test that hangs ends by its own limit; this one is for the whole.
exec timeout 1800 node test/browser.mjs "$@"
