#!/bin/sh
# Capability and posture optimisation of quadrupeds of the package example-robot-data, all four feet on
# the ground: sh bench/agility.sh. Prints both tables for each robot; fails if a command fails.
#
# Needs cargo and python3; packages go to target/bench/venv. No robot file is kept in the repository.
# CAROM names another binary, STARTS the number of starts, SEED the seed.
set -eu
cd "$(dirname "$0")/.."
venv=target/bench/venv
out=target/bench/agility
mkdir -p "$out"
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --no-deps example-robot-data==6.0.0
robots=$(find "$venv" -path '*share/example-robot-data/robots' -type d | head -n 1)
robots=$(cd "$robots" && pwd)
if [ -z "${CAROM:-}" ]; then
    cargo build --quiet --release -p carom-cli
    CAROM=target/release/carom
fi

# scene NAME FILE FEET ANGLES: a scene that puts a robot over a floor, on point feet.
scene() {
    {
        printf 'title = "%s"\n[[urdf]]\nfile = "%s"\nfloating_base = true\nposition = [0, 0, 0.6]\n' "$1" "$robots/$2"
        printf '[body.ground]\nshape = "plane"\n'
        for foot in $3; do
            printf '[body.%s]\nfeature.tip = { point = [0, 0, 0] }\n' "$foot"
            printf '[[contact]]\nname = "%s-tip"\nbetween = ["%s.tip", "ground"]\nrestitution = 0\nfriction = 0.6\n' "$foot" "$foot"
        done
        printf '[initial.angle]\n'
        for angle in $4; do
            printf '%s\n' "$angle"
        done
    } >"$out/$1.toml"
}

# ask NAME FEET
ask() {
    feet=$(for foot in $2; do printf '%s.tip,' "$foot"; done)
    feet=${feet%,}
    echo "== $1: capability, straight up"
    "$CAROM" capability "$out/$1.toml" -q --contacts "$feet" --settle --out "$out/$1.capability"
    echo "== $1: best postures, forward and up"
    "$CAROM" optimize "$out/$1.toml" -q --contacts "$feet" --direction 1,0,1 \
        --starts "${STARTS:-8}" --seed "${SEED:-1}" --out "$out/$1.optimize"
}

feet="LF_FOOT RF_FOOT LH_FOOT RH_FOOT"
scene anymal anymal_b_simple_description/robots/anymal.urdf "$feet" \
    "LF_HFE=0.7 LF_KFE=-1.4 RF_HFE=0.7 RF_KFE=-1.4 LH_HFE=-0.7 LH_KFE=1.4 RH_HFE=-0.7 RH_KFE=1.4"
ask anymal "$feet"

feet="FL_foot FR_foot RL_foot RR_foot"
scene a1 a1_description/urdf/a1.urdf "$feet" \
    "FL_thigh_joint=0.7 FL_calf_joint=-1.4 FR_thigh_joint=0.7 FR_calf_joint=-1.4 RL_thigh_joint=0.7 RL_calf_joint=-1.4 RR_thigh_joint=0.7 RR_calf_joint=-1.4"
ask a1 "$feet"
