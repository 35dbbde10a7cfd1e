"""Step by step."""

from __future__ import annotations

import gc
import pickle

import numpy as np
import pytest

import carom
from test_callbacks import Boom, boom, rod


def test_steps_are_those_of_the_run(pendulum):
    sim = pendulum.simulator()
    whole = pendulum.run(until=1.0)
    times, events = np.linspace(0.1, 1.0, 10), []
    for t in times:
        state = sim.step_until(t)
        assert state.t == t == sim.t
        events += sim.events
        assert np.allclose(state.q, whole.state_at(t, side="before").q, atol=1e-7)
    wanted = [(e.kind, e.t) for e in whole.events]
    assert [e.kind for e in events] == [kind for kind, _ in wanted]
    assert [e.t for e in events] == pytest.approx([t for _, t in wanted], abs=1e-8)
    run = sim.finish()
    assert sim.over and len(run.events) == len(events)
    with pytest.raises(RuntimeError, match="over"):
        sim.step_until(2.0)


def test_next_event(ball):
    sim = ball.simulator(until=3.0)
    t1 = np.sqrt(2 / 9.81)
    event = sim.next_event()
    assert event.kind == "impact" and event.t == pytest.approx(t1)
    assert sim.t == event.t and sim.v[2] == pytest.approx(event.v_after[2]) and sim.v[2] > 0
    assert sim.next_event(until=1.5 * t1) is None
    assert sim.t == 1.5 * t1
    assert sim.next_event().t == pytest.approx(2 * t1)
    kinds = []
    while (event := sim.next_event()) is not None:
        kinds.append(event.kind)
    assert "close" in kinds and sim.over and sim.finish().stop == "reached-end"


def test_a_control_loop_holds_the_pendulum():
    scene = rod()
    sim = scene.simulator()
    for k in range(1, 400):
        q, v = sim.q[0], sim.v[0]
        sim.control([9.81 * np.sin(q) - 40 * (q - 1.0) - 12 * v])
        sim.step_until(0.01 * k)
    assert sim.q[0] == pytest.approx(1.0, abs=1e-3)
    kinds = [e.kind for e in sim.events]
    sim.control([3.0])
    sim.step_until(4.0)
    sim.control([3.0])
    sim.step_until(4.01)
    assert kinds == ["switch"] and sim.events == [], "a command that is the same does not jump"
    run = sim.finish()
    assert abs(run["torque.motor"]).max() <= 50.0
    # Held torques: constant between two steps.
    inside = (run.t > 0.5001) & (run.t < 0.5099)
    assert np.ptp(run["torque.motor"][inside]) == 0 if inside.any() else True


def test_generalised_forces_are_held(ball):
    sim = ball.simulator()
    sim.force([0, 0, 0.1 * 9.81, 0, 0, 0])
    sim.step_until(0.5)
    assert sim.q[2] == pytest.approx(1.05, abs=1e-12)
    sim.force(np.zeros(6))
    sim.step_until(0.6)
    assert sim.q[2] == pytest.approx(1.05 - 0.5 * 9.81 * 0.01, abs=1e-10)


def test_wrong_uses(ball):
    sim = ball.simulator()
    sim.step_until(0.2)
    for t in (0.1, np.nan, np.inf):
        with pytest.raises(ValueError, match="must be finite and not before"):
            sim.step_until(t)
    with pytest.raises(ValueError, match="force has 2 entries"):
        sim.force([1, 2])
    with pytest.raises(ValueError, match=r"force\[0\] is NaN"):
        sim.force([np.nan] * 6)
    with pytest.raises(ValueError, match="control has 1 entries, expected 0"):
        sim.control([1])
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(sim)
    with pytest.raises(ValueError, match="must lie after the start"):
        ball.simulator(until=-1)
    assert sim.step_until(0.2).t == 0.2


def test_exceptions_and_callbacks(ball):
    sim = ball.simulator(force=lambda t, q, v: boom() if t > 0.3 else None)
    sim.step_until(0.1)
    with pytest.raises(Boom) as caught:
        sim.step_until(1.0)
    assert caught.value.run.t[-1] <= 0.31
    with pytest.raises(RuntimeError, match="over"):
        sim.step_until(2.0)
    lost = ball.simulator(force=lambda t, q, v: sim2.step_until(3.0))
    sim2 = lost
    with pytest.raises(RuntimeError, match="uses this simulator"):
        lost.step_until(0.5)


def test_simulators_may_be_forgotten(ball):
    for _ in range(50):
        sim = ball.simulator()
        sim.step_until(0.1)
        del sim
    gc.collect()
    for _ in range(5):
        ball.simulator()


def test_starts_and_laws(ball):
    start = carom.State(1.0, [0, 0, 0.55, 1, 0, 0, 0], np.zeros(6))
    sim = ball.simulator(start=start, law="newton")
    assert sim.t == 1.0
    assert sim.next_event().t == pytest.approx(1 + np.sqrt(2 * 0.5 / 9.81))
