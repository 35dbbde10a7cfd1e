#!/bin/sh
# Many bodies: sh bench/many.sh [COLLISIONS]. A gas of 100, 1 000 and 10 000 discs and spheres by events, with about so many
# collisions of each body (20): events per second on one core, how the cost of an event grows, what is conserved, the
# pressure beside the equation of state. Then boxes dropped on a floor beside MuJoCo, a billiard break, and the time in which
# large files are read. Needs cargo and python3; MuJoCo goes to target/bench/venv.
set -eu
cd "$(dirname "$0")/.."
each=${1:-20}
venv=target/bench/venv
mkdir -p target/bench/many
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet mujoco numpy
cargo build --quiet --release -p carom --example gas
cargo build --quiet --release -p carom-cli
for shape in discs spheres; do
  for n in 100 1000 10000; do
    # Short runs are noisy: small gases collide as often as large ones, and the least of three counts.
    collisions=$((each * 10000 / n))
    for repeat in 1 2 3; do
      target/release/examples/gas $shape $n "$((collisions < 40 * each ? collisions : 40 * each))"
    done
  done | tee target/bench/many/$shape.txt
  python3 bench/many.py growth target/bench/many/$shape.txt
done
"$venv/bin/python" bench/many.py boxes target/release/carom target/bench/many 1 8 32
python3 bench/many.py break target/release/carom target/bench/many
python3 bench/many.py check target/release/carom target/bench/many
# A wall and a pile by time steps: a quarter of an hour or so.
sh bench/piles.sh 3 bricks:200 spheres:1000
