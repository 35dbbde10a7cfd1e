# Sourced by the other scripts: makes sure that cargo is there.
if ! command -v cargo >/dev/null 2>&1 && [ -f "$HOME/.cargo/env" ]; then
  . "$HOME/.cargo/env"
fi
if ! command -v cargo >/dev/null 2>&1; then
  if command -v apt-get >/dev/null 2>&1 && apt-cache show rustup >/dev/null 2>&1; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get install -y --no-install-recommends rustup gcc libc6-dev >&2
    rustup toolchain install >&2
  else
    echo "cargo is missing: install rustup (https://rustup.rs) and run this again" >&2
    exit 2
  fi
fi
if ! command -v cc >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get install -y --no-install-recommends gcc libc6-dev >&2
fi
