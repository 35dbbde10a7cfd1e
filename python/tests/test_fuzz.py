"""Whatever is given to the package, the answer is a result or a clear exception: never a crash or a hang."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import math
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest

import carom

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

CLEAR = (TypeError, ValueError, KeyError, IndexError, OverflowError, OSError, carom.CaromError)


ONE = {"body.ball.mass": [0.1]}


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
    yield "column", lambda x: run[x]
    yield "event", lambda x: run.events[x]
    yield "state_at", lambda x: run.state_at(x)
    yield "plot", lambda x: run.plot(x)
    yield "impact mass", lambda x: carom.impact(x, v, [{"normal": [1, 0, 0, 0, 0, 0], "restitution": 0}])
    yield "impact contacts", lambda x: carom.impact(np.eye(6), v, x)
    yield "impact normal", lambda x: carom.impact(np.eye(6), v, [{"normal": x, "restitution": 0}])
    yield "impact law", lambda x: carom.impact(np.eye(1), [-1], [{"normal": [1], "restitution": 0}], law=x)
    yield "many", lambda x: carom.run_many(scene, x, until=0.01)
    yield "many each", lambda x: carom.run_many(scene, [x], until=0.01)
    yield "capability", lambda x: carom.capability(scene, x)
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


def test_junk_is_answered_clearly(ball):
    run, sim = ball.run(until=0.6), ball.simulator()
    for name, call in calls(ball, run, sim):
        for junk in JUNK:
            try:
                call(junk)
            except CLEAR as error:
                assert str(error), (name, junk)
            except BaseException as error:  # noqa: BLE001
                pytest.fail(f"{name}({junk!r}) raised {type(error).__name__}: {error}")


def test_random_bytes_in_scenes():
    rng = np.random.default_rng(5)
    text = carom.Scene().body("a", mass=1, shape={"sphere": 0.1}).to_toml()
    for _ in range(300):
        letters = list(text)
        for _ in range(rng.integers(1, 4)):
            letters[rng.integers(len(letters))] = chr(rng.integers(32, 127))
        try:
            carom.load("".join(letters), format="toml")
        except carom.SceneError as error:
            assert error.hint


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


@pytest.mark.filterwarnings("ignore")
def test_campaign(ball, request):
    """Random calls with random arguments: `scripts/python.sh -k campaign --fuzz 100000`."""
    run, sim = ball.run(until=0.6), ball.simulator()
    # Long studies and runs are slow, not wrong.
    ways = [(name, call) for name, call in calls(ball, run, sim) if name not in ("executor", "samples")]
    count = request.config.getoption("--fuzz")
    for seed in range(count):
        rng = np.random.default_rng(seed)
        name, call = ways[rng.integers(len(ways))]
        given = junk(rng)
        faulthandler.dump_traceback_later(60, exit=True)
        try:
            call(given)
        except CLEAR as error:
            assert str(error), (seed, name)
        except BaseException as error:  # noqa: BLE001
            pytest.fail(f"seed {seed}, {name}({given!r}) raised {type(error).__name__}: {error}")
        finally:
            faulthandler.cancel_dump_traceback_later()


class Odd(BaseException):
    """No Exception: what pytest, Jupyter and Ctrl-C raise."""


@pytest.mark.parametrize("kind", [ValueError, Odd, KeyboardInterrupt, SystemExit, MemoryError, RecursionError])
def test_exceptions_in_callbacks_come_out(ball, kind, tmp_path):
    def fail(*arguments):
        raise kind("from inside")

    ways = [{"force": fail}, {"on_event": fail}, {"law": fail}]
    for way in ways:
        with pytest.raises(kind) as error:
            ball.run(until=0.6, **way)
        assert isinstance(error.value.run, carom.Run)
    sim = ball.simulator(force=fail)
    with pytest.raises(kind):
        sim.step_until(0.6)
    if issubclass(kind, Exception):
        # In a study an exception is told in its row, anything else ends it.
        with pytest.warns(RuntimeWarning, match="from inside"):
            carom.study(ball, ONE, {"a": fail}, out=tmp_path / "s")
    else:
        with pytest.raises(kind):
            carom.study(ball, ONE, {"a": fail}, out=tmp_path / "s")
        assert carom.study(ball, ONE, {"a": fail_not}, out=tmp_path / "t")["a"][0] == 1


def fail_not(run):
    return 1


def test_what_is_dead_stays_readable(ball):
    run = ball.run(until=1.0)
    t, z, event, events = run.t, run["ball.z"], run.events[0], run.events
    want = (t.copy(), z.copy(), event.t, len(events))
    scene, state = run.scene, run.state
    del run
    gc.collect()
    assert np.array_equal(t, want[0]) and np.array_equal(z, want[1]) and (event.t, len(events)) == want[2:]
    assert scene.run(until=1.1, start=state).t[0] == 1.0
    kept = []
    # Arrays and collisions of callbacks may be kept beyond the run.
    ball.run(until=0.6, force=lambda *a: kept.append(a), law=lambda c: (kept.append(c), np.zeros(len(c.u)))[1])
    gc.collect()
    assert all(np.isfinite(a[1]).all() for a in kept if isinstance(a, tuple))
    assert any(c.G.shape == (len(c.u),) * 2 for c in kept if isinstance(c, carom.Collision))
    sim = ball.simulator()
    sim.step_until(0.1)
    sim.finish()
    for late in (lambda: sim.step_until(0.2), lambda: sim.force([0] * 6), sim.next_event, sim.finish):
        with contextlib.suppress(*CLEAR, RuntimeError):
            late()


def test_callbacks_may_use_the_package_itself(ball):
    inner = []

    def force(t, q, v):
        if len(inner) < 3:
            inner.append(ball.run(until=0.1).state.q[2])
        return None

    run = ball.run(until=0.3, force=force)
    assert len(inner) == 3 and run.state.q[2] == pytest.approx(1.05 - 0.5 * 9.81 * 0.09)
