"""Wild arguments, functions that fail, Ctrl-C, and objects whose owners are gone: cases by their number.

    python python/tests/wild.py [COUNT] [FIRST]

COUNT cases (10 000 unless told) from number FIRST (0) on, in processes of their own. Each must answer with a result or a
clear exception within a minute; a crash, a hang or anything else is told with its number, and the exit code is 1.
test_fuzz.py does the first few of each kind.
"""

from __future__ import annotations

import faulthandler
import gc
import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np

import carom

ROOT = Path(__file__).resolve().parents[2]

JUNK = [
    None,
    True,
    -1,
    0,
    10**30,
    0.5,
    float("nan"),
    float("inf"),
    "",
    "ball",
    "\x00\ud800",
    b"bytes",
    [],
    [1, 2, 3],
    [[1], [2, 3]],
    {},
    {"a": object()},
    {1: 2},
    object(),
    lambda *a: None,
    np.zeros(0),
    np.zeros((7, 7)),
    np.zeros(7),
    np.full(7, np.nan),
    np.zeros(7, dtype=complex),
    np.array(["x"] * 7),
    np.ma.masked_all(7),
]

CLEAR = (TypeError, ValueError, KeyError, IndexError, OverflowError, OSError, ImportError, carom.CaromError)


ONE = {"body.ball.mass": [0.1]}
FLAT = {"normal": [0, 0, 1, 0, 0, 0], "restitution": 0}


def short(x):
    """The same, if it is no time that takes for ever to reach."""
    return min(x, 1.0) if isinstance(x, (int, float)) else x


def add(scene: carom.Scene, table: str, x) -> carom.Scene:
    """A scene with a table of junk, its name and its values."""
    copy = carom.Scene(scene.to_dict())
    fields = x if isinstance(x, dict) and all(isinstance(k, str) and k not in ("self", "name", "type") for k in x) else {}
    return getattr(copy, table)(x, **fields)


