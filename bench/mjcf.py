"""Compare carom with MuJoCo on the models of packages of the Python index: see mjcf.sh.

M(q), bias and forward dynamics without contacts, limits and other constraints, at random states. Arguments: the program
`dynamics_dump`, the page whose tables are written, the folder of the unpacked packages, the file that pins their versions. With a
folder of models as the fourth, the reference numbers of MuJoCo are written beside them instead.
"""

import json
import os
import pathlib
import re
import selectors
import subprocess
import sys

import mujoco
import numpy as np

STATES = 20
# Demanded agreement: largest difference over largest number of its kind.
AGREEMENT = 1e-9
# What MuJoCo's principal axes of a body leave out of its inertia, kg·m², of a few bodies in a row.
AXES = 1e-11
# Longest that one answer may take, s.
PATIENCE = 60
# Packages whose models have a line each; those of others are counted.
IN_FULL = ("gymnasium", "dm-control")
BEGIN, END = "<!-- table of mjcf -->", "<!-- end of table of mjcf -->"
# Folders of parts of models and of files that are wrong on purpose, in packages with a line for each model.
SKIPPED = ("/common/", "/test_assets/", "schema.xml", "build_fruitfly")
# What is not simulated and what is switched off in MuJoCo to compare the rest.
TENDONS, FLUIDS, MOTORS = ("<tendon>",), ("density", "viscosity", "wind"), ("motor", "activation")


class Carom:
    """The program `dynamics_dump` with one model."""

    def __init__(self, program, file):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ready = selectors.DefaultSelector()
        self.ready.register(self.process.stdout, selectors.EVENT_READ)
        self.model = self.ask({"file": str(file)})

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        if not self.ready.select(PATIENCE):
            self.process.kill()
            raise TimeoutError(f"no answer within {PATIENCE} s")
        line = self.process.stdout.readline()
        if not line:
            raise ChildProcessError("carom panicked")
        answer = json.loads(line)
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


def without(model, lacks):
    """Switch off in MuJoCo what carom says that it lacks: the rest must agree."""
    named = lambda words: any(what.startswith(word) for what in lacks for word in words)
    if named(TENDONS):
        for field in ("stiffness", "damping", "armature", "stiffnesspoly", "dampingpoly"):
            if hasattr(model, f"tendon_{field}"):
                getattr(model, f"tendon_{field}")[:] = 0
    if named(FLUIDS):
        model.opt.density, model.opt.viscosity, model.opt.wind[:] = 0, 0, 0
    if named(("gravcomp",)):
        model.body_gravcomp[:] = 0
    free, ball = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
    turning = (model.jnt_type == free) | (model.jnt_type == ball)
    if named(("stiffness of",)):
        model.jnt_stiffness[turning] = 0
    if named(MOTORS):
        of = lambda *words: [int(word) for word in words]
        at_joint = of(mujoco.mjtTrn.mjTRN_JOINT, mujoco.mjtTrn.mjTRN_JOINTINPARENT)
        linear = of(mujoco.mjtGain.mjGAIN_FIXED, mujoco.mjtGain.mjGAIN_AFFINE)
        affine = of(mujoco.mjtBias.mjBIAS_NONE, mujoco.mjtBias.mjBIAS_AFFINE)
        for i in range(model.nu):
            simple = model.actuator_gaintype[i] in linear and model.actuator_biastype[i] in affine
            drives = model.actuator_trntype[i] in at_joint and not turning[model.actuator_trnid[i, 0]]
            if not (simple and drives):
                model.actuator_gainprm[i], model.actuator_biasprm[i] = 0, 0
                model.actuator_biastype[i] = mujoco.mjtBias.mjBIAS_NONE
                model.actuator_gaintype[i] = mujoco.mjtGain.mjGAIN_FIXED


def differences(carom, model):
    """Largest relative difference of M, h and v̇ over all states, and whether that is allowed.

    Of v̇ what the differences of M and h make of it is allowed; of M and h what MuJoCo's principal axes leave out, 1e-12 kg·m² each,
    and the mass times distance of free bodies whose centre of mass it takes for their origin.
    """
    rng = np.random.default_rng(1)
    worst = dict.fromkeys(("M", "h", "vdot"), 0.0)
    simple = model.body_simple > 0
    moments = (model.body_mass * np.abs(model.body_ipos).max(axis=1))[simple]
    left_out = moments.max(initial=0.0) * max(1.0, np.abs(model.opt.gravity).max())
    good = True
    for _ in range(STATES):
        q, v = random_state(model, rng)
        ours = carom.ask(
            {"q": list(q), "v": list(v), "tau": [0.0] * model.nv, "passive": True}
        )
        numbers = reference(model, q, v)
        sizes = {key: np.abs(value).max(initial=0.0) for key, value in numbers.items()}
        # Where nothing pushes both are round-off: they count against 1 m/s², 1 rad/s², and what these need.
        sizes["h"], sizes["vdot"] = max(sizes["h"], sizes["M"]), max(sizes["vdot"], 1.0)
        for key, theirs in numbers.items():
            off = np.abs(np.array(ours[key]) - theirs).max(initial=0.0)
            worst[key] = max(worst[key], off / max(sizes[key], 1e-300))
        demanded = AGREEMENT + (left_out + AXES) / sizes["M"]
        of_vdot = AGREEMENT
        if worst["vdot"] > of_vdot:
            of_vdot = np.linalg.cond(numbers["M"]) * max(worst["M"], worst["h"])
        good &= max(worst["M"], worst["h"]) <= demanded and worst["vdot"] <= of_vdot
    return worst, good


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


