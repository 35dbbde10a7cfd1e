"""Figures of many bodies, for bench/many.sh.

    many.py growth FILE              exponent of the cost of an event, the least of its runs, from the lines of the gas
    many.py boxes PROGRAM FOLDER N…  boxes dropped on a floor for 3 s, beside MuJoCo: user time of one process
    many.py break PROGRAM FOLDER     a billiard break: wall and user time
    many.py check PROGRAM FOLDER     `carom check` of 10 000 bodies and of a robot of 8 000 links: user time
"""

import json
import math
import pathlib
import re
import resource
import subprocess
import sys
import time

REPEATS = 5
ROOT = pathlib.Path(__file__).resolve().parent.parent


def growth(path):
    found = re.findall(r"^(\w+) (\d+):.* ([\d.]+) us each", pathlib.Path(path).read_text(), re.M)
    costs = {int(n): min(float(us) for _, m, us in found if m == n) for _, n, _ in found}
    least, most = min(costs), max(costs)
    exponent = math.log(costs[most] / costs[least]) / math.log(most / least)
    print(f"{found[0][0]}: cost of an event grows like N^{exponent:.2f} from {least} to {most}")


def boxes_scene(n):
    """N separate boxes above a floor, each turned a little more than the one before."""
    parts = ['space = "spatial"', '[body.floor]\nshape = "plane"']
    for i in range(n):
        parts.append(
            f"[body.b{i}]\ndensity = 600\nshape = {{ box = [0.3, 0.2, 0.1] }}\nposition = [{0.6 * i}, 0, 0.5]\n"
            f'rotation = ["{25 + i}deg", "35deg", "10deg"]')
    for i in range(n):
        parts.append(f'[[contact]]\nbetween = ["b{i}", "floor"]\nrestitution = 0.4\nfriction = 0.5')
    parts.append("[solver]\nuntil = 3.0")
    return "\n".join(parts) + "\n"


def boxes_mujoco(n):
    import mujoco

    bodies = "".join(
        f'<body pos="{0.6 * i} 0 0.5" euler="{25 + i} 35 10"><freejoint/>'
        f'<geom type="box" size="0.15 0.1 0.05" density="600"/></body>' for i in range(n))
    xml = ('<mujoco><compiler angle="degree" eulerseq="XYZ"/><option timestep="0.002" cone="elliptic"/>'
           '<default><geom condim="3" friction="0.5 0 0"/></default>'
           f'<worldbody><geom type="plane" size="50 50 1"/>{bodies}</worldbody></mujoco>')
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for _ in range(1500):
        mujoco.mj_step(model, data)
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - before


def carom_cpu(program, scene, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [program, "run", scene, "--out", folder, "--quiet"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def boxes(program, folder, counts):
    alone = reference = None
    for n in map(int, counts):
        scene, run = pathlib.Path(folder, f"boxes_{n}.toml"), pathlib.Path(folder, f"boxes_{n}.run")
        scene.write_text(boxes_scene(n))
        own = min(carom_cpu(program, scene, run) for _ in range(REPEATS))
        other = min(boxes_mujoco(n) for _ in range(REPEATS))
        alone = alone or own
        summary = json.loads((run / "summary.json").read_text())
        first = events_of_first(run)
        reference = reference or first
        same = "" if first is reference else f", events of box 1 the same bytes: {first == reference}"
        print(f"boxes {n}: {own:.3f} s ({own / alone:.1f} times one), {summary['stop']['reason']}; "
              f"MuJoCo {other:.3f} s, ratio {own / other:.2f}{same}")


def events_of_first(run):
    """Time, kind and contacts of all that happens to the first box."""
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    own = lambda contact: contact["name"].split("/")[0] in ("b0-floor", "floor-b0")
    return [(e["t"], e["kind"], [c for c in e["contacts"] if own(c)])
            for e in events if any(own(c) for c in e.get("contacts", []))]


def billiard(program, folder):
    scene = ROOT / "bench" / "billiard_break.toml"
    run = pathlib.Path(folder, "break.run")
    walls, cpu = [], []
    for _ in range(REPEATS):
        start = time.perf_counter()
        cpu.append(carom_cpu(program, scene, run))
        walls.append(time.perf_counter() - start)
    summary = json.loads((run / "summary.json").read_text())
    print(f"billiard break: {min(walls):.3f} s, {min(cpu):.3f} s of user time, {summary['counts']['impacts']} impacts, {summary['stop']['reason']}")


def check(program, folder):
    """Ten thousand balls of one pile, and a chain of eight thousand links."""
    balls = ['[body.floor]\nshape = "plane"']
    for i in range(10_000):
        at = [0.2 * (i % 100), 0.2 * (i // 100), 1]
        balls.append(f"[body.ball{i}]\nmass = 1\nshape = {{ sphere = 0.05 }}\nposition = {at}")
    balls.append('[[pile]]\nof = ["ball*", "floor"]\nrestitution = 0.5\nfriction = 0.3\n[solver]\nscheme = "moreau"\nstep = 0.002\nuntil = 1\n')
    link = ('<link name="l{0}"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial></link><joint name="j{0}" type="continuous"><parent link="l{1}"/><child link="l{0}"/>'
            '<origin xyz="0 0 0.1"/><axis xyz="0 1 0"/></joint>')
    chain = "".join(link.format(i, i - 1) for i in range(1, 8_000))
    for name, text in (("balls.toml", "\n".join(balls)), ("chain.urdf", f'<robot name="chain"><link name="l0"/>{chain}</robot>')):
        path = pathlib.Path(folder, name)
        path.write_text(text)
        cpu = []
        for _ in range(REPEATS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([program, "check", path], check=True, stdout=subprocess.DEVNULL)
            cpu.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        print(f"check of {name}: {min(cpu):.3f} s")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["growth", path]:
            growth(path)
        case ["boxes", program, folder, *counts]:
            boxes(program, folder, counts)
        case ["break", program, folder]:
            billiard(program, folder)
        case ["check", program, folder]:
            check(program, folder)
        case _:
            sys.exit(__doc__)