def studied(scene: carom.Scene, *arguments, **options) -> None:
    """A study of little, in a folder that goes."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        # Rows that fail are told by a warning.
        warnings.simplefilter("ignore", RuntimeWarning)
        path = Path(folder) / "s"
        study = carom.study(scene, *arguments, out=path, set={"solver.until": 0.01}, **options)
        assert len(study) >= 1


def calls(scene: carom.Scene, run: carom.Run, sim: carom.Simulator):
    q, v = scene.initial.q, scene.initial.v
    yield "mass_matrix", lambda x: scene.mass_matrix(x)
    yield "bias", lambda x: scene.bias(q, x)
    yield "forward_dynamics", lambda x: scene.forward_dynamics(q, v, x)
    yield "point_jacobian", lambda x: scene.point_jacobian(q, x, x)
    yield "point", lambda x: scene.point_jacobian(q, "ball", x)
    yield "pose", lambda x: scene.pose(q, x)
    yield "gaps", lambda x: scene.gaps(x)
    yield "inverse_dynamics", lambda x: scene.inverse_dynamics(q, v, x)
    yield "frame_jacobian", lambda x: scene.frame_jacobian(x, "ball")
    yield "energies", lambda x: scene.energies(x, v)
    yield "coordinate_rate", lambda x: scene.coordinate_rate(q, x)
    yield "integrate", lambda x: scene.integrate(q, x)
    yield "difference", lambda x: scene.difference(x, q)
    yield "with_contact", lambda x: scene.with_contact("ball", "ground", restitution=x).nq
    yield "with_contact sides", lambda x: scene.with_contact(x, x)
    yield "until", lambda x: scene.run(until=short(x))
    yield "output_interval", lambda x: scene.run(until=0.01, output_interval=x)
    yield "simulator", lambda x: scene.simulator(until=x)
    yield "step_until", lambda x: scene.simulator().step_until(short(x))
    yield "next_event", lambda x: scene.simulator().next_event(x)
    yield "set", lambda x: scene.run(until=0.01, set=x)
    yield "law", lambda x: scene.run(until=0.6, law=x)
    yield "rtol", lambda x: scene.run(until=0.01, rtol=x)
    yield "start", lambda x: scene.run(until=0.01, start=x)
    yield "start.q", lambda x: scene.run(until=0.01, start=carom.State(0, x, v))
    yield "force", lambda x: scene.run(until=0.01, force=x)
    yield "answer", lambda x: scene.run(until=0.01, force=lambda t, q, v: x)
    yield "on_event", lambda x: scene.run(until=0.6, on_event=lambda e: x)
    yield "law answer", lambda x: scene.run(until=0.6, law=lambda c: x)
    yield "strict", lambda x: scene.run(until=0.01, strict=x)
    yield "method", lambda x: scene.run(until=0.01, method=x)
    yield "load", lambda x: carom.load(x)
    yield "text", lambda x: carom.load(x, format="toml")
    yield "load set", lambda x: carom.load("[body.a]\nmass = 1\nshape = { sphere = 1 }", format="toml", set=x)
    yield "scene", lambda x: carom.Scene(x).nq
    yield "body", lambda x: carom.Scene().body("a", mass=x).nq
    yield "body name", lambda x: carom.Scene().body(x, mass=1).nq
    yield "path", lambda x: carom.Scene(scene.to_dict()).set(x, 1).nq
    yield "value", lambda x: carom.Scene(scene.to_dict()).set("contact.0.friction", x).nq
    yield "deep", lambda x: carom.Scene(scene.to_dict()).set("body.ball.mass.a", x).nq
    for table in ("joint", "actuator", "controller", "force", "loop", "load", "pile", "urdf", "mjcf", "group", "law", "start"):
        yield table, lambda x, table=table: add(scene, table, x).nq
    yield "spring", lambda x: carom.Scene(scene.to_dict()).spring(x, x, stiffness=1).nq
    yield "loop ends", lambda x: carom.Scene(scene.to_dict()).loop("point", x, "ball").nq
    yield "contact", lambda x: carom.Scene(scene.to_dict()).contact(x, "ball", restitution=0, friction=0).nq
    yield "settings", lambda x: carom.Scene(scene.to_dict()).solver(rtol=x).output(interval=x).combine(friction=x).nq
    yield "save scene", lambda x: scene.save(x)
    yield "save run", lambda x: run.save(x)
    yield "open_run", lambda x: carom.open_run(x)
    yield "states_at", lambda x: run.states_at(x)
    yield "side", lambda x: run.state_at(0.3, side=x)
    yield "of_kind", lambda x: run.events.of_kind(x)
    yield "state", lambda x: carom.State(x, x, x)
    yield "event text", lambda x: carom.Event.from_json(x)
    yield "widget", lambda x: carom.widget(scene, x, until=0.01)
    yield "column", lambda x: run[x]
    yield "event", lambda x: run.events[x]
    yield "state_at", lambda x: run.state_at(x)
    yield "plot", lambda x: run.plot(x)
    yield "impact mass", lambda x: carom.impact(x, v, [{"normal": [1, 0, 0, 0, 0, 0], "restitution": 0}])
    yield "impact contacts", lambda x: carom.impact(np.eye(6), v, x)
    yield "impact normal", lambda x: carom.impact(np.eye(6), v, [{"normal": x, "restitution": 0}])
    yield "impact law", lambda x: carom.impact(np.eye(1), [-1], [{"normal": [1], "restitution": 0}], law=x)
    yield "impact bilateral", lambda x: carom.impact(np.eye(6), v, [FLAT], bilateral=x)
    yield "impact field", lambda x: carom.impact(np.eye(6), v, [{**FLAT, "friction": x, "restitution": x, "touching": x}])
    yield "impact many", lambda x: carom.impact(np.eye(6), np.tile(v, (200, 1)), [{**FLAT, "tangents": x}], errors="keep")
    yield "impact errors", lambda x: carom.impact(np.eye(6), v, [FLAT], errors=x, strict=x)
    yield "many errors", lambda x: carom.run_many(scene, [{}], until=0.01, errors=x)
    yield "many", lambda x: carom.run_many(scene, x, until=0.01)
    yield "many each", lambda x: carom.run_many(scene, [x], until=0.01)
    yield "capability", lambda x: carom.capability(scene, x)
    yield "optimize", lambda x: carom.optimize_posture(scene, x, point=x, starts=1, hops=0)
    yield "reproduce", lambda x: carom.reproduce(x)
    yield "sim force", lambda x: sim.force(x)
    yield "sim control", lambda x: sim.control(x)
    yield "sampled", lambda x: carom.Sampled(x, 1)
    yield "period", lambda x: scene.run(until=0.01, controller=carom.Sampled(lambda *a: 0, x))
    yield "vary", lambda x: studied(scene, x)
    yield "values", lambda x: studied(scene, {"body.ball.mass": x})
    yield "results", lambda x: studied(scene, ONE, x)
    yield "result", lambda x: studied(scene, ONE, {"a": x})
    yield "answer of a result", lambda x: studied(scene, ONE, {"a": lambda run: x})
    yield "executor", lambda x: studied(scene, ONE, executor=x)
    yield "workers", lambda x: studied(scene, ONE, workers=x if not isinstance(x, int) or x < 9 else 0)
    yield "rows", lambda x: studied(scene, ONE, rows=x)
    yield "samples", lambda x: studied(scene, ONE, samples=x)
    yield "seed", lambda x: studied(scene, ONE, seed=x)
    yield "keep", lambda x: studied(scene, ONE, keep=x)
    yield "limits", lambda x: studied(scene, ONE, time_limit=x, step_limit=x)
    yield "part_rows", lambda x: studied(scene, ONE, part_rows=x)
    yield "open_study", lambda x: carom.open_study(x)


def junk(rng: np.random.Generator, depth: int = 0):
    """Anything: the list above, and what can be put together from it."""
    kind = rng.integers(12 if depth < 3 else 7)
    if kind < 5:
        return JUNK[rng.integers(len(JUNK))]
    if kind == 5:
        return float(rng.choice([0.0, -0.0, 1e-320, 1e308, -1e308, math.pi, -1.0, 1.0, 1e-9]))
    if kind == 6:
        return "".join(chr(c) for c in rng.integers(1, 0x3000, size=rng.integers(0, 12)))
    if kind == 7:
        return [junk(rng, depth + 1) for _ in range(rng.integers(0, 8))]
    if kind == 8:
        return tuple(junk(rng, depth + 1) for _ in range(rng.integers(0, 4)))
    if kind == 9:
        names = ["body", "ball", "contact", "mass", "solver.rtol", "contact.0.restitution", "shape", "", "a.b.c"]
        return {str(rng.choice(names)): junk(rng, depth + 1) for _ in range(rng.integers(0, 4))}
    if kind == 10:
        shape = tuple(rng.integers(0, 8, size=rng.integers(0, 3)))
        values = rng.choice([0.0, 1.0, -1.0, np.nan, np.inf, 1e308], size=shape)
        return np.asarray(values).astype(rng.choice(["f8", "f4", "i4", "?", "O"])) if np.isfinite(values).all() else values
    answer = junk(rng, depth + 1)
    return lambda *arguments: answer


# Cases by their number


class Odd(BaseException):
    """No Exception: what pytest, Jupyter and Ctrl-C raise."""


def ball() -> carom.Scene:
    return carom.load(ROOT / "scenes" / "ball.toml")


def motor() -> carom.Scene:
    """A pendulum with a motor, which swings for ever."""
    return (
        carom.Scene(gravity=[0, 0, -9.81])
        .body("bob", mass=1.0, inertia=[0.001] * 3, com=[0, 0, -1.0], joint={"type": "revolute", "axis": [0, 1, 0], "name": "pivot"})
        .actuator("motor", joint="pivot", limit=20.0)
        .start(angle={"pivot": 0.5})
    )


def arguments(rng: np.random.Generator) -> None:
    """A random call with a random argument."""
    scene = ball()
    run, sim = scene.run(until=0.6), scene.simulator()
    # Long studies are slow, not wrong.
    ways = [way for way in calls(scene, run, sim) if way[0] not in ("executor", "samples")]
    name, call = ways[rng.integers(len(ways))]
    given = junk(rng)
    try:
        call(given)
    except CLEAR as error:
        assert str(error), name
    except BaseException as error:
        raise AssertionError(f"{name}({given!r}) raised {type(error).__name__}: {error}") from error


def failures(rng: np.random.Generator) -> None:
    """A function that fails in its n-th call: the exception itself comes out, with the recording; then all is as before."""
    kind = [ValueError, Odd, KeyboardInterrupt, SystemExit, MemoryError, RecursionError, StopIteration, GeneratorExit][rng.integers(8)]
    error, left = kind("from inside"), int(rng.integers(0, 40))

    def fail(*given):
        nonlocal left
        left -= 1
        if left < 0:
            raise error
        return newton(given[0]) if isinstance(given[0], carom.Collision) else None

    way = ["force", "on_event", "law", "controller", "sampled", "simulator", "impact"][rng.integers(7)]
    scene = motor() if way in ("controller", "sampled") else ball()
    before = scene.run(until=0.7).summary["result_hash"]
    try:
        if way == "impact":
            carom.impact(np.eye(6), np.tile([0, 0, -1.0, 0, 0, 0], (100, 1)), [FLAT], law=fail)
        elif way == "simulator":
            sim = scene.simulator(force=fail)
            for k in range(1, 15):
                sim.step_until(0.05 * k)
        elif way == "controller":
            scene.run(until=0.7, controller=fail)
        elif way == "sampled":
            scene.run(until=0.7, controller=carom.Sampled(fail, 0.01))
        else:
            scene.run(until=3.0, **{way: fail})
    except BaseException as found:
        assert found is error, f"{way}: {found!r}"
        assert way == "impact" or isinstance(found.run, carom.Run), "the recording is kept"
        assert any(entry.tb_frame.f_code.co_name == "fail" for entry in frames(found)), "the traceback leads there"
    else:
        assert left >= 0, f"{way}: the exception of {kind.__name__} was lost"
    assert scene.run(until=0.7).summary["result_hash"] == before


def frames(error: BaseException):
    place = error.__traceback__
    while place is not None:
        yield place
        place = place.tb_next


def newton(c: carom.Collision) -> np.ndarray:
    p = np.zeros(len(c.u))
    for n, e in zip(c.normals, c.restitution):
        p[n] = max(0.0, -(1 + e) * c.u[n] / c.G[n, n])
    return p


def lifetimes(rng: np.random.Generator) -> None:
    """Runs, arrays, events, simulators and their parts in any order, their owners gone or in use elsewhere."""
    scene, kept, things = ball(), [], []

    def keep(array):
        kept.append((array, np.array(array)))

    def use(thing):
        if isinstance(thing, carom.Run):
            for array in (thing.t, thing.q, thing["ball.z"], thing.events[0].v_after):
                keep(array)
            things.extend([thing.scene, thing.events, thing.state])
        elif isinstance(thing, carom.Scene):
            things.append(thing.run(until=float(rng.uniform(0.5, 0.9))))
        elif isinstance(thing, carom.Simulator):
            way = rng.integers(5)
            if way == 0:
                thing.step_until(thing.t + 0.1)
            elif way == 1:
                thing.next_event()
            elif way == 2:
                things.append(thing.finish())
            elif way == 3:
                keep(thing.q)
            else:
                thing.force(np.zeros(6))
        elif isinstance(thing, carom.State):
            things.append(scene.run(until=thing.t + 0.5, start=thing))
        else:
            things.extend(thing[:2])
            thing.__arrow_c_stream__()

    things.append(scene)
    for _ in range(12):
        way = rng.integers(6)
        thing = things[rng.integers(len(things))] if things else scene
        try:
            if way == 0:
                things.append(scene.simulator(force=(lambda t, q, v: kept.append((q, q.copy()))) if rng.integers(2) else None))
            elif way == 1 and things:
                things.pop(rng.integers(len(things)))
                gc.collect()
            elif way == 2:
                worker = threading.Thread(target=attempt, args=(use, thing))
                worker.start()
                attempt(use, thing)
                worker.join()
            elif way == 3 and not isinstance(thing, (carom.Simulator, carom.Events)):
                things.append(pickle.loads(pickle.dumps(thing)))
            else:
                use(thing) if not isinstance(thing, carom.Event) else keep(thing.v_after)
        except (*CLEAR, RuntimeError) as error:
            assert str(error)
    things.clear()
    del scene, thing
    gc.collect()
    for array, copy in kept:
        assert np.array_equal(array, copy), "memory that was given away"


def attempt(call, *given) -> None:
    """A call that may be refused."""
    try:
        call(*given)
    except (*CLEAR, RuntimeError, AttributeError) as error:
        assert str(error)


PATIENCE = 10.0
"""Longest time from Ctrl-C to its exception, s; generous, because others use the machine too."""


def interrupts(rng: np.random.Generator) -> None:
    """Ctrl-C in work that would not end for hours; only in the main thread of a process of its own."""
    long = carom.load(ROOT / "scenes" / "pendulum.toml")
    name = ["run", "force", "sampled", "simulator", "event", "many", "queue", "impact", "law", "study", "posture"][rng.integers(11)]
    normals = {**FLAT, "friction": 0.5, "tangents": np.tile([[1.0, 0, 0, 0, 0, 0]], (2_000_000, 1, 1))}

    def work():
        if name == "run":
            long.run(until=1e9)
        elif name == "force":
            long.run(until=1e9, force=lambda t, q, v: None)
        elif name == "sampled":
            motor().run(until=1e9, controller=carom.Sampled(lambda t, q, v: [0.0], 0.01))
        elif name == "simulator":
            long.simulator(until=1e12).step_until(1e9)
        elif name == "event":
            long.simulator(until=1e12).next_event()
        elif name == "many":
            carom.run_many(long, [{}] * 3, until=1e9)
        elif name == "queue":
            carom.run_many(long, [{"solver.rtol": 1e-9}] * 100_000, until=1.0)
        elif name == "impact":
            carom.impact(np.eye(6), [0.3, 0, -1.0, 0, 0, 0], [normals] * 3)
        elif name == "law":
            carom.impact(np.eye(6), [0.3, 0, -1.0, 0, 0, 0], [normals], law=newton)
        elif name == "study":
            with tempfile.TemporaryDirectory() as folder:
                carom.study(long, {"solver.until": "1:2:100000"}, out=Path(folder) / "s")
        else:
            carom.optimize_posture(carom.load(ROOT / "scenes" / "jumper.toml"), [-1, 1, 0], starts=1_000_000)

    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(float(rng.uniform(0.0, 0.4)), interrupt)
    try:
        timer.start()
        work()
    except KeyboardInterrupt:
        late = time.monotonic() - sent[0]
        assert late < PATIENCE, f"{name}: {late:.1f} s from Ctrl-C to its exception"
    else:
        raise AssertionError(f"{name} ended by itself")


KINDS = [arguments] * 14 + [failures] * 3 + [lifetimes] * 2 + [interrupts]


def kind_of(number: int):
    return KINDS[number % len(KINDS)]


def case(number: int) -> None:
    """The case of a number."""
    faulthandler.dump_traceback_later(60, exit=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kind_of(number)(np.random.default_rng(number))
    finally:
        faulthandler.cancel_dump_traceback_later()


# The campaign

PART = 400
"""Cases of one process."""


def worker(first: int, count: int) -> None:
    """Cases in this process, each number told before it; whatever fails is told and the rest goes on."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number in range(first, first + count):
            print(f"at {number}", flush=True)
            try:
                case(number)
            except BaseException as error:
                print(f"found {number} {kind_of(number).__name__}: {type(error).__name__}: {error}", flush=True)
        os.chdir("/")


def campaign(first: int, count: int) -> int:
    """The number of findings."""
    found, number, last = 0, first, first + count
    while number < last:
        words = [sys.executable, __file__, "--worker", str(number), str(min(PART, last - number))]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, preexec_fn=os.setsid)
        reached = number - 1
        for line in process.stdout:
            if line.startswith("at "):
                reached = int(line[3:])
            else:
                found += line.startswith("found")
                print(line, end="", flush=True)
        if process.wait() != 0:
            found += 1
            print(f"found {reached} {kind_of(reached).__name__}: its process ended with {process.returncode}", flush=True)
            number = reached + 1
        else:
            number += PART
        print(f"{min(number, last) - first} of {count} cases, {found} findings", flush=True)
    return found


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        worker(int(sys.argv[2]), int(sys.argv[3]))
    else:
        numbers = [int(word) for word in sys.argv[1:]]
        sys.exit(campaign(*(numbers[1:] or [0]), *(numbers[:1] or [10_000])) > 0)
