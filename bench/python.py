"""What Python costs beside Rust, and carom beside scipy and MuJoCo on the same problems.

    pip install . scipy mujoco example-robot-data
    python bench/python.py [overhead] [impacts] [callbacks] [threads] [ball] [pendulum] [a1]

`cargo bench -p carom-cli --bench twin` is run for the times in Rust. Comparisons whose package is missing are left
out, and it is said.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

import carom

ROOT = Path(__file__).resolve().parents[1]


def best(call, repeats: int = 5, least: float = 0.3) -> float:
    """Best wall time of a call, s."""
    times, begun = [], time.perf_counter()
    while len(times) < repeats or time.perf_counter() - begun < least:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def row(*cells: object) -> None:
    print("  ".join(f"{cell!s:>14}" if k else f"{cell!s:<53}" for k, cell in enumerate(cells)), flush=True)


def verdict(found: float, bound: float) -> str:
    return "met" if found <= bound else "MISSED"


@functools.cache
def twin() -> dict[str, float]:
    """Times in Rust, s."""
    command = ["cargo", "bench", "--quiet", "-p", "carom-cli", "--bench", "twin"]
    # One thread on both sides: others may use the machine as well.
    alone = {**os.environ, "RAYON_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, env=alone)
    return {name: float(x) for name, x in (line.split() for line in done.stdout.splitlines())}


def overhead(rust: float) -> None:
    """``scene.run`` of the double pendulum beside the same run in Rust."""
    scene = carom.load(ROOT / "scenes" / "double_pendulum.toml")
    python = best(lambda: scene.run(until=10, law="newton"), least=2.0)
    bound = 1.2 * rust + 20e-6
    row("double pendulum, 10 s, rtol 1e-8, every 0.01 s", "µs")
    row("  in Rust, kept in memory", f"{rust * 1e6:.0f}")
    row("  scene.run", f"{python * 1e6:.0f}")
    row("  bound 1.2 × Rust + 20 µs", f"{bound * 1e6:.0f}", verdict(python, bound))


def impacts(rust: float, count: int = 1_000_000) -> None:
    """A batch of planar impacts beside one in Rust."""
    rng = np.random.default_rng(1)
    arm = rng.uniform(-2, 2, size=(count, 2))
    normal = np.stack([np.zeros(count), np.ones(count), arm[:, 0]], axis=1)
    tangent = np.stack([np.ones(count), np.zeros(count), arm[:, 1]], axis=1)[:, None, :]
    velocity = rng.uniform(-2, 2, size=(count, 3))
    velocity[:, 1] -= np.einsum("ij,ij->i", normal, velocity) + 1.0
    contact = {"normal": normal, "tangents": tangent, "friction": 0.4, "restitution": 0.5}
    mass = np.diag([1.0, 1.0, 0.1])
    python = best(lambda: carom.impact(mass, velocity, [contact], threads=1), repeats=5)
    row("1e6 planar impacts, one thread each", "s", "ns each")
    row("  in Rust", f"{rust:.3f}", f"{rust / count * 1e9:.0f}")
    row("  carom.impact", f"{python:.3f}", f"{python / count * 1e9:.0f}")
    row("  bound 1.3 × Rust", f"{1.3 * rust:.3f}", verdict(python, 1.3 * rust))


def callbacks() -> None:
    """A force in Python: time per call beyond the function itself.

    The simulator holds a generalised force of zero in Rust, so that it takes the same steps without the calls.
    """
    scene = carom.load(ROOT / "scenes" / "pendulum.toml")
    zero, calls = np.zeros(scene.nv), 0

    def force(t, q, v):
        nonlocal calls
        calls += 1
        return zero

    scene.run(until=20.0, force=force)
    count = calls
    q, v = scene.initial.q, scene.initial.v
    own = best(lambda: [force(0.1, q, v) for _ in range(count)]) / count
    with_it = best(lambda: scene.run(until=20.0, force=force)) / count
    without = best(lambda: scene.run(until=20.0)) / count
    beyond = with_it - without - own
    row(f"a force in Python, {count} calls", "µs per call")
    row("  run with it", f"{with_it * 1e6:.2f}")
    row("  run without it", f"{without * 1e6:.2f}")
    row("  the function itself", f"{own * 1e6:.2f}")
    row("  beyond both, bound 2", f"{beyond * 1e6:.2f}", verdict(beyond, 2e-6))


def pendulums(first: int, count: int, threads: int = 1) -> list[carom.Run]:
    """Double pendulums with different restitutions."""
    scene = carom.load(ROOT / "scenes" / "double_pendulum.toml")
    values = [{"contact.0.restitution": 0.3 + 0.002 * k} for k in range(first, first + count)]
    return carom.run_many(scene, values, threads=threads)


def half(first: int) -> None:
    """Half of them, in a process of its own."""
    pendulums(first, PENDULUMS // 2)


PENDULUMS = 100


def threads(rounds: int = 25) -> None:
    """Many runs on one core and on two.

    Others may use the machine as well, so one thread, two threads, and two processes that share nothing take turns. The
    best of each is the least disturbed one. What the machine does not give to two processes it cannot give to two
    threads: where it gives them less than 1.9, nothing can be said of threads but how close they come. Work that two
    threads do twice, or take from each other (memory, locks), shows in the time of the processors, which others hardly
    change.
    """

    def timed(work) -> tuple[float, float]:
        wall, used = time.perf_counter(), time.process_time()
        runs = work()
        found = time.perf_counter() - wall, time.process_time() - used
        # What becomes of the runs afterwards is no part of it.
        del runs
        return found

    hashes = [[run.summary["result_hash"] for run in pendulums(0, PENDULUMS, n)] for n in (1, 2)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        halves = [0, PENDULUMS // 2]
        pool.map(half, halves, chunksize=1)
        ways = [
            lambda: pendulums(0, PENDULUMS, 1),
            lambda: pendulums(0, PENDULUMS, 2),
            lambda: pool.map(half, halves, chunksize=1),
        ]
        found = np.array([[timed(way) for way in ways] for _ in range(rounds)])
    (one, work_one), (two, work_two), (apart, _) = found.min(axis=0)
    row(f"{PENDULUMS} double pendulums, best of {rounds} turns", "ms", "ms of CPU")
    row("  one thread", f"{one * 1e3:.1f}", f"{work_one * 1e3:.1f}")
    row("  two threads, same bytes: " + str(hashes[0] == hashes[1]), f"{two * 1e3:.1f}", f"{work_two * 1e3:.1f}")
    row("  two processes that share nothing", f"{apart * 1e3:.1f}")
    said = "met" if one / two >= 1.9 else "MISSED" if one / apart >= 1.9 else "not given"
    row("  speed-up of threads, bound 1.9", f"{one / two:.2f}", said)
    row("  speed-up of processes: what the machine gives", f"{one / apart:.2f}")
    row("  speed-up by the time of the processors", f"{2 * work_one / work_two:.2f}")


# The same problems by others


def ball_exact(t: np.ndarray, e: float, h: float, g: float = 9.81) -> np.ndarray:
    """Height above the floor of a ball dropped from h."""
    hits = [np.sqrt(2 * h / g)]
    speed = e * np.sqrt(2 * g * h)
    while speed > 1e-12:
        hits.append(hits[-1] + 2 * speed / g)
        speed *= e
    z = np.where(t <= hits[0], h - 0.5 * g * t**2, 0.0)
    speed = e * np.sqrt(2 * g * h)
    for a, b in zip(hits, hits[1:]):
        inside = (t > a) & (t <= b)
        z[inside] = speed * (t[inside] - a) - 0.5 * g * (t[inside] - a) ** 2
        speed *= e
    return z


def bouncing_ball() -> None:
    """Dropped 1 m with e = 0.5, error of the height over 3 s."""
    t = np.linspace(0, 3, 601)
    exact = ball_exact(t, 0.5, 1.0)
    row("bouncing ball, e = 0.5, 3 s", "error/m", "ms")
    scene = carom.load(ROOT / "scenes" / "ball.toml")
    run = scene.run(until=3.0)
    heights = np.array([run.state_at(x).q[2] - 0.05 for x in t])
    took = best(lambda: scene.run(until=3.0))
    row("  carom", f"{abs(heights - exact).max():.1e}", f"{took * 1e3:.2f}")
    try:
        from scipy.integrate import solve_ivp
    except ImportError:
        row("  scipy", "not installed")
    else:

        def hit(t, y):
            return y[0]

        hit.terminal, hit.direction = True, -1

        def bounce():
            now, y, out = 0.0, [1.0, 0.0], np.zeros_like(t)
            while now < 3.0 and abs(y[1]) + y[0] > 1e-5:
                part = solve_ivp(
                    lambda t, y: [y[1], -9.81], (now, 3.0), y, events=hit, rtol=1e-9, atol=1e-11, dense_output=True
                )
                inside = (t > now) & (t <= part.t[-1])
                if inside.any():
                    out[inside] = part.sol(t[inside])[0]
                now, y = part.t[-1], [1e-13, -0.5 * part.y[1, -1]]
            out[0] = 1.0
            return out

        row("  scipy, solve_ivp with events", f"{abs(bounce() - exact).max():.1e}", f"{best(bounce) * 1e3:.2f}")
    try:
        import mujoco
    except ImportError:
        row("  MuJoCo", "not installed")
    else:
        # MuJoCo's contacts are springs with dampers that never pull: a rebound has
        # e = exp(−2ζ/√(1−ζ²) atan(√(1−ζ²)/ζ)); the damping is chosen for e = 0.5.
        all_zeta = np.linspace(1e-3, 0.999, 20000)
        root = np.sqrt(1 - all_zeta**2)
        rebound = np.exp(-2 * all_zeta / root * np.arctan(root / all_zeta))
        zeta = np.interp(-0.5, -rebound, all_zeta)
        stiffness = 1e5
        damping = 2 * zeta * np.sqrt(stiffness)
        for step in (1e-3, 1e-4):
            model = mujoco.MjModel.from_xml_string(
                f"""<mujoco><option timestep="{step}" integrator="implicitfast" gravity="0 0 -9.81"/>
                <worldbody><geom type="plane" size="1 1 1" solref="-{stiffness} -{damping}" solimp="1 1 0.001"/>
                <body pos="0 0 1.05"><freejoint/><geom type="sphere" size="0.05" mass="0.1"
                solref="-{stiffness} -{damping}" solimp="1 1 0.001"/></body></worldbody></mujoco>"""
            )
            data = mujoco.MjData(model)

            def simulate():
                mujoco.mj_resetData(model, data)
                out = np.empty(round(3 / step) + 1)
                out[0] = data.qpos[2]
                for k in range(1, len(out)):
                    mujoco.mj_step(model, data)
                    out[k] = data.qpos[2]
                return out

            z = np.interp(t, step * np.arange(round(3 / step) + 1), simulate()) - 0.05
            took = best(simulate, repeats=3)
            row(f"  MuJoCo, step {step:g} s", f"{abs(z - exact).max():.1e}", f"{took * 1e3:.1f}")


def double_pendulum() -> None:
    """In free flight for 3 s, without the floor: the difference to a run at rtol 1e-13."""
    scene = carom.load(ROOT / "scenes" / "double_pendulum.toml")
    tree = scene.to_dict()
    del tree["contact"], tree["body"]["floor"], tree["output"]
    scene = carom.Scene(tree)
    exact = scene.run(until=3.0, rtol=1e-13, atol=1e-15).state.q
    row("double pendulum without a floor, 3 s, rtol 1e-9", "error/rad", "ms")
    run = scene.run(until=3.0, rtol=1e-9, atol=1e-11)
    took = best(lambda: scene.run(until=3.0, rtol=1e-9, atol=1e-11))
    row("  carom", f"{abs(run.state.q - exact).max():.1e}", f"{took * 1e3:.2f}")
    try:
        from scipy.integrate import solve_ivp
    except ImportError:
        row("  scipy", "not installed")
    else:
        start = scene.initial

        def rate(t, y):
            return np.concatenate([y[2:], scene.forward_dynamics(y[:2], y[2:])])

        def solve():
            y = np.concatenate([start.q, start.v])
            return solve_ivp(rate, (0, 3), y, method="DOP853", rtol=1e-9, atol=1e-11).y[:2, -1]

        row("  scipy's DOP853 on carom's dynamics", f"{abs(solve() - exact).max():.1e}", f"{best(solve) * 1e3:.2f}")
    try:
        import mujoco
    except ImportError:
        row("  MuJoCo", "not installed")
    else:
        thick = 4.04 * (1.0 + 0.05**2) / 12
        link = '<inertial pos="0.5 0 0" mass="4.04" diaginertia="{0} {0} {0}"/>'.format(thick)
        for step in (1e-3, 1e-4):
            model = mujoco.MjModel.from_xml_string(
                f"""<mujoco><option timestep="{step}" integrator="RK4" gravity="0 -9.81 0"/><worldbody>
                <body pos="0 1.5 0"><joint axis="0 0 1"/>{link}<body pos="1 0 0"><joint axis="0 0 1"/>{link}
                </body></body></worldbody></mujoco>"""
            )
            data = mujoco.MjData(model)

            def simulate():
                mujoco.mj_resetData(model, data)
                data.qpos[:] = scene.initial.q
                for _ in range(round(3 / step)):
                    mujoco.mj_step(model, data)
                return data.qpos.copy()

            took = best(simulate, repeats=3)
            row(f"  MuJoCo, RK4, step {step:g} s", f"{abs(simulate() - exact).max():.1e}", f"{took * 1e3:.1f}")


def quadruped() -> None:
    """The quadruped A1, dropped by 8 cm with its legs held by PD: in flight, and after it landed.

    Both read the same URDF, without meshes; only feet touch the ground. In flight the difference to a run at rtol 1e-13
    counts. On the ground MuJoCo's contacts give way and carom's are rigid: its feet sink in and creep outwards while the
    robot lands, so that the trunk comes to stand lower. The harder MuJoCo's contacts and friction are made, the closer it
    comes to the rigid ones.
    """
    row("A1 with PD, dropped by 8 cm, 1 s", "flight/rad", "trunk at 1 s/m", "sunk in/mm", "ms")
    robot = Path(sysconfig.get_path("purelib"), "cmeel.prefix/share/example-robot-data/robots/a1_description/urdf/a1.urdf")
    if not robot.exists():
        row("  example-robot-data", "not installed")
        return
    flight = 0.1
    held = {f"{leg}_{joint}_joint": x for leg in LEGS for joint, x in (("hip", 0.0), ("thigh", 0.9), ("calf", -1.8))}
    # Off their rest, so that the legs swing in flight.
    start = {name: x + 0.1 for name, x in held.items()}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a1.urdf"
        file.write_text(bare(robot))
        scene = carom.Scene(body={"ground": {"shape": "plane"}}).urdf(file, floating_base=True, position=[0, 0, 0.4])
        for leg in LEGS:
            scene.contact(f"{leg}_foot", "ground", restitution=0, friction=0.8)
        scene.controller("hold", type="pd", angle=held, stiffness=STIFFNESS, damping=DAMPING).start(angle=start)
        joints = [scene.coordinate_names.index(name) for name in held]
        exact = scene.run(until=flight, rtol=1e-13, atol=1e-15).state.q[joints]
        found = scene.run(until=flight, rtol=1e-8).state.q[joints]
        run = scene.run(until=1.0, rtol=1e-8)
        height = scene.pose(run.state.q, "trunk")[1][2]
        sunk = max(0.0, -scene.gaps(run.state.q).min())
        took = best(lambda: scene.run(until=1.0, rtol=1e-8), repeats=3)
        row("  carom, rtol 1e-8", f"{abs(found - exact).max():.1e}", f"{height:.4f}", f"{1e3 * sunk:.1e}", f"{took * 1e3:.1f}")
        quadruped_in_scipy(scene, held, (flight, exact))
        quadruped_in_mujoco(file, (held, start), (flight, exact))


STIFFNESS, DAMPING = 60.0, 2.0
"""Of the legs, N m/rad and N m s/rad."""

SOFTNESS = (
    ("as it is, step 1 ms", 1e-3, None),
    ("as it is, step 0.1 ms", 1e-4, None),
    ("harder, step 0.1 ms", 1e-4, (0.01, 1)),
    ("hardest, step 0.1 ms", 1e-4, (0.004, 100)),
)
"""MuJoCo's contacts: step, s; time constant of the contact, s, and stiffness of friction beside that of the normal."""


