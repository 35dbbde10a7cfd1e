"""Passive robots of example-robot-data that fall to the ground: do they all come to an end, and at what cost?

falls.py CAROM ROBOTS [--attitudes N] [--seed S] [--only NAME] [--keep DIR] [--table FILE]

Every robot starts 0.5 to 1.3 m above the ground in a random attitude with random joint angles within their
limits, restitution 0 to 0.5, friction 0.3 to 1, all joints free, all joint limits hard, all collision shapes that are
spheres, boxes, cylinders or capsules against the ground. A run must reach 2 s. Run I of a robot depends on the seed and
I alone; --keep leaves scenes and runs. Ends with status 1 if a run did not reach its end.
"""
import argparse
import concurrent.futures as futures
import json
import math
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

FALLS = {
    "A1": ("a1_description/urdf/a1.urdf", 0.6),
    "Go1": ("go1_description/urdf/go1.urdf", 0.6),
    "ANYmal B": ("anymal_b_simple_description/robots/anymal.urdf", 1.0),
    "Solo12": ("solo_description/robots/solo12.urdf", 0.5),
    "Talos": ("talos_data/robots/talos_reduced.urdf", 1.3),
}
FIXED = {
    "Panda, fixed": ("panda_description/urdf/panda.urdf", None),
    "Talos, fixed": ("talos_data/robots/talos_reduced.urdf", None),
}
PRIMITIVES = ("sphere", "box", "cylinder", "capsule")
TABLE = "falls"  # the name of the table in the page
LIMIT = 120  # s of CPU time after which a run is given up: a machine that does other work as well does not end runs


def links(path):
    """Links with a primitive collision shape."""
    found = []
    for link in ET.parse(path).getroot().findall("link"):
        shapes = [g for c in link.findall("collision") for g in c.findall("geometry")]
        if any(g.find(p) is not None for g in shapes for p in PRIMITIVES):
            found.append(link.get("name"))
    return found


def angles(path, rng):
    """Random angles of the joints, inside their limits."""
    found = {}
    for joint in ET.parse(path).getroot().findall("joint"):
        limit = joint.find("limit")
        if joint.get("type") not in ("revolute", "prismatic") or limit is None or joint.find("mimic") is not None:
            continue
        low, high = float(limit.get("lower", 0)), float(limit.get("upper", 0))
        if high > low:
            middle, half = (low + high) / 2, min((high - low) / 2, 1.0)
            found[joint.get("name")] = middle + rng.uniform(-0.9, 0.9) * half
    return found


def scene(urdf, path, height, rng):
    """The text of a scene."""
    lines = ["[[urdf]]", f'file = "{urdf}"', f"floating_base = {str(height is not None).lower()}"]
    if height is not None:
        turn = [rng.uniform(-180, 180), rng.uniform(-90, 90), rng.uniform(-180, 180)]
        rotation = ", ".join(f'"{a:.3f}deg"' for a in turn)
        lines += [f"position = [0, 0, {height}]", f"rotation = [{rotation}]"]
    lines += ["[body.ground]", 'shape = "plane"']
    if height is None:
        lines.append("position = [0, 0, -10]")
    pose = ", ".join(f"{name} = {angle:.4f}" for name, angle in angles(path, rng).items())
    lines += ["[initial]", f"angle = {{ {pose} }}"]
    e, mu = rng.uniform(0, 0.5), rng.uniform(0.3, 1)
    for link in links(path) if height is not None else []:
        lines += ["[[contact]]", f'between = ["{link}", "ground"]', f"restitution = {e:.4f}", f"friction = {mu:.4f}"]
    lines += ["[solver]", "until = 2"]
    return "\n".join(lines) + "\n"


