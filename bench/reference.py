"""Reference numbers by Pinocchio for mechanisms of our own: python bench/reference.py

Writes crates/carom/tests/reference/*.json, which `tests/reference.rs` compares with carom. Needs
the PyPI package pin (4.1.0 made the committed numbers); `bench/kernels.sh` installs it into
target/bench/venv. The random numbers are seeded, so a second run writes the same files.
"""

import json
import pathlib
import re

import numpy as np
import pinocchio as pin

from conventions import Conversion, Joint, random_state

FOLDER = pathlib.Path(__file__).parent.parent / "crates/carom/tests/reference"
STATES = 3


class Mechanism:
    """Bodies with their joints, for Pinocchio and as data for carom."""

    def __init__(self, name, seed):
        self.name, self.random = name, np.random.default_rng(seed)
        self.model, self.bodies, self.joints = pin.Model(), [], []
        self.seats = {None: (0, pin.SE3.Identity())}
        self.nq = self.nv = 0
        gravity = self.random.normal(size=3) * 5
        self.model.gravity.linear = gravity
        self.gravity = gravity

    def placement(self):
        axis = self.random.normal(size=3)
        return pin.SE3(pin.exp3(axis), self.random.uniform(-0.5, 0.5, 3))

    def inertia(self):
        """A box of random sides, turned and shifted at random."""
        mass = self.random.uniform(0.3, 3)
        a, b, c = self.random.uniform(0.1, 0.6, 3) ** 2
        moments = mass / 12 * np.array([b + c, a + c, a + b])
        R = pin.exp3(self.random.normal(size=3))
        return pin.Inertia(mass, self.random.uniform(-0.3, 0.3, 3), R @ np.diag(moments) @ R.T)

    def add(self, name, parent, kind, axis=None, rotor=0.0, ratio=1.0, offset=0.0, plain=False):
        """Add a body; `plain` places the joint without a turn."""
        place = self.placement()
        if plain:
            place.rotation = np.eye(3)
        inertia = self.inertia()
        joint, seat = self.seats[parent]
        at = seat * place
        if kind == "fixed":
            self.seats[name] = (joint, at)
            if joint:
                self.model.appendBodyToJoint(joint, inertia, at)
        else:
            axis = None if axis is None else np.array(axis) / np.linalg.norm(axis)
            id = self.model.addJoint(joint, joint_model(kind, axis), at, name)
            self.model.appendBodyToJoint(id, inertia, pin.SE3.Identity())
            self.seats[name] = (id, pin.SE3.Identity())
            shape = self.model.joints[id]
            self.joints.append(
                Joint(kind, self.nq, self.nv, shape.idx_q, shape.idx_v, ratio, offset)
            )
            # Pinocchio's armature sits on the joint, carom's rotor on the motor; they mean the
            # same where B is constant, so planar and free joints have none here.
            if rotor:
                armature = self.model.armature
                armature[shape.idx_v : shape.idx_v + shape.nv] = rotor / ratio**2
                self.model.armature = armature
            self.nq, self.nv = self.joints[-1].q.stop, self.joints[-1].v.stop
        self.bodies.append(
            {
                "name": name,
                "parent": parent,
                "kind": "revolute" if kind == "continuous" else kind,
                "axis": None if axis is None else list(axis),
                "rotation": place.rotation.tolist(),
                "origin": place.translation.tolist(),
                "mass": inertia.mass,
                "com": inertia.lever.tolist(),
                "inertia": inertia.inertia.tolist(),
                "rotor": rotor,
                "ratio": ratio,
                "offset": offset,
            }
        )

    def sample(self, body):
        """Everything at one random state, in carom's coordinates."""
        model = self.model.copy()
        data = model.createData()
        q, v = random_state(self.joints, self.random)
        tau = self.random.uniform(-3, 3, self.nv)
        point = self.random.uniform(-0.3, 0.3, 3)
        to = Conversion(self.joints, model.nq, q, v)
        M_P = pin.crba(model, data, to.q)
        M_P = np.triu(M_P) + np.triu(M_P, 1).T
        h_P = pin.nonLinearEffects(model, data, to.q, to.v)
        vdot_P = pin.aba(model, data, to.q, to.v, to.force(tau))
        joint, seat = self.seats[body]
        place = seat * pin.SE3(np.eye(3), point)
        frame = model.addFrame(pin.Frame("point", joint, 0, place, pin.FrameType.OP_FRAME))
        data = model.createData()
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J_P = pin.computeFrameJacobian(model, data, to.q, frame, axes)
        pin.forwardKinematics(model, data, to.q, to.v, np.zeros(self.nv))
        pin.updateFramePlacements(model, data)
        rate = pin.getFrameClassicalAcceleration(model, data, frame, axes).vector
        position = data.oMf[frame].translation
        return {
            "q": q,
            "v": v,
            "tau": tau,
            "mass_matrix": to.mass(M_P),
            "bias": to.bias(h_P, M_P),
            "acceleration": to.acceleration(vdot_P),
            # Pinocchio's own function leaves out the rotors.
            "kinetic_energy": 0.5 * to.v @ M_P @ to.v,
            "gravity_energy": pin.computePotentialEnergy(model, data, to.q),
            "body": body,
            "point": point,
            "position": position,
            "jacobian": to.jacobian(J_P),
            "jacobian_rate": to.jacobian_rate(rate, J_P),
            "operator": J_P[:3] @ np.linalg.solve(M_P, J_P[:3].T),
        }

    def write(self):
        names = [body["name"] for body in self.bodies]
        chosen = [names[-1 - (i * len(names) // STATES)] for i in range(STATES)]
        whole = {
            "source": f"Pinocchio {pin.__version__}, bench/reference.py",
            "gravity": self.gravity,
            "bodies": self.bodies,
            "states": [self.sample(body) for body in chosen],
        }
        FOLDER.mkdir(parents=True, exist_ok=True)
        text = json.dumps(plain(whole), indent=1)
        (FOLDER / f"{self.name}.json").write_text(compact(text) + "\n", encoding="utf-8")


def joint_model(kind, axis):
    match kind:
        case "revolute":
            return pin.JointModelRevoluteUnaligned(axis)
        case "continuous":
            along = {0: pin.JointModelRUBX, 1: pin.JointModelRUBY, 2: pin.JointModelRUBZ}
            return along[int(np.argmax(axis))]()
        case "prismatic":
            return pin.JointModelPrismaticUnaligned(axis)
        case "planar":
            return pin.JointModelPlanar()
        case "spherical":
            return pin.JointModelSpherical()
        case "free":
            return pin.JointModelFreeFlyer()


def plain(value):
    """Arrays as lists."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def compact(text):
    """Innermost lists of numbers on one line each."""
    return re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda m: f"[{' '.join(m[1].split())}]", text)


def mechanisms():
    """Bodies are added depth first, because Pinocchio's crba takes subtrees to be contiguous."""
    m = Mechanism("pendulum", 1)
    m.add("upper", None, "revolute", [0, 0, 1], plain=True)
    m.add("lower", "upper", "revolute", [0, 0, 1], plain=True)
    yield m

    m = Mechanism("floating_leg", 2)
    m.add("trunk", None, "free", plain=True)
    m.add("hip", "trunk", "revolute", [1, 0, 0], rotor=0.02)
    m.add("thigh", "hip", "revolute", [0, 1, 0], rotor=0.02)
    m.add("shank", "thigh", "revolute", [0, 1, 0], rotor=0.01)
    m.add("foot", "shank", "fixed")
    yield m

    m = Mechanism("mixed_chain", 3)
    m.add("slide", None, "prismatic", [1, 2, -1])
    m.add("wheel", "slide", "continuous", [0, 0, 1])
    m.add("arm", "wheel", "revolute", [1, 0.2, 0], rotor=0.1, ratio=-0.4, offset=0.3)
    m.add("piston", "arm", "prismatic", [0, 0, 1], rotor=0.3, ratio=0.02, offset=0.1)
    m.add("bracket", "piston", "fixed")
    m.add("tool", "bracket", "continuous", [0, 1, 0], rotor=0.05, ratio=2.5)
    yield m

    m = Mechanism("branches", 4)
    m.add("table", None, "planar")
    m.add("ball", "table", "spherical", rotor=0.04)
    m.add("left", "ball", "revolute", [0, 1, 1])
    m.add("satellite", "ball", "free")
    m.add("pole", "table", "prismatic", [0, 0, 1])
    m.add("puck", "pole", "planar")
    m.add("socket", None, "fixed")
    m.add("swing", "socket", "spherical")
    m.add("tail", "swing", "continuous", [1, 0, 0])
    yield m


if __name__ == "__main__":
    for mechanism in mechanisms():
        mechanism.write()