class Compared:
    """What became of one model: a kind, differences, what is lacking, a reason."""

    def __init__(self, kind, dof="", off=None, lacks=(), reason=""):
        self.kind, self.dof, self.off, self.lacks, self.reason = kind, dof, off, lacks, reason

    def row(self, name):
        """Its line in the table."""
        cells = ["", "", ""]
        if self.off:
            cells = [f"{self.off[key]:.0e}" for key in ("M", "h", "vdot")]
        marks = {"without": " **differs, as it lacks these**", "differs": " **DIFFERS**"}
        notes = {"refused": "refused: ", "mujoco": "MuJoCo: ", "still": "nothing moves", "fault": "**FAULT** "}
        note = notes.get(self.kind, ", ".join(self.lacks)) + self.reason + marks.get(self.kind, "")
        return f"| {name} | {self.dof} | {' | '.join(cells)} | {note} |"


def reason_of(error):
    """First line of an error of carom, without what is particular to the file."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    detail = [line for line in lines if not line.startswith(("error:", "-->", "hint:"))]
    return " — ".join([lines[0].removeprefix("error: ")] + detail[:1])


def compared(program, file):
    """Read a file in both programs and compare them."""
    try:
        theirs = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        return Compared("mujoco", reason=str(error).splitlines()[0])
    if theirs.nv == 0:
        return Compared("still", 0)
    try:
        ours = Carom(program, file)
    except ValueError as error:
        return Compared("refused", theirs.nv, reason=reason_of(error))
    except (TimeoutError, ChildProcessError) as error:
        return Compared("fault", theirs.nv, reason=str(error))
    lacks = lacking(ours.model["warnings"])
    if (ours.model["nq"], ours.model["nv"]) != (theirs.nq, theirs.nv):
        ours.close()
        return Compared("fault", theirs.nv, reason="other coordinates")
    try:
        off, good = differences(ours, theirs)
        if good:
            return Compared("agrees", theirs.nv, off, lacks)
        without(theirs, lacks)
        _, good = differences(ours, theirs)
        return Compared("without" if good else "differs", theirs.nv, off, lacks)
    except (ValueError, TimeoutError, ChildProcessError, np.linalg.LinAlgError) as error:
        return Compared("fault", theirs.nv, lacks=lacks, reason=str(error))
    finally:
        ours.close()


def models(folder, skipped):
    """All models of an unpacked package by name."""
    for file in sorted(folder.rglob("*.xml")):
        name = str(file.relative_to(folder))
        text = re.sub(rb"<!--.*?-->|<\?.*?\?>", b"", file.read_bytes(), flags=re.S)
        is_model = re.search(rb"<\s*([A-Za-z_]+)", text)
        if is_model and is_model[1] == b"mujoco" and not any(part in f"/{name}" for part in skipped):
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


def in_full(program, folder, out):
    """A line for each model of a package."""
    lines = []
    for name, file in models(folder, SKIPPED):
        found = compared(program, file)
        out.append(found)
        lines.append(found.row(name))
        print(lines[-1], flush=True)
    return lines


def counted(program, package, folder, reasons):
    """One line for a package; what it refuses goes to the reasons."""
    found = []
    for name, file in models(folder, ()):
        one = compared(program, file)
        found.append(one)
        print(one.row(f"{package}: {name}"), flush=True)
        if one.kind == "refused":
            # Names of things are particular; what is wrong is not.
            kind = re.sub(r"`[^`]*`|<[^<>]*>|-?[0-9.]+(e-?[0-9]+)?", "…", one.reason)
            reasons.setdefault(kind, []).append((package, name, one.reason))
    count = lambda kind: str(sum(one.kind == kind for one in found) or "")
    offs = [one.off for one in found if one.kind == "agrees"]
    worst = [f"{max(off[k] for off in offs):.0e}" if offs else "" for k in ("M", "h", "vdot")]
    kinds = ("agrees", "without", "still", "refused", "mujoco")
    cells = [package, str(len(found)), *map(count, kinds), *worst]
    return f"| {' | '.join(cells)} |", found


def tables(program, packages, pins):
    """The text of the page, and whether every model is in order."""
    versions = dict(line.strip().split("==") for line in open(pins) if "==" in line)
    lines = [f"{STATES} random states each, mujoco {mujoco.__version__}; largest difference over the largest number of its kind."]
    everything = []
    lines += ["", "| model | dof | M | h | v̇ | not simulated |", "|---|---|---|---|---|---|"]
    for package in IN_FULL:
        lines += in_full(program, packages / package, everything)
    lines += ["", "Further collections:", ""]
    lines += ["| package | files | agree | agree but for what is named | nothing moves | refused | refused by MuJoCo | M | h | v̇ |"]
    lines += ["|---|---:|---:|---:|---:|---:|---:|---|---|---|"]
    reasons = {}
    for package, version in versions.items():
        if package in IN_FULL:
            continue
        line, found = counted(program, package, packages / package, reasons)
        lines.append(line.replace(package, f"{package} {version}", 1))
        everything += found
    lines += ["", "What is refused, with an example of each:", ""]
    lines += ["| files | reason | in |", "|---:|---|---|"]
    for examples in sorted(reasons.values(), key=lambda e: (-len(e), e)):
        package, name, reason = examples[0]
        lines.append(f"| {len(examples)} | {reason} | {package}: {name} |")
    bad = [one for one in everything if one.kind in ("differs", "fault")]
    return "\n".join(lines), not bad


def main():
    program, page, packages, pins = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
    if packages == pathlib.Path("references"):
        return write_references(pins)
    table, in_order = tables(os.path.abspath(program), packages.resolve(), pins)
    text = page.read_text()
    if BEGIN in text:
        head, rest = text.split(BEGIN)
        tail = rest.split(END)[1]
        page.write_text(head + BEGIN + "\n" + table + "\n" + END + tail)
    return None if in_order else "some models differ"


if __name__ == "__main__":
    sys.exit(main())