def fall(carom, folder, robots, name, index, seed):
    """One run: how it ended, CPU time, counts and figures."""
    urdf, height = {**FALLS, **FIXED}[name]
    place = folder / f"{name.replace(' ', '_').replace(',', '')}_{index}"
    place.mkdir(parents=True)
    (place / "robots").symlink_to(robots.resolve())
    rng = random.Random(f"{seed}/{name}/{index}")
    (place / "fall.toml").write_text(scene(f"robots/{urdf}", robots / urdf, height, rng))
    command = [carom, "run", "fall.toml", "--out", "fall.run"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    bound = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    ended = subprocess.run(command, cwd=place, capture_output=True, text=True, preexec_fn=bound)
    status, tail = ended.returncode, ended.stderr.strip().splitlines()[-1:]
    if status < 0:
        tail = [f"no end within {LIMIT} s of CPU time"]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    result = {"name": name, "index": index, "status": status, "cpu": cpu, "tail": "".join(tail)}
    try:
        summary = json.loads((place / "fall.run" / "summary.json").read_text())
        counts = summary["counts"]
        result.update(
            events=counts["events"],
            rescues=sum(summary.get("rescues", {}).values()),
            gap=summary["worst"]["gap"] or 0.0,
            closure=summary["worst"].get("closure") or 0.0,
            stop=summary["stop"]["reason"] if isinstance(summary["stop"], dict) else summary["stop"],
        )
    except (OSError, KeyError, ValueError, TypeError) as error:
        result["missing"] = repr(error)
    return result


def table(rows):
    """The lines of the table."""
    out = [
        "| robot | runs | reached 2 s | CPU median | CPU worst | events | rescues | worst gap | worst closure |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, runs in rows.items():
        cpu = [r["cpu"] for r in runs]
        events = sum(r.get("events", 0) for r in runs)
        rescues = sum(r.get("rescues", 0) for r in runs)
        reached = sum(r["status"] == 0 for r in runs)
        gap = min((r.get("gap", 0.0) for r in runs), default=0.0)
        closure = max((abs(r.get("closure", 0.0)) for r in runs), default=0.0)
        share = 100 * rescues / events if events else 0.0
        out.append(
            f"| {name} | {len(runs)} | {reached} | {statistics.median(cpu):.2f} s | {max(cpu):.1f} s | {events} "
            f"| {rescues} ({share:.2f} %) | {gap:.0e} m | {closure:.0e} J |"
        )
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("carom")
    parser.add_argument("robots", type=pathlib.Path)
    parser.add_argument("--attitudes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    options = parser.parse_args()
    carom = str(pathlib.Path(options.carom).resolve())
    folder = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="falls-"))
    folder.mkdir(parents=True, exist_ok=True)
    names = [n for n in {**FALLS, **FIXED} if options.only in (None, n)]
    rows = {name: [] for name in names}
    tasks = [(name, i) for name in names for i in range(options.attitudes)]
    # One process a run, so that its CPU time is its own.
    with futures.ProcessPoolExecutor(max_workers=2) as pool:
        jobs = [pool.submit(fall, carom, folder, options.robots, n, i, options.seed) for n, i in tasks]
        for done, job in enumerate(futures.as_completed(jobs), 1):
            r = job.result()
            rows[r["name"]].append(r)
            if r["status"] != 0 or r["cpu"] > 10:
                print(f"{r['name']} {r['index']}: {r['cpu']:.1f} s, {r['tail']}", flush=True)
            print(f"\r{done}/{len(jobs)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print("\n".join(table(rows)))
    if options.table:
        text = options.table.read_text()
        head, begin, rest = text.partition(f"<!-- {TABLE} -->\n")
        _, end, foot = rest.partition(f"<!-- /{TABLE} -->")
        if not end:
            sys.exit(f"{options.table} has no table `{TABLE}`")
        lines = "\n".join(table(rows))
        options.table.write_text(f"{head}{begin}{lines}\n{end}{foot}")
    if not options.keep:
        shutil.rmtree(folder)
    return int(any(r["status"] != 0 for runs in rows.values() for r in runs))


if __name__ == "__main__":
    sys.exit(main())
