#!/bin/sh
# Draws the pictures of the documentation from runs of the scenes: docs/img/make.sh.
# CAROM may name a built `carom`; otherwise the release build is used.
set -eu
cd "$(dirname "$0")/../.."
work=target/docs-img
mkdir -p "$work"

carom() {
    if [ -n "${CAROM:-}" ]; then "$CAROM" "$@"; else cargo run --quiet --release --locked -p carom-cli -- "$@"; fi
}

# picture SCENE PLOT NAME [OPTION...]: the plot PLOT of scenes/SCENE.toml becomes docs/img/NAME.svg.
picture() {
    scene=$1 plot=$2 name=$3
    shift 3
    if [ ! -f "$work/$scene.run/summary.json" ]; then
        carom run "scenes/$scene.toml" --out "$work/$scene.run" --quiet
    fi
    carom plot "$work/$scene.run" --out "$work/$name" --only "${plot%_*}" --format svg "$@" > "$work/$name.txt"
    cp "$work/$name/$plot.svg" "docs/img/$name.svg"
}

rm -rf "$work"/*.run
picture double_pendulum overview double_pendulum
picture double_pendulum energy double_pendulum_energy
picture double_pendulum impulse_3 double_pendulum_impulse
picture double_pendulum feasibility double_pendulum_feasibility
picture bicycle overview bicycle --until 4
picture bicycle forces bicycle_forces --until 4
picture box_drop motion box_drop
picture box_drop impulse box_drop_impulse
picture rocking_block modes rocking_block_modes
picture rocking_block phase rocking_block_phase
picture jumper motion leg
picture superball motion superball
carom render "$work/box_drop.run" --out docs/img/film_box_drop.png --from 0.35 --size 720x450 --quiet
