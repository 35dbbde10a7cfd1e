"""Spheres that fall into a bin, and bricks of a wall that fall together, by time steps: the scene, and the same elsewhere.

    pile.py scene SORT N STEP > pile.toml
    pile.py carom SORT N STEP UNTIL PROGRAM SCENE FOLDER
    pile.py mujoco SORT N STEP UNTIL
    pile.py siconos SORT N STEP UNTIL FILE

SORT is spheres or bricks. Each run prints one line: CPU (user time of one process), the deepest overlap at the end, energies,
and since when no centre has been faster than a millimetre per second.
"""

import json
import random
import resource
import subprocess
import sys

RADIUS, MASS, FRICTION, RESTITUTION = 0.05, 0.1, 0.5, 0.1
# Of spheres: the moments across and about the normal per normal force, m.
ROLLING, SPINNING = 5e-4, 5e-4
BRICK, DENSITY, JOINT = (0.2, 0.1, 0.1), 2000.0, 1e-3
STILL, EVERY = 1e-3, 25


def spheres(n):
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


def bricks(n):
    """Centres of a wall in bond whose rows get shorter upwards, a millimetre apart on all sides; and no bin."""
    length, _, height = BRICK
    base = next(k for k in range(1, n + 1) if k * (k + 1) // 2 >= n)
    centres, row = [], 0
    while len(centres) < n:
        for column in range(min(base - row, n - len(centres))):
            centres.append(((column + 0.5 * row) * (length + JOINT), 0.0,
                            0.5 * height + JOINT + row * (height + JOINT)))
        row += 1
    return centres, None


def layout(sort, n):
    return {"spheres": spheres, "bricks": bricks}[sort](n)


def mass(sort):
    return MASS if sort == "spheres" else DENSITY * BRICK[0] * BRICK[1] * BRICK[2]


def planes(half):
    walls = [] if half is None else [
        ("wall_left", (-half, 0, 0), (1, 0, 0)), ("wall_right", (half, 0, 0), (-1, 0, 0)),
        ("wall_front", (0, -half, 0), (0, 1, 0)), ("wall_back", (0, half, 0), (0, -1, 0))]
    return [("floor", (0, 0, 0), (0, 0, 1))] + walls


def scene(sort, n, step):
    centres, half = layout(sort, n)
    shape = f"{{ sphere = {RADIUS} }}" if sort == "spheres" else f"{{ box = {list(BRICK)} }}"
    print(f'title = "{n} {sort}"\ndescription = "They fall together and come to rest."')
    for name, at, normal in planes(half):
        print(f"\n[body.{name}]\nposition = {list(at)}\nshape = {{ plane = {{ normal = {list(normal)} }} }}")
    for i, c in enumerate(centres):
        at = ", ".join(f"{x:.6f}" for x in c)
        inertia = f"mass = {MASS}" if sort == "spheres" else f"density = {DENSITY}"
        print(f"\n[body.grain{i + 1}]\n{inertia}\nshape = {shape}\nposition = [{at}]")
    members = ", ".join(f'"{name}"' for name, _, _ in planes(half))
    print(f'\n[[pile]]\nof = ["grain*", {members}]\nrestitution = {RESTITUTION}\nfriction = {FRICTION}')
    if sort == "spheres":
        print(f"rolling_friction = {ROLLING}\nspinning_friction = {SPINNING}")
    print(f'\n[solver]\nscheme = "moreau"\nstep = {step}\nuntil = 3\n\n[output]\ninterval = {EVERY * step}')


def carom_run(sort, n, step, until, program, scene_file, folder):
    import numpy as np

    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [program, "run", scene_file, "--until", str(until), "--out", folder, "--npz", "--quiet"]
    subprocess.run(command, check=True)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    summary = json.load(open(f"{folder}/summary.json"))
    energy, worst = summary["energy"], summary["worst"]
    rest = next((e["t"] for e in map(json.loads, open(f"{folder}/events.jsonl")) if e["kind"] == "rest"), None)
    with np.load(f"{folder}/trajectory.npz") as data:
        places = [[data[f"q.grain{i + 1}.{axis}"] for i in range(n)] for axis in ("x", "y", "z")]
        speeds = [[data[f"v.grain{i + 1}.{axis}"] for i in range(n)] for axis in ("vx", "vy", "vz")]
        t, q, v = data["t"], np.array(places).transpose(2, 1, 0), np.array(speeds).transpose(2, 1, 0)
    line("carom", sort, n, cpu, summary["counts"]["solver"]["steps"], (t, q, v))
    print(f"         energy: kinetic {energy['kinetic']:.1e} J with spins, lost {energy['lost']:.3f} J, "
          f"made by the steps {energy.get('carried', 0.0):+.3f} J, closure {energy['closure']:.0e} J; "
          f"deepest overlap of all steps {-worst['gap']:.1e} m, worst residual {worst['residual']:.0e}, "
          f"rest {'not told' if rest is None else f'told at {rest:.3f} s'}")


def mujoco_run(sort, n, step, until):
    import mujoco
    import numpy as np

    centres, half = layout(sort, n)
    quat = {(0, 0, 1): "1 0 0 0", (1, 0, 0): "0.7071068 0 0.7071068 0", (-1, 0, 0): "0.7071068 0 -0.7071068 0",
            (0, 1, 0): "0.7071068 -0.7071068 0 0", (0, -1, 0): "0.7071068 0.7071068 0 0"}
    geoms = "".join(
        f'<geom type="plane" size="5 5 1" pos="{p[0]} {p[1]} {p[2]}" quat="{quat[nrm]}"/>'
        for _, p, nrm in planes(half))
    shape = f'type="sphere" size="{RADIUS}"' if sort == "spheres" else \
        'type="box" size="{} {} {}"'.format(*(0.5 * side for side in BRICK))
    bodies = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom {shape} mass="{mass(sort)}"/></body>' for x, y, z in centres)
    # Newton's method, its default, factorises a matrix that fills up as spheres come to touch: no end in 240 s with a thousand.
    solver = "CG" if sort == "spheres" else "Newton"
    xml = (f'<mujoco><option timestep="{step}" solver="{solver}" cone="elliptic" gravity="0 0 -9.81"/><size memory="2G"/>'
           f'<default><geom condim="{6 if sort == "spheres" else 3}" friction="{FRICTION} {SPINNING} {ROLLING}"/></default>'
           f"<worldbody>{geoms}{bodies}</worldbody></mujoco>")
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    steps, rows = round(until / step), []
    for k in range(steps):
        mujoco.mj_step(model, data)
        if k % EVERY == EVERY - 1:
            rows.append((data.time, data.qpos.reshape(-1, 7)[:, :3].copy(), data.qvel.reshape(-1, 6)[:, :3].copy()))
    cpu = resource.getrusage(resource.RUSAGE_SELF).ru_utime - start
    line("mujoco", sort, n, cpu, steps, [np.array(column) for column in zip(*rows)])


def siconos_run(sort, n, step, until, file):
    """Moreau and Jean's scheme with Gauss–Seidel sweeps, at most a thousand of them and to 1e-6; contacts by Bullet."""
    import numpy as np
    import siconos.kernel as kernel
    import siconos.numerics as numerics
    from siconos.io.mechanics_run import MechanicsHdf5Runner
    from siconos.mechanics.collision.bullet import SiconosBulletOptions
    from siconos.mechanics.collision.tools import Contactor
    import h5py

    centres, half = layout(sort, n)
    quat = {(0, 0, 1): [1, 0, 0, 0], (1, 0, 0): [0.5 ** 0.5, 0, 0.5 ** 0.5, 0], (0, 1, 0): [0.5 ** 0.5, 0.5 ** 0.5, 0, 0]}
    with MechanicsHdf5Runner(io_filename=file, mode="w", verbose=False) as io:
        params = ("Sphere", (RADIUS,)) if sort == "spheres" else ("Box", BRICK)
        io.add_primitive_shape("Grain", *params, insideMargin=0, outsideMargin=0)
        io.add_primitive_shape("Slab", "Box", (20, 20, 1), insideMargin=0, outsideMargin=0)
        io.add_Newton_impact_friction_nsl("law", mu=FRICTION, e=RESTITUTION)
        m, sides = mass(sort), BRICK
        inertia = [0.4 * m * RADIUS ** 2] * 3 if sort == "spheres" else \
            [m / 12 * (sum(s * s for s in sides) - sides[k] ** 2) for k in range(3)]
        for i, centre in enumerate(centres):
            io.add_object(f"grain{i}", [Contactor("Grain")], translation=list(centre), mass=m, inertia=inertia)
        for name, at, normal in planes(half):
            # A slab whose upper face is the plane.
            behind = [a - 0.5 * k for a, k in zip(at, normal)]
            io.add_object(name, [Contactor("Slab")], translation=behind, orientation=quat[tuple(map(abs, normal))])
    options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000
    options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-6
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    with MechanicsHdf5Runner(io_filename=file, mode="r+", verbose=False) as io:
        io.run(T=until, h=step, Newton_max_iter=1, solver_options=options, bullet_options=SiconosBulletOptions(),
               verbose=False, verbose_progress=False, output_frequency=EVERY)
    cpu = resource.getrusage(resource.RUSAGE_SELF).ru_utime - start
    with h5py.File(file, "r") as data:
        places, speeds = data["data/dynamic"][:], data["data/velocities"][:]
    times = np.unique(places[:, 0])
    at = lambda rows, t: rows[rows[:, 0] == t][np.argsort(rows[rows[:, 0] == t][:, 1])][:, 2:5]
    times = [t for t in times if (speeds[:, 0] == t).sum() >= n and (places[:, 0] == t).sum() >= n]
    history = (np.array(times), np.array([at(places, t)[-n:] for t in times]), np.array([at(speeds, t)[-n:] for t in times]))
    line("siconos", sort, n, cpu, round(until / step), history)


def overlap(sort, centres, half):
    """The deepest overlap, m: of balls with each other and the bin, or of bricks with those below by the heights of their centres,
    which for bricks that lean a little is a bound."""
    import numpy as np

    deepest = 0.0
    for i, c in enumerate(centres):
        d = np.abs(centres[i + 1:] - c)
        if sort == "spheres":
            depth = 2 * RADIUS - np.sqrt((d * d).sum(axis=1))
            sides = [RADIUS - c[2], RADIUS - half + abs(c[0]), RADIUS - half + abs(c[1])]
        else:
            above = (d[:, 0] < 0.9 * BRICK[0]) & (d[:, 2] > 0.5 * BRICK[2])
            depth = BRICK[2] - d[above, 2]
            sides = [0.5 * BRICK[2] - c[2]]
        deepest = max([deepest, *sides, depth.max() if len(depth) else 0.0])
    return deepest


def line(name, sort, n, cpu, steps, history):
    """One line from the places and speeds of the centres at some times."""
    import numpy as np

    t, q, v = history
    fastest = np.sqrt((v * v).sum(axis=2)).max(axis=1)
    moving = np.nonzero(fastest >= STILL)[0]
    last = moving[-1] + 1 if len(moving) else 0
    still = f"still since {t[last]:.2f} s" if last < len(t) else f"fastest centre {fastest[-1]:.0e} m/s at the end"
    kinetic = 0.5 * mass(sort) * (v[-1] ** 2).sum()
    parts = [f"{name:>7} {n:5d} {sort}", f"{cpu:7.2f} s CPU", f"{1e3 * cpu / max(steps, 1):7.2f} ms/step of {steps}",
             f"overlap at the end {overlap(sort, q[-1], layout(sort, n)[1]):.1e} m", f"{still}",
             f"kinetic {kinetic:.1e} J", f"mean height {q[-1, :, 2].mean():.4f} m"]
    print(", ".join(parts), flush=True)


if __name__ == "__main__":
    runs = {"scene": scene, "carom": carom_run, "mujoco": mujoco_run, "siconos": siconos_run}
    if len(sys.argv) < 5 or sys.argv[1] not in runs:
        sys.exit(__doc__)
    numbers = [float(word) for word in sys.argv[4:6]]
    runs[sys.argv[1]](sys.argv[2], int(sys.argv[3]), *numbers, *sys.argv[6:])
