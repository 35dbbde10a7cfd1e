"""Compare carom with MuJoCo on the models of gymnasium and dm-control: see mjcf.sh.

M(q), bias and forward dynamics without contacts, limits and other constraints, at random states. With a
third argument, the reference numbers of the small models of that folder are written instead.
"""

import importlib.metadata
import importlib.util
import json
import pathlib
import subprocess
import sys

import mujoco
import numpy as np

STATES = 20
# Demanded agreement: largest difference over largest number of its kind.
AGREEMENT = 1e-9
PACKAGES = ("gymnasium", "dm_control")
BEGIN, END = "<!-- table of mjcf -->", "<!-- end of table of mjcf -->"
# Parts without which the smooth dynamics differ; what else is named acts through contacts or not at all.
DYNAMIC = ("tendon", "density", "viscosity", "wind", "gravcomp", "stiffness of", "motor", "dampratio")
# Folders of parts of models and of files that are wrong on purpose.
SKIPPED = ("/common/", "/test_assets/", "schema.xml", "build_fruitfly")


class Carom:
    """The program `dynamics_dump` with one model."""

    def __init__(self, program, file):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.model = self.ask({"file": str(file)})

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            self.close()
            raise ValueError(answer["error"])
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def random_state(model, rng):
    """Coordinates and velocities; quaternions of length one."""
    q = rng.uniform(-1, 1, model.nq)
    for j in range(model.njnt):
        a = model.jnt_qposadr[j]
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
            a += 3
        elif model.jnt_type[j] != mujoco.mjtJoint.mjJNT_BALL:
            continue
        q[a : a + 4] /= np.linalg.norm(q[a : a + 4])
    return q, rng.uniform(-1, 1, model.nv)


def reference(model, q, v):
    """M, h and v̇ of MuJoCo without constraints, under springs, dampers and motors at control 0."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q, v
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    try:
        mujoco.mj_fullM(model, M, data.qM)
    except (TypeError, AttributeError):
        mujoco.mj_fullM(model, data, M)
    return {"M": M, "h": data.qfrc_bias.copy(), "vdot": data.qacc.copy()}


def differences(carom, model):
    """Largest relative difference of M, h and v̇ over all states."""
    rng = np.random.default_rng(1)
    worst = dict.fromkeys(("M", "h", "vdot"), 0.0)
    for _ in range(STATES):
        q, v = random_state(model, rng)
        ours = carom.ask(
            {"q": list(q), "v": list(v), "tau": [0.0] * model.nv, "passive": True}
        )
        for key, theirs in reference(model, q, v).items():
            off = np.abs(np.array(ours[key]) - theirs).max(initial=0.0)
            scale = max(np.abs(theirs).max(initial=0.0), 1e-300)
            worst[key] = max(worst[key], off / scale)
    return worst


def lacking(warnings):
    """What carom names as not simulated, without places, and without what belongs to soft contact."""
    found = []
    for line in warnings:
        text = line.split(": ", 1)[-1]
        if "is not simulated" in text:
            what = text.split(" (")[0]
        elif "dry friction" in text:
            what = "joint dry friction"
        elif "no contact between" in text:
            what = text.split("no contact between ")[1] + " contact"
        else:
            continue
        if not what.startswith(("compliance", "numerics")) and what not in found:
            found.append(what)
    return found


def row(program, name, file):
    """One line of the table, and whether it is in order."""
    try:
        theirs = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        return f"| {name} | | | | | MuJoCo: {str(error).splitlines()[0]} |", True
    if theirs.nv == 0:
        return f"| {name} | 0 | | | | nothing moves |", True
    try:
        ours = Carom(program, file)
    except ValueError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = lines[0].removeprefix("error: ")
        return f"| {name} | {theirs.nv} | | | | refused: {reason} |", "makes bodies" in reason
    lacks = lacking(ours.model["warnings"])
    if (ours.model["nq"], ours.model["nv"]) != (theirs.nq, theirs.nv):
        ours.close()
        return f"| {name} | {theirs.nv} | | | | other coordinates |", False
    off = differences(ours, theirs)
    ours.close()
    good = all(value <= AGREEMENT for value in off.values())
    excused = any(part in what for what in lacks for part in DYNAMIC)
    cells = " | ".join(f"{off[key]:.0e}" for key in ("M", "h", "vdot"))
    mark = "" if good else (" **differs, as it lacks these**" if excused else " **DIFFERS**")
    return f"| {name} | {theirs.nv} | {cells} | {', '.join(lacks)}{mark} |", good or excused


def models():
    """All models by name."""
    for package in PACKAGES:
        # The packages are searched, not imported.
        root = pathlib.Path(importlib.util.find_spec(package).origin).parent
        for file in sorted(root.rglob("*.xml")):
            name = f"{package}/{file.relative_to(root)}"
            if not any(part in name for part in SKIPPED):
                yield name, file


def write_references(folder):
    """Numbers of MuJoCo beside each small model of a folder, for tests without MuJoCo."""
    for file in sorted(pathlib.Path(folder).glob("*.xml")):
        model = mujoco.MjModel.from_xml_path(str(file))
        rng = np.random.default_rng(2)
        states = []
        for _ in range(3):
            q, v = random_state(model, rng)
            numbers = reference(model, q, v)
            states.append({"q": list(q), "v": list(v)} | {k: a.tolist() for k, a in numbers.items()})
        text = json.dumps({"mujoco": mujoco.__version__, "states": states}, indent=1)
        file.with_suffix(".json").write_text(text + "\n")


def main():
    if len(sys.argv) > 3:
        return write_references(sys.argv[3])
    program, page = sys.argv[1], pathlib.Path(sys.argv[2])
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("mujoco", "gymnasium", "dm-control")
    )
    lines = [
        f"{STATES} random states each; {versions}; largest difference over the largest number of its kind.",
        "",
        "| model | dof | M | h | v̇ | not simulated |",
        "|---|---|---|---|---|---|",
    ]
    in_order = True
    for name, file in models():
        line, good = row(program, name, file)
        print(line, flush=True)
        lines.append(line)
        in_order &= good
    text = page.read_text()
    if BEGIN in text:
        head, rest = text.split(BEGIN)
        tail = rest.split(END)[1]
        page.write_text(head + BEGIN + "\n" + "\n".join(lines) + "\n" + END + tail)
    return None if in_order else "some models differ"


if __name__ == "__main__":
    sys.exit(main())
