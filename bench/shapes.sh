#!/bin/sh
# Shapes that touch each other: towers of boxes that come to rest, a falling humanoid beside MuJoCo, fast pairs, and distances
# beside parry's: sh bench/shapes.sh [FLIGHTS].
# Needs cargo and python3; MuJoCo and the models go to target/bench/venv, none is kept in the repository. Times are those of one
# process on one core; events and evaluations do not depend on the machine.
# A tower of elastic boxes (restitution 0.2) rocks to rest through thousands of impacts; one of soft ones (0) lands box by box.
set -eu
cd "$(dirname "$0")/.."
flights=${1:-10000}
venv=target/bench/venv
mkdir -p target/bench/shapes
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet mujoco numpy gymnasium dm-control
cargo build --quiet --release -p carom --example tower --example fast_pairs
cargo build --quiet --release -p carom-cli
tower=target/release/examples/tower
for case in "planar 10" "planar 50" "spatial 10" "spatial 50"; do
  echo "$case boxes at rest:"
  "$tower" $case 0 0.2 3
  echo "$case boxes dropped by 10 mm each, restitution 0:"
  "$tower" $case 0.01 0 3
done
for count in 2 3 5 10; do
  echo "planar, $count boxes dropped by 10 mm each, restitution 0.2:"
  "$tower" planar $count 0.01 0.2 3
done
for count in 2 3 5; do
  echo "spatial, $count boxes dropped by 10 mm each, restitution 0.2:"
  "$tower" spatial $count 0.01 0.2 3
done
for n in 10 50; do
  "$venv/bin/python" bench/shapes.py tower target/release/carom target/bench/shapes $n 0.002 3
done
models=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
echo "humanoids that fall for 2 s, motors off:"
for model in gymnasium/envs/mujoco/assets/humanoid.xml dm_control/suite/humanoid.xml; do
  "$venv/bin/python" bench/shapes.py humanoid target/release/carom target/bench/shapes "$models/$model" 2
done
echo "fast pairs of boxes and ellipsoids:"
target/release/examples/fast_pairs "$flights"
echo "distances beside parry's, on random postures; (≤) where the separation of sharp shapes is a lower bound:"
CARGO_TARGET_DIR=target/parry cargo run --quiet --release --locked --manifest-path bench/parry/Cargo.toml -- 1000
