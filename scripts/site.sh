#!/usr/bin/env bash
# The documentation as a site: scripts/site.sh [--quick] [FOLDER], target/site if no folder is given. Needs no network once
# Node's packages are there. --quick leaves out the films of the gallery. Ends with an error if a link leads nowhere.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
if [ -z "${CAROM:-}" ]; then
  cargo build --locked --quiet -p carom-cli
  CAROM="${CARGO_TARGET_DIR:-$PWD/target}/debug/carom"
fi
export CAROM
cd viewer
. ../scripts/node.sh
exec node ../docs/site/build.mjs "$@"
