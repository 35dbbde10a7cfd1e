#!/usr/bin/env bash
# The viewer's page: installs what the lock file names, builds it, and checks that the page embedded in
# carom-report equals the fresh build. With --write the embedded page is replaced instead.
set -euo pipefail
cd "$(dirname "$0")/../viewer"
. ../scripts/node.sh

if [ "${1:-}" = --write ]; then
  npm run --silent build
  exit
fi
npm run --silent check
CAROM_PAGE_ONLY_DIST=1 npx --no-install vite build --logLevel warn
if ! cmp dist/index.html ../crates/carom-report/assets/page.html; then
  echo "the embedded page is not what viewer/ builds: run scripts/viewer.sh --write and commit it" >&2
  exit 1
fi
echo "the embedded page equals a fresh build ($(wc -c < dist/index.html) bytes)"