def quadruped_in_mujoco(file, postures, compared) -> None:
    """The same in MuJoCo, with contacts that are harder and harder."""
    try:
        import mujoco
    except ImportError:
        row("  MuJoCo", "not installed")
        return
    (held, start), (flight, exact) = postures, compared
    for words, step, hard in SOFTNESS:
        spec = mujoco.MjSpec.from_file(str(file))
        spec.option.timestep = step
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 1], friction=[0.8, 0, 0])
        spec.body("trunk").add_freejoint()
        model = spec.compile()
        if hard is not None:
            model.opt.cone, model.opt.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, hard[1]
            model.geom_solref[:], model.geom_solimp[:] = (hard[0], 1), (0.999, 0.9999, 0.001, 0.5, 2)
        for name, angle in held.items():
            joint = model.joint(name)
            model.jnt_stiffness[joint.id] = STIFFNESS
            model.dof_damping[joint.dofadr[0]] = DAMPING
            model.qpos_spring[joint.qposadr[0]] = angle
        data = mujoco.MjData(model)
        places = [int(model.joint(name).qposadr[0]) for name in held]

        def simulate(until):
            mujoco.mj_resetData(model, data)
            data.qpos[:7] = [0, 0, 0.4, 1, 0, 0, 0]
            data.qpos[places] = list(start.values())
            for _ in range(round(until / step)):
                mujoco.mj_step(model, data)
            return data.qpos.copy()

        error = abs(simulate(flight)[places] - exact).max()
        took = best(lambda: simulate(1.0), repeats=3)
        height = simulate(1.0)[2]
        sunk = -min((c.dist for c in data.contact[: data.ncon]), default=0.0)
        row(f"  MuJoCo, {words}", f"{error:.1e}", f"{height:.4f}", f"{1e3 * sunk:.1e}", f"{took * 1e3:.1f}")


