#!/bin/sh
# Shapes that touch each other: towers of boxes that come to rest, fast pairs, and distances beside parry's:
# sh bench/shapes.sh [FLIGHTS].
# Needs cargo. Times are those of one process on one core; events and evaluations do not depend on the machine.
# A tower of elastic boxes (restitution 0.2) rocks to rest through thousands of impacts; one of soft ones (0) lands box by box.
set -eu
cd "$(dirname "$0")/.."
flights=${1:-10000}
cargo build --quiet --release -p carom --example tower --example fast_pairs
tower=target/release/examples/tower
# Contacts of a cluster are dense matrices: 50 boxes in space, 600 rows, take minutes and are left out.
for case in "planar 10" "planar 50" "spatial 10"; do
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
echo "fast pairs of boxes and ellipsoids:"
target/release/examples/fast_pairs "$flights"
echo "distances beside parry's, on random postures; (≤) where the separation of sharp shapes is a lower bound:"
CARGO_TARGET_DIR=target/parry cargo run --quiet --release --locked --manifest-path bench/parry/Cargo.toml -- 1000
