"""Towers of boxes by time steps and a falling humanoid, beside MuJoCo, for bench/shapes.sh.

    shapes.py tower PROGRAM FOLDER N STEP UNTIL      N boxes in space, each 10 mm above the one below, restitution 0
    shapes.py humanoid PROGRAM FOLDER FILE UNTIL     an MJCF model that falls, all motors off

CPU is user time of one process, of carom with its files written, the least of REPEATS runs. Overlap is the deepest of all steps.
"""

import json
import pathlib
import resource
import subprocess
import sys

import mujoco
import numpy as np

REPEATS = 3
# Those of crates/carom/examples/tower/boxes.rs: half extents and mass of a box, gap below each, friction.
HALF, MASS, GAP, FRICTION = (0.1, 0.1, 0.05), 1.0, 0.01, 0.5


def user(who):
    return resource.getrusage(who).ru_utime


def carom(program, scene, run, *words):
    """CPU of the program, and the summary of its run."""
    times = []
    for _ in range(REPEATS):
        before = user(resource.RUSAGE_CHILDREN)
        command = [program, "run", scene, *words, "--out", run, "--npz", "--quiet"]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        times.append(user(resource.RUSAGE_CHILDREN) - before)
    return min(times), json.loads(pathlib.Path(run, "summary.json").read_text())


def mujoco_run(model, start, until):
    """CPU, the deepest overlap of contacts, kinetic and potential energy at the end, of a run from the coordinates `start`."""
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    times = []
    for _ in range(REPEATS):
        data = mujoco.MjData(model)
        data.qpos[:] = start
        deepest, before = 0.0, user(resource.RUSAGE_SELF)
        for _ in range(round(until / model.opt.timestep)):
            mujoco.mj_step(model, data)
            if data.ncon:
                deepest = max(deepest, -data.contact.dist.min())
        times.append(user(resource.RUSAGE_SELF) - before)
    mujoco.mj_forward(model, data)
    return min(times), deepest, data.energy[1], data.energy[0], data


def centres(n):
    beside = lambda k, m: 0.01 * (k * m % 5 - 2)
    return [(beside(k, 7), beside(k, 3), HALF[2] * (2 * k + 1) + GAP * (k + 1)) for k in range(n)]


def tower(program, folder, n, step, until):
    sides = [2 * h for h in HALF]
    text = ['[body.floor]\nshape = "plane"']
    for k, at in enumerate(centres(n)):
        text.append(f"[body.b{k}]\nmass = {MASS}\nshape = {{ box = {sides} }}\nposition = {list(at)}")
    text.append(f'[[pile]]\nof = ["b*", "floor"]\nrestitution = 0\nfriction = {FRICTION}')
    text.append(f'[solver]\nscheme = "moreau"\nstep = {step}\nuntil = {until}\n[output]\ninterval = 0.05')
    scene, run = pathlib.Path(folder, f"tower_{n}.toml"), pathlib.Path(folder, f"tower_{n}.run")
    scene.write_text("\n\n".join(text) + "\n")
    cpu, summary = carom(program, scene, run)
    events = map(json.loads, (run / "events.jsonl").read_text().splitlines())
    rest = next((e["t"] for e in events if e["kind"] == "rest"), None)
    with np.load(run / "trajectory.npz") as data:
        top = data[f"q.b{n - 1}.z"][-1]
    print(f"carom, {n} boxes in space by steps of {1e3 * step:g} ms: {cpu:.2f} s CPU, "
          f"{'no rest' if rest is None else f'rest at {rest:.3f} s'}, overlap {max(0.0, -summary['worst']['gap']):.0e} m, "
          f"residual {summary['worst']['residual']:.0e}, top box at {top:.4f} m (standing: {HALF[2] * (2 * n - 1):.4f} m)")
    bodies = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="box" size="{HALF[0]} {HALF[1]} {HALF[2]}" mass="{MASS}"/></body>'
        for x, y, z in centres(n))
    xml = (f'<mujoco><option timestep="{step}" cone="elliptic" gravity="0 0 -9.81"/><size memory="1G"/>'
           f'<default><geom condim="3" friction="{FRICTION} 0 0"/></default>'
           f'<worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>')
    model = mujoco.MjModel.from_xml_string(xml)
    cpu, deepest, _, _, data = mujoco_run(model, model.qpos0, until)
    fastest = np.abs(data.qvel.reshape(-1, 6)[:, :3]).max()
    top = data.qpos.reshape(-1, 7)[:, 2].max()
    print(f"MuJoCo: {cpu:.2f} s CPU for {until:g} s, overlap {deepest:.1e} m, fastest box {fastest:.0e} m/s at the end, "
          f"top box at {top:.4f} m")


def humanoid(program, folder, file, until):
    name = "_".join(pathlib.Path(file).parts[-2:])
    run = pathlib.Path(folder, name).with_suffix(".run")
    cpu, summary = carom(program, file, run, "--until", str(until))
    energy, counts = summary["energy"], summary["counts"]
    potential = sum(energy.get(key, 0.0) for key in ("gravity", "spring"))
    rescues = sum(summary["rescues"].values())
    print(f"carom, {name}: {cpu:.2f} s CPU, {summary['stop']['reason']}, {counts['impacts']} impacts, {counts['events']} events, "
          f"{rescues} rescues, overlap {max(0.0, -summary['worst']['gap']):.0e} m, "
          f"energy {energy['initial']:.2f} J to {energy['kinetic']:.2f} + {potential:.2f} J, closure {energy['closure']:.0e} J")
    with np.load(run / "trajectory.npz") as data:
        start = np.array([data[key][0] for key in data.files if key.startswith("q.")])
    for divide in (1, 10, 100):
        model = mujoco.MjModel.from_xml_path(str(file))
        model.opt.timestep /= divide
        assert start.size == model.nq
        cpu, deepest, kinetic, potential, _ = mujoco_run(model, start, until)
        print(f"MuJoCo, steps of {1e3 * model.opt.timestep:g} ms: {cpu:.2f} s CPU, overlap {deepest:.1e} m, "
              f"energy at the end {kinetic:.2f} + {potential:.2f} J")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["tower", program, folder, n, step, until]:
            tower(program, folder, int(n), float(step), float(until))
        case ["humanoid", program, folder, file, until]:
            humanoid(program, folder, file, float(until))
        case _:
            sys.exit(__doc__)
