"""Many runs, laws, capability, experiments."""

from __future__ import annotations

import numpy as np
import pytest

import carom


def test_run_many_keeps_the_order_and_the_bytes(ball):
    values = [{"contact.0.restitution": e} for e in np.linspace(0.1, 0.9, 9)]
    many = carom.run_many(ball, values, until=2.0)
    single = carom.run_many(ball, values, until=2.0, threads=1)
    hashes = [run.summary["result_hash"] for run in many]
    assert hashes == [run.summary["result_hash"] for run in single] and len(set(hashes)) == 9
    for value, run in zip(values, many):
        assert ball.run(until=2.0, set=value).summary["result_hash"] == run.summary["result_hash"]


def test_run_many_raises_or_keeps(ball):
    values = [{}, {"contact.0.restitution": 7}, {}]
    with pytest.raises(carom.SceneError, match="restitution"):
        carom.run_many(ball, values)
    found = carom.run_many(ball, values, until=0.1, errors="keep")
    assert isinstance(found[1], carom.SceneError) and isinstance(found[2], carom.Run)
    with pytest.raises(TypeError, match="unknown option"):
        carom.run_many(ball, values, rtoll=1)
    with pytest.raises(TypeError, match="threads"):
        carom.run_many(ball, values, law=lambda c: 0)
    assert carom.run_many(ball, []) == []


def test_laws():
    names = [law["formulation"] for law in carom.laws()]
    assert {"differential", "newton", "poisson", "compliant"} <= set(names)


def test_capability_and_postures(scenes):
    scene = carom.load(scenes / "jumper.toml")
    found = carom.capability(scene, [-1, 1, 0])
    assert found["acceleration"] > 0 and abs(found["gap"]) < 1e-6
    best = carom.optimize_posture(scene, [-1, 1, 0], starts=2, hops=0)
    first = best["optima"][0]
    assert first["acceleration"] >= found["acceleration"] - 1e-9
    assert isinstance(first["state"], carom.State)
    # The posture is one of the scene: its capability is the one that was found.
    again = scene.gaps(first["state"].q)
    assert again.min() > -1e-6
    with pytest.raises(carom.AgilityError, match="no body or feature"):
        carom.capability(scene, point="moon")
    with pytest.raises(carom.AgilityError, match="hold"):
        carom.capability(scene, hold="tight")


def test_experiments():
    names = carom.experiments()
    assert "morgan-paths" in names
    record = carom.reproduce("morgan-paths", fast=True)
    assert record["name"] == "morgan-paths" and record["result"]["claims"]
    with pytest.raises(KeyError, match="experiments"):
        carom.reproduce("nothing")