def quadruped_in_scipy(scene, held, compared) -> None:
    """The flight by scipy's DOP853 on carom's dynamics; scipy knows no contacts, so there is no landing."""
    try:
        from scipy.integrate import solve_ivp
    except ImportError:
        row("  scipy", "not installed")
        return
    flight, exact = compared
    joints = [scene.coordinate_names.index(name) for name in held]
    rates = [scene.velocity_names.index(name) for name in held]
    goals = np.array(list(held.values()))
    start, nq = scene.initial, scene.nq

    def rate(t, y):
        q, v = y[:nq], y[nq:]
        tau = np.zeros(scene.nv)
        tau[rates] = STIFFNESS * (goals - q[joints]) - DAMPING * v[rates]
        return np.concatenate([scene.coordinate_rate(q, v), scene.forward_dynamics(q, v, tau)])

    def solve():
        y = np.concatenate([start.q, start.v])
        return solve_ivp(rate, (0, flight), y, method="DOP853", rtol=1e-8, atol=1e-10).y[joints, -1]

    error = abs(solve() - exact).max()
    took = best(solve, repeats=3)
    row("  scipy's DOP853 on carom's dynamics, flight only", f"{error:.1e}", "-", "-", f"{took * 1e3:.1f}")
    alone = best(lambda: scene.run(until=flight, rtol=1e-8), repeats=3)
    row("  carom, flight only", f"{abs(scene.run(until=flight, rtol=1e-8).state.q[joints] - exact).max():.1e}", "-", "-", f"{alone * 1e3:.1f}")


LEGS = ("FR", "FL", "RR", "RL")


def bare(robot: Path) -> str:
    """A robot without meshes, damping and limits of effort; of its shapes only the spheres of the feet."""
    tree = ElementTree.parse(robot)
    for link in tree.iter("link"):
        for part in link.findall("visual"):
            link.remove(part)
        for part in link.findall("collision"):
            if part.find("geometry/sphere") is None:
                link.remove(part)
    for joint in tree.iter("joint"):
        for part in joint.findall("dynamics"):
            joint.remove(part)
        if (limit := joint.find("limit")) is not None:
            limit.set("effort", "1e4")
    return ElementTree.tostring(tree.getroot(), encoding="unicode")


PARTS = {
    "overhead": lambda: overhead(twin()["run"]),
    "impacts": lambda: impacts(twin()["impacts"]),
    "callbacks": callbacks,
    "threads": threads,
    "ball": bouncing_ball,
    "pendulum": double_pendulum,
    "a1": quadruped,
}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        if name not in PARTS:
            raise SystemExit(f"there is no part {name!r}; there are {', '.join(PARTS)}")
        PARTS[name]()


if __name__ == "__main__":
    main()
