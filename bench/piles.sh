#!/bin/sh
# Bricks of a wall and spheres in a bin that come to rest by time steps, beside MuJoCo and Siconos:
# sh bench/piles.sh [UNTIL] [SORT:N...], by default 3 s of bricks:200, spheres:200 and spheres:1000 (an hour or so).
# Needs cargo and python3; MuJoCo goes to target/bench/venv. Siconos is that of the system (python3-siconos of Debian), with
# what its runner needs in target/bench/siconos; without it its lines are left out. CPU is user time of one process.
set -eu
cd "$(dirname "$0")/.."
until=${1:-3}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- bricks:200 spheres:200 spheres:1000
step=0.002
# How long Siconos may take for a pile, s.
patience=600
venv=target/bench/venv
siconos=target/bench/siconos
mkdir -p target/bench/piles
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet mujoco numpy
if [ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import siconos.kernel' 2> /dev/null; then
  [ -x "$siconos/bin/python" ] || /usr/bin/python3 -m venv --system-site-packages "$siconos"
  "$siconos/bin/pip" install --quiet 'numpy<2' 'scipy<1.14' h5py
else
  siconos=
  echo "siconos: not installed, left out"
fi
cargo build --quiet --release -p carom-cli
# It fails where a solver leaves a stack unsolved, which its lines tell.
cargo run --quiet --release -p carom --example stacks -- 200 128 || true
for pile in "$@"; do
  sort=${pile%:*}
  n=${pile#*:}
  file=target/bench/piles/$sort$n
  python3 bench/pile.py scene "$sort" "$n" $step > "$file.toml"
  rm -rf "$file.run"
  "$venv/bin/python" bench/pile.py carom "$sort" "$n" $step "$until" target/release/carom "$file.toml" "$file.run" |
    tee "$file.txt"
  "$venv/bin/python" bench/pile.py mujoco "$sort" "$n" $step "$until" | tee -a "$file.txt"
  awk '$1 == "carom" { own = $4 } $1 == "mujoco" { printf "         CPU of carom over that of mujoco: %.1f\n", own / $4 }' "$file.txt"
  # It warns on its standard output of every step that its sweeps do not end.
  [ -z "$siconos" ] ||
    timeout "$patience" "$siconos/bin/python" bench/pile.py siconos "$sort" "$n" $step "$until" "$file.hdf5" 2> /dev/null |
    grep '^siconos' || echo "siconos $n $sort: no result in $patience s"
done
