"""Forces, controllers, events and laws written in Python; exceptions in them; Ctrl-C."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import carom


def rod(limit: float = 50.0) -> carom.Scene:
    """A pendulum of a point-like bob at 1 m, with a motor."""
    return (
        carom.Scene(gravity=[0, 0, -9.81])
        .body(
            "bob",
            mass=1.0,
            inertia=[0.001, 0.001, 0.001],
            com=[0, 0, -1.0],
            joint={"type": "revolute", "axis": [0, 1, 0], "name": "pivot"},
        )
        .actuator("motor", joint="pivot", limit=limit)
        .set("initial.angle.pivot", 0.5)
        .set("solver.until", 2.0)
    )


def test_a_force_does_the_work_that_the_ledger_says(ball):
    run = ball.run(until=0.4, force=lambda t, q, v: [0, 0, 0.05 * 9.81, 0, 0, 0])
    # Half the weight is carried: z = h − g t²/4.
    assert run.state.q[2] == pytest.approx(1.05 - 9.81 * 0.16 / 4, abs=1e-10)
    lift = 0.05 * 9.81 * (run.state.q[2] - 1.05)
    assert run["work.applied"][-1] == pytest.approx(lift, rel=1e-9)


def test_forces_may_return_what_numpy_takes(ball):
    answers = [None, [0] * 6, (0,) * 6, np.zeros(6), np.zeros(6, dtype=np.float32), np.zeros(12)[::2]]
    ends = [ball.run(until=0.3, force=lambda t, q, v, a=a: a).state.q for a in answers]
    assert all(np.array_equal(ends[0], end) for end in ends)


def test_callbacks_may_keep_their_arrays(ball):
    kept = []
    ball.run(until=0.3, force=lambda t, q, v: kept.append((t, q, v)))
    heights = [q[2] for _, q, _ in kept]
    wanted = [1.05 - 0.5 * 9.81 * t * t for t, _, _ in kept]
    # Stages of a step lie beside the motion; an array used again would be off by the whole fall, 0.44 m.
    assert len(kept) > 5 and np.allclose(heights, wanted, atol=0.05)


def test_a_continuous_controller_holds_the_pendulum():
    def gravity(t, q, v):
        return 9.81 * np.sin(q[0])

    run = rod().run(controller=gravity)
    assert run.state.q[0] == pytest.approx(0.5, abs=1e-9)
    assert run["torque.motor"][-1] == pytest.approx(9.81 * np.sin(0.5), rel=1e-9)


def test_limits_of_motors_hold():
    run = rod(limit=1.0).run(until=0.2, controller=lambda t, q, v: [100.0])
    assert run["torque.motor"].max() == 1.0


def test_a_sampled_controller_is_asked_once_a_period():
    asked = []

    @carom.sampled(0.1)
    def hold(t, q, v):
        asked.append((t, q[0]))
        return [len(asked)]

    run = rod().run(until=0.95, controller=hold)
    assert [t for t, _ in asked] == pytest.approx(np.arange(0, 0.95, 0.1), abs=1e-12)
    for k, (t, angle) in enumerate(asked[1:], 1):
        assert run.state_at(t, side="before").q[0] == pytest.approx(angle, abs=1e-12)
        # The last sample of the period, just before the next call.
        end = np.searchsorted(run.t, min(t + 0.1, run.t[-1]) - 1e-9)
        assert run["torque.motor"][end] == k + 1


def test_on_event_is_told_and_may_stop(ball):
    seen = []

    def told(event):
        seen.append((event.t, event.kind))
        if len(seen) == 3:
            return carom.STOP

    run = ball.run(until=3.0, on_event=told)
    assert run.stop == "observer" and len(run.events) == 3
    assert seen == [(e.t, e.kind) for e in run.events]
    with pytest.raises(TypeError, match="carom.STOP, not bool"):
        ball.run(until=3.0, on_event=lambda e: True)


def newton(c: carom.Collision):
    """Newton's law of one frictionless contact."""
    p = np.zeros(len(c.u))
    for n, e in zip(c.normals, c.restitution):
        p[n] = -(1 + e) * c.u[n] / c.G[n, n]
    return p


def test_a_law_in_python_is_the_same_as_in_rust(ball):
    ours, theirs = ball.run(until=3.0, law=newton), ball.run(until=3.0, law="newton")
    assert [e.t for e in ours.events] == pytest.approx([e.t for e in theirs.events], abs=1e-12)
    assert ours.summary["law"]["scene"]["formulation"] == "python"
    assert not ours.summary["rescues"]


