#!/usr/bin/env bash
# Whole runs of carom beside scipy's hand-written event loop, in one go; prints the ratio.
# Installs scipy into a virtual environment under target/; set PYTHON to use another Python that has it.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-target/scipy-venv/bin/python}
if [ -z "${PYTHON:-}" ] && [ ! -x "$python" ]; then
  python3 -m venv target/scipy-venv
  "$python" -m pip install --quiet scipy==1.17.1
fi

carom='' scipy=''
# Both sides in turn, three times over: the best of each is what a quiet machine would show.
cargo bench --quiet --locked --no-run -p carom-cli --bench scenes
for _ in 1 2 3; do
  carom+=$(cargo bench --quiet --locked -p carom-cli --bench scenes)$'\n'
  scipy+=$("$python" bench/scipy_double_pendulum.py)$'\n'
done
printf '%s%s' "$carom" "$scipy"

best() { sed -n "s/^$1: best \([0-9.]*\).*/\1/p" | sort -g | head -n 1; }
ours=$(printf '%s\n' "$carom" | best double_pendulum)
ball=$(printf '%s\n' "$carom" | best ball)
theirs=$(printf '%s\n' "$scipy" | best 'scipy double_pendulum')
awk -v a="$ours" -v b="$theirs" -v c="$ball" 'BEGIN {
  printf "double pendulum, 10 s: %.0f times faster than scipy (at least 100 wanted)\n", b / a
  printf "bouncing ball, 10 s: %.4f ms (less than 0.2 wanted)\n", c / 1000
  exit !(b / a >= 100 && c < 200)
}'
