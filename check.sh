#!/usr/bin/env bash
# Every gate, in the order of their cost. Needs a Rust toolchain manager (rustup); the toolchain
# itself is pinned in rust-toolchain.toml and installed by the first cargo command. On Debian the
# scripts install Python, Node and Chromium, which only the gates of the package and of the page need, if
# they are missing.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/toolchain.sh
. scripts/interpreter.sh

gate() {
  printf '\n== %s\n' "$1"
  shift
  "$@"
}

gate "format" cargo fmt --all --check
gate "lints" cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
gate "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
gate "tests" cargo test --workspace --locked --quiet
gate "python" scripts/python.sh
gate "page" scripts/viewer.sh
gate "browser" scripts/browser.sh
printf '\nall gates passed in %d s\n' "$SECONDS"
