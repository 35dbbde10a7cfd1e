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

# study SCENE NAME KIND [OPTION...] -- [ARGUMENT...]: a picture of the study of scenes/SCENE.toml, which is given arguments.
study() {
    scene=$1 name=$2 kind=$3
    shift 3
    options="$work/$name.options"
    : > "$options"
    while [ "$1" != -- ]; do printf '%s\n' "$1" >> "$options"; shift; done
    shift
    carom study "scenes/$scene.toml" "$@" --out "$work/$name.study" --quiet
    set --
    while IFS= read -r option; do set -- "$@" "$option"; done < "$options"
    carom study plot "$work/$name.study" --kind "$kind" --out "docs/img/$name" --format svg "$@" > "$work/$name.txt"
}

rm -rf "$work"/*.run "$work"/*.study
study vibrating_table study_vibrating_table bifurcation --x '$gamma' --y phase --label '$gamma=Γ = Aω²/g' \
    --label 'phase=phase of impact/turns' --mark '1.52682=exact' --title 'Ball on a vibrating table, e = 0.5' --
study rimless_wheel study_rimless_wheel basin --x '$theta' --y '$omega' --value rolls --label '$theta=θ at the start/rad' \
    --label '$omega=ω at the start/rad/s' --title 'Rimless wheel on a slope of 0.08 rad' --
study double_pendulum study_double_pendulum map --x contact.0.restitution --y contact.0.friction --value rest \
    --label 'contact.0.restitution=restitution e' --label 'contact.0.friction=friction μ' --label 'rest=time of rest/s' \
    --title 'When the double pendulum rests' -- \
    --vary contact.0.restitution=0:0.9:46 --vary contact.0.friction=0:1:51 --result 'rest=time(rest, 1)'
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
