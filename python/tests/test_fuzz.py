"""Whatever is given to the package, the answer is a result or a clear exception: never a crash or a hang."""

from __future__ import annotations

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
