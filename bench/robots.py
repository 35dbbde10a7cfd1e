"""Compare carom with Pinocchio on the robots of example-robot-data: see robots.sh."""

import json
import pathlib
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pinocchio as pin

from conventions import Conversion, Joint, random_state

STATES = 5
# Demanded agreement: largest difference over largest number of its kind.
AGREEMENT = 1e-9
QUANTITIES = ("M", "h", "v̇", "J")


class Carom:
    """The program `dynamics_dump` with one robot."""

    def __init__(self, program, file, floating, inertia):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        request = {"file": str(file), "floating_base": floating, "inertia": inertia}
        self.robot = self.ask(request)

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


def pinocchio_model(file, floating, without_mass_zero=False):
    """Pinocchio's model; optionally without the inertias of links whose mass is zero."""
    tree = ElementTree.parse(file)
    if without_mass_zero:
        for link in tree.iter("link"):
            inertial = link.find("inertial")
            if inertial is not None and float(inertial.find("mass").get("value")) == 0:
                link.remove(inertial)
    text = ElementTree.tostring(tree.getroot(), encoding="unicode")
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    return pin.buildModelFromXML(text, *root)


def pair_joints(robot, model, floating):
    """The joints of both, matched by name; the free base has a name of its own in each."""
    joints = []
    for i, joint in enumerate(robot["joints"]):
        name = "root_joint" if floating and i == 0 else joint["name"]
        if not model.existJointName(name):
            raise ValueError(f"Pinocchio has no joint {name}")
        shape = model.joints[model.getJointId(name)]
        kind = "continuous" if shape.nq == 2 and shape.nv == 1 else joint["kind"]
        joints.append(Joint(kind, joint["q"], joint["v"], shape.idx_q, shape.idx_v))
    if sum(j.v.stop - j.v.start for j in joints) != model.nv:
        raise ValueError(f"{robot['nv']} degrees of freedom here, {model.nv} in Pinocchio")
    return joints


def compare(carom, model, floating, random):
    """The worst relative difference of each quantity over random states."""
    robot = carom.robot
    joints = pair_joints(robot, model, floating)
    tips = [name for name in robot["tips"] if model.existBodyName(name)]
    data, axes = model.createData(), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    worst = np.zeros(len(QUANTITIES))
    for _ in range(STATES):
        q, v = random_state(joints, random)
        tau = random.uniform(-5, 5, robot["nv"])
        found = carom.ask({"q": list(q), "v": list(v), "tau": list(tau), "bodies": tips})
        to = Conversion(joints, model.nq, q, v)
        M_P = pin.crba(model, data, to.q)
        M_P = np.triu(M_P) + np.triu(M_P, 1).T
        h_P = pin.nonLinearEffects(model, data, to.q, to.v)
        vdot = to.acceleration(pin.aba(model, data, to.q, to.v, to.force(tau)))
        J = [
            to.jacobian(
                pin.computeFrameJacobian(model, data, to.q, model.getFrameId(tip, pin.BODY), axes)
            )
            for tip in tips
        ]
        errors = [
            difference(found["M"], to.mass(M_P)),
            difference(found["h"], to.bias(h_P, M_P)),
            difference(found["vdot"], vdot),
            max((difference(*pair) for pair in zip(found["J"], J)), default=0.0),
        ]
        worst = np.maximum(worst, errors)
    return worst, len(tips)


def difference(found, exact):
    """Largest difference over largest number; NaN never passes."""
    exact = np.asarray(exact)
    if exact.size == 0:
        return 0.0
    scale = np.abs(exact).max()
    error = np.abs(np.asarray(found) - exact).max()
    return np.inf if not np.isfinite(error) else error / scale if scale else error


def open_carom(program, file, floating):
    """carom with the robot, or None, and what there is to say about it."""
    notes = []
    for inertia in ("physical", "as_written"):
        try:
            return Carom(program, file, floating, inertia), notes
        except ValueError as fault:
            notes.append(reason(fault, file))
    return None, notes


class Table:
    """Rows of robots that were compared and of those that were not."""

    def __init__(self, folder):
        self.folder = folder
        self.compared, self.skipped, self.faults = [], [], []

    def add(self, program, file, floating):
        name, base = str(file.relative_to(self.folder)), "floating" if floating else "fixed"
        carom, notes = open_carom(program, file, floating)
        if carom is None:
            self.skipped.append((name, base, notes[-1]))
            return
        mass_zero = [w for w in carom.robot["warnings"] if "has mass 0" in w]
        if mass_zero:
            notes.append(f"{mass_zero[0].split(': ', 1)[1]}, on both sides")
        model = pinocchio_model(file, floating, bool(mass_zero))
        note = "; ".join(notes)
        try:
            worst, tips = compare(carom, model, floating, np.random.default_rng(1))
        except ValueError as fault:
            self.skipped.append((name, base, f"carom: {first_line(fault)}"))
            return
        carom.close()
        self.compared.append((name, base, model.nv, tips, worst, note))
        if worst.max() > AGREEMENT:
            self.faults.append(f"{name} ({base}): {worst}")

    def write(self, path):
        count = len({row[0] for row in self.compared})
        lines = [
            "# Real robots",
            "",
            f"Every URDF file of the PyPI package example-robot-data 6.0.0 against Pinocchio "
            f"{pin.__version__}, at {STATES} random states each, fixed and floating; made by "
            "`sh bench/robots.sh`. Numbers are the worst difference over the largest number of "
            "its kind; J are the Jacobians of all links that carry no other. "
            f"{count} robots are compared, demanded is {AGREEMENT:g}.",
            "",
            "Mimic joints move by themselves on both sides, because the tie is not part of M; "
            "damping and friction are forces and not compared.",
            "",
            "A note says that the strict reader refuses the file as it is, and why; the numbers "
            'are then those of `inertia = "as_written"`.',
            "",
            "| robot | base | degrees of freedom | tips | M | h | v̇ | J | note |",
            "|---|---|---:|---:|---:|---:|---:|---:|---|",
        ]
        for name, base, nv, tips, worst, note in self.compared:
            numbers = " | ".join(f"{error:.0e}" for error in worst)
            lines.append(f"| {name} | {base} | {nv} | {tips} | {numbers} | {note} |")
        lines += ["", "Not compared:", "", "| robot | base | reason |", "|---|---|---|"]
        lines += [f"| {name} | {base} | {why} |" for name, base, why in self.skipped]
        path.parent.mkdir(exist_ok=True)
        # What bench/falls.sh has written below stays.
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        falls = "".join(before.partition("\n## Falls\n")[1:])
        path.write_text("\n".join(lines) + "\n" + falls, encoding="utf-8")
        print(f"{len(self.compared)} cases compared, {len(self.skipped)} not, see {path}")


def first_line(fault):
    return str(fault).strip().splitlines()[0].replace("|", "/")


def reason(fault, file):
    """A fault without the folder of the file, or the scene that names it."""
    return first_line(fault).replace(f"{file.parent}/", "").removeprefix("dump.toml:1:1: ")


def main(program, path):
    folder = pathlib.Path(pin.__file__).resolve()
    prefix = next(p for p in folder.parents if p.name == "cmeel.prefix")
    folder = prefix / "share/example-robot-data/robots"
    table = Table(folder)
    for file in sorted(folder.rglob("*.urdf")):
        for floating in (False, True):
            table.add(program, file, floating)
    table.write(pathlib.Path(path))
    print("\n".join(table.faults), file=sys.stderr)
    sys.exit(bool(table.faults))


if __name__ == "__main__":
    main(*sys.argv[1:])