def test_an_unsound_law_is_replaced_and_flagged(ball):
    run = ball.run(until=1.0, law=lambda c: np.full(len(c.u), -1.0))
    assert run.events[0].rescue == "compliant"


class Boom(Exception):
    pass


def boom(*args):
    raise Boom("on purpose")


@pytest.mark.parametrize("hook", ["force", "on_event", "law"])
def test_an_exception_ends_the_run_and_keeps_the_recording(ball, hook):
    calls = []

    def late(*args):
        calls.append(1)
        return boom() if len(calls) > 2 else (None if hook != "law" else newton(*args))

    with pytest.raises(Boom, match="on purpose") as caught:
        ball.run(until=3.0, **{hook: late})
    error = caught.value
    assert len(calls) == 3, "not called again after the exception"
    assert error.run.stop in ("observer", "error") and len(error.run) >= 1
    names = [entry.name for entry in caught.traceback]
    assert "boom" in names and "late" in names, "the traceback leads to the culprit"


def test_exceptions_of_controllers():
    with pytest.raises(Boom):
        rod().run(controller=boom)
    with pytest.raises(Boom) as caught:
        rod().run(controller=carom.Sampled(lambda t, q, v: boom() if t > 0.5 else [0.0], 0.1))
    assert caught.value.run.t[-1] <= 0.61


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ([1, 2], ValueError, "force has 2 entries, expected 6"),
        (np.zeros((6, 6)), ValueError, "one dimension"),
        (np.full(6, np.nan), ValueError, r"force\[0\] is NaN"),
        ([0, 0, np.inf, 0, 0, 0], ValueError, r"force\[2\] is inf"),
        ("text", TypeError, "force must be an array of numbers, not str"),
        (object(), TypeError, "not object"),
    ],
)
def test_bad_answers_are_clear_exceptions(ball, answer, error, words):
    with pytest.raises(error, match=words) as caught:
        ball.run(until=1.0, force=lambda t, q, v: answer)
    assert isinstance(caught.value.run, carom.Run)


def test_bad_laws(ball):
    with pytest.raises(ValueError, match="what the law returned has 1 entries, expected 3"):
        ball.run(until=1.0, law=lambda c: [1.0])
    with pytest.raises(TypeError, match="positional argument"):
        ball.run(until=1.0, force=lambda t: None)


def test_callbacks_may_use_carom(ball):
    def inner(t, q, v):
        return ball.bias(q, v) * 0 + ball.run(until=0.01).energy_lost

    assert ball.run(until=0.1, force=inner).stop == "reached-end"


def test_runs_with_callbacks_are_saved_and_carried(tmp_path, ball):
    driven = rod().run(until=0.5, controller=carom.Sampled(lambda t, q, v: [1.0], 0.1))
    stepped = rod().simulator()
    stepped.control([2.0])
    stepped.step_until(0.3)
    own = ball.run(until=1.0, law=newton)
    for k, run in enumerate((driven, stepped.finish(), own)):
        run.save(tmp_path / f"{k}.run")
        again = carom.open_run(tmp_path / f"{k}.run")
        assert np.array_equal(again.q, run.q) and len(again.events) == len(run.events)
        assert "in Python" in again.summary["repeat"]
        assert pickle.loads(pickle.dumps(run)).columns == run.columns
        assert run.html().startswith("<!")
    assert driven["torque.motor"][-1] == 1.0


def test_other_threads_go_on_during_a_run(pendulum):
    ticks = []
    done = threading.Event()

    def count():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    while time.perf_counter() - start < 0.3:
        pendulum.run(until=20.0)
    done.set()
    thread.join()
    assert len(ticks) > 30


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("way", ["run", "simulator", "many"])
def test_ctrl_c(way, scenes):
    code = f"""
    import carom, numpy as np, sys
    # A top without friction spins for ever.
    scene = carom.load({str(scenes / "pendulum.toml")!r})
    print("ready", flush=True)
    try:
        if {way!r} == "run":
            scene.run(until=1e9)
        elif {way!r} == "simulator":
            scene.simulator(until=1e12).step_until(1e9)
        else:
            carom.run_many(scene, [{{}}, {{}}, {{}}], until=1e9)
    except KeyboardInterrupt as error:
        run = getattr(error, "run", None)
        print("kept", run is None or len(run) > 10, flush=True)
        sys.exit(7)
    print("it ended by itself")
    """
    # A shell that runs the tests in the background has them ignore the signal.
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout.readline().strip() == "ready"
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert (process.returncode, out.strip()) == (7, "kept True")
