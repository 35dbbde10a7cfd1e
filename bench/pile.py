"""A pile of N spheres that fall into a bin: the scene, and the same in MuJoCo.

    pile.py scene N STEP > pile.toml
    pile.py mujoco N STEP UNTIL          prints one line of figures
    pile.py run N UNTIL PROGRAM SCENE FOLDER   the same line of a run of carom
"""

import json
import random
import resource
import subprocess
import sys

RADIUS, MASS, FRICTION, RESTITUTION = 0.05, 0.1, 0.5, 0.1


def layout(n):
    """Centres on a lattice with a little disorder, and half the width of the bin."""
    rng = random.Random(1)
    side = max(3, round(n ** (1 / 3)))
    gap = 2.2 * RADIUS
    half = 0.5 * side * gap + 0.01
    centres = []
    for i in range(n):
        layer, place = divmod(i, side * side)
        y, x = divmod(place, side)
        jitter = [0.1 * RADIUS * rng.random() for _ in range(3)]
        centres.append((
            (x - 0.5 * (side - 1)) * gap + jitter[0] - 0.05 * RADIUS,
            (y - 0.5 * (side - 1)) * gap + jitter[1] - 0.05 * RADIUS,
            1.2 * RADIUS + layer * gap + jitter[2],
        ))
    return centres, half


def planes(half):
    return [
        ("floor", (0, 0, 0), (0, 0, 1)),
        ("wall_left", (-half, 0, 0), (1, 0, 0)),
        ("wall_right", (half, 0, 0), (-1, 0, 0)),
        ("wall_front", (0, -half, 0), (0, 1, 0)),
        ("wall_back", (0, half, 0), (0, -1, 0)),
    ]


def scene(n, step):
    centres, half = layout(n)
    print(f'title = "A pile of {n} spheres"')
    print('description = "Spheres fall into a bin and come to rest."')
    for name, at, normal in planes(half):
        print(f"\n[body.{name}]\nposition = {list(at)}\nshape = {{ plane = {{ normal = {list(normal)} }} }}")
    for i, c in enumerate(centres):
        at = ", ".join(f"{x:.6f}" for x in c)
        print(f"\n[body.grain{i + 1}]\nmass = {MASS}\nshape = {{ sphere = {RADIUS} }}\nposition = [{at}]")
    print(f'\n[[pile]]\nof = ["grain*", "floor", "wall_*"]\nrestitution = {RESTITUTION}\nfriction = {FRICTION}')
    print(f'\n[solver]\nscheme = "moreau"\nstep = {step}\nuntil = 3\n\n[output]\ninterval = 0.05')


def mujoco_run(n, step, until):
    import mujoco
    import numpy as np

    centres, half = layout(n)
    quat = {(0, 0, 1): "1 0 0 0", (1, 0, 0): "0.7071068 0 0.7071068 0", (-1, 0, 0): "0.7071068 0 -0.7071068 0",
            (0, 1, 0): "0.7071068 -0.7071068 0 0", (0, -1, 0): "0.7071068 0.7071068 0 0"}
    geoms = "".join(
        f'<geom type="plane" size="5 5 1" pos="{p[0]} {p[1]} {p[2]}" quat="{quat[nrm]}"/>'
        for _, p, nrm in planes(half))
    bodies = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="sphere" size="{RADIUS}" mass="{MASS}"/></body>'
        for x, y, z in centres)
    xml = (f'<mujoco><option timestep="{step}" cone="elliptic" gravity="0 0 -9.81"/><size memory="2G"/>'
           f'<default><geom condim="3" friction="{FRICTION} 0 0"/></default>'
           f"<worldbody>{geoms}{bodies}</worldbody></mujoco>")
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    worst, rest = 0.0, None
    steps = round(until / step)
    for k in range(steps):
        mujoco.mj_step(model, data)
        if data.ncon:
            worst = min(worst, data.contact.dist.min())
        if k % 25 == 0 and np.abs(data.qvel).max() < 1e-3 and rest is None:
            rest = data.time
    cpu = resource.getrusage(resource.RUSAGE_SELF).ru_utime - start
    kinetic = sum(0.5 * MASS * float(v[:3] @ v[:3]) for v in data.qvel.reshape(-1, 6))
    height = float(np.mean(data.qpos.reshape(-1, 7)[:, 2]))
    line("mujoco", n, cpu, steps, worst, None, kinetic, height, rest, int(data.ncon))


def carom_run(n, until, program, scene_file, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([program, "run", scene_file, "--until", until, "--out", folder, "--quiet"], check=True)
    judge(n, folder, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def judge(n, folder, cpu):
    summary = json.load(open(f"{folder}/summary.json"))
    energy, worst = summary["energy"], summary["worst"]
    height = energy["gravity"] / (n * MASS * 9.81)
    events = map(json.loads, open(f"{folder}/events.jsonl"))
    rest = next((e["t"] for e in events if e["kind"] == "rest"), None)
    line("carom", n, cpu, summary["counts"]["solver"]["steps"], worst["gap"], worst["residual"], energy["kinetic"],
         height, rest, None)
    print(f"        energy: lost {energy['lost']:.4f} J, made by the steps {energy.get('carried', 0.0):+.4f} J, "
          f"closure {energy['closure']:.1e} J")


def line(name, n, cpu, steps, worst, residual, kinetic, height, rest, contacts):
    parts = [f"{name:>7} {n:5d} spheres", f"{cpu:7.2f} s CPU", f"{1e3 * cpu / max(steps, 1):7.2f} ms/step",
             f"deepest overlap {-worst:8.1e} m", f"kinetic {kinetic:8.1e} J", f"mean height {height:.4f} m",
             f"rest {'no' if rest is None else f'at {rest:.2f} s'}"]
    if residual is not None:
        parts.append(f"residual {residual:.0e}")
    if contacts is not None:
        parts.append(f"{contacts} contacts")
    print(", ".join(parts))


if __name__ == "__main__":
    verb = sys.argv[1] if len(sys.argv) > 1 else ""
    if verb == "scene":
        scene(int(sys.argv[2]), float(sys.argv[3]))
    elif verb == "mujoco":
        mujoco_run(int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
    elif verb == "run":
        carom_run(int(sys.argv[2]), *sys.argv[3:])
    else:
        sys.exit(__doc__)
