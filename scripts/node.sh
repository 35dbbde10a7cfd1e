# Sourced in viewer/: makes sure that Node is there and that node_modules is what the lock file says.
if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
  echo "the viewer is built by Node 20.19 or newer (https://nodejs.org); it is not here" >&2
  exit 2
fi
if ! cmp -s package-lock.json node_modules/.carom-lock; then
  npm ci --ignore-scripts --no-fund --no-audit --loglevel=error >&2
  cp package-lock.json node_modules/.carom-lock
fi
